// SPDX-License-Identifier: GPL-2.0
/*
 * Which session has enabled which provider, and how.
 */
#include <linux/slab.h>

#include "enable.h"
#include "filter.h"

struct evnt_enable_set evnt_nobody;

static struct evnt_enable_set *provider_set(const struct evnt_provider *p)
{
	return rcu_dereference_protected(p->set, lockdep_is_held(&evnt_lock));
}

/* The sessions that have enabled @p, a bit each; under evnt_lock */
u64 evnt_enabled_sessions(const struct evnt_provider *p)
{
	const struct evnt_enable_set *set = provider_set(p);
	u64 mask = 0;
	u32 i;

	for (i = 0; i < set->count; i++)
		mask |= BIT_ULL(evnt_session_id(set->e[i].session));
	return mask;
}

static void composite_of(const struct evnt_enable_set *set,
			 struct evnt_composite *c)
{
	struct evnt_interest *all = &c->interest;
	const struct evnt_interest *one;
	u32 i;

	*c = (struct evnt_composite) { .enabled = set->count };
	if (!c->enabled)
		return;
	all->match_all = EVNT_KEYWORD_ALL;
	for (i = 0; i < set->count; i++) {
		one = &set->e[i].interest;
		all->level = max(all->level, one->level);
		all->match_any |= one->match_any;
		all->match_all &= one->match_all;
	}
}

/* A copy of @old without @session, with room for one more; or NULL */
static struct evnt_enable_set *
set_copy(const struct evnt_enable_set *old, const struct evnt_session *session,
	 gfp_t gfp)
{
	struct evnt_enable_set *set;
	u32 i;

	set = kzalloc(struct_size(set, e, old->count + 1), gfp);
	if (!set)
		return NULL;
	for (i = 0; i < old->count; i++) {
		if (old->e[i].session != session)
			set->e[set->count++] = old->e[i];
	}
	return set;
}

/* Give @p another set; under evnt_lock, with the caller a user of @p */
static void set_publish(struct evnt_provider *p, struct evnt_enable_set *set,
			const struct evntprov_guid *source)
{
	struct evnt_enable_set *old = provider_set(p);
	struct evnt_composite composite;

	rcu_assign_pointer(p->set, set);
	atomic64_add((s64)set->count - old->count, &evnt_counts.enablements);
	if (set->count && !old->count)
		p->users++;
	composite_of(set, &composite);
	evnt_provider_changed(p, &composite, EVNT_PENDING_STATE, source);
	if (!old->count)
		return;
	kfree_rcu(old, rcu);
	if (!set->count)
		evnt_provider_put(p);
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

static int provider_enable(struct evnt_provider *p, struct evnt_session *s,
			   const struct evntrace_enable *arg)
{
	struct evnt_enable_set *set;

	set = set_copy(provider_set(p), s, GFP_KERNEL_ACCOUNT);
	if (!set)
		return -ENOMEM;
	set->e[set->count++] = (struct evnt_enablement) {
		.session = s,
		.interest = {
			.match_any = evnt_effective_any(arg->match_any),
			.match_all = arg->match_all,
			.level = evnt_effective_level(arg->level),
		},
		.property = arg->property,
		.set_level = arg->level,
		.set_any = arg->match_any,
	};
	set_publish(p, set, &arg->source);
	return 0;
}

/* Cannot fail, as a session must be able to stop: the set is small */
static void provider_disable(struct evnt_provider *p, struct evnt_session *s,
			     const struct evntprov_guid *source)
{
	struct evnt_enable_set *set;

	if (!set_has(provider_set(p), s))
		return;
	set = set_copy(provider_set(p), s, GFP_KERNEL_ACCOUNT | __GFP_NOFAIL);
	if (!set->count) {
		kfree(set);
		set = &evnt_nobody;
	}
	set_publish(p, set, source);
}

static int provider_control(struct evnt_provider *p, struct evnt_session *s,
			    const struct evntrace_enable *arg)
{
	switch (arg->control) {
	case EVNTPROV_CONTROL_ENABLE:
		return provider_enable(p, s, arg);
	case EVNTPROV_CONTROL_DISABLE:
		provider_disable(p, s, &arg->source);
		return 0;
	}
	evnt_provider_changed(p, &p->composite, EVNT_PENDING_CAPTURE,
			      &arg->source);
	return 0;
}

static int check_enable(const struct evntrace_enable *arg)
{
	if (arg->control > EVNTPROV_CONTROL_CAPTURE_STATE)
		return -EINVAL;
	if (arg->property & ~(EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |
			      EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE))
		return -EOPNOTSUPP;
	return 0;
}

/* Enable or so, and stay a user of the provider */
static int enable_locked(const struct evntrace_enable *arg,
			 struct evnt_provider **provider)
{
	struct evnt_session *s = evnt_session_lookup(arg->handle);
	struct evnt_provider *p;
	int err;

	if (!s)
		return -ESRCH;
	p = evnt_provider_get(&arg->provider);
	if (!p)
		return -ENOMEM;
	err = provider_control(p, s, arg);
	if (err)
		evnt_provider_put(p);
	else
		*provider = p;
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
	mutex_lock(&evnt_lock);
	err = enable_locked(arg, &p);
	mutex_unlock(&evnt_lock);
	if (err)
		return err;
	if (arg->timeout_ms)
		err = evnt_provider_wait(p, arg->timeout_ms);
	mutex_lock(&evnt_lock);
	evnt_provider_put(p);
	mutex_unlock(&evnt_lock);
	return err;
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
