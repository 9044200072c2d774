/* SPDX-License-Identifier: MIT */
/*
 * Conditions on the fields of manifest events:
 *
 *	Size > 4096 and (Name contains "log" or Kind = 3)
 *
 * A condition is FIELD RELATION VALUE, where FIELD is a field's name, or
 * STRUCT.MEMBER for a member of a struct, and RELATION is one of
 *
 *	= != < <= > >=		is, is not: the same as = and !=
 *	[not] contains		part of a text
 *	[not] between A and B	including both
 *	multiple of N
 *
 * Conditions are combined with "and", which has the higher precedence, "or" and
 * parentheses. FIELD and VALUE may be quoted, and must be if they contain
 * blanks, parentheses or relations.
 */
#ifndef EVNT_WHERE_H
#define EVNT_WHERE_H

#include <tdh.h>

#include "tools/evnt.h"
#include "tools/common/suggest.h"
#include "tools/session/provider_spec.h"
#include "tools/events/fields.h"

#define WHERE_MAX_CONDITIONS	64
#define WHERE_MAX_ALTERNATIVES	32
#define WHERE_MAX_IDS		64	/* MAX_EVENT_FILTER_EVENT_ID_COUNT */

/* Word of the text, without quotes, and its column, from 0 */
struct where_word {
	char *text;
	int column;
};

/**
 * struct where_condition - a condition
 * @field: name of the field
 * @relation: PAYLOADFIELD_*; EQ and NE also for = and != of texts
 * @relation_column: column of the relation
 * @value: value to compare with; "low,high" for a range
 * @is_known: an event with the field was seen
 * @near: fields with similar names, of events without the field
 */
struct where_condition {
	struct where_word field;
	USHORT relation;
	int relation_column;
	struct where_word value;
	bool is_known;
	struct suggest near;
};

/* Indexes of conditions that must all hold, as one of several alternatives */
struct where_alternative {
	unsigned char condition[ETW_MAX_PAYLOAD_PREDICATES];
	unsigned int count;
};

/**
 * struct where - parsed conditions
 * @text: original text
 * @conditions: conditions, @condition_count of them
 * @alternatives: alternatives, @alternative_count of them, one of which must
 *   hold
 * @lacking: schemas without the field of a condition, @lacking_count of them;
 *   may be freed by now
 */
struct where {
	const char *text;
	struct where_condition conditions[WHERE_MAX_CONDITIONS];
	unsigned int condition_count;
	struct where_alternative alternatives[WHERE_MAX_ALTERNATIVES];
	unsigned int alternative_count;
	const struct schema **lacking;
	size_t lacking_count;
};

/* Position and description of an error in the text */
struct where_problem {
	int column;
	char why[256];
};

/* Event ids */
struct where_ids {
	USHORT id[WHERE_MAX_IDS];
	unsigned int count;
};

/* Parse @text. The caller must call where_free() in any case. */
bool where_parse(struct where *where, const char *text,
		 struct where_problem *problem);
void where_free(struct where *where);

/* Parse @text for a verb. Return an exit code after reporting errors. */
int where_read(const struct verb *verb, struct where *where, const char *text);

/* Return the column of an error, from 1; and mark the position on stderr */
int where_column(const char *text, const struct where_problem *problem);
void where_point_at(const char *text, const struct where_problem *problem);

/**
 * where_compile() - build a payload filter for one provider
 * @where: conditions
 * @provider: provider, whose manifest defines the fields
 * @takes: returns whether events with this id are selected
 * @context: argument of @takes
 * @filter: result; freed by TdhCleanupPayloadEventFilterDescriptor()
 * @ids: set to the events that have the fields of an alternative. The caller
 *   must exclude other events, as no condition holds for them.
 * @problem: set to the error on failure
 */
bool where_compile(const struct where *where, const GUID *provider,
		   bool (*takes)(USHORT id, const void *context),
		   const void *context, EVENT_FILTER_DESCRIPTOR *filter,
		   struct where_ids *ids, struct where_problem *problem);

/* Return whether a manifest describes the events of a provider */
bool where_is_known(const GUID *provider);

/*
 * Evaluate conditions like the module's filters, but for all types of fields:
 * two numbers are compared as numbers, otherwise the printed text is compared,
 * ignoring the case of ASCII letters. A condition holds for an array if it
 * holds for any element, and never for an event without the field.
 */
bool where_matches(struct where *where, const struct schema *schema,
		   const EVENT_RECORD *record);

/*
 * Report a condition whose field none of the events had, and similar names;
 * return whether there is one
 */
bool where_report_unknown(struct where *where);

#endif /* EVNT_WHERE_H */
