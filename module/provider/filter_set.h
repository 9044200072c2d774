/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of an enablement, compiled from what a controller passed.
 *
 * Filters are created when a session enables a provider and are immutable.
 * Each set that contains the enablement holds a reference.
 */
#ifndef EVNT_FILTER_SET_H
#define EVNT_FILTER_SET_H

#include <linux/refcount.h>

#include "core/attribute.h"
#include "core/program.h"
#include "module/provider/scope.h"

struct evnt_enable_set;
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

/* Check whether there are filters on events, and not only on processes */
static inline bool evnt_filters_evaluate(const struct evnt_filters *f)
{
	return f && (f->ids || f->names || f->program);
}

#endif /* EVNT_FILTER_SET_H */
