/* Messages, numbers and sizes; see cli.h. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cli_tool = "pipecore";

/* One write per message: lines of several processes on one terminal stay whole. */
static void print_message(const char *format, va_list arguments, const char *end)
{
	char line[1024];
	int length = snprintf(line, sizeof line, "%s: ", cli_tool);
	int more = vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);

	length += more > 0 ? more : 0;
	if ((size_t)length > sizeof line - 1)
		length = (int)sizeof line - 1;
	fprintf(stderr, "%.*s%s", length, line, end);
}

/* For what is lost or odd while the command goes on. */
void cli_warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, "\n");
	va_end(arguments);
}

/* For what ends the command. */
void cli_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_message(format, arguments, "\n");
	va_end(arguments);
	exit(CLI_FAILURE);
}

/* For what the user can put right on the command line. */
void cli_usage(const char *format, ...)
{
	char end[128];
	va_list arguments;

	snprintf(end, sizeof end, " (try '%s --help')\n", cli_tool);
	va_start(arguments, format);
	print_message(format, arguments, end);
	va_end(arguments);
	exit(CLI_USAGE);
}

/* strtoull() accepts signs and spaces and wraps; a range must not. */
bool cli_parse_number(const char *word, uint64_t *number)
{
	uint64_t value = 0;

	if (*word == '\0')
		return false;
	for (; *word; word++) {
		if (*word < '0' || *word > '9')
			return false;
		unsigned digit = (unsigned)(*word - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return true;
}

/* Sizes as dd, split and pv take them, powers of 1024 only. */
bool cli_parse_size(const char *word, uint64_t *size)
{
	static const char suffixes[] = "KMGT";
	char digits[24];
	size_t length = strspn(word, "0123456789");
	const char *suffix = word + length;
	unsigned shift = 0;

	if (length >= sizeof digits)
		return false;
	memcpy(digits, word, length);
	digits[length] = '\0';
	if (!cli_parse_number(digits, size))
		return false;
	if (*suffix) {
		char upper = (char)(*suffix >= 'a' ? *suffix - 'a' + 'A' : *suffix);
		const char *unit = strchr(suffixes, upper);

		if (!unit || (suffix[1] && strcmp(suffix + 1, "iB") != 0))
			return false;
		shift = 10 * (unsigned)(unit - suffixes + 1);
	}
	if (*size > UINT64_MAX >> shift)
		return false;
	*size <<= shift;
	return true;
}

/* A message that names the option and what it takes. */
uint64_t cli_number_argument(const char *option, const char *word)
{
	uint64_t number;

	if (!cli_parse_number(word, &number))
		cli_usage("%s: '%s' is not a number from 0 to 18446744073709551615", option, word);
	return number;
}

/* A message that names the option and what it takes. */
size_t cli_size_argument(const char *option, const char *word)
{
	uint64_t size;

	if (!cli_parse_size(word, &size) || size > SIZE_MAX / 4)
		cli_usage("%s: '%s' is not a size such as 65536, 128K, 1M or 2G", option, word);
	return (size_t)size;
}

/* Help goes to standard output, and says so if it cannot be written there. */
void cli_print_and_exit(const char *text)
{
	if (fputs(text, stdout) == EOF || fflush(stdout) != 0)
		cli_fail("standard output: %s", strerror(errno));
	exit(0);
}

/* One form of --version for every command. */
void cli_version_and_exit(void)
{
	char text[128];

	snprintf(text, sizeof text, "%s (pipecore) %s\n", cli_tool, CLI_VERSION);
	cli_print_and_exit(text);
}

/*
 * A closed standard descriptor would be given to the next file that is opened, and then be written to
 * by mistake. The stand-in is opened in the wrong direction, so that using it still fails with EBADF.
 */
void cli_guard_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	}
}
