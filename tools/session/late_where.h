/* SPDX-License-Identifier: MIT */
/*
 * Conditions on fields that a session cannot evaluate, because no manifest
 * describes the events: a TraceLogging event describes its own fields.  The
 * conditions are evaluated after the events were recorded.
 */
#ifndef EVNT_LATE_WHERE_H
#define EVNT_LATE_WHERE_H

#include "tools/events/selection.h"
#include "tools/session/session_options.h"

/*
 * Move the conditions from the options of a session into a selection if a
 * provider has no manifest.  @when: time of the evaluation, for a message.
 * Return an exit code after reporting errors.
 */
int late_where_take(const struct verb *verb, struct session_options *options,
		    struct selection *selection, const char *when);

/* Return whether a recording with these options can be selected at its end */
bool late_where_is_possible(const struct session_options *options);

/**
 * late_where_select() - remove events that are not selected from a log file
 * @path: complete log file, which is replaced by another one at once
 * @selection: events to keep, as are the module's own
 * @size: set to the size of the file in bytes
 *
 * Keeps the file if no event has a field of the conditions.  Return an exit code
 * after reporting errors; after an error, all events are in the file.
 */
int late_where_select(const char *path, struct selection *selection,
		      unsigned long long *size);

#endif /* EVNT_LATE_WHERE_H */
