// SPDX-License-Identifier: GPL-2.0
/*
 * Log files that are continued (append): validation of their contents.
 *
 * Nothing in the file is trusted.  Fields of its header that must match the new
 * session are compared, and a few numbers are taken over, none of which the
 * module relies on.  Of its buffers, only the headers are read.
 */
#include <linux/cpumask.h>
#include <linux/limits.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "core/log_header.h"
#include "module/session/log.h"
#include "module/session/session.h"

#define ETL_MODE_COMPRESSED	0x04000000u

struct beginning {
	struct etl_buffer_header buffer;
	struct etl_system_header record;
	struct etl_logfile_header info;
} __packed;

/* Return the buffer size of an existing log, or 0 if it is empty or invalid */
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

/* Return whether buffers of the session may follow those in the file */
static bool is_of_same_kind(const struct etl_logfile_header *file,
			    const struct etl_logfile_header *session)
{
	const u32 other = EVNTRACE_MODE_CIRCULAR | ETL_MODE_COMPRESSED;

	return (file->version == ETL_LAYOUT_1_5 ||
		file->version == ETL_LAYOUT_2_0) &&
	       file->processors && file->processors <= nr_cpu_ids + evnt_lanes &&
	       file->clock_type == session->clock_type &&
	       file->pointer_size == session->pointer_size &&
	       !(file->log_file_mode & other);
}

static bool buffer_is_sound(const struct evnt_log *log,
			    const struct etl_buffer_header *h)
{
	return h->buffer_size == log->buffer_size &&
	       h->saved_offset >= ETL_BUFFER_HEADER_SIZE &&
	       h->saved_offset <= log->buffer_size &&
	       IS_ALIGNED(h->saved_offset, ETL_ALIGN) &&
	       h->cpu < nr_cpu_ids + evnt_lanes &&
	       h->sequence >= 0 && h->sequence < S64_MAX / 2;
}

/*
 * Count the buffers, and find the highest sequence number and the processors,
 * which the file's header may lack after a crash.  A header of zeros
 * is preallocated space, or a buffer that did not reach the disk.  An
 * incomplete buffer can only be the last one, which is not counted.
 */
static int find_buffers(struct evnt_log *log)
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
		if (!buffer_is_sound(log, &h))
			return -EINVAL;
		evnt_log_header_cover(log->header, h.cpu);
		log->found.buffers = i + 1;
		log->found.sequence = max(log->found.sequence, h.sequence);
	}
	return 0;
}

/**
 * evnt_log_append() - validate a log file and find its end
 * @log: log with a file that is not empty, and the header that the session
 *	would write to an empty one; @log->found is filled in, and the header
 *	counts all processors of the file
 *
 * Return: 0; -EINVAL if the file is not a log, or one that @log cannot
 * continue; -EINTR if the caller is killed; or an error of reading the file.
 */
int evnt_log_append(struct evnt_log *log)
{
	struct beginning b;
	int err;

	if (log->len_before < log->buffer_size)
		return -EINVAL;
	err = evnt_log_read_at(log, &b, sizeof(b), 0);
	if (err)
		return err;
	if (!header_is_sound(&b, log->buffer_size) ||
	    !is_of_same_kind(&b.info, evnt_log_header_info(log->header)))
		return -EINVAL;
	evnt_log_header_cover(log->header, b.info.processors - 1);
	log->found = (struct evnt_found) {
		.buffers = 1,
		.start_time = b.info.start_time,
		.events_lost = b.info.events_lost,
		.buffers_lost = b.info.buffers_lost,
	};
	return find_buffers(log);
}
