// SPDX-License-Identifier: MIT
/*
 * How filters of private sessions read an event's data.
 *
 * By itself, as whoever links the core may have another evnt_reader_fill().
 */
#include "private_reader.h"

/* The caller has seen that blocks of this kind are long enough */
int evnt_reader_fill(struct evnt_reader *r)
{
	const struct evnt_private_reader *p = (const void *)r;
	const EVENT_DATA_DESCRIPTOR *block = p->blocks;
	u32 len, skip = r->start, left = r->len;
	u8 *to = r->bytes;

	for (; left; block++) {
		if ((block->Type & p->types) != p->kind)
			continue;
		if (block->Size <= skip) {
			skip -= block->Size;
			continue;
		}
		len = min(block->Size - skip, left);
		memcpy(to, (const u8 *)(uintptr_t)block->Ptr + skip, len);
		to += len;
		left -= len;
		skip = 0;
	}
	return 0;
}
