/* SPDX-License-Identifier: MIT */
/*
 * Findings of evnt doctor: a line for each, with advice, or JSON objects
 */
#ifndef EVNT_CHECKS_H
#define EVNT_CHECKS_H

#include "tools/common/json.h"

enum finding_state {
	FINDING_OK,
	FINDING_NOTE,		/* noteworthy, but no problem */
	FINDING_PROBLEM,
};

/**
 * struct findings - the findings; must be zeroed initially except for @json
 * @json: print JSON
 * @problems: number of problems found
 * @check: subject of the finding not printed yet, or NULL
 * @state: state of that finding
 * @text: its text
 * @advice: suggested remedy, or NULL
 * @more: additional keys of its JSON object, or NULL
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

/* Add a finding. @check names its subject in a word and must stay valid. */
void found(struct findings *f, enum finding_state state, const char *check,
	   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Add a remedy to the last finding */
void advise(struct findings *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Return the JSON object for additional keys of the last finding, or NULL if
 * the output is not JSON
 */
json_object *finding_object(struct findings *f);

/* Print the last finding */
void findings_end(struct findings *f);

#endif /* EVNT_CHECKS_H */
