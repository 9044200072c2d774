/* SPDX-License-Identifier: MIT */
/*
 * Reads the events of sessions to count them by provider: for sessions in
 * real-time mode as a consumer; for others from their log files, if readable;
 * for sessions that keep events in memory from a copy of the buffers
 */
#ifndef EVNT_TOP_READ_H
#define EVNT_TOP_READ_H

#include <pthread.h>

#include <evntcons.h>

#include "tools/top/top_count.h"
#include "tools/session/control.h"

/**
 * struct top_place - a buffer of a circular file, which may be written again
 * @sequence: its sequence number when it was read
 * @end: offset up to which it was read
 */
struct top_place {
	__s64 sequence;
	__u32 end;
};

/**
 * struct top_reader - reader of a session
 * @counts: counters to update
 * @handle: session handle
 * @why: reason why the session cannot be read, or NULL
 * @seen: the session existed at the last update; used by the caller
 * @is_live: the session is read in real time
 * @file: argument of OpenTrace()
 * @name: session name, used by @file
 * @trace: trace handle, if @is_live
 * @thread: thread that runs ProcessTrace()
 * @since: events before this FILETIME are not counted
 * @path: log file, if not @is_live
 * @at: end of the part read, for a file that grows
 * @places: buffers of a circular file, by position
 * @place_count: number of @places
 * @ticks: ticks of the session's clock in 100 ns
 * @memory: descriptor of a file for copies of the buffers in memory, or -1
 * @newest: time of the latest event in memory, or of the latest buffer in a
 *   circular file; in the session's clock
 * @before: value of @newest before the current update
 * @is_counting: the first update, which only finds existing events, is done
 * @is_gap: all data from before the current update is gone, so newer events may
 *   be missing, too
 * @view: current event, allocated when first needed
 */
struct top_reader {
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
	struct top_place *places;
	__u32 place_count;
	int ticks;
	int memory;
	LONGLONG newest;
	LONGLONG before;
	bool is_counting;
	bool is_gap;
	struct etl_view *view;
};

/*
 * Begin reading a session. With @is_new, the session has just started, so all
 * its events are counted. Call reader_end() to free the reader.
 */
struct top_reader *reader_begin(struct counts *counts,
				const struct dev_session *session, bool is_new);

/*
 * Count new events. Events in real time are counted by the reader's thread
 * instead.
 */
void reader_look(struct top_reader *reader, int device,
		 const struct dev_session *session);

void reader_end(struct top_reader *reader);

#endif /* EVNT_TOP_READ_H */
