// SPDX-License-Identifier: GPL-2.0
/*
 * The thread of a session that writes finished buffers to its log.
 *
 * It sleeps until the first finished buffer waits, a flush is asked for, or
 * the flush timer says that half-full buffers have waited long enough; then it
 * takes all that there is, so that it wakes once for a batch.
 */
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

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

static void write_buffer(struct evnt_session *s, struct evnt_buffer *buf,
			 u16 flag)
{
	if (evnt_buffer_finish(&s->buffers, buf, flag))
		evnt_log_write(&s->log, buf->data, evnt_buffer_records(buf));
	evnt_buffer_free(&s->buffers, buf);
}

/* Write what is finished; @flag goes with the last of it */
static void write_batch(struct evnt_session *s, u16 flag)
{
	struct evnt_buffer *next, *buf = evnt_buffers_take(&s->buffers);

	if (!buf)
		return;
	for (; buf; buf = next) {
		next = evnt_buffer_next(&s->buffers, buf);
		write_buffer(s, buf, next ? 0 : flag);
		cond_resched();
	}
	evnt_log_update(&s->log, evnt_buffers_lost(&s->buffers));
	if (evnt_log_full(&s->log) && !s->is_full) {
		s->is_full = true;
		s->expire(s);
	}
}

static bool flush_is_due(const struct evnt_session *s)
{
	return atomic64_read(&s->flush_wanted) != atomic64_read(&s->flush_done);
}

/* @flush_ms: the timer that the writer waits by */
static bool has_work(const struct evnt_session *s, u32 flush_ms)
{
	return atomic_read(&s->buffers.full) || flush_is_due(s) ||
	       kthread_should_stop() || READ_ONCE(s->flush_ms) != flush_ms;
}

/*
 * One batch.  For a flush, it closes what has records in it, and waits until
 * the writers inside have left and handed it on.  No other task closes buffers,
 * so none can be on its way when the session ends.
 */
static void writer_round(struct evnt_session *s)
{
	s64 flush = atomic64_read_acquire(&s->flush_wanted);

	if (!flush_is_due(s)) {
		write_batch(s, 0);
		return;
	}
	evnt_buffers_close(&s->buffers);
	synchronize_rcu();
	write_batch(s, ETL_FLAG_FLUSH_MARKER);
	atomic64_set_release(&s->flush_done, flush);
	wake_up_all(&s->flushed);
}

static long until(unsigned long when)
{
	return max_t(long, when - jiffies, 0);
}

static int writer(void *data)
{
	struct evnt_session *s = data;
	u32 flush_ms = 0;
	unsigned long period = 0, next = 0;

	complete(&s->started);
	while (!kthread_should_stop()) {
		if (flush_ms != READ_ONCE(s->flush_ms)) {
			flush_ms = READ_ONCE(s->flush_ms);
			period = msecs_to_jiffies(flush_ms);
			next = jiffies + period;
		}
		wait_event_idle_timeout(s->work, has_work(s, flush_ms),
					period ? until(next) :
						 MAX_SCHEDULE_TIMEOUT);
		if (period && !until(next)) {
			evnt_buffers_close(&s->buffers);
			next = jiffies + period;
		}
		writer_round(s);
	}
	/* Nobody can write any more */
	evnt_buffers_close(&s->buffers);
	write_batch(s, ETL_FLAG_FLUSH_MARKER);
	evnt_log_finish(&s->log, evnt_buffers_lost(&s->buffers));
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
	init_completion(&s->started);
	init_irq_work(&s->wake, writer_wake);
	init_waitqueue_head(&s->work);
	init_waitqueue_head(&s->flushed);
	s->writer = kthread_run(writer, s, "evntrace/%u", evnt_session_id(s));
	/* Without memory, or room for one more task, it may say EAGAIN */
	if (IS_ERR(s->writer))
		return -ENOMEM;
	s->info.writer_tid = task_pid_nr(s->writer);
	/* A thread that is stopped before it runs would not complete the log */
	wait_for_completion(&s->started);
	return 0;
}

/**
 * evnt_writer_stop() - have the log completed, and end the thread
 * @s: the session; nobody writes to its buffers any more
 */
void evnt_writer_stop(struct evnt_session *s)
{
	kthread_stop(s->writer);
	irq_work_sync(&s->wake);
	/* Who waits for a flush has got it */
	atomic64_set(&s->flush_done, S64_MAX);
	wake_up_all(&s->flushed);
}

/**
 * evnt_writer_flush() - wait until all accepted events are in the log
 * @s: the session
 *
 * Return: 0, or -EINTR when the caller is killed.
 */
int evnt_writer_flush(struct evnt_session *s)
{
	s64 ticket = atomic64_inc_return(&s->flush_wanted);

	wake_up(&s->work);
	if (wait_event_killable(s->flushed,
				atomic64_read_acquire(&s->flush_done) >=
				ticket))
		return -EINTR;
	return 0;
}

/* Another flush timer; it starts anew */
void evnt_writer_set_timer(struct evnt_session *s, u32 flush_ms)
{
	WRITE_ONCE(s->flush_ms, flush_ms);
	wake_up(&s->work);
}
