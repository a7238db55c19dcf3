/* The writer: hands out halves, keeps them back until a push is full, pushes, waits. */
#include "core/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Names as users give them. */
const char *pc_method_name(enum pc_method method)
{
	static const char *const names[] = {"auto", "fence", "ring", "fresh", "write"};

	return names[method];
}

/* All defaults are zero. */
void pc_options_init(struct pc_options *options)
{
	*options = (struct pc_options){0};
}

/* See internal.h. */
void pc_note(const struct pc_writer *writer, enum pc_level level, const char *format, ...)
{
	char text[512];
	va_list arguments;

	if (!writer->options.note)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	writer->options.note(writer->options.note_arg, level, text);
}

/* A pipe can take pages; the read end of one must not (vmsplice(2) would fill our memory from it). */
static int check_descriptor(int fd, bool *is_pipe)
{
	struct stat status;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, &status) != 0)
		return -errno;
	if ((flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	*is_pipe = S_ISFIFO(status.st_mode);
	return 0;
}

/* The capacity asked for, or the next smaller that the user may have. Returns what the pipe has then. */
static size_t size_pipe(const struct pc_writer *writer)
{
	size_t wanted = writer->options.pipe_size ? writer->options.pipe_size : (size_t)1 << 20;
	int before = fcntl(writer->fd, F_GETPIPE_SZ);
	size_t now = before > 0 ? (size_t)before : 0;
	int error = 0;

	if (writer->options.pipe_size && wanted < now) {
		if (fcntl(writer->fd, F_SETPIPE_SZ, (int)wanted) < 0)
			error = errno;
	}
	for (size_t size = wanted; size > now && size <= INT32_MAX; size /= 2) {
		if (fcntl(writer->fd, F_SETPIPE_SZ, (int)size) >= 0)
			break;
		if (!error)
			error = errno;
	}
	int after = fcntl(writer->fd, F_GETPIPE_SZ);

	now = after > 0 ? (size_t)after : now;
	if (error)
		pc_note(writer, PC_WARN,
		        "pipe size: %zu KiB instead of %zu KiB: %s (limits: /proc/sys/fs/pipe-max-size and "
		        "pipe-user-pages-soft)",
		        now / 1024, wanted / 1024, strerror(error));
	return now;
}

/* Gets the ring and its spans; the sizes of options follow the method. */
static int make_ring(struct pc_writer *writer, const struct pc_options *asked, enum pc_method method,
                     size_t capacity)
{
	free(writer->spans);
	writer->spans = NULL;
	pc_ring_unmap(writer);
	writer->options = *asked;
	writer->options.method = method;
	writer->copies = method == PC_WRITE;
	int error = pc_geometry(writer, capacity);

	if (error)
		return error;
	writer->spans = calloc(writer->span_count, sizeof *writer->spans);
	if (!writer->spans)
		return -ENOMEM;
	return pc_ring_map(writer);
}

/* Decides on the method for a pipe; the ring is made for the answer. */
static int choose_on_pipe(struct pc_writer *writer, const struct pc_options *asked)
{
	size_t capacity = size_pipe(writer);
	enum pc_method wanted = asked->method == PC_AUTO ? PC_FENCE : asked->method;
	const char *why = "as asked";
	int error = make_ring(writer, asked, wanted, capacity);

	if (error || wanted == PC_WRITE || wanted == PC_RING || wanted == PC_FRESH)
		goto chosen;
	enum pc_kernel kernel = pc_probe(writer, &why);
	enum pc_method method = kernel == PC_KERNEL_FENCES ? PC_FENCE
	                      : kernel == PC_KERNEL_SHARES ? PC_FRESH
	                                                   : PC_WRITE;

	if (method != wanted) {
		pc_note(writer, PC_WARN, "method %s instead of fence, slower and as exact: %s",
		        pc_method_name(method), why);
		error = make_ring(writer, asked, method, capacity);
	} else if (asked->never_forks) {
		pc_fence_lean(writer);
	}
chosen:
	if (!error)
		pc_note(writer, PC_INFO, "output: a pipe of %zu KiB; method %s: %s", capacity / 1024,
		        pc_method_name(writer->options.method), why);
	return error;
}

/* Everything that is not a pipe is written to. */
static int choose_elsewhere(struct pc_writer *writer, const struct pc_options *asked)
{
	int error = make_ring(writer, asked, PC_WRITE, 0);

	if (error)
		return error;
	if (asked->method != PC_AUTO && asked->method != PC_WRITE)
		pc_note(writer, PC_WARN, "method write instead of %s: the output is not a pipe",
		        pc_method_name(asked->method));
	pc_note(writer, PC_INFO, "output: not a pipe; method write");
	return 0;
}

/* What the ring turned out to be made of. */
static void note_ring(struct pc_writer *writer)
{
	const struct pc_options *options = &writer->options;

	pc_span_populate(writer, &writer->spans[0]);
	pc_note(writer, PC_INFO, "ring of %zu KiB, spans of %zu KiB, halves of %zu KiB, pushes of %zu KiB%s",
	        options->ring / 1024, writer->span_size / 1024, options->half / 1024, options->push / 1024,
	        writer->spans[0].huge          ? ", in huge pages"
	        : writer->span_size >= PC_HUGE ? ", NO huge pages: the kernel gave none "
	                                         "(/sys/kernel/mm/transparent_hugepage/enabled)"
	                                       : "");
	if (options->method == PC_RING)
		pc_note(writer, PC_INFO,
		        "slack: exact if readers that splice onward hold at most %zu KiB, in order",
		        options->slack / 1024);
}

/*
 * Writers open in this process, and the lock under which one is opened: a fence is made lean by leaving
 * out all other memory, which must never be the ring of another writer. That one's fences would protect
 * nothing.
 */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned open_writers;

/* Everything of pc_writer_open() that may map or leave out memory. */
static int choose(struct pc_writer *writer, bool is_pipe, const struct pc_options *options)
{
	struct pc_options asked = *options;

	pthread_mutex_lock(&open_lock);
	open_writers++;
	asked.never_forks = options->never_forks && open_writers == 1;
	int error = is_pipe ? choose_on_pipe(writer, &asked) : choose_elsewhere(writer, &asked);

	pthread_mutex_unlock(&open_lock);
	return error;
}

/* See pipecore.h. */
int pc_writer_open(struct pc_writer **opened, int fd, const struct pc_options *options)
{
	*opened = NULL;
	if ((unsigned)options->method > PC_WRITE)
		return -EINVAL;
	struct pc_writer *writer = calloc(1, sizeof *writer);
	bool is_pipe = false;

	if (!writer)
		return -ENOMEM;
	writer->fd = fd;
	writer->may_spin = pc_may_spin();
	writer->options = *options;
	int error = check_descriptor(fd, &is_pipe);

	if (!error) {
		writer->counted = true;
		error = choose(writer, is_pipe, options);
	}
	if (error) {
		pc_writer_close(writer);
		return error;
	}
	note_ring(writer);
	*opened = writer;
	return 0;
}

/* See pipecore.h. */
void pc_writer_close(struct pc_writer *writer)
{
	if (!writer)
		return;
	pc_ring_unmap(writer);
	if (writer->counted) {
		pthread_mutex_lock(&open_lock);
		open_writers--;
		pthread_mutex_unlock(&open_lock);
	}
	free(writer->spans);
	free(writer);
}

/* See pipecore.h. */
const struct pc_options *pc_writer_options(const struct pc_writer *writer)
{
	return &writer->options;
}

/* See pipecore.h. */
struct pc_stats pc_writer_stats(const struct pc_writer *writer)
{
	return writer->stats;
}

/* The span that an offset of the ring lies in. */
static struct pc_span *span_at(const struct pc_writer *writer, size_t offset)
{
	return &writer->spans[offset / writer->span_size];
}

/* See pipecore.h. A span is made fit at its start; nothing of the ring is kept back then. */
int pc_writer_next(struct pc_writer *writer, unsigned char **half, size_t *room)
{
	if (writer->failed)
		return writer->failed;
	if (writer->fill == writer->options.ring) {
		writer->fill = 0;
		writer->push = 0;
		pc_fence_turn(writer);
	}
	if (writer->fill % writer->span_size == 0) {
		writer->failed = pc_span_reuse(writer, span_at(writer, writer->fill));
		if (writer->failed)
			return writer->failed;
	}
	*half = writer->ring + writer->fill;
	*room = writer->options.half;
	return 0;
}

/* One try to hand bytes over: the only place that pushes or writes. */
static ssize_t hand_over(const struct pc_writer *writer, unsigned char *start, size_t size)
{
	struct iovec part = {.iov_base = start, .iov_len = size};

	if (writer->copies)
		return write(writer->fd, start, size);
	return vmsplice(writer->fd, &part, 1, SPLICE_F_NONBLOCK);
}

/*
 * From here on everything is copied. Spans that hold pushed pages are replaced before they are filled
 * (reuse.c), so what is in the pipe stays as it is.
 */
static void fall_back_to_write(struct pc_writer *writer, int error)
{
	pc_note(writer, PC_WARN, "vmsplice: %s; going on with write, slower and as exact", strerror(error));
	writer->copies = true;
}

/* Hands over all that is kept back, waiting as long as it takes. */
static int push_pending(struct pc_writer *writer)
{
	struct pc_wait wait = {0};

	while (writer->pending > 0) {
		ssize_t moved = hand_over(writer, writer->ring + writer->push, writer->pending);

		if (moved > 0) {
			bool partial = (size_t)moved < writer->pending;

			writer->push += (size_t)moved;
			writer->pending -= (size_t)moved;
			writer->stats.bytes += (uint64_t)moved;
			writer->stats.pushes++;
			wait.since = 0;
			/* A reader is at work: let it have the lock before the rest is tried. */
			if (partial && writer->may_spin && !writer->copies)
				pc_pause();
		} else if (moved == 0 || errno == EAGAIN) {
			if (pc_wait(&wait, writer->fd, POLLOUT, writer->may_spin))
				writer->stats.sleeps++;
		} else if (errno != EINTR) {
			int error = errno;

			/* Any error but that of a lost reader may be a refusal of the call as such. */
			if (writer->copies || error == EPIPE)
				return -error;
			fall_back_to_write(writer, error);
		}
	}
	return 0;
}

/* Keeps book on the span that was just pushed to, and gives it back if it will not be used again. */
static int note_pushed(struct pc_writer *writer, struct pc_span *span, bool whole)
{
	span->end = writer->stats.bytes;
	if (!whole || writer->copies)
		return 0;
	if (writer->options.method == PC_FRESH ||
	    (writer->options.method == PC_FENCE && pc_fence_rests(writer)))
		return pc_span_drop(writer, span);
	return 0;
}

/* Pushes what is kept back. A push never reaches past its span, so that a span has one end. */
static int push_kept_back(struct pc_writer *writer)
{
	if (writer->pending == 0)
		return 0;
	struct pc_span *span = span_at(writer, writer->push);

	if (!writer->copies) {
		span->pushed = true;
		span->fenced = false;
	}
	int error = push_pending(writer);

	if (!error) {
		writer->push = writer->fill;
		error = note_pushed(writer, span, writer->fill % writer->span_size == 0);
	}
	writer->failed = error;
	return error;
}

/* See pipecore.h. */
int pc_writer_push(struct pc_writer *writer, size_t bytes)
{
	bool whole = bytes == writer->options.half;

	if (writer->failed || bytes == 0)
		return writer->failed;
	writer->pending += bytes;
	writer->fill += writer->options.half;
	if (whole && writer->pending < writer->options.push && writer->fill % writer->span_size != 0)
		return 0;
	return push_kept_back(writer);
}

/* See pipecore.h. */
int pc_writer_finish(struct pc_writer *writer)
{
	return writer->failed ? writer->failed : push_kept_back(writer);
}
