// SPDX-License-Identifier: MIT
/*
 * The core's buffers in user space: threads reserve, commit and discard in
 * shared buffers, and a reader takes them; everything is accounted for.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "core/reserve.h"
#include "core/record.h"
#include "core/self_layout.h"
#include "selftests/unit/common/tap.h"

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

/* A record that names its writer, and its number */
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
	u32 i, size, more, cpu;

	for (i = 0; i < PER_THREAD; i++) {
		size = sizeof(struct etl_event_header) + 8 + (i * 7 % 300);
		more = i % 5 ? 0 : 200;
		cpu = (w->index + i / 1000) % CPUS;
		if (evnt_reserve(w->b, cpu, size + more, &r, &time)) {
			evnt_count_lost(w->b, cpu, EVNT_LOST_NO_BUFFER);
			w->lost++;
			sched_yield();
			continue;
		}
		if (i % 11 == 3) {
			evnt_discard(w->b, size + more, &r);
			w->given_up++;
			continue;
		}
		evnt_shorten(w->b, size + more, ALIGN(size, ETL_ALIGN), &r);
		put(&r, size, time, (struct mark) { w->index, i });
		evnt_commit(w->b, cpu, &r);
		w->written[i] = true;
		w->accepted++;
	}
	return NULL;
}

/* Time span of each buffer, by its sequence number */
#define SPANS		(1u << 20)

static struct evnt_extent spans[SPANS];

/* Counts of the reader */
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
		f->bad += evnt_buffer_extent(buf->data).records == 0;
		for (; at < h->saved_offset;
		     at += ALIGN(etl_record_size(buf->data + at), ETL_ALIGN))
			read_record(buf->data + at, &last, f);
		f->bad += at != h->saved_offset || h->time_stamp < last ||
			  h->cpu >= (b->is_shared ? 1 : CPUS);
		if (h->sequence < SPANS)
			spans[h->sequence] = evnt_buffer_extent(buf->data);
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
		/* Close buffers from outside, like a flush */
		if (rounds++ % 64 == 0)
			evnt_buffers_close(b);
		read_all(b, &f);
		sched_yield();
	}
	evnt_buffers_close(b);
	read_all(b, &f);
	return &f;
}

/* Number of buffers with records older than some of an earlier buffer */
static u32 count_overlaps(void)
{
	s64 last = INT64_MIN;
	u32 i, overlaps = 0;

	for (i = 0; i < SPANS; i++) {
		if (!spans[i].records)
			continue;
		overlaps += spans[i].first < last;
		last = spans[i].last;
	}
	return overlaps;
}

static void torture(const char *what, u32 size, u32 count, bool is_shared,
		    bool may_lose)
{
	struct evnt_buffers b = make(size, count);
	u32 i, n, accepted = 0, lost = 0, wrong = 0;
	struct found *f;
	pthread_t thread;

	b.is_shared = is_shared;
	memset(workers, 0, sizeof(workers));
	memset(spans, 0, sizeof(spans));
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
	CHECK(!is_shared || !count_overlaps(),
	      "%s: times of shared buffers do not overlap", what);
	CHECK(evnt_buffers_events(&b) == accepted &&
	      evnt_buffers_lost(&b) == lost, "%s: all is counted", what);
	CHECK(may_lose || !lost, "%s: %u lost", what, lost);
	CHECK(evnt_buffers_free_count(&b) + CPUS >= count,
	      "%s: all buffers are free again, or current", what);
	evnt_buffers_destroy(&b);
}

static void test_losses(void)
{
	struct evnt_buffers b = make(4096, 2);
	u32 cpu, kind;
	u64 lost;

	for (cpu = 0; cpu < CPUS; cpu++) {
		for (kind = 0; kind < EVNT_LOSSES * cpu; kind++)
			evnt_count_lost(&b, cpu, kind % EVNT_LOSSES);
	}
	evnt_count_lost(&b, 0, EVNT_LOST_TOO_LARGE);
	CHECK(evnt_buffers_lost_by(&b, EVNT_LOST_NO_BUFFER) ==
	      CPUS * (CPUS - 1) / 2, "losses of all CPUs are summed");
	CHECK(evnt_buffers_lost_by(&b, EVNT_LOST_TOO_LARGE) ==
	      evnt_buffers_lost_by(&b, EVNT_LOST_UNREADABLE) + 1,
	      "losses are counted by kind");
	CHECK(evnt_buffers_lost(&b) ==
	      CPUS * (CPUS - 1) / 2 * EVNT_LOSSES + 1,
	      "the sum of all losses is counted");
	CHECK(!evnt_buffers_blocker(&b), "no session has caused any loss");
	lost = evnt_buffers_lost(&b);
	evnt_count_blocked(&b, 1, 17);
	CHECK(evnt_buffers_blocker(&b) == 17, "a session has caused a loss");
	evnt_count_blocked(&b, 0, 18);
	CHECK(evnt_buffers_blocker(&b) == 18,
	      "the session that caused the last loss is known");
	CHECK(evnt_buffers_lost(&b) == lost + 2,
	      "losses because of other sessions are losses");
	evnt_buffers_destroy(&b);
}

/* Set the time of the clock of losses to @ns before now */
static void age(struct evnt_lost *lost, s64 ns)
{
	lost->first -= ns;
	lost->last -= ns;
}

static void test_gaps(void)
{
	const s64 second = 1000000000;
	struct evnt_buffers b = make(4096, 2);
	struct evnt_lost *lost = &b.cpus[1].lost[EVNT_LOST_NO_BUFFER];
	const s64 before = evnt_boot_ns();
	struct evnt_gap gap;

	CHECK(!evnt_gap_take(lost, true, &gap), "there is no gap at first");
	evnt_count_lost(&b, 1, EVNT_LOST_NO_BUFFER);
	evnt_count_lost(&b, 1, EVNT_LOST_NO_BUFFER);
	/* A machine under load may have taken longer than a gap lasts */
	age(lost, -second);
	CHECK(!evnt_gap_take(lost, false, &gap),
	      "a gap is not taken before it is over");
	age(lost, second);
	CHECK(evnt_gap_take(lost, true, &gap) && gap.count == 2 &&
	      gap.first >= before && gap.last >= gap.first &&
	      gap.last <= evnt_boot_ns(), "a gap has its times on request");
	CHECK(!evnt_gap_take(lost, true, &gap), "a gap is taken once");
	evnt_count_lost(&b, 1, EVNT_LOST_NO_BUFFER);
	age(lost, second / 5);
	CHECK(evnt_gap_take(lost, false, &gap) && gap.count == 1,
	      "a gap is taken when it is over");
	evnt_count_lost(&b, 1, EVNT_LOST_NO_BUFFER);
	age(lost, second + second / 10);
	evnt_count_lost(&b, 1, EVNT_LOST_NO_BUFFER);
	CHECK(evnt_gap_take(lost, false, &gap) && gap.count == 2 &&
	      gap.last - gap.first > second,
	      "a gap is taken when it is long");
	evnt_gap_return(lost, &gap);
	evnt_count_lost(&b, 1, EVNT_LOST_NO_BUFFER);
	CHECK(evnt_gap_take(lost, false, &gap) && gap.count == 3 &&
	      gap.last - gap.first > second,
	      "a gap that could not be reported continues");
	CHECK(evnt_buffers_lost(&b) == 6, "gaps do not change the counts");
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
	      "a record that just fits has a buffer to itself");
	put(&r, 4096 - 72, time, (struct mark) { 0, 0 });
	evnt_commit(&b, 0, &r);
	while (!evnt_reserve(&b, 0, 100, &r, &time)) {
		put(&r, 100, time, (struct mark) { 0, i++ });
		evnt_commit(&b, 0, &r);
	}
	CHECK(evnt_reserve(&b, 0, 100, &r, &time) == -ENOBUFS,
	      "a reservation without a free buffer is ENOBUFS");
	CHECK(evnt_reserve(&b, 1, 100, &r, &time) == -ENOBUFS,
	      "a reservation on another CPU without a free buffer is ENOBUFS");
	CHECK(evnt_buffers_free_count(&b) == 0, "no buffer is free");
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

/* Return the buffer of a record that fills one */
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

/* A CPU uses its own buffers first, then the next CPU's, and so on */
static void test_near_buffers_come_first(void)
{
	struct evnt_buffers b = make(4096, 8);
	u32 i, wrong = 0;

	for (i = 0; i < 8; i++)
		wrong += fill_one(&b, 1) != (8 / CPUS + i) % 8;
	CHECK(!wrong, "near buffers come first");
	CHECK(fill_one(&b, 1) == 99,
	      "no buffer is taken when none is free");
	evnt_buffers_destroy(&b);
}

static bool same_bytes(const void *a, const void *b, size_t len)
{
	return !memcmp(a, b, len);
}

/*
 * Once its CPU has a buffer, an event changes only that buffer and the CPU's
 * own counters, and no cache line of another CPU.
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
	CHECK(same_bytes(&before, &b, sizeof(b)),
	      "a reservation does not write shared data");
	CHECK(same_bytes(&cpus[1], &b.cpus[1], sizeof(cpus[1])) &&
	      !same_bytes(&cpus[0], &b.cpus[0], sizeof(cpus[0])),
	      "a reservation does not write another CPU's data");
	for (i = 0; i < 4; i++)
		changed += !same_bytes(&buffers[i], &b.buffers[i],
				       sizeof(buffers[i]));
	CHECK(changed == 1, "a reservation writes one buffer");
	CHECK(!((uintptr_t)b.cpus % 64) && !((uintptr_t)b.buffers % 64) &&
	      !(sizeof(*b.cpus) % 64) && !(sizeof(*b.buffers) % 64),
	      "data of CPUs and buffers is in separate cache lines");
	evnt_buffers_destroy(&b);
}

/* Change of a buffer between a reservation and its shortening */
enum follower { NOTHING, RECORD_BEHIND, CLOSED };

/* Shorten a reservation, and return the buffer's end when it is finished, or 0 */
static u32 end_of_shortened(enum follower follower)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation r1, r2;
	struct evnt_buffer *buf;
	u32 records = 1, end = 0;
	s64 time;

	evnt_reserve(&b, 0, 1000, &r1, &time);
	if (follower == RECORD_BEHIND)
		evnt_reserve(&b, 0, 200, &r2, &time);
	if (follower == CLOSED)
		evnt_buffers_close(&b);
	evnt_shorten(&b, 1000, 96, &r1);
	put(&r1, 96, time, (struct mark) { 1, 1 });
	CHECK(!evnt_buffers_take(&b), "a shortened reservation is still one");
	evnt_commit(&b, 0, &r1);
	if (follower == RECORD_BEHIND) {
		put(&r2, 200, time, (struct mark) { 1, 2 });
		evnt_commit(&b, 0, &r2);
		records++;
	}
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	if (buf && evnt_buffer_finish(&b, buf, 0) &&
	    evnt_buffer_extent(buf->data).records == records)
		end = ((struct etl_buffer_header *)buf->data)->saved_offset;
	evnt_buffers_destroy(&b);
	return end;
}

static void test_shorten(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation r1, r2;
	s64 time;

	CHECK(end_of_shortened(NOTHING) == 72 + 96,
	      "the end of a reservation is taken back");
	CHECK(end_of_shortened(RECORD_BEHIND) == 72 + 96 + 200,
	      "if another one follows, the hole is squeezed out");
	CHECK(end_of_shortened(CLOSED) == 72 + 96,
	      "likewise in a buffer that is closed");
	evnt_reserve(&b, 0, 1001, &r1, &time);
	evnt_shorten(&b, 1001, 96, &r1);
	evnt_reserve(&b, 0, 100, &r2, &time);
	CHECK(evnt_record(&r2) == evnt_record(&r1) + 96,
	      "the next one begins where a shortened one ends");
	evnt_shorten(&b, 100, 104, &r2);
	evnt_commit(&b, 0, &r1);
	evnt_commit(&b, 0, &r2);
	evnt_reserve(&b, 0, 100, &r1, &time);
	CHECK(evnt_record(&r1) == evnt_record(&r2) + 104,
	      "nothing is taken back from one that is kept whole");
	evnt_discard(&b, 100, &r1);
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
	      evnt_buffer_extent(buf->data).records == 1, "a hole is squeezed out");
	if (!buf)
		return;
	CHECK(((struct etl_buffer_header *)buf->data)->saved_offset == 72 + 200,
	      "a discarded reservation at the end shortens the buffer");
	CHECK(!evnt_buffers_take(&b), "there is no other");
	evnt_buffers_destroy(&b);
}

/* Commit one record on a CPU */
static void put_one(struct evnt_buffers *b, u32 cpu, u32 number)
{
	struct evnt_reservation r;
	s64 time;

	evnt_reserve(b, cpu, 100, &r, &time);
	put(&r, 100, time, (struct mark) { 0, number });
	evnt_commit(b, cpu, &r);
}

static u32 count_list(struct evnt_buffers *b, struct evnt_buffer *buf)
{
	u32 n = 0;

	for (; buf; buf = evnt_buffer_next(b, buf))
		n++;
	return n;
}

static void test_two_writers_inside(void)
{
	struct evnt_buffers b = make(4096, 4);
	struct evnt_reservation r1, r2;
	s64 time;

	evnt_reserve(&b, 0, 100, &r1, &time);
	put(&r1, 100, time, (struct mark) { 0, 1 });
	evnt_reserve(&b, 0, 100, &r2, &time);
	put(&r2, 100, time, (struct mark) { 0, 2 });
	evnt_buffers_close(&b);
	CHECK(!evnt_buffers_take(&b),
	      "a closed buffer with two writers inside is not taken");
	evnt_commit(&b, 0, &r2);
	CHECK(!evnt_buffers_take(&b),
	      "a closed buffer that one of two writers has left is not taken");
	evnt_commit(&b, 0, &r1);
	CHECK(count_list(&b, evnt_buffers_take(&b)) == 1,
	      "the last writer inside hands the buffer on");
	CHECK(!evnt_buffers_take(&b), "a buffer is handed on once");
	evnt_buffers_destroy(&b);
}

static void test_no_room_in_a_closed_buffer(void)
{
	struct evnt_reservation inside, next, looked;
	struct evnt_buffers b = make(4096, 4);
	s64 time;

	evnt_reserve(&b, 0, 100, &inside, &time);
	evnt_look(&b, evnt_current(&b, 0), &looked);
	evnt_buffers_close(&b);
	CHECK(!evnt_claim(&b, &looked, 104),
	      "a buffer that was closed after the look is not claimed");
	evnt_reserve(&b, 0, 100, &next, &time);
	CHECK(next.buffer != inside.buffer,
	      "a closed buffer is not reserved");
	evnt_buffers_destroy(&b);
}

/* An interrupt reserves, or discards, between look and claim */
static void test_claim_of_what_has_changed(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation looked, r;
	s64 time;

	put_one(&b, 0, 1);
	evnt_look(&b, evnt_current(&b, 0), &looked);
	evnt_reserve(&b, 0, 100, &r, &time);
	CHECK(!evnt_claim(&b, &looked, 104),
	      "room that another record has is not claimed");
	evnt_discard(&b, 100, &r);
	evnt_look(&b, evnt_current(&b, 0), &looked);
	evnt_reserve(&b, 0, 100, &r, &time);
	evnt_discard(&b, 100, &r);
	CHECK(!evnt_claim(&b, &looked, 104),
	      "a reservation that came and went lets no older claim succeed");
	evnt_buffers_destroy(&b);
}

/* The only buffer becomes another CPU's while the first still refers to it */
static void test_name_of_a_former_generation(void)
{
	struct evnt_buffers b = make(4096, 1);
	struct evnt_reservation r;
	s64 time;

	put_one(&b, 0, 1);
	evnt_buffers_close(&b);
	evnt_buffer_free(&b, evnt_buffers_take(&b));
	CHECK(!evnt_reserve(&b, 1, 100, &r, &time) &&
	      evnt_reserve(&b, 0, 100, &r, &time) == -ENOBUFS,
	      "a buffer that has become another CPU's is not written to");
	evnt_buffers_destroy(&b);
}

/* The generations wrap while the first CPU writes nothing */
static void test_generations_wrap(bool is_shared)
{
	struct evnt_buffers b = make(4096, 1);
	struct evnt_reservation r;
	u64 i, before;
	s64 time;

	b.is_shared = is_shared;
	put_one(&b, 1, 1);
	before = atomic64_read(&b.buffers[0].state);
	for (i = 0; i <= STATE_GEN_MASK; i++) {
		evnt_buffers_close(&b);
		evnt_buffer_free(&b, evnt_buffers_take(&b));
		put_one(&b, 0, 1);
	}
	CHECK(state_generation(atomic64_read(&b.buffers[0].state)) ==
	      state_generation(before) && evnt_current(&b, 1) & NO_BUFFER,
	      "an idle CPU's name is invalid when the generations have wrapped");
	CHECK(evnt_reserve(&b, 1, 100, &r, &time) ==
	      (is_shared ? 0 : -ENOBUFS) &&
	      evnt_reserve(&b, 0, 100, &r, &time) == 0,
	      "such a CPU writes only to a buffer that all CPUs share");
	evnt_buffers_destroy(&b);
}

static void test_close_leaves_empty_buffers(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation r;
	s64 time;

	evnt_reserve(&b, 0, 100, &r, &time);
	evnt_discard(&b, 100, &r);
	evnt_buffers_close(&b);
	CHECK(!evnt_buffers_take(&b) && evnt_buffers_free_count(&b) == 1,
	      "a buffer without a record stays current when others are closed");
	evnt_buffers_destroy(&b);
}

static void test_part(void)
{
	struct evnt_buffers b = make(4096, 8);
	struct evnt_buffer *taken = NULL;
	struct evnt_reservation r;
	s64 time, last;

	CHECK(evnt_buffers_part(&b, 0, &taken) && !taken,
	      "an empty session can be parted");
	put_one(&b, 0, 1);
	evnt_reserve(&b, 1, 100, &r, &time);
	last = atomic64_read(&b.sequence);
	CHECK(last == 2 && !evnt_buffers_part(&b, last, &taken) &&
	      count_list(&b, taken) == 1,
	      "a buffer with a writer inside is not parted");
	put_one(&b, 0, 2);
	evnt_discard(&b, 100, &r);
	put_one(&b, 1, 3);
	evnt_buffers_close(&b);
	CHECK(evnt_buffers_part(&b, last, &taken) &&
	      count_list(&b, taken) == 4,
	      "buffers are parted when the writers have left");
	CHECK(taken->sequence == 1 &&
	      evnt_buffer_next(&b, taken)->sequence == 2 &&
	      evnt_buffer_finish(&b, taken, 0) &&
	      !evnt_buffer_finish(&b, evnt_buffer_next(&b, taken), 0),
	      "old buffers are in front of new ones, even empty ones");
	evnt_buffers_destroy(&b);
}

static void test_copy(void)
{
	static u64 aligned[4096 / sizeof(u64)];
	struct evnt_buffers b = make(4096, 4);
	const struct etl_buffer_header *h = (const void *)aligned;
	struct evnt_buffer *buf, *taken;
	struct evnt_reservation r, held;
	u8 *copy = (u8 *)aligned;
	s64 time;

	CHECK(!evnt_buffer_copy(&b, 0, copy), "no buffer has no copy");
	put_one(&b, 0, 1);
	buf = evnt_buffer_copy(&b, 0, copy);
	CHECK(buf && evnt_buffer_is_sound(copy, 4096) &&
	      evnt_buffer_extent(copy).records == 1 &&
	      h->sequence == buf->sequence && !evnt_buffers_take(&b),
	      "an open buffer is copied, and stays open");
	CHECK(!evnt_buffer_copy(&b, 0, copy),
	      "a buffer is copied again only with new records");
	evnt_reserve(&b, 0, 100, &held, &time);
	put_one(&b, 0, 2);
	evnt_discard(&b, 100, &held);
	put_one(&b, 0, 3);
	CHECK(evnt_buffer_copy(&b, 0, copy) == buf &&
	      evnt_buffer_extent(copy).records == 3 &&
	      evnt_buffer_is_sound(copy, 4096),
	      "a copy has no discarded records");
	evnt_reserve(&b, 1, 100, &r, &time);
	evnt_discard(&b, 100, &r);
	CHECK(!evnt_buffer_copy(&b, 1, copy), "no record has no copy");
	evnt_reserve(&b, 0, 100, &r, &time);
	CHECK(!evnt_buffer_copy(&b, 0, copy) && !evnt_buffers_take(&b),
	      "a buffer with a writer inside is not copied");
	put(&r, 100, time, (struct mark) { 0, 4 });
	evnt_commit(&b, 0, &r);
	taken = evnt_buffers_take(&b);
	CHECK(taken && taken == buf && evnt_buffer_finish(&b, taken, 0) &&
	      evnt_buffer_extent(taken->data).records == 4,
	      "but handed on by the writer");
	evnt_buffers_destroy(&b);
}

/* No later record is older than the watermark, and the watermark advances */
static void test_watermark(void)
{
	struct evnt_buffers b = make(4096, 8);
	struct evnt_buffer *buf;
	s64 first, mark;

	mark = evnt_buffers_watermark(&b);
	put_one(&b, 0, 1);
	first = evnt_clock(&b);
	put_one(&b, 1, 2);
	CHECK(mark <= evnt_buffers_watermark(&b) &&
	      evnt_buffers_watermark(&b) <= first,
	      "an open buffer holds the mark back");
	evnt_buffers_close_older(&b, 1);
	CHECK(evnt_buffers_watermark(&b) <= first,
	      "a closed buffer holds the watermark until it is taken");
	CHECK(count_list(&b, evnt_buffers_take(&b)) == 1 &&
	      evnt_buffers_watermark(&b) >= first,
	      "a lagging buffer is closed, the newest is not");
	evnt_buffers_close_older(&b, 0);
	buf = evnt_buffers_take(&b);
	CHECK(buf && buf->since >= first,
	      "a buffer has the time when it was opened");
	mark = evnt_clock(&b);
	CHECK(evnt_buffers_watermark(&b) >= mark,
	      "a taken buffer does not hold the watermark");
	evnt_buffers_destroy(&b);
}

/* A lane's buffer has the age of its records, and belongs to no CPU's memory */
static void test_lane_has_older_records(void)
{
	struct evnt_buffers b = {
		.nr_cpus = CPUS + 1, .nr_lanes = 1, .nr_buffers = 4,
		.buffer_size = 4096, .clock_type = EVNT_CLOCK_QPC,
		.notify = notify,
	};
	struct evnt_buffer *buf;
	const s64 old = 1000;

	evnt_buffers_init(&b);
	CHECK(!b.cpus[CPUS].near, "a lane is near to no CPU");
	put_one(&b, 0, 1);
	b.cpus[CPUS].since = old;
	put_one(&b, CPUS, 2);
	CHECK(evnt_buffers_watermark(&b) == old,
	      "a lane's buffer holds the mark back to its oldest record");
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	CHECK(buf && buf->since > old &&
	      ((struct etl_buffer_header *)buf->data)->cpu == 0,
	      "a CPU's buffer is as old as its acquisition");
	buf = evnt_buffer_next(&b, buf);
	CHECK(buf && buf->since == old &&
	      ((struct etl_buffer_header *)buf->data)->cpu == CPUS,
	      "a lane's buffer is another CPU's");
	CHECK(evnt_buffers_watermark(&b) > old,
	      "a lane's buffer that was taken holds no mark back");
	evnt_buffers_destroy(&b);
}

/* Older records of a lane bound the buffers before it, but not those after it */
static void test_bound(void)
{
	struct evnt_buffers b = {
		.nr_cpus = CPUS + 1, .nr_lanes = 1, .nr_buffers = 4,
		.buffer_size = 4096, .clock_type = EVNT_CLOCK_QPC,
		.notify = notify,
	};
	struct evnt_buffer *list, *lane, *last;
	s64 young;

	evnt_buffers_init(&b);
	put_one(&b, 0, 1);
	b.cpus[CPUS].since = 1000;
	put_one(&b, CPUS, 2);
	put_one(&b, 1, 3);
	evnt_buffers_close(&b);
	list = evnt_buffers_take(&b);
	lane = evnt_buffer_next(&b, list);
	last = evnt_buffer_next(&b, lane);
	young = last->since;
	evnt_buffers_bound(&b, list, S64_MAX);
	CHECK(evnt_buffer_next(&b, list) == lane &&
	      evnt_buffer_next(&b, lane) == last && !evnt_buffer_next(&b, last),
	      "the order of the list is unchanged");
	CHECK(list->since == 1000 && lane->since == 1000,
	      "a buffer includes older records that follow");
	CHECK(last->since == young && young > 1000,
	      "a buffer does not include those that precede it");
	evnt_buffers_bound(&b, list, 10);
	CHECK(list->since == 10 && lane->since == 10 && last->since == 10,
	      "all include what will be taken later");
	evnt_buffers_bound(&b, NULL, 5);
	evnt_buffers_destroy(&b);
}

/* The list is in order of acquisition, in whatever order buffers are retired */
static void test_take_order(void)
{
	struct evnt_buffers b = make(4096, 8);
	struct evnt_reservation held;
	struct evnt_buffer *buf;
	s64 time, last = 0;
	u32 n = 0;

	evnt_reserve(&b, 0, 100, &held, &time);
	put_one(&b, 1, 1);
	evnt_buffers_close(&b);
	put_one(&b, 1, 2);
	evnt_buffers_close(&b);
	put(&held, 100, time, (struct mark) { 0, 0 });
	evnt_commit(&b, 0, &held);
	for (buf = evnt_buffers_take(&b); buf;
	     buf = evnt_buffer_next(&b, buf), n++) {
		struct etl_buffer_header *h = (void *)buf->data;

		CHECK(h->sequence > last, "buffers come as they were acquired");
		last = h->sequence;
	}
	CHECK(n == 3, "all closed buffers are taken");
	evnt_buffers_destroy(&b);
}

static bool reclaim_none(struct evnt_buffers *b)
{
	(void)b;
	return false;
}

static struct evnt_buffer *spare;

static bool reclaim_one(struct evnt_buffers *b)
{
	if (!spare)
		return false;
	evnt_buffer_free(b, spare);
	spare = NULL;
	return true;
}

/* The buffers that reclaim_and_write() frees */
static struct evnt_buffer *two_spares[2];

/* Free two buffers; an interrupt takes one of them before the caller does */
static bool reclaim_and_write(struct evnt_buffers *b)
{
	evnt_buffer_free(b, two_spares[0]);
	evnt_buffer_free(b, two_spares[1]);
	put_one(b, 0, 1);
	return true;
}

/* A writer prepares a buffer while an interrupt installs another one */
static void test_lost_race(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_buffer *buf;
	s64 mark;

	put_one(&b, 0, 1);
	put_one(&b, 1, 1);
	evnt_buffers_close(&b);
	two_spares[0] = evnt_buffers_take(&b);
	two_spares[1] = evnt_buffer_next(&b, two_spares[0]);
	b.reclaim = reclaim_and_write;
	put_one(&b, 0, 2);
	CHECK(evnt_buffers_free_count(&b) == 1,
	      "a buffer that lost the race for a CPU's name is free again");
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	CHECK(count_list(&b, buf) == 1 && evnt_buffer_finish(&b, buf, 0) &&
	      evnt_buffer_extent(buf->data).records == 2,
	      "the buffer that won the race has both records");
	mark = evnt_clock(&b);
	CHECK(evnt_buffers_watermark(&b) >= mark,
	      "a buffer that lost the race holds no mark back");
	evnt_buffers_destroy(&b);
}

static int reserve_error(struct evnt_buffers *b, u32 cpu)
{
	struct evnt_reservation r;
	s64 time;

	return evnt_reserve(b, cpu, 100, &r, &time);
}

static void test_grow_and_reclaim(void)
{
	struct evnt_buffers b = {
		.nr_cpus = CPUS, .nr_buffers = 1, .capacity = 2,
		.buffer_size = 4096, .clock_type = EVNT_CLOCK_QPC,
		.notify = notify,
	};

	evnt_buffers_init(&b);
	put_one(&b, 0, 1);
	evnt_buffers_close(&b);
	spare = evnt_buffers_take(&b);
	CHECK(reserve_error(&b, 0) == -ENOBUFS, "all buffers are in use");
	b.reclaim = reclaim_none;
	CHECK(reserve_error(&b, 0) == -ENOBUFS,
	      "a buffer in use is not reclaimed");
	b.reclaim = reclaim_one;
	CHECK(!reserve_error(&b, 0) && !spare, "a free buffer is reclaimed");
	CHECK(!evnt_buffers_free_count(&b) && !evnt_buffers_grow(&b, 1) &&
	      evnt_buffers_free_count(&b) == 1 && b.nr_buffers == 2,
	      "there may be more");
	CHECK(!reserve_error(&b, 1),
	      "a reclaimed buffer is used by another CPU");
	CHECK(evnt_buffers_grow(&b, 1) == -ENOMEM, "up to the capacity");
	evnt_buffers_destroy(&b);
}

/* Parts of a buffer by time, and contents that are no valid buffer */
static void test_cut_by_time(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct etl_buffer_header *h;
	struct evnt_extent extent;
	struct evnt_buffer *buf;
	u8 copy[4096];
	u16 *record;
	u32 i;

	for (i = 0; i < 5; i++)
		put_one(&b, 0, i);
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	evnt_buffer_finish(&b, buf, 0);
	extent = evnt_buffer_extent(buf->data);
	CHECK(extent.records == 5 && extent.first <= extent.last,
	      "a buffer's extent");
	record = (u16 *)(buf->data + 72 + 104);
	memcpy(copy, record, 104);
	record[1] = ETL_RECORD_PERFINFO64;
	record[2] = 104;
	record[3] = EVNTPROV_PROCESS_HOOK;
	memcpy(record + 24, (u32[]){ 0 }, sizeof(u32));
	CHECK(evnt_buffer_extent(buf->data).records == 5,
	      "an event of the kernel counts");
	memcpy(record + 24, (u32[]){ EVNTPROV_PROCESS_NAMED }, sizeof(u32));
	CHECK(evnt_buffer_extent(buf->data).records == 4,
	      "a record that names a process does not count as an event");
	memcpy(record, copy, 104);
	memcpy(copy, buf->data, sizeof(copy));
	CHECK(evnt_buffer_cut(copy, INT64_MIN, INT64_MAX) == 5 * 104 &&
	      !memcmp(copy, buf->data, sizeof(copy)),
	      "a cut without limits keeps all records");
	CHECK(!evnt_buffer_cut(copy, extent.last, INT64_MAX) &&
	      evnt_buffer_extent(copy).records == 0,
	      "a cut after the last record keeps nothing");
	for (i = 0; i < 5; i++)
		((struct etl_event_header *)(buf->data + 72 + i * 104))
			->time_stamp = 10 * i;
	memcpy(copy, buf->data, sizeof(copy));
	evnt_buffer_cut(copy, 10, 30);
	extent = evnt_buffer_extent(copy);
	CHECK(extent.records == 2 && extent.first == 20 && extent.last == 30,
	      "a cut keeps the records between two times");
	CHECK(evnt_buffer_is_sound(copy, 4096) && copy[72 + 208] == 0xff,
	      "a cut buffer is well-formed");
	h = (void *)copy;
	CHECK(!evnt_buffer_is_sound(copy, 8192),
	      "a buffer of another size is not well-formed");
	*(u16 *)(copy + 72) = 0;
	CHECK(!evnt_buffer_is_sound(copy, 4096), "a record without a length");
	*(u16 *)(copy + 72) = 4000;
	CHECK(!evnt_buffer_is_sound(copy, 4096), "a record beyond the end");
	h->saved_offset = 5000;
	CHECK(!evnt_buffer_is_sound(copy, 4096), "an end beyond the end");
	evnt_buffers_destroy(&b);
}

/* Recover memory of exactly @size; returns the number of its records, or -1 */
static int recovered(const void *data, u32 size, s64 *time)
{
	u8 *copy = malloc(size);
	int records = -1;

	memcpy(copy, data, size);
	if (evnt_buffer_recover(copy, size)) {
		records = evnt_buffer_is_sound(copy, size) ?
				  (int)evnt_buffer_extent(copy).records : -2;
		*time = ((struct etl_buffer_header *)copy)->time_stamp;
	}
	free(copy);
	return records;
}

/* A buffer as the writers of a process that was killed leave it */
static void test_recover(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_reservation r, begun, given_back;
	const u8 *data = b.buffers[0].data;
	s64 time, last, found = 0;

	CHECK(recovered(data, 4096, &found) == -1, "zeroes are no buffer");
	evnt_reserve(&b, 0, 100, &r, &time);
	CHECK(recovered(data, 4096, &found) == -1,
	      "a buffer without a record is not recovered");
	put_one(&b, 0, 1);
	evnt_reserve(&b, 0, 100, &begun, &time);
	put(&begun, 100, time, (struct mark) { 0, 2 });
	((u16 *)evnt_record(&begun))[1] = 0;
	put_one(&b, 0, 3);
	evnt_reserve(&b, 0, 100, &given_back, &time);
	evnt_reserve(&b, 0, 100, &r, &last);
	put(&r, 100, last, (struct mark) { 0, 4 });
	evnt_discard(&b, 100, &given_back);
	evnt_reserve(&b, 0, 200, &given_back, &time);
	CHECK(recovered(data, 4096, &found) == 3 && found == last,
	      "complete records are recovered, and no others");
	CHECK(recovered(data, 2048, &found) == -1,
	      "a buffer of another size is not recovered");
	evnt_buffers_destroy(&b);
}

/* A buffer that its process was about to write, or had damaged */
static void test_recover_damaged(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_buffer *buf;
	s64 found;
	u16 *record;
	u32 i;

	for (i = 0; i < 39; i++)
		put_one(&b, 0, i);
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	evnt_buffer_finish(&b, buf, 0);
	CHECK(recovered(buf->data, 4096, &found) == 38,
	      "a finished buffer is recovered up to its padding");
	record = (u16 *)(buf->data + 72 + 5 * 104);
	record[0] = 16;
	CHECK(recovered(buf->data, 4096, &found) == 5,
	      "nothing is recovered behind a record that is too short");
	record[0] = 65535;
	CHECK(recovered(buf->data, 4096, &found) == 5,
	      "nothing is recovered behind a record that is too long");
	evnt_buffers_destroy(&b);
}

static void test_recover_noise(void)
{
	u16 data[64];
	u32 i, k, sound = 0;
	s64 found;
	int records;

	for (i = 0; i < 100000; i++) {
		for (k = 0; k < sizeof(data) / sizeof(*data); k++)
			data[k] = random() % 4 ? random() % 48 : random();
		/* Often an event of the least length at the end */
		if (i % 2) {
			memset(data + 36, 0, sizeof(data) - 72);
			data[36] = 32;
			data[37] = ETL_RECORD_EVENT64;
			data[52] = 24;
			data[53] = ETL_RECORD_EVENT64;
		}
		memcpy(data, (u32[]){ sizeof(data) }, sizeof(u32));
		records = recovered(data, sizeof(data), &found);
		if (records == -2)
			break;
		sound += records > 0;
	}
	CHECK(i == 100000 && sound > 50000, "noise is recovered as sound records");
}

/* Check memory of exactly this size without a record: all is padding */
static bool is_sound_alone(u32 size, u32 end)
{
	struct etl_buffer_header h = {
		.buffer_size = size, .saved_offset = end,
	};
	u8 *data = malloc(size);
	bool is;

	memset(data, 0xff, size);
	memcpy(data, &h, sizeof(h));
	is = evnt_buffer_is_sound(data, size);
	free(data);
	return is;
}

static void test_ends_of_what_was_a_buffer(void)
{
	CHECK(is_sound_alone(72, 72) && is_sound_alone(76, 72),
	      "a buffer without a record is sound");
	CHECK(!is_sound_alone(76, 76),
	      "a buffer that ends within a record's first 8 bytes is not read");
	CHECK(!is_sound_alone(80, 64) && !is_sound_alone(80, 0),
	      "a buffer that ends within its header is not sound");
}

/* Messages may lack a time stamp, and have it at another place */
static void make_message(u8 *to, s64 time)
{
	struct etl_message_header h = {
		.size = 104, .kind = ETL_RECORD_MESSAGE,
		.flags = ETL_MESSAGE_SEQUENCE | ETL_MESSAGE_COMPONENT |
			 (time ? ETL_MESSAGE_TIME : 0),
	};

	memset(to, 0, 104);
	memcpy(to, &h, sizeof(h));
	memcpy(to + 16, &time, sizeof(time));
}

static void test_messages(void)
{
	static const s64 times[] = { 0, 10, 0, 30, 0 };
	struct evnt_buffers b = make(4096, 2);
	struct evnt_extent extent;
	struct evnt_buffer *buf;
	u8 copy[4096];
	u32 i;

	for (i = 0; i < 5; i++)
		put_one(&b, 0, i);
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	evnt_buffer_finish(&b, buf, 0);
	for (i = 0; i < 5; i++)
		make_message(buf->data + 72 + i * 104, times[i]);
	extent = evnt_buffer_extent(buf->data);
	CHECK(extent.records == 5 && extent.first == 10 && extent.last == 30,
	      "messages: the extent is that of messages with a time stamp");
	memcpy(copy, buf->data, sizeof(copy));
	CHECK(evnt_buffer_is_sound(copy, 4096) &&
	      evnt_buffer_cut(copy, 10, INT64_MAX) == 2 * 104,
	      "messages without go with those before them");
	memcpy(copy, buf->data, sizeof(copy));
	CHECK(evnt_buffer_cut(copy, INT64_MIN, 10) == 3 * 104,
	      "messages without are no newer than those before them");
	for (i = 0; i < 5; i++)
		make_message(buf->data + 72 + i * 104, 0);
	extent = evnt_buffer_extent(buf->data);
	CHECK(extent.records == 5 && extent.first == extent.last &&
	      extent.last == ((struct etl_buffer_header *)buf->data)->time_stamp,
	      "messages without any are of when the buffer was finished");
	memcpy(copy, buf->data, sizeof(copy));
	make_message(copy + 72 + 4 * 104, 5);
	((u16 *)(copy + 72 + 4 * 104))[0] = 16;
	((struct etl_buffer_header *)copy)->saved_offset = 72 + 4 * 104 + 16;
	CHECK(!evnt_buffer_is_sound(copy, 4096),
	      "a message without space for its time stamp is malformed");
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
	CHECK(notified == calls + 1, "the end is notified once");
	evnt_buffers_destroy(&b);
}

static atomic_bool committed;

static void *commit_one(void *b)
{
	put_one(b, 0, 7);
	atomic_store_explicit(&committed, true, memory_order_relaxed);
	return NULL;
}

/*
 * Only the commit orders the record before its reader.  A commit that does not
 * is seen by ThreadSanitizer alone, here as a race.
 */
static void test_commit_orders_its_record(void)
{
	struct evnt_buffers b = make(4096, 2);
	struct evnt_buffer *buf;
	pthread_t thread;
	struct mark m;

	pthread_create(&thread, NULL, commit_one, &b);
	while (!atomic_load_explicit(&committed, memory_order_relaxed))
		sched_yield();
	evnt_buffers_close(&b);
	buf = evnt_buffers_take(&b);
	CHECK(buf, "a record that was committed on another CPU is taken");
	if (buf) {
		memcpy(&m, buf->data + ETL_BUFFER_HEADER_SIZE +
		       sizeof(struct etl_event_header), sizeof(m));
		CHECK(m.number == 7, "a record is complete when it is taken");
	}
	pthread_join(thread, NULL);
	evnt_buffers_destroy(&b);
}

int main(void)
{
	test_losses();
	test_gaps();
	test_limits();
	test_near_buffers_come_first();
	test_no_shared_line_is_written();
	test_give_up();
	test_shorten();
	test_close();
	test_watermark();
	test_lane_has_older_records();
	test_bound();
	test_take_order();
	test_grow_and_reclaim();
	test_cut_by_time();
	test_recover();
	test_recover_damaged();
	test_recover_noise();
	test_messages();
	test_part();
	test_copy();
	test_two_writers_inside();
	test_no_room_in_a_closed_buffer();
	test_claim_of_what_has_changed();
	test_name_of_a_former_generation();
	test_generations_wrap(false);
	test_generations_wrap(true);
	test_close_leaves_empty_buffers();
	test_lost_race();
	test_ends_of_what_was_a_buffer();
	test_commit_orders_its_record();
	torture("large pool", 65536, 4000, false, false);
	torture("small pool", 4096, 6, false, true);
	torture("two buffers", 4096, 2, false, true);
	torture("shared, large pool", 65536, 4000, true, false);
	torture("shared, small pool", 4096, 6, true, true);
	torture("shared, two buffers", 4096, 2, true, true);
	return tap_end();
}
