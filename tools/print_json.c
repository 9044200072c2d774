// SPDX-License-Identifier: MIT
/* An event as an object of JSON. */
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "format.h"
#include "json.h"
#include "message.h"
#include "print.h"
#include "stack.h"

static void add_source(json_object *event, const struct view *view,
		       const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	char time[TIME_TEXT];

	json_add_text(event, "time",
		      format_time(header->TimeStamp.QuadPart, time));
	json_add_decimal(event, "filetime", header->TimeStamp.QuadPart);
	json_add_number(event, "cpu", GetEventProcessorIndex(view->record));
	json_add_number(event, "pid", header->ProcessId);
	json_add_number(event, "tid", header->ThreadId);
	json_add_guid(event, "provider", &header->ProviderId);
	if (view->provider[0])
		json_add_text(event, "provider_name", view->provider);
	else if (schema && schema->provider)
		json_add_text(event, "provider_name", schema->provider);
}

static void add_descriptor(json_object *event, const struct view *view,
			   const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *descriptor = &header->EventDescriptor;
	const char *name = event_name(view, schema);

	if (name && *name)
		json_add_text(event, "name", name);
	json_add_number(event, "id", descriptor->Id);
	json_add_number(event, "version", descriptor->Version);
	json_add_number(event, "channel", descriptor->Channel);
	json_add_number(event, "level", descriptor->Level);
	json_add_number(event, "opcode", descriptor->Opcode);
	json_add_number(event, "task", descriptor->Task);
	json_add_mask(event, "keyword", descriptor->Keyword);
	json_add_number(event, "flags", header->Flags);
	json_add_number(event, "property", header->EventProperty);
}

static void add_activities(json_object *event, const struct view *view)
{
	const GUID *activity = &view->record->EventHeader.ActivityId;

	if (!guid_is_zero(activity))
		json_add_guid(event, "activity", activity);
	if (view->related)
		json_add_guid(event, "related", view->related);
}

static json_object *extended_item(const EVENT_HEADER_EXTENDED_DATA_ITEM *item)
{
	json_object *object = json_object_new_object();

	json_add_number(object, "type", item->ExtType);
	json_add_hex(object, "data", (void *)(uintptr_t)item->DataPtr,
		     item->DataSize);
	return object;
}

static void add_extended(json_object *event, const EVENT_RECORD *record)
{
	json_object *items;

	if (!record->ExtendedDataCount)
		return;
	items = json_object_new_array();
	for (int i = 0; i < record->ExtendedDataCount; i++)
		json_object_array_add(items,
				      extended_item(&record->ExtendedData[i]));
	json_object_object_add(event, "extended", items);
}

static json_object *stack_frame_object(const struct frame *frame)
{
	const struct symbol *symbol = &frame->symbol;
	json_object *object = json_object_new_object();

	json_add_mask(object, "address", frame->address);
	if (frame->image) {
		json_add_text(object, "module", frame->image->module->shown);
		json_add_mask(object, "module_offset", frame->offset);
	}
	if (symbol->function) {
		json_add_text(object, "function", symbol->function);
		json_add_number(object, "offset", symbol->offset);
	}
	if (symbol->file) {
		json_add_text(object, "file", symbol->file);
		json_add_number(object, "line", symbol->line);
	}
	return object;
}

static void add_stack(json_object *event, const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	json_object *frames;
	struct frame frame;

	if (!stack)
		return;
	frames = json_object_new_array();
	for (size_t i = 0; i < stack_depth(stack); i++) {
		stack_frame(record, stack, i, &frame);
		json_object_array_add(frames, stack_frame_object(&frame));
	}
	json_object_object_add(event, "stack", frames);
}

static void add_string(json_object *event, const struct view *view)
{
	char *text;

	if (!view_is_string(view))
		return;
	text = view_string(view);
	if (text)
		json_add_text(event, "text", text);
	free(text);
}

static void add_known(json_object *event, const char *key, const char *text)
{
	if (text && *text)
		json_add_text(event, key, text);
}

static void add_names(json_object *event, const struct view *view,
		      const struct schema *schema)
{
	char *message = message_text(schema, view->record);
	json_object *names;

	add_known(event, "level_name", schema->level);
	add_known(event, "opcode_name", schema->opcode);
	add_known(event, "task_name", schema->task);
	add_known(event, "channel_name", schema->channel);
	add_known(event, "message", message);
	free(message);
	if (!schema->keywords || !schema->keywords[0])
		return;
	names = json_object_new_array();
	for (char **name = schema->keywords; *name; name++)
		json_object_array_add(names, json_object_new_string(*name));
	json_object_object_add(event, "keyword_names", names);
}

/* Structs and arrays, one in the other */
#define MAX_NESTING	64

/**
 * struct fields - where the fields go
 * @schema: the event's
 * @record: the event
 * @seen: bytes of the payload
 * @depth: of what we are in
 * @nest: objects and arrays, the innermost at @depth
 */
struct fields {
	const struct schema *schema;
	const EVENT_RECORD *record;
	size_t seen;
	int depth;
	json_object *nest[MAX_NESTING];
};

static json_object *number(const char *text)
{
	char *end;
	double d;

	if (!text[strspn(text, "-0123456789")])
		return text[0] == '-' ? json_signed(strtoll(text, NULL, 10)) :
					json_unsigned(strtoull(text, NULL, 10));
	d = strtod(text, &end);
	return json_object_new_double_s(d, text);
}

static json_object *value_of(const struct fields *fields,
			     const EVNT_PROPERTY *property)
{
	enum field_kind kind;
	const char *text = fields_value(fields->schema, fields->record,
					property, &kind);

	if (!text)
		return NULL;
	switch (kind) {
	case FIELD_NUMBER:
		return number(text);
	case FIELD_BOOLEAN:
		return json_object_new_boolean(*text == 't');
	default:
		return json_object_new_string(text);
	}
}

static void add_to(struct fields *fields, ULONG index, json_object *value)
{
	json_object *outer = fields->nest[fields->depth];
	const char *name = fields->schema->names[index];

	if (json_object_is_type(outer, json_type_array))
		json_object_array_add(outer, value);
	else
		json_object_object_add(outer, name ? name : "", value);
}

static ULONG begin(struct fields *fields, ULONG index, json_object *value)
{
	add_to(fields, index, value);
	if (fields->depth + 1 == MAX_NESTING)
		return ERROR_NOT_SUPPORTED;
	fields->nest[++fields->depth] = value;
	return ERROR_SUCCESS;
}

static ULONG WINAPI add_field(const EVNT_PROPERTY *property, PVOID context)
{
	struct fields *fields = context;

	if (property->Kind == EvntPropertyValue)
		fields->seen += property->DataLength;
	if (fields->schema->hidden[property->Index])
		return ERROR_SUCCESS;
	switch (property->Kind) {
	case EvntPropertyValue:
		add_to(fields, property->Index, value_of(fields, property));
		break;
	case EvntPropertyArrayBegin:
		return begin(fields, property->Index, json_object_new_array());
	case EvntPropertyStructBegin:
		return begin(fields, property->Index, json_object_new_object());
	case EvntPropertyArrayEnd:
	case EvntPropertyStructEnd:
		fields->depth--;
		break;
	}
	return ERROR_SUCCESS;
}

/* Returns whether the fields are all that there is */
static bool add_fields(json_object *event, const EVENT_RECORD *record,
		       const struct schema *schema)
{
	struct fields fields = { .schema = schema, .record = record };

	fields.nest[0] = json_object_new_object();
	json_object_object_add(event, "fields", fields.nest[0]);
	return !EvntEnumerateProperties(record, schema->info, add_field,
					&fields) &&
	       fields.seen == record->UserDataLength;
}

void print_json(const struct view *view)
{
	const EVENT_RECORD *record = view->record;
	const struct schema *schema = fields_schema(record);
	json_object *event = json_object_new_object();

	add_source(event, view, schema);
	add_descriptor(event, view, schema);
	if (schema)
		add_names(event, view, schema);
	add_activities(event, view);
	add_extended(event, record);
	add_stack(event, record);
	add_string(event, view);
	if (!schema || !add_fields(event, record, schema))
		json_add_hex(event, "payload", record->UserData,
			     record->UserDataLength);
	json_print(event);
}
