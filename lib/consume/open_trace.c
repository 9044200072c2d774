// SPDX-License-Identifier: MIT
/*
 * OpenTrace() and its variants, which open the sources of ProcessTrace().
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cancel.h"
#include "lib/consume/trace_source.h"
#include "lib/base/internal.h"
#include "lib/base/properties.h"
#include "lib/consume/trace.h"

static ULONG open_file(struct trace_source **src, const void *name, bool wide)
{
	char *path = wide ? evnt_utf8(name) : strdup(name);
	ULONG code;

	if (!path)
		return evnt_win32_open(errno);
	code = *path ? etl_file_open(src, path) : ERROR_BAD_PATHNAME;
	free(path);
	return code;
}

static ULONG open_session(struct trace_source **src, const void *name,
			  bool wide)
{
	WCHAR *session;
	ULONG code = evnt_name_get(&session, name, wide);

	if (code)
		return code;
	code = *session ? live_open(src, session) : ERROR_BAD_PATHNAME;
	free(session);
	return code;
}

/* Copy a name, which the caller may free before ProcessTrace() calls back */
static ULONG copy_name(WCHAR **to, const void *name, bool wide)
{
	size_t size = wide ? (evnt_wcslen(name) + 1) * sizeof(WCHAR) :
			     strlen(name) + 1;

	*to = malloc(size);
	if (!*to)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(*to, name, size);
	return ERROR_SUCCESS;
}

static bool is_kernel_logger(const WCHAR *name)
{
	static const char kernel[] = KERNEL_LOGGER_NAMEA;
	size_t i;

	if (!name)
		return false;
	for (i = 0; i < sizeof(kernel); i++) {
		if (evnt_lower(name[i]) != evnt_lower(kernel[i]))
			return false;
	}
	return true;
}

/* Report the header of the log to the caller of OpenTrace() */
static void show_header(EVENT_TRACE_LOGFILEW *l, const TRACE_LOGFILE_HEADER *h)
{
	/* An open trace has a source: NOLINTNEXTLINE(clang-analyzer-*) */
	l->LogfileHeader = *h;
	l->BufferSize = h->BufferSize;
	l->BuffersRead = 0;
	l->CurrentTime = 0;
	l->Filled = 0;
	l->EventsLost = 0;
	l->IsKernelTrace = is_kernel_logger(h->LoggerName);
	memset(&l->CurrentEvent, 0, sizeof(l->CurrentEvent));
}

/* Open the source that @l names, unless the trace has one */
static ULONG trace_open(struct trace *t, EVENT_TRACE_LOGFILEW *l, bool wide,
			TRACEHANDLE *handle)
{
	ULONG code = ERROR_SUCCESS;

	if (l->LoggerName)
		code = open_session(&t->source, l->LoggerName, wide);
	else if (l->LogFileName)
		code = open_file(&t->source, l->LogFileName, wide);
	if (code)
		return code;
	show_header(l, &t->source->header);
	t->logfile = *l;
	t->logfile.LogFileName = NULL;
	t->logfile.LoggerName = NULL;
	if (l->LoggerName)
		code = copy_name(&t->logfile.LoggerName, l->LoggerName, wide);
	else if (l->LogFileName)
		code = copy_name(&t->logfile.LogFileName, l->LogFileName, wide);
	if (code)
		return code;
	*handle = trace_insert(t);
	return *handle == INVALID_PROCESSTRACE_HANDLE ?
	       ERROR_NO_SYSTEM_RESOURCES : ERROR_SUCCESS;
}

/* Make a trace of @source, or, if that is NULL, of what @l names */
static ULONG trace_make(EVENT_TRACE_LOGFILEW *l, bool wide,
			const ETW_OPEN_TRACE_OPTIONS *options,
			struct trace_source *source, TRACEHANDLE *handle)
{
	EVNT_UNCANCELLED;
	struct trace *t = calloc(1, sizeof(*t));
	ULONG code;

	if (!t) {
		if (source)
			source->ops->close(source);
		return ERROR_NOT_ENOUGH_MEMORY;
	}
	t->source = source;
	if (options) {
		t->buffer_call = options->BufferCallback;
		t->buffer_context = options->BufferCallbackContext;
	}
	code = trace_open(t, l, wide, handle);
	if (code)
		trace_free(t);
	return code;
}

static TRACEHANDLE open_trace(EVENT_TRACE_LOGFILEW *l, bool wide)
{
	TRACEHANDLE handle = INVALID_PROCESSTRACE_HANDLE;
	ULONG code = ERROR_INVALID_PARAMETER;

	if (!l)
		goto set_error;
	if (!l->LogFileName && !l->LoggerName) {
		code = ERROR_BAD_PATHNAME;
		goto set_error;
	}
	/* Require exactly one name, and real-time mode only for a session */
	if (!l->LoggerName == !l->LogFileName ||
	    !l->LoggerName == !!(l->ProcessTraceMode &
				 PROCESS_TRACE_MODE_REAL_TIME))
		goto set_error;
	code = trace_make(l, wide, NULL, NULL, &handle);
set_error:
	SetLastError(code);
	return handle;
}

/**
 * OpenTraceW() - open a log file, or a session in real time
 * @Logfile: log file or session, and callbacks; out: header of the log
 *
 * A session requires PROCESS_TRACE_MODE_REAL_TIME.  The consumer is connected
 * here: it receives the buffers that the session has kept and all that are
 * completed from now on.  If no session has the name, ProcessTrace() looks it
 * up again.
 *
 * Return: a handle, or INVALID_PROCESSTRACE_HANDLE with the error in
 * GetLastError(): ERROR_INVALID_PARAMETER, also if both names are set or the
 * mode does not match the name; ERROR_BAD_PATHNAME if no name is set;
 * ERROR_FILE_NOT_FOUND; ERROR_ACCESS_DENIED; ERROR_FILE_CORRUPT if the file is
 * not an ETL file; ERROR_NO_SYSTEM_RESOURCES if the session has too many
 * consumers; ERROR_NOT_SUPPORTED for a session if the module is not loaded.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-opentracew
 */
EVNT_PUBLIC TRACEHANDLE WMIAPI OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile)
{
	return open_trace(Logfile, true);
}

/* OpenTraceA() - variant of OpenTraceW() with a file name of the file system */
EVNT_PUBLIC TRACEHANDLE WMIAPI OpenTraceA(PEVENT_TRACE_LOGFILEA Logfile)
{
	_Static_assert(sizeof(EVENT_TRACE_LOGFILEA) ==
		       sizeof(EVENT_TRACE_LOGFILEW), "same layout");
	return open_trace((EVENT_TRACE_LOGFILEW *)Logfile, false);
}

/* Set modes and callbacks as @options request; false for an unknown mode */
static bool set_options(EVENT_TRACE_LOGFILEW *l,
			const ETW_OPEN_TRACE_OPTIONS *options)
{
	if (options->ProcessTraceModes & ~ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP)
		return false;
	l->ProcessTraceMode |= PROCESS_TRACE_MODE_EVENT_RECORD;
	if (options->ProcessTraceModes & ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP)
		l->ProcessTraceMode |= PROCESS_TRACE_MODE_RAW_TIMESTAMP;
	l->EventRecordCallback = options->EventCallback;
	l->Context = options->EventCallbackContext;
	return true;
}

/* Open the file or session in @l, with @options, and get its header */
static PROCESSTRACE_HANDLE open_named(EVENT_TRACE_LOGFILEW *l,
				      const ETW_OPEN_TRACE_OPTIONS *options,
				      TRACE_LOGFILE_HEADER *header)
{
	PROCESSTRACE_HANDLE handle = INVALID_PROCESSTRACE_HANDLE;
	ULONG code = ERROR_INVALID_PARAMETER;

	if ((l->LogFileName || l->LoggerName) && options &&
	    set_options(l, options))
		code = trace_make(l, true, options, NULL, &handle);
	if (!code && header)
		*header = l->LogfileHeader;
	SetLastError(code);
	return handle;
}

/**
 * OpenTraceFromFile() - open a log file
 * @LogFileName: name of the file
 * @Options: ETW_PROCESS_TRACE_MODE_* flags and callbacks: an
 *	EventRecordCallback or NULL, and a callback for raw buffers or NULL
 * @LogFileHeader: NULL, or out: the file's header, whose names are valid until
 *	the trace is closed
 *
 * Return: as OpenTraceW(); also ERROR_INVALID_PARAMETER if the name or the
 * options are missing, or for an unknown mode.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-opentracefromfile
 */
EVNT_PUBLIC PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromFile(PCWSTR LogFileName, const ETW_OPEN_TRACE_OPTIONS *Options,
		  TRACE_LOGFILE_HEADER *LogFileHeader)
{
	EVENT_TRACE_LOGFILEW l = { .LogFileName = (WCHAR *)LogFileName };

	return open_named(&l, Options, LogFileHeader);
}

/**
 * OpenTraceFromRealTimeLogger() - open a session in real time
 * @LoggerName: name of the session
 * @Options: as for OpenTraceFromFile()
 * @LogFileHeader: NULL, or out: the session's header, whose names are valid
 *	until the trace is closed
 *
 * Return: as OpenTraceFromFile(), with the errors of OpenTraceW() for sessions.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-opentracefromrealtimelogger
 */
EVNT_PUBLIC PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromRealTimeLogger(PCWSTR LoggerName,
			    const ETW_OPEN_TRACE_OPTIONS *Options,
			    TRACE_LOGFILE_HEADER *LogFileHeader)
{
	EVENT_TRACE_LOGFILEW l = {
		.LoggerName = (WCHAR *)LoggerName,
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME,
	};

	return open_named(&l, Options, LogFileHeader);
}

/**
 * OpenTraceFromBufferStream() - open a trace whose buffers the caller supplies
 * @Options: as for OpenTraceFromFile()
 * @BufferCompletionCallback: callback for each buffer that is no longer needed,
 *	or NULL
 * @BufferCompletionContext: context of the callback
 *
 * ProcessTrace() reads the buffers that ProcessTraceAddBufferToBufferStream()
 * adds, before or while it runs.  After CloseTrace(), it ends with the last
 * buffer that was added before.
 *
 * Return: a handle, or INVALID_PROCESSTRACE_HANDLE with the error in
 * GetLastError(): ERROR_INVALID_PARAMETER if @Options is NULL or has an unknown
 * mode; ERROR_NO_SYSTEM_RESOURCES; ERROR_NOT_ENOUGH_MEMORY.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-opentracefrombufferstream
 */
EVNT_PUBLIC PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromBufferStream(const ETW_OPEN_TRACE_OPTIONS *Options,
			  PETW_BUFFER_COMPLETION_CALLBACK
					BufferCompletionCallback,
			  PVOID BufferCompletionContext)
{
	PROCESSTRACE_HANDLE handle = INVALID_PROCESSTRACE_HANDLE;
	EVENT_TRACE_LOGFILEW l = {};
	ULONG code = ERROR_INVALID_PARAMETER;
	struct trace_source *source;

	if (!Options || !set_options(&l, Options))
		goto set_error;
	source = buffer_stream_open(BufferCompletionCallback,
				    BufferCompletionContext);
	code = source ? trace_make(&l, true, Options, source, &handle) :
			evnt_win32(errno);
set_error:
	SetLastError(code);
	return handle;
}
