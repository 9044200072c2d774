/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Matching of events by level and keyword.
 *
 * Owns the level and keyword rule of the module's router, filters of names and
 * stacks, and kernel providers, and of the library's EventEnabled() and private
 * sessions.  Others repeat it: headers that programs and kernel providers
 * compile, which cannot include this one (include/linux/tracelogging.h,
 * lib/include/evnttlg.h, lib/include/evntmcgen.h), tools/doctor/explain.c to
 * give the reason, and tools/events/selection.c for events in a log.
 *
 * Tests: test_level_keyword.c and test_record.c natively, rule.c on a kernel;
 * for the repetitions kernel_typed.c, tracelogging.c, test_evntmc.sh,
 * evnt_doctor.sh and test_selection.sh.
 */
#ifndef EVNT_LEVEL_KEYWORD_H
#define EVNT_LEVEL_KEYWORD_H

#include "core/port/port.h"

#define EVNT_LEVEL_ALL		0xffu
#define EVNT_KEYWORD_ALL	(~0ULL)

/**
 * struct evnt_level_keyword - level and keywords that one or several sessions
 * want
 * @match_any: keyword mask of which at least one bit is required
 * @match_all: keyword mask of which all bits are required
 * @level: highest level
 */
struct evnt_level_keyword {
	u64 match_any;
	u64 match_all;
	u8 level;
};

/*
 * A controller's level 0 and MatchAnyKeyword 0 both mean "all".  They are
 * replaced by values for which neither evnt_wanted() nor the composite of
 * several sessions (highest level, union of the keywords) needs an exception.
 */
static inline u8 evnt_effective_level(u8 level)
{
	return level ? level : EVNT_LEVEL_ALL;
}

static inline u64 evnt_effective_any(u64 match_any)
{
	return match_any ? match_any : EVNT_KEYWORD_ALL;
}

/* Return an interest that covers @a and @b, and possibly more */
static inline struct evnt_level_keyword
evnt_level_keyword_union(const struct evnt_level_keyword *a,
			 const struct evnt_level_keyword *b)
{
	return (struct evnt_level_keyword) {
		.match_any = a->match_any | b->match_any,
		.match_all = a->match_all & b->match_all,
		.level = a->level > b->level ? a->level : b->level,
	};
}

/**
 * evnt_wanted() - apply the rule of EVENT_DESCRIPTOR's documentation
 * @interest: level and keywords, in the effective form of the functions above
 * @level: level of the event; 0 matches any interest
 * @keyword: keyword of the event; 0 matches any interest
 *
 * Return: true if the event matches.
 */
static inline bool evnt_wanted(const struct evnt_level_keyword *interest,
			       u8 level, u64 keyword)
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

#endif /* EVNT_LEVEL_KEYWORD_H */
