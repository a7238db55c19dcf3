/*
 * FizzBuzz as something to compare with, quickly.
 *
 * A group is a thousand lines, n / 1000 = g: all digits above the low three are the same on every line
 * of it. As 3000 is a multiple of 15, the places of numbers and words, and the low three digits, come
 * again every three groups. So one reference text of three groups, in which those high digits are all
 * '0', stands for all lines of one number length. What a line really says differs from it by the high
 * digits, at places that come again every fifteen lines: that is the pattern, of which only the digits
 * that change are written anew from group to group.
 *
 * No group holds numbers of two lengths, except group 0, which is small enough to be its own text with
 * an empty pattern.
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
	GROUPS = 3, /* in the text */
	CYCLE_LINES = 15,
	CYCLE_NUMBERS = 8,
	CYCLE_FIXED = 47,
	TEXT_MAX = GROUPS * GROUP_LINES / CYCLE_LINES * (CYCLE_NUMBERS * 20 + CYCLE_FIXED),
	/* A pattern is entered within its first period, and then read for one more and a little. */
	PLACES_MAX = 3 * CYCLE_NUMBERS,
};

struct fizzbuzz {
	struct expect base;
	uint64_t last;
	enum compare_isa isa;

	/* For numbers of `digits` digits, 0: for none yet. */
	unsigned digits;
	size_t period;
	size_t group_start[GROUPS + 1]; /* in the text */
	unsigned char text[TEXT_MAX];
	size_t place[PLACES_MAX]; /* of each number's first digit in the pattern */
	size_t places;

	/* The group that is being compared, and where in the text and in the stream its next byte is. */
	bool has_group;
	uint64_t group;
	size_t at;
	uint64_t next;
	unsigned char high[20]; /* its high digits, as in the pattern */
	unsigned char pattern[COMPARE_PATTERN_MAX];
};

/* Group 0 holds numbers of one to three digits: it is what it says. */
static void build_first_text(struct fizzbuzz *f)
{
	size_t size = 0;

	for (uint64_t n = 0; n < GROUP_LINES; n++)
		size += fb_line(n, (char *)f->text + size);
	f->group_start[0] = 0;
	f->group_start[1] = size;
}

/*
 * Three groups with `digits` digits, the first a multiple of three, from the definition of their lines;
 * then their high digits are blanked out. Powers of ten are 1 mod 3.
 */
static void build_text(struct fizzbuzz *f)
{
	uint64_t n = (fb_power_of_ten(f->digits - 1) / GROUP_LINES + 2) * GROUP_LINES;
	size_t size = 0;

	for (unsigned i = 0; i < GROUPS * GROUP_LINES; i++, n++) {
		char *line = (char *)f->text + size;

		if (i % GROUP_LINES == 0)
			f->group_start[i / GROUP_LINES] = size;
		size += fb_line(n, line);
		if (line[0] >= '0' && line[0] <= '9')
			memset(line, '0', f->digits - LOW_DIGITS);
	}
	f->group_start[GROUPS] = size;
}

/* Where numbers begin: in the first fifteen lines of the text, and again in each period. */
static void find_places(struct fizzbuzz *f)
{
	f->places = 0;
	for (size_t i = 0; f->places < PLACES_MAX; i++) {
		bool starts_line = i % f->period == 0 || f->text[i % f->period - 1] == '\n';

		if (starts_line && f->text[i % f->period] == '0')
			f->place[f->places++] = i;
	}
}

/* Rebuilt when the numbers get longer: seventeen times in the whole stream. */
static void set_digits(struct fizzbuzz *f, unsigned digits)
{
	if (f->digits == digits)
		return;
	f->digits = digits;
	f->period = CYCLE_NUMBERS * (size_t)digits + CYCLE_FIXED;
	f->places = 0;
	memset(f->pattern, 0, sizeof f->pattern);
	memset(f->high, 0, sizeof f->high);
	if (digits <= LOW_DIGITS) {
		build_first_text(f);
	} else {
		build_text(f);
		find_places(f);
	}
}

/* Writes one high digit at all its places. */
static void set_digit(struct fizzbuzz *f, unsigned i, unsigned char digit)
{
	f->high[i] = digit;
	for (size_t k = 0; k < f->places; k++) {
		size_t place = f->place[k] + i;

		if (place < sizeof f->pattern)
			f->pattern[place] = digit;
	}
}

/* From scratch, after a jump or when the numbers get longer. */
static void enter_group(struct fizzbuzz *f, uint64_t group)
{
	uint64_t rest = group;

	set_digits(f, group ? fb_digits(group * GROUP_LINES) : 1);
	f->has_group = true;
	f->group = group;
	f->at = f->group_start[group % GROUPS];
	for (unsigned i = group ? f->digits - LOW_DIGITS : 0; i > 0; i--, rest /= 10)
		set_digit(f, i - 1, (unsigned char)(rest % 10));
}

/* To the next group: usually one digit changes. */
static void enter_next_group(struct fizzbuzz *f)
{
	unsigned i = f->digits - LOW_DIGITS;

	if (f->group == 0) {
		enter_group(f, 1);
		return;
	}
	while (i > 0 && f->high[i - 1] == 9)
		set_digit(f, --i, 0);
	if (i == 0) {
		enter_group(f, f->group + 1);
		return;
	}
	set_digit(f, i - 1, f->high[i - 1] + 1);
	f->group++;
	f->at = f->group_start[f->group % GROUPS];
}

/* Finds the group of an offset by the closed form; only at the start and after jumps. */
static void seek(struct fizzbuzz *f, uint64_t offset)
{
	unsigned within;
	uint64_t line = fb_line_at(f->base.first, offset, &within);
	uint64_t group = line / GROUP_LINES;

	enter_group(f, group);
	if (line % GROUP_LINES)
		f->at += (size_t)fb_bytes(group * GROUP_LINES, line - 1);
	f->at += within;
	f->next = offset;
}

/* The fast loop where all is well, the slow one to find the place where it is not. */
static size_t match_in_group(const struct fizzbuzz *f, const unsigned char *data, size_t size)
{
	const unsigned char *text = f->text + f->at;
	size_t phase = f->at % f->period;

	if (compare_equal(f->isa, data, text, f->pattern, f->period, phase, size))
		return size;
	return compare_first_difference(data, text, f->pattern, f->period, phase, size);
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
		size_t part = f->group_start[f->group % GROUPS + 1] - f->at;

		if (part == 0) {
			enter_next_group(f);
			continue;
		}
		if (part > size - right)
			part = size - right;
		size_t same = match_in_group(f, data + right, part);

		right += same;
		f->at += same;
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
	f->isa = compare_best();
	f->last = last;
	f->base.length = fb_bytes(first, last);
	f->base.match = match;
	f->base.line_at = line_at;
	f->base.lines_before = lines_before;
	f->base.close = close_fizzbuzz;
	snprintf(f->base.name, sizeof f->base.name, "lines %ju to %ju", (uintmax_t)first, (uintmax_t)last);
	return &f->base;
}
