// SPDX-License-Identifier: GPL-2.0
/*
 * Test of the rights of a session's descriptor: each set of rights, with each
 * ioctl, by the process that opened it and by a process without any right.
 */
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/private/private_ioctl.h"

#define LOG	"/tmp/rights.etl"
#define NOBODY	65534

#define QUERY	EVNTRACE_RIGHT_QUERY
#define DISK	EVNTRACE_RIGHT_CREATE_ONDISK
#define LIVE	EVNTRACE_RIGHT_CREATE_REALTIME
#define READ	EVNTRACE_RIGHT_ACCESS_REALTIME

/* The rights to change the session, which depend on its modes */
#define CHANGE	0x80000000u

static int try_query(int fd)
{
	struct evntrace_session q = { .size = sizeof(q) };

	return session_ioctl(fd, &q);
}

static int try_control(int fd, __u32 control)
{
	struct evntrace_session q = { .size = sizeof(q), .control = control };

	return session_ioctl(fd, &q);
}

static int try_flush(int fd)
{
	return try_control(fd, EVNTRACE_CONTROL_FLUSH);
}

static int try_increment(int fd)
{
	return try_control(fd, EVNTRACE_CONTROL_INCREMENT);
}

static int update(int fd, __u32 flags)
{
	struct evntrace_update arg = {
		.size = sizeof(arg), .flags = flags, .log_fd = -1,
		.flush_ms = 60000,
	};

	return do_ioctl(fd, EVNTRACE_IOC_UPDATE, &arg);
}

static int try_timer(int fd)
{
	return update(fd, 0);
}

static int try_log(int fd)
{
	return update(fd, EVNTRACE_UPDATE_LOG);
}

static int try_real_time(int fd)
{
	return update(fd, EVNTRACE_UPDATE_REAL_TIME);
}

static int try_enable(int fd)
{
	struct evntrace_enable arg = enable_arg(1);

	return do_ioctl(fd, EVNTRACE_IOC_ENABLE, &arg);
}

static int try_wait(int fd)
{
	struct evntrace_enable arg = enable_arg(1);

	arg.flags = EVNTRACE_ENABLE_WAIT;
	return do_ioctl(fd, EVNTRACE_IOC_ENABLE, &arg);
}

static int try_all_sessions(int fd)
{
	struct evntrace_list arg = {
		.size = sizeof(arg), .element_size = sizeof(__u64),
	};

	return dev_list(fd, &arg);
}

static int try_access(int fd)
{
	struct evntrace_access arg = {
		.size = sizeof(arg), .operation = EVNTRACE_ACCESS_REMOVE,
	};

	return do_ioctl(fd, EVNTRACE_IOC_SET_ACCESS, &arg);
}

static int try_set(int fd)
{
	struct evntrace_list arg = guids_arg(EVNTRACE_LIST_DISALLOWED, NULL, 0);

	return do_ioctl(fd, EVNTRACE_IOC_SET, &arg);
}

static int try_set_capture(int fd)
{
	struct evntrace_list arg = guids_arg(EVNTRACE_LIST_CAPTURE_STATE, NULL,
					     0);

	return do_ioctl(fd, EVNTRACE_IOC_SET, &arg);
}

static int list(int fd, __u32 kind)
{
	struct evntrace_list arg = {
		.size = sizeof(arg), .kind = kind, .element_size = 16,
		.provider = guid_of(kind == EVNTRACE_LIST_FILTERS),
	};

	if (kind != EVNTRACE_LIST_FILTERS)
		memset(&arg.provider, 0, sizeof(arg.provider));
	return dev_list(fd, &arg);
}

static int try_cpus(int fd)
{
	return list(fd, EVNTRACE_LIST_CPUS);
}

static int try_filters(int fd)
{
	return list(fd, EVNTRACE_LIST_FILTERS);
}

static int try_capture(int fd)
{
	return list(fd, EVNTRACE_LIST_CAPTURE_STATE);
}

static int try_disallowed(int fd)
{
	return list(fd, EVNTRACE_LIST_DISALLOWED);
}

static int try_snapshot(int fd)
{
	struct evntrace_snapshot arg = { .size = sizeof(arg), .log_fd = -1 };

	return do_ioctl(fd, EVNTRACE_IOC_SNAPSHOT, &arg);
}

static int try_consume(int fd)
{
	struct evntrace_open_consumer arg = { .size = sizeof(arg) };

	return do_ioctl(fd, EVNTRACE_IOC_OPEN_CONSUMER, &arg);
}

/*
 * Calls, the rights that they need, and their result with these rights, for a
 * session with a log and for a real-time session
 */
static const struct {
	const char *name;
	int (*call)(int fd);
	__u32 need;
	int with_log;
	int in_real_time;
} tries[] = {
	{ "QUERY", try_query, QUERY, 0, 0 },
	{ "LIST_CPUS", try_cpus, QUERY, 0, 0 },
	{ "LIST_FILTERS", try_filters, QUERY, 0, 0 },
	{ "LIST_CAPTURE_STATE", try_capture, QUERY, 0, 0 },
	{ "LIST_DISALLOWED", try_disallowed, QUERY, 0, 0 },
	{ "FLUSH", try_flush, CHANGE, 0, 0 },
	{ "INCREMENT", try_increment, CHANGE, EINVAL, EINVAL },
	{ "UPDATE", try_timer, CHANGE, 0, 0 },
	{ "UPDATE_LOG", try_log, CHANGE | DISK, EBADF, EBADF },
	{ "ENABLE", try_enable, CHANGE, 0, 0 },
	{ "ENABLE_WAIT", try_wait, CHANGE, 0, 0 },
	{ "SET_DISALLOWED", try_set, CHANGE, 0, 0 },
	{ "SET_CAPTURE_STATE", try_set_capture, CHANGE, 0, 0 },
	{ "SNAPSHOT", try_snapshot, CHANGE, EOPNOTSUPP, EBADF },
	{ "LIST_SESSIONS", try_all_sessions, 0, EINVAL, EINVAL },
	{ "SET_ACCESS", try_access, 0, ENOTTY, ENOTTY },
	{ "CONSUME", try_consume, READ, EOPNOTSUPP, 0 },
};

/* Return 0, or the number of the first call with another result */
static int try_all(int fd, __u32 rights, bool is_real_time)
{
	const __u32 change = is_real_time ? LIVE : DISK;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		__u32 need = tries[i].need;
		int want = is_real_time ? tries[i].in_real_time :
					  tries[i].with_log;

		if (need & CHANGE)
			need = (need & ~CHANGE) | change;
		if (need & ~rights)
			want = EACCES;
		if (tries[i].call(fd) != want)
			return i + 1;
	}
	/* These would change the session, so they are tried without rights */
	if (change & ~rights &&
	    try_control(fd, EVNTRACE_CONTROL_STOP) != EACCES)
		return 100;
	if (!is_real_time && (DISK | LIVE) & ~rights &&
	    try_real_time(fd) != EACCES)
		return 101;
	return 0;
}

/* The same by a process of another user, without capabilities */
static int try_as_nobody(int fd, __u32 rights, bool is_real_time)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(102);
		_exit(try_all(fd, rights, is_real_time));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 103;
}

FIXTURE(rights) {
	int trace;
	__u64 session;
};

FIXTURE_SETUP(rights)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
}

FIXTURE_TEARDOWN(rights)
{
	dev_stop(self->trace, self->session, NULL);
	close(self->trace);
	unlink(LOG);
}

/* Try each set of rights; @call: try_all() or try_as_nobody() */
static void try_sets(struct __test_metadata *_metadata,
		     FIXTURE_DATA(rights) *self, bool is_real_time,
		     int (*call)(int fd, __u32 rights, bool is_real_time))
{
	static const __u32 each[] = { QUERY, DISK, LIVE, READ };
	unsigned int set, i;

	for (set = 1; set < 1 << ARRAY_SIZE(each); set++) {
		__u32 rights = 0;
		int fd, failed;

		for (i = 0; i < ARRAY_SIZE(each); i++)
			rights |= set >> i & 1 ? each[i] : 0;
		fd = dev_open_session(self->trace, self->session, rights);
		ASSERT_LE(0, fd);
		failed = call(fd, rights, is_real_time);
		EXPECT_EQ(0, failed) {
			TH_LOG("rights %#x: %s", rights,
			       failed <= (int)ARRAY_SIZE(tries) ?
			       tries[failed - 1].name : "STOP or REAL_TIME");
		}
		close(fd);
	}
}

TEST_F_TIMEOUT(rights, a_descriptor_can_do_only_what_its_rights_allow, 300)
{
	struct evntrace_start real_time = {
		.log_file_mode = EVNTRACE_MODE_REAL_TIME,
	};

	ASSERT_EQ(0, dev_start(self->trace, "rights", LOG, NULL,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	try_sets(_metadata, self, false, try_all);
	try_sets(_metadata, self, false, try_as_nobody);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	ASSERT_EQ(0, dev_start(self->trace, "rights", NULL, &real_time,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	try_sets(_metadata, self, true, try_all);
	try_sets(_metadata, self, true, try_as_nobody);
}

static int try_private_filters(int fd)
{
	struct evntrace_list arg = {
		.size = sizeof(arg), .kind = EVNTRACE_LIST_FILTERS,
		.element_size = sizeof(__u64),
	};

	return dev_list(fd, &arg);
}

/* A private session has no buffers and no lists of providers in the module */
static const struct {
	const char *name;
	int (*call)(int fd);
	__u32 need;
	int result;
} private_tries[] = {
	{ "QUERY", try_query, QUERY, 0 },
	{ "LIST_FILTERS", try_private_filters, QUERY, 0 },
	{ "FLUSH", try_flush, DISK, 0 },
	{ "INCREMENT", try_increment, DISK, ESRCH },
	{ "UPDATE", try_timer, DISK, 0 },
	{ "ENABLE", try_enable, DISK, 0 },
	{ "ENABLE_WAIT", try_wait, DISK, 0 },
	{ "LIST_CPUS", try_cpus, 0, ESRCH },
	{ "LIST_SESSIONS", try_all_sessions, 0, EINVAL },
	{ "SET_DISALLOWED", try_set, 0, ESRCH },
	{ "SNAPSHOT", try_snapshot, 0, ESRCH },
	{ "CONSUME", try_consume, 0, ESRCH },
};

TEST_F(rights, a_descriptor_of_a_private_session_can_do_only_the_same)
{
	static const __u32 pid = 1;
	static const struct evntrace_filter filter = {
		(uintptr_t)&pid, sizeof(pid), EVNTRACE_FILTER_PID,
	};
	static const __u32 sets[] = { QUERY, DISK, QUERY | DISK };
	unsigned int set, i;
	int fd;

	ASSERT_EQ(0, private_start(self->trace, "rights", &filter,
				   &self->session));
	for (set = 0; set < ARRAY_SIZE(sets); set++) {
		fd = dev_open_session(self->trace, self->session, sets[set]);
		ASSERT_LE(0, fd);
		for (i = 0; i < ARRAY_SIZE(private_tries); i++) {
			int want = private_tries[i].need & ~sets[set] ?
				   EACCES : private_tries[i].result;

			EXPECT_EQ(want, private_tries[i].call(fd))
				TH_LOG("rights %#x: %s", sets[set],
				       private_tries[i].name);
		}
		if (!(sets[set] & DISK))
			EXPECT_EQ(EACCES,
				  try_control(fd, EVNTRACE_CONTROL_STOP));
		close(fd);
	}
	EXPECT_EQ(-EACCES, dev_open_session(self->trace, self->session, READ));
	EXPECT_EQ(0, dev_stop(self->trace, self->session, NULL));
}

/* By default, everyone may query sessions, and do nothing else */
static int open_as_nobody(int trace, __u64 session, __u32 rights)
{
	int status = -1, fd;
	pid_t pid = fork();

	if (!pid) {
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(102);
		fd = dev_open_session(trace, session, rights);
		if (fd < 0)
			_exit(-fd);
		_exit(rights ? 0 : try_all(fd, QUERY, false));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 103;
}

TEST_F(rights, a_caller_gets_no_right_that_it_lacks)
{
	ASSERT_EQ(0, dev_start(self->trace, "rights", LOG, NULL,
			       &self->session));
	ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
	EXPECT_EQ(0, open_as_nobody(self->trace, self->session, QUERY));
	EXPECT_EQ(0, open_as_nobody(self->trace, self->session, 0));
	EXPECT_EQ(EACCES, open_as_nobody(self->trace, self->session, DISK));
	EXPECT_EQ(EACCES, open_as_nobody(self->trace, self->session, READ));
	EXPECT_EQ(EACCES, open_as_nobody(self->trace, self->session,
					 QUERY | LIVE));
}

TEST_HARNESS_MAIN
