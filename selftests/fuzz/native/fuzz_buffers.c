// SPDX-License-Identifier: MIT
/*
 * Any sequence of reservations, commits, discards, flushes and reads, by
 * writers that nest and overlap: each accepted record is read once, in the
 * order of reservations and of time; in the end, all buffers are accounted for.
 *
 * Marked steps run inside another one, like interrupts and other processors:
 * when it reads the clock, which a reservation does between its read of the
 * state and its compare-and-exchange; when a buffer is prepared, before it is
 * made current; when one is finished.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static int interrupted_clock(clockid_t id, struct timespec *ts);
#define clock_gettime interrupted_clock
#include "core/reserve.h"
static s64 interrupted_inc_return(atomic64_t *v);
#define atomic64_inc_return interrupted_inc_return
#include "core/buffer.c"
#include "fuzz.h"

#define BUFFER_SIZE	512u
#define MAX_DEPTH	4u
#define MAX_INSIDE	8u
#define MAX_RECORDS	8192u

/* Flag in a step's first byte: it runs inside the step before */
#define STEP_INTERRUPTS	0x80u

/* A reservation of a writer */
struct writer {
	struct evnt_reservation r;
	s64 time;
	u32 cpu;
	u32 size;
	u32 id;
};

/* State of one run */
struct run {
	struct evnt_buffers b;
	const u8 *steps;
	size_t left;
	u32 depth;
	/* In nanoseconds; each read of the clock takes one */
	s64 now;
	struct writer inside[MAX_INSIDE + MAX_DEPTH];
	u32 writers;
	struct evnt_buffer *held;
	/* There is one reader, which only writers interrupt */
	bool reading;
	u32 ids;
	u32 lost;
	u32 read;
	u32 accepted;
	/* By id: whether it must be read */
	bool expected[MAX_RECORDS + MAX_DEPTH];
};

static struct run *run_now;

static void fill(struct run *run, const struct writer *w)
{
	struct etl_event_header *h = (void *)evnt_record(&w->r);

	memset(h, 0xa5, w->size);
	h->size = w->size;
	h->kind = ETL_RECORD_EVENT64;
	h->thread_id = w->cpu;
	h->time_stamp = w->time;
	memcpy(h + 1, &w->id, sizeof(w->id));
}

static void reserve(struct run *run, u32 cpu, u32 payload)
{
	struct writer w = { .cpu = cpu };
	int err;

	if (run->writers >= MAX_INSIDE || run->ids >= MAX_RECORDS)
		return;
	w.size = sizeof(struct etl_event_header) + sizeof(w.id) + payload;
	err = evnt_reserve(&run->b, cpu, w.size, &w.r, &w.time);
	if (ALIGN(w.size, ETL_ALIGN) > BUFFER_SIZE - ETL_BUFFER_HEADER_SIZE) {
		check(err == -EMSGSIZE);
		return;
	}
	if (err) {
		check(err == -ENOBUFS && !evnt_buffers_free_count(&run->b));
		evnt_count_lost(&run->b, cpu, EVNT_LOST_NO_BUFFER);
		run->lost++;
		return;
	}
	w.id = run->ids++;
	fill(run, &w);
	run->inside[run->writers++] = w;
}

static void leave(struct run *run, u32 which, bool commit)
{
	struct writer w;

	if (!run->writers)
		return;
	which %= run->writers;
	w = run->inside[which];
	run->inside[which] = run->inside[--run->writers];
	if (commit) {
		run->expected[w.id] = true;
		run->accepted++;
		evnt_commit(&run->b, w.cpu, &w.r);
	} else {
		evnt_discard(&run->b, w.size, &w.r);
	}
}

/* Ids and times are in the order of reservations */
static void read_records(struct run *run, struct evnt_buffer *buf)
{
	const struct etl_buffer_header *h = (const void *)buf->data;
	const struct etl_event_header *e;
	u32 id, records = 0, at = ETL_BUFFER_HEADER_SIZE;
	s64 last_id = -1, last_time = 0;

	for (; at < h->saved_offset; records++) {
		e = (const void *)(buf->data + at);
		memcpy(&id, e + 1, sizeof(id));
		check(id < run->ids && run->expected[id]);
		check(id > last_id && e->time_stamp > last_time);
		check(e->thread_id == h->cpu);
		run->expected[id] = false;
		last_id = id;
		last_time = e->time_stamp;
		at += ALIGN(etl_record_size(buf->data + at), ETL_ALIGN);
	}
	check(at == h->saved_offset && h->time_stamp > last_time);
	check(records && records == evnt_buffer_extent(buf->data).records);
	run->read += records;
}

static void read_buffer(struct run *run, struct evnt_buffer *buf)
{
	run->reading = true;
	if (evnt_buffer_finish(&run->b, buf, 0))
		read_records(run, buf);
	evnt_buffer_free(&run->b, buf);
	run->reading = false;
}

static void read_held(struct run *run)
{
	struct evnt_buffer *buf = run->held;

	if (!buf)
		return;
	run->held = evnt_buffer_next(&run->b, buf);
	read_buffer(run, buf);
}

static void step(struct run *run, u8 op, u8 arg)
{
	u32 cpu = (op >> 3 & 0xf) % run->b.nr_cpus;

	switch (op & 7) {
	case 0:
	case 1:
		reserve(run, cpu, arg);
		break;
	case 2:
		/* No record of 512 bytes fits; some of these fill a buffer */
		reserve(run, cpu, 256 + arg);
		break;
	case 3:
	case 4:
		leave(run, arg, true);
		break;
	case 5:
		leave(run, arg, false);
		break;
	case 6:
		if (arg & 1)
			evnt_buffers_close_older(&run->b, arg / 2);
		else
			evnt_buffers_close(&run->b);
		break;
	default:
		if (run->reading)
			break;
		if (run->held)
			read_held(run);
		else
			run->held = evnt_buffers_take(&run->b);
	}
}

static void next_step(struct run *run)
{
	const u8 *p = run->steps;

	run->steps += 2;
	run->left -= 2;
	step(run, p[0], p[1]);
}

static void interrupt(struct run *run)
{
	run->depth++;
	while (run->depth <= MAX_DEPTH && run->left >= 2 &&
	       *run->steps & STEP_INTERRUPTS)
		next_step(run);
	run->depth--;
}

/* The time is read first, so interrupting steps are later */
static int interrupted_clock(clockid_t id, struct timespec *ts)
{
	(void)id;
	*ts = (struct timespec) { .tv_nsec = ++run_now->now };
	interrupt(run_now);
	return 0;
}

static s64 interrupted_inc_return(atomic64_t *v)
{
	s64 value = __atomic_add_fetch(&v->counter, 1, __ATOMIC_SEQ_CST);

	interrupt(run_now);
	return value;
}

static void notify(struct evnt_buffers *b)
{
	(void)b;
	interrupt(run_now);
}

static void finish(struct run *run)
{
	u32 i;

	while (run->writers)
		leave(run, 0, run->writers & 1);
	while (run->held)
		read_held(run);
	evnt_buffers_close(&run->b);
	run->held = evnt_buffers_take(&run->b);
	while (run->held)
		read_held(run);
	for (i = 0; i < run->ids; i++)
		check(!run->expected[i]);
	check(run->read == run->accepted);
	check(evnt_buffers_events(&run->b) == run->accepted);
	check(evnt_buffers_lost(&run->b) == run->lost);
	check(evnt_buffers_free_count(&run->b) + run->b.nr_cpus >=
	      run->b.nr_buffers);
}

/* The input has the number of processors and buffers; then two bytes a step */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run *run;

	if (size < 2)
		return 0;
	run = calloc(1, sizeof(*run));
	if (!run)
		return 0;
	run->b = (struct evnt_buffers) {
		.nr_cpus = 1 + (data[0] & 3),
		.nr_buffers = 1 + data[1] % 6,
		.buffer_size = BUFFER_SIZE,
		.clock_type = EVNT_CLOCK_QPC,
		.notify = notify,
	};
	check(!evnt_buffers_init(&run->b));
	run->steps = data + 2;
	run->left = size - 2;
	run_now = run;
	while (run->left >= 2)
		next_step(run);
	finish(run);
	evnt_buffers_destroy(&run->b);
	free(run);
	return 0;
}
