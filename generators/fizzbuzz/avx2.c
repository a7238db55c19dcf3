/* The AVX2 kernel: a load, a shuffle, a subtraction and an aligned store per 32 bytes; see kernel.h. */
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
static inline __m256i expand(__m256i pattern, __m256i digits)
{
	return _mm256_sub_epi8(_mm256_shuffle_epi8(digits, pattern), pattern);
}

/* Vectors that lie in one group. */
static inline void put_group(const unsigned char *pattern, unsigned char *out, size_t count, __m256i digits)
{
#pragma GCC unroll 4
	for (size_t i = 0; i < count; i++) {
		__m256i bytes = _mm256_load_si256((const __m256i *)(pattern + i * WIDTH));

		_mm256_store_si256((__m256i *)(out + i * WIDTH), expand(bytes, digits));
	}
}

/* The vector in which a group ends and the next one begins, `at` bytes into it. */
static inline void put_boundary(const unsigned char *pattern, unsigned char *out, unsigned at,
                                __m256i old_digits, __m256i new_digits)
{
	__m256i bytes = _mm256_load_si256((const __m256i *)pattern);
	__m256i is_new = _mm256_loadu_si256((const __m256i *)(boundary + WIDTH - at));
	__m256i digits = _mm256_blendv_epi8(_mm256_shuffle_epi8(old_digits, bytes),
	                                    _mm256_shuffle_epi8(new_digits, bytes), is_new);

	_mm256_store_si256((__m256i *)out, _mm256_sub_epi8(digits, bytes));
}

/* A place in the pattern, in registers. */
struct place {
	__m256i digits;
	uint64_t group;
	unsigned vector, next_group;
};

/* Puts out the vector in which the next group begins; the place is behind it then. */
static inline void enter_group(const struct fb_pattern *pattern, struct place *place, unsigned char *out)
{
	__m256i up = both_lanes(fb_count_up[fb_trailing_nines(place->group)]);
	__m256i counted = _mm256_add_epi8(place->digits, up);

	put_boundary(pattern->bytes + (size_t)place->vector * WIDTH, out,
	             pattern->group_start[place->next_group] % WIDTH, place->digits, counted);
	place->digits = counted;
	place->group++;
	place->vector++;
	place->next_group++;
}

/* The cycle begins again at its end. */
static inline void wrap(const struct fb_pattern *pattern, struct place *place)
{
	if (place->vector >= pattern->vector_count) {
		place->vector -= pattern->vector_count;
		place->next_group = 0;
	}
}

/* The vector in which the next group begins; that may be in the next turn of the cycle. */
static inline unsigned next_boundary(const struct fb_pattern *pattern, const struct place *place)
{
	return pattern->group_start[place->next_group] / WIDTH;
}

/*
 * Whole groups while there is room, from the vector in which one begins. The length of a group varies by
 * a vector, and a loop that ends now here, now there costs more than it does: so each is put out as if it
 * were the longest, and the first vector of the next one is put out over its end. Returns the vectors.
 */
static size_t put_whole_groups(const struct fb_pattern *pattern, struct place *place, unsigned char *out,
                               size_t count)
{
	const __m256i one = both_lanes(fb_count_up[0]);
	const unsigned longest = pattern->group_vectors;
	/* All in locals: a structure would be kept in memory. */
	__m256i digits = place->digits;
	uint64_t group = place->group;
	unsigned vector = place->vector, next = place->next_group;
	unsigned until_carry = 9 - (unsigned)(group % 10);
	unsigned char *at = out;

	if (count <= longest)
		return 0;
	for (unsigned char *limit = out + (count - longest) * WIDTH; at < limit; group++, until_carry--) {
		__m256i up = one;

		if (until_carry == 0) {
			up = both_lanes(fb_count_up[fb_trailing_nines(group)]);
			until_carry = 10;
		}
		const unsigned char *bytes = pattern->bytes + (size_t)vector * WIDTH;
		unsigned start = pattern->group_start[next], end = pattern->group_start[next + 1] / WIDTH;
		__m256i counted = _mm256_add_epi8(digits, up);

		put_boundary(bytes, at, start % WIDTH, digits, counted);
		put_group(bytes + WIDTH, at + WIDTH, longest, counted);
		digits = counted;
		at += (size_t)(end - vector) * WIDTH;
		vector = end;
		next++;
		if (next == pattern->group_count) {
			vector -= pattern->vector_count;
			next = 0;
		}
	}
	*place = (struct place){.digits = digits, .group = group, .vector = vector, .next_group = next};
	return (size_t)(at - out) / WIDTH;
}

/* See struct fb_kernel. */
static void run(struct fb_pattern *pattern, unsigned char *out, size_t count)
{
	struct place place = {both_lanes(pattern->high), pattern->group, pattern->vector,
	                      pattern->next_group};

	while (count > 0) {
		size_t inside = next_boundary(pattern, &place) - place.vector;
		size_t now = inside < count ? inside : count;

		put_group(pattern->bytes + (size_t)place.vector * WIDTH, out, now, place.digits);
		place.vector += (unsigned)now;
		out += now * WIDTH;
		count -= now;
		wrap(pattern, &place);
		if (count == 0 || place.vector != next_boundary(pattern, &place))
			continue;
		now = put_whole_groups(pattern, &place, out, count);
		if (now == 0) {
			enter_group(pattern, &place, out);
			wrap(pattern, &place);
			now = 1;
		}
		out += now * WIDTH;
		count -= now;
	}
	_mm_store_si128((__m128i *)pattern->high, _mm256_castsi256_si128(place.digits));
	pattern->group = place.group;
	pattern->vector = place.vector;
	pattern->next_group = place.next_group;
}

const struct fb_kernel fb_kernel_avx2 = {.isa = ISA_AVX2, .width = WIDTH, .run = run};

#else

const struct fb_kernel fb_kernel_avx2 = {.isa = ISA_AVX2, .width = 0, .run = 0};

#endif
