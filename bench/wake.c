/*
 * How long it takes to wake a process that sleeps on another CPU: half of a byte's way there and back.
 * A reader that blocks, such as pv, pays this each time it finds the pipe empty, so this figure explains
 * much of what differs between machines and hours.
 *
 *     wake W,R     prints the median in seconds between these CPUs
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TRIPS = 2001 };

/* Moves this process to a CPU. */
static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set)) {
		perror("wake: sched_setaffinity");
		exit(1);
	}
}

/* Sends each byte back until there are no more. */
static _Noreturn void echo(int in, int out)
{
	char byte;

	while (read(in, &byte, 1) == 1 && write(out, &byte, 1) == 1)
		;
	_exit(0);
}

/* Seconds from sending a byte until it is back; both sides sleep while the other one works. */
static double round_trip(int out, int in)
{
	struct timespec start, end;
	char byte = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1) {
		perror("wake: pipe");
		exit(1);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}

/* Order for qsort. */
static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static double trips[TRIPS];
	int here, there, to[2], from[2];

	if (argc != 2 || sscanf(argv[1], "%d,%d", &here, &there) != 2 || pipe(to) || pipe(from))
		return 2;
	if (fork() == 0) {
		close(to[1]);
		pin(there);
		echo(to[0], from[1]);
	}
	close(from[1]);
	pin(here);
	for (int i = 0; i < TRIPS; i++)
		trips[i] = round_trip(to[1], from[0]);
	qsort(trips, TRIPS, sizeof *trips, compare);
	printf("%.7f\n", trips[TRIPS / 2] / 2);
	return 0;
}
