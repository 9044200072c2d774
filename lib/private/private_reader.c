// SPDX-License-Identifier: MIT
/*
 * Access of private sessions' filters to the data of an event.
 *
 * In a file of its own, so that users of the core may define another
 * evnt_reader_fill().
 */
#include "lib/private/private.h"

/* Copy the requested bytes, which the caller has checked to exist */
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
