/* SPDX-License-Identifier: MIT */
/* Format the fields of an event in a test. */
#ifndef EVNT_TEST_TDH_SHOW_H
#define EVNT_TEST_TDH_SHOW_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evnttdh.h"
#include "selftests/unit/tdh/tdh_text.h"

/**
 * struct shown - an event as text
 * @event: the event
 * @info: its information
 * @text: names and values
 */
struct shown {
	EVENT_RECORD *event;
	TRACE_EVENT_INFO *info;
	char text[512];
};

static EVENT_MAP_INFO *map_of(EVENT_RECORD *event, WCHAR *name)
{
	EVENT_MAP_INFO *map;
	ULONG size = 0;

	if (!name || TdhGetEventMapInformation(event, name, NULL, &size) !=
		     ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	map = malloc(size);
	TdhGetEventMapInformation(event, name, map, &size);
	return map;
}

static ULONG WINAPI show(const EVNT_PROPERTY *p, PVOID context)
{
	struct shown *s = context;
	EVENT_PROPERTY_INFO *info = &s->info->EventPropertyInfoArray[p->Index];
	EVENT_MAP_INFO *map;
	char value[128];
	ULONG size = sizeof(value);
	char *name;

	if (p->Kind != EvntPropertyValue)
		return ERROR_SUCCESS;
	map = map_of(s->event, TEI_MAP_NAME(s->info, info));
	name = narrow(TEI_PROPERTY_NAME(s->info, info));
	if (!EvntFormatProperty(s->info, map, 8, p, &size, value))
		snprintf(s->text + strlen(s->text),
			 sizeof(s->text) - strlen(s->text), "%s%s=%s",
			 *s->text ? " " : "", name, value);
	free(name);
	free(map);
	return ERROR_SUCCESS;
}

/* Format the event with all loaded descriptions */
static inline void show_event(EVENT_RECORD *event, struct shown *shown)
{
	memset(shown, 0, sizeof(*shown));
	shown->event = event;
	shown->info = info_of(event);
	if (shown->info)
		EvntEnumerateProperties(event, shown->info, show, shown);
	free(shown->info);
}

#endif /* EVNT_TEST_TDH_SHOW_H */
