/* The output options and the writer on standard output; see cli.h. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char cli_output_help[] =
	"      --output=METHOD   auto, fence, ring, fresh or write (default auto: exact for every reader)\n"
	"      --fast            --output=ring: faster; exact unless readers that splice onward hold more\n"
	"                        than the slack, or out of order\n"
	"      --pipe-size=SIZE  capacity to ask for if the output is a pipe (default 1M)\n"
	"      --half=SIZE       filled at a time (default 128K)\n"
	"      --push=SIZE       pushed at a time, a number of halves (default 512K)\n"
	"      --ring=SIZE       memory that is filled over and over (default: as the method needs)\n"
	"      --slack=SIZE      with --fast: bytes that must have left the pipe after a page before it is\n"
	"                        written again (default: what the ring leaves, at least 1M)\n"
	"      --classic         --pipe-size=128K --half=128K --push=128K --ring=256K --slack=0\n";

/* The classic double buffer: the pipe holds one half while the other is filled. */
static void set_classic(struct pc_options *options)
{
	options->pipe_size = 128 * 1024;
	options->half = 128 * 1024;
	options->push = 128 * 1024;
	options->ring = 256 * 1024;
	options->slack = PC_NO_SLACK;
}

/* Names of methods, as pc_method_name() gives them. */
static enum pc_method parse_method(const char *word)
{
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		if (strcmp(word, pc_method_name(method)) == 0)
			return method;
	}
	cli_usage("--output: '%s' is not one of auto, fence, ring, fresh, write", word);
}

/* A size that must be more than nothing. */
static size_t positive_size(const char *option, const char *word)
{
	size_t size = cli_size_argument(option, word);

	if (size == 0)
		cli_usage("%s: the size must be more than 0", option);
	return size;
}

/* One handler for every command that writes through the core. */
bool cli_output_option(int value, const char *argument, struct pc_options *options)
{
	switch (value) {
	case CLI_OUTPUT_METHOD:
		options->method = parse_method(argument);
		return true;
	case CLI_OUTPUT_FAST:
		options->method = PC_RING;
		return true;
	case CLI_OUTPUT_CLASSIC:
		set_classic(options);
		return true;
	case CLI_OUTPUT_PIPE_SIZE:
		options->pipe_size = positive_size("--pipe-size", argument);
		return true;
	case CLI_OUTPUT_HALF:
		options->half = positive_size("--half", argument);
		return true;
	case CLI_OUTPUT_PUSH:
		options->push = positive_size("--push", argument);
		return true;
	case CLI_OUTPUT_RING:
		options->ring = positive_size("--ring", argument);
		return true;
	case CLI_OUTPUT_SLACK:
		options->slack = cli_size_argument("--slack", argument);
		if (options->slack == 0)
			options->slack = PC_NO_SLACK;
		return true;
	default:
		return false;
	}
}

/* Notes of the core in the form of all messages. */
static void print_note(void *verbose, enum pc_level level, const char *text)
{
	if (level == PC_WARN || *(const bool *)verbose)
		cli_warn("%s", text);
}

/* Commands never fork, so the cheap fence is theirs. */
struct pc_writer *cli_open_output(struct pc_options *options, bool verbose)
{
	static bool say;
	struct pc_writer *writer;

	say = verbose;
	options->never_forks = true;
	options->note = print_note;
	options->note_arg = &say;
	int error = pc_writer_open(&writer, STDOUT_FILENO, options);

	if (error == -EINVAL)
		cli_usage("the sizes contradict each other: half <= push <= ring / 2, and all below 1G");
	if (error)
		cli_fail("standard output: %s", strerror(-error));
	return writer;
}

/* A reader that has seen enough is no error to talk about. */
void cli_output_failed(int error)
{
	if (error != -EPIPE)
		cli_fail("standard output: %s", strerror(-error));
	exit(CLI_FAILURE);
}
