// SPDX-License-Identifier: GPL-2.0
/*
 * While tasks are frozen for suspend, no log is written: the image that a
 * hibernated system resumes from would not include the write.
 */
#include "selftests/evntprov/kernel/kernel.h"

#include "selftests/evntprov/common/inject.h"

#define PARAMETERS	"/sys/module/kernel_calls/parameters/"
#define STATE		"/sys/power/state"

static bool can_freeze(void)
{
	char states[64] = "";

	inject_get(STATE, states, sizeof(states));
	return strstr(states, "freeze");
}

/* Suspend; the device in kernel/module/freeze.c writes an event, then makes it fail */
static int suspend(void)
{
	int fd = open(STATE, O_WRONLY | O_CLOEXEC);
	int err = write(fd, "freeze", 6) < 0 ? errno : 0;

	close(fd);
	return err;
}

static unsigned long long written(FIXTURE_DATA(kernel) *self)
{
	struct evntrace_session q = {};

	dev_control(self->trace, DEV_QUERY, self->session, &q);
	return q.buffers_written;
}

TEST_F(kernel, no_log_is_written_while_tasks_are_frozen)
{
	struct evntrace_update timer = {
		.size = sizeof(timer), .flush_ms = 20,
	};
	static struct kept kept;
	unsigned long long before;
	char grew[16] = "";

	if (!can_freeze())
		SKIP(return, "this kernel does not suspend to idle");
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_UPDATE,
			       &timer));
	ASSERT_TRUE(inject_put(PARAMETERS "freeze_file", LOG));
	before = written(self);
	EXPECT_EQ(EBUSY, suspend());
	ASSERT_TRUE(inject_get(PARAMETERS "freeze_grew", grew, sizeof(grew)));
	EXPECT_EQ(0, strtol(grew, NULL, 10));
	/* The session's thread goes on */
	while (written(self) == before)
		usleep(1000);
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	READ_LOG(&kept);
	EXPECT_EQ(1, kept.count);
	EXPECT_TRUE(has_text(&kept.e[0], "frozen"));
}

TEST_HARNESS_MAIN
