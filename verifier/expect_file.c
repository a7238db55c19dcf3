/* The content of a file as something to compare with; see expect.h. */
#include "verifier/expect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* Read at a time; and how much of a long line is shown before the byte in question. */
enum { CHUNK = 64 * 1024, SHOWN_BEFORE = 32 };

struct file {
	struct expect base;
	int fd;
	const char *name;
	unsigned char chunk[CHUNK];
};

/* A file that cannot be read to its length is no ground for a verdict, so this ends the command. */
static size_t read_chunk(struct file *f, uint64_t offset, size_t size)
{
	size_t have = 0;

	if (size > CHUNK)
		size = CHUNK;
	while (have < size) {
		ssize_t got = pread(f->fd, f->chunk + have, size - have, (off_t)(offset + have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			cli_fail("%s: %s", f->name, strerror(errno));
		if (got == 0)
			cli_fail("%s: the file became shorter while it was compared", f->name);
		have += (size_t)got;
	}
	return have;
}

/* Where two runs of bytes part; they do. */
static size_t first_difference(const unsigned char *a, const unsigned char *b)
{
	size_t i = 0;

	while (a[i] == b[i])
		i++;
	return i;
}

/* Chunk by chunk. */
static size_t match(struct expect *expect, uint64_t offset, const unsigned char *data, size_t size)
{
	struct file *f = (struct file *)expect;
	size_t right = 0;

	if (offset >= expect->length)
		return 0;
	if (size > expect->length - offset)
		size = (size_t)(expect->length - offset);
	while (right < size) {
		size_t have = read_chunk(f, offset + right, size - right);

		if (memcmp(f->chunk, data + right, have) != 0)
			return right + first_difference(f->chunk, data + right);
		right += have;
	}
	return right;
}

/* Counts from the start of the file: done once, for a message. */
static void line_at(struct expect *expect, uint64_t offset, struct expect_line *line)
{
	struct file *f = (struct file *)expect;
	uint64_t start = 0;

	line->number = 1;
	for (uint64_t at = 0; at < offset;) {
		size_t have = read_chunk(f, at, offset - at < CHUNK ? (size_t)(offset - at) : CHUNK);

		for (size_t i = 0; i < have; i++) {
			if (f->chunk[i] == '\n') {
				line->number++;
				start = at + i + 1;
			}
		}
		at += have;
	}
	line->from_start = offset - start <= SHOWN_BEFORE;
	line->from = line->from_start ? start : offset - SHOWN_BEFORE;

	uint64_t rest = expect->length - line->from;
	size_t have = read_chunk(f, line->from, rest < EXPECT_SHOWN ? (size_t)rest : EXPECT_SHOWN);
	unsigned char *newline = memchr(f->chunk, '\n', have);

	line->size = newline ? (size_t)(newline - f->chunk) + 1 : have;
	line->to_end = newline || have == rest;
	memcpy(line->text, f->chunk, line->size);
}

/* See expect.h. */
static void close_file(struct expect *expect)
{
	close(((struct file *)expect)->fd);
	free(expect);
}

/* Only files that can be read at any offset and have a length: others are for cmp(1). */
struct expect *expect_file(const char *name)
{
	struct stat status;
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		int error = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;

		close(fd);
		errno = error;
		return NULL;
	}
	struct file *f = calloc(1, sizeof *f);

	if (!f) {
		close(fd);
		return NULL;
	}
	f->fd = fd;
	f->name = name;
	f->base.length = (uint64_t)status.st_size;
	f->base.match = match;
	f->base.line_at = line_at;
	f->base.close = close_file;
	snprintf(f->base.name, sizeof f->base.name, "%.60s", name);
	return &f->base;
}
