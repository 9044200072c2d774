/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who has enabled a registration: by its provider's id, or by its group's.
 *
 * Owns sets of enablements, and makes each registration's view of them.  Who
 * changes a set prepares the views of all registrations that it concerns, and
 * then publishes all, or undoes what was prepared.
 */
#ifndef EVNT_VIEW_H
#define EVNT_VIEW_H

#include "enable.h"

/**
 * struct evnt_change - what is about to be different
 * @of: the provider or group whose set is another one, or NULL
 * @old: its set before
 * @set: its set after
 * @joins: the group that the registration at hand comes into, or NULL
 * @group: what is looked at anew: enablements of the group, or of the provider
 * @session: of this session, or NULL: of all
 * @source: who has asked for it
 * @last: what was found of the registration before, or NULL
 * @gfp: how memory for it is allocated
 *
 * Of what is not looked at anew a registration has in its view what it had
 * before: whether it is in scope was found out when a session enabled it, or it
 * was registered, and stays so.
 */
struct evnt_change {
	struct evnt_provider *of;
	struct evnt_enable_set *old;
	struct evnt_enable_set *set;
	struct evnt_provider *joins;
	bool group;
	struct evnt_session *session;
	const struct evntprov_guid *source;
	struct evnt_scope_answer *last;
	gfp_t gfp;
};

static inline struct evnt_enable_set *evnt_set_of(const struct evnt_provider *p)
{
	return rcu_dereference_protected(p->set, lockdep_is_held(&evnt_lock));
}

static inline struct evnt_enable_set *
evnt_view_of(const struct evnt_registration *r)
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
const struct evnt_enablement *evnt_view_find(const struct evnt_registration *r,
					     const struct evnt_session *s,
					     bool group);
const struct evnt_enablement *
evnt_view_find_any(const struct evnt_enable_set *view, u64 session);
bool evnt_view_prepare(struct evnt_registration *r,
		       const struct evnt_change *c);
void evnt_view_undo(struct evnt_registration *r, const struct evnt_change *c);
void evnt_view_publish(struct evnt_registration *r,
		       const struct evnt_change *c);

#endif /* EVNT_VIEW_H */
