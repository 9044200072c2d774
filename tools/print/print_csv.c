// SPDX-License-Identifier: MIT
/*
 * Prints an event as a row of comma-separated values, according to RFC 4180
 * except for the line ends
 */
#include <stdlib.h>
#include <string.h>

#include "tools/events/message.h"
#include "tools/events/process_names.h"
#include "tools/print/print.h"

void print_csv_begin(struct out *out)
{
	out_text(out, "time,cpu,pid,tid,provider,provider_name,name,id,version,"
		 "channel,level,opcode,task,keyword,activity,related,message,"
		 "fields,payload,process\n");
}

/* Quote the value that begins at @at if it contains separators */
static void quote(struct out *out, size_t at)
{
	size_t len = out->len - at, quotes = 0;
	bool needs = false;
	char *text;

	for (size_t i = at; i < out->len; i++) {
		quotes += out->text[i] == '"';
		needs |= !!strchr("\",\r\n", out->text[i]);
	}
	if (!needs)
		return;
	out_room(out, quotes + 2);
	out->len += quotes + 2;
	text = out->text + at;
	text[len + quotes + 1] = '"';
	/*
	 * Go backwards, as the text moves to higher addresses in the same
	 * buffer
	 */
	for (size_t from = len, to = len + quotes + 1; from--;) {
		text[--to] = text[from];
		if (text[from] == '"')
			text[--to] = '"';
	}
	text[0] = '"';
}

/*
 * Return the length of a control character that affects terminals; 0 for
 * others, tabs and line ends
 */
static size_t control_len(const char *text)
{
	const unsigned char c = *text, next = text[1];

	if (c == 0xc2 && next >= 0x80 && next < 0xa0)
		return 2;
	return (c < 0x20 && !strchr("\t\r\n", c)) || c == 0x7f;
}

static void put_text(struct out *out, const char *text)
{
	const char *begin;
	size_t at = out->len, len;

	if (!text)
		text = "";
	/* Prevent spreadsheets from interpreting the text as a formula */
	if (*text && strchr("=+-@\t\r", *text))
		out_char(out, '\'');
	begin = text;
	while (*text) {
		len = control_len(text);
		if (!len) {
			text++;
			continue;
		}
		out_bytes(out, begin, text - begin);
		out_text(out, "\xef\xbf\xbd");
		text += len;
		begin = text;
	}
	out_bytes(out, begin, text - begin);
	quote(out, at);
	out_char(out, ',');
}

static void put_number(struct out *out, uint64_t number)
{
	out_unsigned(out, number);
	out_char(out, ',');
}

static void put_guid(struct out *out, const void *guid)
{
	if (guid)
		out_guid(out, guid);
	out_char(out, ',');
}

static void put_message(struct out *out, const struct view *view,
			const struct fields *fields)
{
	char *string = NULL;

	if (view_is_string(view)) {
		string = view_string(view);
		put_text(out, string);
		free(string);
	} else {
		put_text(out, fields ? message_text(fields) : NULL);
	}
}

void print_csv(struct out *out, const struct view *view, bool full)
{
	const EVENT_RECORD *record = view->record;
	const EVENT_HEADER *header = &record->EventHeader;
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;
	const struct schema *schema = fields_schema(view->kind, record);
	const struct fields *fields = fields_read(schema, record);
	const GUID *activity = &header->ActivityId;
	bool all = false;
	size_t at;

	(void)full;
	out_time(out, header->TimeStamp.QuadPart);
	out_char(out, ',');
	put_number(out, GetEventProcessorIndex(record));
	put_number(out, header->ProcessId);
	put_number(out, header->ThreadId);
	put_guid(out, &header->ProviderId);
	put_text(out, provider_name(view->kind, schema));
	put_text(out, event_name(view->kind, schema));
	put_number(out, event->Id);
	put_number(out, event->Version);
	put_number(out, event->Channel);
	put_number(out, event->Level);
	put_number(out, event->Opcode);
	put_number(out, event->Task);
	out_mask(out, event->Keyword);
	out_char(out, ',');
	put_guid(out, guid_is_zero(activity) ? NULL : activity);
	put_guid(out, view->related);
	put_message(out, view, fields);
	at = out->len;
	if (fields)
		all = json_put_fields(out, fields);
	quote(out, at);
	out_char(out, ',');
	/* Append the payload unless the fields cover all of it */
	if (!all)
		out_hex(out, record->UserData, record->UserDataLength);
	out_char(out, ',');
	put_text(out, process_names_find(header->ProcessId));
	/* The last value has no comma */
	out->text[out->len - 1] = '\n';
}
