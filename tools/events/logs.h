/* SPDX-License-Identifier: MIT */
/*
 * Log files read by a verb: opens and explains errors, reads all files in order
 * of time with progress on a terminal, and reports losses
 */
#ifndef EVNT_LOGS_H
#define EVNT_LOGS_H

#include <stdbool.h>
#include <stdint.h>

#include <evntcons.h>

#include "decode/header.h"
#include "lib/consume/etl_counts.h"
#include "tools/common/progress.h"

/* Maximum number of files, each of which needs a descriptor */
#define MAX_LOGS	1000

/**
 * struct logs - log files being read
 * @context: private data of the verb
 * @count: number of open files
 * @files: files as passed to OpenTrace()
 * @handles: handles of the open files
 * @counts: counts of the data read so far of each open file
 * @prints: the verb prints while it reads; set by the verb
 * @has_all: returns whether @context needs no further events; set by the verb,
 *   may be NULL
 * @progress: progress of reading
 *
 * UserContext of an event points to this struct during callbacks.
 */
struct logs {
	void *context;
	int count;
	EVENT_TRACE_LOGFILEA *files;
	TRACEHANDLE *handles;
	const struct etl_counts **counts;
	bool prints;
	bool (*has_all)(void *context);
	struct progress progress;
};

struct verb;

/* Check the number of files on the command line; return the verb's exit code */
int logs_check(const struct verb *verb, int count);

/*
 * Open the files named on the command line from optind on. Return the verb's
 * exit code, EVNT_DONE if all are open. The caller must call logs_close() in
 * any case.
 */
int logs_open(struct logs *logs, const struct verb *verb, int argc, char **argv,
	      PEVENT_RECORD_CALLBACK on_event);

/*
 * Pass to @on_event all events of files where metadata may follow the events
 * that need it: circular logs, and those that continue another file. Errors are
 * left to logs_read() to report.
 */
void logs_peek(const struct logs *logs, PEVENT_RECORD_CALLBACK on_event);

/* Read all files; return the verb's exit code */
int logs_read(struct logs *logs);

/*
 * Report on stderr the losses of the recording, and data that could not be
 * parsed
 */
void logs_report_losses(const struct logs *logs);

/* Return the number of losses found so far */
uint64_t logs_losses_found(const struct logs *logs);

/*
 * Return whether a time stamp of one of the files, in its clock, is this time: call
 * stacks of Windows' kernel refer to their events so
 */
bool logs_is_at(const struct logs *logs, uint64_t stamp, int64_t time);

/* Return a duration in the clock of the first file as ticks of 100 ns */
int64_t logs_ticks(const struct logs *logs, uint64_t duration);

void logs_close(struct logs *logs);

/*
 * Explain why the library has failed to open @path, or to read; return the
 * verb's exit code
 */
int logs_explain_open(const char *path, unsigned int error);
int logs_explain_read(unsigned int error);

#endif /* EVNT_LOGS_H */
