/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filters of an enablement: what a controller passed, compiled.
 *
 * They are made when a session enables a provider and never changed.  Each set
 * that the enablement is in holds a reference.
 */
#ifndef EVNT_FILTERS_H
#define EVNT_FILTERS_H

#include <linux/refcount.h>

#include "attribute.h"
#include "payload.h"
#include "program.h"
#include "scope.h"

/**
 * struct evnt_given - a filter as a controller passed it
 * @type: EVNTRACE_FILTER_*, or the provider's own
 * @len: bytes of @data
 * @data: what it is made of
 */
struct evnt_given {
	u32 type;
	u32 len;
	void *data;
};

/**
 * struct evnt_filters - the filters of an enablement; those that are not there
 *	are NULL
 * @refs: sets that have them, and whoever makes them
 * @ids: ids that events have
 * @names: names that TraceLogging events have
 * @program: what the data of other events has to be
 * @stack_ids: ids of events that come with their call stack
 * @stack_names: likewise, names of TraceLogging events
 * @stack_level_kw: likewise, level and keyword
 * @scope: processes that the provider is enabled in
 * @rundown: the session whose providers are asked for their state, or 0
 * @own: what the provider looks at itself: one of @given
 * @given: all, as they were passed
 * @count: how many there are
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

/**
 * struct evnt_subject - an event that filters look at
 * @arg: what it is
 * @event: likewise, for programs
 * @is_tracelogging: it came with its metadata
 * @reader: its metadata, if it is, or else its data
 */
struct evnt_subject {
	const struct evntprov_write *arg;
	struct evnt_program_event event;
	bool is_tracelogging;
	struct evnt_payload_reader reader;
};

struct evnt_filters *evnt_filters_create(u64 from, u32 count, u32 control);
void evnt_filters_get(struct evnt_filters *f);
void evnt_filters_put(struct evnt_filters *f);
int evnt_filters_pass(const struct evnt_filters *f, struct evnt_subject *s);
int evnt_filters_stack(const struct evnt_filters *f, struct evnt_subject *s);

/* Whether filters look at events, not only at processes */
static inline bool evnt_filters_judge(const struct evnt_filters *f)
{
	return f && (f->ids || f->names || f->program);
}

#endif /* EVNT_FILTERS_H */
