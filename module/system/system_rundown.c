// SPDX-License-Identifier: GPL-2.0
/*
 * Rundown: events about the processes, threads and images that exist, and disks
 * that are in use, when a session begins to record events of the kernel, when it
 * stops, and for its snapshots and further log files.
 *
 * Other events name a thread by its id only, so consumers need to know each of
 * them, and its process.  Each process comes before its threads and its images.
 *
 * No process can delay the rundown: its memory is neither waited for nor faulted
 * in, and dropped by a work item.  What cannot be had at once is left out.
 */
#include <linux/delay.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "core/buffer.h"
#include "module/compat/compat.h"
#include "module/session/rundown.h"
#include "module/system/system_event.h"
#include "module/system/system_write.h"

/* Limit in ms on the wait for a free buffer */
#define MAX_WAIT	1000

/* Each record fits into any buffer */
static_assert(sizeof(struct etl_system_header) +
	      sizeof(struct evnt_system_scratch) <=
	      EVNTRACE_MIN_BUFFER_SIZE - ETL_BUFFER_HEADER_SIZE);

/* Add a record to the rundown of a file */
static int add_record(struct evnt_rundown *d,
		      const struct evnt_system_record *r)
{
	struct evnt_system_source source = { .r = r };
	const u32 size = evnt_system_size(r);
	u8 *record = evnt_rundown_reserve(d, size);

	return record ? evnt_system_fill(record, size, 0, &source) : -ENOBUFS;
}

/*
 * Write a record, unless the session stops while its rundown at the start is in
 * progress.  Without this check, the caller might write after the last writer of
 * the session is gone.
 */
static int write_once(const struct evnt_system_target *to,
		      const struct evnt_system_record *r)
{
	struct evnt_session *s = to->session;
	int err = -ESRCH;
	s64 time;

	if (to->file)
		return add_record(to->file, r);
	preempt_disable();
	/* Races with the stop of the session: a grace period follows that */
	if (to->type == EVNT_TYPE_DCEND || READ_ONCE(s->state) == EVNT_RUNNING)
		err = evnt_system_write_to(s, r, &time);
	preempt_enable();
	return err;
}

/*
 * Wait for the writer thread to free a buffer, but not for long, and not again
 * if that took too long
 */
static void wait_for_room(struct evnt_system_target *to)
{
	u32 ms;

	for (ms = 0; !to->is_hasty && ms < MAX_WAIT; ms++) {
		if (evnt_buffers_free_count(&to->session->buffers) ||
		    fatal_signal_pending(current))
			return;
		usleep_range(1000, 2000);
	}
	to->is_hasty = true;
}

/* Write a record of the rundown */
static bool write_patiently(struct evnt_system_target *to,
			    const struct evnt_system_record *r)
{
	struct evnt_session *s = to->session;
	int err = write_once(to, r);

	if (err == -ENOBUFS && !to->is_hasty) {
		wait_for_room(to);
		err = write_once(to, r);
	}
	if (err == -ESRCH)
		return false;
	if (err) {
		preempt_disable();
		evnt_count_lost(&s->buffers, smp_processor_id(),
				evnt_loss_of(err));
		preempt_enable();
	}
	return !fatal_signal_pending(current);
}

/**
 * evnt_system_send() - write a record to the target of an event
 * @to: target
 * @r: record, except for thread and process
 *
 * Return: false if the target is a session that stops or whose controller was
 * killed.
 */
bool evnt_system_send(struct evnt_system_target *to,
		      struct evnt_system_record *r)
{
	r->thread_id = to->thread_id;
	r->process_id = to->process_id;
	if (to->session)
		return write_patiently(to, r);
	evnt_system_write(r, NULL);
	return true;
}

/* Copy what is in memory of @len bytes of another process; returns their number */
static u32 read_memory(struct mm_struct *mm, unsigned long at, char *to, u32 len)
{
	struct page *page;
	u32 n, done = 0;

	for (; done < len; done += n) {
		if (!evnt_get_present_page(mm, at + done, &page))
			break;
		n = min_t(u32, len - done, PAGE_SIZE - offset_in_page(at + done));
		memcpy_from_page(to + done, page, offset_in_page(at + done), n);
		put_page(page);
	}
	return done;
}

/* Get the command line; the caller holds the lock of @mm */
static void get_args(struct evnt_system_scratch *x, struct mm_struct *mm)
{
	const unsigned long at = READ_ONCE(mm->arg_start);
	const unsigned long end = READ_ONCE(mm->arg_end);

	if (at < end)
		evnt_system_args(x, read_memory(mm, at, x->text,
						min_t(unsigned long, end - at,
						      sizeof(x->text))));
}

/* Record the images of a process, whose lock may not be held while waiting */
static bool run_down_images(struct evnt_system_target *to,
			    struct evnt_system_scratch *x, struct task_struct *p,
			    struct mm_struct *mm)
{
	struct evnt_system_target hasty;
	bool more;

	wait_for_room(to);
	if (!mmap_read_trylock(mm))
		return true;
	hasty = *to;
	hasty.is_hasty = true;
	more = evnt_system_images(&hasty, x, mm, p->tgid);
	mmap_read_unlock(mm);
	return more;
}

static bool run_down_process(struct evnt_system_target *to, u32 flags,
			     struct evnt_system_scratch *x,
			     struct task_struct *p)
{
	struct mm_struct *mm = get_task_mm(p);
	bool more = true;

	x->len = 0;
	if (mm && mmap_read_trylock(mm)) {
		get_args(x, mm);
		mmap_read_unlock(mm);
	}
	if (flags & EVNTRACE_SYSTEM_PROCESS) {
		evnt_system_name(x, p, mm);
		more = evnt_system_process(to, x, p, evnt_process_key(p));
	}
	if (mm && more && flags & EVNTRACE_SYSTEM_IMAGE_LOAD)
		more = run_down_images(to, x, p, mm);
	if (mm)
		mmput_async(mm);
	return more;
}

/*
 * Return all threads with references, each process's first one first; or NULL
 * without memory.  @count: out: their number.
 */
static struct task_struct **get_threads(u32 *count)
{
	struct task_struct **list, *p, *t;
	u32 room = 0, n = 0;

	rcu_read_lock();
	for_each_process_thread(p, t)
		room++;
	rcu_read_unlock();
	/* Probes record those that start from now on */
	list = kvmalloc_array(room, sizeof(*list), GFP_KERNEL | __GFP_NOWARN);
	if (!list)
		return NULL;
	rcu_read_lock();
	for_each_process_thread(p, t) {
		if (n == room)
			goto unlock;
		get_task_struct(t);
		list[n++] = t;
	}
unlock:
	rcu_read_unlock();
	*count = n;
	return list;
}

static void run_down(struct evnt_system_target *to, u32 flags,
		     struct evnt_system_scratch *x)
{
	struct task_struct **list, *p;
	bool more = true;
	u32 i, count;

	list = get_threads(&count);
	if (!list)
		return;
	for (i = 0; i < count; i++) {
		p = list[i];
		if (more && thread_group_leader(p))
			more = run_down_process(to, flags, x, p);
		if (more && flags & EVNTRACE_SYSTEM_THREAD)
			more = evnt_system_thread(to, p, task_pid_nr(p));
		put_task_struct(p);
		cond_resched();
	}
	kvfree(list);
}

/**
 * evnt_system_rundown() - record what exists in a session
 * @s: session, which records these events or has just stopped to
 * @file: rundown of one of its files, which gets the events instead; or NULL
 * @flags: EVNTRACE_SYSTEM_* of the events
 * @is_end: the session stops, or the file ends
 *
 * May sleep.  Ends early if the caller is killed or the session stops.
 */
void evnt_system_rundown(struct evnt_session *s, struct evnt_rundown *file,
			 u32 flags, bool is_end)
{
	/* Headers have no thread and process, and the data has both */
	struct evnt_system_target to = {
		.session = s,
		.file = file,
		/* No buffer of the session is awaited for a file */
		.is_hasty = file,
		.type = is_end ? EVNT_TYPE_DCEND : EVNT_TYPE_DCSTART,
	};
	struct evnt_system_scratch *x;

	if (flags & EVNTRACE_SYSTEM_PROFILE)
		evnt_profile_collection(&to);
	/* Requests are under way while the rest is recorded */
	if (IS_ENABLED(CONFIG_BLOCK) && flags & EVNTRACE_SYSTEM_DISK_IO &&
	    !evnt_system_disks(&to))
		return;
	x = kmalloc(sizeof(*x), GFP_KERNEL);
	if (x && evnt_system_number_images(&to, x, flags) &&
	    flags & (EVNTRACE_SYSTEM_PROCESS | EVNTRACE_SYSTEM_THREAD |
		     EVNTRACE_SYSTEM_IMAGE_LOAD))
		run_down(&to, flags, x);
	kfree(x);
}
