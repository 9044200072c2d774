// SPDX-License-Identifier: MIT
/*
 * Unpacking by LZNT1 of MS-XCA.
 *
 * Chunks of 4096 bytes are packed for themselves.  A chunk has a header of two
 * bytes: its size less one in 12 bits, and in the highest bit whether it is
 * packed.  Eight flags precede the items that they describe, first flag in the
 * lowest bit: 0 for a byte, 1 for a match of two bytes, whose distance takes as
 * many bits as the chunk's part in front of it needs, and at least four.
 *
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-xca
 */
#include "lib/consume/etl_index.h"

#define CHUNK		4096u
#define SIZE_MASK	0x0fffu
#define IS_PACKED	0x8000u
#define MIN_MATCH	3u

static u32 number_at(const u8 *bytes)
{
	return bytes[0] | (u32)bytes[1] << 8;
}

/* Copy a match to @to, @done bytes behind the chunk's begin; return its length */
static u32 copy_match(u8 *to, u32 done, u32 room, u32 match)
{
	u32 bits = 12, distance, length;

	/* The distance can refer to all bytes in front */
	for (u32 last = done - 1; done && last >= 16; last >>= 1)
		bits--;
	distance = (match >> bits) + 1;
	length = (match & ((1u << bits) - 1)) + MIN_MATCH;
	if (distance > done || length > room - done)
		return 0;
	for (u32 i = 0; i < length; i++)
		to[done + i] = to[done + i - distance];
	return length;
}

/* Unpack a chunk; return its unpacked size, or 0 if it is malformed */
static u32 unpack_chunk(u8 *to, u32 room, const u8 *from, u32 len)
{
	u32 done = 0, at = 0, flags = 1, length;

	if (room > CHUNK)
		room = CHUNK;
	while (at < len) {
		/* A one in front of the flags marks their end */
		if (flags == 1) {
			flags = from[at++] | 0x100u;
			continue;
		}
		if (flags & 1) {
			if (len - at < 2)
				return 0;
			length = copy_match(to, done, room,
					    number_at(from + at));
			if (!length)
				return 0;
			at += 2;
			done += length;
		} else {
			if (done == room)
				return 0;
			to[done++] = from[at++];
		}
		flags >>= 1;
	}
	return done;
}

/**
 * etl_unpack_lznt1() - unpack a buffer
 * @to: memory for the unpacked data
 * @room: exact size of the unpacked data in bytes
 * @from: packed data
 * @len: size of the packed data in bytes
 *
 * Return: whether the data was complete.
 */
bool etl_unpack_lznt1(u8 *to, u32 room, const u8 *from, u32 len)
{
	u32 header, size, done;

	while (room) {
		if (len < 2)
			return false;
		header = number_at(from);
		size = (header & SIZE_MASK) + 1;
		from += 2;
		len -= 2;
		/* A header of zero is the end */
		if (!header || size > len)
			return false;
		if (header & IS_PACKED) {
			done = unpack_chunk(to, room, from, size);
			if (!done)
				return false;
		} else {
			done = size;
			if (done > room)
				return false;
			memcpy(to, from, size);
		}
		from += size;
		len -= size;
		to += done;
		room -= done;
	}
	return true;
}
