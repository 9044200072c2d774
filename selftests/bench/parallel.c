// SPDX-License-Identifier: MIT
/*
 * Writers on several processors at once, in time rather than instructions.
 *
 * usage: parallel [-k KERNEL] [-o FILE] THREADS CASE
 *
 * Time means little on an emulated processor, and nothing on a busy machine.
 * Therefore each round also measures getppid(), which shares no data, and the
 * result of a call is the median of its ratio to that.  It is processor time of
 * the writers: a session's own thread, which needs some of the processors that
 * the writers share, must not count.  An emulated processor reads its counter
 * under a lock, which events from rings do more often than others.
 *
 * Threads share their descriptors, and the kernel's reference count on the file
 * is contended.  In "-apart" each thread has its own, like processes.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "timed.h"

#define ROUNDS		25u
#define BATCH_NS	20e6
#define MAX_THREADS	64u
#define ROWS		5u

char bench_payload[BENCH_MAX_PAYLOAD];

/**
 * struct racer - a row, and its results
 * @row: the row
 * @apart: for threads that do not share their descriptors
 * @batch: number of operations in a thread's batch
 * @done: total number of operations
 * @alone: ns per operation, by round
 * @together: the same, with all threads at once
 */
struct racer {
	const struct bench_row *row;
	bool apart;
	unsigned int batch;
	uint64_t done;
	double alone[ROUNDS];
	double together[ROUNDS];
};

static struct racer racers[ROWS];
static pthread_barrier_t barrier;
static unsigned int threads;

struct job {
	pthread_t thread;
	unsigned int cpu;
	const struct racer *racer;
	double ns;
};

static void *work(void *p)
{
	struct job *j = p;

	timed_pin(j->cpu);
	if (j->racer->apart && unshare(CLONE_FILES)) {
		perror("unshare");
		exit(1);
	}
	/* The first event of a thread may map its ring */
	j->racer->row->c->run(1);
	pthread_barrier_wait(&barrier);
	j->ns = timed_cpu();
	j->racer->row->c->run(j->racer->batch);
	j->ns = timed_cpu() - j->ns;
	return NULL;
}

/* Processor time per operation with @count threads at once, by the slowest of them */
static double race(struct racer *r, unsigned int count)
{
	struct job jobs[MAX_THREADS];
	double longest = 0;
	unsigned int i;

	pthread_barrier_init(&barrier, NULL, count);
	for (i = 0; i < count; i++) {
		jobs[i].cpu = i;
		jobs[i].racer = r;
		pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
	}
	for (i = 0; i < count; i++) {
		pthread_join(jobs[i].thread, NULL);
		if (jobs[i].ns > longest)
			longest = jobs[i].ns;
	}
	pthread_barrier_destroy(&barrier);
	r->done += (uint64_t)count * (r->batch + 1);
	return longest / r->batch;
}

static const struct bench_row *find(const struct bench_row *row,
				    const char *name)
{
	while (strcmp(row->c->name, name))
		row++;
	return row;
}

static bool begin(struct racer *r, const struct bench_row *row)
{
	const char *reason = row->c->begin ? row->c->begin(row) : NULL;

	r->row = row;
	r->batch = 1000;
	if (reason)
		fprintf(stderr, "%s: %s\n", row->c->name, reason);
	else
		r->batch = BATCH_NS / race(r, 1);
	return !reason;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double median(const double *values)
{
	double sorted[ROUNDS];

	memcpy(sorted, values, sizeof(sorted));
	qsort(sorted, ROUNDS, sizeof(*sorted), compare);
	return sorted[ROUNDS / 2];
}

/* Print the slowdown with all threads, relative to getppid() */
static void print_result(FILE *f, const char *kernel, const struct racer *r)
{
	const struct racer *base = &racers[0];
	double ratio[ROUNDS], scaling[ROUNDS], relative[ROUNDS];
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		ratio[i] = r->alone[i] / base->alone[i];
		scaling[i] = threads * r->alone[i] / r->together[i];
		relative[i] = scaling[i] * base->together[i] /
			      (threads * base->alone[i]);
	}
	fprintf(f, "{\"case\":\"%s%s\",\"payload\":%u,\"kernel\":\"%s\",",
		r->row->c->name, r->apart ? "-apart" : "", r->row->payload,
		kernel);
	fprintf(f, "\"threads\":%u,\"ns\":%.0f,\"ratio\":%.2f,", threads,
		median(r->alone), median(ratio));
	fprintf(f, "\"scaling\":%.2f,\"relative\":%.2f}\n", median(scaling),
		median(relative));
}

static void run_rounds(void)
{
	unsigned int round, i;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < ROWS; i++)
			racers[i].alone[round] = race(&racers[i], 1);
		for (i = 0; i < ROWS; i++)
			racers[i].together[round] = race(&racers[i], threads);
	}
}

static bool begin_all(const char *name)
{
	bool ok = begin(&racers[0], find(bench_calls, "getppid")) &&
		  begin(&racers[1], find(bench_calls, "null-ioctl")) &&
		  begin(&racers[2], find(bench_events, name));
	unsigned int i;

	/* The same once more, apart */
	for (i = 1; ok && i <= 2; i++) {
		racers[i + 2] = racers[i];
		racers[i + 2].apart = true;
		racers[i + 2].done = 0;
	}
	return ok;
}

static bool end_all(void)
{
	const char *wrong;
	bool ok = true;
	unsigned int i;

	for (i = 1; i <= 2; i++) {
		racers[i].done += racers[i + 2].done;
		wrong = racers[i].row->c->end(racers[i].row, racers[i].done);
		if (wrong)
			fprintf(stderr, "%s: %s\n", racers[i].row->c->name,
				wrong);
		ok &= !wrong;
	}
	return ok;
}

int main(int argc, char **argv)
{
	const char *kernel;
	FILE *out = timed_options(argc, argv, &kernel);
	unsigned int i;
	bool ok;

	threads = optind < argc ? atoi(argv[optind]) : 0;
	if (!out || !threads || threads > MAX_THREADS || optind + 2 > argc ||
	    !begin_all(argv[optind + 1]))
		return 1;
	run_rounds();
	ok = end_all();
	for (i = 0; i < ROWS; i++)
		print_result(out, kernel, &racers[i]);
	if (out != stdout)
		fclose(out);
	return !ok;
}
