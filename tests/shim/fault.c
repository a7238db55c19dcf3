/*
 * fault.so - makes system calls fail on demand, where a tracer may not be had or is too slow.
 *
 *     LD_PRELOAD=fault.so FAULT=vmsplice:3:EPERM,setpipe:1+:EPERM FAULT_LOG=file command
 *
 * `name:n:outcome` is for the n-th call of that name, `name:n+:outcome` for it and all after it. Names:
 * vmsplice, write, splice, poll, mmap, clone, thread (pthread_create), madvise (any advice) or dontneed,
 * hugepage, dontfork; fcntl (any command) or setpipe, getpipe, getfl. Outcomes: an errno's name; SHORT,
 * which moves part of what was asked; COPY (vmsplice), which is a kernel that copies: a plain write, and
 * SPLICE_F_GIFT is refused. A line is added to FAULT_LOG each time a fault strikes, so that a test can
 * see that it tested something.
 *
 * A call that nothing strikes must write to no private page: the core counts page faults around some of
 * its calls to see whether its memory was copied, and a copy of ours would be taken for one. So the real
 * functions are looked up once, at the start, and the counters lie in a shared mapping.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE = 0, SHORT = -1, COPY = -2 };

static const struct {
	const char *name;
	int outcome;
} outcomes[] = {
	{"ENOSYS", ENOSYS}, {"EPERM", EPERM},   {"EINVAL", EINVAL}, {"EOPNOTSUPP", EOPNOTSUPP},
	{"EAGAIN", EAGAIN}, {"EINTR", EINTR},   {"ENOMEM", ENOMEM}, {"EBADF", EBADF},
	{"EFAULT", EFAULT}, {"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EBUSY", EBUSY},
	{"EPIPE", EPIPE},   {"SHORT", SHORT},   {"COPY", COPY},
};

/* One `name:n:outcome` of FAULT; `calls` counts. */
struct fault {
	char name[16];
	unsigned long first;
	bool later_too;
	int outcome;
	unsigned long calls;
};

enum { FAULTS_MOST = 16 };

static struct fault *faults;
static size_t fault_count;

/* The functions behind ours. */
static struct {
	ssize_t (*vmsplice)(int, const struct iovec *, size_t, unsigned);
	ssize_t (*write)(int, const void *, size_t);
	ssize_t (*splice)(int, off64_t *, int, off64_t *, size_t, unsigned);
	int (*poll)(struct pollfd *, nfds_t, int);
	int (*madvise)(void *, size_t, int);
	void *(*mmap)(void *, size_t, int, int, int, off_t);
	int (*fcntl)(int, int, ...);
	long (*syscall)(long, ...);
	int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
} real;

/* ISO C has no conversion from what dlsym() returns to a function; POSIX says how. */
#define LOOK_UP(name) (*(void **)&real.name = dlsym(RTLD_NEXT, #name))

/* Looks them up; other constructors may call us before ours has run. */
static void look_up(void)
{
	LOOK_UP(vmsplice);
	LOOK_UP(write);
	LOOK_UP(splice);
	LOOK_UP(poll);
	LOOK_UP(madvise);
	LOOK_UP(mmap);
	LOOK_UP(fcntl);
	LOOK_UP(syscall);
	LOOK_UP(pthread_create);
}

/* The real function of a name. */
#define REAL(name) (real.name ? real.name : (look_up(), real.name))

/* Reads FAULT; anything that cannot be understood ends the program, so that no test runs without. */
__attribute__((constructor)) static void read_faults(void)
{
	const char *text = getenv("FAULT");
	char copy[512], *state = NULL;

	look_up();
	if (!text)
		return;
	faults = real.mmap(NULL, FAULTS_MOST * sizeof *faults, PROT_READ | PROT_WRITE,
	                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (faults == MAP_FAILED)
		_exit(99);
	snprintf(copy, sizeof copy, "%s", text);
	for (char *word = strtok_r(copy, ",", &state); word; word = strtok_r(NULL, ",", &state)) {
		struct fault *fault = &faults[fault_count];
		char outcome[16], plus[2] = "";

		if (sscanf(word, "%15[a-z]:%lu%1[+]:%15s", fault->name, &fault->first, plus, outcome) != 4 &&
		    sscanf(word, "%15[a-z]:%lu:%15s", fault->name, &fault->first, outcome) != 3) {
			fprintf(stderr, "fault.so: '%s' cannot be understood\n", word);
			_exit(99);
		}
		fault->later_too = *plus != '\0';
		for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
			if (strcmp(outcomes[i].name, outcome) == 0)
				fault->outcome = outcomes[i].outcome;
		}
		if (fault->outcome == NONE || ++fault_count == FAULTS_MOST) {
			fprintf(stderr, "fault.so: '%s' cannot be understood\n", word);
			_exit(99);
		}
	}
}

/* Adds a line to the log, past all that is interposed here. */
static void tell(const char *name)
{
	const char *path = getenv("FAULT_LOG");

	if (!path)
		return;
	long fd = real.syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	char line[32];
	int length = snprintf(line, sizeof line, "%s\n", name);

	real.syscall(SYS_write, fd, line, (long)length);
	real.syscall(SYS_close, fd);
}

/* What is to become of this call: NONE, an errno, or one of the special outcomes. */
static int struck(const char *name)
{
	int outcome = NONE;

	for (size_t i = 0; i < fault_count; i++) {
		struct fault *fault = &faults[i];

		if (strcmp(fault->name, name) != 0)
			continue;
		unsigned long call = __atomic_add_fetch(&fault->calls, 1, __ATOMIC_SEQ_CST);

		if (call == fault->first || (fault->later_too && call > fault->first))
			outcome = fault->outcome;
	}
	if (outcome != NONE) {
		tell(name);
		errno = outcome > 0 ? outcome : 0;
	}
	return outcome;
}

/* A kernel that copies: as a write of at most a page, which never waits if there is a free slot. */
static ssize_t copy_instead(int fd, const struct iovec *pieces, size_t count, unsigned flags)
{
	struct pollfd room = {.fd = fd, .events = POLLOUT};

	if (flags & SPLICE_F_GIFT) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (count == 0)
		return 0;
	if (flags & SPLICE_F_NONBLOCK) {
		struct timespec now = {0};

		real.syscall(SYS_ppoll, &room, 1L, &now, NULL, 0L);
		if (!(room.revents & (POLLOUT | POLLERR))) {
			errno = EAGAIN;
			return -1;
		}
	}
	return real.syscall(SYS_write, (long)fd, pieces->iov_base, pieces->iov_len < 4096 ? pieces->iov_len : 4096);
}

ssize_t vmsplice(int fd, const struct iovec *pieces, size_t count, unsigned flags)
{
	int outcome = struck("vmsplice");

	if (outcome > 0)
		return -1;
	if (outcome == COPY)
		return copy_instead(fd, pieces, count, flags);
	if (outcome == SHORT && count > 0) {
		struct iovec part = pieces[0];

		if (part.iov_len > 3 * 4096)
			part.iov_len = 3 * 4096;
		return REAL(vmsplice)(fd, &part, 1, flags);
	}
	return REAL(vmsplice)(fd, pieces, count, flags);
}

ssize_t write(int fd, const void *data, size_t size)
{
	/* Messages must get out whatever the fault is. */
	int outcome = fd == STDERR_FILENO ? NONE : struck("write");

	if (outcome > 0)
		return -1;
	if (outcome == SHORT && size > 1)
		size = 1 + size / 3;
	return REAL(write)(fd, data, size);
}

ssize_t splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags)
{
	int outcome = struck("splice");

	if (outcome > 0)
		return -1;
	if (outcome == SHORT && size > 1)
		size = 1 + size / 3;
	return REAL(splice)(from, from_at, to, to_at, size, flags);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	if (struck("poll") > 0)
		return -1;
	return REAL(poll)(fds, count, timeout);
}

int madvise(void *address, size_t size, int advice)
{
	const char *name = advice == MADV_DONTNEED   ? "dontneed"
	                   : advice == MADV_HUGEPAGE ? "hugepage"
	                   : advice == MADV_DONTFORK ? "dontfork"
	                                             : "other";

	if (struck("madvise") > 0 || struck(name) > 0)
		return -1;
	return REAL(madvise)(address, size, advice);
}

/* Both names of mmap. */
static void *any_mmap(void *address, size_t size, int protection, int flags, int fd,
                      off_t offset)
{
	if (struck("mmap") > 0)
		return MAP_FAILED;
	return REAL(mmap)(address, size, protection, flags, fd, offset);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	return any_mmap(address, size, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	return any_mmap(address, size, protection, flags, fd, offset);
}

/* Both names of fcntl; every argument it can have fits a pointer. */
static int any_fcntl(int fd, int command, void *argument)
{
	const char *what = command == F_SETPIPE_SZ   ? "setpipe"
	                   : command == F_GETPIPE_SZ ? "getpipe"
	                   : command == F_GETFL      ? "getfl"
	                                             : "other";

	if (struck("fcntl") > 0 || struck(what) > 0)
		return -1;
	return REAL(fcntl)(fd, command, argument);
}

int fcntl(int fd, int command, ...)
{
	va_list arguments;

	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);

	va_end(arguments);
	return any_fcntl(fd, command, argument);
}

int fcntl64(int fd, int command, ...)
{
	va_list arguments;

	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);

	va_end(arguments);
	return any_fcntl(fd, command, argument);
}

/* Only clone is struck here. */
long syscall(long number, ...)
{
	long word[6];
	va_list arguments;

	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		word[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_clone && struck("clone") > 0)
		return -1;
	return REAL(syscall)(number, word[0], word[1], word[2], word[3], word[4],
	                                           word[5]);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
	int outcome = struck("thread");

	if (outcome > 0)
		return outcome;
	return REAL(pthread_create)(thread, attributes, start, argument);
}
