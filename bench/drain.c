/*
 * A neutral reader for measurements: takes bytes out of standard input in one of several ways, throws
 * them away, and says on standard error how far it is, in the form of `pv -n -b -t`:
 *
 *     SECONDS BYTES
 *
 * It shares nothing with core/, so that no writer is favoured: it never changes a pipe's capacity and
 * asks for up to 1 MiB at a time, more than which no pipe holds by default.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MIB = 1024 * 1024, CHUNK = MIB, MAX_HOLD = 256 };

static const char usage[] =
	"usage: drain spin             splice(2) to /dev/null, never sleeping\n"
	"       drain block            splice(2) to /dev/null, sleeping while the pipe is empty\n"
	"       drain read             read(2) into a buffer of 128 KiB\n"
	"       drain hold N [BYTES]   as spin, but through N pipes of 1 MiB that are full all the time: every\n"
	"                              page stays referenced until N MiB more have come; after BYTES it lets\n"
	"                              go of them all and goes on as spin\n";

static int null_fd;
static uint64_t total;

/* Ends the program with the reason, so that the driver reports a failed run instead of a figure. */
static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "drain: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Seconds on a clock that only goes forward. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Counts `bytes` and reports now and then; seldom enough to cost nothing (20 ms is a write of 30 bytes). */
static void count(size_t bytes)
{
	static double start, last;
	double time = now();

	if (start == 0)
		start = last = time;
	total += bytes;
	if (time - last >= 0.02) {
		fprintf(stderr, "%.6f %" PRIu64 "\n", time - start, total);
		last = time;
	}
}

/*
 * Moves up to `size` bytes to /dev/null, at least one. Returns 0 at the end of the input. Waiting for
 * input without sleeping is the loop in here.
 */
static size_t discard(int from, size_t size, unsigned flags)
{
	for (;;) {
		ssize_t moved = splice(from, NULL, null_fd, NULL, size, flags);

		if (moved >= 0)
			return (size_t)moved;
		if (errno != EAGAIN && errno != EINTR)
			fail("splice");
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#endif
	}
}

/* Everything to /dev/null; `flags` decides whether an empty pipe is waited for asleep. */
static void drain_splice(unsigned flags)
{
	size_t moved;

	while ((moved = discard(STDIN_FILENO, CHUNK, flags)) > 0)
		count(moved);
}

/* The plain reader: what a program does that knows nothing of pipes. */
static void drain_read(void)
{
	static char buffer[128 * 1024];
	ssize_t got;

	while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
		count((size_t)got);
	if (got < 0)
		fail("read");
}

/* Whether nobody can write to the pipe any more: a splice into a full pipe does not tell. */
static bool has_ended(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};

	return poll(&state, 1, 0) == 1 && !(state.revents & POLLIN) && (state.revents & POLLHUP);
}

/*
 * Fills a pipe to the last slot (slots run out before bytes where pages are partial) and adds what went
 * in to `held`. Returns false at the end of the input.
 */
static bool fill(int to, size_t *held)
{
	for (;;) {
		int waiting = 0;

		/* Only we read, so what is seen here cannot be gone below. */
		ioctl(STDIN_FILENO, FIONREAD, &waiting);

		ssize_t moved = splice(STDIN_FILENO, NULL, to, NULL, CHUNK, SPLICE_F_NONBLOCK);

		if (moved == 0)
			return false;
		if (moved > 0)
			*held += (size_t)moved;
		else if (errno != EAGAIN && errno != EINTR)
			fail("splice");
		else if (waiting > 0)
			return true;
		else if (has_ended(STDIN_FILENO))
			return false;
	}
}

/*
 * A chain of stages that splice onward and are slow, as far as the writer can tell: pages that left its
 * pipe wait in one of `pipes` pipes, used in turn as a queue, until a pipe's turn comes again. A page is
 * moved only twice, whatever the length of the chain, so the writer stays what is measured.
 */
static void drain_hold(int pipes, uint64_t until)
{
	static int ends[MAX_HOLD][2];
	static size_t held[MAX_HOLD];

	for (int i = 0; i < pipes; i++) {
		if (pipe(ends[i]) || fcntl(ends[i][1], F_SETPIPE_SZ, MIB) < 0)
			fail("a pipe of 1 MiB");
	}
	for (int i = 0; total < until; i = (i + 1) % pipes) {
		while (held[i] > 0) {
			size_t moved = discard(ends[i][0], held[i], 0);

			held[i] -= moved;
			count(moved);
		}
		if (!fill(ends[i][1], &held[i]))
			return;
	}
	for (int i = 0; i < pipes; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
	drain_splice(SPLICE_F_NONBLOCK);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null_fd < 0)
		fail("/dev/null");
	if (strcmp(mode, "spin") == 0 && argc == 2) {
		drain_splice(SPLICE_F_NONBLOCK);
	} else if (strcmp(mode, "block") == 0 && argc == 2) {
		drain_splice(0);
	} else if (strcmp(mode, "read") == 0 && argc == 2) {
		drain_read();
	} else if (strcmp(mode, "hold") == 0 && (argc == 3 || argc == 4)) {
		int pipes = atoi(argv[2]);
		uint64_t until = argc == 4 ? strtoull(argv[3], NULL, 10) : UINT64_MAX;

		if (pipes < 1 || pipes > MAX_HOLD)
			fail("hold: not a number of pipes");
		drain_hold(pipes, until);
	} else {
		fputs(usage, stderr);
		return 2;
	}
	return 0;
}
