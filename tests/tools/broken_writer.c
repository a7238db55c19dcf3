/*
 * broken_writer LAST - the classic vmsplice writer as it is found in the field: a ring of two 128 KiB
 * halves and the belief that a pipe of 128 KiB frees the other half. Readers that only read get the right
 * bytes; the readers of these tests must catch it, or they catch nothing.
 */
#include "tests/tool.h"

#include <inttypes.h>
#include <sys/uio.h>

enum { HALF = 128 * 1024 };

static _Alignas(4096) char ring[2][HALF];

/* Hands one half to the pipe by reference. */
static void push(char *half, size_t size)
{
	struct iovec piece = {.iov_base = half, .iov_len = size};

	while (piece.iov_len > 0) {
		ssize_t done = vmsplice(STDOUT_FILENO, &piece, 1, 0);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			tool_end(TOOL_SKIP, errno, "vmsplice");
		piece.iov_base = (char *)piece.iov_base + done;
		piece.iov_len -= (size_t)done;
	}
}

int main(int argc, char **argv)
{
	char line[32];
	size_t used = 0;
	unsigned half = 0;

	if (argc != 2)
		tool_end(2, 0, "usage: broken_writer LAST");
	uint64_t last = strtoull(argv[1], NULL, 10);

	if (fcntl(STDOUT_FILENO, F_SETPIPE_SZ, HALF) < 0)
		tool_end(TOOL_SKIP, errno, "capacity");
	for (uint64_t n = 1; n <= last; n++) {
		int length = n % 15 == 0  ? sprintf(line, "FizzBuzz\n")
		             : n % 5 == 0 ? sprintf(line, "Buzz\n")
		             : n % 3 == 0 ? sprintf(line, "Fizz\n")
		                          : sprintf(line, "%" PRIu64 "\n", n);
		size_t size = (size_t)length, fits = HALF - used < size ? HALF - used : size;

		memcpy(ring[half] + used, line, fits);
		used += fits;
		if (used == HALF) {
			push(ring[half], HALF);
			half = !half;
			memcpy(ring[half], line + fits, size - fits);
			used = size - fits;
		}
	}
	push(ring[half], used);
	return 0;
}
