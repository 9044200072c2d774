/* SPDX-License-Identifier: MIT */
/*
 * Conditions on the fields of manifests' events, as a user writes them:
 *
 *	Size > 4096 and (Name contains "log" or Kind = 3)
 *
 * A condition is FIELD RELATION VALUE, where FIELD is a field's name, or that of
 * a struct's member as STRUCT.MEMBER, and RELATION one of
 *
 *	= != < <= > >=		is, is not: the same as = and !=
 *	[not] contains		a part of a text
 *	[not] between A and B	both belong to it
 *	multiple of N
 *
 * They are joined by "and", which binds closer, and "or", with parentheses.
 * VALUE, and FIELD, may be in quotes, and have to where they have spaces,
 * parentheses or relations in them.
 */
#ifndef EVNT_WHERE_H
#define EVNT_WHERE_H

#include <tdh.h>

#include "evnt.h"
#include "spec.h"

#define WHERE_MAX_CONDITIONS	64
#define WHERE_MAX_ALTERNATIVES	32
#define WHERE_MAX_IDS		64	/* MAX_EVENT_FILTER_EVENT_ID_COUNT */

/* A part of the text, without its quotes, and its column, from 0 */
struct where_word {
	char *text;
	int column;
};

/**
 * struct where_condition - one condition
 * @field: a field's name
 * @relation: PAYLOADFIELD_*: EQ and NE also for = and != of texts
 * @relation_column: where that stands
 * @value: what to compare with; of a range, "low,high"
 */
struct where_condition {
	struct where_word field;
	USHORT relation;
	int relation_column;
	struct where_word value;
};

/* Conditions that hold all, by their index: one of several alternatives */
struct where_alternative {
	unsigned char condition[ETW_MAX_PAYLOAD_PREDICATES];
	unsigned int count;
};

/**
 * struct where - what an event has to be
 * @text: as written
 * @conditions: @condition_count of them
 * @alternatives: @alternative_count of them; one is enough
 */
struct where {
	const char *text;
	struct where_condition conditions[WHERE_MAX_CONDITIONS];
	unsigned int condition_count;
	struct where_alternative alternatives[WHERE_MAX_ALTERNATIVES];
	unsigned int alternative_count;
};

/* Where in the text something is wrong, and what */
struct where_problem {
	int column;
	char why[256];
};

/* Which ids of events are meant */
struct where_ids {
	USHORT id[WHERE_MAX_IDS];
	unsigned int count;
};

/* Reads @text; where_free() whatever is returned */
bool where_parse(struct where *where, const char *text,
		 struct where_problem *problem);
void where_free(struct where *where);

/* Likewise, for a verb; returns an exit code, and the user was told */
int where_read(const struct verb *verb, struct where *where, const char *text);

/* In which column a problem is, from 1; and that place is shown, on stderr */
int where_column(const char *text, const struct where_problem *problem);
void where_point_at(const char *text, const struct where_problem *problem);

/**
 * where_compile() - make a payload filter for one provider
 * @where: the conditions
 * @provider: the provider; a manifest says which fields its events have
 * @takes: whether an event of this id is meant at all
 * @context: for @takes
 * @filter: filled in; TdhCleanupPayloadEventFilterDescriptor() frees it
 * @ids: out: events that have the fields of an alternative; others are to be
 *	left out, as no condition holds for them
 * @problem: out: what is wrong, if something is
 */
bool where_compile(const struct where *where, const GUID *provider,
		   bool (*takes)(USHORT id, const void *context),
		   const void *context, EVENT_FILTER_DESCRIPTOR *filter,
		   struct where_ids *ids, struct where_problem *problem);

#endif /* EVNT_WHERE_H */
