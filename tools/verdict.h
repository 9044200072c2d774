/* SPDX-License-Identifier: MIT */
/*
 * Which events of a registration a session records, and which not, by all that it
 * has been enabled with: as the module decides it, in words.
 */
#ifndef EVNT_VERDICT_H
#define EVNT_VERDICT_H

#include "enabled.h"
#include "filter_text.h"
#include "trace_door.h"

/* How much is recorded; what comes later is less */
enum verdict_what {
	VERDICT_ALL,
	VERDICT_SOME,		/* those that the reasons describe */
	VERDICT_NONE,		/* the last reason says why */
};

/**
 * struct question - an event that is asked for; what is not given may be anything
 * @id: its id, or -1
 * @level: its level, or -1
 * @has_keyword: @keyword is given
 * @keyword: its keywords
 * @name: what it is called, if it is one of TraceLogging, or NULL
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
 * struct verdict - what becomes of events
 * @what: how much is recorded
 * @reasons: of VERDICT_SOME: what events have to be, so that "only those" may
 *	stand in front; of VERDICT_NONE the last one is a sentence
 * @count: how many
 * @advice: what changes it, or NULL
 */
struct verdict {
	enum verdict_what what;
	char **reasons;
	size_t count;
	const char *advice;
};

/**
 * struct court - what verdicts are made with
 * @door: /dev/evntrace
 * @session: whose verdicts these are
 * @question: what is asked
 */
struct court {
	int door;
	const struct door_session *session;
	const struct question *question;
};

/**
 * verdict_make() - judge
 * @v: the verdict, to be freed by verdict_free()
 * @court: who asks what of which session
 * @r: a registration that @e is about, or NULL: of those that are still to come
 * @e: how the session has enabled its provider, or its group
 */
void verdict_make(struct verdict *v, const struct court *court,
		  const struct evntrace_registration *r,
		  const struct evntrace_enablement *e);
void verdict_free(struct verdict *v);

/* Another reason; for the parts of verdict_make() */
void verdict_add(struct verdict *v, enum verdict_what what, const char *advice,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether the session takes a registration at all: process, group, rights */
void verdict_of_process(struct verdict *v, const struct court *court,
			const struct evntrace_registration *r,
			const struct evntrace_enablement *e,
			const struct filter_list *filters);

/* The reasons, joined by semicolons, to be freed */
char *verdict_text(const struct verdict *v);

#endif /* EVNT_VERDICT_H */
