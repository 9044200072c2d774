// SPDX-License-Identifier: MIT
/*
 * Open traces, and ProcessTrace(), CloseTrace() and
 * QueryTraceProcessingHandle().
 *
 * open_trace.c opens traces.  trace_source.h is the interface to the sources of
 * buffers; trace_merge.c merges their records by time; deliver.c calls back.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/cancel.h"
#include "lib/base/fork_lock.h"
#include "lib/base/internal.h"
#include "lib/consume/trace.h"
#include "lib/consume/trace_merge.h"

#define MAX_TRACES	1024
#define MAX_HANDLES	64

/* Guards the table of traces, and stop and closing of each trace */
static pthread_mutex_t traces_lock =
	PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static struct trace *traces[MAX_TRACES];
static ULONG64 generation;

EVNT_FREE_IN_CHILD(traces_lock)

static struct trace *trace_lookup(TRACEHANDLE handle)
{
	struct trace *t = traces[handle % MAX_TRACES];

	return t && t->handle == handle ? t : NULL;
}

void trace_free(struct trace *t)
{
	if (t->source)
		t->source->ops->close(t->source);
	free(t->logfile.LogFileName);
	free(t->logfile.LoggerName);
	free(t);
}

TRACEHANDLE trace_insert(struct trace *t)
{
	TRACEHANDLE handle = INVALID_PROCESSTRACE_HANDLE;
	size_t i;

	pthread_mutex_lock(&traces_lock);
	for (i = 0; i < MAX_TRACES && traces[i]; i++)
		;
	if (i < MAX_TRACES) {
		handle = ++generation * MAX_TRACES + i;
		t->handle = handle;
		traces[i] = t;
	}
	pthread_mutex_unlock(&traces_lock);
	return handle;
}

/**
 * CloseTrace() - close a trace
 * @TraceHandle: handle returned by OpenTrace()
 *
 * Return: ERROR_SUCCESS; ERROR_CTX_CLOSE_PENDING if ProcessTrace() is reading
 * the trace: it will end and close the trace, for a session after calling back
 * for the events received so far; ERROR_INVALID_HANDLE.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-closetrace
 */
EVNT_PUBLIC ULONG WMIAPI CloseTrace(TRACEHANDLE TraceHandle)
{
	EVNT_UNCANCELLED;
	ULONG code = ERROR_INVALID_HANDLE;
	struct trace *t, *gone = NULL;

	pthread_mutex_lock(&traces_lock);
	t = trace_lookup(TraceHandle);
	if (t && t->stop && !t->closing) {
		t->closing = true;
		/* End a file at once, a session after the events received */
		if (t->source->ops->interrupt)
			t->source->ops->interrupt(t->source);
		else
			__atomic_store_n(t->stop, true, __ATOMIC_RELAXED);
		code = ERROR_CTX_CLOSE_PENDING;
	} else if (t && !t->stop) {
		traces[TraceHandle % MAX_TRACES] = NULL;
		gone = t;
		code = ERROR_SUCCESS;
	}
	pthread_mutex_unlock(&traces_lock);
	if (gone)
		trace_free(gone);
	return code;
}

/**
 * struct processing - a call of ProcessTrace()
 * @traces: traces being processed
 * @count: number of traces
 * @start: time of the first event to report, as a FILETIME
 * @end: time of the last event to report
 * @stop: set by CloseTrace() to end processing at once
 * @merge: merges the sources of @traces
 * @view: the event as passed to callbacks
 */
struct processing {
	struct trace **traces;
	u32 count;
	s64 start;
	s64 end;
	bool stop;
	struct trace_merge merge;
	struct etl_view view;
};

/* Call back for the current record or buffer; false if the consumer cancels */
static bool show(struct processing *p)
{
	const struct trace_entry *top = trace_merge_top(&p->merge);
	struct trace *t = p->traces[top->source];

	if (p->merge.step == TRACE_STEP_BUFFER)
		return top->stream->is_part ||
		       trace_show_buffer(t, top->stream, &p->view);
	if (top->time >= p->start && top->time <= p->end)
		trace_show_record(t, top->stream, &p->view);
	return true;
}

static ULONG process(struct processing *p)
{
	ULONG code = trace_merge_start(&p->merge);

	while (!code && !__atomic_load_n(&p->stop, __ATOMIC_RELAXED)) {
		code = trace_merge_next(&p->merge);
		if (code || p->merge.step == TRACE_STEP_END)
			break;
		if (!show(p))
			code = ERROR_CANCELLED;
	}
	trace_merge_end(&p->merge);
	return code;
}

/* Acquire all traces, or none and return the reason */
static ULONG take_traces(struct processing *p, const TRACEHANDLE *handles,
			 ULONG count)
{
	ULONG code = ERROR_SUCCESS;
	struct trace *t;
	ULONG i;

	pthread_mutex_lock(&traces_lock);
	for (i = 0; i < count; i++) {
		t = trace_lookup(handles[i]);
		/* A session must be processed alone */
		if (!t)
			code = ERROR_INVALID_HANDLE;
		else if (t->stop)
			code = ERROR_BUSY;
		else if (t->source->live && count > 1)
			code = ERROR_INVALID_PARAMETER;
		if (code)
			break;
		t->stop = &p->stop;
		t->last = NULL;
		t->logfile.BuffersRead = 0;
		p->merge.sources[i] = t->source;
		p->traces[p->count++] = t;
	}
	for (i = 0; code && i < p->count; i++)
		p->traces[i]->stop = NULL;
	p->merge.source_count = p->count;
	pthread_mutex_unlock(&traces_lock);
	return code;
}

/* Release the traces; free those that were closed without the lock */
static void give_back(struct processing *p)
{
	u32 i, closed = 0;
	struct trace *t;

	pthread_mutex_lock(&traces_lock);
	for (i = 0; i < p->count; i++) {
		t = p->traces[i];
		t->stop = NULL;
		if (!t->closing)
			continue;
		traces[t->handle % MAX_TRACES] = NULL;
		p->traces[closed++] = t;
	}
	pthread_mutex_unlock(&traces_lock);
	for (i = 0; i < closed; i++)
		trace_free(p->traces[i]);
}

static void processing_free(struct processing *p)
{
	if (!p)
		return;
	free(p->traces);
	free(p->merge.sources);
	free(p);
}

static struct processing *processing_create(ULONG count)
{
	struct processing *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->traces = calloc(count, sizeof(struct trace *));
	p->merge.sources = calloc(count, sizeof(struct trace_source *));
	if (p->traces && p->merge.sources)
		return p;
	processing_free(p);
	return NULL;
}

static void abandon(void *processing)
{
	struct processing *p = processing;

	trace_merge_end(&p->merge);
	give_back(p);
	processing_free(p);
}

static ULONG take_and_process(struct processing *p, const TRACEHANDLE *handles,
			      ULONG count)
{
	ULONG code = take_traces(p, handles, count);

	if (code)
		return code;
	/* Cancellation may occur in callbacks and while waiting */
	pthread_cleanup_push(abandon, p);
	code = process(p);
	pthread_cleanup_pop(0);
	give_back(p);
	return code;
}

/* Convert an optional FILETIME to signed, limited to the maximum */
static s64 time_or(const FILETIME *t, s64 otherwise)
{
	u64 time;

	if (!t)
		return otherwise;
	time = (u64)t->dwHighDateTime << 32 | t->dwLowDateTime;
	return time < INT64_MAX ? (s64)time : INT64_MAX;
}

/* Process any number of traces, for tools */
ULONG trace_process(const TRACEHANDLE *handles, ULONG count,
		    const FILETIME *start, const FILETIME *end)
{
	struct processing *p = processing_create(count);
	ULONG code;

	if (!p)
		return ERROR_NOT_ENOUGH_MEMORY;
	p->start = time_or(start, INT64_MIN);
	p->end = time_or(end, INT64_MAX);
	code = p->end < p->start ? ERROR_INVALID_TIME :
	       take_and_process(p, handles, count);
	processing_free(p);
	return code;
}

/**
 * ProcessTrace() - call back for each event of log files or a session
 * @HandleArray: handles returned by OpenTrace()
 * @HandleCount: number of handles, at most 64
 * @StartTime: NULL, or the time of the first event to report
 * @EndTime: NULL, or the time of the last event to report
 *
 * Events are reported oldest first.  The first event of each file or session is
 * its header.  A session is read until it ends, or any thread calls
 * CloseTrace().
 *
 * Return: ERROR_SUCCESS when everything was read; ERROR_WMI_INSTANCE_NOT_FOUND
 * if a session does not exist or is not in real-time mode; ERROR_BAD_LENGTH for
 * an invalid count; ERROR_INVALID_PARAMETER for NULL, or for a session with
 * other traces; ERROR_INVALID_HANDLE; ERROR_INVALID_TIME if @EndTime is before
 * @StartTime; ERROR_CANCELLED if a BufferCallback returned FALSE; ERROR_BUSY if
 * a trace is already being processed.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-processtrace
 */
EVNT_PUBLIC ULONG WMIAPI ProcessTrace(PTRACEHANDLE HandleArray,
				      ULONG HandleCount, LPFILETIME StartTime,
				      LPFILETIME EndTime)
{
	if (!HandleArray)
		return ERROR_INVALID_PARAMETER;
	if (!HandleCount || HandleCount > MAX_HANDLES)
		return ERROR_BAD_LENGTH;
	return trace_process(HandleArray, HandleCount, StartTime, EndTime);
}

/**
 * ProcessTraceAddBufferToBufferStream() - supply a buffer to a trace
 * @TraceHandle: handle returned by OpenTraceFromBufferStream()
 * @Buffer: the buffer, as a buffer callback of OpenTraceFromFile() or another
 *	trace gets it; a multiple of eight bytes
 * @BufferSize: size of @Buffer in bytes
 *
 * The first buffer contains the header of the log; the others are in the order
 * in which the callback got them.  Buffers that come late are accepted, and
 * their events come late.  The trace reads @Buffer in place until it passes it
 * to the completion callback.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_HANDLE, also for a trace that is closed
 * or is no stream; ERROR_INVALID_PARAMETER if @Buffer is NULL, is not aligned,
 * or does not have the size of its header; ERROR_FILE_CORRUPT if the first one
 * has no header of a log; ERROR_NOT_ENOUGH_MEMORY.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-processtraceaddbuffertobufferstream
 */
EVNT_PUBLIC ULONG WMIAPI
ProcessTraceAddBufferToBufferStream(PROCESSTRACE_HANDLE TraceHandle,
				    const ETW_BUFFER_HEADER *Buffer,
				    ULONG BufferSize)
{
	EVNT_UNCANCELLED;
	struct trace *t;
	ULONG code;

	pthread_mutex_lock(&traces_lock);
	t = trace_lookup(TraceHandle);
	if (!t || t->closing)
		code = ERROR_INVALID_HANDLE;
	else if (!Buffer)
		code = ERROR_INVALID_PARAMETER;
	else
		code = buffer_stream_add(t->source, Buffer, BufferSize);
	pthread_mutex_unlock(&traces_lock);
	return code;
}

/* Return the counts of a trace, which only the caller, its owner, may close */
const struct etl_counts *trace_counts(TRACEHANDLE handle)
{
	struct trace *t;

	pthread_mutex_lock(&traces_lock);
	t = trace_lookup(handle);
	pthread_mutex_unlock(&traces_lock);
	return t ? &t->source->counts : NULL;
}

s64 trace_time(TRACEHANDLE handle, s64 raw)
{
	struct trace *t;

	pthread_mutex_lock(&traces_lock);
	t = trace_lookup(handle);
	pthread_mutex_unlock(&traces_lock);
	return t ? etl_clock_time(&t->source->clock, raw) : ETL_NO_TIME;
}

/**
 * QueryTraceProcessingHandle() - query information on an open trace
 * @ProcessingHandle: handle returned by OpenTrace()
 * @InformationClass: only EtwQueryLogFileHeader is supported: the others
 *	concern partitions of Windows, or losses whose times are not recorded in
 *	files
 * @InBuffer: not used
 * @InBufferSize: not used
 * @OutBuffer: buffer for the result
 * @OutBufferSize: size of @OutBuffer in bytes
 * @ReturnLength: out: bytes written, or required
 *
 * The names in a TRACE_LOGFILE_HEADER are valid until the trace is closed.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if @ReturnLength is NULL, or
 * for an unknown class; ERROR_INVALID_HANDLE; ERROR_NOT_SUPPORTED;
 * ERROR_INSUFFICIENT_BUFFER.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-querytraceprocessinghandle
 */
EVNT_PUBLIC ULONG WMIAPI
QueryTraceProcessingHandle(PROCESSTRACE_HANDLE ProcessingHandle,
			   ETW_PROCESS_HANDLE_INFO_TYPE InformationClass,
			   PVOID InBuffer, ULONG InBufferSize, PVOID OutBuffer,
			   ULONG OutBufferSize, PULONG ReturnLength)
{
	ULONG code = ERROR_SUCCESS;
	struct trace *t;

	(void)InBuffer;
	(void)InBufferSize;
	if (!ReturnLength || InformationClass < EtwQueryPartitionInformation ||
	    InformationClass >= EtwQueryProcessHandleInfoMax)
		return ERROR_INVALID_PARAMETER;
	*ReturnLength = 0;
	pthread_mutex_lock(&traces_lock);
	t = trace_lookup(ProcessingHandle);
	if (!t) {
		code = ERROR_INVALID_HANDLE;
	} else if (InformationClass != EtwQueryLogFileHeader) {
		code = ERROR_NOT_SUPPORTED;
	} else {
		*ReturnLength = sizeof(t->source->header);
		if (OutBuffer && OutBufferSize >= sizeof(t->source->header))
			memcpy(OutBuffer, &t->source->header,
			       sizeof(t->source->header));
		else
			code = ERROR_INSUFFICIENT_BUFFER;
	}
	pthread_mutex_unlock(&traces_lock);
	return code;
}
