/* The comparing loops against the plain one: every period, phase, size around the steps, every byte. */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <string.h>

#include "verifier/compare.h"

enum { SIZE = 1500 };

static unsigned char received[SIZE + 64];
static unsigned char reference[SIZE + 64];
static unsigned char pattern[COMPARE_PATTERN_MAX];

/* Content that is right for this period and phase. */
static void make_right(size_t period, size_t phase)
{
	uint64_t seed = period * 1000 + phase + 1;

	for (size_t i = 0; i < sizeof pattern; i++)
		pattern[i] = i < period ? (unsigned char)next_random(&seed) : pattern[i - period];
	for (size_t i = 0; i < sizeof reference; i++) {
		reference[i] = (unsigned char)next_random(&seed);
		received[i] = reference[i] ^ pattern[(phase + i) % period];
	}
}

/* All loops that this CPU has agree that the first `size` bytes are right up to `place`. */
static void assert_right_to(size_t place, size_t period, size_t phase, size_t size)
{
	for (enum compare_isa isa = COMPARE_BASELINE; isa <= COMPARE_AVX512; isa++) {
		if (compare_has(isa))
			assert_int_equal(
				compare_equal(isa, received, reference, pattern, period, phase, size),
				place == size);
	}
	assert_int_equal(compare_first_difference(received, reference, pattern, period, phase, size), place);
}

/* What is right is so whatever the size is, and what lies behind it. */
static void right_is_right(void **state)
{
	(void)state;
	for (size_t period = 1; period <= COMPARE_PERIOD_MAX; period++) {
		size_t phase = period * 7 / 11;

		make_right(period, phase);
		for (size_t size = 0; size < SIZE; size += size < 3 * period + 70 ? 1 : 61) {
			received[size] ^= 1;
			assert_right_to(size, period, phase, size);
			received[size] ^= 1;
		}
	}
}

/* Each bit of each byte is looked at. */
static void each_bit_counts(void **state)
{
	static const size_t periods[] = {1,   31,  32,  33,  55,  64,  79,  119,
	                                 127, 128, 135, 191, 192, 193, 207, 224};

	(void)state;
	for (size_t p = 0; p < sizeof periods / sizeof *periods; p++) {
		for (size_t phase = 0; phase < periods[p]; phase += 13) {
			make_right(periods[p], phase);
			for (size_t i = 0; i < SIZE; i++) {
				received[i] ^= (unsigned char)(1 << (i + phase) % 8);
				assert_right_to(i, periods[p], phase, SIZE);
				received[i] ^= (unsigned char)(1 << (i + phase) % 8);
			}
		}
	}
}

/* For streams whose lines cannot be calculated. */
static void newlines(void **state)
{
	(void)state;
	assert_int_equal(compare_count_newlines((const unsigned char *)"", 0), 0);
	assert_int_equal(compare_count_newlines((const unsigned char *)"a\n\nb\n\r", 6), 3);
	memset(received, '\n', sizeof received);
	assert_int_equal(compare_count_newlines(received + 1, sizeof received - 1), sizeof received - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_is_right),
		cmocka_unit_test(each_bit_counts),
		cmocka_unit_test(newlines),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
