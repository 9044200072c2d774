/* SPDX-License-Identifier: MIT */
/*
 * Characters of UTF-8 and UTF-16: decoding and encoding, for the libraries and
 * the tools.  Each user decides what becomes of malformed text.
 */
#ifndef EVNT_UTF_H
#define EVNT_UTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Result for malformed text, and the character that replaces it for display */
#define EVNT_UTF_BAD		UINT32_MAX
#define EVNT_UTF_REPLACEMENT	0xfffdu

static inline bool evnt_utf_is_surrogate(uint32_t c)
{
	return c >= 0xd800 && c <= 0xdfff;
}

/* Replace the result for malformed text */
static inline uint32_t evnt_utf_shown(uint32_t c)
{
	return c == EVNT_UTF_BAD ? EVNT_UTF_REPLACEMENT : c;
}

/*
 * Return the number of bytes that follow the first byte of a character; -1 for
 * another byte
 */
static inline int evnt_utf8_more(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/**
 * evnt_utf8_get() - decode a character of UTF-8
 * @text: text
 * @len: length of @text in bytes, at least 1
 * @used: out: length of the character in bytes; 1 if it is malformed
 *
 * Return: the character, or EVNT_UTF_BAD.
 */
static inline uint32_t evnt_utf8_get(const void *text, size_t len,
				     unsigned int *used)
{
	static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = text;
	int i, more = evnt_utf8_more(*at);
	uint32_t c = more > 0 ? *at & (0x3f >> more) : *at;

	*used = 1;
	if (more < 0 || len <= (size_t)more)
		return EVNT_UTF_BAD;
	for (i = 1; i <= more; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return EVNT_UTF_BAD;
		c = c << 6 | (at[i] & 0x3f);
	}
	if (c < least[more] || c > 0x10ffff || evnt_utf_is_surrogate(c))
		return EVNT_UTF_BAD;
	*used = 1 + more;
	return c;
}

/**
 * evnt_utf16_get() - decode a character of UTF-16
 * @text: text in the machine's byte order, of any alignment
 * @count: units of @text, at least 1
 * @used: out: units of the character; 1 if it is malformed
 *
 * Return: the character, or EVNT_UTF_BAD.
 */
static inline uint32_t evnt_utf16_get(const void *text, size_t count,
				      unsigned int *used)
{
	uint16_t c, low = 0;

	memcpy(&c, text, sizeof(c));
	*used = 1;
	if (!evnt_utf_is_surrogate(c))
		return c;
	if (count > 1)
		memcpy(&low, (const char *)text + sizeof(c), sizeof(low));
	if (c > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return EVNT_UTF_BAD;
	*used = 2;
	return 0x10000 + ((c & 0x3ffu) << 10) + (low & 0x3ff);
}

/* Encode a character in UTF-8 and return its number of bytes */
static inline unsigned int evnt_utf8_put(uint32_t c, char out[4])
{
	static const unsigned char first[] = { 0x00, 0xc0, 0xe0, 0xf0 };
	unsigned int i, more = c < 0x80 ? 0 : c < 0x800 ? 1 :
			       c < 0x10000 ? 2 : 3;

	*out++ = first[more] | c >> 6 * more;
	for (i = more; i; i--)
		*out++ = 0x80 | (c >> 6 * (i - 1) & 0x3f);
	return more + 1;
}

/* Encode a character in UTF-16 and return its number of units */
static inline unsigned int evnt_utf16_put(uint32_t c, uint16_t out[2])
{
	if (c < 0x10000) {
		out[0] = c;
		return 1;
	}
	out[0] = 0xd7c0 + (c >> 10);
	out[1] = 0xdc00 | (c & 0x3ff);
	return 2;
}

#endif /* EVNT_UTF_H */
