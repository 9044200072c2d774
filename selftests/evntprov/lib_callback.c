// SPDX-License-Identifier: GPL-2.0
/*
 * Enable callbacks: when they are called, with what, and when no more.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "harness.h"

#include "lib.h"

/* What a callback was told, call by call */
struct seen {
	atomic_uint calls;
	atomic_uint running;
	atomic_bool overlap;
	ULONG control;
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	GUID source;
	pthread_t thread;
	PEVENT_FILTER_DESCRIPTOR filter;
	/* What the callback does */
	atomic_uint sleep_us;
	REGHANDLE unregister;
	REGHANDLE *unregister_at;
	ULONG unregister_result;
};

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	struct seen *s = context;

	if (atomic_fetch_add(&s->running, 1))
		atomic_store(&s->overlap, true);
	s->control = control;
	s->level = level;
	s->any = any;
	s->all = all;
	s->source = *source;
	s->filter = filter;
	s->thread = pthread_self();
	usleep(atomic_load(&s->sleep_us));
	if (s->unregister)
		s->unregister_result = EventUnregister(s->unregister);
	if (s->unregister_at)
		s->unregister_result = EventUnregister(*s->unregister_at);
	atomic_fetch_sub(&s->running, 1);
	atomic_fetch_add(&s->calls, 1);
}

FIXTURE(callback) {
	TRACEHANDLE session;
	struct seen *seen;
	REGHANDLE handle;
	GUID id;
};

FIXTURE_SETUP(callback)
{
	self->id = provider_id(1);
	self->handle = 0;
	self->seen = calloc(1, sizeof(*self->seen));
	self->session = session_start("callback");
	ASSERT_NE(0, self->session);
}

FIXTURE_TEARDOWN(callback)
{
	if (self->handle)
		EXPECT_EQ(ERROR_SUCCESS, EventUnregister(self->handle));
	EXPECT_EQ(ERROR_SUCCESS, session_stop(self->session, NULL));
	free(self->seen);
	unlink("/tmp/callback.etl");
}

#define REGISTER() ASSERT_EQ(ERROR_SUCCESS, \
	EventRegister(&self->id, callback, self->seen, &self->handle))

TEST_F(callback, called_at_once_when_enabled_before_registration)
{
	static const GUID nobody;

	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	REGISTER();
	ASSERT_EQ(1, self->seen->calls);
	EXPECT_EQ(EVENT_CONTROL_CODE_ENABLE_PROVIDER, self->seen->control);
	EXPECT_EQ(0xff, self->seen->level);
	EXPECT_EQ(~0ull, self->seen->any);
	EXPECT_EQ(0, self->seen->all);
	EXPECT_EQ(NULL, self->seen->filter);
	EXPECT_EQ(0, memcmp(&nobody, &self->seen->source, sizeof(nobody)));
	EXPECT_TRUE(EventProviderEnabled(self->handle, 5, 1));
}

TEST_F(callback, not_called_at_registration_when_not_enabled)
{
	REGISTER();
	usleep(50000);
	EXPECT_EQ(0, self->seen->calls);
	EXPECT_FALSE(EventProviderEnabled(self->handle, 0, 0));
}

TEST_F(callback, called_on_another_thread_when_enabled_later)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.SourceId = provider_id(9),
	};

	REGISTER();
	ASSERT_EQ(ERROR_SUCCESS,
		  EnableTraceEx2(self->session, &self->id,
				 EVENT_CONTROL_CODE_ENABLE_PROVIDER, 3, 0xf0,
				 0x30, 10000, &parameters));
	/* The timeout has waited for it */
	ASSERT_EQ(1, self->seen->calls);
	EXPECT_EQ(3, self->seen->level);
	EXPECT_EQ(0xf0, self->seen->any);
	EXPECT_EQ(0x30, self->seen->all);
	EXPECT_EQ(0, memcmp(&parameters.SourceId, &self->seen->source, 16));
	EXPECT_FALSE(pthread_equal(pthread_self(), self->seen->thread));
}

TEST_F(callback, one_of_two_sessions_disables_says_enable_with_less)
{
	TRACEHANDLE second = session_start("second");

	REGISTER();
	ASSERT_NE(0, second);
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 2, 1, 3,
				    10000, NULL));
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 1, 5, 2, 2, 10000,
				    NULL));
	EXPECT_EQ(5, self->seen->level);
	EXPECT_EQ(3, self->seen->any);
	EXPECT_EQ(2, self->seen->all);
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 0, 0, 0, 0, 10000,
				    NULL));
	EXPECT_EQ(EVENT_CONTROL_CODE_ENABLE_PROVIDER, self->seen->control);
	EXPECT_EQ(2, self->seen->level);
	EXPECT_EQ(1, self->seen->any);
	EXPECT_EQ(ERROR_SUCCESS, session_stop(second, NULL));
	unlink("/tmp/second.etl");
}

TEST_F(callback, session_stop_says_disable_from_nobody)
{
	static const GUID nobody;
	TRACEHANDLE second = session_start("second");

	REGISTER();
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 1, 2, 1, 3, 10000,
				    NULL));
	ASSERT_EQ(1, self->seen->calls);
	EXPECT_EQ(ERROR_SUCCESS, session_stop(second, NULL));
	ASSERT_TRUE(EVENTUALLY(self->seen->calls == 2));
	EXPECT_EQ(EVENT_CONTROL_CODE_DISABLE_PROVIDER, self->seen->control);
	EXPECT_EQ(0, memcmp(&nobody, &self->seen->source, sizeof(nobody)));
	unlink("/tmp/second.etl");
}

TEST_F(callback, capture_state_is_passed_through)
{
	REGISTER();
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 4, 7, 0,
				    10000, NULL));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 2, 0, 0, 0,
				    10000, NULL));
	EXPECT_EQ(2, self->seen->calls);
	EXPECT_EQ(EVENT_CONTROL_CODE_CAPTURE_STATE, self->seen->control);
	EXPECT_EQ(4, self->seen->level);
	EXPECT_EQ(7, self->seen->any);
	EXPECT_TRUE(EventProviderEnabled(self->handle, 4, 1));
}

TEST_F(callback, re_enable_calls_again)
{
	unsigned int i;

	REGISTER();
	for (i = 1; i <= 5; i++) {
		ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 4, 7,
					    0, 10000, NULL));
		EXPECT_EQ(i, self->seen->calls);
	}
}

TEST_F(callback, timeout_expires_and_the_callback_runs_later)
{
	REGISTER();
	self->seen->sleep_us = 300000;
	EXPECT_EQ(ERROR_TIMEOUT,
		  EnableTraceEx2(self->session, &self->id, 1, 0, 0, 0, 20,
				 NULL));
	EXPECT_TRUE(EventProviderEnabled(self->handle, 1, 1));
	EXPECT_TRUE(EVENTUALLY(self->seen->calls == 1));
}

TEST_F(callback, unregister_waits_for_a_running_callback)
{
	REGISTER();
	self->seen->sleep_us = 200000;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->running));
	EXPECT_EQ(ERROR_SUCCESS, EventUnregister(self->handle));
	EXPECT_EQ(0, self->seen->running);
	EXPECT_EQ(1, self->seen->calls);
	EXPECT_EQ(ERROR_INVALID_HANDLE, EventUnregister(self->handle));
	self->handle = 0;
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	usleep(50000);
	EXPECT_EQ(1, self->seen->calls);
}

TEST_F(callback, unregister_within_the_callback_does_not_deadlock)
{
	REGISTER();
	self->seen->unregister = self->handle;
	self->seen->unregister_result = 12345;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->calls == 1));
	EXPECT_EQ(ERROR_SUCCESS, self->seen->unregister_result);
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	usleep(50000);
	EXPECT_EQ(1, self->seen->calls);
	/* And the library goes on */
	memset(self->seen, 0, sizeof(*self->seen));
	REGISTER();
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(self->seen->calls == 1));
}

static void *enable_soon(void *p)
{
	usleep(100000);
	session_enable(*(TRACEHANDLE *)p, 1);
	return NULL;
}

/* The library's thread has the next call by then, and waits to make it */
TEST_F(callback, unregister_within_the_first_call_does_not_deadlock)
{
	pthread_t thread;

	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	self->seen->sleep_us = 300000;
	self->seen->unregister_at = &self->handle;
	self->seen->unregister_result = 12345;
	pthread_create(&thread, NULL, enable_soon, &self->session);
	REGISTER();
	pthread_join(thread, NULL);
	EXPECT_EQ(ERROR_SUCCESS, self->seen->unregister_result);
	EXPECT_EQ(1, self->seen->calls);
	self->handle = 0;
}

/* It is told what happened before the library noticed, when it is done */
TEST_F(callback, told_of_what_it_missed_when_descriptors_were_closed)
{
	GUID id = provider_id(2);
	REGHANDLE second;
	int fd;

	REGISTER();
	self->seen->sleep_us = 500000;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->running));
	for (fd = 60; fd < 1024; fd++)
		close(fd);
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	ASSERT_EQ(ERROR_SUCCESS, EventRegister(&id, NULL, NULL, &second));
	EXPECT_TRUE(EVENTUALLY(self->seen->calls == 2));
	EXPECT_EQ(EVENT_CONTROL_CODE_DISABLE_PROVIDER, self->seen->control);
	EXPECT_FALSE(self->seen->overlap);
	EXPECT_EQ(ERROR_SUCCESS, EventUnregister(second));
}

/* What gets the number of our descriptor is not read from */
TEST_F(callback, reads_nobody_elses_descriptor)
{
	char text[64] = "";
	int fd, ends[2];

	REGISTER();
	self->seen->sleep_us = 300000;
	ASSERT_EQ(ERROR_SUCCESS, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->seen->running));
	ASSERT_EQ(0, pipe(ends));
	for (fd = 60; fd < 200; fd++)
		dup2(ends[0], fd);
	ASSERT_EQ(sizeof(text), write(ends[1], text, sizeof(text)));
	ASSERT_TRUE(EVENTUALLY(!self->seen->running));
	usleep(100000);
	EXPECT_EQ(sizeof(text), read(ends[0], text, sizeof(text)));
	for (fd = 60; fd < 100; fd++)
		close(fd);
	ASSERT_EQ(ERROR_SUCCESS, session_disable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(self->seen->control ==
			       EVENT_CONTROL_CODE_DISABLE_PROVIDER));
}

/* Enabled and disabled as fast as can be, registered and unregistered beside */
struct churn {
	TRACEHANDLE session;
	atomic_bool stop;
};

static void *churn(void *p)
{
	struct churn *c = p;

	while (!atomic_load(&c->stop)) {
		session_enable(c->session, 1);
		session_disable(c->session, 1);
	}
	return NULL;
}

TEST_F_TIMEOUT(callback, never_concurrently_and_never_after_unregister, 300)
{
	struct churn c = { .session = self->session };
	pthread_t threads[2];
	unsigned int i, calls;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, churn, &c);
	for (i = 0; i < 300; i++) {
		REGISTER();
		usleep(i % 7 * 1000);
		ASSERT_EQ(ERROR_SUCCESS, EventUnregister(self->handle));
		self->handle = 0;
		calls = self->seen->calls;
		ASSERT_EQ(0, self->seen->running);
		sched_yield();
		ASSERT_EQ(calls, self->seen->calls);
	}
	atomic_store(&c.stop, true);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	EXPECT_FALSE(self->seen->overlap);
	EXPECT_LT(0, self->seen->calls);
}

/* Signals of the program are not for the library's thread */
TEST_F(callback, the_thread_takes_no_signals)
{
	sigset_t set;

	REGISTER();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/* Default action: it would kill us if the other thread took it */
	kill(getpid(), SIGUSR1);
	usleep(50000);
	EXPECT_EQ(SIGUSR1, sigtimedwait(&set, NULL,
					&(struct timespec) { 0, 0 }));
}

TEST_HARNESS_MAIN
