/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits: how much one user, and all users together, may have of the module.
 *
 * Owns the table of users that have anything.  Knows neither providers nor
 * sessions: these charge what they make, and take the charge back.
 */
#ifndef EVNT_QUOTA_H
#define EVNT_QUOTA_H

#include <linux/types.h>

struct evntrace_user;

/* Kinds of things that are counted for each user */
enum evnt_limited {
	EVNT_REGISTRATIONS,
	EVNT_NOTIFICATIONS,	/* registrations that want notifications */
	EVNT_FILES,		/* of /dev/evntprov, with their enable areas */
	EVNT_SESSIONS,		/* and private loggers */
	EVNT_ENABLEMENTS,	/* providers that its sessions have enabled */
	EVNT_SESSION_BYTES,	/* of their buffers */
	EVNT_LIMITED
};

struct evnt_user;

struct evnt_user *evnt_user_get(void);
void evnt_user_put(struct evnt_user *user);
bool evnt_is_exempt(void);
int evnt_charge(struct evnt_user *user, enum evnt_limited what, u64 count,
		bool is_exempt);
void evnt_uncharge(struct evnt_user *user, enum evnt_limited what, u64 count);
bool evnt_may_take_slot(u32 taken, u32 slots, bool is_exempt);
void evnt_users_for_each(void (*fn)(const struct evntrace_user *e, void *data),
			 void *data);
void evnt_limits_init(void);

#endif /* EVNT_QUOTA_H */
