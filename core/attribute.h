/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Filters on attributes of an event: ids, TraceLogging names, level and
 * keyword.
 *
 * Owns validation, compilation and evaluation of these filters.  The structures
 * are immutable once created and are freed with evnt_free().
 */
#ifndef EVNT_ATTRIBUTE_H
#define EVNT_ATTRIBUTE_H

#include "core/level_keyword.h"
#include "core/reader.h"

/**
 * struct evnt_ids - event id filter
 * @in: listed ids pass; if false, all others pass
 * @first: lowest listed id
 * @span: size of the range from the lowest to the highest id
 * @map: one bit for each id of the range, set if the id is listed
 */
struct evnt_ids {
	bool in;
	u16 first;
	u32 span;
	u64 map[];
};

/**
 * struct evnt_names - TraceLogging event name filter
 * @interest: level and keywords that an event must also match
 * @in: matching events pass; if false, all others pass
 * @count: number of names
 * @name: names, sorted in byte order
 */
struct evnt_names {
	struct evnt_level_keyword interest;
	bool in;
	u32 count;
	const u8 *name[];
};

/**
 * struct evnt_level_kw - level and keyword filter
 * @interest: level and keywords to match
 * @in: matching events pass; if false, all others pass
 */
struct evnt_level_kw {
	struct evnt_level_keyword interest;
	bool in;
};

int evnt_ids_create(struct evnt_ids **ids, const void *from, u32 len);
int evnt_names_create(struct evnt_names **names, const void *from, u32 len);
int evnt_level_kw_create(struct evnt_level_kw **kw, const void *from, u32 len);
bool evnt_names_pass(const struct evnt_names *names, u8 level, u64 keyword,
		     struct evnt_reader *metadata);

/* Apply an event id filter, in constant time */
static inline bool evnt_ids_pass(const struct evnt_ids *ids, u16 id)
{
	u32 i = (u32)id - ids->first;

	return (i < ids->span && ids->map[i / 64] >> i % 64 & 1) == ids->in;
}

static inline bool evnt_level_kw_pass(const struct evnt_level_kw *kw, u8 level,
				      u64 keyword)
{
	return evnt_wanted(&kw->interest, level, keyword) == kw->in;
}

#endif /* EVNT_ATTRIBUTE_H */
