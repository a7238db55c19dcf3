/*
 * What the small programs of the tests have in common. They share nothing with the programs that they
 * test; each is one file that includes this one. Exit status 77 says "cannot be done here: skip".
 */
#ifndef TESTS_TOOL_H
#define TESTS_TOOL_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { TOOL_SKIP = 77 };

/* Ends a tool with a message; an errno of 0 adds no reason. */
static inline _Noreturn void tool_end(int status, int error, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "test tool: ");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, error ? ": %s\n" : "\n", strerror(error));
	exit(status);
}

/* A size such as 7, 64K or 1M, for arguments. */
static inline size_t tool_size(const char *word)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(word, &end, 10);
	if (end == word || errno)
		tool_end(2, 0, "'%s' is not a size", word);
	if (*end == 'K')
		return (size_t)value << 10;
	if (*end == 'M')
		return (size_t)value << 20;
	if (*end)
		tool_end(2, 0, "'%s' is not a size", word);
	return (size_t)value;
}

/* Memory or an end. */
static inline void *tool_memory(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		tool_end(1, errno, "no memory");
	return memory;
}

/* Writes all of it; a reader that has gone ends the tool. */
static inline void tool_write(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			tool_end(1, errno, "write");
		at += done;
		size -= (size_t)done;
	}
}

/* Reads at least one byte; 0 at the end. */
static inline size_t tool_read(int fd, void *data, size_t size)
{
	for (;;) {
		ssize_t done = read(fd, data, size);

		if (done >= 0)
			return (size_t)done;
		if (errno == EAGAIN) {
			struct pollfd wait = {.fd = fd, .events = POLLIN};

			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			tool_end(1, errno, "read");
		}
	}
}

/* Sleeps for all of the time, whatever signals come. */
static inline void tool_sleep(double seconds)
{
	struct timespec left = {.tv_sec = (time_t)seconds};

	left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		continue;
}

/* A pipe of a capacity; where this user may have no such pipe the test cannot be done. */
static inline void tool_pipe(int ends[2], size_t capacity)
{
	if (pipe(ends) != 0)
		tool_end(1, errno, "pipe");
	if (fcntl(ends[1], F_SETPIPE_SZ, (int)capacity) < (int)capacity)
		tool_end(TOOL_SKIP, errno, "no pipe of %zu bytes here", capacity);
}

/*
 * Waits until the content of a pipe stays the same for a while: whoever fills it has filled it, and has
 * done to its pages whatever it does. Only how much a test sees depends on this, never its verdict.
 */
static inline void tool_settle(int fd)
{
	int before = -1;

	for (unsigned tries = 0; tries < 200; tries++) {
		int now = 0;

		if (ioctl(fd, FIONREAD, &now) != 0)
			return;
		if (now == before && now > 0)
			return;
		before = now;
		tool_sleep(0.005);
	}
}

#endif
