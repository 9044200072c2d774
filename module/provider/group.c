// SPDX-License-Identifier: GPL-2.0
/*
 * Provider groups: registrations whose traits name a group, which sessions
 * enable together, and lists of providers that a session excludes from its
 * groups.
 */
#include "module/common/acl.h"
#include "module/provider/session_providers.h"

/* Add a registration to a group, applying the group's enablements */
static int join(struct evnt_registration *r, struct evnt_provider *group)
{
	struct evnt_change c = {
		.joins = group, .group = true, .gfp = GFP_KERNEL,
		.prepared = LIST_HEAD_INIT(c.prepared),
	};
	const bool is_enabled = evnt_set_of(group)->count;

	if (is_enabled && !evnt_effective_prepare(r, &c)) {
		evnt_change_undo(&c);
		return -ENOMEM;
	}
	evnt_notify_join(r, group);
	list_add_tail(&r->in_group, &group->registrations);
	if (is_enabled) {
		evnt_count_registration(group, r->next);
		evnt_change_publish(&c, r->file);
	}
	return 0;
}

/**
 * evnt_group_join() - add a registration to the group that its traits name
 * @r: registration that is in no group
 * @id: id of the group
 *
 * Context: The caller holds evnt_lock.
 *
 * Return: 0, -EACCES if the caller may not join the group, or -ENOMEM.
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

/* Remove a registration, whose notifications were dropped, under evnt_lock */
void evnt_group_leave(struct evnt_registration *r)
{
	list_del(&r->in_group);
	evnt_provider_put(r->group);
}

static struct evnt_provider_list *disallowed_of(const struct evnt_session *s)
{
	return &s->providers->disallowed;
}

static bool list_has(const struct evnt_provider_list *d,
		     const struct evntprov_guid *id)
{
	u32 i;

	for (i = 0; i < d->count; i++) {
		if (!memcmp(&d->ids[i], id, sizeof(*id)))
			return true;
	}
	return false;
}

/* Check whether @s excludes a provider from its groups, under evnt_lock */
bool evnt_group_is_disallowed(const struct evnt_session *s,
			      const struct evntprov_guid *provider)
{
	return list_has(disallowed_of(s), provider);
}

/**
 * struct disallowing - replacement of a session's list of excluded providers
 * @s: session, which already has the new list
 * @old: old list
 * @change: change of registrations
 * @err: result of the preparation
 */
struct disallowing {
	struct evnt_session *s;
	const struct evnt_provider_list *old;
	struct evnt_change change;
	int err;
};

static void prepare_members(struct evnt_provider *p, void *data)
{
	const struct evntprov_guid *id;
	struct disallowing *d = data;
	struct evnt_registration *r;
	struct list_head *node;

	if (!p->is_group || !evnt_set_find(evnt_set_of(p), d->s))
		return;
	list_for_each(node, &p->registrations) {
		r = evnt_registration_at(p, node);
		id = &r->provider->id;
		/* Only providers in exactly one of the two lists change */
		if (!d->err &&
		    list_has(d->old, id) != list_has(disallowed_of(d->s), id) &&
		    !evnt_effective_prepare(r, &d->change))
			d->err = -ENOMEM;
		cond_resched();
	}
}

/**
 * evnt_group_disallow() - replace the list of providers that a session excludes
 * @s: session
 * @list: new list; the old one on success
 *
 * The caller must hold evnt_lock.
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_group_disallow(struct evnt_session *s,
			struct evnt_provider_list *list)
{
	struct disallowing d = {
		.s = s,
		.old = list,
		.change = {
			.group = true, .session = s, .gfp = GFP_KERNEL,
			.prepared = LIST_HEAD_INIT(d.change.prepared),
		},
	};

	swap(*disallowed_of(s), *list);
	evnt_providers_for_each(prepare_members, &d);
	if (d.err) {
		evnt_change_undo(&d.change);
		swap(*disallowed_of(s), *list);
	} else {
		evnt_change_publish(&d.change, NULL);
	}
	return d.err;
}
