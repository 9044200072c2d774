/* SPDX-License-Identifier: MIT */
/* Options that select events of a log */
#ifndef EVNT_SELECTION_H
#define EVNT_SELECTION_H

#include "tools/common/options.h"
#include "tools/common/time_arg.h"
#include "tools/common/number.h"
#include "tools/session/provider_spec.h"
#include "tools/events/event_view.h"
#include "tools/filter/where.h"

/**
 * struct selection - events to select; without any option, all
 * @specs: providers, each with its levels and keywords
 * @level: maximum level; 0: all
 * @keywords: keywords to match, as are events without keywords; 0: all
 * @pids: process ids
 * @tids: thread ids
 * @ids: event ids
 * @ids_in: select these ids; otherwise all others
 * @names: event names separated by commas, or NULL
 * @names_in: select these names; otherwise all others
 * @where: conditions on fields, or NULL
 * @since: time of the first event, inclusive
 * @until: time of the last event, exclusive
 * @limit: maximum number of events; 0: unlimited
 * @begun: an event was seen, to which @since and @until are resolved
 * @seen: number of events seen
 * @taken: number of events selected
 * @past: an event at or after @until was seen
 */
struct selection {
	struct spec_list specs;
	UCHAR level;
	ULONGLONG keywords;
	struct ranges pids;
	struct ranges tids;
	struct ranges ids;
	bool ids_in;
	const char *names;
	bool names_in;
	struct where *where;
	struct time_arg since;
	struct time_arg until;
	ULONGLONG limit;
	bool begun;
	ULONGLONG seen;
	ULONGLONG taken;
	bool past;
};

/* Options that fill a struct selection */
extern const struct option_row selection_rows[];

/* Return whether any of the options was given */
bool selection_is_given(const struct selection *selection);

/* Return whether an event is selected; events must come in order of time */
bool selection_takes(struct selection *selection, const struct view *view);

/*
 * Report on stderr if none of the events was selected.  Return an exit code: an
 * error if none of them has a field of the conditions.
 */
int selection_report(const struct selection *selection);

/* Return whether no further event can be selected */
bool selection_is_over(const struct selection *selection);
void selection_free(struct selection *selection);

#endif /* EVNT_SELECTION_H */
