/* The final report; see verify.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "verifier/verify.h"

#define GIB 1073741824.0

/* Part of the JSON report's interface, as all names below: do not rename. */
static const char *verdict(const struct report *report, const struct settings *settings)
{
	if (report->wrong.wrong == WRONG_READ)
		return "failed";
	if (report->wrong.wrong != WRONG_NOTHING)
		return "wrong";
	if (!settings->expect)
		return "measured";
	return report->bytes >= settings->expect->length && report->stopped == STOPPED_AT_END
	             ? "right"
	             : "right so far";
}

/* Why reading stopped, for machines. */
static const char *stopped_name(enum stopped stopped)
{
	static const char *const name[] = {
		[STOPPED_AT_END] = "end",         [STOPPED_BY_BYTES] = "bytes",
		[STOPPED_BY_SECONDS] = "seconds", [STOPPED_BY_SIGNAL] = "signal",
		[STOPPED_BY_ERROR] = "error",
	};

	return name[stopped];
}

/* Bytes per second; 0 if no time has passed. */
static double rate(const struct report *report)
{
	return report->nanoseconds ? (double)report->bytes * 1e9 / (double)report->nanoseconds : 0;
}

/* What the verdict is about: how much of the stream was looked at, and how much of that was wrong. */
static void print_scope(const struct report *report, const struct settings *settings)
{
	if (!settings->expect)
		printf("nothing checked");
	else if (report->wrong.wrong != WRONG_NOTHING)
		printf("%" PRIu64 " of %" PRIu64 " stretches of 128 KiB wrong", report->stretches_wrong,
		       report->stretches);
	else if (report->checked == report->bytes)
		printf("every byte checked");
	else
		printf("%" PRIu64 " stretches of 128 KiB checked, 1 of %" PRIu64, report->stretches,
		       settings->sample);
}

/* One line for people. */
static void print_text(const struct report *report, const struct settings *settings)
{
	printf("%s: %" PRIu64 " bytes", verdict(report, settings), report->bytes);
	if (report->lines_known)
		printf(", %" PRIu64 " lines", report->lines);
	printf(" in %.3f s, %.2f GiB/s; ", (double)report->nanoseconds / 1e9, rate(report) / GIB);
	print_scope(report, settings);
	if (report->stopped != STOPPED_AT_END && report->stopped != STOPPED_BY_ERROR)
		printf("; stopped by %s", stopped_name(report->stopped));
	printf("\n");
}

/* The first thing wrong, or null. */
static void print_json_error(const struct place *place)
{
	char expected[PLACE_TEXT];
	char received[PLACE_TEXT];

	if (place->wrong == WRONG_NOTHING) {
		printf("null");
		return;
	}
	printf("{\"kind\":\"%s\"", place_wrong_name(place->wrong));
	if (place->wrong == WRONG_READ)
		printf(",\"errno\":%d,\"message\":\"%s\"", place->error, strerror(place->error));
	else
		printf(",\"offset\":%" PRIu64, place->offset);
	if (place->wrong == WRONG_GOES_ON)
		printf(",\"after_line\":%" PRIu64, place->after_line);
	if (place->has_expected) {
		place_expected_text(place, expected, true);
		printf(",\"line\":%" PRIu64 ",\"expected\":\"%s\"", place->expected.number, expected);
	}
	if (place->has_expected || place->wrong == WRONG_GOES_ON) {
		place_received_text(place, received, true);
		printf(",\"received\":\"%s\"", received);
	}
	printf("}");
}

/* One object on one line for machines. */
static void print_json(const struct report *report, const struct settings *settings)
{
	printf("{\"verdict\":\"%s\",\"stopped\":\"%s\",\"bytes\":%" PRIu64 ",\"checked_bytes\":%" PRIu64,
	       verdict(report, settings), stopped_name(report->stopped), report->bytes, report->checked);
	if (report->lines_known)
		printf(",\"lines\":%" PRIu64, report->lines);
	else
		printf(",\"lines\":null");
	printf(",\"seconds\":%.9f,\"bytes_per_second\":%.0f,\"gib_per_second\":%.4f",
	       (double)report->nanoseconds / 1e9, rate(report), rate(report) / GIB);
	printf(",\"sample\":%" PRIu64 ",\"stretch_bytes\":%zu,\"stretches\":%" PRIu64
	       ",\"stretches_wrong\":%" PRIu64 ",\"error\":",
	       settings->expect ? settings->sample : 0, STRETCH, report->stretches, report->stretches_wrong);
	print_json_error(&report->wrong);
	printf("}\n");
}

/* A verdict that could not be delivered is a failure. */
int report_print(const struct report *report, const struct settings *settings)
{
	if (settings->json)
		print_json(report, settings);
	else if (!settings->quiet)
		print_text(report, settings);
	if (fflush(stdout) != 0 || ferror(stdout))
		cli_fail("standard output: %s", strerror(errno));
	return report->wrong.wrong == WRONG_NOTHING ? 0 : CLI_FAILURE;
}
