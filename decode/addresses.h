/* SPDX-License-Identifier: MIT */
/* Addresses of the call stacks of events */
#ifndef EVNT_ADDRESSES_H
#define EVNT_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#include <evntcons.h>

/* Return an event's call stack item, or NULL */
const EVENT_HEADER_EXTENDED_DATA_ITEM *stack_of(const EVENT_RECORD *record);

/* Return the number of frames of a call stack */
size_t stack_depth(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack);

/* Return the address of frame @i; frame 0 is the innermost */
uint64_t stack_address(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i);

#endif /* EVNT_ADDRESSES_H */
