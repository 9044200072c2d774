/* SPDX-License-Identifier: MIT */
/*
 * What OpenTrace() opened, and how its callbacks are called.
 */
#ifndef EVNT_TRACE_H
#define EVNT_TRACE_H

#include "etl_record.h"
#include "trace_source.h"

/**
 * struct trace - what a handle stands for
 * @handle: what the caller has
 * @source: where buffers come from
 * @logfile: as the caller gave it, and as callbacks see it; the A and W forms
 *	differ only in the types of its names
 * @buffer_call: what OpenTraceFromFile() is to call for a buffer, or NULL
 * @buffer_context: for that
 * @last: the record that was shown last, while its buffer is being read, or NULL
 * @last_size: its size
 * @last_time: its time as a FILETIME
 * @stop: ProcessTrace() is at work, and ends when this is set; else NULL
 * @closing: CloseTrace() was called meanwhile
 *
 * @stop and @closing are guarded by the lock of process_trace.c; the others are
 * ProcessTrace()'s.
 */
struct trace {
	TRACEHANDLE handle;
	struct trace_source *source;
	EVENT_TRACE_LOGFILEW logfile;
	PETW_BUFFER_CALLBACK buffer_call;
	PVOID buffer_context;
	const u8 *last;
	u32 last_size;
	s64 last_time;
	bool *stop;
	bool closing;
};

/* process_trace.c: a handle for a trace, which is filled in; or the invalid one */
TRACEHANDLE trace_insert(struct trace *t);
void trace_free(struct trace *t);

void trace_show_record(struct trace *t, const struct trace_stream *s,
		       struct etl_view *view);
bool trace_show_buffer(struct trace *t, const struct trace_stream *s,
		       struct etl_view *view);

/* process_trace.c: what has been found so far in reading; NULL: no such handle */
const struct etl_counts *trace_counts(TRACEHANDLE handle);

/* trace_callback.c: what SetTraceCallback() registered, for a classic event */
void trace_call_class(EVENT_TRACE *event);

#endif /* EVNT_TRACE_H */
