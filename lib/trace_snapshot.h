/* SPDX-License-Identifier: MIT */
/*
 * Writing what a session keeps in memory to a file, while it goes on.
 */
#ifndef EVNT_TRACE_SNAPSHOT_H
#define EVNT_TRACE_SNAPSHOT_H

#include <linux/evntprov.h>

#include "internal.h"

/* @done: NULL, or out: how much was written */
ULONG evnt_trace_snapshot(int door, TRACEHANDLE handle, const WCHAR *file,
			  struct evntrace_snapshot *done);

#endif /* EVNT_TRACE_SNAPSHOT_H */
