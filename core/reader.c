/*
 * The reading side; see pipecore.h.
 *
 * The flags of the descriptor are shared with other processes, so it is never made non-blocking: each
 * call says for itself that it does not want to sleep, and where the kernel has no such call, poll(2)
 * is asked first.
 */
#include "core/pipecore.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/wait.h"

/* Read at a time where nothing can be spliced away. */
enum { SCRATCH = 128 * 1024 };

struct pc_reader {
	int fd;
	int null_fd; /* where drained bytes go; -1 if splice(2) cannot take them there */
	bool is_pipe;
	bool may_spin;
	bool has_nowait; /* preadv2(2) with RWF_NOWAIT works on this descriptor */
	char *scratch;   /* read into by a drain that has to copy; allocated when first needed */
};

/* A larger pipe is a wish: whoever owns it may have used up what they are allowed. */
static void enlarge_pipe(int fd, size_t pipe_size)
{
	int capacity = fcntl(fd, F_GETPIPE_SZ);

	if (capacity > 0 && pipe_size > (size_t)capacity && pipe_size <= INT32_MAX)
		(void)fcntl(fd, F_SETPIPE_SZ, (int)pipe_size);
}

/* Only what costs nothing is decided here; what the kernel can do shows at the first call. */
int pc_reader_open(struct pc_reader **reader, int fd, size_t pipe_size)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return -errno;
	struct pc_reader *r = calloc(1, sizeof *r);

	if (!r)
		return -ENOMEM;
	r->fd = fd;
	r->null_fd = -1;
	r->is_pipe = S_ISFIFO(status.st_mode);
	r->may_spin = r->is_pipe && pc_may_spin();
	if (r->is_pipe) {
		r->has_nowait = true;
		r->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		enlarge_pipe(fd, pipe_size);
	}
	*reader = r;
	return 0;
}

/* Frees what the drain needed, too. */
void pc_reader_close(struct pc_reader *reader)
{
	if (!reader)
		return;
	if (reader->null_fd >= 0)
		close(reader->null_fd);
	free(reader->scratch);
	free(reader);
}

/* Until a splice was refused, a pipe is taken at its word. */
bool pc_reader_drains_free(const struct pc_reader *reader)
{
	return reader->null_fd >= 0;
}

/* For kernels and files without RWF_NOWAIT: whether a read(2) would find something, or the end. */
static bool is_readable(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};

	/* An error of poll itself is left to read(2), which knows what it means. */
	return poll(&state, 1, 0) != 0;
}

/* One try to read from a pipe that does not sleep. Returns as read(2), with -errno. */
static ssize_t try_read_pipe(struct pc_reader *reader, void *buffer, size_t size)
{
	if (reader->has_nowait) {
		struct iovec part = {.iov_base = buffer, .iov_len = size};
		ssize_t got = preadv2(reader->fd, &part, 1, -1, RWF_NOWAIT);

		if (got >= 0)
			return got;
		if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL && errno != ESPIPE &&
		    errno != EPERM)
			return -errno;
		reader->has_nowait = false;
	}
	if (!is_readable(reader->fd))
		return -EAGAIN;
	ssize_t got = read(reader->fd, buffer, size);

	return got < 0 ? -errno : got;
}

/* One try to read from anything: only a pipe is worth spinning on, all else sleeps in read(2). */
static ssize_t try_read(struct pc_reader *reader, void *buffer, size_t size)
{
	if (reader->is_pipe)
		return try_read_pipe(reader, buffer, size);
	ssize_t got = read(reader->fd, buffer, size);

	return got < 0 ? -errno : got;
}

/* One try to splice away. Returns as splice(2), with -errno. */
static ssize_t try_splice(struct pc_reader *reader, void *unused, size_t size)
{
	(void)unused;
	ssize_t gone =
		splice(reader->fd, NULL, reader->null_fd, NULL, size, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);

	return gone < 0 ? -errno : gone;
}

/*
 * Tries until something comes. A sleep that ends with nothing to take ends the wait too (-EINTR):
 * that is how a caller's signal handler gets its turn.
 */
static ssize_t until_something(struct pc_reader *reader, void *buffer, size_t size,
                               ssize_t (*try)(struct pc_reader *, void *, size_t))
{
	struct pc_wait wait = {0};
	bool slept = false;

	for (;;) {
		ssize_t got = try(reader, buffer, size);

		if (got != -EAGAIN)
			return got;
		if (slept)
			return -EINTR;
		slept = pc_wait(&wait, reader->fd, POLLIN, reader->may_spin);
	}
}

/* Zero bytes would look like the end. */
ssize_t pc_reader_read(struct pc_reader *reader, void *buffer, size_t size)
{
	return size ? until_something(reader, buffer, size, try_read) : -EINVAL;
}

/* The way without splice(2), for files of other kinds and for kernels that refuse it. */
static ssize_t drain_by_reading(struct pc_reader *reader, size_t size)
{
	if (!reader->scratch && !(reader->scratch = malloc(SCRATCH)))
		return -ENOMEM;
	return pc_reader_read(reader, reader->scratch, size < SCRATCH ? size : SCRATCH);
}

/* A splice that is refused has taken nothing, so changing over loses nothing. */
ssize_t pc_reader_drain(struct pc_reader *reader, size_t size)
{
	if (size == 0)
		return -EINVAL;
	if (reader->null_fd < 0)
		return drain_by_reading(reader, size);
	ssize_t gone = until_something(reader, NULL, size, try_splice);

	if (gone != -EINVAL && gone != -ENOSYS && gone != -EPERM && gone != -EOPNOTSUPP && gone != -EBADF)
		return gone;
	close(reader->null_fd);
	reader->null_fd = -1;
	return drain_by_reading(reader, size);
}
