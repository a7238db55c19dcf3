/* The ring's memory: huge pages where the kernel gives them, and spans that are given back. */
#include "core/internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

/* Whether spans are whole huge pages; smaller ones must not share one, or none is ever free alone. */
static bool wants_huge_pages(const struct pc_writer *writer)
{
	return writer->span_size >= PC_HUGE || writer->options.method == PC_RING ||
	       writer->options.method == PC_WRITE;
}

/* Says what the ring's memory should be made of. A refusal costs speed only; the writer notes it. */
static void advise(const struct pc_writer *writer, unsigned char *start, size_t size)
{
	madvise(start, size, wants_huge_pages(writer) ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

/*
 * Maps the ring at a huge-page boundary. Private anonymous memory: the rule that a fence rests on
 * (fence.c) is one for such pages only.
 */
int pc_ring_map(struct pc_writer *writer)
{
	size_t whole = (writer->options.ring + PC_HUGE - 1) / PC_HUGE * PC_HUGE;
	size_t size = whole + PC_HUGE;
	unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return -errno;
	uintptr_t aligned = ((uintptr_t)memory + PC_HUGE - 1) / PC_HUGE * PC_HUGE;

	writer->memory = memory;
	writer->memory_size = size;
	writer->ring = memory + (aligned - (uintptr_t)memory);
	advise(writer, writer->ring, whole);
	return 0;
}

/* Pages that are still in a pipe live on there until they are read. */
void pc_ring_unmap(struct pc_writer *writer)
{
	if (writer->memory)
		munmap(writer->memory, writer->memory_size);
	writer->memory = NULL;
}

/* Minor faults of this thread; faults taken on its behalf inside madvise(2) count too. */
static long minor_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

/* Adding nothing, atomically, is a write that changes no byte. */
static void touch_page(unsigned char *page)
{
	__atomic_fetch_or(page, 0, __ATOMIC_RELAXED);
}

/* See internal.h. In bulk where the kernel can, since a fault costs more than what it does. */
long pc_touch(unsigned char *start, size_t size)
{
	/* The first call takes the faults of the stack itself, which a fence protects too. */
	long before = minor_faults();

	before = minor_faults();
	if (madvise(start, size, MADV_POPULATE_WRITE) != 0) {
		for (size_t offset = 0; offset < size; offset += PC_PAGE)
			touch_page(start + offset);
	}
	return minor_faults() - before;
}

/* One fault for two mebibytes is how a huge page shows. */
void pc_span_populate(struct pc_writer *writer, struct pc_span *span)
{
	if (span->populated)
		return;
	long faults = pc_touch(pc_span_start(writer, span), writer->span_size);

	span->huge = writer->span_size >= PC_HUGE && (size_t)faults == writer->span_size / PC_HUGE;
	span->populated = true;
}

/* See internal.h. If the kernel will not drop the pages, new ones are mapped in their place. */
int pc_span_drop(struct pc_writer *writer, struct pc_span *span)
{
	unsigned char *start = pc_span_start(writer, span);
	size_t size = writer->span_size;

	if (madvise(start, size, MADV_DONTNEED) != 0) {
		if (mmap(start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		         0) == MAP_FAILED)
			return -errno;
		advise(writer, start, size);
	}
	span->pushed = false;
	span->populated = false;
	span->huge = false;
	writer->stats.spans_fresh++;
	return 0;
}

/* Spans are numbered in the order of their memory. */
unsigned char *pc_span_start(const struct pc_writer *writer, const struct pc_span *span)
{
	return writer->ring + (size_t)(span - writer->spans) * writer->span_size;
}
