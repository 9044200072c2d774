/* SPDX-License-Identifier: MIT */
/*
 * Control of sessions: the device, filters, and functions shared by evntrace.c
 * and private_control.c.
 */
#ifndef EVNT_TRACE_CONTROL_H
#define EVNT_TRACE_CONTROL_H

#include <linux/evntrace.h>

#include "evntrace.h"
#include "lib/base/internal.h"
#include "lib/base/properties.h"

/* control_device.c: access to /dev/evntrace, which controls sessions */
ULONG evnt_control_device_open(int *fd);
ULONG evnt_trace_call(int fd, unsigned long cmd, void *arg);
ULONG evnt_trace_open(int device, unsigned long cmd, void *arg, int *fd);

/**
 * struct evnt_filter_list - filters for EVNTRACE_IOC_ENABLE
 * @count: number of filters
 * @filter: the filters
 * @text: converted text that each filter points to, or NULL
 */
struct evnt_filter_list {
	ULONG count;
	struct evntrace_filter filter[MAX_EVENT_FILTERS_COUNT];
	char *text[MAX_EVENT_FILTERS_COUNT];
};

ULONG evnt_filters_from(struct evnt_filter_list *f,
			const EVENT_FILTER_DESCRIPTOR *from, ULONG count);
void evnt_filters_free(struct evnt_filter_list *f);

/* control_device.c: descriptors of sessions */
ULONG evnt_session_open(int device, TRACEHANDLE handle, const WCHAR *name,
			const struct evnt_filter_list *filters, int *session);
ULONG evnt_session_open_handle(TRACEHANDLE handle, int *session);

/* Properties of a session, with its names */
struct evnt_session_bump_generation {
	struct evntrace_session info;
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	WCHAR log[EVNTRACE_MAX_NAME + 1];
};

/* Last operation of each control code; 0: query the session's state */
extern const __u32 evnt_control_operations[] EVNT_HIDDEN;

/* evntrace.c: conversion of properties for the module */
struct evntrace_start evnt_start_arg(const WCHAR *name,
				     const EVENT_TRACE_PROPERTIES *p);
ULONG evnt_flush_ms(ULONG seconds);
ULONG evnt_check_private(const EVENT_TRACE_PROPERTIES *p, const WCHAR *log);
ULONG evnt_fill_started(int session, TRACEHANDLE handle,
			EVENT_TRACE_PROPERTIES *p);
/* system_provider.c */
ULONG evnt_system_provider_enable(TRACEHANDLE handle, const GUID *provider,
				  ULONGLONG any, bool enable);
ULONG evnt_set_enable_flags(int session, ULONG flags);
/* Set EVNTRACE_LIST_SYSTEM_FLAGS or EVNTRACE_LIST_SYSTEM_STACKS */
ULONG evnt_set_system_flags(int session, __u32 kind, ULONG flags);
ULONG evnt_session_call(int session, __u32 control,
			struct evnt_session_bump_generation *s);
ULONG evnt_session_control(int session, __u32 control,
			   EVENT_TRACE_PROPERTIES *p, bool wide);

/* private_control.c */
ULONG evnt_private_request_start(TRACEHANDLE *handle,
				 const struct evnt_session_names *names,
				 const EVENT_TRACE_PROPERTIES_V2 *v2,
				 EVENT_TRACE_PROPERTIES *p);
ULONG evnt_private_request_control(TRACEHANDLE handle, const WCHAR *name,
				   const EVENT_TRACE_PROPERTIES_V2 *v2,
				   ULONG control_code,
				   EVENT_TRACE_PROPERTIES *p, bool wide);

#endif /* EVNT_TRACE_CONTROL_H */
