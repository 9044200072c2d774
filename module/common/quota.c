// SPDX-License-Identifier: GPL-2.0
/*
 * Limits on the resources of the module that one user, and all users, may have.
 *
 * A user is charged for what is created through files that it has opened, and
 * for its sessions, until these objects are gone, even if no process of the
 * user is left.  The table contains users with a charge or a reference.
 *
 * As for usbcore, the limits are module parameters: they apply to the whole
 * machine, and lowering one does not affect existing objects.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#include "module/common/module.h"
#include "module/common/quota.h"

#define USER_HASH_BITS	6

/* Default limit of a user's files on machines with enough memory */
#define MAX_USER_FILES	4096ul
/* Each may be waited for at the end of a process, and have a thread then */
#define MAX_USER_RESCUES	256u
/* Memory in KiB of a file with a full enable area and its metadata */
#define FILE_KB		96ul

/**
 * struct evnt_user - what a user is charged for
 * @node: entry in the table; evnt_limits_lock
 * @uid: user id; constant
 * @refs: number of the user's files, sessions and private sessions;
 *	evnt_limits_lock
 * @counts: number of objects of each kind; evnt_limits_lock
 */
struct evnt_user {
	struct hlist_node node;
	kuid_t uid;
	u32 refs;
	u64 counts[EVNT_LIMITED];
};

/*
 * Guards the table and all counts.  Innermost lock: taken with or without
 * evnt_lock, also in page faults.
 */
static DEFINE_SPINLOCK(evnt_limits_lock);
static DEFINE_HASHTABLE(evnt_users, USER_HASH_BITS);
/* Number of objects of each kind of all users and the kernel */
static u64 evnt_totals[EVNT_LIMITED];

static unsigned int max_user_registrations = 16384;
module_param(max_user_registrations, uint, 0644);
MODULE_PARM_DESC(max_user_registrations,
		 "registrations of providers that one user may have");

static unsigned int max_user_notifications = 8192;
module_param(max_user_notifications, uint, 0644);
MODULE_PARM_DESC(max_user_notifications,
		 "of these, registrations that want notifications");

static unsigned int max_user_files;
module_param(max_user_files, uint, 0644);
MODULE_PARM_DESC(max_user_files,
		 "files of /dev/evntprov that one user may have open; at first 4096, or as many as may fill an eighth of the memory");

static unsigned int max_user_sessions = 32;
module_param(max_user_sessions, uint, 0644);
MODULE_PARM_DESC(max_user_sessions,
		 "sessions and private sessions that one user may have");

static unsigned int max_user_enablements = 4096;
module_param(max_user_enablements, uint, 0644);
MODULE_PARM_DESC(max_user_enablements,
		 "providers that one user's sessions may have enabled");

static unsigned long max_user_session_kb;
module_param(max_user_session_kb, ulong, 0644);
MODULE_PARM_DESC(max_user_session_kb,
		 "KiB of buffers of one user's sessions; at first an eighth of the memory");

static unsigned int max_registrations = 1048576;
module_param(max_registrations, uint, 0644);
MODULE_PARM_DESC(max_registrations,
		 "registrations of providers of all users and of the kernel");

static unsigned long max_session_kb;
module_param(max_session_kb, ulong, 0644);
MODULE_PARM_DESC(max_session_kb,
		 "KiB of buffers of all sessions; at first a quarter of the memory");

static unsigned int reserved_sessions = 8;
module_param(reserved_sessions, uint, 0644);
MODULE_PARM_DESC(reserved_sessions,
		 "sessions, and private sessions, that are left to privileged users");

/*
 * Set the defaults that depend on the memory size, unless set by the command
 * line
 */
void evnt_limits_init(void)
{
	const unsigned long kb = totalram_pages() << (PAGE_SHIFT - 10);

	if (!max_user_files)
		max_user_files = min(MAX_USER_FILES, kb / 8 / FILE_KB);
	if (!max_user_session_kb)
		max_user_session_kb = kb / 8;
	if (!max_session_kb)
		max_session_kb = kb / 4;
}

static u64 user_limit(enum evnt_limited what)
{
	switch (what) {
	case EVNT_REGISTRATIONS:
		return READ_ONCE(max_user_registrations);
	case EVNT_NOTIFICATIONS:
		return READ_ONCE(max_user_notifications);
	case EVNT_FILES:
		return READ_ONCE(max_user_files);
	case EVNT_SESSIONS:
		return READ_ONCE(max_user_sessions);
	case EVNT_ENABLEMENTS:
		return READ_ONCE(max_user_enablements);
	case EVNT_RESCUES:
		return MAX_USER_RESCUES;
	case EVNT_RINGS:
		return evnt_lanes / 2;
	default:
		return (u64)READ_ONCE(max_user_session_kb) << 10;
	}
}

static u64 total_limit(enum evnt_limited what)
{
	switch (what) {
	case EVNT_REGISTRATIONS:
		return READ_ONCE(max_registrations);
	case EVNT_SESSION_BYTES:
		return (u64)READ_ONCE(max_session_kb) << 10;
	default:
		return U64_MAX;
	}
}

/*
 * Return the user that the caller is charged as.  In a user namespace this is
 * the owner of its outermost ancestor below the initial one, as a caller could
 * create any number of uids inside.  In namespaces created by root the caller's
 * own uid counts, since root has delegated those uids, and they are as good as
 * other users.
 */
static kuid_t charged_uid(void)
{
	const struct user_namespace *ns = current_user_ns();

	if (ns == &init_user_ns)
		return current_euid();
	while (ns->parent != &init_user_ns)
		ns = ns->parent;
	return uid_eq(ns->owner, GLOBAL_ROOT_UID) ? current_euid() : ns->owner;
}

/**
 * evnt_user_get() - get the user that the caller is charged as
 *
 * May sleep.  Release with evnt_user_put().
 *
 * Return: the user, or NULL without memory.
 */
struct evnt_user *evnt_user_get(void)
{
	struct evnt_user *fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	struct evnt_user *user;

	if (!fresh)
		return NULL;
	fresh->uid = charged_uid();
	spin_lock(&evnt_limits_lock);
	hash_for_each_possible(evnt_users, user, node, __kuid_val(fresh->uid)) {
		if (uid_eq(user->uid, fresh->uid))
			goto found;
	}
	user = fresh;
	fresh = NULL;
	hash_add(evnt_users, &user->node, __kuid_val(user->uid));
found:
	user->refs++;
	spin_unlock(&evnt_limits_lock);
	kfree(fresh);
	return user;
}

/* Drop a reference to a user, which may be NULL */
void evnt_user_put(struct evnt_user *user)
{
	if (!user)
		return;
	spin_lock(&evnt_limits_lock);
	if (--user->refs)
		user = NULL;
	else
		hash_del(&user->node);
	spin_unlock(&evnt_limits_lock);
	kfree(user);
}

/*
 * Return whether the caller is exempt from user limits, by the same rule as for
 * pipes
 */
bool evnt_is_exempt(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYS_RESOURCE) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/* Return whether @count more fit; zero always fits, even above the limit */
static bool has_room(u64 has, u64 count, u64 limit)
{
	return !count || (has <= limit && count <= limit - has);
}

/**
 * evnt_charge() - charge a user for objects about to be created
 * @user: user, or NULL for the kernel
 * @what: kind of object
 * @count: number of objects, or bytes
 * @is_exempt: apply only the limit on all users together
 *
 * Takes a spinlock, and does not sleep.
 *
 * Return: 0, or -EUSERS beyond a limit.
 */
int evnt_charge(struct evnt_user *user, enum evnt_limited what, u64 count,
		bool is_exempt)
{
	const u64 limit = user && !is_exempt ? user_limit(what) : U64_MAX;
	int err = -EUSERS;

	spin_lock(&evnt_limits_lock);
	if (has_room(evnt_totals[what], count, total_limit(what)) &&
	    has_room(user ? user->counts[what] : 0, count, limit)) {
		evnt_totals[what] += count;
		if (user)
			user->counts[what] += count;
		err = 0;
	}
	spin_unlock(&evnt_limits_lock);
	return err;
}

/* Undo a charge */
void evnt_uncharge(struct evnt_user *user, enum evnt_limited what, u64 count)
{
	spin_lock(&evnt_limits_lock);
	evnt_totals[what] -= count;
	if (user)
		user->counts[what] -= count;
	spin_unlock(&evnt_limits_lock);
}

/* Return whether a user is charged for an object of a kind, just now */
bool evnt_is_charged(const struct evnt_user *user, enum evnt_limited what)
{
	bool is_charged;

	spin_lock(&evnt_limits_lock);
	is_charged = user->counts[what];
	spin_unlock(&evnt_limits_lock);
	return is_charged;
}

/* Return whether the caller may take another of @slots if @taken are in use */
bool evnt_may_take_slot(u32 taken, u32 slots, bool is_exempt)
{
	const u32 reserved = is_exempt ? 0 : READ_ONCE(reserved_sessions);

	return taken < slots && reserved < slots - taken;
}

/**
 * evnt_users_for_each() - report the charges of users
 * @fn: called with a struct evntrace_user for each user visible to the caller:
 *	its own, or all if it is exempt from limits; must not sleep
 * @data: passed to @fn
 */
void evnt_users_for_each(void (*fn)(const void *user, void *data), void *data)
{
	const bool sees_all = evnt_is_exempt();
	const kuid_t own = charged_uid();
	struct evnt_user *user;
	int bucket;

	spin_lock(&evnt_limits_lock);
	hash_for_each(evnt_users, bucket, user, node) {
		const struct evntrace_user e = {
			.uid = from_kuid_munged(current_user_ns(), user->uid),
			.registrations = user->counts[EVNT_REGISTRATIONS],
			.notifications = user->counts[EVNT_NOTIFICATIONS],
			.files = user->counts[EVNT_FILES],
			.sessions = user->counts[EVNT_SESSIONS],
			.enablements = user->counts[EVNT_ENABLEMENTS],
			.session_bytes = user->counts[EVNT_SESSION_BYTES],
		};

		if (sees_all || uid_eq(user->uid, own))
			fn(&e, data);
	}
	spin_unlock(&evnt_limits_lock);
}
