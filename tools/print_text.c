// SPDX-License-Identifier: MIT
/* An event as one line for people. */
#include <stdio.h>
#include <stdlib.h>

#include "format.h"
#include "print.h"

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

static void print_source(const struct view *view)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	char guid[GUID_TEXT], time[TIME_TEXT];

	printf("%s cpu=%u pid=%u tid=%u ",
	       format_time(header->TimeStamp.QuadPart, time),
	       GetEventProcessorIndex(view->record), header->ProcessId,
	       header->ThreadId);
	if (view->provider[0])
		print_safely(view->provider);
	else
		fputs(format_guid(&header->ProviderId, guid), stdout);
}

static void print_descriptor(const struct view *view)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *event = &header->EventDescriptor;
	char level[NUMBER_TEXT], opcode[NUMBER_TEXT];

	if (view->name[0]) {
		fputs(" name=\"", stdout);
		print_safely(view->name);
		putchar('"');
	}
	printf(" id=%u version=%u level=%s opcode=%s task=%u keyword=0x%llx",
	       event->Id, event->Version, format_level(event->Level, level),
	       format_opcode(event->Opcode, opcode), event->Task,
	       event->Keyword);
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

void print_text(const struct view *view, bool full)
{
	print_source(view);
	print_descriptor(view);
	print_activities(view);
	if (view_is_string(view))
		print_string(view);
	else
		print_payload(view, full);
	putchar('\n');
}
