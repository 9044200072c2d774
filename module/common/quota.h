/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits on the resources of the module that one user, and all users, may have.
 *
 * Owns the table of users with charges.  Knows neither providers nor sessions:
 * these charge for what they create, and undo the charge when it is gone.
 */
#ifndef EVNT_QUOTA_H
#define EVNT_QUOTA_H

#include <linux/types.h>

struct evntrace_user;

/* Kinds of objects that are counted for each user */
enum evnt_limited {
	EVNT_REGISTRATIONS,
	EVNT_NOTIFICATIONS,	/* registrations that want notifications */
	EVNT_FILES,		/* of /dev/evntprov, with their enable areas */
	EVNT_SESSIONS,		/* including private sessions */
	EVNT_ENABLEMENTS,	/* providers enabled by its sessions */
	EVNT_SESSION_BYTES,	/* bytes of session buffers */
	EVNT_RESCUES,		/* logs that are completed: EVNTPROV_IOC_RESCUE */
	EVNT_LATE_RESCUES,	/* logs for which a process has waited in vain */
	EVNT_RINGS,		/* of threads that write to /dev/evntprov */
	EVNT_LIMITED
};

struct evnt_user;

struct evnt_user *evnt_user_get(void);
void evnt_user_put(struct evnt_user *user);
bool evnt_is_exempt(void);
int evnt_charge(struct evnt_user *user, enum evnt_limited what, u64 count,
		bool is_exempt);
void evnt_uncharge(struct evnt_user *user, enum evnt_limited what, u64 count);
bool evnt_is_charged(const struct evnt_user *user, enum evnt_limited what);
bool evnt_may_take_slot(u32 taken, u32 slots, bool is_exempt);
void evnt_users_for_each(void (*fn)(const void *user, void *data), void *data);
void evnt_limits_init(void);

#endif /* EVNT_QUOTA_H */
