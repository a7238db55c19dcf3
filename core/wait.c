/* Waiting; see wait.h. */
#include "core/wait.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <time.h>

/* Long enough to outlast the wake-up of a sleeping peer, far too short to be noticed as load. */
enum { SPIN_NANOSECONDS = 100000, PAUSES = 200 };

/* The clock every wait and rate is measured with. */
uint64_t pc_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Asks for the affinity, which a container or taskset may have narrowed to one CPU. */
bool pc_may_spin(void)
{
	cpu_set_t allowed;

	/* More CPUs than cpu_set_t holds is an error here, and plenty. */
	return sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) > 1;
}

/* A hint to the CPU where there is one. */
void pc_pause(void)
{
	for (int i = 0; i < PAUSES; i++) {
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#elif defined(__aarch64__)
		__asm__ volatile("isb" ::: "memory");
#else
		__asm__ volatile("" ::: "memory");
#endif
	}
}

/* See wait.h; the order of the two phases is the whole policy. */
bool pc_wait(struct pc_wait *wait, int fd, short events, bool may_spin)
{
	struct pollfd ready = {.fd = fd, .events = events};

	if (may_spin) {
		uint64_t now = pc_now();

		if (wait->since == 0)
			wait->since = now;
		if (now - wait->since < SPIN_NANOSECONDS) {
			pc_pause();
			return false;
		}
	}
	if (poll(&ready, 1, -1) < 0 && errno != EINTR) {
		/* A poll that fails must not turn this into a busy loop. */
		struct timespec nap = {.tv_nsec = 1000000};

		nanosleep(&nap, NULL);
	}
	return true;
}
