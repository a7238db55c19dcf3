/*
 * The inside of the FizzBuzz generator: what a kernel is, and the pattern that vector kernels run on.
 *
 * A pattern is one cycle of the stream in bytes, prepared so that a kernel turns a vector of it into a
 * vector of output with a byte shuffle and a subtraction: out = shuffle(high, pattern) - pattern. Each
 * byte of it is either a literal (words, newlines, the last two digits, and digits that do not change in
 * the segment) as its negative, whose top bit is set, so that the shuffle gives 0; or the place of a
 * digit in `high`, the sixteen digits above the last two, each stored as its character plus its place.
 *
 * `high` is the same for a hundred lines: a group. A cycle is a whole number of groups, of fifteen
 * lines, and of vectors, and its first byte may be any byte of any line, so that vectors of the output
 * are always aligned.
 *
 * A segment is a run of lines in which one pattern holds: numbers of the same length, and of the same
 * digits above the eighteenth.
 */
#ifndef FIZZBUZZ_KERNEL_H
#define FIZZBUZZ_KERNEL_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "generators/isa.h"

enum {
	FB_WIDTH_MOST = 64,           /* bytes in a vector, at most */
	FB_HIGH = 16,                 /* digits in `high` */
	FB_GROUP_LINES = 100,         /* lines with the same `high` */
	FB_CYCLE_LINES_PER_BYTE = 75, /* lines in a cycle, per byte of the vector: any length of number */
	FB_GROUPS_MOST = FB_CYCLE_LINES_PER_BYTE * FB_WIDTH_MOST / FB_GROUP_LINES,
	FB_GROUP_BYTES_MOST = FB_GROUP_LINES / 15 * (8 * 20 + 47) + 15 * 21, /* a little more than that */
	FB_CYCLE_MOST = FB_CYCLE_LINES_PER_BYTE * FB_WIDTH_MOST / 15 * (8 * 20 + 47),
};

/* A pattern and the place in it. */
struct fb_pattern {
	/* The cycle, and its beginning once more for kernels that run over its end. */
	alignas(64) unsigned char bytes[FB_CYCLE_MOST + FB_GROUP_BYTES_MOST + FB_WIDTH_MOST];
	alignas(64) unsigned char high[FB_HIGH]; /* least significant last, of the group at `vector` */
	uint64_t group;                          /* line number / 100 there */
	/* Bytes where a new group starts, in order, then where the first one starts in the next turn. */
	uint32_t group_start[FB_GROUPS_MOST + 1];
	unsigned group_count;
	unsigned group_vectors; /* between two vectors with a group's start, at most */
	unsigned vector_count;
	unsigned vector;     /* place: the next vector to put out */
	unsigned next_group; /* place: the first of group_start that was not put out yet */
};

/*
 * One way to make vectors. Writes `count` vectors of `width` bytes, aligned to `width`, from the place
 * of the pattern, and moves the place on. NULL where the compiler's target lacks the instruction set.
 */
struct fb_kernel {
	enum isa isa;
	unsigned width;
	void (*run)(struct fb_pattern *pattern, unsigned char *out, size_t count);
};

extern const struct fb_kernel fb_kernel_avx2;

/*
 * Adding row z to `high` counts it up by one if its last z digits are nines. Rows are FB_HIGH bytes,
 * for z from 0 to FB_HIGH - 1.
 */
extern const unsigned char fb_count_up[FB_HIGH][FB_HIGH];

/* Trailing nines of a group number, at most FB_HIGH - 1. */
static inline unsigned fb_trailing_nines(uint64_t group)
{
	unsigned nines = 0;

	while (group % 10 == 9 && nines < FB_HIGH - 1) {
		group /= 10;
		nines++;
	}
	return nines;
}

/*
 * Builds the pattern for numbers of `digits` digits that starts with byte `within` of line `line`, for
 * vectors of `width` bytes.
 */
void fb_pattern_build(struct fb_pattern *pattern, uint64_t line, unsigned within, unsigned digits,
                      unsigned width);

/* The last line of the segment that `line` is in. */
uint64_t fb_segment_last(uint64_t line);

/*
 * Writes whole lines from `*line` on, no further than `last` and while there is room for the longest
 * one and some slop; returns the bytes written and moves `*line` on (to last + 1, which may wrap to 0).
 */
size_t fb_scalar_lines(uint64_t *line, uint64_t last, unsigned char *out, size_t room);

/* Room that fb_scalar_lines() needs behind each line start. */
enum { FB_SCALAR_ROOM = 32 };

#endif
