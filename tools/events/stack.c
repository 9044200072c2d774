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

void stack_frame(const EVENT_RECORD *record,
		 const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i,
		 struct frame *frame)
{
	struct module *m;
	bool is_return;

	memset(frame, 0, sizeof(*frame));
	frame->address = stack_address(stack, i);
	frame->image = images_find(record->EventHeader.ProcessId,
				   frame->address);
	if (!frame->image)
		return;
	frame->offset = frame->address - frame->image->base +
			frame->image->offset;
	if (without_symbols)
		return;
	m = frame->image->module;
	if (!m->tried)
		m->symbols = symbols_open(m->path, m->id);
	m->tried = true;
	/*
	 * A return address may already belong to another line or function than
	 * the call, so look up the byte before it. Neither the innermost frame
	 * nor the first user frame, which the kernel interrupted, has a return
	 * address.
	 */
	is_return = i && !(stack_address(stack, i - 1) & KERNEL_BIT);
	if (!m->symbols || frame->offset < is_return)
		return;
	frame->symbol = *symbols_find(m->symbols, frame->offset - is_return);
	frame->symbol.offset += is_return;
}
