/*
 * hog COMMAND... - uses up the pipe pages that this user may have (pipe-user-pages-soft), then runs the
 * command while it holds them: pipes may not grow any more. Ends with status 77 if there is no limit to
 * reach, as for root.
 */
#include "tests/tool.h"

#include <sys/wait.h>

int main(int argc, char **argv)
{
	int ends[2], status;
	unsigned opened = 0;

	if (argc < 2)
		tool_end(2, 0, "usage: hog COMMAND...");
	for (;; opened++) {
		if (opened == 400)
			tool_end(TOOL_SKIP, 0, "no limit of pipe pages for this user");
		if (pipe2(ends, O_CLOEXEC) != 0)
			tool_end(TOOL_SKIP, errno, "pipe");
		if (fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
			break;
	}
	pid_t child = fork();

	if (child == 0) {
		execvp(argv[1], argv + 1);
		tool_end(127, errno, "%s", argv[1]);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
