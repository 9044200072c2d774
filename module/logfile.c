// SPDX-License-Identifier: GPL-2.0
/*
 * The log file of a session: its header and the buffers behind it.
 *
 * The header is brought up to date after each batch of buffers, so that the
 * file can be read at any time up to its last whole buffer.
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/falloc.h>
#include <linux/file.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/timekeeping.h>

#include "compat/compat.h"
#include "logfile.h"
#include "session.h"

/* The file is written with the rights of who opened it, as acct(2) does */
static int log_write_at(struct evnt_log *log, const void *data, size_t len,
			loff_t pos)
{
	const struct cred *old = override_creds(log->file->f_cred);
	ssize_t n;

	do {
		n = kernel_write(log->file, data, len, &pos);
		if (n > 0) {
			data += n;
			len -= n;
		}
	} while (n > 0 && len);
	revert_creds(old);
	if (n < 0)
		return n;
	return len ? -ENOSPC : 0;
}

static int log_check(struct file *file)
{
	struct inode *inode = file_inode(file);

	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (!S_ISREG(inode->i_mode) || file->f_flags & O_APPEND ||
	    i_size_read(inode))
		return -EINVAL;
	return 0;
}

/**
 * evnt_log_open() - take over the file that a controller passed in
 * @log: zeroed
 * @fd: its descriptor
 *
 * Return: 0 or what EVNTRACE_IOC_START says of its log_fd.
 */
int evnt_log_open(struct evnt_log *log, int fd)
{
	struct file *file = fget(fd);
	int err;

	if (!file)
		return -EBADF;
	err = log_check(file);
	if (err) {
		fput(file);
		return err;
	}
	log->file = file;
	return 0;
}

static s64 filetime(s64 real_ns)
{
	return div_s64(real_ns, 100) + ETL_FILETIME_EPOCH;
}

static struct etl_system_header *log_record(struct evnt_log *log)
{
	return (void *)log->header + ETL_BUFFER_HEADER_SIZE;
}

static struct etl_logfile_header *log_info(struct evnt_log *log)
{
	return (void *)(log_record(log) + 1);
}

static void fill_buffer_header(struct evnt_log *log, struct evnt_session *s)
{
	*(struct etl_buffer_header *)log->header = (struct etl_buffer_header) {
		.buffer_size = log->buffer_size,
		.saved_offset = log->header_len,
		.current_offset = log->header_len,
		.logger_id = evnt_session_id(s),
		.state = ETL_STATE_FLUSH,
		.offset = log->header_len,
		.flag = ETL_FLAG_PROC_INDEX | ETL_FLAG_FLUSH_MARKER,
		.type = ETL_TYPE_HEADER,
	};
}

/* One instant, in the session's clock and as a FILETIME: the base of all */
static void fill_times(struct evnt_log *log, struct evnt_session *s)
{
	struct etl_logfile_header *info = log_info(log);
	s64 real, boot, now;
	unsigned long flags;

	local_irq_save(flags);
	real = ktime_get_real_ns();
	boot = ktime_get_boottime_ns();
	now = evnt_clock(&s->buffers);
	local_irq_restore(flags);

	info->start_time = filetime(real);
	if (s->buffers.clock_type == EVNT_CLOCK_SYSTEM_TIME)
		info->start_time = now;
	info->boot_time = filetime(real - boot);
	log_record(log)->time_stamp = now;
	s->info.start_time = info->start_time;
}

static void fill_info(struct evnt_log *log, struct evnt_session *s,
		      const u8 *time_zone)
{
	struct etl_logfile_header *info = log_info(log);

	*info = (struct etl_logfile_header) {
		.buffer_size = log->buffer_size,
		.version = log->buffer_size > 1024 * 1024 ||
			   s->buffers.nr_cpus > 256 ?
			   ETL_LAYOUT_2_0 : ETL_LAYOUT_1_5,
		.provider_version = ETL_PROVIDER_VERSION,
		.processors = s->buffers.nr_cpus,
		.timer_resolution = ETL_TIMER_RESOLUTION,
		.maximum_file_size = s->info.max_file_size,
		.log_file_mode = s->info.log_file_mode,
		.buffers_written = 1,
		.start_buffers = 1,
		.pointer_size = sizeof(u64),
		.cpu_mhz = evnt_cpu_mhz(),
		.frequency = s->buffers.clock_type == EVNT_CLOCK_QPC ?
			     NSEC_PER_SEC : NSEC_PER_SEC / 100,
		.clock_type = s->buffers.clock_type,
	};
	memcpy(info->time_zone, time_zone, sizeof(info->time_zone));
	fill_times(log, s);
}

static u8 *put_name(u8 *p, const struct evnt_name *name)
{
	memcpy(p, name->text, name->len * sizeof(u16));
	return p + (name->len + 1) * sizeof(u16);
}

static void fill_header(struct evnt_log *log, struct evnt_session *s,
			const u8 *time_zone)
{
	struct etl_system_header *record = log_record(log);
	u8 *end;

	*record = (struct etl_system_header) {
		.version = 2,
		.kind = ETL_RECORD_SYSTEM64,
		.thread_id = task_pid_nr(current),
		.process_id = task_tgid_nr(current),
	};
	fill_info(log, s, time_zone);
	end = put_name((u8 *)(log_info(log) + 1), &s->name);
	end = put_name(end, &s->log_name);
	record->size = end - (u8 *)record;
	log->header_len = ALIGN(end - log->header, ETL_ALIGN);
	fill_buffer_header(log, s);
	memset(log->header + log->header_len, 0xff,
	       log->buffer_size - log->header_len);
}

/* Take the limit over; preallocate the file */
static int log_limit(struct evnt_log *log, const struct evntrace_session *info)
{
	const u32 unit = info->log_file_mode & EVNTRACE_MODE_USE_KBYTES ?
			 SZ_1K : SZ_1M;
	const u64 limit = (u64)info->max_file_size * unit;
	const u64 slots = div_u64(limit, log->buffer_size);
	const struct cred *old;
	int err;

	/* The header, and one more */
	if (limit && slots < 2)
		return -EINVAL;
	log->circular = info->log_file_mode & EVNTRACE_MODE_CIRCULAR;
	if (log->circular || info->log_file_mode & EVNTRACE_MODE_SEQUENTIAL)
		log->slots = slots;
	if (!(info->log_file_mode & EVNTRACE_MODE_PREALLOCATE))
		return 0;
	old = override_creds(log->file->f_cred);
	err = vfs_fallocate(log->file, 0, 0, slots * log->buffer_size);
	revert_creds(old);
	return err;
}

/**
 * evnt_log_header_size() - what the header buffer must have room for, in bytes
 * @s: a session whose names are set
 */
u32 evnt_log_header_size(const struct evnt_session *s)
{
	return ETL_BUFFER_HEADER_SIZE + sizeof(struct etl_system_header) +
	       sizeof(struct etl_logfile_header) + ETL_ALIGN +
	       (s->name.len + s->log_name.len + 2) * sizeof(u16);
}

/**
 * evnt_log_start() - write the header of a new log
 * @log: opened
 * @s: its session, whose buffers are initialised
 * @time_zone: ETL_TIME_ZONE_SIZE bytes
 *
 * Return: 0, -ENOMEM, -EINVAL when its limit is too low, or what preallocating
 * and writing gave.
 */
int evnt_log_start(struct evnt_log *log, struct evnt_session *s,
		   const u8 *time_zone)
{
	int err;

	log->buffer_size = s->buffers.buffer_size;
	err = log_limit(log, &s->info);
	if (err)
		return err;
	log->header = evnt_alloc_pages(log->buffer_size, 0);
	if (!log->header)
		return -ENOMEM;
	fill_header(log, s, time_zone);
	err = log_write_at(log, log->header, log->buffer_size, 0);
	if (!err)
		log->buffers_written = 1;
	return err;
}

/* Where the next buffer goes: in a circle, all but the header's slot are used */
static loff_t next_place(const struct evnt_log *log)
{
	u64 slot = log->buffers_written, last;

	if (log->circular) {
		div64_u64_rem(slot - 1, log->slots - 1, &last);
		slot = 1 + last;
	}
	return slot * log->buffer_size;
}

/**
 * evnt_log_write() - append a buffer
 * @log: the log
 * @buffer: finished
 * @records: how many it holds: what is lost when writing fails
 *
 * What fails leaves no trace: the next buffer goes to the same place.
 */
void evnt_log_write(struct evnt_log *log, const u8 *buffer, u32 records)
{
	int err = -EFBIG;

	if (!evnt_log_full(log))
		err = log_write_at(log, buffer, log->buffer_size,
				   next_place(log));
	if (!err) {
		WRITE_ONCE(log->buffers_written, log->buffers_written + 1);
		return;
	}
	WRITE_ONCE(log->error, -err);
	WRITE_ONCE(log->buffers_lost, log->buffers_lost + 1);
	WRITE_ONCE(log->events_lost, log->events_lost + records);
}

static u32 clamp_u32(u64 value)
{
	return min_t(u64, value, U32_MAX);
}

/**
 * evnt_log_update() - bring the header in the file up to date
 * @log: the log
 * @events_lost: by the session so far, those in lost buffers not counted
 */
void evnt_log_update(struct evnt_log *log, u64 events_lost)
{
	struct etl_logfile_header *info = log_info(log);
	int err;

	info->buffers_written = clamp_u32(evnt_log_buffers(log));
	info->buffers_lost = clamp_u32(log->buffers_lost);
	info->events_lost = clamp_u32(events_lost + log->events_lost);
	err = log_write_at(log, log->header, log->header_len, 0);
	if (err)
		WRITE_ONCE(log->error, -err);
}

/* Cut off what lies behind @size */
static void log_truncate(struct evnt_log *log, loff_t size)
{
	const struct cred *old;

	if (i_size_read(file_inode(log->file)) <= size)
		return;
	old = override_creds(log->file->f_cred);
	if (vfs_truncate(&log->file->f_path, size))
		pr_warn_ratelimited("log file cannot be cut to its length\n");
	revert_creds(old);
}

/**
 * evnt_log_finish() - the session ends: say so in the header
 * @log: the log
 * @events_lost: by the session, those in lost buffers not counted
 */
void evnt_log_finish(struct evnt_log *log, u64 events_lost)
{
	log_info(log)->end_time = filetime(ktime_get_real_ns());
	evnt_log_update(log, events_lost);
	/* A failed write may have left something behind the last buffer */
	log_truncate(log, evnt_log_length(log));
}

/**
 * evnt_log_abandon() - there is no session, so there is no log of it
 * @log: opened; its file is empty again, as it was
 */
void evnt_log_abandon(struct evnt_log *log)
{
	log_truncate(log, 0);
}

/* Give the file back; also of a log that was never opened */
void evnt_log_close(struct evnt_log *log)
{
	if (log->file)
		fput(log->file);
	evnt_free_pages(log->header);
}
