/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A window onto data that is elsewhere, for filters that examine events.
 *
 * Each user of the core implements evnt_reader_fill(), which loads the window.
 */
#ifndef EVNT_READER_H
#define EVNT_READER_H

#include "core/port/port.h"

#define EVNT_READER_SIZE	256u

/**
 * struct evnt_reader - data that is read piecewise
 * @total: length of the data in bytes
 * @start: offset of the part that is in @bytes
 * @len: length of the part in bytes, initially 0
 * @err: 0, or the error of a failed read, after which all reads fail
 * @bytes: the part
 */
struct evnt_reader {
	u32 total;
	u32 start;
	u32 len;
	int err;
	u8 bytes[EVNT_READER_SIZE] __aligned(8);
};

/* Load @len bytes from offset @start into @bytes; returns 0 or an errno */
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
 * evnt_reader_get() - get a pointer to a few bytes of the data
 * @r: reader
 * @offset: offset of the first byte
 * @len: number of bytes, 1 to EVNT_READER_SIZE
 *
 * Return: a pointer that is valid until the next call; or NULL if the data ends
 * before, or, with @r->err set, could not be read.
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
