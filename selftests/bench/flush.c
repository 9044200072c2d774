// SPDX-License-Identifier: MIT
/*
 * Effect of flush timers: how many events are not in the file yet, and would be
 * lost in a crash of the machine; and the size of the file.
 *
 * All timers are measured at once by the same events, each in a session of its
 * own, so that the duration is not their sum.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "core/etl.h"
#include "logged.h"
#include "timed.h"

#define RATE		100u	/* events per second from each processor */
#define SECONDS		12u	/* longer than the longest timer */
#define SAMPLES_PER_S	4u
#define MAX_SESSIONS	16u

static const unsigned int sizes[] = { 16, 64, 256 };
static const unsigned int timers[] = { 0, 100, 1000, 10000 };

/**
 * struct timed - a session with a flush timer
 * @log: the session
 * @flush_ms: the timer
 * @at: counted part of the file in bytes
 * @in_file: number of events in that part
 * @missing: maximum number of events that were not in the file
 */
struct timed {
	struct logged log;
	unsigned int flush_ms;
	uint64_t at;
	uint64_t in_file;
	uint64_t missing;
};

static struct timed sessions[MAX_SESSIONS];
static unsigned int session_count;

static atomic_uint written, failed;

static void wait_until(struct timespec *t, long ns)
{
	t->tv_nsec += ns;
	t->tv_sec += t->tv_nsec / 1000000000;
	t->tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, t, NULL);
}

static void *write_slowly(void *p)
{
	const unsigned int *cpu = p;
	struct timespec t;
	unsigned int i;

	timed_pin(*cpu);
	clock_gettime(CLOCK_MONOTONIC, &t);
	for (i = 0; i < RATE * SECONDS; i++) {
		wait_until(&t, 1000000000 / RATE);
		failed += logged_write(1);
		written++;
	}
	return NULL;
}

static unsigned int count_records(const uint8_t *buffer)
{
	const struct etl_buffer_header *h = (const void *)buffer;
	unsigned int records = 0, at = ETL_BUFFER_HEADER_SIZE;

	while (at < h->saved_offset) {
		at += (etl_record_size(buffer + at) + ETL_ALIGN - 1) &
		      -ETL_ALIGN;
		records++;
	}
	return records;
}

/* Count events in complete buffers that were added to the file */
static void count_new(struct timed *s)
{
	unsigned int size = s->log.info.buffer_size;
	uint8_t *buffer = malloc(size);
	struct stat st = { 0 };

	fstat(s->log.fd, &st);
	while (s->at + size <= (uint64_t)st.st_size &&
	       pread(s->log.fd, buffer, size, s->at) == size) {
		/* The first buffer is the file's header */
		if (s->at)
			s->in_file += count_records(buffer);
		s->at += size;
	}
	free(buffer);
}

static void sample(void)
{
	unsigned int so_far;
	struct timed *s;

	for (s = sessions; s < sessions + session_count; s++) {
		so_far = written;
		count_new(s);
		if (so_far > s->in_file && so_far - s->in_file > s->missing)
			s->missing = so_far - s->in_file;
	}
}

static void write_and_sample(unsigned int cpus)
{
	unsigned int index[LOGGED_MAX_CPUS], i;
	pthread_t threads[LOGGED_MAX_CPUS];
	struct timespec t;

	for (i = 0; i < cpus; i++) {
		index[i] = i;
		pthread_create(&threads[i], NULL, write_slowly, &index[i]);
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	for (i = 0; i < SECONDS * SAMPLES_PER_S; i++) {
		wait_until(&t, 1000000000 / SAMPLES_PER_S);
		sample();
	}
	for (i = 0; i < cpus; i++)
		pthread_join(threads[i], NULL);
	sample();
}

static bool start_all(void)
{
	unsigned int i, j;
	struct timed *s;

	for (i = 0; i < BENCH_ARRAY_SIZE(sizes); i++) {
		for (j = 0; j < BENCH_ARRAY_SIZE(timers); j++) {
			s = &sessions[session_count];
			s->flush_ms = timers[j];
			if (!logged_start(&s->log, sizes[i], 0, timers[j]))
				return false;
			session_count++;
		}
	}
	return true;
}

static void print_result(FILE *f, const char *kernel, const struct timed *s)
{
	fprintf(f, "{\"case\":\"flush\",\"kernel\":\"%s\",\"buffer_kib\":%u,",
		kernel, s->log.info.buffer_size / 1024);
	fprintf(f, "\"flush_ms\":%u,\"written\":%u,\"in_file\":%llu,",
		s->flush_ms, written, (unsigned long long)s->in_file);
	fprintf(f, "\"most_missing\":%llu,\"bytes_per_second\":%llu}\n",
		(unsigned long long)s->missing,
		(unsigned long long)s->at / SECONDS);
}

/* After the session's end, all events are in the file */
static bool finish(struct timed *s)
{
	bool ok = logged_stop(&s->log);

	count_new(s);
	logged_close(&s->log);
	ok &= !failed && !s->log.info.events_lost && s->in_file == written;
	if (!ok)
		fprintf(stderr, "flush: %u KiB, %u ms: %llu of %u events\n",
			s->log.info.buffer_size / 1024, s->flush_ms,
			(unsigned long long)s->in_file, written);
	return ok;
}

bool flush_measure(FILE *out, const char *kernel, unsigned int cpus)
{
	bool ok = start_all();
	unsigned int i;

	if (ok)
		write_and_sample(cpus);
	else
		fputs("flush: a session does not start\n", stderr);
	for (i = 0; i < session_count; i++) {
		if (ok)
			print_result(out, kernel, &sessions[i]);
		ok &= finish(&sessions[i]);
	}
	return ok;
}
