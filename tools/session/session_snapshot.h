/* SPDX-License-Identifier: MIT */
/* Writes the events that a session has in memory to a log file */
#ifndef EVNT_SESSION_SNAPSHOT_H
#define EVNT_SESSION_SNAPSHOT_H

#include "tools/session/control.h"

/*
 * Write a snapshot to @file, and its counts to @done. Return an exit code after
 * reporting errors.
 */
int take_snapshot(int device, const struct dev_session *session,
		  const char *file, struct evntrace_snapshot *done);

/* Print the numbers of events and bytes of a snapshot on stderr */
void report_snapshot(const struct dev_session *session, const char *file,
		     const struct evntrace_snapshot *done);

/* Return the size of a file, or 0 */
uint64_t size_of(const char *file);

#endif /* EVNT_SESSION_SNAPSHOT_H */
