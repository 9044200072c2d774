/* SPDX-License-Identifier: MIT */
/*
 * Payload filters: compilation of conditions on an event's fields into a
 * program that the module executes for each event: struct evntrace_program.
 */
#ifndef TDH_PREDICATE_H
#define TDH_PREDICATE_H

#include <linux/evntrace.h>

#include "tdh/event_info.h"

#define MAX_PREDICATES	8	/* per filter */

/**
 * struct predicate - a condition: PAYLOAD_FILTER_PREDICATE in UTF-8
 * @field: name of a field, or "struct.member"
 * @op: PAYLOADFIELD_*
 * @value: operand as text; for a range, "low,high"
 */
struct predicate {
	const char *field;
	u16 op;
	const char *value;
};

/**
 * predicates_compile() - compile a filter for one event
 * @b: receives a struct evntrace_program; must be empty
 * @info: id, version and fields of the event
 * @predicate: the conditions
 * @count: number of conditions, 1 to MAX_PREDICATES
 * @any: one true condition suffices
 *
 * A condition on a field is false if the data of the event ends before the
 * field.
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND if there is no such field;
 * ERROR_INVALID_PARAMETER for an invalid count, an operator that does not apply
 * to the type of the field, or an invalid value; ERROR_NOT_SUPPORTED if the
 * position of the field depends on an array of texts, or on too many other
 * fields; ERROR_INSUFFICIENT_BUFFER if the program is too long;
 * ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG predicates_compile(struct bytes *b, const struct event_info *info,
			 const struct predicate *predicate, unsigned int count,
			 bool any);

/**
 * programs_join() - combine filters
 * @b: receives a struct evntrace_program; must be empty
 * @program: programs of predicates_compile(), all of one provider
 * @all: for each program, true if its event must pass it; an event must also
 *	pass at least one of its other programs, if any.  NULL: none is true
 * @count: number of programs
 *
 * Events without a program pass.
 *
 * Return: ERROR_SUCCESS, ERROR_INVALID_PARAMETER, ERROR_INSUFFICIENT_BUFFER or
 * ERROR_NOT_ENOUGH_MEMORY.
 */
ULONG programs_join(struct bytes *b,
		    const struct evntrace_program *const *program,
		    const bool *all, unsigned int count);

#endif /* TDH_PREDICATE_H */
