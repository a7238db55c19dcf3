/* What is expected, against lines written the plain way; and where the lines are. */
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verifier/expect.h"

enum { LINES = 7000, SIZE = LINES * 22 };

static char text[SIZE];

/* Lines from `first` on as the rule says them, without any code of ours; returns their size. */
static size_t write_lines(uint64_t first, uint64_t last)
{
	size_t size = 0;

	for (uint64_t n = first;; n++) {
		if (n % 15 == 0)
			size += (size_t)sprintf(text + size, "FizzBuzz\n");
		else if (n % 5 == 0)
			size += (size_t)sprintf(text + size, "Buzz\n");
		else if (n % 3 == 0)
			size += (size_t)sprintf(text + size, "Fizz\n");
		else
			size += (size_t)sprintf(text + size, "%" PRIu64 "\n", n);
		if (n == last)
			return size;
	}
}

/* What `match` says of the bytes from `offset` to `end`. */
static size_t match(struct expect *expect, size_t offset, size_t end)
{
	return expect->match(expect, offset, (const unsigned char *)text + offset, end - offset);
}

/* In order in pieces, then at jumps, then with one byte changed. */
static void check_range(uint64_t first, uint64_t last)
{
	struct expect *expect = expect_fizzbuzz(first, last);
	size_t size = write_lines(first, last);
	uint64_t seed = first ^ last ^ 77;

	assert_non_null(expect);
	assert_int_equal(expect->length, size);
	for (size_t at = 0; at < size;) {
		size_t piece = next_random(&seed) % 5000 + 1;

		piece = piece < size - at ? piece : size - at;
		assert_int_equal(match(expect, at, at + piece), piece);
		at += piece;
	}
	for (int i = 0; i < 40; i++) {
		size_t at = next_random(&seed) % size;
		size_t wrong = at + next_random(&seed) % (size - at);

		text[wrong] ^= (char)(1 << i % 8);
		assert_int_equal(match(expect, at, size), wrong - at);
		text[wrong] ^= (char)(1 << i % 8);
	}
	/* Nothing behind the end is right. */
	text[size] = 'F';
	assert_int_equal(match(expect, 0, size + 1), size);
	assert_int_equal(match(expect, size, size + 1), 0);
	expect->close(expect);
}

/* Every boundary, from each place in the cycle of fifteen lines, across several groups. */
static void fizzbuzz_at_boundaries(void **state)
{
	(void)state;
	for (size_t i = 0; i < BOUNDARIES; i++) {
		for (uint64_t back = 0; back < 15; back++) {
			uint64_t first = boundaries[i] < back ? 0 : boundaries[i] - back;
			uint64_t last = boundaries[i] > UINT64_MAX - 6000 - back
			                      ? UINT64_MAX
			                      : boundaries[i] + 6000 + back;

			check_range(first, last);
		}
	}
}

/* Short ones, and both ends. */
static void fizzbuzz_small(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 130; n++) {
		check_range(n, n);
		check_range(0, n);
		check_range(UINT64_MAX - n, UINT64_MAX);
	}
}

/* The line of an offset, and lines before it. */
static void fizzbuzz_lines(void **state)
{
	struct expect *expect = expect_fizzbuzz(98, 103);
	struct expect_line line;

	(void)state;
	/* 98 Fizz Buzz 101 Fizz 103 */
	expect->line_at(expect, 0, &line);
	assert_int_equal(line.number, 98);
	assert_int_equal(line.from, 0);
	expect->line_at(expect, 16, &line);
	assert_int_equal(line.number, 101);
	assert_int_equal(line.from, 13);
	assert_int_equal(line.size, 4);
	assert_memory_equal(line.text, "101\n", 4);
	assert_int_equal(expect->lines_before(expect, 0), 0);
	assert_int_equal(expect->lines_before(expect, 12), 2);
	assert_int_equal(expect->lines_before(expect, 13), 3);
	assert_int_equal(expect->lines_before(expect, expect->length), 6);
	expect->close(expect);
	/* The whole stream is longer than can be counted. */
	expect = expect_fizzbuzz(1, UINT64_MAX);
	assert_true(expect->length == UINT64_MAX);
	expect->close(expect);
}

/* A file: content, lines, and one that cannot be. */
static void file(void **state)
{
	char name[] = "/tmp/verify_expect.XXXXXX";
	int fd = mkstemp(name);
	size_t size = write_lines(1, LINES);
	struct expect_line line;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
	struct expect *expect = expect_file(name);

	unlink(name);
	assert_non_null(expect);
	assert_int_equal(expect->length, size);
	assert_int_equal(match(expect, 0, size), size);
	assert_int_equal(match(expect, 4000, size + 1), size - 4000);
	text[5000] ^= 4;
	assert_int_equal(match(expect, 4000, size), 1000);
	text[5000] ^= 4;
	expect->line_at(expect, 10, &line);
	assert_int_equal(line.number, 4);
	assert_int_equal(line.from, 9);
	assert_true(line.from_start && line.to_end);
	expect->close(expect);
	assert_null(expect_file("/nonexistent/file"));
	assert_null(expect_file("/"));
	assert_null(expect_file("/dev/null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fizzbuzz_at_boundaries),
		cmocka_unit_test(fizzbuzz_small),
		cmocka_unit_test(fizzbuzz_lines),
		cmocka_unit_test(file),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
