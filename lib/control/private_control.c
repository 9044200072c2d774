// SPDX-License-Identifier: MIT
/*
 * Control of system-wide private sessions: StartTrace and ControlTrace with
 * filters.  The module manages them; private_sync.c is the side of participants.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/control/trace_control.h"

/* Return an absolute path, as processes differ in directories; caller frees */
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

/**
 * evnt_private_request_start() - start a system-wide private session
 * @handle: out: handle of the session
 * @names: names of the session and of its log files
 * @v2: properties with the filters
 * @p: requested properties; out: actual properties
 *
 * The module manages the session, and notifies the processes.
 *
 * Return: see StartTrace().
 */
ULONG evnt_private_request_start(TRACEHANDLE *handle,
				 const struct evnt_session_names *names,
				 const EVENT_TRACE_PROPERTIES_V2 *v2,
				 EVENT_TRACE_PROPERTIES *p)
{
	struct evnt_filter_list filters = {};
	struct evntrace_start arg;
	WCHAR *log = NULL;
	ULONG code = evnt_check_private(p, names->log);
	int device, session;

	if (code)
		return code;
	code = evnt_filters_from(&filters, v2->FilterDesc,
				 v2->FilterDescCount);
	if (!code)
		log = absolute(names->log);
	if (!code && !log)
		code = ERROR_NOT_ENOUGH_MEMORY;
	if (!code)
		code = evnt_control_device_open(&device);
	if (code)
		goto free_log;
	arg = evnt_start_arg(names->session, p);
	arg.log_name = (uintptr_t)log;
	arg.log_name_len = evnt_wcslen(log);
	arg.filters = (uintptr_t)filters.filter;
	arg.filter_count = filters.count;
	code = evnt_trace_open(device, EVNTRACE_IOC_START, &arg, &session);
	close(device);
	if (!code) {
		*handle = arg.handle;
		code = evnt_fill_started(session, *handle, p);
		close(session);
	}
free_log:
	free(log);
	evnt_filters_free(&filters);
	return code;
}

/* Update the log files and the flush timer; nothing else can be changed */
static ULONG update_logger(int session, const EVENT_TRACE_PROPERTIES *p,
			   const WCHAR *log)
{
	struct evntrace_update arg = {
		.size = sizeof(arg),
		.flags = log ? EVNTRACE_UPDATE_LOG : 0,
		.flush_ms = evnt_flush_ms(p->FlushTimer),
		.log_name = (uintptr_t)log,
		.log_name_len = log ? evnt_wcslen(log) : 0,
		.log_fd = -1,
	};
	struct evnt_session_bump_generation s;
	ULONG code = evnt_session_call(session, 0, &s);

	if (code)
		return code;
	if (p->LogFileMode & EVENT_TRACE_REAL_TIME_MODE)
		return ERROR_INVALID_PARAMETER;
	if (p->EnableFlags || (p->MaximumBuffers &&
			       p->MaximumBuffers != s.info.max_buffers))
		return ERROR_NOT_SUPPORTED;
	if (log && evnt_same_text(log, s.log))
		return ERROR_INVALID_PARAMETER;
	return evnt_trace_call(session, EVNTRACE_IOC_UPDATE, &arg);
}

static ULONG update_logger_to(int session, const EVENT_TRACE_PROPERTIES *p,
			      bool wide)
{
	WCHAR *log = NULL, *full = NULL;
	ULONG code = evnt_log_name_get(&log, p, wide);

	if (!code && log) {
		full = absolute(log);
		code = full ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
	}
	if (!code)
		code = update_logger(session, p, full);
	free(full);
	free(log);
	return code;
}

static ULONG control_logger(int session, ULONG control_code,
			    EVENT_TRACE_PROPERTIES *p, bool wide)
{
	ULONG code = ERROR_SUCCESS;

	/* Other codes are for modes that private sessions do not support */
	if (control_code > EVENT_TRACE_CONTROL_FLUSH)
		code = ERROR_INVALID_PARAMETER;
	else if (control_code == EVENT_TRACE_CONTROL_UPDATE)
		code = update_logger_to(session, p, wide);
	if (code)
		return code;
	return evnt_session_control(session,
				    evnt_control_operations[control_code], p,
				    wide);
}

/**
 * evnt_private_request_control() - control a system-wide private session
 * @handle: handle of the session, if @name is NULL
 * @name: name of the session, or NULL
 * @v2: properties with the filters
 * @control_code: EVENT_TRACE_CONTROL_*
 * @p: properties of an update; out: properties and counts of the session
 * @wide: whether names are in UTF-16
 *
 * Return: see ControlTrace().
 */
ULONG evnt_private_request_control(TRACEHANDLE handle, const WCHAR *name,
				   const EVENT_TRACE_PROPERTIES_V2 *v2,
				   ULONG control_code,
				   EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evnt_filter_list filters = {};
	int device, session;
	sigset_t all, old;
	ULONG code;

	code = evnt_filters_from(&filters, v2->FilterDesc,
				 v2->FilterDescCount);
	if (!code && !name && !(handle & EVNTRACE_PRIVATE_HANDLE))
		code = ERROR_WMI_INSTANCE_NOT_FOUND;
	if (!code)
		code = evnt_control_device_open(&device);
	if (code)
		goto free_filters;
	/* The name takes precedence over the handle */
	code = evnt_session_open(device, handle, name, &filters, &session);
	close(device);
	if (code)
		goto free_filters;
	/*
	 * Block signals while the module waits for processes.  They do not cut
	 * the wait short, as there are none on Windows.
	 */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	code = control_logger(session, control_code, p, wide);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	close(session);
free_filters:
	evnt_filters_free(&filters);
	return code;
}
