/* Line arithmetic against the definition, written once more in the plainest way. */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "generators/fizzbuzz/lines.h"

/* Line n as the definition has it. */
static size_t plain_line(uint64_t n, char *line)
{
	if (n % 15 == 0)
		return (size_t)sprintf(line, "FizzBuzz\n");
	if (n % 5 == 0)
		return (size_t)sprintf(line, "Buzz\n");
	if (n % 3 == 0)
		return (size_t)sprintf(line, "Fizz\n");
	return (size_t)sprintf(line, "%" PRIu64 "\n", n);
}

/* Every line near a boundary says what it must, and nothing behind it is written. */
static void lines_near_boundaries(void **state)
{
	char right[32], line[FB_LINE_MAX + 1];

	(void)state;
	for (size_t b = 0; b < BOUNDARIES; b++) {
		uint64_t from = boundaries[b] > 100 ? boundaries[b] - 100 : 1;

		for (uint64_t n = from; n < from + 200; n++) {
			size_t size = plain_line(n, right);

			memset(line, 0x55, sizeof line);
			assert_int_equal(fb_line(n, line), size);
			assert_memory_equal(line, right, size);
			assert_int_equal(line[size], 0x55);
		}
	}
	assert_int_equal(fb_line(UINT64_MAX, line), 9);
	assert_memory_equal(line, "FizzBuzz\n", 9);
	assert_int_equal(fb_line(0, line), 9);
	assert_int_equal(fb_line(UINT64_MAX - 1, line), FB_LINE_MAX);
	assert_memory_equal(line, "18446744073709551614\n", FB_LINE_MAX);
}

/* Digits change exactly at the powers of ten. */
static void digits(void **state)
{
	uint64_t power = 1;

	(void)state;
	assert_int_equal(fb_digits(0), 1);
	assert_int_equal(fb_digits(UINT64_MAX), 20);
	for (unsigned exponent = 0; exponent <= 19; exponent++) {
		assert_true(fb_power_of_ten(exponent) == power);
		assert_int_equal(fb_digits(power), exponent + 1);
		assert_int_equal(fb_digits(power - 1), exponent ? exponent : 1);
		power *= 10;
	}
}

/* Bytes of every pair of ends near a boundary are the sum of the lines. */
static void bytes_near_boundaries(void **state)
{
	char line[32];

	(void)state;
	for (size_t b = 0; b < BOUNDARIES; b++) {
		uint64_t from = boundaries[b] > 40 ? boundaries[b] - 40 : 1;

		for (uint64_t first = from; first < from + 80; first++) {
			uint64_t sum = 0;

			for (uint64_t last = first; last < from + 80; last++) {
				sum += plain_line(last, line);
				assert_true(fb_bytes(first, last) == sum);
			}
		}
	}
}

/* Totals that public programs agree on. */
static void published_totals(void **state)
{
	(void)state;
	assert_true(fb_bytes(1, 15) == 58);
	assert_true(fb_bytes(1, 100) == 413);
	assert_true(fb_bytes(1, 1000) == 4673);
	assert_true(fb_bytes(1, 1000000) == 6274073);
	assert_true(fb_bytes(1, 10000000) == 68074073);
	assert_true(fb_bytes(1, 100000000) == 734074073);
	assert_true(fb_bytes(1, 1000000000) == 7874074073);
	assert_true(fb_bytes(1, ((uint64_t)1 << 31) + 2) == 17589435643);
	assert_true(fb_bytes(1, ((uint64_t)1 << 32) + 4) == 35771463885);
}

/* Parts add up to the whole, however long; the longest saturate instead of wrapping. */
static void bytes_add_up(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t ends[3];

		for (int j = 0; j < 3; j++)
			ends[j] = next_random(&seed) >> next_random(&seed) % 64 >> 5;
		for (int j = 0; j < 3; j++) {
			for (int k = 0; k < 2; k++) {
				if (ends[k] > ends[k + 1]) {
					uint64_t swap = ends[k];

					ends[k] = ends[k + 1];
					ends[k + 1] = swap;
				}
			}
		}
		uint64_t whole = fb_bytes(ends[0], ends[2]);

		if (ends[1] < ends[2])
			assert_true(fb_bytes(ends[0], ends[1]) + fb_bytes(ends[1] + 1, ends[2]) == whole);
	}
	assert_true(fb_bytes(1, UINT64_MAX) == UINT64_MAX);
	assert_true(fb_bytes((uint64_t)1 << 63, UINT64_MAX) == UINT64_MAX);
	assert_true(fb_bytes(5, 4) == 0);
	assert_true(fb_bytes(UINT64_MAX, UINT64_MAX) == 9);
	assert_true(fb_bytes(UINT64_MAX - 1, UINT64_MAX) == 30);
	assert_true(fb_bytes(UINT64_MAX, 1) == 0);
}

/* Every offset near a boundary belongs to the line and the place that walking there finds. */
static void offsets_near_boundaries(void **state)
{
	char line[32];

	(void)state;
	for (size_t b = 0; b < BOUNDARIES; b++) {
		uint64_t from = boundaries[b] > 40 ? boundaries[b] - 40 : 1;

		for (uint64_t first = from; first < from + 30; first++) {
			uint64_t offset = 0;

			for (uint64_t n = first; n < from + 80; n++) {
				size_t size = plain_line(n, line);

				for (unsigned at = 0; at < size; at++, offset++) {
					unsigned within = 99;

					assert_true(fb_line_at(first, offset, &within) == n);
					assert_int_equal(within, at);
				}
			}
		}
	}
}

/* Line to offset and back, far from where a walk could go. */
static void offsets_and_back(void **state)
{
	uint64_t seed = 6364136223846793005u;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t first = (next_random(&seed) >> next_random(&seed) % 62) | 1;
		uint64_t offset = next_random(&seed) >> next_random(&seed) % 62;
		unsigned within = 99;

		/* Only if the stream is that long: the function leaves that to its caller. */
		if (fb_bytes(first, UINT64_MAX) <= offset)
			continue;
		uint64_t n = fb_line_at(first, offset, &within);

		assert_true(n >= first);
		assert_true((n > first ? fb_bytes(first, n - 1) : 0) + within == offset);
		assert_true(within < fb_bytes(n, n));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_near_boundaries), cmocka_unit_test(digits),
		cmocka_unit_test(bytes_near_boundaries), cmocka_unit_test(published_totals),
		cmocka_unit_test(bytes_add_up),          cmocka_unit_test(offsets_near_boundaries),
		cmocka_unit_test(offsets_and_back),
	};

	return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
