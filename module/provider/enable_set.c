// SPDX-License-Identifier: GPL-2.0
/*
 * Effective sets: the enablements of a registration by its provider and its
 * group.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "module/common/acl.h"
#include "module/provider/enable.h"
#include "module/session/session.h"

struct evnt_enable_set evnt_empty_set;

static struct evnt_composite composite_of(const struct evnt_registration *r,
					  const struct evnt_enable_set *set)
{
	struct evnt_composite c = { .enabled = set->count };
	u32 i;

	if (!c.enabled)
		return c;
	c.takes_rings = evnt_takes_rings(&set->e[0]);
	c.interest = set->e[0].interest;
	for (i = 1; i < set->count; i++) {
		c.takes_rings &= evnt_takes_rings(&set->e[i]);
		c.interest = evnt_level_keyword_union(&c.interest,
						      &set->e[i].interest);
	}
	if (r->flags & EVNTPROV_REGISTER_CLASSIC) {
		c.session = set->e[0].session->handle;
		c.set_level = set->e[0].set_level;
		c.set_any = set->e[0].set_any;
	}
	return c;
}

static enum evnt_way way_of(const struct evnt_enable_set *set)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (evnt_filters_evaluate(set->e[i].filters) ||
		    set->e[i].pair ||
		    set->e[i].property & EVNT_PROPERTY_EXT_ITEMS)
			return EVNT_ROUTE_FILTERED;
	}
	return set->count == 1 ? EVNT_ROUTE_SINGLE : EVNT_ROUTE_MULTI;
}

static u8 requirements_of(const struct evnt_enable_set *set)
{
	const struct evnt_enablement *e = set->e;
	u8 requires = 0;

	for (; e < set->e + set->count + set->lost; e++) {
		if (e->filters && e->filters->scope)
			requires |= EVNT_SET_SCOPED;
		if (e->property & EVNT_PROPERTY_SECURE)
			requires |= EVNT_SET_SECURE;
		if (e->property & EVNTRACE_PROPERTY_PSM_KEY)
			requires |= EVNT_SET_PSM_KEY;
	}
	return requires;
}

/* Take the references of a copy of an enablement */
static void enablement_get(const struct evnt_enablement *e)
{
	evnt_filters_get(e->filters);
	if (!e->tracer)
		return;
	/* Every get_cred() writes the same zero to non_rcu: a benign race */
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

/* Return whether an enablement requests call stacks without kernel frames */
static bool has_short_stacks(u32 property)
{
	return (property & (EVNTRACE_PROPERTY_STACK_TRACE |
			    EVNT_PROPERTY_KERNEL)) ==
	       EVNTRACE_PROPERTY_STACK_TRACE;
}

/* Add a session's enablements by provider and group as a pair, kept in @room */
static void set_add_pair(struct evnt_enable_set *set,
			 struct evnt_enablement *room,
			 const struct evnt_enablement *own,
			 const struct evnt_enablement *group)
{
	u32 combined = EVNT_PROPERTY_EXT_ITEMS | EVNT_PROPERTY_SECURE |
		       EVNT_PROPERTY_INDEPENDENT;

	/* Kernel frames are recorded only if neither excludes them */
	if (!has_short_stacks(own->property) &&
	    !has_short_stacks(group->property))
		combined |= EVNT_PROPERTY_KERNEL;
	enablement_get(own);
	enablement_get(group);
	room[0] = *own;
	room[1] = *group;
	set->e[set->count++] = (struct evnt_enablement) {
		.session = own->session,
		.interest = evnt_level_keyword_union(&own->interest,
						     &group->interest),
		.property = (own->property | group->property) & combined,
		.pair = room,
	};
}

/* Complete a set; returns the shared empty set instead of an empty one */
static struct evnt_enable_set *set_seal(struct evnt_enable_set *set)
{
	if (!set->count && !set->lost) {
		kvfree(set);
		return &evnt_empty_set;
	}
	set->way = way_of(set);
	set->requires = requirements_of(set);
	return set;
}

/**
 * evnt_set_change() - copy a set, replacing the enablement of one session
 * @old: set of a provider or group, or of filter data
 * @session: session whose enablement is left out
 * @fresh: enablement to add instead, or NULL
 * @gfp: flags for the allocation
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

/* Free a set that no writer can see */
void evnt_set_free(struct evnt_enable_set *set)
{
	const struct evnt_enablement *e = set->e;
	const struct evnt_enablement *end = e + set->count + set->lost;

	if (set == &evnt_empty_set)
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

/* Free a set that is no longer published, after a grace period */
void evnt_set_release(struct evnt_enable_set *set)
{
	if (set != &evnt_empty_set)
		call_rcu(&set->rcu, set_free_rcu);
}

/* Find the enablement of a session, or return NULL */
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
 * evnt_effective_find_any() - find a session in the set of a classic
 * registration
 * @view: effective set of the registration
 * @session: handle of the session
 *
 * Also finds sessions that lost the registration to another one.
 *
 * Return: the enablement of the session, or NULL.
 */
const struct evnt_enablement *
evnt_effective_find_any(const struct evnt_enable_set *view, u64 session)
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
 * evnt_effective_find() - find a session's enablement of a registration
 * @r: registration
 * @s: session
 * @group: true for the enablement by group, false for the one by provider id
 *
 * The caller must hold evnt_lock.
 *
 * Return: the enablement, or NULL.
 */
const struct evnt_enablement *
evnt_effective_find(const struct evnt_registration *r,
		    const struct evnt_session *s, bool group)
{
	const struct evnt_enablement *e =
		evnt_set_find(evnt_effective_of(r), s);

	if (e && e->pair)
		return &e->pair[group];
	return e && is_of_group(e) == group ? e : NULL;
}

/**
 * evnt_count_registration() - count a new registration, or a new group member
 * @of: its provider, or its group
 * @view: its effective set from now on
 *
 * The caller must hold evnt_lock.
 */
void evnt_count_registration(const struct evnt_provider *of,
			     const struct evnt_enable_set *view)
{
	const struct evnt_enable_set *set = evnt_set_of(of);
	struct evnt_session *s;
	u32 i;

	for (i = 0; i < set->count; i++) {
		s = set->e[i].session;
		if (evnt_set_find(view, s))
			WRITE_ONCE(s->registrations, s->registrations + 1);
		else
			WRITE_ONCE(s->excluded, s->excluded + 1);
	}
}

/**
 * evnt_enabled_sessions() - list the sessions that have enabled a registration
 * @r: registration
 * @group: true for enablements by group, false for those by provider id
 *
 * The caller must hold evnt_lock.
 *
 * Return: a bit mask of session ids.
 */
u64 evnt_enabled_sessions(const struct evnt_registration *r, bool group)
{
	const struct evnt_enable_set *set = evnt_effective_of(r);
	u64 mask = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->e[i].pair || is_of_group(&set->e[i]) == group)
			mask |= BIT_ULL(evnt_session_id(set->e[i].session));
	}
	return mask;
}

/*
 * Return a bit mask of the sessions that @r must not write to.  Sessions that
 * are not in @set keep their bits, as a writer may still see the previous set.
 */
static u64 denied_of(const struct evnt_enable_set *set,
		     const struct evnt_registration *r)
{
	const struct evnt_session *s;
	u64 bit, denied = r->denied;
	u32 i;

	if (!denied && !(set->requires & EVNT_SET_SECURE))
		return 0;
	for (i = 0; i < set->count + set->lost; i++) {
		s = set->e[i].session;
		bit = BIT_ULL(evnt_session_id(s));
		denied &= ~bit;
		if (set->e[i].property & EVNT_PROPERTY_SECURE &&
		    !evnt_access_allows(&s->info.guid, s->cred->euid, r->cred,
					EVNTRACE_RIGHT_LOG_EVENT))
			denied |= bit;
	}
	return denied;
}

/*
 * Return the sessions in the effective set of @r that it must not write to.
 * The caller must hold evnt_lock.
 */
u64 evnt_denied_sessions(const struct evnt_registration *r)
{
	return denied_of(evnt_effective_of(r), r);
}

/*
 * Return whether @e is in the effective set of @r after the change.  May sleep.
 */
static bool is_seen(const struct evnt_registration *r,
		    const struct evnt_enablement *e,
		    struct evnt_change *c)
{
	bool group = is_of_group(e);

	if (group != c->group || (c->session && c->session != e->session))
		return evnt_effective_find(r, e->session, group);
	if (group && evnt_group_is_disallowed(e->session, &r->provider->id))
		return false;
	return !e->filters || !e->filters->scope ||
	       evnt_scope_has(e->filters->scope, r, &c->last);
}

/* Fill an effective set: one enablement, or one pair, for each session */
static void view_fill(struct evnt_enable_set *view,
		      const struct evnt_registration *r,
		      const struct evnt_enable_set *own,
		      const struct evnt_enable_set *group,
		      struct evnt_change *c)
{
	struct evnt_enablement *room = view->e + own->count + group->count;
	const struct evnt_enablement *e, *other;
	u32 i;

	for (i = 0; i < own->count; i++) {
		e = is_seen(r, &own->e[i], c) ? &own->e[i] : NULL;
		other = evnt_set_find(group, own->e[i].session);
		if (other && !is_seen(r, other, c))
			other = NULL;
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

/* Return whether a classic registration still writes to @s, which lost it */
static bool was_lost(const struct evnt_registration *r,
		     const struct evnt_session *s, const struct evnt_change *c)
{
	return c->session && c->session != s &&
	       evnt_effective_find_any(evnt_effective_of(r), s->handle);
}

/*
 * Fill the effective set of a classic registration, which is in no group.  Only
 * the session that enabled it last is counted.  The sessions that lost it
 * follow.
 */
static void view_fill_classic(struct evnt_enable_set *view,
			      const struct evnt_registration *r,
			      const struct evnt_enable_set *own,
			      struct evnt_change *c)
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

/* Return the set of a provider or group after the change; @p may be NULL */
static struct evnt_enable_set *set_after(const struct evnt_provider *p,
					 const struct evnt_change *c)
{
	if (!p)
		return &evnt_empty_set;
	return p == c->of ? c->set : evnt_set_of(p);
}

/*
 * Build the effective set of a registration after the change.  This is the
 * provider's own set if group, scopes and classic rules cannot make a
 * difference.  Returns NULL without memory.
 */
static struct evnt_enable_set *view_build(const struct evnt_registration *r,
					  struct evnt_change *c)
{
	struct evnt_enable_set *view, *own = set_after(r->provider, c);
	const bool classic = r->flags & EVNTPROV_REGISTER_CLASSIC;
	const struct evnt_enable_set *group;
	u32 room;

	group = set_after(c->joins ?: r->group, c);
	if (!group->count && !(own->requires & EVNT_SET_SCOPED) &&
	    !(classic && own->count))
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

/*
 * Look up the package of @r's process once, if a session in the new effective
 * set requests it.  Returns false without memory.
 */
static bool note_package(struct evnt_registration *r,
			 const struct evnt_enable_set *view)
{
	struct evnt_package_key *key;

	if (rcu_access_pointer(r->package) ||
	    !(view->requires & EVNT_SET_PSM_KEY))
		return true;
	key = evnt_scope_package(r->process);
	rcu_assign_pointer(r->package, key);
	return key;
}

/**
 * evnt_effective_create() - create the effective set of a new registration
 * @r: registration, in no group; its set, composite and denied are filled in
 *
 * The caller must hold evnt_lock.
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_effective_create(struct evnt_registration *r)
{
	struct evnt_change all = {
		.gfp = GFP_KERNEL,
		.prepared = LIST_HEAD_INIT(all.prepared),
	};

	if (!evnt_effective_prepare(r, &all)) {
		evnt_change_undo(&all);
		return -ENOMEM;
	}
	r->composite = composite_of(r, r->next);
	RCU_INIT_POINTER(r->set, r->next);
	r->next = NULL;
	return 0;
}

/**
 * evnt_effective_release() - release the effective set of a registration
 * @r: registration; its provider must still exist
 *
 * The caller must hold evnt_lock.
 */
void evnt_effective_release(struct evnt_registration *r)
{
	struct evnt_enable_set *view = evnt_effective_of(r);

	if (view != evnt_set_of(r->provider))
		evnt_set_release(view);
}

/**
 * evnt_effective_prepare() - build the next effective set of a registration
 * @r: registration, with nothing prepared
 * @c: change in progress, which the caller then publishes or undoes
 *
 * Also updates @denied of @r.  This needs no undo: the bits of sessions in the
 * current set do not change, and no others are read before the next set is
 * published.
 *
 * The caller must hold evnt_lock.
 *
 * Return: false without memory; the caller must undo the change.
 */
bool evnt_effective_prepare(struct evnt_registration *r, struct evnt_change *c)
{
	r->next = view_build(r, c);
	if (!r->next)
		return false;
	list_add_tail(&r->in_change, &c->prepared);
	if (!note_package(r, r->next))
		return false;
	WRITE_ONCE(r->denied, denied_of(r->next, r));
	return true;
}

/* Free the sets prepared for a change.  The caller must hold evnt_lock. */
void evnt_change_undo(struct evnt_change *c)
{
	struct evnt_registration *r;

	list_for_each_entry(r, &c->prepared, in_change) {
		if (r->next != set_after(r->provider, c))
			evnt_set_free(r->next);
		r->next = NULL;
		cond_resched();
	}
}

/*
 * End writes to rings before the next set of @r, if that excludes them.
 *
 * Sessions with filters, for example, cannot have events from rings, and count
 * them as lost.  Events that were written before must therefore be copied to the
 * sessions of the current set:
 *
 *   module				writer
 *   clear the bit in the slot		load the slot
 *   full barrier in evnt_drain()	write to the ring
 *   load @commit, copy			increment @commit
 *   publish the next set
 *
 * A writer has no barrier, so its next load of the slot may come before its event
 * is visible.  The next set gets at most two events of each thread: one that is
 * not visible yet, and one whose write is under way.
 *
 * Returns true if rings may have events of @r: the caller must call evnt_drain()
 * before it publishes the set.
 */
static bool leave_rings(struct evnt_registration *r)
{
	lockdep_assert_held(&evnt_lock);
	if (!r->composite.takes_rings || !(r->flags & EVNTPROV_REGISTER_RING))
		return false;
	if (!composite_of(r, r->next).takes_rings)
		evnt_registration_leave_rings(r);
	return true;
}

/*
 * Publish the effective set prepared for a registration.  Notifies the owner if
 * its state changed, except while joining a group, when the owner reads the new
 * state itself.
 */
static void publish(struct evnt_registration *r, const struct evnt_change *c)
{
	struct evnt_enable_set *old = evnt_effective_of(r), *view = r->next;
	struct evnt_composite composite = composite_of(r, view);
	bool was_shared;

	was_shared = old == (r->provider == c->of ? c->old :
						    evnt_set_of(r->provider));
	r->next = NULL;
	rcu_assign_pointer(r->set, view);				/* (H) */
	/* Without a session, all sessions may have changed */
	if (!c->session || evnt_set_find(old, c->session) ||
	    evnt_set_find(view, c->session))
		evnt_registration_changed(r, &composite,
					  c->joins ? 0 : EVNT_PENDING_STATE,
					  c->source);
	if (!was_shared)
		evnt_set_release(old);
}

/* Return whether a change may make manifests or names due */
static bool may_report(const struct evnt_change *c)
{
	const struct evnt_enablement *e;

	if (c->group || !list_empty(&c->of->manifests))
		return true;
	e = evnt_set_find(c->set, c->session);
	return e && e->property & EVNTRACE_PROPERTY_PROCESS_NAME;
}

/**
 * evnt_change_publish() - publish a change and all sets prepared for it
 * @c: change
 * @pf: file that all changed registrations belong to, or NULL
 *
 * The caller must hold evnt_lock.
 */
void evnt_change_publish(struct evnt_change *c, struct evnt_prov_file *pf)
{
	const bool reports = may_report(c);
	struct evnt_registration *r;
	bool has_rings = false;

	list_for_each_entry(r, &c->prepared, in_change) {
		/* Manifest files and names precede the events that need them */
		if (reports)
			evnt_manifest_write(r, r->next);
		has_rings |= leave_rings(r);
		cond_resched();
	}
	if (has_rings)
		evnt_drain(pf);
	if (c->of)
		rcu_assign_pointer(c->of->set, c->set);
	list_for_each_entry(r, &c->prepared, in_change) {
		publish(r, c);
		cond_resched();
	}
}
