/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings in tests: events that count the writes of each thread, and what a log
 * contains of them.
 */
#ifndef EVNT_TEST_RING_LOG_H
#define EVNT_TEST_RING_LOG_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include "selftests/evntprov/ring/ring_parameters.h"
#include "uapi/linux/evntprov.h"

#define COUNTS		"/sys/kernel/debug/evntprov/counts"
#define PROVIDER	77
#define OTHER_PROVIDER	78
#define THREADS		4u
#define STREAMS		256u
#define MOST		(1u << 18)	/* events of a thread */
#define MAP_SIZE	(4096 + 2 * EVNTPROV_RING_SIZE)
#define FILLERS		251u

/* Data of an event: a number for each thread, counted from 0 */
struct mark {
	unsigned int thread;
	unsigned int number;
};

/*
 * Memory shared with child processes: number of writes that have returned,
 * number after which a thread waits, and handle of the registration
 */
static struct {
	_Atomic unsigned int returned[THREADS];
	_Atomic unsigned int allowed;
	_Atomic unsigned int codes;
	_Atomic REGHANDLE handle;
	_Atomic bool is_over;
} *shared;

static REGHANDLE handle;
static long processors;
static unsigned char filler[2000 + FILLERS];
static const EVENT_DESCRIPTOR descriptor = {
	.Id = 7, .Version = 2, .Level = 3, .Opcode = 5, .Task = 9, .Keyword = 0x10,
};

/* Number of objects of the module by the name of their kind */
static inline long count_of(const char *name)
{
	char line[100];
	long value = -1;
	FILE *f = fopen(COUNTS, "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, name, strlen(name)))
			value = atol(line + strlen(name));
	}
	if (f)
		fclose(f);
	return value;
}

static inline bool provider_register(void)
{
	GUID id = provider_id(PROVIDER);

	return !EventRegister(&id, NULL, NULL, &handle);
}

/* Data behind the mark, which differ from one byte, and one event, to the next */
static inline const void *filler_of(unsigned int thread, unsigned int number)
{
	return filler + (thread * 67 + number) % FILLERS;
}

static inline ULONG write_mark(unsigned int thread, unsigned int number, ULONG more)
{
	struct mark mark = { thread, number };
	EVENT_DATA_DESCRIPTOR data[2];

	EventDataDescCreate(&data[0], &mark, sizeof(mark));
	EventDataDescCreate(&data[1], filler_of(thread, number), more);
	return EventWrite(handle, &descriptor, 2, data);
}

/* Whether an event has everything that write_mark() has written */
static inline bool is_mark(const struct etl_event *e)
{
	struct mark mark;

	if (e->data_len < sizeof(mark))
		return false;
	memcpy(&mark, e->data, sizeof(mark));
	return mark.thread < THREADS && mark.number < MOST &&
	       e->kind == 0xc013 && e->id == descriptor.Id &&
	       e->version == descriptor.Version &&
	       e->level == descriptor.Level &&
	       e->opcode == descriptor.Opcode && e->task == descriptor.Task &&
	       e->keyword == descriptor.Keyword &&
	       !memcmp(e->data + sizeof(mark),
		       filler_of(mark.thread, mark.number),
		       e->data_len - sizeof(mark));
}

/*
 * Start a session that logs to /tmp/NAME.etl, with room for @kb in memory, and
 * enable a provider
 */
static inline TRACEHANDLE start_for(const char *name, unsigned int kb,
				    unsigned int provider)
{
	struct properties p;
	TRACEHANDLE session;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/%s.etl", name);
	p = properties_for(path);
	p.p.BufferSize = 64;
	p.p.MinimumBuffers = kb / 64;
	p.p.MaximumBuffers = kb / 64;
	p.p.FlushTimer = 1;
	if (StartTraceA(&session, name, &p.p))
		return 0;
	return session_enable(session, provider) ? 0 : session;
}

static inline TRACEHANDLE start(const char *name, unsigned int kb)
{
	return start_for(name, kb, PROVIDER);
}

/*
 * Contents of a log from one process, by thread: the lowest number, the number
 * behind the highest, and how many between them are missing; and an error
 */
struct found {
	pid_t process;
	unsigned int first[THREADS];
	unsigned int end[THREADS];
	unsigned int count[THREADS];
	unsigned int gaps;
	unsigned int total;
	unsigned int of_rings;
	unsigned int processors;
	int64_t last[STREAMS];
	int64_t *times[THREADS];
	const char *wrong;
};

static inline void look(const struct etl_event *e, void *context)
{
	struct found *f = context;
	const unsigned int t = etl_u32(e->data), n = etl_u32(e->data + 4);
	const GUID id = provider_id(PROVIDER);

	if (e->cpu >= STREAMS || e->time < f->last[e->cpu])
		f->wrong = "a stream goes back in time";
	f->last[e->cpu % STREAMS] = e->time;
	if (memcmp(e->provider, &id, sizeof(id)) || e->id != descriptor.Id ||
	    (f->process && (pid_t)e->pid != f->process))
		return;
	f->total++;
	f->of_rings += e->cpu >= processors;
	if (!is_mark(e)) {
		f->wrong = "an event is not as written";
		return;
	}
	if (f->process && f->times[t][n])
		f->wrong = "an event is recorded twice";
	f->times[t][n] = e->time;
	if (!f->count[t]++ || n < f->first[t])
		f->first[t] = n;
	if (n >= f->end[t])
		f->end[t] = n + 1;
}

/* The events of a thread have the order of its writes */
static inline void check_order(struct found *f, unsigned int t)
{
	int64_t last = 0;
	unsigned int n;

	f->gaps += f->end[t] - f->first[t] - f->count[t];
	for (n = f->first[t]; n < f->end[t]; n++) {
		if (!f->times[t][n])
			continue;
		if (f->times[t][n] < last)
			f->wrong = "a thread goes back in time";
		last = f->times[t][n];
	}
}

static inline void scan(const char *name, pid_t process, struct found *f)
{
	struct etl_scan s;
	char path[64];
	unsigned int t;

	snprintf(path, sizeof(path), "/tmp/%s.etl", name);
	memset(f, 0, sizeof(*f));
	f->process = process;
	for (t = 0; t < THREADS; t++)
		f->times[t] = calloc(MOST, sizeof(*f->times[t]));
	if (!etl_scan(path, &s, look, f))
		f->wrong = s.error;
	f->processors = s.processors;
	for (t = 0; t < THREADS; t++) {
		if (process)
			check_order(f, t);
		free(f->times[t]);
	}
	unlink(path);
}

FIXTURE(rings) {
	char parameter;
	long before;
};

FIXTURE_SETUP(rings)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned int i = 0; i < sizeof(filler); i++)
		filler[i] = i % FILLERS;
	self->parameter = get_rings();
	ASSERT_TRUE(set_rings('Y'));
	processors = sysconf(_SC_NPROCESSORS_CONF);
	setenv("EVNTPROV_RINGS", "force", 1);
	self->before = count_of("rings");
}

FIXTURE_TEARDOWN(rings)
{
	EventUnregister(handle);
	set_rings(self->parameter);
	set_rings_counter('Y');
}

#endif /* EVNT_TEST_RING_LOG_H */
