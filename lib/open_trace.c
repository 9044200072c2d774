// SPDX-License-Identifier: MIT
/*
 * Opening what ProcessTrace() reads: OpenTrace, OpenTraceFromFile.
 */
#include <errno.h>
#include <stdlib.h>

#include "cancel.h"
#include "etl_file.h"
#include "internal.h"
#include "live.h"
#include "properties.h"
#include "trace.h"

static ULONG check_logfile(const EVENT_TRACE_LOGFILEW *l)
{
	if (!l)
		return ERROR_INVALID_PARAMETER;
	if (!l->LogFileName && !l->LoggerName)
		return ERROR_BAD_PATHNAME;
	/* One of them, and the mode that goes with it */
	if (!l->LoggerName == !l->LogFileName ||
	    !l->LoggerName == !!(l->ProcessTraceMode &
				 PROCESS_TRACE_MODE_REAL_TIME))
		return ERROR_INVALID_PARAMETER;
	return ERROR_SUCCESS;
}

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

/* The caller's own copy may be gone when callbacks are called */
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

static ULONG copy_names(struct trace *t, const EVENT_TRACE_LOGFILEW *l,
			bool wide)
{
	t->logfile.LogFileName = NULL;
	t->logfile.LoggerName = NULL;
	if (l->LoggerName)
		return copy_name(&t->logfile.LoggerName, l->LoggerName, wide);
	return copy_name(&t->logfile.LogFileName, l->LogFileName, wide);
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

/* What OpenTrace() tells of the log */
static void show_header(EVENT_TRACE_LOGFILEW *l, const TRACE_LOGFILE_HEADER *h)
{
	/* What is open has a source: NOLINTNEXTLINE(clang-analyzer-*) */
	l->LogfileHeader = *h;
	l->BufferSize = h->BufferSize;
	l->BuffersRead = 0;
	l->CurrentTime = 0;
	l->Filled = 0;
	l->EventsLost = 0;
	l->IsKernelTrace = is_kernel_logger(h->LoggerName);
	memset(&l->CurrentEvent, 0, sizeof(l->CurrentEvent));
}

static ULONG trace_open(struct trace *t, EVENT_TRACE_LOGFILEW *l, bool wide,
			TRACEHANDLE *handle)
{
	ULONG code;

	if (l->LoggerName)
		code = open_session(&t->source, l->LoggerName, wide);
	else
		code = open_file(&t->source, l->LogFileName, wide);
	if (code)
		return code;
	show_header(l, &t->source->header);
	t->logfile = *l;
	code = copy_names(t, l, wide);
	if (code)
		return code;
	*handle = trace_insert(t);
	return *handle == INVALID_PROCESSTRACE_HANDLE ?
	       ERROR_NO_SYSTEM_RESOURCES : ERROR_SUCCESS;
}

static ULONG trace_make(EVENT_TRACE_LOGFILEW *l, bool wide,
			const ETW_OPEN_TRACE_OPTIONS *options,
			TRACEHANDLE *handle)
{
	EVNT_UNCANCELLED;
	struct trace *t = calloc(1, sizeof(*t));
	ULONG code;

	if (!t)
		return ERROR_NOT_ENOUGH_MEMORY;
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
	ULONG code = check_logfile(l);

	if (!code)
		code = trace_make(l, wide, NULL, &handle);
	SetLastError(code);
	return handle;
}

/**
 * OpenTraceW() - open a log file, or a session in real time
 * @Logfile: which, and what to call; out: its header
 *
 * A session takes PROCESS_TRACE_MODE_REAL_TIME.  It gets ready to be read here:
 * what is finished from here on comes, with what it has kept so far.  When there
 * is none of that name, ProcessTrace() looks again.
 *
 * Return: a handle, or INVALID_PROCESSTRACE_HANDLE; then GetLastError() says
 * ERROR_INVALID_PARAMETER, also for both names, or a mode that does not go with
 * the name; ERROR_BAD_PATHNAME without a name; ERROR_FILE_NOT_FOUND;
 * ERROR_ACCESS_DENIED; ERROR_FILE_CORRUPT when it is no log file;
 * ERROR_NO_SYSTEM_RESOURCES when a session has too many consumers;
 * ERROR_NOT_SUPPORTED for a session when the module is not loaded.
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

static ULONG check_options(const WCHAR *name,
			   const ETW_OPEN_TRACE_OPTIONS *options)
{
	if (!name || !options ||
	    options->ProcessTraceModes & ~ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP)
		return ERROR_INVALID_PARAMETER;
	return ERROR_SUCCESS;
}

/* What EVENT_TRACE_LOGFILE says of the same */
static EVENT_TRACE_LOGFILEW to_logfile(const WCHAR *name,
				       const ETW_OPEN_TRACE_OPTIONS *options)
{
	EVENT_TRACE_LOGFILEW l = {
		.LogFileName = (WCHAR *)name,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = options->EventCallback,
		.Context = options->EventCallbackContext,
	};

	if (options->ProcessTraceModes & ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP)
		l.ProcessTraceMode |= PROCESS_TRACE_MODE_RAW_TIMESTAMP;
	return l;
}

/**
 * OpenTraceFromFile() - open a log file
 * @LogFileName: its name
 * @Options: modes of ETW_PROCESS_TRACE_MODES, and what to call: an
 *	EventRecordCallback or NULL, and a function that sees raw buffers or NULL
 * @LogFileHeader: NULL, or out: the file's header, whose names are valid until it
 *	is closed
 *
 * Return: as OpenTraceW(); ERROR_INVALID_PARAMETER without a name or options, or
 * for a mode that is not known.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-opentracefromfile
 */
EVNT_PUBLIC PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromFile(PCWSTR LogFileName, const ETW_OPEN_TRACE_OPTIONS *Options,
		  TRACE_LOGFILE_HEADER *LogFileHeader)
{
	PROCESSTRACE_HANDLE handle = INVALID_PROCESSTRACE_HANDLE;
	ULONG code = check_options(LogFileName, Options);
	EVENT_TRACE_LOGFILEW l = {};

	if (!code) {
		l = to_logfile(LogFileName, Options);
		code = trace_make(&l, true, Options, &handle);
	}
	if (!code && LogFileHeader)
		*LogFileHeader = l.LogfileHeader;
	SetLastError(code);
	return handle;
}
