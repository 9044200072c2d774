/* SPDX-License-Identifier: MIT */
/*
 * Reloggers and their events.
 *
 * relog_event.c has the methods of events, relogger.c the methods of reloggers.  An
 * event holds a reference to its relogger.
 */
#ifndef EVNT_RELOG_OBJECTS_H
#define EVNT_RELOG_OBJECTS_H

#include <pthread.h>

#include "lib/base/internal.h"
#include "lib/consume/trace_merge.h"
#include "lib/relog/relog.h"
#include "relogger.h"

/**
 * struct relog_stream - an input of a relogger
 * @path: path of the file, or NULL for a session
 * @context: context of the program
 * @processor: processor of the latest event
 * @time: its time as a FILETIME, or the time when the input began
 */
struct relog_stream {
	char *path;
	void *context;
	u16 processor;
	s64 time;
};

/**
 * struct relogger - an ITraceRelogger
 * @com: the interface; first member
 * @references: number of references
 * @lock: guards the other members, except where noted
 * @callback: callback of the program, or NULL
 * @name: name of the output, or NULL
 * @is_packed: whether the output is compressed
 * @in: inputs, used without the lock by the thread in ProcessTrace(), during which
 *	none is added
 * @streams: as many as inputs
 * @is_running: a thread is in ProcessTrace()
 * @is_cancelled: Cancel() was called; read without the lock
 * @out: the output, or NULL if no file is being written
 * @error: errno of writing an event, or 0
 * @record: memory for a record that is made
 * @view: the current event; used without the lock by the thread in ProcessTrace()
 */
struct relogger {
	ITraceRelogger com;
	u32 references;
	pthread_mutex_t lock;
	ITraceEventCallback *callback;
	WCHAR *name;
	bool is_packed;
	struct trace_merge in;
	struct relog_stream *streams;
	bool is_running;
	bool is_cancelled;
	struct relog *out;
	int error;
	u8 record[ETL_MAX_RECORD];
	struct etl_view view;
};

/**
 * struct relog_event - an ITraceEvent
 * @com: the interface; first member
 * @references: number of references
 * @owner: relogger that it belongs to
 * @stream: index of its input
 * @from: record of the input, whose data follows the items; a new event has none
 * @is_changed: another record must be made of @record
 * @version: version of a classic event, which has more bits than in a descriptor
 * @record: the event as the program sees it
 * @payload: data set by the program, or NULL
 * @items: extended items of @record
 */
struct relog_event {
	ITraceEvent com;
	u32 references;
	struct relogger *owner;
	u32 stream;
	struct relog_record from;
	bool is_changed;
	u16 version;
	EVENT_RECORD record;
	u8 *payload;
	EVENT_HEADER_EXTENDED_DATA_ITEM items[];
};

HRESULT relogger_create(REFIID id, void **object);

/*
 * relog_event.c: make an event of a record, both of which are copied; @from->data
 * may be NULL.  Return NULL without memory.
 */
struct relog_event *relog_event_new(struct relogger *owner, u32 stream,
				    const EVENT_RECORD *record, u16 version,
				    const struct relog_record *from);
/*
 * Get the record to be written, which may be made in @room, of ETL_MAX_RECORD bytes;
 * false if it would be larger
 */
bool relog_event_record(const struct relog_event *e, u8 *room,
			struct relog_record *record);

/* Return an interface that is the object itself, with a reference */
HRESULT relog_query(IUnknown *object, REFIID id, const GUID *own, void **found);

#endif /* EVNT_RELOG_OBJECTS_H */
