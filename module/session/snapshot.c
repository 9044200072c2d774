// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: writing the buffers that a session keeps to a file while it runs.
 *
 * A snapshot contains all that the session recorded between two instants: it
 * has no gap, whichever CPUs wrote.  It ends at a mark, taken after a flush:
 * all older events are in the backlog by then.  It begins after the newest
 * event that the backlog has dropped.
 *
 * That beginning advances while buffers are written, since writers of events do
 * not wait for a snapshot.  The newest buffer is therefore written first, at
 * the end of the file, and each older one in front of it, until the next one
 * has been dropped.  The newest ones, half of what may be kept, are held from
 * the start, so that they reach the file however slow it is.  At that point the
 * beginning is known.  Events before it are cut off the buffers that reach
 * further back, because a CPU that wrote little had them open at that time.
 * Finally the rest is moved up to the header, so that the file is like any
 * other: oldest buffer first, without a hole.
 *
 * System time may be set back: then later events can have earlier times.  The
 * snapshot of a session with that clock therefore consists of whole buffers,
 * and may at its ends contain events of some CPUs and lack events of others.
 *
 * A session with events of the kernel gets a rundown at the end of the file.  It
 * is taken before the flush: processes that end later do so within the snapshot.
 *
 * All other buffers are held only while they are copied.  The file is not
 * trusted when it is read back, as other processes may write to it.
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "module/session/rundown.h"

/**
 * struct snapshot - a snapshot in progress
 * @session: session
 * @log: log file of the snapshot
 * @kept: newest buffers, newest first, held from the start
 * @room: capacity of @kept
 * @held: number of elements of @kept
 * @used: number of elements of @kept that were written and released
 * @head: position in the backlog behind the newest buffer
 * @copy: copy of the current buffer
 * @extents: extents of the buffers in the file, by slot
 * @slots: last slot, which is for the newest buffer
 * @oldest: lowest slot written so far
 * @after: only later events are included
 * @until: only events up to this time are included
 * @events: number of events in the file
 * @rundown: rundown of the file
 */
struct snapshot {
	struct evnt_session *session;
	struct evnt_log log;
	struct evnt_kept *kept;
	u32 room;
	u32 held;
	u32 used;
	u64 head;
	u8 *copy;
	struct evnt_extent *extents;
	u64 slots;
	u64 oldest;
	s64 after;
	s64 until;
	u64 events;
	struct evnt_rundown rundown;
};

/* Return whether later events always have later times */
static bool has_steady_clock(const struct snapshot *sn)
{
	return sn->session->buffers.clock_type == EVNT_CLOCK_QPC;
}

/* Write a buffer to a slot of the file; slot 0 is the header */
static int put(struct snapshot *sn, u64 slot, const u8 *buffer)
{
	return evnt_log_write_at(&sn->log, buffer, sn->log.buffer_size,
				 slot * sn->log.buffer_size);
}

/* Copy the next held buffer, or the one at @at; false if that was dropped */
static bool copy_buffer(struct snapshot *sn, u64 at, struct evnt_kept *kept)
{
	struct evnt_session *s = sn->session;

	if (sn->used < sn->held)
		*kept = sn->kept[sn->used++];
	else if (!evnt_backlog_hold(&s->backlog, at, kept))
		return false;
	memcpy(sn->copy, s->buffers.buffers[kept->index].data,
	       s->buffers.buffer_size);
	evnt_backlog_release(&s->backlog, kept->index);
	return true;
}

/*
 * Write the copy in front of the buffers written so far, unless all of its
 * events are too new
 */
static int put_copy(struct snapshot *sn, const struct evnt_kept *kept)
{
	struct evnt_extent *extent = &sn->extents[sn->oldest - 1];

	if (kept->extent.first > sn->until)
		return 0;
	*extent = kept->extent;
	if (extent->last > sn->until) {
		evnt_buffer_cut(sn->copy, S64_MIN, sn->until);
		*extent = evnt_buffer_extent(sn->copy);
	}
	return put(sn, --sn->oldest, sn->copy);
}

static int check_signals(void)
{
	cond_resched();
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/*
 * Write the buffers from position @at down to @end, or to the oldest one that
 * is still kept, which determines @after.  There is a slot for each; a buffer
 * that is too new uses none, so the lowest slots may remain free.
 */
static int put_all(struct snapshot *sn, u64 at, u64 end)
{
	struct evnt_kept kept;
	int err = 0;

	while (!err && at > end && copy_buffer(sn, --at, &kept)) {
		if (has_steady_clock(sn))
			sn->after = kept.until;
		err = put_copy(sn, &kept);
		if (!err)
			err = check_signals();
	}
	return err;
}

/* Move a buffer to a lower slot, without events that are too old */
static int move_up(struct snapshot *sn, u64 from, u64 *to)
{
	struct evnt_extent *extent = &sn->extents[from];
	int err;

	err = evnt_log_read_at(&sn->log, sn->copy, sn->log.buffer_size,
			       from * sn->log.buffer_size);
	if (err)
		return err;
	if (extent->first <= sn->after) {
		if (!evnt_buffer_is_sound(sn->copy, sn->log.buffer_size))
			return -EIO;
		if (!evnt_buffer_cut(sn->copy, sn->after, S64_MAX))
			return 0;
		*extent = evnt_buffer_extent(sn->copy);
	}
	sn->events += extent->records;
	return put(sn, (*to)++, sn->copy);
}

/* Move all buffers up to the header, without holes */
static int close_up(struct snapshot *sn)
{
	u64 from, to = 1;
	int err = 0;

	for (from = sn->oldest; from <= sn->slots && !err; from++) {
		if (from == to && sn->extents[from].first > sn->after) {
			sn->events += sn->extents[from].records;
			to++;
			continue;
		}
		err = move_up(sn, from, &to);
		if (!err)
			err = check_signals();
	}
	sn->log.buffers_written = to;
	return err;
}

/* Write the rundown behind all events */
static int put_rundown(struct snapshot *sn)
{
	const struct evnt_buffers *b = &sn->session->buffers;
	const s64 time = min(sn->until, evnt_clock(b));
	const u8 *data;
	int err = 0;
	u32 i;

	for (i = 0; i < sn->rundown.count && !err; i++) {
		data = evnt_rundown_finish(&sn->rundown, i, time,
					   atomic64_read(&b->sequence));
		sn->events += evnt_buffer_extent(data).records;
		err = put(sn, sn->log.buffers_written++, data);
		if (!err)
			err = check_signals();
	}
	return err;
}

static int alloc(struct snapshot *sn)
{
	const struct evnt_backlog *bl = &sn->session->backlog;
	/* Capacity of the backlog, and one for the header */
	const u32 count = bl->capacity + 1;

	sn->room = (sn->session->base_buffers - bl->reserve) / 2;
	sn->kept = evnt_alloc(sn->room * sizeof(*sn->kept));
	sn->extents = evnt_alloc(count * sizeof(*sn->extents));
	sn->copy = evnt_alloc_pages(sn->log.buffer_size, 0);
	return sn->kept && sn->extents && sn->copy ? 0 : -ENOMEM;
}

/*
 * Take the rundown, flush, and hold the newest buffers, newest first: the oldest
 * may be evicted first.  Events up to the mark of the backlog are included.
 */
static int hold_newest(struct snapshot *sn)
{
	struct evnt_backlog *bl = &sn->session->backlog;
	u64 at;
	int err;

	evnt_rundown_take(&sn->rundown, sn->session, U64_MAX, true);
	err = evnt_writer_flush(sn->session);
	if (err)
		return err;
	sn->head = evnt_backlog_head(bl, &sn->until);
	if (!has_steady_clock(sn))
		sn->until = S64_MAX;
	at = sn->head;
	while (sn->held < sn->room &&
	       evnt_backlog_hold(bl, --at, &sn->kept[sn->held])) {
		sn->held++;
		cond_resched();
	}
	return 0;
}

/* Write the held buffers, and the older ones in the backlog */
static int put_kept(struct snapshot *sn)
{
	struct evnt_backlog *bl = &sn->session->backlog;
	u64 oldest = min(sn->head - sn->held, READ_ONCE(bl->tail));
	int err;

	sn->after = S64_MIN;
	sn->slots = sn->head - oldest;
	sn->oldest = sn->slots + 1;
	err = put_all(sn, sn->head, oldest);
	/* Release the held buffers that were not written */
	while (sn->used < sn->held)
		evnt_backlog_release(bl, sn->kept[sn->used++].index);
	return err;
}

static int start(struct snapshot *sn, const struct evntrace_snapshot *arg)
{
	u8 time_zone[ETL_TIME_ZONE_SIZE] = {};

	if (!(sn->log.file->f_mode & FMODE_READ))
		return -EBADF;
	if (arg->time_zone && copy_from_user(time_zone,
					     u64_to_user_ptr(arg->time_zone),
					     sizeof(time_zone)))
		return -EFAULT;
	return evnt_log_start_snapshot(&sn->log, sn->session, time_zone);
}

/* Take a snapshot; on any failure the file is left empty */
static int take_snapshot(struct snapshot *sn, struct evntrace_snapshot *arg)
{
	int err;

	err = evnt_log_open(&sn->log, evnt_session_mode(sn->session),
			    arg->log_fd, arg->log_name, arg->log_name_len, 0);
	if (!err)
		err = start(sn, arg);
	if (!err)
		err = alloc(sn);
	if (!err)
		err = hold_newest(sn);
	if (!err)
		err = put_kept(sn);
	if (!err)
		err = close_up(sn);
	if (!err)
		err = put_rundown(sn);
	if (!err) {
		evnt_log_finish(&sn->log,
				evnt_buffers_lost(&sn->session->buffers));
		err = -sn->log.error;
	}
	if (err)
		evnt_log_abandon(&sn->log);
	arg->buffers = sn->log.buffers_written;
	arg->events = sn->events;
	evnt_log_destroy(&sn->log);
	evnt_rundown_free(&sn->rundown);
	evnt_free_pages(sn->copy);
	evnt_free(sn->extents);
	evnt_free(sn->kept);
	return err;
}

/**
 * evnt_snapshot() - EVNTRACE_IOC_SNAPSHOT
 * @s: session
 * @arg: ioctl argument
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_SNAPSHOT.
 */
int evnt_snapshot(struct evnt_session *s, struct evntrace_snapshot *arg)
{
	struct snapshot *sn;
	int err = -ENOMEM;

	if (!(evnt_session_mode(s) & EVNT_KEEPING))
		return -EOPNOTSUPP;
	if (mutex_lock_killable(&s->snapshot_lock))
		return -EINTR;
	sn = kzalloc(sizeof(*sn), GFP_KERNEL_ACCOUNT);
	if (sn) {
		sn->session = s;
		err = take_snapshot(sn, arg);
	}
	kfree(sn);
	mutex_unlock(&s->snapshot_lock);
	return err;
}
