// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Which buffers of a circular log give way to the next one.
 */
#include "circle.h"

/* Into how many epochs a file is divided: in a large one, many can go at once */
#define EPOCHS		16u
#define EPOCHS_OF_LARGE	64u
#define LARGE		16384u		/* buffers */
/* Fewer, and too much of a file would give way at a time */
#define MIN_EPOCHS	4u

static u64 start_of(const struct evnt_circle *c, u32 epoch)
{
	return c->starts[(c->first + epoch) % EVNT_CIRCLE_STARTS];
}

/**
 * evnt_circle_init() - an empty circle
 * @c: zeroed
 * @slots: how many buffers it has room for
 * @batch: how many buffers at most are written between two questions whether
 *	another epoch is due
 *
 * An epoch ends up to two batches after it could: one makes it due, and another
 * one was finished before the next epoch starts.  So it has no more than three
 * times @epoch_len buffers, and there always is a second one to stay.
 */
void evnt_circle_init(struct evnt_circle *c, u64 slots, u32 batch)
{
	u32 epochs = slots < LARGE ? EPOCHS : EPOCHS_OF_LARGE;

	c->slots = slots;
	if (slots / MIN_EPOCHS < batch)
		return;
	c->epoch_len = max(slots / epochs, (u64)batch);
	c->epochs = 1;
}

/* Whether the current epoch is long enough */
bool evnt_circle_epoch_is_due(const struct evnt_circle *c)
{
	return c->epoch_len && c->epochs < EVNT_CIRCLE_STARTS &&
	       c->head - start_of(c, c->epochs - 1) >= c->epoch_len;
}

/* What is written from here on is newer than all before */
void evnt_circle_start_epoch(struct evnt_circle *c)
{
	c->starts[(c->first + c->epochs) % EVNT_CIRCLE_STARTS] = c->head;
	c->epochs++;
}

/**
 * evnt_circle_giving_way() - what gives way to the next buffer
 * @c: the circle
 *
 * Return: how many buffers, from the tail on; 0: there is room.
 */
u64 evnt_circle_giving_way(const struct evnt_circle *c)
{
	if (c->head - c->tail < c->slots)
		return 0;
	return c->epochs > 1 ? start_of(c, 1) - c->tail : 1;
}

/* They are not there any more */
void evnt_circle_give_way(struct evnt_circle *c, u64 count)
{
	c->tail += count;
	if (c->epochs > 1 && c->tail >= start_of(c, 1)) {
		c->first = (c->first + 1) % EVNT_CIRCLE_STARTS;
		c->epochs--;
	}
}
