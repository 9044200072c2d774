// SPDX-License-Identifier: MIT
/* An event as an object of JSON. */
#include <stdlib.h>

#include "format.h"
#include "json.h"
#include "print.h"

static void add_source(json_object *event, const struct view *view)
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
}

static void add_descriptor(json_object *event, const struct view *view)
{
	const EVENT_HEADER *header = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *descriptor = &header->EventDescriptor;

	if (view->name[0])
		json_add_text(event, "name", view->name);
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

void print_json(const struct view *view)
{
	json_object *event = json_object_new_object();
	const EVENT_RECORD *record = view->record;

	add_source(event, view);
	add_descriptor(event, view);
	add_activities(event, view);
	add_extended(event, record);
	add_string(event, view);
	json_add_hex(event, "payload", record->UserData,
		     record->UserDataLength);
	json_print(event);
}
