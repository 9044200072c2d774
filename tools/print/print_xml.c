// SPDX-License-Identifier: MIT
/*
 * Prints an event as XML in the format of Windows' Event schema, like tracerpt.
 *
 * https://learn.microsoft.com/windows/win32/wes/eventschema-schema
 */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/events/message.h"
#include "tools/print/print.h"
#include "tools/events/stack.h"
#include "tools/print/user_data.h"

#define EVENT_SPACE	"http://schemas.microsoft.com/win/2004/08/events/event"
#define TRACE_SPACE	"http://schemas.microsoft.com/win/2004/08/events/trace"

/* Writer of all events, and buffer for a value */
static struct xml_writer writer;
static struct out scratch;

void print_xml_begin(struct out *out)
{
	out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Events>\n");
}

void print_xml_end(struct out *out)
{
	out_text(out, "</Events>\n");
	out_free(&scratch);
}

static void begin(const char *name)
{
	xml_begin(&writer, name);
}

static void end(void)
{
	xml_end(&writer);
}

static void put_attribute(const char *name, const char *text)
{
	xml_attribute(&writer, name, text);
}

static const char *decimal(uint64_t number)
{
	scratch.len = 0;
	out_unsigned(&scratch, number);
	return out_string(&scratch);
}

static void put_number(const char *name, uint64_t number)
{
	put_attribute(name, decimal(number));
}

static void put_element(const char *name, const char *text)
{
	begin(name);
	if (text && *text)
		xml_text(&writer, text);
	end();
}

static void put_number_element(const char *name, uint64_t number)
{
	put_element(name, decimal(number));
}

/* Write a GUID in braces, as usual on Windows */
static void put_guid(const char *name, const void *guid)
{
	char text[GUID_TEXT];

	scratch.len = 0;
	out_char(&scratch, '{');
	out_text(&scratch, format_guid(guid, text));
	out_char(&scratch, '}');
	put_attribute(name, out_string(&scratch));
}

static void put_place(const EVENT_RECORD *record)
{
	const EVENT_HEADER *header = &record->EventHeader;

	begin("Execution");
	put_number("ProcessID", header->ProcessId);
	put_number("ThreadID", header->ThreadId);
	put_number("ProcessorID", GetEventProcessorIndex(record));
	if (header->Flags & (EVENT_HEADER_FLAG_NO_CPUTIME |
			     EVENT_HEADER_FLAG_PRIVATE_SESSION)) {
		put_number("ProcessorTime", header->ProcessorTime);
	} else {
		put_number("KernelTime", header->KernelTime);
		put_number("UserTime", header->UserTime);
	}
	end();
}

static void put_system(const struct view *view, const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;
	const char *provider = provider_name(view->kind, schema);
	char keywords[sizeof("0x0123456789abcdef")];
	char time[TIME_TEXT];

	begin("System");
	begin("Provider");
	if (provider)
		put_attribute("Name", provider);
	put_guid("Guid", &header->ProviderId);
	end();
	put_number_element("EventID", event->Id);
	put_number_element("Version", event->Version);
	put_number_element("Level", event->Level);
	put_number_element("Task", event->Task);
	put_number_element("Opcode", event->Opcode);
	snprintf(keywords, sizeof(keywords), "0x%016llx", event->Keyword);
	put_element("Keywords", keywords);
	begin("TimeCreated");
	put_attribute("SystemTime",
		      format_time(header->TimeStamp.QuadPart, time));
	end();
	begin("Correlation");
	put_guid("ActivityID", &header->ActivityId);
	if (view->related)
		put_guid("RelatedActivityID", view->related);
	end();
	put_place(view->record);
	put_element("Channel", schema ? schema->channel : NULL);
	put_element("Computer", NULL);
	end();
}

/**
 * struct xml_fields - state of printing the fields
 * @schema: schema of the event
 * @record: event
 * @depth: nesting depth of structs
 * @path: names of the structs inside the outermost one, each followed by a dot
 */
struct xml_fields {
	const struct schema *schema;
	const EVENT_RECORD *record;
	unsigned int depth;
	struct out path;
};

static const char *name_of(const struct xml_fields *fields, ULONG index)
{
	const char *name = fields->schema->names[index];

	return name ? name : "";
}

/*
 * Write a field. The XML schema has no nested complex data, so nested fields
 * are named by their path.
 */
static void put_value(struct xml_fields *fields, const EVNT_PROPERTY *property)
{
	size_t len = fields->path.len;
	enum field_kind kind;
	const char *text;

	begin("Data");
	out_text(&fields->path, name_of(fields, property->Index));
	put_attribute("Name", out_string(&fields->path));
	fields->path.len = len;
	text = fields_value(fields->schema, fields->record, property, &kind);
	if (text)
		xml_text(&writer, text);
	end();
}

/* Array elements become consecutive XML elements of the same name */
static void put_field(struct xml_fields *fields, const EVNT_PROPERTY *property)
{
	ULONG index = property->Index;

	if (fields->schema->hidden[index])
		return;
	switch (property->Kind) {
	case EvntPropertyValue:
		put_value(fields, property);
		break;
	case EvntPropertyStructBegin:
		if (!fields->depth++) {
			begin("ComplexData");
			put_attribute("Name", name_of(fields, index));
			break;
		}
		out_text(&fields->path, name_of(fields, index));
		out_char(&fields->path, '.');
		break;
	case EvntPropertyStructEnd:
		if (--fields->depth)
			fields->path.len -= strlen(name_of(fields, index)) + 1;
		else
			end();
		break;
	case EvntPropertyArrayBegin:
	case EvntPropertyArrayEnd:
		break;
	}
}

/* Write the element that the event's template defines */
static bool put_user_data(const EVENT_RECORD *record,
			  const struct schema *schema)
{
	bool good;

	begin("UserData");
	good = user_data_put(&writer, record, schema);
	end();
	return good;
}

/* Write the fields; return whether they cover all of the payload */
static bool put_fields(const struct fields *fields)
{
	struct xml_fields xml = {
		.schema = fields->schema,
		.record = fields->record,
	};

	begin("EventData");
	for (size_t i = 0; i < fields->count; i++)
		put_field(&xml, &fields->list[i]);
	if (xml.depth)
		end();
	out_free(&xml.path);
	end();
	return fields->cover;
}

static void put_hex(const char *name, const void *data, size_t len)
{
	scratch.len = 0;
	out_hex(&scratch, data, len);
	begin(name);
	xml_text(&writer, out_string(&scratch));
	end();
}

static void put_payload(const struct view *view, const struct schema *schema,
			const struct fields *fields)
{
	const EVENT_RECORD *record = view->record;
	char *text;

	if (view_is_string(view)) {
		text = view_string(view);
		begin("EventData");
		put_element("Data", text);
		end();
		free(text);
	} else if (!schema) {
		put_hex("BinaryEventData", record->UserData,
			record->UserDataLength);
	} else if (!(schema->info->BinaryXMLSize ?
		     put_user_data(record, schema) :
		     put_fields(fields))) {
		/* The fields do not cover all of the payload */
		begin("ProcessingErrorData");
		put_number_element("ErrorCode", ERROR_EVT_INVALID_EVENT_DATA);
		put_element("DataItemName", NULL);
		put_hex("EventPayload", record->UserData,
			record->UserDataLength);
		end();
	}
}

static void put_known(const char *name, const char *text)
{
	if (text && *text)
		put_element(name, text);
}

static void put_rendering(const struct view *view, const struct schema *schema,
			  const struct fields *fields)
{
	const EVENT_DESCRIPTOR *event =
		&view->record->EventHeader.EventDescriptor;
	char level[NUMBER_TEXT], opcode[NUMBER_TEXT];

	begin("RenderingInfo");
	put_attribute("Culture", "en-US");
	put_element("Level", schema && schema->level ? schema->level :
		    format_level(event->Level, level));
	put_element("Opcode", schema && schema->opcode ? schema->opcode :
		    format_opcode(event->Opcode, opcode));
	if (schema && schema->keywords && schema->keywords[0]) {
		begin("Keywords");
		for (char **name = schema->keywords; *name; name++)
			put_element("Keyword", *name);
		end();
	}
	put_known("Task", schema && schema->task ? schema->task :
		  event_name(view->kind, schema));
	if (fields)
		put_known("Message", message_text(fields));
	put_known("Channel", schema ? schema->channel : NULL);
	put_known("Provider", provider_name(view->kind, schema));
	end();
}

static void put_stack(const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *stack = stack_of(record);
	struct frame frame;

	if (!stack)
		return;
	begin("ExtendedTracingInfo");
	put_attribute("xmlns", TRACE_SPACE);
	begin("Stack");
	for (size_t i = 0; i < stack_depth(stack); i++) {
		stack_frame(record, stack, i, &frame);
		begin("Frame");
		scratch.len = 0;
		out_mask(&scratch, frame.address);
		put_attribute("Address", out_string(&scratch));
		if (frame.image)
			put_attribute("Module", frame.image->module->shown);
		if (frame.symbol.function)
			put_attribute("Function", frame.symbol.function);
		if (frame.symbol.file) {
			put_attribute("File", frame.symbol.file);
			put_number("Line", frame.symbol.line);
		}
		end();
	}
	end();
	end();
}

void print_xml(struct out *out, const struct view *view, bool full)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	const struct fields *fields = fields_read(schema, view->record);

	(void)full;
	writer.out = out;
	begin("Event");
	put_attribute("xmlns", EVENT_SPACE);
	put_system(view, schema);
	put_payload(view, schema, fields);
	put_rendering(view, schema, fields);
	put_stack(view->record);
	end();
}
