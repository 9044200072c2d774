/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What a call stack is in an event: the module and the library each find it in their
 * own way.
 */
#ifndef EVNT_CALL_STACK_H
#define EVNT_CALL_STACK_H

#include "port.h"

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

/*
 * A return address as debug information has it: without the authentication code
 * that a processor of arm64 may have put into its upper bits.
 */
static inline u64 evnt_plain_address(u64 address)
{
#ifdef __aarch64__
	/* XPACLRI, which does nothing where there are no such codes */
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

#endif /* EVNT_CALL_STACK_H */
