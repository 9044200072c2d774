/* SPDX-License-Identifier: MIT */
/*
 * Reads events of sessions to count them by provider: of those in real-time mode
 * as a consumer does; of others what is written to their log files, if these only
 * grow, and may be read.
 */
#ifndef EVNT_TOP_READ_H
#define EVNT_TOP_READ_H

#include <pthread.h>

#include <evntcons.h>

#include "top_count.h"
#include "trace_door.h"

/**
 * struct reader - of one session
 * @counts: where its events are counted
 * @handle: the session
 * @why: why it cannot be read, or NULL
 * @seen: it was there when looked at last; the caller's
 * @is_live: it is read in real time
 * @file: what the library is to call
 * @name: the session's name, for the library
 * @trace: open, if @is_live
 * @thread: runs ProcessTrace()
 * @since: events that are older do not count, as FILETIME
 * @path: the log file that is read, if not @is_live
 * @at: what was read of it
 * @view: an event of it, when there was one
 */
struct reader {
	struct counts *counts;
	__u64 handle;
	const char *why;
	bool seen;
	bool is_live;
	EVENT_TRACE_LOGFILEA file;
	char *name;
	TRACEHANDLE trace;
	pthread_t thread;
	LONGLONG since;
	char *path;
	__u64 at;
	struct etl_view *view;
};

/*
 * A session; @is_new: it has started meanwhile, so that all its events count.  To
 * be ended by reader_end().
 */
struct reader *reader_begin(struct counts *counts,
			    const struct door_session *session, bool is_new);

/* Counts what was written to its log file since; one in real time counts itself */
void reader_look(struct reader *reader, const struct door_session *session);

void reader_end(struct reader *reader);

#endif /* EVNT_TOP_READ_H */
