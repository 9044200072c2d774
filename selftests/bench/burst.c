// SPDX-License-Identifier: GPL-2.0
/*
 * Losses of a session in a burst, by its buffers; and the effect of flush
 * timers.
 *
 * usage: burst [-k KERNEL] [-o FILE]
 *
 * Losses while the log is written depend on the disk's speed.  While the log
 * cannot be written at all, they are exact: the buffers hold a fixed number of
 * events, and each further event is lost.  That is checked, too.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "core/etl.h"
#include "logged.h"
#include "selftests/evntprov/sessions/stall.h"
#include "timed.h"

/* Losses vary while the log is written, so the worst round counts */
#define ROUNDS	3u

/**
 * struct config - buffers of a session
 * @kib: size of one
 * @buffers: maximum number; 0: the default
 */
struct config {
	unsigned int kib;
	unsigned int buffers;
};

/* On four processors, the second, third and fourth have the same total size */
static const struct config configs[] = {
	{ 16, 20 }, { 16, 112 }, { 64, 0 }, { 224, 8 }, { 64, 64 },
	{ 256, 28 }, { 1024, 28 }, { 1024, 64 },
};
static const unsigned int bursts[] = {
	1000, 5000, 10000, 20000, 50000, 100000, 500000,
};

/* One processor's share of a burst */
struct writer {
	pthread_t thread;
	unsigned int cpu;
	unsigned int events;
	unsigned int failed;
};

/**
 * struct burst - one burst, and its results
 * @config: the session's buffers
 * @events: number of events to write
 * @threads: number of threads, each on its own processor
 * @stalled: the log cannot be written during the burst
 * @writers: the threads
 * @failed: number of events for which EventWrite() returned an error
 * @ms: duration
 * @lost: maximum loss in any round
 * @lost_ms: duration of that round
 * @log: the session
 */
struct burst {
	const struct config *config;
	unsigned int events;
	unsigned int threads;
	bool stalled;
	struct writer writers[LOGGED_MAX_CPUS];
	unsigned int failed;
	double ms;
	uint64_t lost;
	double lost_ms;
	struct logged log;
};

static pthread_barrier_t barrier;
static unsigned int cpus;

static void *write_share(void *p)
{
	struct writer *w = p;

	timed_pin(w->cpu);
	pthread_barrier_wait(&barrier);
	w->failed = logged_write(w->events);
	return NULL;
}

static void write_burst(struct burst *b)
{
	unsigned int i;

	pthread_barrier_init(&barrier, NULL, b->threads + 1);
	for (i = 0; i < b->threads; i++) {
		/*
		 * The last processor has the most buffers ahead of its
		 * neighbours
		 */
		b->writers[i].cpu = cpus - 1 - i;
		b->writers[i].events =
			(uint64_t)b->events * (i + 1) / b->threads -
			(uint64_t)b->events * i / b->threads;
		pthread_create(&b->writers[i].thread, NULL, write_share,
			       &b->writers[i]);
	}
	pthread_barrier_wait(&barrier);
	b->ms = timed_now() / 1e6;
	b->failed = 0;
	for (i = 0; i < b->threads; i++) {
		pthread_join(b->writers[i].thread, NULL);
		b->failed += b->writers[i].failed;
	}
	b->ms = timed_now() / 1e6 - b->ms;
	pthread_barrier_destroy(&barrier);
}

/* Number of events that fit in a buffer */
static unsigned int per_buffer(const struct burst *b)
{
	return (b->log.info.buffer_size - ETL_BUFFER_HEADER_SIZE) /
	       LOGGED_RECORD;
}

/* Number of buffers that a processor fills, the last one perhaps in part */
static unsigned int wanted(const struct burst *b, const struct writer *w)
{
	return (w->events + per_buffer(b) - 1) / per_buffer(b);
}

/* Whether the buffers hold all of the burst */
static bool fits(const struct burst *b)
{
	unsigned int i, sum = 0;

	for (i = 0; i < b->threads; i++)
		sum += wanted(b, &b->writers[i]);
	return sum <= b->log.info.max_buffers;
}

/*
 * Expected loss when no buffer is written out: all events that do not fit.
 * Only the last buffer of processors that got all they needed has free room, as
 * others have filled each buffer that they got.
 */
static uint64_t expected_loss(const struct burst *b)
{
	uint64_t room = (uint64_t)b->log.info.max_buffers * per_buffer(b);
	const struct writer *w;

	if (fits(b))
		return 0;
	for (w = b->writers; w < b->writers + b->threads; w++) {
		if (!w->failed)
			room -= wanted(b, w) * per_buffer(b) - w->events;
	}
	return b->events - room;
}

static bool complain(const struct burst *b, const char *what, uint64_t expected)
{
	fprintf(stderr, "burst: %u KiB, %u buffers, %u events, %u threads%s: ",
		b->config->kib, b->log.info.max_buffers, b->events, b->threads,
		b->stalled ? ", stalled" : "");
	fprintf(stderr, "%s: %llu lost, %u refused, %llu expected\n", what,
		(unsigned long long)b->log.info.events_lost, b->failed,
		(unsigned long long)expected);
	return false;
}

static bool check(const struct burst *b)
{
	uint64_t lost = b->log.info.events_lost;

	if (lost != b->failed || b->log.info.events + lost != b->events ||
	    b->log.info.buffers_lost)
		return complain(b, "miscounted", b->failed);
	if (lost && fits(b))
		return complain(b, "it fits, and loses", 0);
	if (b->stalled && lost != expected_loss(b))
		return complain(b, "not what the buffers hold",
				expected_loss(b));
	return true;
}

static bool run(struct burst *b)
{
	struct stall stall;
	bool ok;

	if (!logged_start(&b->log, b->config->kib, b->config->buffers, 0))
		return complain(b, "no session", 0);
	ok = !b->stalled || !stall_begin(&stall, b->log.path);
	if (ok)
		write_burst(b);
	if (b->stalled)
		ok &= stall_end(&stall);
	ok &= logged_stop(&b->log);
	logged_close(&b->log);
	return ok ? check(b) : complain(b, "no stall, or no end", 0);
}

static void print_result(FILE *f, const char *kernel, const struct burst *b)
{
	fprintf(f, "{\"case\":\"burst\",\"kernel\":\"%s\",\"stalled\":%s,",
		kernel, b->stalled ? "true" : "false");
	fprintf(f, "\"threads\":%u,\"buffer_kib\":%u,\"buffers\":%u,",
		b->threads, b->config->kib, b->log.info.max_buffers);
	fprintf(f, "\"room\":%llu,\"events\":%u,\"lost\":%llu,\"ms\":%.0f}\n",
		(unsigned long long)b->log.info.max_buffers * per_buffer(b),
		b->events, (unsigned long long)b->lost, b->lost_ms);
	fflush(f);
}

/* Measure one cell of the table */
static bool measure(FILE *f, const char *kernel, struct burst *b)
{
	unsigned int round, rounds = b->stalled ? 1 : ROUNDS;
	bool ok = true;

	for (round = 0; round < rounds && ok; round++) {
		ok = run(b);
		if (round && b->log.info.events_lost <= b->lost)
			continue;
		b->lost = b->log.info.events_lost;
		b->lost_ms = b->ms;
	}
	print_result(f, kernel, b);
	return ok;
}

/* Measure all bursts with this number of threads */
static bool measure_bursts(FILE *f, const char *kernel, unsigned int threads,
			   bool stalled)
{
	static struct burst b;
	bool ok = true;
	unsigned int i;

	b.threads = threads;
	b.stalled = stalled;
	for (i = 0; i < BENCH_ARRAY_SIZE(configs) * BENCH_ARRAY_SIZE(bursts);
	     i++) {
		b.config = &configs[i / BENCH_ARRAY_SIZE(bursts)];
		b.events = bursts[i % BENCH_ARRAY_SIZE(bursts)];
		ok &= measure(f, kernel, &b);
	}
	return ok;
}

static unsigned int count_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n < LOGGED_MAX_CPUS ? n : LOGGED_MAX_CPUS;
}

int main(int argc, char **argv)
{
	const char *kernel;
	FILE *out = timed_options(argc, argv, &kernel);
	bool ok;

	if (!out)
		return 2;
	if (!logged_begin()) {
		fputs("burst: the module is not loaded\n", stderr);
		return 1;
	}
	cpus = count_cpus();
	ok = measure_bursts(out, kernel, 1, true);
	ok &= measure_bursts(out, kernel, cpus, true);
	ok &= measure_bursts(out, kernel, 1, false);
	ok &= measure_bursts(out, kernel, cpus, false);
	ok &= flush_measure(out, kernel, cpus);
	if (out != stdout)
		fclose(out);
	return !ok;
}
