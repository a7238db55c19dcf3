/*
 * FizzBuzz as something to compare with, quickly.
 *
 * A group is a thousand lines, n / 1000 = g: all digits above the low three are the same on every line
 * of it. Where the numbers stand depends on g mod 3 only, as 3000 is a multiple of 15. So three
 * reference texts, in which those high digits are all '0', stand for all groups of one number length;
 * what a group really says differs from its text by a pattern that repeats every fifteen lines and
 * holds the high digits at their places. No group holds numbers of two lengths, except group 0, which
 * is small enough to be its own text with an empty pattern.
 */
#include "verifier/expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/fizzbuzz/lines.h"
#include "verifier/compare.h"

enum {
	GROUP_LINES = 1000,
	LOW_DIGITS = 3,
	CYCLE_LINES = 15,
	CYCLE_NUMBERS = 8,
	/* Fifteen lines of twenty-digit numbers, 67 times; numbers are 8 lines of 15. */
	GROUP_BYTES_MAX = 67 * (8 * 20 + 47),
	/* More than the high digits, and more than from one number to the next: 20 + 1 + 2 * 5 bytes. */
	HIGH_DIGITS_COPIED = 32,
};

/* A group's text without its high digits, and where those belong. */
struct text {
	size_t size;
	size_t place[CYCLE_NUMBERS]; /* of the first digit of each number in the first fifteen lines */
	unsigned char bytes[GROUP_BYTES_MAX];
};

struct fizzbuzz {
	struct expect base;
	uint64_t last;

	/* For numbers of `digits` digits; 0: none built yet; group 0 has one digit. */
	unsigned digits;
	size_t period;
	struct text text[3];

	/* The group that is being compared, and its pattern. */
	uint64_t group;
	bool has_group;
	size_t within; /* next byte of it */
	uint64_t next; /* the same as an offset in the stream */
	unsigned char pattern[COMPARE_PATTERN_MAX];
};

/* Writes `count` lines from n with their high digits blanked out, and notes where the first few are. */
static void build_text(struct text *text, uint64_t n, unsigned high_digits)
{
	size_t found = 0;

	text->size = 0;
	for (unsigned i = 0; i < GROUP_LINES; i++, n++) {
		char line[FB_LINE_MAX];
		size_t length = fb_line(n, line);

		if (high_digits && line[0] >= '0' && line[0] <= '9') {
			memset(line, '0', high_digits);
			if (found < CYCLE_NUMBERS)
				text->place[found++] = text->size;
		}
		memcpy(text->bytes + text->size, line, length);
		text->size += length;
	}
}

/* Texts are rebuilt when the numbers get longer: seventeen times in the whole stream. */
static void build_texts(struct fizzbuzz *f, unsigned digits)
{
	if (f->digits == digits)
		return;
	f->digits = digits;
	f->period = CYCLE_NUMBERS * (size_t)digits + 47;
	if (digits <= LOW_DIGITS) {
		build_text(&f->text[0], 0, 0);
		return;
	}
	/* The first three groups of this length; `mod 3` finds the right one for any other. */
	uint64_t group = fb_power_of_ten(digits - 1) / GROUP_LINES;

	for (unsigned i = 0; i < 3; i++, group++)
		build_text(&f->text[group % 3], group * GROUP_LINES, digits - LOW_DIGITS);
}

/*
 * One period, then copies of it. The high digits are copied in one fixed size, which is fast, each
 * over the zeros behind those before it: places ascend, and lie less than that size apart.
 */
static void build_pattern(struct fizzbuzz *f, const struct text *text)
{
	unsigned char high[HIGH_DIGITS_COPIED] = {0};
	uint64_t rest = f->group;

	if (f->group == 0) {
		memset(f->pattern, 0, sizeof f->pattern);
		return;
	}
	for (unsigned i = f->digits - LOW_DIGITS; i > 0; i--, rest /= 10)
		high[i - 1] = (unsigned char)(rest % 10);
	memset(f->pattern, 0, HIGH_DIGITS_COPIED);
	for (unsigned i = 0; i < CYCLE_NUMBERS; i++)
		memcpy(f->pattern + text->place[i], high, HIGH_DIGITS_COPIED);
	memcpy(f->pattern + f->period, f->pattern, f->period);
	memcpy(f->pattern + 2 * f->period, f->pattern, f->period + COMPARE_SLACK);
}

/* Makes everything ready to compare group `group` from its start. */
static void enter_group(struct fizzbuzz *f, uint64_t group)
{
	f->group = group;
	f->has_group = true;
	f->within = 0;
	build_texts(f, group ? fb_digits(group * GROUP_LINES) : 1);
	build_pattern(f, &f->text[group % 3]);
}

/* Finds the group of an offset by the closed form; only at the start and after jumps. */
static void seek(struct fizzbuzz *f, uint64_t offset)
{
	unsigned within;
	uint64_t line = fb_line_at(f->base.first, offset, &within);
	uint64_t group = line / GROUP_LINES;

	enter_group(f, group);
	if (line % GROUP_LINES)
		f->within = (size_t)fb_bytes(group * GROUP_LINES, line - 1);
	f->within += within;
	f->next = offset;
}

/* The fast loop where all is well, the slow one to find the place where it is not. */
static size_t match_in_group(const struct fizzbuzz *f, const unsigned char *data, size_t size)
{
	const unsigned char *reference = f->text[f->group % 3].bytes + f->within;
	const unsigned char *pattern = f->pattern + f->within % f->period;

	if (compare_equal(data, reference, pattern, f->period, size))
		return size;
	return compare_first_difference(data, reference, pattern, f->period, size);
}

/* Goes through the groups that the bytes belong to. */
static size_t match(struct expect *expect, uint64_t offset, const unsigned char *data, size_t size)
{
	struct fizzbuzz *f = (struct fizzbuzz *)expect;
	size_t right = 0;

	if (offset >= expect->length)
		return 0;
	if (size > expect->length - offset)
		size = (size_t)(expect->length - offset);
	if (!f->has_group || f->next != offset)
		seek(f, offset);
	while (right < size) {
		size_t part = f->text[f->group % 3].size - f->within;

		if (part == 0) {
			enter_group(f, f->group + 1);
			continue;
		}
		if (part > size - right)
			part = size - right;
		size_t same = match_in_group(f, data + right, part);

		right += same;
		f->within += same;
		f->next = offset + right;
		if (same < part)
			break;
	}
	return right;
}

/* The line from its definition, not from the texts above. */
static void line_at(struct expect *expect, uint64_t offset, struct expect_line *line)
{
	const struct fizzbuzz *f = (const struct fizzbuzz *)expect;
	unsigned within;

	line->number = fb_line_at(f->base.first, offset, &within);
	line->from = offset - within;
	line->from_start = true;
	line->to_end = true;
	line->size = fb_line(line->number, (char *)line->text);
}

/* The line that the next byte belongs to is the number of lines before it, counted from FIRST. */
static uint64_t lines_before(struct expect *expect, uint64_t offset)
{
	const struct fizzbuzz *f = (const struct fizzbuzz *)expect;
	unsigned within;

	if (offset >= expect->length && expect->length != UINT64_MAX)
		return f->last - f->base.first + 1;
	return fb_line_at(f->base.first, offset, &within) - f->base.first;
}

/* See expect.h. */
static void close_fizzbuzz(struct expect *expect)
{
	free(expect);
}

/* Texts are built when the first byte comes. */
struct expect *expect_fizzbuzz(uint64_t first, uint64_t last)
{
	struct fizzbuzz *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->base.first = first;
	f->last = last;
	f->base.length = fb_bytes(first, last);
	f->base.match = match;
	f->base.line_at = line_at;
	f->base.lines_before = lines_before;
	f->base.close = close_fizzbuzz;
	snprintf(f->base.name, sizeof f->base.name, "lines %ju to %ju", (uintmax_t)first, (uintmax_t)last);
	return &f->base;
}
