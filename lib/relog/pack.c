// SPDX-License-Identifier: MIT
/* Packing by the plain LZ77 of MS-XCA, which Windows calls XPRESS, and by LZNT1 */
#include "lib/relog/pack.h"

#define MAX_TRIES	32	/* places that are compared for a match */
#define WINDOW		8192u	/* largest distance of XPRESS */
#define LZNT1_CHUNK	4096u	/* bytes that LZNT1 packs for themselves */

static u32 hash(const u8 *at)
{
	u32 bytes = at[0] | at[1] << 8 | (u32)at[2] << 16;

	return bytes * 2654435761u >> 18;
}

u32 packer_find(const struct packer *p, const u8 *from, u32 begin, u32 at,
		u32 end, u32 window, u32 *distance)
{
	u32 best = PACK_MIN_MATCH - 1, place, length;

	if (end - at < PACK_MIN_MATCH)
		return 0;
	place = p->last[hash(from + at)];
	for (int tries = MAX_TRIES; place > begin && tries; tries--) {
		const u8 *earlier = from + place - 1;

		if (at - (place - 1) > window)
			break;
		length = 0;
		while (at + length < end &&
		       earlier[length] == from[at + length])
			length++;
		if (length > best) {
			best = length;
			*distance = at - (place - 1);
		}
		place = p->before[place - 1];
	}
	return best < PACK_MIN_MATCH ? 0 : best;
}

void packer_insert(struct packer *p, const u8 *from, u32 at, u32 count,
		   u32 end)
{
	for (; count && end - at >= PACK_MIN_MATCH; count--, at++) {
		u32 *last = &p->last[hash(from + at)];

		p->before[at] = *last;
		*last = at + 1;
	}
}

/**
 * struct xpress - state of packing
 * @to: packed data
 * @at: its size
 * @flags: flags of the current items
 * @flags_at: place of these
 * @count: number of these
 * @half: place of a byte whose upper four bits are free; 0: none
 */
struct xpress {
	u8 *to;
	u32 at;
	u32 flags;
	u32 flags_at;
	u32 count;
	u32 half;
};

static void put_flag(struct xpress *x, u32 flag)
{
	x->flags = x->flags << 1 | flag;
	if (++x->count < 32)
		return;
	pack_put(x->to + x->flags_at, x->flags, 4);
	x->flags_at = x->at;
	x->at += 4;
	x->count = 0;
}

/* Four bits, which two matches share a byte for */
static void put_half(struct xpress *x, u32 value)
{
	if (x->half) {
		x->to[x->half] |= value << 4;
		x->half = 0;
	} else {
		x->half = x->at;
		x->to[x->at++] = value;
	}
}

static void xpress_match(struct xpress *x, u32 distance, u32 length)
{
	u32 more;

	length -= PACK_MIN_MATCH;
	x->at += pack_put(x->to + x->at,
			  (distance - 1) << 3 | (length < 7 ? length : 7), 2);
	if (length >= 7) {
		more = length - 7;
		put_half(x, more < 15 ? more : 15);
		if (more >= 15) {
			more -= 15;
			x->to[x->at++] = more < 255 ? more : 255;
			if (more >= 255 && length < 0x10000) {
				x->at += pack_put(x->to + x->at, length, 2);
			} else if (more >= 255) {
				x->at += pack_put(x->to + x->at, 0, 2);
				x->at += pack_put(x->to + x->at, length, 4);
			}
		}
	}
	put_flag(x, 1);
}

static u32 pack_xpress(struct packer *p, const u8 *from, u32 len)
{
	struct xpress x = { .to = p->out, .at = 4 };
	u32 at = 0, distance = 0, length;

	while (at < len) {
		length = packer_find(p, from, 0, at, len, WINDOW, &distance);
		if (length) {
			xpress_match(&x, distance, length);
		} else {
			length = 1;
			x.to[x.at++] = from[at];
			put_flag(&x, 0);
		}
		packer_insert(p, from, at, length, len);
		at += length;
	}
	/* Unused flags are ones */
	if (x.count)
		x.flags = ~(~x.flags << (32 - x.count));
	else
		x.flags = UINT32_MAX;
	pack_put(x.to + x.flags_at, x.flags, 4);
	return x.at;
}

/* Pack the chunk from @begin to @end to @to; return the packed size */
static u32 pack_chunk(struct packer *p, u8 *to, const u8 *from, u32 begin,
		      u32 end)
{
	u32 at = begin, done = 0, flags_at = 0, count = 8, bits, most;
	u32 distance = 0, length;

	for (; at < end; at += length, count++) {
		if (count == 8) {
			flags_at = done++;
			to[flags_at] = 0;
			count = 0;
		}
		/* Distances have the fewest bits that reach the chunk's begin */
		for (bits = 4; at - begin > 1u << bits; )
			bits++;
		length = packer_find(p, from, begin, at, end, LZNT1_CHUNK,
				     &distance);
		most = (1u << (16 - bits)) - 1 + PACK_MIN_MATCH;
		if (length > most)
			length = most;
		if (length) {
			to[flags_at] |= 1 << count;
			done += pack_put(to + done,
					 (distance - 1) << (16 - bits) |
					 (length - PACK_MIN_MATCH), 2);
		} else {
			length = 1;
			to[done++] = from[at];
		}
		packer_insert(p, from, at, length, end);
	}
	return done;
}

static u32 packer_lznt1(struct packer *p, const u8 *from, u32 len)
{
	u32 done = 0;

	for (u32 at = 0; at < len; at += LZNT1_CHUNK) {
		u32 left = len - at, header = 0xb000;
		u32 size = left < LZNT1_CHUNK ? left : LZNT1_CHUNK;
		u32 packed = pack_chunk(p, p->out + done + 2, from, at,
					at + size);

		if (packed >= size) {
			memcpy(p->out + done + 2, from + at, size);
			packed = size;
			header = 0x3000;
		}
		pack_put(p->out + done, header | (packed - 1), 2);
		done += 2 + packed;
	}
	return done;
}

u32 packer_pack(struct packer *p, enum pack_method method, const u8 *from,
		u32 len)
{
	u32 size;

	memset(p->last, 0, sizeof(p->last));
	size = method == PACK_LZNT1 ? packer_lznt1(p, from, len) :
	       method == PACK_XPRESS ? pack_xpress(p, from, len) :
				       packer_huffman(p, from, len);
	return size < len ? size : 0;
}
