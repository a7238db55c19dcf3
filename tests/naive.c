/*
 * naive FIRST LAST - the right answer, by the plainest program there is. Every expected byte of the
 * tests comes from here or from published hashes; nothing here is shared with what is tested.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static char buffer[1 << 16];
	uint64_t n, last;

	if (argc != 3) {
		fprintf(stderr, "usage: naive FIRST LAST\n");
		return 2;
	}
	n = strtoull(argv[1], NULL, 10);
	last = strtoull(argv[2], NULL, 10);
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	for (; n <= last; n++) {
		if (n % 15 == 0)
			printf("FizzBuzz\n");
		else if (n % 5 == 0)
			printf("Buzz\n");
		else if (n % 3 == 0)
			printf("Fizz\n");
		else
			printf("%" PRIu64 "\n", n);
		if (n == UINT64_MAX)
			break;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
