/* SPDX-License-Identifier: MIT */
/*
 * Log files that a controller opens and passes to the module.
 */
#ifndef EVNT_LOG_FILE_H
#define EVNT_LOG_FILE_H

#include <linux/evntrace.h>

#include "evntrace.h"
#include "lib/base/internal.h"

/**
 * struct evnt_log_file - an open log file
 * @fd: the file, empty or to be appended to, and locked as long as a session
 *	has it; or -1
 * @name: name in UTF-16
 * @path: pattern as a path, with EVENT_TRACE_FILE_MODE_NEWFILE
 * @series: following files, with EVENT_TRACE_FILE_MODE_NEWFILE; otherwise its
 *	size is 0
 */
struct evnt_log_file {
	int fd;
	WCHAR *name;
	char *path;
	struct evntrace_newfile series;
};

bool evnt_log_name_is_pattern(const WCHAR *name);
ULONG evnt_log_file_open(struct evnt_log_file *log, const WCHAR *name,
			 ULONG mode);
void evnt_log_file_close(struct evnt_log_file *log);

/* Return a log without a file, which may be closed as well */
static inline struct evnt_log_file evnt_log_file_none(void)
{
	return (struct evnt_log_file) { .fd = -1, .series.dir_fd = -1 };
}

/* Arguments of EVNTRACE_IOC_START and EVNTRACE_IOC_UPDATE */

static inline __u64 evnt_log_file_name(const struct evnt_log_file *log)
{
	return (uintptr_t)log->name;
}

static inline __u32 evnt_log_file_name_len(const struct evnt_log_file *log)
{
	return log->name ? evnt_wcslen(log->name) : 0;
}

static inline __u64 evnt_log_file_series(const struct evnt_log_file *log)
{
	return log->series.size ? (uintptr_t)&log->series : 0;
}

#endif /* EVNT_LOG_FILE_H */
