/*
 * What a stream should say. One kind per file: expect_fizzbuzz.c knows every byte from its offset,
 * expect_file.c looks it up.
 */
#ifndef VERIFIER_EXPECT_H
#define VERIFIER_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of an expected line that a message can show. */
enum { EXPECT_SHOWN = 64 };

/* An expected line, or the part of a long one around the byte in question. */
struct expect_line {
	uint64_t number; /* counted from FIRST, or from 1 in a file */
	uint64_t from;   /* offset of the first byte shown */
	bool from_start; /* which is the start of the line */
	bool to_end;     /* the last byte shown is the line's last */
	size_t size;
	unsigned char text[EXPECT_SHOWN];
};

struct expect {
	uint64_t length; /* bytes of the whole stream; UINT64_MAX: more than can be counted */
	char name[64];   /* what is expected, for messages: "lines 1 to 100" */
	/* FizzBuzz without a stated end: a message about the end says how to state it. */
	bool end_not_stated;
	uint64_t first;

	/* How many of the bytes at `offset` are right before the first that is not. Offsets may jump. */
	size_t (*match)(struct expect *expect, uint64_t offset, const unsigned char *data, size_t size);
	/* The line that byte `offset` belongs to; offset < length. */
	void (*line_at)(struct expect *expect, uint64_t offset, struct expect_line *line);
	/* Whole lines before `offset` <= length, if that can be said without reading; else NULL. */
	uint64_t (*lines_before)(struct expect *expect, uint64_t offset);
	void (*close)(struct expect *expect);
};

/* The lines first to last of FizzBuzz; first <= last. NULL if there is no memory. */
struct expect *expect_fizzbuzz(uint64_t first, uint64_t last);

/* The content of a file of any size. NULL with the reason in errno if it cannot be used. */
struct expect *expect_file(const char *name);

#endif
