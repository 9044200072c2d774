// SPDX-License-Identifier: GPL-2.0
/*
 * Real-time consumers: open files of /dev/evntrace that read a session's
 * finished buffers where they are.
 *
 * A consumer maps the log's header and all buffers of its session, read-only.
 * It is told which buffer comes next, reads it in place, and gives it back.  It
 * may hold some, for it merges the buffers of all CPUs by time, but no more than
 * it has brought into the pool when it came: so writers of events have as many
 * buffers as without it, whatever it does or does not do.
 *
 * How many that is follows from what merging takes.  With each buffer goes a
 * mark: no event in a later one is older.  A buffer that has been open for long
 * holds the marks back, so the writer thread closes buffers that are
 * evnt_stream_distance() behind the newest.  A buffer is then finished after at
 * most so many others that were acquired after it, and as many as there are CPUs
 * may overlap with any of these.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat/compat.h"
#include "stream.h"

/**
 * struct evnt_consumer - one consumer
 * @session: with a reference
 * @cursor: where it is in the backlog, whose lock guards it
 * @lock: guards all below
 * @held: a bit for each buffer that it holds
 * @held_count: how many
 * @max_held: how many it may hold; constant
 * @mark: the last that it was told
 * @undo: for evnt_consumer_undo_next(): @cursor and @mark as they were
 */
struct evnt_consumer {
	struct evnt_session *session;
	struct evnt_cursor cursor;
	struct mutex lock;	/* guards what follows, but for max_held */
	unsigned long *held;
	u32 held_count;
	u32 max_held;
	s64 mark;
	struct {
		struct evnt_cursor cursor;
		s64 mark;
		s64 index;
	} undo;
};

/* Equally busy CPUs do not leave each other's buffers behind, as a rule */
static u32 usual_distance(u32 cpus)
{
	return 2 * cpus;
}

/* Those that a buffer left behind holds up, those that overlap, and one more */
u32 evnt_stream_max_held(void)
{
	const u32 cpus = num_online_cpus();

	return usual_distance(cpus) + cpus + 1;
}

/**
 * evnt_stream_distance() - how far behind the newest buffers are closed
 * @max_held: evnt_stream_max_held() when the session was started
 *
 * When CPUs have come since, more buffers overlap.  Closing them earlier keeps what
 * a consumer needs within what it may hold.
 *
 * Return: at least 1.
 */
u32 evnt_stream_distance(u32 max_held)
{
	const u32 cpus = num_online_cpus();

	if (max_held < cpus + 2)
		return 1;
	return min(usual_distance(cpus), max_held - cpus - 1);
}

static struct evnt_backlog *backlog_of(const struct evnt_consumer *c)
{
	return &c->session->backlog;
}

/* From one buffer to the next, as they are mapped */
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
	c->session = s;
	c->max_held = s->max_held;
	c->mark = S64_MIN;
	c->undo.index = -1;
	return c;
}

/**
 * evnt_consumer_create() - EVNTRACE_IOC_CONSUME
 * @arg: its argument
 * @created: the consumer
 *
 * Return: 0 or what the ABI says.
 */
int evnt_consumer_create(struct evntrace_consume *arg,
			 struct evnt_consumer **created)
{
	struct evnt_session *s = evnt_session_get(arg->handle);
	struct evnt_consumer *c;
	int err;

	if (!s)
		return -ESRCH;
	err = evnt_session_check(s, EVNTRACE_RIGHT_ACCESS_REALTIME);
	if (!err)
		err = evnt_session_admit_reader(s);
	if (err)
		goto put;
	err = -ENOMEM;
	c = consumer_alloc(s);
	if (!c)
		goto put;
	err = evnt_session_add_consumer(s);
	if (err)
		goto free;
	evnt_backlog_attach(&s->backlog, &c->cursor);
	/* From here on it gets what is told */
	evnt_session_renew(s);
	evnt_manifests_wait(s);
	arg->buffer_size = s->buffers.buffer_size;
	arg->stride = stride_of(s);
	arg->map_size = (u64)(1 + s->buffers.capacity) * arg->stride;
	arg->max_held = c->max_held;
	*created = c;
	return 0;

free:
	consumer_free(c);	/* with the reference to the session */
	return err;
put:
	evnt_session_put(s);
	return err;
}

/* The file is closed, and nothing is mapped any more */
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

/* Note that a buffer is held; it may be, if two threads have undone the other */
static void keep(struct evnt_consumer *c, u32 index)
{
	lockdep_assert_held(&c->lock);
	if (__test_and_set_bit(index, c->held))
		evnt_backlog_release(backlog_of(c), index);
	else
		c->held_count++;
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

	arg->flags = 0;
	arg->index = 0;
	arg->length = 0;
	if (news->has_buffer) {
		h = (void *)buffers[news->kept.index].data;
		arg->flags |= EVNTRACE_NEXT_BUFFER;
		arg->index = news->kept.index;
		arg->length = h->saved_offset;
	}
	if (news->has_ended)
		arg->flags |= EVNTRACE_NEXT_END;
	arg->watermark = max(news->mark, c->mark);
	arg->buffers_missed = news->buffers_missed;
	arg->events_missed = news->records_missed;
}

/* A mark alone is news for who holds something back because of it */
static s64 wanted_mark(const struct evnt_consumer *c)
{
	return c->held_count ? c->mark : S64_MAX;
}

static int consumer_next(struct evnt_consumer *c, struct evntrace_next *arg)
{
	struct evnt_news news;

	lockdep_assert_held(&c->lock);
	if (c->held_count >= c->max_held)
		return -EBUSY;
	if (!evnt_backlog_has_news(backlog_of(c), &c->cursor, wanted_mark(c)))
		return -EAGAIN;
	c->undo.cursor = c->cursor;
	c->undo.mark = c->mark;
	evnt_backlog_next(backlog_of(c), &c->cursor, &news);
	c->undo.index = news.has_buffer ? (s64)news.kept.index : -1;
	if (news.has_buffer)
		keep(c, news.kept.index);
	fill_next(c, &news, arg);
	c->mark = max(c->mark, news.mark);
	return 0;
}

/**
 * evnt_consumer_next() - EVNTRACE_IOC_NEXT
 * @c: the consumer
 * @arg: its argument
 *
 * Return: 0 or what the ABI says.
 */
int evnt_consumer_next(struct evnt_consumer *c, struct evntrace_next *arg)
{
	int err;

	mutex_lock(&c->lock);
	err = consumer_next(c, arg);
	mutex_unlock(&c->lock);
	return err;
}

/* The consumer could not be told: what evnt_consumer_next() did is undone */
void evnt_consumer_undo_next(struct evnt_consumer *c)
{
	mutex_lock(&c->lock);
	if (c->undo.index >= 0)
		give_back(c, c->undo.index);
	evnt_backlog_set_back(backlog_of(c), &c->cursor, &c->undo.cursor);
	c->mark = c->undo.mark;
	c->undo.index = -1;
	mutex_unlock(&c->lock);
}

/**
 * evnt_consumer_release() - EVNTRACE_IOC_RELEASE
 * @c: the consumer
 * @index: the buffer
 *
 * Return: 0 or what the ABI says.
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

/* What lies at an offset of the mapping: the header first, then the buffers */
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
 * @c: the consumer
 * @vma: the mapping; it keeps the file open, and so the memory alive
 *
 * Return: 0; -EPERM for a mapping that is not just to read, -EINVAL beyond the
 * end.
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
