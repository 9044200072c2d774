// SPDX-License-Identifier: GPL-2.0
/*
 * Names of processes: a session that requests them with a provider gets one
 * record for each open file of a process that has registered it, before its
 * events; other sessions do not.
 */
#include <sys/mount.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "core/self_layout.h"
#include "selftests/evntprov/common/logs.h"
#include "selftests/evntprov/sessions/stall.h"

#define H		HANDLE(1, 1)
#define SESSIONS	2
#define NAME		"names"
#define CGROUP		"/tmp/names.cgroup"
#define PACKAGE		"docker-0123456789abcdef.scope"

/**
 * struct got - records that a session got
 * @names: number of names
 * @events: number of other records
 * @pid: process id of the last name
 * @package: package that is expected with a name
 * @late: a name followed an event
 * @wrong: a name is not in the form of Windows' kernel
 */
struct got {
	unsigned int names;
	unsigned int events;
	pid_t pid;
	const char *package;
	bool late;
	bool wrong;
};

/* Class Process, version 4, type DCStart; the name of this program */
static void note(const struct etl_event *e, void *context)
{
	struct evntprov_process fixed = {
		.exit_status = 0x103, .flags = EVNTPROV_PROCESS_NAMED,
	};
	char expected[sizeof(fixed) + sizeof(NAME) + 3 * 2 + 256] = "";
	struct got *g = context;
	const char *package = g->package ? g->package : "";
	size_t len = sizeof(fixed) + sizeof(NAME) + 3 * 2 + 2 * strlen(package);
	size_t i;

	if (e->kind != 0xc011) {
		g->events++;
		return;
	}
	g->names++;
	g->late |= g->events;
	g->pid = etl_u32(e->data + 8);
	fixed.process_id = g->pid;
	memcpy(expected, &fixed, sizeof(fixed));
	strcpy(expected + sizeof(fixed), NAME);
	/* In UTF-16, behind an empty command line */
	for (i = 0; package[i]; i++)
		expected[sizeof(fixed) + sizeof(NAME) + 2 + 2 * i] = package[i];
	g->wrong |= e->id != 0x0303 || e->version != 4 ||
		    e->data_len != len || memcmp(e->data, expected, len);
}

FIXTURE(names) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	struct got got;
};

FIXTURE_SETUP(names)
{
	unsigned int i;

	stay_on(0);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < SESSIONS; i++)
		ASSERT_EQ(0, log_start(self->trace, NAME, i, NULL,
				       &self->session[i]));
}

FIXTURE_TEARDOWN(names)
{
	close(self->prov);
	logs_remove(self->trace, NAME, self->session, SESSIONS);
	close(self->trace);
}

static int control(int trace, __u64 session, __u32 code)
{
	struct evntrace_enable arg = enable_arg(1);

	arg.control = code;
	arg.property = code == EVNTPROV_CONTROL_ENABLE ?
		       EVNTRACE_PROPERTY_PROCESS_NAME : 0;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

#define REQUEST(i) \
	control(self->trace, self->session[i], EVNTPROV_CONTROL_ENABLE)
#define WRITE()		dev_write(self->prov, H, "x", 1)

#define STOP_AND_READ(i) do {						\
	const char *error_;						\
	memset(&self->got, 0, sizeof(self->got));			\
	error_ = log_finish(self->trace, NAME, i, &self->session[i],	\
			    note, &self->got);				\
	ASSERT_EQ(NULL, error_) {					\
		TH_LOG("%s", error_);					\
	}								\
	EXPECT_FALSE(self->got.wrong);					\
	EXPECT_FALSE(self->got.late);					\
} while (0)

TEST_F(names, a_session_gets_the_name_of_an_earlier_registration_once)
{
	EXPECT_EQ(0, REQUEST(0));
	EXPECT_EQ(0, REQUEST(0));
	EXPECT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	EXPECT_EQ(0, dev_register(self->prov, HANDLE(2, 1), 1, 0));
	EXPECT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_EQ(1, self->got.names);
	EXPECT_EQ(1, self->got.events);
	EXPECT_EQ(getpid(), self->got.pid);
	STOP_AND_READ(1);
	EXPECT_EQ(0, self->got.names);
	EXPECT_EQ(1, self->got.events);
}

TEST_F(names, a_name_is_not_counted_as_an_event)
{
	struct evntrace_session q;

	EXPECT_EQ(0, REQUEST(0));
	EXPECT_EQ(0, WRITE());
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY, self->session[0], &q));
	EXPECT_EQ(1, q.events);
	EXPECT_EQ(0, q.events_lost);
}

TEST_F(names, a_capture_state_request_repeats_the_name)
{
	EXPECT_EQ(0, REQUEST(0));
	EXPECT_EQ(0, control(self->trace, self->session[0],
			     EVNTPROV_CONTROL_CAPTURE_STATE));
	STOP_AND_READ(0);
	EXPECT_EQ(2, self->got.names);
}

TEST_F(names, a_request_for_all_providers_repeats_the_name_once)
{
	struct evntrace_filter all = {
		.ptr = (uintptr_t)&self->session[0],
		.len = sizeof(self->session[0]),
		.type = EVNTRACE_FILTER_TRACEHANDLE,
	};
	struct evntrace_enable arg = enable_arg(2);

	EXPECT_EQ(0, dev_register(self->prov, HANDLE(2, 2), 2, 0));
	EXPECT_EQ(0, REQUEST(0));
	arg.property = EVNTRACE_PROPERTY_PROCESS_NAME;
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &arg));
	arg.property = 0;
	arg.provider = (struct evntprov_guid)EVNTRACE_SYSTEM_CONTROL;
	arg.control = EVNTPROV_CONTROL_CAPTURE_STATE;
	arg.filters = (uintptr_t)&all;
	arg.filter_count = 1;
	EXPECT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &arg));
	STOP_AND_READ(0);
	EXPECT_EQ(2, self->got.names);
}

TEST_F(names, a_later_registration_is_named_before_its_events)
{
	int status;
	pid_t pid;

	close(self->prov);
	EXPECT_EQ(0, REQUEST(0));
	EXPECT_EQ(0, REQUEST(1));
	pid = fork();
	if (!pid) {
		self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
		_exit(dev_register(self->prov, H, 1, 0) || WRITE());
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	self->prov = -1;
	STOP_AND_READ(0);
	EXPECT_EQ(1, self->got.names);
	EXPECT_EQ(pid, self->got.pid);
	STOP_AND_READ(1);
	EXPECT_EQ(1, self->got.names);
	EXPECT_EQ(pid, self->got.pid);
}

/* Register in a cgroup, and write an event; returns the exit status */
static int write_in_cgroup(void)
{
	int fd = open(CGROUP "/" PACKAGE "/cgroup.procs", O_WRONLY | O_CLOEXEC);
	int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);

	return write(fd, "0", 1) != 1 || dev_register(prov, H, 1, 0) ||
	       dev_write(prov, H, "x", 1);
}

TEST_F(names, a_name_has_the_package_of_its_process)
{
	int status;
	pid_t pid;

	mkdir(CGROUP, 0700);
	if (mount("none", CGROUP, "cgroup2", 0, NULL)) {
		rmdir(CGROUP);
		SKIP(return, "no cgroup2 here");
	}
	mkdir(CGROUP "/" PACKAGE, 0700);
	close(self->prov);
	self->prov = -1;
	EXPECT_EQ(0, REQUEST(0));
	pid = fork();
	if (!pid)
		_exit(write_in_cgroup());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	memset(&self->got, 0, sizeof(self->got));
	self->got.package = PACKAGE;
	EXPECT_EQ(NULL, log_finish(self->trace, NAME, 0, &self->session[0],
				   note, &self->got));
	EXPECT_FALSE(self->got.wrong);
	EXPECT_EQ(1, self->got.names);
	EXPECT_EQ(1, self->got.events);
	rmdir(CGROUP "/" PACKAGE);
	umount(CGROUP);
	rmdir(CGROUP);
}

/* Processes exit, or are killed, while their names are written */
TEST_F(names, processes_that_exit_are_named_at_most_once)
{
	const unsigned int count = 200;
	unsigned int i;
	pid_t pid;
	int fd;

	EXPECT_EQ(0, REQUEST(0));
	for (i = 0; i < count; i++) {
		pid = fork();
		if (pid) {
			EXPECT_EQ(0, control(self->trace, self->session[1],
					     i % 2 ? EVNTPROV_CONTROL_DISABLE :
						     EVNTPROV_CONTROL_ENABLE));
			if (i % 3)
				kill(pid, SIGKILL);
			continue;
		}
		fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
		_exit(dev_register(fd, H, 1, 0));
	}
	while (wait(NULL) > 0)
		;
	STOP_AND_READ(0);
	EXPECT_GT(count + 2, self->got.names);
	EXPECT_LT(count / 4, self->got.names);
}

TEST_F(names, a_name_without_a_free_buffer_is_lost_and_written_later)
{
	struct evntrace_start small = { .buffer_size = 4096, .max_buffers = 1 };
	static const char payload[3000];
	struct evntrace_session q;
	struct stall stall;
	char path[LOG_PATH_LEN];
	__u64 before;
	int other;

	EXPECT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	ASSERT_EQ(0, log_start(self->trace, NAME, 0, &small,
			       &self->session[0]));
	EXPECT_EQ(0, REQUEST(0));
	ASSERT_EQ(0, stall_begin(&stall, log_path(path, NAME, 0)));
	while (!dev_write(self->prov, H, payload, sizeof(payload)))
		;
	/* Fill the rest of the current buffers, on each processor */
	while (!WRITE())
		;
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY, self->session[0], &q));
	before = q.events_no_buffer;
	other = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, dev_register(other, H, 1, 0));
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY, self->session[0], &q));
	EXPECT_EQ(before + 1, q.events_no_buffer);
	EXPECT_TRUE(stall_end(&stall));
	EXPECT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
				 self->session[0], NULL));
	EXPECT_EQ(0, REQUEST(0));
	memset(&self->got, 0, sizeof(self->got));
	EXPECT_EQ(NULL, log_finish(self->trace, NAME, 0, &self->session[0],
				   note, &self->got));
	EXPECT_EQ(2, self->got.names);
	close(other);
}

TEST_HARNESS_MAIN
