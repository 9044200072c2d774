// SPDX-License-Identifier: MIT
/*
 * Unpacking by the plain LZ77 of MS-XCA, which Windows calls XPRESS.
 *
 * Thirty-two flags precede the items that they describe, first flag in the
 * highest bit: 0 for a byte, 1 for a match, which is two bytes of distance and
 * length.  A long length continues in four bits of a byte that two matches
 * share, then in one byte, in two, and in four.
 *
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-xca
 */
#include "lib/consume/etl_index.h"

#define MIN_MATCH	3u

/**
 * struct unpacking - state of unpacking
 * @to: unpacked data
 * @room: size of @to in bytes
 * @done: number of bytes at @to so far
 * @from: packed data
 * @len: size of @from in bytes
 * @at: number of bytes of @from consumed
 * @half: offset of a byte whose upper four bits go to the next match; 0: none
 */
struct unpacking {
	u8 *to;
	u32 room;
	u32 done;
	const u8 *from;
	u32 len;
	u32 at;
	u32 half;
};

/* Take the next @size bytes as a number; false if there are fewer */
static bool take(struct unpacking *u, u32 size, u32 *value)
{
	u32 i;

	if (u->len - u->at < size)
		return false;
	for (i = 0, *value = 0; i < size; i++)
		*value |= (u32)u->from[u->at++] << 8 * i;
	return true;
}

/* Add to a length of seven, the largest in a match's own three bits */
static bool take_length(struct unpacking *u, u32 *length)
{
	u32 more;

	if (u->half) {
		more = u->from[u->half] >> 4;
		u->half = 0;
	} else {
		u->half = u->at;
		if (!take(u, 1, &more))
			return false;
		more &= 15;
	}
	*length += more;
	if (more < 15)
		return true;
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
	return *length >= 7 + 15;
}

/* Copy a match, which may overlap with itself */
static bool copy(struct unpacking *u, u32 distance, u32 length)
{
	u8 *to = u->to + u->done;
	const u8 *from = to - distance;

	if (distance > u->done || length > u->room - u->done)
		return false;
	u->done += length;
	if (distance >= length) {
		memcpy(to, from, length);
		return true;
	}
	while (length--)
		*to++ = *from++;
	return true;
}

static bool take_match(struct unpacking *u)
{
	u32 match, length;

	if (!take(u, 2, &match))
		return false;
	length = match & 7;
	if (length == 7 && !take_length(u, &length))
		return false;
	if (length > UINT32_MAX - MIN_MATCH)
		return false;
	return copy(u, (match >> 3) + 1, length + MIN_MATCH);
}

/**
 * etl_unpack() - unpack a buffer
 * @to: memory for the unpacked data
 * @room: exact size of the unpacked data in bytes
 * @from: packed data
 * @len: size of the packed data in bytes
 *
 * Return: whether the data was complete.
 */
bool etl_unpack(u8 *to, u32 room, const u8 *from, u32 len)
{
	struct unpacking u = {
		.to = to, .room = room, .from = from, .len = len,
	};
	u32 flags = 0, left = 0;

	while (u.done < u.room) {
		if (!left) {
			if (!take(&u, 4, &flags))
				return false;
			left = 32;
		}
		if (flags >> --left & 1) {
			if (!take_match(&u))
				return false;
		} else {
			if (u.at == u.len)
				return false;
			u.to[u.done++] = u.from[u.at++];
		}
	}
	return true;
}
