/* Waiting without being rude: spin for a bounded time, then sleep. Private to the core. */
#ifndef PIPECORE_WAIT_H
#define PIPECORE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* One wait: zero it when progress was made, and call pc_wait() for each try that made none. */
struct pc_wait {
	uint64_t since; /* nanoseconds, when the present wait began; 0 if none is under way */
};

/* Monotonic time in nanoseconds. */
uint64_t pc_now(void);

/* Whether spinning can help: not where the other side needs the only CPU we may run on. */
bool pc_may_spin(void);

/* Burns a few hundred cycles politely: lets the other side have the pipe's lock. */
void pc_pause(void);

/*
 * Waits a little for `events` (POLLIN or POLLOUT) on `fd`: a pause while the wait is young and
 * `may_spin`, else asleep until the descriptor is ready, hung up or in error. Returns true if it
 * slept.
 */
bool pc_wait(struct pc_wait *wait, int fd, short events, bool may_spin);

#endif
