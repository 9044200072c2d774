/* SPDX-License-Identifier: MIT */
/*
 * Traces opened by OpenTrace(), and the calls of their callbacks.
 */
#ifndef EVNT_TRACE_H
#define EVNT_TRACE_H

#include "lib/consume/etl_record.h"
#include "lib/consume/trace_source.h"

/**
 * struct trace - an open trace
 * @handle: handle returned to the consumer
 * @source: source of the buffers
 * @logfile: as passed by the consumer, and to callbacks; the A and W forms
 *	differ only in the types of the names
 * @buffer_call: buffer callback of OpenTraceFromFile(), or NULL
 * @buffer_context: context of @buffer_call
 * @last: last record reported while its buffer is being read, or NULL
 * @last_size: size of @last in bytes
 * @last_time: time of @last as a FILETIME
 * @stop: flag to be set to end the ProcessTrace() that is reading the trace, or
 *	NULL
 * @closing: CloseTrace() was called during ProcessTrace()
 *
 * @stop and @closing are guarded by traces_lock of process_trace.c; the other
 * members are used by the thread in ProcessTrace() only.
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

/* process_trace.c: add a trace; return its handle or the invalid one */
TRACEHANDLE trace_insert(struct trace *t);
void trace_free(struct trace *t);

void trace_show_record(struct trace *t, const struct trace_stream *s,
		       struct etl_view *view);
bool trace_show_buffer(struct trace *t, const struct trace_stream *s,
		       struct etl_view *view);

/* process_trace.c: ProcessTrace() without a limit on the number of traces */
ULONG trace_process(const TRACEHANDLE *handles, ULONG count,
		    const FILETIME *start, const FILETIME *end);

/* process_trace.c: counts of data read so far; NULL for an invalid handle */
const struct etl_counts *trace_counts(TRACEHANDLE handle);

/* process_trace.c: convert a time stamp of the trace's log to a FILETIME */
s64 trace_time(TRACEHANDLE handle, s64 raw);

/* trace_callback.c: call the SetTraceCallback() of the event's class */
void trace_call_class(EVENT_TRACE *event);

#endif /* EVNT_TRACE_H */
