/* Builds the pattern that vector kernels run on; see kernel.h. */
#include "generators/fizzbuzz/kernel.h"

#include <stdbool.h>
#include <string.h>

#include "generators/fizzbuzz/lines.h"

enum { MINUS_NINE = 0x100 - 9 };

/* Digits that a pattern can leave open: two that are part of it and those of `high`. */
enum { DIGITS_MOST = FB_HIGH + 2 };

#define R(...)                                                                                               \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}
#define M MINUS_NINE
const unsigned char fb_count_up[FB_HIGH][FB_HIGH] = {
	R(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), R(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, M),
	R(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, M, M), R(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, M, M, M),
	R(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, M, M, M, M), R(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, M, M, M, M, M),
	R(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, M, M, M, M, M, M), R(0, 0, 0, 0, 0, 0, 0, 0, 1, M, M, M, M, M, M, M),
	R(0, 0, 0, 0, 0, 0, 0, 1, M, M, M, M, M, M, M, M), R(0, 0, 0, 0, 0, 0, 1, M, M, M, M, M, M, M, M, M),
	R(0, 0, 0, 0, 0, 1, M, M, M, M, M, M, M, M, M, M), R(0, 0, 0, 0, 1, M, M, M, M, M, M, M, M, M, M, M),
	R(0, 0, 0, 1, M, M, M, M, M, M, M, M, M, M, M, M), R(0, 0, 1, M, M, M, M, M, M, M, M, M, M, M, M, M),
	R(0, 1, M, M, M, M, M, M, M, M, M, M, M, M, M, M), R(1, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M),
};
#undef M
#undef R

/* Nothing above the eighteenth digit changes within 10^18 lines. */
uint64_t fb_segment_last(uint64_t line)
{
	unsigned digits = fb_digits(line);
	uint64_t block = fb_power_of_ten(DIGITS_MOST);

	if (digits <= DIGITS_MOST)
		return fb_power_of_ten(digits) - 1;
	uint64_t start = line / block * block;

	return start > UINT64_MAX - (block - 1) ? UINT64_MAX : start + block - 1;
}

/* Whether a line is a number: then some of its digits are left open. */
static bool is_number(uint64_t line)
{
	return line % 3 != 0 && line % 5 != 0;
}

/* One line as pattern bytes; returns its length. */
static size_t pattern_line(uint64_t line, unsigned digits, unsigned char *bytes)
{
	char text[FB_LINE_MAX];
	size_t length = fb_line(line, text);
	unsigned fixed = digits > DIGITS_MOST ? digits - DIGITS_MOST : 0;

	for (size_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)-text[i];
	if (is_number(line)) {
		for (unsigned i = fixed; i + 2 < digits; i++)
			bytes[i] = (unsigned char)(FB_HIGH - (digits - 2) + i);
	}
	return length;
}

/* The sixteen digits above the last two, each plus its place, which the kernel subtracts again. */
static void set_high(struct fb_pattern *pattern, uint64_t group)
{
	pattern->group = group;
	for (unsigned i = FB_HIGH; i > 0; i--, group /= 10)
		pattern->high[i - 1] = (unsigned char)('0' + group % 10 + (i - 1));
}

/*
 * The line `count` lines on, or one of the same form (a multiple of both 100 and 15 lines before) where
 * that is past the end of the segment: the rest of a cycle is prepared even if it is never put out.
 */
static uint64_t line_of_form(uint64_t line, uint64_t count, uint64_t segment_last)
{
	const uint64_t period = 3 * FB_GROUP_LINES;
	uint64_t inside = segment_last - line;

	if (count > inside)
		return line + count - (count - inside + period - 1) / period * period;
	return line + count;
}

/* Whole vectors between two that hold the start of a group, at most. */
static unsigned longest_group(const struct fb_pattern *pattern, unsigned width)
{
	unsigned longest = 0;

	for (unsigned i = 0; i < pattern->group_count; i++) {
		unsigned vectors = pattern->group_start[i + 1] / width - pattern->group_start[i] / width - 1;

		longest = vectors > longest ? vectors : longest;
	}
	return longest;
}

/* See kernel.h. */
void fb_pattern_build(struct fb_pattern *pattern, uint64_t line, unsigned within, unsigned digits,
                      unsigned width)
{
	unsigned char text[FB_LINE_MAX];
	size_t cycle = (size_t)width * FB_CYCLE_LINES_PER_BYTE / 15 * (8 * (size_t)digits + 47);
	uint64_t segment_last = fb_segment_last(line);
	size_t size = 0;

	pattern->group_count = 0;
	pattern->vector_count = (unsigned)(cycle / width);
	pattern->vector = 0;
	/* A group that starts with the cycle is met again with each turn, but not now. */
	pattern->next_group = line % FB_GROUP_LINES == 0 && within == 0 ? 1 : 0;
	set_high(pattern, line / FB_GROUP_LINES);
	for (uint64_t count = 0; size < cycle; count++) {
		uint64_t n = line_of_form(line, count, segment_last);
		size_t skip = count == 0 ? within : 0;
		size_t take = pattern_line(n, digits, text) - skip;

		if (take > cycle - size)
			take = cycle - size;
		if (n % FB_GROUP_LINES == 0 && skip == 0)
			pattern->group_start[pattern->group_count++] = (uint32_t)size;
		memcpy(pattern->bytes + size, text + skip, take);
		size += take;
	}
	memcpy(pattern->bytes + cycle, pattern->bytes, FB_GROUP_BYTES_MOST + FB_WIDTH_MOST);
	pattern->group_start[pattern->group_count] = (uint32_t)cycle + pattern->group_start[0];
	pattern->group_vectors = longest_group(pattern, width);
}
