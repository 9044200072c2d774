/* SPDX-License-Identifier: MIT */
/*
 * Determines which events of a registration a session records, from level,
 * keywords and all filters like the module, and explains the result
 */
#ifndef EVNT_EXPLAIN_H
#define EVNT_EXPLAIN_H

#include "tools/session/registered.h"
#include "tools/filter/filter_text.h"
#include "tools/session/control.h"

/* Extent of what is recorded, in decreasing order */
enum explain_what {
	EXPLAIN_ALL,
	EXPLAIN_SOME,		/* events that meet the reasons */
	EXPLAIN_NONE,		/* the last reason explains it */
};

/**
 * struct question - properties of an event; a property not given matches any
 * @id: id, or -1
 * @level: level, or -1
 * @has_keyword: @keyword is given
 * @keyword: keywords
 * @name: name of a TraceLogging event, or NULL
 */
struct question {
	int id;
	int level;
	bool has_keyword;
	ULONGLONG keyword;
	const char *name;
};

/* Any event */
#define QUESTION_ANY	((struct question) { .id = -1, .level = -1 })

/**
 * struct explanation - result for the events
 * @what: extent of what is recorded
 * @reasons: for EXPLAIN_SOME, conditions on events, worded to follow "only
 *   those"; for EXPLAIN_NONE, the last one is a sentence
 * @count: number of reasons
 * @advice: suggested remedy, or NULL
 */
struct explanation {
	enum explain_what what;
	char **reasons;
	size_t count;
	const char *advice;
};

/**
 * struct court - context of explain_make()
 * @device: descriptor of /dev/evntrace
 * @session: session to examine
 * @question: event to examine
 */
struct court {
	int device;
	const struct dev_session *session;
	const struct question *question;
};

/**
 * explain_make() - determine which events a session records
 * @v: result, freed by explain_free()
 * @court: session and event to examine
 * @r: registration that @e applies to; NULL: future registrations
 * @e: enablement of its provider or group
 */
void explain_make(struct explanation *v, const struct court *court,
		  const struct evntrace_registration *r,
		  const struct evntrace_enablement *e);
void explain_free(struct explanation *v);

/* Add a reason; for the parts of explain_make() */
void explain_add(struct explanation *v, enum explain_what what,
		 const char *advice, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Determine whether the session accepts the registration's process, group and
 * rights
 */
void explain_of_process(struct explanation *v, const struct court *court,
			const struct evntrace_registration *r,
			const struct evntrace_enablement *e,
			const struct filter_list *filters);

/* Return the reasons separated by semicolons; the caller frees the text */
char *explain_text(const struct explanation *v);

#endif /* EVNT_EXPLAIN_H */
