/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which session has enabled which provider, and how.
 *
 * Owns each provider's set of enablements: an immutable snapshot that writers
 * read under RCU.
 */
#ifndef EVNT_ENABLE_H
#define EVNT_ENABLE_H

#include "provider.h"
#include "session.h"

/**
 * struct evnt_enablement - one session's interest in a provider
 * @session: the session; it outlives each set that it is in
 * @interest: its level and keywords
 * @property: EVNTRACE_PROPERTY_*
 * @set_level: as the controller gave it
 * @set_any: as the controller gave it
 */
struct evnt_enablement {
	struct evnt_session *session;
	struct evnt_interest interest;
	u32 property;
	u8 set_level;
	u64 set_any;
};

/*
 * All sessions that have enabled a provider; never changed, freed by RCU, but
 * for evnt_nobody, which is that of all that none has enabled.
 */
struct evnt_enable_set {
	struct rcu_head rcu;
	u32 count;
	struct evnt_enablement e[];
};

/* Whether a session wants this event */
static __always_inline bool evnt_wants(const struct evnt_enablement *e,
				       const struct evntprov_write *arg)
{
	const struct evntprov_descriptor *d = &arg->descriptor;

	if (!evnt_wanted(&e->interest, d->level, d->keyword))
		return false;
	if (unlikely(e->property)) {
		if (e->property & EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 &&
		    !d->keyword)
			return false;
		if (e->property & EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE &&
		    arg->flags & EVNTPROV_WRITE_INPRIVATE)
			return false;
	}
	return likely(!arg->exclude) ||
	       !(arg->exclude & BIT_ULL(evnt_session_id(e->session)));
}

int evnt_enable(const struct evntrace_enable *arg);
void evnt_disable_all(struct evnt_session *s);
u64 evnt_enabled_sessions(const struct evnt_provider *p);

#endif /* EVNT_ENABLE_H */
