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

#define EXPECT_COUNTS(i, events_, lost_) do {				\
	struct evntrace_session got_ = STOP(i);				\
	EXPECT_EQ(events_, got_.events);				\
	EXPECT_EQ(lost_, got_.events_lost);				\
	EXPECT_EQ(lost_, got_.events_too_large);			\
} while (0)

TEST_F(independent, without_INDEPENDENT_all_sessions_get_an_event_or_none)
{
	ASSERT_EQ(0, start(self, 2, 0));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	EXPECT_COUNTS(SMALL, 1, 1);
	EXPECT_COUNTS(LARGE, 1, 1);
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
	ASSERT_EQ(0, start(self, 3, 1 << LARGE));
	EXPECT_EQ(0, write_sized(self, 100));
	EXPECT_EQ(EMSGSIZE, write_sized(self, SIZE));
	EXPECT_COUNTS(SMALL, 1, 1);
	EXPECT_COUNTS(LARGE, 2, 0);
	/* It fails with the small session, as neither is independent */
	EXPECT_COUNTS(THIRD, 1, 1);
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
