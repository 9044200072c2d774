/* SPDX-License-Identifier: MIT */
/* Merges log files into one */
#ifndef EVNT_MERGE_LOGS_H
#define EVNT_MERGE_LOGS_H

#include "tools/common/progress.h"
#include "tools/merge/relog.h"
#include "lib/consume/trace_merge.h"

/**
 * struct merging - a merge of log files
 * @in: input files
 * @out: output file
 * @takes: returns whether an event is copied; NULL: all are
 * @context: argument of @takes
 * @keep_time: keep time stamps unchanged, as all files have the same clock
 * @names: names in @out: UTF-16, each nul-terminated
 * @unread: number of input bytes that could not be parsed and are not in @out
 * @progress: progress of the merge
 * @read_error: Win32 code of the error that ended reading, or ERROR_SUCCESS
 */
struct merging {
	struct trace_merge in;
	struct relog out;
	bool (*takes)(EVENT_RECORD *record, void *context);
	void *context;
	bool keep_time;
	WCHAR names[2048];
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

/*
 * Return whether the files count processor time in ticks of the same length,
 * within 1 %. Otherwise they cannot be merged.
 */
bool merge_have_same_units(const struct trace_merge *in);

#endif /* EVNT_MERGE_LOGS_H */
