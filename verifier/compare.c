/* The loop that looks at every byte; see compare.h. */
#include "verifier/compare.h"

#include <stdint.h>

enum { WIDTH = 32 };

/* Lowered by the compiler to whatever the target has: one AVX2 register, two of SSE2 or NEON. */
typedef uint64_t vector __attribute__((vector_size(WIDTH)));

/* The same at any address. (A macro: a function that returns a vector has another ABI per target.) */
typedef uint64_t loose_vector __attribute__((vector_size(WIDTH), aligned(1), may_alias));
#define LOAD(bytes) (*(const loose_vector *)(const void *)(bytes))

/* So that arrays indexed by vector become registers, at any level of optimisation. */
#define UNROLL _Pragma("GCC unroll 8")

/*
 * Takes a period at a time, rounded up to `count` vectors: the bytes looked at twice are cheaper than a
 * remainder would be, and the pattern stays in registers. The last step is aligned to the end instead,
 * so that it looks at nothing beyond `size`, which must be `count` vectors or more. No branch depends
 * on the bytes: differences are collected, and found again by the slow loop.
 */
static inline __attribute__((always_inline)) bool equal_periods(const unsigned char *received,
                                                                const unsigned char *reference,
                                                                const unsigned char *pattern, size_t period,
                                                                size_t size, size_t count)
{
	const size_t step = count * WIDTH;
	vector repeated[COMPARE_PERIOD_MAX / WIDTH];
	vector different[COMPARE_PERIOD_MAX / WIDTH];
	size_t i = 0;

	UNROLL for (size_t v = 0; v < count; v++) {
		repeated[v] = LOAD(pattern + v * WIDTH);
		different[v] = (vector){0};
	}
	for (; i + step <= size; i += period) {
		UNROLL for (size_t v = 0; v < count; v++)
			different[v] |= LOAD(received + i + v * WIDTH) ^ LOAD(reference + i + v * WIDTH) ^ repeated[v];
	}
	i = size - step;
	UNROLL for (size_t v = 0; v < count; v++)
		different[v] |= LOAD(received + i + v * WIDTH) ^ LOAD(reference + i + v * WIDTH) ^
			LOAD(pattern + i % period + v * WIDTH);
	UNROLL for (size_t v = 1; v < count; v++)
		different[0] |= different[v];
	return (different[0][0] | different[0][1] | different[0][2] | different[0][3]) == 0;
}

/* One loop for each number of vectors in a period, so that it is a constant to the compiler. */
static inline __attribute__((always_inline)) bool equal_any(const unsigned char *received,
                                                            const unsigned char *reference,
                                                            const unsigned char *pattern, size_t period,
                                                            size_t size)
{
	switch ((period + WIDTH - 1) / WIDTH) {
	case 1:
		return equal_periods(received, reference, pattern, period, size, 1);
	case 2:
		return equal_periods(received, reference, pattern, period, size, 2);
	case 3:
		return equal_periods(received, reference, pattern, period, size, 3);
	case 4:
		return equal_periods(received, reference, pattern, period, size, 4);
	case 5:
		return equal_periods(received, reference, pattern, period, size, 5);
	case 6:
		return equal_periods(received, reference, pattern, period, size, 6);
	default:
		return equal_periods(received, reference, pattern, period, size, 7);
	}
}

/* For the instruction set the program was compiled for. */
static bool equal_baseline(const unsigned char *received, const unsigned char *reference,
                           const unsigned char *pattern, size_t period, size_t size)
{
	return equal_any(received, reference, pattern, period, size);
}

/* The same source with 32-byte registers. */
#ifdef __x86_64__
__attribute__((target("avx2")))
#endif
static bool equal_avx2(const unsigned char *received,
                                                       const unsigned char *reference,
                                                       const unsigned char *pattern, size_t period, size_t size)
{
	return equal_any(received, reference, pattern, period, size);
}

/* The CPU's features are read from memory, and asked once per some thousand bytes. */
static bool has_avx2(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

/* See compare.h. */
const char *compare_isa(void)
{
	return has_avx2() ? "avx2" : "baseline";
}

/* What is shorter than one step of the fast loop is left to the slow one. */
bool compare_equal(const unsigned char *received, const unsigned char *reference, const unsigned char *pattern,
                   size_t period, size_t size)
{
	if (size < (period + WIDTH - 1) / WIDTH * WIDTH)
		return compare_first_difference(received, reference, pattern, period, size) == size;
	if (has_avx2())
		return equal_avx2(received, reference, pattern, period, size);
	return equal_baseline(received, reference, pattern, period, size);
}

/* What the fast loop is tested against, and what finds the place once it has said no. */
size_t compare_first_difference(const unsigned char *received, const unsigned char *reference,
                                const unsigned char *pattern, size_t period, size_t size)
{
	size_t phase = 0;

	for (size_t i = 0; i < size; i++) {
		if (received[i] != (reference[i] ^ pattern[phase]))
			return i;
		if (++phase == period)
			phase = 0;
	}
	return size;
}

/* A plain sum: the compiler makes vectors of it. */
size_t compare_count_newlines(const unsigned char *bytes, size_t size)
{
	size_t newlines = 0;

	for (size_t i = 0; i < size; i++)
		newlines += bytes[i] == '\n';
	return newlines;
}
