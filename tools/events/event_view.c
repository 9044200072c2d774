// SPDX-License-Identifier: MIT
/* Parses the extended items of an event */
#include <stdlib.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/events/event_view.h"

static struct kinds kinds;

struct kinds *view_kinds(void)
{
	return &kinds;
}

void view_event(const EVENT_RECORD *record, struct view *view)
{
	view->record = record;
	view->kind = must_have(kinds_find(&kinds, record));
	view->related = NULL;
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
			&record->ExtendedData[i];

		if (item->ExtType == EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID &&
		    item->DataSize >= sizeof(GUID))
			view->related = (void *)(uintptr_t)item->DataPtr;
	}
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

	/* Exclude the terminating nul */
	if (count && !units[2 * count - 2] && !units[2 * count - 1])
		count--;
	return text ? format_utf16(units, count, text, size) : NULL;
}
