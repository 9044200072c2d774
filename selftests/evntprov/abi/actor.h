/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Child processes that run as other users with fewer capabilities, and attack
 * the devices that root has opened for them.
 */
#ifndef EVNT_TEST_ACTOR_H
#define EVNT_TEST_ACTOR_H

#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "selftests/evntprov/common/device.h"

#define ALICE	61001
#define BOB	61002

/* Become user @uid without capabilities, in group @group too unless it is 0 */
static inline void become(unsigned int uid, unsigned int group)
{
	gid_t groups[] = { group };

	if (setgroups(!!group, groups) || setgid(uid) || setuid(uid))
		_exit(99);
}

/* Drop all capabilities except one, or all if -1; call before become() */
static inline void keep_capability(int capability)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = {};

	if (capability >= 0) {
		data[capability / 32].effective = 1u << capability % 32;
		data[capability / 32].permitted = 1u << capability % 32;
	}
	if (syscall(SYS_capset, &header, data))
		_exit(99);
}

/* Like become(), but in new namespaces */
static inline void become_apart(unsigned int uid, int namespaces)
{
	become(uid, 0);
	if (unshare(namespaces))
		_exit(98);
}

/* Like become(), but keep one capability */
static inline void become_with(unsigned int uid, int capability)
{
	if (prctl(PR_SET_KEEPCAPS, 1))
		_exit(99);
	become(uid, 0);
	keep_capability(capability);
}

/* Evaluate @code in a child process after @before; yields its exit status */
#define IN_CHILD(before, code) ({					\
	int status_;							\
	pid_t child_ = fork();						\
	if (!child_) {							\
		before;							\
		_exit(code);						\
	}								\
	waitpid(child_, &status_, 0);					\
	WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; })

/* Evaluate @code in a child process of user @uid and group @group */
#define AS(uid, group, code)	IN_CHILD(become(uid, group), code)

/* Read a session by each possible way; return 0 or an errno */

static inline int read_by_update(int fd, __u64 session)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_update arg = {
		.size = sizeof(arg),
		.flags = EVNTRACE_UPDATE_LOG, .log_name = (uintptr_t)name,
		.log_name_len = 1, .log_fd = memfd_create("stolen", 0),
	};

	return dev_ioctl(fd, session, EVNTRACE_IOC_UPDATE, &arg);
}

static inline int read_by_snapshot(int fd, __u64 session)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_snapshot arg = {
		.size = sizeof(arg),
		.log_name = (uintptr_t)name, .log_name_len = 1,
		.log_fd = memfd_create("stolen", 0),
	};

	return dev_ioctl(fd, session, EVNTRACE_IOC_SNAPSHOT, &arg);
}

/* Open /dev/evntrace to everyone; consume until the process exits */
static inline int read_by_consuming(__u64 session)
{
	struct evntrace_open_consumer arg = { .size = sizeof(arg) };
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return 97;
	fd = dev_open_session(fd, session, EVNTRACE_RIGHT_ACCESS_REALTIME);
	return fd < 0 ? -fd : do_ioctl(fd, EVNTRACE_IOC_OPEN_CONSUMER, &arg);
}

#endif /* EVNT_TEST_ACTOR_H */
