/* verify: says whether what comes in is what should come, and how fast. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "verifier/compare.h"
#include "verifier/ticks.h"
#include "verifier/verify.h"

static const char help[] = "Usage: verify [OPTION]...\n"
			   "Check standard input, byte by byte, against what is expected; report the rate.\n"
			   "  --expect=fizzbuzz[:FIRST[:LAST]]\n"
			   "                    FizzBuzz from line FIRST (1) to LAST (2^64-1); the default\n"
			   "  --expect=FILE     the content of FILE\n"
			   "  --expect=none     check nothing, only measure\n"
			   "  --sample=1/N      check one stretch of 128 KiB in N, discard the others\n"
			   "  --partial         the input may end early, also inside a line\n"
			   "  --bytes=N         stop after N bytes and judge only these\n"
			   "  --seconds=S       stop after S seconds and judge what came until then\n"
			   "  --pipe-size=SIZE  ask for a larger pipe (default: leave it as it is)\n"
			   "  --json            report as one JSON object\n"
			   "  -q, --quiet       no report; what is wrong is still said\n"
			   "      --verbose     say how the input is read and compared\n"
			   "      --help        print this text\n"
			   "      --version     print the version\n"
			   "Sizes take K, M, G or T (powers of 1024). The report goes to standard output;\n"
			   "what is wrong, at which byte (counted from 0), and the live rate on a terminal\n"
			   "go to standard error.\n"
			   "Status: 0 right (so far, if stopped); 1 wrong or unreadable; 2 wrong usage.\n";

/* What the command line says, before it is acted on. */
struct arguments {
	struct settings settings;
	const char *expect;
	size_t pipe_size;
	bool verbose;
};

/* FIRST and LAST of `fizzbuzz[:FIRST[:LAST]]`; whether LAST was given. */
static bool parse_range(const char *word, uint64_t *first, uint64_t *last)
{
	char part[32];
	const char *colon = strchr(word, ':');
	size_t length = colon ? (size_t)(colon - word) : strlen(word);

	if (length >= sizeof part)
		cli_usage("--expect: '%s' is not FIRST or FIRST:LAST", word);
	memcpy(part, word, length);
	part[length] = '\0';
	*first = cli_number_argument("--expect: FIRST", part);
	if (!colon)
		return false;
	*last = cli_number_argument("--expect: LAST", colon + 1);
	if (*first > *last)
		cli_usage("--expect: FIRST %ju is more than LAST %ju", (uintmax_t)*first, (uintmax_t)*last);
	return true;
}

/* The range of lines, and whether those who forgot to state its end must be told how. */
static void open_fizzbuzz(struct settings *settings, const char *range)
{
	uint64_t first = 1;
	uint64_t last = UINT64_MAX;
	bool stated = *range && parse_range(range, &first, &last);

	settings->expect = expect_fizzbuzz(first, last);
	if (!settings->expect)
		cli_fail("%s", strerror(ENOMEM));
	settings->expect->end_not_stated = !stated;
}

/* fizzbuzz, none, or a file. */
static void open_expectation(struct settings *settings, const char *word)
{
	static const char name[] = "fizzbuzz";
	size_t length = sizeof name - 1;

	if (strcmp(word, "none") == 0)
		return;
	if (strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == ':')) {
		if (word[length] == ':' && word[length + 1] == '\0')
			cli_usage("--expect: '%s' has no FIRST after the colon", word);
		open_fizzbuzz(settings, word + length + (word[length] == ':'));
		return;
	}
	settings->expect = expect_file(word);
	if (!settings->expect)
		cli_fail("%s: %s", word, errno == ESPIPE ? "not a regular file" : strerror(errno));
}

/* `1/N`. */
static uint64_t parse_sample(const char *word)
{
	uint64_t sample;

	if (strncmp(word, "1/", 2) != 0 || !cli_parse_number(word + 2, &sample) || sample == 0 ||
	    sample > UINT32_MAX)
		cli_usage("--sample: '%s' is not 1/N with N from 1 to %ju", word, (uintmax_t)UINT32_MAX);
	return sample;
}

/* Nothing checked would be nothing to judge. */
static uint64_t parse_bytes(const char *word)
{
	uint64_t bytes;

	if (!cli_parse_size(word, &bytes) || bytes == 0)
		cli_usage("--bytes: '%s' is not a size from 1 on, such as 65536, 128K, 1M or 2G", word);
	return bytes;
}

/* Decimal digits with at most one point; strtod(3) takes much else. */
static uint64_t parse_seconds(const char *word)
{
	size_t whole = strspn(word, "0123456789");
	size_t point = word[whole] == '.' ? 1 : 0;
	size_t part = point ? strspn(word + whole + 1, "0123456789") : 0;
	double seconds = whole + part > 0 && whole + point + part == strlen(word) ? strtod(word, NULL) : 0;

	if (!(seconds >= 1e-6 && seconds <= 1e9))
		cli_usage("--seconds: '%s' is not a number such as 5 or 0.25, from 0.000001 to 1000000000",
		          word);
	return (uint64_t)(seconds * 1e9);
}

/* Everything is checked before anything is opened or read. */
static void parse_arguments(int argc, char **argv, struct arguments *arguments)
{
	enum { EXPECT = 0x100, SAMPLE, PARTIAL, BYTES, SECONDS, PIPE_SIZE, JSON, VERBOSE, HELP, VERSION };
	static const struct option options[] = {
		{"expect", required_argument, NULL, EXPECT},
		{"sample", required_argument, NULL, SAMPLE},
		{"partial", no_argument, NULL, PARTIAL},
		{"bytes", required_argument, NULL, BYTES},
		{"seconds", required_argument, NULL, SECONDS},
		{"pipe-size", required_argument, NULL, PIPE_SIZE},
		{"json", no_argument, NULL, JSON},
		{"quiet", no_argument, NULL, 'q'},
		{"verbose", no_argument, NULL, VERBOSE},
		{"help", no_argument, NULL, HELP},
		{"version", no_argument, NULL, VERSION},
		{NULL, 0, NULL, 0},
	};
	struct settings *settings = &arguments->settings;
	int option;

	while ((option = getopt_long(argc, argv, "q", options, NULL)) != -1) {
		switch (option) {
		case EXPECT:
			arguments->expect = optarg;
			break;
		case SAMPLE:
			settings->sample = parse_sample(optarg);
			break;
		case PARTIAL:
			settings->partial = true;
			break;
		case BYTES:
			settings->bytes = parse_bytes(optarg);
			break;
		case SECONDS:
			settings->nanoseconds = parse_seconds(optarg);
			break;
		case PIPE_SIZE:
			arguments->pipe_size = cli_size_argument("--pipe-size", optarg);
			break;
		case JSON:
			settings->json = true;
			break;
		case 'q':
			settings->quiet = true;
			break;
		case VERBOSE:
			arguments->verbose = true;
			break;
		case HELP:
			cli_print_and_exit(help);
		case VERSION:
			cli_version_and_exit();
		default:
			exit(CLI_USAGE);
		}
	}
	if (optind < argc)
		cli_usage("'%s': no operands are taken; the input is standard input", argv[optind]);
}

/* For those who wonder why it is slow. */
static void say_how(const struct arguments *arguments, const struct pc_reader *reader)
{
	const struct expect *expect = arguments->settings.expect;

	if (expect)
		cli_warn("expects %s, compared with %s vectors, one stretch in %ju", expect->name,
		         compare_isa_name(compare_best()), (uintmax_t)arguments->settings.sample);
	cli_warn("what is not checked is %s",
	         pc_reader_drains_free(reader) ? "spliced away, not copied" : "read and dropped: no pipe");
}

/* Options, reader, run, report. */
int main(int argc, char **argv)
{
	struct arguments arguments = {
		.settings = {.sample = 1, .bytes = UINT64_MAX, .nanoseconds = UINT64_MAX},
		.expect = "fizzbuzz",
	};
	struct settings *settings = &arguments.settings;
	struct report report;
	struct pc_reader *reader;

	cli_tool = "verify";
	cli_guard_standard_descriptors();
	parse_arguments(argc, argv, &arguments);
	open_expectation(settings, arguments.expect);
	if (!settings->expect && settings->sample > 1)
		cli_usage("--sample: nothing is expected, so there is nothing to check");
	int error = pc_reader_open(&reader, STDIN_FILENO, arguments.pipe_size);

	if (error)
		cli_fail("standard input: %s", strerror(-error));
	if (arguments.verbose)
		say_how(&arguments, reader);
	run(reader, settings, &report);
	pc_reader_close(reader);
	int status = report_print(&report, settings);

	if (settings->expect)
		settings->expect->close(settings->expect);
	if (report.signal && status == 0)
		ticks_die(report.signal);
	return status;
}
