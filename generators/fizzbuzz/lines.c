/* Line arithmetic of FizzBuzz; see lines.h. */
#include "generators/fizzbuzz/lines.h"

#include <string.h>

/* Fifteen lines from n = 1 mod 15 hold eight numbers and these bytes of words and newlines. */
enum { CYCLE_LINES = 15, CYCLE_NUMBERS = 8, CYCLE_FIXED = 47 };

static const uint64_t power_of_ten[20] = {
	1u,
	10u,
	100u,
	1000u,
	10000u,
	100000u,
	1000000u,
	10000000u,
	100000000u,
	1000000000u,
	10000000000u,
	100000000000u,
	1000000000000u,
	10000000000000u,
	100000000000000u,
	1000000000000000u,
	10000000000000000u,
	100000000000000000u,
	1000000000000000000u,
	10000000000000000000u,
};

/* The table behind every statement about numbers of digits. */
uint64_t fb_power_of_ten(unsigned exponent)
{
	return power_of_ten[exponent];
}

/* Compares instead of dividing: exact at every boundary. */
unsigned fb_digits(uint64_t n)
{
	unsigned digits = 1;

	while (digits < 20 && n >= power_of_ten[digits])
		digits++;
	return digits;
}

/* The definition of the stream, one line at a time. */
size_t fb_line(uint64_t n, char *line)
{
	size_t length = 0;

	if (n % 3 == 0) {
		memcpy(line, "Fizz", 4);
		length = 4;
	}
	if (n % 5 == 0) {
		memcpy(line + length, "Buzz", 4);
		length += 4;
	}
	if (length == 0) {
		length = fb_digits(n);
		for (size_t i = length; i > 0; i--, n /= 10)
			line[i - 1] = (char)('0' + n % 10);
	}
	line[length++] = '\n';
	return length;
}

/* Length of line n if numbers have `digits` digits, without writing it. */
static unsigned line_length(uint64_t n, unsigned digits)
{
	unsigned words = (n % 3 == 0 ? 4u : 0u) + (n % 5 == 0 ? 4u : 0u);

	return (words ? words : digits) + 1;
}

/* Sums that stop at the top instead of wrapping. */
static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* See add_saturating(). */
static uint64_t multiply_saturating(uint64_t a, uint64_t b)
{
	return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Bytes of `count` lines from `first`, all with numbers of `digits` digits. */
static uint64_t bytes_of_run(uint64_t first, uint64_t count, unsigned digits)
{
	uint64_t cycle = CYCLE_NUMBERS * (uint64_t)digits + CYCLE_FIXED;
	uint64_t bytes = multiply_saturating(count / CYCLE_LINES, cycle);

	/* Any fifteen lines in a row hold the same bytes, so only the rest depends on where it starts. */
	for (uint64_t i = 0; i < count % CYCLE_LINES; i++)
		bytes = add_saturating(bytes, line_length(first % CYCLE_LINES + i, digits));
	return bytes;
}

/* The last line whose number has `digits` digits. */
static uint64_t last_with_digits(unsigned digits)
{
	return digits == 20 ? UINT64_MAX : power_of_ten[digits] - 1;
}

/* Sums the runs of equal number length. */
uint64_t fb_bytes(uint64_t first, uint64_t last)
{
	uint64_t bytes = 0;

	while (first <= last) {
		unsigned digits = fb_digits(first);
		uint64_t end = last_with_digits(digits);

		if (end > last)
			end = last;
		bytes = add_saturating(bytes, bytes_of_run(first, end - first + 1, digits));
		if (end == last)
			break;
		first = end + 1;
	}
	return bytes;
}

/* Skips runs of equal number length, then whole cycles, then walks at most fifteen lines. */
uint64_t fb_line_at(uint64_t first, uint64_t offset, unsigned *within)
{
	for (;;) {
		unsigned digits = fb_digits(first);
		uint64_t end = last_with_digits(digits);
		uint64_t run = bytes_of_run(first, end - first + 1, digits);

		if (offset >= run && end != UINT64_MAX && run != UINT64_MAX) {
			offset -= run;
			first = end + 1;
			continue;
		}
		uint64_t cycle = CYCLE_NUMBERS * (uint64_t)digits + CYCLE_FIXED;

		first += offset / cycle * CYCLE_LINES;
		offset %= cycle;
		for (;;) {
			unsigned length = line_length(first, digits);

			if (offset < length) {
				*within = (unsigned)offset;
				return first;
			}
			offset -= length;
			first++;
		}
	}
}
