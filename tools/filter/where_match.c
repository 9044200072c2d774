// SPDX-License-Identifier: MIT
/* Evaluates conditions for an event */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/filter/where.h"

#define NO_FIELD	UINT32_MAX

/**
 * struct match - state of evaluating conditions for an event
 * @where: conditions
 * @schema: schema of the event
 * @record: event
 * @field: for each condition, index of its property
 * @holds: for each condition, whether it holds for the values seen so far
 */
struct match {
	const struct where *where;
	const struct schema *schema;
	const EVENT_RECORD *record;
	ULONG field[WHERE_MAX_CONDITIONS];
	bool holds[WHERE_MAX_CONDITIONS];
};

/* Find the property that a path names among @count properties from @first on */
static ULONG find_field(const struct schema *schema, const char *path,
			ULONG first, ULONG count)
{
	const EVENT_PROPERTY_INFO *p = schema->info->EventPropertyInfoArray;

	for (ULONG i = first; i < first + count; i++) {
		const char *name = schema->names[i];
		size_t len = name ? strlen(name) : 0;

		if (!name || schema->hidden[i])
			continue;
		if (!strcmp(name, path))
			return i;
		if (!(p[i].Flags & PropertyStruct) || path[len] != '.' ||
		    strncmp(name, path, len) != 0)
			continue;
		return find_field(schema, path + len + 1,
				  p[i].structType.StructStartIndex,
				  p[i].structType.NumOfStructMembers);
	}
	return NO_FIELD;
}

/**
 * struct number - a number parsed from text
 * @negative: less than zero
 * @whole: the number is an integer stored in @magnitude
 * @magnitude: absolute value of an integer
 * @real: nearest double
 */
struct number {
	bool negative;
	bool whole;
	unsigned long long magnitude;
	double real;
};

static bool is_number(const char *text, struct number *n)
{
	const char *digits = text + (*text == '-');
	bool hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
	char *end;

	/* strtod() would also accept names, blanks and signs */
	if (*digits < '0' || *digits > '9')
		return false;
	n->negative = *text == '-';
	errno = 0;
	n->magnitude = strtoull(digits, &end, hex ? 16 : 10);
	n->whole = !*end && !errno;
	if (n->whole) {
		n->real = n->negative ? -(double)n->magnitude :
					(double)n->magnitude;
		return true;
	}
	n->real = strtod(text, &end);
	return !*end;
}

/* Return a number less than, equal to, or greater than 0 */
static int compare_numbers(const struct number *a, const struct number *b)
{
	int order;

	if (!a->whole || !b->whole)
		return a->real < b->real ? -1 : a->real > b->real;
	if (!a->magnitude && !b->magnitude)
		return 0;
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	order = a->magnitude < b->magnitude ? -1 :
		a->magnitude > b->magnitude;
	return a->negative ? -order : order;
}

static int compare(const char *value, enum field_kind kind, const char *with)
{
	struct number a, b;

	if (kind != FIELD_TEXT && is_number(value, &a) && is_number(with, &b))
		return compare_numbers(&a, &b);
	return strcasecmp(value, with);
}

static bool is_multiple(const char *value, const char *of)
{
	struct number a, b;

	return is_number(value, &a) && is_number(of, &b) && a.whole &&
	       b.whole && b.magnitude && !(a.magnitude % b.magnitude);
}

/* @range has the form "low,high". */
static bool is_between(const char *value, enum field_kind kind,
		       const char *range)
{
	const char *comma = strchr(range, ',');
	char *low = must_have(strndup(range, comma - range));
	bool between = compare(value, kind, low) >= 0 &&
		       compare(value, kind, comma + 1) <= 0;

	free(low);
	return between;
}

static bool holds(const struct where_condition *c, const char *value,
		  enum field_kind kind)
{
	const char *with = c->value.text;

	switch (c->relation) {
	case PAYLOADFIELD_EQ:
		return !compare(value, kind, with);
	case PAYLOADFIELD_NE:
		return compare(value, kind, with);
	case PAYLOADFIELD_LT:
		return compare(value, kind, with) < 0;
	case PAYLOADFIELD_LE:
		return compare(value, kind, with) <= 0;
	case PAYLOADFIELD_GT:
		return compare(value, kind, with) > 0;
	case PAYLOADFIELD_GE:
		return compare(value, kind, with) >= 0;
	case PAYLOADFIELD_BETWEEN:
		return is_between(value, kind, with);
	case PAYLOADFIELD_NOTBETWEEN:
		return !is_between(value, kind, with);
	case PAYLOADFIELD_MODULO:
		return is_multiple(value, with);
	case PAYLOADFIELD_CONTAINS:
		return strcasestr(value, with);
	case PAYLOADFIELD_DOESNTCONTAIN:
		return !strcasestr(value, with);
	}
	return false;
}

/*
 * Evaluate the conditions on a field for a value. A number is compared with the
 * value itself, even if a map has a name for that.
 */
static ULONG WINAPI evaluate(const EVNT_PROPERTY *property, PVOID context)
{
	struct match *m = context;
	const struct where_condition *c;
	enum field_kind kind;
	struct number number;
	const char *value;

	if (property->Kind != EvntPropertyValue)
		return ERROR_SUCCESS;
	for (unsigned int i = 0; i < m->where->condition_count; i++) {
		if (m->field[i] != property->Index || m->holds[i])
			continue;
		c = &m->where->conditions[i];
		kind = FIELD_NUMBER;
		if (m->schema->maps[property->Index] &&
		    is_number(c->value.text, &number))
			value = fields_unmapped(m->schema, m->record, property);
		else
			value = fields_value(m->schema, m->record, property,
					     &kind);
		m->holds[i] = value && holds(c, value, kind);
	}
	return ERROR_SUCCESS;
}

static bool is_alternative(const struct match *m,
			   const struct where_alternative *a)
{
	for (unsigned int i = 0; i < a->count; i++) {
		if (!m->holds[a->condition[i]])
			return false;
	}
	return true;
}

/* Return whether the schema is seen for the first time */
static bool is_new(struct where *where, const struct schema *schema)
{
	for (size_t i = where->lacking_count; i-- > 0;) {
		if (where->lacking[i] == schema)
			return false;
	}
	where->lacking = must_have(reallocarray(where->lacking,
						where->lacking_count + 1,
						sizeof(*where->lacking)));
	where->lacking[where->lacking_count++] = schema;
	return true;
}

/* Collect names of the schema that resemble fields that no event has had */
static void look_for_similar(struct where *where, const struct schema *schema)
{
	struct where_condition *c;

	for (unsigned int i = 0; i < where->condition_count; i++) {
		c = &where->conditions[i];
		if (c->is_known)
			continue;
		if (!c->near.to)
			suggest_begin(&c->near, c->field.text);
		for (ULONG n = 0; n < schema->info->TopLevelPropertyCount; n++) {
			if (schema->names[n] && !schema->hidden[n])
				suggest_look_at(&c->near, schema->names[n]);
		}
	}
}

bool where_report_unknown(struct where *where)
{
	struct where_condition *c;

	for (unsigned int i = 0; i < where->condition_count; i++) {
		c = &where->conditions[i];
		if (c->is_known || !c->near.to)
			continue;
		fflush(c->near.to);
		if (c->near.found)
			failed("no event has a field '%s': did you mean %s?",
			       c->field.text, c->near.text);
		else
			failed("no event has a field '%s': 'evnt dump' without"
			       " --where prints the fields", c->field.text);
		return true;
	}
	return false;
}

bool where_matches(struct where *where, const struct schema *schema,
		   const EVENT_RECORD *record)
{
	struct match m = {
		.where = where,
		.schema = schema,
		.record = record,
	};
	bool any = false, is_lacking = false;

	if (!schema)
		return false;
	for (unsigned int i = 0; i < where->condition_count; i++) {
		m.field[i] = find_field(schema, where->conditions[i].field.text,
					0, schema->info->TopLevelPropertyCount);
		any |= m.field[i] != NO_FIELD;
		where->conditions[i].is_known |= m.field[i] != NO_FIELD;
		is_lacking |= !where->conditions[i].is_known;
	}
	if (is_lacking && is_new(where, schema))
		look_for_similar(where, schema);
	if (!any)
		return false;
	EvntEnumerateProperties(record, schema->info, evaluate, &m);
	for (unsigned int i = 0; i < where->alternative_count; i++) {
		if (is_alternative(&m, &where->alternatives[i]))
			return true;
	}
	return false;
}
