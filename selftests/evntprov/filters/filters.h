/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters as tests pass them to the module, and a reference of what they let
 * through, written from the documentation.
 */
#ifndef EVNT_TEST_FILTERS_H
#define EVNT_TEST_FILTERS_H

#include <errno.h>
#include <stddef.h>

#include "selftests/evntprov/common/device.h"

#define COUNT(a)	(sizeof(a) / sizeof(*(a)))

/* EVENT_FILTER_EVENT_ID, EVENT_FILTER_EVENT_NAME, EVENT_FILTER_LEVEL_KW */
struct id_filter {
	__u8 in;
	__u8 reserved;
	__u16 count;
	__u16 id[EVNTRACE_MAX_FILTER_IDS];
};

struct name_filter {
	__u64 match_any;
	__u64 match_all;
	__u8 level;
	__u8 in;
	__u16 count;
	char names[128];
};

/* Processes in scope: all, this one, or another one, by id and by name */
enum scope { SCOPE_ALL, SCOPE_US, SCOPE_OTHER };

/* Parameters with which a session enables a provider */
struct config {
	__u8 level;
	__u64 any, all;
	__u32 property;
	enum scope pid, exe;
	bool has_ids, has_names, has_program;
	struct id_filter ids;
	struct name_filter names;
	unsigned int names_len;
	/*
	 * Program: compares the number in the event with @value by @relation,
	 * EVNTRACE_CMP_*, or another value, which is never true
	 */
	__u8 relation;
	__u32 value;
};

/* An event, a TraceLogging event if it has a name; its data is a number */
struct event {
	__u16 id;
	__u8 level;
	__u64 keyword;
	bool inprivate;
	const char *name;
	__u32 number;
};

static inline void add_name(struct config *c, const char *name)
{
	strcpy(c->names.names + c->names_len, name);
	c->names_len += strlen(name) + 1;
	c->names.count++;
}

/* Passes an event if the comparison holds; otherwise skips to the end */
struct relation_program {
	struct evntrace_program p;
	struct evntrace_instruction i[3];
};

static inline struct relation_program program_of(const struct config *c)
{
	return (struct relation_program) {
		.p = { sizeof(struct relation_program),
		       EVNTRACE_PROGRAM_VERSION, 3 },
		.i = {
			{ .op = EVNTRACE_OP_COMPARE, .jump = 1,
			  .how = c->relation | EVNTRACE_NUMBER_4,
			  .value = c->value },
			{ .op = EVNTRACE_OP_END, .arg = 1 },
			{ .op = EVNTRACE_OP_END, .arg = 0 },
		},
	};
}

static inline void add_filter(struct evntrace_enable *arg, __u32 type,
			      const void *p, __u32 len)
{
	struct evntrace_filter *filters = (void *)(uintptr_t)arg->filters;

	filters[arg->filter_count++] = (struct evntrace_filter) {
		(uintptr_t)p, len, type
	};
}

static inline int enable_with(int trace, __u64 session, unsigned int provider,
			      const struct config *c)
{
	struct evntrace_enable arg = enable_arg(provider);
	__u32 pid = c->pid == SCOPE_US ? getpid() : 1;
	const char *exe = c->exe == SCOPE_US ? program_invocation_short_name :
					       "another";
	struct relation_program program = program_of(c);
	struct evntrace_filter filters[5];

	arg.level = c->level;
	arg.match_any = c->any;
	arg.match_all = c->all;
	arg.property = c->property;
	arg.filters = (uintptr_t)filters;
	if (c->pid)
		add_filter(&arg, EVNTRACE_FILTER_PID, &pid, sizeof(pid));
	if (c->exe)
		add_filter(&arg, EVNTRACE_FILTER_EXECUTABLE_NAME, exe,
			   strlen(exe));
	if (c->has_ids)
		add_filter(&arg, EVNTRACE_FILTER_EVENT_ID, &c->ids,
			   4 + 2 * c->ids.count);
	if (c->has_names)
		add_filter(&arg, EVNTRACE_FILTER_EVENT_NAME, &c->names,
			   offsetof(struct name_filter, names) + c->names_len);
	if (c->has_program)
		add_filter(&arg, EVNTRACE_FILTER_PAYLOAD, &program,
			   sizeof(program));
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

/* Level and keyword match: 0 is a wildcard in filters as well as in events */
static inline bool level_kw_lets(__u8 level, __u64 any, __u64 all,
				 const struct event *e)
{
	if (e->level && level && e->level > level)
		return false;
	if (!e->keyword)
		return true;
	return (!any || e->keyword & any) && (e->keyword & all) == all;
}

static inline bool ids_let(const struct id_filter *f, __u16 id)
{
	unsigned int i;

	for (i = 0; i < f->count; i++) {
		if (f->id[i] == id)
			return f->in;
	}
	return !f->in;
}

static inline bool names_let(const struct name_filter *f,
			     const struct event *e)
{
	bool listed = false;
	const char *name = f->names;
	unsigned int i;

	for (i = 0; i < f->count; i++, name += strlen(name) + 1)
		listed |= !strcmp(name, e->name);
	if (!level_kw_lets(f->level, f->match_any,
			   f->match_any ? f->match_all : 0, e))
		listed = false;
	return listed == !!f->in;
}

static inline bool program_lets(const struct config *c, __u32 number)
{
	return (c->relation & EVNTRACE_CMP_LT && number < c->value) ||
	       (c->relation & EVNTRACE_CMP_EQ && number == c->value) ||
	       (c->relation & EVNTRACE_CMP_GT && number > c->value);
}

/* Reference evaluator: whether a session with @c gets @e */
static inline bool lets(const struct config *c, const struct event *e)
{
	if (c->pid == SCOPE_OTHER || c->exe == SCOPE_OTHER)
		return false;
	if (!level_kw_lets(c->level, c->any, c->all, e))
		return false;
	if (c->property & EVNTRACE_PROPERTY_IGNORE_KEYWORD_0 && !e->keyword)
		return false;
	if (c->property & EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE && e->inprivate)
		return false;
	if (c->has_ids && !e->name && !ids_let(&c->ids, e->id))
		return false;
	if (c->has_program && !e->name && !program_lets(c, e->number))
		return false;
	return !c->has_names || !e->name || names_let(&c->names, e);
}

/*
 * Write an event.  The metadata of a TraceLogging event has 1 + number % 3
 * bytes of tags, and is passed in as many blocks.
 */
static inline int write_event(int prov, __u64 handle, const struct event *e)
{
	const __u32 number = e->number;
	char metadata[256] = {};
	unsigned int i, blocks = 0, cut, len = 2;
	struct evntprov_data data[8];
	struct evntprov_write w = write_arg(handle, data, 0);

	w.descriptor.id = e->id;
	w.descriptor.level = e->level;
	w.descriptor.keyword = e->keyword;
	w.flags = e->inprivate ? EVNTPROV_WRITE_INPRIVATE : 0;
	if (e->name) {
		for (i = 0; i < number % 3; i++)
			metadata[len++] = 0x80;
		metadata[len++] = 1;
		strcpy(metadata + len, e->name);
		len += strlen(e->name) + 1;
		metadata[0] = len;
		cut = len / (1 + number % 3);
		for (i = 0; i < len; i += cut)
			data[blocks++] = (struct evntprov_data) {
				(uintptr_t)metadata + i,
				i + cut > len ? len - i : cut,
				EVNTPROV_DATA_EVENT_METADATA
			};
	}
	data[blocks++] = (struct evntprov_data) {
		(uintptr_t)&number, sizeof(number)
	};
	w.data_count = blocks;
	return do_ioctl(prov, EVNTPROV_IOC_WRITE, &w);
}

#endif /* EVNT_TEST_FILTERS_H */
