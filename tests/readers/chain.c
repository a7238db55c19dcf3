/*
 * chain PIPES [LIMIT] - what a pipeline of PIPES splicing programs (pv | pv | ...) does to the pages of
 * a writer, without leaving it to chance: splices standard input onward through PIPES pipes of 1 MiB
 * until all of them are full or hold LIMIT bytes together, waits until nothing moves any more, and only
 * then reads and copies everything to standard output; and again, to the end. With a limit it never
 * holds more than that behind the pipe it reads from.
 */
#include "tests/tool.h"

enum { CAPACITY = 1 << 20, PIPES_MAX = 64 };

static int ends[PIPES_MAX][2];
static size_t count;

/* One splice that does not wait; 0 when nothing can move, -1 at the end of the input. */
static ssize_t move(int from, int to, size_t size)
{
	ssize_t moved = splice(from, NULL, to, NULL, size, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);

	if (moved > 0)
		return moved;
	if (moved == 0)
		return -1;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	tool_end(1, errno, "splice");
}

/* Moves pages one pipe further wherever there is room, last pipe first. Returns whether any moved. */
static bool shift(void)
{
	bool any = false;

	for (size_t i = count - 1; i > 0; i--) {
		int held = 0;

		ioctl(ends[i - 1][0], FIONREAD, &held);
		if (held > 0 && move(ends[i - 1][0], ends[i][1], CAPACITY) > 0)
			any = true;
	}
	return any;
}

/* Reads `held` bytes out of the last pipe, shifting the others up, and copies them out. */
static void drain(size_t held)
{
	static char buffer[1 << 16];

	while (held > 0) {
		while (shift())
			continue;
		size_t got = tool_read(ends[count - 1][0], buffer, sizeof buffer);

		tool_write(STDOUT_FILENO, buffer, got);
		held -= got;
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3)
		tool_end(2, 0, "usage: chain PIPES [LIMIT]");
	count = tool_size(argv[1]);
	size_t limit = argc > 2 ? tool_size(argv[2]) : SIZE_MAX;

	if (count == 0 || count > PIPES_MAX)
		tool_end(2, 0, "chain: from 1 to %d pipes", PIPES_MAX);
	for (size_t i = 0; i < count; i++)
		tool_pipe(ends[i], CAPACITY);

	size_t held = 0;
	unsigned idle = 0;
	bool end = false;

	while (!end) {
		size_t room = limit - held < CAPACITY ? limit - held : CAPACITY;
		ssize_t moved = room > 0 ? move(STDIN_FILENO, ends[0][1], room) : 0;

		end = moved < 0;
		if (moved > 0)
			held += (size_t)moved;
		if (shift() || moved > 0) {
			idle = 0;
		} else if (!end && ++idle < 3) {
			tool_sleep(0.001);
		} else {
			idle = 0;
			drain(held);
			held = 0;
		}
	}
	drain(held);
	return 0;
}
