/*
 * The loop that looks at every byte: received text against a reference that differs from it by a
 * pattern which repeats. Knows nothing of FizzBuzz and shares no code with the generator's kernels;
 * written without intrinsics, in the compiler's portable vectors.
 */
#ifndef VERIFIER_COMPARE_H
#define VERIFIER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The longest period; what is looked at beyond one, at most; and the room that a pattern takes which
 * may be entered at any place of its first period.
 */
enum {
	COMPARE_PERIOD_MAX = 224,
	COMPARE_SLACK = 32,
	COMPARE_PATTERN_MAX = 3 * COMPARE_PERIOD_MAX + COMPARE_SLACK,
};

/*
 * Whether received[i] == (reference[i] ^ pattern[i % period]) for all i < size. `pattern` is written
 * out for 2 * period + COMPARE_SLACK bytes; 1 <= period <= COMPARE_PERIOD_MAX.
 */
bool compare_equal(const unsigned char *received, const unsigned char *reference, const unsigned char *pattern,
                   size_t period, size_t size);

/* The same for one byte after another: the first i at which it does not hold, or `size`. */
size_t compare_first_difference(const unsigned char *received, const unsigned char *reference,
                                const unsigned char *pattern, size_t period, size_t size);

/* "avx2" or "baseline": what compare_equal() uses here. */
const char *compare_isa(void);

/* Newlines among the bytes. */
size_t compare_count_newlines(const unsigned char *bytes, size_t size);

#endif
