/* Sizes: what is filled, pushed and released at a time, and how long the ring is. */
#include "core/internal.h"

#include <errno.h>

/*
 * Defaults, by measurement (make bench). Large pushes are cheap per page and leave the pipe's lock to
 * the reader for longer; a fence costs the same for any ring, so its ring is long; fresh pages should
 * come back while they are still in the cache, so its ring is short; write(2) copies out of the
 * nearest cache.
 */
enum { KIB = 1024, MIB = 1024 * KIB };
enum { HALF = 128 * KIB, PUSH = 512 * KIB };
enum { RING_FENCE = 16 * MIB, RING_RING = 8 * MIB, RING_FRESH = 4 * MIB, RING_WRITE = 256 * KIB };
enum { SLACK_LEAST = 1 * MIB, SLACK_MOST = 4 * MIB };

/* The largest size that is taken: everything here is added up in size_t, also on 32-bit machines. */
enum { LARGEST = 1024 * MIB };

/* Rounds up to a whole number of units. */
static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

/* Halves are powers of two so that they divide huge pages. */
static size_t power_of_two(size_t size)
{
	size_t power = PC_PAGE;

	while (power < size)
		power *= 2;
	return power;
}

/* One huge page at a time where the ring is long enough to have several; else the smallest unit. */
static size_t span_for(size_t ring, size_t half)
{
	if (ring < 2 * PC_HUGE)
		return half;
	return half > PC_HUGE ? half : PC_HUGE;
}

/* The usual half, or what fits twice into a ring that was asked for. */
static size_t default_half(size_t ring)
{
	size_t half = HALF;

	while (ring && half > ring / 2 && half > PC_PAGE)
		half /= 2;
	return half;
}

/* The usual push, within the ring that was asked for; a copy is made of each half while it is hot. */
static size_t default_push(const struct pc_options *options)
{
	size_t push = PUSH;

	if (options->method == PC_WRITE || options->half > push)
		return options->half;
	while (options->ring && push > options->ring / 2 && push > options->half)
		push /= 2;
	return push;
}

/* The ring a method wants if the caller names none. */
static size_t default_ring(const struct pc_options *options, size_t capacity)
{
	size_t least;

	switch (options->method) {
	case PC_RING:
		least = capacity + PC_HUGE + options->push + (options->slack ? options->slack : SLACK_MOST);
		return least > RING_RING ? least : RING_RING;
	case PC_FRESH:
		return RING_FRESH;
	case PC_WRITE:
		return RING_WRITE;
	default:
		return RING_FENCE;
	}
}

/* What the ring leaves over after the pipe and the span that is being filled. */
static size_t default_slack(size_t ring, size_t span, size_t capacity)
{
	size_t pipe = capacity > MIB ? capacity : MIB;
	size_t over = ring > span + pipe ? ring - span - pipe : 0;

	if (over > SLACK_MOST)
		return SLACK_MOST;
	return over < SLACK_LEAST ? SLACK_LEAST : over;
}

/* See internal.h. `capacity` is that of our pipe at this moment, 0 if the output is none. */
int pc_geometry(struct pc_writer *writer, size_t capacity)
{
	struct pc_options *options = &writer->options;
	size_t slack = options->slack == PC_NO_SLACK ? 0 : options->slack;

	if (options->half > LARGEST || options->push > LARGEST || options->ring > LARGEST || slack > LARGEST)
		return -EINVAL;
	options->half = power_of_two(options->half ? options->half : default_half(options->ring));
	if (options->push == 0)
		options->push = default_push(options);
	options->push = round_up(options->push, options->half);
	if (options->ring == 0) {
		options->ring = default_ring(options, capacity);
		if (options->ring < 2 * options->push)
			options->ring = 2 * options->push;
	}
	writer->span_size = span_for(options->ring, options->half);
	options->ring = round_up(options->ring, writer->span_size);
	writer->span_count = options->ring / writer->span_size;
	if (writer->span_count < 2 || options->push > options->ring / 2)
		return -EINVAL;
	if (options->push > writer->span_size)
		options->push = writer->span_size;
	if (options->slack == 0)
		options->slack = default_slack(options->ring, writer->span_size, capacity);
	else
		options->slack = slack;
	return 0;
}
