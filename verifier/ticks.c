/* A timer that sets a flag; see ticks.h. */
#include "verifier/ticks.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { TICK_MICROSECONDS = 50000 };

static volatile sig_atomic_t ticked;
static volatile sig_atomic_t ended_by;

/* The clock of every duration in the report. */
uint64_t ticks_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Everything else is done by the loop, which looks at the flags. */
static void note_signal(int signal)
{
	if (signal != SIGALRM)
		ended_by = signal;
	ticked = 1;
}

/* No SA_RESTART: a read that sleeps has to come back. */
static void handle(int signal)
{
	struct sigaction action = {.sa_handler = note_signal};

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

/*
 * A timer that repeats: a tick that comes just before a call goes to sleep is not lost for long. One
 * that is ignored (as nohup and shells' background jobs do to SIGINT) stays ignored.
 */
void ticks_start(uint64_t limit)
{
	static const int ends[] = {SIGINT, SIGTERM};
	struct itimerval timer = {.it_interval.tv_usec = TICK_MICROSECONDS,
	                          .it_value.tv_usec = TICK_MICROSECONDS};
	sigset_t alarm;

	if (limit < (uint64_t)TICK_MICROSECONDS * 1000)
		timer.it_value.tv_usec = (suseconds_t)(limit / 1000 + 1);
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct sigaction old;

		if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			handle(ends[i]);
	}
	handle(SIGALRM);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* The flag is cleared first, so that a tick during the work that follows is seen. */
bool ticks_take(void)
{
	if (!ticked)
		return false;
	ticked = 0;
	return true;
}

/* See ticks.h. */
int ticks_signal(void)
{
	return (int)ended_by;
}

/* Shells and make look at how a child ended to know whether to go on. */
void ticks_die(int signal)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
	raise(signal);
}
