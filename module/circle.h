/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Which buffers of a circular log give way to the next one.
 *
 * A processor that writes little fills a buffer slowly: when it comes to the
 * file, what it holds may be older than all that the others have there.  So the
 * circle is divided into epochs.  Where one begins, all that was written before
 * is in the file, and all that comes later is newer; see start_epoch() in
 * writer.c.  Epochs give way as a whole: what is left has no gap.
 *
 * Only counts; knows nothing of files.
 */
#ifndef EVNT_CIRCLE_H
#define EVNT_CIRCLE_H

#include "port.h"

#define EVNT_CIRCLE_STARTS	80u

/**
 * struct evnt_circle - the buffers of a circular log, counted from its start
 * @slots: how many buffers it has room for
 * @tail: the oldest that is there
 * @head: the next one
 * @epoch_len: how many buffers an epoch has at least; 0: there are no epochs
 * @first: where the start of the oldest epoch is in @starts
 * @epochs: how many epochs there are
 * @starts: their first buffers
 */
struct evnt_circle {
	u64 slots;
	u64 tail;
	u64 head;
	u64 epoch_len;
	u32 first;
	u32 epochs;
	u64 starts[EVNT_CIRCLE_STARTS];
};

void evnt_circle_init(struct evnt_circle *c, u64 slots, u32 batch);
bool evnt_circle_epoch_is_due(const struct evnt_circle *c);
void evnt_circle_start_epoch(struct evnt_circle *c);
u64 evnt_circle_giving_way(const struct evnt_circle *c);
void evnt_circle_give_way(struct evnt_circle *c, u64 count);

#endif /* EVNT_CIRCLE_H */
