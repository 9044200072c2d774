/* SPDX-License-Identifier: MIT */
/*
 * Log files that a verb reads: opening them, with words for what is wrong, reading
 * them all by time, with progress on a terminal, and telling their losses.
 */
#ifndef EVNT_LOGS_H
#define EVNT_LOGS_H

#include <stdbool.h>

#include <evntcons.h>

#include "header.h"
#include "progress.h"

/* The library opens so many at once */
#define MAX_LOGS	64

/**
 * struct logs - log files that are read
 * @context: the verb's own
 * @count: how many are open
 * @files: they, as the library sees them
 * @handles: theirs
 * @prints: the verb prints while it reads; the verb's to set
 * @has_all: whether @context needs no more events; the verb's to set, or NULL
 * @progress: how far reading is
 *
 * In a callback, an event's UserContext is this.
 */
struct logs {
	void *context;
	int count;
	EVENT_TRACE_LOGFILEA files[MAX_LOGS];
	TRACEHANDLE handles[MAX_LOGS];
	bool prints;
	bool (*has_all)(void *context);
	struct progress progress;
};

struct verb;

/*
 * Opens the files that are named on the command line from optind on; returns how
 * the verb is to end, EVNT_DONE if all are open.  Then logs_close() is due in any
 * case.
 */
int logs_open(struct logs *logs, const struct verb *verb, int argc, char **argv,
	      PEVENT_RECORD_CALLBACK on_event);

/*
 * Shows @on_event all events of those files that may tell late what others need: in
 * which the oldest is overwritten, or which go on where another ended.  What is
 * wrong with them is for logs_read() to say.
 */
void logs_peek(const struct logs *logs, PEVENT_RECORD_CALLBACK on_event);

/* Reads all; returns how the verb is to end */
int logs_read(struct logs *logs);

/* Tells on stderr what was lost in recording, and what was not understood */
void logs_tell_losses(const struct logs *logs);

void logs_close(struct logs *logs);

/*
 * Say why the library may have refused to open @path, or to read on, in words;
 * return how the verb is to end
 */
int logs_explain_open(const char *path, unsigned int error);
int logs_explain_read(unsigned int error);

#endif /* EVNT_LOGS_H */
