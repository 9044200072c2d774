// SPDX-License-Identifier: GPL-2.0
/*
 * The thread of a session that writes finished buffers to its log.
 *
 * It sleeps until the first finished buffer waits, a flush is asked for, or
 * the flush timer says that half-full buffers have waited long enough; then it
 * takes all that there is, so that it wakes once for a batch.
 *
 * A file system may answer late, or never.  So the thread has no lock while it
 * calls one, all others wait for the thread in a way that SIGKILL ends, and the
 * session, its files and its memory are the thread's to give up when no caller
 * waits for its end any longer.
 */
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "stream.h"
#include "writer.h"

static void writer_wake(struct irq_work *work)
{
	wake_up(&container_of(work, struct evnt_session, wake)->work);
}

/* Finished buffers wait; called by writers of events, in any context */
void evnt_writer_notify(struct evnt_buffers *b)
{
	irq_work_queue(&container_of(b, struct evnt_session, buffers)->wake);
}

/* No buffer is free; called by writers of events, in any context */
bool evnt_writer_reclaim(struct evnt_buffers *b)
{
	struct evnt_session *s = container_of(b, struct evnt_session, buffers);

	return evnt_backlog_reclaim(&s->backlog);
}

/* Complete the log; the events that were lost by then */
static u64 finish_log(struct evnt_session *s)
{
	const u64 lost = evnt_buffers_lost(&s->buffers);

	evnt_log_finish(&s->log, lost);
	return lost;
}

/* Put a log in the place of this one, which is complete; @lost: at that time */
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
 * Go on in the next log of the series, in which no record will be older than
 * @since.  When that cannot be, nothing is lost: the session goes on in the log
 * that it has, beyond its limit, and tries again with each buffer.
 */
static int follow_log(struct evnt_session *s, s64 since)
{
	struct evnt_log *log = kzalloc(sizeof(*log), GFP_KERNEL);
	int err = -ENOMEM;
	u64 lost = 0;

	if (log)
		err = evnt_log_follow(log, &s->log, s, since);
	if (!err)
		lost = finish_log(s);
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
 * A buffer is kept.  Where nothing else is, it gives way to later ones: in a
 * quarter of them is to be all that is told.
 */
static void renew_kept(struct evnt_session *s)
{
	if (!(s->mode & EVNTRACE_MODE_BUFFERING) ||
	    ++s->unrenewed < s->base_buffers / 4)
		return;
	s->unrenewed = 0;
	evnt_session_renew(s);
}

/* To the log, then to the backlog, if there are; @mark: see evnt_backlog_push() */
static void write_buffer(struct evnt_session *s, struct evnt_buffer *buf,
			 u16 flag, s64 mark)
{
	struct evnt_extent extent;

	if (!evnt_buffer_finish(&s->buffers, buf, flag)) {
		evnt_buffer_free(&s->buffers, buf);
		return;
	}
	extent = evnt_buffer_extent(buf->data);
	if (evnt_log_is_to_be_followed(&s->log))
		follow_log(s, min(buf->since, mark));
	evnt_log_write(&s->log, buf->data, extent.records);
	if (!s->backlog.is_open) {
		evnt_backlog_pass(&s->backlog, &extent);
		evnt_buffer_free(&s->buffers, buf);
		return;
	}
	evnt_backlog_push(&s->backlog, buf, &extent, mark);
	renew_kept(s);
}

/*
 * What is finished, and @mark: what comes later is no older; S64_MIN: unknown.
 * @asked: whether somebody wants to know it.
 */
static struct evnt_buffer *take(struct evnt_session *s, bool asked, s64 *mark)
{
	struct evnt_buffer *buf;

	if (s->distance) {
		/* CPUs may have come, or gone */
		s->distance = evnt_stream_distance(s->max_held);
		evnt_buffers_close_older(&s->buffers, s->distance);
	}
	buf = evnt_buffers_take(&s->buffers);
	*mark = S64_MIN;
	if (s->distance || s->log.series || asked)
		*mark = evnt_buffers_watermark(&s->buffers);
	return buf;
}

/*
 * Write a list of buffers; @flag goes with the last of it, behind which there
 * will be no record older than @mark.
 */
static void write_list(struct evnt_session *s, struct evnt_buffer *buf,
		       u16 flag, s64 mark)
{
	struct evnt_buffer *next;

	for (; buf; buf = next) {
		next = evnt_buffer_next(&s->buffers, buf);
		if (next)
			write_buffer(s, buf, 0, min(next->since, mark));
		else
			write_buffer(s, buf, flag, mark);
		cond_resched();
	}
}

/* A batch has been written */
static void batch_done(struct evnt_session *s)
{
	evnt_log_update(&s->log, evnt_buffers_lost(&s->buffers));
	if (evnt_log_full(&s->log) && !s->is_full) {
		s->is_full = true;
		s->expire(s);
	}
}

/*
 * Readers of the backlog learn of what was pushed, and how far that goes.  Who
 * asked after all that was pushed had been taken is not @asked for: what he had
 * handed on before may not be there yet.
 */
static void publish(struct evnt_session *s, bool asked, s64 mark)
{
	if (s->backlog.is_open || asked)
		evnt_backlog_publish(&s->backlog, mark, asked);
}

/* Write what is finished; what comes later is no older than what it returns */
static s64 write_batch(struct evnt_session *s, u16 flag)
{
	const bool asked = evnt_backlog_is_asked(&s->backlog);
	struct evnt_buffer *buf;
	s64 mark;

	buf = take(s, asked, &mark);
	if (buf) {
		write_list(s, buf, flag, mark);
		batch_done(s);
	}
	publish(s, asked, mark);
	return mark;
}

/*
 * Start an epoch of a circular log: first comes all that was reserved before,
 * however little a buffer holds, then what is newer.  So when all before has
 * given way, each CPU's events are there from the cut on, without a gap.  As it
 * goes from CPU to CPU, there may be one of its own length, of microseconds,
 * between the first events of one CPU and those of another.
 *
 * The writers that are inside their buffers leave within the grace period.  It
 * is expedited, as buffers fill up meanwhile that nobody writes out.
 */
static s64 start_epoch(struct evnt_session *s, u16 flag)
{
	const bool asked = evnt_backlog_is_asked(&s->backlog);
	struct evnt_buffer *taken, *older, *newer;
	s64 last, mark;

	preempt_disable();
	last = evnt_buffers_cut(&s->buffers);
	preempt_enable();
	evnt_session_renew(s);
	synchronize_rcu_expedited();
	taken = take(s, asked, &mark);
	older = evnt_buffers_split(&s->buffers, taken, last, &newer);
	write_list(s, older, newer ? 0 : flag,
		   newer ? min(newer->since, mark) : mark);
	evnt_circle_start_epoch(&s->log.circle);
	write_list(s, newer, flag, mark);
	batch_done(s);
	publish(s, asked, mark);
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

/* @flush_ms: the timer that the writer waits by */
static bool has_work(const struct evnt_session *s, u32 flush_ms)
{
	return atomic_read(&s->buffers.full) || flush_is_due(s) ||
	       is_ending(s) || READ_ONCE(s->flush_ms) != flush_ms;
}

/* Begin to keep buffers, with those that are finished from now on */
static void keep_buffers(struct evnt_session *s, u32 mode)
{
	if (!s->has_header)
		memcpy(s->header, s->log.header, s->buffers.buffer_size);
	s->has_header = true;
	if (mode & EVNTRACE_MODE_REAL_TIME)
		s->distance = evnt_stream_distance(s->max_held);
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
	/* Whoever sees it finds what is kept: pairs with evnt_session_mode() */
	smp_store_release(&s->mode, mode);
}

/* Take the turn, if it is due, from where it waits: its log is the thread's then */
static bool take_turn(struct evnt_session *s, s64 wanted,
		      struct evnt_turn *turn)
{
	bool is_due;

	mutex_lock(&s->log_lock);
	is_due = s->turn.flush && s->turn.flush <= wanted;
	if (is_due) {
		*turn = s->turn;
		s->turn.flush = 0;
	}
	mutex_unlock(&s->log_lock);
	return is_due;
}

/* Make the change; @mark: no event that is accepted from now on is older */
static void do_turn(struct evnt_session *s, const struct evnt_turn *turn,
		    s64 mark)
{
	u64 lost = turn->log ? finish_log(s) : 0;

	mutex_lock(&s->log_lock);
	if (turn->log)
		switch_log(s, turn->log, lost);
	set_mode(s, turn->mode);
	evnt_session_set_rights(s);
	mutex_unlock(&s->log_lock);
	/* The log before, which is in its place now */
	evnt_log_free(turn->log);
	/* Read by the caller that waits for this flush */
	if (turn->is_next)
		s->turn_error = follow_log(s, mark);
}

/*
 * A flush is done: all that was accepted before it was wanted is in the log,
 * and all that is not there is no older than @mark.
 */
static void flush_done(struct evnt_session *s, s64 wanted, s64 mark)
{
	struct evnt_turn turn;

	if (take_turn(s, wanted, &turn))
		do_turn(s, &turn, mark);
	atomic64_set_release(&s->flush_done, wanted);
	wake_up_all(&s->flushed);
}

/*
 * One batch.  For a flush, it closes what has records in it, if that is wanted.
 * No other task closes buffers, so none can be on its way when the session ends.
 */
static void writer_round(struct evnt_session *s)
{
	s64 wanted = atomic64_read_acquire(&s->flush_wanted);
	bool is_due = flush_is_due(s);
	s64 mark;

	/* Set before @wanted was raised */
	if (is_due && xchg(&s->close_wanted, false))
		evnt_buffers_close_older(&s->buffers, 0);
	if (evnt_log_epoch_is_due(&s->log))
		mark = start_epoch(s, is_due ? ETL_FLAG_FLUSH_MARKER : 0);
	else
		mark = write_batch(s, is_due ? ETL_FLAG_FLUSH_MARKER : 0);
	if (is_due)
		flush_done(s, wanted, mark);
}

static long until(unsigned long when)
{
	return max_t(long, when - jiffies, 0);
}

/* Write the session's log until the session ends */
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
		wait_event_freezable_timeout(s->work, has_work(s, flush_ms),
					     period ? until(next) :
						      MAX_SCHEDULE_TIMEOUT);
		/* Also when there was work already */
		try_to_freeze();
		if (period && !until(next)) {
			evnt_buffers_close_older(&s->buffers, 0);
			next = jiffies + period;
		}
		writer_round(s);
	}
}

/* Complete the log; the session is in no provider's set */
static void end_log(struct evnt_session *s)
{
	evnt_buffers_close(&s->buffers);
	write_batch(s, ETL_FLAG_FLUSH_MARKER);
	finish_log(s);
	evnt_backlog_end(&s->backlog);
	irq_work_sync(&s->wake);
	/* All flushes are done */
	atomic64_set(&s->flush_done, S64_MAX);
	wake_up_all(&s->flushed);
}

static int writer(void *data)
{
	struct evnt_session *s = data;

	/*
	 * What is written to a file system while the system hibernates is not in
	 * the image that it resumes from.
	 */
	set_freezable();
	/* Pages of the log are the owner's, as is then their writeback */
	set_active_memcg(s->memcg);
	if (s->mode & EVNT_KEEPING)
		keep_buffers(s, s->mode);
	complete(&s->started);
	write_log(s);
	end_log(s);
	set_active_memcg(NULL);
	evnt_session_exit(s);
	return 0;
}

/**
 * evnt_writer_start() - create the thread
 * @s: a session with buffers and a log
 *
 * Return: 0 or -ENOMEM.
 */
int evnt_writer_start(struct evnt_session *s)
{
	struct task_struct *thread;

	init_completion(&s->started);
	init_irq_work(&s->wake, writer_wake);
	init_waitqueue_head(&s->work);
	init_waitqueue_head(&s->flushed);
	thread = kthread_run(writer, s, "evntrace/%u", evnt_session_id(s));
	/* Without memory, or room for one more task, it may say EAGAIN */
	if (IS_ERR(thread))
		return -ENOMEM;
	s->info.writer_tid = task_pid_nr(thread);
	/* When buffers are kept, they are from here on */
	wait_for_completion(&s->started);
	return 0;
}

/**
 * evnt_writer_end() - have the thread complete the log, and end
 * @s: the session; no writer can be in its buffers any longer
 */
void evnt_writer_end(struct evnt_session *s)
{
	/* Pairs with is_ending(): no event comes later, and all is set for it */
	smp_store_release(&s->is_ending, true);
	wake_up(&s->work);
}

/* Wait for a round of the thread */
static int wait_for_round(struct evnt_session *s, s64 ticket)
{
	wake_up(&s->work);
	if (wait_event_killable(s->flushed,
				atomic64_read_acquire(&s->flush_done) >=
				ticket))
		return -EINTR;
	return 0;
}

/*
 * Have all buffers closed, and the writers that are inside hand them on: after
 * the next round, all that was accepted before the call is written.  It is the
 * caller who waits for the writers, not the thread: if that did not go on, no
 * buffer would become free.
 */
static int part_with_buffers(struct evnt_session *s)
{
	int err;

	xchg(&s->close_wanted, true);
	err = wait_for_round(s, atomic64_inc_return(&s->flush_wanted));
	if (!err)
		synchronize_rcu();
	return err;
}

/**
 * evnt_writer_flush() - wait until all accepted events are in the log
 * @s: the session
 *
 * And in the backlog.
 *
 * Return: 0, or -EINTR when the caller is killed.
 */
int evnt_writer_flush(struct evnt_session *s)
{
	int err = part_with_buffers(s);

	return err ?: wait_for_round(s, atomic64_inc_return(&s->flush_wanted));
}

/**
 * evnt_writer_pin() - have the newest buffers of the backlog held
 * @s: a session that has one; one caller at a time
 * @pin: with room; filled in
 *
 * All that was accepted before the call is older than its mark.  Buffers are
 * closed once more, so that the mark is not much older than the newest of them.
 *
 * Return: 0, or -EINTR when the caller is killed.
 */
int evnt_writer_pin(struct evnt_session *s, struct evnt_pin *pin)
{
	int err = part_with_buffers(s);

	if (err)
		return err;
	evnt_backlog_ask(&s->backlog, pin);
	xchg(&s->close_wanted, true);
	err = wait_for_round(s, atomic64_inc_return(&s->flush_wanted));
	return evnt_backlog_settle(&s->backlog, pin) ? 0 : err;
}

/**
 * evnt_writer_turn() - have something changed between two buffers
 * @s: the session
 * @turn: what; its flush is not looked at.  Its log is started; out: NULL when
 *	the thread has taken it, and frees the one before it
 *
 * All that was accepted before the call is treated as before.  Under log_lock,
 * the writer thread takes the turn from where it waits, or the caller takes it
 * back, when it is killed or the session has ended meanwhile.
 *
 * Return: 0; -EINTR when the caller is killed, or -ESRCH when the session ends,
 * before it is done; for the next log of a series, what opening and starting it
 * gave.
 */
int evnt_writer_turn(struct evnt_session *s, struct evnt_turn *turn)
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

/* Another flush timer; it starts anew */
void evnt_writer_set_timer(struct evnt_session *s, u32 flush_ms)
{
	WRITE_ONCE(s->flush_ms, flush_ms);
	wake_up(&s->work);
}
