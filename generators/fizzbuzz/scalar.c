/*
 * The scalar kernel: lines one after the other with a decimal counter, on every CPU. Vector kernels
 * need it too, for short numbers and for the way to an aligned address.
 */
#include "generators/fizzbuzz/kernel.h"

#include <string.h>

#include "generators/fizzbuzz/lines.h"

/* A number as text that counts up; room for a copy of fixed size. */
struct counter {
	char text[FB_SCALAR_ROOM];
	unsigned digits;
};

/* Starts counting at n. */
static void counter_set(struct counter *counter, uint64_t n)
{
	counter->digits = fb_digits(n);
	memset(counter->text, '\n', sizeof counter->text);
	for (unsigned i = counter->digits; i > 0; i--, n /= 10)
		counter->text[i - 1] = (char)('0' + n % 10);
}

/* Adds one; a carry out of the top makes the number longer. */
static void counter_up(struct counter *counter)
{
	unsigned i = counter->digits;

	while (i > 0 && counter->text[i - 1] == '9')
		counter->text[--i] = '0';
	if (i > 0) {
		counter->text[i - 1]++;
		return;
	}
	counter->text[0] = '1';
	counter->text[counter->digits++] = '0';
}

/* See kernel.h. Copies of fixed size run over the end of a line, within FB_SCALAR_ROOM. */
size_t fb_scalar_lines(uint64_t *line, uint64_t last, unsigned char *out, size_t room)
{
	struct counter counter;
	unsigned char *start = out;
	uint64_t n = *line;
	unsigned mod3 = (unsigned)(n % 3), mod5 = (unsigned)(n % 5);

	counter_set(&counter, n);
	for (; room - (size_t)(out - start) >= FB_SCALAR_ROOM; n++) {
		if (mod3 == 0 || mod5 == 0) {
			if (mod3 == 0) {
				memcpy(out, "Fizz", 4);
				out += 4;
			}
			if (mod5 == 0) {
				memcpy(out, "Buzz", 4);
				out += 4;
			}
			*out++ = '\n';
		} else {
			memcpy(out, counter.text, 24);
			out += counter.digits + 1;
		}
		if (n == last) {
			n++;
			break;
		}
		mod3 = mod3 == 2 ? 0 : mod3 + 1;
		mod5 = mod5 == 4 ? 0 : mod5 + 1;
		counter_up(&counter);
	}
	*line = n;
	return (size_t)(out - start);
}
