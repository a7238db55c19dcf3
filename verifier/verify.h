/* What the files of the command share: what was asked for, and what was found. */
#ifndef VERIFIER_VERIFY_H
#define VERIFIER_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pipecore.h"
#include "verifier/expect.h"
#include "verifier/place.h"

/*
 * What is counted as right or wrong in the report, aligned to its multiples in the stream; also what a
 * sample takes at a time.
 */
#define STRETCH ((size_t)128 * 1024)

/* What was asked for. */
struct settings {
	struct expect *expect; /* NULL: nothing, only measure */
	bool partial;
	bool quiet;
	bool json;
	uint64_t sample;      /* check one stretch in so many; 1: all */
	uint64_t bytes;       /* stop after so many; UINT64_MAX: at the end */
	uint64_t nanoseconds; /* stop after so many; UINT64_MAX: at the end */
};

/* Why reading stopped. */
enum stopped { STOPPED_AT_END, STOPPED_BY_BYTES, STOPPED_BY_SECONDS, STOPPED_BY_SIGNAL, STOPPED_BY_ERROR };

/* What was found. */
struct report {
	uint64_t bytes;
	uint64_t checked; /* of them */
	uint64_t lines;
	bool lines_known;
	uint64_t stretches; /* checked, at least in part */
	uint64_t stretches_wrong;
	uint64_t nanoseconds; /* since the first byte */
	enum stopped stopped;
	int signal;         /* that stopped it, or 0 */
	struct place wrong; /* the first thing wrong */
};

/* run.c: reads to the end, or to where it was told to stop; says what is wrong as soon as it is known. */
void run(struct pc_reader *reader, const struct settings *settings, struct report *report);

/* report.c: prints the final report on standard output; returns the exit status. */
int report_print(const struct report *report, const struct settings *settings);

#endif
