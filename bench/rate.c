/*
 * Measures one pipeline: starts it, pins it, waits until it runs steadily, and says how fast bytes reach
 * the last stage. That stage must report on standard error, as `pv -n -b -t` and bench/drain.c do, in
 * lines of SECONDS BYTES; both figures are taken from its lines, so nothing stands in the way of the data.
 *
 *     rate [OPTION]... WRITER [ARGUMENT]... '|' READER [ARGUMENT]... ['|' ...]
 *
 * The first stage runs on one CPU, all others on another. Prints one line: bytes per second (with -e:
 * seconds), the peak memory in KiB of the first and of the last stage, and (with -p) the CPU time that the
 * first stage spent per second while all others were stopped.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STAGES = 64, PATIENCE = 60 };

static const char usage[] =
	"usage: rate [OPTION]... WRITER [ARGUMENT]... '|' READER [ARGUMENT]... ['|' ...]\n"
	"  -c W,R    CPU of the writer and of everything behind it\n"
	"  -w BYTES  let this much pass before measuring (default 1 GiB)\n"
	"  -n BYTES  measure over at least this much (default 10 GiB)\n"
	"  -t SECS   and over at least this long (default 0)\n"
	"  -e        the last stage ends by itself, having counted: print seconds instead of a rate\n"
	"  -p SECS   then stop every stage but the first for so long\n";

struct stage {
	char **argv;
	pid_t pid;
	struct rusage used;
};

/* A line of the last stage's reports. */
struct report {
	double seconds;
	uint64_t bytes;
};

static struct stage stages[MAX_STAGES];
static int stage_count;
static int writer_cpu = -1, reader_cpu = -1;
static uint64_t warm_up = (uint64_t)1 << 30, least_bytes = (uint64_t)10 << 30;
static double least_seconds;
static long pause_seconds;
static bool until_end;

/* Seconds on a clock that only goes forward. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Ends every stage that runs, and keeps what it used. */
static void end_stages(void)
{
	for (int i = stage_count - 1; i >= 0; i--) {
		if (stages[i].pid > 0) {
			kill(stages[i].pid, SIGKILL);
			wait4(stages[i].pid, NULL, 0, &stages[i].used);
			stages[i].pid = 0;
		}
	}
}

/* Ends the measurement without a figure. */
static _Noreturn void fail(const char *what, const char *why)
{
	end_stages();
	fprintf(stderr, "rate: %s: %s\n", what, why);
	exit(1);
}

/* Makes the stage what it is to be; runs in the child. */
static _Noreturn void become(char **argv, int in, int out, int err, int cpu)
{
	cpu_set_t set;

	/* A pipeline must not outlive a driver that was interrupted: the peer never ends. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	if (cpu >= 0) {
		CPU_SET((size_t)cpu, &set);
		if (sched_setaffinity(0, sizeof set, &set)) {
			perror("rate: sched_setaffinity");
			_exit(126);
		}
	}
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	execvp(argv[0], argv);
	perror(argv[0]);
	_exit(127);
}

/* Starts all stages; returns where the last one reports. All descriptors close themselves on exec. */
static int start_stages(void)
{
	int report[2], link[2];
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int null_out = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (in < 0 || null_out < 0 || pipe2(report, O_CLOEXEC))
		fail("pipe", strerror(errno));
	for (int i = 0; i < stage_count; i++) {
		bool last = i == stage_count - 1;

		if (!last && pipe2(link, O_CLOEXEC))
			fail("pipe", strerror(errno));
		stages[i].pid = fork();
		if (stages[i].pid < 0)
			fail("fork", strerror(errno));
		if (stages[i].pid == 0)
			become(stages[i].argv, in, last ? null_out : link[1], last ? report[1] : STDERR_FILENO,
			       i == 0 ? writer_cpu : reader_cpu);
		close(in);
		in = link[0];
		if (!last)
			close(link[1]);
	}
	close(null_out);
	close(report[1]);
	return report[0];
}

/* The next report; returns false at the end. Other lines are what the stage has to say: pass them on. */
static bool next_report(FILE *from, struct report *report)
{
	char line[512];

	alarm(PATIENCE);
	while (fgets(line, sizeof line, from)) {
		if (sscanf(line, "%lf %" SCNu64, &report->seconds, &report->bytes) == 2) {
			alarm(0);
			return true;
		}
		fputs(line, stderr);
	}
	if (ferror(from))
		fail(stages[stage_count - 1].argv[0], "no report for a minute");
	return false;
}

/* The steady rate, between the first report after the warm-up and the first that is far enough from it. */
static double measure_rate(FILE *from)
{
	struct report first, last;

	do {
		if (!next_report(from, &first))
			fail(stages[0].argv[0], "the stream ended before it was warm");
	} while (first.bytes < warm_up);
	do {
		if (!next_report(from, &last))
			fail(stages[0].argv[0], "the stream ended before it was measured");
	} while (last.bytes - first.bytes < least_bytes || last.seconds - first.seconds < least_seconds);
	return (double)(last.bytes - first.bytes) / (last.seconds - first.seconds);
}

/* How long the last stage takes from start to end; it must be content with what it got. */
static double measure_time(FILE *from, double start)
{
	struct stage *last = &stages[stage_count - 1];
	struct report ignored;
	double seconds;
	int status;

	while (next_report(from, &ignored))
		;
	if (wait4(last->pid, &status, 0, &last->used) != last->pid)
		fail("wait", strerror(errno));
	seconds = now() - start;
	last->pid = 0;
	if (status != 0)
		fail(last->argv[0], "it failed");
	return seconds;
}

/* CPU time of the first stage, all its threads, to the nanosecond. */
static double writer_cpu_time(void)
{
	clockid_t clock;
	struct timespec time;

	if (clock_getcpuclockid(stages[0].pid, &clock) || clock_gettime(clock, &time))
		fail(stages[0].argv[0], "it ended while its readers were stopped");
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* What the first stage spends per second while nobody reads, from the moment on at which reading stops. */
static double measure_stopped(void)
{
	struct timespec rest = {.tv_sec = pause_seconds};
	double before;

	for (int i = 1; i < stage_count; i++)
		kill(stages[i].pid, SIGSTOP);
	before = writer_cpu_time();
	nanosleep(&rest, NULL);
	return (writer_cpu_time() - before) / (double)pause_seconds;
}

/* Only there to interrupt a read that takes too long. */
static void on_alarm(int signal_number)
{
	(void)signal_number;
}

/* Splits the rest of the command line at the words `|`. */
static void take_stages(char **words)
{
	while (*words && stage_count < MAX_STAGES) {
		stages[stage_count++].argv = words;
		while (*words && strcmp(*words, "|") != 0)
			words++;
		if (*words)
			*words++ = NULL;
	}
}

int main(int argc, char **argv)
{
	int option;
	double start, result, idle = 0;

	while ((option = getopt(argc, argv, "+c:w:n:t:p:e")) != -1) {
		if (option == 'c' && sscanf(optarg, "%d,%d", &writer_cpu, &reader_cpu) == 2)
			continue;
		else if (option == 'w')
			warm_up = strtoull(optarg, NULL, 10);
		else if (option == 'n')
			least_bytes = strtoull(optarg, NULL, 10);
		else if (option == 't')
			least_seconds = strtod(optarg, NULL);
		else if (option == 'p')
			pause_seconds = strtol(optarg, NULL, 10);
		else if (option == 'e')
			until_end = true;
		else
			return fputs(usage, stderr), 2;
	}
	take_stages(argv + optind);
	if (stage_count < 2)
		return fputs(usage, stderr), 2;

	struct sigaction interrupt = {.sa_handler = on_alarm};

	sigaction(SIGALRM, &interrupt, NULL);

	start = now();

	FILE *from = fdopen(start_stages(), "r");

	if (!from)
		fail("fdopen", strerror(errno));
	result = until_end ? measure_time(from, start) : measure_rate(from);
	if (pause_seconds > 0)
		idle = measure_stopped();
	end_stages();
	printf("%.4f %ld %ld %.4f\n", result, stages[0].used.ru_maxrss, stages[stage_count - 1].used.ru_maxrss, idle);
	return fflush(stdout) ? 1 : 0;
}
