/* The AVX2 kernel: one load, one shuffle, one subtraction, one or, one aligned store per 32 bytes. */
#include "generators/fizzbuzz/kernel.h"

#ifdef __AVX2__

#include <immintrin.h>

enum { WIDTH = 32 };

/* Bytes from the n-th on are set in the vector at boundary + WIDTH - n. */
static const unsigned char boundary[2 * WIDTH] = {
	[WIDTH] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff,           0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff,           0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

/* Sixteen bytes, the same in both lanes, since a shuffle stays in its lane. */
static __m256i both_lanes(const unsigned char *bytes)
{
	return _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)bytes));
}

/* A vector of output from one of the pattern. */
static __m256i expand(__m256i pattern, __m256i digits)
{
	__m256i literals = _mm256_subs_epu8(pattern, _mm256_set1_epi8((char)0x80));

	return _mm256_or_si256(_mm256_shuffle_epi8(digits, pattern), literals);
}

/* Vectors that lie in one group. */
static void put_group(const unsigned char *pattern, unsigned char *out, size_t count, __m256i digits)
{
	for (size_t i = 0; i < count; i++) {
		__m256i bytes = _mm256_load_si256((const __m256i *)(pattern + i * WIDTH));

		_mm256_store_si256((__m256i *)(out + i * WIDTH), expand(bytes, digits));
	}
}

/* The vector in which a group ends and the next one begins, `at` bytes into it. */
static void put_boundary(const unsigned char *pattern, unsigned char *out, unsigned at, __m256i old_digits,
                         __m256i new_digits)
{
	__m256i bytes = _mm256_load_si256((const __m256i *)pattern);
	__m256i is_new = _mm256_loadu_si256((const __m256i *)(boundary + WIDTH - at));
	__m256i old_bytes = _mm256_andnot_si256(is_new, _mm256_shuffle_epi8(old_digits, bytes));
	__m256i new_bytes = _mm256_and_si256(is_new, expand(bytes, new_digits));
	__m256i literals = _mm256_subs_epu8(bytes, _mm256_set1_epi8((char)0x80));

	_mm256_store_si256((__m256i *)out,
	                   _mm256_or_si256(_mm256_or_si256(old_bytes, new_bytes), literals));
}

/* See struct fb_kernel. Runs of a group's vectors and the vector to the next group in turn. */
static void run(struct fb_pattern *pattern, unsigned char *out, size_t count)
{
	__m256i digits = both_lanes(pattern->high);
	unsigned vector = pattern->vector, next = pattern->next_group;
	uint64_t group = pattern->group;

	while (count > 0) {
		size_t inside = pattern->group_start[next] / WIDTH - vector;
		size_t now = inside < count ? inside : count;

		put_group(pattern->bytes + (size_t)vector * WIDTH, out, now, digits);
		out += now * WIDTH;
		vector += (unsigned)now;
		count -= now;
		if (vector == pattern->vector_count) {
			vector = 0;
			next = 0;
		} else if (count > 0) {
			__m256i up = both_lanes(fb_count_up[fb_trailing_nines(group)]);
			__m256i counted = _mm256_add_epi8(digits, up);

			put_boundary(pattern->bytes + (size_t)vector * WIDTH, out,
			             pattern->group_start[next] % WIDTH, digits, counted);
			digits = counted;
			group++;
			next++;
			out += WIDTH;
			vector++;
			count--;
			if (vector == pattern->vector_count) {
				vector = 0;
				next = 0;
			}
		}
	}
	_mm_store_si128((__m128i *)pattern->high, _mm256_castsi256_si128(digits));
	pattern->vector = vector;
	pattern->next_group = next;
	pattern->group = group;
}

const struct fb_kernel fb_kernel_avx2 = {.isa = ISA_AVX2, .width = WIDTH, .run = run};

#else

const struct fb_kernel fb_kernel_avx2 = {.isa = ISA_AVX2, .width = 0, .run = 0};

#endif
