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
 * The longest period; what is looked at beyond one, at most; and the room that a pattern takes, which
 * is written out for two of its periods and what is beyond.
 */
enum {
	COMPARE_PERIOD_MAX = 224,
	COMPARE_SLACK = 64,
	COMPARE_PATTERN_MAX = 2 * COMPARE_PERIOD_MAX + COMPARE_SLACK,
};

/*
 * Whether received[i] == (reference[i] ^ pattern[(phase + i) % period]) for all i < size.
 * 1 <= period <= COMPARE_PERIOD_MAX and phase < period.
 */
bool compare_equal(const unsigned char *received, const unsigned char *reference, const unsigned char *pattern,
                   size_t period, size_t phase, size_t size);

/* The same for one byte after another: the first i at which it does not hold, or `size`. */
size_t compare_first_difference(const unsigned char *received, const unsigned char *reference,
                                const unsigned char *pattern, size_t period, size_t phase, size_t size);

/* "avx512", "avx2" or "baseline": what compare_equal() uses here. */
const char *compare_isa(void);

/* Newlines among the bytes. */
size_t compare_count_newlines(const unsigned char *bytes, size_t size);

#endif
