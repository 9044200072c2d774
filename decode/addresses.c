// SPDX-License-Identifier: MIT
/* Addresses of call stacks */
#include <string.h>

#include "decode/addresses.h"

const EVENT_HEADER_EXTENDED_DATA_ITEM *stack_of(const EVENT_RECORD *record)
{
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		switch (record->ExtendedData[i].ExtType) {
		case EVENT_HEADER_EXT_TYPE_STACK_TRACE32:
		case EVENT_HEADER_EXT_TYPE_STACK_TRACE64:
			return &record->ExtendedData[i];
		}
	}
	return NULL;
}

static size_t address_size(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack)
{
	return stack->ExtType == EVENT_HEADER_EXT_TYPE_STACK_TRACE32 ? 4 : 8;
}

size_t stack_depth(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack)
{
	const size_t id = sizeof(uint64_t);

	return stack->DataSize < id ? 0 :
	       (stack->DataSize - id) / address_size(stack);
}

uint64_t stack_address(const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i)
{
	const unsigned char *data = (void *)(uintptr_t)stack->DataPtr;
	uint64_t wide;
	uint32_t narrow;

	data += sizeof(uint64_t) + i * address_size(stack);
	if (address_size(stack) == sizeof(wide)) {
		memcpy(&wide, data, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, data, sizeof(narrow));
	return narrow;
}
