// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions of EVNTRACE_MODE_INDEPENDENT get events that other sessions cannot
 * take, and do not keep others from events that they cannot take.  Without the
 * mode, no session gets an event that one of them cannot take.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define H	HANDLE(1, 1)
#define SIZE	6000u		/* too large for the small session */

enum { SMALL, LARGE, THIRD, SESSIONS };

FIXTURE(independent) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	struct dev_status before;
};

FIXTURE_SETUP(independent)
{
	memset(self->session, 0, sizeof(self->session));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
}

static const char *path_of(unsigned int i)
{
	static char path[32];

	sprintf(path, "/tmp/independent%u.etl", i);
	return path;
}

FIXTURE_TEARDOWN(independent)
{
	unsigned int i;

	close(self->prov);
	for (i = 0; i < SESSIONS; i++) {
		if (self->session[i])
			EXPECT_EQ(0, dev_stop(self->trace, self->session[i],
					      NULL));
		unlink(path_of(i));
	}
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
}

/* Start @count sessions; bits in @which select the independent ones */
static int start(FIXTURE_DATA(independent) *self, unsigned int count,
		 unsigned int which)
{
	struct evntrace_start how = {};
	unsigned int i;
	char name[8];
	int err = 0;

	for (i = 0; i < count && !err; i++) {
		sprintf(name, "ind%u", i);
		how.buffer_size = i == SMALL ? 4096 : 131072;
		how.log_file_mode = which & 1u << i ?
				    EVNTRACE_MODE_INDEPENDENT : 0;
		err = dev_start(self->trace, name, path_of(i), &how,
				&self->session[i]);
		if (!err)
			err = dev_enable(self->trace, self->session[i], 1);
	}
	return err;
}

static int write_sized(FIXTURE_DATA(independent) *self, uint32_t size)
{
	static const char data[SIZE];

	return dev_write(self->prov, H, data, size);
}

/* Stop session @i; its count of events must match its file */
#define STOP(i) ({							\
	struct evntrace_session q_;					\
	struct etl_scan scan_;						\
	ASSERT_EQ(0, dev_stop(self->trace, self->session[i], &q_));	\
	self->session[i] = 0;						\
	ASSERT_TRUE(etl_scan(path_of(i), &scan_, NULL, NULL));		\
	EXPECT_EQ(q_.events, scan_.events);				\
	EXPECT_EQ(q_.events_lost, scan_.events_lost);			\
	q_; })

/* Stop session @i, which lost @too_large events, and @blocked because of @by */
#define EXPECT_BLOCKED(i, events_, too_large_, blocked_, by) do {	\
	struct evntrace_session got_ = STOP(i);				\
	EXPECT_EQ(events_, got_.events);				\
	EXPECT_EQ((too_large_) + (blocked_), got_.events_lost);		\
	EXPECT_EQ(too_large_, got_.events_too_large);			\
	EXPECT_EQ(blocked_, got_.events_blocked);			\
	EXPECT_EQ(by, got_.blocker);					\
} while (0)

#define EXPECT_COUNTS(i, events_, lost_)				\
	EXPECT_BLOCKED(i, events_, lost_, 0, 0)

TEST_F(independent, without_INDEPENDENT_all_sessions_get_an_event_or_none)
{
	__u64 small;

	ASSERT_EQ(0, start(self, 2, 0));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	small = self->session[SMALL];
	EXPECT_COUNTS(SMALL, 1, 1);
	EXPECT_BLOCKED(LARGE, 1, 0, 1, small);
}

TEST_F(independent, a_session_that_also_fails_counts_its_own_reason)
{
	static const char data[65530];

	ASSERT_EQ(0, start(self, 3, 0));
	EXPECT_EQ(EOVERFLOW, dev_write(self->prov, H, data, sizeof(data)));
	EXPECT_COUNTS(SMALL, 0, 1);
	EXPECT_COUNTS(LARGE, 0, 1);
	EXPECT_COUNTS(THIRD, 0, 1);
}

TEST_F(independent, the_last_session_that_fails_blocks_the_first)
{
	struct evntrace_enable e = enable_arg(1);
	static const char data[65440];
	__u64 third;

	ASSERT_EQ(0, start(self, 3, 1 << SMALL));
	e.property = EVNTRACE_PROPERTY_SID;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[THIRD],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(EOVERFLOW, dev_write(self->prov, H, data, sizeof(data)));
	third = self->session[THIRD];
	EXPECT_COUNTS(SMALL, 0, 1);
	EXPECT_COUNTS(THIRD, 0, 1);
	EXPECT_BLOCKED(LARGE, 0, 0, 1, third);
}

TEST_F(independent, losses_because_of_another_session_are_in_the_list_of_CPUs)
{
	struct evntrace_cpu cpu[256] = {};
	struct evntrace_list list = {
		.size = sizeof(list),
		.kind = EVNTRACE_LIST_CPUS,
		.element_size = sizeof(*cpu),
		.elements = (uintptr_t)cpu,
		.count = 256,
	};
	__u64 lost = 0;
	unsigned int i;

	ASSERT_EQ(0, start(self, 2, 0));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[LARGE],
			       EVNTRACE_IOC_LIST, &list));
	for (i = 0; i < list.count && i < 256; i++)
		lost += cpu[i].events_lost;
	EXPECT_EQ(2, lost);
}

TEST_F(independent, the_failure_of_an_independent_session_affects_no_other)
{
	ASSERT_EQ(0, start(self, 3, 1 << SMALL));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_COUNTS(SMALL, 2, 1);
	EXPECT_COUNTS(LARGE, 3, 0);
	EXPECT_COUNTS(THIRD, 3, 0);
}

TEST_F(independent, an_independent_session_records_what_others_cannot)
{
	__u64 small;

	ASSERT_EQ(0, start(self, 3, 1 << LARGE));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	small = self->session[SMALL];
	EXPECT_COUNTS(SMALL, 1, 1);
	EXPECT_COUNTS(LARGE, 2, 0);
	/* It fails with the small session, as neither is independent */
	EXPECT_BLOCKED(THIRD, 1, 0, 1, small);
}

TEST_F(independent, all_sessions_can_be_independent)
{
	ASSERT_EQ(0, start(self, 3, 7));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_COUNTS(SMALL, 1, 1);
	EXPECT_COUNTS(LARGE, 2, 0);
	EXPECT_COUNTS(THIRD, 2, 0);
}

TEST_F(independent, one_session_can_be_independent)
{
	ASSERT_EQ(0, start(self, 1, 1));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_COUNTS(SMALL, 1, 1);
}

/* An error caused by the event itself affects all sessions */
TEST_F(independent, an_unreadable_event_reaches_no_session)
{
	ASSERT_EQ(0, start(self, 3, 1 << LARGE));
	EXPECT_EQ(EFAULT, dev_write(self->prov, H, (void *)8, 100));
	EXPECT_COUNTS(SMALL, 0, 0);
	EXPECT_COUNTS(LARGE, 0, 0);
	EXPECT_COUNTS(THIRD, 0, 0);
}

/* Data that must be faulted in after one session has failed already */
TEST_F(independent, a_retried_loss_is_counted_once)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *data;

	ASSERT_EQ(0, start(self, 2, 1 << SMALL));
	data = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, data);
	EXPECT_EQ(EMSGSIZE, dev_write(self->prov, H, data, SIZE));
	munmap(data, 2 * page);
	EXPECT_COUNTS(SMALL, 0, 1);
	EXPECT_COUNTS(LARGE, 1, 0);
}

TEST_F(independent, QUERY_reports_the_mode)
{
	struct evntrace_session q;

	ASSERT_EQ(0, start(self, 1, 1));
	dev_control(self->trace, DEV_QUERY, self->session[0], &q);
	EXPECT_EQ(EVNTRACE_MODE_INDEPENDENT, q.log_file_mode);
}

/* The record is too long only for the session that wants the extended items */
TEST_F(independent, a_record_too_long_because_of_items_fails_in_its_session_only)
{
	static const char data[65440];
	struct evntrace_enable e;

	ASSERT_EQ(0, start(self, 3, 1 << THIRD));
	e = enable_arg(1);
	e.property = EVNTRACE_PROPERTY_SID;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[THIRD],
			       EVNTRACE_IOC_ENABLE, &e));
	e = enable_arg(1);
	e.control = EVNTPROV_CONTROL_DISABLE;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[SMALL],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(EOVERFLOW, dev_write(self->prov, H, data, sizeof(data)));
	EXPECT_COUNTS(LARGE, 1, 0);
	EXPECT_COUNTS(THIRD, 0, 1);
}

TEST_HARNESS_MAIN
