/* SPDX-License-Identifier: MIT */
/*
 * An event as the printers need it, with its extended items found and validated
 */
#ifndef EVNT_EVENT_VIEW_H
#define EVNT_EVENT_VIEW_H

#include <stdbool.h>

#include <evntcons.h>

#include "decode/header.h"
#include "decode/event_types.h"

/**
 * struct view - an event
 * @record: event from the library
 * @kind: kind of the event, with names from its own metadata
 * @related: related activity id, 16 bytes of any alignment; or NULL
 */
struct view {
	const EVENT_RECORD *record;
	struct kind *kind;
	const void *related;
};

void view_event(const EVENT_RECORD *record, struct view *view);

/* Return whether the payload is a single string */
bool view_is_string(const struct view *view);

/* Return the string for the caller to free; NULL if out of memory */
char *view_string(const struct view *view);

/* Return all kinds of events viewed so far */
struct kinds *view_kinds(void);

#endif /* EVNT_EVENT_VIEW_H */
