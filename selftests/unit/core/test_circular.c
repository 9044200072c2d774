// SPDX-License-Identifier: MIT
/*
 * The time span of a circular log: the same traffic, spread over few and over
 * many CPUs, with a flush timer that expires often.
 *
 * A simulation of the session's thread on the core's buffers: places of a
 * circle contain the times of the newest record in each buffer of the file.
 */
#include <stdlib.h>

#include "core/circular.h"
#include "core/record.h"
#include "core/reserve.h"
#include "selftests/unit/common/tap.h"

#define BUFFER		4096u
#define RECORD		104u
#define SLOTS		4096u	/* maximum */

static u64 now;		/* records written so far */

/* Times of the oldest and newest record of each buffer in the file */
static struct evnt_extent places[SLOTS];
static struct evnt_circular circle;
static s64 overwritten;	/* time of the newest record that was overwritten */
static u8 copy[BUFFER];

static void notify(struct evnt_buffers *b)
{
	(void)b;
}

static void give_way(void)
{
	u64 i, count = evnt_circular_giving_way(&circle);

	for (i = circle.tail; i < circle.tail + count; i++)
		overwritten = max(overwritten, places[i % circle.slots].last);
	evnt_circular_give_way(&circle, count);
}

/* As put_in_circle() in log.c */
static void put(const u8 *data, u64 *place)
{
	const u64 old = *place;

	if (!evnt_circular_keeps(&circle, old)) {
		give_way();
		*place = ++circle.head;
		if (old > circle.tail)
			places[(old - 1) % circle.slots].last = 0;
	}
	places[(*place - 1) % circle.slots] = evnt_buffer_extent(data);
}

/* As write_list() in writer.c */
static void put_list(struct evnt_buffers *b, struct evnt_buffer *buf, s64 last)
{
	struct evnt_buffer *next;

	for (; buf; buf = next) {
		next = evnt_buffer_next(b, buf);
		if (buf->sequence > last) {
			evnt_circular_start_epoch(&circle);
			last = S64_MAX;
		}
		if (evnt_buffer_finish(b, buf, 0))
			put(buf->data, &buf->place);
		buf->place = 0;
		evnt_buffer_free(b, buf);
	}
	if (last != S64_MAX)
		evnt_circular_start_epoch(&circle);
}

/* As write_batch() in writer.c */
static void write_batch(struct evnt_buffers *b)
{
	struct evnt_buffer *list = NULL;
	s64 last = S64_MAX;

	if (evnt_circular_epoch_is_due(&circle)) {
		last = atomic64_read(&b->sequence);
		while (!evnt_buffers_part(b, last, &list))
			;
	}
	put_list(b, evnt_buffers_take_more(b, list), last);
}

/* As flush_by_timer() in writer.c */
static void flush_by_timer(struct evnt_buffers *b)
{
	struct evnt_buffer *buf;
	u32 cpu;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		buf = evnt_buffer_copy(b, cpu, copy);
		if (buf)
			put(copy, &buf->place);
	}
}

static void write_record(struct evnt_buffers *b, u32 cpu)
{
	struct evnt_reservation r;
	struct etl_event_header *h;
	s64 time;

	if (evnt_reserve(b, cpu, RECORD, &r, &time))
		abort();
	h = (void *)evnt_record(&r);
	memset(h, 0, RECORD);
	h->size = RECORD;
	h->kind = ETL_RECORD_EVENT64;
	h->time_stamp = ++now;
	evnt_commit(b, cpu, &r);
}

/* Return the mean span of the file, in records, over some laps */
static u64 span(u32 cpus, u32 slots)
{
	struct evnt_buffers b = {
		.nr_cpus = cpus, .nr_buffers = 2 * cpus + 20,
		.buffer_size = BUFFER, .clock_type = EVNT_CLOCK_QPC,
		.notify = notify,
	};
	const u64 lap = (u64)slots * BUFFER / RECORD;
	u64 sum = 0, count = 0;

	circle = (struct evnt_circular) {};
	memset(places, 0, sizeof(places));
	overwritten = 0;
	now = 0;
	evnt_buffers_init(&b);
	evnt_circular_init(&circle, slots, max(4 * cpus, b.nr_buffers));
	srand(1);
	while (now < 6 * lap) {
		write_record(&b, rand() % cpus);
		write_batch(&b);
		if (now % (lap / 30))	/* the timer: 30 times a lap */
			continue;
		flush_by_timer(&b);
		if (now < 3 * lap)
			continue;
		sum += now - overwritten;
		count++;
	}
	evnt_buffers_destroy(&b);
	return count ? sum / count : 0;
}

static void test_span(u32 slots)
{
	const u64 few = span(4, slots), many = span(64, slots);

	printf("# %u buffers: %llu records on 4 CPUs, %llu on 64\n", slots,
	       (unsigned long long)few, (unsigned long long)many);
	CHECK(many * 10 >= few * 8 && few * 10 >= many * 8,
	      "a circular log of %u buffers covers the same time on 4 CPUs and on 64",
	      slots);
}

int main(void)
{
	test_span(512);		/* 8 for each of 64 CPUs */
	test_span(1024);
	test_span(2048);
	test_span(4096);
	return tap_end();
}
