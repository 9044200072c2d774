/* SPDX-License-Identifier: MIT */
/* Formats that evnt export writes */
#ifndef EVNT_EXPORT_H
#define EVNT_EXPORT_H

#include <stdio.h>

#include "tools/events/logs.h"

/**
 * struct export_format - an output format
 * @begin: begins writing to @out; returns the state passed to the other
 *   callbacks
 * @survey: inspects an event, or NULL. If set, all files are read twice: every
 *   event is passed to @survey before any is passed to @event, which gets the
 *   same events in the same order.
 * @event: writes an event
 * @end: writes the data that follows all events, such as losses
 * @free: frees the state returned by @begin; always called
 *
 * Write errors remain pending in @out. The logs are open before the first call
 * of @event.
 */
struct export_format {
	void *(*begin)(FILE *out, const struct logs *logs);
	void (*survey)(void *writer, EVENT_RECORD *record);
	void (*event)(void *writer, EVENT_RECORD *record);
	void (*end)(void *writer);
	void (*free)(void *writer);
};

extern const struct export_format perfetto_format;

#endif /* EVNT_EXPORT_H */
