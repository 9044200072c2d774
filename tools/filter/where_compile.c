// SPDX-License-Identifier: MIT
/*
 * Builds a payload filter from conditions, for the events that have the fields
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "lib/base/internal.h"
#include "tools/filter/where.h"
#include "tools/common/win32.h"

/**
 * struct compiler - state of building a filter
 * @where: conditions
 * @provider: provider
 * @takes: selects events, with @context
 * @seen: for each condition, whether any event has its field
 * @filters: one filter for each event and alternative, @filter_count of them
 * @ids: events that have filters
 * @problem: set to the error on failure
 */
struct compiler {
	const struct where *where;
	const GUID *provider;
	bool (*takes)(USHORT id, const void *context);
	const void *context;
	bool seen[WHERE_MAX_CONDITIONS];
	PVOID *filters;
	ULONG filter_count;
	struct where_ids *ids;
	struct where_problem *problem;
};

static bool refuse(struct compiler *c, int column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse(struct compiler *c, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->problem->why, sizeof(c->problem->why), format, args);
	va_end(args);
	c->problem->column = column;
	return false;
}

static bool has_name(const TRACE_EVENT_INFO *info,
		     const EVENT_PROPERTY_INFO *p, const char *name,
		     size_t len)
{
	char *own = must_have(evnt_utf8(TEI_PROPERTY_NAME(info, p)));
	bool same = strlen(own) == len && !memcmp(own, name, len);

	free(own);
	return same;
}

/*
 * Find the field that a path names among @count fields from @first on; NULL if
 * there is none
 */
static const EVENT_PROPERTY_INFO *find_field(const TRACE_EVENT_INFO *info,
					     const char *path, ULONG first,
					     ULONG count)
{
	const EVENT_PROPERTY_INFO *p = info->EventPropertyInfoArray + first;
	size_t len = strcspn(path, ".");

	while (count && !has_name(info, p, path, len)) {
		count--;
		p++;
	}
	if (!count || !path[len])
		return count ? p : NULL;
	if (!(p->Flags & PropertyStruct))
		return NULL;
	return find_field(info, path + len + 1, p->structType.StructStartIndex,
			  p->structType.NumOfStructMembers);
}

static const EVENT_PROPERTY_INFO *field_of(const TRACE_EVENT_INFO *info,
					   const struct where_condition *c)
{
	return find_field(info, c->field.text, 0, info->TopLevelPropertyCount);
}

/* Relations that each class of types supports */
static const struct type_class {
	const char *what;
	const char *relations;
	bool is_same;	/* = and != are IS and ISNOT */
	bool is_number;
	bool is_text;
} type_classes[] = {
	{ "a number", "= != < <= > >=, [not] between, multiple of",
	  .is_number = true },
	{ "a text", "= != and [not] contains", .is_same = true,
	  .is_text = true },
	{ "a GUID, or true or false,", "= and !=", .is_same = true },
	{ .what = "of a type that cannot be compared,", .relations = "none" },
};

static const struct type_class *class_of(const EVENT_PROPERTY_INFO *p)
{
	if (!p || p->Flags & PropertyStruct)
		return &type_classes[3];
	switch (p->nonStructType.InType) {
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_ANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
		return &type_classes[1];
	case TDH_INTYPE_GUID:
	case TDH_INTYPE_BOOLEAN:
		return &type_classes[2];
	case TDH_INTYPE_FLOAT:
	case TDH_INTYPE_DOUBLE:
	case TDH_INTYPE_BINARY:
	case TDH_INTYPE_POINTER:
	case TDH_INTYPE_SYSTEMTIME:
	case TDH_INTYPE_SID:
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
		return &type_classes[3];
	}
	return &type_classes[0];
}

/*
 * Return TDH's relation for a class of types; PAYLOADFIELD_INVALID if it is not
 * supported
 */
static USHORT relation_for(const struct type_class *class, USHORT relation)
{
	if (class->is_same && relation == PAYLOADFIELD_EQ)
		return PAYLOADFIELD_IS;
	if (class->is_same && relation == PAYLOADFIELD_NE)
		return PAYLOADFIELD_ISNOT;
	if (relation <= PAYLOADFIELD_MODULO)
		return class->is_number ? relation : PAYLOADFIELD_INVALID;
	return class->is_text ? relation : PAYLOADFIELD_INVALID;
}

static ULONG create_filter(const struct compiler *c,
			   const TRACE_EVENT_INFO *info,
			   const struct where_alternative *a, PVOID *filter)
{
	PAYLOAD_FILTER_PREDICATE p[ETW_MAX_PAYLOAD_PREDICATES];
	ULONG code;

	for (unsigned int i = 0; i < a->count; i++) {
		const struct where_condition *condition =
			&c->where->conditions[a->condition[i]];
		const EVENT_PROPERTY_INFO *field = field_of(info, condition);

		p[i].FieldName = must_have(evnt_utf16(condition->field.text));
		p[i].CompareOp = relation_for(class_of(field),
					      condition->relation);
		p[i].Value = must_have(evnt_utf16(condition->value.text));
	}
	code = TdhCreatePayloadFilter(c->provider, &info->EventDescriptor,
				      FALSE, a->count, p, filter);
	for (unsigned int i = 0; i < a->count; i++) {
		free(p[i].FieldName);
		free(p[i].Value);
	}
	return code;
}

/*
 * Find the condition that cannot be converted to a filter, and explain the
 * error
 */
static bool explain(struct compiler *c, const TRACE_EVENT_INFO *info,
		    const struct where_alternative *a, ULONG code)
{
	PVOID filter;

	for (unsigned int i = 0; i < a->count; i++) {
		const struct where_alternative one = { { a->condition[i] }, 1 };
		const struct where_condition *condition =
			&c->where->conditions[a->condition[i]];
		ULONG error = create_filter(c, info, &one, &filter);

		if (!error)
			TdhDeletePayloadFilter(&filter);
		if (error == ERROR_INVALID_PARAMETER)
			return refuse(c, condition->value.column, "this is no"
				      " value for field '%s' of event %u",
				      condition->field.text,
				      info->EventDescriptor.Id);
		if (error == ERROR_NOT_SUPPORTED)
			return refuse(c, condition->field.column, "field '%s'"
				      " of event %u is an array, or behind"
				      " one whose size is not known",
				      condition->field.text,
				      info->EventDescriptor.Id);
	}
	return refuse(c, 0, "event %u: %s (error %u)",
		      info->EventDescriptor.Id,
		      code == ERROR_INSUFFICIENT_BUFFER ?
		      "the conditions are too long" : win32_text(code), code);
}

static bool has_fields(struct compiler *c, const TRACE_EVENT_INFO *info,
		       const struct where_alternative *a)
{
	bool all = true;

	for (unsigned int i = 0; i < a->count; i++) {
		if (field_of(info, &c->where->conditions[a->condition[i]]))
			c->seen[a->condition[i]] = true;
		else
			all = false;
	}
	return all;
}

static bool add_alternative(struct compiler *c, const TRACE_EVENT_INFO *info,
			    const struct where_alternative *a)
{
	const struct where_condition *condition;
	const struct type_class *class;
	PVOID filter;
	ULONG code;

	for (unsigned int i = 0; i < a->count; i++) {
		condition = &c->where->conditions[a->condition[i]];
		class = class_of(field_of(info, condition));
		if (relation_for(class, condition->relation) ==
		    PAYLOADFIELD_INVALID)
			return refuse(c, condition->relation_column,
				      "field '%s' of event %u is %s and has the"
				      " relations: %s", condition->field.text,
				      info->EventDescriptor.Id, class->what,
				      class->relations);
	}
	code = create_filter(c, info, a, &filter);
	if (code)
		return explain(c, info, a, code);
	c->filters = must_have(realloc(c->filters, (c->filter_count + 1) *
				       sizeof(*c->filters)));
	c->filters[c->filter_count++] = filter;
	return true;
}

static bool add_id(struct compiler *c, USHORT id)
{
	struct where_ids *ids = c->ids;

	for (unsigned int i = 0; i < ids->count; i++) {
		if (ids->id[i] == id)
			return true;
	}
	if (ids->count == WHERE_MAX_IDS)
		return refuse(c, 0, "more than %d events have these fields:"
			      " select some of them by --id", WHERE_MAX_IDS);
	ids->id[ids->count++] = id;
	return true;
}

static bool add_event(struct compiler *c, const TRACE_EVENT_INFO *info)
{
	const struct where *w = c->where;
	ULONG before = c->filter_count;

	for (unsigned int i = 0; i < w->alternative_count; i++) {
		if (has_fields(c, info, &w->alternatives[i]) &&
		    !add_alternative(c, info, &w->alternatives[i]))
			return false;
	}
	return c->filter_count == before || add_id(c, info->EventDescriptor.Id);
}

/*
 * Return a provider's events for the caller to free; NULL with an error in
 * *code
 */
static PROVIDER_EVENT_INFO *events_of(const GUID *provider, ULONG *code)
{
	GUID id = *provider;
	PROVIDER_EVENT_INFO *events;
	ULONG size = 0;

	*code = TdhEnumerateManifestProviderEvents(&id, NULL, &size);
	if (*code != ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	events = must_have(malloc(size));
	*code = TdhEnumerateManifestProviderEvents(&id, events, &size);
	return events;
}

bool where_is_known(const GUID *provider)
{
	ULONG code;
	PROVIDER_EVENT_INFO *events = events_of(provider, &code);
	const bool is_known = events && !code;

	free(events);
	return is_known;
}

static TRACE_EVENT_INFO *info_of(const GUID *provider, EVENT_DESCRIPTOR *event)
{
	GUID id = *provider;
	TRACE_EVENT_INFO *info;
	ULONG size = 0;

	if (TdhGetManifestEventInformation(&id, event, NULL, &size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	info = must_have(malloc(size));
	if (!TdhGetManifestEventInformation(&id, event, info, &size))
		return info;
	free(info);
	return NULL;
}

static bool add_events(struct compiler *c, PROVIDER_EVENT_INFO *events)
{
	bool done = true;

	for (ULONG i = 0; done && i < events->NumberOfEvents; i++) {
		EVENT_DESCRIPTOR *event = &events->EventDescriptorsArray[i];
		TRACE_EVENT_INFO *info = info_of(c->provider, event);

		if (info && c->takes(event->Id, c->context))
			done = add_event(c, info);
		free(info);
	}
	return done;
}

/*
 * Report conditions whose fields were not found, or not all in the same event
 */
static bool check_fields(struct compiler *c)
{
	const struct where *w = c->where;

	for (unsigned int i = 0; i < w->condition_count; i++) {
		const struct where_word *field = &w->conditions[i].field;

		if (!c->seen[i])
			return refuse(c, field->column, "no selected event has"
				      " a field '%s'; names are written as in"
				      " the manifest",
				      field->text);
	}
	return c->filter_count || refuse(c, 0, "no selected event has all of"
					 " these fields");
}

static bool aggregate(struct compiler *c, EVENT_FILTER_DESCRIPTOR *filter)
{
	ULONG code = TdhAggregatePayloadFilters(c->filter_count, c->filters,
						NULL, filter);

	if (code == ERROR_INSUFFICIENT_BUFFER)
		return refuse(c, 0, "for %u events, this takes more than %d"
			      " bytes: select some of them by --id",
			      c->ids->count, MAX_EVENT_FILTER_PAYLOAD_SIZE);
	return !code || refuse(c, 0, "%s", win32_text(code));
}

bool where_compile(const struct where *where, const GUID *provider,
		   bool (*takes)(USHORT id, const void *context),
		   const void *context, EVENT_FILTER_DESCRIPTOR *filter,
		   struct where_ids *ids, struct where_problem *problem)
{
	struct compiler c = {
		.where = where, .provider = provider, .takes = takes,
		.context = context, .ids = ids, .problem = problem,
	};
	PROVIDER_EVENT_INFO *events;
	ULONG code;
	bool done;

	ids->count = 0;
	events = events_of(provider, &code);
	if (events && !code)
		done = add_events(&c, events) && check_fields(&c) &&
		       aggregate(&c, filter);
	else if (code == ERROR_FILE_NOT_FOUND || code == ERROR_EMPTY)
		done = refuse(&c, 0, "no manifest defines the provider's events"
			      " and their fields: load one by --manifest FILE;"
			      " for TraceLogging, select while recording by"
			      " --event, and by fields in 'evnt dump --where'"
			      " and 'evnt tail --where'");
	else
		done = refuse(&c, 0, "%s", win32_text(code));
	free(events);
	while (c.filter_count)
		TdhDeletePayloadFilter(&c.filters[--c.filter_count]);
	free(c.filters);
	return done;
}
