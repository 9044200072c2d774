// SPDX-License-Identifier: MIT
/*
 * Measure rows, and print each as a JSON object on a line.
 *
 * In the machine each instruction takes one nanosecond and one tick of the time
 * stamp counter.  Other work interrupts the measured code now and then (a timer
 * tick, a full buffer), so the minimum of several batches is the result: the
 * cost of one event without other work.  The cost of the loop itself, measured
 * in the same way, is subtracted.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define BATCHES		16u
/* A batch ends long before a buffer is full, and within a quarter of a tick */
#define MAX_EVENTS	512u
#define MAX_BYTES	(512u * 1024)
#define MAX_TICKS	1000000u
/* Run first, to estimate the duration and to warm up */
#define TRIAL		8u
/* Upper bound of a record's size without its payload */
#define OVERHEAD	256u

static const char *kernel = "";
static FILE *results;

static uint64_t ticks(void)
{
	return __builtin_ia32_rdtsc();
}

/*
 * Instructions without effect that the profiler recognizes: it counts from the
 * first to the second.  No compiler emits their numbers.
 */
static void mark_begin(void)
{
	asm volatile("nopl 0x45564e00(%%rax,%%rax,1)" ::: "memory");
}

static void mark_end(void)
{
	asm volatile("nopl 0x45564e01(%%rax,%%rax,1)" ::: "memory");
}

static void run_nothing(unsigned int n)
{
	while (n--)
		bench_barrier();
}

static uint64_t batch(void (*run)(unsigned int n), unsigned int n)
{
	uint64_t start = ticks();

	run(n);
	return ticks() - start;
}

static double least(void (*run)(unsigned int n), unsigned int n)
{
	uint64_t t, min = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < BATCHES; i++) {
		t = batch(run, n);
		if (t < min)
			min = t;
	}
	return min;
}

/* Cost of @n operations */
static double cost(const struct bench_case *c, unsigned int n)
{
	return c->is_timed ? (double)batch(c->run, BATCHES * n) / BATCHES :
			     least(c->run, n);
}

static unsigned int trial(const struct bench_case *c)
{
	return c->is_timed ? 1 : TRIAL;
}

/* Number of operations in a batch; runs BATCHES times trial() before */
static unsigned int batch_size(const struct bench_row *row)
{
	uint64_t one = cost(row->c, trial(row->c)) / trial(row->c);
	uint64_t n = MAX_TICKS / (one ? one : 1);

	if (row->c->is_timed)
		return 1;
	if (n > MAX_BYTES / (row->payload + OVERHEAD))
		n = MAX_BYTES / (row->payload + OVERHEAD);
	return n < MAX_EVENTS ? n : MAX_EVENTS;
}

static unsigned int events_of(const struct bench_case *c)
{
	return c->events ? c->events : 1;
}

/* Number of events after batch_size() and one measurement */
static uint64_t events_done(const struct bench_case *c, unsigned int n)
{
	return (uint64_t)BATCHES * (trial(c) + n) * events_of(c);
}

static void profile(void (*run)(unsigned int n), unsigned int n)
{
	unsigned int i;

	for (i = 0; i < BATCHES; i++) {
		mark_begin();
		run(n);
		mark_end();
	}
}

static void print_result(const struct bench_row *row, double instructions,
			 const char *reason)
{
	fprintf(results, "{\"case\":\"%s\",\"payload\":%u,\"descriptors\":%u,",
		row->c->name, row->payload, row->descriptors);
	fprintf(results, "\"sessions\":%u,\"kernel\":\"%s\",", row->sessions,
		kernel);
	if (reason)
		fprintf(results, "\"instructions\":null,\"reason\":\"%s\",",
			reason);
	else
		fprintf(results, "\"instructions\":%.0f,", instructions);
	fprintf(results, "\"what\":\"%s\"}\n", row->c->what);
	fflush(results);
}

/* Returns false if the row was measured, but with an error */
static bool measure_row(const struct bench_row *row)
{
	const struct bench_case *c = row->c;
	double instructions = 0, before = 0;
	const char *reason;
	unsigned int n;
	bool ok = true;

	if (c->is_added) {
		n = batch_size(row);
		before = cost(c, n) / n;
	}
	reason = c->begin ? c->begin(row) : NULL;
	if (!reason) {
		n = batch_size(row);
		instructions = cost(c, n) / n - before;
		if (!c->is_added)
			instructions -= least(run_nothing, n) / n;
		instructions /= events_of(c);
		if (c->end)
			reason = c->end(row, events_done(c, n));
		ok = !reason;
	}
	printf("%s %u\n", c->name, row->payload);
	fflush(stdout);
	print_result(row, instructions, reason);
	return ok;
}

/* Copy the memory map, for looking up names */
static void copy_maps(const char *to)
{
	FILE *in = fopen("/proc/self/maps", "r"), *out = fopen(to, "w");
	char line[4096];

	while (in && out && fgets(line, sizeof(line), in))
		fputs(line, out);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
}

/* Returns the number of operations between two marks; 0 on failure */
static unsigned int profile_row(const struct bench_row *row, const char *maps)
{
	const struct bench_case *c = row->c;
	const char *reason = c->begin ? c->begin(row) : NULL;
	unsigned int n;

	if (reason) {
		fprintf(stderr, "%s: %s\n", c->name, reason);
		return 0;
	}
	n = batch_size(row);
	profile(c->run, n);
	copy_maps(maps);
	if (c->end)
		reason = c->end(row, events_done(c, n));
	if (reason)
		fprintf(stderr, "%s: %s\n", c->name, reason);
	return reason ? 0 : n;
}

static int list_all(const struct bench_row *const *lists)
{
	const struct bench_row *row;

	for (; *lists; lists++)
		for (row = *lists; row->c; row++)
			printf("%s:%u:%u:%u\n", row->c->name, row->payload,
			       row->descriptors, row->sessions);
	return 0;
}

static bool matches(const struct bench_row *row, const char *spec)
{
	size_t len = strcspn(spec, ":");
	unsigned int payload = 64, descriptors = 1, sessions = 1;

	if (strlen(row->c->name) != len || strncmp(row->c->name, spec, len))
		return false;
	if (!spec[len])
		return true;
	sscanf(spec + len, ":%u:%u:%u", &payload, &descriptors, &sessions);
	return row->payload == payload && row->descriptors == descriptors &&
	       row->sessions == sessions;
}

static int profile_first(const struct bench_row *const *lists,
			 const char *spec, const char *maps)
{
	const struct bench_row *row;
	unsigned int n;

	for (; *lists; lists++) {
		for (row = *lists; row->c; row++) {
			if (!row->c->run || !matches(row, spec))
				continue;
			n = profile_row(row, maps);
			fprintf(results, "%u\n", n);
			return !n;
		}
	}
	return 2;
}

/*
 * Measure in a child, as each row leaves traces: once a library has started a
 * thread, each system call on a descriptor costs more.
 */
static bool measure_alone(const struct bench_row *row)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(!measure_row(row));
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

static int measure_all(const struct bench_row *const *lists, const char *only,
		       bool (*measure)(const struct bench_row *row))
{
	const struct bench_row *row;
	int failed = 0;

	for (; *lists; lists++)
		for (row = *lists; row->c; row++)
			if (!only || matches(row, only))
				failed |= !measure(row);
	return failed;
}

/**
 * bench_main() - main function of the benchmark's programs
 * @lists: lists of rows, ended by NULL
 * @forks: rows may be measured in processes of their own
 *
 * usage: [-k KERNEL] [-o FILE] [-c CASE[:PAYLOAD:DESCRIPTORS:SESSIONS]] [-p
 * MAPS] -l
 *
 * Adds a line to FILE for each row, or for each one selected by -c.  With -p
 * the first of these is run between marks instead, and the line has the number
 * of events between two marks. -l lists the rows in the form that -c takes.
 */
int bench_main(int argc, char **argv, const struct bench_row *const *lists,
	       bool forks)
{
	const char *only = NULL, *maps = NULL;
	int c, status = 0;

	results = stdout;
	while ((c = getopt(argc, argv, "k:o:c:p:l")) != -1) {
		switch (c) {
		case 'k':
			kernel = optarg;
			break;
		case 'o':
			results = fopen(optarg, "a");
			break;
		case 'c':
			only = optarg;
			break;
		case 'p':
			maps = optarg;
			break;
		case 'l':
			return list_all(lists);
		default:
			return 2;
		}
	}
	if (!results) {
		perror("bench");
		return 1;
	}
	if (maps && only)
		status = profile_first(lists, only, maps);
	else
		status = measure_all(lists, only,
				     forks ? measure_alone : measure_row);
	if (results != stdout)
		fclose(results);
	return status;
}
