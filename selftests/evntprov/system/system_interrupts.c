// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the kernel about interrupts and softirqs.  No program can have a
 * certain interrupt: tests cause some and record until there is one.
 */
#include <sys/socket.h>
#include <sys/time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define FLAGS		(EVENT_TRACE_FLAG_INTERRUPT | EVENT_TRACE_FLAG_DPC)
#define ROUNDS		100

/* First address of the image that stands for the numbers of softirqs */
#define SOFTIRQS	0xfffffffffffd0000ull
#define TIMER		1
#define HRTIMER		8
#define MAX_SOFTIRQ	10

FIXTURE(interrupts) {
	TRACEHANDLE session;
	struct system_log *log;
};

FIXTURE_SETUP(interrupts)
{
}

FIXTURE_TEARDOWN(interrupts)
{
	system_end(self->session, self->log);
}

/* Wait for a timer of the kernel, which is a softirq; false on failure */
static bool wait_for_timer(void)
{
	const struct timeval limit = { .tv_usec = 20000 };
	bool waited = false;
	int fd[2];
	char c;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fd))
		return false;
	if (!setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
		waited = recv(fd[0], &c, 1, 0) < 0 && errno == EAGAIN;
	close(fd[0]);
	close(fd[1]);
	return waited;
}

/*
 * Look for files that there are not, which a disk or a host has to answer; wait;
 * and compute for a while, which the scheduler's softirq looks at
 */
static bool cause_interrupts(void)
{
	static unsigned int n;
	clock_t until = clock() + CLOCKS_PER_SEC / 20;
	char path[64];
	unsigned int i;

	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/no-such-file-%d-%u", getpid(),
			 n++);
		access(path, F_OK);
	}
	while (clock() < until)
		;
	return wait_for_timer();
}

/* Record what @flags request; false on failure */
static bool record(FIXTURE_DATA(interrupts) *self, ULONG flags)
{
	system_log_free(self->log);
	self->log = NULL;
	if (system_start("interrupts", SYSTEM_LOG, SYSTEM_MODE, flags,
			 &self->session) || !cause_interrupts())
		return false;
	self->log = system_log_end(&self->session);
	return self->log;
}

static bool is_dpc(const struct system_event *e)
{
	return e->class == PERFINFO && (e->type == DPC || e->type == TIMER_DPC ||
					e->type == THREADED_DPC);
}

/* Whether /proc/interrupts lists a number */
static bool is_interrupt(unsigned int number)
{
	FILE *f = fopen("/proc/interrupts", "re");
	bool found = false;
	unsigned int n;
	char line[4096];

	while (f && fgets(line, sizeof(line), f))
		found = found || (sscanf(line, "%u:", &n) == 1 && n == number);
	if (f)
		fclose(f);
	return found;
}

TEST_F(interrupts, an_interrupt_has_an_event_with_its_handler_and_begin)
{
	const struct system_event *e, *seen = NULL;
	const int64_t start = boot_ns();
	unsigned int i;

	for (i = 0; i < ROUNDS && !seen; i++) {
		ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_INTERRUPT));
		EXPECT_EQ(0, self->log->lost);
		for (e = self->log->e; e < self->log->e + self->log->count; e++) {
			EXPECT_FALSE(is_dpc(e));
			if (e->class != PERFINFO || e->type != ISR)
				continue;
			seen = e;
			ASSERT_EQ(20, e->len);
			EXPECT_EQ(2, e->version);
			EXPECT_EQ(~0u, e->tid);
			EXPECT_LT(start, (int64_t)field64(e, 0));
			EXPECT_GE(e->time, (int64_t)field64(e, 0));
			EXPECT_EQ(1, field64(e, 8) >> 63);
			EXPECT_TRUE(is_interrupt(e->data[17] |
						 e->data[18] << 8));
			EXPECT_EQ(0, e->data[19]);
		}
	}
	EXPECT_NE(NULL, seen);
}

TEST_F(interrupts, a_softirq_has_an_event_with_its_number_and_begin)
{
	const uint8_t other = is_rt() ? THREADED_DPC : DPC;
	const struct system_event *e;
	unsigned int timers = 0, others = 0, i;
	const int64_t start = boot_ns();
	uint64_t number;

	for (i = 0; i < ROUNDS && !(timers && others); i++) {
		ASSERT_TRUE(record(self, EVENT_TRACE_FLAG_DPC));
		EXPECT_EQ(0, self->log->lost);
		for (e = self->log->e; e < self->log->e + self->log->count; e++) {
			EXPECT_FALSE(e->class == PERFINFO && e->type == ISR);
			if (!is_dpc(e))
				continue;
			ASSERT_EQ(16, e->len);
			EXPECT_EQ(2, e->version);
			EXPECT_EQ(~0u, e->tid);
			EXPECT_LT(start, (int64_t)field64(e, 0));
			EXPECT_GE(e->time, (int64_t)field64(e, 0));
			number = field64(e, 8) - SOFTIRQS;
			ASSERT_GT(MAX_SOFTIRQ, number);
			if (number == TIMER || number == HRTIMER) {
				EXPECT_EQ(TIMER_DPC, e->type);
				timers++;
			} else {
				EXPECT_EQ(other, e->type);
				others++;
			}
		}
		e = find_image(self->log, DCSTART, 0, "[softirqs]");
		ASSERT_NE(NULL, e);
		EXPECT_EQ(SOFTIRQS, field64(e, 0));
	}
	EXPECT_LT(0, timers);
	EXPECT_LT(0, others);
}

/* The event about the same softirq in a log whose clock is the time of day */
static const struct system_event *same(const struct system_log *log,
				       const struct system_event *of)
{
	const int64_t took = of->time - (int64_t)field64(of, 0);
	const struct system_event *e = NULL;

	do {
		e = next_event(log, e, PERFINFO, of->type, 8, field64(of, 8));
	} while (e && (e->cpu != of->cpu ||
		       e->time - (int64_t)field64(e, 0) != took / 100));
	return e;
}

TEST_F(interrupts, the_begin_is_in_the_clock_of_the_session)
{
	const char *path = "/tmp/system-time.etl";
	struct properties p = properties_for(path);
	const struct system_event *e;
	struct system_log *log;
	unsigned int count = 0;
	TRACEHANDLE other;

	p.p.LogFileMode = SYSTEM_MODE;
	p.p.EnableFlags = FLAGS;
	p.p.Wnode.ClientContext = 2;	/* the time of day */
	ASSERT_EQ(0, StartTraceA(&other, "interrupts-time", &p.p));
	ASSERT_TRUE(record(self, FLAGS));
	ASSERT_EQ(0, session_stop(other, NULL));
	log = system_log_read(path);
	unlink(path);
	ASSERT_NE(NULL, log);
	EXPECT_EQ(0, log->lost);
	for (e = self->log->e; e < self->log->e + self->log->count; e++) {
		if (!is_dpc(e))
			continue;
		EXPECT_NE(NULL, same(log, e));
		count++;
	}
	EXPECT_LT(0, count);
	system_log_free(log);
}

TEST_F(interrupts, the_provider_of_interrupts_is_flags_by_keyword)
{
	const GUID provider = SystemInterruptProviderGuid;
	static const struct {
		ULONGLONG keyword;
		ULONG flag;
	} rows[] = {
		{ SYSTEM_INTERRUPT_KW_GENERAL, EVENT_TRACE_FLAG_INTERRUPT },
		{ SYSTEM_INTERRUPT_KW_DPC, EVENT_TRACE_FLAG_DPC },
		{ SYSTEM_INTERRUPT_KW_IPI, 0 },
	};
	struct properties p = properties_for("");
	unsigned int i;

	ASSERT_EQ(0, system_start("interrupts", SYSTEM_LOG, SYSTEM_MODE, 0,
				  &self->session));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, EnableTraceEx2(self->session, &provider,
					    EVENT_CONTROL_CODE_ENABLE_PROVIDER,
					    0, rows[i].keyword, 0, 0, NULL));
		ASSERT_EQ(0, QueryTraceA(self->session, NULL, &p.p));
		EXPECT_EQ(rows[i].flag, p.p.EnableFlags);
	}
}

/* Record interrupts as a user with the right, but not CAP_PERFMON */
static int record_as_nobody(void)
{
	return AS_NOBODY(({
		TRACEHANDLE h;
		ULONG code_ = system_start("system-nobody",
					   "/tmp/system-nobody.etl",
					   SYSTEM_MODE,
					   EVENT_TRACE_FLAG_INTERRUPT, &h);

		if (!code_) {
			cause_interrupts();
			code_ = session_stop(h, NULL);
		}
		(int)code_;
	}));
}

TEST_F(interrupts, addresses_of_handlers_require_CAP_PERFMON)
{
	const struct system_event *e, *seen = NULL;
	struct kernel_right right;
	unsigned int i;

	ASSERT_TRUE(kernel_right_add(&right));
	for (i = 0; i < ROUNDS && !seen; i++) {
		EXPECT_EQ(0, record_as_nobody());
		system_log_free(self->log);
		self->log = system_log_read("/tmp/system-nobody.etl");
		unlink("/tmp/system-nobody.etl");
		ASSERT_NE(NULL, self->log);
		e = NULL;
		while ((e = next_event(self->log, e, PERFINFO, ISR, 8, 0))) {
			EXPECT_EQ(0, field64(e, 8));
			EXPECT_NE(0, field64(e, 0));
			seen = e;
		}
	}
	EXPECT_TRUE(kernel_right_remove(&right));
	EXPECT_NE(NULL, seen);
}

TEST_HARNESS_MAIN
