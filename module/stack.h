/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks of events: what the current task was doing when it wrote one.
 */
#ifndef EVNT_STACK_H
#define EVNT_STACK_H

#include <linux/types.h>

#define EVNT_MAX_FRAMES		192u

/**
 * struct evnt_stack - a call stack, as EVENT_EXTENDED_ITEM_STACK_TRACE64 has it
 * @match_id: zero: it is whole
 * @frame: return addresses, the innermost first, those of the kernel before
 *	those of the process
 */
struct evnt_stack {
	u64 match_id;
	u64 frame[EVNT_MAX_FRAMES];
};

u32 evnt_stack_capture(struct evnt_stack *stack, bool with_kernel);

#endif /* EVNT_STACK_H */
