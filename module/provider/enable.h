/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enablements: enabling, disabling and capture state of providers by sessions.
 *
 * Each provider and each provider group has a set of enablements, and each
 * registration has an effective set, computed from both.  All of them are
 * immutable snapshots, which writers read under RCU.
 */
#ifndef EVNT_ENABLE_H
#define EVNT_ENABLE_H

#include "module/common/acl.h"
#include "module/provider/filter_set.h"
#include "module/provider/provider.h"
#include "module/session/session.h"

/* Properties that request extended items */
#define EVNT_PROPERTY_CONTAINER_ITEM						\
	(EVNTRACE_PROPERTY_CONTAINER | EVNTRACE_PROPERTY_SILOS)
#define EVNT_PROPERTY_EXT_ITEMS							\
	(EVNTRACE_PROPERTY_SID | EVNTRACE_PROPERTY_TS_ID |		\
	 EVNTRACE_PROPERTY_STACK_TRACE | EVNTRACE_PROPERTY_PSM_KEY |	\
	 EVNTRACE_PROPERTY_PROCESS_START_KEY |				\
	 EVNTRACE_PROPERTY_EVENT_KEY | EVNT_PROPERTY_CONTAINER_ITEM)

/* Number of enablements in a pair: by provider id and by group id */
#define EVNT_PAIR	2

/**
 * struct evnt_enablement - enablement of a provider by one session
 * @session: session; outlives each set that contains it
 * @interest: effective level and keywords
 * @property: EVNTRACE_PROPERTY_* and EVNT_PROPERTY_*
 * @filters: further filters, or NULL
 * @set_level: level as set by the controller
 * @set_any: MatchAnyKeyword as set by the controller
 * @tracer: credentials without CAP_PERFMON, which limit call stacks to
 *	processes that they may trace; NULL if there is no limit
 * @pair: array of two enablements if the session has enabled the registration
 *	both by provider id and by group id, in this order, otherwise NULL.
 *	With a pair, @interest is the union of both, and @filters is NULL.
 */
struct evnt_enablement {
	struct evnt_session *session;
	struct evnt_level_keyword interest;
	u32 property;
	u8 set_level;
	u64 set_any;
	struct evnt_filters *filters;
	const struct cred *tracer;
	const struct evnt_enablement *pair;
};

/* Paths by which events reach the sessions that have enabled a provider */
enum evnt_way {
	EVNT_ROUTE_MULTI, /* any number of sessions, identical records */
	EVNT_ROUTE_SINGLE, /* a single session, no filters or items */
	EVNT_ROUTE_FILTERED, /* filters, pairs, or items */
};

/* What any session of a set requires, which costs work for each registration */
#define EVNT_SET_SCOPED		0x1	/* a filter on processes */
#define EVNT_SET_SECURE		0x2	/* the right to log */
#define EVNT_SET_PSM_KEY	0x4	/* the package of the process */

/*
 * Sessions that have enabled a provider, a group or a registration.  Immutable
 * and freed by RCU, except for evnt_empty_set, the shared empty set.  The
 * entries behind @count are the targets of @pair or, in the effective set of a
 * classic registration, the @lost sessions from which another session has taken
 * it over; only a classic provider may still write to those.  For a set of one
 * session, everything that each event needs is in the first 64 bytes.
 */
struct evnt_enable_set {
	struct rcu_head rcu;
	u8 way;				/* enum evnt_way */
	u8 requires;			/* EVNT_SET_* */
	u16 lost;
	u32 count;
	struct evnt_enablement e[];
};

/* Property of enablements by a session with EVNTRACE_MODE_SECURE */
#define EVNT_PROPERTY_SECURE	0x80000000u
/* All readers of the session may see kernel addresses */
#define EVNT_PROPERTY_KERNEL	0x40000000u
/* Property of enablements by a session with EVNTRACE_MODE_INDEPENDENT */
#define EVNT_PROPERTY_INDEPENDENT	0x20000000u
/* Properties derived from the session rather than set by a controller */
#define EVNT_PROPERTY_OWN	(EVNT_PROPERTY_SECURE | EVNT_PROPERTY_KERNEL | \
				 EVNT_PROPERTY_INDEPENDENT)

/*
 * Check whether a secure session is denied the events of a registration.
 *
 * (H) A writer that finds the session in a set also sees the denials computed
 *     for it before: pairs with the release that publishes the set.
 */
static inline bool evnt_is_denied(const struct evnt_enablement *e,
				  const struct evnt_registration *r)
{
	smp_rmb();						/* (H) */
	return READ_ONCE(r->denied) & BIT_ULL(evnt_session_id(e->session));
}

/* Properties that evnt_wants_kind() considers */
#define EVNT_PROPERTY_RULES	(EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 |	\
				 EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE |	\
				 EVNT_PROPERTY_SECURE)

/*
 * Check whether a session wants an event of this descriptor and @flags.  @flags
 * is dereferenced only if a property depends on it.
 */
static __always_inline bool
evnt_wants_kind(const struct evnt_enablement *e,
		const struct evnt_registration *r,
		const struct evntprov_descriptor *d, const u32 *flags)
{
	if (!evnt_wanted(&e->interest, d->level, d->keyword))
		return false;
	if (unlikely(e->property & EVNT_PROPERTY_RULES)) {
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

/* As evnt_wants_kind(), and honour the sessions that the writer excludes */
static __always_inline bool evnt_wants(const struct evnt_enablement *e,
				       const struct evnt_registration *r,
				       const struct evntprov_write *arg)
{
	return evnt_wants_kind(e, r, &arg->descriptor, &arg->flags) &&
	       (likely(!arg->exclude) ||
		!(arg->exclude & BIT_ULL(evnt_session_id(e->session))));
}

/*
 * Check whether records in a ring have everything that the enablement depends
 * on: no filters, no extended items, and no right that may be revoked.
 */
static inline bool evnt_takes_rings(const struct evnt_enablement *e)
{
	return !evnt_filters_evaluate(e->filters) && !e->pair &&
	       !(e->property & (EVNT_PROPERTY_EXT_ITEMS |
				EVNT_PROPERTY_SECURE)) &&
	       evnt_session_takes_rings(e->session);
}

/* Check whether the session may get the call stack of the current process */
static inline bool evnt_may_have_stack(const struct evnt_enablement *e)
{
	return e->property & EVNTRACE_PROPERTY_STACK_TRACE &&
	       (!e->tracer || evnt_may_trace(e->tracer));
}

/**
 * struct evnt_change - a change of enablements in progress
 * @of: provider or group whose set changes, or NULL
 * @old: its set before the change
 * @set: its set after the change
 * @joins: group that the registration joins, or NULL
 * @group: whether to re-evaluate enablements of the group, or of the provider
 * @session: session whose enablements to re-evaluate, or NULL for all
 * @source: SourceId of the control request, or NULL
 * @last: cached result of evnt_scope_has()
 * @gfp: flags for memory allocations
 * @prepared: registrations whose next effective set is prepared
 *
 * Enablements that are not re-evaluated stay in the effective set of a
 * registration, or out of it, as before: whether a registration is in scope is
 * decided once, when a session enables the provider or the registration is
 * created.
 */
struct evnt_change {
	struct evnt_provider *of;
	struct evnt_enable_set *old;
	struct evnt_enable_set *set;
	struct evnt_provider *joins;
	bool group;
	struct evnt_session *session;
	const struct evntprov_guid *source;
	struct evnt_scope_answer last;
	gfp_t gfp;
	struct list_head prepared;
};

/* Providers that a controller has listed for a session; @ids may be NULL */
struct evnt_provider_list {
	struct evntprov_guid *ids;
	u32 count;
};

static inline struct evnt_enable_set *evnt_set_of(const struct evnt_provider *p)
{
	return rcu_dereference_protected(p->set, lockdep_is_held(&evnt_lock));
}

static inline struct evnt_enable_set *
evnt_effective_of(const struct evnt_registration *r)
{
	return rcu_dereference_protected(r->set, lockdep_is_held(&evnt_lock));
}

int evnt_enable(struct evnt_session *s, const struct evntrace_enable *arg);
int evnt_enable_wait(const struct evntrace_enable *arg);
void evnt_disable_all(struct evnt_session *s);
bool evnt_access_changed(void);

/* capture_state.c: requests to log their state, and the filter data of these */
int evnt_capture_state(struct evnt_provider *p, struct evnt_session *s,
		       const struct evntprov_guid *source,
		       struct evnt_filters *filters);
void evnt_capture_state_requeue(struct evnt_session *s,
				const struct evnt_provider_list *list);
void evnt_capture_state_requested(struct evnt_registration *r);
void evnt_capture_state_cancel(struct evnt_registration *r);
void evnt_capture_state_forget(struct evnt_registration *r,
			       const struct evnt_session *s);

/*
 * enable_set.c: sets of enablements, and the effective sets derived from them.
 * A change of a set first prepares the effective sets of all registrations
 * concerned, then publishes all of them, or undoes the preparation.
 */
u64 evnt_enabled_sessions(const struct evnt_registration *r, bool group);
void evnt_count_registration(const struct evnt_provider *of,
			     const struct evnt_enable_set *view);
struct evnt_enable_set *evnt_set_change(const struct evnt_enable_set *old,
					const struct evnt_session *session,
					const struct evnt_enablement *fresh,
					gfp_t gfp);
void evnt_set_free(struct evnt_enable_set *set);
void evnt_set_release(struct evnt_enable_set *set);
const struct evnt_enablement *evnt_set_find(const struct evnt_enable_set *set,
					    const struct evnt_session *s);
const struct evnt_enablement *
evnt_effective_find(const struct evnt_registration *r,
		    const struct evnt_session *s, bool group);
const struct evnt_enablement *
evnt_effective_find_any(const struct evnt_enable_set *view, u64 session);
bool evnt_effective_prepare(struct evnt_registration *r,
			    struct evnt_change *c);
void evnt_change_undo(struct evnt_change *c);
void evnt_change_publish(struct evnt_change *c, struct evnt_prov_file *pf);

/*
 * group.c: registrations whose traits name a group, which sessions enable
 * together, and providers that a session excludes from its groups
 */
int evnt_group_join(struct evnt_registration *r,
		    const struct evntprov_guid *id);
void evnt_group_leave(struct evnt_registration *r);
bool evnt_group_is_disallowed(const struct evnt_session *s,
			      const struct evntprov_guid *provider);
int evnt_group_disallow(struct evnt_session *s,
			struct evnt_provider_list *list);

/*
 * manifests.c: files that contain the manifests of providers.  They are
 * reported to sessions, so that readers of a log can decode the events.
 */
int evnt_manifest_set(struct evnt_prov_file *pf,
		      const struct evntprov_set_information *arg);
void evnt_manifest_release(struct evnt_registration *r);
void evnt_manifests_free(struct evnt_provider *p);

void evnt_manifest_write(const struct evnt_registration *r,
			 const struct evnt_enable_set *view);
void evnt_manifest_forget(const struct evnt_registration *r,
			  const struct evnt_session *s);
void evnt_manifest_write_session(const struct evnt_registration *r,
				 const struct evnt_session *s);

void evnt_manifests_create(struct evnt_session *s);
void evnt_manifests_renew(struct evnt_session *s);
void evnt_manifests_wait(struct evnt_session *s);
void evnt_manifests_stop(struct evnt_session *s);

int evnt_manifests_init(void);
void evnt_manifests_exit(void);

#endif /* EVNT_ENABLE_H */
