/* The FizzBuzz stream: scalar lines and vector segments in turn; see stream.h. */
#include "generators/fizzbuzz/stream.h"

#include <stdlib.h>
#include <string.h>

#include "generators/fizzbuzz/kernel.h"
#include "generators/fizzbuzz/lines.h"

/* A pattern takes tens of microseconds to build: worth it for a segment of this many bytes. */
enum { SEGMENT_LEAST = 64 * 1024 };

/* Scalar lines are made in pieces of this size, so that a segment that begins is not missed for long. */
enum { PIECE = 4096 };

/* Shorter numbers are few, and their groups would be shorter than vectors. */
enum { VECTOR_DIGITS_LEAST = 5 };

struct fb_stream {
	const struct fb_kernel *kernel; /* NULL: scalar */
	uint64_t line;                  /* the next line to start */
	uint64_t last;
	bool ended; /* all lines were started */

	char rest[FB_LINE_MAX]; /* of the line that was cut by the end of a fill */
	unsigned rest_at, rest_end;

	/* The segment that the kernel is in: which byte of the stream its pattern began with, and so on. */
	bool in_segment;
	uint64_t segment_line;
	unsigned segment_within;
	uint64_t segment_last;
	uint64_t segment_done; /* bytes put out */
	uint64_t segment_left; /* bytes to go */
	struct fb_pattern pattern;
};

/* Kernels by instruction set; NULL is the scalar path itself. */
static const struct fb_kernel *kernel_for(enum isa isa)
{
	static const struct fb_kernel *const kernels[ISA_COUNT] = {[ISA_AVX2] = &fb_kernel_avx2};

	return kernels[isa];
}

/* See stream.h. */
bool fb_has_kernel(enum isa isa)
{
	const struct fb_kernel *kernel = kernel_for(isa);

	return isa == ISA_SCALAR || (kernel && kernel->run && isa_runs_here(isa));
}

/* See stream.h. */
enum isa fb_best_isa(void)
{
	enum isa best = ISA_SCALAR;

	for (int isa = ISA_SCALAR; isa < ISA_COUNT; isa++) {
		if (fb_has_kernel((enum isa)isa))
			best = (enum isa)isa;
	}
	return best;
}

/* See stream.h. The pattern inside wants its alignment, so plain malloc will not do. */
struct fb_stream *fb_stream_open(uint64_t first, uint64_t last, enum isa isa)
{
	size_t size = (sizeof(struct fb_stream) + 63) / 64 * 64;
	struct fb_stream *stream = aligned_alloc(64, size);

	if (!stream)
		return NULL;
	memset(stream, 0, size);
	stream->kernel = kernel_for(isa);
	stream->line = first;
	stream->last = last;
	return stream;
}

/* See stream.h. */
void fb_stream_close(struct fb_stream *stream)
{
	free(stream);
}

/* Starts the next line for a piece that is cut. */
static void start_rest(struct fb_stream *stream)
{
	stream->rest_at = 0;
	stream->rest_end = (unsigned)fb_line(stream->line, stream->rest);
	if (stream->line == stream->last)
		stream->ended = true;
	stream->line++;
}

/* Puts out what is left of a cut line. */
static size_t put_rest(struct fb_stream *stream, unsigned char *out, size_t size)
{
	size_t rest = stream->rest_end - stream->rest_at;
	size_t now = rest < size ? rest : size;

	memcpy(out, stream->rest + stream->rest_at, now);
	stream->rest_at += (unsigned)now;
	return now;
}

/* Fills with scalar lines, the last one cut to fit. */
static size_t fill_scalar(struct fb_stream *stream, unsigned char *out, size_t size)
{
	size_t done = 0;

	while (done < size) {
		if (stream->rest_at < stream->rest_end) {
			done += put_rest(stream, out + done, size - done);
		} else if (stream->ended) {
			break;
		} else if (size - done >= FB_SCALAR_ROOM) {
			done += fb_scalar_lines(&stream->line, stream->last, out + done, size - done);
			stream->ended = stream->line == stream->last + 1;
		} else {
			start_rest(stream);
		}
	}
	return done;
}

/* Where the next byte is: in the rest of a line, or at the start of one. */
static uint64_t place(const struct fb_stream *stream, unsigned *within)
{
	bool cut = stream->rest_at < stream->rest_end;

	*within = cut ? stream->rest_at : 0;
	return cut ? stream->line - 1 : stream->line;
}

/* Prepares the kernel for the segment from here, if that is worth it. */
static void enter_segment(struct fb_stream *stream)
{
	unsigned within;
	uint64_t line = place(stream, &within);
	uint64_t last = fb_segment_last(line);
	unsigned digits = fb_digits(line);

	if (digits < VECTOR_DIGITS_LEAST)
		return;
	if (last > stream->last)
		last = stream->last;
	uint64_t bytes = fb_bytes(line, last) - within;

	if (bytes < SEGMENT_LEAST)
		return;
	fb_pattern_build(&stream->pattern, line, within, digits, stream->kernel->width);
	stream->in_segment = true;
	stream->segment_line = line;
	stream->segment_within = within;
	stream->segment_last = last;
	stream->segment_done = 0;
	stream->segment_left = bytes;
}

/* Goes back to lines: finds the one that the next byte is in. */
static void leave_segment(struct fb_stream *stream)
{
	unsigned within;

	stream->in_segment = false;
	stream->rest_at = stream->rest_end = 0;
	if (stream->segment_left == 0) {
		stream->line = stream->segment_last + 1;
		stream->ended = stream->segment_last == stream->last;
		return;
	}
	stream->line =
		fb_line_at(stream->segment_line, stream->segment_within + stream->segment_done, &within);
	start_rest(stream);
	stream->rest_at = within;
}

/* Fills with whole vectors as far as the segment goes. */
static size_t fill_vectors(struct fb_stream *stream, unsigned char *out, size_t size)
{
	unsigned width = stream->kernel->width;
	uint64_t most = stream->segment_left < size ? stream->segment_left : size;
	size_t count = (size_t)(most / width);

	stream->kernel->run(&stream->pattern, out, count);
	stream->segment_done += (uint64_t)count * width;
	stream->segment_left -= (uint64_t)count * width;
	return count * width;
}

/* See stream.h. */
size_t fb_stream_fill(struct fb_stream *stream, unsigned char *out, size_t size)
{
	size_t done = 0;

	while (done < size) {
		unsigned char *at = out + done;
		size_t left = size - done;
		bool aligned = (uintptr_t)at % FB_WIDTH_MOST == 0;

		if (stream->kernel && aligned && left >= FB_WIDTH_MOST) {
			if (!stream->in_segment && left >= PIECE)
				enter_segment(stream);
			if (stream->in_segment && stream->segment_left >= FB_WIDTH_MOST) {
				done += fill_vectors(stream, at, left);
				continue;
			}
		}
		if (stream->in_segment)
			leave_segment(stream);
		size_t piece = stream->kernel && left > PIECE ? PIECE : left;
		size_t now = fill_scalar(stream, at, piece);

		done += now;
		if (now < piece)
			break;
	}
	return done;
}
