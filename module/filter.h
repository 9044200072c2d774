/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What an enablement lets through.
 *
 * Owns the level and keyword rule: the one place that knows it, for the
 * module's router, for EventEnabled() in the library, and for tests.
 */
#ifndef EVNT_FILTER_H
#define EVNT_FILTER_H

#include "port.h"

#define EVNT_LEVEL_ALL		0xffu
#define EVNT_KEYWORD_ALL	(~0ULL)

/**
 * struct evnt_interest - what a session wants of a provider, or all together
 * @match_any: keyword bits of which one is demanded
 * @match_all: keyword bits that are all demanded
 * @level: the highest level
 */
struct evnt_interest {
	u64 match_any;
	u64 match_all;
	u8 level;
};

/*
 * A controller's level 0 and match-any mask 0 both mean "all".  They are
 * turned into values that the rule below, and the composite of several
 * sessions (highest level, all bits), need no exception for.
 */
static inline u8 evnt_effective_level(u8 level)
{
	return level ? level : EVNT_LEVEL_ALL;
}

static inline u64 evnt_effective_any(u64 match_any)
{
	return match_any ? match_any : EVNT_KEYWORD_ALL;
}

/* What is wanted for two together: all that either wants, and more perhaps */
static inline struct evnt_interest
evnt_interest_wider(const struct evnt_interest *a,
		    const struct evnt_interest *b)
{
	return (struct evnt_interest) {
		.match_any = a->match_any | b->match_any,
		.match_all = a->match_all & b->match_all,
		.level = a->level > b->level ? a->level : b->level,
	};
}

/**
 * evnt_wanted() - the rule of EVENT_DESCRIPTOR's documentation
 * @interest: its level and match_any are what the functions above gave
 * @level: the event's; 0 is always wanted
 * @keyword: the event's; 0 is always wanted
 */
static inline bool evnt_wanted(const struct evnt_interest *interest, u8 level,
			       u64 keyword)
{
	if (level > interest->level)
		return false;
	if (keyword & interest->match_any) {
		if ((keyword & interest->match_all) != interest->match_all)
			return false;
	} else if (keyword) {
		return false;
	}
	return true;
}

#endif /* EVNT_FILTER_H */
