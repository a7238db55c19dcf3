/* The line that a terminal shows while the command runs. */
#ifndef VERIFIER_LIVE_H
#define VERIFIER_LIVE_H

#include <stdbool.h>
#include <stdint.h>

struct live {
	bool on;       /* somebody is looking */
	bool shown;    /* a line stands there now */
	uint64_t then; /* when it was shown last, and how much had come by then; 0: not yet */
	uint64_t bytes;
};

/* Looks whether standard error is a terminal. */
void live_open(struct live *live, bool quiet);

/* Shows the line if it is due, once a second. */
void live_show(struct live *live, uint64_t bytes, uint64_t started, uint64_t now);

/* Takes it away, before anything else is printed. */
void live_clear(struct live *live);

#endif
