/* The line that a terminal shows while the command runs; see live.h. */
#include "verifier/live.h"

#include <stdio.h>
#include <unistd.h>

#define SECOND 1000000000u
#define GIB 1073741824.0

/* Files and pipes get the final report only. */
void live_open(struct live *live, bool quiet)
{
	*live = (struct live){.on = !quiet && isatty(STDERR_FILENO)};
}

/* The rate of the last second, and of all. */
void live_show(struct live *live, uint64_t bytes, uint64_t started, uint64_t now)
{
	if (!live->on || started == 0)
		return;
	if (live->then == 0)
		live->then = started;
	if (now - live->then < SECOND)
		return;
	double step = (double)(now - live->then) / SECOND;
	double all = (double)(now - started) / SECOND;

	fprintf(stderr, "\r%8.1f GiB in %.0f s, now %.2f GiB/s, all %.2f GiB/s\033[K", (double)bytes / GIB,
	        all, (double)(bytes - live->bytes) / GIB / step, (double)bytes / GIB / all);
	live->shown = true;
	live->then = now;
	live->bytes = bytes;
}

/* See live.h. */
void live_clear(struct live *live)
{
	if (live->shown)
		fputs("\r\033[K", stderr);
	live->shown = false;
}
