// SPDX-License-Identifier: MIT
/*
 * Log files that a controller opens and passes to the module.
 *
 * In newfile mode the name is a pattern, in which "%d" stands for the number of
 * the file.  This process opens the first file; the module opens the others, in
 * the directory that it was passed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/base/log_file.h"

static size_t find_char(const WCHAR *text, size_t from, WCHAR c)
{
	while (text[from] && text[from] != c)
		from++;
	return from;
}

/* Test for one "%d" in the last part of the path, and no other '%' */
bool evnt_log_name_is_pattern(const WCHAR *name)
{
	size_t at = find_char(name, 0, '%');

	return name[at] && name[at + 1] == 'd' &&
	       !name[find_char(name, at + 1, '%')] &&
	       !name[find_char(name, at, '/')];
}

/* Copy a name; a pattern becomes the name of its first file */
static WCHAR *first_name(const WCHAR *name, bool is_pattern)
{
	size_t len = evnt_wcslen(name) + 1, at = 0;
	WCHAR *copy = malloc(len * sizeof(*copy));

	if (!copy)
		return NULL;
	memcpy(copy, name, len * sizeof(*copy));
	if (is_pattern) {
		at = find_char(name, 0, '%');
		copy[at] = '1';
		memmove(copy + at + 1, name + at + 2,
			(len - at - 2) * sizeof(*copy));
	}
	return copy;
}

static ULONG prepare(int fd, bool append)
{
	if (flock(fd, LOCK_EX | LOCK_NB))
		return ERROR_BAD_PATHNAME;
	if (append || !ftruncate(fd, 0))
		return ERROR_SUCCESS;
	return errno == EINVAL ? ERROR_BAD_PATHNAME : evnt_win32_open(errno);
}

static ULONG open_file(struct evnt_log_file *log, ULONG mode)
{
	const int nofollow = mode & EVENT_TRACE_PRIVATE_LOGGER_MODE ?
			     O_NOFOLLOW : 0;
	char *path = evnt_utf8(log->name);
	ULONG code = ERROR_SUCCESS;

	if (!path)
		return evnt_win32_open(errno);
	log->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | nofollow, 0644);
	/* The file would be created, so its directory is missing */
	if (log->fd < 0)
		code = errno == ENOENT ? ERROR_PATH_NOT_FOUND :
					 evnt_win32_open(errno);
	free(path);
	return code ? code :
		      prepare(log->fd, mode & EVENT_TRACE_FILE_MODE_APPEND);
}

/* Open the directory of a path, whose first @len characters it is */
static int open_dir(char *path, size_t len)
{
	const char *dir = len ? path : ".";
	char first = path[len];
	int fd;

	path[len] = 0;
	fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	path[len] = first;
	return fd;
}

static ULONG open_series(struct evnt_log_file *log, const WCHAR *pattern)
{
	const char *slash;
	size_t dir_len;

	log->path = evnt_utf8(pattern);
	if (!log->path)
		return evnt_win32_open(errno);
	slash = strrchr(log->path, '/');
	dir_len = slash ? (size_t)(slash - log->path) + 1 : 0;
	log->series = (struct evntrace_newfile) {
		.size = sizeof(log->series),
		.file = (uintptr_t)(log->path + dir_len),
		.name = (uintptr_t)pattern,
		.file_len = strlen(log->path + dir_len),
		.name_len = evnt_wcslen(pattern),
		.dir_fd = open_dir(log->path, dir_len),
	};
	return log->series.dir_fd < 0 ? evnt_win32_open(errno) : ERROR_SUCCESS;
}

/**
 * evnt_log_file_open() - open a log file
 * @log: out: the file, which the caller closes, also after a failure
 * @name: name or pattern, which must be valid as long as @log is used
 * @mode: LogFileMode of the session
 *
 * With EVENT_TRACE_PRIVATE_LOGGER_MODE, a symbolic link is refused.
 *
 * The file is truncated, except with EVENT_TRACE_FILE_MODE_APPEND.  It is
 * locked as long as a session has it, so that a second session is refused.
 *
 * Return: ERROR_SUCCESS or the errors of StartTrace() for a log file.
 */
ULONG evnt_log_file_open(struct evnt_log_file *log, const WCHAR *name,
			 ULONG mode)
{
	bool is_pattern = mode & EVENT_TRACE_FILE_MODE_NEWFILE;
	ULONG code;

	*log = evnt_log_file_none();
	if (is_pattern && !evnt_log_name_is_pattern(name))
		return ERROR_INVALID_PARAMETER;
	log->name = first_name(name, is_pattern);
	if (!log->name)
		return ERROR_NOT_ENOUGH_MEMORY;
	code = open_file(log, mode);
	return code || !is_pattern ? code : open_series(log, name);
}

void evnt_log_file_close(struct evnt_log_file *log)
{
	if (log->fd >= 0)
		close(log->fd);
	if (log->series.dir_fd >= 0)
		close(log->series.dir_fd);
	free(log->name);
	free(log->path);
}
