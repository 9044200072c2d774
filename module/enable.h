/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which session has enabled which provider, and how.
 *
 * Each provider, and each group, has a set of enablements, and each registration
 * a view of these: immutable snapshots, which writers read under RCU.
 */
#ifndef EVNT_ENABLE_H
#define EVNT_ENABLE_H

#include "access.h"
#include "filters.h"
#include "items.h"
#include "provider.h"
#include "session.h"

/* By its provider's id, and by its group's */
#define EVNT_PAIR	2

/**
 * struct evnt_enablement - one session's interest in a provider
 * @session: the session; it outlives each set that it is in
 * @interest: its level and keywords
 * @property: EVNTRACE_PROPERTY_*, EVNT_PROPERTY_*
 * @filters: what it lets through besides, or NULL
 * @set_level: as the controller gave it
 * @set_any: as the controller gave it
 * @tracer: credentials of a reader without CAP_PERFMON, who gets call stacks of
 *	processes that these may trace alone; or NULL
 * @pair: NULL; or of one that has enabled a registration by its provider's id
 *	and by its group's: the two, in this order.  Then @interest is what both
 *	want together, and @filters is NULL.
 */
struct evnt_enablement {
	struct evnt_session *session;
	struct evnt_interest interest;
	u32 property;
	u8 set_level;
	u64 set_any;
	struct evnt_filters *filters;
	const struct cred *tracer;
	const struct evnt_enablement *pair;
};

/* How events find their way to those who have enabled a provider */
enum evnt_way {
	EVNT_WAY_MANY,		/* any number, and all get the same record */
	EVNT_WAY_ONE,		/* one, likewise */
	EVNT_WAY_JUDGED,	/* with filters, pairs, items, or independent */
};

/*
 * All sessions that have enabled a provider or group, or one registration; never
 * changed, freed by RCU, but for evnt_nobody, which is that of all that none has
 * enabled.  Behind @count there is what pairs point to, or, in the view of a
 * classic registration, @lost: those that another session took it from.  It may
 * write to them, but nobody else looks at them.  What is looked at of one session
 * for each event is in the first 64 bytes.
 */
struct evnt_enable_set {
	struct rcu_head rcu;
	u16 way;			/* enum evnt_way */
	u16 lost;
	u32 count;
	struct evnt_enablement e[];
};

/* The session is one of EVNTRACE_MODE_SECURE */
#define EVNT_PROPERTY_SECURE	0x80000000u
/* All readers of the session may know the kernel's addresses */
#define EVNT_PROPERTY_KERNEL	0x40000000u
/* The session is one of EVNTRACE_MODE_INDEPENDENT */
#define EVNT_PROPERTY_INDEPENDENT	0x20000000u
/* What a controller has not set */
#define EVNT_PROPERTY_OWN	(EVNT_PROPERTY_SECURE | EVNT_PROPERTY_KERNEL | \
				 EVNT_PROPERTY_INDEPENDENT)

/*
 * Whether a secure session takes events of this registration.
 *
 * (H) Whoever finds the session in a set sees what was denied for it before:
 *     pairs with the release that publishes the set.
 */
static inline bool evnt_is_denied(const struct evnt_enablement *e,
				  const struct evnt_registration *r)
{
	smp_rmb();							/* (H) */
	return READ_ONCE(r->denied) & BIT_ULL(evnt_session_id(e->session));
}

/*
 * Whether a session wants an event of this registration, written with these flags,
 * which are looked at where it matters
 */
static __always_inline bool
evnt_wants_kind(const struct evnt_enablement *e,
		const struct evnt_registration *r,
		const struct evntprov_descriptor *d, const u32 *flags)
{
	if (!evnt_wanted(&e->interest, d->level, d->keyword))
		return false;
	if (unlikely(e->property & (EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |
				    EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE |
				    EVNT_PROPERTY_SECURE))) {
		if (e->property & EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 &&
		    !d->keyword)
			return false;
		if (e->property & EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE &&
		    *flags & EVNTPROV_WRITE_INPRIVATE)
			return false;
		if (e->property & EVNT_PROPERTY_SECURE && evnt_is_denied(e, r))
			return false;
	}
	return true;
}

/* Whether it wants this event */
static __always_inline bool evnt_wants(const struct evnt_enablement *e,
				       const struct evnt_registration *r,
				       const struct evntprov_write *arg)
{
	return evnt_wants_kind(e, r, &arg->descriptor, &arg->flags) &&
	       (likely(!arg->exclude) ||
		!(arg->exclude & BIT_ULL(evnt_session_id(e->session))));
}

/* Whether an enablement may have the call stack of the current process */
static inline bool evnt_may_have_stack(const struct evnt_enablement *e)
{
	return e->property & EVNTRACE_PROPERTY_STACK_TRACE &&
	       (!e->tracer || evnt_may_trace(e->tracer));
}

int evnt_enable(const struct evntrace_enable *arg);
int evnt_enable_wait(const struct evntrace_enable *arg);
void evnt_disable_all(struct evnt_session *s);
bool evnt_access_changed(void);
u64 evnt_enabled_sessions(const struct evnt_registration *r, bool group);

#endif /* EVNT_ENABLE_H */
