// SPDX-License-Identifier: GPL-2.0
/*
 * Log files that are continued: what they hold already.
 *
 * Nothing in the file is trusted.  Of its header, what must be the same in the
 * session that continues it is compared, and a few numbers are taken over,
 * which no code of the module relies on.  Of its buffers, only the headers are
 * read.
 */
#include <linux/limits.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "logfile.h"
#include "session.h"

#define ETL_MODE_COMPRESSED	0x04000000u

struct beginning {
	struct etl_buffer_header buffer;
	struct etl_system_header record;
	struct etl_logfile_header info;
} __packed;

/* The one that a file has buffers of, or 0 when it is none that can be */
u32 evnt_log_buffer_size(struct evnt_log *log)
{
	u32 size;

	if (!log->len_before || evnt_log_read_at(log, &size, sizeof(size), 0) ||
	    size < EVNTRACE_MIN_BUFFER_SIZE || size > EVNTRACE_MAX_BUFFER_SIZE)
		return 0;
	return size;
}

static bool header_is_sound(const struct beginning *b, u32 buffer_size)
{
	return b->buffer.buffer_size == buffer_size &&
	       b->buffer.type == ETL_TYPE_HEADER &&
	       b->buffer.saved_offset >= sizeof(*b) &&
	       b->buffer.saved_offset <= buffer_size &&
	       b->record.kind == ETL_RECORD_SYSTEM64 &&
	       b->record.version == 2 && !b->record.hook &&
	       b->info.buffer_size == buffer_size;
}

/* Whether buffers of the session may stand behind those of the file */
static bool is_of_same_kind(const struct etl_logfile_header *file,
			    const struct etl_logfile_header *session)
{
	const u32 other = EVNTRACE_MODE_CIRCULAR | ETL_MODE_COMPRESSED;

	return file->version == session->version &&
	       file->processors == session->processors &&
	       file->clock_type == session->clock_type &&
	       file->pointer_size == session->pointer_size &&
	       !(file->log_file_mode & other);
}

static bool buffer_is_sound(const struct evnt_log *log,
			    const struct etl_buffer_header *h, u32 processors)
{
	return h->buffer_size == log->buffer_size &&
	       h->saved_offset >= ETL_BUFFER_HEADER_SIZE &&
	       h->saved_offset <= log->buffer_size &&
	       IS_ALIGNED(h->saved_offset, ETL_ALIGN) &&
	       h->cpu < processors &&
	       h->sequence >= 0 && h->sequence < S64_MAX / 2;
}

/*
 * How many there are.  Zeros are room that was preallocated, or a buffer that
 * did not reach the disk; one that is not whole can only be the last.
 */
static int find_buffers(struct evnt_log *log, u32 processors)
{
	const u64 count = div_u64(log->len_before, log->buffer_size);
	struct etl_buffer_header h;
	u64 i;
	int err;

	for (i = 1; i < count; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		err = evnt_log_read_at(log, &h, sizeof(h),
				       i * log->buffer_size);
		if (err)
			return err;
		if (!memchr_inv(&h, 0, sizeof(h)))
			continue;
		if (!buffer_is_sound(log, &h, processors))
			return -EINVAL;
		log->found.buffers = i + 1;
		log->found.sequence = max(log->found.sequence, h.sequence);
	}
	return 0;
}

/**
 * evnt_log_resume() - find out what a log file holds
 * @log: opened, with something in it; its found is filled in
 * @info: what its header would be if it were empty
 *
 * Return: 0; -EINVAL when it is no log, or one that @log cannot continue;
 * -EINTR when the caller is killed, or what reading it gave.
 */
int evnt_log_resume(struct evnt_log *log,
		    const struct etl_logfile_header *info)
{
	struct beginning b;
	int err;

	if (log->len_before < log->buffer_size)
		return -EINVAL;
	err = evnt_log_read_at(log, &b, sizeof(b), 0);
	if (err)
		return err;
	if (!header_is_sound(&b, log->buffer_size) ||
	    !is_of_same_kind(&b.info, info))
		return -EINVAL;
	log->found = (struct evnt_found) {
		.buffers = 1,
		.start_time = b.info.start_time,
		.events_lost = b.info.events_lost,
		.buffers_lost = b.info.buffers_lost,
	};
	return find_buffers(log, info->processors);
}
