/* SPDX-License-Identifier: MIT */
/*
 * Reads events of sessions to count them by provider: of those in real-time mode
 * as a consumer does; of others what is written to their log files, if these may be
 * read; of those that keep events in memory a copy of it.
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
 * @at: what was read of it, if it grows
 * @memory: where a copy goes of what is kept in memory, or -1: it is not
 * @newest: of that, or of a file that goes round, the time of the last event, or
 *	buffer, that was seen; in the session's clock
 * @before: likewise, before this look
 * @is_counting: what was there when it began was seen
 * @is_gap: all that was there before this look is gone: so may be later events
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
	int memory;
	LONGLONG newest;
	LONGLONG before;
	bool is_counting;
	bool is_gap;
	struct etl_view *view;
};

/*
 * A session; @is_new: it has started meanwhile, so that all its events count.  To
 * be ended by reader_end().
 */
struct reader *reader_begin(struct counts *counts,
			    const struct door_session *session, bool is_new);

/* Counts what has come since; one in real time counts itself */
void reader_look(struct reader *reader, int door,
		 const struct door_session *session);

void reader_end(struct reader *reader);

#endif /* EVNT_TOP_READ_H */
