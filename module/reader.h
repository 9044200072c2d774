/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A window onto data that is elsewhere, for filters that look into events.
 *
 * Whoever links the core says how it is filled.
 */
#ifndef EVNT_READER_H
#define EVNT_READER_H

#include "port.h"

#define EVNT_READER_SIZE	256u

/**
 * struct evnt_reader - data that is read a part at a time
 * @total: length of the data in bytes
 * @start: where the part begins that is in @bytes
 * @len: its length in bytes, at first 0
 * @err: 0, or why a part could not be read; then none can any more
 * @bytes: the part
 */
struct evnt_reader {
	u32 total;
	u32 start;
	u32 len;
	int err;
	u8 bytes[EVNT_READER_SIZE] __aligned(8);
};

/* Have the part in @bytes that @start and @len say; 0 or an error */
int evnt_reader_fill(struct evnt_reader *r);

static inline void evnt_reader_init(struct evnt_reader *r, u32 total)
{
	r->total = total;
	r->start = 0;
	r->len = 0;
	r->err = 0;
}

static inline bool evnt_reader_move(struct evnt_reader *r, u32 offset)
{
	u32 left = r->total - offset;

	if (unlikely(r->err))
		return false;
	r->start = offset;
	r->len = left < EVNT_READER_SIZE ? left : EVNT_READER_SIZE;
	r->err = evnt_reader_fill(r);
	if (likely(!r->err))
		return true;
	r->len = 0;
	return false;
}

/**
 * evnt_reader_get() - look at a few bytes
 * @r: the data
 * @offset: where they begin
 * @len: how many, 1 to EVNT_READER_SIZE
 *
 * Return: where they are until the next call, or NULL when the data ends before
 * or, with @r->err set, could not be read.
 */
static inline const u8 *evnt_reader_get(struct evnt_reader *r, u32 offset,
					u32 len)
{
	if (likely(offset >= r->start && offset - r->start + len <= r->len))
		return r->bytes + (offset - r->start);
	if (offset > r->total || r->total - offset < len)
		return NULL;
	return evnt_reader_move(r, offset) ? r->bytes : NULL;
}

#endif /* EVNT_READER_H */
