// SPDX-License-Identifier: MIT
/*
 * Log file of a private session, written by the process itself.
 *
 * The header is updated after each batch of buffers, so that the file can be
 * read at any time up to its last complete buffer, even after the process was
 * killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/internal.h"
#include "lib/base/log_file.h"
#include "core/log_header.h"
#include "lib/private/private.h"
#include "lib/private/private_log.h"
#include "lib/base/properties.h"

#define KB		1024ull
#define PID_TEXT	16
#define MAX_TRIES	100
/* Longest name in UTF-8 */
#define MAX_PATH_LEN	(3 * EVNTRACE_MAX_NAME + 1)
#define AN_INSTANT	20000	/* ns */

static bool is_ours(const struct evnt_private_log *log, struct stat *st)
{
	return !fstat(log->fd, st) && st->st_dev == log->device &&
	       st->st_ino == log->inode;
}

/* Test whether the program has not closed the descriptor */
bool evnt_private_log_is_open(const struct evnt_private_log *log)
{
	struct stat st;

	return is_ours(log, &st);
}

/* Find the file's absolute path, as the program may change directory */
static void find_path(struct evnt_private_log *log)
{
	char link[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", log->fd);
	len = readlink(link, log->path, sizeof(log->path) - 1);
	log->path[len < 0 ? 0 : len] = '\0';
}

/* Store a path, made absolute, of a file that had no name when it was opened */
static void set_path(struct evnt_private_log *log, const char *path)
{
	size_t len = 0;

	if (*path != '/' && getcwd(log->path, sizeof(log->path) - 1)) {
		len = strlen(log->path);
		log->path[len++] = '/';
	}
	snprintf(log->path + len, sizeof(log->path) - len, "%s", path);
}

/* Verify the header, as another file may have reused the inode number */
static bool has_header(const struct evnt_private_log *log)
{
	const struct etl_logfile_header *is = evnt_log_header_info(log->header);
	struct etl_logfile_header info;
	const off_t at = (const u8 *)is - log->header;

	return pread(log->fd, &info, sizeof(info), at) == sizeof(info) &&
	       info.start_time == is->start_time &&
	       info.boot_time == is->boot_time;
}

/*
 * Open the log again after the program has closed its descriptor, for instance
 * with all descriptors that it did not know.  The file that now has the number
 * stays open.  Return false if the log was moved, is in use by another session,
 * or may not be opened by the program.
 */
static bool reopen(struct evnt_private_log *log)
{
	struct evnt_private_log again = *log;
	struct stat st;

	if (!*log->path)
		return false;
	again.fd = open(log->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW |
				   O_NONBLOCK | O_NOCTTY);
	if (again.fd < 0)
		return false;
	again.fd = evnt_fd_high(again.fd);
	if (again.fd < 0)
		return false;
	if (!is_ours(&again, &st) || !has_header(&again) ||
	    flock(again.fd, LOCK_EX | LOCK_NB)) {
		close(again.fd);
		return false;
	}
	WRITE_ONCE(log->fd, again.fd);
	return true;
}

/* Write at a position of the log; return 0 or an errno */
static int write_at(struct evnt_private_log *log, const void *data,
		    size_t len, u64 pos)
{
	struct stat st;
	ssize_t n;

	if (!is_ours(log, &st) && !reopen(log))
		return EBADF;
	while (len) {
		n = pwrite(log->fd, data, len, pos);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (!n)
			return ENOSPC;
		data = (const u8 *)data + n;
		pos += n;
		len -= n;
	}
	return 0;
}

/* Return @name with the process ID appended; the caller frees it */
static WCHAR *name_with_pid(const WCHAR *name)
{
	char text[PID_TEXT];
	size_t i, len = evnt_wcslen(name);
	WCHAR *full = malloc((len + PID_TEXT) * sizeof(*full));

	if (!full)
		return NULL;
	memcpy(full, name, len * sizeof(*full));
	snprintf(text, sizeof(text), "_%d", getpid());
	for (i = 0; text[i]; i++)
		full[len + i] = (unsigned char)text[i];
	full[len + i] = 0;
	return full;
}

static void put_name(struct evnt_private_log *log, const WCHAR *name)
{
	memcpy(log->name, name, (evnt_wcslen(name) + 1) * sizeof(*name));
}

static ULONG open_file(struct evnt_private_log *log, const WCHAR *name,
		       ULONG mode)
{
	struct evnt_log_file file;
	struct stat st = {};
	ULONG code;

	/* No room for more in headers and queries; same limit as the module */
	if (evnt_wcslen(name) > EVNTRACE_MAX_NAME)
		return ERROR_INVALID_PARAMETER;
	code = evnt_log_file_open(&file, name, mode);
	if (!code) {
		file.fd = evnt_fd_high(file.fd);
		if (file.fd < 0 || fstat(file.fd, &st))
			code = evnt_win32_open(errno);
	}
	if (!code) {
		log->fd = file.fd;
		log->device = st.st_dev;
		log->inode = st.st_ino;
		find_path(log);
		put_name(log, name);
		file.fd = -1;
	}
	evnt_log_file_close(&file);
	return code;
}

/**
 * evnt_private_log_open() - open the log file of a private session
 * @log: zeroed
 * @name: name of the file
 * @in_process: no other process can have the same session
 *
 * If other processes may have the session, the first one uses the name
 * unchanged and the others append their process ID, as on Windows.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if the name, including an
 * appended process ID, is longer than EVNTRACE_MAX_NAME; otherwise as
 * StartTrace() for a log file.
 */
ULONG evnt_private_log_open(struct evnt_private_log *log, const WCHAR *name,
			    bool in_process)
{
	ULONG code = open_file(log, name, 0);
	WCHAR *other;

	if (code != ERROR_BAD_PATHNAME || in_process)
		return code;
	other = name_with_pid(name);
	if (!other)
		return ERROR_NOT_ENOUGH_MEMORY;
	code = open_file(log, other, 0);
	free(other);
	return code;
}

/**
 * evnt_private_log_open_part() - open a file of a system-wide private session
 * @log: zeroed
 * @name: name of the file, to which the process ID is appended
 *
 * The name was chosen by another process, so symbolic links are not followed.
 *
 * Return: as evnt_private_log_open().
 */
ULONG evnt_private_log_open_part(struct evnt_private_log *log,
				 const WCHAR *name)
{
	WCHAR *full = name_with_pid(name);
	ULONG code;

	if (!full)
		return ERROR_NOT_ENOUGH_MEMORY;
	code = open_file(log, full, EVENT_TRACE_PRIVATE_LOGGER_MODE);
	free(full);
	return code;
}

static void fill_header(struct evnt_private_log *log,
			const struct evnt_private_start *s)
{
	struct evnt_log_header h = {
		.buffer_size = log->buffer_size,
		.processors = s->buffers->nr_cpus,
		.max_file_size = s->max_file_size,
		.mode = s->mode,
		.cpu_mhz = evnt_cpu_mhz(),
		.thread_id = evnt_private_tid(),
		.process_id = getpid(),
		.logger_id = s->buffers->logger_id,
		.clock_type = s->buffers->clock_type,
		.time_zone = (const u8 *)s->zone,
		.name = (const u16 *)s->name,
		.log_name = (const u16 *)log->name,
		.name_len = evnt_wcslen(s->name),
		.log_name_len = evnt_wcslen(log->name),
	};
	s64 before;
	int tries;

	_Static_assert(sizeof(*s->zone) == ETL_TIME_ZONE_SIZE, "in the header");
	/*
	 * Read the session's clock and the system time at the same instant, as
	 * base of all time stamps.  If the thread was interrupted between the
	 * two, read them again.
	 */
	for (tries = 0; tries < MAX_TRIES; tries++) {
		before = evnt_boot_ns();
		h.real_ns = evnt_real_ns();
		h.boot_ns = evnt_boot_ns();
		h.now = evnt_clock(s->buffers);
		if (evnt_boot_ns() - before < AN_INSTANT)
			break;
	}
	log->header_len = evnt_log_header_put(log->header, &h);
}

/* Set the size limit, which must allow the header and at least one buffer */
static ULONG set_limit(struct evnt_private_log *log,
		       const struct evnt_private_start *s)
{
	const bool in_kb = s->mode & EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	u64 limit = s->max_file_size * KB * (in_kb ? 1 : KB);
	u64 slots = limit / log->buffer_size;

	if (limit && slots < 2)
		return ERROR_INVALID_PARAMETER;
	log->circular = s->mode & EVENT_TRACE_FILE_MODE_CIRCULAR;
	if (log->circular)
		evnt_circular_init(&log->circle, slots - 1,
				   max(4 * s->buffers->nr_cpus,
				       s->buffers->nr_buffers));
	if (s->mode & (EVENT_TRACE_FILE_MODE_CIRCULAR |
		       EVENT_TRACE_FILE_MODE_SEQUENTIAL))
		log->slots = slots;
	return ERROR_SUCCESS;
}

/*
 * Write the header.  This runs on a thread of the program, which SIGXFSZ would
 * kill if the file may not grow: block the signal and discard it.  The
 * session's own thread has all signals blocked.
 */
static int write_header(struct evnt_private_log *log)
{
	const struct timespec now = { 0 };
	sigset_t limit, old, pending;
	bool was_pending;
	int err;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &old);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGXFSZ);
	err = write_at(log, log->header, log->buffer_size, 0);
	if (err == EFBIG && !was_pending)
		sigtimedwait(&limit, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

/* Note for the module that a buffer is in the file */
static void note_written(const struct evnt_private_log *log, s64 sequence)
{
	if (log->written)
		WRITE_ONCE(*log->written,
			   log->buffers_written << 32 | (u32)sequence);
}

/* From now on, note in @written the buffers that are in the file; NULL: nowhere */
void evnt_private_log_note(struct evnt_private_log *log, u64 *written)
{
	log->written = written;
	note_written(log, 0);
}

/**
 * evnt_private_log_start() - write the header
 * @log: log that was opened
 * @s: properties of its session
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if the size limit is too low;
 * ERROR_NOT_ENOUGH_MEMORY; or the error of the write.
 */
ULONG evnt_private_log_start(struct evnt_private_log *log,
			     const struct evnt_private_start *s)
{
	void *header;
	ULONG code;

	log->buffer_size = s->buffers->buffer_size;
	header = mmap(NULL, log->buffer_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (header == MAP_FAILED)
		return ERROR_NOT_ENOUGH_MEMORY;
	log->header = header;
	code = set_limit(log, s);
	if (code)
		return code;
	fill_header(log, s);
	log->buffers_written = 1;
	return evnt_win32(write_header(log));
}

/* Create a file without a name in the folder of @path; return it or -1 */
static int open_unnamed(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[MAX_PATH_LEN];

	snprintf(folder, sizeof(folder), "%.*s",
		 slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);
}

static int link_unnamed(int fd, const char *path)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Create a log with its header, before or after it has its name */
static ULONG create(struct evnt_private_log *log, const char *path,
		    const struct evnt_private_start *s, bool unnamed)
{
	struct stat st;
	ULONG code;

	log->fd = unnamed ? open_unnamed(path) :
		  open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (log->fd < 0)
		return evnt_win32_open(errno);
	log->fd = evnt_fd_high(log->fd);
	if (log->fd < 0 || fstat(log->fd, &st))
		return evnt_win32_open(errno);
	log->device = st.st_dev;
	log->inode = st.st_ino;
	flock(log->fd, LOCK_EX | LOCK_NB);
	code = evnt_private_log_start(log, s);
	if (!code && unnamed && link_unnamed(log->fd, path))
		code = evnt_win32_open(errno);
	if (!code)
		set_path(log, path);
	else if (!unnamed)
		unlink(path);
	return code;
}

/**
 * evnt_private_log_create() - create a log with its header
 * @log: zeroed
 * @name: name of the file, which must not exist
 * @s: properties of the session
 *
 * The file has its header before it has its name, as the program may end or
 * execute another one in between; unless the file system has no files without a
 * name.
 *
 * Allocates no memory and takes no lock of the C library: the process may end
 * in a signal handler that has interrupted the lock's owner.
 *
 * Return: as evnt_private_log_open() and evnt_private_log_start();
 * ERROR_ALREADY_EXISTS if there is a file of this name.
 */
ULONG evnt_private_log_create(struct evnt_private_log *log, const WCHAR *name,
			      const struct evnt_private_start *s)
{
	ULONG code;
	char path[MAX_PATH_LEN];
	bool unnamed = true;

	if (evnt_wcslen(name) > EVNTRACE_MAX_NAME)
		return ERROR_INVALID_PARAMETER;
	if (!evnt_utf8_into(path, name))
		return evnt_win32_open(errno);
	do {
		evnt_private_log_close(log);
		put_name(log, name);
		code = create(log, path, s, unnamed);
		unnamed = !unnamed;
	} while (code && code != ERROR_ALREADY_EXISTS && !unnamed);
	return code;
}

/* Return the file position of a buffer in a circular log, behind the header */
static u64 circle_place(const struct evnt_private_log *log, u64 buffer)
{
	return (1 + buffer % (log->slots - 1)) * log->buffer_size;
}

/* Overwrite buffers displaced by the next one with empty ones; 0 or errno */
static int give_way(struct evnt_private_log *log)
{
	const struct etl_buffer_header *header = (const void *)log->header;
	const struct etl_buffer_header empty = {
		.buffer_size = log->buffer_size,
		.saved_offset = ETL_BUFFER_HEADER_SIZE,
		.current_offset = ETL_BUFFER_HEADER_SIZE,
		.logger_id = header->logger_id,
		.state = ETL_STATE_FLUSH,
		.offset = ETL_BUFFER_HEADER_SIZE,
		.flag = ETL_FLAG_PROC_INDEX,
		.type = ETL_TYPE_GENERIC,
	};
	const u64 count = evnt_circular_giving_way(&log->circle);
	u64 i;
	int err;

	for (i = 0; i < count; i++) {
		err = write_at(log, &empty, sizeof(empty),
			       circle_place(log, log->circle.tail + i));
		if (err)
			return err;
	}
	evnt_circular_give_way(&log->circle, count);
	return 0;
}

/* Write a buffer, its header last as it may replace another; 0 or an errno */
static int put_in_circle(struct evnt_private_log *log, const u8 *buffer)
{
	const u32 first = ETL_BUFFER_HEADER_SIZE;
	u64 pos;
	int err = give_way(log);

	if (err)
		return err;
	pos = circle_place(log, log->circle.head);
	err = write_at(log, buffer + first, log->buffer_size - first,
		       pos + first);
	return err ? err : write_at(log, buffer, first, pos);
}

/**
 * evnt_private_log_write() - append a buffer
 * @log: the log
 * @buffer: completed buffer
 * @records: number of records in it, counted as lost if the write fails
 *
 * A failed write leaves no gap: the next buffer is written to the same place.
 */
void evnt_private_log_write(struct evnt_private_log *log, const u8 *buffer,
			    u32 records)
{
	int err;

	if (evnt_private_log_full(log))
		err = EFBIG;
	else if (log->circular)
		err = put_in_circle(log, buffer);
	else
		err = write_at(log, buffer, log->buffer_size,
			       log->buffers_written * log->buffer_size);
	if (!err) {
		evnt_log_header_cover(log->header,
				      ((const struct etl_buffer_header *)buffer)->cpu);
		WRITE_ONCE(log->buffers_written, log->buffers_written + 1);
		note_written(log, ((const struct etl_buffer_header *)buffer)->sequence);
		log->circle.head++;
		return;
	}
	WRITE_ONCE(log->error, err);
	WRITE_ONCE(log->buffers_lost, log->buffers_lost + 1);
	WRITE_ONCE(log->events_lost, log->events_lost + records);
}

static u32 clamp_u32(u64 value)
{
	return value < UINT32_MAX ? value : UINT32_MAX;
}

/**
 * evnt_private_log_update() - update the header in the file
 * @log: the log
 * @events_lost: events lost by the session so far, without those in lost
 *	buffers
 */
void evnt_private_log_update(struct evnt_private_log *log, u64 events_lost)
{
	struct etl_logfile_header *info = evnt_log_header_info(log->header);
	int err;

	info->buffers_written = clamp_u32(evnt_private_log_buffers(log));
	info->buffers_lost = clamp_u32(log->buffers_lost);
	info->events_lost = clamp_u32(events_lost - log->lost_before +
				      log->events_lost);
	err = write_at(log, log->header, log->header_len, 0);
	if (err)
		WRITE_ONCE(log->error, err);
}

/* Complete the header when the session ends or switches to another log */
void evnt_private_log_finish(struct evnt_private_log *log, u64 events_lost)
{
	u64 len = evnt_private_log_buffers(log) * log->buffer_size;
	struct stat st;

	evnt_log_header_info(log->header)->end_time =
		evnt_filetime(evnt_real_ns());
	evnt_private_log_update(log, events_lost);
	/* A failed write may have left data behind the last buffer */
	if (is_ours(log, &st) && (u64)st.st_size > len &&
	    ftruncate(log->fd, len))
		WRITE_ONCE(log->error, errno);
}

/* Close the parent's file in the child of a fork */
void evnt_private_log_forked(struct evnt_private_log *log)
{
	struct stat st;

	if (is_ours(log, &st))
		close(log->fd);
	log->fd = -1;
}

/*
 * Close a log, in whatever state of opening.  The file lock is released
 * explicitly, as a child that was just forked may still have the file open.
 */
void evnt_private_log_close(struct evnt_private_log *log)
{
	struct stat st;
	int fd = log->fd;

	if (is_ours(log, &st)) {
		/* A fork must not close a file that reuses the number */
		WRITE_ONCE(log->fd, -1);
		flock(fd, LOCK_UN);
		close(fd);
	}
	if (log->header)
		munmap(log->header, log->buffer_size);
	*log = (struct evnt_private_log) { .fd = -1 };
}
