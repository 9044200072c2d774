/* SPDX-License-Identifier: MIT */
/* Merges log files into one */
#ifndef EVNT_MERGE_LOGS_H
#define EVNT_MERGE_LOGS_H

#include "tools/common/progress.h"
#include "lib/relog/relog.h"
#include "lib/consume/trace_merge.h"

/**
 * struct merging - a merge of log files
 * @in: input files
 * @out: output file
 * @takes: returns whether an event is copied; NULL: all are
 * @context: argument of @takes
 * @unread: number of input bytes that could not be parsed and are not in @out
 * @progress: progress of the merge
 * @read_error: Win32 code of the error that ended reading, or ERROR_SUCCESS
 */
struct merging {
	struct trace_merge in;
	struct relog out;
	bool (*takes)(EVENT_RECORD *record, void *context);
	void *context;
	u64 unread;
	struct progress progress;
	ULONG read_error;
};

/*
 * Merge the files. The caller sets the sources of @in, @out.fd, and @takes. @name
 * is the file name stored after the session's name. Return 0, or the errno of a
 * write error.
 */
int merge_logs(struct merging *m, const WCHAR *name);

#endif /* EVNT_MERGE_LOGS_H */
