/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names, property checks and queries common to sessions and private sessions.
 */
#ifndef EVNT_SESSION_INFO_H
#define EVNT_SESSION_INFO_H

#include <linux/pid.h>
#include <linux/refcount.h>
#include <linux/types.h>

#include <linux/evntrace.h>

/**
 * struct evnt_name - a name in UTF-16, as passed in by the caller
 * @refs: reference count
 * @len: length in units, without a nul
 * @text: the name; constant
 */
struct evnt_name {
	refcount_t refs;
	u32 len;
	u16 text[];
};

struct evnt_name *evnt_name_from_user(u64 text, u32 len);
bool evnt_name_is_same(const struct evnt_name *a, const struct evnt_name *b);
void evnt_name_put(struct evnt_name *name);

static inline struct evnt_name *evnt_name_get(struct evnt_name *name)
{
	refcount_inc(&name->refs);
	return name;
}

int evnt_start_check(const struct evntrace_start *arg);
void evnt_query_begin(struct evntrace_session *arg,
		      const struct evntrace_session *info, struct pid *owner);
int evnt_query_names(struct evntrace_session *arg, const struct evnt_name *name,
		     const struct evnt_name *log_name);

#endif /* EVNT_SESSION_INFO_H */
