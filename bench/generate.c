/*
 * The parts that a writer's time is made of, each alone, in turns, on one CPU, in a ring of the size that
 * `fizzbuzz --fast` has:
 *
 *     stores    aligned stores of one vector and nothing else: the most that any generator can reach
 *     generate  FizzBuzz, with the kernel that fizzbuzz would choose
 *     push      vmsplice(2) into a pipe of our own, while nobody else touches it; draining is not counted
 *
 * Prints a line NAME BYTES-PER-SECOND for each.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "core/pipecore.h"
#include "generators/fizzbuzz/stream.h"

/* Long enough that the clock does not matter, short enough that all parts see the same weather. */
enum { HUGE_PAGE = 2 * 1024 * 1024, SLICE = 256 * 1024 * 1024 };

/* Ten digits, as in most of any measurement of the command. */
static const uint64_t first_line = 1000000000;

static struct pc_options sizes;
static unsigned char *ring;
static int pipe_ends[2];
static int null_fd;

/* Ends the program: no figure is better than a wrong one. */
static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "generate: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Seconds on a clock that only goes forward. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Has the core choose the sizes, and give the pipe the capacity that it would have. */
static void choose_sizes(void)
{
	struct pc_writer *writer;

	if (pipe(pipe_ends))
		fail("pipe");
	null_fd = open("/dev/null", O_WRONLY);
	if (null_fd < 0)
		fail("/dev/null");
	pc_options_init(&sizes);
	sizes.method = PC_RING;

	int error = pc_writer_open(&writer, pipe_ends[1], &sizes);

	if (error) {
		errno = -error;
		fail("pc_writer_open");
	}
	sizes = *pc_writer_options(writer);
	pc_writer_close(writer);
}

/* A ring as the core's: huge pages, all of them there before anything is measured. */
static void map_ring(void)
{
	size_t size = sizes.ring + HUGE_PAGE;
	unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	ring = memory + (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
	madvise(ring, sizes.ring, MADV_HUGEPAGE);
	memset(ring, 'x', sizes.ring);
}

/* The vector of the widest kernel there is, and the loop that stores it. */
#if defined(__x86_64__)
typedef uint64_t vector __attribute__((vector_size(32), may_alias));
__attribute__((target("avx2")))
#else
typedef uint64_t vector __attribute__((vector_size(16), may_alias));
#endif
static void store(unsigned char *out, size_t size)
{
	vector value = {0x7a7a7542};
	vector *end = (vector *)(void *)(out + size);

	for (vector *at = (vector *)(void *)out; at < end; at += 4) {
		at[0] = value;
		at[1] = value;
		at[2] = value;
		at[3] = value;
		/* These must stay stores, and not become a call of memset. */
		__asm__ volatile("" : : : "memory");
	}
}

/* Seconds for a slice of bare stores, a half at a time round the ring as everything here. */
static double time_stores(void)
{
	double start = now();

	for (size_t done = 0; done < SLICE; done += sizes.half)
		store(ring + done % sizes.ring, sizes.half);
	return now() - start;
}

/* Seconds for a slice of FizzBuzz. */
static double time_generate(struct fb_stream *stream)
{
	double start = now();

	for (size_t done = 0; done < SLICE; done += sizes.half) {
		if (fb_stream_fill(stream, ring + done % sizes.ring, sizes.half) != sizes.half)
			fail("fb_stream_fill");
	}
	return now() - start;
}

/* Empties the pipe. */
static void drain(size_t size)
{
	while (size > 0) {
		ssize_t moved = splice(pipe_ends[0], NULL, null_fd, NULL, size, 0);

		if (moved <= 0)
			fail("splice");
		size -= (size_t)moved;
	}
}

/* Seconds for a slice of pushes, each into an empty pipe. */
static double time_push(void)
{
	double seconds = 0;

	for (size_t done = 0; done < SLICE; done += sizes.push) {
		struct iovec part = {.iov_base = ring + done % sizes.ring, .iov_len = sizes.push};
		double start = now();
		ssize_t pushed = vmsplice(pipe_ends[1], &part, 1, SPLICE_F_NONBLOCK);

		seconds += now() - start;
		if (pushed != (ssize_t)sizes.push)
			fail("vmsplice: the pipe should hold a push");
		drain(sizes.push);
	}
	return seconds;
}

int main(int argc, char **argv)
{
	uint64_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)10 << 30;
	uint64_t slices = (bytes + SLICE - 1) / SLICE;
	struct fb_stream *stream = fb_stream_open(first_line, UINT64_MAX, fb_best_isa());
	double stores = 0, generate = 0, push = 0;

	if (!stream)
		fail("fb_stream_open");
	choose_sizes();
	map_ring();
	/* The first slice of each is to warm up. */
	for (uint64_t i = 0; i <= slices; i++) {
		double a = time_stores();
		double b = time_generate(stream);
		double c = time_push();

		if (i > 0) {
			stores += a;
			generate += b;
			push += c;
		}
	}
	bytes = slices * SLICE;
	printf("stores %.0f\ngenerate %.0f\npush %.0f\n", (double)bytes / stores, (double)bytes / generate,
	       (double)bytes / push);
	fb_stream_close(stream);
	return fflush(stdout) ? 1 : 0;
}
