/* SPDX-License-Identifier: MIT */
/*
 * Writing the buffers of a running session to a file.
 */
#ifndef EVNT_TRACE_SNAPSHOT_H
#define EVNT_TRACE_SNAPSHOT_H

#include <linux/evntrace.h>

#include "lib/base/internal.h"

/* Write a snapshot to @file; @done: NULL, or out: counts of the data written */
ULONG evnt_trace_snapshot(int session, const WCHAR *file,
			  struct evntrace_snapshot *done);

#endif /* EVNT_TRACE_SNAPSHOT_H */
