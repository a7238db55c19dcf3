/*
 * The fence: asking the kernel, through copy-on-write, whether anybody else holds a page of ours.
 *
 * The rule. After fork(2) every private anonymous page is write-protected in parent and child. When
 * the parent then writes to one, the kernel lets it have the page itself only if nobody else holds a
 * reference to it, by a page table or otherwise; else it gives the parent a copy, and all others keep
 * the page with its old bytes. A page in a pipe is such a reference (vmsplice(2) takes one per page;
 * splice(2) and tee(2) hand it on or add to it; a socket keeps one until its data is acknowledged), so
 * once a page was fenced after its last push, no write of ours can reach a reader that still sees it.
 *
 *   4 KiB pages: do_wp_page() reuses a page with one reference only, since Linux 5.9 (commit
 *     09854ba94c6a, "mm: do_wp_page() simplification"); from 5.19 also skips the check for pages known
 *     to be exclusive (PageAnonExclusive, commit 6c287605fd56), a mark that fork takes away.
 *   Huge pages: do_huge_pmd_wp_page() went by map counts, which a pipe does not raise, until Linux
 *     5.18 (commit 3bff7e3f1f16, "mm/huge_memory: streamline COW logic in do_huge_pmd_wp_page()"); since
 *     then it wants a single reference for the whole huge page and else splits it and copies.
 * Versions are not asked: pc_probe() has the kernel show that it keeps the rule, on the very kind of
 * page that the ring has.
 *
 * The fork that is none. What protects the pages is copying the address space; no child has to run.
 * clone(2) with CLONE_PIDFD stores a descriptor through a pointer late, after it has copied the address
 * space (kernel/fork.c, copy_process(), since Linux 5.2); with a pointer to nowhere it fails there with
 * EFAULT, and drops the copy before it returns. So there is no process to schedule, wait for or reap,
 * no signal, and no descriptor, and once the call has returned the copy holds no reference.
 *
 * Evidence, not trust. An error number can come from elsewhere (a sandbox, a tracer). A span counts as
 * free only if the first write to it after the fence faulted, as the thread's own fault count shows:
 * once for a huge page that was kept whole; twice if it was split, which means that somebody holds it;
 * not at all if no fence was taken. Only the first makes us keep the page. (For small pages a copy and a
 * reuse both take one fault, and both are right.) The limit: forks by other threads of the process can add
 * faults of this thread's own stack. After a fence that was taken this can only cost a page; the count could
 * be misled only about a fence that was faked, in such a process.
 */
#include "core/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000 /* Linux 5.2 */
#endif

/* Turns of the ring without a fence after one that found its span held: 1, 2, 4, up to this many. */
enum { HELD_TURNS_MOST = 64 };

/*
 * Takes a fence: when it returns true, every page of the ring was write-protected after all pushes
 * that had returned before. Nothing but the address space is copied.
 */
static bool take_fence(struct pc_writer *writer)
{
#if defined(__s390__) || defined(__CRIS__)
	return false; /* another order of arguments, and no way to try it */
#else
	unsigned long flags = CLONE_PIDFD | CLONE_FILES | CLONE_FS | CLONE_SYSVSEM;
	long pid = syscall(SYS_clone, flags, NULL, (void *)-PC_PAGE, NULL, NULL);

	if (pid == 0)
		syscall(SYS_exit, 0);
	if (pid > 0) {
		/* Before Linux 5.2 the flag means nothing and there is a child; it must not linger. */
		while (waitpid((pid_t)pid, NULL, __WALL) < 0 && errno == EINTR)
			;
		return false;
	}
	if (errno != EFAULT)
		return false;
	for (size_t i = 0; i < writer->span_count; i++)
		writer->spans[i].fenced = true;
	writer->stats.fences++;
	return true;
#endif
}

/*
 * Whether the span may be written after a fence, from the faults that first writes to it take. For
 * small pages a copy and a reuse look the same, and both are right: whoever held the page still has it.
 */
static bool fenced_span_is_ours(const struct pc_writer *writer, const struct pc_span *span)
{
	unsigned char *start = pc_span_start(writer, span);

	if (!span->huge)
		return pc_touch(start, writer->span_size) == (long)(writer->span_size / PC_PAGE);
	for (size_t offset = 0; offset < writer->span_size; offset += PC_HUGE) {
		if (pc_touch(start + offset, 2 * PC_PAGE) != 1)
			return false;
	}
	return true;
}

/*
 * Decides on one span. One fence serves a whole turn of the ring: it covers all that was pushed before
 * it, and a span that was pushed since (fenced is false again) waits for the next. A span that is held
 * tells that those after it, pushed later, are held too; then a turn or more goes by without fences,
 * at the speed of method `fresh`, before the next look.
 */
bool pc_fence_frees(struct pc_writer *writer, struct pc_span *span)
{
	if (writer->held_turns > 0)
		return false;
	if ((span->fenced || take_fence(writer)) && fenced_span_is_ours(writer, span)) {
		writer->held_backoff = 0;
		return true;
	}
	writer->held_backoff = writer->held_backoff == 0 ? 1 : 2 * writer->held_backoff;
	if (writer->held_backoff > HELD_TURNS_MOST)
		writer->held_backoff = HELD_TURNS_MOST;
	writer->held_turns = writer->held_backoff;
	return false;
}

/* A new turn of the ring begins: one less to go without a fence. */
void pc_fence_turn(struct pc_writer *writer)
{
	if (writer->held_turns > 0)
		writer->held_turns--;
}

/* Whether what was just pushed is to be given back at once, since no fence will be asked about it. */
bool pc_fence_rests(const struct pc_writer *writer)
{
	return writer->held_turns > 0;
}

/* A pipe that nobody else has; its descriptors are closed in a program that is started. */
struct private_pipe {
	int ends[2];
};

/* Puts the first page of the span into the pipe, by reference if the kernel does that. */
static bool probe_push(const struct private_pipe *pipe, unsigned char *page)
{
	struct iovec part = {.iov_base = page, .iov_len = PC_PAGE};

	return vmsplice(pipe->ends[1], &part, 1, SPLICE_F_NONBLOCK) == (ssize_t)PC_PAGE;
}

/* What a reader of the pipe sees in the first byte of that page; -1 if it sees none. */
static int probe_read(const struct private_pipe *pipe)
{
	unsigned char bytes[PC_PAGE];

	return read(pipe->ends[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes ? bytes[0] : -1;
}

/* Does a later write show in what was pushed? Then pages are shared, else copied. */
static enum pc_kernel probe_sharing(const struct private_pipe *pipe, unsigned char *page)
{
	*(volatile unsigned char *)page = 'a';
	if (!probe_push(pipe, page))
		return PC_KERNEL_UNKNOWN;
	*(volatile unsigned char *)page = 'b';
	switch (probe_read(pipe)) {
	case 'a':
		return PC_KERNEL_COPIES;
	case 'b':
		return PC_KERNEL_SHARES;
	default:
		return PC_KERNEL_UNKNOWN;
	}
}

/* Does a fence keep a page that somebody holds from being written, and notice that it is held? */
static bool probe_held(struct pc_writer *writer, const struct private_pipe *pipe, struct pc_span *span)
{
	unsigned char *page = pc_span_start(writer, span);

	*(volatile unsigned char *)page = 'c';
	if (!probe_push(pipe, page))
		return false;
	bool ours = take_fence(writer) && fenced_span_is_ours(writer, span);

	*(volatile unsigned char *)page = 'd';
	return probe_read(pipe) == 'c' && !(ours && span->huge);
}

/* Does it give back a page that nobody holds any more? Else a fence only costs. */
static bool probe_free(struct pc_writer *writer, const struct private_pipe *pipe, struct pc_span *span)
{
	return probe_push(pipe, pc_span_start(writer, span)) && probe_read(pipe) >= 0 && take_fence(writer) &&
	       fenced_span_is_ours(writer, span);
}

/* Runs the experiments in order; `why` says how far it came. */
static enum pc_kernel probe_on(struct pc_writer *writer, const struct private_pipe *pipe, const char **why)
{
	struct pc_span *span = &writer->spans[0];
	enum pc_kernel kernel = probe_sharing(pipe, pc_span_start(writer, span));

	if (kernel == PC_KERNEL_COPIES)
		*why = "this kernel copies what is pushed";
	else if (kernel == PC_KERNEL_UNKNOWN)
		*why = "pages cannot be pushed into a pipe here";
	if (kernel != PC_KERNEL_SHARES)
		return kernel;
	*why = "no fence can be taken here, or this kernel does not keep its rule";
	if (!probe_held(writer, pipe, span))
		return kernel;
	/* The page that was held may have broken up. */
	if (pc_span_drop(writer, span) != 0)
		return kernel;
	pc_span_populate(writer, span);
	*why = "a fence does not give pages back here";
	if (!probe_free(writer, pipe, span))
		return kernel;
	*why = "this kernel shares pushed pages, and copies one that is held before a write";
	return PC_KERNEL_FENCES;
}

/* See internal.h. Leaves the span as if it had never been used. */
enum pc_kernel pc_probe(struct pc_writer *writer, const char **why)
{
	struct private_pipe pipe;

	if (pipe2(pipe.ends, O_CLOEXEC) != 0) {
		*why = "there is no pipe to try a fence on";
		return PC_KERNEL_SHARES; /* at worst: a push that is refused later is written instead */
	}
	pc_span_populate(writer, &writer->spans[0]);
	enum pc_kernel kernel = probe_on(writer, &pipe, why);

	close(pipe.ends[0]);
	close(pipe.ends[1]);
	for (size_t i = 0; i < writer->span_count; i++)
		writer->spans[i].fenced = false;
	if (kernel != PC_KERNEL_FENCES && pc_span_drop(writer, &writer->spans[0]) != 0)
		kernel = PC_KERNEL_UNKNOWN;
	writer->stats = (struct pc_stats){0};
	return kernel;
}

/* Reads /proc/self/maps piece by piece into `line`; returns false at the end. */
static bool next_mapping(FILE *maps, uintptr_t *start, uintptr_t *end)
{
	char line[512];

	while (fgets(line, sizeof line, maps)) {
		unsigned long long from, to;

		if (sscanf(line, "%llx-%llx", &from, &to) == 2) {
			*start = (uintptr_t)from;
			*end = (uintptr_t)to;
			return true;
		}
	}
	return false;
}

/*
 * Keeps all memory but the ring out of the copy: most of a fence's cost is the rest of the process.
 * Only for a process that never forks (options.never_forks). What is mapped later is copied, which
 * costs a little and harms nothing; so does what cannot be left out.
 */
void pc_fence_lean(struct pc_writer *writer)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t ring = (uintptr_t)writer->ring;
	uintptr_t start, end;

	if (!maps)
		return;
	while (next_mapping(maps, &start, &end)) {
		if (end <= ring || start >= ring + writer->options.ring)
			madvise((void *)start, end - start, MADV_DONTFORK);
	}
	fclose(maps);
}
