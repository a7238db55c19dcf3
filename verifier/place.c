/* Where a stream is wrong; see place.h. */
#include "verifier/place.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* What came before the wrong byte was right, so it is taken from the expected line. */
void place_begin(struct place *place, enum wrong wrong, uint64_t offset, uint64_t known,
                 struct expect *expect)
{
	memset(place, 0, sizeof *place);
	place->wrong = wrong;
	place->offset = offset;
	place->received_from_start = true;
	if (!expect || offset >= expect->length)
		return;
	expect->line_at(expect, offset, &place->expected);
	place->has_expected = true;

	uint64_t from = place->expected.from;
	uint64_t start = known > from ? known : from;

	place->received_from_start = place->expected.from_start && start == from;
	place->received_size = (size_t)(offset - start);
	memcpy(place->received, place->expected.text + (start - from), place->received_size);
}

/* A line ends with its newline. */
bool place_add(struct place *place, const unsigned char *data, size_t size)
{
	for (size_t i = 0; i < size && place->received_size < sizeof place->received; i++) {
		place->received[place->received_size++] = data[i];
		if (data[i] == '\n') {
			place->received_to_end = true;
			return true;
		}
	}
	return place->received_size == sizeof place->received;
}

/* One byte in printable form: escapes of C for people, of JSON for machines. */
static size_t escape_byte(char *text, size_t room, unsigned char byte, bool json)
{
	static const char plain[] = "\n\t\r\"\\";
	static const char letters[] = "ntr\"\\";
	const char *found = byte ? strchr(plain, byte) : NULL;
	int length;

	if (found)
		length = snprintf(text, room, "\\%c", letters[found - plain]);
	else if (byte >= 0x20 && byte < 0x7f)
		length = snprintf(text, room, "%c", byte);
	else
		length = snprintf(text, room, json ? "\\u%04x" : "\\x%02x", byte);
	return (size_t)length;
}

/* A line in printable form. */
static void escape_line(char text[PLACE_TEXT], const unsigned char *bytes, size_t size, bool from_start,
                        bool to_end, bool json)
{
	size_t length = 0;

	text[0] = '\0';
	if (!from_start)
		length += (size_t)snprintf(text, PLACE_TEXT, "...");
	for (size_t i = 0; i < size; i++)
		length += escape_byte(text + length, PLACE_TEXT - length, bytes[i], json);
	if (!to_end)
		snprintf(text + length, PLACE_TEXT - length, "...");
}

/* See place.h. */
void place_expected_text(const struct place *place, char text[PLACE_TEXT], bool json)
{
	const struct expect_line *line = &place->expected;

	escape_line(text, line->text, line->size, line->from_start, line->to_end, json);
}

/* Dots at its end only if it was cut for length: a line that simply stops is shown as it is. */
void place_received_text(const struct place *place, char text[PLACE_TEXT], bool json)
{
	bool cut = !place->received_to_end && place->received_size == sizeof place->received;

	escape_line(text, place->received, place->received_size, place->received_from_start, !cut, json);
}

/* Offsets are said to count from 0 because cmp(1) counts from 1. */
void place_print(const struct place *place, const struct expect *expect)
{
	char expected[PLACE_TEXT];
	char received[PLACE_TEXT];
	uintmax_t offset = place->offset;
	uintmax_t line = place->expected.number;
	char hint[96] = "";

	if (place->wrong == WRONG_END && expect->end_not_stated)
		snprintf(hint, sizeof hint, " (if that is its end: --expect=fizzbuzz:%ju:%ju)",
		         (uintmax_t)expect->first, line - 1);
	place_expected_text(place, expected, false);
	place_received_text(place, received, false);
	switch (place->wrong) {
	case WRONG_NOTHING:
		break;
	case WRONG_BYTE:
		cli_warn("wrong at byte %ju (counted from 0), line %ju: expected \"%s\", received \"%s\"",
		         offset, line, expected, received);
		break;
	case WRONG_END:
		cli_warn("ends early: at byte %ju, after line %ju; line %ju was expected, of %s%s", offset,
		         line - 1, line, expect->name, hint);
		break;
	case WRONG_END_IN_LINE:
		cli_warn("ends inside a line: at byte %ju, line %ju: expected \"%s\", received \"%s\"",
		         offset, line, expected, received);
		break;
	case WRONG_GOES_ON:
		cli_warn("goes on after its end: at byte %ju (counted from 0), after line %ju: received "
		         "\"%s\"",
		         offset, (uintmax_t)place->after_line, received);
		break;
	case WRONG_EMPTY:
		cli_warn("nothing was received; expected %s", expect->name);
		break;
	case WRONG_READ:
		cli_warn("standard input: %s", strerror(place->error));
		break;
	}
}

/* Part of the JSON report's interface: do not rename. */
const char *place_wrong_name(enum wrong wrong)
{
	static const char *const name[] = {
		[WRONG_NOTHING] = "nothing", [WRONG_BYTE] = "byte",
		[WRONG_END] = "end",         [WRONG_END_IN_LINE] = "end-in-line",
		[WRONG_GOES_ON] = "goes-on", [WRONG_EMPTY] = "empty",
		[WRONG_READ] = "read",
	};

	return name[wrong];
}
