/* SPDX-License-Identifier: MIT */
/*
 * The door to sessions: /dev/evntrace.
 */
#ifndef EVNT_TRACE_DOOR_H
#define EVNT_TRACE_DOOR_H

#include "evntrace.h"
#include "internal.h"

ULONG evnt_trace_door_open(int *fd);
ULONG evnt_trace_call(int fd, unsigned long cmd, void *arg);
ULONG evnt_trace_find(int fd, const WCHAR *name, TRACEHANDLE *handle);

#endif /* EVNT_TRACE_DOOR_H */
