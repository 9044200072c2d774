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
#include "inject.h"

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

/* STOP is called by a process that is killed, while the log is not written */
static void stop_and_kill(struct __test_metadata *_metadata,
			  FIXTURE_DATA(dead) *self)
{
	struct evntrace_session q;
	__u64 other;
	pid_t pid;
	int status;

	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_IOC_STOP);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(EALREADY, door_stop(self->trace, self->session, NULL));
	kill(pid, SIGKILL);
	status = status_of(pid);
	EXPECT_TRUE(WIFSIGNALED(status));
	/* It is still there, and its name is taken */
	EXPECT_EQ(0, query(self, &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(EEXIST, door_start(self->trace, "dead", OTHER, NULL,
				     &other));
	EXPECT_EQ(self->before.sessions + 1,
		  door_status(self->trace).sessions);
}

TEST_F(dead, a_STOP_that_is_killed_ends_the_session_when_the_log_is_written)
{
	struct etl_scan scan;

	stop_and_kill(_metadata, self);
	fuse_stall(&self->fuse, 0);
	while (door_status(self->trace).sessions != self->before.sessions)
		usleep(1000);
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(1, scan.events);
	EXPECT_NE(0, scan.end_time);
}

static long references(void)
{
	char text[16] = "-1";

	inject_get("/sys/module/evntprov/refcnt", text, sizeof(text));
	return strtol(text, NULL, 10);
}

TEST_F(dead, likewise_when_its_file_system_ends_and_until_then_the_module_stays)
{
	stop_and_kill(_metadata, self);
	close(self->prov);
	close(self->trace);
	EXPECT_EQ(1, references());
	fuse_die(&self->fuse);
	while (references())
		usleep(1000);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	self->before = door_status(self->trace);
	EXPECT_EQ(0, self->before.sessions);
	EXPECT_EQ(0, self->before.buffers);
}

TEST_F(dead, a_STOP_returns_when_the_file_system_ends)
{
	pid_t pid;

	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_IOC_STOP);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	fuse_die(&self->fuse);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(ESRCH, query(self, NULL));
}

/* Complete the log that another one follows, which is UPDATE's */
static pid_t update(FIXTURE_DATA(dead) *self, const char *path)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = EVNTRACE_UPDATE_LOG,
		.handle = self->session, .log_name = (uintptr_t)name,
		.log_name_len = 1, .log_fd = new_log(path),
	};
	pid_t pid = fork();

	if (!pid)
		_exit(do_ioctl(self->trace, EVNTRACE_IOC_UPDATE, &arg));
	close(arg.log_fd);
	return pid;
}

TEST_F(dead, QUERY_returns_while_UPDATE_completes_a_log_and_UPDATE_is_killed)
{
	struct evntrace_session q;
	struct etl_scan scan;
	pid_t pid;
	int status;

	ASSERT_EQ(0, door_control(self->trace, EVNTRACE_IOC_FLUSH,
				  self->session, NULL));
	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = update(self, OTHER);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(0, query(self, &q));
	kill(pid, SIGKILL);
	status = status_of(pid);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, query(self, &q));
	EXPECT_EQ(0, door_write(self->prov, H, "y", 1));
	fuse_stall(&self->fuse, 0);
	EXPECT_EQ(0, door_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(1, scan.events);
	EXPECT_NE(0, scan.end_time);
	EXPECT_TRUE(etl_scan(OTHER, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
}

/* Start a session that is bound to the process, and wait */
static void run_bound(FIXTURE_DATA(dead) *self, int started)
{
	struct evntrace_start bound = { .flags = EVNTRACE_START_BOUND };
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	__u64 session;

	if (door_start(trace, "bound", DIR "/bound.etl", &bound, &session) ||
	    door_enable(trace, session, 1) ||
	    door_write(self->prov, H, "z", 1) ||
	    write(started, "", 1) != 1)
		_exit(1);
	pause();
}

/* It waits for the log for a while */
TEST_F(dead, a_process_dies_before_the_log_of_its_session_is_written)
{
	int started[2], status;
	char byte;
	pid_t pid;

	ASSERT_EQ(0, door_stop(self->trace, self->session, NULL));
	ASSERT_EQ(0, pipe2(started, O_CLOEXEC));
	pid = fork();
	if (!pid)
		run_bound(self, started[1]);
	close(started[1]);
	ASSERT_EQ(1, read(started[0], &byte, 1));
	close(started[0]);
	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	kill(pid, SIGKILL);
	status = status_of(pid);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(1, fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE)));
	EXPECT_EQ(self->before.sessions + 1,
		  door_status(self->trace).sessions);
	fuse_stall(&self->fuse, 0);
}

TEST_HARNESS_MAIN
