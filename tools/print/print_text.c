// SPDX-License-Identifier: MIT
/*
 * Prints an event as a line of text for people: local time, process, provider,
 * event and fields
 */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <winmeta.h>

#include "decode/format.h"
#include "tools/evnt.h"
#include "tools/events/fields.h"
#include "tools/events/kind_text.h"
#include "tools/events/message.h"
#include "tools/events/process_names.h"
#include "tools/print/print.h"

/* Number of payload bytes printed without --full, in hexadecimal or as text */
#define SHORT_HEX	16
#define SHORT_TEXT	60

#define US_DIGITS		6
#define TICKS_PER_SECOND	10000000u
#define UNIX_EPOCH		11644473600ll	/* seconds since 1601 */

/**
 * struct text_style - properties of the output
 * @colours: the output is a terminal that shows colours
 * @start: text for the opcode Start
 * @stop: text for the opcode Stop
 * @more: text for omitted bytes
 */
static struct text_style {
	bool colours;
	const char *start;
	const char *stop;
	const char *more;
} style;

void print_text_begin(struct out *out)
{
	const bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	(void)out;
	style = (struct text_style) {
		.colours = isatty(STDOUT_FILENO) && !(none && *none) &&
			   term && strcmp(term, "dumb") != 0,
		.start = utf8 ? "▶" : "Start",
		.stop = utf8 ? "■" : "Stop",
		.more = utf8 ? "…" : "...",
	};
}

/* Append the local time in us; after the first event's day, the date as well */
static void put_time(struct out *out, uint64_t filetime)
{
	/* Text of the last second, since consecutive events often share it */
	static char text[TIME_TEXT];
	static size_t len;
	static struct tm first;
	static time_t last;
	time_t second = (long long)(filetime / TICKS_PER_SECOND) - UNIX_EPOCH;
	unsigned int us = filetime % TICKS_PER_SECOND / 10;
	bool same_day;
	struct tm tm;

	if (!len || second != last) {
		if (!localtime_r(&second, &tm))
			memset(&tm, 0, sizeof(tm));
		if (!len)
			first = tm;
		same_day = tm.tm_yday == first.tm_yday &&
			   tm.tm_year == first.tm_year;
		len = strftime(text, sizeof(text),
			       same_day ? "%T." : "%F %T.", &tm);
		last = second;
	}
	out_bytes(out, text, len);
	out_write_digits(out_room(out, US_DIGITS), us, US_DIGITS);
	out->len += US_DIGITS;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcasecmp(text + len - end_len, end);
}

/* Append the opcode, unless it is Info or the name contains it */
static void put_opcode(struct out *out, const char *name,
		       const struct schema *schema, UCHAR opcode)
{
	char number[NUMBER_TEXT];
	const char *text = format_opcode(opcode, number);

	if (schema && schema->opcode && *schema->opcode)
		text = schema->opcode;
	if (opcode == WINEVENT_OPCODE_INFO || ends_with(name, text))
		return;
	out_char(out, ' ');
	if (opcode == WINEVENT_OPCODE_START) {
		out_text(out, style.start);
	} else if (opcode == WINEVENT_OPCODE_STOP) {
		out_text(out, style.stop);
	} else {
		out_text(out, *text >= '0' && *text <= '9' ? "(opcode " : "(");
		out_safely(out, text);
		out_char(out, ')');
	}
}

/* Append the level of errors and warnings */
static void put_level(struct out *out, UCHAR level)
{
	char number[NUMBER_TEXT];

	if (!level || level > WINEVENT_LEVEL_WARNING)
		return;
	out_text(out, format_level(level, number));
	out_text(out, ": ");
}

static void put_event(struct out *out, const struct view *view,
		      const struct schema *schema)
{
	const EVENT_DESCRIPTOR *event =
		&view->record->EventHeader.EventDescriptor;
	const char *name = event_name(view->kind, schema);
	char text[NUMBER_TEXT + sizeof("event ")];

	if ((!name || !*name) && schema)
		name = schema->task;
	if (!name)
		name = "";
	snprintf(text, sizeof(text), "event %u", event->Id);
	out_safely(out, *name ? name : text);
	put_opcode(out, name, schema, event->Opcode);
}

/* Return the length of an ASCII text without its NUL; 0: it is none */
static size_t text_len(const char *data, size_t len)
{
	size_t at = 0;

	while (at < len && data[at] >= 0x20 && data[at] <= 0x7e)
		at++;
	return at == len || (at + 1 == len && !data[at]) ? at : 0;
}

/* Append a payload without description: as text if it is one, otherwise hex */
static void put_payload(struct out *out, const EVENT_RECORD *record, bool full)
{
	size_t len = record->UserDataLength;
	size_t all = text_len(record->UserData, len), shown;
	bool is_text = all > 0;
	char *text;

	if (!is_text)
		all = len;
	shown = all;
	if (!full && shown > (is_text ? SHORT_TEXT : SHORT_HEX))
		shown = is_text ? SHORT_TEXT : SHORT_HEX;
	if (is_text) {
		text = must_have(strndup(record->UserData, shown));
		out_char(out, '"');
		out_safely(out, text);
		out_text(out, shown < all ? style.more : "");
		out_char(out, '"');
		free(text);
		return;
	}
	out_unsigned(out, len);
	out_text(out, len == 1 ? " byte:" : " bytes:");
	for (size_t i = 0; i < shown; i += 4) {
		out_char(out, ' ');
		out_hex(out, (char *)record->UserData + i,
			shown - i < 4 ? shown - i : 4);
	}
	if (shown < all) {
		out_char(out, ' ');
		out_text(out, style.more);
	}
}

/*
 * Append the message of the manifest, and the fields that it does not contain,
 * each after a space, or the payload
 */
static void put_contents(struct out *out, const struct view *view,
			 const struct schema *schema, bool full)
{
	const EVENT_RECORD *record = view->record;
	const struct fields *fields = fields_read(schema, record);
	const char *message = fields ? message_text(fields) : NULL;
	uint64_t contained = 0;
	size_t begin;

	if (message && *message) {
		contained = schema->inserts;
		out_text(out, "  ");
		out_safely(out, message);
	}
	if (!record->UserDataLength)
		return;
	begin = out->len;
	out_char(out, ' ');
	if (!fields || !text_put_fields(out, fields, contained)) {
		out_char(out, ' ');
		put_payload(out, record, full);
	}
	/* No space remains at the end if the message contains all fields */
	if (out->len == begin + 1)
		out->len = begin;
}

/* Return the sequence that sets the colour of a level; "": none */
static const char *colour_of(UCHAR level)
{
	if (!style.colours || !level)
		return "";
	if (level < WINEVENT_LEVEL_WARNING)
		return "\033[31m";
	if (level == WINEVENT_LEVEL_WARNING)
		return "\033[33m";
	return level >= WINEVENT_LEVEL_VERBOSE ? "\033[2m" : "";
}

/*
 * Append the names of provider, level and event, which all events of a kind
 * have in common.  The payload of a STRING_ONLY event replaces the event's name.
 */
static void put_names(struct out *out, const struct view *view,
		      const struct schema *schema)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const char *provider = provider_name(view->kind, schema);

	if (provider)
		out_safely(out, provider);
	else
		out_guid(out, &header->ProviderId);
	out_text(out, "  ");
	put_level(out, header->EventDescriptor.Level);
	if (!view_is_string(view))
		put_event(out, view, schema);
}

void print_text(struct out *out, const struct view *view, bool full)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	const EVENT_HEADER *header = &view->record->EventHeader;
	const char *colour = colour_of(header->EventDescriptor.Level);
	char *string;
	size_t begin;

	out_text(out, colour);
	put_time(out, header->TimeStamp.QuadPart);
	out_text(out, "  ");
	text_put_process(out, process_names_shown(header->ProcessId),
			 header->ProcessId);
	out_text(out, "  ");
	begin = out->len;
	if (!kind_text_put(out, view, schema)) {
		put_names(out, view, schema);
		kind_text_keep(out, begin, view, schema);
	}
	if (view_is_string(view)) {
		string = view_string(view);
		out_char(out, '"');
		out_safely(out, string ? string : "");
		out_char(out, '"');
		free(string);
	} else {
		put_contents(out, view, schema, full);
	}
	if (*colour)
		out_text(out, "\033[0m");
	out_char(out, '\n');
	text_put_stack(out, view->record);
}
