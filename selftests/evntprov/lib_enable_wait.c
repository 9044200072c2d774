// SPDX-License-Identifier: GPL-2.0
/*
 * The Timeout of EnableTraceEx2.
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "enable.h"

static unsigned int ms_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000 +
	       (now.tv_nsec - then->tv_nsec) / 1000000;
}

TEST_F(enable, Timeout_0_does_not_wait_and_is_never_TIMEOUT)
{
	ULONG code;

	told.sleep_ms = 500;
	for (code = DISABLE; code <= CAPTURE; code++)
		EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, code, 0,
					    0, 0, 0, NULL));
	EXPECT_EQ(0, told.calls);
	EXPECT_TRUE(EVENTUALLY(told.calls >= 1));
}

TEST_F(enable, Timeout_waits_for_the_callback)
{
	told.sleep_ms = 200;
	EXPECT_EQ(0, CONTROL(ENABLE));
	EXPECT_EQ(1, told.calls);
	EXPECT_EQ(0, CONTROL(CAPTURE));
	EXPECT_EQ(2, told.calls);
	EXPECT_EQ(0, CONTROL(DISABLE));
	EXPECT_EQ(3, told.calls);
}

TEST_F(enable, Timeout_INFINITE_waits_for_the_callback)
{
	told.sleep_ms = 300;
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, ENABLE, 0, 0, 0,
				    INFINITE, NULL));
	EXPECT_EQ(1, told.calls);
}

TEST_F(enable, Timeout_waits_for_all_registrations)
{
	REGHANDLE other;

	ASSERT_EQ(0, EventRegister(&self->id, callback, NULL, &other));
	told.sleep_ms = 200;
	EXPECT_EQ(0, CONTROL(ENABLE));
	EXPECT_EQ(2, told.calls);
	EXPECT_EQ(0, EventUnregister(other));
}

TEST_F(enable, Timeout_does_not_wait_where_there_is_no_callback)
{
	REGHANDLE handle;

	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->nobody, ENABLE, 0, 0,
				    0, INFINITE, NULL));
	ASSERT_EQ(0, EventRegister(&self->nobody, NULL, NULL, &handle));
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->nobody, DISABLE, 0, 0,
				    0, INFINITE, NULL));
	EXPECT_EQ(0, EventUnregister(handle));
}

/* All control codes; what was to be changed is, and the callback runs yet */
TEST_F(enable, Timeout_that_expires_is_TIMEOUT_and_the_change_in_force)
{
	told.sleep_ms = 500;
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						ENABLE, 4, 0, 0, 1, NULL));
	EXPECT_EQ(0, told.calls);
	EXPECT_TRUE(IS_ENABLED(4, 1));
	EXPECT_TRUE(EVENTUALLY(told.calls == 1));
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						CAPTURE, 0, 0, 0, 1, NULL));
	EXPECT_TRUE(EVENTUALLY(told.calls == 2));
	EXPECT_EQ(CAPTURE, told.control);
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						DISABLE, 0, 0, 0, 1, NULL));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_TRUE(EVENTUALLY(told.calls == 3));
	EXPECT_EQ(DISABLE, told.control);
}

static void ignore(int sig)
{
}

/* SIGALRM every 20 ms, or no more */
static void set_alarm(bool on)
{
	struct itimerval often = { { 0, 20000 }, { 0, 20000 } }, never = {};
	struct sigaction action = { .sa_handler = ignore };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, on ? &often : &never, NULL);
}

/* And the callback is called once for it */
TEST_F(enable, Timeout_INFINITE_is_not_cut_short_by_signals)
{
	told.sleep_ms = 500;
	set_alarm(true);
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, ENABLE, 0, 0, 0,
				    INFINITE, NULL));
	EXPECT_EQ(1, told.calls);
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, CAPTURE, 0, 0, 0,
				    WAIT, NULL));
	set_alarm(false);
	EXPECT_EQ(2, told.calls);
}

TEST_F(enable, Timeout_expires_in_time_whatever_signals_come)
{
	struct timespec then;

	told.sleep_ms = 3000;
	set_alarm(true);
	clock_gettime(CLOCK_MONOTONIC, &then);
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						ENABLE, 0, 0, 0, 300, NULL));
	EXPECT_LE(299, ms_since(&then));
	set_alarm(false);
	EXPECT_EQ(0, told.calls);
	EXPECT_TRUE(EVENTUALLY(told.calls == 1));
}

TEST_HARNESS_MAIN
