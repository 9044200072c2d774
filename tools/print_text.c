// SPDX-License-Identifier: MIT
/* An event as one line for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "format.h"
#include "print.h"
#include "stack.h"

/* What is shown of a payload unless the user wants all of it */
#define SHORT_PAYLOAD	64

/* Text of unknown origin must not steer the terminal, or begin a line */
static void print_safely(const char *text)
{
	for (; *text; text++) {
		unsigned char c = *text, next = text[1];

		if (c == '\\' || c == '"')
			printf("\\%c", c);
		else if (c == '\n')
			fputs("\\n", stdout);
		else if (c < 0x20 || c == 0x7f)
			printf("\\x%02x", c);
		else if (c == 0xc2 && next < 0xa0)	/* U+0080 to U+009F */
			printf("\\x%02x", (unsigned char)*++text);
		else
			putchar(c);
	}
}

static void print_id(const char *label, const void *guid)
{
	char text[GUID_TEXT];

	printf(" %s=%s", label, format_guid(guid, text));
}

static void print_source(const struct view *view, const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	char guid[GUID_TEXT], time[TIME_TEXT];

	printf("%s cpu=%u pid=%u tid=%u ",
	       format_time(header->TimeStamp.QuadPart, time),
	       GetEventProcessorIndex(view->record), header->ProcessId,
	       header->ThreadId);
	if (view->provider[0])
		print_safely(view->provider);
	else if (schema && schema->provider)
		print_safely(schema->provider);
	else
		fputs(format_guid(&header->ProviderId, guid), stdout);
}

/* What a number is called, or the number */
static void print_named(const char *label, const char *name, unsigned int number)
{
	bool quoted = name && strchr(name, ' ');

	printf(" %s=%s", label, quoted ? "\"" : "");
	if (name && *name)
		print_safely(name);
	else
		printf("%u", number);
	if (quoted)
		putchar('"');
}

static void print_descriptor(const struct view *view,
			     const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;
	char level[NUMBER_TEXT], opcode[NUMBER_TEXT];
	const char *name = event_name(view, schema);

	if (name && *name) {
		fputs(" name=\"", stdout);
		print_safely(name);
		putchar('"');
	}
	printf(" id=%u version=%u level=%s", event->Id, event->Version,
	       format_level(event->Level, level));
	print_named("opcode", schema && schema->opcode ? schema->opcode :
		    format_opcode(event->Opcode, opcode), event->Opcode);
	print_named("task", schema ? schema->task : NULL, event->Task);
	printf(" keyword=0x%llx", event->Keyword);
}

static void print_activities(const struct view *view)
{
	const GUID *activity = &view->record->EventHeader.ActivityId;

	if (!guid_is_zero(activity))
		print_id("activity", activity);
	if (view->related)
		print_id("related", view->related);
}

static void print_bytes(const unsigned char *data, size_t len)
{
	char hex[2 * 4 + 1];

	for (size_t i = 0; i < len; i += 4) {
		size_t some = len - i < 4 ? len - i : 4;

		printf(" %s", format_hex(data + i, some, hex));
	}
	fputs(" |", stdout);
	for (size_t i = 0; i < len; i++)
		putchar(data[i] < 0x20 || data[i] > 0x7e ? '.' : data[i]);
	putchar('|');
}

static void print_payload(const struct view *view, bool full)
{
	size_t len = view->record->UserDataLength;
	size_t shown = full || len <= SHORT_PAYLOAD ? len : SHORT_PAYLOAD;

	printf(" size=%zu", len);
	if (!len)
		return;
	putchar(':');
	print_bytes(view->record->UserData, shown);
	if (shown < len)
		printf(" +%zu", len - shown);
}

static void print_string(const struct view *view)
{
	char *text = view_string(view);

	fputs(" text=\"", stdout);
	print_safely(text ? text : "");
	putchar('"');
	free(text);
}

/* Where the printing of fields is */
struct fields {
	const struct schema *schema;
	const EVENT_RECORD *record;
	uint64_t brackets;	/* what we are in; bit 0: an array, without names */
	bool first;		/* of what is in brackets */
	size_t seen;		/* bytes of the payload */
};

static void print_label(struct fields *fields, ULONG index)
{
	if (!fields->first)
		putchar(' ');
	fields->first = false;
	if (fields->brackets & 1)
		return;
	if (fields->schema->names[index])
		print_safely(fields->schema->names[index]);
	putchar('=');
}

static void print_value(struct fields *fields, const EVNT_PROPERTY *property)
{
	enum field_kind kind;
	const char *text = fields_value(fields->schema, fields->record,
					property, &kind);

	if (text && kind == FIELD_TEXT) {
		putchar('"');
		print_safely(text);
		putchar('"');
	} else {
		print_safely(text ? text : "?");
	}
}

static void begin_brackets(struct fields *fields, const EVNT_PROPERTY *property)
{
	bool array = property->Kind == EvntPropertyArrayBegin;

	print_label(fields, property->Index);
	putchar(array ? '[' : '{');
	fields->first = true;
	fields->brackets = fields->brackets << 1 | array;
}

static ULONG WINAPI print_field(const EVNT_PROPERTY *property, PVOID context)
{
	struct fields *fields = context;

	if (property->Kind == EvntPropertyValue)
		fields->seen += property->DataLength;
	if (fields->schema->hidden[property->Index])
		return ERROR_SUCCESS;
	switch (property->Kind) {
	case EvntPropertyValue:
		print_label(fields, property->Index);
		print_value(fields, property);
		break;
	case EvntPropertyArrayBegin:
	case EvntPropertyStructBegin:
		begin_brackets(fields, property);
		break;
	case EvntPropertyArrayEnd:
	case EvntPropertyStructEnd:
		putchar(property->Kind == EvntPropertyArrayEnd ? ']' : '}');
		fields->first = false;
		fields->brackets >>= 1;
		break;
	}
	return ERROR_SUCCESS;
}

/* Returns whether the fields are all that there is */
static bool print_fields(const struct view *view, const struct schema *schema)
{
	struct fields fields = { .schema = schema, .record = view->record };

	return !EvntEnumerateProperties(view->record, schema->info,
					print_field, &fields) &&
	       fields.seen == view->record->UserDataLength;
}

/* Its function and how far in it; or its file, likewise */
static void print_place(const struct frame *frame)
{
	const struct symbol *symbol = &frame->symbol;
	const char *module = frame->image->module->name;

	print_safely(symbol->function ? symbol->function : module);
	printf("+0x%" PRIx64, symbol->function ? symbol->offset :
						frame->offset);
	if (!symbol->file && !symbol->function)
		return;
	fputs(" (", stdout);
	print_safely(symbol->file ? symbol->file : module);
	if (symbol->file)
		printf(":%u", symbol->line);
	putchar(')');
}

/* A line for each frame */
static void print_stack(const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	size_t i, depth = stack ? stack_depth(stack) : 0;
	struct frame frame;

	for (i = 0; i < depth; i++) {
		stack_frame(record, stack, i, &frame);
		putchar('\t');
		if (frame.image)
			print_place(&frame);
		else
			printf("0x%" PRIx64, frame.address);
		putchar('\n');
	}
}

void print_text(const struct view *view, bool full)
{
	const struct schema *schema = fields_schema(view->record);

	print_source(view, schema);
	print_descriptor(view, schema);
	print_activities(view);
	if (view_is_string(view))
		print_string(view);
	else if (!schema || !print_fields(view, schema))
		print_payload(view, full);
	putchar('\n');
	print_stack(view->record);
}
