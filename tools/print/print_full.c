// SPDX-License-Identifier: MIT
/* Prints an event as a line of text with all that its header contains */
#include <stdlib.h>
#include <string.h>

#include "tools/events/fields.h"
#include "decode/format.h"
#include "tools/events/message.h"
#include "tools/print/print.h"

/* Number of payload bytes printed without --full */
#define SHORT_PAYLOAD	64

static void print_id(struct out *out, const char *label, const void *guid)
{
	out_text(out, label);
	out_guid(out, guid);
}

static void print_number(struct out *out, const char *label,
			 unsigned int number)
{
	out_text(out, label);
	out_unsigned(out, number);
}

/* Append the id of a process or thread; UINT32_MAX is none */
static void print_task(struct out *out, const char *label, uint32_t id)
{
	if (id == UINT32_MAX) {
		out_text(out, label);
		out_text(out, "-1");
	} else {
		print_number(out, label, id);
	}
}

static void print_source(struct out *out, const struct view *view,
			 const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const char *name = provider_name(view->kind, schema);

	out_time(out, header->TimeStamp.QuadPart);
	print_number(out, " cpu=", GetEventProcessorIndex(view->record));
	print_task(out, " pid=", header->ProcessId);
	print_task(out, " tid=", header->ThreadId);
	out_char(out, ' ');
	if (name)
		out_safely(out, name);
	else
		out_guid(out, &header->ProviderId);
}

/* Append a name or, if there is none, a number */
static void print_named(struct out *out, const char *label, const char *name,
			unsigned int number)
{
	bool quoted = name && strchr(name, ' ');

	out_text(out, label);
	if (quoted)
		out_char(out, '"');
	if (name && *name)
		out_safely(out, name);
	else
		out_unsigned(out, number);
	if (quoted)
		out_char(out, '"');
}

static void print_descriptor(struct out *out, const struct view *view,
			     const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;
	char level[NUMBER_TEXT], opcode[NUMBER_TEXT];
	const char *name = event_name(view->kind, schema);

	if (name && *name) {
		out_text(out, " name=\"");
		out_safely(out, name);
		out_char(out, '"');
	}
	print_number(out, " id=", event->Id);
	print_number(out, " version=", event->Version);
	out_text(out, " level=");
	out_text(out, format_level(event->Level, level));
	print_named(out, " opcode=", schema && schema->opcode ?
		    schema->opcode : format_opcode(event->Opcode, opcode),
		    event->Opcode);
	print_named(out, " task=", schema ? schema->task : NULL, event->Task);
	out_text(out, " keyword=");
	out_mask(out, event->Keyword);
}

static void print_payload(struct out *out, const struct view *view, bool full)
{
	const unsigned char *data = view->record->UserData;
	size_t len = view->record->UserDataLength;
	size_t shown = full || len <= SHORT_PAYLOAD ? len : SHORT_PAYLOAD;

	print_number(out, " size=", len);
	if (!len)
		return;
	out_char(out, ':');
	for (size_t i = 0; i < shown; i += 4) {
		out_char(out, ' ');
		out_hex(out, data + i, shown - i < 4 ? shown - i : 4);
	}
	out_text(out, " |");
	for (size_t i = 0; i < shown; i++)
		out_char(out, data[i] < 0x20 || data[i] > 0x7e ? '.' : data[i]);
	out_char(out, '|');
	if (shown < len)
		print_number(out, " +", len - shown);
}

void print_full(struct out *out, const struct view *view, bool full)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	const GUID *activity = &view->record->EventHeader.ActivityId;
	const struct fields *fields = fields_read(schema, view->record);
	const char *message = fields ? message_text(fields) : NULL;
	char *string;

	print_source(out, view, schema);
	print_descriptor(out, view, schema);
	if (!guid_is_zero(activity))
		print_id(out, " activity=", activity);
	if (view->related)
		print_id(out, " related=", view->related);
	if (view_is_string(view)) {
		string = view_string(view);
		out_text(out, " text=\"");
		out_safely(out, string ? string : "");
		out_char(out, '"');
		free(string);
	} else if (!fields || !text_put_fields(out, fields, 0)) {
		print_payload(out, view, full);
	}
	if (message && *message) {
		out_text(out, " message=\"");
		out_safely(out, message);
		out_char(out, '"');
	}
	out_char(out, '\n');
	text_put_stack(out, view->record);
}
