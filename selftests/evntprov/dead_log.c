// SPDX-License-Identifier: GPL-2.0
/*
 * A log on a file system that has stopped answering: its session waits, and all
 * others go on; a caller that waits for it can be killed; and when the file
 * system answers, or ends, nothing stays.
 */
#include <sys/wait.h>

#include "harness.h"

#include "door.h"
#include "etl_scan.h"
#include "fuse.h"

#define DIR	"/tmp/dead_log"
#define LOG	DIR "/log.etl"
#define OTHER	"/tmp/dead_log.etl"
#define H	HANDLE(1, 1)

FIXTURE(dead) {
	struct fuse fuse;
	int prov;
	int trace;
	__u64 session;
	struct evntrace_status before;
};

FIXTURE_SETUP(dead)
{
	ASSERT_EQ(0, fuse_begin(&self->fuse, DIR));
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, door_register(self->prov, H, 1, 0));
	self->before = door_status(self->trace);
	ASSERT_EQ(0, door_start(self->trace, "dead", LOG, NULL,
				&self->session));
	ASSERT_EQ(0, door_enable(self->trace, self->session, 1));
	ASSERT_EQ(0, door_write(self->prov, H, "x", 1));
}

/* The session has ended, or is about to */
FIXTURE_TEARDOWN(dead)
{
	while (door_status(self->trace).sessions != self->before.sessions)
		usleep(1000);
	/* The thread frees the session's memory last */
	while (door_status(self->trace).buffers != self->before.buffers)
		usleep(1000);
	close(self->prov);
	close(self->trace);
	EXPECT_EQ(0, fuse_end(&self->fuse));
	unlink(OTHER);
}

static int query(FIXTURE_DATA(dead) *self, struct evntrace_session *q)
{
	return door_control(self->trace, EVNTRACE_IOC_QUERY, self->session, q);
}

/* A process that flushes the session, or stops it, and is at it */
static pid_t call(FIXTURE_DATA(dead) *self, unsigned long cmd)
{
	pid_t pid = fork();

	if (!pid)
		_exit(door_control(self->trace, cmd, self->session, NULL));
	return pid;
}

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return status;
}

TEST_F(dead, a_log_in_user_space_is_whole)
{
	struct etl_scan scan;

	ASSERT_EQ(0, door_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(1, scan.events);
	EXPECT_NE(0, scan.end_time);
}

TEST_F(dead, QUERY_and_other_sessions_go_on_while_a_log_is_written)
{
	struct evntrace_session q;
	struct etl_scan scan;
	__u64 other;
	pid_t pid;

	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_IOC_FLUSH);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(0, query(self, &q));
	EXPECT_EQ(1, q.events);
	ASSERT_EQ(0, door_start(self->trace, "other", OTHER, NULL, &other));
	EXPECT_EQ(0, door_enable(self->trace, other, 1));
	EXPECT_EQ(0, door_write(self->prov, H, "y", 1));
	EXPECT_EQ(0, door_control(self->trace, EVNTRACE_IOC_FLUSH, other,
				  NULL));
	EXPECT_EQ(0, door_stop(self->trace, other, NULL));
	EXPECT_TRUE(etl_scan(OTHER, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
	fuse_stall(&self->fuse, 0);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, door_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(2, scan.events);
}

TEST_HARNESS_MAIN
