// SPDX-License-Identifier: MIT
/*
 * Descriptions of events and maps in logs: the input has the length of the
 * description in two bytes, the description, and the payload.  An odd length
 * belongs to a map.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* Descriptions of an own copy are removed after each input */
#define is_metadata		fuzzed_is_metadata
#define metadata_load		fuzzed_load
#define metadata_event_info	fuzzed_event_info
#define metadata_map		fuzzed_map
#include "tdh/event_metadata.c"

/* The sanitizer detects inaccessible bytes */
static void touch_text(const void *base, ULONG offset)
{
	const volatile WCHAR *text = (const WCHAR *)((const u8 *)base + offset);

	while (offset && *text)
		text++;
}

static ULONG WINAPI see(const EVNT_PROPERTY *property, PVOID context)
{
	const TRACE_EVENT_INFO *info = context;
	char text[256];
	ULONG size = sizeof(text);

	check(property->Index < info->PropertyCount);
	if (property->Kind == EvntPropertyValue)
		EvntFormatProperty(info, NULL, 8, property, &size, text);
	return ERROR_SUCCESS;
}

static void use_event(const EVENT_RECORD *event, const TRACE_EVENT_INFO *info)
{
	const WCHAR *keyword;

	touch_text(info, info->ProviderNameOffset);
	touch_text(info, info->LevelNameOffset);
	touch_text(info, info->EventMessageOffset);
	touch_text(info, info->EventNameOffset);
	keyword = evnt_tdh_text(info, info->KeywordsNameOffset);
	while (keyword && *keyword) {
		while (*keyword++)
			;
	}
	for (ULONG i = 0; i < info->PropertyCount; i++)
		touch_text(info, info->EventPropertyInfoArray[i].NameOffset);
	EvntEnumerateProperties(event, info, see, (void *)info);
}

static void use_map(const EVENT_MAP_INFO *map)
{
	touch_text(map, map->NameOffset);
	for (ULONG i = 0; i < map->EntryCount; i++)
		touch_text(map, map->MapEntryArray[i].OutputOffset);
}

static void use(const EVENT_RECORD *event)
{
	EVENT_RECORD described = *event;
	const struct metadata *m = events ? *(struct metadata **)events :
				   maps ? *(struct metadata **)maps : NULL;
	struct bytes b = { 0 };

	if (!m)
		return;
	described.EventHeader.ProviderId = m->guid;
	if (events) {
		described.EventHeader.EventDescriptor =
			((const TRACE_EVENT_INFO *)m->data)->EventDescriptor;
		if (m->key >> 24)
			described.EventHeader.Flags =
				EVENT_HEADER_FLAG_CLASSIC_HEADER;
		check(!metadata_event_info(&described, &b));
		use_event(&described, (TRACE_EVENT_INFO *)b.data);
	} else {
		check(!metadata_map(&described, (const WCHAR *)m->key, &b));
		use_map((EVENT_MAP_INFO *)b.data);
	}
	bytes_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	EVENT_RECORD event = { .EventHeader.Flags = 0 };
	uint8_t *description, *payload;
	uint16_t len;

	if (size < 2 || size > 65535)
		return 0;
	memcpy(&len, data, sizeof(len));
	data += sizeof(len);
	size -= sizeof(len);
	event.EventHeader.EventDescriptor.Opcode = len & 1 ? OPCODE_MAP :
							     OPCODE_EVENT;
	if (len > size)
		len = size;
	/* Separate allocations, so that reads beyond their ends are detected */
	description = malloc(len ? len : 1);
	payload = malloc(size - len ? size - len : 1);
	if (!description || !payload)
		goto out;
	memcpy(description, data, len);
	memcpy(payload, data + len, size - len);
	event.UserData = description;
	event.UserDataLength = len;
	metadata_load(&event);
	event.UserData = payload;
	event.UserDataLength = size - len;
	use(&event);
	tdestroy(events, free);
	tdestroy(maps, free);
	events = NULL;
	maps = NULL;
	total = 0;
out:
	free(description);
	free(payload);
	return 0;
}
