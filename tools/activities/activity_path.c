// SPDX-License-Identifier: MIT
/*
 * Ids of .NET's event sources.
 *
 * The first 12 bytes are a sequence of numbers in nibbles, upper nibble of a
 * byte first. A nibble of 0 ends the sequence, and 1 to 10 is the number
 * itself. A nibble of 12 to 15 starts a number of 1 to 4 bytes, lowest byte
 * first; if it is an upper nibble, the lower nibble of the same byte precedes
 * the highest byte of the number. 11 starts a number that the path is relative
 * to. The last 4 bytes are a checksum: the sum of the others, as three 32-bit
 * numbers, and a constant; newer versions also mix in the process id.
 */
#include <stdio.h>
#include <string.h>

#include "tools/activities/activity.h"

#define SUM		0x599d99adu
#define PATH_BYTES	12
#define LARGEST_NIBBLE	10
#define RELATIVE	11
#define MANY_BYTES	12

/**
 * struct nibbles - read position in an id
 * @bytes: bytes of the id
 * @at: index of the next nibble
 */
struct nibbles {
	const unsigned char *bytes;
	unsigned int at;
};

static unsigned int next_nibble(struct nibbles *n)
{
	unsigned int byte;

	if (n->at >= 2 * PATH_BYTES)
		return 0;
	byte = n->bytes[n->at / 2];
	return n->at++ & 1 ? byte & 0xf : byte >> 4;
}

/* Read a number stored in whole bytes. @nibble is its first nibble. */
static bool read_number(struct nibbles *n, unsigned int nibble, uint32_t *value)
{
	unsigned int count = nibble - MANY_BYTES + 1, from;

	*value = n->at & 1 ? next_nibble(n) : 0;
	from = n->at / 2;
	if (from + count > PATH_BYTES)
		return false;
	for (unsigned int i = count; i--;)
		*value = *value << 8 | n->bytes[from + i];
	n->at = 2 * (from + count);
	return true;
}

const char *activity_path(const GUID *id, uint32_t pid,
			  char text[ACTIVITY_PATH])
{
	struct nibbles n = { (const unsigned char *)id, 0 };
	uint32_t words[4], sum, value;
	unsigned int nibble, len = 1;
	char mark;

	memcpy(words, id, sizeof(words));
	sum = words[0] + words[1] + words[2] + SUM;
	if (!words[0] || (words[3] != sum && words[3] != (sum ^ pid)))
		return NULL;
	snprintf(text, ACTIVITY_PATH, "/");
	while ((nibble = next_nibble(&n))) {
		mark = nibble == RELATIVE ? '$' : '/';
		if (nibble == RELATIVE)
			nibble = next_nibble(&n);
		value = nibble;
		if (nibble > LARGEST_NIBBLE &&
		    (nibble < MANY_BYTES || !read_number(&n, nibble, &value)))
			return NULL;
		len += snprintf(text + len, ACTIVITY_PATH - len, "%c%u", mark,
				value);
		if (len >= ACTIVITY_PATH)
			return NULL;
	}
	return text;
}
