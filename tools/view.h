/* SPDX-License-Identifier: MIT */
/*
 * One event as the printers want it: what stands in its extended items is
 * found and checked, and text is UTF-8.
 */
#ifndef EVNT_VIEW_H
#define EVNT_VIEW_H

#include <stdbool.h>

#include <evntcons.h>

#define VIEW_NAME	1024

/**
 * struct view - an event
 * @record: as the library gave it
 * @related: related activity id, 16 bytes of any alignment; or NULL
 * @provider: the provider's name as its traits say, or empty
 * @name: the event's name as TraceLogging says, or empty
 */
struct view {
	const EVENT_RECORD *record;
	const void *related;
	char provider[VIEW_NAME];
	char name[VIEW_NAME];
};

void view_event(const EVENT_RECORD *record, struct view *view);

/* Whether the whole of the payload is one string */
bool view_is_string(const struct view *view);

/* The string, to be freed; or NULL when there is no memory */
char *view_string(const struct view *view);

bool guid_is_zero(const GUID *guid);

#endif /* EVNT_VIEW_H */
