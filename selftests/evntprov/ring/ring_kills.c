// SPDX-License-Identifier: GPL-2.0
/*
 * kill -9 of processes whose threads write to rings, at random moments: the log of
 * each session has each event whose write had returned, at most one more of each
 * thread, and nothing else.
 *
 * EVNT_RING_KILLS is the number of processes; EVNT_SEED repeats the moments of
 * another run, as far as the scheduler has no part in them.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/ring/ring_writers.h"

#define KILLS	50
#define BATCH	16u	/* processes of a log */
#define EVENTS	20000u	/* of a thread at most: a session has room for them */
#define AFTER	2000u	/* events of a thread before the process is killed */
#define SESSIONS	2u

/* Numbers of writes that had returned, and of events in a log */
struct victim {
	pid_t process;
	unsigned int returned[THREADS];
	unsigned int count[THREADS];
};

static struct {
	struct victim victims[BATCH];
	unsigned int count;
	int64_t last[STREAMS];
	const char *wrong;
} batch;

static struct victim *victim_of(pid_t process)
{
	for (unsigned int i = 0; i < batch.count; i++) {
		if (batch.victims[i].process == process)
			return &batch.victims[i];
	}
	return NULL;
}

/* A ring has a stream of its own, so the events of a thread are in order */
static void take(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(PROVIDER);
	struct victim *v = victim_of(e->pid);
	struct mark mark;

	(void)context;
	if (e->cpu >= STREAMS || e->time < batch.last[e->cpu])
		batch.wrong = "a stream goes back in time";
	batch.last[e->cpu % STREAMS] = e->time;
	if (memcmp(e->provider, &id, sizeof(id)))
		return;
	if (!v || !is_mark(e)) {
		batch.wrong = "an event is not as written";
		return;
	}
	memcpy(&mark, e->data, sizeof(mark));
	if (e->data_len != sizeof(mark) + more_of(mark.number))
		batch.wrong = "an event has another length";
	else if (e->cpu < processors)
		batch.wrong = "an event is not from a ring";
	else if (mark.number != v->count[mark.thread]++)
		batch.wrong = "events are missing, twice, or in another order";
}

/* Let a process write, and kill it: mostly while its threads write */
static void run_and_kill(struct victim *v)
{
	const unsigned int t = random() % THREADS, after = random() % AFTER;
	volatile unsigned int left;

	memset(v, 0, sizeof(*v));
	v->process = run_writers(EVENTS);
	if (random() % 4)
		wait_for_writes(t, after);
	/* As often for a thousand turns as for a million */
	left = random() % (1u << random() % 22);
	while (left)
		left--;
	kill(v->process, SIGKILL);
	waitpid(v->process, NULL, 0);
	for (unsigned int i = 0; i < THREADS; i++)
		v->returned[i] = shared->returned[i];
	if (shared->codes)
		batch.wrong = "a write has failed";
}

static ULONG flush(TRACEHANDLE session)
{
	struct properties p = properties_for("");

	return ControlTraceA(session, NULL, &p.p, EVENT_TRACE_CONTROL_FLUSH);
}

static char *name_of(char *name, unsigned int session)
{
	sprintf(name, "ring_kills%u", session);
	return name;
}

/* Stop a session, and compare its log; returns an error text or NULL */
static const char *check_log(TRACEHANDLE session, const char *name,
			     unsigned long *events, unsigned long *more)
{
	struct properties out;
	struct etl_scan scan;
	char path[64];

	if (session_stop(session, &out) || out.p.EventsLost)
		return "a session has ended, or lost events";
	for (unsigned int i = 0; i < batch.count; i++)
		memset(batch.victims[i].count, 0,
		       sizeof(batch.victims[i].count));
	memset(batch.last, 0, sizeof(batch.last));
	snprintf(path, sizeof(path), "/tmp/%s.etl", name);
	if (!etl_scan(path, &scan, take, NULL))
		return scan.error;
	unlink(path);
	for (unsigned int i = 0; i < batch.count; i++) {
		const struct victim *v = &batch.victims[i];

		for (unsigned int t = 0; t < THREADS; t++) {
			if (v->count[t] < v->returned[t])
				return "an event is lost whose write had returned";
			if (v->count[t] > v->returned[t] + 1)
				return "an event is recorded that was not written";
			*events += v->count[t];
			*more += v->count[t] - v->returned[t];
		}
	}
	return batch.wrong;
}

/* Every other batch has two sessions, as the module may copy otherwise then */
TEST_F_TIMEOUT(rings, a_killed_process_loses_nothing_that_was_written, 36000)
{
	const unsigned int kills = number_of("EVNT_RING_KILLS", many(KILLS));
	const unsigned int seed = number_of("EVNT_SEED", getpid());
	unsigned int done, i, count;
	unsigned long events = 0, more = 0;
	TRACEHANDLE session[SESSIONS];
	const char *wrong;
	char name[32];

	TH_LOG("%u processes, EVNT_SEED=%u", kills, seed);
	srandom(seed);
	for (done = 0; done < kills; done += batch.count) {
		memset(&batch, 0, sizeof(batch));
		count = 1 + done / BATCH % SESSIONS;
		for (i = 0; i < count; i++) {
			session[i] = start(name_of(name, i), 16384);
			ASSERT_NE(0, session[i]);
		}
		while (batch.count < BATCH && done + batch.count < kills) {
			run_and_kill(&batch.victims[batch.count++]);
			ASSERT_EQ(self->before, count_of("rings"));
			for (i = 0; i < count; i++)
				ASSERT_EQ(0, flush(session[i]));
		}
		for (i = 0; i < count; i++) {
			wrong = check_log(session[i], name_of(name, i), &events,
					  &more);
			ASSERT_EQ(NULL, wrong)
				TH_LOG("from process %u on: %s", done, wrong);
		}
	}
	TH_LOG("%lu events, %lu of them under way", events, more);
	EXPECT_LT(0, events);
}

TEST_HARNESS_MAIN
