// SPDX-License-Identifier: GPL-2.0
/*
 * A stranger's session, which cannot take some events: independent sessions get
 * all of them.  A session that is not independent counts the loss as caused by
 * the stranger, and records it with its time, its CPU and the stranger's name,
 * in every logging mode.  The stranger records its own loss.
 */
#include <sched.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "core/self_layout.h"
#include "selftests/evntprov/common/consumer.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/sessions/series.h"
#include "selftests/evntprov/sessions/stall.h"

#define H		HANDLE(1, 1)
#define DIR_NAME	"/tmp/stranger"
#define VICTIM		DIR_NAME "/1.etl"
#define STRANGER	DIR_NAME "/stranger.etl"
#define LARGE		6000u	/* too large for the stranger's buffers */
#define SMALL		100u
#define LOST		7u
#define KEPT		5u

/* Losses that a log contains */
struct losses {
	unsigned int blocked;
	unsigned int too_large;
	unsigned int no_buffer;
	unsigned int others;
	unsigned int wrong;
};

/* Losses found by the current scan; their time and CPU must be these */
static struct losses found;
static __u64 from, to;
static unsigned int here;

static __u64 filetime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec + 11644473600ull) * 10000000 + now.tv_nsec / 100;
}

/* Compare a name in UTF-16, with its nul; returns its size, or 0 */
static size_t is_name(const uint8_t *text, const char *name)
{
	size_t i = 0;

	do {
		if (etl_u16(text + 2 * i) != (unsigned char)name[i])
			return 0;
	} while (name[i++]);
	return 2 * i;
}

static void on_loss(const struct etl_event *e, void *context)
{
	struct evntprov_loss fixed;
	const char *reason;
	size_t size;

	memcpy(&fixed, e->data, sizeof(fixed));
	/*
	 * The two clocks are read one after the other, and a virtual processor
	 * may stand still in between: allow for 10 s
	 */
	found.wrong += fixed.first > fixed.last ||
		       fixed.first + 100000000 < from ||
		       fixed.last > to + 100000000 || fixed.cpu != here ||
		       e->level != 3 || e->channel != 11 || e->pid || e->tid;
	size = is_name(e->data + sizeof(fixed), "stranger");
	if (!size)
		size = is_name(e->data + sizeof(fixed), "");
	if (!size) {
		found.wrong++;
		return;
	}
	reason = (const char *)e->data + sizeof(fixed) + size;
	if (reason + strlen(reason) + 1 != (const char *)e->data + e->data_len)
		found.wrong++;
	if (!strcmp(reason, "blocked") && size > 2) {
		found.blocked += fixed.count;
		found.wrong += fixed.buffer_size != 4096;
	} else if (!strcmp(reason, "too large") && size == 2) {
		found.too_large += fixed.count;
		found.wrong += fixed.buffer_size != 4096;
	} else if (!strcmp(reason, "no buffer") && size == 2) {
		found.no_buffer += fixed.count;
		found.wrong += fixed.buffer_size != 4096;
	} else {
		found.others += fixed.count;
	}
}

static void count(const struct etl_event *e, void *context)
{
	++*(unsigned int *)context;
}

FIXTURE(stranger) {
	int prov;
	int trace;
	__u64 victim;
	__u64 stranger;
	struct dev_status before;
};

FIXTURE_SETUP(stranger)
{
	cpu_set_t one;

	here = sched_getcpu();
	CPU_ZERO(&one);
	CPU_SET(here, &one);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(one), &one));
	mkdir(DIR_NAME, 0700);
	self->victim = 0;
	self->stranger = 0;
	memset(&found, 0, sizeof(found));
	*etl_on_loss() = on_loss;
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

FIXTURE_TEARDOWN(stranger)
{
	char path[64];
	unsigned int i;

	close(self->prov);
	if (self->victim)
		EXPECT_EQ(0, dev_stop(self->trace, self->victim, NULL));
	if (self->stranger)
		EXPECT_EQ(0, dev_stop(self->trace, self->stranger, NULL));
	for (i = 1; i < 64; i++) {
		series_path(path, DIR_NAME, i);
		unlink(path);
	}
	unlink(STRANGER);
	EXPECT_EQ(0, rmdir(DIR_NAME));
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
}

/* Start the stranger, which is independent only in EVNTRACE_MODE_INDEPENDENT */
static int start_stranger(FIXTURE_DATA(stranger) *self, __u32 mode)
{
	struct evntrace_start how = {
		.buffer_size = 4096, .log_file_mode = mode,
	};
	int err = dev_start(self->trace, "stranger", STRANGER, &how,
			    &self->stranger);

	return err ?: dev_enable(self->trace, self->stranger, 1);
}

static int start_victim(FIXTURE_DATA(stranger) *self, const char *path,
			const struct evntrace_start *how)
{
	int err = dev_start(self->trace, "victim", path, how, &self->victim);

	return err ?: dev_enable(self->trace, self->victim, 1);
}

/* Write KEPT events that both take, and LOST that the stranger cannot take */
static unsigned int provoke(FIXTURE_DATA(stranger) *self)
{
	static const char data[LARGE];
	unsigned int i, wrong = 0;

	for (i = 0; i < KEPT; i++)
		wrong += dev_write(self->prov, H, data, SMALL) != 0;
	from = filetime();
	for (i = 0; i < LOST; i++)
		wrong += dev_write(self->prov, H, data, LARGE) != EMSGSIZE;
	to = filetime();
	return wrong;
}

/* Stop both sessions, whose counters must attribute the losses */
static void stop(struct __test_metadata *_metadata,
		 FIXTURE_DATA(stranger) *self)
{
	const __u64 stranger = self->stranger;
	struct evntrace_session q;

	ASSERT_EQ(0, dev_stop(self->trace, self->victim, &q));
	self->victim = 0;
	EXPECT_EQ(KEPT, q.events);
	EXPECT_EQ(LOST, q.events_lost);
	EXPECT_EQ(LOST, q.events_blocked);
	EXPECT_EQ(stranger, q.blocker);
	ASSERT_EQ(0, dev_stop(self->trace, self->stranger, &q));
	self->stranger = 0;
	EXPECT_EQ(KEPT, q.events);
	EXPECT_EQ(LOST, q.events_too_large);
	EXPECT_EQ(LOST, q.events_lost);
	EXPECT_EQ(0, q.blocker);
}

static void expect_blocked(struct __test_metadata *_metadata)
{
	EXPECT_EQ(LOST, found.blocked);
	EXPECT_EQ(0, found.too_large);
	EXPECT_EQ(0, found.others);
	EXPECT_EQ(0, found.wrong);
}

/* The stranger's log has its own loss, and no other */
static void expect_own(struct __test_metadata *_metadata)
{
	struct etl_scan scan;

	memset(&found, 0, sizeof(found));
	ASSERT_TRUE(etl_scan(STRANGER, &scan, NULL, NULL));
	EXPECT_EQ(KEPT, scan.events);
	EXPECT_EQ(LOST, scan.events_lost);
	EXPECT_EQ(0, found.blocked);
	EXPECT_EQ(LOST, found.too_large);
	EXPECT_EQ(0, found.others);
	EXPECT_EQ(0, found.wrong);
}

/* Stop both sessions: each log has its own losses, and names their cause */
static void stop_and_expect(struct __test_metadata *_metadata,
			    FIXTURE_DATA(stranger) *self, struct etl_scan *scan)
{
	stop(_metadata, self);
	ASSERT_TRUE(etl_scan(VICTIM, scan, NULL, NULL));
	EXPECT_EQ(KEPT, scan->events);
	expect_blocked(_metadata);
	expect_own(_metadata);
}

static void in_a_file(struct __test_metadata *_metadata,
		      FIXTURE_DATA(stranger) *self,
		      const struct evntrace_start *how)
{
	struct etl_scan scan;

	ASSERT_EQ(0, start_victim(self, VICTIM, how));
	ASSERT_EQ(0, start_stranger(self, 0));
	EXPECT_EQ(0, provoke(self));
	stop_and_expect(_metadata, self, &scan);
	EXPECT_EQ(LOST, scan.events_lost);
	EXPECT_EQ(0, scan.buffers_lost);
}

TEST_F(stranger, an_independent_session_loses_nothing)
{
	struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_INDEPENDENT,
	};
	struct evntrace_session q;
	struct etl_scan scan;

	ASSERT_EQ(0, start_victim(self, VICTIM, &how));
	ASSERT_EQ(0, start_stranger(self, 0));
	EXPECT_EQ(0, provoke(self));
	ASSERT_EQ(0, dev_stop(self->trace, self->victim, &q));
	self->victim = 0;
	EXPECT_EQ(KEPT + LOST, q.events);
	EXPECT_EQ(0, q.events_lost);
	EXPECT_EQ(0, q.blocker);
	ASSERT_TRUE(etl_scan(VICTIM, &scan, NULL, NULL));
	EXPECT_EQ(KEPT + LOST, scan.events);
	EXPECT_EQ(0, found.blocked + found.too_large + found.others);
	ASSERT_EQ(0, dev_stop(self->trace, self->stranger, NULL));
	self->stranger = 0;
	expect_own(_metadata);
}

TEST_F(stranger, an_independent_stranger_costs_no_other_session_events)
{
	struct evntrace_session q;

	ASSERT_EQ(0, start_victim(self, VICTIM, NULL));
	ASSERT_EQ(0, start_stranger(self, EVNTRACE_MODE_INDEPENDENT));
	EXPECT_EQ(0, provoke(self));
	ASSERT_EQ(0, dev_stop(self->trace, self->victim, &q));
	self->victim = 0;
	EXPECT_EQ(KEPT + LOST, q.events);
	EXPECT_EQ(0, q.events_lost);
	ASSERT_EQ(0, dev_stop(self->trace, self->stranger, NULL));
	self->stranger = 0;
	expect_own(_metadata);
}

TEST_F(stranger, a_sequential_log_names_the_stranger)
{
	in_a_file(_metadata, self, NULL);
}

TEST_F(stranger, a_log_in_system_time_names_the_stranger)
{
	struct evntrace_start how = {
		.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME,
	};

	in_a_file(_metadata, self, &how);
}

TEST_F(stranger, a_log_of_limited_size_names_the_stranger)
{
	struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_SEQUENTIAL, .max_file_size = 4,
	};

	in_a_file(_metadata, self, &how);
}

TEST_F(stranger, a_circular_log_names_the_stranger)
{
	struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_CIRCULAR, .max_file_size = 4,
	};

	in_a_file(_metadata, self, &how);
}

TEST_F(stranger, a_series_of_logs_names_the_stranger)
{
	struct evntrace_start arg;
	__u16 text[EVNTRACE_MAX_NAME];
	struct series series;
	struct etl_scan scan;

	series_init(&series, DIR_NAME);
	arg = start_arg(text, "victim", series.fd);
	arg.log_file_mode = EVNTRACE_MODE_NEWFILE;
	arg.max_file_size = 1;
	arg.series = (uintptr_t)&series.arg;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	series_close(&series);
	self->victim = arg.handle;
	ASSERT_EQ(0, dev_enable(self->trace, self->victim, 1));
	ASSERT_EQ(0, start_stranger(self, 0));
	EXPECT_EQ(0, provoke(self));
	stop_and_expect(_metadata, self, &scan);
}

TEST_F(stranger, a_snapshot_of_memory_names_the_stranger)
{
	static const __u16 name[] = { 'x', '.', 'e', 't', 'l' };
	struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING,
	};
	struct evntrace_snapshot snapshot = {
		.size = sizeof(snapshot), .log_name = (uintptr_t)name,
		.log_name_len = 5,
	};
	struct etl_scan scan;

	ASSERT_EQ(0, start_victim(self, NULL, &how));
	ASSERT_EQ(0, start_stranger(self, 0));
	EXPECT_EQ(0, provoke(self));
	/* The first flush records the loss, which the second one includes */
	ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, self->victim, NULL));
	snapshot.log_fd = new_log(VICTIM);
	ASSERT_EQ(0, dev_ioctl(self->trace, self->victim,
			       EVNTRACE_IOC_SNAPSHOT, &snapshot));
	close(snapshot.log_fd);
	stop_and_expect(_metadata, self, &scan);
}

TEST_F(stranger, a_real_time_consumer_is_notified_of_the_stranger)
{
	struct evntrace_start how = {
		.log_file_mode = EVNTRACE_MODE_REAL_TIME, .flush_ms = 100,
	};
	unsigned int events = 0;
	struct consumer c;

	ASSERT_EQ(0, start_victim(self, NULL, &how));
	ASSERT_EQ(0, start_stranger(self, 0));
	ASSERT_EQ(0, consumer_open(&c, self->victim));
	EXPECT_EQ(0, provoke(self));
	stop(_metadata, self);
	EXPECT_EQ(NULL, consumer_drain(&c, 10000, count, &events));
	consumer_close(&c);
	EXPECT_EQ(KEPT, events);
	expect_blocked(_metadata);
	expect_own(_metadata);
}

/* The file of the stranger cannot be written, so it runs out of buffers */
TEST_F(stranger, a_log_names_a_stranger_without_a_free_buffer)
{
	static const char data[1000];
	struct evntrace_session q;
	unsigned int i, kept = 0;
	struct etl_scan scan;
	struct stall stall;
	int err;

	ASSERT_EQ(0, start_victim(self, VICTIM, NULL));
	ASSERT_EQ(0, start_stranger(self, 0));
	ASSERT_EQ(0, stall_begin(&stall, STRANGER));
	from = filetime();
	while (!(err = dev_write(self->prov, H, data, sizeof(data))))
		kept++;
	EXPECT_EQ(ENOBUFS, err);
	for (i = 1; i < LOST; i++)
		EXPECT_EQ(ENOBUFS, dev_write(self->prov, H, data, sizeof(data)));
	to = filetime();
	ASSERT_EQ(0, dev_stop(self->trace, self->victim, &q));
	self->victim = 0;
	EXPECT_EQ(kept, q.events);
	EXPECT_EQ(LOST, q.events_blocked);
	EXPECT_EQ(LOST, q.events_lost);
	EXPECT_EQ(self->stranger, q.blocker);
	EXPECT_TRUE(stall_end(&stall));
	ASSERT_EQ(0, dev_stop(self->trace, self->stranger, &q));
	self->stranger = 0;
	EXPECT_EQ(kept, q.events);
	EXPECT_EQ(LOST, q.events_no_buffer);
	ASSERT_TRUE(etl_scan(VICTIM, &scan, NULL, NULL));
	EXPECT_EQ(kept, scan.events);
	expect_blocked(_metadata);
	memset(&found, 0, sizeof(found));
	ASSERT_TRUE(etl_scan(STRANGER, &scan, NULL, NULL));
	EXPECT_EQ(kept, scan.events);
	EXPECT_EQ(LOST, scan.events_lost);
	EXPECT_EQ(LOST, found.no_buffer);
	EXPECT_EQ(0, found.blocked + found.too_large + found.others);
	EXPECT_EQ(0, found.wrong);
}

TEST_F(stranger, a_log_does_not_name_a_stranger_that_its_owner_may_not_query)
{
	struct evntrace_access deny = {
		.size = sizeof(deny), .flags = EVNTRACE_ACCESS_DENY,
		.operation = EVNTRACE_ACCESS_ADD,
		.subject = EVNTRACE_SUBJECT_EVERYONE,
		.rights = EVNTRACE_RIGHT_QUERY,
	};
	struct evntrace_session q;
	struct etl_scan scan;

	ASSERT_EQ(0, start_victim(self, VICTIM, NULL));
	ASSERT_EQ(0, start_stranger(self, 0));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY, self->stranger, &q));
	deny.guid = q.guid;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_SET_ACCESS, &deny));
	EXPECT_EQ(0, provoke(self));
	ASSERT_EQ(0, dev_stop(self->trace, self->victim, NULL));
	self->victim = 0;
	deny = (struct evntrace_access) {
		.size = sizeof(deny), .operation = EVNTRACE_ACCESS_REMOVE,
		.guid = q.guid,
	};
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_SET_ACCESS, &deny));
	ASSERT_TRUE(etl_scan(VICTIM, &scan, NULL, NULL));
	EXPECT_EQ(0, found.blocked);
	EXPECT_EQ(LOST, found.others);
}

TEST_HARNESS_MAIN
