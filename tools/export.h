/* SPDX-License-Identifier: MIT */
/* Formats that evnt export writes. */
#ifndef EVNT_TOOLS_EXPORT_H
#define EVNT_TOOLS_EXPORT_H

#include <stdio.h>

#include "logs.h"

/**
 * struct export_format - a format
 * @begin: begins to write to @out; returns what the others are given
 * @survey: takes note of an event, if not NULL: then all of the files are read
 *	twice, and each event comes here before any comes to @event, which is told
 *	of the same events in the same order
 * @event: writes an event
 * @end: writes what is behind all events, as what was lost
 * @free: frees what @begin made, in any case
 *
 * Errors of writing stay in @out.  Before @event the logs are open.
 */
struct export_format {
	void *(*begin)(FILE *out, const struct logs *logs);
	void (*survey)(void *writer, EVENT_RECORD *record);
	void (*event)(void *writer, EVENT_RECORD *record);
	void (*end)(void *writer);
	void (*free)(void *writer);
};

extern const struct export_format perfetto_format;

#endif /* EVNT_TOOLS_EXPORT_H */
