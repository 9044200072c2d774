// SPDX-License-Identifier: GPL-2.0
/*
 * Eight threads write to rings, two by ioctl, and a provider in interrupts of the
 * kernel, all to one session, while threads move to other processors, processors go
 * offline, and another session changes how the threads write.  Each event is in
 * the log or counted as lost, each writer's events are in order, and the log does
 * not go back in time.
 *
 * EVNT_RING_EVENTS is the number of events.  EVNT_RING_LOG is the path of a log
 * that is kept, for further readers.
 */
#include <pthread.h>
#include <stdatomic.h>

#define ON_ALL_PROCESSORS
#include "selftests/evntprov/kernel/kernel.h"

#include "selftests/evntprov/common/hotplug.h"
#include "selftests/evntprov/common/lib.h"
#include "selftests/evntprov/ring/ring_parameters.h"

#define EVENTS		200000
#define OF_RINGS	8u
#define THREADS		10u
#define STREAMS		1024u
#define H		HANDLE(1, 1)
#define KERNEL		1
#define RINGS		2
#define IOCTLS		3
#define BURST		1000u	/* events of a processor without hotplug */

struct writer {
	pthread_t thread;
	_Atomic pid_t tid;
	uint32_t count;
	uint32_t strange;	/* results that are no documented loss */
	uint32_t found;
	int64_t *time;		/* 0: not found */
};

static struct writer writers[THREADS];
static REGHANDLE handle;
static int prov;
static atomic_bool is_over;

static int put(unsigned int writer, const struct calls_payload *p)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;
	ULONG code;

	if (writer >= OF_RINGS)
		return dev_write(prov, H, p, CALLS_LEN(p->number));
	EventDataDescCreate(&data, p, CALLS_LEN(p->number));
	code = EventWrite(handle, &descriptor, 1, &data);
	return code == ERROR_NOT_ENOUGH_MEMORY ? ENOBUFS : (int)code;
}

static void *write_events(void *arg)
{
	struct writer *w = arg;
	struct calls_payload p = { .writer = w - writers };
	int err;

	w->tid = syscall(SYS_gettid);
	for (; p.number < w->count; p.number++) {
		memset(p.fill, p.number, sizeof(p.fill));
		err = put(p.writer, &p);
		w->strange += err && err != ENOBUFS;
	}
	return NULL;
}

/* Move a thread, if it has not ended, to a processor, if it is online, each ms */
static void *move(void *arg)
{
	cpu_set_t cpus;

	(void)arg;
	while (!is_over) {
		CPU_ZERO(&cpus);
		CPU_SET(random() % get_nprocs_conf(), &cpus);
		sched_setaffinity(writers[random() % THREADS].tid,
				  sizeof(cpus), &cpus);
		usleep(1000);
	}
	return NULL;
}

static void *plug(void *arg)
{
	const int processors = get_nprocs_conf();
	unsigned int i;

	(void)arg;
	for (i = 0; !is_over && processors > 1; i++) {
		set_online(1 + i % (processors - 1), false);
		usleep(20000);
		set_online(1 + i % (processors - 1), true);
		usleep(30000);
	}
	return NULL;
}

/* Call stacks need the ioctl, so a session that wants some has no rings */
static void *enable(void *session)
{
	struct evntrace_enable arg = enable_arg(RINGS);
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	unsigned int i;
	__u64 other;

	for (i = 0; !is_over; i++) {
		if (dev_start(trace, "mix-other", "/tmp/mix-other.etl", NULL,
			      &other))
			break;
		arg.property = i % 2 ? EVNTRACE_PROPERTY_STACK_TRACE : 0;
		arg.level = 3 + i % 3;
		dev_ioctl(trace, other, EVNTRACE_IOC_ENABLE, &arg);
		usleep(3000);
		/* As it is */
		control(trace, *(__u64 *)session, RINGS, EVNTPROV_CONTROL_ENABLE);
		usleep(3000);
		dev_stop(trace, other, NULL);
		usleep(3000);
	}
	close(trace);
	return NULL;
}

/* Contents of the log */
static struct {
	int64_t last[STREAMS];
	uint64_t of_kernel;
	uint64_t of_rings;	/* streams */
	uint64_t strange;
	uint64_t backwards;
} found;

static void find(const struct etl_event *e, void *context)
{
	const struct calls_payload *p = calls_payload(e);
	struct writer *w;

	(void)context;
	found.backwards += e->time < found.last[e->cpu % STREAMS];
	found.last[e->cpu % STREAMS] = e->time;
	if (!p) {
		found.strange++;
		return;
	}
	found.strange += calls_strange(p);
	if (p->writer & 0x80000000u) {
		found.of_kernel++;
		return;
	}
	w = p->writer < THREADS ? &writers[p->writer] : NULL;
	if (!w || p->number >= w->count || w->time[p->number]) {
		found.strange++;
		return;
	}
	w->time[p->number] = e->time;
	w->found++;
	found.of_rings += e->cpu >= get_nprocs_conf();
}

/* Count the events that are older than one with a lower number */
static uint32_t disorder_of(const struct writer *w)
{
	uint32_t i, disorder = 0;
	int64_t last = 0;

	for (i = 0; i < w->count; i++) {
		if (!w->time[i])
			continue;
		disorder += w->time[i] < last;
		last = w->time[i];
	}
	return disorder;
}

/* Events as ProcessTrace() delivers them */
static struct {
	int64_t last;
	uint64_t events;
	uint64_t backwards;
} consumed;

static void WINAPI consume(EVENT_RECORD *r)
{
	const int64_t time = r->EventHeader.TimeStamp.QuadPart;

	consumed.backwards += time < consumed.last;
	consumed.last = time;
	consumed.events += r->EventHeader.EventDescriptor.Id == 1 &&
			   r->UserDataLength >= 8;
}

static ULONG read_by_consumer(const char *path)
{
	EVENT_TRACE_LOGFILEA log = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD |
				    PROCESS_TRACE_MODE_RAW_TIMESTAMP,
		.EventRecordCallback = consume,
	};

	return log_process(&log);
}

/* Have interrupts write events, some at a time; returns their number */
static uint64_t write_in_interrupts(int calls, uint32_t count, uint32_t *strange)
{
	uint64_t written = 0;
	uint32_t i, k;

	while (written < count) {
		struct calls_storm storm = { .timer = BURST };

		if (ioctl(calls, CALLS_IOC_STORM, &storm))
			break;
		*strange += storm.strange;
		for (i = 0; i < CALLS_STREAMS; i++) {
			for (k = 0; k < CALLS_MAX_CPUS; k++)
				written += storm.accepted[i][k] +
					   storm.lost[i][k];
		}
	}
	return written;
}

TEST_F_TIMEOUT(kernel, events_of_all_kinds_of_writers_are_complete_and_in_order,
	       3600)
{
	static void *(* const disturbances[])(void *arg) = { move, plug, enable };
	const uint32_t events = number_of("EVNT_RING_EVENTS", many(EVENTS));
	const char *path = getenv("EVNT_RING_LOG") ?: "/tmp/mix.etl";
	const struct evntrace_start properties = {
		.buffer_size = 65536, .max_buffers = 1024, .flush_ms = 100,
	};
	const struct evntprov_guid id = guid_of(RINGS);
	const char parameter = get_rings();
	uint64_t written, missing = 0;
	struct evntrace_session q;
	pthread_t threads[3];
	struct etl_scan scan;
	uint32_t strange = 0;
	__u64 session;
	unsigned int i;

	stop_fair_servers();
	ASSERT_TRUE(set_rings('Y'));
	setenv("EVNTPROV_RINGS", "force", 1);
	prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, EventRegister((const GUID *)&id, NULL, NULL, &handle));
	ASSERT_EQ(0, dev_register(prov, H, IOCTLS, 0));
	ASSERT_EQ(0, calls_register(self->calls, 0, KERNEL, 0));
	ASSERT_EQ(0, dev_start(self->trace, "mix", path, &properties, &session));
	for (i = KERNEL; i <= IOCTLS; i++)
		ASSERT_EQ(0, control(self->trace, session, i,
				     EVNTPROV_CONTROL_ENABLE));
	for (i = 0; i < THREADS; i++) {
		writers[i].count = events / THREADS;
		writers[i].time = calloc(writers[i].count,
					 sizeof(*writers[i].time));
		ASSERT_NE(NULL, writers[i].time);
		pthread_create(&writers[i].thread, NULL, write_events,
			       &writers[i]);
	}
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, disturbances[i], &session);
	written = write_in_interrupts(self->calls, events / THREADS, &strange);
	for (i = 0; i < THREADS; i++) {
		pthread_join(writers[i].thread, NULL);
		written += writers[i].count;
		strange += writers[i].strange;
	}
	is_over = true;
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	set_all_online();
	ASSERT_EQ(0, dev_stop(self->trace, session, &q));
	close(prov);

	EXPECT_EQ(0, strange);
	ASSERT_TRUE(etl_scan(path, &scan, find, NULL)) {
		TH_LOG("%s", scan.error);
	}
	TH_LOG("%llu written, %llu in the log, %llu of them in streams of rings, %llu of the kernel; %llu lost",
	       (unsigned long long)written, (unsigned long long)scan.events,
	       (unsigned long long)found.of_rings,
	       (unsigned long long)found.of_kernel, q.events_lost);
	EXPECT_EQ(0, found.strange);
	EXPECT_EQ(0, found.backwards);
	EXPECT_LT(0, found.of_rings);
	EXPECT_LT(0, found.of_kernel);
	EXPECT_EQ(written, scan.events + q.events_lost);
	EXPECT_EQ(q.events_lost, scan.events_lost);
	for (i = 0; i < THREADS; i++) {
		EXPECT_EQ(0, disorder_of(&writers[i]));
		missing += writers[i].count - writers[i].found;
		free(writers[i].time);
	}
	EXPECT_LE(missing, q.events_lost);
	EXPECT_EQ(0, read_by_consumer(path));
	EXPECT_EQ(scan.events, consumed.events);
	EXPECT_EQ(0, consumed.backwards);
	EventUnregister(handle);
	set_rings(parameter);
	if (!getenv("EVNT_RING_LOG"))
		unlink(path);
	unlink("/tmp/mix-other.etl");
}

TEST_HARNESS_MAIN
