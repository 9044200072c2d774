// SPDX-License-Identifier: GPL-2.0
/*
 * A provider in the kernel writes numbered events from timer interrupts and
 * NMIs on all processors, beside eight threads of a program.  The file must
 * contain every accepted event exactly once, in order per writer, and the
 * accepted and lost events must add up to the writes.
 *
 * EVNT_STORM_EVENTS sets the number of events from the kernel; a million is a
 * good choice, but takes long on a debug kernel.
 */
#include <pthread.h>

#define ON_ALL_PROCESSORS
#include "selftests/evntprov/kernel/kernel.h"

#define THREADS		8
#define H		HANDLE(1, 1)
#define KERNEL		(CALLS_STREAMS * CALLS_MAX_CPUS)

/* A thread, or a context of a processor */
struct writer {
	pthread_t thread;
	int prov;
	uint32_t written;
	uint32_t accepted;
	uint32_t found;
	uint32_t next;
	int64_t time;
	uint32_t strange;
};

static struct writer writers[THREADS + KERNEL];
static uint32_t strangers;
static uint32_t per_thread;

static void *write_events(void *p)
{
	struct writer *w = p;
	struct calls_payload payload = { .writer = w - writers };
	int err;

	for (; w->written < per_thread; w->written++) {
		payload.number = w->written;
		memset(payload.fill, payload.number, sizeof(payload.fill));
		err = dev_write(w->prov, H, &payload,
				CALLS_LEN(payload.number));
		w->accepted += !err;
		w->strange += err && err != ENOBUFS;
	}
	return NULL;
}

static struct writer *writer_of(uint32_t id)
{
	uint32_t stream = id >> 8 & 0x7fffff, cpu = id & 0xff;

	if (id < THREADS)
		return &writers[id];
	if (!(id & 0x80000000u) || stream >= CALLS_STREAMS ||
	    cpu >= CALLS_MAX_CPUS)
		return NULL;
	return &writers[THREADS + stream * CALLS_MAX_CPUS + cpu];
}

struct stamp {
	int64_t time;
	uint32_t number;
	uint32_t writer;
};

static struct {
	struct stamp *s;
	size_t count;
	size_t room;
} all;

static void collect(const struct etl_event *e, void *context)
{
	const struct calls_payload *p = calls_payload(e);
	struct writer *w = p ? writer_of(p->writer) : NULL;

	if (!w) {
		strangers++;
		return;
	}
	w->strange += calls_strange(p);
	w->found++;
	if (all.count < all.room)
		all.s[all.count++] = (struct stamp) { e->time, p->number,
						      w - writers };
}

static int by_writer_and_number(const void *a, const void *b)
{
	const struct stamp *x = a, *y = b;

	if (x->writer != y->writer)
		return x->writer < y->writer ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Count events that occur twice, or after a later one of the same writer */
static uint32_t count_disorder(void)
{
	uint32_t disorder = 0;
	size_t i;

	qsort(all.s, all.count, sizeof(*all.s), by_writer_and_number);
	for (i = 1; i < all.count; i++)
		disorder += all.s[i].writer == all.s[i - 1].writer &&
			    (all.s[i].number == all.s[i - 1].number ||
			     all.s[i].time < all.s[i - 1].time);
	return disorder;
}

static void note_result(const struct calls_storm *storm)
{
	uint32_t stream, cpu;
	struct writer *w;

	for (stream = 0; stream < CALLS_STREAMS; stream++) {
		for (cpu = 0; cpu < CALLS_MAX_CPUS; cpu++) {
			w = writer_of(CALLS_WRITER(stream, cpu));
			w->accepted = storm->accepted[stream][cpu];
			w->written = w->accepted + storm->lost[stream][cpu];
		}
	}
}

static void run_threads(int prov)
{
	uint32_t i;

	for (i = 0; i < THREADS; i++) {
		writers[i].prov = prov;
		pthread_create(&writers[i].thread, NULL, write_events,
			       &writers[i]);
	}
}

static void join_threads(void)
{
	uint32_t i;

	for (i = 0; i < THREADS; i++)
		pthread_join(writers[i].thread, NULL);
}

static uint64_t sum_written(void)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < THREADS + KERNEL; i++)
		sum += writers[i].written;
	return sum;
}

TEST_F_TIMEOUT(kernel, each_accepted_event_is_in_the_file_once_and_in_order, 900)
{
	struct evntrace_start properties = {
		.buffer_size = 256 * 1024, .max_buffers = 64,
	};
	bool has_nmi = !ioctl(self->calls, CALLS_IOC_HAS_NMI);
	struct calls_storm storm = {};
	uint32_t i, cpus, events;
	struct evntrace_session q;
	struct etl_scan scan;
	int prov;
	__u64 s;

	events = number_of("EVNT_STORM_EVENTS", many(200000));
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	storm.timer = events / cpus / (has_nmi ? 2 : 1);
	storm.nmi = has_nmi ? storm.timer : 0;
	per_thread = events / 4 / THREADS;
	prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(prov, H, 2, 0));
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "storm", "/tmp/storm.etl",
			       &properties, &s));
	ASSERT_EQ(0, control(self->trace, s, 1, EVNTPROV_CONTROL_ENABLE));
	ASSERT_EQ(0, control(self->trace, s, 2, EVNTPROV_CONTROL_ENABLE));
	run_threads(prov);
	ASSERT_EQ(0, ioctl(self->calls, CALLS_IOC_STORM, &storm));
	join_threads();
	note_result(&storm);
	ASSERT_EQ(0, dev_stop(self->trace, s, &q));
	close(prov);
	TH_LOG("%llu written, %llu accepted, %llu lost",
	       (unsigned long long)sum_written(), q.events, q.events_lost);

	EXPECT_EQ(0, storm.strange);
	EXPECT_EQ(cpus, storm.cpus);
	EXPECT_EQ(sum_written(), q.events + q.events_lost);
	EXPECT_EQ(cpus * (storm.timer + storm.nmi) + THREADS * per_thread,
		  sum_written());
	all.room = q.events;
	all.s = calloc(all.room, sizeof(*all.s));
	ASSERT_TRUE(etl_scan("/tmp/storm.etl", &scan, collect, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(q.events, scan.events);
	EXPECT_EQ(0, strangers);
	for (i = 0; i < THREADS + KERNEL; i++) {
		EXPECT_EQ(0, writers[i].strange);
		EXPECT_EQ(writers[i].accepted, writers[i].found);
	}
	EXPECT_EQ(0, count_disorder());
	free(all.s);
	unlink("/tmp/storm.etl");
}

TEST_HARNESS_MAIN
