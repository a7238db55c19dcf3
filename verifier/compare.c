/* The loop that looks at every byte; see compare.h. */
#include "verifier/compare.h"

#include <stdint.h>

/* What any CPU of the target can do; 16 bytes are one register of SSE2 or NEON. */
#define EQUAL equal_baseline
#define WIDTH 32
#define ATTRIBUTES
#include "verifier/compare_loop.h"

#ifdef __x86_64__
#define EQUAL equal_avx2
#define WIDTH 32
#define ATTRIBUTES __attribute__((target("avx2")))
#include "verifier/compare_loop.h"

#define EQUAL equal_avx512
#define WIDTH 64
#define ATTRIBUTES __attribute__((target("avx512f")))
#include "verifier/compare_loop.h"
#endif

/* The CPU's features are read from memory, and asked for once per some thousand bytes. */
bool compare_has(enum compare_isa isa)
{
#ifdef __x86_64__
	if (isa == COMPARE_AVX512)
		return __builtin_cpu_supports("avx512f");
	if (isa == COMPARE_AVX2)
		return __builtin_cpu_supports("avx2");
#endif
	return isa == COMPARE_BASELINE;
}

/* They are listed from worst to best. */
enum compare_isa compare_best(void)
{
	return compare_has(COMPARE_AVX512) ? COMPARE_AVX512
	     : compare_has(COMPARE_AVX2)   ? COMPARE_AVX2
	                                   : COMPARE_BASELINE;
}

/* See compare.h. */
const char *compare_isa_name(enum compare_isa isa)
{
	static const char *const name[] = {
		[COMPARE_BASELINE] = "baseline",
		[COMPARE_AVX2] = "avx2",
		[COMPARE_AVX512] = "avx512",
	};

	return name[isa];
}

/* What may be shorter than one step of a fast loop is left to the slow one. */
bool compare_equal(enum compare_isa isa, const unsigned char *received, const unsigned char *reference,
                   const unsigned char *pattern, size_t period, size_t phase, size_t size)
{
	if (size < period + COMPARE_SLACK)
		return compare_first_difference(received, reference, pattern, period, phase, size) == size;
#ifdef __x86_64__
	if (isa == COMPARE_AVX512)
		return equal_avx512(received, reference, pattern, period, phase, size);
	if (isa == COMPARE_AVX2)
		return equal_avx2(received, reference, pattern, period, phase, size);
#endif
	(void)isa;
	return equal_baseline(received, reference, pattern, period, phase, size);
}

/* What the fast loops are tested against, and what finds the place once they have said no. */
size_t compare_first_difference(const unsigned char *received, const unsigned char *reference,
                                const unsigned char *pattern, size_t period, size_t phase, size_t size)
{
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
