// SPDX-License-Identifier: GPL-2.0
/*
 * The log file of a session: a header, followed by buffers.
 *
 * The header is updated after each batch of buffers, so that the file can be
 * read at any time up to the last complete buffer.
 */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/falloc.h>
#include <linux/file.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/timekeeping.h>

#include "module/compat/compat.h"
#include "core/log_header.h"
#include "module/session/log.h"
#include "module/session/session.h"

/* Read or write with the credentials of the opener, as acct(2) does */
static int transfer(struct evnt_log *log, void *data, size_t len, loff_t pos,
		    bool is_write)
{
	const struct cred *old = override_creds(log->file->f_cred);
	ssize_t n;

	do {
		n = is_write ? kernel_write(log->file, data, len, &pos) :
			       kernel_read(log->file, data, len, &pos);
		if (n > 0) {
			data += n;
			len -= n;
		}
	} while (n > 0 && len);
	revert_creds(old);
	if (n < 0)
		return n;
	return len ? is_write ? -ENOSPC : -EIO : 0;
}

/**
 * evnt_log_write_at() - write to a log
 * @log: log
 * @data: data
 * @len: number of bytes
 * @pos: offset in the file
 *
 * Return: 0, -EFBIG beyond the limit of the log's length, -ENOSPC, or the error
 * of kernel_write().
 */
int evnt_log_write_at(struct evnt_log *log, const void *data, size_t len,
		      loff_t pos)
{
	/* The writer thread has no RLIMIT_FSIZE of its own */
	if (pos + len > log->max_len)
		return -EFBIG;
	return transfer(log, (void *)data, len, pos, true);
}

/**
 * evnt_log_read_at() - read from a log
 * @log: log, also opened for reading
 * @data: filled in; untrusted, as others may have modified the file
 * @len: number of bytes
 * @pos: offset in the file
 *
 * Return: 0, -EIO if the file ends before, or the error of kernel_read().
 */
int evnt_log_read_at(struct evnt_log *log, void *data, size_t len, loff_t pos)
{
	return transfer(log, data, len, pos, false);
}

static int log_check(struct file *file, bool append)
{
	const fmode_t access = FMODE_WRITE | (append ? FMODE_READ : 0);
	struct inode *inode = file_inode(file);

	if ((file->f_mode & access) != access)
		return -EBADF;
	if (!S_ISREG(inode->i_mode) || file->f_flags & O_APPEND ||
	    (i_size_read(inode) && !append))
		return -EINVAL;
	return 0;
}

/**
 * evnt_log_init() - initialise a log without a file
 * @log: zeroed log
 * @mode: EVNTRACE_MODE_*
 * @name: user address of the name, for the header and for queries
 * @name_len: length of the name
 *
 * Return: 0, -EINVAL, -EFAULT or -ENOMEM.
 */
int evnt_log_init(struct evnt_log *log, u32 mode, u64 name, u32 name_len)
{
	log->mode = mode;
	log->name = evnt_name_from_user(name, name_len);
	return PTR_ERR_OR_ZERO(log->name);
}

/*
 * Open the file again, for the exclusive use of the log: later changes of flags
 * of the controller's descriptor, such as O_APPEND, must not affect the log.
 * The rights are those with which the file was opened.
 */
static struct file *open_again(const struct file *given)
{
	const int flags = READ_ONCE(given->f_flags) & (O_ACCMODE | O_SYNC);

	return dentry_open(&given->f_path, flags | O_LARGEFILE, given->f_cred);
}

/**
 * evnt_log_open_file() - open the file of a log again
 * @log: zeroed log, except for its name
 * @mode: EVNTRACE_MODE_*; a file that is not empty requires APPEND
 * @fd: file descriptor
 *
 * Return: 0 or a negative errno, as documented for log_fd of
 * EVNTRACE_IOC_START.
 */
int evnt_log_open_file(struct evnt_log *log, u32 mode, int fd)
{
	struct file *file;
	int err;

	log->given = fget(fd);
	if (!log->given)
		return -EBADF;
	err = log_check(log->given, mode & EVNTRACE_MODE_APPEND);
	if (err)
		return err;
	file = open_again(log->given);
	if (IS_ERR(file))
		return PTR_ERR(file);
	log->file = file;
	log->max_len = rlimit(RLIMIT_FSIZE);
	log->len_before = i_size_read(file_inode(file));
	return 0;
}

/**
 * evnt_log_open() - open the file, and create the series, of a controller
 * @log: zeroed log
 * @mode: as for evnt_log_open_file()
 * @fd: file descriptor
 * @name: user address of the name
 * @name_len: length of the name
 * @series: user address of a struct evntrace_newfile, or 0
 *
 * After an error, the log may only be abandoned and destroyed.
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_START.
 */
int evnt_log_open(struct evnt_log *log, u32 mode, int fd, u64 name,
		  u32 name_len, u64 series)
{
	int err = evnt_log_init(log, mode, name, name_len);

	if (!err)
		err = evnt_log_open_file(log, mode, fd);
	if (err || !series)
		return err;
	log->series = evnt_newfile_create(series, log);
	return PTR_ERR_OR_ZERO(log->series);
}

static struct etl_system_header *log_record(struct evnt_log *log)
{
	return evnt_log_header_record(log->header);
}

static struct etl_logfile_header *log_info(struct evnt_log *log)
{
	return evnt_log_header_info(log->header);
}

/* Record changed modes of the session in the header */
void evnt_log_set_mode(struct evnt_log *log, u32 mode)
{
	log->mode = mode;
	log_info(log)->log_file_mode = mode;
}

static void fill_header(struct evnt_log *log, const struct evnt_session *s,
			const u8 *time_zone)
{
	struct evnt_log_header h = {
		.buffer_size = log->buffer_size,
		/* As in Windows: not those that could be added later */
		.processors = cpumask_last(cpu_present_mask) + 1,
		.max_file_size = s->info.max_file_size,
		.mode = log->mode,
		.cpu_mhz = evnt_cpu_mhz(),
		.thread_id = task_pid_nr(current),
		.process_id = task_tgid_nr(current),
		.logger_id = evnt_session_id(s),
		.clock_type = s->buffers.clock_type,
		.time_zone = time_zone,
		.name = s->name->text,
		.log_name = log->name->text,
		.name_len = s->name->len,
		.log_name_len = log->name->len,
	};
	unsigned long flags;

	/* Read all clocks at the same instant */
	local_irq_save(flags);
	h.real_ns = ktime_get_real_ns();
	h.boot_ns = ktime_get_boottime_ns();
	h.now = evnt_clock(&s->buffers);
	local_irq_restore(flags);
	log->header_len = evnt_log_header_put(log->header, &h);
}

/*
 * Construct the header; fails if it does not fit into a buffer of the session
 */
static int make_header(struct evnt_log *log, const struct evnt_session *s,
		       const u8 *time_zone)
{
	log->buffer_size = s->buffers.buffer_size;
	if (evnt_log_header_size(s->name->len, log->name->len) >
	    log->buffer_size)
		return -ENAMETOOLONG;
	log->header = evnt_alloc_pages(log->buffer_size, 0);
	if (!log->header)
		return -ENOMEM;
	fill_header(log, s, time_zone);
	return 0;
}

/* Apply the size limit, and preallocate the file if requested */
static int log_limit(struct evnt_log *log, const struct evnt_session *s)
{
	const u32 unit = log->mode & EVNTRACE_MODE_USE_KBYTES ? SZ_1K : SZ_1M;
	const u64 limit = (u64)s->info.max_file_size * unit;
	const u64 slots = div_u64(limit, log->buffer_size);
	const struct cred *old;
	int err;

	/* Room for the header and for at least one more buffer */
	if (limit && slots < 2)
		return -EINVAL;
	if (limit && slots <= log->found.buffers)
		return -EFBIG;
	log->circular = log->mode & EVNTRACE_MODE_CIRCULAR;
	if (log->mode & (EVNTRACE_MODE_SEQUENTIAL | EVNTRACE_MODE_CIRCULAR |
			 EVNTRACE_MODE_APPEND | EVNTRACE_MODE_NEWFILE))
		log->slots = slots;
	if (log->circular) {
		evnt_circular_init(&log->circle, slots - 1,
				   max(4 * num_online_cpus(),
				       s->buffers.nr_buffers));
		log->copy = evnt_alloc_pages(log->buffer_size, 0);
		if (!log->copy)
			return -ENOMEM;
	}
	if (!(log->mode & EVNTRACE_MODE_PREALLOCATE))
		return 0;
	if (slots * log->buffer_size > log->max_len)
		return -EFBIG;
	old = override_creds(log->file->f_cred);
	err = vfs_fallocate(log->file, 0, 0, slots * log->buffer_size);
	revert_creds(old);
	return err;
}

/* Set the start of the log back to @since, a time in the session's clock */
static void begin_at(struct evnt_log *log, s64 since)
{
	struct etl_logfile_header *info = log_info(log);
	s64 ago = log_record(log)->time_stamp - since;

	if (ago <= 0)
		return;
	if (info->clock_type == EVNT_CLOCK_QPC)
		ago = div_s64(ago, 100);
	log_record(log)->time_stamp = since;
	info->start_time -= ago;
}

/**
 * evnt_log_start() - start a log
 * @log: opened log
 * @s: session of the log, with its buffers initialised
 * @time_zone: ETL_TIME_ZONE_SIZE bytes
 * @since: no record of the log is older, in the session's clock; S64_MAX: now
 *
 * Return: 0, -ENOMEM, -ENAMETOOLONG if the header does not fit into a buffer,
 * -EINVAL if the limit is too low, or an error of preallocating or writing the
 * file.
 */
int evnt_log_start(struct evnt_log *log, const struct evnt_session *s,
		   const u8 *time_zone, s64 since)
{
	int err;

	err = make_header(log, s, time_zone);
	if (err)
		return err;
	begin_at(log, since);
	log->started = log_info(log)->start_time;
	if (log->len_before)
		err = evnt_log_append(log);
	if (!err)
		err = log_limit(log, s);
	if (err || !log->file)
		return err;
	if (log->found.buffers) {
		/*
		 * Continue the file at its end.  Its header is not written
		 * until the first update.  It is then the header of this
		 * session, including what was found in the file.
		 */
		log->buffers_written = log->found.buffers;
		log_info(log)->start_time = log->found.start_time;
		/* Sessions that append use the system time as their clock */
		log_record(log)->time_stamp = log->found.start_time;
		return 0;
	}
	err = evnt_log_write_at(log, log->header, log->buffer_size, 0);
	if (!err)
		log->buffers_written = 1;
	return err;
}

/**
 * evnt_log_follow() - start the next log of a series
 * @log: zeroed log
 * @last: previous log, from which the series is taken over
 * @s: session of both logs
 * @since: no record of the new log is older
 *
 * Return: 0, or an error of opening or starting the log.  On failure, @last
 * keeps the series, and the same file will be tried again next time.
 */
int evnt_log_follow(struct evnt_log *log, struct evnt_log *last,
		    const struct evnt_session *s, s64 since)
{
	int err;

	log->mode = last->mode;
	log->max_len = last->max_len;
	err = evnt_newfile_open(last->series, log);
	if (err)
		return err;
	err = evnt_log_start(log, s, log_info(last)->time_zone, since);
	if (err) {
		evnt_log_abandon(log);
		return err;
	}
	swap(log->series, last->series);
	evnt_newfile_opened(log->series);
	return 0;
}

/**
 * evnt_log_start_snapshot() - start a log for a snapshot
 * @log: log, also opened for reading
 * @s: session of the log
 * @time_zone: ETL_TIME_ZONE_SIZE bytes
 *
 * Return: 0, -ENOMEM, -ENAMETOOLONG if the header does not fit into a buffer,
 * or an error of writing the file.
 */
int evnt_log_start_snapshot(struct evnt_log *log, const struct evnt_session *s,
			    const u8 *time_zone)
{
	struct evnt_log first = { .header = s->header };
	int err;

	err = make_header(log, s, time_zone);
	if (err)
		return err;
	/* Copy the start of the session's first log */
	log_record(log)->time_stamp = log_record(&first)->time_stamp;
	log_info(log)->boot_time = log_info(&first)->boot_time;
	log_info(log)->start_time = log_info(&first)->start_time;
	log->buffers_written = 1;
	return evnt_log_write_at(log, log->header, log->buffer_size, 0);
}

/*
 * Return the offset of a buffer in a circular log; slot 0 contains the header
 */
static loff_t circle_place(const struct evnt_log *log, u64 buffer)
{
	u64 slot;

	div64_u64_rem(buffer, log->slots - 1, &slot);
	return (1 + slot) * log->buffer_size;
}

/* Make a buffer of a circular log empty */
static int put_empty(struct evnt_log *log, u64 buffer)
{
	const struct etl_buffer_header *header = (void *)log->header;
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

	return evnt_log_write_at(log, &empty, sizeof(empty),
				 circle_place(log, buffer));
}

/*
 * Make the buffers of a circular log that are overwritten next empty.  Here and
 * in put_buffer(), a concurrent reader of the file always finds complete
 * buffers: only headers are overwritten here, so a reader that has already read
 * the old header also finds its records.
 */
static int give_way(struct evnt_log *log)
{
	const u64 count = evnt_circular_giving_way(&log->circle);
	u64 i;
	int err;

	for (i = 0; i < count; i++) {
		err = put_empty(log, log->circle.tail + i);
		if (err)
			return err;
		cond_resched();
	}
	evnt_circular_give_way(&log->circle, count);
	return 0;
}

/*
 * If the slot already contains data, including zeroes, write the header last,
 * as it makes the contents valid.
 */
static int put_buffer(struct evnt_log *log, const u8 *buffer, loff_t pos)
{
	u32 first = 0;
	int err;

	evnt_log_header_cover(log->header,
			      ((const struct etl_buffer_header *)buffer)->cpu);
	if (pos < i_size_read(file_inode(log->file)))
		first = ETL_BUFFER_HEADER_SIZE;
	err = evnt_log_write_at(log, buffer + first, log->buffer_size - first,
				pos + first);
	if (!err && first)
		err = evnt_log_write_at(log, buffer, first, pos);
	return err;
}

/* Write a buffer to a circular log; @place: see struct evnt_buffer */
static int put_in_circle(struct evnt_log *log, const u8 *buffer, u64 *place)
{
	struct evnt_circular *c = &log->circle;
	const u64 old = *place;
	int err;

	if (evnt_circular_keeps(c, old))
		return put_buffer(log, buffer, circle_place(log, old - 1));
	err = give_way(log);
	if (!err)
		err = put_buffer(log, buffer, circle_place(log, c->head));
	if (err)
		return err;
	*place = ++c->head;
	WRITE_ONCE(log->buffers_written, log->buffers_written + 1);
	return old > c->tail ? put_empty(log, old - 1) : 0;
}

static int append(struct evnt_log *log, const u8 *buffer)
{
	int err;

	if (evnt_log_full(log))
		return -EFBIG;
	err = put_buffer(log, buffer, log->buffers_written * log->buffer_size);
	if (!err)
		WRITE_ONCE(log->buffers_written, log->buffers_written + 1);
	return err;
}

/**
 * evnt_log_save() - write a copy of a buffer to a circular log
 * @log: circular log
 * @buffer: copy, in final form
 * @place: place of the buffer, which later copies and evnt_log_write() use
 */
void evnt_log_save(struct evnt_log *log, const u8 *buffer, u64 *place)
{
	int err = put_in_circle(log, buffer, place);

	if (err)
		WRITE_ONCE(log->error, -err);
}

/* Make a buffer that was saved empty, as another log will contain it */
void evnt_log_unsave(struct evnt_log *log, u64 place)
{
	if (place > log->circle.tail)
		put_empty(log, place - 1);
}

/**
 * evnt_log_write() - append a buffer
 * @log: log
 * @buffer: finished buffer
 * @place: place of its copy in a circular log, or 0
 * @records: number of records, counted as lost if writing fails
 *
 * After a failure, the next buffer is written to the same position.
 */
void evnt_log_write(struct evnt_log *log, const u8 *buffer, u64 place,
		    u32 records)
{
	int err;

	if (!log->file)
		return;
	err = log->circular ? put_in_circle(log, buffer, &place) :
			      append(log, buffer);
	if (!err)
		return;
	WRITE_ONCE(log->error, -err);
	WRITE_ONCE(log->buffers_lost, log->buffers_lost + 1);
	WRITE_ONCE(log->events_lost, log->events_lost + records);
}

static u32 clamp_u32(u64 value)
{
	return min_t(u64, value, U32_MAX);
}

/**
 * evnt_log_update() - update the header in the file
 * @log: log
 * @events_lost: events lost by the session so far, except those in lost buffers
 */
void evnt_log_update(struct evnt_log *log, u64 events_lost)
{
	struct etl_logfile_header *info = log_info(log);
	int err;

	info->buffers_written = clamp_u32(evnt_log_buffers(log));
	info->buffers_lost = clamp_u32(log->found.buffers_lost +
				       log->buffers_lost);
	info->events_lost = clamp_u32(log->found.events_lost + events_lost -
				      log->lost_before + log->events_lost);
	if (!log->file)
		return;
	err = evnt_log_write_at(log, log->header, log->header_len, 0);
	if (err)
		WRITE_ONCE(log->error, -err);
}

/* Truncate the file to @size */
static void log_truncate(struct evnt_log *log, loff_t size)
{
	const struct cred *old;

	if (!log->file || i_size_read(file_inode(log->file)) <= size)
		return;
	old = override_creds(log->file->f_cred);
	if (vfs_truncate(&log->file->f_path, size))
		pr_warn_ratelimited("log file cannot be cut to its length\n");
	revert_creds(old);
}

/**
 * evnt_log_finish() - record the end of the session in the header
 * @log: log
 * @events_lost: events lost by the session, except those in lost buffers
 */
void evnt_log_finish(struct evnt_log *log, u64 events_lost)
{
	log_info(log)->end_time = evnt_filetime(ktime_get_real_ns());
	evnt_log_update(log, events_lost);
	/* A failed write may have left data behind the last buffer */
	log_truncate(log, evnt_log_length(log));
}

/**
 * evnt_log_abandon() - undo a log that was opened but cannot be used
 * @log: log; its file, if any, is truncated to its original length
 */
void evnt_log_abandon(struct evnt_log *log)
{
	log_truncate(log, log->len_before);
}

/*
 * Close a file.  The final fput() of a kernel thread is normally deferred to a
 * workqueue.  As closing may block for long, depending on the file system, a
 * session's thread closes it synchronously, so as not to stall the shared
 * workqueue.
 */
static void close_file(struct file *file)
{
	if (!file)
		return;
	if (current->flags & PF_KTHREAD)
		__fput_sync(file);
	else
		fput(file);
}

/**
 * evnt_log_close() - close the file, if any, and the rest of the series
 * @log: log
 *
 * The header stays allocated for consumers that have mapped it.
 */
void evnt_log_close(struct evnt_log *log)
{
	close_file(log->file);
	close_file(log->given);
	evnt_newfile_destroy(log->series);
	log->file = NULL;
	log->given = NULL;
	log->series = NULL;
}

/* Close a log, unless it is closed or was never opened, and free its memory */
void evnt_log_destroy(struct evnt_log *log)
{
	evnt_log_close(log);
	evnt_free_pages(log->header);
	evnt_free_pages(log->copy);
	evnt_name_put(log->name);
}

/* Close and free an allocated log; @log may be NULL */
void evnt_log_free(struct evnt_log *log)
{
	if (!log)
		return;
	evnt_log_destroy(log);
	kfree(log);
}
