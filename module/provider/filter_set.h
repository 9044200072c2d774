/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of an enablement, compiled from what a controller passed.
 *
 * Filters are created when a session enables a provider and are immutable.
 * Each set that contains the enablement holds a reference.
 */
#ifndef EVNT_FILTER_SET_H
#define EVNT_FILTER_SET_H

#include <linux/pid.h>
#include <linux/refcount.h>

#include "core/attribute.h"
#include "core/program.h"
#include "module/common/module.h"

struct evnt_enable_set;
struct evnt_package_key;
struct evnt_registration;
struct evnt_session;

/**
 * struct evnt_given - filter as a controller passed it
 * @type: EVNTRACE_FILTER_*, or a provider-defined type
 * @len: length of @data in bytes
 * @data: contents of the filter
 */
struct evnt_given {
	u32 type;
	u32 len;
	void *data;
};

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

/**
 * struct evnt_filters - filters of an enablement; absent ones are NULL
 * @refs: reference count; held by enable sets and by the creator
 * @ids: event ids, for other than TraceLogging events
 * @names: names of TraceLogging events
 * @program: payload filter, for other than TraceLogging events
 * @stack_ids: ids of events that get a call stack
 * @stack_names: names of TraceLogging events that get a call stack
 * @stack_level_kw: level and keyword of events that get a call stack
 * @scope: processes that the provider is enabled in
 * @rundown: session whose providers are requested to capture state, or 0
 * @own: the element of @given that the provider evaluates, or NULL
 * @given: filters as passed
 * @count: number of elements of @given
 */
struct evnt_filters {
	refcount_t refs;
	struct evnt_ids *ids;
	struct evnt_names *names;
	struct evntrace_program *program;
	struct evnt_ids *stack_ids;
	struct evnt_names *stack_names;
	struct evnt_level_kw *stack_level_kw;
	struct evnt_scope *scope;
	u64 rundown;
	const struct evnt_given *own;
	struct evnt_given given[EVNTRACE_MAX_FILTERS];
	u32 count;
};

struct evnt_filters *evnt_filters_create(u64 from, u32 count, u32 control);
void evnt_filters_get(struct evnt_filters *f);
void evnt_filters_put(struct evnt_filters *f);

/* provider_filter_data.c: filters in the form in which a controller passed them */
u32 evnt_filters_len(const struct evnt_filters *f);
void evnt_filters_describe(const struct evnt_filters *f, void *to);
void *evnt_filters_infos(const struct evnt_filters *f, u32 *len);
int evnt_filters_hand_over(void *from, u32 len, u64 buffer, u32 room);
void *evnt_filters_show(struct evnt_session *s,
			const struct evntprov_guid *provider, bool is_group,
			u32 *len);
int evnt_filter_data(const struct evnt_enable_set *set, size_t room,
		     struct evntprov_notification *n, void **data);

/*
 * scope.c: the processes for which a provider is enabled at all.  Evaluated when
 * a provider is enabled or registered, never when it writes.
 */
int evnt_scope_add_pids(struct evnt_scope **scope, const void *from, u32 len);
int evnt_scope_add_list(struct evnt_scope **scope, enum evnt_scope_list which,
			const void *from, u32 len);
void evnt_scope_free(struct evnt_scope *scope);
struct evnt_package_key *evnt_scope_package(struct pid *process);
char *evnt_scope_exe(void);
bool evnt_scope_has(const struct evnt_scope *scope,
		    const struct evnt_registration *r,
		    struct evnt_scope_answer *last);

/* Check whether there are filters on events, and not only on processes */
static inline bool evnt_filters_evaluate(const struct evnt_filters *f)
{
	return f && (f->ids || f->names || f->program);
}

#endif /* EVNT_FILTER_SET_H */
