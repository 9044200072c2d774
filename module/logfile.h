/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log file of a session: its header and the buffers behind it.
 *
 * Owns an open file of its own, and a reference to the one that the controller
 * passed in.  Only one task at a time calls it: the starting controller, then the
 * writer thread.
 */
#ifndef EVNT_LOGFILE_H
#define EVNT_LOGFILE_H

#include <linux/fs.h>

#include "circle.h"
#include "etl.h"
#include "module.h"
#include "name.h"
#include "series.h"

/**
 * struct evnt_log_totals - what became of buffers
 * @buffers_written: with the headers
 * @buffers_lost: that could not be written
 * @events_lost: events in these
 */
struct evnt_log_totals {
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
};

/**
 * struct evnt_found - what a log file holds that is continued
 * @buffers: with the header; 0: nothing
 * @sequence: the highest number of a buffer
 * @start_time: when it was started, as a FILETIME
 * @events_lost: as its header tells
 * @buffers_lost: likewise
 */
struct evnt_found {
	u64 buffers;
	s64 sequence;
	s64 start_time;
	u32 events_lost;
	u32 buffers_lost;
};

/**
 * struct evnt_log - a log file
 * @file: where it goes, or NULL: nowhere, there is just the header
 * @given: the controller's open file, or NULL: the locks that it has on the file
 *	last as long as the log
 * @name: its name, for the header and for queries; constant
 * @mode: EVNTRACE_MODE_* of its session
 * @started: when it became the session's, as a FILETIME
 * @len_before: how long it was when it was opened
 * @max_len: how long it may be: RLIMIT_FSIZE of the controller that passed it in
 * @found: what it holds from before
 * @lost_before: events that the session had lost when this became its log
 * @header: the header buffer, as it is in the file
 * @header_len: bytes of it that are valid
 * @buffer_size: bytes of each buffer
 * @slots: buffers that it may have, with the header; 0: any number
 * @circular: after the last slot comes the first
 * @series: then another file follows; NULL: none does
 * @circle: which of its buffers a circular log has
 * @buffers_written: with the header
 * @buffers_lost: that could not be written
 * @events_lost: events in these
 * @error: why writing last failed, a positive errno, or 0
 *
 * Only the writer changes the counters; anybody may read them.
 */
struct evnt_log {
	struct file *file;
	struct file *given;
	struct evnt_name *name;
	u32 mode;
	s64 started;
	loff_t len_before;
	u64 max_len;
	struct evnt_found found;
	u64 lost_before;
	u8 *header;
	u32 header_len;
	u32 buffer_size;
	u64 slots;
	bool circular;
	struct evnt_series *series;
	struct evnt_circle circle;
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
	int error;
};

struct evnt_session;

int evnt_log_init(struct evnt_log *log, u32 mode, u64 name, u32 name_len);
int evnt_log_open(struct evnt_log *log, u32 mode, int fd, u64 name,
		  u32 name_len);
int evnt_log_read_at(struct evnt_log *log, void *data, size_t len, loff_t pos);
u32 evnt_log_buffer_size(struct evnt_log *log);
int evnt_log_resume(struct evnt_log *log,
		    const struct etl_logfile_header *info);
void evnt_log_time_zone(struct evnt_log *log, u8 *time_zone);
void evnt_log_set_mode(struct evnt_log *log, u32 mode);
int evnt_log_start(struct evnt_log *log, const struct evnt_session *s,
		   const u8 *time_zone);
int evnt_log_start_snapshot(struct evnt_log *log, const struct evnt_session *s,
			    const u8 *time_zone);
int evnt_log_put(struct evnt_log *log, u64 slot, const u8 *buffer);
int evnt_log_get(struct evnt_log *log, u64 slot, u8 *buffer);
int evnt_log_follow(struct evnt_log *log, struct evnt_log *last,
		    const struct evnt_session *s, s64 since);
void evnt_log_write(struct evnt_log *log, const u8 *buffer, u32 records);
void evnt_log_update(struct evnt_log *log, u64 events_lost);
void evnt_log_finish(struct evnt_log *log, u64 events_lost);
void evnt_log_abandon(struct evnt_log *log);
void evnt_log_close(struct evnt_log *log, struct mutex *lock);
void evnt_log_destroy(struct evnt_log *log);
void evnt_log_free(struct evnt_log *log);

/* How many buffers are in the file */
static inline u64 evnt_log_buffers(const struct evnt_log *log)
{
	u64 written = READ_ONCE(log->buffers_written);

	return log->circular ? min(written, log->slots) : written;
}

/* How long it is in bytes, but for what is preallocated */
static inline u64 evnt_log_length(const struct evnt_log *log)
{
	return evnt_log_buffers(log) * log->buffer_size;
}

static inline bool evnt_log_is_at_limit(const struct evnt_log *log)
{
	return log->slots && !log->circular &&
	       log->buffers_written >= log->slots;
}

/* Whether the limit of the last log is reached */
static inline bool evnt_log_full(const struct evnt_log *log)
{
	return evnt_log_is_at_limit(log) && !log->series;
}

/* Whether it is the next log's turn */
static inline bool evnt_log_is_to_be_followed(const struct evnt_log *log)
{
	return evnt_log_is_at_limit(log) && log->series;
}

/* Whether old and new buffers of a circular log are to be parted again */
static inline bool evnt_log_epoch_is_due(const struct evnt_log *log)
{
	return log->circular && evnt_circle_epoch_is_due(&log->circle);
}

#endif /* EVNT_LOGFILE_H */
