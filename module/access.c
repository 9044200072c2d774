// SPDX-License-Identifier: GPL-2.0
/*
 * Who may do what with which provider or session.
 *
 * A list is never changed, but replaced by another one.  Whoever looks at one
 * is under RCU; whoever replaces one has evnt_lock.
 *
 * Only who has CAP_SYS_ADMIN in the first user namespace changes lists.  They
 * are for the whole machine, and for GUIDs that need not be anybody's yet: there
 * is no owner to ask, and who could make a list for another one's GUID could
 * lock him out.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include "access.h"
#include "compat/compat.h"

#define ACCESS_HASH_BITS	6

/**
 * struct evnt_access_entry - what one user, one group or everyone may do or not
 * @who: EVNTRACE_WHO_*
 * @deny: or not
 * @rights: EVNTRACE_RIGHT_*
 * @uid: of EVNTRACE_WHO_USER
 * @gid: of EVNTRACE_WHO_GROUP
 */
struct evnt_access_entry {
	u32 who;
	bool deny;
	u32 rights;
	union {
		kuid_t uid;
		kgid_t gid;
	};
};

/**
 * struct evnt_access - a list of access; constant when it is in the table
 * @node: in the table; written under evnt_lock, read under RCU
 * @guid: whose
 * @rcu: frees it when nobody can look at it any more
 * @count: how many entries
 * @e: the entries, those that deny in front
 */
struct evnt_access {
	struct hlist_node node;
	struct evntprov_guid guid;
	struct rcu_head rcu;
	u32 count;
	struct evnt_access_entry e[];
};

static DEFINE_HASHTABLE(evnt_access_lists, ACCESS_HASH_BITS);
/* How many there are; guarded by evnt_lock */
static u32 evnt_access_count;

/* In force where there is nothing else */
static const struct evnt_access evnt_no_list = {
	.count = 3,
	.e = {
		{ .who = EVNTRACE_WHO_OWNER, .rights = EVNTRACE_RIGHTS_ALL },
		{ .who = EVNTRACE_WHO_ADMIN, .rights = EVNTRACE_RIGHTS_ALL },
		{ .who = EVNTRACE_WHO_EVERYONE,
		  .rights = EVNTRACE_RIGHTS_DEFAULT },
	},
};

static const struct evntprov_guid evnt_default_guid = EVNTRACE_ACCESS_DEFAULT;

static u32 access_hash(const struct evntprov_guid *guid)
{
	return jhash(guid, sizeof(*guid), 0);
}

/* The list of @guid itself, or NULL; under RCU or evnt_lock */
static struct evnt_access *access_find(const struct evntprov_guid *guid)
{
	struct evnt_access *a;

	hash_for_each_possible_rcu(evnt_access_lists, a, node,
				   access_hash(guid),
				   lockdep_is_held(&evnt_lock)) {
		if (!memcmp(&a->guid, guid, sizeof(*guid)))
			return a;
	}
	return NULL;
}

/* The list that @guid goes by; under RCU or evnt_lock */
static const struct evnt_access *
access_in_force(const struct evntprov_guid *guid)
{
	const struct evnt_access *a = access_find(guid);

	if (!a)
		a = access_find(&evnt_default_guid);
	return a ?: &evnt_no_list;
}

static bool in_group(const struct cred *cred, kgid_t gid)
{
	const struct group_info *groups = cred->group_info;
	int i;

	if (gid_eq(cred->egid, gid))
		return true;
	for (i = 0; i < groups->ngroups; i++) {
		if (gid_eq(groups->gid[i], gid))
			return true;
	}
	return false;
}

/* A security module is asked of the caller alone */
static bool is_admin(const struct cred *cred)
{
	if (cred == current_cred())
		return ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
	return cred->user_ns == &init_user_ns &&
	       cap_raised(cred->cap_effective, CAP_SYS_ADMIN);
}

static bool applies_to(const struct evnt_access_entry *e, kuid_t owner,
		       const struct cred *cred)
{
	switch (e->who) {
	case EVNTRACE_WHO_USER:
		return uid_eq(cred->euid, e->uid);
	case EVNTRACE_WHO_GROUP:
		return in_group(cred, e->gid);
	case EVNTRACE_WHO_OWNER:
		return uid_valid(owner) && uid_eq(cred->euid, owner);
	case EVNTRACE_WHO_ADMIN:
		return is_admin(cred);
	}
	return true;
}

/* No entry that denies comes after one that allows */
static bool list_allows(const struct evnt_access *a, kuid_t owner,
			const struct cred *cred, u32 rights)
{
	const struct evnt_access_entry *e = a->e, *end = e + a->count;

	for (; e < end && rights; e++) {
		if (!(e->rights & rights) || !applies_to(e, owner, cred))
			continue;
		if (e->deny)
			return false;
		rights &= ~e->rights;
	}
	return !rights;
}

/**
 * evnt_access_allows() - whether somebody may do something
 * @guid: the provider or session that it is done with
 * @owner: the session's owner, or INVALID_UID
 * @cred: who
 * @rights: EVNTRACE_RIGHT_*: all of them
 *
 * In any context that may take the RCU read lock, with evnt_lock or without.
 */
bool evnt_access_allows(const struct evntprov_guid *guid, kuid_t owner,
			const struct cred *cred, u32 rights)
{
	bool allowed;

	rcu_read_lock();
	allowed = list_allows(access_in_force(guid), owner, cred, rights);
	rcu_read_unlock();
	return allowed;
}

/**
 * evnt_access_check() - whether the caller may do something
 * @guid: the provider or session that it is done with
 * @owner: the session's owner, or INVALID_UID
 * @rights: EVNTRACE_RIGHT_*: all of them
 *
 * Return: 0 or -EACCES.
 */
int evnt_access_check(const struct evntprov_guid *guid, kuid_t owner,
		      u32 rights)
{
	return evnt_access_allows(guid, owner, current_cred(), rights) ?
	       0 : -EACCES;
}

static bool same_who(const struct evnt_access_entry *a,
		     const struct evnt_access_entry *b)
{
	if (a->who != b->who || a->deny != b->deny)
		return false;
	switch (a->who) {
	case EVNTRACE_WHO_USER:
		return uid_eq(a->uid, b->uid);
	case EVNTRACE_WHO_GROUP:
		return gid_eq(a->gid, b->gid);
	}
	return true;
}

/* Add to a list that is not in the table yet, and has room */
static void list_add_entry(struct evnt_access *a,
			   const struct evnt_access_entry *entry)
{
	struct evnt_access_entry *e = a->e, *end = e + a->count;

	for (; e < end; e++) {
		if (same_who(e, entry)) {
			e->rights |= entry->rights;
			return;
		}
		if (entry->deny && !e->deny)
			break;
	}
	memmove(e + 1, e, (end - e) * sizeof(*e));
	*e = *entry;
	a->count++;
}

/* A copy of @base, or an empty list, with @entry added; or an error */
static struct evnt_access *list_create(const struct evntprov_guid *guid,
				       const struct evnt_access *base,
				       const struct evnt_access_entry *entry)
{
	const u32 count = base ? base->count : 0;
	struct evnt_access *a;

	a = kzalloc(struct_size(a, e, count + 1), GFP_KERNEL);
	if (!a)
		return ERR_PTR(-ENOMEM);
	a->guid = *guid;
	if (base)
		memcpy(a->e, base->e, count * sizeof(*a->e));
	a->count = count;
	list_add_entry(a, entry);
	if (a->count <= EVNTRACE_MAX_ACCESS_ENTRIES)
		return a;
	kfree(a);
	return ERR_PTR(-EUSERS);
}

static void list_remove(struct evnt_access *a)
{
	hash_del_rcu(&a->node);
	evnt_access_count--;
	kfree_rcu(a, rcu);
}

/* Into the table, instead of @old if there is one */
static int list_publish(struct evnt_access *a, struct evnt_access *old)
{
	if (old) {
		hlist_replace_rcu(&old->node, &a->node);
		kfree_rcu(old, rcu);
		return 0;
	}
	if (evnt_access_count >= EVNTRACE_MAX_ACCESS_LISTS) {
		kfree(a);
		return -EUSERS;
	}
	hash_add_rcu(evnt_access_lists, &a->node, access_hash(&a->guid));
	evnt_access_count++;
	return 0;
}

static int change_list(const struct evntrace_access *arg,
		       const struct evnt_access_entry *entry)
{
	struct evnt_access *old = access_find(&arg->guid);
	const struct evnt_access *base = NULL;
	struct evnt_access *a;

	if (arg->operation == EVNTRACE_ACCESS_ADD)
		base = access_in_force(&arg->guid);
	a = list_create(&arg->guid, base, entry);
	return IS_ERR(a) ? PTR_ERR(a) : list_publish(a, old);
}

/* Check and translate; the caller's ids become the kernel's */
static int entry_from_argument(struct evnt_access_entry *e,
			       const struct evntrace_access *arg)
{
	*e = (struct evnt_access_entry) {
		.who = arg->who,
		.deny = arg->flags & EVNTRACE_ACCESS_DENY,
		.rights = arg->rights,
	};
	if (!e->rights || e->rights & ~EVNTRACE_RIGHTS_ALL)
		return -EINVAL;
	switch (e->who) {
	case EVNTRACE_WHO_EVERYONE:
	case EVNTRACE_WHO_OWNER:
	case EVNTRACE_WHO_ADMIN:
		return arg->id ? -EINVAL : 0;
	case EVNTRACE_WHO_USER:
		e->uid = make_kuid(current_user_ns(), arg->id);
		return uid_valid(e->uid) ? 0 : -EINVAL;
	case EVNTRACE_WHO_GROUP:
		e->gid = make_kgid(current_user_ns(), arg->id);
		return gid_valid(e->gid) ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static int remove_list(const struct evntrace_access *arg)
{
	struct evnt_access *a;

	if (arg->flags || arg->who || arg->id || arg->rights)
		return -EINVAL;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	a = access_find(&arg->guid);
	if (a)
		list_remove(a);
	return 0;
}

/**
 * evnt_access_change() - EVNTRACE_IOC_ACCESS
 * @arg: its argument
 *
 * Under evnt_lock.
 *
 * Return: 0 or what the ABI says.
 */
int evnt_access_change(const struct evntrace_access *arg)
{
	struct evnt_access_entry entry;
	int err;

	lockdep_assert_held(&evnt_lock);
	if (arg->operation == EVNTRACE_ACCESS_REMOVE)
		return remove_list(arg);
	if (arg->operation > EVNTRACE_ACCESS_REMOVE ||
	    arg->flags & ~EVNTRACE_ACCESS_DENY)
		return -EINVAL;
	err = entry_from_argument(&entry, arg);
	if (err)
		return err;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return change_list(arg, &entry);
}

static u32 id_for_caller(const struct evnt_access_entry *e)
{
	switch (e->who) {
	case EVNTRACE_WHO_USER:
		return from_kuid_munged(current_user_ns(), e->uid);
	case EVNTRACE_WHO_GROUP:
		return from_kgid_munged(current_user_ns(), e->gid);
	}
	return 0;
}

static void tell_list(const struct evnt_access *a,
		      void (*fn)(const struct evntrace_access_entry *e,
				 void *data), void *data)
{
	u32 i;

	for (i = 0; i < a->count; i++) {
		struct evntrace_access_entry e = {
			.guid = a->guid,
			.who = a->e[i].who,
			.id = id_for_caller(&a->e[i]),
			.rights = a->e[i].rights,
			.flags = a->e[i].deny ? EVNTRACE_ACCESS_DENY : 0,
		};

		fn(&e, data);
	}
}

/* Call @fn for each entry of each list; under evnt_lock */
void evnt_access_for_each(void (*fn)(const struct evntrace_access_entry *e,
				     void *data), void *data)
{
	const struct evnt_access *a;
	int bucket;

	lockdep_assert_held(&evnt_lock);
	hash_for_each(evnt_access_lists, bucket, a, node)
		tell_list(a, fn, data);
}

/* The module goes, and with it all lists: nobody looks at them any more */
void evnt_access_exit(void)
{
	struct hlist_node *next;
	struct evnt_access *a;
	int bucket;

	mutex_lock(&evnt_lock);
	hash_for_each_safe(evnt_access_lists, bucket, next, a, node)
		list_remove(a);
	mutex_unlock(&evnt_lock);
}

/**
 * evnt_cred_covers() - compare credentials by the rule of ptrace()
 * @by: those of the process that would trace
 * @whose: those of the process that would be traced
 *
 * The kernel's own rule is not exported.  It has CAP_SYS_PTRACE besides, and so
 * lets the owner of a user namespace into it, which this does not.
 *
 * Return: whether the first may trace the second, as far as users, groups and
 * capabilities go.
 */
bool evnt_cred_covers(const struct cred *by, const struct cred *whose)
{
	return by->user_ns == whose->user_ns &&
	       uid_eq(by->euid, whose->uid) && uid_eq(by->euid, whose->euid) &&
	       uid_eq(by->euid, whose->suid) &&
	       gid_eq(by->egid, whose->gid) && gid_eq(by->egid, whose->egid) &&
	       gid_eq(by->egid, whose->sgid) &&
	       cap_issubset(whose->cap_permitted, by->cap_permitted);
}

/**
 * evnt_may_trace() - whether one may look into the current process
 * @by: credentials
 *
 * Any context in which current is the writer.
 */
bool evnt_may_trace(const struct cred *by)
{
	return evnt_cred_covers(by, current_cred()) &&
	       evnt_is_dumpable(current);
}

/**
 * evnt_may_trace_process() - whether one may look into a process
 * @by: credentials
 * @process: the process; one that has gone is nobody's
 *
 * May sleep.
 */
bool evnt_may_trace_process(const struct cred *by, struct pid *process)
{
	struct task_struct *task = get_pid_task(process, PIDTYPE_TGID);
	bool may;

	if (!task)
		return false;
	rcu_read_lock();
	may = evnt_cred_covers(by, __task_cred(task));
	rcu_read_unlock();
	if (may) {
		task_lock(task);
		may = evnt_is_dumpable(task);
		task_unlock(task);
	}
	put_task_struct(task);
	return may;
}
