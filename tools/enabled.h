/* SPDX-License-Identifier: MIT */
/* Which providers a session has enabled, and what of them. */
#ifndef EVNT_ENABLED_H
#define EVNT_ENABLED_H

#include "json.h"
#include "trace_door.h"

struct enabled_list {
	struct evntrace_enablement *enablements;
	size_t count;
};

/* Those of one session, to be freed; returns an exit code, the user was told */
int list_enabled(int door, __u64 handle, struct enabled_list *list);

/* id, group, level, match_any, match_all, property, filters */
json_object *enabled_object(int door,
			    const struct evntrace_enablement *enablement);

#endif /* EVNT_ENABLED_H */
