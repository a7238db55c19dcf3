/* The generator as bytes: every kernel, every size of piece, every place to begin, against snprintf. */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/fizzbuzz/stream.h"

enum { TEXT = 600000, GUARD = 64 };

static char right[TEXT + 64];
static unsigned char *out; /* aligned to a page, with room for a guard behind it */

/* The right text of lines first to last, as much as fits; returns its size. */
static size_t plain_text(uint64_t first, uint64_t last)
{
	size_t size = 0;

	for (uint64_t n = first; size <= TEXT - 32; n++) {
		size += (size_t)(n % 15 == 0  ? sprintf(right + size, "FizzBuzz\n")
		                 : n % 5 == 0 ? sprintf(right + size, "Buzz\n")
		                 : n % 3 == 0 ? sprintf(right + size, "Fizz\n")
		                              : sprintf(right + size, "%" PRIu64 "\n", n));
		if (n == last)
			break;
	}
	return size;
}

/* Compares and says which kernel and range it was. */
static void check(enum isa isa, uint64_t first, uint64_t last, size_t at, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (out[i] != (unsigned char)right[at + i])
			fail_msg("kernel %d, lines %" PRIu64 " to %" PRIu64 ": byte %zu is wrong", (int)isa,
			         first, last, at + i);
	}
}

/* Fills pieces of `piece` bytes until `size` bytes or the end; nothing behind a piece may change. */
static void fill_and_check(enum isa isa, uint64_t first, uint64_t last, size_t size, size_t piece, bool ends)
{
	struct fb_stream *stream = fb_stream_open(first, last, isa);

	assert_non_null(stream);
	for (size_t at = 0; at < size;) {
		size_t wanted = ends || size - at > piece ? piece : size - at;
		size_t expected = size - at < wanted ? size - at : wanted;

		memset(out + wanted, 0xa5, GUARD);
		assert_int_equal(fb_stream_fill(stream, out, wanted), expected);
		check(isa, first, last, at, expected);
		for (size_t i = 0; i < GUARD; i++)
			assert_int_equal(out[wanted + i], 0xa5);
		at += expected;
	}
	if (ends)
		assert_int_equal(fb_stream_fill(stream, out, piece), 0);
	fb_stream_close(stream);
}

/* Runs a check for every kernel of this machine. */
#define EACH_KERNEL(isa)                                                                                     \
	for (enum isa isa = 0; isa < ISA_COUNT; isa++)                                                       \
		if (fb_has_kernel(isa))

/* The default must be one that there is. */
static void best_kernel(void **state)
{
	(void)state;
	assert_true(fb_has_kernel(fb_best_isa()));
}

/* Short streams end exactly, whatever the size of the piece. */
static void short_streams(void **state)
{
	(void)state;
	EACH_KERNEL(isa)
	{
		for (uint64_t last = 1; last <= 200; last++) {
			size_t size = plain_text(1, last);

			fill_and_check(isa, 1, last, size, 4096, true);
			fill_and_check(isa, 1, last, size, 64, true);
			fill_and_check(isa, 1, last, size, size, true);
		}
	}
}

/* Pieces of every size put together give the same bytes. */
static void every_piece(void **state)
{
	(void)state;
	EACH_KERNEL(isa)
	{
		size_t size = plain_text(995, 6000);

		for (size_t piece = 1; piece <= 300; piece++)
			fill_and_check(isa, 995, 6000, size, piece, true);
		size = plain_text(99000, UINT64_MAX);
		for (size_t piece = 4096; piece <= 262144; piece *= 2) {
			fill_and_check(isa, 99000, UINT64_MAX, size, piece, false);
			fill_and_check(isa, 99000, UINT64_MAX, size, piece - 64, false);
			fill_and_check(isa, 99000, UINT64_MAX, size, piece + 1, false);
		}
	}
}

/* Every start near every boundary, long enough to come round a pattern. */
static void every_start(void **state)
{
	(void)state;
	for (size_t b = 0; b < BOUNDARIES; b++) {
		for (uint64_t before = 1; before <= 150; before++) {
			uint64_t first = boundaries[b] -
			                 (boundaries[b] > before * 13 ? before * 13 : boundaries[b] - 1);
			uint64_t last = first > UINT64_MAX - 6000 ? UINT64_MAX : first + 6000;
			size_t size = plain_text(first, last);

			EACH_KERNEL(isa)
			fill_and_check(isa, first, last, size, 131072, true);
		}
	}
}

/* Long stretches in front of every boundary, where what is carried reaches far. */
static void long_stretches(void **state)
{
	(void)state;
	for (size_t b = 0; b < BOUNDARIES; b++) {
		uint64_t first = boundaries[b] > 25000 ? boundaries[b] - 25000 : 1;
		uint64_t last = first > UINT64_MAX - 40000 ? UINT64_MAX : first + 40000;
		size_t size = plain_text(first, last);
		bool ends = last == UINT64_MAX && size < TEXT - 64;

		EACH_KERNEL(isa)
		fill_and_check(isa, first, ends ? last : UINT64_MAX, size, 65536, ends);
	}
}

/* The first and last numbers alone. */
static void single_lines(void **state)
{
	(void)state;
	EACH_KERNEL(isa)
	{
		for (size_t b = 0; b < BOUNDARIES; b++)
			fill_and_check(isa, boundaries[b], boundaries[b],
			               plain_text(boundaries[b], boundaries[b]), 4096, true);
		fill_and_check(isa, UINT64_MAX, UINT64_MAX, plain_text(UINT64_MAX, UINT64_MAX), 4096, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_kernel),    cmocka_unit_test(short_streams),
		cmocka_unit_test(every_piece),    cmocka_unit_test(every_start),
		cmocka_unit_test(long_stretches), cmocka_unit_test(single_lines),
	};

	out = aligned_alloc(4096, TEXT / 4096 * 4096 + 8192);
	if (!out)
		return 1;
	int failed = cmocka_run_group_tests_name("stream", tests, NULL, NULL);

	free(out);
	return failed;
}
