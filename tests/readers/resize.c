/*
 * resize EVERY SIZE... - when the writer has begun and before its first read, sets the capacity of the
 * pipe that it reads to the first SIZE; to the next one after every EVERY bytes, and so on round the list.
 * After each change it lets the pipe fill before it reads on, so that a writer that goes by the capacity
 * it once saw writes over pages that are still there. EVERY 0 changes it once. Says on standard error how
 * many changes there were, and how many of them made the pipe smaller.
 */
#include "tests/tool.h"

static unsigned changes, shrinks;

/* Tries once; a pipe that holds more than `size` cannot shrink to it yet. */
static bool set_capacity(size_t size)
{
	int before = fcntl(STDIN_FILENO, F_GETPIPE_SZ);

	if (fcntl(STDIN_FILENO, F_SETPIPE_SZ, (int)size) < 0) {
		if (errno == EBUSY)
			return false;
		tool_end(errno == EPERM ? TOOL_SKIP : 1, errno, "capacity %zu", size);
	}
	changes++;
	if ((int)size < before)
		shrinks++;
	tool_settle(STDIN_FILENO);
	return true;
}

/* Sets the next capacity of the round if one is due. */
static void change(char **first, char ***next, bool *wanted)
{
	if (*wanted && set_capacity(tool_size(**next))) {
		*wanted = false;
		*next = (*next)[1] ? *next + 1 : first;
	}
}

int main(int argc, char **argv)
{
	static char buffer[1 << 20];

	if (argc < 3)
		tool_end(2, 0, "usage: resize EVERY SIZE...");
	size_t every = tool_size(argv[1]), since = 0;
	char **next = argv + 2;
	bool wanted = true;
	struct pollfd begun = {.fd = STDIN_FILENO, .events = POLLIN};

	poll(&begun, 1, -1);
	for (;;) {
		change(argv + 2, &next, &wanted);
		size_t got = tool_read(STDIN_FILENO, buffer, sizeof buffer);

		if (got == 0)
			break;
		/* A pipe can only shrink at a moment when it is nearly empty: now, or never. */
		change(argv + 2, &next, &wanted);
		tool_write(STDOUT_FILENO, buffer, got);
		since += got;
		if (every && since >= every) {
			since = 0;
			wanted = true;
		}
	}
	fprintf(stderr, "resize: %u changes, %u smaller\n", changes, shrinks);
	return 0;
}
