/* SPDX-License-Identifier: MIT */
/*
 * Pack buffers of log files like Windows: plain LZ77, [MS-XCA] 2.3.  Shares no
 * code with the unpacking.
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

#endif /* EVNT_TEST_ETL_PACK_H */
