/*
 * A writer that generates nothing: it pushes the same ring round and round, as `fizzbuzz --fast` would if
 * filling took no time. What it reaches through a reader is that reader's ceiling.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/pipecore.h"

int main(void)
{
	struct pc_options options;
	struct pc_writer *writer;
	uint64_t total = 0;
	int error;

	pc_options_init(&options);
	options.method = PC_RING;
	options.never_forks = true;
	error = pc_writer_open(&writer, STDOUT_FILENO, &options);
	while (!error) {
		unsigned char *half;
		size_t room;

		error = pc_writer_next(writer, &half, &room);
		if (error)
			break;
		/* Pages never written are all one page of zeros, which costs the kernel less than real ones. */
		if (total < 2 * pc_writer_options(writer)->ring)
			memset(half, 'x', room);
		total += room;
		error = pc_writer_push(writer, room);
	}
	fprintf(stderr, "unfilled: %s\n", strerror(-error));
	return 1;
}
