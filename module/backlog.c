// SPDX-License-Identifier: GPL-2.0
/*
 * The finished buffers that a session keeps in memory.
 *
 *	full stack --> writer thread --> head |  |  |  | tail --> free map
 *	                                        |     |
 *	                                     cursors, holds
 *
 * A buffer that is finished is not freed, but becomes the newest of the backlog.
 * The writer thread lets the oldest go as soon as fewer buffers than the reserve
 * are free.  Nobody can hold that up: who reads is told what he has missed.
 *
 * The reserve is what writers of events go on with until the writer thread has
 * run: a quarter of the buffers, and at least two for each CPU: more would be
 * taken from what is kept.  When they have used it up, they let the oldest go
 * themselves.  So events are lost only when all buffers have been filled since
 * the writer thread ran last.
 *
 * Buffers are kept while the backlog is open.  When it is closed, whoever reads
 * still gets what is there; when nobody reads, all of it goes.
 *
 * A buffer is held while somebody reads it.  If it leaves the backlog meanwhile,
 * it is free when the last one lets go.  Whoever may hold some for long brings
 * as many of his own into the pool; see stream.c.
 *
 * The lock is held for no longer than it takes to let go of BATCH buffers, or to hold
 * BATCH buffers, each with a look at up to EVNTRACE_MAX_CONSUMERS cursors.  For more
 * buffers it is taken again.
 */
#include <linux/math64.h>
#include <linux/poll.h>
#include <linux/preempt.h>

#include "backlog.h"

/* Buffers that are let go, or held, without a pause */
#define BATCH		64u

static struct evnt_kept *kept_at(const struct evnt_backlog *bl, u64 at)
{
	u32 slot;

	lockdep_assert_held(&bl->lock);
	div_u64_rem(at, bl->capacity, &slot);
	return &bl->ring[slot];
}

/**
 * evnt_backlog_init() - an empty backlog, closed
 * @bl: zeroed
 * @b: initialised; they are there as long as the backlog is
 * @reserve: how many buffers are to be free
 *
 * Return: 0 or -ENOMEM.
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

/* Also of a backlog that was never initialised */
void evnt_backlog_destroy(struct evnt_backlog *bl)
{
	evnt_free(bl->ring);
	evnt_free(bl->holds);
}

/* One holder less; true when that was the last one, and the buffer is free */
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

/* True when a buffer is free now; it may still be held */
static bool evict_oldest(struct evnt_backlog *bl)
{
	u32 index = kept_at(bl, bl->tail)->index;

	if (somebody_misses(bl, bl->tail))
		WRITE_ONCE(bl->missed, bl->missed + 1);
	WRITE_ONCE(bl->tail, bl->tail + 1);
	return let_go(bl, index);
}

/* Let go of up to BATCH buffers, until @wanted are free; returns how many are */
static u32 evict_batch(struct evnt_backlog *bl, u32 wanted)
{
	u32 count, freed = 0;

	lockdep_assert_held(&bl->lock);
	for (count = 0; count < BATCH && freed < wanted && bl->tail != bl->head;
	     count++)
		freed += evict_oldest(bl);
	return freed;
}

static bool is_wanted(const struct evnt_backlog *bl)
{
	lockdep_assert_held(&bl->lock);
	return bl->is_open || !list_empty(&bl->cursors);
}

/* Let all go, or, if not @regardless, what nobody will read; may sleep */
static void evict_all(struct evnt_backlog *bl, bool regardless)
{
	u32 count;

	do {
		count = 0;
		raw_spin_lock(&bl->lock);
		while (bl->tail != bl->head && count < BATCH &&
		       (regardless || !is_wanted(bl))) {
			evict_oldest(bl);
			count++;
		}
		raw_spin_unlock(&bl->lock);
		cond_resched();
	} while (count == BATCH);
}

/**
 * evnt_backlog_open() - keep buffers from now on
 * @bl: the backlog, closed
 *
 * What is there from before goes, so that there is no gap in what is kept; who
 * has not read it yet misses it.
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

/* Keep no more; for all who read now, this is the end */
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
 * evnt_backlog_reclaim() - make a buffer free, for who has found none
 * @bl: the backlog
 *
 * Any context.  A task waits for the lock, whose holder is on another CPU, as
 * neither can be preempted.  Who has interrupted something does not, as the
 * holder may be what he has interrupted.
 *
 * A buffer that is held leaves the backlog without becoming free.  At most these
 * precede one that does: the buffers that EVNTRACE_MAX_CONSUMERS consumers may hold,
 * and the half of all buffers that a snapshot holds.
 *
 * Return: false when all are in use otherwise.
 */
bool evnt_backlog_reclaim(struct evnt_backlog *bl)
{
	bool is_free, is_empty;

	/* As it always is where nothing is kept: they need not wait for it */
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

static void append(struct evnt_backlog *bl, const struct evnt_kept *kept)
{
	struct evnt_kept *slot = kept_at(bl, bl->head);

	*slot = *kept;
	slot->records_before = bl->records;
	slot->until = bl->until;
	bl->records += kept->extent.records;
	bl->until = max(bl->until, kept->extent.last);
	bl->holds[kept->index] = 1;
	WRITE_ONCE(bl->head, bl->head + 1);
}

/* Let go of the oldest until the reserve is free */
static void make_reserve(struct evnt_backlog *bl)
{
	bool is_empty = false;
	u32 count;

	while (!is_empty) {
		count = evnt_buffers_free_count(bl->buffers);
		if (count >= bl->reserve)
			return;
		raw_spin_lock(&bl->lock);
		evict_batch(bl, bl->reserve - count);
		is_empty = bl->tail == bl->head;
		raw_spin_unlock(&bl->lock);
	}
}

/**
 * evnt_backlog_push() - keep a buffer, and let go of the oldest as need be
 * @bl: the backlog, open
 * @buf: finished, with records in it
 * @extent: of @buf
 * @mark: no record that comes later is older
 *
 * There is room: the ring is as long as there are buffers, and each is in it at
 * most once.
 */
void evnt_backlog_push(struct evnt_backlog *bl, struct evnt_buffer *buf,
		       const struct evnt_extent *extent, s64 mark)
{
	const struct evnt_kept kept = {
		.index = buf - bl->buffers->buffers,
		.extent = *extent,
		.mark = mark,
	};

	raw_spin_lock(&bl->lock);
	append(bl, &kept);
	raw_spin_unlock(&bl->lock);
	make_reserve(bl);
}

/* Hold a buffer that is in the backlog */
static void hold(struct evnt_backlog *bl, u64 at, struct evnt_kept *kept)
{
	*kept = *kept_at(bl, at);
	bl->holds[kept->index]++;
}

/*
 * Hold up to BATCH buffers for the pin: the newest first, as the oldest may go
 * meanwhile.  Returns whether there are more.
 */
static bool serve_batch(struct evnt_backlog *bl)
{
	struct evnt_pin *pin = bl->pin;
	u32 i;

	lockdep_assert_held(&bl->lock);
	if (!pin->is_begun) {
		pin->is_begun = true;
		pin->head = bl->head;
		pin->mark = bl->mark;
	}
	for (i = 0; i < BATCH; i++) {
		if (pin->count == pin->room ||
		    pin->head - pin->count <= bl->tail) {
			WRITE_ONCE(bl->pin, NULL);
			return false;
		}
		pin->count++;
		hold(bl, pin->head - pin->count,
		     &pin->kept[pin->room - pin->count]);
	}
	return true;
}

/*
 * Hold all buffers for the pin.  The lock is given up between batches: the writer
 * thread and the caller of evnt_backlog_settle() may both serve a pin.
 */
static void serve(struct evnt_backlog *bl) __must_hold(&bl->lock)
{
	const struct evnt_pin *pin = bl->pin;

	while (serve_batch(bl)) {
		raw_spin_unlock(&bl->lock);
		cond_resched();
		raw_spin_lock(&bl->lock);
		if (bl->pin != pin || !pin->is_begun)
			return;
	}
}

/**
 * evnt_backlog_pass() - a buffer is not kept: the backlog is closed
 * @bl: the backlog
 * @extent: of the buffer
 *
 * Who reads when it is open again is told of no time before it.
 */
void evnt_backlog_pass(struct evnt_backlog *bl,
		       const struct evnt_extent *extent)
{
	raw_spin_lock(&bl->lock);
	bl->until = max(bl->until, extent->last);
	raw_spin_unlock(&bl->lock);
}

/**
 * evnt_backlog_publish() - tell readers of what was pushed
 * @bl: the backlog
 * @mark: all records that are older were pushed; S64_MIN: nobody knows
 * @asked: evnt_backlog_is_asked() before what was pushed was taken; then @mark
 *	is known
 */
void evnt_backlog_publish(struct evnt_backlog *bl, s64 mark, bool asked)
{
	raw_spin_lock(&bl->lock);
	bl->mark = max(bl->mark, mark);
	if (bl->pin && asked)
		serve(bl);
	raw_spin_unlock(&bl->lock);
	wake_up_interruptible_poll(&bl->wait, EPOLLIN | EPOLLRDNORM);
}

/* Nothing will be pushed any more */
void evnt_backlog_end(struct evnt_backlog *bl)
{
	raw_spin_lock(&bl->lock);
	bl->has_ended = true;
	raw_spin_unlock(&bl->lock);
	evnt_backlog_publish(bl, S64_MAX, true);
}

/* Somebody begins to read, at the oldest buffer that there is */
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

/* Up to where there is something for a reader */
static u64 limit_of(const struct evnt_backlog *bl, const struct evnt_cursor *c)
{
	lockdep_assert_held(&bl->lock);
	return min(bl->head, c->end);
}

/* Past what has gone before the reader came to it */
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
 * evnt_backlog_next() - the next buffer for a reader, or what else he is to know
 * @bl: the backlog
 * @c: how far he has read; moves on
 * @news: filled in
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
	if (c->at == c->end) {
		news->mark = S64_MAX;
		news->has_ended = true;
	} else if (c->at == bl->head) {
		news->mark = max(news->mark, bl->mark);
		news->has_ended = bl->has_ended;
	}
	raw_spin_unlock(&bl->lock);
}

/* As if the reader had not come further than @to, where he was before */
void evnt_backlog_set_back(struct evnt_backlog *bl, struct evnt_cursor *c,
			   const struct evnt_cursor *to)
{
	raw_spin_lock(&bl->lock);
	c->at = to->at;
	c->records = to->records;
	raw_spin_unlock(&bl->lock);
}

/**
 * evnt_backlog_has_news() - whether there is something for a reader
 * @bl: the backlog
 * @c: how far he has read
 * @mark: a mark beyond this one would be news
 */
bool evnt_backlog_has_news(struct evnt_backlog *bl,
			   const struct evnt_cursor *c, s64 mark)
{
	bool has_news;

	raw_spin_lock(&bl->lock);
	has_news = c->at != limit_of(bl, c) || bl->mark > mark ||
		   bl->has_ended || c->end != U64_MAX;
	raw_spin_unlock(&bl->lock);
	return has_news;
}

/**
 * evnt_backlog_ask() - have the newest buffers held, when they are published
 * @bl: the backlog
 * @pin: with room; one at a time asks, and settles
 */
void evnt_backlog_ask(struct evnt_backlog *bl, struct evnt_pin *pin)
{
	raw_spin_lock(&bl->lock);
	WRITE_ONCE(bl->pin, pin);
	raw_spin_unlock(&bl->lock);
}

/**
 * evnt_backlog_settle() - wait no longer
 * @bl: the backlog
 * @pin: the argument of evnt_backlog_ask()
 *
 * Return: whether the buffers are held.
 */
bool evnt_backlog_settle(struct evnt_backlog *bl, struct evnt_pin *pin)
{
	bool is_served;

	raw_spin_lock(&bl->lock);
	if (bl->pin && (bl->has_ended || pin->is_begun))
		serve(bl);
	is_served = !bl->pin;
	WRITE_ONCE(bl->pin, NULL);
	raw_spin_unlock(&bl->lock);
	/* The buffers are at the end of the room */
	memmove(pin->kept, pin->kept + pin->room - pin->count,
		pin->count * sizeof(*pin->kept));
	return is_served;
}

/* The position of the oldest buffer */
u64 evnt_backlog_tail(struct evnt_backlog *bl)
{
	u64 tail;

	raw_spin_lock(&bl->lock);
	tail = bl->tail;
	raw_spin_unlock(&bl->lock);
	return tail;
}

/**
 * evnt_backlog_hold() - hold the buffer at a position
 * @bl: the backlog
 * @at: the position
 * @kept: filled in
 *
 * Return: false when it has gone, or is not there yet.
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

/* Let go of a buffer that was held */
void evnt_backlog_release(struct evnt_backlog *bl, u32 index)
{
	raw_spin_lock(&bl->lock);
	let_go(bl, index);
	raw_spin_unlock(&bl->lock);
}
