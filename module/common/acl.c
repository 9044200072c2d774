// SPDX-License-Identifier: GPL-2.0
/*
 * Access control lists of providers and sessions, and the ptrace check.
 *
 * A published list is immutable; a change replaces it as a whole.  Readers look
 * lists up under RCU, writers replace them under evnt_lock.
 *
 * Changing a list requires CAP_SYS_ADMIN in the initial user namespace.  Lists
 * apply to the whole machine, and to GUIDs that may not be in use yet, so there
 * is no owner to authorise the change.  An unprivileged caller could otherwise
 * lock the users of any GUID out.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uidgid.h>

#include "module/common/acl.h"
#include "module/compat/compat.h"

#define ACCESS_HASH_BITS	6

/**
 * struct evnt_access_entry - rights granted or denied to one kind of subject
 * @subject: EVNTRACE_WHO_*
 * @deny: @rights are denied rather than granted
 * @rights: EVNTRACE_RIGHT_*
 * @uid: user, if @subject is EVNTRACE_SUBJECT_USER
 * @gid: group, if @subject is EVNTRACE_SUBJECT_GROUP
 */
struct evnt_access_entry {
	u32 subject;
	bool deny;
	u32 rights;
	union {
		kuid_t uid;
		kgid_t gid;
	};
};

/**
 * struct evnt_access - access control list of one GUID; immutable if published
 * @node: in evnt_access_lists; written under evnt_lock, read under RCU
 * @guid: provider or session that the list applies to
 * @rcu: defers freeing until no reader can hold a reference
 * @count: number of entries
 * @e: entries, denials before grants
 */
struct evnt_access {
	struct hlist_node node;
	struct evntprov_guid guid;
	struct rcu_head rcu;
	u32 count;
	struct evnt_access_entry e[];
};

static DEFINE_HASHTABLE(evnt_access_lists, ACCESS_HASH_BITS);
/* Number of lists; protected by evnt_lock */
static u32 evnt_access_count;

/* Used if neither the GUID nor EVNTRACE_ACCESS_DEFAULT has a list */
static const struct evnt_access evnt_no_list = {
	.count = 3,
	.e = {
		{ .subject = EVNTRACE_SUBJECT_OWNER, .rights = EVNTRACE_RIGHTS_ALL },
		{ .subject = EVNTRACE_SUBJECT_ADMIN, .rights = EVNTRACE_RIGHTS_ALL },
		{ .subject = EVNTRACE_SUBJECT_EVERYONE,
		  .rights = EVNTRACE_RIGHTS_DEFAULT },
	},
};

static const struct evntprov_guid evnt_default_guid = EVNTRACE_ACCESS_DEFAULT;

static u32 access_hash(const struct evntprov_guid *guid)
{
	return jhash(guid, sizeof(*guid), 0);
}

/* Return @guid's own list or NULL.  The caller holds RCU or evnt_lock. */
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

/* Return the list that applies to @guid.  The caller holds RCU or evnt_lock. */
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

/*
 * Check for CAP_SYS_ADMIN.  Security modules are consulted for the caller only;
 * for other credentials, the effective capability set decides.
 */
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
	switch (e->subject) {
	case EVNTRACE_SUBJECT_USER:
		return uid_eq(cred->euid, e->uid);
	case EVNTRACE_SUBJECT_GROUP:
		return in_group(cred, e->gid);
	case EVNTRACE_SUBJECT_OWNER:
		return uid_valid(owner) && uid_eq(cred->euid, owner);
	case EVNTRACE_SUBJECT_ADMIN:
		return is_admin(cred);
	}
	return true;
}

/**
 * evnt_access_allows() - check rights of given credentials
 * @guid: provider or session to be accessed
 * @owner: the session's owner, or INVALID_UID
 * @cred: credentials to check
 * @rights: EVNTRACE_RIGHT_*; all of them are required
 *
 * Context: Any context in which the RCU read lock may be taken; evnt_lock is
 * not required.
 *
 * Return: true if all of @rights are granted.
 */
bool evnt_access_allows(const struct evntprov_guid *guid, kuid_t owner,
			const struct cred *cred, u32 rights)
{
	const struct evnt_access_entry *e, *end;
	const struct evnt_access *a;

	rcu_read_lock();
	a = access_in_force(guid);
	end = a->e + a->count;
	/* A single pass is enough, as the entries that deny come first */
	for (e = a->e; e < end && rights; e++) {
		if (!(e->rights & rights) || !applies_to(e, owner, cred))
			continue;
		if (e->deny)
			break;
		rights &= ~e->rights;
	}
	rcu_read_unlock();
	return !rights;
}

/**
 * evnt_access_check() - check rights of the caller
 * @guid: provider or session to be accessed
 * @owner: the session's owner, or INVALID_UID
 * @rights: EVNTRACE_RIGHT_*; all of them are required
 *
 * Return: 0 or -EACCES.
 */
int evnt_access_check(const struct evntprov_guid *guid, kuid_t owner,
		      u32 rights)
{
	return evnt_access_allows(guid, owner, current_cred(), rights) ?
	       0 : -EACCES;
}

/**
 * evnt_may_trace_system() - check whether the caller may trace the kernel
 *
 * Events of the kernel show all processes of the machine.  They require
 * CAP_PERFMON, or a list of the control GUID's own: the default list, which
 * grants rights to sessions, is not enough.  Callers in containers, whose
 * process ids differ, may not.
 */
bool evnt_may_trace_system(void)
{
	static const struct evntprov_guid control = EVNTRACE_SYSTEM_CONTROL;
	bool listed;

	if (task_active_pid_ns(current) != &init_pid_ns)
		return false;
	if (perfmon_capable())
		return true;
	rcu_read_lock();
	listed = access_find(&control);
	rcu_read_unlock();
	return listed && !evnt_access_check(&control, INVALID_UID,
					    EVNTRACE_RIGHT_KERNEL_LOGGER);
}

static bool same_who(const struct evnt_access_entry *a,
		     const struct evnt_access_entry *b)
{
	if (a->subject != b->subject || a->deny != b->deny)
		return false;
	switch (a->subject) {
	case EVNTRACE_SUBJECT_USER:
		return uid_eq(a->uid, b->uid);
	case EVNTRACE_SUBJECT_GROUP:
		return gid_eq(a->gid, b->gid);
	}
	return true;
}

/* Merge @entry into an unpublished list that has room for one more entry */
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

/* Create a list from @base, which may be NULL, and @entry; or an ERR_PTR() */
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

/* Publish @a in place of @old, if any.  Consumes @a, also on failure. */
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

/* Validate @arg and map its id from the caller's user namespace */
static int entry_from_argument(struct evnt_access_entry *e,
			       const struct evntrace_access *arg)
{
	*e = (struct evnt_access_entry) {
		.subject = arg->subject,
		.deny = arg->flags & EVNTRACE_ACCESS_DENY,
		.rights = arg->rights,
	};
	if (!e->rights || e->rights & ~EVNTRACE_RIGHTS_ALL)
		return -EINVAL;
	switch (e->subject) {
	case EVNTRACE_SUBJECT_EVERYONE:
	case EVNTRACE_SUBJECT_OWNER:
	case EVNTRACE_SUBJECT_ADMIN:
		return arg->id ? -EINVAL : 0;
	case EVNTRACE_SUBJECT_USER:
		e->uid = make_kuid(current_user_ns(), arg->id);
		return uid_valid(e->uid) ? 0 : -EINVAL;
	case EVNTRACE_SUBJECT_GROUP:
		e->gid = make_kgid(current_user_ns(), arg->id);
		return gid_valid(e->gid) ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static int remove_list(const struct evntrace_access *arg)
{
	struct evnt_access *a;

	if (arg->flags || arg->subject || arg->id || arg->rights)
		return -EINVAL;
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	a = access_find(&arg->guid);
	if (a)
		list_remove(a);
	return 0;
}

/**
 * evnt_access_change() - EVNTRACE_IOC_SET_ACCESS
 * @arg: argument of the ioctl
 *
 * Context: The caller holds evnt_lock.
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_SET_ACCESS.
 */
int evnt_access_change(const struct evntrace_access *arg)
{
	const struct evnt_access *base = NULL;
	struct evnt_access_entry entry;
	struct evnt_access *a, *old;
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
	old = access_find(&arg->guid);
	if (arg->operation == EVNTRACE_ACCESS_ADD)
		base = access_in_force(&arg->guid);
	a = list_create(&arg->guid, base, &entry);
	return IS_ERR(a) ? PTR_ERR(a) : list_publish(a, old);
}

static u32 id_for_caller(const struct evnt_access_entry *e)
{
	switch (e->subject) {
	case EVNTRACE_SUBJECT_USER:
		return from_kuid_munged(current_user_ns(), e->uid);
	case EVNTRACE_SUBJECT_GROUP:
		return from_kgid_munged(current_user_ns(), e->gid);
	}
	return 0;
}

/* Call @fn with a struct evntrace_access for each entry, under evnt_lock */
void evnt_access_for_each(void (*fn)(const void *entry, void *data), void *data)
{
	struct evntrace_access e;
	const struct evnt_access *a;
	int bucket;
	u32 i;

	lockdep_assert_held(&evnt_lock);
	hash_for_each(evnt_access_lists, bucket, a, node) {
		for (i = 0; i < a->count; i++) {
			e = (struct evntrace_access) {
				.size = sizeof(e),
				.guid = a->guid,
				.subject = a->e[i].subject,
				.id = id_for_caller(&a->e[i]),
				.rights = a->e[i].rights,
				.flags = a->e[i].deny ?
					 EVNTRACE_ACCESS_DENY : 0,
			};
			fn(&e, data);
		}
	}
}

/* Remove all lists on module exit; no readers are left */
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
 * @by: credentials of the tracing process
 * @target: credentials of the traced process
 *
 * __ptrace_may_access() is not exported.  Unlike that function, this one does
 * not honour CAP_SYS_PTRACE, so owning a user namespace gives no access to the
 * processes in it.
 *
 * Return: true if @by may trace @target, judged by users, groups and
 * capabilities alone.
 */
bool evnt_cred_covers(const struct cred *by, const struct cred *target)
{
	return by->user_ns == target->user_ns &&
	       uid_eq(by->euid, target->uid) &&
	       uid_eq(by->euid, target->euid) &&
	       uid_eq(by->euid, target->suid) &&
	       gid_eq(by->egid, target->gid) &&
	       gid_eq(by->egid, target->egid) &&
	       gid_eq(by->egid, target->sgid) &&
	       cap_issubset(target->cap_permitted, by->cap_permitted);
}

/**
 * evnt_may_trace() - check whether the current process may be traced
 * @by: credentials of the tracing process
 *
 * Context: Any context in which current is the writer.
 */
bool evnt_may_trace(const struct cred *by)
{
	return evnt_cred_covers(by, current_cred()) &&
	       evnt_is_dumpable(current);
}

/**
 * evnt_may_trace_process() - check whether a process may be traced
 * @by: credentials of the tracing process
 * @process: process to be traced; false is returned if it has exited
 *
 * Context: Process context.  May sleep.
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
