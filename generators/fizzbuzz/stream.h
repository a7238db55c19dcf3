/*
 * The FizzBuzz stream as bytes: any range of lines, any number of bytes at a time, by the kernel that
 * the caller or the CPU chooses. Needs no old contents of what it fills.
 */
#ifndef FIZZBUZZ_STREAM_H
#define FIZZBUZZ_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generators/isa.h"

struct fb_stream;

/* The widest instruction set that this CPU runs and a kernel was compiled for. */
enum isa fb_best_isa(void);

/* Whether there is a kernel for it here: compiled in, and the CPU can run it. */
bool fb_has_kernel(enum isa isa);

/*
 * Starts a stream of lines `first` to `last`, first <= last, with the kernel of an instruction set that
 * fb_has_kernel(). Returns NULL if there is no memory. Ends with fb_stream_close().
 */
struct fb_stream *fb_stream_open(uint64_t first, uint64_t last, enum isa isa);

/*
 * Fills `size` bytes at `out` with what comes next; returns less only at the end of the stream, and 0
 * after it. Vector kernels run only where `out` is aligned to 64 bytes; the rest of `size` modulo 64
 * should be 0 too, or each call is slow to start.
 */
size_t fb_stream_fill(struct fb_stream *stream, unsigned char *out, size_t size);

/* Frees the stream. */
void fb_stream_close(struct fb_stream *stream);

#endif
