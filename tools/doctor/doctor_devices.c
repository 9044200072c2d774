// SPDX-License-Identifier: MIT
/* Checks the access rights of the devices, and whether this user has them */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "tools/evnt.h"
#include "tools/common/process.h"

#define DEVICE		"device"
#define USER		"user"
#define WRITERS		"/dev/evntprov"
#define CONTROLLERS	"/dev/evntrace"

/* Describe the type, owner and mode of a device */
static void describe(const struct stat *st, char *text, size_t size)
{
	const struct group *group = getgrgid(st->st_gid);
	char user[32], number[16];

	snprintf(number, sizeof(number), "%u", st->st_gid);
	snprintf(text, size, "%s, group %s, mode %04o",
		 user_name(st->st_uid, user, sizeof(user)),
		 group ? group->gr_name : number, st->st_mode & 07777);
}

static bool stat_device(struct doctor *d, const char *path, struct stat *st)
{
	if (!stat(path, st)) {
		if (S_ISCHR(st->st_mode))
			return true;
		found(&d->f, FINDING_PROBLEM, DEVICE, "%s is no device", path);
		advise(&d->f, "remove it as root, and load the module again");
		return false;
	}
	found(&d->f, FINDING_PROBLEM, DEVICE, "%s does not exist, although the"
	      " module is loaded", path);
	/* A container has only the devices that were passed to it */
	if (!access("/.dockerenv", F_OK) ||
	    !access("/run/.containerenv", F_OK) ||
	    !access("/run/systemd/container", F_OK))
		advise(&d->f, "this is a container: start it with the device, as"
		       " 'docker run --device %s' does", path);
	else
		advise(&d->f, "is devtmpfs mounted on /dev? 'mount -t devtmpfs"
		       " none /dev' as root; see also 'udevadm trigger"
		       " --name-match=%s'", path + strlen("/dev/"));
	return false;
}

/* Return whether this process is in a group */
static bool in_group(gid_t gid)
{
	int count = getgroups(0, NULL);
	gid_t *groups;
	bool has = gid == getegid();

	if (count <= 0)
		return has;
	groups = must_have(calloc(count, sizeof(*groups)));
	count = getgroups(count, groups);
	for (int i = 0; i < count; i++)
		has |= groups[i] == gid;
	free(groups);
	return has;
}

/*
 * Return whether the group database lists the user as a member, which takes
 * effect at the next login
 */
static bool is_member(const struct group *group, const char *user)
{
	for (char **member = group->gr_mem; *member; member++) {
		if (!strcmp(*member, user))
			return true;
	}
	return false;
}

static void check_user(struct doctor *d, const struct stat *st)
{
	const struct group *group = NULL;
	char user[32];

	user_name(geteuid(), user, sizeof(user));
	if (!access(CONTROLLERS, R_OK | W_OK)) {
		found(&d->f, FINDING_OK, USER, "%s may control sessions", user);
		return;
	}
	found(&d->f, FINDING_PROBLEM, USER, "%s may not control sessions: no"
	      " permission to open %s", user, CONTROLLERS);
	if (st->st_gid && st->st_mode & S_IWGRP)
		group = getgrgid(st->st_gid);
	if (!group)
		advise(&d->f, "become root, as with sudo; or give %s to a group"
		       " by a udev rule: KERNEL==\"evntrace\","
		       " GROUP=\"evntprov\", MODE=\"0660\"", CONTROLLERS);
	else if (in_group(st->st_gid))
		advise(&d->f, "is there an access list on the device, or a"
		       " security module in the way?");
	else if (is_member(group, user))
		advise(&d->f, "%s is a member of group '%s' from the next login"
		       " on: log out and in, or run 'newgrp %s'", user,
		       group->gr_name, group->gr_name);
	else
		advise(&d->f, "become root, as with sudo; or a member of the"
		       " group: 'usermod -aG %s %s' as root, then log in again",
		       group->gr_name, user);
}

void doctor_devices(struct doctor *d)
{
	char text[128];
	struct stat st;

	if (stat_device(d, WRITERS, &st)) {
		describe(&st, text, sizeof(text));
		if ((st.st_mode & 0666) == 0666) {
			found(&d->f, FINDING_OK, DEVICE, "%s, for writing"
			      " events: %s", WRITERS, text);
		} else {
			found(&d->f, FINDING_PROBLEM, DEVICE, "%s, for writing"
			      " events: %s: programs of other users cannot open"
			      " it, and run as if nothing was ever enabled",
			      WRITERS, text);
			advise(&d->f, "run 'chmod 0666 %s' as root, and make"
			       " sure that no udev rule changes it back",
			       WRITERS);
		}
	}
	if (!stat_device(d, CONTROLLERS, &st))
		return;
	describe(&st, text, sizeof(text));
	if (st.st_mode & S_IWOTH) {
		found(&d->f, FINDING_PROBLEM, DEVICE, "%s, for controlling"
		      " sessions: %s: everyone may record the events of others",
		      CONTROLLERS, text);
		advise(&d->f, "run 'chmod 0660 %s' as root, and make sure that"
		       " no udev rule changes it back", CONTROLLERS);
	} else {
		found(&d->f, FINDING_OK, DEVICE, "%s, for controlling sessions:"
		      " %s", CONTROLLERS, text);
	}
	check_user(d, &st);
}
