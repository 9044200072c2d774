/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scope filters: the processes for which a provider is enabled at all.
 *
 * Evaluated when a provider is enabled or registered, never when it writes.
 */
#ifndef EVNT_SCOPE_H
#define EVNT_SCOPE_H

#include <linux/pid.h>

#include "module/common/module.h"

struct evnt_package_key;
struct evnt_registration;

/* Lists of names; a process must match one name of each list */
enum evnt_scope_list {
	EVNT_SCOPE_EXE,		/* its executable when it registered */
	EVNT_SCOPE_PACKAGE,	/* its package */
	EVNT_SCOPE_APP,		/* its application within the package */
	EVNT_SCOPE_LISTS,
};

/**
 * struct evnt_scope - processes for which an enablement is in effect
 * @pids: the listed processes, in this order; NULL for ids without a process
 * @pid_count: number of elements of @pids
 * @has_pids: whether the scope is limited by @pids
 * @list: names, each nul-terminated, followed by an empty one; or NULL for no
 *	limit
 */
struct evnt_scope {
	struct pid *pids[EVNTRACE_MAX_FILTER_PIDS];
	u32 pid_count;
	bool has_pids;
	char *list[EVNT_SCOPE_LISTS];
};

/**
 * struct evnt_scope_answer - cached result of evnt_scope_has(); zero if empty
 * @scope: scope
 * @of: registration of the process
 * @has: whether the process is in scope
 */
struct evnt_scope_answer {
	const struct evnt_scope *scope;
	const struct evnt_registration *of;
	bool has;
};

int evnt_scope_add_pids(struct evnt_scope **scope, const void *from, u32 len);
int evnt_scope_add_list(struct evnt_scope **scope, enum evnt_scope_list which,
			const void *from, u32 len);
void evnt_scope_free(struct evnt_scope *scope);
struct evnt_package_key *evnt_scope_package(struct pid *process);
char *evnt_scope_exe(void);
bool evnt_scope_has(const struct evnt_scope *scope,
		    const struct evnt_registration *r,
		    struct evnt_scope_answer *last);

#endif /* EVNT_SCOPE_H */
