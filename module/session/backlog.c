// SPDX-License-Identifier: GPL-2.0
/*
 * The finished buffers that a session keeps in memory.
 *
 *	full stack --> writer thread --> head |  |  |  | tail --> free map
 *	                                        |     |
 *	                                     cursors, holds
 *
 * A finished buffer is not freed, but becomes the newest one of the backlog.
 * The writer thread evicts the oldest buffers when fewer buffers than the
 * reserve are free.  Readers cannot delay that: a reader is informed of what it
 * has missed.
 *
 * The reserve supplies writers of events until the writer thread has run.  It
 * is a quarter of the buffers or two for each CPU, whichever is more, but at
 * most half of them; a larger reserve would reduce what is kept.  Once it is
 * used up, writers evict the oldest buffers themselves.  Events are therefore
 * lost only if all buffers were filled since the writer thread last ran.
 *
 * Buffers are kept while the backlog is open.  After it is closed, attached
 * readers still get the remaining buffers; without readers, all buffers are
 * evicted.
 *
 * A reader holds a buffer while it uses it.  A held buffer that is evicted
 * becomes free when the last holder releases it.  Readers that may hold buffers
 * for long add as many buffers of their own to the pool; see consumer.c.
 *
 * The lock is held for at most BATCH evictions at a time, each with a scan of up
 * to EVNTRACE_MAX_CONSUMERS cursors.  Longer operations drop the lock between
 * batches.
 */
#include <linux/math64.h>
#include <linux/poll.h>
#include <linux/preempt.h>

#include "module/session/backlog.h"

/* Maximum number of buffers evicted without dropping the lock */
#define BATCH		64u

static struct evnt_kept *kept_at(const struct evnt_backlog *bl, u64 at)
{
	u32 slot;

	lockdep_assert_held(&bl->lock);
	div_u64_rem(at, bl->capacity, &slot);
	return &bl->ring[slot];
}

/**
 * evnt_backlog_init() - initialise an empty, closed backlog
 * @bl: zeroed backlog
 * @b: initialised buffers; must outlive the backlog
 * @reserve: number of buffers to keep free
 *
 * Return: 0 or -ENOMEM.  In either case, evnt_backlog_destroy() must be called.
 */
int evnt_backlog_init(struct evnt_backlog *bl, struct evnt_buffers *b,
		      u32 reserve)
{
	bl->buffers = b;
	bl->capacity = b->capacity;
	bl->reserve = reserve;
	raw_spin_lock_init(&bl->lock);
	INIT_LIST_HEAD(&bl->cursors);
	init_waitqueue_head(&bl->wait);
	bl->until = S64_MIN;
	bl->mark = S64_MIN;
	bl->holds = evnt_alloc(bl->capacity * sizeof(*bl->holds));
	if (!bl->holds)
		return -ENOMEM;
	bl->ring = evnt_alloc(bl->capacity * sizeof(*bl->ring));
	return bl->ring ? 0 : -ENOMEM;
}

/* Free memory; may be called for a zeroed or partly initialised backlog */
void evnt_backlog_destroy(struct evnt_backlog *bl)
{
	evnt_free(bl->ring);
	evnt_free(bl->holds);
}

/*
 * Drop one hold.  Returns true if it was the last one and the buffer is now
 * free.
 */
static bool let_go(struct evnt_backlog *bl, u32 index)
{
	lockdep_assert_held(&bl->lock);
	if (--bl->holds[index])
		return false;
	evnt_buffer_free(bl->buffers, &bl->buffers->buffers[index]);
	return true;
}

static bool somebody_misses(const struct evnt_backlog *bl, u64 at)
{
	const struct evnt_cursor *c;

	list_for_each_entry(c, &bl->cursors, node) {
		if (c->at <= at && at < c->end)
			return true;
	}
	return false;
}

/* Evict the oldest buffer; returns false if a reader still holds it */
static bool evict_oldest(struct evnt_backlog *bl)
{
	u32 index = kept_at(bl, bl->tail)->index;

	if (somebody_misses(bl, bl->tail))
		WRITE_ONCE(bl->missed, bl->missed + 1);
	WRITE_ONCE(bl->tail, bl->tail + 1);
	return let_go(bl, index);
}

/*
 * Evict up to BATCH buffers, until @wanted are free; returns the number freed
 */
static u32 evict_batch(struct evnt_backlog *bl, u32 wanted)
{
	u32 count, freed = 0;

	lockdep_assert_held(&bl->lock);
	for (count = 0; count < BATCH && freed < wanted && bl->tail != bl->head;
	     count++)
		freed += evict_oldest(bl);
	return freed;
}

/*
 * Evict all buffers if @regardless, otherwise unless they are wanted; may sleep
 */
static void evict_all(struct evnt_backlog *bl, bool regardless)
{
	bool is_done;

	do {
		raw_spin_lock(&bl->lock);
		is_done = !regardless &&
			  (bl->is_open || !list_empty(&bl->cursors));
		if (!is_done) {
			evict_batch(bl, U32_MAX);
			is_done = bl->tail == bl->head;
		}
		raw_spin_unlock(&bl->lock);
		cond_resched();
	} while (!is_done);
}

/**
 * evnt_backlog_open() - start keeping buffers
 * @bl: closed backlog
 *
 * Evicts buffers left from an earlier period, so that the backlog has no gap.
 * Readers that have not read them count them as missed.
 */
void evnt_backlog_open(struct evnt_backlog *bl)
{
	evict_all(bl, true);
	raw_spin_lock(&bl->lock);
	bl->is_open = true;
	raw_spin_unlock(&bl->lock);
}

static void end_at_head(const struct evnt_backlog *bl, struct evnt_cursor *c)
{
	lockdep_assert_held(&bl->lock);
	c->end = bl->head;
	c->end_records = bl->records;
}

/* Stop keeping buffers.  Attached readers end at the current head. */
void evnt_backlog_close(struct evnt_backlog *bl)
{
	struct evnt_cursor *c;

	raw_spin_lock(&bl->lock);
	bl->is_open = false;
	list_for_each_entry(c, &bl->cursors, node) {
		if (c->end == U64_MAX)
			end_at_head(bl, c);
	}
	raw_spin_unlock(&bl->lock);
	evict_all(bl, false);
	wake_up_interruptible_poll(&bl->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * evnt_backlog_reclaim() - free a buffer for a writer that has found none
 * @bl: backlog
 *
 * Context: Any.  A task may spin on the lock: the holder is on another CPU, as
 * neither of them can be preempted.  In interrupt and NMI context only a
 * trylock is safe, as the holder may be the interrupted context.
 *
 * A held buffer leaves the backlog without becoming free.  The number of such
 * buffers before a free one is bounded by what EVNTRACE_MAX_CONSUMERS consumers
 * may hold, plus the half of all buffers that a snapshot may hold.
 *
 * Return: true if a buffer was freed; false if the backlog is empty or its lock
 * is not available.
 */
bool evnt_backlog_reclaim(struct evnt_backlog *bl)
{
	bool is_free, is_empty;

	/*
	 * Without a backlog to evict from, writers do not contend for the lock
	 */
	if (READ_ONCE(bl->tail) == READ_ONCE(bl->head))
		return false;
	do {
		if (in_task())
			raw_spin_lock(&bl->lock);
		else if (!raw_spin_trylock(&bl->lock))
			return false;
		is_free = evict_batch(bl, 1);
		is_empty = bl->tail == bl->head;
		raw_spin_unlock(&bl->lock);
	} while (!is_free && !is_empty);
	return is_free;
}

/**
 * evnt_backlog_push() - add a finished buffer, evicting the oldest as needed
 * @bl: open backlog
 * @buf: finished buffer that contains records
 * @extent: extent of @buf
 * @mark: time stamp; no record in a later buffer is older
 *
 * The ring cannot overflow: it has one slot for each buffer, and a buffer is in
 * it at most once.
 */
void evnt_backlog_push(struct evnt_backlog *bl, struct evnt_buffer *buf,
		       const struct evnt_extent *extent, s64 mark)
{
	struct evnt_kept *slot;
	bool is_empty = false;
	u32 count;

	raw_spin_lock(&bl->lock);
	slot = kept_at(bl, bl->head);
	*slot = (struct evnt_kept) {
		.index = buf - bl->buffers->buffers,
		.extent = *extent,
		.mark = mark,
		.records_before = bl->records,
		.until = bl->until,
	};
	bl->records += extent->records;
	bl->until = max(bl->until, extent->last);
	bl->holds[slot->index] = 1;
	WRITE_ONCE(bl->head, bl->head + 1);
	raw_spin_unlock(&bl->lock);
	/* Evict the oldest buffers until the reserve is free */
	while (!is_empty) {
		count = evnt_buffers_free_count(bl->buffers);
		if (count >= bl->reserve)
			break;
		raw_spin_lock(&bl->lock);
		evict_batch(bl, bl->reserve - count);
		is_empty = bl->tail == bl->head;
		raw_spin_unlock(&bl->lock);
	}
}

/* Take a hold on the buffer at a position of the backlog */
static void hold(struct evnt_backlog *bl, u64 at, struct evnt_kept *kept)
{
	*kept = *kept_at(bl, at);
	bl->holds[kept->index]++;
}

/**
 * evnt_backlog_pass() - account for a buffer that a closed backlog does not
 * keep
 * @bl: backlog
 * @extent: extent of the buffer
 *
 * A snapshot that is taken after the backlog is reopened omits records up to
 * the end of this buffer, as others of the same time were not kept.
 */
void evnt_backlog_pass(struct evnt_backlog *bl,
		       const struct evnt_extent *extent)
{
	raw_spin_lock(&bl->lock);
	bl->until = max(bl->until, extent->last);
	raw_spin_unlock(&bl->lock);
}

/**
 * evnt_backlog_publish() - make pushed buffers visible and wake readers
 * @bl: backlog
 * @mark: all records older than this were pushed; S64_MIN if not known,
 *	S64_MAX if no further buffer will be pushed
 */
void evnt_backlog_publish(struct evnt_backlog *bl, s64 mark)
{
	raw_spin_lock(&bl->lock);
	bl->mark = max(bl->mark, mark);
	raw_spin_unlock(&bl->lock);
	wake_up_interruptible_poll(&bl->wait, EPOLLIN | EPOLLRDNORM);
}

/* Attach a reader, which starts at the oldest buffer of the backlog */
void evnt_backlog_attach(struct evnt_backlog *bl, struct evnt_cursor *c)
{
	raw_spin_lock(&bl->lock);
	c->at = bl->tail;
	c->records = bl->records;
	c->end = U64_MAX;
	if (bl->tail != bl->head)
		c->records = kept_at(bl, bl->tail)->records_before;
	if (!bl->is_open)
		end_at_head(bl, c);
	list_add(&c->node, &bl->cursors);
	raw_spin_unlock(&bl->lock);
}

void evnt_backlog_detach(struct evnt_backlog *bl, struct evnt_cursor *c)
{
	raw_spin_lock(&bl->lock);
	list_del(&c->node);
	raw_spin_unlock(&bl->lock);
	evict_all(bl, false);
}

/* Return the position behind the last buffer that the reader may read */
static u64 limit_of(const struct evnt_backlog *bl, const struct evnt_cursor *c)
{
	lockdep_assert_held(&bl->lock);
	return min(bl->head, c->end);
}

/* Skip the buffers that were evicted before the reader reached them */
static void catch_up(const struct evnt_backlog *bl, struct evnt_cursor *c,
		     struct evnt_news *news)
{
	u64 at = bl->tail, records = bl->records;

	if (at != bl->head)
		records = kept_at(bl, at)->records_before;
	if (at > c->end) {
		at = c->end;
		records = c->end_records;
	}
	if (c->at >= at)
		return;
	news->buffers_missed = at - c->at;
	news->records_missed = records - c->records;
	c->at = at;
	c->records = records;
}

/**
 * evnt_backlog_next() - get the next buffer, mark or end of data for a reader
 * @bl: backlog
 * @c: cursor of the reader; advanced past the buffer
 * @news: filled in; its buffer is held
 */
void evnt_backlog_next(struct evnt_backlog *bl, struct evnt_cursor *c,
		       struct evnt_news *news)
{
	*news = (struct evnt_news) { .mark = S64_MIN };
	raw_spin_lock(&bl->lock);
	catch_up(bl, c, news);
	if (c->at != limit_of(bl, c)) {
		hold(bl, c->at, &news->kept);
		news->has_buffer = true;
		news->mark = news->kept.mark;
		c->at++;
		c->records += news->kept.extent.records;
	}
	if (c->at == c->end)
		news->mark = S64_MAX;
	else if (c->at == bl->head)
		news->mark = max(news->mark, bl->mark);
	raw_spin_unlock(&bl->lock);
}

/* Move a cursor back to an earlier position, with @records before it */
void evnt_backlog_set_back(struct evnt_backlog *bl, struct evnt_cursor *c,
			   u64 at, u64 records)
{
	raw_spin_lock(&bl->lock);
	c->at = at;
	c->records = records;
	raw_spin_unlock(&bl->lock);
}

/**
 * evnt_backlog_has_news() - check whether evnt_backlog_next() has news
 * @bl: backlog
 * @c: cursor of the reader
 * @mark: highest mark that the reader knows
 */
bool evnt_backlog_has_news(struct evnt_backlog *bl,
			   const struct evnt_cursor *c, s64 mark)
{
	bool has_news;

	raw_spin_lock(&bl->lock);
	has_news = c->at != limit_of(bl, c) || bl->mark > mark ||
		   bl->mark == S64_MAX || c->end != U64_MAX;
	raw_spin_unlock(&bl->lock);
	return has_news;
}

/**
 * evnt_backlog_head() - get the end of the backlog
 * @bl: backlog
 * @mark: set to a time stamp; all older records are before the end
 */
u64 evnt_backlog_head(struct evnt_backlog *bl, s64 *mark)
{
	u64 head;

	raw_spin_lock(&bl->lock);
	head = bl->head;
	*mark = bl->mark;
	raw_spin_unlock(&bl->lock);
	return head;
}

/**
 * evnt_backlog_hold() - hold the buffer at a position
 * @bl: backlog
 * @at: position
 * @kept: filled in
 *
 * Return: false if the buffer was evicted or is not in the backlog yet.
 */
bool evnt_backlog_hold(struct evnt_backlog *bl, u64 at, struct evnt_kept *kept)
{
	bool is_there;

	raw_spin_lock(&bl->lock);
	is_there = at >= bl->tail && at < bl->head;
	if (is_there)
		hold(bl, at, kept);
	raw_spin_unlock(&bl->lock);
	return is_there;
}

/* Release a hold on a buffer */
void evnt_backlog_release(struct evnt_backlog *bl, u32 index)
{
	raw_spin_lock(&bl->lock);
	let_go(bl, index);
	raw_spin_unlock(&bl->lock);
}
