/*
 * Line arithmetic of FizzBuzz: what line n says, how long it is, and at which byte it starts, in
 * closed form. Everything that must agree on this (kernels, the verifier, restarts) takes it from
 * here. Scalar code only, no state.
 *
 * Lines are numbered from 1 (0 is a line too: FizzBuzz) to 2^64-1. Byte counts saturate at
 * UINT64_MAX: the whole stream is longer than 2^64 bytes.
 */
#ifndef FIZZBUZZ_LINES_H
#define FIZZBUZZ_LINES_H

#include <stddef.h>
#include <stdint.h>

/* The longest line: twenty digits and the newline. */
#define FB_LINE_MAX 21

/* Number of decimal digits of n; 1 for 0. */
unsigned fb_digits(uint64_t n);

/* 10^exponent for exponents 0 to 19. */
uint64_t fb_power_of_ten(unsigned exponent);

/* Writes line n with its newline to `line` (FB_LINE_MAX bytes); returns its length. No terminator. */
size_t fb_line(uint64_t n, char *line);

/* Bytes of lines first to last, inclusive; 0 if first > last; saturates. */
uint64_t fb_bytes(uint64_t first, uint64_t last);

/*
 * The line that byte `offset` of the stream starting at line `first` belongs to, and in `*within` the
 * byte's place in that line. The caller makes sure that the stream is that long (fb_bytes).
 */
uint64_t fb_line_at(uint64_t first, uint64_t offset, unsigned *within);

#endif
