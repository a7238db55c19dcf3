/* The loop of the command: read, check, or let go; see verify.h. */
#include "verifier/verify.h"

#include <errno.h>

#include "verifier/compare.h"
#include "verifier/live.h"
#include "verifier/ticks.h"

/*
 * Read at a time: small enough to be still in the second cache when it is checked, large enough that
 * the call does not count. And what is let go at a time, as much as a pipe can hold.
 */
enum { BUFFER = 256 * 1024, DRAIN = 4 * 1024 * 1024 };

static unsigned char buffer[BUFFER] __attribute__((aligned(4096)));

/* What goes on during one run. */
struct course {
	const struct settings *settings;
	struct pc_reader *reader;
	struct report *report;
	struct live live;
	uint64_t opened; /* when the run began, and when its first byte came (0: not yet) */
	uint64_t started;

	uint64_t known;     /* all bytes from here to report->bytes were right, or are in a wrong stretch */
	uint64_t stretch;   /* that was looked at last, + 1 */
	bool stretch_wrong; /* it is counted as wrong */
	bool counts_lines;  /* lines are counted, not calculated from the offset */

	bool said_byte; /* each kind is said once */
	bool said_goes_on;
	bool has_place; /* the message for this place waits for the rest of its line */
	struct place place;
};

/* The first thing wrong is what the report is about; the others are only said. */
static void say(struct course *c, const struct place *place)
{
	live_clear(&c->live);
	place_print(place, c->settings->expect);
	if (c->report->wrong.wrong == WRONG_NOTHING)
		c->report->wrong = *place;
}

/* Says the place that waits, whole or not. */
static void end_place(struct course *c)
{
	if (!c->has_place)
		return;
	c->has_place = false;
	say(c, &c->place);
}

/* From the first wrong byte on, lines can no longer be calculated. */
static void start_counting_lines(struct course *c, uint64_t offset)
{
	struct expect *expect = c->settings->expect;

	if (c->counts_lines)
		return;
	c->counts_lines = true;
	c->report->lines = expect->lines_before(expect, offset);
}

/* Gives the place that waits what was received next. */
static void feed_place(struct course *c, const unsigned char *data, size_t size)
{
	if (c->has_place && place_add(&c->place, data, size))
		end_place(c);
}

/* The first wrong byte of the stream, and what is received from there on. */
static void begin_wrong_byte(struct course *c, uint64_t offset, const unsigned char *data, size_t size)
{
	if (c->said_byte)
		return;
	c->said_byte = true;
	end_place(c);
	place_begin(&c->place, WRONG_BYTE, offset, c->known, c->settings->expect);
	c->has_place = true;
	feed_place(c, data, size);
}

/* The first byte behind the end of what is expected, and what is received from there on. */
static void begin_goes_on(struct course *c, const unsigned char *data, size_t size)
{
	struct expect *expect = c->settings->expect;

	if (c->said_goes_on)
		return;
	c->said_goes_on = true;
	end_place(c);
	place_begin(&c->place, WRONG_GOES_ON, expect->length, expect->length, expect);
	if (expect->length > 0) {
		struct expect_line last;

		expect->line_at(expect, expect->length - 1, &last);
		c->place.after_line = last.number;
	}
	c->has_place = true;
	feed_place(c, data, size);
}

/*
 * Compares bytes of one stretch; returns how many of them may be called right. Once a stretch is wrong
 * the rest of it says nothing new.
 */
static size_t compare_piece(struct course *c, uint64_t offset, const unsigned char *data, size_t size)
{
	struct expect *expect = c->settings->expect;
	uint64_t stretch = offset / STRETCH + 1;

	if (stretch != c->stretch) {
		c->stretch = stretch;
		c->stretch_wrong = false;
		c->report->stretches++;
	}
	if (c->stretch_wrong)
		return 0;
	size_t right = expect->match(expect, offset, data, size);

	if (right < size) {
		c->stretch_wrong = true;
		c->report->stretches_wrong++;
	}
	return right;
}

/* Checks bytes of one stretch, and sees to what is said and counted. */
static void check_piece(struct course *c, uint64_t offset, const unsigned char *data, size_t size)
{
	uint64_t length = c->settings->expect->length;
	size_t counted = c->counts_lines ? 0 : size;

	feed_place(c, data, size);
	size_t right = compare_piece(c, offset, data, size);

	if (right < size) {
		if (!c->counts_lines) {
			start_counting_lines(c, offset + right);
			counted = right;
		}
		if (offset + right < length)
			begin_wrong_byte(c, offset + right, data + right, size - right);
		if (offset <= length && length - offset < size)
			begin_goes_on(c, data + (length - offset), size - (size_t)(length - offset));
	}
	if (c->counts_lines)
		c->report->lines += compare_count_newlines(data + counted, size - counted);
}

/* Cuts what was read at the borders of stretches. */
static void check(struct course *c, const unsigned char *data, size_t size)
{
	uint64_t offset = c->report->bytes;

	c->report->checked += size;
	while (size > 0) {
		size_t piece = STRETCH - (size_t)(offset % STRETCH);

		if (piece > size)
			piece = size;
		check_piece(c, offset, data, piece);
		offset += piece;
		data += piece;
		size -= piece;
	}
}

/* Bytes that were let go: a line that was waited for is cut there. */
static void let_go(struct course *c, size_t size)
{
	uint64_t end = c->report->bytes + size;

	end_place(c);
	c->known = end;
	if (c->settings->expect && end > c->settings->expect->length)
		begin_goes_on(c, NULL, 0);
}

/*
 * How far it is from `offset` to the next stretch of the sample; 0 inside one. Of each `sample`
 * stretches one is taken, the first of the stream to begin with; which one changes from time to time
 * (multiplication by the golden ratio), so that an error that comes back with any period, such as that
 * of the writer's ring, is met in the end.
 */
static uint64_t to_next_sample(uint64_t offset, uint64_t sample)
{
	uint64_t stretch = offset / STRETCH;
	uint64_t round = stretch / sample;

	for (;; round++) {
		uint64_t pick = round * sample + (round * UINT64_C(0x9e3779b97f4a7c15) >> 32) % sample;

		if (pick == stretch)
			return 0;
		if (pick > stretch)
			return pick * STRETCH - offset;
	}
}

/* One call to the reader for at most `limit` bytes, and what becomes of them. Returns as the reader. */
static ssize_t step(struct course *c, uint64_t limit)
{
	const struct settings *settings = c->settings;
	uint64_t offset = c->report->bytes;
	uint64_t skip = settings->expect ? to_next_sample(offset, settings->sample) : DRAIN;
	ssize_t got;

	if (skip > 0) {
		uint64_t size = skip < limit ? skip : limit;

		got = pc_reader_drain(c->reader, size < DRAIN ? (size_t)size : DRAIN);
		if (got > 0)
			let_go(c, (size_t)got);
	} else {
		uint64_t size = settings->sample > 1 ? STRETCH - offset % STRETCH : BUFFER;

		got = pc_reader_read(c->reader, buffer, (size_t)(size < limit ? size : limit));
		if (got > 0)
			check(c, buffer, (size_t)got);
	}
	return got;
}

/* Looks at the clock and at signals; returns whether it is time to stop. */
static bool is_over(struct course *c)
{
	uint64_t now = ticks_now();

	c->report->signal = ticks_signal();
	if (c->report->signal) {
		c->report->stopped = STOPPED_BY_SIGNAL;
		return true;
	}
	if (now - c->opened >= c->settings->nanoseconds) {
		c->report->stopped = STOPPED_BY_SECONDS;
		return true;
	}
	live_show(&c->live, c->report->bytes, c->started, now);
	return false;
}

/* Reads until there is a reason to stop, and notes it. */
static void read_all(struct course *c)
{
	struct report *report = c->report;

	for (;;) {
		uint64_t limit = c->settings->bytes - report->bytes;

		if (limit == 0) {
			report->stopped = STOPPED_BY_BYTES;
			return;
		}
		if (ticks_take() && is_over(c))
			return;
		ssize_t got = step(c, limit);

		if (got > 0) {
			if (c->started == 0)
				c->started = ticks_now();
			report->bytes += (uint64_t)got;
		} else if (got == 0) {
			/* A signal for the whole pipeline may have ended the writer first. */
			report->stopped = STOPPED_AT_END;
			if (ticks_take() && ticks_signal())
				is_over(c);
			return;
		} else if (got != -EINTR) {
			end_place(c);
			say(c, &(struct place){.wrong = WRONG_READ, .error = (int)-got});
			report->stopped = STOPPED_BY_ERROR;
			return;
		}
	}
}

/* What the end itself says about the stream. */
static void judge_end(struct course *c)
{
	const struct settings *settings = c->settings;
	struct report *report = c->report;
	bool at_end = report->stopped == STOPPED_AT_END;
	struct place place;

	if (report->bytes >= settings->expect->length || report->stopped == STOPPED_BY_ERROR)
		return;
	if (report->bytes == 0) {
		say(c, &(struct place){.wrong = WRONG_EMPTY});
		return;
	}
	if (!at_end || settings->partial)
		return;
	place_begin(&place, WRONG_END, report->bytes, c->known, settings->expect);
	if (place.offset != place.expected.from || !place.expected.from_start)
		place.wrong = WRONG_END_IN_LINE;
	say(c, &place);
}

/* Lines that were not counted are calculated; in a wrong sample they are neither. */
static void settle_lines(struct course *c)
{
	struct expect *expect = c->settings->expect;
	struct report *report = c->report;

	report->lines_known = expect && (report->checked == report->bytes || !c->counts_lines);
	if (report->lines_known && !c->counts_lines)
		report->lines = expect->lines_before(expect, report->bytes);
}

/* See verify.h. */
void run(struct pc_reader *reader, const struct settings *settings, struct report *report)
{
	struct course c = {.settings = settings, .reader = reader, .report = report};

	*report = (struct report){0};
	c.counts_lines = settings->expect && !settings->expect->lines_before;
	live_open(&c.live, settings->quiet);
	c.opened = ticks_now();
	ticks_start(settings->nanoseconds);
	read_all(&c);
	report->nanoseconds = c.started ? ticks_now() - c.started : 0;
	end_place(&c);
	if (settings->expect) {
		judge_end(&c);
		settle_lines(&c);
	}
	live_clear(&c.live);
}
