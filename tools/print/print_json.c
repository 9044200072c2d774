// SPDX-License-Identifier: MIT
/* Prints an event as a JSON object */
#include <stdlib.h>

#include "lib/consume/etl_clock.h"
#include "tools/events/disks.h"
#include "tools/events/fields.h"
#include "tools/events/kind_text.h"
#include "tools/print/json_out.h"
#include "tools/events/message.h"
#include "tools/events/process_names.h"
#include "tools/print/print.h"
#include "tools/events/stack.h"

/* Number of the meaning of the keys: changes if a key changes or disappears */
#define JSON_SCHEMA	"1"

static void put_signed(struct out *out, int64_t number)
{
	if (number < 0)
		out_char(out, '-');
	out_unsigned(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

#define FORMS		3	/* of the time */
#define TICK_DIGITS	7	/* digits of a second's fraction */
#define TICKS_PER_SECOND	10000000

/**
 * struct times - the last event's time
 * @second: time in seconds, if it has the digits of its fraction in each form
 * @len: length of @text; 0: none
 * @ticks: where these digits are in @text
 * @text: the time in all forms
 */
struct times {
	int64_t second;
	size_t len;
	size_t ticks[FORMS];
	char text[160];
};

/* Begin the object with the forms of a time; @ticks: where the digits of its fraction are */
static void put_forms(struct out *out, int64_t filetime, size_t ticks[FORMS])
{
	out_text(out, "{\"schema\":" JSON_SCHEMA ",\"time\":\"");
	out_time(out, filetime);
	ticks[0] = out->len - TICK_DIGITS - 1;
	out_text(out, "\",\"filetime\":\"");
	out_unsigned(out, filetime);
	ticks[1] = out->len - TICK_DIGITS;
	out_text(out, "\",\"time_ns\":\"");
	put_signed(out, etl_clock_unix(filetime));
	ticks[2] = out->len - TICK_DIGITS - 2;
	out_char(out, '"');
}

/*
 * Begin the object with the forms of a time.  Consecutive events often share a second, and
 * differ only in its fraction, which has the same digits in each form.  This
 * excludes times before 1970, and those too distant for nanoseconds.
 */
static void put_times(struct out *out, int64_t filetime)
{
	static struct times last;
	int64_t second = filetime / TICKS_PER_SECOND;
	const int64_t first = ETL_FILETIME_EPOCH / TICKS_PER_SECOND + 1;
	uint32_t fraction = filetime % TICKS_PER_SECOND;
	size_t begin = out->len;
	char digits[TICK_DIGITS];

	if (!last.len || second != last.second) {
		put_forms(out, filetime, last.ticks);
		last.second = second;
		last.len = 0;
		if (second < first || second >= first + UINT32_MAX)
			return;
		last.len = out->len - begin;
		memcpy(last.text, out->text + begin, last.len);
		for (int i = 0; i < FORMS; i++)
			last.ticks[i] -= begin;
		return;
	}
	out_write_digits(digits, fraction, TICK_DIGITS);
	out_bytes(out, last.text, last.len);
	for (int i = 0; i < FORMS; i++)
		memcpy(out->text + begin + last.ticks[i], digits, TICK_DIGITS);
}

static void put_source(struct out *out, const EVENT_RECORD *record)
{
	const EVENT_HEADER *header = &record->EventHeader;
	const char *process, *package;

	put_times(out, header->TimeStamp.QuadPart);
	json_further_key(out, "cpu");
	out_unsigned(out, GetEventProcessorIndex(record));
	json_further_key(out, "pid");
	out_unsigned(out, header->ProcessId);
	process = process_names_find(header->ProcessId);
	if (process) {
		json_further_key(out, "process");
		json_put_text(out, process);
	}
	package = process_names_package(header->ProcessId);
	if (package) {
		json_further_key(out, "package");
		json_put_text(out, package);
	}
	json_further_key(out, "tid");
	out_unsigned(out, header->ThreadId);
}

static void put_provider(struct out *out, const struct view *view,
			 const struct schema *schema)
{
	const char *name = provider_name(view->kind, schema);

	json_further_key(out, "provider");
	json_put_guid(out, &view->record->EventHeader.ProviderId);
	if (name) {
		json_further_key(out, "provider_name");
		json_put_text(out, name);
	}
}

static void put_descriptor(struct out *out, const struct view *view,
			   const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *descriptor = &header->EventDescriptor;
	const char *name = event_name(view->kind, schema);

	if (name && *name) {
		json_further_key(out, "name");
		json_put_text(out, name);
	}
	json_further_key(out, "id");
	out_unsigned(out, descriptor->Id);
	json_further_key(out, "version");
	out_unsigned(out, descriptor->Version);
	json_further_key(out, "channel");
	out_unsigned(out, descriptor->Channel);
	json_further_key(out, "level");
	out_unsigned(out, descriptor->Level);
	json_further_key(out, "opcode");
	out_unsigned(out, descriptor->Opcode);
	json_further_key(out, "task");
	out_unsigned(out, descriptor->Task);
	json_further_key(out, "keyword");
	json_put_mask(out, descriptor->Keyword);
	json_further_key(out, "flags");
	out_unsigned(out, header->Flags);
	json_further_key(out, "property");
	out_unsigned(out, header->EventProperty);
}

static void put_extended(struct out *out, const EVENT_RECORD *record)
{
	if (!record->ExtendedDataCount)
		return;
	json_further_key(out, "extended");
	json_begin(out, '[');
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
			&record->ExtendedData[i];

		json_begin(out, '{');
		json_plain_key(out, "type");
		out_unsigned(out, item->ExtType);
		json_plain_key(out, "data");
		json_put_hex(out, (void *)(uintptr_t)item->DataPtr,
			     item->DataSize);
		json_end(out, '}');
	}
	json_end(out, ']');
}

static void put_stack(struct out *out, const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	const struct symbol *symbol;
	struct frame frame;

	if (!stack)
		return;
	json_further_key(out, "stack");
	json_begin(out, '[');
	for (size_t i = 0; i < stack_depth(stack); i++) {
		stack_frame(record, stack, i, &frame);
		json_begin(out, '{');
		json_plain_key(out, "address");
		json_put_mask(out, frame.address);
		if (frame.image) {
			json_plain_key(out, "module");
			json_put_text(out, frame.image->module->shown);
			json_plain_key(out, "module_offset");
			json_put_mask(out, frame.offset);
		}
		symbol = &frame.symbol;
		if (symbol->function) {
			json_plain_key(out, "function");
			json_put_text(out, symbol->function);
			json_plain_key(out, "offset");
			json_put_unsigned(out, symbol->offset);
		}
		if (symbol->file) {
			json_plain_key(out, "file");
			json_put_text(out, symbol->file);
			json_plain_key(out, "line");
			out_unsigned(out, symbol->line);
		}
		json_end(out, '}');
	}
	json_end(out, ']');
}

static void put_known(struct out *out, const char *key, const char *text)
{
	if (text && *text) {
		json_bytes_key(out, key, strlen(key));
		json_put_text(out, text);
	}
}

/* Append the members that are the same in all events of a kind */
static void put_kind(struct out *out, const struct view *view,
		     const struct schema *schema)
{
	size_t begin = out->len;

	if (kind_text_put(out, view, schema))
		return;
	put_provider(out, view, schema);
	put_descriptor(out, view, schema);
	if (schema) {
		put_known(out, "level_name", schema->level);
		put_known(out, "opcode_name", schema->opcode);
		put_known(out, "task_name", schema->task);
		put_known(out, "channel_name", schema->channel);
	}
	kind_text_keep(out, begin, view, schema);
}

static void put_message(struct out *out, const struct fields *fields)
{
	char **keywords = fields->schema->keywords;

	put_known(out, "message", message_text(fields));
	if (!keywords || !keywords[0])
		return;
	json_further_key(out, "keyword_names");
	json_begin(out, '[');
	for (char **name = keywords; *name; name++) {
		json_next(out);
		json_put_text(out, *name);
	}
	json_end(out, ']');
}

/* Maximum nesting of structs and arrays */
#define MAX_DEPTH	64

/**
 * struct json_fields - state of printing the fields
 * @out: output
 * @schema: schema of the event
 * @record: event
 * @depth: nesting depth
 * @brackets: a bit for each level, bit 0 for the innermost; set for an array,
 *   whose elements have no names
 */
struct json_fields {
	struct out *out;
	const struct schema *schema;
	const EVENT_RECORD *record;
	unsigned int depth;
	uint64_t brackets;
};

static void put_label(struct json_fields *fields, ULONG index)
{
	const char *name = fields->schema->names[index];
	size_t len = fields->schema->simple[index];

	if (fields->brackets & 1)
		json_next(fields->out);
	else if (len)
		json_bytes_key(fields->out, name, len);
	else
		json_key(fields->out, name ? name : "");
}

static void put_value(struct json_fields *fields, const EVNT_PROPERTY *property)
{
	struct out *out = fields->out;
	enum field_kind kind;
	const char *text;

	if (fields_put_quoted(out, fields->schema, property, PLAIN_HEX))
		return;
	text = fields_value(fields->schema, fields->record, property, &kind);
	if (!text)
		out_text(out, "null");
	else if (kind == FIELD_NUMBER)
		json_put_number(out, text);
	else if (kind == FIELD_BOOLEAN)
		out_text(out, text);
	else
		json_put_text(out, text);
}

static void end_brackets(struct json_fields *fields)
{
	json_end(fields->out, fields->brackets & 1 ? ']' : '}');
	fields->brackets >>= 1;
	fields->depth--;
}

/* Return false if the nesting is too deep */
static bool put_field(struct json_fields *fields, const EVNT_PROPERTY *property)
{
	if (fields->schema->hidden[property->Index])
		return true;
	if (property->Kind == EvntPropertyArrayEnd ||
	    property->Kind == EvntPropertyStructEnd) {
		end_brackets(fields);
		return true;
	}
	if (property->Kind != EvntPropertyValue && fields->depth == MAX_DEPTH)
		return false;
	put_label(fields, property->Index);
	if (property->Kind == EvntPropertyValue) {
		put_value(fields, property);
		return true;
	}
	fields->brackets <<= 1;
	fields->brackets |= property->Kind == EvntPropertyArrayBegin;
	fields->depth++;
	out_char(fields->out, fields->brackets & 1 ? '[' : '{');
	return true;
}

bool json_put_fields(struct out *out, const struct fields *fields)
{
	struct json_fields json = {
		.out = out,
		.schema = fields->schema,
		.record = fields->record,
	};
	uint32_t disk;
	size_t i = 0;

	out_char(out, '{');
	while (i < fields->count && put_field(&json, &fields->list[i]))
		i++;
	/* The payload may end early */
	while (json.depth)
		end_brackets(&json);
	if (disk_of_event(fields->record, &disk))
		put_known(out, "Disk", disk_name(disk));
	json_end(out, '}');
	return fields->cover && i == fields->count;
}

void print_json(struct out *out, const struct view *view, bool full)
{
	const EVENT_RECORD *record = view->record;
	const GUID *activity = &record->EventHeader.ActivityId;
	const struct schema *schema = fields_schema(view->kind, record);
	const struct fields *fields = fields_read(schema, record);
	bool all = false;
	char *text;

	put_source(out, record);
	put_kind(out, view, schema);
	if (fields)
		put_message(out, fields);
	if (!guid_is_zero(activity)) {
		json_further_key(out, "activity");
		json_put_guid(out, activity);
	}
	if (view->related) {
		json_further_key(out, "related");
		json_put_guid(out, view->related);
	}
	if (full)
		put_extended(out, record);
	put_stack(out, record);
	text = view_is_string(view) ? view_string(view) : NULL;
	if (text) {
		json_further_key(out, "text");
		json_put_text(out, text);
	}
	free(text);
	if (fields) {
		json_further_key(out, "fields");
		all = json_put_fields(out, fields);
	}
	if (!all) {
		json_further_key(out, "payload");
		json_put_hex(out, record->UserData, record->UserDataLength);
	}
	json_end(out, '}');
	out_char(out, '\n');
}
