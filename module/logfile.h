/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The log file of a session: its header and the buffers behind it.
 *
 * Owns the reference to the file that the controller passed in.  Only one
 * task at a time calls it: the starting controller, then the writer thread.
 */
#ifndef EVNT_LOGFILE_H
#define EVNT_LOGFILE_H

#include <linux/fs.h>

#include "etl.h"
#include "module.h"

/**
 * struct evnt_log - a log file
 * @file: where it goes
 * @header: the header buffer, as it is in the file
 * @header_len: bytes of it that are valid
 * @buffer_size: bytes of each buffer
 * @slots: buffers that it may have, with the header; 0: any number
 * @circular: after the last slot comes the first
 * @buffers_written: with the header
 * @buffers_lost: that could not be written
 * @events_lost: events in these
 * @error: why writing last failed, a positive errno, or 0
 *
 * Only the writer changes the counters; anybody may read them.
 */
struct evnt_log {
	struct file *file;
	u8 *header;
	u32 header_len;
	u32 buffer_size;
	u64 slots;
	bool circular;
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
	int error;
};

struct evnt_session;

u32 evnt_log_header_size(const struct evnt_session *s);
int evnt_log_open(struct evnt_log *log, int fd);
int evnt_log_start(struct evnt_log *log, struct evnt_session *s,
		   const u8 *time_zone);
void evnt_log_write(struct evnt_log *log, const u8 *buffer, u32 records);
void evnt_log_update(struct evnt_log *log, u64 events_lost);
void evnt_log_finish(struct evnt_log *log, u64 events_lost);
void evnt_log_abandon(struct evnt_log *log);
void evnt_log_close(struct evnt_log *log);

/* How many buffers are in the file */
static inline u64 evnt_log_buffers(const struct evnt_log *log)
{
	u64 written = READ_ONCE(log->buffers_written);

	return log->slots ? min(written, log->slots) : written;
}

/* How long it is in bytes, but for what is preallocated */
static inline u64 evnt_log_length(const struct evnt_log *log)
{
	return evnt_log_buffers(log) * log->buffer_size;
}

/* Whether the limit of a log that is not circular is reached */
static inline bool evnt_log_full(const struct evnt_log *log)
{
	return log->slots && !log->circular &&
	       log->buffers_written >= log->slots;
}

#endif /* EVNT_LOGFILE_H */
