// SPDX-License-Identifier: GPL-2.0
/*
 * Real-time consumers: descriptors of a session that read the session's
 * finished buffers in place.
 *
 * A consumer maps the log's header and all buffers of its session, read-only.
 * It requests the next buffer, reads it in place, and gives it back.  It may
 * hold several, as it merges the buffers of all CPUs by time, but not more than
 * were added to the pool for it: the writers of events have as many buffers as
 * without the consumer, whatever it does.
 *
 * That number follows from what merging needs.  Each buffer comes with a mark:
 * no event in a later buffer is older.  A buffer that stays open for long holds
 * the marks back, so the writer thread closes buffers that are
 * evnt_stream_distance() behind the newest.  At most that many buffers acquired
 * after it are then finished before it, and as many buffers as there are CPUs
 * may overlap with any of these.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "module/compat/compat.h"
#include "module/session/consumer.h"

/**
 * struct evnt_consumer - one consumer
 * @session: session, with a reference
 * @cursor: position in the backlog; guarded by the backlog's lock
 * @lock: guards all members below
 * @held: bitmap of the buffers that it holds
 * @held_count: number of bits set in @held
 * @mark: last mark returned to the consumer
 * @undo: state for evnt_consumer_undo_next(): previous position and @mark, and
 *	the buffer returned, or -1
 */
struct evnt_consumer {
	struct evnt_session *session;
	struct evnt_cursor cursor;
	struct mutex lock;	/* guards all below */
	unsigned long *held;
	u32 held_count;
	s64 mark;
	struct {
		u64 at;
		u64 records;
		s64 mark;
		s64 index;
	} undo;
};

/*
 * Equally busy CPUs rarely leave each other's buffers further behind, while each
 * lane acquires one buffer more
 */
static u32 usual_distance(const struct evnt_buffers *b, u32 cpus)
{
	return 2 * cpus + b->nr_lanes;
}

/*
 * Return the number of buffers that a consumer may hold: the ones behind a buffer
 * that is left behind, one of each CPU and lane that overlaps with them, and one
 * more
 */
u32 evnt_stream_max_held(const struct evnt_buffers *b)
{
	const u32 cpus = num_online_cpus();

	return usual_distance(b, cpus) + cpus + b->nr_lanes + 1;
}

/**
 * evnt_stream_distance() - compute how far behind the newest buffers are closed
 * @b: the session's buffers
 * @max_held: evnt_stream_max_held() at the time the session was started
 *
 * If CPUs have come online since, more buffers overlap.  Closing buffers
 * earlier keeps a consumer's need within @max_held.
 *
 * Return: the distance in buffers, at least 1.
 */
u32 evnt_stream_distance(const struct evnt_buffers *b, u32 max_held)
{
	const u32 cpus = num_online_cpus(), open = cpus + b->nr_lanes;

	if (max_held < open + 2)
		return 1;
	return min(usual_distance(b, cpus), max_held - open - 1);
}

static struct evnt_backlog *backlog_of(const struct evnt_consumer *c)
{
	return &c->session->backlog;
}

/* Distance in bytes between two buffers in the mapping */
static u32 stride_of(const struct evnt_session *s)
{
	return PAGE_ALIGN(s->buffers.buffer_size);
}

static void consumer_free(struct evnt_consumer *c)
{
	evnt_session_put(c->session);
	bitmap_free(c->held);
	kfree(c);
}

static struct evnt_consumer *consumer_alloc(struct evnt_session *s)
{
	struct evnt_consumer *c = kzalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);

	if (!c)
		return NULL;
	c->held = bitmap_zalloc(s->buffers.capacity, GFP_KERNEL_ACCOUNT);
	if (!c->held) {
		kfree(c);
		return NULL;
	}
	mutex_init(&c->lock);
	refcount_inc(&s->refs);
	c->session = s;
	c->mark = S64_MIN;
	c->undo.index = -1;
	return c;
}

/**
 * evnt_consumer_create() - EVNTRACE_IOC_OPEN_CONSUMER
 * @s: session that the caller may consume
 * @arg: ioctl argument
 *
 * Return: the consumer, or an ERR_PTR() as documented for
 * EVNTRACE_IOC_OPEN_CONSUMER.
 */
struct evnt_consumer *evnt_consumer_create(struct evnt_session *s,
					   struct evntrace_open_consumer *arg)
{
	struct evnt_consumer *c;
	int err;

	err = evnt_session_admit_reader(s);
	if (err)
		return ERR_PTR(err);
	c = consumer_alloc(s);
	if (!c)
		return ERR_PTR(-ENOMEM);
	err = evnt_session_add_consumer(s);
	if (err) {
		consumer_free(c);
		return ERR_PTR(err);
	}
	evnt_backlog_attach(&s->backlog, &c->cursor);
	/* The consumer is attached, so it receives what is reported again */
	evnt_session_renew(s);
	s->ops->wait_renewed(s);
	arg->buffer_size = s->buffers.buffer_size;
	arg->stride = stride_of(s);
	arg->map_size = (u64)(1 + s->buffers.capacity) * arg->stride;
	arg->max_held = s->max_held;
	return c;
}

/* Free a consumer whose file is closed and no longer mapped */
void evnt_consumer_destroy(struct evnt_consumer *c)
{
	struct evnt_session *s = c->session;
	u32 index;

	evnt_backlog_detach(&s->backlog, &c->cursor);
	for_each_set_bit(index, c->held, s->buffers.capacity)
		evnt_backlog_release(&s->backlog, index);
	evnt_session_remove_consumer(s);
	consumer_free(c);
}

static int give_back(struct evnt_consumer *c, u32 index)
{
	lockdep_assert_held(&c->lock);
	if (index >= c->session->buffers.capacity)
		return -EINVAL;
	index = array_index_nospec(index, c->session->buffers.capacity);
	if (!__test_and_clear_bit(index, c->held))
		return -EINVAL;
	c->held_count--;
	evnt_backlog_release(backlog_of(c), index);
	return 0;
}

static void fill_next(const struct evnt_consumer *c,
		      const struct evnt_news *news, struct evntrace_next *arg)
{
	const struct evnt_buffer *buffers = c->session->buffers.buffers;
	const struct etl_buffer_header *h;

	arg->state = 0;
	arg->index = 0;
	arg->length = 0;
	if (news->has_buffer) {
		h = (void *)buffers[news->kept.index].data;
		arg->state |= EVNTRACE_NEXT_BUFFER;
		arg->index = news->kept.index;
		arg->length = h->saved_offset;
	}
	if (news->mark == S64_MAX)
		arg->state |= EVNTRACE_NEXT_END;
	arg->watermark = max(news->mark, c->mark);
	arg->buffers_missed = news->buffers_missed;
	arg->events_missed = news->records_missed;
}

/*
 * Return the mark that makes a higher mark news on its own.  Only a consumer
 * that holds buffers waits for marks.
 */
static s64 wanted_mark(const struct evnt_consumer *c)
{
	return c->held_count ? c->mark : S64_MAX;
}

/**
 * evnt_consumer_next() - EVNTRACE_IOC_NEXT
 * @c: consumer
 * @arg: ioctl argument
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_NEXT.
 */
int evnt_consumer_next(struct evnt_consumer *c, struct evntrace_next *arg)
{
	struct evnt_news news;
	int err = -EBUSY;

	mutex_lock(&c->lock);
	if (c->held_count >= c->session->max_held)
		goto unlock;
	err = -EAGAIN;
	if (!evnt_backlog_has_news(backlog_of(c), &c->cursor, wanted_mark(c)))
		goto unlock;
	err = 0;
	/* Only this consumer moves its cursor, with both locks */
	c->undo.at = c->cursor.at;
	c->undo.records = c->cursor.records;
	c->undo.mark = c->mark;
	evnt_backlog_next(backlog_of(c), &c->cursor, &news);
	c->undo.index = news.has_buffer ? (s64)news.kept.index : -1;
	if (news.has_buffer) {
		/*
		 * It may be held already, if calls of two threads were undone
		 * in the wrong order
		 */
		if (__test_and_set_bit(news.kept.index, c->held))
			evnt_backlog_release(backlog_of(c), news.kept.index);
		else
			c->held_count++;
	}
	fill_next(c, &news, arg);
	c->mark = max(c->mark, news.mark);
unlock:
	mutex_unlock(&c->lock);
	return err;
}

/* Undo evnt_consumer_next() after its result could not be copied out */
void evnt_consumer_undo_next(struct evnt_consumer *c)
{
	mutex_lock(&c->lock);
	if (c->undo.index >= 0)
		give_back(c, c->undo.index);
	evnt_backlog_set_back(backlog_of(c), &c->cursor, c->undo.at,
			      c->undo.records);
	c->mark = c->undo.mark;
	c->undo.index = -1;
	mutex_unlock(&c->lock);
}

/**
 * evnt_consumer_release() - EVNTRACE_IOC_RELEASE
 * @c: consumer
 * @index: index of the buffer
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_RELEASE.
 */
int evnt_consumer_release(struct evnt_consumer *c, u32 index)
{
	int err;

	mutex_lock(&c->lock);
	err = give_back(c, index);
	mutex_unlock(&c->lock);
	return err;
}

__poll_t evnt_consumer_poll(struct evnt_consumer *c, struct file *file,
			    poll_table *wait)
{
	bool has_news;

	poll_wait(file, &backlog_of(c)->wait, wait);
	mutex_lock(&c->lock);
	has_news = evnt_backlog_has_news(backlog_of(c), &c->cursor,
					 wanted_mark(c));
	mutex_unlock(&c->lock);
	return has_news ? EPOLLIN | EPOLLRDNORM : 0;
}

/*
 * Return the address at an offset of the mapping, which consists of the header
 * followed by the buffers; or NULL
 */
static void *map_address(const struct evnt_session *s, u64 offset)
{
	const struct evnt_buffers *b = &s->buffers;
	u32 in_buffer;
	u64 slot = div_u64_rem(offset, stride_of(s), &in_buffer);
	u8 *data = s->header;

	if (slot > b->capacity)
		return NULL;
	slot = array_index_nospec((unsigned long)slot,
				  b->capacity + 1ul);
	if (slot)
		data = smp_load_acquire(&b->buffers[slot - 1].data);  /* (F) */
	return data ? data + in_buffer : NULL;
}

static vm_fault_t stream_fault(struct vm_fault *vmf)
{
	const struct evnt_consumer *c = vmf->vma->vm_private_data;
	void *p = map_address(c->session, (u64)vmf->pgoff << PAGE_SHIFT);

	if (!p)
		return VM_FAULT_SIGBUS;
	vmf->page = vmalloc_to_page(p);
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct stream_vm_ops = {
	.fault = stream_fault,
};

/**
 * evnt_consumer_mmap() - map a session's buffers
 * @c: consumer
 * @vma: mapping; its reference to the file keeps the memory alive
 *
 * Return: 0; -EPERM for a mapping that is writable or executable; -EINVAL
 * beyond the end.
 */
int evnt_consumer_mmap(struct evnt_consumer *c, struct vm_area_struct *vma)
{
	u64 pages = (1 + (u64)c->session->buffers.capacity) *
		    (stride_of(c->session) >> PAGE_SHIFT);

	if (vma->vm_pgoff > pages || vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = c;
	vma->vm_ops = &stream_vm_ops;
	return 0;
}
