// SPDX-License-Identifier: GPL-2.0
/*
 * Which session has enabled which provider, and how.
 */
#include <linux/capability.h>
#include <linux/security.h>

#include "access.h"
#include "enable.h"
#include "filter.h"
#include "manifests.h"
#include "rundown.h"
#include "view.h"

#define KNOWN_PROPERTIES						\
	(EVNT_WISHES | EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |		\
	 EVNTRACE_PROPERTY_ENABLE_KEYWORD_0 |				\
	 EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE |				\
	 EVNTRACE_PROPERTY_PROVIDER_GROUP)

static void access_changed(struct evnt_provider *p, void *more)
{
	struct evnt_registration *r;
	struct list_head *node;
	u64 denied;

	if (p->is_group)
		return;
	list_for_each(node, &p->registrations) {
		r = evnt_registration_at(p, node);
		denied = evnt_denied_sessions(r);
		if (denied & ~r->denied)
			*(bool *)more = true;
		WRITE_ONCE(r->denied, denied);
		evnt_manifest_tell(r, evnt_view_of(r));
		cond_resched();
	}
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

/* Nobody has seen them yet */
static void views_undo(struct evnt_provider *p, const struct evnt_change *c)
{
	struct list_head *node;

	list_for_each(node, &p->registrations)
		evnt_view_undo(evnt_registration_at(p, node), c);
}

static int views_prepare(struct evnt_provider *p, const struct evnt_change *c)
{
	struct list_head *node;

	list_for_each(node, &p->registrations) {
		if (!evnt_view_prepare(evnt_registration_at(p, node), c)) {
			views_undo(p, c);
			return -ENOMEM;
		}
		cond_resched();
	}
	return 0;
}

/* Give @p its new set; under evnt_lock, with the caller a user of @p */
static void set_publish(struct evnt_provider *p, const struct evnt_change *c)
{
	const u32 was = c->old->count, is = c->set->count;
	struct list_head *node;

	rcu_assign_pointer(p->set, c->set);
	atomic64_add((s64)is - was, &evnt_counts.enablements);
	if (is && !was)
		p->users++;
	list_for_each(node, &p->registrations) {
		evnt_view_publish(evnt_registration_at(p, node), c);
		cond_resched();
	}
	if (!was)
		return;
	evnt_set_release(c->old);
	if (!is)
		evnt_provider_put(p);
}

/* @c says of which session; @fresh: its enablement from now on, or NULL */
static int provider_change(struct evnt_provider *p, struct evnt_change *c,
			   const struct evnt_enablement *fresh)
{
	int err;

	c->of = p;
	c->group = p->is_group;
	c->old = evnt_set_of(p);
	c->set = evnt_set_change(c->old, c->session, fresh, c->gfp);
	if (!c->set)
		return -ENOMEM;
	err = views_prepare(p, c);
	if (!err)
		set_publish(p, c);
	else
		evnt_set_free(c->set);
	return err;
}

/* The credentials that call stacks are recorded by, or NULL: there are all */
static const struct cred *tracer_of(struct evnt_session *s, u32 property)
{
	if (!(property & EVNTRACE_PROPERTY_STACK_TRACE))
		return NULL;
	if (!perfmon_capable())
		return current_cred();
	return evnt_session_guard(s) ? NULL : s->reader;
}

/* Under lockdown's confidentiality the kernel keeps its addresses from root, too */
static bool wants_kernel_stacks(const struct evnt_enablement *e)
{
	return e->property & EVNTRACE_PROPERTY_STACK_TRACE && !e->tracer &&
	       !security_locked_down(LOCKDOWN_PERF);
}

static u32 own_properties(const struct evnt_session *s)
{
	const u32 mode = evnt_session_mode(s);
	u32 own = 0;

	if (mode & EVNTRACE_MODE_SECURE)
		own |= EVNT_PROPERTY_SECURE;
	if (mode & EVNTRACE_MODE_INDEPENDENT)
		own |= EVNT_PROPERTY_INDEPENDENT;
	return own;
}

static int provider_enable(struct evnt_provider *p, struct evnt_session *s,
			   const struct evntrace_enable *arg,
			   struct evnt_filters *filters)
{
	struct evnt_enablement fresh = {
		.session = s,
		.interest = {
			.match_any = evnt_effective_any(arg->match_any),
			.match_all = arg->match_all,
			.level = evnt_effective_level(arg->level),
		},
		.property = arg->property | own_properties(s),
		.filters = filters,
		.tracer = tracer_of(s, arg->property),
		.set_level = arg->level,
		.set_any = arg->match_any,
	};
	struct evnt_scope_answer last = {};
	struct evnt_change c = {
		.session = s, .source = &arg->source, .last = &last,
		.gfp = GFP_KERNEL,
	};
	const u64 more = !evnt_set_find(evnt_set_of(p), s);
	int err;

	if (wants_kernel_stacks(&fresh))
		fresh.property |= EVNT_PROPERTY_KERNEL;
	err = evnt_charge(s->user, EVNT_ENABLEMENTS, more, s->is_exempt);
	if (err)
		return err;
	err = provider_change(p, &c, &fresh);
	if (err)
		evnt_uncharge(s->user, EVNT_ENABLEMENTS, more);
	return err;
}

/* Cannot fail, as a session must be able to stop: sets are small */
static void provider_disable(struct evnt_provider *p, struct evnt_session *s,
			     const struct evntprov_guid *source)
{
	struct evnt_change c = {
		.session = s, .source = source,
		.gfp = GFP_KERNEL | __GFP_NOFAIL,
	};

	if (!evnt_set_find(evnt_set_of(p), s))
		return;
	provider_change(p, &c, NULL);
	evnt_uncharge(s->user, EVNT_ENABLEMENTS, 1);
}

/* Ask all that the session has enabled that a filter names */
static int rundown(const struct evntrace_enable *arg,
		   struct evnt_filters *filters)
{
	struct evnt_session *s = evnt_session_lookup(filters->rundown);
	int err;

	if (!s)
		return -ESRCH;
	err = evnt_session_check_change(s);
	return err ?: evnt_ask_all(s, &arg->source, filters);
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
	if (filters && filters->rundown)
		return rundown(arg, filters);
	return evnt_ask_provider(p, s, &arg->source, filters);
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

static bool is_of_group(const struct evntrace_enable *arg)
{
	return arg->property & EVNTRACE_PROPERTY_PROVIDER_GROUP;
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
		err = evnt_access_check(&arg->provider, INVALID_UID,
					EVNTRACE_RIGHT_GUID_ENABLE);
	if (err)
		return err;
	p = evnt_provider_get(&arg->provider, is_of_group(arg));
	if (!p)
		return -ENOMEM;
	err = provider_control(p, s, arg, filters);
	if (err)
		evnt_provider_put(p);
	else
		*provider = p;
	return err;
}

/* Whether what filters are about is what is controlled */
static bool are_for(const struct evnt_filters *filters,
		    const struct evntrace_enable *arg)
{
	static const struct evntprov_guid system = EVNTRACE_SYSTEM_CONTROL;

	/* What events are and have in them is a provider's own matter */
	if (is_of_group(arg))
		return !evnt_filters_judge(filters) &&
		       !(filters && filters->rundown);
	return !filters || !filters->rundown ||
	       !memcmp(&arg->provider, &system, sizeof(system));
}

/* Enable, with filters if there are any, or so */
static int enable_with(const struct evntrace_enable *arg,
		       struct evnt_provider **provider)
{
	struct evnt_filters *filters = NULL;
	int err;

	if (arg->control != EVNTPROV_CONTROL_DISABLE)
		filters = evnt_filters_create(arg->filters, arg->filter_count,
					      arg->control);
	if (IS_ERR(filters))
		return PTR_ERR(filters);
	if (!are_for(filters, arg)) {
		evnt_filters_put(filters);
		return -EINVAL;
	}
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put;
	err = enable_locked(arg, filters, provider);
	mutex_unlock(&evnt_lock);
put:
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

	if (mutex_lock_killable(&evnt_lock))
		return -EINTR;
	p = evnt_provider_find(&arg->provider, is_of_group(arg));
	if (p)
		p->users++;
	mutex_unlock(&evnt_lock);
	return p ? wait_and_put(p, arg->timeout_ms) : 0;
}

/* It does not ask any more, either */
static void forget_asked(struct evnt_provider *p, struct evnt_session *s)
{
	struct list_head *node;

	if (p->is_group)
		return;
	list_for_each(node, &p->registrations) {
		evnt_ask_forget(evnt_registration_at(p, node), s);
		cond_resched();
	}
}

static void disable_one(struct evnt_provider *p, void *session)
{
	static const struct evntprov_guid nobody;

	forget_asked(p, session);
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
