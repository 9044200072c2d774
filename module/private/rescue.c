// SPDX-License-Identifier: GPL-2.0
/*
 * Events that a process has in buffers of its own, and could not write to its
 * log before its end.
 *
 * The process names buffers and log: see struct evntprov_rescue.  The memory stays
 * pinned, and the log open, as long as the file of /dev/evntprov.  If the process
 * is gone by then, a thread completes the log.
 *
 * The memory is trusted as little as a file, as another process may share it.  So
 * a buffer is copied before it is looked at.  The log is written with the rights
 * with which it was opened, within the limits of the process.
 */
#include <linux/completion.h>
#include <linux/freezer.h>
#include <linux/highmem.h>
#include <linux/kthread.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/refcount.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "core/buffer.h"
#include "core/log_header.h"
#include "module/common/quota.h"
#include "module/private/private_broker.h"
#include "module/session/log.h"

/* A file system that does not answer must not delay the end of a process long */
#define WAIT_MS		5000
/* Length of the part of a log's header that the module reads and updates */
#define HEADER_LEN	(ETL_BUFFER_HEADER_SIZE + \
			 (u32)sizeof(struct etl_system_header) + \
			 (u32)sizeof(struct etl_logfile_header))

/* A buffer that the process has not written */
struct rescued {
	s64 sequence;
	u32 index;
};

/* States of a log: charged as late from the end of the wait to its completion */
enum {
	RESCUE_IN_TIME,
	RESCUE_LATE,
	RESCUE_DONE
};

/**
 * struct evnt_rescue - buffers and log of a process
 * @refs: references of the file, and of the thread
 * @owner: the process
 * @exec_id: number of the program that it executed
 * @user: user charged for the buffers
 * @memcg: memory cgroup of the process
 * @log: its log
 * @buffer_size: size of a buffer in bytes
 * @count: number of buffers
 * @charged: number of bytes that @user is charged for
 * @found: room for the buffers that were not written
 * @has_begun: the log is being completed, or is complete; rescues_lock
 * @until: end of the time that the process waits for it, in jiffies
 * @state: RESCUE_*: whether the process has waited until then in vain
 * @work: creates the thread, as a process that is killed cannot
 * @done: the log is complete
 * @written_at: offset in the last page
 * @pinned: number of elements of @pages that are pinned
 * @head: the larger page, or the page, of the last one of these
 * @pages: pages of the buffers, and the one with the number of those written
 */
struct evnt_rescue {
	refcount_t refs;
	struct pid *owner;
	u64 exec_id;
	struct evnt_user *user;
	struct mem_cgroup *memcg;
	struct evnt_log log;
	u32 buffer_size;
	u32 count;
	u64 charged;
	struct rescued *found;
	bool has_begun;
	unsigned long until;
	atomic_t state;
	struct work_struct work;
	struct completion done;
	u32 written_at;
	u32 pinned;
	struct page *head;
	struct page **pages;
};

static u32 pages_of(const struct evnt_rescue *r)
{
	return r->buffer_size / PAGE_SIZE;
}

/* Return what the process named: a child process may keep the rest for long */
static void rescue_end(struct evnt_rescue *r)
{
	unpin_user_pages(r->pages, r->pinned);
	r->pinned = 0;
	evnt_log_close(&r->log);
	if (!r->charged)
		return;
	evnt_uncharge(r->user, EVNT_SESSION_BYTES, r->charged);
	evnt_uncharge(r->user, EVNT_RESCUES, 1);
	r->charged = 0;
}

static void rescue_put(struct evnt_rescue *r)
{
	if (!r || !refcount_dec_and_test(&r->refs))
		return;
	rescue_end(r);
	evnt_log_destroy(&r->log);
	kvfree(r->found);
	kvfree(r->pages);
	mem_cgroup_put(r->memcg);
	put_pid(r->owner);
	if (r->user)
		evnt_user_put(r->user);
	kfree(r);
}

static int charge_bytes(struct evnt_rescue *r, u64 bytes)
{
	if (evnt_charge(r->user, EVNT_SESSION_BYTES, bytes, evnt_is_exempt()))
		return -ENOMEM;
	r->charged += bytes;
	return 0;
}

/* Charge the user for the log, and for buffers as of a session of the module */
static int charge(struct evnt_rescue *r)
{
	int err;

	r->user = evnt_user_get();
	if (!r->user)
		return -ENOMEM;
	err = evnt_charge(r->user, EVNT_RESCUES, 1, evnt_is_exempt());
	if (err)
		return err;
	err = charge_bytes(r, (u64)r->count * r->buffer_size);
	if (err)
		evnt_uncharge(r->user, EVNT_RESCUES, 1);
	return err;
}

/*
 * Pin pages.  A page of a larger one keeps all of that in memory, even if the
 * process unmaps it, and is charged so.
 */
static int pin(struct evnt_rescue *r, u64 address, u32 count)
{
	int i, got = pin_user_pages_fast(address, count,
					 FOLL_WRITE | FOLL_LONGTERM,
					 r->pages + r->pinned);
	struct page *head;
	u64 more = 0;

	for (i = 0; i < got; i++) {
		head = compound_head(r->pages[r->pinned++]);
		if (head != r->head)
			more += page_size(head) - PAGE_SIZE;
		r->head = head;
	}
	/* Kernels differ in the error of a range that ends behind the last address */
	if (got != (int)count)
		return got < 0 && got != -EOVERFLOW ? got : -EFAULT;
	return more ? charge_bytes(r, more) : 0;
}

static int pin_all(struct evnt_rescue *r, const struct evntprov_rescue *arg)
{
	const u64 __user *from = u64_to_user_ptr(arg->buffers);
	u64 address, least = 0;
	u32 i;
	int err;

	for (i = 0; i < r->count; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (get_user(address, from + i))
			return -EFAULT;
		/* Each page once, as it counts those that pin it */
		if (!PAGE_ALIGNED(address) || address < least)
			return -EINVAL;
		least = address + r->buffer_size;
		err = pin(r, address, pages_of(r));
		if (err)
			return err;
		cond_resched();
	}
	r->written_at = offset_in_page(arg->written);
	return pin(r, arg->written & PAGE_MASK, 1);
}

/*
 * Read a part of the log's header.  Check that the log still is the one that was
 * named, and has no end: another session may use the file when the process is
 * gone.
 */
static bool is_same_log(struct evnt_log *log, struct etl_logfile_header *now)
{
	const struct etl_logfile_header *named = evnt_log_header_info(log->header);

	return !evnt_log_read_at(log, now, sizeof(*now),
				 (const u8 *)named - log->header) &&
	       !now->end_time && now->boot_time == named->boot_time &&
	       now->start_time == named->start_time;
}

static int open_log(struct evnt_rescue *r, const struct evntprov_rescue *arg)
{
	struct evnt_log *log = &r->log;
	const u32 mode = EVNTRACE_MODE_APPEND;
	int err = evnt_log_open_file(log, mode, arg->log_fd);

	if (err)
		return err;
	/* A lock of the process ends when it closes the descriptor */
	fput(log->given);
	log->given = NULL;
	log->buffer_size = r->buffer_size;
	log->slots = arg->slots;
	log->circular = arg->flags & EVNTPROV_RESCUE_CIRCULAR;
	log->header_len = HEADER_LEN;
	log->header = evnt_alloc_pages(EVNTRACE_MIN_BUFFER_SIZE, 0);
	log->copy = evnt_alloc_pages(r->buffer_size, 0);
	if (!log->header || !log->copy)
		return -ENOMEM;
	return evnt_log_read_at(log, log->header, HEADER_LEN, 0);
}

static struct evnt_rescue *rescue_create(const struct evntprov_rescue *arg)
{
	const u64 pages = (u64)arg->count * (arg->buffer_size / PAGE_SIZE) + 1;
	struct evnt_rescue *r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	int err;

	if (!r)
		return ERR_PTR(-ENOMEM);
	refcount_set(&r->refs, 1);
	init_completion(&r->done);
	r->owner = get_task_pid(current, PIDTYPE_TGID);
	r->exec_id = current->self_exec_id;
	r->memcg = get_mem_cgroup_from_mm(current->mm);
	r->buffer_size = arg->buffer_size;
	r->count = arg->count;
	/* First, as it bounds the memory allocated below */
	err = charge(r);
	if (!err) {
		r->found = kvcalloc(r->count, sizeof(*r->found),
				    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
		r->pages = kvcalloc(pages, sizeof(*r->pages),
				    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
		if (!r->found || !r->pages)
			err = -ENOMEM;
	}
	if (!err)
		err = open_log(r, arg);
	if (!err)
		err = pin_all(r, arg);
	if (!err)
		return r;
	rescue_put(r);
	return ERR_PTR(err);
}

static bool is_valid(const struct evntprov_rescue *arg)
{
	return arg->buffer_size >= EVNTRACE_MIN_BUFFER_SIZE &&
	       arg->buffer_size <= EVNTRACE_MAX_BUFFER_SIZE &&
	       IS_ALIGNED(arg->buffer_size, PAGE_SIZE) && arg->count &&
	       arg->count <= EVNTRACE_MAX_BUFFERS &&
	       IS_ALIGNED(arg->written, sizeof(u64)) &&
	       (arg->flags ? arg->slots >= 2 : arg->slots != 1);
}

/* Check that the caller is the process, and executes another program */
static bool is_replaced(const struct evnt_rescue *r)
{
	return current->in_execve && task_tgid(current) == r->owner;
}

/*
 * Check that the process has ended, or executed another program: none of its
 * threads runs the program any longer that has named the buffers.  A program that
 * closes descriptors as it is replaced has no other thread, and does not return.
 */
static bool is_over(const struct evnt_rescue *r)
{
	const struct task_struct *leader;
	bool is_over;

	if (is_replaced(r))
		return true;
	rcu_read_lock();
	leader = pid_task(r->owner, PIDTYPE_TGID);
	is_over = !leader || READ_ONCE(leader->self_exec_id) != r->exec_id ||
		  !atomic_read(&leader->signal->live);
	rcu_read_unlock();
	return is_over;
}

static int compare(const void *a, const void *b)
{
	const struct rescued *x = a, *y = b;

	return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* Find the buffers that were not written; returns their number */
static u32 find_buffers(struct evnt_rescue *r, u32 last)
{
	struct etl_buffer_header h;
	u32 i, n = 0;

	for (i = 0; i < r->count; i++) {
		memcpy_from_page((char *)&h, r->pages[i * pages_of(r)], 0,
				 sizeof(h));
		if (h.buffer_size != r->buffer_size || (u32)h.sequence == last)
			continue;
		r->found[n++] = (struct rescued) { h.sequence, i };
		cond_resched();
	}
	sort(r->found, n, sizeof(*r->found), compare, NULL);
	return n;
}

static void copy_buffer(struct evnt_rescue *r, u32 index)
{
	u32 i, first = index * pages_of(r);

	for (i = 0; i < pages_of(r); i++)
		memcpy_from_page(r->log.copy + i * PAGE_SIZE,
				 r->pages[first + i], 0, PAGE_SIZE);
}

/* Continue the log behind @written buffers, which include the header */
static void continue_log(struct evnt_log *log,
			 const struct etl_logfile_header *now, u32 written)
{
	struct evnt_circular *c = &log->circle;

	*evnt_log_header_info(log->header) = *now;
	log->found.events_lost = now->events_lost;
	log->found.buffers_lost = now->buffers_lost;
	log->buffers_written = max(written, 1u);
	if (log->circular) {
		/* Without epochs: their starts are not known */
		evnt_circular_init(c, log->slots - 1, U32_MAX);
		c->head = log->buffers_written - 1;
		c->tail = c->head - min(c->head, c->slots);
	}
}

static void complete_log(struct evnt_rescue *r)
{
	const u32 size = r->buffer_size;
	struct evnt_log *log = &r->log;
	struct etl_logfile_header now;
	u64 written;
	u32 i, n;

	memcpy_from_page((char *)&written, r->pages[r->pinned - 1],
			 r->written_at, sizeof(written));
	n = find_buffers(r, written);
	if (!is_same_log(log, &now))
		return;
	continue_log(log, &now, written >> 32);
	for (i = 0; i < n; i++) {
		if (!is_same_log(log, &now))
			return;
		copy_buffer(r, r->found[i].index);
		if (evnt_buffer_recover(log->copy, size))
			evnt_log_write(log, log->copy, 0,
				       evnt_buffer_extent(log->copy).records);
		try_to_freeze();
		cond_resched();
	}
	if (is_same_log(log, &now))
		evnt_log_finish(log, 0);
}

/* Let the process go on */
static void rescue_done(struct evnt_rescue *r)
{
	if (atomic_xchg(&r->state, RESCUE_DONE) == RESCUE_LATE)
		evnt_uncharge(r->user, EVNT_LATE_RESCUES, 1);
	complete_all(&r->done);
}

static int rescue_thread(void *data)
{
	struct evnt_rescue *r = data;

	set_freezable();
	set_active_memcg(r->memcg);
	complete_log(r);
	set_active_memcg(NULL);
	rescue_end(r);
	rescue_done(r);
	rescue_put(r);
	module_put_and_kthread_exit(0);
}

static void create_thread(struct work_struct *work)
{
	struct evnt_rescue *r = container_of(work, struct evnt_rescue, work);

	if (!IS_ERR(kthread_run(rescue_thread, r, "evntprov-rescue")))
		return;
	rescue_done(r);
	rescue_put(r);
	module_put(THIS_MODULE);
}

/*
 * Begin to complete the log.  The thread has a reference of its own to the
 * module.
 */
static void rescue_begin(struct evnt_rescue *r)
{
	__module_get(THIS_MODULE);
	r->has_begun = true;
	r->until = jiffies + msecs_to_jiffies(WAIT_MS);
	refcount_inc(&r->refs);
	INIT_WORK(&r->work, create_thread);
	schedule_work(&r->work);
}

/* Time until then in jiffies, or 0 */
static unsigned long time_left(unsigned long until)
{
	const unsigned long now = jiffies;

	return time_before(now, until) ? until - now : 0;
}

/*
 * Wait for a log, but not if another of the user is late: a process may have many,
 * on the same file system
 */
static void wait_for(struct evnt_rescue *r)
{
	if (evnt_is_charged(r->user, EVNT_LATE_RESCUES) ||
	    wait_for_completion_timeout(&r->done, time_left(r->until)))
		return;
	evnt_charge(r->user, EVNT_LATE_RESCUES, 1, true);
	if (atomic_cmpxchg(&r->state, RESCUE_IN_TIME, RESCUE_LATE))
		evnt_uncharge(r->user, EVNT_LATE_RESCUES, 1);
}

/**
 * evnt_rescues_complete() - complete the logs of processes that are gone
 * @pf: file of which a descriptor is closed
 *
 * A process that ends waits up to WAIT_MS, so that its parent finds the log
 * complete.  One that executes a program does so if it closes the file's last
 * descriptor; before, it holds locks that others want.  Another one that has the
 * file, too, does not wait.
 */
void evnt_rescues_complete(struct evnt_prov_file *pf)
{
	struct evnt_rescue *r, *begun[EVNTPROV_MAX_RESCUES] = {};
	u32 i;

	mutex_lock(&pf->rescues_lock);
	for (i = 0; i < EVNTPROV_MAX_RESCUES; i++) {
		r = pf->rescues[i];
		if (!r || !is_over(r))
			continue;
		/* Another process may have been here first */
		if (!r->has_begun)
			rescue_begin(r);
		refcount_inc(&r->refs);
		begun[i] = r;
	}
	mutex_unlock(&pf->rescues_lock);
	for (i = 0; i < EVNTPROV_MAX_RESCUES; i++) {
		r = begun[i];
		if (!r)
			continue;
		/* The module must not go while create_thread() runs */
		flush_work(&r->work);
		if (task_tgid(current) == r->owner && !current->in_execve)
			wait_for(r);
		rescue_put(r);
	}
}

/* Check that a log is of another process, which goes on */
static bool is_anothers(const struct evnt_rescue *r)
{
	return r && !r->has_begun && r->owner != task_tgid(current);
}

/**
 * evnt_rescue_set() - EVNTPROV_IOC_RESCUE
 * @pf: file
 * @arg: ioctl argument
 *
 * Return: 0 or an errno documented for EVNTPROV_IOC_RESCUE.
 */
int evnt_rescue_set(struct evnt_prov_file *pf,
		    const struct evntprov_rescue *arg)
{
	const u32 id = array_index_nospec(arg->id, EVNTPROV_MAX_RESCUES);
	struct evnt_rescue *r = NULL;
	int err = 0;

	if (arg->flags & ~EVNTPROV_RESCUE_CIRCULAR ||
	    arg->id >= EVNTPROV_MAX_RESCUES)
		return -EINVAL;
	if (arg->log_fd != -1) {
		if (!is_valid(arg))
			return -EINVAL;
		r = rescue_create(arg);
		if (IS_ERR(r))
			return PTR_ERR(r);
	}
	/* A child process may have the file of its parent */
	evnt_rescues_complete(pf);
	mutex_lock(&pf->rescues_lock);
	if (is_anothers(pf->rescues[id]))
		err = -EBUSY;
	else
		swap(pf->rescues[id], r);
	mutex_unlock(&pf->rescues_lock);
	rescue_put(r);
	return err;
}

/* Complete the logs of processes that are gone, and forget the others */
void evnt_rescues_destroy(struct evnt_prov_file *pf)
{
	u32 i;

	evnt_rescues_complete(pf);
	for (i = 0; i < EVNTPROV_MAX_RESCUES; i++)
		rescue_put(pf->rescues[i]);
	mutex_destroy(&pf->rescues_lock);
}
