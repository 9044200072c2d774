/* SPDX-License-Identifier: MIT */
/*
 * Controlling sessions: what evntrace.c and logger_control.c have in common.
 */
#ifndef EVNT_LOGGER_CONTROL_H
#define EVNT_LOGGER_CONTROL_H

#include "properties.h"

struct evnt_filters;

/* A session, with its names */
struct evnt_session_told {
	struct evntrace_session info;
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	WCHAR log[EVNTRACE_MAX_NAME + 1];
};

/* What each control code ends with, which says how the session is then */
extern const unsigned long evnt_control_commands[] EVNT_HIDDEN;

/* evntrace.c: what properties mean to the module */
struct evntrace_start evnt_start_arg(const WCHAR *name,
				     const EVENT_TRACE_PROPERTIES *p);
ULONG evnt_flush_ms(ULONG seconds);
ULONG evnt_check_private(const EVENT_TRACE_PROPERTIES *p, const WCHAR *log);
ULONG evnt_fill_started(int door, TRACEHANDLE handle,
			const struct evnt_filters *filters,
			EVENT_TRACE_PROPERTIES *p);
ULONG evnt_session_call(int door, TRACEHANDLE handle,
			const struct evnt_filters *filters, unsigned long cmd,
			struct evnt_session_told *s);
ULONG evnt_control_handle(int door, TRACEHANDLE handle,
			  const struct evnt_filters *filters,
			  unsigned long cmd, EVENT_TRACE_PROPERTIES *p,
			  bool wide);

/* logger_control.c */
ULONG evnt_logger_start(TRACEHANDLE *handle,
			const struct evnt_session_names *names,
			const EVENT_TRACE_PROPERTIES_V2 *v2,
			EVENT_TRACE_PROPERTIES *p);
ULONG evnt_logger_control(TRACEHANDLE handle, const WCHAR *name,
			  const EVENT_TRACE_PROPERTIES_V2 *v2,
			  ULONG control_code, EVENT_TRACE_PROPERTIES *p,
			  bool wide);

#endif /* EVNT_LOGGER_CONTROL_H */
