/* SPDX-License-Identifier: MIT */
/*
 * Packing of buffers by the methods that Windows reads.
 *
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-xca
 */
#ifndef EVNT_PACK_H
#define EVNT_PACK_H

#include "core/etl.h"

/* Numbers of the methods in the state of buffers */
enum pack_method {
	PACK_NONE = 0,
	PACK_LZNT1 = 2,
	PACK_XPRESS = 3,
	PACK_HUFFMAN = 4,
};

#define PACK_MAX	0x20000u	/* most bytes that are packed at a time */
#define PACK_MIN_MATCH	3u
#define PACK_HASHES	0x4000u
#define PACK_CHUNK	0x10000u	/* bytes with codes of their own */

/* Item of a chunk: a byte, or a match if @distance is not 0 */
struct pack_item {
	u32 distance;
	u32 length;
	u8 byte;
};

/**
 * struct packer - memory for packing
 * @last: position behind the last place of each hash
 * @before: for each position, position behind the place before with its hash
 * @items: items of the current chunk
 * @out: packed data
 */
struct packer {
	u32 last[PACK_HASHES];
	u32 before[PACK_MAX];
	struct pack_item items[PACK_CHUNK];
	u8 out[2 * PACK_MAX + 1024];
};

/* Write a number of @bytes bytes, and return @bytes */
static inline u32 pack_put(u8 *to, u32 value, u32 bytes)
{
	for (u32 i = 0; i < bytes; i++)
		to[i] = value >> 8 * i;
	return bytes;
}

/*
 * Pack @len bytes into @p->out.  Return the packed size, or 0 if it is not
 * smaller.
 */
u32 packer_pack(struct packer *p, enum pack_method method, const u8 *from,
		u32 len);

/*
 * Find the longest match for the data at @at up to @end, no further away than
 * @window nor before @begin; return its length, or 0
 */
u32 packer_find(const struct packer *p, const u8 *from, u32 begin, u32 at,
		u32 end, u32 window, u32 *distance);

/* Let later searches find @count positions from @at on */
void packer_insert(struct packer *p, const u8 *from, u32 at, u32 count,
		   u32 end);

/* pack_huffman.c: append to @p->out and return the size */
u32 packer_huffman(struct packer *p, const u8 *from, u32 len);

#endif /* EVNT_PACK_H */
