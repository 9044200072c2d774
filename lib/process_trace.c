// SPDX-License-Identifier: MIT
/*
 * Reading log files: OpenTrace, ProcessTrace, CloseTrace.
 *
 * The streams of all files are merged by time through a heap; an event is
 * shown in place, and nothing is allocated for one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "etl_file.h"
#include "etl_record.h"
#include "internal.h"

#define MAX_TRACES	1024
#define MAX_HANDLES	64

/**
 * struct trace - what OpenTrace() opened
 * @handle: what the caller has
 * @file: the file
 * @logfile: as the caller gave it, and as callbacks see it; the A and W forms
 *	differ only in the types of its names
 * @processing: ProcessTrace() is at work
 * @closing: CloseTrace() was called meanwhile
 */
struct trace {
	TRACEHANDLE handle;
	struct etl_file file;
	EVENT_TRACE_LOGFILEW logfile;
	bool processing;
	bool closing;
};

/* Guards what follows, and the flags of each trace */
static pthread_mutex_t traces_lock = PTHREAD_MUTEX_INITIALIZER;
static struct trace *traces[MAX_TRACES];
static ULONG64 generation;

static struct trace *trace_lookup(TRACEHANDLE handle)
{
	struct trace *t = traces[handle % MAX_TRACES];

	return t && t->handle == handle ? t : NULL;
}

static void trace_free(struct trace *t)
{
	etl_file_close(&t->file);
	free(t);
}

static TRACEHANDLE trace_insert(struct trace *t)
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

static ULONG check_logfile(const EVENT_TRACE_LOGFILEW *l)
{
	if (!l)
		return ERROR_INVALID_PARAMETER;
	if (!l->LogFileName && !l->LoggerName)
		return ERROR_BAD_PATHNAME;
	if (l->LoggerName || l->ProcessTraceMode & PROCESS_TRACE_MODE_REAL_TIME)
		return l->LogFileName ? ERROR_INVALID_PARAMETER :
					ERROR_NOT_SUPPORTED;
	/* The classic callback is not there so far */
	if (l->EventCallback &&
	    !(l->ProcessTraceMode & PROCESS_TRACE_MODE_EVENT_RECORD))
		return ERROR_NOT_SUPPORTED;
	return ERROR_SUCCESS;
}

static ULONG open_file(struct etl_file *f, const void *name, bool wide)
{
	char *path = wide ? evnt_utf8(name) : strdup(name);
	ULONG code;

	if (!path)
		return evnt_win32_open(errno);
	code = etl_file_open(f, path);
	free(path);
	return code;
}

static ULONG trace_open(EVENT_TRACE_LOGFILEW *l, bool wide, TRACEHANDLE *handle)
{
	struct trace *t = calloc(1, sizeof(*t));
	ULONG code;

	if (!t)
		return ERROR_NOT_ENOUGH_MEMORY;
	code = open_file(&t->file, l->LogFileName, wide);
	if (code) {
		free(t);
		return code;
	}
	l->LogfileHeader = t->file.header;
	l->BufferSize = t->file.header.BufferSize;
	l->BuffersRead = 0;
	l->CurrentTime = 0;
	l->Filled = 0;
	l->EventsLost = 0;
	l->IsKernelTrace = FALSE;
	t->logfile = *l;
	*handle = trace_insert(t);
	if (*handle != INVALID_PROCESSTRACE_HANDLE)
		return ERROR_SUCCESS;
	trace_free(t);
	return ERROR_NO_SYSTEM_RESOURCES;
}

static TRACEHANDLE open_trace(EVENT_TRACE_LOGFILEW *l, bool wide)
{
	TRACEHANDLE handle = INVALID_PROCESSTRACE_HANDLE;
	ULONG code = check_logfile(l);

	if (!code)
		code = trace_open(l, wide, &handle);
	SetLastError(code);
	return handle;
}

/**
 * OpenTraceW() - open a log file
 * @Logfile: which, and what to call; out: its header
 *
 * Return: a handle, or INVALID_PROCESSTRACE_HANDLE; then GetLastError() says
 * ERROR_INVALID_PARAMETER, ERROR_BAD_PATHNAME without a name,
 * ERROR_FILE_NOT_FOUND, ERROR_ACCESS_DENIED, ERROR_FILE_CORRUPT when it is no
 * log file, or ERROR_NOT_SUPPORTED: sessions in real time, callbacks without
 * PROCESS_TRACE_MODE_EVENT_RECORD, and compressed files are not there so far.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-opentracew
 */
EVNT_PUBLIC TRACEHANDLE WMIAPI OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile)
{
	return open_trace(Logfile, true);
}

/* OpenTraceA() - OpenTraceW() with a file name as the system has it */
EVNT_PUBLIC TRACEHANDLE WMIAPI OpenTraceA(PEVENT_TRACE_LOGFILEA Logfile)
{
	_Static_assert(sizeof(EVENT_TRACE_LOGFILEA) ==
		       sizeof(EVENT_TRACE_LOGFILEW), "same layout");
	return open_trace((EVENT_TRACE_LOGFILEW *)Logfile, false);
}

/**
 * CloseTrace() - close what OpenTrace() opened
 * @TraceHandle: its handle
 *
 * Return: ERROR_SUCCESS; ERROR_CTX_CLOSE_PENDING when ProcessTrace() is at work
 * on it, which ends, and closes it; ERROR_INVALID_HANDLE.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-closetrace
 */
EVNT_PUBLIC ULONG WMIAPI CloseTrace(TRACEHANDLE TraceHandle)
{
	ULONG code = ERROR_INVALID_HANDLE;
	struct trace *t, *gone = NULL;

	pthread_mutex_lock(&traces_lock);
	t = trace_lookup(TraceHandle);
	if (t && t->processing && !t->closing) {
		__atomic_store_n(&t->closing, true, __ATOMIC_RELAXED);
		code = ERROR_CTX_CLOSE_PENDING;
	} else if (t && !t->processing) {
		traces[TraceHandle % MAX_TRACES] = NULL;
		gone = t;
		code = ERROR_SUCCESS;
	}
	pthread_mutex_unlock(&traces_lock);
	if (gone)
		trace_free(gone);
	return code;
}

/* A stream in the heap; the smallest time is on top, the file's order decides */
struct source {
	struct trace *trace;
	struct etl_stream *stream;
	u32 order;
};

/**
 * struct merge - the streams of all traces that are processed
 * @traces: they
 * @trace_count: how many
 * @heap: streams that have not ended
 * @count: how many
 * @start: first time that is wanted, as a FILETIME
 * @end: last time
 */
struct merge {
	struct trace *traces[MAX_HANDLES];
	u32 trace_count;
	struct source *heap;
	u32 count;
	s64 start;
	s64 end;
};

static bool comes_first(const struct source *a, const struct source *b)
{
	/* What is in the heap has a stream: NOLINTNEXTLINE(clang-analyzer-*) */
	if (a->stream->time != b->stream->time)
		return a->stream->time < b->stream->time;
	return a->order < b->order;
}

static void sift_down(struct merge *m, u32 i)
{
	struct source moved = m->heap[i];
	u32 child;

	while ((child = 2 * i + 1) < m->count) {
		if (child + 1 < m->count &&
		    comes_first(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!comes_first(&m->heap[child], &moved))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = moved;
}

static void show(struct trace *t, const struct etl_stream *s)
{
	const struct etl_buffer_header *h =
		(const struct etl_buffer_header *)s->data;
	bool raw = t->logfile.ProcessTraceMode &
		   PROCESS_TRACE_MODE_RAW_TIMESTAMP;
	EVENT_RECORD *r;
	struct etl_view view;
	s64 time;

	etl_record_view(s->data + s->at, s->size, &view);
	r = &view.record;
	r->EventHeader.TimeStamp.QuadPart = s->time;
	if (raw && etl_record_check(s->data + s->at, s->size, &time) &&
	    time != ETL_NO_TIME)
		r->EventHeader.TimeStamp.QuadPart = time;
	r->BufferContext.ProcessorIndex = h->cpu;
	r->BufferContext.LoggerId = h->logger_id;
	if (h->flag & ETL_FLAG_PROC_INDEX)
		r->EventHeader.Flags |= EVENT_HEADER_FLAG_PROCESSOR_INDEX;
	r->UserContext = t->logfile.Context;
	t->logfile.CurrentTime = s->time;
	t->logfile.EventRecordCallback(r);
}

static void deliver(const struct merge *m, const struct source *s)
{
	/* Likewise: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	if (s->trace->logfile.EventRecordCallback &&
	    s->stream->time >= m->start && s->stream->time <= m->end)
		show(s->trace, s->stream);
}

/* A buffer has been read: false when the caller wants no more */
static bool buffer_done(struct trace *t, u32 filled)
{
	t->logfile.BuffersRead++;
	t->logfile.Filled = filled;
	return !t->logfile.BufferCallback ||
	       t->logfile.BufferCallback(&t->logfile);
}

static bool is_closing(const struct trace *t)
{
	return __atomic_load_n(&t->closing, __ATOMIC_RELAXED);
}

/* To the next record of the stream on top */
static ULONG advance(struct merge *m)
{
	struct source *top = &m->heap[0];
	u32 filled = top->stream->end;
	bool new_buffer;
	ULONG code;

	code = etl_stream_next(&top->trace->file, top->stream, &new_buffer);
	if (code)
		return code;
	if (new_buffer && !buffer_done(top->trace, filled))
		return ERROR_CANCELLED;
	if (etl_stream_ended(top->stream))
		m->heap[0] = m->heap[--m->count];
	if (m->count)
		sift_down(m, 0);
	return ERROR_SUCCESS;
}

static ULONG merge_run(struct merge *m)
{
	ULONG code = ERROR_SUCCESS;

	while (!code && m->count && !is_closing(m->heap[0].trace)) {
		deliver(m, &m->heap[0]);
		code = advance(m);
	}
	return code;
}

/* The header buffer of each trace goes before all else */
static ULONG deliver_header(struct merge *m, struct trace *t)
{
	struct source s = { t, &t->file.streams[0], 0 };
	bool new_buffer = false;
	ULONG code;

	code = etl_stream_start(&t->file, s.stream);
	while (!code && !etl_stream_ended(s.stream)) {
		u32 filled = s.stream->end;

		deliver(m, &s);
		code = etl_stream_next(&t->file, s.stream, &new_buffer);
		if (!code && new_buffer && !buffer_done(t, filled))
			code = ERROR_CANCELLED;
	}
	return code;
}

static ULONG merge_add(struct merge *m, struct trace *t)
{
	struct etl_stream *s;
	ULONG code;
	u32 i;

	for (i = 1; i < t->file.stream_count; i++) {
		s = &t->file.streams[i];
		code = etl_stream_start(&t->file, s);
		if (code)
			return code;
		if (!etl_stream_ended(s)) {
			m->heap[m->count] = (struct source) { t, s, m->count };
			m->count++;
		}
	}
	return ERROR_SUCCESS;
}

static ULONG merge_start(struct merge *m)
{
	u32 i, streams = 1;
	ULONG code;

	for (i = 0; i < m->trace_count; i++)
		streams += m->traces[i]->file.stream_count;
	m->heap = calloc(streams, sizeof(*m->heap));
	if (!m->heap)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0; i < m->trace_count; i++) {
		code = deliver_header(m, m->traces[i]);
		if (!code)
			code = merge_add(m, m->traces[i]);
		if (code)
			return code;
	}
	for (i = m->count / 2; i--;)
		sift_down(m, i);
	return ERROR_SUCCESS;
}

/* Take the traces for us: all, or none with a code that says why */
static ULONG take_traces(struct merge *m, const TRACEHANDLE *handles,
			 ULONG count)
{
	ULONG code = ERROR_SUCCESS;
	struct trace *t;
	ULONG i;

	pthread_mutex_lock(&traces_lock);
	for (i = 0; i < count && !code; i++) {
		t = trace_lookup(handles[i]);
		if (!t || t->processing) {
			code = t ? ERROR_BUSY : ERROR_INVALID_HANDLE;
			break;
		}
		t->processing = true;
		m->traces[m->trace_count++] = t;
	}
	for (i = 0; code && i < m->trace_count; i++)
		m->traces[i]->processing = false;
	pthread_mutex_unlock(&traces_lock);
	return code;
}

static void give_back(struct merge *m)
{
	struct trace *t;
	u32 i;

	pthread_mutex_lock(&traces_lock);
	for (i = 0; i < m->trace_count; i++) {
		t = m->traces[i];
		t->processing = false;
		if (t->closing) {
			traces[t->handle % MAX_TRACES] = NULL;
			trace_free(t);
		}
	}
	pthread_mutex_unlock(&traces_lock);
}

static s64 time_or(const FILETIME *t, s64 otherwise)
{
	return t ? (s64)((u64)t->dwHighDateTime << 32 | t->dwLowDateTime) :
		   otherwise;
}

/**
 * ProcessTrace() - call back for each event of some log files, oldest first
 * @HandleArray: what OpenTrace() opened
 * @HandleCount: how many, at most 64
 * @StartTime: NULL, or of the first event that is wanted
 * @EndTime: NULL, or of the last
 *
 * The first event of each file is its header.
 *
 * Return: ERROR_SUCCESS when all is read; ERROR_BAD_LENGTH for a wrong count;
 * ERROR_INVALID_PARAMETER for NULL; ERROR_INVALID_HANDLE; ERROR_INVALID_TIME
 * when @EndTime is before @StartTime; ERROR_CANCELLED when a BufferCallback
 * returned FALSE; ERROR_BUSY when a trace is being processed.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-processtrace
 */
EVNT_PUBLIC ULONG WMIAPI ProcessTrace(PTRACEHANDLE HandleArray,
				      ULONG HandleCount, LPFILETIME StartTime,
				      LPFILETIME EndTime)
{
	struct merge m = {
		.start = time_or(StartTime, INT64_MIN),
		.end = time_or(EndTime, INT64_MAX),
	};
	ULONG code;

	if (!HandleArray)
		return ERROR_INVALID_PARAMETER;
	if (!HandleCount || HandleCount > MAX_HANDLES)
		return ERROR_BAD_LENGTH;
	if (m.end < m.start)
		return ERROR_INVALID_TIME;
	code = take_traces(&m, HandleArray, HandleCount);
	if (code)
		return code;
	code = merge_start(&m);
	if (!code)
		code = merge_run(&m);
	free(m.heap);
	give_back(&m);
	return code;
}
