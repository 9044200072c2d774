/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log file of a session: a header, followed by buffers.
 *
 * Owns an open file of its own, and a reference to the file that the controller
 * passed.  Callers are serialised: first the starting controller, then the
 * writer thread.
 */
#ifndef EVNT_LOG_H
#define EVNT_LOG_H

#include <linux/fs.h>

#include "core/circular.h"
#include "core/etl.h"
#include "module/common/module.h"
#include "module/common/session_info.h"

struct evnt_newfile;

/**
 * struct evnt_log_totals - statistics of written and lost buffers
 * @buffers_written: number of buffers written, including headers
 * @buffers_lost: number of buffers that could not be written
 * @events_lost: number of events in lost buffers
 */
struct evnt_log_totals {
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
};

/**
 * struct evnt_found - contents of a log file that is continued
 * @buffers: number of buffers including the header; 0 if the file was empty
 * @sequence: highest sequence number of a buffer
 * @start_time: start of the log, as a FILETIME
 * @events_lost: lost events according to the header
 * @buffers_lost: lost buffers according to the header
 */
struct evnt_found {
	u64 buffers;
	s64 sequence;
	s64 start_time;
	u32 events_lost;
	u32 buffers_lost;
};

/**
 * struct evnt_log - log file
 * @name: name for the header and for queries
 * @given: open file of the controller, or NULL; kept so that locks that it has
 *	on the file last as long as the log
 * @started: time at which it became the session's log, as a FILETIME
 * @len_before: length of the file when it was opened, in bytes
 * @max_len: limit of the length in bytes: RLIMIT_FSIZE of the controller
 * @found: earlier contents
 * @header_len: number of valid bytes in @header
 * @buffer_size: size of each buffer in bytes
 * @slots: maximum number of buffers including the header; 0 if unlimited
 * @circular: the log wraps around at @slots
 * @series: files that follow when @slots is reached, or NULL
 * @file: file written to, or NULL if the log only has a header
 * @mode: EVNTRACE_MODE_* of the session
 * @lost_before: events that the session had lost before this log started
 * @header: header buffer
 * @copy: room for a copy of a buffer, if the log is circular
 * @circle: buffers of a circular log
 * @buffers_written: number of buffers written, including the header
 * @buffers_lost: number of buffers that could not be written
 * @events_lost: number of events in lost buffers
 * @error: positive errno of the last failed write, or 0
 */
struct evnt_log {
	/* Constant from the start of the log until it is closed. */
	struct evnt_name *name;
	struct file *given;
	s64 started;
	loff_t len_before;
	u64 max_len;
	struct evnt_found found;
	u32 header_len;
	u32 buffer_size;
	u64 slots;
	bool circular;
	struct evnt_newfile *series;

	/* Used by the writer thread only, once it runs. */
	struct file *file;
	u32 mode;
	u64 lost_before;
	u8 *header;
	u8 *copy;
	struct evnt_circular circle;

	/* Written by the writer thread only, and read without a lock. */
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
	int error;
};

struct evnt_session;

int evnt_log_init(struct evnt_log *log, u32 mode, u64 name, u32 name_len);
int evnt_log_open_file(struct evnt_log *log, u32 mode, int fd);
int evnt_log_open(struct evnt_log *log, u32 mode, int fd, u64 name,
		  u32 name_len, u64 series);
int evnt_log_write_at(struct evnt_log *log, const void *data, size_t len,
		      loff_t pos);
int evnt_log_read_at(struct evnt_log *log, void *data, size_t len, loff_t pos);
u32 evnt_log_buffer_size(struct evnt_log *log);
int evnt_log_append(struct evnt_log *log);
void evnt_log_set_mode(struct evnt_log *log, u32 mode);
int evnt_log_start(struct evnt_log *log, const struct evnt_session *s,
		   const u8 *time_zone, s64 since);
int evnt_log_start_snapshot(struct evnt_log *log, const struct evnt_session *s,
			    const u8 *time_zone);
int evnt_log_follow(struct evnt_log *log, struct evnt_log *last,
		    const struct evnt_session *s, s64 since);
void evnt_log_save(struct evnt_log *log, const u8 *buffer, u64 *place);
void evnt_log_unsave(struct evnt_log *log, u64 place);
void evnt_log_write(struct evnt_log *log, const u8 *buffer, u64 place,
		    u32 records);
void evnt_log_update(struct evnt_log *log, u64 events_lost);
void evnt_log_finish(struct evnt_log *log, u64 events_lost);
void evnt_log_abandon(struct evnt_log *log);
void evnt_log_close(struct evnt_log *log);
void evnt_log_destroy(struct evnt_log *log);
void evnt_log_free(struct evnt_log *log);

/* Return the number of buffers in the file */
static inline u64 evnt_log_buffers(const struct evnt_log *log)
{
	u64 written = READ_ONCE(log->buffers_written);

	return log->circular ? min(written, log->slots) : written;
}

/* Return the length in bytes, not counting preallocated space */
static inline u64 evnt_log_length(const struct evnt_log *log)
{
	return evnt_log_buffers(log) * log->buffer_size;
}

static inline bool evnt_log_is_at_limit(const struct evnt_log *log)
{
	return log->slots && !log->circular &&
	       log->buffers_written >= log->slots;
}

/* Check whether the log is at its limit and no other file follows */
static inline bool evnt_log_full(const struct evnt_log *log)
{
	return evnt_log_is_at_limit(log) && !log->series;
}

/* newfile.c: series of log files */
struct evnt_newfile *evnt_newfile_create(u64 arg, const struct evnt_log *first);
int evnt_newfile_open(struct evnt_newfile *series, struct evnt_log *log);
void evnt_newfile_opened(struct evnt_newfile *series);
void evnt_newfile_destroy(struct evnt_newfile *series);

#endif /* EVNT_LOG_H */
