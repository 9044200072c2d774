// SPDX-License-Identifier: GPL-2.0
/*
 * Enablements: enabling, disabling and capture state of providers by sessions.
 */
#include <linux/capability.h>
#include <linux/security.h>

#include "module/common/acl.h"
#include "module/provider/enable.h"
#include "core/level_keyword.h"
#include "module/session/session.h"

#define KNOWN_PROPERTIES						\
	(EVNT_PROPERTY_EXT_ITEMS | EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |		\
	 EVNTRACE_PROPERTY_ENABLE_KEYWORD_0 |				\
	 EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE |				\
	 EVNTRACE_PROPERTY_PROVIDER_GROUP |				\
	 EVNTRACE_PROPERTY_PROCESS_NAME)

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
		evnt_manifest_write(r, evnt_effective_of(r));
		cond_resched();
	}
}

/**
 * evnt_access_changed() - apply changed access control lists to registrations
 *
 * Context: The caller holds evnt_lock.
 *
 * Return: true if a registration is denied to more sessions than before.
 * Writers under RCU may still use the previous state.
 */
bool evnt_access_changed(void)
{
	bool more = false;

	evnt_providers_for_each(access_changed, &more);
	return more;
}

/*
 * Replace the enablement of @c->session by @fresh, or remove it if @fresh is
 * NULL: prepare the effective sets of all registrations, then publish them.
 * The caller holds evnt_lock and a reference on @p.  Returns 0 or -ENOMEM.
 */
static int provider_change(struct evnt_provider *p, struct evnt_change *c,
			   const struct evnt_enablement *fresh)
{
	struct list_head *node;
	u32 was, is;

	c->of = p;
	c->group = p->is_group;
	c->old = evnt_set_of(p);
	INIT_LIST_HEAD(&c->prepared);
	c->set = evnt_set_change(c->old, c->session, fresh, c->gfp);
	if (!c->set)
		return -ENOMEM;
	list_for_each(node, &p->registrations) {
		if (!evnt_effective_prepare(evnt_registration_at(p, node), c)) {
			evnt_change_undo(c);
			evnt_set_free(c->set);
			return -ENOMEM;
		}
		cond_resched();
	}

	was = c->old->count;
	is = c->set->count;
	evnt_change_publish(c, NULL);
	atomic64_add((s64)is - was, &evnt_counts.enablements);
	/* A set that is not empty is a user of its provider */
	if (is && !was)
		p->users++;
	if (was)
		evnt_set_release(c->old);
	if (was && !is)
		evnt_provider_put(p);
	return 0;
}

/*
 * Return the credentials that limit call stacks, or NULL if there is no limit
 */
static const struct cred *tracer_of(struct evnt_session *s, u32 property)
{
	if (!(property & EVNTRACE_PROPERTY_STACK_TRACE))
		return NULL;
	if (!perfmon_capable())
		return current_cred();
	return evnt_session_guard(s) ? NULL : s->reader;
}

/* Return the properties that depend on the session, not on the controller */
static u32 own_properties(const struct evnt_enablement *e)
{
	const u32 mode = evnt_session_mode(e->session);
	u32 own = 0;

	if (mode & EVNTRACE_MODE_SECURE)
		own |= EVNT_PROPERTY_SECURE;
	if (mode & EVNTRACE_MODE_INDEPENDENT)
		own |= EVNT_PROPERTY_INDEPENDENT;
	/* Lockdown may hide kernel frames even from root */
	if (e->property & EVNTRACE_PROPERTY_STACK_TRACE && !e->tracer &&
	    !security_locked_down(LOCKDOWN_PERF))
		own |= EVNT_PROPERTY_KERNEL;
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
		.property = arg->property,
		.filters = filters,
		.tracer = tracer_of(s, arg->property),
		.set_level = arg->level,
		.set_any = arg->match_any,
	};
	struct evnt_change c = {
		.session = s, .source = &arg->source, .gfp = GFP_KERNEL,
	};
	const u64 more = !evnt_set_find(evnt_set_of(p), s);
	int err;

	fresh.property |= own_properties(&fresh);
	err = evnt_charge(s->user, EVNT_ENABLEMENTS, more, s->is_exempt);
	if (err)
		return err;
	err = provider_change(p, &c, &fresh);
	if (err)
		evnt_uncharge(s->user, EVNT_ENABLEMENTS, more);
	return err;
}

/*
 * Disable a provider.  Must not fail, as a session must be able to stop; sets
 * are small enough for __GFP_NOFAIL.
 */
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

/*
 * Request the state of a provider, or of all providers that the session named
 * by a filter has enabled
 */
static int capture_state(struct evnt_provider *p, struct evnt_session *s,
			 const struct evntrace_enable *arg,
			 struct evnt_filters *filters)
{
	int err;

	if (!filters || !filters->rundown)
		return evnt_capture_state(p, s, &arg->source, filters);
	s = evnt_session_lookup(filters->rundown);
	if (!s)
		return -ESRCH;
	err = evnt_session_check_change(s);
	return err ?: evnt_capture_state(NULL, s, &arg->source, filters);
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

/* Check that the filters apply to the kind of target that is controlled */
static bool are_for(const struct evnt_filters *filters,
		    const struct evntrace_enable *arg)
{
	static const struct evntprov_guid system = EVNTRACE_SYSTEM_CONTROL;

	/* Filters on events need a single provider, not a group */
	if (is_of_group(arg))
		return !evnt_filters_evaluate(filters) &&
		       !(filters && filters->rundown);
	return !filters || !filters->rundown ||
	       !memcmp(&arg->provider, &system, sizeof(system));
}

/* Wait for the owners of @p's registrations, and drop the reference on @p */
static int wait_and_put(struct evnt_provider *p, u32 timeout_ms)
{
	int err = timeout_ms ? evnt_wait_settled(&p->unsettled, timeout_ms) : 0;

	mutex_lock(&evnt_lock);
	evnt_provider_put(p);
	mutex_unlock(&evnt_lock);
	return err;
}

/**
 * evnt_enable() - EVNTRACE_IOC_ENABLE
 * @s: session that the caller may change
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_ENABLE.
 */
int evnt_enable(struct evnt_session *s, const struct evntrace_enable *arg)
{
	struct evnt_provider *p, *unsettled = NULL;
	struct evnt_filters *filters = NULL;
	int err;

	err = check_enable(arg);
	if (err)
		return err;
	/* Built without evnt_lock, as this reads the caller's memory */
	if (arg->control != EVNTPROV_CONTROL_DISABLE)
		filters = evnt_filters_create(arg->filters, arg->filter_count,
					      arg->control);
	if (IS_ERR(filters))
		return PTR_ERR(filters);
	err = -EINVAL;
	if (!are_for(filters, arg))
		goto put_filters;
	err = mutex_lock_killable(&evnt_lock);
	if (err)
		goto put_filters;
	err = -ESRCH;
	if (!evnt_session_runs(s))
		goto unlock;
	err = evnt_access_check(&arg->provider, INVALID_UID,
				EVNTRACE_RIGHT_GUID_ENABLE);
	if (err)
		goto unlock;
	err = -ENOMEM;
	p = evnt_provider_get(&arg->provider, is_of_group(arg));
	if (!p)
		goto unlock;

	err = 0;
	if (arg->control == EVNTPROV_CONTROL_ENABLE)
		err = provider_enable(p, s, arg, filters);
	else if (arg->control == EVNTPROV_CONTROL_DISABLE)
		provider_disable(p, s, &arg->source);
	else
		err = capture_state(p, s, arg, filters);

	if (!err && arg->timeout_ms)
		unsettled = p;
	else
		evnt_provider_put(p);
unlock:
	mutex_unlock(&evnt_lock);
put_filters:
	evnt_filters_put(filters);
	return unsettled ? wait_and_put(unsettled, arg->timeout_ms) : err;
}

/**
 * evnt_enable_wait() - EVNTRACE_IOC_ENABLE with EVNTRACE_ENABLE_WAIT
 * @arg: argument of the ioctl
 *
 * Return: 0 or a negative errno, as documented for EVNTRACE_IOC_ENABLE.
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

static void disable_one(struct evnt_provider *p, void *session)
{
	struct list_head *node;

	/* Drop the session's pending capture-state requests */
	if (!p->is_group) {
		list_for_each(node, &p->registrations) {
			evnt_capture_state_forget(evnt_registration_at(p, node),
						  session);
			cond_resched();
		}
	}
	provider_disable(p, session, NULL);
}

/**
 * evnt_disable_all() - disable all providers of a session that stops
 * @s: session; in no provider's set on return
 *
 * Context: The caller holds evnt_lock.  Writers under RCU may still write to
 * @s.
 */
void evnt_disable_all(struct evnt_session *s)
{
	evnt_providers_for_each(disable_one, s);
}
