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

/* The loops there are, worst first; the best that this CPU has, and their names. */
enum compare_isa { COMPARE_BASELINE, COMPARE_AVX2, COMPARE_AVX512 };
bool compare_has(enum compare_isa isa);
enum compare_isa compare_best(void);
const char *compare_isa_name(enum compare_isa isa);

/*
 * Whether received[i] == (reference[i] ^ pattern[(phase + i) % period]) for all i < size.
 * 1 <= period <= COMPARE_PERIOD_MAX and phase < period.
 */
bool compare_equal(enum compare_isa isa, const unsigned char *received, const unsigned char *reference,
                   const unsigned char *pattern, size_t period, size_t phase, size_t size);

/* The same for one byte after another: the first i at which it does not hold, or `size`. */
size_t compare_first_difference(const unsigned char *received, const unsigned char *reference,
                                const unsigned char *pattern, size_t period, size_t phase, size_t size);

/* Newlines among the bytes. */
size_t compare_count_newlines(const unsigned char *bytes, size_t size);

#endif
