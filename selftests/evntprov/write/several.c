// SPDX-License-Identifier: GPL-2.0
/*
 * Several sessions want an event: each gets the same record, with the same time
 * in its own clock, whatever the size and fill level of its buffers.
 */
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define H		HANDLE(1, 1)
#define SESSIONS	3
#define EVENTS		20000
#define CPUS		256

/* Events in a session's file */
struct found {
	unsigned int count;
	unsigned int disorder;
	unsigned int wrong;
	int64_t time[EVENTS];
	struct {
		int64_t time;
		uint32_t number;
	} last[CPUS];
};

static uint32_t len_of(uint32_t number)
{
	return sizeof(number) + number * 7 % 300;
}

static void find(const struct etl_event *e, void *context)
{
	struct found *f = context;
	uint32_t number;

	memcpy(&number, e->data, sizeof(number));
	if (number >= EVENTS || e->data_len != len_of(number)) {
		f->wrong++;
		return;
	}
	f->count++;
	f->time[number] = e->time;
	f->disorder += e->time < f->last[e->cpu].time ||
		       (f->last[e->cpu].time &&
			number <= f->last[e->cpu].number);
	f->last[e->cpu].time = e->time;
	f->last[e->cpu].number = number;
}

FIXTURE(several) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	char path[SESSIONS][32];
	struct dev_status before;
	struct found *found;
};

/* Buffers fill up at different times; the second session has another clock */
FIXTURE_SETUP(several)
{
	struct evntrace_start start[SESSIONS] = {
		{ .buffer_size = 4096, .max_buffers = 64 },
		{ .buffer_size = 12288, .clock_type = EVNTRACE_CLOCK_SYSTEM_TIME },
		{ .buffer_size = 65536 },
	};
	unsigned int i;
	char name[16];

	self->found = calloc(SESSIONS, sizeof(*self->found));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < SESSIONS; i++) {
		sprintf(name, "several%u", i);
		sprintf(self->path[i], "/tmp/several%u.etl", i);
		ASSERT_EQ(0, dev_start(self->trace, name, self->path[i],
				       &start[i], &self->session[i]));
		ASSERT_EQ(0, dev_enable(self->trace, self->session[i], 1));
	}
}

FIXTURE_TEARDOWN(several)
{
	unsigned int i;

	close(self->prov);
	for (i = 0; i < SESSIONS; i++) {
		if (self->session[i])
			EXPECT_EQ(0, dev_stop(self->trace, self->session[i],
					      NULL));
		unlink(self->path[i]);
	}
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	free(self->found);
}

/* Stop session @i and scan its file, in any order; evaluates to the losses */
#define STOP_AND_FIND(i) ({						\
	struct evntrace_session q_;					\
	struct etl_scan scan_;						\
	ASSERT_EQ(0, dev_stop(self->trace, self->session[i], &q_));	\
	self->session[i] = 0;						\
	ASSERT_TRUE(etl_scan(self->path[i], &scan_, find,		\
			     &self->found[i])) {			\
		TH_LOG("%s", scan_.error);				\
	}								\
	EXPECT_EQ(q_.events, self->found[i].count);			\
	EXPECT_EQ(0, self->found[i].wrong);				\
	q_.events_lost; })

/* Stop and scan session @i; its events must be in the order of writing */
#define STOP_AND_READ(i) ({						\
	__u64 lost_ = STOP_AND_FIND(i);					\
									\
	EXPECT_EQ(0, self->found[i].disorder);				\
	lost_; })

/* Write event @number in @blocks pieces */
static int write_number(int fd, uint32_t number, uint32_t blocks)
{
	static uint8_t payload[512];
	struct evntprov_data data[64];
	struct evntprov_write w = write_arg(H, data, blocks);
	uint32_t i, start, end, len = len_of(number);

	memcpy(payload, &number, sizeof(number));
	for (i = 0; i < blocks; i++) {
		start = len * i / blocks;
		end = len * (i + 1) / blocks;
		data[i] = (struct evntprov_data) {
			(uintptr_t)payload + start, end - start
		};
	}
	return do_ioctl(fd, EVNTPROV_IOC_WRITE, &w);
}

TEST_F(several, all_sessions_record_the_same_events_when_buffers_fill)
{
	static bool accepted[EVENTS];
	unsigned int i, lost = 0;
	int err;

	for (i = 0; i < many(EVENTS); i++) {
		err = write_number(self->prov, i, 1 + i % 40);
		EXPECT_TRUE(!err || err == ENOBUFS);
		accepted[i] = !err;
		lost += !!err;
	}
	for (i = 0; i < SESSIONS; i++)
		EXPECT_EQ(lost, STOP_AND_READ(i));
	for (i = 0; i < EVENTS; i++) {
		EXPECT_EQ(accepted[i], !!self->found[0].time[i]);
		EXPECT_EQ(accepted[i], !!self->found[1].time[i]);
		EXPECT_EQ(accepted[i], !!self->found[2].time[i]);
	}
	EXPECT_LT(0, self->found[0].count);
}

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* From 1601 to 1970, in units of 100 ns */
#define EPOCH	116444736000000000ll

TEST_F(several, each_session_has_the_time_in_its_own_clock)
{
	int64_t boot[2], real[2], second;
	unsigned int i;

	boot[0] = now(CLOCK_BOOTTIME);
	real[0] = now(CLOCK_REALTIME);
	ASSERT_EQ(0, write_number(self->prov, 1, 1));
	real[1] = now(CLOCK_REALTIME);
	boot[1] = now(CLOCK_BOOTTIME);
	for (i = 0; i < SESSIONS; i++)
		EXPECT_EQ(0, STOP_AND_READ(i));
	EXPECT_LE(boot[0], self->found[0].time[1]);
	EXPECT_GE(boot[1], self->found[0].time[1]);
	/* A session that needs a new buffer may give the event a later time */
	EXPECT_LE(self->found[0].time[1], self->found[2].time[1]);
	EXPECT_GE(boot[1], self->found[2].time[1]);
	second = (self->found[1].time[1] - EPOCH) * 100;
	/* In units of 100 ns, rounded down */
	EXPECT_LE(real[0] - 100, second);
	EXPECT_GE(real[1], second);
}

/* Set the system's clock forward or back; returns 0 or an errno */
static int step_clock(int64_t seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	return clock_settime(CLOCK_REALTIME, &t) ? errno : 0;
}

#define HOUR	3600

/*
 * System time follows the system's clock in both directions; the other clock
 * does not.  When the clock goes back, buffers are finished first, as time must
 * not go back within one.
 */
TEST_F(several, system_time_follows_a_clock_that_is_set)
{
	static const int64_t steps[] = { 0, HOUR, -2 * HOUR, HOUR };
	struct {
		int64_t boot[2];
		int64_t real[2];
	} at[ARRAY_SIZE(steps)];
	unsigned int i, k, failed = 0;
	int64_t time;

	stay_on(0);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		failed += !!step_clock(steps[i]);
		at[i].boot[0] = now(CLOCK_BOOTTIME);
		at[i].real[0] = now(CLOCK_REALTIME);
		failed += !!write_number(self->prov, 1 + i, 1);
		at[i].real[1] = now(CLOCK_REALTIME);
		at[i].boot[1] = now(CLOCK_BOOTTIME);
		for (k = 0; k < SESSIONS; k++)
			failed += !!dev_control(self->trace,
						EVNTRACE_CONTROL_FLUSH,
						self->session[k], NULL);
	}
	ASSERT_EQ(0, failed);
	for (k = 0; k < SESSIONS; k++)
		EXPECT_EQ(0, STOP_AND_FIND(k));
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		EXPECT_LE(at[i].boot[0], self->found[0].time[1 + i]);
		EXPECT_GE(at[i].boot[1], self->found[0].time[1 + i]);
		time = (self->found[1].time[1 + i] - EPOCH) * 100;
		EXPECT_LE(at[i].real[0] - 100, time);
		EXPECT_GE(at[i].real[1], time);
	}
	EXPECT_EQ(0, self->found[0].disorder);
	EXPECT_EQ(1, self->found[1].disorder);
}

/* Unreadable data is no error and no loss if no session wants the event */
TEST_F(several, the_arguments_of_a_disabled_event_are_not_read)
{
	struct evntprov_write w = write_arg(H, (void *)8, 3);
	struct evntrace_enable e;
	unsigned int i;

	w.descriptor.level = 5;
	for (i = 0; i < SESSIONS; i++) {
		e = enable_arg(1);
		e.level = 4;
		ASSERT_EQ(0, dev_ioctl(self->trace, self->session[i],
				       EVNTRACE_IOC_ENABLE, &e));
	}
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	w.descriptor.level = 4;
	EXPECT_EQ(EFAULT, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	for (i = 0; i < SESSIONS; i++)
		EXPECT_EQ(0, STOP_AND_READ(i));
}

/* Each session is matched separately if they differ */
TEST_F(several, only_sessions_that_enabled_the_event_get_it)
{
	struct evntrace_enable e = enable_arg(1);
	unsigned int i;

	e.match_any = 2;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[1],
			       EVNTRACE_IOC_ENABLE, &e));
	/* Keyword 1 */
	for (i = 0; i < 100; i++)
		EXPECT_EQ(0, write_number(self->prov, i, 20));
	for (i = 0; i < SESSIONS; i++)
		EXPECT_EQ(0, STOP_AND_READ(i));
	EXPECT_EQ(100, self->found[0].count);
	EXPECT_EQ(0, self->found[1].count);
	EXPECT_EQ(100, self->found[2].count);
}

TEST_HARNESS_MAIN
