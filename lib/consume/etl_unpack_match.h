/* SPDX-License-Identifier: MIT */
/*
 * Parts that both methods of XPRESS share: numbers in the packed data, long
 * lengths of matches, and the copy of a match.
 */
#ifndef EVNT_ETL_UNPACK_MATCH_H
#define EVNT_ETL_UNPACK_MATCH_H

#include "lib/consume/etl_index.h"

/* Length of the shortest match, which is added to a length in the data */
#define MIN_MATCH	3u

/**
 * struct unpacking - state of unpacking
 * @to: unpacked data
 * @room: size of @to in bytes
 * @done: number of bytes at @to so far
 * @from: packed data
 * @len: size of @from in bytes
 * @at: number of bytes of @from consumed
 */
struct unpacking {
	u8 *to;
	u32 room;
	u32 done;
	const u8 *from;
	u32 len;
	u32 at;
};

/* Take the next @size bytes as a number; false if there are fewer */
static inline bool take(struct unpacking *u, u32 size, u32 *value)
{
	u32 i;

	if (u->len - u->at < size)
		return false;
	for (i = 0, *value = 0; i < size; i++)
		*value |= (u32)u->from[u->at++] << 8 * i;
	return true;
}

/*
 * Continue a length that is @least, the largest one without the next bytes: in
 * one byte, in two, and in four
 */
static inline bool take_long_length(struct unpacking *u, u32 *length, u32 least)
{
	u32 more;

	if (!take(u, 1, &more))
		return false;
	*length += more;
	if (more < 255)
		return true;
	/* The longest forms replace the shorter ones */
	if (!take(u, 2, length))
		return false;
	if (!*length && !take(u, 4, length))
		return false;
	return *length >= least;
}

/* Copy a match with a length in the data, which may overlap with itself */
static inline bool copy_match(struct unpacking *u, u32 distance, u32 length)
{
	u8 *to = u->to + u->done;
	const u8 *from;

	if (length > UINT32_MAX - MIN_MATCH)
		return false;
	length += MIN_MATCH;
	if (distance > u->done || length > u->room - u->done)
		return false;
	from = to - distance;
	u->done += length;
	if (distance >= length) {
		memcpy(to, from, length);
		return true;
	}
	while (length--)
		*to++ = *from++;
	return true;
}

#endif /* EVNT_ETL_UNPACK_MATCH_H */
