/*
 * A writer on a pipe of its own and everything that can hold its pages, in one thread, so that what is
 * tested does not depend on time: content is moved on by the test itself, between two pushes.
 *
 * The content is the running number of each 8-byte word; a page seen at the wrong time shows as one.
 */
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/pipecore.h"

/* No more of them than a user may have (pipe-user-pages-soft is 64 MiB). */
enum { RIG_HOLDERS = 40, RIG_HOLD = 1 << 20 };

struct rig {
	int pipe[2];
	struct pc_writer *writer;
	uint64_t pushed; /* bytes */
	uint64_t taken;  /* bytes that have left the writer's pipe */
	uint64_t wrong;  /* words that were not what they must be */
	/* Pipes that hold content onward, oldest first. */
	int holders[RIG_HOLDERS][2];
	uint64_t held_from[RIG_HOLDERS];
	size_t held[RIG_HOLDERS];
	unsigned oldest, count;
};

/* Opens everything; the test ends as skipped where pipes of 1 MiB may not be had. */
static inline void rig_open(struct rig *rig, const struct pc_options *options)
{
	memset(rig, 0, sizeof *rig);
	assert_int_equal(pipe(rig->pipe), 0);
	assert_int_equal(pc_writer_open(&rig->writer, rig->pipe[1], options), 0);
	for (int i = 0; i < RIG_HOLDERS; i++) {
		assert_int_equal(pipe(rig->holders[i]), 0);
		if (fcntl(rig->holders[i][1], F_SETPIPE_SZ, RIG_HOLD) < RIG_HOLD) {
			print_message("# this user may not have %d pipes of 1 MiB\n", RIG_HOLDERS);
			skip();
		}
	}
}

/* Closes everything. */
static inline void rig_close(struct rig *rig)
{
	pc_writer_close(rig->writer);
	close(rig->pipe[0]);
	close(rig->pipe[1]);
	for (int i = 0; i < RIG_HOLDERS; i++) {
		close(rig->holders[i][0]);
		close(rig->holders[i][1]);
	}
}

/* Fills and pushes one half. */
static inline void rig_push(struct rig *rig)
{
	unsigned char *half;
	size_t room;

	assert_int_equal(pc_writer_next(rig->writer, &half, &room), 0);
	for (size_t i = 0; i < room; i += 8) {
		uint64_t word = (rig->pushed + i) / 8;

		memcpy(half + i, &word, 8);
	}
	assert_int_equal(pc_writer_push(rig->writer, room), 0);
	rig->pushed += room;
}

/* Reads `size` bytes and counts what is not the content from offset `at` on. */
static inline void rig_check(struct rig *rig, int fd, uint64_t at, size_t size)
{
	static unsigned char buffer[1 << 16];

	while (size > 0) {
		ssize_t got = read(fd, buffer, size < sizeof buffer ? size : sizeof buffer);

		assert_true(got > 0 && got % 8 == 0);
		for (ssize_t i = 0; i < got; i += 8) {
			uint64_t word;

			memcpy(&word, buffer + i, 8);
			if (word != (at + (uint64_t)i) / 8)
				rig->wrong++;
		}
		at += (uint64_t)got;
		size -= (size_t)got;
	}
}

/* Bytes in the writer's pipe. */
static inline size_t rig_content(const struct rig *rig)
{
	int content = 0;

	assert_int_equal(ioctl(rig->pipe[0], FIONREAD, &content), 0);
	return (size_t)content;
}

/* Bytes held onward in all. */
static inline size_t rig_held(const struct rig *rig)
{
	size_t held = 0;

	for (unsigned i = 0; i < rig->count; i++)
		held += rig->held[(rig->oldest + i) % RIG_HOLDERS];
	return held;
}

/* Reads all of the writer's pipe, at once. */
static inline void rig_read(struct rig *rig)
{
	size_t size = rig_content(rig);

	rig_check(rig, rig->pipe[0], rig->taken, size);
	rig->taken += size;
}

/* Moves all of the writer's pipe onward by reference, into the next free holder. */
static inline void rig_hold(struct rig *rig)
{
	while (rig_content(rig) > 0) {
		unsigned i = (rig->oldest + rig->count) % RIG_HOLDERS;

		assert_true(rig->count < RIG_HOLDERS);
		ssize_t moved = splice(rig->pipe[0], NULL, rig->holders[i][1], NULL, RIG_HOLD, SPLICE_F_NONBLOCK);

		assert_true(moved > 0);
		rig->held_from[i] = rig->taken;
		rig->held[i] = (size_t)moved;
		rig->taken += (uint64_t)moved;
		rig->count++;
	}
}

/* Reads what was held longest, late. */
static inline void rig_release(struct rig *rig)
{
	if (rig->count == 0)
		return;
	rig_check(rig, rig->holders[rig->oldest][0], rig->held_from[rig->oldest], rig->held[rig->oldest]);
	rig->oldest = (rig->oldest + 1) % RIG_HOLDERS;
	rig->count--;
}

/* Releases until no more than `size` bytes are held. */
static inline void rig_release_to(struct rig *rig, size_t size)
{
	while (rig_held(rig) > size)
		rig_release(rig);
}

/* Options with a method and, where not 0, a ring and a push. */
static inline struct pc_options rig_options(enum pc_method method, size_t ring, size_t push)
{
	struct pc_options options;

	pc_options_init(&options);
	options.method = method;
	options.ring = ring;
	options.push = push;
	return options;
}

/* The method in force. */
static inline enum pc_method rig_method(const struct rig *rig)
{
	return pc_writer_options(rig->writer)->method;
}

/* Whether this kernel shares what is vmspliced: one that copies has nothing to show. */
static inline bool rig_kernel_shares(void)
{
	struct pc_options options = rig_options(PC_AUTO, 0, 0);
	struct pc_writer *writer;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pc_writer_open(&writer, ends[1], &options), 0);
	enum pc_method method = pc_writer_options(writer)->method;

	pc_writer_close(writer);
	close(ends[0]);
	close(ends[1]);
	return method != PC_WRITE;
}

#endif
