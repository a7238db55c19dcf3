/*
 * tosocket [BUFFER] - splices its input into a socket, which keeps the pages until the other side has
 * read them, and reads them there late. BUFFER asks for a send buffer. Copies to standard output.
 */
#include "tests/tool.h"

#include <sys/socket.h>
#include <sys/wait.h>

/* The far side: lets the socket fill, reads what there is, and again. */
static void read_late(int fd)
{
	static char buffer[1 << 20];

	for (;;) {
		tool_settle(fd);
		for (size_t burst = 0; burst < sizeof buffer * 4;) {
			size_t got = tool_read(fd, buffer, sizeof buffer);

			if (got == 0)
				return;
			tool_write(STDOUT_FILENO, buffer, got);
			burst += got;
		}
	}
}

int main(int argc, char **argv)
{
	int ends[2], status;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		tool_end(1, errno, "socketpair");
	if (argc > 1) {
		int size = (int)tool_size(argv[1]);

		if (setsockopt(ends[0], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0)
			setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	}
	pid_t child = fork();

	if (child < 0)
		tool_end(1, errno, "fork");
	if (child == 0) {
		close(ends[0]);
		read_late(ends[1]);
		return 0;
	}
	close(ends[1]);
	for (;;) {
		ssize_t moved = splice(STDIN_FILENO, NULL, ends[0], NULL, 1 << 20, SPLICE_F_MOVE);

		if (moved == 0)
			break;
		if (moved < 0 && errno != EINTR)
			tool_end(errno == EINVAL ? TOOL_SKIP : 1, errno, "splice to a socket");
	}
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
