// SPDX-License-Identifier: MIT
/*
 * The core on this processor: buffers and records as in the module, without a
 * kernel.  Measures the time for one record, compared with a copy of as many
 * bytes; and whether one thread that writes buffers to a file in memory keeps
 * up with others that fill them.
 *
 * usage: native [SECONDS]
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/record.h"
#include "core/reserve.h"

#define BATCHES		15
#define BATCH_BYTES	(32u * 1024 * 1024)
#define BUFFER_SIZE	(1024u * 1024)
#define BUFFERS		64u
#define PRODUCERS	2u
#define RATE		1e9	/* bytes per second, from all producers */
#define PACED_PAYLOAD	200u
#define FILE_NAME	"/dev/shm/bench-native.etl"

/* The longest payload, and a record's header */
static u8 payload[16384 + sizeof(struct etl_event_header)];

static bool finished;

static void note(struct evnt_buffers *b)
{
	(void)b;
	__atomic_store_n(&finished, true, __ATOMIC_RELAXED);
}

static struct evnt_buffers make(u32 cpus)
{
	struct evnt_buffers b = {
		.nr_cpus = cpus, .nr_buffers = BUFFERS,
		.buffer_size = BUFFER_SIZE, .logger_id = 1,
		.clock_type = EVNT_CLOCK_QPC, .notify = note,
	};

	if (evnt_buffers_init(&b)) {
		perror("native");
		exit(1);
	}
	return b;
}

/* Write an event with one block of payload, like the module */
static int write_one(struct evnt_buffers *b, u32 cpu, u32 len)
{
	static const struct etl_descriptor descriptor = {
		.id = 1, .level = 4, .keyword = 1
	};
	static const u8 id[16];
	struct evnt_event e = {
		.descriptor = &descriptor, .provider = id, .activity = id,
		.kind = ETL_RECORD_EVENT64, .thread_id = 1, .process_id = 1,
		.data_len = len,
	};
	u32 size = sizeof(struct etl_event_header) + len;
	struct evnt_record_parts parts;
	struct evnt_reservation r;
	s64 time;
	int err;

	err = evnt_reserve(b, cpu, size, &r, &time);
	if (err)
		return err;
	parts = evnt_record_lay_out(evnt_record(&r), size, &e, time);
	memcpy(parts.data, payload, len);
	evnt_commit(b, cpu, &r);
	return 0;
}

/* Discard full buffers */
static void drain(struct evnt_buffers *b)
{
	struct evnt_buffer *next, *buf = evnt_buffers_take(b);

	for (; buf; buf = next) {
		next = evnt_buffer_next(b, buf);
		evnt_buffer_free(b, buf);
	}
}

static void write_batch(struct evnt_buffers *b, u32 len, u32 n)
{
	while (n--) {
		write_one(b, 0, len);
		if (__atomic_load_n(&finished, __ATOMIC_RELAXED)) {
			finished = false;
			drain(b);
		}
	}
}

/* Copy as many bytes as the records have, to two buffers in turn */
static void copy_batch(struct evnt_buffers *b, u32 len, u32 n)
{
	u32 size = ALIGN((u32)sizeof(struct etl_event_header) + len, ETL_ALIGN);
	u32 at = 0, i = 0;

	while (n--) {
		if (at + size > BUFFER_SIZE) {
			at = 0;
			i = !i;
		}
		memcpy(b->buffers[i].data + at, payload, size);
		at += size;
		/* Keep the compiler from dropping the unused copy */
		asm volatile("" : : : "memory");
	}
}

static void clock_batch(struct evnt_buffers *b, u32 len, u32 n)
{
	(void)len;
	while (n--)
		evnt_clock(b);
}

static double least(void (*batch)(struct evnt_buffers *b, u32 len, u32 n),
		    struct evnt_buffers *b, u32 len, u32 n)
{
	double ns, min = 1e18;
	s64 start;
	u32 i;

	for (i = 0; i < BATCHES; i++) {
		start = evnt_boot_ns();
		batch(b, len, n);
		ns = evnt_boot_ns() - start;
		if (ns < min)
			min = ns;
	}
	return min / n;
}

static void measure(u32 len)
{
	u32 size = sizeof(struct etl_event_header) + len;
	struct evnt_buffers b = make(1);
	u32 n = BATCH_BYTES / size;
	double record, copy;

	copy = least(copy_batch, &b, len, n);
	record = least(write_batch, &b, len, n);
	printf("%7u %7u %9.1f %9.2f %9.1f %9.2f %7.2f\n", len, size, record,
	       size / record, copy, size / copy, record / copy);
	evnt_buffers_destroy(&b);
}

static void measure_all(void)
{
	static const u32 lengths[] = { 0, 16, 64, 256, 1024, 4096, 16384 };
	struct evnt_buffers b = make(1);
	size_t i;

	printf("The core alone: one record, and a copy of as many bytes\n\n");
	printf("%7s %7s %9s %9s %9s %9s %7s\n", "payload", "record", "ns",
	       "GB/s", "copy, ns", "GB/s", "ratio");
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		measure(lengths[i]);
	printf("\nA record's time includes reading the clock: %.1f ns\n",
	       least(clock_batch, &b, 0, 1000000));
	evnt_buffers_destroy(&b);
}

struct producer {
	pthread_t thread;
	struct evnt_buffers *b;
	u32 cpu;
	double seconds;
	double rate;	/* bytes per second; 0: unlimited */
	u64 written;
	u64 lost;
	double took;
};

/* Wait until this many bytes are due, and let the writer use the processor */
static void wait_until_due(s64 start, double rate, u64 bytes)
{
	while (rate && bytes > (evnt_boot_ns() - start) * rate / 1e9)
		usleep(50);
}

static void *produce(void *p)
{
	struct producer *w = p;
	u32 i, size = sizeof(struct etl_event_header) + PACED_PAYLOAD;
	s64 start = evnt_boot_ns();
	u64 bytes = 0;

	do {
		for (i = 0; i < 64; i++, bytes += size) {
			if (write_one(w->b, w->cpu, PACED_PAYLOAD))
				w->lost++;
			else
				w->written++;
		}
		wait_until_due(start, w->rate, bytes);
		w->took = (evnt_boot_ns() - start) / 1e9;
	} while (w->took < w->seconds);
	return NULL;
}

struct consumer {
	pthread_t thread;
	struct evnt_buffers *b;
	bool stop;
	u64 bytes;
	double seconds;
	int file;
};

static double own_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void consume_all(struct consumer *c)
{
	struct evnt_buffer *next, *buf = evnt_buffers_take(c->b);
	ssize_t done;

	for (; buf; buf = next) {
		next = evnt_buffer_next(c->b, buf);
		evnt_buffer_finish(c->b, buf, 0);
		done = write(c->file, buf->data, BUFFER_SIZE);
		if (done > 0)
			c->bytes += done;
		evnt_buffer_free(c->b, buf);
	}
}

static void *consume(void *p)
{
	struct consumer *c = p;

	while (!__atomic_load_n(&c->stop, __ATOMIC_ACQUIRE)) {
		consume_all(c);
		usleep(500);
	}
	evnt_buffers_close(c->b);
	consume_all(c);
	c->seconds = own_seconds();
	return NULL;
}

static double produce_all(struct evnt_buffers *b, struct producer *w,
			  double rate, double seconds)
{
	double took = 0;
	u32 i;

	for (i = 0; i < PRODUCERS; i++) {
		w[i] = (struct producer) {
			.b = b, .cpu = i, .seconds = seconds,
			.rate = rate / PRODUCERS,
		};
		pthread_create(&w[i].thread, NULL, produce, &w[i]);
	}
	for (i = 0; i < PRODUCERS; i++) {
		pthread_join(w[i].thread, NULL);
		took = w[i].took > took ? w[i].took : took;
	}
	return took;
}

/* A virtual machine may get memory only when it is first touched */
static void touch_memory(int file, double bytes)
{
	void *zeroes = calloc(1, BUFFER_SIZE);

	for (; zeroes && bytes > 0; bytes -= BUFFER_SIZE)
		if (write(file, zeroes, BUFFER_SIZE) < 0)
			break;
	if (ftruncate(file, 0) || lseek(file, 0, SEEK_SET))
		perror("native");
	free(zeroes);
}

/*
 * The writer's maximum rate with a processor of its own is extrapolated from
 * its CPU time.
 */
static void race(double rate, double seconds)
{
	u32 i, size = sizeof(struct etl_event_header) + PACED_PAYLOAD;
	struct evnt_buffers b = make(PRODUCERS);
	struct consumer c = { .b = &b };
	struct producer w[PRODUCERS];
	u64 written = 0, lost = 0;
	double took;

	c.file = open(FILE_NAME, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	unlink(FILE_NAME);
	touch_memory(c.file, (rate ? rate : 2 * RATE) * seconds);
	pthread_create(&c.thread, NULL, consume, &c);
	took = produce_all(&b, w, rate, seconds);
	__atomic_store_n(&c.stop, true, __ATOMIC_RELEASE);
	pthread_join(c.thread, NULL);
	for (i = 0; i < PRODUCERS; i++) {
		written += w[i].written;
		lost += w[i].lost;
	}
	printf("%-13s %8.2f %8.2f %9.2f %11llu %9llu %8.3f\n",
	       rate ? "1 GB/s" : "all they can",
	       (written + lost) * size / took / 1e9, c.bytes / took / 1e9,
	       c.bytes / c.seconds / 1e9,
	       (unsigned long long)written, (unsigned long long)lost,
	       100.0 * lost / (written + lost));
	close(c.file);
	evnt_buffers_destroy(&b);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	measure_all();
	printf("\n%u producers of %u-byte records, ", PRODUCERS,
	       (u32)sizeof(struct etl_event_header) + PACED_PAYLOAD);
	printf("one writer to a file in memory, %u buffers of 1 MiB\n\n",
	       BUFFERS);
	printf("%-13s %8s %8s %9s %11s %9s %8s\n", "producers do", "GB/s",
	       "written", "at most", "records", "lost", "lost, %");
	race(RATE, seconds);
	race(0, seconds);
	return 0;
}
