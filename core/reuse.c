/* When may a span be filled again? Method `ring` proves it by counting, `fence` by asking the kernel. */
#include "core/internal.h"

#include <fcntl.h>
#include <sys/ioctl.h>

/*
 * Learns how many of our bytes have certainly left our pipe.
 *
 * What is promised: a span is filled again only when at this moment all its bytes, and at least
 * `slack` bytes that were pushed after them, are no longer in our pipe.
 *
 * Why it holds. A pipe hands out bytes in the order in which they were put in, so those of ours that
 * are still inside are the last ones pushed. They are no more than
 *   - the capacity at this moment: each slot holds at most a page, and F_GETPIPE_SZ is the number of
 *     slots times a page. Slots with partial pages, and slots filled by other writers, only lower our
 *     share. A pipe is never shrunk below its content (pipe(7), EBUSY), so the capacity bounds the
 *     content at every moment, also after it was changed;
 *   - the content at this moment (FIONREAD), other writers' bytes included.
 * Bytes that have left do not come back, whatever the capacity becomes later; so `left` never falls,
 * and knowing it once is knowing it for good. Both calls take the pipe's lock: they look at one moment
 * after our last push has returned, and nothing is pushed between this and the filling of the span.
 *
 * Where it ends. A reader may have moved our pages on instead of copying them (splice, tee); then they
 * are seen outside our pipe, where nothing tells how many there are. As long as these places together
 * hold no more than `slack` bytes, and in order, the bytes after the span have pushed it out of them.
 */
static void learn_what_left(struct pc_writer *writer, uint64_t wanted)
{
	int capacity = fcntl(writer->fd, F_GETPIPE_SZ);
	uint64_t pushed = writer->stats.bytes;
	int content;

	if (capacity > 0 && pushed > writer->left + (uint64_t)capacity)
		writer->left = pushed - (uint64_t)capacity;
	if (writer->left >= wanted)
		return;
	/* The pipe may hold more than the ring: only what it does hold counts then. */
	if (ioctl(writer->fd, FIONREAD, &content) == 0 && content >= 0 &&
	    pushed > writer->left + (uint64_t)content)
		writer->left = pushed - (uint64_t)content;
}

/* Method `ring`: see learn_what_left() for the promise. */
static bool counting_frees(struct pc_writer *writer, const struct pc_span *span)
{
	uint64_t wanted = span->end + writer->options.slack;

	if (writer->left < wanted)
		learn_what_left(writer, wanted);
	return writer->left >= wanted;
}

/* Asks the method in force. After a fall back to write(2) no method looks after what was pushed. */
static bool is_free(struct pc_writer *writer, struct pc_span *span)
{
	if (writer->copies)
		return false;
	switch (writer->options.method) {
	case PC_RING:
		return counting_frees(writer, span);
	case PC_FENCE:
		return pc_fence_frees(writer, span);
	default:
		return false;
	}
}

/* See internal.h. Memory that nobody proved to be free is replaced, never waited for. */
int pc_span_reuse(struct pc_writer *writer, struct pc_span *span)
{
	if (span->pushed) {
		if (is_free(writer, span)) {
			span->pushed = false;
			writer->stats.spans_reused++;
		} else {
			int error = pc_span_drop(writer, span);

			if (error)
				return error;
		}
	}
	pc_span_populate(writer, span);
	return 0;
}
