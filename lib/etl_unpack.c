// SPDX-License-Identifier: MIT
/*
 * Unpacking: the plain LZ77 of MS-XCA, which Windows calls XPRESS.
 *
 * Thirty-two flags stand in front of what they are about, the first in the
 * highest bit: 0, a byte; 1, a match, two bytes of distance and length.  A long
 * length goes on in four bits, of a byte that two matches share, then in a byte,
 * in two, and in four.
 *
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-xca
 */
#include "etl_unpack.h"

#define MIN_MATCH	3u

/**
 * struct unpacking - how far it is
 * @to: what is unpacked
 * @room: bytes there in the end
 * @done: bytes there so far
 * @from: what is packed
 * @len: bytes there
 * @at: bytes that are used
 * @half: where the byte is whose upper four bits go to the next match; 0: none
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

/* The next @size bytes as a number; false: there are less */
static bool take(struct unpacking *u, u32 size, u32 *value)
{
	u32 i;

	if (u->len - u->at < size)
		return false;
	for (i = 0, *value = 0; i < size; i++)
		*value |= (u32)u->from[u->at++] << 8 * i;
	return true;
}

/* Four bits of a length */
static bool take_half(struct unpacking *u, u32 *value)
{
	if (u->half) {
		*value = u->from[u->half] >> 4;
		u->half = 0;
		return true;
	}
	u->half = u->at;
	if (!take(u, 1, value))
		return false;
	*value &= 15;
	return true;
}

/* A length of which the shorter forms are used up: it is told whole */
static bool take_long(struct unpacking *u, u32 *length)
{
	if (!take(u, 2, length))
		return false;
	if (!*length && !take(u, 4, length))
		return false;
	return *length >= 7 + 15;
}

/* Adds to the seven that a match's own three bits have said */
static bool take_length(struct unpacking *u, u32 *length)
{
	u32 more;

	if (!take_half(u, &more))
		return false;
	*length += more;
	if (more < 15)
		return true;
	if (!take(u, 1, &more))
		return false;
	*length += more;
	return more < 255 || take_long(u, length);
}

/* What repeats may overlap with itself */
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

static bool take_byte(struct unpacking *u)
{
	if (u->at == u->len)
		return false;
	u->to[u->done++] = u->from[u->at++];
	return true;
}

/**
 * etl_unpack() - unpack a buffer
 * @to: where to
 * @room: bytes that are to come out: no more, no less
 * @from: what is packed
 * @len: bytes there
 *
 * Return: whether it was whole.
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
		if (!(flags >> --left & 1 ? take_match(&u) : take_byte(&u)))
			return false;
	}
	return true;
}
