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

/**
 * evnt_wanted() - the rule of EVENT_DESCRIPTOR's documentation
 * @level: highest level that is wanted, as evnt_effective_level() gave it
 * @match_any: as evnt_effective_any() gave it
 * @match_all: keyword bits that are all demanded
 * @event_level: the event's; 0 is always wanted
 * @event_keyword: the event's; 0 is always wanted
 */
static inline bool evnt_wanted(u8 level, u64 match_any, u64 match_all,
			       u8 event_level, u64 event_keyword)
{
	if (event_level > level)
		return false;
	if (!event_keyword)
		return true;
	return (event_keyword & match_any) &&
	       (event_keyword & match_all) == match_all;
}

#endif /* EVNT_FILTER_H */
