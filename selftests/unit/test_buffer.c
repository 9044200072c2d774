// SPDX-License-Identifier: MIT
/*
 * The core's buffers, natively: threads that reserve, commit and give up in
 * buffers that they share, and a reader that takes them; everything is
 * accounted for.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "reserve.h"
#include "record.h"
#include "tap.h"

#define THREADS		6
#define PER_THREAD	60000
#define CPUS		2

static atomic_uint notified;

static void notify(struct evnt_buffers *b)
{
	(void)b;
	atomic_fetch_add(&notified, 1);
}

static struct evnt_buffers make(u32 size, u32 count)
{
	struct evnt_buffers b = {
		.nr_cpus = CPUS, .nr_buffers = count, .buffer_size = size,
		.logger_id = 7, .clock_type = EVNT_CLOCK_QPC, .notify = notify,
	};

	evnt_buffers_init(&b);
	return b;
}

/* A record that says who wrote it, and how often */
struct mark {
	u32 thread;
	u32 number;
};

static void put(const struct evnt_reservation *r, u32 size, s64 time,
		struct mark mark)
{
	struct etl_event_header *h = (void *)evnt_record(r);

	memset(h, 0, sizeof(*h));
	h->size = size;
	h->kind = ETL_RECORD_EVENT64;
	h->time_stamp = time;
	memcpy(h + 1, &mark, sizeof(mark));
}

struct worker {
	pthread_t thread;
	struct evnt_buffers *b;
	u32 index;
	u32 accepted;
	u32 lost;
	u32 given_up;
	bool seen[PER_THREAD];
	bool written[PER_THREAD];
};

static struct worker workers[THREADS];
static atomic_bool done;

static void *work(void *p)
{
	struct worker *w = p;
	struct evnt_reservation r;
	s64 time;
	u32 i, size, cpu;

	for (i = 0; i < PER_THREAD; i++) {
		size = sizeof(struct etl_event_header) + 8 + (i * 7 % 300);
		cpu = (w->index + i / 1000) % CPUS;
		if (evnt_reserve(w->b, cpu, size, &r, &time)) {
			evnt_count_lost(w->b, cpu);
			w->lost++;
			sched_yield();
			continue;
		}
		if (i % 11 == 3) {
			evnt_discard(w->b, size, &r);
			w->given_up++;
			continue;
		}
		put(&r, size, time, (struct mark) { w->index, i });
		evnt_commit(w->b, cpu, &r);
		w->written[i] = true;
		w->accepted++;
	}
	return NULL;
}

/* What the reader has found */
struct found {
	u32 records;
	u32 bad;
	u32 disorder;
	s64 last_sequence[CPUS];
};

static void read_record(const u8 *p, s64 *last, struct found *f)
{
	const struct etl_event_header *h = (const void *)p;
	struct mark m;

	memcpy(&m, h + 1, sizeof(m));
	f->records++;
	f->disorder += h->time_stamp < *last;
	*last = h->time_stamp;
	if (h->kind != ETL_RECORD_EVENT64 || m.thread >= THREADS ||
	    m.number >= PER_THREAD || workers[m.thread].seen[m.number]) {
		f->bad++;
		return;
	}
	workers[m.thread].seen[m.number] = true;
}

static void read_buffer(struct evnt_buffers *b, struct evnt_buffer *buf,
			struct found *f)
{
	const struct etl_buffer_header *h = (const void *)buf->data;
	u32 at = ETL_BUFFER_HEADER_SIZE;
	s64 last = INT64_MIN;

	if (evnt_buffer_finish(b, buf, 0)) {
		f->bad += evnt_buffer_records(buf) == 0;
		for (; at < h->saved_offset;
		     at += ALIGN(etl_record_size(buf->data + at), ETL_ALIGN))
			read_record(buf->data + at, &last, f);
		f->bad += at != h->saved_offset || h->cpu >= CPUS ||
			  h->time_stamp < last;
	}
	evnt_buffer_free(b, buf);
}

static void read_all(struct evnt_buffers *b, struct found *f)
{
	struct evnt_buffer *next, *buf = evnt_buffers_take(b);

	for (; buf; buf = next) {
		next = evnt_buffer_next(b, buf);
		read_buffer(b, buf, f);
	}
}

static void *reader(void *p)
{
	static struct found f;
	struct evnt_buffers *b = p;
	u32 rounds = 0;

	memset(&f, 0, sizeof(f));
	while (!atomic_load(&done)) {
		/* As a flush does, from outside */
		if (rounds++ % 64 == 0)
			evnt_buffers_close(b);
		read_all(b, &f);
		sched_yield();
	}
	evnt_buffers_close(b);
	read_all(b, &f);
	return &f;
}

static void torture(const char *what, u32 size, u32 count, bool may_lose)
{
	struct evnt_buffers b = make(size, count);
	u32 i, n, accepted = 0, lost = 0, wrong = 0;
	struct found *f;
	pthread_t thread;

	memset(workers, 0, sizeof(workers));
	atomic_store(&done, false);
	pthread_create(&thread, NULL, reader, &b);
	for (i = 0; i < THREADS; i++) {
		workers[i].b = &b;
		workers[i].index = i;
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		accepted += workers[i].accepted;
		lost += workers[i].lost;
	}
	atomic_store(&done, true);
	pthread_join(thread, (void **)&f);
	for (i = 0; i < THREADS; i++)
		for (n = 0; n < PER_THREAD; n++)
			wrong += workers[i].seen[n] != workers[i].written[n];
	CHECK(f->records == accepted && !wrong,
	      "%s: every accepted record is there once (%u)", what, accepted);
	CHECK(!f->bad, "%s: nothing else is there", what);
	CHECK(!f->disorder, "%s: time does not go back in a buffer", what);
	CHECK(evnt_buffers_events(&b) == accepted &&
	      evnt_buffers_lost(&b) == lost, "%s: all is counted", what);
	CHECK(may_lose || !lost, "%s: %u lost", what, lost);
	CHECK(evnt_buffers_free_count(&b) + CPUS >= count,
	      "%s: all buffers are free again, or current", what);
	evnt_buffers_destroy(&b);
}

static void test_limits(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation r;
	s64 time;
	u32 i = 0;

	CHECK(evnt_reserve(&b, 0, 4096 - 71, &r, &time) == -EMSGSIZE,
	      "a record larger than a buffer is EMSGSIZE");
	CHECK(!evnt_reserve(&b, 0, 4096 - 72, &r, &time) &&
	      state_offset(r.state) == 72,
	      "one that just fits has a buffer to itself");
	put(&r, 4096 - 72, time, (struct mark) { 0, 0 });
	evnt_commit(&b, 0, &r);
	while (!evnt_reserve(&b, 0, 100, &r, &time)) {
		put(&r, 100, time, (struct mark) { 0, i++ });
		evnt_commit(&b, 0, &r);
	}
	CHECK(evnt_reserve(&b, 0, 100, &r, &time) == -ENOBUFS,
	      "without a free buffer it is ENOBUFS");
	CHECK(evnt_reserve(&b, 1, 100, &r, &time) == -ENOBUFS,
	      "for another CPU too");
	CHECK(evnt_buffers_free_count(&b) == 0, "none is free");
	evnt_buffers_destroy(&b);
}

static void write_one(struct evnt_buffers *b, u32 cpu)
{
	struct evnt_reservation r;
	s64 time;

	evnt_reserve(b, cpu, 100, &r, &time);
	put(&r, 100, time, (struct mark) { 0, 0 });
	evnt_commit(b, cpu, &r);
}

/* Which buffer a record that fills one goes to */
static u32 fill_one(struct evnt_buffers *b, u32 cpu)
{
	const u32 size = 4096 - ETL_BUFFER_HEADER_SIZE;
	struct evnt_reservation r;
	s64 time;

	if (evnt_reserve(b, cpu, size, &r, &time))
		return 99;
	put(&r, size, time, (struct mark) { 0, 0 });
	evnt_commit(b, cpu, &r);
	return r.buffer - b->buffers;
}

/* A CPU has its own buffers; when these are used up, the next one's, and so on */
static void test_near_buffers_come_first(void)
{
	struct evnt_buffers b = make(4096, 8);
	u32 i, wrong = 0;

	for (i = 0; i < 8; i++)
		wrong += fill_one(&b, 1) != (8 / CPUS + i) % 8;
	CHECK(!wrong, "near buffers come first");
	CHECK(fill_one(&b, 1) == 99, "until there is none");
	evnt_buffers_destroy(&b);
}

static bool same_bytes(const void *a, const void *b, size_t len)
{
	return !memcmp(a, b, len);
}

/*
 * Once its CPU has a buffer, an event changes that buffer and the CPU's own
 * counters, and nothing else: no cache line that another CPU has.
 */
static void test_no_shared_line_is_written(void)
{
	struct evnt_buffers b = make(4096, 4), before;
	struct evnt_buffer buffers[4];
	struct evnt_cpu cpus[2];
	u32 i, changed = 0;

	write_one(&b, 0);
	write_one(&b, 1);
	before = b;
	memcpy(buffers, b.buffers, sizeof(buffers));
	memcpy(cpus, b.cpus, sizeof(cpus));
	write_one(&b, 0);
	CHECK(same_bytes(&before, &b, sizeof(b)), "what all share stays");
	CHECK(same_bytes(&cpus[1], &b.cpus[1], sizeof(cpus[1])) &&
	      !same_bytes(&cpus[0], &b.cpus[0], sizeof(cpus[0])),
	      "so does what another CPU has");
	for (i = 0; i < 4; i++)
		changed += !same_bytes(&buffers[i], &b.buffers[i],
				       sizeof(buffers[i]));
	CHECK(changed == 1, "one buffer changes");
	CHECK(!((uintptr_t)b.cpus % 64) && !((uintptr_t)b.buffers % 64) &&
	      !(sizeof(*b.cpus) % 64) && !(sizeof(*b.buffers) % 64),
	      "each is in cache lines of its own");
	evnt_buffers_destroy(&b);
}

static void test_give_up(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation r1, r2, r3;
	s64 time;
	struct evnt_buffer *buf;

	evnt_reserve(&b, 0, 100, &r1, &time);
	evnt_discard(&b, 100, &r1);
	evnt_reserve(&b, 0, 100, &r2, &time);
	CHECK(evnt_record(&r1) == evnt_record(&r2),
	      "the last one given up leaves no hole");
	evnt_reserve(&b, 0, 200, &r3, &time);
	evnt_discard(&b, 100, &r2);
	put(&r3, 200, time, (struct mark) { 1, 2 });
	evnt_commit(&b, 0, &r3);
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	CHECK(buf && evnt_buffer_finish(&b, buf, 0) &&
	      evnt_buffer_records(buf) == 1, "a hole is squeezed out");
	if (!buf)
		return;
	CHECK(((struct etl_buffer_header *)buf->data)->saved_offset == 72 + 200,
	      "and the buffer is as long as what is in it");
	CHECK(!evnt_buffers_take(&b), "there is no other");
	evnt_buffers_destroy(&b);
}

static void test_close(void)
{
	struct evnt_buffers b = make(4096, 4);
	struct evnt_reservation r;
	s64 time;
	u32 calls = notified;

	evnt_buffers_close(&b);
	CHECK(!evnt_buffers_take(&b), "an empty session has nothing to close");
	evnt_reserve(&b, 0, 100, &r, &time);
	evnt_buffers_close(&b);
	CHECK(!evnt_buffers_take(&b), "a buffer with a writer inside waits");
	put(&r, 100, time, (struct mark) { 0, 0 });
	evnt_commit(&b, 0, &r);
	CHECK(evnt_buffers_take(&b), "the writer hands it on");
	CHECK(notified == calls + 1, "and says so once");
	evnt_buffers_destroy(&b);
}

int main(void)
{
	test_limits();
	test_near_buffers_come_first();
	test_no_shared_line_is_written();
	test_give_up();
	test_close();
	torture("large pool", 65536, 4000, false);
	torture("small pool", 4096, 6, true);
	torture("two buffers", 4096, 2, true);
	return tap_end();
}
