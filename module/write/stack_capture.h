/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks of events, captured from the current task as it writes one.
 */
#ifndef EVNT_STACK_CAPTURE_H
#define EVNT_STACK_CAPTURE_H

#include "core/callstack.h"

u32 evnt_stack_capture(struct evnt_stack *stack, bool with_kernel);

#endif /* EVNT_STACK_CAPTURE_H */
