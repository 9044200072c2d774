// SPDX-License-Identifier: GPL-2.0
/*
 * Eight threads on all CPUs write 1,000,000 numbered events into one session.
 * The file contains every accepted event exactly once, in order per thread;
 * accepted and lost events add up to the writes, and the file's header agrees.
 */
#include <pthread.h>
#include <sys/syscall.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG		"/tmp/million.etl"
#define H		HANDLE(1, 1)
#define THREADS		8
#define PER_THREAD	125000
#define MIB		(1024 * 1024)

/* A thread, and which of its events were accepted */
struct writer {
	pthread_t thread;
	int prov;
	unsigned int index;
	unsigned int accepted_count;
	unsigned int unexpected;
	bool accepted[PER_THREAD];
	bool seen[PER_THREAD];
	uint32_t tid;
};

static struct writer writers[THREADS];

/* Payload of an event; its length varies with its number */
struct payload {
	uint32_t writer;
	uint32_t number;
	uint8_t fill[64];
};

static void *write_events(void *p)
{
	struct writer *w = p;
	struct payload payload = { .writer = w->index };
	uint32_t i;
	int err;

	w->tid = syscall(SYS_gettid);
	for (i = 0; i < many(PER_THREAD); i++) {
		payload.number = i;
		memset(payload.fill, i, sizeof(payload.fill));
		err = dev_write(w->prov, H, &payload, 8 + i % 65);
		w->accepted[i] = !err;
		w->accepted_count += !err;
		w->unexpected += err && err != ENOBUFS;
	}
	return NULL;
}

struct check {
	unsigned int strange;	/* not written by any thread */
	unsigned int twice;
	uint64_t cpus;
};

static void check_event(const struct etl_event *e, void *context)
{
	const struct payload *p = (const struct payload *)e->data;
	struct check *c = context;
	struct writer *w;
	unsigned int i;

	if (e->data_len < 8 || p->writer >= THREADS ||
	    p->number >= PER_THREAD || e->data_len != 8 + p->number % 65 ||
	    e->tid != writers[p->writer].tid || e->pid != (uint32_t)getpid()) {
		c->strange++;
		return;
	}
	for (i = 8; i < e->data_len; i++)
		c->strange += e->data[i] != (uint8_t)p->number;
	w = &writers[p->writer];
	c->twice += w->seen[p->number];
	w->seen[p->number] = true;
	c->cpus |= 1ull << e->cpu;
}

/* The file is in order per CPU; threads that migrate are sorted by time */
struct stamp {
	int64_t time;
	uint32_t number;
	uint32_t writer;
};

struct stamps {
	struct stamp *s;
	size_t count;
};

static void collect(const struct etl_event *e, void *context)
{
	const struct payload *p = (const struct payload *)e->data;
	struct stamps *all = context;

	all->s[all->count++] = (struct stamp) { e->time, p->number,
						p->writer };
}

static int by_writer_and_number(const void *a, const void *b)
{
	const struct stamp *x = a, *y = b;

	if (x->writer != y->writer)
		return x->writer < y->writer ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static unsigned int count_disorder(const char *path)
{
	struct stamps all = { calloc(THREADS * PER_THREAD,
				     sizeof(struct stamp)), 0 };
	unsigned int disorder = 0;
	struct etl_scan scan;
	size_t i;

	etl_scan(path, &scan, collect, &all);
	qsort(all.s, all.count, sizeof(*all.s), by_writer_and_number);
	for (i = 1; i < all.count; i++)
		disorder += all.s[i].writer == all.s[i - 1].writer &&
			    all.s[i].time < all.s[i - 1].time;
	free(all.s);
	return disorder;
}

FIXTURE(million) {
	int prov;
	int trace;
};

FIXTURE_VARIANT(million) {
	__u32 buffer_size;
	__u32 max_buffers;
	bool may_lose;
};

/* Buffers for all events, so that even a slow disk loses none */
FIXTURE_VARIANT_ADD(million, keeps_up) {
	.buffer_size = MIB,
	.max_buffers = 200,
	.may_lose = false,
};

FIXTURE_VARIANT_ADD(million, pool_so_small_that_it_loses) {
	.buffer_size = 4096,
	.max_buffers = 1,
	.may_lose = true,
};

FIXTURE_SETUP(million)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

FIXTURE_TEARDOWN(million)
{
	close(self->prov);
	close(self->trace);
	unlink(LOG);
}

static unsigned int run_writers(int prov)
{
	unsigned int i, accepted = 0;

	memset(writers, 0, sizeof(writers));
	for (i = 0; i < THREADS; i++) {
		writers[i].prov = prov;
		writers[i].index = i;
		pthread_create(&writers[i].thread, NULL, write_events,
			       &writers[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(writers[i].thread, NULL);
		accepted += writers[i].accepted_count;
	}
	return accepted;
}

TEST_F_TIMEOUT(million, accepted_and_lost_events_add_up, 300)
{
	struct evntrace_start properties = {
		.buffer_size = variant->buffer_size,
		.max_buffers = variant->max_buffers,
	};
	unsigned int i, n, accepted, missing = 0;
	struct evntrace_session q;
	struct check c = {};
	struct etl_scan scan;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "million", LOG, &properties, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	accepted = run_writers(self->prov);
	ASSERT_EQ(0, dev_stop(self->trace, s, &q));
	TH_LOG("%u accepted, %llu lost, %llu buffers", accepted,
	       q.events_lost, q.buffers_written);

	EXPECT_EQ(accepted, q.events);
	EXPECT_EQ(THREADS * many(PER_THREAD), q.events + q.events_lost);
	EXPECT_EQ(0, q.buffers_lost);
	EXPECT_EQ(variant->may_lose, q.events_lost != 0);
	ASSERT_TRUE(etl_scan(LOG, &scan, check_event, &c)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(accepted, scan.events);
	EXPECT_EQ(q.events_lost, scan.events_lost);
	EXPECT_EQ(0, c.strange);
	EXPECT_EQ(0, c.twice);
	for (i = 0; i < THREADS; i++) {
		EXPECT_EQ(0, writers[i].unexpected);
		for (n = 0; n < many(PER_THREAD); n++)
			missing += writers[i].seen[n] != writers[i].accepted[n];
	}
	EXPECT_EQ(0, missing);
	EXPECT_EQ(0, count_disorder(LOG));
}

TEST_HARNESS_MAIN
