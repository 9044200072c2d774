/* SPDX-License-Identifier: MIT */
/*
 * Log files, as a controller opens them and hands them to the module.
 */
#ifndef EVNT_LOG_FILE_H
#define EVNT_LOG_FILE_H

#include <linux/evntprov.h>

#include "evntrace.h"
#include "internal.h"

/**
 * struct evnt_log_file - an open log file
 * @fd: the file, empty or to be continued, and locked as long as a session has
 *	it; or -1
 * @name: its name, in UTF-16
 * @path: with EVENT_TRACE_FILE_MODE_NEWFILE, the pattern as a path
 * @series: likewise, what follows; its size is 0 when nothing does
 */
struct evnt_log_file {
	int fd;
	WCHAR *name;
	char *path;
	struct evntrace_series series;
};

bool evnt_log_name_is_pattern(const WCHAR *name);
ULONG evnt_log_file_open(struct evnt_log_file *log, const WCHAR *name,
			 ULONG mode);
void evnt_log_file_close(struct evnt_log_file *log);

/* There is none; to be closed, too */
static inline struct evnt_log_file evnt_log_file_none(void)
{
	return (struct evnt_log_file) { .fd = -1, .series.dir_fd = -1 };
}

/* What EVNTRACE_IOC_START and _UPDATE take: */

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
