/* SPDX-License-Identifier: MIT */
/*
 * Pack buffers of log files like Windows: plain LZ77, [MS-XCA] 2.3, LZNT1, 2.5,
 * and LZ77 with Huffman codes, 2.1.  Shares no code with the unpacking.
 */
#ifndef EVNT_TEST_ETL_PACK_H
#define EVNT_TEST_ETL_PACK_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PACK_WINDOW	8192u

struct packing {
	uint8_t *to;
	size_t len;
	size_t flags_at;
	uint32_t flags;
	unsigned int count;
	size_t half;
};

static inline void pack_byte(struct packing *p, unsigned int byte)
{
	p->to[p->len++] = byte;
}

static inline void pack_number(struct packing *p, uint32_t value, int bytes)
{
	while (bytes--) {
		pack_byte(p, value & 0xff);
		value >>= 8;
	}
}

static inline void pack_flags(struct packing *p)
{
	size_t len = p->len;

	p->len = p->flags_at;
	pack_number(p, p->flags, 4);
	p->flags_at = len;
	p->len = len + 4;
	p->count = 0;
}

static inline void pack_flag(struct packing *p, unsigned int flag)
{
	p->flags = p->flags << 1 | flag;
	if (++p->count == 32)
		pack_flags(p);
}

static inline void pack_half(struct packing *p, unsigned int value)
{
	if (p->half) {
		p->to[p->half] |= value << 4;
		p->half = 0;
	} else {
		p->half = p->len;
		pack_byte(p, value);
	}
}

static inline void pack_length(struct packing *p, uint32_t length)
{
	uint32_t more = length - 7;

	pack_half(p, more < 15 ? more : 15);
	if (more < 15)
		return;
	more -= 15;
	pack_byte(p, more < 255 ? more : 255);
	if (more < 255)
		return;
	if (length < 0x10000) {
		pack_number(p, length, 2);
	} else {
		pack_number(p, 0, 2);
		pack_number(p, length, 4);
	}
}

static inline void pack_match(struct packing *p, uint32_t distance,
			      uint32_t length)
{
	length -= 3;
	pack_number(p, (distance - 1) << 3 | (length < 7 ? length : 7), 2);
	if (length >= 7)
		pack_length(p, length);
	pack_flag(p, 1);
}

/* Find a long match for the data at @at; tries only a few places */
static inline uint32_t pack_find(const uint8_t *from, size_t len, size_t at,
				 uint32_t *distance)
{
	size_t best = 0, back, n;

	for (back = 1; back <= at && back <= PACK_WINDOW; back++) {
		if (from[at] != from[at - back])
			continue;
		for (n = 0; at + n < len && from[at + n] == from[at + n - back];)
			n++;
		if (n > best) {
			best = n;
			*distance = back;
		}
		if (at + best == len)
			break;
	}
	return best;
}

/* Pack into @to, of 2 * @len + 16 bytes; returns the packed length */
static inline size_t pack(uint8_t *to, const uint8_t *from, size_t len)
{
	struct packing p = { .to = to, .len = 4 };
	uint32_t distance = 0, length;
	size_t at = 0;

	while (at < len) {
		length = pack_find(from, len, at, &distance);
		if (length < 3) {
			pack_byte(&p, from[at++]);
			pack_flag(&p, 0);
		} else {
			pack_match(&p, distance, length);
			at += length;
		}
	}
	/* Unused flags are ones */
	p.flags = p.count ? ~(~p.flags << (32 - p.count)) : 0xffffffff;
	len = p.len;
	p.len = p.flags_at;
	pack_number(&p, p.flags, 4);
	return len;
}

/* Pack a chunk of at most 4096 bytes by LZNT1; returns the packed length */
static inline size_t pack_lznt1_chunk(uint8_t *to, const uint8_t *from,
				      size_t len)
{
	size_t flags_at = 0, at = 0, end = 0;
	unsigned int count = 8, bits;
	uint32_t distance, length;

	while (at < len) {
		if (count == 8) {
			flags_at = end;
			to[end++] = 0;
			count = 0;
		}
		/* Smallest number of bits for distances, at least four */
		for (bits = 4; at > 1u << bits; bits++)
			;
		length = pack_find(from, len, at, &distance);
		if (length > (1u << (16 - bits)) + 2)
			length = (1u << (16 - bits)) + 2;
		if (length < 3) {
			to[end++] = from[at++];
		} else {
			uint32_t match = (distance - 1) << (16 - bits) |
					 (length - 3);

			to[flags_at] |= 1 << count;
			to[end++] = match & 0xff;
			to[end++] = match >> 8;
			at += length;
		}
		count++;
	}
	return end;
}

static inline size_t pack_lznt1(uint8_t *to, const uint8_t *from, size_t len)
{
	size_t end = 0;

	for (size_t at = 0; at < len; at += 4096) {
		size_t part = len - at < 4096 ? len - at : 4096;
		size_t size = pack_lznt1_chunk(to + end + 2, from + at, part);
		unsigned int header = 0xb000;

		if (size >= part) {
			memcpy(to + end + 2, from + at, part);
			size = part;
			header = 0x3000;
		}
		header |= size - 1;
		to[end++] = header & 0xff;
		to[end++] = header >> 8;
		end += size;
	}
	return end;
}

struct pack_bits {
	uint8_t *to;
	size_t end;
	size_t place[2];
	unsigned int word;
	unsigned int room;
	unsigned int lengths[512];
	unsigned int codes[512];
};

static inline void pack_word(struct pack_bits *p, size_t at, unsigned int word)
{
	p->to[at] = word & 0xff;
	p->to[at + 1] = word >> 8 & 0xff;
}

static inline void pack_bits(struct pack_bits *p, unsigned int bits,
			     unsigned int count)
{
	for (; count; count--) {
		if (!p->room) {
			pack_word(p, p->place[0], p->word);
			p->place[0] = p->place[1];
			p->place[1] = p->end;
			p->end += 2;
			p->room = 16;
			p->word = 0;
		}
		p->room--;
		p->word |= (bits >> (count - 1) & 1) << p->room;
	}
}

/* Begin a chunk: lengths of 1, 9 and 10 bits, which leave no code unused */
static inline void pack_codes(struct pack_bits *p)
{
	unsigned int code = 0, i, bits;

	for (i = 0; i < 512; i++)
		p->lengths[i] = !i ? 1 : i == 1 ? 9 : 10;
	for (bits = 1; bits <= 15; bits++, code <<= 1) {
		for (i = 0; i < 512; i++) {
			if (p->lengths[i] == bits)
				p->codes[i] = code++;
		}
	}
	for (i = 0; i < 256; i++)
		p->to[p->end++] = p->lengths[2 * i] |
				  p->lengths[2 * i + 1] << 4;
	p->place[0] = p->end;
	p->place[1] = p->end + 2;
	p->end += 4;
	p->word = 0;
	p->room = 16;
}

static inline void pack_symbol(struct pack_bits *p, unsigned int symbol)
{
	pack_bits(p, p->codes[symbol], p->lengths[symbol]);
}

static inline void pack_huffman_match(struct pack_bits *p, uint32_t distance,
				      uint32_t length)
{
	unsigned int bits = 31 - __builtin_clz(distance);

	length -= 3;
	pack_symbol(p, 256 + (bits << 4) + (length < 15 ? length : 15));
	if (length >= 15) {
		p->to[p->end++] = length - 15 < 255 ? length - 15 : 255;
		if (length - 15 >= 255) {
			pack_word(p, p->end, length);
			p->end += 2;
		}
	}
	pack_bits(p, distance & ((1u << bits) - 1), bits);
}

/* Pack by LZ77 with Huffman codes into @to, of 2 * @len + 1000 bytes */
static inline size_t pack_huffman(uint8_t *to, const uint8_t *from, size_t len)
{
	struct pack_bits p = { .to = to };
	uint32_t distance, length;
	size_t at = 0, stop;

	while (at < len) {
		stop = at + 65536 < len ? at + 65536 : len;
		pack_codes(&p);
		while (at < stop) {
			length = pack_find(from, stop, at, &distance);
			if (length > 60000)
				length = 60000;
			if (length < 3) {
				pack_symbol(&p, from[at++]);
			} else {
				pack_huffman_match(&p, distance, length);
				at += length;
			}
		}
		/* The end of the data */
		if (at == len)
			pack_symbol(&p, 256);
		pack_word(&p, p.place[0], p.word);
		pack_word(&p, p.place[1], 0);
	}
	return p.end;
}

#endif /* EVNT_TEST_ETL_PACK_H */
