/* What is shown of a wrong line. */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <string.h>

#include "verifier/place.h"

/* The place of a wrong byte at `offset` in lines 98 to 103, all right from `known` on, and what came there.
 */
static struct place wrong_at(uint64_t offset, uint64_t known, const char *came)
{
	struct expect *expect = expect_fizzbuzz(98, 103);
	struct place place;

	place_begin(&place, WRONG_BYTE, offset, known, expect);
	place_add(&place, (const unsigned char *)came, strlen(came));
	expect->close(expect);
	return place;
}

/* What is said to have come. */
static void assert_received(struct place place, const char *people, const char *machines)
{
	char shown[PLACE_TEXT];

	place_received_text(&place, shown, false);
	assert_string_equal(shown, people);
	place_received_text(&place, shown, true);
	assert_string_equal(shown, machines);
}

/* The right part of the line comes from what was expected, the rest from what came. */
static void received_line(void **state)
{
	char shown[PLACE_TEXT];
	struct place place = wrong_at(15, 0, "7\nFizz\n");

	(void)state;
	place_expected_text(&place, shown, false);
	assert_string_equal(shown, "101\\n");
	assert_int_equal(place.expected.number, 101);
	assert_received(place, "107\\n", "107\\n");
	/* What came before the part that is known is not said. */
	assert_received(wrong_at(15, 14, "7\n"), "...07\\n", "...07\\n");
	/* A line that stops is shown as it is. */
	assert_received(wrong_at(15, 0, "7"), "107", "107");
}

/* Quotes, backslashes, control characters and what is not ASCII. */
static void escapes(void **state)
{
	(void)state;
	assert_received(wrong_at(13, 0, "\"\\\t\r\x01\xff\x7f\n"), "\\\"\\\\\\t\\r\\x01\\xff\\x7f\\n",
	                "\\\"\\\\\\t\\r\\u0001\\u00ff\\u007f\\n");
}

/* The longest possible line of the worst bytes fits; dots say that it was cut. */
static void long_line(void **state)
{
	char came[200] = {0};
	char shown[PLACE_TEXT];
	struct place place;

	(void)state;
	memset(came, '\xee', sizeof came - 1);
	place = wrong_at(13, 0, came);
	place_received_text(&place, shown, true);
	assert_int_equal(strlen(shown), 6 * EXPECT_SHOWN + 3);
	assert_string_equal(shown + 6 * EXPECT_SHOWN, "...");
	assert_memory_equal(shown, "\\u00ee", 6);
}

/* Pieces of one byte make the same line. */
static void pieces(void **state)
{
	struct expect *expect = expect_fizzbuzz(98, 103);
	struct place place;

	(void)state;
	place_begin(&place, WRONG_BYTE, 13, 0, expect);
	assert_false(place_add(&place, (const unsigned char *)"2", 1));
	assert_false(place_add(&place, (const unsigned char *)"", 0));
	assert_true(place_add(&place, (const unsigned char *)"\n", 1));
	assert_received(place, "2\\n", "2\\n");
	expect->close(expect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(received_line),
		cmocka_unit_test(escapes),
		cmocka_unit_test(long_line),
		cmocka_unit_test(pieces),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
