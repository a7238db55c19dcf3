/* Where a stream is wrong: the place, the line that belongs there and the line that came. */
#ifndef VERIFIER_PLACE_H
#define VERIFIER_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verifier/expect.h"

/* What is wrong with a stream. */
enum wrong {
	WRONG_NOTHING,
	WRONG_BYTE,        /* another byte was expected */
	WRONG_END,         /* it ends early, after a whole line */
	WRONG_END_IN_LINE, /* it ends inside a line */
	WRONG_GOES_ON,     /* it goes on after its end */
	WRONG_EMPTY,       /* nothing came */
	WRONG_READ,        /* it cannot be read */
};

struct place {
	enum wrong wrong;
	int error;           /* WRONG_READ: an errno value */
	uint64_t offset;     /* counted from 0 */
	uint64_t after_line; /* WRONG_GOES_ON: how many lines were expected, or came if that is not known */
	bool has_expected;   /* and `expected` is the line of `offset` */
	struct expect_line expected;
	/* The received line, or as much as fits, from where `expected` begins; it may come in pieces. */
	bool received_from_start;
	bool received_to_end;
	size_t received_size;
	unsigned char received[EXPECT_SHOWN];
};

/*
 * Begins the place of something wrong at `offset`, where all bytes from `known` on were right before
 * it. `expect` says what belongs there; NULL for a place behind the end.
 */
void place_begin(struct place *place, enum wrong wrong, uint64_t offset, uint64_t known,
                 struct expect *expect);

/* Adds received bytes from the wrong one on; returns whether the line is whole, or no more of it fits. */
bool place_add(struct place *place, const unsigned char *data, size_t size);

/* Says what is wrong in one line on standard error. */
void place_print(const struct place *place, const struct expect *expect);

/* "byte", "end" and so on, for machines. */
const char *place_wrong_name(enum wrong wrong);

/* Room for EXPECT_SHOWN bytes in printable form, with dots before and after. */
enum { PLACE_TEXT = 6 * EXPECT_SHOWN + 8 };

/* The expected and the received line for people ("..." where they were cut), or as JSON string content. */
void place_expected_text(const struct place *place, char text[PLACE_TEXT], bool json);
void place_received_text(const struct place *place, char text[PLACE_TEXT], bool json);

#endif
