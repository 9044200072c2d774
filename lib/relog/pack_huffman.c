// SPDX-License-Identifier: MIT
/*
 * Packing by LZ77 and Huffman codes of MS-XCA, which Windows calls XPRESS
 * Huffman; etl_unpack_huffman.c describes the format.
 */
#include <stdlib.h>

#include "lib/relog/pack.h"

#define SYMBOLS		512u
#define END_SYMBOL	256u
#define MAX_BITS	15u

/**
 * struct codes - a canonical Huffman code
 * @count: number of uses of each symbol
 * @bits: length of the code of each symbol, 0 for unused ones
 * @code: code of each symbol
 */
struct codes {
	u32 count[SYMBOLS];
	u8 bits[SYMBOLS];
	u16 code[SYMBOLS];
};

/* Node of the tree: a symbol, or two nodes that refer to it by @parent */
struct node {
	u32 count;
	u16 symbol;
	u16 parent;
};

static int by_count(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

/*
 * Take the node with the smallest count: both symbols and joined nodes are in
 * order of their counts
 */
static u32 smallest(const struct node *nodes, u32 *symbol, u32 symbols,
		    u32 *joined, u32 end)
{
	if (*symbol < symbols && (*joined == end ||
				  nodes[*symbol].count <= nodes[*joined].count))
		return (*symbol)++;
	return (*joined)++;
}

/* Compute the lengths of optimal codes; return the largest one */
static u32 set_lengths(struct codes *c)
{
	struct node nodes[2 * SYMBOLS];
	u32 symbols = 0, symbol = 0, joined, end, longest = 0;
	u8 depth[2 * SYMBOLS] = {};

	for (u32 i = 0; i < SYMBOLS; i++) {
		if (c->count[i])
			nodes[symbols++] = (struct node){ c->count[i], i, 0 };
	}
	qsort(nodes, symbols, sizeof(*nodes), by_count);
	joined = symbols;
	for (end = symbols; end < 2 * symbols - 1; end++) {
		u32 a = smallest(nodes, &symbol, symbols, &joined, end);
		u32 b = smallest(nodes, &symbol, symbols, &joined, end);

		nodes[end].count = nodes[a].count + nodes[b].count;
		nodes[a].parent = end;
		nodes[b].parent = end;
	}
	memset(c->bits, 0, sizeof(c->bits));
	/* A parent is behind its nodes; the last one is the root */
	for (u32 i = end - 1; i-- > 0; )
		depth[i] = depth[nodes[i].parent] + 1;
	for (u32 i = 0; i < symbols; i++) {
		c->bits[nodes[i].symbol] = symbols == 1 ? 1 : depth[i];
		if (depth[i] > longest)
			longest = depth[i];
	}
	return longest;
}

/* Number the codes by length and symbol */
static void make_codes(struct codes *c)
{
	u32 next = 0;

	/* Similar counts give similar lengths */
	while (set_lengths(c) > MAX_BITS) {
		for (u32 i = 0; i < SYMBOLS; i++)
			c->count[i] = (c->count[i] + 1) / 2;
	}
	for (u32 bits = 1; bits <= MAX_BITS; bits++, next <<= 1) {
		for (u32 i = 0; i < SYMBOLS; i++) {
			if (c->bits[i] == bits)
				c->code[i] = next++;
		}
	}
}

/**
 * struct bits - words of bits among bytes
 * @to: packed data
 * @at: its size
 * @place: places of the current word and of the next one
 * @word: current word
 * @room: number of its free bits
 */
struct bits {
	u8 *to;
	u32 at;
	u32 place[2];
	u32 word;
	u32 room;
};

/* The reader takes two words in advance */
static void begin_bits(struct bits *b)
{
	b->place[0] = b->at;
	b->place[1] = b->at + 2;
	b->at += 4;
	b->word = 0;
	b->room = 16;
}

static void put_bits(struct bits *b, u32 value, u32 count)
{
	if (count <= b->room) {
		b->room -= count;
		b->word |= value << b->room;
		return;
	}
	count -= b->room;
	pack_put(b->to + b->place[0], b->word | value >> count, 2);
	b->place[0] = b->place[1];
	b->place[1] = b->at;
	b->at += 2;
	b->room = 16 - count;
	b->word = value << b->room & 0xffff;
}

static void end_bits(struct bits *b)
{
	pack_put(b->to + b->place[0], b->word, 2);
	pack_put(b->to + b->place[1], 0, 2);
}

static u32 log_of(u32 distance)
{
	return 31 - __builtin_clz(distance);
}

static u32 symbol_of(const struct pack_item *item)
{
	u32 length = item->length - PACK_MIN_MATCH;

	if (!item->distance)
		return item->byte;
	return 256 + (log_of(item->distance) << 4) + (length < 15 ? length : 15);
}

static void put_item(struct bits *b, const struct codes *c,
		     const struct pack_item *item)
{
	u32 symbol = symbol_of(item), length, more, bits;

	put_bits(b, c->code[symbol], c->bits[symbol]);
	if (!item->distance)
		return;
	length = item->length - PACK_MIN_MATCH;
	if (length >= 15) {
		more = length - 15;
		b->to[b->at++] = more < 255 ? more : 255;
		if (more >= 255)
			b->at += pack_put(b->to + b->at, length, 2);
	}
	bits = log_of(item->distance);
	put_bits(b, item->distance - (1u << bits), bits);
}

/* Split a chunk into items; return their number */
static u32 split(struct packer *p, const u8 *from, u32 begin, u32 end)
{
	u32 count = 0, at = begin, distance = 0, length;

	for (; at < end; at += length) {
		length = packer_find(p, from, begin, at, end, PACK_CHUNK,
				     &distance);
		p->items[count++] = (struct pack_item) {
			.distance = length ? distance : 0,
			.length = length,
			.byte = from[at],
		};
		if (!length)
			length = 1;
		packer_insert(p, from, at, length, end);
	}
	return count;
}

u32 packer_huffman(struct packer *p, const u8 *from, u32 len)
{
	struct bits b = { .to = p->out };

	for (u32 begin = 0; begin < len; begin += PACK_CHUNK) {
		u32 left = len - begin, i, count;
		u32 end = begin + (left < PACK_CHUNK ? left : PACK_CHUNK);
		struct codes c = {};

		count = split(p, from, begin, end);
		for (i = 0; i < count; i++)
			c.count[symbol_of(&p->items[i])]++;
		if (end == len)
			c.count[END_SYMBOL]++;
		make_codes(&c);
		for (i = 0; i < SYMBOLS; i += 2)
			b.to[b.at++] = c.bits[i] | c.bits[i + 1] << 4;
		begin_bits(&b);
		for (i = 0; i < count; i++)
			put_item(&b, &c, &p->items[i]);
		if (end == len)
			put_bits(&b, c.code[END_SYMBOL], c.bits[END_SYMBOL]);
		end_bits(&b);
	}
	return b.at;
}
