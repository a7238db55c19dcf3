/*
 * What the commands have in common: strict parsing of numbers and sizes, messages in one form, and
 * the output options of the pipe core. Commands only; the core and the generators print nothing.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pipecore.h"

#define CLI_VERSION "0.1.0"

enum { CLI_FAILURE = 1, CLI_USAGE = 2 };

/* The name messages start with; set once in main. */
extern const char *cli_tool;

/* Prints `tool: message` as one line on standard error. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the message and exits 1. */
_Noreturn void cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the message and where help is, and exits 2. */
_Noreturn void cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A whole word of decimal digits as an unsigned 64-bit number: no sign, no space, no exponent, no
 * overflow. Returns false if it is anything else.
 */
bool cli_parse_number(const char *word, uint64_t *number);

/*
 * A number with an optional suffix K, M, G or T (powers of 1024; KiB, MiB, GiB, TiB and lower case
 * too). Returns false if it is anything else or does not fit.
 */
bool cli_parse_size(const char *word, uint64_t *size);

/* cli_parse_number() and cli_parse_size() for an option's argument: a usage error names the option. */
uint64_t cli_number_argument(const char *option, const char *word);
size_t cli_size_argument(const char *option, const char *word);

/* Writes standard help or version text and exits 0, or 1 if standard output cannot take it. */
_Noreturn void cli_print_and_exit(const char *text);
_Noreturn void cli_version_and_exit(void);

/*
 * The output options (--output, --fast, --classic, --pipe-size, --half, --push, --ring, --slack,
 * --verbose) as getopt_long entries for a command's own table, and their handler. Their values start
 * at CLI_OUTPUT_FIRST; cli_output_option() returns false for a value that is not one of them.
 */
enum {
	CLI_OUTPUT_FIRST = 0x1000,
	CLI_OUTPUT_METHOD = CLI_OUTPUT_FIRST,
	CLI_OUTPUT_FAST,
	CLI_OUTPUT_CLASSIC,
	CLI_OUTPUT_PIPE_SIZE,
	CLI_OUTPUT_HALF,
	CLI_OUTPUT_PUSH,
	CLI_OUTPUT_RING,
	CLI_OUTPUT_SLACK,
	CLI_OUTPUT_END,
};

#define CLI_OUTPUT_OPTIONS                                                                                   \
	{"output", required_argument, NULL, CLI_OUTPUT_METHOD},                                              \
		{"fast", no_argument, NULL, CLI_OUTPUT_FAST},                                                \
		{"classic", no_argument, NULL, CLI_OUTPUT_CLASSIC},                                          \
		{"pipe-size", required_argument, NULL, CLI_OUTPUT_PIPE_SIZE},                                \
		{"half", required_argument, NULL, CLI_OUTPUT_HALF},                                          \
		{"push", required_argument, NULL, CLI_OUTPUT_PUSH},                                          \
		{"ring", required_argument, NULL, CLI_OUTPUT_RING},                                          \
	{                                                                                                    \
		"slack", required_argument, NULL, CLI_OUTPUT_SLACK                                           \
	}

/* The help text of the output options, for a command's --help. */
extern const char cli_output_help[];

/* Takes one output option into `options`; a bad argument is a usage error. */
bool cli_output_option(int value, const char *argument, struct pc_options *options);

/*
 * Opens the writer on standard output for a command: notes go to standard error (information only if
 * `verbose`), a failure ends the command with a message. The command must never fork after it.
 */
struct pc_writer *cli_open_output(struct pc_options *options, bool verbose);

/*
 * Ends the command for an error of the writer: quietly with status 1 if the readers are gone (SIGPIPE,
 * unless it is ignored, has ended it before), else with a message and status 1.
 */
_Noreturn void cli_output_failed(int error);

/* Sees that descriptors 0, 1 and 2 are taken, so that nothing a command opens lands on one of them. */
void cli_guard_standard_descriptors(void);

#endif
