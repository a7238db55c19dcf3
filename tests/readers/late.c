/*
 * late BYTES SECONDS - reads BYTES, stops for SECONDS, and reads on: a pager, a stopped job, a slow
 * start. Copies what it read to standard output.
 */
#include "tests/tool.h"

int main(int argc, char **argv)
{
	static char buffer[1 << 16];

	if (argc != 3)
		tool_end(2, 0, "usage: late BYTES SECONDS");
	size_t before = tool_size(argv[1]);
	double seconds = strtod(argv[2], NULL);
	bool stopped = false;

	for (;;) {
		if (!stopped && before == 0) {
			tool_sleep(seconds);
			stopped = true;
		}
		size_t want = !stopped && before < sizeof buffer ? before : sizeof buffer;
		size_t got = tool_read(STDIN_FILENO, buffer, want);

		if (got == 0)
			return 0;
		if (!stopped)
			before -= got;
		tool_write(STDOUT_FILENO, buffer, got);
	}
}
