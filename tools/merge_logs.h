/* SPDX-License-Identifier: MIT */
/* One log file of many. */
#ifndef EVNT_MERGE_LOGS_H
#define EVNT_MERGE_LOGS_H

#include "progress.h"
#include "relog.h"
#include "trace_merge.h"

/**
 * struct merging - log files that become one
 * @in: they
 * @out: the one
 * @keep_time: time stamps stay as they are, as all files have one clock
 * @names: of @out: UTF-16, each with its nul
 * @unread: bytes of the files that were not understood, and so are not in @out
 * @progress: how far it is
 * @read_error: Win32 code of what ended reading, or ERROR_SUCCESS
 */
struct merging {
	struct trace_merge in;
	struct relog out;
	bool keep_time;
	WCHAR names[2048];
	u64 unread;
	struct progress progress;
	ULONG read_error;
};

/*
 * @m: @in with its sources, and @out.fd; @name: of the file, which is put into it
 * behind the session's.  Returns 0, or the error number of what ended writing.
 */
int merge_logs(struct merging *m, const WCHAR *name);

/*
 * Whether files count the time of processors in ticks that are as long, but for 1 %;
 * else they cannot become one
 */
bool merge_have_same_units(const struct trace_merge *in);

#endif /* EVNT_MERGE_LOGS_H */
