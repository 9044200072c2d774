// SPDX-License-Identifier: MIT
/*
 * Limits of users: the resources of the module that each user holds, and the
 * maximum
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/evntrace.h>

#include "tools/doctor/doctor.h"
#include "tools/session/control.h"

#define LIMITS		"limits"
#define PARAMETERS	"/sys/module/evntprov/parameters/"

/* Limits per user, and the counter that each applies to */
static const struct {
	const char *parameter;
	const char *what;
	size_t offset;
	unsigned int unit;
} limits[] = {
	{ "max_user_registrations", "registrations",
	  offsetof(struct evntrace_user, registrations), 1 },
	{ "max_user_notifications", "registrations with notifications",
	  offsetof(struct evntrace_user, notifications), 1 },
	{ "max_user_files", "files of /dev/evntprov",
	  offsetof(struct evntrace_user, files), 1 },
	{ "max_user_sessions", "sessions",
	  offsetof(struct evntrace_user, sessions), 1 },
	{ "max_user_enablements", "providers enabled",
	  offsetof(struct evntrace_user, enablements), 1 },
	{ "max_user_session_kb", "KiB of sessions' buffers",
	  offsetof(struct evntrace_user, session_bytes), 1024 },
};

static void name_user(struct doctor *d, const struct evntrace_user *user)
{
	json_object *object = finding_object(&d->f);

	if (object)
		json_add_number(object, "uid", user->uid);
}

/* Report the limits that a user has reached, or what the user holds */
static void check_user(struct doctor *d, const struct evntrace_user *user)
{
	char path[PATH_MAX], text[32], *end;
	bool is_at_limit = false;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const char *at = (const char *)user + limits[i].offset;
		uint64_t has = *(const __u64 *)at / limits[i].unit, limit;

		snprintf(path, sizeof(path), PARAMETERS "%s",
			 limits[i].parameter);
		doctor_line(d, path, text, sizeof(text));
		limit = strtoull(text, &end, 10);
		/* A parameter that cannot be read, or a limit not reached */
		if (!*text || *end || has < limit)
			continue;
		found(&d->f, FINDING_NOTE, LIMITS, "user %u has %" PRIu64
		      " %s, and %s is %" PRIu64, user->uid, has,
		      limits[i].what, limits[i].parameter, limit);
		advise(&d->f, "end what it does not need; or 'echo NUMBER > "
		       PARAMETERS "%s' as root, and 'options evntprov"
		       " %s=NUMBER' in a file of /etc/modprobe.d for good",
		       limits[i].parameter, limits[i].parameter);
		name_user(d, user);
		is_at_limit = true;
	}
	if (is_at_limit)
		return;
	found(&d->f, FINDING_OK, LIMITS, "user %u has %" PRIu64 " registrations,"
	      " %" PRIu64 " sessions, and %" PRIu64 " KiB of buffers",
	      user->uid, (uint64_t)user->registrations,
	      (uint64_t)user->sessions, (uint64_t)user->session_bytes / 1024);
	name_user(d, user);
}

void doctor_limits(struct doctor *d, int device)
{
	struct evntrace_user *users;
	void *elements;
	size_t count;

	/* Older modules have no limits */
	if (!dev_list(device, EVNTRACE_LIST_USERS, sizeof(*users), &elements,
		      &count)) {
		users = elements;
		for (size_t i = 0; i < count; i++)
			check_user(d, &users[i]);
	}
	free(elements);
}
