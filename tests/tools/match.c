/*
 * match FILE [FROM] - compares standard input with a file, from its byte FROM on, as it comes, so that no test has to keep hundreds of
 * megabytes. Status 0: the same; 3: an exact beginning of it, not all; 1: anything else, and says where.
 */
#include "tests/tool.h"

#include <sys/mman.h>
#include <sys/stat.h>

/* The whole file, to be looked at. */
static const unsigned char *map(const char *path, size_t *size)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status) != 0)
		tool_end(2, errno, "%s", path);
	*size = (size_t)status.st_size;
	if (*size == 0)
		return NULL;
	const unsigned char *data = mmap(NULL, *size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);

	if (data == MAP_FAILED)
		tool_end(2, errno, "%s", path);
	close(fd);
	return data;
}

int main(int argc, char **argv)
{
	static unsigned char buffer[1 << 17];
	size_t size, at = 0;

	if (argc < 2 || argc > 3)
		tool_end(2, 0, "usage: match FILE [FROM]");
	const unsigned char *right = map(argv[1], &size);

	if (argc > 2)
		at = tool_size(argv[2]);
	if (at > size)
		tool_end(2, 0, "match: %s has no byte %zu", argv[1], at);

	for (;;) {
		size_t got = tool_read(STDIN_FILENO, buffer, sizeof buffer);

		if (got == 0)
			break;
		if (got > size - at)
			tool_end(1, 0, "more than the %zu bytes of %s", size, argv[1]);
		if (memcmp(buffer, right + at, got) != 0) {
			size_t i = 0;

			while (buffer[i] == right[at + i])
				i++;
			tool_end(1, 0, "byte %zu (counted from 0) differs from %s", at + i, argv[1]);
		}
		at += got;
	}
	if (at < size)
		tool_end(3, 0, "ends at byte %zu, before the end of %s", at, argv[1]);
	return 0;
}
