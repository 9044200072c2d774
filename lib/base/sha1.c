// SPDX-License-Identifier: MIT
/*
 * SHA-1 (RFC 3174), for deriving provider IDs from names, not for security.
 *
 * A cryptographic library would be a dependency of every provider.
 */
#include <string.h>

#include "lib/base/sha1.h"

#define BLOCK	64

static uint32_t rol(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static uint32_t round_function(int t, uint32_t b, uint32_t c, uint32_t d)
{
	if (t < 20)
		return ((b & c) | (~b & d)) + 0x5a827999;
	if (t < 40)
		return (b ^ c ^ d) + 0x6ed9eba1;
	if (t < 60)
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
	return (b ^ c ^ d) + 0xca62c1d6;
}

static void sha1_block(uint32_t h[5], const uint8_t *p)
{
	uint32_t v[5], w[80], sum;
	int t;

	for (t = 0; t < 16; t++, p += 4)
		w[t] = (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
	for (; t < 80; t++)
		w[t] = rol(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	memcpy(v, h, sizeof(v));
	for (t = 0; t < 80; t++) {
		sum = rol(v[0], 5) + round_function(t, v[1], v[2], v[3]) +
		      v[4] + w[t];
		v[4] = v[3];
		v[3] = v[2];
		v[2] = rol(v[1], 30);
		v[1] = v[0];
		v[0] = sum;
	}
	for (t = 0; t < 5; t++)
		h[t] += v[t];
}

static void put_be(uint8_t *to, uint64_t value, int bytes)
{
	while (bytes--)
		*to++ = value >> 8 * bytes;
}

/**
 * evnt_sha1() - compute a SHA-1 digest
 * @data: data
 * @len: length of @data in bytes
 * @digest: out: the digest
 */
void evnt_sha1(const void *data, size_t len, uint8_t digest[20])
{
	uint32_t h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
			  0xc3d2e1f0 };
	uint8_t last[2 * BLOCK] = { 0 };
	const uint8_t *p = data;
	size_t left = len, size;
	int i;

	for (; left >= BLOCK; left -= BLOCK, p += BLOCK)
		sha1_block(h, p);
	/* Pad the rest: a one bit, zeros, the length in bits */
	memcpy(last, p, left);
	last[left] = 0x80;
	size = left + 9 > BLOCK ? 2 * BLOCK : BLOCK;
	put_be(last + size - 8, (uint64_t)len * 8, 8);
	for (left = 0; left < size; left += BLOCK)
		sha1_block(h, last + left);
	for (i = 0; i < 5; i++)
		put_be(digest + 4 * i, h[i], 4);
}
