// SPDX-License-Identifier: MIT
/* Converts an event's fields to annotations */
#include <stdlib.h>
#include <string.h>

#include "tools/events/fields.h"
#include "decode/format.h"
#include "tools/perfetto/perfetto_fields.h"

/* Maximum nesting of structs and arrays */
#define MAX_NESTING	64

Perfetto__DebugAnnotation *annotation_add(struct packets *packets,
					  struct annotations *list,
					  const char *name)
{
	Perfetto__DebugAnnotation *a = pool_take(&packets->pool, sizeof(*a));
	Perfetto__DebugAnnotation **more;

	perfetto__debug_annotation__init(a);
	if (name) {
		a->has_name_iid = true;
		a->name_iid = packet_name(packets, PACKET_ANNOTATION, name);
	}
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 8;
		more = pool_take(&packets->pool, list->room * sizeof(*more));
		if (list->count)
			memcpy(more, list->list, list->count * sizeof(*more));
		list->list = more;
	}
	return list->list[list->count++] = a;
}

static void set_text(struct packets *packets, Perfetto__DebugAnnotation *a,
		     const char *text)
{
	a->value_case = PERFETTO__DEBUG_ANNOTATION__VALUE_STRING_VALUE;
	a->string_value = packet_text(packets, text);
}

static void set_number(Perfetto__DebugAnnotation *a, uint64_t number)
{
	a->value_case = PERFETTO__DEBUG_ANNOTATION__VALUE_UINT_VALUE;
	a->uint_value = number;
}

static void set_pointer(Perfetto__DebugAnnotation *a, uint64_t pointer)
{
	a->value_case = PERFETTO__DEBUG_ANNOTATION__VALUE_POINTER_VALUE;
	a->pointer_value = pointer;
}

void annotation_text(struct packets *packets, struct annotations *list,
		     const char *name, const char *text)
{
	set_text(packets, annotation_add(packets, list, name), text);
}

void annotation_number(struct packets *packets, struct annotations *list,
		       const char *name, uint64_t number)
{
	set_number(annotation_add(packets, list, name), number);
}

void annotation_mask(struct packets *packets, struct annotations *list,
		     const char *name, uint64_t mask)
{
	set_pointer(annotation_add(packets, list, name), mask);
}

void annotation_dict(struct packets *packets, struct annotations *list,
		     const char *name, const struct annotations *entries)
{
	Perfetto__DebugAnnotation *a = annotation_add(packets, list, name);

	a->dict_entries = entries->list;
	a->n_dict_entries = entries->count;
}

/**
 * struct nesting - a struct or array whose members are being added
 * @list: members added so far
 * @index: index of its property
 * @is_array: members have no names
 */
struct nesting {
	struct annotations list;
	ULONG index;
	bool is_array;
};

/**
 * struct field_walk - state of the walk over the fields
 * @packets: packet writer
 * @schema: schema of the event
 * @record: event
 * @seen: number of payload bytes consumed
 * @depth: nesting depth
 * @nest: structs and arrays around the current field; the innermost is at
 *   @depth
 */
struct field_walk {
	struct packets *packets;
	const struct schema *schema;
	const EVENT_RECORD *record;
	size_t seen;
	int depth;
	struct nesting nest[MAX_NESTING];
};

/* Add an array element, or a member by name */
static Perfetto__DebugAnnotation *add_member(struct field_walk *walk,
					     ULONG index)
{
	struct nesting *outer = &walk->nest[walk->depth];
	const char *name = walk->schema->names[index];

	return annotation_add(walk->packets, &outer->list,
			      outer->is_array ? NULL : name ? name : "");
}

static void set_decimal(Perfetto__DebugAnnotation *a, const char *text)
{
	if (text[strspn(text, "-0123456789")]) {
		a->value_case = PERFETTO__DEBUG_ANNOTATION__VALUE_DOUBLE_VALUE;
		a->double_value = strtod(text, NULL);
	} else if (*text == '-') {
		a->value_case = PERFETTO__DEBUG_ANNOTATION__VALUE_INT_VALUE;
		a->int_value = strtoll(text, NULL, 10);
	} else {
		set_number(a, strtoull(text, NULL, 10));
	}
}

/* Set a pointer for hexadecimal values, otherwise a text */
static void set_symbol(struct field_walk *walk, Perfetto__DebugAnnotation *a,
		       const char *text)
{
	const char *digits = text + 2;

	if (!strncmp(text, "0x", 2) && *digits && strlen(digits) <= 16 &&
	    !digits[strspn(digits, "0123456789abcdefABCDEF")])
		set_pointer(a, strtoull(digits, NULL, 16));
	else
		set_text(walk->packets, a, text);
}

static void add_value(struct field_walk *walk, const EVNT_PROPERTY *property)
{
	Perfetto__DebugAnnotation *a = add_member(walk, property->Index);
	enum field_kind kind;
	const char *text = fields_value(walk->schema, walk->record, property,
					&kind);

	if (!text)
		return;
	switch (kind) {
	case FIELD_NUMBER:
		set_decimal(a, text);
		break;
	case FIELD_BOOLEAN:
		a->value_case = PERFETTO__DEBUG_ANNOTATION__VALUE_BOOL_VALUE;
		a->bool_value = *text == 't';
		break;
	case FIELD_TEXT:
		set_text(walk->packets, a, text);
		break;
	case FIELD_SYMBOL:
		set_symbol(walk, a, text);
		break;
	}
}

static void end(struct field_walk *walk)
{
	const struct nesting *inner = &walk->nest[walk->depth--];
	Perfetto__DebugAnnotation *a = add_member(walk, inner->index);

	if (inner->is_array) {
		a->array_values = inner->list.list;
		a->n_array_values = inner->list.count;
	} else {
		a->dict_entries = inner->list.list;
		a->n_dict_entries = inner->list.count;
	}
}

static ULONG WINAPI take(const EVNT_PROPERTY *property, PVOID context)
{
	struct field_walk *walk = context;

	if (property->Kind == EvntPropertyValue)
		walk->seen += property->DataLength;
	if (walk->schema->hidden[property->Index])
		return ERROR_SUCCESS;
	switch (property->Kind) {
	case EvntPropertyValue:
		add_value(walk, property);
		break;
	case EvntPropertyArrayBegin:
	case EvntPropertyStructBegin:
		if (walk->depth + 1 == MAX_NESTING)
			return ERROR_NOT_SUPPORTED;
		walk->nest[++walk->depth] = (struct nesting) {
			.index = property->Index,
			.is_array = property->Kind == EvntPropertyArrayBegin,
		};
		break;
	case EvntPropertyArrayEnd:
	case EvntPropertyStructEnd:
		end(walk);
		break;
	}
	return ERROR_SUCCESS;
}

void annotate_fields(struct packets *packets, struct annotations *list,
		     const struct view *view)
{
	const EVENT_RECORD *record = view->record;
	struct field_walk walk = {
		.packets = packets,
		.schema = fields_schema(view->kind, record),
		.record = record,
	};
	size_t len = record->UserDataLength;
	char *text;
	bool whole;

	if (view_is_string(view)) {
		text = view_string(view);
		if (text)
			annotation_text(packets, list, "text", text);
		free(text);
		return;
	}
	walk.nest[0].list = *list;
	whole = walk.schema &&
		!EvntEnumerateProperties(record, walk.schema->info, take,
					 &walk) &&
		walk.seen == len;
	/* The payload may end early */
	while (walk.depth)
		end(&walk);
	*list = walk.nest[0].list;
	if (!whole && len)
		annotation_text(packets, list, "payload",
				format_hex(record->UserData, len,
					   pool_take(&packets->pool,
						     2 * len + 1)));
}
