// SPDX-License-Identifier: GPL-2.0
/*
 * Limits per user: an unprivileged user allocates as much as possible, and is
 * stopped early.  Other users are not affected, and released resources are
 * available again.
 *
 * The tests lower the limits, to reach them soon.
 */
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/write_file.h"
#include "selftests/evntprov/private/private_ioctl.h"
#include "lib/control/device_list.h"

#define NOBODY	65534
#define ALICE	61001
#define FILES	8

#define PARAMETERS "/sys/module/evntprov/parameters/"

/* Set a module parameter as root; returns the old value */
static unsigned long limit_set(const char *name, unsigned long value)
{
	unsigned long before = 0;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	f = fopen(path, "r+e");
	if (!f)
		return 0;
	if (fscanf(f, "%lu", &before) != 1)
		before = 0;
	rewind(f);
	fprintf(f, "%lu", value);
	fclose(f);
	return before;
}

static const char * const names[] = {
	"max_user_registrations", "max_user_notifications", "max_user_files",
	"max_registrations", "max_user_sessions", "max_user_session_kb",
	"max_session_kb", "reserved_sessions", "max_user_enablements",
};

#define LIMITS	(sizeof(names) / sizeof(*names))

FIXTURE(limits) {
	int trace;
	unsigned long before[LIMITS];
	struct dev_status status;
};

FIXTURE_SETUP(limits)
{
	unsigned int i;

	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->status = dev_status();
	for (i = 0; i < LIMITS; i++) {
		self->before[i] = limit_set(names[i], 1000000);
		ASSERT_NE(0, self->before[i]);
	}
	limit_set("reserved_sessions", 0);
}

FIXTURE_TEARDOWN(limits)
{
	unsigned int i;

	for (i = 0; i < LIMITS; i++)
		limit_set(names[i], self->before[i]);
	EXPECT_TRUE(dev_status_is(&self->status));
	close(self->trace);
}

/* Return the resources of a user, or zeros */
static struct evntrace_user user_of(int fd, unsigned int uid)
{
	struct evntrace_user users[16] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_USERS,
		.element_size = sizeof(*users), .elements = (uintptr_t)users,
		.count = 16,
	};
	unsigned int i;

	if (do_ioctl(fd, EVNTRACE_IOC_LIST, &l))
		return (struct evntrace_user) { .uid = -1 };
	for (i = 0; i < l.count && i < 16; i++) {
		if (users[i].uid == uid)
			return users[i];
	}
	return (struct evntrace_user) { .uid = uid };
}

static void become(unsigned int uid)
{
	if (setgroups(0, NULL) || setgid(uid) || setuid(uid))
		_exit(99);
}

/* Evaluate @code in a child process of user @uid */
#define AS(uid, code) ({						\
	int status_;							\
	pid_t child_ = fork();						\
	if (!child_) {							\
		become(uid);						\
		_exit(code);						\
	}								\
	waitpid(child_, &status_, 0);					\
	WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; })

static int dev_open(void)
{
	return open("/dev/evntprov", O_RDWR | O_CLOEXEC);
}

/* Register in files that stay open until it fails; returns the number */
static unsigned int register_all(__u32 flags, int *err)
{
	unsigned int file, slot, count = 0;
	int fd;

	*err = 0;
	for (file = 0; file < FILES; file++) {
		fd = dev_open();
		for (slot = 1; slot <= 100; slot++, count++) {
			*err = dev_register(fd, HANDLE(slot, 1), slot, flags);
			if (*err)
				return count;
		}
	}
	return count;
}

/* Whether a user with this limit reaches exactly that number */
static int hits(__u32 flags, unsigned int expected)
{
	int err;

	return register_all(flags, &err) == expected && err == EUSERS ? 0 : 1;
}

TEST_F(limits, registrations_of_a_user_are_limited_across_files)
{
	limit_set("max_user_registrations", 150);
	EXPECT_EQ(0, AS(NOBODY, hits(0, 150)));
	/* Everything was released */
	EXPECT_EQ(0, AS(NOBODY, hits(0, 150)));
	EXPECT_EQ(0, user_of(self->trace, NOBODY).registrations);
}

TEST_F(limits, registrations_with_notifications_are_limited)
{
	limit_set("max_user_notifications", 120);
	EXPECT_EQ(0, AS(NOBODY, hits(EVNTPROV_REGISTER_NOTIFY, 120)));
	limit_set("max_user_registrations", 150);
	EXPECT_EQ(0, AS(NOBODY, hits(0, 150)));
	EXPECT_EQ(0, user_of(self->trace, NOBODY).notifications);
}

/* Fork a process that uses up the limit of @uid and waits to be killed */
static pid_t hold_all(unsigned int uid, unsigned int expected)
{
	int ready[2];
	pid_t child;
	char byte = 1;

	if (pipe(ready))
		return -1;
	child = fork();
	if (!child) {
		become(uid);
		byte = hits(EVNTPROV_REGISTER_NOTIFY, expected);
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1 || byte)
		byte = 1;
	close(ready[0]);
	if (!byte)
		return child;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return -1;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* One user's use does not count for another; root has no limit */
TEST_F(limits, other_users_and_root_are_not_affected)
{
	int fd = dev_open(), err;
	pid_t holder;

	limit_set("max_user_registrations", 150);
	limit_set("max_user_notifications", 150);
	holder = hold_all(NOBODY, 150);
	ASSERT_LT(0, holder);
	EXPECT_EQ(0, AS(NOBODY, hits(0, 0)));
	EXPECT_EQ(0, AS(ALICE, hits(0, 150)));
	EXPECT_EQ(FILES * 100, register_all(0, &err));
	EXPECT_EQ(0, err);
	/* The user that opened the file is charged */
	EXPECT_EQ(0, AS(NOBODY, dev_register(fd, HANDLE(1, 1), 1, 0) ==
			EUSERS ? 0 : 1));
	EXPECT_EQ(150, user_of(self->trace, NOBODY).registrations);
	EXPECT_EQ(150, user_of(self->trace, NOBODY).notifications);
	EXPECT_EQ(2, user_of(self->trace, NOBODY).files);
	EXPECT_EQ(0, user_of(self->trace, ALICE).registrations);
	EXPECT_EQ(800, user_of(self->trace, 0).registrations);
	end(holder);
	EXPECT_EQ(0, AS(NOBODY, hits(0, 150)));
	close(fd);
	for (fd++; fd < 64; fd++)
		close(fd);
}

/* Become root of a user namespace, mapped to an unprivileged user outside */
static int enter_namespace(void)
{
	/* After a change of user, writing uid_map requires dumpability */
	if (prctl(PR_SET_DUMPABLE, 1) || unshare(CLONE_NEWUSER))
		return 1;
	if (!write_file("/proc/self/setgroups", "deny"))
		return 2;
	if (!write_file("/proc/self/uid_map", "0 65534 1"))
		return 3;
	return write_file("/proc/self/gid_map", "0 65534 1") ? 0 : 4;
}

/* Nested namespaces, in which root is not the initial root */
static int hits_in_namespaces(unsigned int expected)
{
	int err = enter_namespace();

	if (err)
		return 10 + err;
	if (unshare(CLONE_NEWUSER))
		return 20;
	return hits(0, expected);
}

TEST_F(limits, user_namespaces_do_not_raise_the_limit)
{
	pid_t holder;

	limit_set("max_user_registrations", 150);
	EXPECT_EQ(0, AS(NOBODY, hits_in_namespaces(150)));
	holder = hold_all(NOBODY, 150);
	ASSERT_LT(0, holder);
	EXPECT_EQ(0, AS(NOBODY, hits_in_namespaces(0)));
	end(holder);
}

TEST_F(limits, released_resources_can_be_allocated_again)
{
	int fd = dev_open();

	limit_set("max_user_registrations", 0);
	ASSERT_EQ(0, dev_register(fd, HANDLE(1, 1), 1, 0));
	EXPECT_EQ(EUSERS, AS(NOBODY, dev_register(fd, HANDLE(2, 1), 1, 0)));
	limit_set("max_user_registrations", 1);
	EXPECT_EQ(EUSERS, AS(NOBODY, dev_register(fd, HANDLE(2, 1), 1, 0)));
	EXPECT_EQ(0, dev_unregister(fd, HANDLE(1, 1)));
	EXPECT_EQ(0, AS(NOBODY, dev_register(fd, HANDLE(2, 1), 1, 0)));
	close(fd);
}

/* The limit for all users together also applies to root */
TEST_F(limits, registrations_of_all_users_are_limited)
{
	int fd = dev_open(), err;

	limit_set("max_registrations", 150);
	EXPECT_EQ(150, register_all(0, &err));
	EXPECT_EQ(EUSERS, err);
	EXPECT_EQ(EUSERS, dev_register(fd, HANDLE(1, 1), 1, 0));
	close(fd);
	for (fd++; fd < 64; fd++)
		close(fd);
}

/* A failed call is not charged */
TEST_F(limits, failed_requests_are_not_charged)
{
	int fd = dev_open();

	limit_set("max_registrations", 2);
	ASSERT_EQ(0, dev_register(fd, HANDLE(1, 1), 1, 0));
	EXPECT_EQ(EBUSY, dev_register(fd, HANDLE(1, 2), 1, 0));
	EXPECT_EQ(EINVAL, dev_register(fd, HANDLE(0, 2), 1, 0));
	EXPECT_EQ(1, user_of(self->trace, 0).registrations);
	EXPECT_EQ(0, dev_register(fd, HANDLE(2, 2), 1, 0));
	close(fd);
	EXPECT_EQ(0, user_of(self->trace, 0).registrations);
}

/* Open the device until it fails; returns the number of successes */
static unsigned int open_all(unsigned int most, int *err)
{
	unsigned int count = 0;

	*err = 0;
	while (count < most && dev_open() >= 0)
		count++;
	if (count < most)
		*err = errno;
	return count;
}

static int opens(unsigned int expected)
{
	int err;

	return open_all(expected + 1, &err) == expected && err == EUSERS ? 0 : 1;
}

/* A file may allocate an enable area without any registration */
TEST_F(limits, open_files_of_a_user_are_limited)
{
	limit_set("max_user_files", 20);
	EXPECT_EQ(0, AS(NOBODY, opens(20)));
	EXPECT_EQ(0, AS(NOBODY, opens(20)));
	EXPECT_EQ(0, user_of(self->trace, NOBODY).files);
	limit_set("max_user_files", 1);
	EXPECT_EQ(0, AS(NOBODY, enter_namespace() || opens(1)));
}

/* A user sees only itself; root sees all users */
TEST_F(limits, users_see_only_their_own_usage)
{
	pid_t holder;

	limit_set("max_user_registrations", 7);
	holder = hold_all(NOBODY, 7);
	ASSERT_LT(0, holder);
	EXPECT_EQ(7, user_of(self->trace, NOBODY).registrations);
	EXPECT_EQ(7, AS(NOBODY, user_of(self->trace, NOBODY).registrations));
	EXPECT_EQ(0, AS(ALICE, user_of(self->trace, NOBODY).registrations));
	end(holder);
}

/* Register one provider many times in a process */
static int register_many(unsigned int files, int ready)
{
	unsigned int file, slot;
	int fd;

	for (file = 0; file < files; file++) {
		fd = dev_open();
		for (slot = 1; slot <= 1024; slot++) {
			if (dev_register(fd, HANDLE(slot, 1), 1, 0))
				return 1;
		}
	}
	if (write(ready, "", 1) != 1)
		return 2;
	pause();
	return 0;
}

/*
 * A long list of one provider's registrations must not hide others: the
 * library's list contains each registration once.
 */
TEST_F(limits, the_last_registration_fits_in_a_list)
{
	struct evntrace_registration *all;
	unsigned int found = 0, mine = 0;
	int ready[2], fd = dev_open();
	size_t i, count;
	void *elements;
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	child = fork();
	if (!child) {
		become(NOBODY);
		_exit(register_many(65, ready[1]));
	}
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	close(ready[0]);
	ASSERT_EQ(0, dev_register(fd, HANDLE(1, 1), 2, 0));
	ASSERT_EQ(0, evnt_device_list(self->trace, EVNTRACE_LIST_REGISTRATIONS,
				      sizeof(*all), &elements, &count));
	all = elements;
	EXPECT_EQ(65 * 1024 + 1, count);
	for (i = 0; i < count; i++) {
		found += all[i].pid == (__u32)child;
		mine += all[i].pid == (__u32)getpid();
	}
	EXPECT_EQ(65 * 1024, found);
	EXPECT_EQ(1, mine);
	free(elements);
	end(child);
	close(fd);
}

static const struct evntrace_start small = { .buffer_size = 4096 };

/* Start sessions up to the maximum or the first error; returns their number */
static unsigned int start_all(int trace, const char *name, __u64 *handles,
			      int *err)
{
	unsigned int count;
	char text[32];
	int log;

	*err = 0;
	for (count = 0; count < EVNTRACE_MAX_SESSIONS; count++) {
		__u16 wide[32];
		struct evntrace_start arg;

		snprintf(text, sizeof(text), "%s%u", name, count);
		log = memfd_create(text, 0);
		arg = start_arg(wide, text, log);
		arg.buffer_size = small.buffer_size;
		*err = do_ioctl(trace, EVNTRACE_IOC_START, &arg);
		close(log);
		if (*err)
			break;
		handles[count] = arg.handle;
	}
	return count;
}

/* Number of sessions that a group member can start before EUSERS */
static int sessions_until_EUSERS(int trace, const char *name)
{
	__u64 handles[EVNTRACE_MAX_SESSIONS];
	int err, count = start_all(trace, name, handles, &err);

	return err == EUSERS ? count : 100 + err;
}

static unsigned int stop_all(int trace)
{
	__u64 handles[EVNTRACE_MAX_SESSIONS];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)handles,
		.count = EVNTRACE_MAX_SESSIONS,
	};
	unsigned int i;

	if (do_ioctl(trace, EVNTRACE_IOC_LIST, &l))
		return -1;
	for (i = 0; i < l.count; i++)
		dev_stop(trace, handles[i], NULL);
	return l.count;
}

static int sessions_in_namespaces(int trace)
{
	int err = enter_namespace();

	return err ? 200 + err : sessions_until_EUSERS(trace, "namespace");
}

/* Sessions outlive the starting process, and stay charged */
TEST_F(limits, sessions_of_a_user_are_limited)
{
	__u64 handle;
	int fd = self->trace;

	limit_set("max_user_sessions", 3);
	EXPECT_EQ(3, AS(NOBODY, sessions_until_EUSERS(fd, "nobody")));
	EXPECT_EQ(3, user_of(fd, NOBODY).sessions);
	EXPECT_LT(0, user_of(fd, NOBODY).session_bytes);
	EXPECT_EQ(0, AS(NOBODY, sessions_until_EUSERS(fd, "again")));
	EXPECT_EQ(0, AS(NOBODY, sessions_in_namespaces(fd)));
	EXPECT_EQ(3, AS(ALICE, sessions_until_EUSERS(fd, "alice")));
	EXPECT_EQ(0, dev_start(fd, "root", NULL, &(struct evntrace_start) {
		.buffer_size = 4096, .log_file_mode = EVNTRACE_MODE_REAL_TIME,
	}, &handle));
	EXPECT_EQ(7, stop_all(fd));
	EXPECT_EQ(0, user_of(fd, NOBODY).sessions);
	EXPECT_EQ(0, user_of(fd, NOBODY).session_bytes);
	EXPECT_EQ(3, AS(NOBODY, sessions_until_EUSERS(fd, "nobody")));
	EXPECT_EQ(3, stop_all(fd));
}

TEST_F(limits, the_last_sessions_are_reserved_for_admins)
{
	__u64 handles[EVNTRACE_MAX_SESSIONS];
	int fd = self->trace, err;

	limit_set("reserved_sessions", 60);
	EXPECT_EQ(4, AS(NOBODY, sessions_until_EUSERS(fd, "nobody")));
	EXPECT_EQ(0, AS(ALICE, sessions_until_EUSERS(fd, "alice")));
	EXPECT_EQ(60, start_all(fd, "root", handles, &err));
	EXPECT_EQ(EUSERS, err);
	EXPECT_EQ(64, stop_all(fd));
}

/* Enable providers in a new session until EUSERS; returns their number */
static int enable_until_EUSERS(int trace, unsigned int most)
{
	struct evntrace_start bound = {
		.flags = EVNTRACE_START_BOUND, .buffer_size = 4096,
		.log_file_mode = EVNTRACE_MODE_BUFFERING,
	};
	unsigned int count = 0;
	__u64 handle;
	int err;

	if (dev_start(trace, "enables", NULL, &bound, &handle))
		return 200;
	do
		err = dev_enable(trace, handle, count);
	while (!err && ++count < most);
	/* An existing enablement may still be changed */
	if (err != EUSERS || dev_enable(trace, handle, 0) ||
	    user_of(trace, NOBODY).enablements != count)
		return 100 + err;
	return dev_stop(trace, handle, NULL) ? 201 : (int)count;
}

TEST_F(limits, providers_enabled_by_a_users_sessions_are_limited)
{
	int fd = self->trace;

	limit_set("max_user_enablements", 40);
	EXPECT_EQ(40, AS(NOBODY, enable_until_EUSERS(fd, 50)));
	EXPECT_EQ(40, AS(NOBODY, enable_until_EUSERS(fd, 50)));
	EXPECT_EQ(0, user_of(fd, NOBODY).enablements);
	/* Root has no limit, so all are enabled */
	EXPECT_EQ(100, enable_until_EUSERS(fd, 50));
	EXPECT_EQ(1, stop_all(fd));
}

static const struct evntrace_filter by_name = {
	.ptr = (uintptr_t)"nothing", .len = 7,
	.type = EVNTRACE_FILTER_EXECUTABLE_NAME,
};

static const struct evntrace_filter by_other_name = {
	.ptr = (uintptr_t)"nothing else", .len = 12,
	.type = EVNTRACE_FILTER_EXECUTABLE_NAME,
};

/* Private sessions count like others */
TEST_F(limits, private_sessions_of_a_user_are_limited)
{
	int fd = self->trace;
	__u64 handle, other;

	limit_set("max_user_sessions", 1);
	EXPECT_EQ(0, AS(NOBODY, private_start(fd, "one", &by_name, &handle)));
	EXPECT_EQ(1, user_of(fd, NOBODY).sessions);
	EXPECT_EQ(EUSERS, AS(NOBODY, private_start(fd, "two", &by_other_name,
						   &handle)));
	EXPECT_EQ(0, AS(NOBODY, sessions_until_EUSERS(fd, "nobody")));
	limit_set("max_user_sessions", 9);
	limit_set("reserved_sessions", EVNTRACE_MAX_PRIVATE - 1);
	EXPECT_EQ(EUSERS, AS(NOBODY, private_start(fd, "two", &by_other_name,
						   &handle)));
	EXPECT_EQ(0, private_start(fd, "two", &by_other_name, &other));
	EXPECT_EQ(0, private_find(fd, "one", &by_name, &handle));
	EXPECT_EQ(0, private_control(fd, EVNTRACE_CONTROL_STOP, handle, &by_name));
	EXPECT_EQ(0, private_control(fd, EVNTRACE_CONTROL_STOP, other,
				     &by_other_name));
	EXPECT_EQ(0, user_of(fd, NOBODY).sessions);
}

/* Start a session with at least 1 MiB, 16 buffers of 64 KiB */
static int start_mib(int trace, const char *name, __u32 mode, __u64 *handle)
{
	struct evntrace_start arg = {
		.log_file_mode = mode, .buffer_size = 65536, .min_buffers = 16,
		.max_buffers = 16,
	};

	return dev_start(trace, name, NULL, &arg, handle);
}

TEST_F(limits, memory_of_a_users_sessions_is_limited)
{
	const __u32 mode = EVNTRACE_MODE_BUFFERING;
	int fd = self->trace;
	__u64 h, one, two;

	limit_set("max_user_session_kb", 2047);
	EXPECT_EQ(0, AS(NOBODY, start_mib(fd, "one", mode, &h)));
	EXPECT_EQ(1048576, user_of(fd, NOBODY).session_bytes);
	EXPECT_EQ(ENOMEM, AS(NOBODY, start_mib(fd, "two", mode, &h)));
	EXPECT_EQ(0, AS(ALICE, start_mib(fd, "two", mode, &h)));
	EXPECT_EQ(0, start_mib(fd, "root1", mode, &one));
	EXPECT_EQ(0, start_mib(fd, "root2", mode, &two));
	/* The limit for all sessions together also applies to root */
	limit_set("max_session_kb", 5119);
	EXPECT_EQ(ENOMEM, start_mib(fd, "root3", mode, &h));
	EXPECT_EQ(0, dev_stop(fd, two, NULL));
	EXPECT_EQ(0, start_mib(fd, "root3", mode, &h));
	EXPECT_EQ(4, stop_all(fd));
	EXPECT_EQ(0, user_of(fd, NOBODY).session_bytes);
	EXPECT_EQ(0, user_of(fd, 0).session_bytes);
}

/* Buffers for consumers are charged to the user that started the session */
TEST_F(limits, memory_of_a_users_consumers_is_limited)
{
	const __u32 mode = EVNTRACE_MODE_REAL_TIME;
	struct evntrace_open_consumer arg;
	unsigned long has;
	int fd = self->trace, consumer;
	__u64 h;

	ASSERT_EQ(0, AS(NOBODY, start_mib(fd, "one", mode, &h)));
	has = user_of(fd, NOBODY).session_bytes;
	limit_set("max_user_session_kb", has / 1024);
	ASSERT_EQ(0, do_ioctl(fd, EVNTRACE_IOC_LIST, &(struct evntrace_list) {
		.size = sizeof(struct evntrace_list), .count = 1,
		.element_size = sizeof(h), .elements = (uintptr_t)&h,
	}));
	consumer = dev_open_session(fd, h, EVNTRACE_RIGHT_ACCESS_REALTIME);
	ASSERT_LE(0, consumer);
	EXPECT_EQ(ENOMEM, consumer_bind(consumer, &arg));
	limit_set("max_user_session_kb", 1000000);
	EXPECT_EQ(0, consumer_bind(consumer, &arg));
	EXPECT_LT(has, user_of(fd, NOBODY).session_bytes);
	EXPECT_EQ(1, stop_all(fd));
	/* The memory stays charged until the consumer closes */
	EXPECT_LT(has, user_of(fd, NOBODY).session_bytes);
	EXPECT_EQ(0, user_of(fd, NOBODY).sessions);
	close(consumer);
	EXPECT_EQ(0, user_of(fd, NOBODY).session_bytes);
}

TEST_HARNESS_MAIN
