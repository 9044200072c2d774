/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of sessions and log files.
 */
#ifndef EVNT_NAME_H
#define EVNT_NAME_H

#include <linux/refcount.h>
#include <linux/types.h>

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
int evnt_name_to_user(const struct evnt_name *name, u64 text, u32 *len);
bool evnt_name_is_same(const struct evnt_name *a, const struct evnt_name *b);
void evnt_name_put(struct evnt_name *name);

static inline struct evnt_name *evnt_name_get(struct evnt_name *name)
{
	refcount_inc(&name->refs);
	return name;
}

#endif /* EVNT_NAME_H */
