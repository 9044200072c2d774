// SPDX-License-Identifier: GPL-2.0
/*
 * A circular file with writers on several processors, one of which writes
 * rarely, while threads migrate: in the end, the file must hold the newest
 * events of all writers without a gap.  The flush timer uses up no room.
 *
 * EVNT_CIRCULAR_MB sets the size of the file, EVNT_CIRCULAR_LAPS how often it
 * is overwritten.
 */
#include <pthread.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG		"/tmp/circular.etl"
#define BUFFER		(16u << 10)
#define WRITERS		4u
#define RARE		0u	/* id of the slow writer */
#define PAYLOAD		200u
#define RECORD		(80 + PAYLOAD)
#define KEPT		(1u << 20)	/* remembered times */
/*
 * Tolerance in ns, or a tenth of the file's time if that is more.  Cutting all
 * processors' buffers takes microseconds, but a virtual CPU, or a writer between
 * reading the clock and writing, may be preempted for longer.
 */
#define TOLERANCE	(20 * 1000 * 1000)
/* Where one thread of the host runs all processors in turn, for 100 ms each */
#define TOLERANCE_RT	(1000 * 1000 * 1000)

struct payload {
	uint32_t writer;
	uint32_t number;
	char rest[PAYLOAD - 8];
};

/* A writer: numbers its events from 0, and stores the time before each write */
struct writer {
	pthread_t thread;
	uint32_t id;
	int prov;
	volatile bool *stop;
	volatile uint64_t written;
	unsigned int cpus;
	unsigned int visits;
	int64_t *when;
	/* Result of reading the file */
	bool *seen;
	int64_t first;
	int64_t last;
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/*
 * Place the writer: RARE sleeps between events; the second writer stays; the
 * others visit the next CPU for @visits of every 1,024 events.
 */
static void place(struct writer *w)
{
	if (w->id == RARE)
		usleep(20000);
	else if (w->id > 1 && w->written % 1024 == 0)
		stay_on(w->written / 1024 * w->id % w->cpus);
	else if (w->id > 1 && w->written % 1024 == w->visits)
		stay_on(0);
}

static void *write_events(void *arg)
{
	struct payload p = { .rest = "" };
	struct writer *w = arg;

	p.writer = w->id;
	stay_on(w->id == RARE ? w->cpus - 1 : 0);
	while (!*w->stop) {
		place(w);
		p.number = w->written;
		do
			w->when[p.number % KEPT] = now();
		while (dev_write(w->prov, HANDLE(1, 1), &p, sizeof(p)));
		w->written++;
	}
	return NULL;
}

static unsigned int setting(const char *name, unsigned int otherwise)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : otherwise;
}

FIXTURE(circular) {
	int prov;
	int trace;
	__u64 session;
	__u64 bytes;
	unsigned int laps;
	volatile bool stop;
	struct writer writer[WRITERS];
};

FIXTURE_SETUP(circular)
{
	__u16 name[16];
	struct evntrace_start arg;
	int log = new_log(LOG);

	self->stop = false;
	self->bytes = (__u64)setting("EVNT_CIRCULAR_MB", 16) << 20;
	self->laps = setting("EVNT_CIRCULAR_LAPS", 6);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(1, 1), 1, 0));
	arg = start_arg(name, "circular", log);
	arg.log_file_mode = EVNTRACE_MODE_CIRCULAR | EVNTRACE_MODE_USE_KBYTES;
	arg.max_file_size = self->bytes >> 10;
	arg.buffer_size = BUFFER;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	close(log);
	self->session = arg.handle;
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
}

FIXTURE_TEARDOWN(circular)
{
	unsigned int i;

	if (self->session)
		dev_stop(self->trace, self->session, NULL);
	for (i = 0; i < WRITERS; i++) {
		free(self->writer[i].when);
		free(self->writer[i].seen);
	}
	close(self->prov);
	close(self->trace);
	unlink(LOG);
}

static void start_writers(FIXTURE_DATA(circular) *self, unsigned int visits)
{
	struct writer *w;
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		w = &self->writer[i];
		*w = (struct writer) {
			.id = i, .prov = self->prov, .stop = &self->stop,
			.cpus = sysconf(_SC_NPROCESSORS_ONLN), .first = -1,
			.visits = visits,
			.when = calloc(KEPT, sizeof(*w->when)),
			.seen = calloc(KEPT, sizeof(*w->seen)),
		};
		pthread_create(&w->thread, NULL, write_events, w);
	}
}

static __u64 written(const FIXTURE_DATA(circular) *self)
{
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < WRITERS; i++)
		sum += self->writer[i].written;
	return sum;
}

static void stop_writers(FIXTURE_DATA(circular) *self)
{
	unsigned int i;

	self->stop = true;
	for (i = 0; i < WRITERS; i++)
		pthread_join(self->writer[i].thread, NULL);
}

struct found {
	struct writer *writers;
	int64_t oldest;
	int64_t tolerance;
	uint64_t wrong;
};

static void find_oldest(const struct etl_event *e, void *context)
{
	struct found *f = context;
	struct writer *w;
	struct payload p;

	if (e->data_len != sizeof(p)) {
		f->wrong++;
		return;
	}
	memcpy(&p, e->data, sizeof(p));
	w = &f->writers[p.writer % WRITERS];
	if (e->time < f->oldest)
		f->oldest = e->time;
	if (w->first < 0 || p.number < w->first)
		w->first = p.number;
	if (p.number > w->last)
		w->last = p.number;
	f->wrong += w->seen[p.number % KEPT];
	w->seen[p.number % KEPT] = true;
}

/* Whether a missing event is newer than the oldest event of the file */
static bool is_gap(const struct writer *w, const struct found *f,
		   uint64_t number)
{
	return number + KEPT > w->written &&
	       w->when[number % KEPT] > f->oldest + f->tolerance;
}

static void check_writer(struct __test_metadata *_metadata,
			 const struct writer *w, const struct found *f)
{
	int64_t n;

	/*
	 * Each missing event must be older than the file, or near its beginning:
	 * even the newest one, if the writer stood still for as long
	 */
	for (n = w->written - 1; n >= 0 && n + KEPT > w->written; n--) {
		if (w->seen[n % KEPT] || !is_gap(w, f, n))
			continue;
		TH_LOG("writer %u: event %lld of %lld to %lld was %lld ms younger than the oldest",
		       w->id, (long long)n, (long long)w->first,
		       (long long)w->last,
		       (long long)(w->when[n % KEPT] - f->oldest) / 1000000);
		EXPECT_TRUE(w->seen[n % KEPT]);
		break;
	}
}

static void check_file(struct __test_metadata *_metadata,
		       FIXTURE_DATA(circular) *self, const char *path)
{
	struct found f = {
		self->writer, INT64_MAX, is_rt() ? TOLERANCE_RT : TOLERANCE, 0,
	};
	const int64_t end = now();
	struct etl_scan scan;
	unsigned int i;

	ASSERT_TRUE(etl_scan(path, &scan, find_oldest, &f)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(0, f.wrong);
	if ((end - f.oldest) / 10 > f.tolerance)
		f.tolerance = (end - f.oldest) / 10;
	for (i = 0; i < WRITERS; i++)
		check_writer(_metadata, &self->writer[i], &f);
	TH_LOG("%llu events, %llu of %llu buffers empty, %lld ms",
	       (unsigned long long)scan.events, (unsigned long long)scan.empty,
	       (unsigned long long)scan.buffers,
	       (long long)(end - f.oldest) / 1000000);
	/* At most two epochs have been dropped */
	EXPECT_LT(scan.empty, scan.buffers / 2);
}

static void go_round(struct __test_metadata *_metadata,
		     FIXTURE_DATA(circular) *self, unsigned int visits)
{
	const __u64 per_lap = self->bytes / RECORD;
	struct evntrace_session q;

	start_writers(self, visits);
	while (written(self) < self->laps * per_lap)
		usleep(10000);
	stop_writers(self);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	EXPECT_EQ(0, q.log_errno);
	EXPECT_EQ(0, q.buffers_lost);
	EXPECT_LE(self->laps * (self->bytes / BUFFER - 1), q.buffers_written);
	check_file(_metadata, self, LOG);
}

TEST_F_TIMEOUT(circular, the_file_contains_the_newest_events_of_all_processors, 900)
{
	go_round(_metadata, self, 512);
}

TEST_F_TIMEOUT(circular, the_file_has_no_stale_events_of_a_processor_that_writes_few,
	       900)
{
	go_round(_metadata, self, 2);
}

static void note_event(const struct etl_event *e, void *context)
{
	struct payload *p = context;

	if (e->data_len == sizeof(*p))
		memcpy(p, e->data, sizeof(*p));
}

/* Wait until the flush timer has written event @number as the last of @number */
static bool is_written(unsigned int number)
{
	struct payload last = {};
	struct etl_scan scan;
	unsigned int tries;

	for (tries = 0; tries < 3000; tries++) {
		if (etl_scan(LOG, &scan, note_event, &last) &&
		    scan.events == number && last.number == number)
			return true;
		usleep(10000);
	}
	return false;
}

TEST_F(circular, the_flush_timer_writes_a_buffer_again_to_the_same_place)
{
	struct evntrace_update timer = {
		.size = sizeof(timer), .flush_ms = 20,
	};
	struct payload p = { .rest = "" };
	struct evntrace_session q;

	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_UPDATE,
			       &timer));
	stay_on(0);
	for (p.number = 1; p.number <= 10; p.number++) {
		ASSERT_EQ(0, dev_write(self->prov, HANDLE(1, 1), &p, sizeof(p)));
		ASSERT_TRUE(is_written(p.number));
	}
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	self->session = 0;
	ASSERT_TRUE(is_written(10));
	/* More only if the timer expired while an event was written */
	EXPECT_LE(q.buffers_written, 4);
	EXPECT_EQ(0, q.log_errno);
}

#define SWITCHES	20u

static void *write_slowly(void *arg)
{
	struct payload p = { .rest = "" };
	struct writer *w = arg;

	for (stay_on(w->id % w->cpus); !*w->stop; w->written++) {
		p.number = w->written;
		while (dev_write(w->prov, HANDLE(1, 1), &p, sizeof(p)))
			;
		usleep(100);
	}
	return NULL;
}

static void count_event(const struct etl_event *e, void *context)
{
	uint8_t *seen = context;
	struct payload p;

	if (e->data_len != sizeof(p))
		return;
	memcpy(&p, e->data, sizeof(p));
	seen[p.number % KEPT]++;
}

TEST_F(circular, a_log_that_is_replaced_has_no_event_of_the_next_one)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_update next = {
		.size = sizeof(next), .flush_ms = 1,
	};
	struct writer *w = &self->writer[0];
	uint8_t *seen = calloc(1, KEPT);
	char path[32] = LOG;
	struct etl_scan scan;
	unsigned int i;

	*w = (struct writer) {
		.id = 1, .prov = self->prov, .stop = &self->stop,
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
	};
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_UPDATE,
			       &next));
	ASSERT_EQ(0, pthread_create(&w->thread, NULL, write_slowly, w));
	next.flags = EVNTRACE_UPDATE_LOG;
	next.log_name = (uintptr_t)name;
	next.log_name_len = 1;
	for (i = 1; i <= SWITCHES; i++) {
		usleep(20000);
		snprintf(path, sizeof(path), "/tmp/circular.%u", i);
		next.log_fd = new_log(path);
		EXPECT_EQ(0, dev_ioctl(self->trace, self->session,
				       EVNTRACE_IOC_UPDATE, &next));
		close(next.log_fd);
	}
	self->stop = true;
	pthread_join(w->thread, NULL);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	self->session = 0;
	EXPECT_TRUE(etl_scan(LOG, &scan, count_event, seen));
	for (i = 1; i <= SWITCHES; i++) {
		snprintf(path, sizeof(path), "/tmp/circular.%u", i);
		EXPECT_TRUE(etl_scan(path, &scan, count_event, seen));
		unlink(path);
	}
	for (i = 0; i < w->written && seen[i] == 1; i++)
		;
	EXPECT_EQ(w->written, i);
	free(seen);
}

TEST_HARNESS_MAIN
