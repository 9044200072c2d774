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
 * @match_any: as evnt_effective_any() gave it
 * @match_all: all of these are demanded
 * @property: EVNTRACE_PROPERTY_*
 * @level: as evnt_effective_level() gave it
 * @set_level: as the controller gave it
 * @set_any: as the controller gave it
 */
struct evnt_enablement {
	struct evnt_session *session;
	u64 match_any;
	u64 match_all;
	u32 property;
	u8 level;
	u8 set_level;
	u64 set_any;
};

/* All sessions that have enabled a provider; never changed, freed by RCU */
struct evnt_enable_set {
	struct rcu_head rcu;
	u32 count;
	struct evnt_enablement e[];
};

int evnt_enable(const struct evntrace_enable *arg);
void evnt_disable_all(struct evnt_session *s);
u64 evnt_enabled_sessions(const struct evnt_provider *p);

#endif /* EVNT_ENABLE_H */
