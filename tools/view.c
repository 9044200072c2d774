// SPDX-License-Identifier: MIT
/* Finds what stands in an event's extended items. */
#include <stdlib.h>

#include "format.h"
#include "view.h"

/* The text up to a nul or the end */
static void copy_name(const unsigned char *from, size_t room, char *name)
{
	format_utf8(from, strnlen((const char *)from, room), name, VIEW_NAME);
}

/* Traits are their size in two bytes, then the provider's name */
static void view_traits(const unsigned char *traits, size_t size,
			struct view *view)
{
	if (size > 2)
		copy_name(traits + 2, size - 2, view->provider);
}

/* A schema is its size in two bytes, then tags, then the event's name */
static void view_schema(const unsigned char *schema, size_t size,
			struct view *view)
{
	size_t at = 2;

	while (at < size && schema[at] & 0x80)
		at++;
	at++;
	if (at < size)
		copy_name(schema + at, size - at, view->name);
}

static void view_item(const EVENT_HEADER_EXTENDED_DATA_ITEM *item,
		      struct view *view)
{
	const unsigned char *data = (void *)(uintptr_t)item->DataPtr;

	switch (item->ExtType) {
	case EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID:
		if (item->DataSize >= sizeof(GUID))
			view->related = data;
		break;
	case EVENT_HEADER_EXT_TYPE_PROV_TRAITS:
		view_traits(data, item->DataSize, view);
		break;
	case EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL:
		view_schema(data, item->DataSize, view);
		break;
	}
}

void view_event(const EVENT_RECORD *record, struct view *view)
{
	view->record = record;
	view->related = NULL;
	view->provider[0] = '\0';
	view->name[0] = '\0';
	for (int i = 0; i < record->ExtendedDataCount; i++)
		view_item(&record->ExtendedData[i], view);
}

bool view_is_string(const struct view *view)
{
	return view->record->EventHeader.Flags & EVENT_HEADER_FLAG_STRING_ONLY;
}

char *view_string(const struct view *view)
{
	const unsigned char *units = view->record->UserData;
	size_t count = view->record->UserDataLength / 2;
	size_t size = UTF16_TEXT(count);
	char *text = malloc(size);

	/* The nul that ends it is no part of it */
	if (count && !units[2 * count - 2] && !units[2 * count - 1])
		count--;
	return text ? format_utf16(units, count, text, size) : NULL;
}

bool guid_is_zero(const GUID *guid)
{
	static const GUID zero;

	return !memcmp(guid, &zero, sizeof(zero));
}
