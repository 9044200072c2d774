/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks of events, captured from the current task as it writes one.
 */
#ifndef EVNT_STACK_CAPTURE_H
#define EVNT_STACK_CAPTURE_H

#include "core/callstack.h"

#define EVNT_MAX_KERNEL_FRAMES	(EVNT_MAX_FRAMES / 2)

u32 evnt_stack_user(u64 *to, u32 room);
u32 evnt_stack_kernel(u64 *to, u32 room, unsigned long first);
u32 evnt_stack_capture(struct evnt_stack *stack, bool with_kernel);

#endif /* EVNT_STACK_CAPTURE_H */
