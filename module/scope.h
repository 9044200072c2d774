/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters by process: in which a provider is enabled at all.
 *
 * Looked at when a provider is enabled or registered, never when it writes.
 */
#ifndef EVNT_SCOPE_H
#define EVNT_SCOPE_H

#include <linux/pid.h>

#include "module.h"

struct evnt_package_key;
struct evnt_registration;

/* Lists of names, of which a process is to have one */
enum evnt_scope_list {
	EVNT_SCOPE_EXE,		/* the file that it runs, as it registered */
	EVNT_SCOPE_PACKAGE,	/* the package it is of */
	EVNT_SCOPE_APP,		/* the application in that */
	EVNT_SCOPE_LISTS,
};

/**
 * struct evnt_scope - the processes of an enablement
 * @pids: the ones that were named, in this order; NULL: there was none
 * @pid_count: how many
 * @has_pids: whether any were named
 * @list: names, each nul-terminated, the last one followed by an empty one; or
 *	NULL
 */
struct evnt_scope {
	struct pid *pids[EVNTRACE_MAX_FILTER_PIDS];
	u32 pid_count;
	bool has_pids;
	char *list[EVNT_SCOPE_LISTS];
};

/**
 * struct evnt_scope_answer - whether one process is in scope; zero: not looked at
 * @scope: the scope
 * @of: a registration of the process
 * @has: whether it is
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
