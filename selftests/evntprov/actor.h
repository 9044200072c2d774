/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes of other users, with fewer capabilities, which attack what root has
 * opened for them.
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

#include "door.h"

#define ALICE	61001
#define BOB	61002

/* Become a user without capabilities, in its own group and in @group, if not 0 */
static inline void become(unsigned int uid, unsigned int group)
{
	gid_t groups[] = { group };

	if (setgroups(!!group, groups) || setgid(uid) || setuid(uid))
		_exit(99);
}

/* Have no capability but one, or none if -1; call it before become() */
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

/* As become(), but in namespaces of its own */
static inline void become_apart(unsigned int uid, int namespaces)
{
	become(uid, 0);
	if (unshare(namespaces))
		_exit(98);
}

/* As become(), with one capability */
static inline void become_with(unsigned int uid, int capability)
{
	if (prctl(PR_SET_KEEPCAPS, 1))
		_exit(99);
	become(uid, 0);
	keep_capability(capability);
}

/* The value of @code in a process that does @before first */
#define IN_CHILD(before, code) ({					\
	int status_;							\
	pid_t child_ = fork();						\
	if (!child_) {							\
		before;							\
		_exit(code);						\
	}								\
	waitpid(child_, &status_, 0);					\
	WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; })

/* The value of @code in a process of user @uid and group @group */
#define AS(uid, group, code)	IN_CHILD(become(uid, group), code)

/* The ways to read what is in a session; each returns 0 or an errno */

static inline int read_by_update(int fd, __u64 session)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_update arg = {
		.size = sizeof(arg), .handle = session,
		.flags = EVNTRACE_UPDATE_LOG, .log_name = (uintptr_t)name,
		.log_name_len = 1, .log_fd = memfd_create("stolen", 0),
	};

	return do_ioctl(fd, EVNTRACE_IOC_UPDATE, &arg);
}

static inline int read_by_snapshot(int fd, __u64 session)
{
	static const __u16 name[] = { 'x' };
	struct evntrace_snapshot arg = {
		.size = sizeof(arg), .handle = session,
		.log_name = (uintptr_t)name, .log_name_len = 1,
		.log_fd = memfd_create("stolen", 0),
	};

	return do_ioctl(fd, EVNTRACE_IOC_SNAPSHOT, &arg);
}

/* With /dev/evntrace open to everyone; ends with the process */
static inline int read_by_consuming(__u64 session)
{
	struct evntrace_consume arg = {
		.size = sizeof(arg), .handle = session,
	};
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);

	return fd < 0 ? 97 : do_ioctl(fd, EVNTRACE_IOC_CONSUME, &arg);
}

#endif /* EVNT_TEST_ACTOR_H */
