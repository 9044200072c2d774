/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Choice of the buffers of a circular log that are overwritten next.
 *
 * A processor that writes little fills its buffer slowly.  When that buffer is
 * finally written, its contents may be older than everything that other
 * processors have in the file.  The circle is therefore divided into epochs.
 * At the start of an epoch, all earlier records are in the file, and all later
 * ones are newer; see part() in writer.c.  Epochs are overwritten as a
 * whole, so that the rest of the log has no gap.
 *
 * A partly filled buffer may be written when the flush timer expires, and again
 * at the same place when it is full.
 *
 * Only counts buffers, and does not access files.
 */
#ifndef EVNT_CIRCULAR_H
#define EVNT_CIRCULAR_H

#include "core/port/port.h"

#define EVNT_CIRCULAR_STARTS	80u

/**
 * struct evnt_circular - circular log, in buffers counted from its start
 * @slots: capacity in buffers
 * @tail: oldest buffer in the log
 * @head: next buffer to be written
 * @epoch_len: minimum number of buffers of an epoch; 0 if there are no epochs
 * @first: index of the oldest epoch in @starts
 * @epochs: number of epochs
 * @starts: first buffer of each epoch, a ring
 */
struct evnt_circular {
	u64 slots;
	u64 tail;
	u64 head;
	u64 epoch_len;
	u32 first;
	u32 epochs;
	u64 starts[EVNT_CIRCULAR_STARTS];
};

void evnt_circular_init(struct evnt_circular *c, u64 slots, u32 batch);
bool evnt_circular_epoch_is_due(const struct evnt_circular *c);
void evnt_circular_start_epoch(struct evnt_circular *c);
bool evnt_circular_keeps(const struct evnt_circular *c, u64 place);
u64 evnt_circular_giving_way(const struct evnt_circular *c);
void evnt_circular_give_way(struct evnt_circular *c, u64 count);

#endif /* EVNT_CIRCULAR_H */
