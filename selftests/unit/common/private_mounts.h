/* SPDX-License-Identifier: MIT */
/* Mounts that only the test's own process sees. */
#ifndef EVNT_TEST_PRIVATE_MOUNTS_H
#define EVNT_TEST_PRIVATE_MOUNTS_H

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static inline bool mounts_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	bool ok = fd >= 0 &&
		  write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return ok;
}

/* Become root in new namespaces, unless that has been done */
static inline bool mounts_enter(void)
{
	char users[32], groups[32];

	if (!unshare(CLONE_NEWNS))
		return true;
	snprintf(users, sizeof(users), "0 %d 1", getuid());
	snprintf(groups, sizeof(groups), "0 %d 1", getgid());
	return !unshare(CLONE_NEWUSER | CLONE_NEWNS) &&
	       mounts_write("/proc/self/setgroups", "deny") &&
	       mounts_write("/proc/self/uid_map", users) &&
	       mounts_write("/proc/self/gid_map", groups);
}

/* Enter a mount namespace; the process must have only one thread */
static inline bool mounts_begin(void)
{
	return mounts_enter() &&
	       !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

#endif /* EVNT_TEST_PRIVATE_MOUNTS_H */
