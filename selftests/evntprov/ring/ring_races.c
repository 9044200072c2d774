// SPDX-License-Identifier: GPL-2.0
/*
 * Rings whose threads are interrupted while sessions come and go: whatever had
 * been written is recorded, in the order of each thread, and no stream of a log
 * goes back in time.
 */
#include <sys/time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/ring/ring_writers.h"

/* Check that a log has all events of each thread in a range, and no gaps */
static const char *lacks(const struct found *f, const unsigned int *after,
			 const unsigned int *before)
{
	for (unsigned int t = 0; t < THREADS; t++) {
		if (before[t] <= after[t])
			continue;
		if (!f->count[t] || f->first[t] > after[t])
			return "the first events are missing";
		if (f->end[t] < before[t])
			return "the last events are missing";
	}
	return f->gaps ? "events are missing in between" : f->wrong;
}

/*
 * Events that were written after a session was enabled, and before it was
 * disabled, are in its log.  Both sessions have room for all events, even if
 * their threads do not run.
 */
TEST_F(rings, sessions_come_and_go_while_threads_write)
{
	const unsigned int burst = 1000, rounds = many(20);
	unsigned int after[THREADS], before[THREADS], t, round;
	TRACEHANDLE session, beside = start("ring_beside", 65536);
	pthread_t threads[THREADS];
	struct properties out;
	const char *wrong;
	struct found f;

	ASSERT_NE(0, beside);
	ASSERT_TRUE(provider_register());
	start_writers(threads);
	for (round = 0; round < rounds; round++) {
		shared->allowed += burst;
		wait_for_writes(round % THREADS,
				shared->allowed - 1 - random() % burst);
		session = start("ring_storm", 8192);
		ASSERT_NE(0, session);
		/* The next write but one begins after this */
		for (t = 0; t < THREADS; t++)
			after[t] = shared->returned[t] + 1;
		shared->allowed += burst;
		wait_for_writes(round % THREADS,
				shared->allowed - 1 - random() % burst);
		if (round % 2)
			ASSERT_EQ(0, session_enable(session, PROVIDER));
		for (t = 0; t < THREADS; t++)
			before[t] = shared->returned[t];
		if (round % 3 == 0)
			ASSERT_EQ(0, session_disable(session, PROVIDER));
		ASSERT_EQ(0, session_stop(session, &out));
		ASSERT_EQ(0, out.p.EventsLost);
		scan("ring_storm", getpid(), &f);
		wrong = lacks(&f, after, before);
		ASSERT_EQ(NULL, wrong) TH_LOG("round %u: %s", round, wrong);
	}
	end_writers(threads);
	EXPECT_EQ(0, shared->codes);
	ASSERT_EQ(0, session_stop(beside, &out));
	EXPECT_EQ(0, out.p.EventsLost);
	scan("ring_beside", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(0, f.gaps);
	for (t = 0; t < THREADS; t++)
		EXPECT_EQ(shared->returned[t], f.count[t]);
}

static volatile sig_atomic_t handled;

static void handle_signal(int signal)
{
	shared->codes |= write_mark(1, handled, 0);
	handled++;
}

/* In a child, whose first write the handler may have interrupted */
static void fork_in_handler(int signal)
{
	pid_t child = fork();
	int status = 0;

	if (child)
		waitpid(child, &status, 0);
	shared->codes |= status;
	handled++;
}

/*
 * Write up to 400 events from @n, until a signal has interrupted this; returns
 * the number of the next one.  The next signal comes only after that, however
 * long its handler takes.
 */
static unsigned int write_until_signal(unsigned int n)
{
	const struct itimerval soon = {
		.it_value.tv_usec = 1 + random() % 200,
	};
	const sig_atomic_t before = handled;
	const unsigned int end = n + 400;
	const pid_t self = getpid();

	setitimer(ITIMER_REAL, &soon, NULL);
	while (handled == before) {
		if (n < end)
			shared->codes |= write_mark(0, n++, 0);
		else
			sched_yield();
	}
	/* The handler may have forked */
	if (getpid() != self)
		_exit(!!write_mark(1, 0, 0));
	return n;
}

TEST_F(rings, a_handler_may_interrupt_a_write)
{
	TRACEHANDLE session = start("ring_signal", 32768);
	struct properties out;
	unsigned int n = 0;
	struct found f;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	signal(SIGALRM, handle_signal);
	while (handled < many(300))
		n = write_until_signal(n);
	ASSERT_EQ(0, session_stop(session, &out));
	scan("ring_signal", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	EXPECT_EQ(0, shared->codes);
	EXPECT_EQ(n + handled, f.total + out.p.EventsLost);
	EXPECT_EQ(0, f.gaps * !out.p.EventsLost);
}

TEST_F(rings, a_handler_that_forks_may_interrupt_a_write)
{
	TRACEHANDLE session = start("ring_forks", 32768);
	unsigned int n = 0;
	pid_t child;
	int status;

	ASSERT_NE(0, session);
	ASSERT_TRUE(provider_register());
	signal(SIGALRM, fork_in_handler);
	while (handled < many(50))
		n = write_until_signal(n);
	child = fork();
	if (!child)
		_exit(!!write_mark(1, 0, 0));
	waitpid(child, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, shared->codes);
	ASSERT_EQ(0, session_stop(session, NULL));
	unlink("/tmp/ring_forks.etl");
}

/* Enable the provider, except for the events that are written */
static ULONG enable_for_others(TRACEHANDLE session)
{
	EVENT_FILTER_EVENT_ID ids = {
		.FilterIn = FALSE, .Count = 1, .Events = { descriptor.Id },
	};
	EVENT_FILTER_DESCRIPTOR filter = {
		.Ptr = (uintptr_t)&ids, .Size = sizeof(ids),
		.Type = EVENT_FILTER_TYPE_EVENT_ID,
	};
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = 2, .EnableFilterDesc = &filter, .FilterDescCount = 1,
	};
	GUID id = provider_id(PROVIDER);

	return EnableTraceEx2(session, &id, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      0, 0, 0, 0, &parameters);
}

/*
 * A session with filters cannot have events from rings.  It is enabled after all
 * of them, but for two of each thread at most, whose write was under way: it loses
 * these, and a later write of the thread reports that.  The session beside it has
 * room for all events, even if its thread does not run.
 */
TEST_F(rings, a_session_with_filters_does_not_lose_events_before_it_is_enabled)
{
	const unsigned int burst = 1000, rounds = many(50);
	TRACEHANDLE session, beside = start("ring_beside", 65536);
	struct properties p = properties_for("");
	pthread_t threads[THREADS];
	unsigned int round, t;
	struct found f;

	ASSERT_NE(0, beside);
	p.p.LogFileMode = EVENT_TRACE_BUFFERING_MODE;
	ASSERT_EQ(0, StartTraceA(&session, "ring_filter", &p.p));
	ASSERT_TRUE(provider_register());
	start_writers(threads);
	for (round = 0; round < rounds; round++) {
		shared->allowed += burst;
		wait_for_writes(round % THREADS,
				shared->allowed - 1 - random() % burst);
		ASSERT_EQ(0, enable_for_others(session));
		ASSERT_EQ(0, session_disable(session, PROVIDER));
	}
	end_writers(threads);
	ASSERT_EQ(0, session_stop(session, &p));
	EXPECT_GE(2 * rounds * THREADS, p.p.EventsLost);
	EXPECT_EQ(0, shared->codes & ~(p.p.EventsLost ?
				       ERROR_NOT_ENOUGH_MEMORY : 0));
	ASSERT_EQ(0, session_stop(beside, &p));
	EXPECT_EQ(0, p.p.EventsLost);
	scan("ring_beside", getpid(), &f);
	EXPECT_EQ(NULL, f.wrong) TH_LOG("%s", f.wrong);
	for (t = 0; t < THREADS; t++)
		EXPECT_EQ(shared->returned[t], f.count[t]);
}

static void *register_often(void *arg)
{
	for (unsigned int n = 0; n < many(50); n++) {
		provider_register();
		usleep(100);
		EventUnregister(handle);
	}
	return arg;
}

TEST_F(rings, threads_may_write_while_the_device_is_closed)
{
	struct properties p = properties_for("");
	pthread_t threads[THREADS], other;
	TRACEHANDLE session;

	p.p.LogFileMode = EVENT_TRACE_BUFFERING_MODE;
	p.p.MinimumBuffers = 64;
	ASSERT_EQ(0, StartTraceA(&session, "ring_close", &p.p));
	ASSERT_EQ(0, session_enable(session, PROVIDER));
	shared->allowed = UINT32_MAX;
	start_writers(threads);
	pthread_create(&other, NULL, register_often, NULL);
	pthread_join(other, NULL);
	end_writers(threads);
	ASSERT_EQ(0, session_stop(session, NULL));
	EXPECT_GE(THREADS, count_of("rings") - self->before);
}

TEST_HARNESS_MAIN
