/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Format of a call stack in an event, which the module and the library capture
 * in different ways.
 */
#ifndef EVNT_CALLSTACK_H
#define EVNT_CALLSTACK_H

#include "core/port/port.h"

#define EVNT_MAX_FRAMES		192u

/**
 * struct evnt_stack - layout of EVENT_EXTENDED_ITEM_STACK_TRACE64
 * @match_id: always zero: the stack is not split
 * @frame: return addresses, innermost first, kernel frames before user frames
 */
struct evnt_stack {
	u64 match_id;
	u64 frame[EVNT_MAX_FRAMES];
};

/*
 * Strip the pointer authentication code of arm64 from a return address, as
 * debug information does not contain it.
 */
static inline u64 evnt_plain_address(u64 address)
{
#ifdef __aarch64__
	/* XPACLRI is a no-op on processors without pointer authentication */
	register u64 lr __asm__("x30") = address;

	__asm__("hint #7" : "+r" (lr));
	return lr;
#else
	return address;
#endif
}

static inline u32 evnt_stack_len(u32 frames)
{
	return offsetof(struct evnt_stack, frame) + frames * sizeof(u64);
}

#endif /* EVNT_CALLSTACK_H */
