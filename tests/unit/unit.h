/* What every unit test includes: cmocka wants these headers before its own. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The boundaries that programs of this kind get wrong: powers of ten and of two, and both ends. */
static const uint64_t boundaries[] = {
	10u,
	100u,
	1000u,
	10000u,
	100000u,
	1000000u,
	10000000u,
	100000000u,
	1000000000u,
	10000000000u,
	100000000000u,
	1000000000000u,
	10000000000000u,
	100000000000000u,
	1000000000000000u,
	10000000000000000u,
	100000000000000000u,
	1000000000000000000u,
	10000000000000000000u,
	(uint64_t)1 << 31,
	(uint64_t)1 << 32,
	(uint64_t)1 << 63,
	1000,
	UINT64_MAX - 1000,
};

enum { BOUNDARIES = sizeof boundaries / sizeof *boundaries };

/* A small generator of random numbers, the same on every machine. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
