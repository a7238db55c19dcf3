/*
 * pipecore - write generated content to a pipe at the speed of memory, and never a wrong byte.
 *
 * A writer owns a ring of memory. The caller fills it one half (128 KiB) at a time; the core hands
 * the pages themselves to the pipe with vmsplice(2), without copying, and decides when a page may be
 * filled again. On files of any other kind it falls back to write(2). A reader takes bytes out of a
 * pipe, by copy or by discarding them without a copy.
 *
 *     struct pc_options opt;
 *     struct pc_writer *w;
 *     pc_options_init(&opt);
 *     int err = pc_writer_open(&w, STDOUT_FILENO, &opt);
 *     while (!err && more) {
 *         unsigned char *half;
 *         size_t room;
 *         if ((err = pc_writer_next(w, &half, &room)) == 0)
 *             err = pc_writer_push(w, fill(half, room));
 *     }
 *     if (!err)
 *         err = pc_writer_finish(w);
 *     pc_writer_close(w);
 *
 * Terms
 *   half   what is filled at a time; two of them are a block.
 *   span   what is released at a time: a whole number of halves, one huge page (2 MiB) where the
 *          ring is 4 MiB or more, else half of the ring.
 *   ring   the memory that is filled over and over: two spans or more.
 *   push   what is handed to the kernel in one call: a whole number of halves.
 *   slack  bytes that must have left our pipe after a span before method `ring` fills it again.
 *
 * What the methods promise
 *   PC_FENCE  Exact for every reader, whatever it does with the pages: splice onward, tee, stop, send.
 *             A span is written again only when the kernel itself has shown, by a copy-on-write fault
 *             that copied nothing, that nobody else holds a page of it (core/fence.c has the rule,
 *             its versions and the proof).
 *   PC_RING   Exact for readers that read, copy or discard, whatever the capacity of our pipe is or
 *             becomes and whoever else writes to it; exact for chains of readers that splice onward as
 *             long as everything behind our pipe together holds no more than `slack` bytes and lets go
 *             of them in order (not a reader that sets some pages aside, or a branch of tee(2) that
 *             lags). That is the limit: nothing tells us what is held further down (core/reuse.c has
 *             the proof).
 *   PC_FRESH  Exact for every reader: a page is never written again once it was pushed.
 *   PC_WRITE  Exact on every kind of file: write(2) copies.
 *   PC_AUTO   The default: on a pipe PC_FENCE where a probe shows that this kernel keeps the rule,
 *             else PC_FRESH; PC_WRITE where the kernel copies what is pushed, and on everything that
 *             is not a pipe. A request for a method other than PC_AUTO falls back the same way, with
 *             a warning.
 *
 * Errors are negative errno values; nothing is printed. What the library decides and why is told to
 * `options.note` as one line of text. Sizes are bytes. A writer belongs to one thread at a time.
 *
 * Linux 2.6.17 and later; each faster way is used only where this kernel shows that it has it.
 */
#ifndef PIPECORE_H
#define PIPECORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How bytes reach the descriptor; the order is that of `pc_method_name`. */
enum pc_method { PC_AUTO, PC_FENCE, PC_RING, PC_FRESH, PC_WRITE };

/* How much a note matters: PC_INFO says what was chosen, PC_WARN that something was lost. */
enum pc_level { PC_INFO, PC_WARN };

/*
 * Options of a writer. Zero in a size means "the default for this descriptor and method"; what was
 * chosen is read back with pc_writer_options(). The half is rounded up to a power of two and at least
 * a page, the push to whole halves, the ring to whole spans.
 */
struct pc_options {
	enum pc_method method;
	size_t pipe_size; /* capacity asked for with F_SETPIPE_SZ (Linux 2.6.35); never shrinks by default */
	size_t half;      /* filled at a time */
	size_t push;      /* pushed at a time */
	size_t ring;      /* memory that is filled over and over */
	size_t slack;     /* method ring only; PC_NO_SLACK for none */
	/*
	 * The process promises never to fork once the writer is open: all other memory is then kept out
	 * of the copy that a fence makes (MADV_DONTFORK), which makes a fence several times cheaper. A
	 * child of a later fork would find no memory and die. Without effect if another writer is open in
	 * the process: its ring must not be left out.
	 */
	bool never_forks;
	/* Told each choice, as a line without a newline; may be NULL. The text is valid during the call. */
	void (*note)(void *arg, enum pc_level level, const char *text);
	void *note_arg;
};

#define PC_NO_SLACK ((size_t)-1)

/* Counts since the writer was opened, for reports and tests. */
struct pc_stats {
	uint64_t bytes;        /* pushed or written */
	uint64_t pushes;       /* vmsplice or write calls that moved bytes */
	uint64_t sleeps;       /* times the writer slept until there was room */
	uint64_t fences;       /* fences taken */
	uint64_t spans_reused; /* spans written again; of small pages, those still held were copied first */
	uint64_t spans_fresh;  /* spans given back and replaced by fresh memory */
};

struct pc_writer;

/* Sets every option to its default. */
void pc_options_init(struct pc_options *options);

/*
 * Opens a writer on `fd`, which stays the caller's and whose flags are never changed (they are shared
 * with other processes); the capacity of a pipe may be. Returns 0 and the writer, to be given to
 * pc_writer_close(), or, with NULL in its place, -EINVAL (sizes that contradict each other, no such method),
 * -ENOMEM, or the error of fstat(2).
 */
int pc_writer_open(struct pc_writer **writer, int fd, const struct pc_options *options);

/*
 * Hands out the next half to fill: `*room` bytes at `*half`, aligned to a page, the caller's to write
 * until the next call on this writer. This is the moment at which the core makes sure that nobody can
 * see these bytes any more. Old contents are unspecified. Returns 0 or a negative errno.
 */
int pc_writer_next(struct pc_writer *writer, unsigned char **half, size_t *room);

/*
 * Takes the first `bytes` of the half that was handed out, to be pushed in order; they must not be
 * touched from here on. Less than `*room` is for the last half of a stream: it is pushed at once, and
 * the rest of the half is lost. May keep several halves back until a push is full. Returns 0, or the
 * error of the descriptor (-EPIPE: the readers are gone; the signal SIGPIPE was sent too). An error is
 * the end of the stream: every later call returns it again.
 */
int pc_writer_push(struct pc_writer *writer, size_t bytes);

/* Pushes what was kept back. Returns as pc_writer_push(). The writer can go on after it. */
int pc_writer_finish(struct pc_writer *writer);

/* Gives the ring back. What was pushed stays with the pipe; what was kept back is dropped. */
void pc_writer_close(struct pc_writer *writer);

/* The options in force: the method and every size as chosen. Valid until pc_writer_close(). */
const struct pc_options *pc_writer_options(const struct pc_writer *writer);

/* Counts so far. */
struct pc_stats pc_writer_stats(const struct pc_writer *writer);

/* "auto", "fence", "ring", "fresh" or "write". */
const char *pc_method_name(enum pc_method method);

/* The reading side: bytes out of a descriptor, spinning for a bounded time before it sleeps. */
struct pc_reader;

/*
 * Opens a reader on `fd`, which stays the caller's; its flags are never changed. `pipe_size` is asked
 * for if the descriptor is a pipe and larger than it has; 0 leaves it. Returns 0 or a negative errno.
 */
int pc_reader_open(struct pc_reader **reader, int fd, size_t pipe_size);

/*
 * Reads at least one and up to `size` bytes into `buffer`, waiting for them. Returns the number, 0 at
 * the end, or a negative errno: -EINTR if it was woken and found nothing, because a signal handler ran
 * or another reader was faster; call again. Works on any readable descriptor.
 */
ssize_t pc_reader_read(struct pc_reader *reader, void *buffer, size_t size);

/*
 * Discards at least one and up to `size` bytes, without copying where the descriptor is a pipe
 * (splice(2) to /dev/null), else by reading them. Returns as pc_reader_read().
 */
ssize_t pc_reader_drain(struct pc_reader *reader, size_t size);

/* Whether pc_reader_drain() moves no bytes (false: it reads them, at the speed of a copy). */
bool pc_reader_drains_free(const struct pc_reader *reader);

/* Ends the reader (NULL: nothing); the descriptor stays open. */
void pc_reader_close(struct pc_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
