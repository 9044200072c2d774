/* SPDX-License-Identifier: MIT */
/* The call stacks of events, as addresses. */
#ifndef EVNT_ADDRESSES_H
#define EVNT_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#include <evntcons.h>

/* An event's item of a call stack, or NULL */
const EVENT_HEADER_EXTENDED_DATA_ITEM *stack_of(const EVENT_RECORD *record);

/* How many frames it has */
size_t stack_depth(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack);

/* The address of one of them, the innermost first */
uint64_t stack_address(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i);

#endif /* EVNT_ADDRESSES_H */
