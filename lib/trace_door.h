/* SPDX-License-Identifier: MIT */
/*
 * The door to sessions: /dev/evntrace.
 */
#ifndef EVNT_TRACE_DOOR_H
#define EVNT_TRACE_DOOR_H

#include "internal.h"

ULONG evnt_trace_door_open(int *fd);
ULONG evnt_trace_call(int fd, unsigned long cmd, void *arg);

#endif /* EVNT_TRACE_DOOR_H */
