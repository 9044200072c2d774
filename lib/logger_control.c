// SPDX-License-Identifier: MIT
/*
 * Controlling private loggers of the whole system: StartTrace and ControlTrace with
 * filters.  The module has them; what processes do about them is in logger.c.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "filters.h"
#include "logger_control.h"
#include "trace_door.h"

/* Other processes are in other directories; to be freed */
static WCHAR *absolute(const WCHAR *name)
{
	char *dir, *path, *narrow = NULL;
	WCHAR *full = NULL;

	dir = *name == '/' ? strdup("") : getcwd(NULL, 0);
	if (dir)
		narrow = evnt_utf8(name);
	if (narrow && asprintf(&path, "%s%s%s", dir, *dir ? "/" : "",
			       narrow) >= 0) {
		full = evnt_utf16(path);
		free(path);
	}
	free(narrow);
	free(dir);
	return full;
}

/*
 * The module waits for processes, and a program's signals do not cut that short:
 * there are none where this API comes from.
 */
static void block_signals(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
}

static void restore_signals(const sigset_t *old)
{
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

static ULONG start_logger_with(int door, const WCHAR *name, const WCHAR *log,
			       const struct evnt_filters *filters,
			       EVENT_TRACE_PROPERTIES *p, TRACEHANDLE *handle)
{
	struct evntrace_start arg = evnt_start_arg(name, p);
	ULONG code;

	arg.log_name = (uintptr_t)log;
	arg.log_name_len = evnt_wcslen(log);
	arg.filters = (uintptr_t)filters->filter;
	arg.filter_count = filters->count;
	code = evnt_trace_call(door, EVNTRACE_IOC_START, &arg);
	if (code)
		return code;
	*handle = arg.handle;
	return evnt_fill_started(door, *handle, filters, p);
}

/**
 * evnt_logger_start() - StartTrace(), with filters
 * @handle: out: the logger
 * @names: its name and that of its log files
 * @v2: where its filters are
 * @p: what it is to be; out: what it is
 *
 * The module has it, and tells the processes.
 *
 * Return: what StartTrace() says.
 */
ULONG evnt_logger_start(TRACEHANDLE *handle,
			const struct evnt_session_names *names,
			const EVENT_TRACE_PROPERTIES_V2 *v2,
			EVENT_TRACE_PROPERTIES *p)
{
	struct evnt_filters filters = {};
	WCHAR *log = NULL;
	ULONG code = evnt_check_private(p, names->log);
	int door;

	if (code)
		return code;
	code = evnt_filters_from(&filters, v2->FilterDesc,
				 v2->FilterDescCount);
	if (!code)
		log = absolute(names->log);
	if (!code && !log)
		code = ERROR_NOT_ENOUGH_MEMORY;
	if (!code)
		code = evnt_trace_door_open(&door);
	if (!code) {
		code = start_logger_with(door, names->session, log, &filters,
					 p, handle);
		close(door);
	}
	free(log);
	evnt_filters_free(&filters);
	return code;
}

/* Of a private logger, the log files and the flush timer can be changed */
static ULONG update_logger(int door, TRACEHANDLE handle,
			   const struct evnt_filters *filters,
			   const EVENT_TRACE_PROPERTIES *p, const WCHAR *log)
{
	struct evntrace_update arg = {
		.size = sizeof(arg),
		.flags = log ? EVNTRACE_UPDATE_LOG : 0,
		.handle = handle,
		.flush_ms = evnt_flush_ms(p->FlushTimer),
		.log_name = (uintptr_t)log,
		.log_name_len = log ? evnt_wcslen(log) : 0,
		.log_fd = -1,
	};
	struct evnt_session_told s;
	ULONG code = evnt_session_call(door, handle, filters,
				       EVNTRACE_IOC_QUERY, &s);

	if (code)
		return code;
	if (p->LogFileMode & EVENT_TRACE_REAL_TIME_MODE)
		return ERROR_INVALID_PARAMETER;
	if (p->EnableFlags || (p->MaximumBuffers &&
			       p->MaximumBuffers != s.info.max_buffers))
		return ERROR_NOT_SUPPORTED;
	if (log && evnt_same_text(log, s.log))
		return ERROR_INVALID_PARAMETER;
	return evnt_trace_call(door, EVNTRACE_IOC_UPDATE, &arg);
}

static ULONG update_logger_to(int door, TRACEHANDLE handle,
			      const struct evnt_filters *filters,
			      const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	WCHAR *log = NULL, *full = NULL;
	ULONG code = evnt_log_name_get(&log, p, wide);

	if (!code && log) {
		full = absolute(log);
		code = full ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
	}
	if (!code)
		code = update_logger(door, handle, filters, p, full);
	free(full);
	free(log);
	return code;
}

/* @name wins over @handle */
static ULONG find_logger(int door, const struct evnt_filters *filters,
			 const WCHAR *name, TRACEHANDLE *handle)
{
	struct evntrace_find f = {
		.size = sizeof(f),
		.name = (uintptr_t)name,
		.name_len = name ? evnt_wcslen(name) : 0,
		.filters = (uintptr_t)filters->filter,
		.filter_count = filters->count,
	};
	ULONG code;

	if (!name)
		return *handle & EVNTRACE_LOGGER_HANDLE ? ERROR_SUCCESS :
			ERROR_WMI_INSTANCE_NOT_FOUND;
	code = evnt_trace_call(door, EVNTRACE_IOC_FIND, &f);
	*handle = f.handle;
	return code;
}

static ULONG control_logger_with(int door, TRACEHANDLE handle,
				 const WCHAR *name,
				 const struct evnt_filters *filters,
				 ULONG control_code, EVENT_TRACE_PROPERTIES *p,
				 bool wide)
{
	ULONG code = find_logger(door, filters, name, &handle);

	/* Others are of modes that private sessions have not */
	if (!code && control_code > EVENT_TRACE_CONTROL_FLUSH)
		code = ERROR_INVALID_PARAMETER;
	if (!code && control_code == EVENT_TRACE_CONTROL_UPDATE)
		code = update_logger_to(door, handle, filters, p, wide);
	if (code)
		return code;
	return evnt_control_handle(door, handle, filters,
				   evnt_control_commands[control_code], p,
				   wide);
}

/**
 * evnt_logger_control() - ControlTrace(), with filters
 * @handle: the logger, if @name is NULL
 * @name: its name, or NULL
 * @v2: where its filters are
 * @control_code: EVENT_TRACE_CONTROL_*
 * @p: the properties; out: what it is and has done
 * @wide: names are in UTF-16
 *
 * Return: what ControlTrace() says.
 */
ULONG evnt_logger_control(TRACEHANDLE handle, const WCHAR *name,
			  const EVENT_TRACE_PROPERTIES_V2 *v2,
			  ULONG control_code, EVENT_TRACE_PROPERTIES *p,
			  bool wide)
{
	struct evnt_filters filters = {};
	sigset_t signals;
	ULONG code;
	int door;

	code = evnt_filters_from(&filters, v2->FilterDesc,
				 v2->FilterDescCount);
	if (!code)
		code = evnt_trace_door_open(&door);
	if (!code) {
		block_signals(&signals);
		code = control_logger_with(door, handle, name, &filters,
					   control_code, p, wide);
		restore_signals(&signals);
		close(door);
	}
	evnt_filters_free(&filters);
	return code;
}
