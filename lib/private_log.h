/* SPDX-License-Identifier: MIT */
/*
 * The log file of a private session, as the process itself writes it.
 *
 * One thread at a time calls it: who starts the session, then its writer, then
 * who stops it.
 */
#ifndef EVNT_PRIVATE_LOG_H
#define EVNT_PRIVATE_LOG_H

#include <sys/types.h>

#include "buffer.h"
#include "circle.h"
#include "evntrace.h"

/**
 * struct evnt_private_log - a log file
 * @fd: the file, which is locked as long as it is open; or -1
 * @device: what @fd must be, so that nobody else's is taken for it: the program may
 *	have closed it, then it is opened again
 * @inode: likewise
 * @name: its name
 * @path: where it is, or NULL
 * @header: the header buffer, as it is in the file
 * @header_len: bytes of it that are valid
 * @buffer_size: bytes of each buffer
 * @slots: buffers that it may have, with the header; 0: any number
 * @circular: after the last slot comes the first behind the header
 * @circle: which of its buffers a circular log has
 * @lost_before: events that the session had lost when this became its log
 * @buffers_written: with the header
 * @buffers_lost: that could not be written
 * @events_lost: events in these
 * @error: why writing failed last, or 0
 *
 * Counters are read by others: they are written, and read there, as a whole.
 */
struct evnt_private_log {
	int fd;
	dev_t device;
	ino_t inode;
	WCHAR *name;
	char *path;
	u8 *header;
	u32 header_len;
	u32 buffer_size;
	u64 slots;
	bool circular;
	struct evnt_circle circle;
	u64 lost_before;
	u64 buffers_written;
	u64 buffers_lost;
	u64 events_lost;
	int error;
};

/**
 * struct evnt_private_start - what the header of a log says of its session
 * @name: the session's
 * @buffers: its buffers
 * @mode: its LogFileMode
 * @max_file_size: as the controller gave it
 */
struct evnt_private_start {
	const WCHAR *name;
	const struct evnt_buffers *buffers;
	u32 mode;
	u32 max_file_size;
};

ULONG evnt_private_log_open(struct evnt_private_log *log, const WCHAR *name,
			    bool in_process);
ULONG evnt_private_log_open_part(struct evnt_private_log *log,
				 const WCHAR *name);
ULONG evnt_private_log_start(struct evnt_private_log *log,
			     const struct evnt_private_start *s);
void evnt_private_log_write(struct evnt_private_log *log, const u8 *buffer,
			    u32 records);
void evnt_private_log_update(struct evnt_private_log *log, u64 events_lost);
void evnt_private_log_finish(struct evnt_private_log *log, u64 events_lost);
void evnt_private_log_forked(struct evnt_private_log *log);
void evnt_private_log_close(struct evnt_private_log *log);

/* How many buffers are in the file */
static inline u64 evnt_private_log_buffers(const struct evnt_private_log *log)
{
	u64 written = READ_ONCE(log->buffers_written);

	return log->circular ? min(written, log->slots) : written;
}

/* Whether the limit is reached */
static inline bool evnt_private_log_full(const struct evnt_private_log *log)
{
	return log->slots && !log->circular &&
	       log->buffers_written >= log->slots;
}

/* Whether old and new buffers of a circular log are to be parted again */
static inline bool evnt_private_log_epoch_is_due(const struct evnt_private_log *log)
{
	return log->circular && evnt_circle_epoch_is_due(&log->circle);
}

#endif /* EVNT_PRIVATE_LOG_H */
