// SPDX-License-Identifier: MIT
/* Call stacks of events */
#include <string.h>

#include "tools/events/stack.h"

/* Addresses with this bit belong to the kernel */
#define KERNEL_BIT	(UINT64_C(1) << 63)

static bool without_symbols;

void stack_without_symbols(void)
{
	without_symbols = true;
}

/*
 * Return whether a frame has a return address: neither the innermost frame nor
 * the first user frame, which the kernel interrupted, has one
 */
static bool is_return(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i)
{
	return i && !(stack_address(stack, i - 1) & KERNEL_BIT);
}

static struct symbols *symbols_of(struct module *m)
{
	if (without_symbols)
		return NULL;
	if (!m->tried)
		m->symbols = symbols_open(m->path, m->id);
	m->tried = true;
	return m->symbols;
}

/*
 * Look up an address. A return address may already belong to another line or
 * function than the call, so look up the byte before it.
 */
static void find_symbol(struct frame *frame, bool is_return)
{
	struct symbols *symbols = symbols_of(frame->image->module);

	if (!symbols || frame->offset < is_return)
		return;
	frame->symbol = *symbols_find(symbols, frame->offset - is_return);
	frame->symbol.offset += is_return;
}

void stack_frame(const EVENT_RECORD *record,
		 const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i,
		 struct frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	frame->address = stack_address(stack, i);
	frame->image = images_find(record->EventHeader.ProcessId,
				   frame->address);
	if (!frame->image)
		return;
	frame->offset = frame->address - frame->image->base +
			frame->image->offset;
	find_symbol(frame, is_return(stack, i));
}
