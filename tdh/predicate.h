/* SPDX-License-Identifier: MIT */
/*
 * Payload filters: from conditions on an event's fields to a program that the
 * module runs on each event: struct evntrace_program.
 */
#ifndef TDH_PREDICATE_H
#define TDH_PREDICATE_H

#include <linux/evntprov.h>

#include "event_info.h"

#define MAX_PREDICATES	8	/* of one filter */

/**
 * struct predicate - a condition: PAYLOAD_FILTER_PREDICATE in UTF-8
 * @field: the name of a field; of a struct's member, "struct.member"
 * @op: PAYLOADFIELD_*
 * @value: what to compare with, as text; of a range, "low,high"
 */
struct predicate {
	const char *field;
	u16 op;
	const char *value;
};

/**
 * predicates_compile() - make a filter for one event
 * @b: empty; a struct evntrace_program goes there
 * @info: the event, by its id and version; and its fields
 * @predicate: the conditions
 * @count: how many, 1 to MAX_PREDICATES
 * @any: whether one of them is enough
 *
 * A condition on a field that an event turns out not to have does not hold.
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND when there is no such field;
 * ERROR_INVALID_PARAMETER for a count, an operator that fields of this type do
 * not have, or a value that is none; ERROR_NOT_SUPPORTED when where the field is
 * depends on an array of texts, or on too much else; ERROR_INSUFFICIENT_BUFFER
 * when the program gets too long; ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG predicates_compile(struct bytes *b, const struct event_info *info,
			 const struct predicate *predicate, unsigned int count,
			 bool any);

/**
 * programs_join() - make one filter of several
 * @b: empty; a struct evntrace_program goes there
 * @program: what predicates_compile() has made, of one provider
 * @all: for each, whether it has to let its event through whatever others do;
 *	or NULL: of those of one event, one is enough
 * @count: how many
 *
 * Events that none of them is for pass.
 *
 * Return: ERROR_SUCCESS, ERROR_INVALID_PARAMETER, ERROR_INSUFFICIENT_BUFFER or
 * ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG programs_join(struct bytes *b,
		    const struct evntrace_program *const *program,
		    const bool *all, unsigned int count);

#endif /* TDH_PREDICATE_H */
