// SPDX-License-Identifier: MIT
/* Call stacks of events */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
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

char *frame_name(const struct frame *frame)
{
	char *text;
	int len;

	if (frame->symbol.function)
		len = asprintf(&text, "%s", frame->symbol.function);
	else if (frame->image)
		len = asprintf(&text, "%s+0x%llx", frame->image->module->name,
			       (unsigned long long)frame->offset);
	else
		len = asprintf(&text, "0x%llx",
			       (unsigned long long)frame->address);
	return must_have(len < 0 ? NULL : text);
}
