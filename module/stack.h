/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks of events: what the current task was doing when it wrote one.
 */
#ifndef EVNT_STACK_H
#define EVNT_STACK_H

#include "call_stack.h"

u32 evnt_stack_capture(struct evnt_stack *stack, bool with_kernel);

#endif /* EVNT_STACK_H */
