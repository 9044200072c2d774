/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event's data as its writer handed it over: blocks in user memory.
 *
 * Owns how that memory is read: never with a page fault while a reservation is
 * held, and never trusting what was read before.
 */
#ifndef EVNT_PAYLOAD_H
#define EVNT_PAYLOAD_H

#include "module.h"
#include "record.h"

/* Descriptors of data blocks that are kept on the stack at a time */
#define EVNT_WINDOW		16

/**
 * struct evnt_payload - the blocks of one event
 * @blocks: address of the array of struct evntprov_data
 * @count: its elements
 * @use_types: whether their types are read
 * @skip_traits: blocks of provider traits are left out: others are used
 * @first: index of the first block in @window
 * @window: a part of the array
 * @fault: address at which reading would have taken a page fault
 * @fault_len: bytes from there that are wanted
 */
struct evnt_payload {
	u64 blocks;
	u32 count;
	bool use_types;
	bool skip_traits;
	u32 first;
	struct evntprov_data window[EVNT_WINDOW];
	u64 fault;
	u32 fault_len;
};

int evnt_payload_init(struct evnt_payload *p, u64 blocks, u32 count);
int evnt_payload_measure(struct evnt_payload *p, struct evnt_event *e);
int evnt_payload_copy(struct evnt_payload *p, const struct evnt_event *e,
		      const struct evnt_record_parts *parts);
int evnt_payload_fault_in(struct evnt_payload *p);

#endif /* EVNT_PAYLOAD_H */
