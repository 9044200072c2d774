// SPDX-License-Identifier: GPL-2.0
/*
 * A log on a file system that stops answering: its session waits, and all
 * others go on; a caller that waits for it can be killed; and once the file
 * system answers or dies, nothing is left behind.
 */
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/sessions/fuse.h"
#include "selftests/evntprov/common/inject.h"

#define DIR	"/tmp/dead_log"
#define LOG	DIR "/log.etl"
#define OTHER	"/tmp/dead_log.etl"
#define H	HANDLE(1, 1)

FIXTURE(dead) {
	struct fuse fuse;
	int prov;
	int trace;
	__u64 session;
	struct dev_status before;
};

FIXTURE_SETUP(dead)
{
	ASSERT_EQ(0, fuse_begin(&self->fuse, DIR));
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	self->before = dev_status();
	ASSERT_EQ(0, dev_start(self->trace, "dead", LOG, NULL,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	ASSERT_EQ(0, dev_write(self->prov, H, "x", 1));
}

/* Wait for the session to end */
FIXTURE_TEARDOWN(dead)
{
	while (dev_status().sessions != self->before.sessions)
		usleep(1000);
	/* The session's thread frees its memory last */
	while (dev_status().buffers != self->before.buffers)
		usleep(1000);
	close(self->prov);
	close(self->trace);
	EXPECT_EQ(0, fuse_end(&self->fuse));
	unlink(OTHER);
}

static int query(FIXTURE_DATA(dead) *self, struct evntrace_session *q)
{
	return dev_control(self->trace, DEV_QUERY, self->session, q);
}

/* Fork a process that issues @cmd for the session and blocks in it */
static pid_t call(FIXTURE_DATA(dead) *self, __u32 operation)
{
	pid_t pid = fork();

	if (!pid)
		_exit(dev_control(self->trace, operation, self->session, NULL));
	return pid;
}

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return status;
}

TEST_F(dead, a_log_on_a_user_space_file_system_is_complete)
{
	struct etl_scan scan;

	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(1, scan.events);
	EXPECT_NE(0, scan.end_time);
}

TEST_F(dead, QUERY_and_other_sessions_work_while_a_log_write_hangs)
{
	struct evntrace_session q;
	struct etl_scan scan;
	__u64 other;
	pid_t pid;

	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_CONTROL_FLUSH);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(0, query(self, &q));
	EXPECT_EQ(1, q.events);
	ASSERT_EQ(0, dev_start(self->trace, "other", OTHER, NULL, &other));
	EXPECT_EQ(0, dev_enable(self->trace, other, 1));
	EXPECT_EQ(0, dev_write(self->prov, H, "y", 1));
	EXPECT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, other,
				 NULL));
	EXPECT_EQ(0, dev_stop(self->trace, other, NULL));
	EXPECT_TRUE(etl_scan(OTHER, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
	fuse_stall(&self->fuse, 0);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(2, scan.events);
}

/* Call STOP from a process that is killed while the log cannot be written */
static void stop_and_kill(struct __test_metadata *_metadata,
			  FIXTURE_DATA(dead) *self)
{
	struct evntrace_session q;
	__u64 other;
	pid_t pid;
	int status;

	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_CONTROL_STOP);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(EALREADY, dev_stop(self->trace, self->session, NULL));
	kill(pid, SIGKILL);
	status = status_of(pid);
	EXPECT_TRUE(WIFSIGNALED(status));
	/* The session still exists, and its name is taken */
	EXPECT_EQ(0, query(self, &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(EEXIST, dev_start(self->trace, "dead", OTHER, NULL,
				    &other));
	EXPECT_EQ(self->before.sessions + 1, dev_status().sessions);
}

TEST_F(dead, a_killed_STOP_ends_the_session_after_the_log_write)
{
	struct etl_scan scan;

	stop_and_kill(_metadata, self);
	fuse_stall(&self->fuse, 0);
	while (dev_status().sessions != self->before.sessions)
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

TEST_F(dead, a_killed_STOP_pins_the_module_until_the_file_system_ends)
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
	self->before = dev_status();
	EXPECT_EQ(0, self->before.sessions);
	EXPECT_EQ(0, self->before.buffers);
}

TEST_F(dead, a_STOP_returns_when_the_file_system_ends)
{
	pid_t pid;

	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_CONTROL_STOP);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	fuse_die(&self->fuse);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(ESRCH, query(self, NULL));
}

/* Fork a process that switches the session to another log */
static pid_t update(FIXTURE_DATA(dead) *self, const char *path)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = EVNTRACE_UPDATE_LOG,
		.log_name = (uintptr_t)name,
		.log_name_len = 1, .log_fd = new_log(path),
	};
	pid_t pid = fork();

	if (!pid)
		_exit(dev_ioctl(self->trace, self->session,
				EVNTRACE_IOC_UPDATE, &arg));
	close(arg.log_fd);
	return pid;
}

TEST_F(dead, QUERY_returns_while_UPDATE_completes_a_log_and_UPDATE_is_killed)
{
	struct evntrace_session q;
	struct etl_scan scan;
	pid_t pid;
	int status;

	ASSERT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
				 self->session, NULL));
	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = update(self, OTHER);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(0, query(self, &q));
	kill(pid, SIGKILL);
	status = status_of(pid);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, query(self, &q));
	EXPECT_EQ(0, dev_write(self->prov, H, "y", 1));
	fuse_stall(&self->fuse, 0);
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL)) {
		TH_LOG("%s", scan.error);
	}
	EXPECT_EQ(1, scan.events);
	EXPECT_NE(0, scan.end_time);
	EXPECT_TRUE(etl_scan(OTHER, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
}

TEST_F(dead, SET_of_SYSTEM_FLAGS_is_ESRCH_while_STOP_completes_a_log)
{
	const struct evntrace_start kind = {
		.log_file_mode = EVNTRACE_MODE_SYSTEM_LOGGER,
	};
	pid_t pid;

	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	ASSERT_EQ(0, dev_start(self->trace, "system", LOG, &kind,
			       &self->session));
	fuse_stall(&self->fuse, FUSE_STALL(FUSE_WRITE));
	pid = call(self, EVNTRACE_CONTROL_STOP);
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(ESRCH, dev_set_number(self->trace, self->session,
					EVNTRACE_LIST_SYSTEM_FLAGS,
					EVNTRACE_SYSTEM_PROCESS));
	EXPECT_EQ(0, query(self, NULL));
	fuse_stall(&self->fuse, 0);
	EXPECT_EQ(0, status_of(pid));
}

/* Start a session that is bound to this process, and wait */
static void run_bound(FIXTURE_DATA(dead) *self, int started)
{
	struct evntrace_start bound = { .flags = EVNTRACE_START_BOUND };
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	__u64 session;

	if (dev_start(trace, "bound", DIR "/bound.etl", &bound, &session) ||
	    dev_enable(trace, session, 1) ||
	    dev_write(self->prov, H, "z", 1) ||
	    write(started, "", 1) != 1)
		_exit(1);
	pause();
}

/* The process waits a limited time for the log */
TEST_F(dead, a_process_can_exit_while_its_sessions_log_write_hangs)
{
	int started[2], status;
	char byte;
	pid_t pid;

	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
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
	/* The session's thread may begin to write later */
	fuse_wait(&self->fuse, FUSE_STALL(FUSE_WRITE), 1);
	EXPECT_EQ(self->before.sessions + 1, dev_status().sessions);
	fuse_stall(&self->fuse, 0);
}

TEST_HARNESS_MAIN
