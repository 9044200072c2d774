// SPDX-License-Identifier: GPL-2.0
/*
 * The Timeout of EnableTraceEx2.
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "selftests/evntprov/lib/enable.h"

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

	reported.is_held = true;
	for (code = DISABLE; code <= CAPTURE; code++)
		EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, code, 0,
					    0, 0, 0, NULL));
	EXPECT_EQ(0, reported.calls);
	reported.is_held = false;
	EXPECT_TRUE(EVENTUALLY(reported.calls >= 1));
}

TEST_F(enable, Timeout_waits_for_the_callback)
{
	reported.sleep_ms = 200;
	EXPECT_EQ(0, CONTROL(ENABLE));
	EXPECT_EQ(1, reported.calls);
	EXPECT_EQ(0, CONTROL(CAPTURE));
	EXPECT_EQ(2, reported.calls);
	EXPECT_EQ(0, CONTROL(DISABLE));
	EXPECT_EQ(3, reported.calls);
}

TEST_F(enable, Timeout_INFINITE_waits_for_the_callback)
{
	reported.sleep_ms = 300;
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, ENABLE, 0, 0, 0,
				    INFINITE, NULL));
	EXPECT_EQ(1, reported.calls);
}

TEST_F(enable, Timeout_waits_for_all_registrations)
{
	REGHANDLE other;

	ASSERT_EQ(0, EventRegister(&self->id, callback, NULL, &other));
	reported.sleep_ms = 200;
	EXPECT_EQ(0, CONTROL(ENABLE));
	EXPECT_EQ(2, reported.calls);
	EXPECT_EQ(0, EventUnregister(other));
}

TEST_F(enable, Timeout_does_not_wait_for_providers_without_a_callback)
{
	REGHANDLE handle;

	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, ENABLE, 0,
				    0, 0, INFINITE, NULL));
	ASSERT_EQ(0, EventRegister(&self->empty_set, NULL, NULL, &handle));
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, DISABLE, 0,
				    0, 0, INFINITE, NULL));
	EXPECT_EQ(0, EventUnregister(handle));
}

/* Let the held callback return as call number @n, and hold the next one */
static bool let_go(unsigned int n)
{
	bool came;

	reported.is_held = false;
	came = EVENTUALLY(reported.calls == n);
	reported.is_held = true;
	return came;
}

/* For each control code: the change took effect, and the callback still runs */
TEST_F(enable, an_expired_Timeout_is_TIMEOUT_with_the_change_in_force)
{
	reported.is_held = true;
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						ENABLE, 4, 0, 0, 1, NULL));
	EXPECT_EQ(0, reported.calls);
	EXPECT_TRUE(IS_ENABLED(4, 1));
	EXPECT_TRUE(let_go(1));
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						CAPTURE, 0, 0, 0, 1, NULL));
	EXPECT_TRUE(let_go(2));
	EXPECT_EQ(CAPTURE, reported.control);
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						DISABLE, 0, 0, 0, 1, NULL));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_TRUE(let_go(3));
	EXPECT_EQ(DISABLE, reported.control);
}

static void ignore(int sig)
{
}

/* Raise SIGALRM every 20 ms, or stop it */
static void set_alarm(bool on)
{
	struct itimerval often = { { 0, 20000 }, { 0, 20000 } }, never = {};
	struct sigaction action = { .sa_handler = ignore };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, on ? &often : &never, NULL);
}

/* The callback runs only once for the call */
TEST_F(enable, Timeout_INFINITE_is_not_cut_short_by_signals)
{
	reported.sleep_ms = 500;
	set_alarm(true);
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, ENABLE, 0, 0, 0,
				    INFINITE, NULL));
	EXPECT_EQ(1, reported.calls);
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, CAPTURE, 0, 0, 0,
				    WAIT, NULL));
	set_alarm(false);
	EXPECT_EQ(2, reported.calls);
}

TEST_F(enable, Timeout_expires_in_time_despite_signals)
{
	struct timespec then;

	reported.is_held = true;
	set_alarm(true);
	clock_gettime(CLOCK_MONOTONIC, &then);
	EXPECT_EQ(ERROR_TIMEOUT, EnableTraceEx2(self->session, &self->id,
						ENABLE, 0, 0, 0, 300, NULL));
	EXPECT_LE(299, ms_since(&then));
	set_alarm(false);
	EXPECT_EQ(0, reported.calls);
	EXPECT_TRUE(let_go(1));
}

TEST_HARNESS_MAIN
