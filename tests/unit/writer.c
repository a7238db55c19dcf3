/* The writer's interface: options, errors, odd sizes, the descriptor's flags, what is left behind. */
#include "tests/unit/rig.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { KIB = 1024, MIB = 1024 * KIB };

/* The names are an interface of the command line. */
static void method_names(void **state)
{
	(void)state;
	assert_string_equal(pc_method_name(PC_AUTO), "auto");
	assert_string_equal(pc_method_name(PC_FENCE), "fence");
	assert_string_equal(pc_method_name(PC_RING), "ring");
	assert_string_equal(pc_method_name(PC_FRESH), "fresh");
	assert_string_equal(pc_method_name(PC_WRITE), "write");
}

/* What was chosen can be read back, is never zero, and hangs together. */
static void options_read_back(void **state)
{
	static const size_t rings[] = {0, 8 * KIB, 256 * KIB, 1 * MIB, 5 * MIB, 16 * MIB};

	(void)state;
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
			struct pc_options options = rig_options(method, rings[i], 0);
			struct pc_writer *writer;
			int ends[2];

			assert_int_equal(pipe(ends), 0);
			assert_int_equal(pc_writer_open(&writer, ends[1], &options), 0);
			const struct pc_options *chosen = pc_writer_options(writer);

			assert_true(chosen->method != PC_AUTO);
			if (method == PC_RING || method == PC_FRESH || method == PC_WRITE)
				assert_int_equal(chosen->method, method);
			assert_true(chosen->half > 0 && chosen->half % 4096 == 0);
			assert_true(chosen->push >= chosen->half && chosen->push % chosen->half == 0);
			assert_true(chosen->ring >= 2 * chosen->push && chosen->ring >= rings[i]);
			assert_true(method != PC_RING || chosen->slack >= 1 * MIB);
			pc_writer_close(writer);
			close(ends[0]);
			close(ends[1]);
		}
	}
}

/* Sizes that contradict each other are told, not bent. */
static void contradicting_sizes(void **state)
{
	static const size_t cases[][3] = {
		/* half, push, ring */
		{0, 1 * MIB, 1 * MIB},   {1 * MIB, 0, 1 * MIB},   {0, 0, 4096},
		{4096, 8192, 12288},     {(size_t)1 << 40, 0, 0}, {0, (size_t)1 << 40, 0},
		{0, 0, (size_t)1 << 40},
	};
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			struct pc_options options = rig_options(method, cases[i][2], cases[i][1]);
			struct pc_writer *writer;

			options.half = cases[i][0];
			int error = pc_writer_open(&writer, ends[1], &options);

			if (error != -EINVAL)
				fail_msg("method %d, case %zu: %d instead of -EINVAL", (int)method, i, error);
		}
	}
	close(ends[0]);
	close(ends[1]);
}

/* Descriptors that cannot be written to. */
static void wrong_descriptors(void **state)
{
	struct pc_options options = rig_options(PC_AUTO, 0, 0);
	struct pc_writer *writer;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pc_writer_open(&writer, ends[0], &options), -EBADF);
	assert_int_equal(pc_writer_open(&writer, -1, &options), -EBADF);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(pc_writer_open(&writer, ends[1], &options), -EBADF);
	int fd = open("/dev/null", O_RDONLY);

	assert_int_equal(pc_writer_open(&writer, fd, &options), -EBADF);
	close(fd);
}

/* Reads to the end in another thread; the words are checked there. */
struct reading {
	int fd;
	uint64_t bytes, wrong;
	unsigned delay_ms;
};

/* A byte at offset n of the stream is this one; 251 is a prime, so that stretches differ. */
static unsigned char content(uint64_t offset)
{
	return (unsigned char)((offset ^ offset >> 12) % 251);
}

/* See struct reading. */
static void *read_all(void *argument)
{
	static _Thread_local unsigned char buffer[100000];
	struct reading *reading = argument;
	ssize_t got;

	usleep(reading->delay_ms * 1000);
	while ((got = read(reading->fd, buffer, sizeof buffer)) != 0) {
		if (got < 0)
			continue;
		for (ssize_t i = 0; i < got; i++) {
			if (buffer[i] != content(reading->bytes + (uint64_t)i))
				reading->wrong++;
		}
		reading->bytes += (uint64_t)got;
	}
	return NULL;
}

/* Pushes of every size up to the half, finishes in between, and every shape, into a reader in a thread. */
static void odd_pushes(enum pc_method method, size_t half, size_t push, size_t ring, int flags)
{
	struct pc_options options = rig_options(method, ring, push);
	struct reading reading = {.delay_ms = flags & O_NONBLOCK ? 100 : 0};
	struct pc_writer *writer;
	pthread_t thread;
	uint64_t offset = 0, seed = 1 + half + ring;
	int ends[2];

	options.half = half;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[1], F_SETFL, flags), 0);
	int before = fcntl(ends[1], F_GETFL);

	reading.fd = ends[0];
	assert_int_equal(pc_writer_open(&writer, ends[1], &options), 0);
	assert_int_equal(pthread_create(&thread, NULL, read_all, &reading), 0);
	for (int i = 0; i < 150; i++) {
		unsigned char *start;
		size_t room, size;

		assert_int_equal(pc_writer_next(writer, &start, &room), 0);
		assert_true((uintptr_t)start % 4096 == 0);
		size = next_random(&seed) % 3 ? room : next_random(&seed) % room;
		for (size_t j = 0; j < size; j++)
			start[j] = content(offset + j);
		assert_int_equal(pc_writer_push(writer, size), 0);
		offset += size;
		if (next_random(&seed) % 10 == 0)
			assert_int_equal(pc_writer_finish(writer), 0);
	}
	assert_int_equal(pc_writer_finish(writer), 0);
	assert_int_equal(pc_writer_finish(writer), 0);
	assert_true(pc_writer_stats(writer).bytes == offset);
	pc_writer_close(writer);
	assert_int_equal(fcntl(ends[1], F_GETFL), before);
	close(ends[1]);
	pthread_join(thread, NULL);
	close(ends[0]);
	if (reading.bytes != offset || reading.wrong)
		fail_msg("method %d half %zu push %zu ring %zu: %ju bytes of %ju, %ju wrong", (int)method,
		         half, push, ring, (uintmax_t)reading.bytes, (uintmax_t)offset,
		         (uintmax_t)reading.wrong);
}

/* See odd_pushes(). */
static void pushes_of_every_size(void **state)
{
	static const size_t cases[][3] = {
		{0, 0, 0},
		{4 * KIB, 4 * KIB, 8 * KIB},
		{4 * KIB, 64 * KIB, 128 * KIB},
		{64 * KIB, 128 * KIB, 4 * MIB},
		{128 * KIB, 384 * KIB, 6 * MIB},
		{1 * MIB, 1 * MIB, 4 * MIB},
	};

	(void)state;
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
			odd_pushes(method, cases[i][0], cases[i][1], cases[i][2], 0);
		odd_pushes(method, 0, 0, 0, O_NONBLOCK);
		odd_pushes(method, 4 * KIB, 64 * KIB, 128 * KIB, O_NONBLOCK);
	}
}

/* A reader that has gone: the error, and the signal, which this test ignores. */
static void reader_has_gone(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		struct pc_options options = rig_options(method, 0, 0);
		struct pc_writer *writer;
		unsigned char *half;
		size_t room;
		int ends[2], error = 0;

		assert_int_equal(pipe(ends), 0);
		assert_int_equal(pc_writer_open(&writer, ends[1], &options), 0);
		close(ends[0]);
		for (int i = 0; i < 100 && error == 0; i++) {
			error = pc_writer_next(writer, &half, &room);
			if (error == 0)
				error = pc_writer_push(writer, room);
		}
		assert_int_equal(error, -EPIPE);
		pc_writer_close(writer);
		close(ends[1]);
	}
}

/* The same with the signal's default: the process ends of SIGPIPE. */
static void reader_has_gone_by_signal(void **state)
{
	(void)state;
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		int ends[2], status;

		assert_int_equal(pipe(ends), 0);
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			struct pc_options options = rig_options(method, 0, 0);
			struct pc_writer *writer;
			unsigned char *half;
			size_t room;

			signal(SIGPIPE, SIG_DFL);
			if (pc_writer_open(&writer, ends[1], &options) != 0)
				_exit(1);
			close(ends[0]);
			while (pc_writer_next(writer, &half, &room) == 0 && pc_writer_push(writer, room) == 0)
				continue;
			_exit(2);
		}
		close(ends[0]);
		close(ends[1]);
		assert_true(waitpid(child, &status, 0) == child);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
	}
}

/* A file gets every byte, whatever method was asked for. */
static void regular_file(void **state)
{
	(void)state;
	for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
		struct pc_options options = rig_options(method, 0, 0);
		FILE *file = tmpfile();
		struct pc_writer *writer;
		unsigned char *half;
		size_t room;
		uint64_t offset = 0;

		assert_non_null(file);
		assert_int_equal(pc_writer_open(&writer, fileno(file), &options), 0);
		assert_int_equal(pc_writer_options(writer)->method, PC_WRITE);
		for (int i = 0; i < 40; i++) {
			assert_int_equal(pc_writer_next(writer, &half, &room), 0);
			for (size_t j = 0; j < room; j++)
				half[j] = content(offset + j);
			assert_int_equal(pc_writer_push(writer, room), 0);
			offset += room;
		}
		assert_int_equal(pc_writer_finish(writer), 0);
		pc_writer_close(writer);
		struct reading reading = {.fd = fileno(file)};

		lseek(reading.fd, 0, SEEK_SET);
		read_all(&reading);
		assert_true(reading.bytes == offset && reading.wrong == 0);
		fclose(file);
	}
}

/* A socket is no pipe. */
static void socket_is_written_to(void **state)
{
	struct pc_options options = rig_options(PC_AUTO, 0, 0);
	struct pc_writer *writer;
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(pc_writer_open(&writer, ends[0], &options), 0);
	assert_int_equal(pc_writer_options(writer)->method, PC_WRITE);
	pc_writer_close(writer);
	close(ends[0]);
	close(ends[1]);
}

/* A full device and an error that is not the reader's. */
static void write_error(void **state)
{
	struct pc_options options = rig_options(PC_AUTO, 0, 0);
	struct pc_writer *writer;
	unsigned char *half;
	size_t room;
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	if (fd < 0)
		skip();
	assert_int_equal(pc_writer_open(&writer, fd, &options), 0);
	assert_int_equal(pc_writer_next(writer, &half, &room), 0);
	int error = pc_writer_push(writer, room);

	if (error == 0)
		error = pc_writer_finish(writer);
	assert_int_equal(error, -ENOSPC);
	pc_writer_close(writer);
	close(fd);
}

/* Lines of a file. */
static unsigned count_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned lines = 0;
	int c;

	assert_non_null(file);
	while ((c = fgetc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	return lines;
}

/* Descriptors of this process. */
static unsigned count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* No mapping, no descriptor, no child and no thread is left by a writer that was closed. */
static void nothing_left_behind(void **state)
{
	unsigned maps = 0, descriptors = 0;
	int ends[2];

	(void)state;
	for (int round = 0; round < 4; round++) {
		for (enum pc_method method = PC_AUTO; method <= PC_WRITE; method++) {
			struct pc_options options = rig_options(method, 0, 0);
			struct pc_writer *writer;

			assert_int_equal(pipe(ends), 0);
			assert_int_equal(pc_writer_open(&writer, ends[1], &options), 0);
			pc_writer_close(writer);
			close(ends[0]);
			close(ends[1]);
		}
		/* The first round may leave what the C library keeps. */
		if (round == 1) {
			maps = count_lines("/proc/self/maps");
			descriptors = count_descriptors();
		}
	}
#ifndef __SANITIZE_ADDRESS__
	/* A sanitizer keeps mappings of its own. */
	assert_true(count_lines("/proc/self/maps") <= maps);
#endif
	assert_int_equal(count_descriptors(), descriptors);
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	assert_int_equal(errno, ECHILD);
	pc_writer_close(NULL);
}

/* Notes are lines of text without a newline; what was chosen is among them. */
static void take_note(void *argument, enum pc_level level, const char *text)
{
	unsigned *count = argument;

	assert_true(level == PC_INFO || level == PC_WARN);
	assert_true(*text && !strchr(text, '\n'));
	++*count;
}

/* See take_note(). */
static void notes(void **state)
{
	struct pc_options options = rig_options(PC_AUTO, 0, 0);
	struct pc_writer *writer;
	unsigned count = 0;
	int ends[2];

	(void)state;
	options.note = take_note;
	options.note_arg = &count;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pc_writer_open(&writer, ends[1], &options), 0);
	assert_true(count > 0);
	pc_writer_close(writer);
	close(ends[0]);
	close(ends[1]);
}

static volatile sig_atomic_t children;

/* Counts signals that a caller's handler sees. */
static void on_child(int number)
{
	(void)number;
	children++;
}

/* No SIGCHLD of a fence reaches a caller's handler, and a caller that forks still can. */
static void signals_and_forks_of_the_caller(void **state)
{
	struct pc_options options = rig_options(PC_FENCE, 4 * MIB, 0);
	struct sigaction action = {.sa_handler = on_child}, before;
	struct rig rig;
	int status;

	(void)state;
	children = 0;
	sigaction(SIGCHLD, &action, &before);
	rig_open(&rig, &options);
	for (int i = 0; i < 200; i++) {
		rig_push(&rig);
		rig_read(&rig);
	}
	assert_int_equal(children, 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		_exit(rig.wrong ? 1 : 7);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	assert_int_equal(WEXITSTATUS(status), 7);
	for (int i = 0; i < 200; i++) {
		rig_push(&rig);
		rig_read(&rig);
	}
	assert_true(rig.wrong == 0);
	rig_close(&rig);
	sigaction(SIGCHLD, &before, NULL);
}

/* After an error the stream has ended: what is pushed later would stand in the wrong place. */
static void an_error_is_the_end(void **state)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct pc_writer *writer;
	struct pc_options options;
	unsigned char *half;
	size_t room;

	(void)state;
	pc_options_init(&options);
	assert_int_equal(pc_writer_open(&writer, full, &options), 0);
	assert_int_equal(pc_writer_next(writer, &half, &room), 0);
	memset(half, 'x', room);
	assert_int_equal(pc_writer_push(writer, room), -ENOSPC);
	assert_true(dup2(null, full) == full);
	assert_int_equal(pc_writer_next(writer, &half, &room), -ENOSPC);
	assert_int_equal(pc_writer_push(writer, room), -ENOSPC);
	assert_int_equal(pc_writer_finish(writer), -ENOSPC);
	pc_writer_close(writer);
	close(full);
	close(null);
}

/* What could not be opened can be closed, as the example in the header does. */
static void a_failed_open_leaves_nothing(void **state)
{
	struct pc_writer *writer = (struct pc_writer *)&state;
	struct pc_options options;

	pc_options_init(&options);
	assert_int_equal(pc_writer_open(&writer, -1, &options), -EBADF);
	assert_null(writer);
	pc_writer_close(writer);
	pc_reader_close(NULL);
	options.method = (enum pc_method)77;
	assert_int_equal(pc_writer_open(&writer, 1, &options), -EINVAL);
	assert_null(writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(method_names),
		cmocka_unit_test(options_read_back),
		cmocka_unit_test(contradicting_sizes),
		cmocka_unit_test(wrong_descriptors),
		cmocka_unit_test(pushes_of_every_size),
		cmocka_unit_test(reader_has_gone),
		cmocka_unit_test(reader_has_gone_by_signal),
		cmocka_unit_test(regular_file),
		cmocka_unit_test(socket_is_written_to),
		cmocka_unit_test(write_error),
		cmocka_unit_test(nothing_left_behind),
		cmocka_unit_test(notes),
		cmocka_unit_test(signals_and_forks_of_the_caller),
		cmocka_unit_test(an_error_is_the_end),
		cmocka_unit_test(a_failed_open_leaves_nothing),
	};

	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
