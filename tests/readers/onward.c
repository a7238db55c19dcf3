/*
 * onward BYTES - splices the first BYTES of its input onward to standard output, both pipes, and ends: a
 * `head -c` that copies nothing and hands on the writer's own pages. Where standard output is no pipe or
 * the kernel refuses, status 77.
 */
#include "tests/tool.h"

int main(int argc, char **argv)
{
	if (argc != 2)
		tool_end(2, 0, "usage: onward BYTES");
	for (size_t left = tool_size(argv[1]); left > 0;) {
		ssize_t moved = splice(STDIN_FILENO, NULL, STDOUT_FILENO, NULL, left, SPLICE_F_MOVE);

		if (moved == 0)
			break;
		if (moved > 0)
			left -= (size_t)moved;
		else if (errno != EINTR)
			tool_end(errno == EINVAL ? TOOL_SKIP : 1, errno, "splice");
	}
	return 0;
}
