/* SPDX-License-Identifier: MIT */
/*
 * Decode an event like a consumer: each of its values as text, each property by
 * its name.
 */
#ifndef EVNT_FUZZ_DECODE_H
#define EVNT_FUZZ_DECODE_H

#include <stdlib.h>
#include <string.h>

#include "evnttdh.h"
#include "fuzz.h"

struct decoding {
	PEVENT_RECORD event;
	TRACE_EVENT_INFO *info;
	const BYTE *at;
};

static inline void decode_map(const struct decoding *d, ULONG index,
			      EVENT_MAP_INFO **map)
{
	PWSTR name = TEI_MAP_NAME(d->info,
				  &d->info->EventPropertyInfoArray[index]);
	ULONG size = 0;

	*map = NULL;
	if (!name || TdhGetEventMapInformation(d->event, name, NULL, &size) !=
		     ERROR_INSUFFICIENT_BUFFER)
		return;
	*map = malloc(size);
	check(!TdhGetEventMapInformation(d->event, name, *map, &size));
}

/* Values are in the payload, one after the other */
static inline ULONG WINAPI decode_value(const EVNT_PROPERTY *p, PVOID context)
{
	struct decoding *d = context;
	const EVENT_PROPERTY_INFO *info = &d->info->EventPropertyInfoArray[p->Index];
	EVENT_MAP_INFO *map;
	WCHAR text[256];
	char utf8[3 * 256];
	ULONG size = sizeof(text), code, utf8_size = sizeof(utf8), utf8_code;
	USHORT consumed = 0;

	check(p->Index < d->info->PropertyCount);
	if (p->Kind != EvntPropertyValue)
		return ERROR_SUCCESS;
	check(p->Data == d->at);
	d->at += p->DataLength;
	check(d->at <= (BYTE *)d->event->UserData + d->event->UserDataLength);
	decode_map(d, p->Index, &map);
	code = TdhFormatProperty(d->info, map, 8, info->nonStructType.InType,
				 info->nonStructType.OutType, p->Length,
				 p->DataLength, p->Data, &size, text,
				 &consumed);
	check(code == ERROR_INSUFFICIENT_BUFFER ||
	      code == ERROR_EVT_INVALID_EVENT_DATA ||
	      (!code && consumed <= p->DataLength));
	/* Both functions fail for the same values */
	utf8_code = EvntFormatProperty(d->info, map, 8, p, &utf8_size, utf8);
	check(code ? utf8_code || code == ERROR_INSUFFICIENT_BUFFER :
		     !utf8_code && strlen(utf8) < utf8_size);
	free(map);
	return ERROR_SUCCESS;
}

static inline void decode_property(PEVENT_RECORD event,
				   const TRACE_EVENT_INFO *info, ULONG i)
{
	PROPERTY_DATA_DESCRIPTOR name = {
		(uintptr_t)TEI_PROPERTY_NAME(info,
					     &info->EventPropertyInfoArray[i]),
		0xffffffff, 0,
	};
	ULONG size = 0;
	BYTE *data;

	if (!name.PropertyName ||
	    TdhGetPropertySize(event, 0, NULL, 1, &name, &size))
		return;
	check(size <= event->UserDataLength);
	data = malloc(size + 1);
	check(!TdhGetProperty(event, 0, NULL, 1, &name, size, data));
	free(data);
}

static inline void decode(PEVENT_RECORD event)
{
	struct decoding d = { .event = event, .at = event->UserData };
	ULONG size = 0, i;

	if (TdhGetEventInformation(event, 0, NULL, NULL, &size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return;
	d.info = malloc(size);
	if (!d.info)
		return;
	check(!TdhGetEventInformation(event, 0, NULL, d.info, &size));
	check(d.info->TopLevelPropertyCount <= d.info->PropertyCount);
	EvntEnumerateProperties(event, d.info, decode_value, &d);
	for (i = 0; i < d.info->TopLevelPropertyCount && i < 4; i++)
		decode_property(event, d.info, i);
	free(d.info);
}

#endif /* EVNT_FUZZ_DECODE_H */
