// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Choice of the buffers of a circular log that are overwritten next.
 */
#include "core/circular.h"

/* Number of epochs; a large file has more, each of which still is long */
#define EPOCHS		16u
#define EPOCHS_OF_LARGE	64u
#define LARGE		16384u		/* buffers */
/* With fewer epochs, too much of the file would be overwritten at a time */
#define MIN_EPOCHS	4u

static u64 start_of(const struct evnt_circular *c, u32 epoch)
{
	return c->starts[(c->first + epoch) % EVNT_CIRCULAR_STARTS];
}

/**
 * evnt_circular_init() - initialise an empty circle
 * @c: zeroed circle
 * @slots: capacity in buffers
 * @batch: maximum number of buffers written between two checks of
 *	evnt_circular_epoch_is_due()
 *
 * An epoch may exceed @epoch_len by two batches: one makes the next epoch due,
 * and another one was finished before the next epoch starts.  An epoch
 * therefore has at most three times @epoch_len buffers, and a second epoch
 * always remains when the oldest is overwritten.
 */
void evnt_circular_init(struct evnt_circular *c, u64 slots, u32 batch)
{
	u32 epochs = slots < LARGE ? EPOCHS : EPOCHS_OF_LARGE;

	c->slots = slots;
	if (slots / MIN_EPOCHS < batch)
		return;
	c->epoch_len = max(slots / epochs, (u64)batch);
	c->epochs = 1;
}

/* Check whether the current epoch has reached its minimum length */
bool evnt_circular_epoch_is_due(const struct evnt_circular *c)
{
	return c->epoch_len && c->epochs < EVNT_CIRCULAR_STARTS &&
	       c->head - start_of(c, c->epochs - 1) >= c->epoch_len;
}

/*
 * Start an epoch.  Everything written from here on must be newer than all
 * before.
 */
void evnt_circular_start_epoch(struct evnt_circular *c)
{
	c->starts[(c->first + c->epochs) % EVNT_CIRCULAR_STARTS] = c->head;
	c->epochs++;
}

/**
 * evnt_circular_keeps() - check that a buffer may be written to its place again
 * @c: circle
 * @place: 1 + number of the buffer, or 0 if it was not written yet
 *
 * Its place must not be overwritten long before the newest of its records
 * would be.  An epoch is short enough; the current one stays.
 */
bool evnt_circular_keeps(const struct evnt_circular *c, u64 place)
{
	return place && (c->epochs || c->head + 1 - place <= c->slots / 2);
}

/**
 * evnt_circular_giving_way() - count buffers to drop before the next write
 * @c: circle
 *
 * Return: number of buffers from the tail on, or 0 if there is room.
 */
u64 evnt_circular_giving_way(const struct evnt_circular *c)
{
	if (c->head - c->tail < c->slots)
		return 0;
	return c->epochs > 1 ? start_of(c, 1) - c->tail : 1;
}

/* Drop @count buffers, as returned by evnt_circular_giving_way() */
void evnt_circular_give_way(struct evnt_circular *c, u64 count)
{
	c->tail += count;
	if (c->epochs > 1 && c->tail >= start_of(c, 1)) {
		c->first = (c->first + 1) % EVNT_CIRCULAR_STARTS;
		c->epochs--;
	}
}
