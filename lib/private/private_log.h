/* SPDX-License-Identifier: MIT */
/*
 * Log file of a private session, written by the process itself.
 *
 * The functions are not thread-safe: they are called first by the starter of
 * the session, then by its thread, then by the caller that stops it.
 */
#ifndef EVNT_PRIVATE_LOG_H
#define EVNT_PRIVATE_LOG_H

#include <limits.h>
#include <sys/types.h>

#include "core/buffer.h"
#include "core/circular.h"
#include "evntrace.h"

/**
 * struct evnt_private_log - a log file
 * @fd: the file, with flock() held while it is open; or -1
 * @device: device of the file; with @inode it detects that the program has
 *	closed @fd, which may now be another file: the log is then opened again
 * @inode: inode number of the file
 * @name: name of the file
 * @path: absolute path, or empty if unknown
 * @header: header buffer, as in the file
 * @header_len: valid bytes in @header
 * @buffer_size: size of each buffer in bytes
 * @slots: maximum number of buffers, including the header; 0: no limit
 * @circular: wrap from the last slot to the first one behind the header
 * @circle: state of a circular log
 * @written: as in struct evntprov_rescue, or NULL; read by the module when the
 *	process has ended
 * @lost_before: events lost by the session before this log was started
 * @buffers_written: buffers written, including the header
 * @buffers_lost: buffers that could not be written
 * @events_lost: events in lost buffers
 * @error: errno of the last failed write, or 0
 *
 * The counters may be read by other threads at any time, and are accessed with
 * READ_ONCE() and WRITE_ONCE().
 */
struct evnt_private_log {
	int fd;
	dev_t device;
	ino_t inode;
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	char path[PATH_MAX];
	u8 *header;
	u32 header_len;
	u32 buffer_size;
	u64 slots;
	bool circular;
	struct evnt_circular circle;
	u64 *written;
	u64 lost_before;
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
	int error;
};

/**
 * struct evnt_private_start - properties of the session in its log's header
 * @name: session name
 * @buffers: the session's buffers
 * @mode: LogFileMode
 * @max_file_size: maximum file size as set by the controller
 * @zone: time zone
 */
struct evnt_private_start {
	const WCHAR *name;
	const struct evnt_buffers *buffers;
	u32 mode;
	u32 max_file_size;
	const TIME_ZONE_INFORMATION *zone;
};

ULONG evnt_private_log_open(struct evnt_private_log *log, const WCHAR *name,
			    bool in_process);
ULONG evnt_private_log_open_part(struct evnt_private_log *log,
				 const WCHAR *name);
ULONG evnt_private_log_start(struct evnt_private_log *log,
			     const struct evnt_private_start *s);
ULONG evnt_private_log_create(struct evnt_private_log *log, const WCHAR *name,
			      const struct evnt_private_start *s);
void evnt_private_log_note(struct evnt_private_log *log, u64 *written);
bool evnt_private_log_is_open(const struct evnt_private_log *log);
void evnt_private_log_write(struct evnt_private_log *log, const u8 *buffer,
			    u32 records);
void evnt_private_log_update(struct evnt_private_log *log, u64 events_lost);
void evnt_private_log_finish(struct evnt_private_log *log, u64 events_lost);
void evnt_private_log_forked(struct evnt_private_log *log);
void evnt_private_log_close(struct evnt_private_log *log);

/* Return the number of buffers in the file, including the header */
static inline u64 evnt_private_log_buffers(const struct evnt_private_log *log)
{
	u64 written = READ_ONCE(log->buffers_written);

	return log->circular ? min(written, log->slots) : written;
}

/* Test whether a sequential log has reached its size limit */
static inline bool evnt_private_log_full(const struct evnt_private_log *log)
{
	return log->slots && !log->circular &&
	       log->buffers_written >= log->slots;
}

/* Test whether a circular log must start a new epoch */
static inline bool evnt_private_log_epoch_is_due(const struct evnt_private_log *log)
{
	return log->circular && evnt_circular_epoch_is_due(&log->circle);
}

#endif /* EVNT_PRIVATE_LOG_H */
