// SPDX-License-Identifier: GPL-2.0
/*
 * Who has enabled a registration: by its provider's id, or by its group's.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "access.h"
#include "group.h"
#include "manifests.h"
#include "view.h"

struct evnt_enable_set evnt_nobody;

static struct evnt_composite composite_of(const struct evnt_enable_set *set)
{
	struct evnt_composite c = { .enabled = set->count };
	u32 i;

	if (!c.enabled)
		return c;
	c.interest = set->e[0].interest;
	for (i = 1; i < set->count; i++)
		c.interest = evnt_interest_wider(&c.interest,
						 &set->e[i].interest);
	return c;
}

static enum evnt_way way_of(const struct evnt_enable_set *set)
{
	/* Who is alone is independent anyway */
	u32 i, judged = EVNT_WISHES |
			(set->count > 1 ? EVNT_PROPERTY_INDEPENDENT : 0);

	for (i = 0; i < set->count; i++) {
		if (evnt_filters_judge(set->e[i].filters) ||
		    set->e[i].pair || set->e[i].property & judged)
			return EVNT_WAY_JUDGED;
	}
	return set->count == 1 ? EVNT_WAY_ONE : EVNT_WAY_MANY;
}

/* Another set has it, too */
static void enablement_get(const struct evnt_enablement *e)
{
	evnt_filters_get(e->filters);
	if (!e->tracer)
		return;
	/* Each reference writes the same zero into them */
	data_race(get_cred(e->tracer));
}

static void enablement_put(const struct evnt_enablement *e)
{
	evnt_filters_put(e->filters);
	put_cred(e->tracer);
}

static void set_add(struct evnt_enable_set *set,
		    const struct evnt_enablement *e)
{
	enablement_get(e);
	set->e[set->count++] = *e;
}

/* Whether an enablement wants call stacks without the kernel's part */
static bool has_short_stacks(u32 property)
{
	return (property & (EVNTRACE_PROPERTY_STACK_TRACE |
			    EVNT_PROPERTY_KERNEL)) ==
	       EVNTRACE_PROPERTY_STACK_TRACE;
}

/* What a session wants that has enabled a registration in both ways */
static u32 properties_of_pair(u32 a, u32 b)
{
	const u32 any = EVNT_WISHES | EVNT_PROPERTY_SECURE |
			EVNT_PROPERTY_INDEPENDENT;

	if (has_short_stacks(a) || has_short_stacks(b))
		return (a | b) & any;
	return (a | b) & (any | EVNT_PROPERTY_KERNEL);
}

/* The same session's, of the provider and of the group; @room: for the two */
static void set_add_pair(struct evnt_enable_set *set,
			 struct evnt_enablement *room,
			 const struct evnt_enablement *own,
			 const struct evnt_enablement *group)
{
	enablement_get(own);
	enablement_get(group);
	room[0] = *own;
	room[1] = *group;
	set->e[set->count++] = (struct evnt_enablement) {
		.session = own->session,
		.interest = evnt_interest_wider(&own->interest,
						&group->interest),
		.property = properties_of_pair(own->property, group->property),
		.pair = room,
	};
}

/* The set is complete.  Returns what stands for it. */
static struct evnt_enable_set *set_seal(struct evnt_enable_set *set)
{
	if (!set->count && !set->lost) {
		kvfree(set);
		return &evnt_nobody;
	}
	set->way = way_of(set);
	return set;
}

/**
 * evnt_set_change() - a provider's or group's set, with one session's otherwise
 * @old: the set
 * @session: whose enablement is not in the copy
 * @fresh: but this one is, or NULL
 * @gfp: how it is allocated
 *
 * Return: the copy, or NULL without memory.
 */
struct evnt_enable_set *evnt_set_change(const struct evnt_enable_set *old,
					const struct evnt_session *session,
					const struct evnt_enablement *fresh,
					gfp_t gfp)
{
	struct evnt_enable_set *set;
	u32 i;

	set = kvzalloc(struct_size(set, e, old->count + 1), gfp);
	if (!set)
		return NULL;
	for (i = 0; i < old->count; i++) {
		if (old->e[i].session != session)
			set_add(set, &old->e[i]);
	}
	if (fresh)
		set_add(set, fresh);
	return set_seal(set);
}

/* Nobody has seen it, or does any more */
void evnt_set_free(struct evnt_enable_set *set)
{
	const struct evnt_enablement *e = set->e;
	const struct evnt_enablement *end = e + set->count + set->lost;

	if (set == &evnt_nobody)
		return;
	for (; e < end; e++) {
		enablement_put(e);
		if (!e->pair)
			continue;
		enablement_put(&e->pair[0]);
		enablement_put(&e->pair[1]);
	}
	kvfree(set);
}

static void set_free_rcu(struct rcu_head *rcu)
{
	evnt_set_free(container_of(rcu, struct evnt_enable_set, rcu));
}

/* No writer finds it any more; some may be looking at it yet */
void evnt_set_release(struct evnt_enable_set *set)
{
	if (set != &evnt_nobody)
		call_rcu(&set->rcu, set_free_rcu);
}

/* The enablement of a session, or NULL */
const struct evnt_enablement *evnt_set_find(const struct evnt_enable_set *set,
					    const struct evnt_session *s)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->e[i].session == s)
			return &set->e[i];
	}
	return NULL;
}

/**
 * evnt_view_find_any() - who has enabled a classic registration, or has lost it
 * @view: its view
 * @session: the session's handle
 *
 * Return: its enablement, or NULL.
 */
const struct evnt_enablement *
evnt_view_find_any(const struct evnt_enable_set *view, u64 session)
{
	u32 i;

	for (i = 0; i < view->count + view->lost; i++) {
		if (view->e[i].session->handle == session)
			return &view->e[i];
	}
	return NULL;
}

static bool is_of_group(const struct evnt_enablement *e)
{
	return e->property & EVNTRACE_PROPERTY_PROVIDER_GROUP;
}

/**
 * evnt_view_find() - how a session has enabled a registration
 * @r: the registration
 * @s: the session
 * @group: by its group, or by its provider's id
 *
 * Under evnt_lock.
 *
 * Return: its enablement, or NULL.
 */
const struct evnt_enablement *evnt_view_find(const struct evnt_registration *r,
					     const struct evnt_session *s,
					     bool group)
{
	const struct evnt_enablement *e = evnt_set_find(evnt_view_of(r), s);

	if (e && e->pair)
		return &e->pair[group];
	return e && is_of_group(e) == group ? e : NULL;
}

/**
 * evnt_enabled_sessions() - who has enabled a registration
 * @r: the registration
 * @group: by its group, or by its provider's id
 *
 * Under evnt_lock.
 *
 * Return: a bit for each session.
 */
u64 evnt_enabled_sessions(const struct evnt_registration *r, bool group)
{
	const struct evnt_enable_set *set = evnt_view_of(r);
	u64 mask = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->e[i].pair || is_of_group(&set->e[i]) == group)
			mask |= BIT_ULL(evnt_session_id(set->e[i].session));
	}
	return mask;
}

static bool is_denied(const struct evnt_enablement *e,
		      const struct evnt_registration *r)
{
	return e->property & EVNT_PROPERTY_SECURE &&
	       !evnt_access_allows(&e->session->info.guid,
				   e->session->owner_uid, r->cred,
				   EVNTRACE_RIGHT_LOG_EVENT);
}

/*
 * What @r must not write to, a bit each: of the sessions in @set, and as it was
 * of the others, which a writer may yet find in the set before.
 */
static u64 denied_of(const struct evnt_enable_set *set,
		     const struct evnt_registration *r)
{
	u64 bit, denied = r->denied;
	u32 i;

	for (i = 0; i < set->count + set->lost; i++) {
		bit = BIT_ULL(evnt_session_id(set->e[i].session));
		denied &= ~bit;
		if (is_denied(&set->e[i], r))
			denied |= bit;
	}
	return denied;
}

/* What @r must not write to of those that have enabled it; under evnt_lock */
u64 evnt_denied_sessions(const struct evnt_registration *r)
{
	return denied_of(evnt_view_of(r), r);
}

/* Whether an enablement is one for @r; may sleep */
static bool in_scope(const struct evnt_enablement *e,
		     const struct evnt_registration *r,
		     const struct evnt_change *c)
{
	return !e->filters || !e->filters->scope ||
	       evnt_scope_has(e->filters->scope, r, c->last);
}

/* Whether registrations may have views of their own */
static bool is_scoped(const struct evnt_enable_set *set)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->e[i].filters && set->e[i].filters->scope)
			return true;
	}
	return false;
}

/* Whether @r has an enablement of its provider or group in its view after @c */
static bool is_seen(const struct evnt_registration *r,
		    const struct evnt_enablement *e,
		    const struct evnt_change *c)
{
	bool group = is_of_group(e);

	if (group != c->group || (c->session && c->session != e->session))
		return evnt_view_find(r, e->session, group);
	if (group && evnt_group_is_disallowed(e->session, &r->provider->id))
		return false;
	return in_scope(e, r, c);
}

static const struct evnt_enablement *
find_seen(const struct evnt_registration *r, const struct evnt_enable_set *set,
	  const struct evnt_session *s, const struct evnt_change *c)
{
	const struct evnt_enablement *e = evnt_set_find(set, s);

	return e && is_seen(r, e, c) ? e : NULL;
}

/* Fill a view that has room: one enablement, or one pair, for each session */
static void view_fill(struct evnt_enable_set *view,
		      const struct evnt_registration *r,
		      const struct evnt_enable_set *own,
		      const struct evnt_enable_set *group,
		      const struct evnt_change *c)
{
	struct evnt_enablement *room = view->e + own->count + group->count;
	const struct evnt_enablement *e, *other;
	u32 i;

	for (i = 0; i < own->count; i++) {
		e = is_seen(r, &own->e[i], c) ? &own->e[i] : NULL;
		other = find_seen(r, group, own->e[i].session, c);
		if (e && other) {
			set_add_pair(view, room, e, other);
			room += 2;
		} else if (e || other) {
			set_add(view, e ?: other);
		}
	}
	for (i = 0; i < group->count; i++) {
		if (!evnt_set_find(own, group->e[i].session) &&
		    is_seen(r, &group->e[i], c))
			set_add(view, &group->e[i]);
	}
}

/* Whether a classic registration may write to a session that has lost it */
static bool was_lost(const struct evnt_registration *r,
		     const struct evnt_session *s, const struct evnt_change *c)
{
	return c->session && c->session != s &&
	       evnt_view_find_any(evnt_view_of(r), s->handle);
}

/*
 * Likewise of a classic one, and of no group: the last that is seen, and behind
 * it those that have lost it.
 */
static void view_fill_classic(struct evnt_enable_set *view,
			      const struct evnt_registration *r,
			      const struct evnt_enable_set *own,
			      const struct evnt_change *c)
{
	const struct evnt_enablement *e, *last = NULL;
	u32 i = own->count;

	while (i-- && !last)
		last = is_seen(r, &own->e[i], c) ? &own->e[i] : NULL;
	if (last)
		set_add(view, last);
	for (e = own->e; e < own->e + own->count; e++) {
		if (e == last || !(is_seen(r, e, c) ||
				   was_lost(r, e->session, c)))
			continue;
		enablement_get(e);
		view->e[view->count + view->lost++] = *e;
	}
}

/* The set of a provider, or of a group or none, after a change */
static struct evnt_enable_set *set_after(const struct evnt_provider *p,
					 const struct evnt_change *c)
{
	if (!p)
		return &evnt_nobody;
	return p == c->of ? c->set : evnt_set_of(p);
}

/*
 * What a registration sees after a change: its provider's set, unless it may
 * have a view of its own.  NULL without memory.
 */
static struct evnt_enable_set *view_build(const struct evnt_registration *r,
					  const struct evnt_change *c)
{
	struct evnt_enable_set *view, *own = set_after(r->provider, c);
	const bool classic = r->flags & EVNTPROV_REGISTER_CLASSIC;
	const struct evnt_enable_set *group;
	u32 room;

	group = set_after(c->joins ?: r->group, c);
	if (!group->count && !is_scoped(own) && !(classic && own->count))
		return own;
	room = own->count + group->count +
	       2 * min(own->count, group->count);
	view = kvzalloc(struct_size(view, e, room), c->gfp);
	if (!view)
		return NULL;
	if (classic)
		view_fill_classic(view, r, own, c);
	else
		view_fill(view, r, own, group, c);
	return set_seal(view);
}

static bool has_wish(const struct evnt_enable_set *set, u32 wish)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->e[i].property & wish)
			return true;
	}
	return false;
}

/*
 * What items of @r need that are wished for in its view, which no writer sees
 * yet: it is found out once.  False without memory.
 */
static bool note_package(struct evnt_registration *r,
			 const struct evnt_enable_set *view)
{
	struct evnt_package_key *key;

	if (rcu_access_pointer(r->package) ||
	    !has_wish(view, EVNTRACE_PROPERTY_PSM_KEY))
		return true;
	key = evnt_scope_package(r->process);
	rcu_assign_pointer(r->package, key);
	return key;
}

/**
 * evnt_view_create() - a provider is registered: who has enabled it for that
 * @r: the registration, of no group; its view and what comes of it is filled in
 *
 * Under evnt_lock.
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_view_create(struct evnt_registration *r)
{
	const struct evnt_change all = { .gfp = GFP_KERNEL };
	struct evnt_enable_set *view = view_build(r, &all);

	if (!view)
		return -ENOMEM;
	if (!note_package(r, view)) {
		if (view != evnt_set_of(r->provider))
			evnt_set_free(view);
		return -ENOMEM;
	}
	RCU_INIT_POINTER(r->set, view);
	r->composite = composite_of(view);
	r->denied = evnt_denied_sessions(r);
	return 0;
}

/**
 * evnt_view_release() - a registration goes
 * @r: the registration; its provider is still there
 *
 * Under evnt_lock.
 */
void evnt_view_release(struct evnt_registration *r)
{
	struct evnt_enable_set *view = evnt_view_of(r);

	if (view != evnt_set_of(r->provider))
		evnt_set_release(view);
}

/* Nobody has seen it yet; under evnt_lock, also if nothing was prepared */
void evnt_view_undo(struct evnt_registration *r, const struct evnt_change *c)
{
	if (r->next && r->next != set_after(r->provider, c))
		evnt_set_free(r->next);
	r->next = NULL;
}

/**
 * evnt_view_prepare() - make what a registration is going to see
 * @r: the registration; nothing is prepared for it
 * @c: what is about to change
 *
 * Under evnt_lock.
 *
 * Return: false without memory.
 */
bool evnt_view_prepare(struct evnt_registration *r, const struct evnt_change *c)
{
	r->next = view_build(r, c);
	if (r->next && !note_package(r, r->next))
		evnt_view_undo(r, c);
	return r->next;
}

/* Whether a session, or the one that matters, is in one of two views */
static bool is_concerned(const struct evnt_enable_set *old,
			 const struct evnt_enable_set *view,
			 const struct evnt_change *c)
{
	return !c->session || evnt_set_find(old, c->session) ||
	       evnt_set_find(view, c->session);
}

/**
 * evnt_view_publish() - show a registration what was prepared, and tell its
 *	owner if that is another state; but who joins a group finds it himself
 * @r: the registration
 * @c: what has changed; its provider may have the new set already
 *
 * Under evnt_lock.
 */
void evnt_view_publish(struct evnt_registration *r, const struct evnt_change *c)
{
	struct evnt_enable_set *old = evnt_view_of(r), *view = r->next;
	struct evnt_composite composite = composite_of(view);
	bool was_shared;

	was_shared = old == (r->provider == c->of ? c->old :
						    evnt_set_of(r->provider));
	r->next = NULL;
	WRITE_ONCE(r->denied, denied_of(view, r));
	evnt_manifest_tell(r, view);
	rcu_assign_pointer(r->set, view);				/* (H) */
	if (is_concerned(old, view, c))
		evnt_registration_changed(r, &composite,
					  c->joins ? 0 : EVNT_PENDING_STATE,
					  c->source);
	if (!was_shared)
		evnt_set_release(old);
}
