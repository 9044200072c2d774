/* SPDX-License-Identifier: MIT */
/*
 * Formats that evnt export and evnt report write, and the file that they write
 * to
 */
#ifndef EVNT_EXPORT_H
#define EVNT_EXPORT_H

#include <stdio.h>

#include "tools/events/logs.h"
#include "tools/events/selection.h"

/**
 * struct export_format - an output format
 * @begin: begins writing to @out; returns the state passed to the other
 *   callbacks
 * @survey: inspects an event, or NULL. If set, all files are read twice: every
 *   event is passed to @survey before any is passed to @event, which gets the
 *   same events in the same order.
 * @event: writes an event
 * @end: writes the data that follows all events, such as losses
 * @is_text: the output may be written to a terminal
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
	bool is_text;
};

extern const struct export_format perfetto_format;
extern const struct export_format folded_format;
extern const struct export_format report_format;

/**
 * struct export_run - options and state of a verb that writes a file from log
 *   files
 * @verb: verb, for messages
 * @format: output format, or NULL
 * @output: path of the output
 * @temporary: path of the file that is renamed to @output when complete; or
 *   NULL
 * @out: stream of the output
 * @writer: state of the format
 * @selection: events to export
 * @reading: copy of @selection with the state of the current pass
 * @event: callback for events in the current pass
 * @events: number of events written
 * @logs: log files
 */
struct export_run {
	const struct verb *verb;
	const struct export_format *format;
	const char *output;
	char *temporary;
	FILE *out;
	void *writer;
	struct selection selection;
	struct selection reading;
	void (*event)(void *writer, EVENT_RECORD *record);
	uint64_t events;
	struct logs logs;
};

/*
 * Check that the output and files are named, after parsing the options; return
 * an exit code after reporting errors
 */
int export_check(const struct export_run *run, int argc);

/*
 * Write the files named on the command line from optind on to the output. Free
 * the selection. Return the verb's exit code.
 */
int export_files(struct export_run *run, int argc, char **argv);

#endif /* EVNT_EXPORT_H */
