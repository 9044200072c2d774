/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Provider groups: registrations whose traits name a group, which sessions
 * enable together, and lists of providers that a session excludes from its
 * groups.
 */
#ifndef EVNT_GROUP_H
#define EVNT_GROUP_H

#include "module/common/module.h"

struct evnt_registration;
struct evnt_session;

/**
 * struct evnt_disallowed - providers that a session excludes from its groups
 * @list: provider ids, or NULL; protected by evnt_lock
 * @count: number of elements of @list; protected by evnt_lock
 */
struct evnt_disallowed {
	struct evntprov_guid *list;
	u32 count;
};

int evnt_group_join(struct evnt_registration *r,
		    const struct evntprov_guid *id);
void evnt_group_leave(struct evnt_registration *r);
bool evnt_group_is_disallowed(const struct evnt_session *s,
			      const struct evntprov_guid *provider);
int evnt_disallow_set(struct evnt_session *s, const struct evntrace_list *arg);
void evnt_disallow_stop(struct evnt_session *s);

#endif /* EVNT_GROUP_H */
