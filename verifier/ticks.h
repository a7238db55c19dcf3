/*
 * A timer that sets a flag: asking whether something is due costs one load, and a call that sleeps is
 * interrupted. Signals that end the command are noted in the same way, so that it can still report.
 */
#ifndef VERIFIER_TICKS_H
#define VERIFIER_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* Monotonic time in nanoseconds. */
uint64_t ticks_now(void);

/* Starts the timer, which ticks at least twenty times a second and `limit` nanoseconds from now. */
void ticks_start(uint64_t limit);

/* Whether it ticked, or a signal came, since the last call. */
bool ticks_take(void);

/* SIGINT or SIGTERM once it came, else 0. */
int ticks_signal(void);

/* Ends the command as that signal would have. */
void ticks_die(int signal);

#endif
