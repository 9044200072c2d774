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
#include "lib/consume/etl_unpack_match.h"

/**
 * struct xpress - state of unpacking
 * @u: data
 * @half: offset of a byte whose upper four bits go to the next match; 0: none
 */
struct xpress {
	struct unpacking u;
	u32 half;
};

/* Add to a length of seven, the largest in a match's own three bits */
static bool take_length(struct xpress *x, u32 *length)
{
	struct unpacking *u = &x->u;
	u32 more;

	if (x->half) {
		more = u->from[x->half] >> 4;
		x->half = 0;
	} else {
		x->half = u->at;
		if (!take(u, 1, &more))
			return false;
		more &= 15;
	}
	*length += more;
	return more < 15 || take_long_length(u, length, 7 + 15);
}

static bool take_match(struct xpress *x)
{
	u32 match, length;

	if (!take(&x->u, 2, &match))
		return false;
	length = match & 7;
	if (length == 7 && !take_length(x, &length))
		return false;
	return copy_match(&x->u, (match >> 3) + 1, length);
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
	struct xpress x = {
		.u = { .to = to, .room = room, .from = from, .len = len },
	};
	struct unpacking *u = &x.u;
	u32 flags = 0, left = 0;

	while (u->done < u->room) {
		if (!left) {
			if (!take(u, 4, &flags))
				return false;
			left = 32;
		}
		if (flags >> --left & 1) {
			if (!take_match(&x))
				return false;
		} else {
			if (u->at == u->len)
				return false;
			u->to[u->done++] = u->from[u->at++];
		}
	}
	return true;
}
