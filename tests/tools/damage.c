/*
 * damage KIND OFFSET [LENGTH] - copies standard input to standard output with one thing wrong:
 *   flip OFFSET BIT       one bit of one byte is the other way round
 *   drop OFFSET LENGTH    a stretch is missing
 *   repeat OFFSET LENGTH  a stretch comes twice
 *   swap OFFSET LENGTH    two stretches that follow each other have changed places
 *   cut OFFSET            nothing comes after OFFSET bytes
 */
#include "tests/tool.h"

/* Copies up to `size` bytes; fails if there are fewer, unless all there is was asked for. */
static void copy(size_t size)
{
	static char buffer[1 << 16];
	bool all = size == SIZE_MAX;

	while (size > 0) {
		size_t got = tool_read(STDIN_FILENO, buffer, size < sizeof buffer ? size : sizeof buffer);

		if (got == 0 && !all)
			tool_end(3, 0, "the input ends before the place to damage");
		if (got == 0)
			return;
		tool_write(STDOUT_FILENO, buffer, got);
		size -= got;
	}
}

/* Reads a whole stretch. */
static char *take(size_t size)
{
	char *stretch = tool_memory(size);

	for (size_t at = 0; at < size;) {
		size_t got = tool_read(STDIN_FILENO, stretch + at, size - at);

		if (got == 0)
			tool_end(3, 0, "the input ends inside the stretch to damage");
		at += got;
	}
	return stretch;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		tool_end(2, 0, "usage: damage KIND OFFSET [LENGTH]");
	const char *kind = argv[1];
	size_t length = argc > 3 ? tool_size(argv[3]) : 0;

	copy(tool_size(argv[2]));
	if (strcmp(kind, "cut") == 0)
		return 0;
	if (strcmp(kind, "flip") == 0) {
		char *byte = take(1);

		*byte = (char)(*byte ^ 1 << length);
		tool_write(STDOUT_FILENO, byte, 1);
	} else {
		char *first = take(length), *second = NULL;

		if (strcmp(kind, "swap") == 0)
			second = take(length);
		else if (strcmp(kind, "repeat") == 0)
			second = first;
		else if (strcmp(kind, "drop") != 0)
			tool_end(2, 0, "no damage of kind '%s'", kind);
		if (second) {
			tool_write(STDOUT_FILENO, second, length);
			tool_write(STDOUT_FILENO, first, length);
		}
	}
	copy(SIZE_MAX);
	return 0;
}
