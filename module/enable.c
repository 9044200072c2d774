// SPDX-License-Identifier: GPL-2.0
/*
 * Which session has enabled which provider, and how.
 */
#include <linux/capability.h>
#include <linux/slab.h>

#include "access.h"
#include "enable.h"
#include "filter.h"

#define KNOWN_PROPERTIES						\
	(EVNT_WISHES | EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |		\
	 EVNTRACE_PROPERTY_ENABLE_KEYWORD_0 |				\
	 EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE)

struct evnt_enable_set evnt_nobody;

static struct evnt_enable_set *provider_set(const struct evnt_provider *p)
{
	return rcu_dereference_protected(p->set, lockdep_is_held(&evnt_lock));
}

static struct evnt_enable_set *view_of(const struct evnt_registration *r)
{
	return rcu_dereference_protected(r->set, lockdep_is_held(&evnt_lock));
}

/* The sessions that have enabled it for @r, a bit each; under evnt_lock */
u64 evnt_enabled_sessions(const struct evnt_registration *r)
{
	const struct evnt_enable_set *set = view_of(r);
	u64 mask = 0;
	u32 i;

	for (i = 0; i < set->count; i++)
		mask |= BIT_ULL(evnt_session_id(set->e[i].session));
	return mask;
}

static struct evnt_composite composite_of(const struct evnt_enable_set *set)
{
	struct evnt_composite c = { .enabled = set->count };
	const struct evnt_interest *one;
	u32 i;

	if (!c.enabled)
		return c;
	c.interest.match_all = EVNT_KEYWORD_ALL;
	for (i = 0; i < set->count; i++) {
		one = &set->e[i].interest;
		c.interest.level = max(c.interest.level, one->level);
		c.interest.match_any |= one->match_any;
		c.interest.match_all &= one->match_all;
	}
	return c;
}

static enum evnt_way way_of(const struct evnt_enable_set *set)
{
	/* Who is alone is independent anyway */
	u32 i, judged = EVNT_WISHES |
			(set->count > 1 ? EVNT_PROPERTY_INDEPENDENT : 0);

	for (i = 0; i < set->count; i++) {
		if (evnt_filters_judge(set->e[i].filters) ||
		    set->e[i].property & judged)
			return EVNT_WAY_JUDGED;
	}
	return set->count == 1 ? EVNT_WAY_ONE : EVNT_WAY_MANY;
}

static void set_add(struct evnt_enable_set *set,
		    const struct evnt_enablement *e)
{
	evnt_filters_get(e->filters);
	set->e[set->count++] = *e;
}

/* The set is complete.  Returns what stands for it. */
static struct evnt_enable_set *set_seal(struct evnt_enable_set *set)
{
	if (!set->count) {
		kfree(set);
		return &evnt_nobody;
	}
	set->way = way_of(set);
	return set;
}

/*
 * A copy of @old without @session, and with @fresh, which is its enablement, if
 * it has one; or NULL.
 */
static struct evnt_enable_set *
set_change(const struct evnt_enable_set *old,
	   const struct evnt_session *session,
	   const struct evnt_enablement *fresh, gfp_t gfp)
{
	struct evnt_enable_set *set;
	u32 i;

	set = kzalloc(struct_size(set, e, old->count + 1), gfp);
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

/* The secure sessions of @set that @r must not write to, a bit each */
static u64 denied_of(const struct evnt_enable_set *set,
		     const struct evnt_registration *r)
{
	const struct evnt_session *s;
	u64 denied = 0;
	u32 i;

	for (i = 0; i < set->count; i++) {
		s = set->e[i].session;
		if (set->e[i].property & EVNT_PROPERTY_SECURE &&
		    !evnt_access_allows(&s->info.guid, r->cred,
					EVNTRACE_RIGHT_LOG_EVENT))
			denied |= BIT_ULL(evnt_session_id(s));
	}
	return denied;
}

/* What @r must not write to of those that have enabled it; under evnt_lock */
u64 evnt_denied_sessions(const struct evnt_registration *r)
{
	return denied_of(provider_set(r->provider), r);
}

/* Returns whether a registration must not write where it could before */
static bool update_denied(struct evnt_provider *p,
			  const struct evnt_enable_set *set)
{
	struct evnt_registration *r;
	bool more = false;
	u64 denied;

	list_for_each_entry(r, &p->registrations, in_provider) {
		denied = denied_of(set, r);
		more |= denied & ~r->denied;
		WRITE_ONCE(r->denied, denied);
	}
	return more;
}

static void access_changed(struct evnt_provider *p, void *more)
{
	if (update_denied(p, provider_set(p)))
		*(bool *)more = true;
}

/**
 * evnt_access_changed() - lists of access are others than before
 *
 * Under evnt_lock.
 *
 * Return: whether more is denied than before.  Writers under RCU may yet go by
 * what was.
 */
bool evnt_access_changed(void)
{
	bool more = false;

	evnt_providers_for_each(access_changed, &more);
	return more;
}

static void set_free(struct evnt_enable_set *set)
{
	u32 i;

	for (i = 0; i < set->count; i++)
		evnt_filters_put(set->e[i].filters);
	kfree(set);
}

static void set_free_rcu(struct rcu_head *rcu)
{
	set_free(container_of(rcu, struct evnt_enable_set, rcu));
}

/* No writer finds it any more; some may be looking at it yet */
static void set_release(struct evnt_enable_set *set)
{
	if (set != &evnt_nobody)
		call_rcu(&set->rcu, set_free_rcu);
}

/* Whether an enablement is one for @r; may sleep */
static bool in_scope(const struct evnt_enablement *e,
		     const struct evnt_registration *r)
{
	return !e->filters || !e->filters->scope ||
	       evnt_scope_has(e->filters->scope, r->process);
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

/**
 * evnt_view_create() - a provider is registered: who has enabled it for that
 * @r: the registration; its view and composite are filled in
 *
 * Under evnt_lock.
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_view_create(struct evnt_registration *r)
{
	struct evnt_enable_set *view, *set = provider_set(r->provider);
	u32 i;

	view = set;
	if (is_scoped(set)) {
		view = kzalloc(struct_size(set, e, set->count),
			       GFP_KERNEL_ACCOUNT);
		if (!view)
			return -ENOMEM;
		for (i = 0; i < set->count; i++) {
			if (in_scope(&set->e[i], r))
				set_add(view, &set->e[i]);
		}
		view = set_seal(view);
	}
	RCU_INIT_POINTER(r->set, view);
	r->composite = composite_of(view);
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
	struct evnt_enable_set *view = view_of(r);

	if (view != provider_set(r->provider))
		set_release(view);
}

/**
 * struct change - what becomes of a session's interest in a provider
 * @session: the session
 * @fresh: its enablement from now on, or NULL
 * @source: who has asked for it
 * @gfp: how memory for it is allocated
 */
struct change {
	struct evnt_session *session;
	const struct evnt_enablement *fresh;
	const struct evntprov_guid *source;
	gfp_t gfp;
};

/*
 * What a registration sees after a change that makes @set of its provider's.
 * Which sessions have it in scope was found out when they enabled it, or it was
 * registered, and stays so.
 */
static struct evnt_enable_set *view_change(const struct evnt_registration *r,
					   struct evnt_enable_set *set,
					   const struct change *c)
{
	const struct evnt_enablement *fresh = c->fresh;

	if (!is_scoped(set))
		return set;
	if (fresh && !in_scope(fresh, r))
		fresh = NULL;
	return set_change(view_of(r), c->session, fresh, c->gfp);
}

/* Nobody has seen them yet */
static void views_undo(struct evnt_provider *p,
		       const struct evnt_enable_set *set)
{
	struct evnt_registration *r;

	list_for_each_entry(r, &p->registrations, in_provider) {
		if (r->next && r->next != set && r->next != &evnt_nobody)
			set_free(r->next);
		r->next = NULL;
	}
}

static int views_prepare(struct evnt_provider *p, struct evnt_enable_set *set,
			 const struct change *c)
{
	struct evnt_registration *r;

	list_for_each_entry(r, &p->registrations, in_provider) {
		r->next = view_change(r, set, c);
		if (!r->next) {
			views_undo(p, set);
			return -ENOMEM;
		}
	}
	return 0;
}

static bool set_has(const struct evnt_enable_set *set,
		    const struct evnt_session *s)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		if (set->e[i].session == s)
			return true;
	}
	return false;
}

/* Show a registration its new view, and tell its owner if it is another one */
static void view_publish(struct evnt_registration *r,
			 const struct evnt_enable_set *shared,
			 const struct change *c)
{
	struct evnt_enable_set *old = view_of(r), *view = r->next;
	struct evnt_composite composite = composite_of(view);

	r->next = NULL;
	rcu_assign_pointer(r->set, view);				/* (H) */
	if (set_has(old, c->session) || set_has(view, c->session))
		evnt_registration_changed(r, &composite, EVNT_PENDING_STATE,
					  c->source);
	if (old != shared)
		set_release(old);
}

/* Give @p another set; under evnt_lock, with the caller a user of @p */
static void set_publish(struct evnt_provider *p, struct evnt_enable_set *set,
			const struct change *c)
{
	struct evnt_enable_set *old = provider_set(p);
	struct evnt_registration *r;

	update_denied(p, set);
	rcu_assign_pointer(p->set, set);
	atomic64_add((s64)set->count - old->count, &evnt_counts.enablements);
	if (set->count && !old->count)
		p->users++;
	list_for_each_entry(r, &p->registrations, in_provider)
		view_publish(r, old, c);
	if (!old->count)
		return;
	set_release(old);
	if (!set->count)
		evnt_provider_put(p);
}

static int provider_change(struct evnt_provider *p, const struct change *c)
{
	struct evnt_enable_set *set;
	int err;

	set = set_change(provider_set(p), c->session, c->fresh, c->gfp);
	if (!set)
		return -ENOMEM;
	err = views_prepare(p, set, c);
	if (!err)
		set_publish(p, set, c);
	else
		set_free(set);
	return err;
}

static u32 own_properties(const struct evnt_session *s)
{
	const u32 mode = evnt_session_mode(s);
	u32 own = 0;

	if (mode & EVNTRACE_MODE_SECURE)
		own |= EVNT_PROPERTY_SECURE;
	if (mode & EVNTRACE_MODE_INDEPENDENT)
		own |= EVNT_PROPERTY_INDEPENDENT;
	if (perfmon_capable())
		own |= EVNT_PROPERTY_KERNEL;
	return own;
}

static int provider_enable(struct evnt_provider *p, struct evnt_session *s,
			   const struct evntrace_enable *arg,
			   struct evnt_filters *filters)
{
	const struct evnt_enablement fresh = {
		.session = s,
		.interest = {
			.match_any = evnt_effective_any(arg->match_any),
			.match_all = arg->match_all,
			.level = evnt_effective_level(arg->level),
		},
		.property = arg->property | own_properties(s),
		.filters = filters,
		.set_level = arg->level,
		.set_any = arg->match_any,
	};
	const struct change c = {
		s, &fresh, &arg->source, GFP_KERNEL_ACCOUNT
	};

	return provider_change(p, &c);
}

/* Cannot fail, as a session must be able to stop: sets are small */
static void provider_disable(struct evnt_provider *p, struct evnt_session *s,
			     const struct evntprov_guid *source)
{
	const struct change c = {
		s, NULL, source, GFP_KERNEL_ACCOUNT | __GFP_NOFAIL
	};

	if (set_has(provider_set(p), s))
		provider_change(p, &c);
}

/* Ask all for their state but those who are out of the session's scope */
static void provider_capture(struct evnt_provider *p, struct evnt_session *s,
			     const struct evntprov_guid *source)
{
	bool enabled = set_has(provider_set(p), s);
	struct evnt_registration *r;

	list_for_each_entry(r, &p->registrations, in_provider) {
		if (!enabled || set_has(view_of(r), s))
			evnt_registration_changed(r, &r->composite,
						  EVNT_PENDING_CAPTURE, source);
	}
}

static int provider_control(struct evnt_provider *p, struct evnt_session *s,
			    const struct evntrace_enable *arg,
			    struct evnt_filters *filters)
{
	switch (arg->control) {
	case EVNTPROV_CONTROL_ENABLE:
		return provider_enable(p, s, arg, filters);
	case EVNTPROV_CONTROL_DISABLE:
		provider_disable(p, s, &arg->source);
		return 0;
	}
	provider_capture(p, s, &arg->source);
	return 0;
}

static int check_enable(const struct evntrace_enable *arg)
{
	if (arg->control > EVNTPROV_CONTROL_CAPTURE_STATE)
		return -EINVAL;
	if (arg->property & ~KNOWN_PROPERTIES)
		return -EOPNOTSUPP;
	if (arg->property & EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 &&
	    arg->property & EVNTRACE_PROPERTY_ENABLE_KEYWORD_0)
		return -EINVAL;
	return 0;
}

/* Enable or so, and stay a user of the provider */
static int enable_locked(const struct evntrace_enable *arg,
			 struct evnt_filters *filters,
			 struct evnt_provider **provider)
{
	struct evnt_session *s = evnt_session_lookup(arg->handle);
	struct evnt_provider *p;
	int err;

	if (!s)
		return -ESRCH;
	err = evnt_session_check_change(s);
	if (!err)
		err = evnt_access_check(&arg->provider,
					EVNTRACE_RIGHT_GUID_ENABLE);
	if (err)
		return err;
	p = evnt_provider_get(&arg->provider);
	if (!p)
		return -ENOMEM;
	err = provider_control(p, s, arg, filters);
	if (err)
		evnt_provider_put(p);
	else
		*provider = p;
	return err;
}

/* Enable, with filters if there are any, or so */
static int enable_with(const struct evntrace_enable *arg,
		       struct evnt_provider **provider)
{
	struct evnt_filters *filters = NULL;
	int err;

	if (arg->control == EVNTPROV_CONTROL_ENABLE)
		filters = evnt_filters_create(arg->filters, arg->filter_count);
	if (IS_ERR(filters))
		return PTR_ERR(filters);
	mutex_lock(&evnt_lock);
	err = enable_locked(arg, filters, provider);
	mutex_unlock(&evnt_lock);
	evnt_filters_put(filters);
	return err;
}

/* Wait for the owners of @p's registrations, and be a user of it no more */
static int wait_and_put(struct evnt_provider *p, u32 timeout_ms)
{
	int err = timeout_ms ? evnt_provider_wait(p, timeout_ms) : 0;

	mutex_lock(&evnt_lock);
	evnt_provider_put(p);
	mutex_unlock(&evnt_lock);
	return err;
}

/**
 * evnt_enable() - EVNTRACE_IOC_ENABLE
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_enable(const struct evntrace_enable *arg)
{
	struct evnt_provider *p;
	int err;

	err = check_enable(arg);
	if (err)
		return err;
	err = enable_with(arg, &p);
	return err ? err : wait_and_put(p, arg->timeout_ms);
}

/**
 * evnt_enable_wait() - EVNTRACE_IOC_ENABLE with EVNTRACE_ENABLE_WAIT
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_enable_wait(const struct evntrace_enable *arg)
{
	struct evnt_provider *p;

	mutex_lock(&evnt_lock);
	p = evnt_provider_find(&arg->provider);
	if (p)
		p->users++;
	mutex_unlock(&evnt_lock);
	return p ? wait_and_put(p, arg->timeout_ms) : 0;
}

/**
 * evnt_capture_state() - ask for a provider's state
 * @s: for whom; if it has not enabled the provider, nobody is asked
 * @provider: which
 *
 * Under evnt_lock.
 */
void evnt_capture_state(struct evnt_session *s,
			const struct evntprov_guid *provider)
{
	static const struct evntprov_guid nobody;
	struct evnt_provider *p = evnt_provider_find(provider);

	if (p && set_has(provider_set(p), s))
		provider_capture(p, s, &nobody);
}

static void disable_one(struct evnt_provider *p, void *session)
{
	static const struct evntprov_guid nobody;

	provider_disable(p, session, &nobody);
}

/**
 * evnt_disable_all() - a session stops
 * @s: the session; no provider's set holds it any more on return
 *
 * Under evnt_lock.  Writers under RCU may still be at work for it.
 */
void evnt_disable_all(struct evnt_session *s)
{
	evnt_providers_for_each(disable_one, s);
}
