// SPDX-License-Identifier: MIT
/*
 * Any sequence of reservations, commits, discards, flushes and readings, of
 * writers that nest and overlap: each record that was accepted is read once, in
 * the order of reservations; the buffers are all there in the end.
 */
#include <stdint.h>
#include <stdlib.h>

#include "buffer.h"

#define BUFFER_SIZE	512u
#define MAX_INSIDE	8u
#define MAX_RECORDS	8192u

/* What a reservation is for */
struct writer {
	struct evnt_reservation r;
	u32 cpu;
	u32 size;
	u32 id;
};

/* All of one run */
struct run {
	struct evnt_buffers b;
	struct writer inside[MAX_INSIDE];
	u32 writers;
	struct evnt_buffer *held;
	u32 ids;
	u32 lost;
	u32 read;
	u32 accepted;
	/* By id: whether it is to be read */
	bool expected[MAX_RECORDS];
};

static void check(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void notify(struct evnt_buffers *b)
{
	(void)b;
}

static void reserve(struct run *run, u32 cpu, u32 payload)
{
	struct writer *w = &run->inside[run->writers];
	struct etl_event_header *h;
	int err;

	if (run->writers == MAX_INSIDE || run->ids == MAX_RECORDS)
		return;
	w->size = sizeof(*h) + sizeof(w->id) + payload;
	err = evnt_reserve(&run->b, cpu, w->size, &w->r);
	if (ALIGN(w->size, ETL_ALIGN) > BUFFER_SIZE - ETL_BUFFER_HEADER_SIZE) {
		check(err == -EMSGSIZE);
		return;
	}
	if (err) {
		check(err == -ENOBUFS && !evnt_buffers_free_count(&run->b));
		evnt_count_lost(&run->b, cpu);
		run->lost++;
		return;
	}
	w->cpu = cpu;
	w->id = run->ids++;
	h = (void *)evnt_record(&run->b, &w->r);
	memset(h, 0xa5, w->size);
	h->size = w->size;
	h->kind = ETL_RECORD_EVENT64;
	h->time_stamp = w->r.time;
	memcpy(h + 1, &w->id, sizeof(w->id));
	run->writers++;
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

/* Ids were given in the order of reservations */
static void read_buffer(struct run *run, struct evnt_buffer *buf)
{
	const struct etl_buffer_header *h = (const void *)buf->data;
	u32 id, records = 0, at = ETL_BUFFER_HEADER_SIZE;
	s64 last_id = -1;

	if (evnt_buffer_finish(&run->b, buf, 0)) {
		for (; at < h->saved_offset; records++) {
			memcpy(&id, buf->data + at +
				    sizeof(struct etl_event_header),
			       sizeof(id));
			check(id < run->ids && run->expected[id]);
			check(id > last_id);
			run->expected[id] = false;
			last_id = id;
			at += ALIGN(etl_record_size(buf->data + at), ETL_ALIGN);
		}
		check(at == h->saved_offset);
		check(records && records == evnt_buffer_records(buf));
		run->read += records;
	}
	evnt_buffer_free(&run->b, buf);
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
	u32 cpu = (op >> 3) % run->b.nr_cpus;

	switch (op & 7) {
	case 0:
	case 1:
		reserve(run, cpu, arg);
		break;
	case 2:
		/* None of 512 bytes fits; some do that fill a buffer */
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
		evnt_buffers_close(&run->b);
		break;
	default:
		if (run->held)
			read_held(run);
		else
			run->held = evnt_buffers_take(&run->b);
	}
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

/* How many processors and buffers; then two bytes a step */
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
	for (data += 2, size -= 2; size >= 2; data += 2, size -= 2)
		step(run, data[0], data[1]);
	finish(run);
	evnt_buffers_destroy(&run->b);
	free(run);
	return 0;
}
