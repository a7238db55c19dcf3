/* Numbers and sizes on command lines: what is taken, what it means, and all that is refused. */
#include "tests/unit/unit.h"

#include "cli/cli.h"

/* Every number that is one. */
static void numbers(void **state)
{
	uint64_t number;

	(void)state;
	assert_true(cli_parse_number("0", &number) && number == 0);
	assert_true(cli_parse_number("007", &number) && number == 7);
	assert_true(cli_parse_number("18446744073709551615", &number) && number == UINT64_MAX);
	assert_true(cli_parse_number("00000000000000000000000000018446744073709551615", &number));
	assert_true(number == UINT64_MAX);
}

/* Everything that strtoull(3) would take or bend into a number. */
static void not_numbers(void **state)
{
	static const char *const words[] = {
		"",
		" ",
		"-1",
		"+1",
		" 1",
		"1 ",
		"\t1",
		"1\n",
		"10x",
		"x10",
		"1e6",
		"0x10",
		"1.0",
		"1,000",
		"--",
		"18446744073709551616",
		"18446744073709551620",
		"99999999999999999999",
		"99999999999999999999999",
		"184467440737095516150",
		"1K",
	};
	uint64_t number = 12345;

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (cli_parse_number(words[i], &number))
			fail_msg("'%s' was taken for a number", words[i]);
	}
	assert_true(number == 12345);
}

/* Sizes with and without a suffix. */
static void sizes(void **state)
{
	static const struct {
		const char *word;
		uint64_t size;
	} cases[] = {
		{"0", 0},
		{"4096", 4096},
		{"1K", 1024},
		{"1k", 1024},
		{"1KiB", 1024},
		{"128K", 131072},
		{"1M", 1048576},
		{"3MiB", 3145728},
		{"2G", (uint64_t)2 << 30},
		{"1T", (uint64_t)1 << 40},
		{"16777215T", (uint64_t)16777215 << 40},
		{"18446744073709551615", UINT64_MAX},
	};
	uint64_t size;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (!cli_parse_size(cases[i].word, &size) || size != cases[i].size)
			fail_msg("'%s' was not understood", cases[i].word);
	}
}

/* What is no size, and what does not fit. */
static void not_sizes(void **state)
{
	static const char *const words[] = {
		"",
		"K",
		"-1K",
		"+1K",
		" 1K",
		"1K ",
		"1 K",
		"1X",
		"1KB",
		"1Ki",
		"1KiBs",
		"1.5M",
		"0x10K",
		"1MM",
		"16777216T",
		"18446744073709551615K",
		"18014398509481984K",
		"99999999999999999999999999",
	};
	uint64_t size;

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (cli_parse_size(words[i], &size))
			fail_msg("'%s' was taken for a size", words[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(not_numbers),
		cmocka_unit_test(sizes),
		cmocka_unit_test(not_sizes),
	};

	return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
