// SPDX-License-Identifier: GPL-2.0
/*
 * Groups: registrations that say by their traits that sessions may enable them
 * together, and providers that a session wants to leave out of it.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "access.h"
#include "group.h"
#include "notify.h"
#include "session.h"
#include "view.h"

static const struct evntprov_guid nobody;

/* Make it a member; sessions that have enabled the group see it at once */
static int join(struct evnt_registration *r, struct evnt_provider *group)
{
	const struct evnt_change c = {
		.joins = group, .group = true, .source = &nobody,
		.gfp = GFP_KERNEL,
	};
	const bool is_enabled = evnt_set_of(group)->count;

	if (is_enabled && !evnt_view_prepare(r, &c))
		return -ENOMEM;
	evnt_notify_join(r, group);
	list_add_tail(&r->in_group, &group->registrations);
	if (is_enabled)
		evnt_view_publish(r, &c);
	return 0;
}

/**
 * evnt_group_join() - a registration names its group
 * @r: the registration, of no group
 * @id: the group's id
 *
 * Under evnt_lock.
 *
 * Return: 0, -EACCES when the caller may not do so, or -ENOMEM.
 */
int evnt_group_join(struct evnt_registration *r,
		    const struct evntprov_guid *id)
{
	struct evnt_provider *group;
	int err;

	err = evnt_access_check(id, INVALID_UID, EVNTRACE_RIGHT_JOIN_GROUP);
	if (err)
		return err;
	group = evnt_provider_get(id, true);
	if (!group)
		return -ENOMEM;
	err = join(r, group);
	if (err)
		evnt_provider_put(group);
	return err;
}

/* A member goes; nothing of it is told any more.  Under evnt_lock. */
void evnt_group_leave(struct evnt_registration *r)
{
	list_del(&r->in_group);
	evnt_provider_put(r->group);
}

static bool list_has(const struct evnt_disallowed *d,
		     const struct evntprov_guid *id)
{
	u32 i;

	for (i = 0; i < d->count; i++) {
		if (!memcmp(&d->list[i], id, sizeof(*id)))
			return true;
	}
	return false;
}

/* Whether a session does not want a provider by its group; under evnt_lock */
bool evnt_group_is_disallowed(const struct evnt_session *s,
			      const struct evntprov_guid *provider)
{
	return list_has(&s->disallowed, provider);
}

/**
 * struct disallowing - a session gets another list
 * @s: the session, which has it
 * @old: the list that it had
 * @change: what that is for registrations
 * @err: why it cannot be
 */
struct disallowing {
	struct evnt_session *s;
	const struct evnt_disallowed *old;
	struct evnt_change change;
	int err;
};

/* Whether a member is in one of the lists, but not in the other */
static bool is_different(const struct disallowing *d,
			 const struct evnt_registration *r)
{
	const struct evntprov_guid *id = &r->provider->id;

	return list_has(d->old, id) != list_has(&d->s->disallowed, id);
}

/* For each group that the session has enabled */
static bool is_enabled(const struct evnt_provider *p,
		       const struct disallowing *d)
{
	return p->is_group && evnt_set_find(evnt_set_of(p), d->s);
}

static void prepare(struct evnt_provider *p, void *data)
{
	struct disallowing *d = data;
	struct evnt_registration *r;
	struct list_head *node;

	if (!is_enabled(p, d))
		return;
	list_for_each(node, &p->registrations) {
		r = evnt_registration_at(p, node);
		if (!d->err && is_different(d, r) &&
		    !evnt_view_prepare(r, &d->change))
			d->err = -ENOMEM;
		cond_resched();
	}
}

static void finish(struct evnt_provider *p, void *data)
{
	struct disallowing *d = data;
	struct evnt_registration *r;
	struct list_head *node;

	if (!is_enabled(p, d))
		return;
	list_for_each(node, &p->registrations) {
		r = evnt_registration_at(p, node);
		if (d->err)
			evnt_view_undo(r, &d->change);
		else if (r->next)
			evnt_view_publish(r, &d->change);
		cond_resched();
	}
}

/* Another list; on success, @list becomes the old one */
static int replace_list(struct evnt_session *s, struct evnt_disallowed *list)
{
	struct evnt_scope_answer last = {};
	struct disallowing d = {
		.s = s,
		.old = list,
		.change = {
			.group = true, .session = s, .source = &nobody,
			.last = &last, .gfp = GFP_KERNEL,
		},
	};

	swap(s->disallowed, *list);
	evnt_providers_for_each(prepare, &d);
	evnt_providers_for_each(finish, &d);
	if (d.err)
		swap(s->disallowed, *list);
	return d.err;
}

static int set_locked(u64 handle, struct evnt_disallowed *list)
{
	struct evnt_session *s = evnt_session_lookup(handle);
	int err;

	if (!s)
		return -ESRCH;
	err = evnt_session_check_change(s);
	return err ?: replace_list(s, list);
}

/**
 * evnt_disallow_set() - EVNTRACE_IOC_DISALLOW
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_disallow_set(const struct evntrace_disallow *arg)
{
	struct evnt_disallowed list = { .count = arg->count };
	int err;

	if (arg->count > EVNTRACE_MAX_DISALLOWED)
		return -EINVAL;
	if (arg->count) {
		list.list = memdup_user(u64_to_user_ptr(arg->providers),
					arg->count * sizeof(*list.list));
		if (IS_ERR(list.list))
			return PTR_ERR(list.list);
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = set_locked(arg->handle, &list);
	mutex_unlock(&evnt_lock);
free:
	kfree(list.list);
	return err;
}

/* As much as the caller has room for, into memory that can be copied out */
static int query_locked(struct evntrace_disallow *arg,
			struct evntprov_guid *list)
{
	struct evnt_session *s = evnt_session_lookup(arg->handle);
	int err;

	if (!s)
		return -ESRCH;
	err = evnt_session_check(s, EVNTRACE_RIGHT_QUERY);
	if (err)
		return err;
	memcpy(list, s->disallowed.list,
	       min(arg->count, s->disallowed.count) * sizeof(*list));
	arg->count = s->disallowed.count;
	return 0;
}

/**
 * evnt_disallow_query() - EVNTRACE_IOC_QUERY_DISALLOW
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_disallow_query(struct evntrace_disallow *arg)
{
	const u32 room = arg->count;
	struct evntprov_guid *list;
	int err;

	list = kcalloc(EVNTRACE_MAX_DISALLOWED, sizeof(*list),
		       GFP_KERNEL_ACCOUNT);
	if (!list)
		return -ENOMEM;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto free;
	err = query_locked(arg, list);
	mutex_unlock(&evnt_lock);
	if (!err && copy_to_user(u64_to_user_ptr(arg->providers), list,
				 min(arg->count, room) * sizeof(*list)))
		err = -EFAULT;
free:
	kfree(list);
	return err;
}

/**
 * evnt_disallow_stop() - a session stops
 * @s: the session, which nobody can look up any more, and which has enabled
 *	nothing
 */
void evnt_disallow_stop(struct evnt_session *s)
{
	struct evntprov_guid *list;

	mutex_lock(&evnt_lock);
	list = s->disallowed.list;
	s->disallowed = (struct evnt_disallowed) {};
	mutex_unlock(&evnt_lock);
	kfree(list);
}
