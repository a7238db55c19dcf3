/* What the files of the core share. Private: programs include pipecore.h. */
#ifndef PIPECORE_INTERNAL_H
#define PIPECORE_INTERNAL_H

#include "core/pipecore.h"
#include "core/wait.h"

/* The page of vmsplice(2) and of the pipe's slots, and the huge page of x86-64 and aarch64. */
#define PC_PAGE ((size_t)4096)
#define PC_HUGE ((size_t)2 << 20)

/* A part of the ring that is released as one. */
struct pc_span {
	/*
	 * Some page of it may still be seen by a reader: set before its first push, cleared only when it
	 * was given back and replaced (pc_span_drop) or when reuse was proven (pc_span_reuse).
	 */
	bool pushed;
	bool fenced;    /* a fence was taken after its last push */
	bool populated; /* its pages exist */
	bool huge;      /* and are one huge page */
	uint64_t end;   /* bytes pushed in all when its last byte was */
};

struct pc_writer {
	struct pc_options options; /* in force; never zero */
	int fd;
	bool may_spin;
	bool counted; /* among the open writers (writer.c) */
	int failed;   /* the error that ended the stream; what comes after it would be out of place */
	bool copies;  /* method write, now: what was pushed is copied, and the half free again */

	unsigned char *memory; /* the mapping behind the ring */
	size_t memory_size;
	unsigned char *ring;
	size_t span_size;
	size_t span_count;
	struct pc_span *spans;

	size_t fill;    /* offset in the ring of the next half to fill */
	size_t push;    /* offset in the ring of the first byte kept back */
	size_t pending; /* bytes kept back, up to `fill` */
	uint64_t left;  /* bytes known to have left our pipe; method ring (reuse.c) */

	unsigned held_turns; /* turns to go without a fence, and how many the last time (fence.c) */
	unsigned held_backoff;

	struct pc_stats stats;
};

/* Tells the caller's note function, printf fashion. */
void pc_note(const struct pc_writer *writer, enum pc_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* geometry.c: fills in every size that is zero, and rounds the others. Returns 0 or -EINVAL. */
int pc_geometry(struct pc_writer *writer, size_t capacity);

/* memory.c */
int pc_ring_map(struct pc_writer *writer);
void pc_ring_unmap(struct pc_writer *writer);
/* Makes `size` bytes writable, changing none; returns how many page faults of this thread that took. */
long pc_touch(unsigned char *start, size_t size);
/* Sees that the pages of a span that was never pushed exist. */
void pc_span_populate(struct pc_writer *writer, struct pc_span *span);
/* Gives the pages of a span back; whoever still sees them keeps them. Returns 0 or a negative errno. */
int pc_span_drop(struct pc_writer *writer, struct pc_span *span);
/* Where a span lies. */
unsigned char *pc_span_start(const struct pc_writer *writer, const struct pc_span *span);

/* fence.c */
enum pc_kernel { PC_KERNEL_FENCES, PC_KERNEL_SHARES, PC_KERNEL_COPIES, PC_KERNEL_UNKNOWN };
/* Finds out what this kernel does with pushed pages, on a private pipe and a span of the ring. */
enum pc_kernel pc_probe(struct pc_writer *writer, const char **why);
/* Whether a fence proves that nobody sees the span any more; takes one if it has to. */
bool pc_fence_frees(struct pc_writer *writer, struct pc_span *span);
/* Told at each new turn of the ring. */
void pc_fence_turn(struct pc_writer *writer);
/* Whether fences are not taken for a while, since readers hold more than the ring. */
bool pc_fence_rests(const struct pc_writer *writer);
/* Makes fences cheap for a process that never forks. */
void pc_fence_lean(struct pc_writer *writer);

/* reuse.c: makes a span fit to be filled: proves that nobody sees it, or replaces it. */
int pc_span_reuse(struct pc_writer *writer, struct pc_span *span);

#endif
