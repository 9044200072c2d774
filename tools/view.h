/* SPDX-License-Identifier: MIT */
/*
 * One event as the printers want it: what stands in its extended items is
 * found and checked.
 */
#ifndef EVNT_VIEW_H
#define EVNT_VIEW_H

#include <stdbool.h>

#include <evntcons.h>

#include "header.h"
#include "kinds.h"

/**
 * struct view - an event
 * @record: as the library gave it
 * @kind: the event's, with the names that it has itself
 * @related: related activity id, 16 bytes of any alignment; or NULL
 */
struct view {
	const EVENT_RECORD *record;
	struct kind *kind;
	const void *related;
};

void view_event(const EVENT_RECORD *record, struct view *view);

/* Whether the whole of the payload is one string */
bool view_is_string(const struct view *view);

/* The string, to be freed; or NULL when there is no memory */
char *view_string(const struct view *view);

/* All kinds of events that were looked at */
struct kinds *view_kinds(void);

#endif /* EVNT_VIEW_H */
