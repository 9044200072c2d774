/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Effective sets: the enablements of a registration by its provider and its
 * group.
 *
 * Owns sets of enablements, and derives the effective set of each registration
 * from them.  A change of a set first prepares the effective sets of all
 * registrations concerned, then publishes all of them, or undoes the
 * preparation.
 */
#ifndef EVNT_ENABLE_SET_H
#define EVNT_ENABLE_SET_H

#include "module/provider/enable.h"

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

#endif /* EVNT_ENABLE_SET_H */
