// SPDX-License-Identifier: MIT
/* Call stacks of events */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/events/kernel_symbols.h"
#include "tools/events/stack.h"

static bool without_symbols;

void stack_without_symbols(void)
{
	without_symbols = true;
}

void frame_at(uint32_t pid, uint64_t address, bool is_return,
	      struct frame *frame)
{
	struct module *m;

	memset(frame, 0, sizeof(*frame));
	frame->address = address;
	if (is_of_kernel(address) && !without_symbols)
		frame->function = kernel_symbols_find(address);
	frame->image = images_find(pid, address);
	if (!frame->image)
		return;
	frame->offset = address - frame->image->base + frame->image->offset;
	if (without_symbols)
		return;
	m = frame->image->module;
	if (!m->tried)
		m->symbols = symbols_open(m->path, m->id);
	m->tried = true;
	/*
	 * A return address may already belong to another line or function than
	 * the call, so look up the byte before it
	 */
	if (!m->symbols || frame->offset < is_return)
		return;
	frame->symbol = *symbols_find(m->symbols, frame->offset - is_return);
	frame->symbol.offset += is_return;
}

void stack_frame(const EVENT_RECORD *record,
		 const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i,
		 struct frame *frame)
{
	/*
	 * Neither the innermost frame nor the first user frame, which the kernel
	 * interrupted, has a return address
	 */
	frame_at(record->EventHeader.ProcessId, stack_address(stack, i),
		 i && !is_of_kernel(stack_address(stack, i - 1)), frame);
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

char *frame_group(const struct frame *frame)
{
	char *text;
	int len;

	if (frame->symbol.function)
		return must_have(strdup(frame->symbol.function));
	if (frame->function)
		return must_have(strdup(frame->function));
	if (frame->image)
		len = asprintf(&text, "[%s]", frame->image->module->name);
	else
		len = asprintf(&text, "[%s]", is_of_kernel(frame->address) ?
				       "kernel" : "unknown");
	return must_have(len < 0 ? NULL : text);
}
