/*
 * branch AFTER - tees up to 1 MiB of its input into a pipe of its own and keeps it there, reads the same
 * bytes and AFTER bytes more, and only then reads the branch: both must be the same. Again and again, to
 * the end; copies its input to standard output. A branch that changed ends it with status 1.
 */
#include "tests/tool.h"

enum { CAPACITY = 1 << 20 };

static char buffer[CAPACITY];
static char kept[CAPACITY];
static int branch[2];
static uint64_t offset;

/* Reads the branch late and compares it with what was read at once. */
static void compare(size_t held)
{
	for (size_t at = 0; at < held;) {
		size_t got = tool_read(branch[0], buffer, held - at);

		for (size_t i = 0; i < got; i++) {
			if (buffer[i] != kept[at + i])
				tool_end(1, 0, "a branch held before byte %llu changed at its byte %zu",
				         (unsigned long long)offset, at + i);
		}
		at += got;
	}
}

/* Copies `size` bytes of the input, or what is left of it, and keeps them in `copy` if there is one. */
static size_t pass(size_t size, char *copy)
{
	size_t done = 0;

	while (done < size) {
		size_t want = size - done < CAPACITY ? size - done : CAPACITY;
		size_t got = tool_read(STDIN_FILENO, buffer, want);

		if (got == 0)
			break;
		if (copy)
			memcpy(copy + done, buffer, got);
		tool_write(STDOUT_FILENO, buffer, got);
		done += got;
	}
	offset += done;
	return done;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		tool_end(2, 0, "usage: branch AFTER");
	size_t after = tool_size(argv[1]);

	tool_pipe(branch, CAPACITY);
	for (;;) {
		ssize_t held = tee(STDIN_FILENO, branch[1], CAPACITY, 0);

		if (held < 0)
			tool_end(1, errno, "tee");
		if (held == 0)
			return 0;
		if (pass((size_t)held, kept) != (size_t)held)
			tool_end(1, 0, "the input is shorter than its branch");
		pass(after, NULL);
		compare((size_t)held);
	}
}
