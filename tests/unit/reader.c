/* The reading side: every kind of descriptor, reads and drains in turn, ends and errors. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/pipecore.h"

enum { SIZE = 3000000 };

static unsigned char data[SIZE];

/* Content with a prime period. */
static void fill_data(void)
{
	for (size_t i = 0; i < SIZE; i++)
		data[i] = (unsigned char)((i ^ i >> 12) % 251);
}

/* Writes everything in pieces of odd sizes, in a thread, with a pause at the start, and closes. */
static void *write_all(void *argument)
{
	int fd = *(int *)argument;
	uint64_t seed = 9;

	usleep(30000);
	for (size_t at = 0; at < SIZE;) {
		size_t size = next_random(&seed) % 70000 + 1;
		ssize_t done = write(fd, data + at, SIZE - at < size ? SIZE - at : size);

		if (done > 0)
			at += (size_t)done;
		else if (errno != EAGAIN && errno != EINTR)
			break;
	}
	close(fd);
	return NULL;
}

/* Reads and discards in turn until the end; what is read must be what was written there. */
static void take_all(int fd, size_t piece, bool drain)
{
	static unsigned char buffer[200000];
	struct pc_reader *reader;
	size_t at = 0;
	bool draining = false;

	assert_int_equal(pc_reader_open(&reader, fd, 0), 0);
	for (;;) {
		ssize_t got =
			draining ? pc_reader_drain(reader, piece) : pc_reader_read(reader, buffer, piece);

		assert_true(got >= 0 && (size_t)got <= piece);
		if (got == 0)
			break;
		if (!draining)
			assert_memory_equal(buffer, data + at, (size_t)got);
		at += (size_t)got;
		draining = drain && !draining;
	}
	assert_int_equal(at, SIZE);
	/* The end stays the end. */
	assert_int_equal(pc_reader_read(reader, buffer, 1), 0);
	assert_int_equal(pc_reader_drain(reader, 1), 0);
	pc_reader_close(reader);
}

/* Every size of piece with and without drains, from one end of something with two. */
static void from_ends(int (*make)(int ends[2]), int flags)
{
	static const size_t pieces[] = {7, 4095, 4096, 65536, 200000};

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		for (int drain = 0; drain < 2; drain++) {
			pthread_t thread;
			int ends[2];

			assert_int_equal(make(ends), 0);
			assert_int_equal(fcntl(ends[0], F_SETFL, flags), 0);
			int before = fcntl(ends[0], F_GETFL);

			assert_int_equal(pthread_create(&thread, NULL, write_all, &ends[1]), 0);
			take_all(ends[0], pieces[i], drain);
			pthread_join(thread, NULL);
			assert_int_equal(fcntl(ends[0], F_GETFL), before);
			close(ends[0]);
		}
	}
}

/* For from_ends(). */
static int make_socket(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

/* A pipe, blocking and not. */
static void pipes(void **state)
{
	(void)state;
	from_ends(pipe, 0);
	from_ends(pipe, O_NONBLOCK);
}

/* A socket, blocking and not. */
static void sockets(void **state)
{
	(void)state;
	from_ends(make_socket, 0);
	from_ends(make_socket, O_NONBLOCK);
}

/* A regular file, read and drained. */
static void files(void **state)
{
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, SIZE, file), SIZE);
	assert_int_equal(fflush(file), 0);
	for (int drain = 0; drain < 2; drain++) {
		assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
		take_all(fileno(file), 65536, drain);
	}
	fclose(file);
}

/* The capacity asked for is had, and never made smaller. */
static void capacity(void **state)
{
	struct pc_reader *reader;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pc_reader_open(&reader, ends[0], 256 * 1024), 0);
	assert_int_equal(fcntl(ends[0], F_GETPIPE_SZ), 256 * 1024);
	assert_true(pc_reader_drains_free(reader));
	pc_reader_close(reader);
	assert_int_equal(pc_reader_open(&reader, ends[0], 64 * 1024), 0);
	assert_int_equal(fcntl(ends[0], F_GETPIPE_SZ), 256 * 1024);
	pc_reader_close(reader);
	assert_int_equal(pc_reader_open(&reader, ends[0], 0), 0);
	assert_int_equal(fcntl(ends[0], F_GETPIPE_SZ), 256 * 1024);
	pc_reader_close(reader);
	close(ends[0]);
	close(ends[1]);
}

/* What cannot be read says so. */
static void errors(void **state)
{
	struct pc_reader *reader;
	unsigned char byte;
	int fd = open("/", O_RDONLY);

	(void)state;
	int error = pc_reader_open(&reader, fd, 0);

	if (error == 0) {
		assert_int_equal(pc_reader_read(reader, &byte, 1), -EISDIR);
		assert_int_equal(pc_reader_drain(reader, 1), -EISDIR);
		pc_reader_close(reader);
	}
	close(fd);
	assert_true(pc_reader_open(&reader, -1, 0) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pipes),    cmocka_unit_test(sockets), cmocka_unit_test(files),
		cmocka_unit_test(capacity), cmocka_unit_test(errors),
	};

	fill_data();
	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
