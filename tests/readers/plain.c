/*
 * plain SIZE - reads SIZE bytes at a time, as a reader with a small or odd buffer does, and copies what
 * it read to standard output.
 */
#include "tests/tool.h"

int main(int argc, char **argv)
{
	static char out[1 << 16];
	size_t filled = 0;

	if (argc != 2)
		tool_end(2, 0, "usage: plain SIZE");
	size_t size = tool_size(argv[1]);

	if (size == 0 || size > sizeof out)
		tool_end(2, 0, "plain: a size from 1 to %zu", sizeof out);
	for (;;) {
		if (filled + size > sizeof out) {
			tool_write(STDOUT_FILENO, out, filled);
			filled = 0;
		}
		size_t got = tool_read(STDIN_FILENO, out + filled, size);

		if (got == 0)
			break;
		filled += got;
	}
	tool_write(STDOUT_FILENO, out, filled);
	return 0;
}
