/* SPDX-License-Identifier: MIT */
/*
 * What evnt doctor has found: a line each, with what to do about it; or objects
 * of JSON.
 */
#ifndef EVNT_FINDINGS_H
#define EVNT_FINDINGS_H

#include "json.h"

enum finding_state {
	FINDING_OK,
	FINDING_NOTE,		/* worth knowing, and no problem */
	FINDING_PROBLEM,
};

/**
 * struct findings - what was found; zeroed in the beginning, but for @json
 * @json: as JSON
 * @problems: how many there were
 * @check: of the one that is not printed yet: what was looked at, or NULL
 * @state: how it is
 * @text: what was found
 * @advice: what to do, or NULL
 * @more: more keys of its object, or NULL
 */
struct findings {
	bool json;
	unsigned int problems;
	const char *check;
	enum finding_state state;
	char *text;
	char *advice;
	json_object *more;
};

/* @check: what was looked at, in a word; it stays the caller's */
void found(struct findings *f, enum finding_state state, const char *check,
	   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What to do about what was found last */
void advise(struct findings *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Keys for programs, of what was found last; NULL: there is no JSON */
json_object *finding_object(struct findings *f);

/* Prints what is not printed yet */
void findings_end(struct findings *f);

#endif /* EVNT_FINDINGS_H */
