/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access control of providers and sessions, and the ptrace check.
 *
 * Owns the access control lists: one per GUID, immutable, read under RCU.
 * Depends on neither providers nor sessions.
 */
#ifndef EVNT_ACL_H
#define EVNT_ACL_H

#include <linux/uidgid.h>

#include "module/common/module.h"

struct cred;
struct pid;

int evnt_access_check(const struct evntprov_guid *guid, kuid_t owner,
		      u32 rights);
bool evnt_access_allows(const struct evntprov_guid *guid, kuid_t owner,
			const struct cred *cred, u32 rights);
bool evnt_may_trace_system(void);
int evnt_access_change(const struct evntrace_access *arg);
void evnt_access_for_each(void (*fn)(const void *entry, void *data), void *data);
void evnt_access_exit(void);
bool evnt_cred_covers(const struct cred *by, const struct cred *target);
bool evnt_may_trace(const struct cred *by);
bool evnt_may_trace_process(const struct cred *by, struct pid *process);

/*
 * Fill in the rights of a descriptor of @handle: the requested ones, which must
 * be among the caller's @has, or all of these.  Return 0 or -EACCES.
 */
static inline int evnt_access_grant(struct evntrace_open *arg, u64 handle,
				    u32 has)
{
	arg->granted = arg->flags & EVNTRACE_OPEN_MAXIMUM ? has : arg->rights;
	arg->handle = handle;
	return arg->granted && !(arg->granted & ~has) ? 0 : -EACCES;
}

#endif /* EVNT_ACL_H */
