/*
 * launch [-n] [-i] [-p SIZE] [-r REPORT] COMMAND... - runs a command with a standard output that is in a
 * state which no shell can bring about, and says what it cost.
 *   -n  makes standard output non-blocking first, as another process that shares it may have done
 *   -i  SIGPIPE is ignored
 *   -p  gives the pipe on standard output this capacity first
 *   -r  writes to REPORT: the status, CPU time in ms, peak memory in KiB, and the O_NONBLOCK flag after
 */
#include "tests/tool.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

/* CPU time of the child and all that it waited for, in milliseconds. */
static long cpu_ms(const struct rusage *usage)
{
	return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
	       (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
}

/* The O_NONBLOCK flag of standard output. */
static bool is_nonblocking(void)
{
	return (fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK) != 0;
}

int main(int argc, char **argv)
{
	const char *report = NULL;
	struct rusage usage;
	int option, status;

	while ((option = getopt(argc, argv, "+nip:r:")) != -1) {
		if (option == 'n') {
			if (fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK) != 0)
				tool_end(1, errno, "O_NONBLOCK");
		} else if (option == 'i') {
			signal(SIGPIPE, SIG_IGN);
		} else if (option == 'p') {
			if (fcntl(STDOUT_FILENO, F_SETPIPE_SZ, (int)tool_size(optarg)) < 0)
				tool_end(TOOL_SKIP, errno, "capacity");
		} else if (option == 'r') {
			report = optarg;
		} else {
			return 2;
		}
	}
	if (!argv[optind])
		tool_end(2, 0, "usage: launch [-n] [-i] [-p SIZE] [-r REPORT] COMMAND...");

	pid_t child = fork();

	if (child < 0)
		tool_end(1, errno, "fork");
	if (child == 0) {
		execvp(argv[optind], argv + optind);
		tool_end(127, errno, "%s", argv[optind]);
	}
	while (wait4(child, &status, 0, &usage) < 0) {
		if (errno != EINTR)
			tool_end(1, errno, "wait");
	}
	status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (report) {
		FILE *file = fopen(report, "w");

		if (!file)
			tool_end(1, errno, "%s", report);
		fprintf(file, "status=%d cpu_ms=%ld rss_kib=%ld nonblock=%d\n", status, cpu_ms(&usage),
		        usage.ru_maxrss, is_nonblocking());
		fclose(file);
	}
	return status;
}
