// SPDX-License-Identifier: GPL-2.0
/*
 * The thread of a session that writes finished buffers to its log.
 *
 * It sleeps until the first finished buffer arrives, a flush is requested, or
 * the flush timer expires for partly filled buffers.  It then takes all buffers
 * there are, and so wakes up once per batch.
 *
 * A file system may block for a long time, or for ever.  The thread therefore
 * holds no lock while it calls one, all waits for the thread are killable, and
 * the thread itself drops the session, its files and its memory if no caller
 * waits for its end any longer.
 */
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "module/session/consumer.h"
#include "module/session/rundown.h"

/* Drains the rings; set once.  See evnt_drain(). */
static s64 (*drain_rings)(const struct evnt_prov_file *pf) __ro_after_init;

void __init
evnt_writer_set_drain(s64 (*drain)(const struct evnt_prov_file *pf))
{
	drain_rings = drain;
}

/**
 * evnt_drain() - copy all events in rings to the sessions
 * @pf: file whose rings are drained, or NULL for all rings
 *
 * Rings know sessions, and not the reverse.  This is called before anything on
 * which the fate of an event depends: a flush, or a change of an enablement.
 * Any mutex may be held, evnt_lock included.
 *
 * Return: time before which no event of these rings will be copied any longer.
 */
s64 evnt_drain(const struct evnt_prov_file *pf)
{
	return drain_rings(pf);
}

/* Interrupts are disabled, also on PREEMPT_RT */
static void writer_wake(struct irq_work *work)
{
	rcuwait_wake_up(&container_of(work, struct evnt_session, wake)->work);
}

/*
 * Wake the thread for finished buffers; called by writers of events, in any
 * context
 */
void evnt_writer_notify(struct evnt_buffers *b)
{
	irq_work_queue(&container_of(b, struct evnt_session, buffers)->wake);
}

/*
 * Reclaim a kept buffer, as none is free; called by writers of events, in any
 * context
 */
bool evnt_writer_reclaim(struct evnt_buffers *b)
{
	struct evnt_session *s = container_of(b, struct evnt_session, buffers);

	return evnt_backlog_reclaim(&s->backlog);
}

/* Complete the log; returns the number of events lost so far */
static u64 finish_log(struct evnt_session *s)
{
	const u64 lost = evnt_buffers_lost(&s->buffers);

	evnt_log_finish(&s->log, lost);
	return lost;
}

/*
 * Begin a log that replaces another one with a rundown, which takes at most half
 * of it.  Its events are at @since; no event of the log is older.
 */
static void run_down(struct evnt_session *s, struct evnt_log *log, s64 since)
{
	struct evnt_rundown d;
	const u8 *data;
	u32 i;

	evnt_rundown_take(&d, s, log->slots ? (log->slots - 1) / 2 : U64_MAX,
			  false);
	for (i = 0; i < d.count; i++) {
		data = evnt_rundown_finish(&d, i, since, 0);
		evnt_log_write(log, data, 0, evnt_buffer_extent(data).records);
		cond_resched();
	}
	evnt_rundown_free(&d);
}

/* Replace the log, which is complete.  @lost: number of events lost by then. */
static void switch_log(struct evnt_session *s, struct evnt_log *log, u64 lost)
{
	lockdep_assert_held(&s->log_lock);
	s->past.buffers_written += s->log.buffers_written;
	s->past.buffers_lost += s->log.buffers_lost;
	s->past.events_lost += s->log.events_lost;
	log->lost_before = lost;
	swap(s->log, *log);
	evnt_session_renew(s);
}

/*
 * Continue in the next log of the series, in which no record will be older than
 * @since.  If that fails nothing is lost: the session continues in the current
 * log, beyond its limit, and tries again with each buffer.
 */
static int rotate_log(struct evnt_session *s, s64 since)
{
	struct evnt_log *log = kzalloc(sizeof(*log), GFP_KERNEL);
	int err = -ENOMEM;
	u64 lost = 0;

	if (log)
		err = evnt_log_follow(log, &s->log, s, since);
	if (!err) {
		lost = finish_log(s);
		run_down(s, log, since);
	}
	mutex_lock(&s->log_lock);
	if (err)
		WRITE_ONCE(s->log.error, -err);
	else
		switch_log(s, log, lost);
	mutex_unlock(&s->log_lock);
	evnt_log_free(log);
	return err;
}

/*
 * Write a buffer to the log, if there is one, then push it to the backlog, if
 * that is open.  @mark: see evnt_backlog_push().
 */
static void write_buffer(struct evnt_session *s, struct evnt_buffer *buf,
			 u16 flag, s64 mark)
{
	struct evnt_extent extent;

	if (!evnt_buffer_finish(&s->buffers, buf, flag)) {
		evnt_buffer_free(&s->buffers, buf);
		return;
	}
	extent = evnt_buffer_extent(buf->data);
	if (s->log.series && evnt_log_is_at_limit(&s->log))
		rotate_log(s, buf->since);
	evnt_log_write(&s->log, buf->data, buf->place, extent.records);
	buf->place = 0;
	if (!s->backlog.is_open) {
		evnt_backlog_pass(&s->backlog, &extent);
		evnt_buffer_free(&s->buffers, buf);
		return;
	}
	evnt_backlog_push(&s->backlog, buf, &extent, mark);
	/*
	 * If the session only keeps buffers in memory, later ones overwrite
	 * this one: have files reported again in every quarter of them
	 */
	if (s->mode & EVNTRACE_MODE_BUFFERING &&
	    ++s->unrenewed >= s->base_buffers / 4) {
		s->unrenewed = 0;
		evnt_session_renew(s);
	}
}

/*
 * Take all finished buffers, with those in @list, and compute @mark: no event
 * that is written later is older.  It is S64_MIN if not needed; a flush needs
 * it.
 */
static struct evnt_buffer *take(struct evnt_session *s, u16 flag,
				struct evnt_buffer *list, s64 *mark)
{
	const bool is_wanted = s->distance || s->log.series || flag;
	s64 drained = S64_MAX;

	if (is_wanted && s->buffers.nr_lanes)
		drained = evnt_drain(NULL);
	if (s->distance) {
		/* CPUs may have come online or gone offline */
		s->distance = evnt_stream_distance(&s->buffers, s->max_held);
		evnt_buffers_close_older(&s->buffers, s->distance);
	}
	list = evnt_buffers_take_more(&s->buffers, list);
	*mark = S64_MIN;
	if (is_wanted)
		*mark = min(evnt_buffers_watermark(&s->buffers), drained);
	return list;
}

/*
 * Write a list of buffers.  @flag is for the last one, after which no record is
 * older than @mark.  An epoch starts behind the buffers up to number @last.
 */
static void write_list(struct evnt_session *s, struct evnt_buffer *buf,
		       u16 flag, s64 mark, s64 last)
{
	struct evnt_buffer *next;

	evnt_buffers_bound(&s->buffers, buf, mark);
	for (; buf; buf = next) {
		next = evnt_buffer_next(&s->buffers, buf);
		if (buf->sequence > last) {
			evnt_circular_start_epoch(&s->log.circle);
			last = S64_MAX;
		}
		write_buffer(s, buf, next ? 0 : flag,
			     next ? next->since : mark);
		cond_resched();
	}
	if (last != S64_MAX)
		evnt_circular_start_epoch(&s->log.circle);
}

/* Update the log's header after a batch; end the session if the log is full */
static void batch_done(struct evnt_session *s)
{
	evnt_log_update(&s->log, evnt_buffers_lost(&s->buffers));
	if (evnt_log_full(&s->log) && !s->is_full) {
		s->is_full = true;
		s->ops->expire(s);
	}
}

/*
 * Take the buffers before an epoch of a circular log.  All records in buffers
 * acquired so far are written first, however few a buffer contains, then the
 * newer ones.  Once all older buffers have been overwritten, the events of each
 * CPU are complete from here on.  Closing proceeds from CPU to CPU, so the first
 * events of two CPUs may be apart by its duration, which is some microseconds.
 *
 * Full buffers are not written out while writers inside leave theirs.
 */
static struct evnt_buffer *part(struct evnt_session *s, s64 last)
{
	struct evnt_buffer *list = NULL;

	while (!evnt_buffers_part(&s->buffers, last, &list))
		schedule_timeout_uninterruptible(1);
	evnt_session_renew(s);
	return list;
}

/*
 * Write all finished buffers, and publish them to readers; no event that is
 * written later is older than the return value
 */
static s64 write_batch(struct evnt_session *s, u16 flag)
{
	struct evnt_buffer *list = NULL;
	s64 mark, last = S64_MAX;

	if (s->log.circular && evnt_circular_epoch_is_due(&s->log.circle)) {
		last = atomic64_read(&s->buffers.sequence);
		list = part(s, last);
	}
	list = take(s, flag, list, &mark);
	if (list || last != S64_MAX) {
		write_list(s, list, flag, mark, last);
		batch_done(s);
	}
	if (s->backlog.is_open || flag)
		evnt_backlog_publish(&s->backlog, mark);
	return mark;
}

static bool flush_is_due(const struct evnt_session *s)
{
	return atomic64_read(&s->flush_wanted) != atomic64_read(&s->flush_done);
}

static bool is_ending(const struct evnt_session *s)
{
	/* Pairs with the release in evnt_writer_end() */
	return smp_load_acquire(&s->is_ending);
}

/* Return whether the thread must run.  @flush_ms: timer that it sleeps with. */
static bool has_work(const struct evnt_session *s, u32 flush_ms)
{
	return atomic_read(&s->buffers.full) || flush_is_due(s) ||
	       is_ending(s) || READ_ONCE(s->flush_ms) != flush_ms;
}

/* Start keeping buffers that are finished from now on */
static void keep_buffers(struct evnt_session *s, u32 mode)
{
	if (!s->has_header)
		memcpy(s->header, s->log.header, s->buffers.buffer_size);
	s->has_header = true;
	if (mode & EVNTRACE_MODE_REAL_TIME)
		s->distance = evnt_stream_distance(&s->buffers, s->max_held);
	evnt_backlog_open(&s->backlog);
}

static void set_mode(struct evnt_session *s, u32 mode)
{
	u32 changed = mode ^ s->mode;

	lockdep_assert_held(&s->log_lock);
	evnt_log_set_mode(&s->log, mode);
	if (changed & mode & EVNT_KEEPING) {
		keep_buffers(s, mode);
	} else if (changed & EVNT_KEEPING) {
		s->distance = 0;
		evnt_backlog_close(&s->backlog);
	}
	/*
	 * Release: the backlog is open before readers see the mode.  Pairs with
	 * the acquire in evnt_session_mode().
	 */
	smp_store_release(&s->mode, mode);
}

/* Open buffers contain no event accepted before the switch of the log */
static void unsave_buffers(struct evnt_session *s)
{
	struct evnt_buffer *buf = s->buffers.buffers;
	u32 i;

	for (i = 0; i < s->buffers.nr_buffers; i++, buf++) {
		evnt_log_unsave(&s->log, buf->place);
		buf->place = 0;
		buf->copied = 0;
	}
}

/* Apply a change.  No event accepted from now on is older than @mark. */
static void do_turn(struct evnt_session *s, const struct evnt_log_switch *turn,
		    s64 mark)
{
	u64 lost = 0;

	if (turn->log) {
		unsave_buffers(s);
		lost = finish_log(s);
		if (turn->log->file)
			run_down(s, turn->log, mark);
	}

	mutex_lock(&s->log_lock);
	if (turn->log)
		switch_log(s, turn->log, lost);
	set_mode(s, turn->mode);
	evnt_session_set_rights(s);
	mutex_unlock(&s->log_lock);
	/* The old log, which switch_log() has put here */
	evnt_log_free(turn->log);
	/* For the caller that waits for this flush */
	if (turn->is_next)
		s->turn_error = rotate_log(s, mark);
}

/*
 * Complete a flush: all events accepted before it was requested are in the log,
 * and all others are not older than @mark.
 */
static void flush_done(struct evnt_session *s, s64 wanted, s64 mark)
{
	struct evnt_log_switch turn;
	bool is_due;

	/*
	 * Dequeue the pending change if this flush reached it.  The thread then
	 * owns the change's log.
	 */
	mutex_lock(&s->log_lock);
	is_due = s->turn.flush && s->turn.flush <= wanted;
	if (is_due) {
		turn = s->turn;
		s->turn.flush = 0;
	}
	mutex_unlock(&s->log_lock);
	if (is_due)
		do_turn(s, &turn, mark);
	atomic64_set_release(&s->flush_done, wanted);
	wake_up_all(&s->flushed);
}

/* Check that a further record is of use: a full log would count it as lost */
static bool can_record_losses(const struct evnt_session *s)
{
	return s->backlog.is_open || !evnt_log_full(&s->log);
}

/*
 * Write one batch.  If a flush is due that requires it, close all buffers that
 * contain records.  No other task closes them, so none is on its way when the
 * session ends.
 */
static void writer_round(struct evnt_session *s)
{
	s64 wanted = atomic64_read_acquire(&s->flush_wanted);
	bool is_due = flush_is_due(s);
	s64 mark;

	/* close_wanted was set before flush_wanted was incremented */
	if (is_due && xchg(&s->close_wanted, false))
		evnt_buffers_close_older(&s->buffers, 0);
	mark = write_batch(s, is_due ? ETL_FLAG_FLUSH_MARKER : 0);
	if (is_due)
		flush_done(s, wanted, mark);
	/*
	 * There is room now, unless the file is full.  A snapshot must not wait
	 * for this: it needs events older than the mark, which may be
	 * overwritten.
	 */
	if (can_record_losses(s))
		s->ops->record_losses(s, is_due);
}

/*
 * Write events of partly filled buffers.  A buffer of a circular log stays open
 * unless readers need it, and keeps its place in the file: otherwise each CPU
 * that writes a little would use up a buffer of the file each time.
 */
static void flush_by_timer(struct evnt_session *s)
{
	const u32 cpus = s->buffers.is_shared ? 1 : s->buffers.nr_cpus;
	struct evnt_buffer *buf, *last = NULL;
	u32 cpu;

	if (s->buffers.nr_lanes)
		evnt_drain(NULL);
	if (!s->log.circular || s->backlog.is_open) {
		evnt_buffers_close_older(&s->buffers, 0);
		return;
	}
	for (cpu = 0; cpu < cpus; cpu++) {
		buf = evnt_buffer_copy(&s->buffers, cpu, s->log.copy);
		if (buf)
			evnt_log_save(&s->log, s->log.copy, &buf->place);
		last = buf ?: last;
		cond_resched();
	}
	if (last)
		batch_done(s);
}

static long until(unsigned long when)
{
	return max_t(long, when - jiffies, 0);
}

/* Sleep until there is work, for at most @timeout jiffies, or to be frozen */
static void wait_for_work(struct evnt_session *s, u32 flush_ms, long timeout)
{
	prepare_to_rcuwait(&s->work);
	for (;;) {
		/* Pairs with the barrier of rcuwait_wake_up() */
		set_current_state(TASK_INTERRUPTIBLE | TASK_FREEZABLE);
		if (!timeout || has_work(s, flush_ms) || freezing(current))
			break;
		timeout = schedule_timeout(timeout);
	}
	finish_rcuwait(&s->work);
	try_to_freeze();
}

/* Write the log until the session ends */
static void write_log(struct evnt_session *s)
{
	u32 flush_ms = 0;
	unsigned long period = 0, next = 0;

	while (!is_ending(s)) {
		if (flush_ms != READ_ONCE(s->flush_ms)) {
			flush_ms = READ_ONCE(s->flush_ms);
			period = msecs_to_jiffies(flush_ms);
			next = jiffies + period;
		}
		wait_for_work(s, flush_ms,
			      period ? until(next) : MAX_SCHEDULE_TIMEOUT);
		if (period && !until(next)) {
			flush_by_timer(s);
			next = jiffies + period;
		}
		writer_round(s);
	}
}

static int writer(void *data)
{
	struct evnt_session *s = data;

	/*
	 * Data written to a file system after the hibernation image is taken
	 * would be unknown to the system that resumes.
	 */
	set_freezable();
	/*
	 * Charge page cache of the log, and its writeback, to the owner's
	 * cgroup
	 */
	set_active_memcg(s->memcg);
	if (s->mode & EVNT_KEEPING)
		keep_buffers(s, s->mode);
	complete(&s->started);
	write_log(s);
	/* Complete the log; the session is in no provider's set */
	write_batch(s, 0);
	if (can_record_losses(s))
		s->ops->record_losses(s, true);
	evnt_buffers_close(&s->buffers);
	write_batch(s, ETL_FLAG_FLUSH_MARKER);
	finish_log(s);
	evnt_backlog_publish(&s->backlog, S64_MAX);
	irq_work_sync(&s->wake);
	/* Complete all flushes, now and later */
	atomic64_set(&s->flush_done, S64_MAX);
	wake_up_all(&s->flushed);
	set_active_memcg(NULL);
	evnt_session_exit(s);
	return 0;
}

/**
 * evnt_writer_start() - create the writer thread
 * @s: session with buffers and a log
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_writer_start(struct evnt_session *s)
{
	struct task_struct *thread;

	init_completion(&s->started);
	/*
	 * On PREEMPT_RT, other irq_work runs in a thread, which still uses it
	 * after irq_work_sync() has returned and the session may be freed
	 */
	s->wake = IRQ_WORK_INIT_HARD(writer_wake);
	rcuwait_init(&s->work);
	init_waitqueue_head(&s->flushed);
	thread = kthread_run(writer, s, "evntrace/%u", evnt_session_id(s));
	/* Also for -EAGAIN, which means a limit on tasks */
	if (IS_ERR(thread))
		return -ENOMEM;
	s->info.writer_tid = task_pid_nr(thread);
	/* If the session keeps buffers, it does from here on */
	wait_for_completion(&s->started);
	return 0;
}

/**
 * evnt_writer_end() - have the thread complete the log and exit
 * @s: session, with no writer of events left in its buffers
 */
void evnt_writer_end(struct evnt_session *s)
{
	/* Pairs with is_ending(): publishes @abandon, @end and all events */
	smp_store_release(&s->is_ending, true);
	rcuwait_wake_up(&s->work);
}

/* Wait until the thread has completed a flush */
static int wait_for_round(struct evnt_session *s, s64 ticket)
{
	rcuwait_wake_up(&s->work);
	if (wait_event_killable(s->flushed,
				atomic64_read_acquire(&s->flush_done) >=
				ticket))
		return -EINTR;
	return 0;
}

/*
 * Have the thread close all buffers, then wait for the writers of events inside
 * to leave: the next round writes all that was accepted before the call.  The
 * caller waits for these writers, not the thread, since no buffer becomes free
 * while the thread waits.
 */
static int part_with_buffers(struct evnt_session *s)
{
	int err;

	evnt_drain(NULL);
	xchg(&s->close_wanted, true);
	err = wait_for_round(s, atomic64_inc_return(&s->flush_wanted));
	if (!err)
		synchronize_rcu();
	return err;
}

/**
 * evnt_writer_flush() - wait until all accepted events are in log and backlog
 * @s: session
 *
 * All events accepted before the call are then older than the backlog's mark:
 * buffers that are open when the second round computes it were acquired after
 * the first one.
 *
 * Return: 0, or -EINTR if the caller is killed.
 */
int evnt_writer_flush(struct evnt_session *s)
{
	int err = part_with_buffers(s);

	return err ?: wait_for_round(s, atomic64_inc_return(&s->flush_wanted));
}

/**
 * evnt_writer_turn() - apply a change between two buffers
 * @s: session
 * @turn: change; @flush is ignored, and @log is already started; @log is set to
 *	NULL on return if the thread has taken it, and freed the previous one
 *
 * Events accepted before the call are not affected.  Under log_lock, either the
 * writer thread takes the pending change, or the caller takes it back, after it
 * was killed or the session has ended.
 *
 * Return: 0; -EINTR if the caller is killed, or -ESRCH if the session ends,
 * before the change is applied; for the next log of a series, an error of
 * opening and starting it.
 */
int evnt_writer_turn(struct evnt_session *s, struct evnt_log_switch *turn)
{
	s64 ticket;
	int err;

	lockdep_assert_held(&s->switch_lock);
	err = part_with_buffers(s);
	if (err)
		return err;
	mutex_lock(&s->log_lock);
	ticket = atomic64_inc_return(&s->flush_wanted);
	s->turn = *turn;
	s->turn.flush = ticket;
	mutex_unlock(&s->log_lock);

	err = wait_for_round(s, ticket);

	mutex_lock(&s->log_lock);
	if (s->turn.flush)
		err = err ?: -ESRCH;
	else
		turn->log = NULL;
	s->turn.flush = 0;
	mutex_unlock(&s->log_lock);
	if (!err && turn->is_next)
		err = s->turn_error;
	return err;
}

/* Set the flush timer, which restarts */
void evnt_writer_set_timer(struct evnt_session *s, u32 flush_ms)
{
	WRITE_ONCE(s->flush_ms, flush_ms);
	rcuwait_wake_up(&s->work);
}
