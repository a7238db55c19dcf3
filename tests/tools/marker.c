/*
 * marker - the other writer on a shared pipe: writes runs of NUL bytes, which no stream of ours holds, in
 * pieces of ever other sizes, some by copy and some by reference, until it is told to end (SIGTERM).
 * Taking the NULs out again leaves what the first writer wrote.
 */
#include "tests/tool.h"

#include <sys/uio.h>

static volatile sig_atomic_t ended;

/* Ends between two pieces. */
static void on_term(int signal_number)
{
	(void)signal_number;
	ended = 1;
}

int main(void)
{
	static _Alignas(4096) char zeros[4096];
	struct sigaction action = {.sa_handler = on_term};
	unsigned seed = 1;

	sigaction(SIGTERM, &action, NULL);
	while (!ended) {
		seed = seed * 1103515245u + 12345u;
		size_t size = 1 + (seed >> 16) % sizeof zeros;
		struct iovec piece = {.iov_base = zeros, .iov_len = size};
		ssize_t done = seed & 0x8000 ? vmsplice(STDOUT_FILENO, &piece, 1, 0)
		                             : write(STDOUT_FILENO, zeros, size);

		if (done < 0 && errno != EINTR && errno != EAGAIN)
			return errno == EPIPE ? 0 : 1;
		if (seed >> 16 & 1)
			tool_sleep(0.00002);
	}
	return 0;
}
