// SPDX-License-Identifier: MIT
/*
 * Unpacking by LZ77 and Huffman codes of MS-XCA, which Windows calls XPRESS
 * Huffman.
 *
 * Each chunk of 64 KiB begins with the lengths of the codes of 512 symbols, four
 * bits each.  Codes follow in words of two bytes, from the highest bit on.  The
 * first 256 symbols are bytes.  The others are matches: four bits of a length,
 * and the number of bits of a distance, which follow.  A length of 15 continues
 * in one byte, in two, and in four, at the place of the next word.
 *
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-xca
 */
#include "lib/consume/etl_unpack_match.h"

#define CHUNK		65536u
#define SYMBOLS		512u
#define TABLE		(SYMBOLS / 2)
#define MAX_BITS	15u

/**
 * struct code - a canonical Huffman code
 * @count: number of codes of each length in bits
 * @symbols: symbols with codes, by length and number
 */
struct code {
	u16 count[MAX_BITS + 1];
	u16 symbols[SYMBOLS];
};

/**
 * struct huffman - state of unpacking
 * @u: data
 * @bits: next bits, from the highest one on
 * @spare: number of valid bits in @bits less 16
 * @ended: a word behind the end was read as zero
 */
struct huffman {
	struct unpacking u;
	u32 bits;
	int spare;
	bool ended;
};

static u32 length_of(const u8 *table, u32 symbol)
{
	return table[symbol / 2] >> symbol % 2 * 4 & 15;
}

/* Take the lengths of the codes; false if there are more codes than bits allow */
static bool take_code(struct unpacking *u, struct code *code)
{
	const u8 *table = u->from + u->at;
	u32 used = 0, count = 0;

	if (u->len - u->at < TABLE)
		return false;
	u->at += TABLE;
	for (u32 bits = 1; bits <= MAX_BITS; bits++) {
		u32 before = count;

		for (u32 symbol = 0; symbol < SYMBOLS; symbol++) {
			if (length_of(table, symbol) == bits)
				code->symbols[count++] = symbol;
		}
		code->count[bits] = count - before;
		used += (count - before) << (MAX_BITS - bits);
	}
	return used <= 1u << MAX_BITS;
}

static bool begin_bits(struct huffman *h)
{
	u32 high, low;

	if (!take(&h->u, 2, &high) || !take(&h->u, 2, &low))
		return false;
	h->bits = high << 16 | low;
	h->spare = 16;
	return true;
}

/*
 * Remove @count bits, at most 15.  A packer may omit the last word, of which no
 * bit is used: it counts as zero.
 */
static bool skip_bits(struct huffman *h, u32 count)
{
	u32 word = 0;

	h->bits <<= count;
	h->spare -= (int)count;
	if (h->spare >= 0)
		return true;
	if (!take(&h->u, 2, &word)) {
		if (h->ended)
			return false;
		h->ended = true;
	}
	h->bits |= word << -h->spare;
	h->spare += 16;
	return true;
}

static bool take_symbol(struct huffman *h, const struct code *code,
			u32 *symbol)
{
	u32 first = 0, index = 0, value = 0;

	for (u32 bits = 1; bits <= MAX_BITS; bits++) {
		value = h->bits >> (32 - bits);
		if (value - first < code->count[bits]) {
			*symbol = code->symbols[index + value - first];
			return skip_bits(h, bits);
		}
		index += code->count[bits];
		first = (first + code->count[bits]) << 1;
	}
	return false;
}

static bool take_match(struct huffman *h, u32 symbol)
{
	u32 length = symbol & 15, bits = symbol >> 4, distance = 1u << bits;

	if (length == 15 && !take_long_length(&h->u, &length, 15))
		return false;
	if (bits)
		distance += h->bits >> (32 - bits);
	return skip_bits(h, bits) && copy_match(&h->u, distance, length);
}

/**
 * etl_unpack_huffman() - unpack a buffer
 * @to: memory for the unpacked data
 * @room: exact size of the unpacked data in bytes
 * @from: packed data
 * @len: size of the packed data in bytes
 *
 * Return: whether the data was complete.
 */
bool etl_unpack_huffman(u8 *to, u32 room, const u8 *from, u32 len)
{
	struct huffman h = {
		.u = { .to = to, .room = room, .from = from, .len = len },
	};
	struct unpacking *u = &h.u;
	struct code code;
	u32 end, symbol;

	while (u->done < u->room) {
		if (!take_code(u, &code) || !begin_bits(&h))
			return false;
		end = u->room - u->done > CHUNK ? u->done + CHUNK : u->room;
		while (u->done < end) {
			if (!take_symbol(&h, &code, &symbol))
				return false;
			if (symbol < 256)
				u->to[u->done++] = symbol;
			else if (!take_match(&h, symbol - 256))
				return false;
		}
	}
	return true;
}
