/* The command fizzbuzz: options, a stream, a writer, and nothing between them. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "generators/fizzbuzz/lines.h"
#include "generators/fizzbuzz/stream.h"

/* What the command line asks for. */
struct request {
	uint64_t first, last;
	enum isa isa;
	bool verbose;
	struct pc_options output;
};

/* Puts the help together and ends. */
static _Noreturn void help(void)
{
	char text[4096];

	snprintf(text, sizeof text,
	         "Usage: fizzbuzz [OPTION]... [FIRST [LAST]]\n"
	         "Write lines FIRST (default 1) to LAST (default 18446744073709551615) of FizzBuzz.\n"
	         "\n"
	         "  -n, --lines=N         N lines from FIRST\n"
	         "      --isa=NAME        instruction set: scalar or avx2 (default %s); list: say which run "
	         "here\n"
	         "  -v, --verbose         say on standard error what is chosen, and why\n"
	         "  -h, --help            this text\n"
	         "  -V, --version         the version\n"
	         "Output:\n"
	         "%s"
	         "SIZE is a number of bytes, or one with K, M or G (powers of 1024).\n"
	         "Example: fizzbuzz | pv > /dev/null\n",
	         isa_name(fb_best_isa()), cli_output_help);
	cli_print_and_exit(text);
}

/* Says which kernels there are and which is used. */
static _Noreturn void list_isas(void)
{
	char text[256] = "";

	for (int isa = ISA_SCALAR; isa < ISA_COUNT; isa++) {
		size_t length = strlen(text);

		snprintf(text + length, sizeof text - length, "%s%s\n", isa_name((enum isa)isa),
		         isa == (int)fb_best_isa()      ? " (default)"
		         : fb_has_kernel((enum isa)isa) ? ""
		                                        : " (not on this machine)");
	}
	cli_print_and_exit(text);
}

/* The kernel asked for by name. */
static enum isa parse_isa(const char *word)
{
	if (strcmp(word, "list") == 0)
		list_isas();
	for (int isa = ISA_SCALAR; isa < ISA_COUNT; isa++) {
		if (strcmp(word, isa_name((enum isa)isa)) != 0)
			continue;
		if (!fb_has_kernel((enum isa)isa))
			cli_fail("--isa: this machine cannot run %s (try --isa=list)", word);
		return (enum isa)isa;
	}
	cli_usage("--isa: '%s' is not one of scalar, avx2, list", word);
}

/* A word of the range. */
static uint64_t parse_line(const char *name, const char *word)
{
	uint64_t line;

	if (!cli_parse_number(word, &line))
		cli_usage("%s: '%s' is not a line number from 0 to 18446744073709551615", name, word);
	return line;
}

/* Words after the options: FIRST and LAST, or a count instead of LAST. */
static void parse_range(struct request *request, int argc, char **argv, const char *count)
{
	request->first = 1;
	request->last = UINT64_MAX;
	if (argc > 2)
		cli_usage("'%s': there are too many arguments", argv[2]);
	if (argc > 0)
		request->first = parse_line("FIRST", argv[0]);
	if (argc > 1)
		request->last = parse_line("LAST", argv[1]);
	if (request->first > request->last)
		cli_usage("FIRST: %s is more than LAST, %s", argv[0], argv[1]);
	if (count) {
		uint64_t lines = cli_number_argument("--lines", count);

		if (argc > 1)
			cli_usage("--lines: LAST is given too; only one of them can be");
		if (lines == 0)
			exit(0);
		if (lines - 1 > UINT64_MAX - request->first)
			cli_usage("--lines: line %s and %s more is past 18446744073709551615",
			          argc > 0 ? argv[0] : "1", count);
		request->last = request->first + (lines - 1);
	}
}

/* The whole command line; does not come back from a wrong one. */
static void parse(struct request *request, int argc, char **argv)
{
	static const struct option long_options[] = {
		{"lines", required_argument, NULL, 'n'},
		{"isa", required_argument, NULL, 'i'},
		{"verbose", no_argument, NULL, 'v'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		CLI_OUTPUT_OPTIONS,
		{NULL, 0, NULL, 0},
	};
	const char *count = NULL;
	int option;

	request->isa = fb_best_isa();
	pc_options_init(&request->output);
	while ((option = getopt_long(argc, argv, "n:vhV", long_options, NULL)) != -1) {
		switch (option) {
		case 'n':
			count = optarg;
			break;
		case 'i':
			request->isa = parse_isa(optarg);
			break;
		case 'v':
			request->verbose = true;
			break;
		case 'h':
			help();
		case 'V':
			cli_version_and_exit();
		default:
			if (!cli_output_option(option, optarg, &request->output))
				exit(CLI_USAGE); /* getopt has said why */
		}
	}
	parse_range(request, argc - optind, argv + optind, count);
}

/* Moves the stream to the writer, half by half. Returns 0 or a negative errno. */
static int copy(struct fb_stream *stream, struct pc_writer *writer)
{
	unsigned char *half;
	size_t room, size;
	int error;

	do {
		error = pc_writer_next(writer, &half, &room);
		if (error)
			return error;
		size = fb_stream_fill(stream, half, room);
		error = pc_writer_push(writer, size);
		if (error)
			return error;
	} while (size == room);
	return pc_writer_finish(writer);
}

/* Counts for --verbose, at the end of a stream that has one. */
static void say_counts(const struct pc_writer *writer)
{
	struct pc_stats stats = pc_writer_stats(writer);

	cli_warn("%llu bytes in %llu pushes, %llu sleeps, %llu fences, spans: %llu reused, %llu given back",
	         (unsigned long long)stats.bytes, (unsigned long long)stats.pushes,
	         (unsigned long long)stats.sleeps, (unsigned long long)stats.fences,
	         (unsigned long long)stats.spans_reused, (unsigned long long)stats.spans_fresh);
}

int main(int argc, char **argv)
{
	struct request request = {0};

	cli_tool = "fizzbuzz";
	cli_guard_standard_descriptors();
	parse(&request, argc, argv);
	struct fb_stream *stream = fb_stream_open(request.first, request.last, request.isa);

	if (!stream)
		cli_fail("no memory for the stream");
	if (request.verbose)
		cli_warn("lines %llu to %llu; kernel %s", (unsigned long long)request.first,
		         (unsigned long long)request.last, isa_name(request.isa));
	struct pc_writer *writer = cli_open_output(&request.output, request.verbose);
	int error = copy(stream, writer);

	if (error)
		cli_output_failed(error);
	if (request.verbose)
		say_counts(writer);
	pc_writer_close(writer);
	fb_stream_close(stream);
	return 0;
}
