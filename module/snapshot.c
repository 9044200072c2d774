// SPDX-License-Identifier: GPL-2.0
/*
 * Writing what a session keeps in memory to a file, while it goes on.
 *
 * A snapshot is what the session got between two instants: so it has no gap, for
 * whoever wrote on whatever CPUs.  It ends where a mark says that all that is
 * older is in the backlog, after a flush.  It begins after the newest event that
 * the backlog has let go.
 *
 * That moves on while buffers are written, as nobody waits for it.  So the newest
 * goes first, at the end of the file, each older one in front of it, until the
 * next has gone.  The newest ones, half of what there may be, are held from the
 * beginning: however slow the file is, they are in it.  Then it is known where
 * the snapshot begins.  What is older is cut off the buffers that reach further
 * back: those that CPUs which wrote little had open at that time.  The rest
 * closes up to the header, so that the file is like any other: oldest first,
 * without a hole.
 *
 * System time goes back when it is set: then events that came later are not those
 * with later times.  So the snapshot of a session with that clock is of whole buffers,
 * and may lack events of some CPUs at its ends that it has of others.
 *
 * Other buffers are held as long as it takes to copy one.  The file is not
 * trusted when it is read back: others may write to it.
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "snapshot.h"
#include "writer.h"

/**
 * struct snapshot - one snapshot in the making
 * @session: of which
 * @log: the file
 * @pin: buffers that are held, and still to be written
 * @copy: a buffer
 * @extents: of the buffers in the file, by slot
 * @slots: the last slot: that of the newest buffer
 * @oldest: the slot of the oldest that was written
 * @after: only events after this time
 * @until: only events up to this time
 * @events: in the file
 */
struct snapshot {
	struct evnt_session *session;
	struct evnt_log log;
	struct evnt_pin pin;
	u8 *copy;
	struct evnt_extent *extents;
	u64 slots;
	u64 oldest;
	s64 after;
	s64 until;
	u64 events;
};

/* Whether an event with a later time came later */
static bool has_steady_clock(const struct snapshot *sn)
{
	return sn->session->buffers.clock_type == EVNT_CLOCK_QPC;
}

/* Copy a buffer of the backlog; false when it has gone */
static bool copy_buffer(struct snapshot *sn, u64 at, struct evnt_kept *kept)
{
	struct evnt_session *s = sn->session;

	if (sn->pin.count)
		*kept = sn->pin.kept[--sn->pin.count];
	else if (!evnt_backlog_hold(&s->backlog, at, kept))
		return false;
	memcpy(sn->copy, s->buffers.buffers[kept->index].data,
	       s->buffers.buffer_size);
	evnt_backlog_release(&s->backlog, kept->index);
	return true;
}

/* Write the copy in front of what is there, if there is anything in it for us */
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
	return evnt_log_put(&sn->log, --sn->oldest, sn->copy);
}

static int check_signals(void)
{
	cond_resched();
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/*
 * From position @at down to @end, or to the oldest that is there still; that one
 * sets @after.  There are slots for all of them, and some may remain: buffers
 * that are too new have none.
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

/* Move a buffer to a slot in front of it, without what is too old */
static int move_up(struct snapshot *sn, u64 from, u64 *to)
{
	struct evnt_extent *extent = &sn->extents[from];
	int err;

	err = evnt_log_get(&sn->log, from, sn->copy);
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
	return evnt_log_put(&sn->log, (*to)++, sn->copy);
}

/* Close up to the header */
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

static int alloc(struct snapshot *sn)
{
	const struct evnt_backlog *bl = &sn->session->backlog;
	/* As many as there may be in the backlog, and the header */
	const u32 count = bl->capacity + 1;

	sn->pin.room = (sn->session->base_buffers - bl->reserve) / 2;
	sn->pin.kept = evnt_alloc(sn->pin.room * sizeof(*sn->pin.kept));
	sn->extents = evnt_alloc(count * sizeof(*sn->extents));
	sn->copy = evnt_alloc_pages(sn->log.buffer_size, 0);
	return sn->pin.kept && sn->extents && sn->copy ? 0 : -ENOMEM;
}

/* Whatever was not written of what is held */
static void unpin(struct snapshot *sn)
{
	struct evnt_pin *pin = &sn->pin;

	while (pin->count)
		evnt_backlog_release(&sn->session->backlog,
				     pin->kept[--pin->count].index);
}

/* Write what is held, and what there is before it */
static int put_pinned(struct snapshot *sn)
{
	u64 oldest = sn->pin.head - sn->pin.count;
	int err;

	sn->after = S64_MIN;
	sn->until = has_steady_clock(sn) ? sn->pin.mark : S64_MAX;
	oldest = min(oldest, evnt_backlog_tail(&sn->session->backlog));
	sn->slots = sn->pin.head - oldest;
	sn->oldest = sn->slots + 1;
	err = put_all(sn, sn->pin.head, oldest);
	unpin(sn);
	return err;
}

static int write_file(struct snapshot *sn)
{
	int err;

	err = alloc(sn);
	if (!err)
		err = evnt_writer_pin(sn->session, &sn->pin);
	if (!err)
		err = put_pinned(sn);
	if (!err)
		err = close_up(sn);
	if (!err)
		evnt_log_finish(&sn->log,
				evnt_buffers_lost(&sn->session->buffers));
	return err ?: -sn->log.error;
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

/* Whatever fails, the file is empty again */
static int take_snapshot(struct snapshot *sn, struct evntrace_snapshot *arg)
{
	int err;

	err = evnt_log_open(&sn->log, evnt_session_mode(sn->session),
			    arg->log_fd, arg->log_name, arg->log_name_len);
	if (!err)
		err = start(sn, arg);
	if (!err)
		err = write_file(sn);
	if (err)
		evnt_log_abandon(&sn->log);
	arg->buffers = sn->log.buffers_written;
	arg->events = sn->events;
	evnt_log_close(&sn->log, NULL);
	evnt_log_destroy(&sn->log);
	evnt_free_pages(sn->copy);
	evnt_free(sn->extents);
	evnt_free(sn->pin.kept);
	return err;
}

/**
 * evnt_snapshot() - EVNTRACE_IOC_SNAPSHOT
 * @s: the session
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
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
