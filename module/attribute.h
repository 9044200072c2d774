/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Filters by what an event is: ids, names of TraceLogging events, level and
 * keyword.
 *
 * Owns how they are checked and compiled, and what they let through.  The
 * structures are made once and never changed; evnt_free() frees them.
 */
#ifndef EVNT_ATTRIBUTE_H
#define EVNT_ATTRIBUTE_H

#include "filter.h"
#include "reader.h"

/**
 * struct evnt_ids - ids of events
 * @in: whether those that are listed pass, or all others
 * @first: the lowest
 * @span: how many there are from the lowest to the highest
 * @map: a bit for each of these, set if it is listed
 */
struct evnt_ids {
	bool in;
	u16 first;
	u32 span;
	u64 map[];
};

/**
 * struct evnt_names - names of TraceLogging events
 * @interest: level and keywords that an event has to have, besides
 * @in: whether such events pass, or all others
 * @count: number of names
 * @name: the names, in ascending order of their bytes
 */
struct evnt_names {
	struct evnt_interest interest;
	bool in;
	u32 count;
	const u8 *name[];
};

/**
 * struct evnt_level_kw - level and keywords
 * @interest: of an event
 * @in: whether such events pass, or all others
 */
struct evnt_level_kw {
	struct evnt_interest interest;
	bool in;
};

int evnt_ids_create(struct evnt_ids **ids, const void *from, u32 len);
int evnt_names_create(struct evnt_names **names, const void *from, u32 len);
int evnt_level_kw_create(struct evnt_level_kw **kw, const void *from, u32 len);
bool evnt_names_pass(const struct evnt_names *names, u8 level, u64 keyword,
		     struct evnt_reader *metadata);

/* The same for any number of ids */
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
