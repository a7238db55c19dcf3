/*
 * stall BYTES SECONDS REPORT COMMAND... - runs a command whose output nobody reads for a while: reads
 * BYTES of it, then nothing for SECONDS, then the rest. Copies everything to standard output and writes
 * to REPORT how many milliseconds of CPU time the command, its threads and its children took while
 * nobody read.
 */
#include "tests/tool.h"

#include <sys/wait.h>

/* utime + stime + cutime + cstime of a process, from /proc. */
static unsigned long cpu_ticks(pid_t pid)
{
	unsigned long own_user, own_system, children_user, children_system;
	char path[64], text[1024], *at;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (size < 0)
		tool_end(1, errno, "%s", path);
	close(fd);
	text[size] = '\0';
	at = strrchr(text, ')');
	if (!at || sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &own_user,
	                  &own_system, &children_user, &children_system) != 4)
		tool_end(1, 0, "%s: cannot be understood", path);
	return own_user + own_system + children_user + children_system;
}

/* Copies `size` bytes, or all there is. */
static void copy(int from, size_t size)
{
	static char buffer[1 << 16];

	while (size > 0) {
		size_t got = tool_read(from, buffer, size < sizeof buffer ? size : sizeof buffer);

		if (got == 0)
			return;
		tool_write(STDOUT_FILENO, buffer, got);
		size -= got;
	}
}

int main(int argc, char **argv)
{
	int ends[2], status;

	if (argc < 5)
		tool_end(2, 0, "usage: stall BYTES SECONDS REPORT COMMAND...");
	if (pipe(ends) != 0)
		tool_end(1, errno, "pipe");
	pid_t child = fork();

	if (child < 0)
		tool_end(1, errno, "fork");
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[4], argv + 4);
		tool_end(127, errno, "%s", argv[4]);
	}
	close(ends[1]);
	copy(ends[0], tool_size(argv[1]));
	unsigned long before = cpu_ticks(child);

	tool_sleep(strtod(argv[2], NULL));
	unsigned long after = cpu_ticks(child);
	FILE *report = fopen(argv[3], "w");

	if (!report)
		tool_end(1, errno, "%s", argv[3]);
	fprintf(report, "%lu\n", (after - before) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK));
	fclose(report);
	copy(ends[0], SIZE_MAX);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
