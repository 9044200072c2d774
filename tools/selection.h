/* SPDX-License-Identifier: MIT */
/* The options that say which of a log's events a verb is to take. */
#ifndef EVNT_SELECTION_H
#define EVNT_SELECTION_H

#include "moment.h"
#include "ranges.h"
#include "spec.h"
#include "view.h"
#include "where.h"

/**
 * struct selection - which events; without any option, all
 * @given: there is an option
 * @specs: of one of these providers, each with its levels and keywords
 * @level: up to this level; 0: all
 * @keywords: any of these, or none at all; 0: all
 * @pids: of these processes
 * @tids: of these threads
 * @ids: with these ids, or with others
 * @ids_in: which of both
 * @names: with these names, joined by commas, or with others; or NULL
 * @names_in: which of both
 * @where: conditions on fields, or NULL
 * @since: from here on
 * @until: before this
 * @limit: no more than so many; 0: all
 * @first: when the first event was, once @begun
 * @seen: how many events came
 * @taken: how many of them were such
 * @past: events come that are behind @until
 */
struct selection {
	bool given;
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
	struct moment since;
	struct moment until;
	ULONGLONG limit;
	bool begun;
	uint64_t first;
	ULONGLONG seen;
	ULONGLONG taken;
	bool past;
};

/* What getopt_long() returns, besides p; no other option of a verb has these */
enum selection_option {
	SELECT_LEVEL = 0x400,
	SELECT_KEYWORD,
	SELECT_PID,
	SELECT_TID,
	SELECT_ID,
	SELECT_NOT_ID,
	SELECT_EVENT,
	SELECT_NOT_EVENT,
	SELECT_WHERE,
	SELECT_SINCE,
	SELECT_UNTIL,
	SELECT_LIMIT,
};

/* For the verb's array of options; "p:" for its short ones */
#define SELECTION_OPTIONS						\
	{ "provider", required_argument, NULL, 'p' },			\
	{ "level", required_argument, NULL, SELECT_LEVEL },		\
	{ "keyword", required_argument, NULL, SELECT_KEYWORD },		\
	{ "pid", required_argument, NULL, SELECT_PID },			\
	{ "tid", required_argument, NULL, SELECT_TID },			\
	{ "id", required_argument, NULL, SELECT_ID },			\
	{ "not-id", required_argument, NULL, SELECT_NOT_ID },		\
	{ "event", required_argument, NULL, SELECT_EVENT },		\
	{ "not-event", required_argument, NULL, SELECT_NOT_EVENT },	\
	{ "where", required_argument, NULL, SELECT_WHERE },		\
	{ "since", required_argument, NULL, SELECT_SINCE },		\
	{ "until", required_argument, NULL, SELECT_UNTIL },		\
	{ "limit", required_argument, NULL, SELECT_LIMIT }

/* For its help */
#define SELECTION_HELP							\
"Only events that pass all of these:\n"					\
"  -p, --provider SPEC  of a provider: NAME, *NAME or GUID, with\n"	\
"                  :KEYWORDS[:LEVEL] if you like; may be repeated: of one of them\n" \
"  --level LEVEL   up to this one: 1 to 255, or Critical, Error, Warning, ...\n" \
"  --keyword MASK  with any of these bits, or without keywords\n"	\
"  --pid PID,...   of these processes\n"				\
"  --tid TID,...   of these threads\n"					\
"  --id ID,FIRST-LAST,...  with these ids\n"				\
"  --not-id ID,... with others\n"					\
"  --event NAME,... of these names\n"					\
"  --not-event NAME,... of others\n"					\
"  --where CONDITIONS  by their fields: 'Size > 4096 and Name contains log'\n" \
"  --since TIME    from here on, in UTC, or in seconds after the first event:\n" \
"                  " MOMENT_FORMS "\n"				\
"  --until TIME    before this\n"					\
"  --limit COUNT   the first so many of these\n"

bool is_selection_option(int option);

/* Takes it, and optarg; returns an exit code, and the user was told */
int selection_option(const struct verb *verb, struct selection *selection,
		     int option);

/* Whether an event is one of them; events come by time */
bool selection_takes(struct selection *selection, const struct view *view);

/* Says on stderr if there was none of these, though there were events */
void selection_tell(const struct selection *selection);

/* Whether there can be no more */
bool selection_is_over(const struct selection *selection);
void selection_free(struct selection *selection);

#endif /* EVNT_SELECTION_H */
