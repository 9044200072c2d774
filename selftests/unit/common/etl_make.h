/* SPDX-License-Identifier: MIT */
/*
 * Build log files of all kinds, byte by byte; shares no code with the readers.
 *
 * Begin a file, which writes its header; then begin each buffer, fill it with
 * records, and end it.  Times are in a clock of 10 MHz, in ticks like FILETIME,
 * of which 1000 is MAKE_START.
 */
#ifndef EVNT_TEST_ETL_MAKE_H
#define EVNT_TEST_ETL_MAKE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftests/unit/common/etl_pack.h"

#define MAKE_START	133000000000000000LL
#define MAKE_BASE	1000

enum make_kind {
	MAKE_SYSTEM32 = 0xc001, MAKE_SYSTEM64, MAKE_COMPACT32, MAKE_COMPACT64,
	MAKE_FULL32 = 0xc00a, MAKE_INSTANCE32,
	MAKE_PERFINFO32 = 0xc010, MAKE_PERFINFO64, MAKE_EVENT32, MAKE_EVENT64,
	MAKE_FULL64, MAKE_INSTANCE64,
	MAKE_MESSAGE = 0x9000,
};

/**
 * struct etl_make - a file under construction
 * @data: its bytes
 * @len: number of bytes in use
 * @room: number of bytes allocated
 * @buffer: offset of the current buffer
 * @buffer_size: size of each buffer
 * @wide: whether the file is from a 64-bit system
 */
struct etl_make {
	uint8_t *data;
	size_t len;
	size_t room;
	size_t buffer;
	uint32_t buffer_size;
	bool wide;
};

static inline uint8_t *make_bytes(struct etl_make *m, size_t len)
{
	if (m->len + len > m->room) {
		m->room = 2 * (m->len + len);
		m->data = realloc(m->data, m->room);
		if (!m->data)
			abort();
	}
	m->len += len;
	return memset(m->data + m->len - len, 0, len);
}

static inline void make_put(uint8_t *p, uint64_t value, int bytes)
{
	while (bytes--) {
		*p++ = value;
		value >>= 8;
	}
}

static inline uint8_t *make_buffer(struct etl_make *m, unsigned int cpu,
				   int64_t sequence)
{
	uint8_t *h;

	m->buffer = m->len;
	h = make_bytes(m, 0x48);
	make_put(h, m->buffer_size, 4);
	make_put(h + 0x18, sequence, 8);
	make_put(h + 0x28, cpu, 2);
	make_put(h + 0x2c, 3, 4);
	make_put(h + 0x34, 0x20, 2);
	return h;
}

/* Return the current buffer, whose address changes as the file grows */
static inline uint8_t *make_head(struct etl_make *m)
{
	return m->data + m->buffer;
}

static inline void make_buffer_end(struct etl_make *m)
{
	size_t used = m->len - m->buffer;
	uint8_t *h = make_head(m);

	if (used > m->buffer_size)
		abort();
	make_put(h + 0x04, used, 4);
	make_put(h + 0x08, used, 4);
	make_put(h + 0x30, used, 4);
	memset(make_bytes(m, m->buffer_size - used), 0xff,
	       m->buffer_size - used);
}

/* End the buffer and pack it, by the method in the state of the first one */
static inline void make_buffer_end_packed(struct etl_make *m)
{
	size_t used = m->len - m->buffer, len;
	uint8_t *packed = malloc(2 * used + 1000), *h = make_head(m);
	uint8_t method = m->data[0x2c];

	make_put(h + 0x04, used, 4);
	make_put(h + 0x08, used, 4);
	make_put(h + 0x30, used, 4);
	h[0x34] |= 0x40;
	if (method == 2)
		len = pack_lznt1(packed, h + 0x48, used - 0x48);
	else if (method == 4)
		len = pack_huffman(packed, h + 0x48, used - 0x48);
	else
		len = pack(packed, h + 0x48, used - 0x48);
	make_put(h, 0x48 + len, 4);
	m->len = m->buffer + 0x48;
	memcpy(make_bytes(m, len), packed, len);
	free(packed);
}

/* Append zeros of an aligned record's length */
static inline uint8_t *make_room(struct etl_make *m, size_t len)
{
	return make_bytes(m, (len + 7) & ~(size_t)7);
}

/* Append any record but a message; returns its data, @len bytes */
static inline uint8_t *make_record(struct etl_make *m, enum make_kind kind,
				   int64_t time, size_t len)
{
	static const uint8_t headers[] = {
		[0x01] = 0x20, 0x20, 0x18, 0x18, [0x0a] = 0x30, 0x48,
		[0x10] = 0x10, 0x10, 0x50, 0x50, 0x30, 0x48,
	};
	size_t header = headers[kind & 0xff];
	bool third = kind < MAKE_FULL32 || (kind & ~1) == MAKE_PERFINFO32;
	uint8_t *p = make_room(m, header + len);

	make_put(p + (third ? 4 : 0), header + len, 2);
	make_put(p + 2, kind, 2);
	make_put(p + (header == 0x10 ? 0x08 : 0x10), time, 8);
	return p + header;
}

/* Fill in the header of a classic event */
static inline void make_class(uint8_t *data, size_t header, uint32_t guid,
			      uint8_t type, uint8_t level, uint16_t version)
{
	uint8_t *p = data - header;

	p[4] = type;
	p[5] = level;
	make_put(p + 6, version, 2);
	make_put(p + 8, 11, 4);
	make_put(p + 12, 22, 4);
	make_put(p + 0x18, guid, 4);
	make_put(p + 0x28, 33, 4);
	make_put(p + 0x2c, 44, 4);
}

static inline void make_name(struct etl_make *m, const char *name)
{
	size_t i;

	for (i = 0; i <= strlen(name); i++)
		*make_bytes(m, 2) = name[i];
}

/* Append TRACE_LOGFILE_HEADER; fields move after its two pointers */
static inline uint8_t *make_logfile_header(struct etl_make *m)
{
	uint32_t size = m->wide ? 0x118 : 0x110;
	uint8_t *h = make_bytes(m, 0x20 + size) + 0x20;
	uint8_t *late = h + size - 0x20;

	make_put(h - 0x20, m->wide ? 0xc0020002 : 0xc0010002, 4);
	make_put(h - 0x10, MAKE_BASE, 8);
	make_put(h, m->buffer_size, 4);
	make_put(h + 0x04, 0x0501000a, 4);
	make_put(h + 0x0c, 4, 4);
	make_put(h + 0x24, 2, 4);
	make_put(h + 0x2c, m->wide ? 8 : 4, 4);
	make_put(h + 0x34, 3000, 4);
	make_put(late + 0x08, 10000000, 8);
	make_put(late + 0x10, MAKE_START, 8);
	make_put(late + 0x18, 1, 4);
	return h;
}

/* Return the fields of the header in the file */
static inline uint8_t *make_header(struct etl_make *m)
{
	return m->data + 0x68;
}

static inline void make_clock(struct etl_make *m, int type, int64_t frequency)
{
	uint8_t *late = make_header(m) + (m->wide ? 0xf8 : 0xf0);

	make_put(late + 0x08, frequency, 8);
	make_put(late + 0x18, type, 4);
}

static inline void make_begin(struct etl_make *m, uint32_t buffer_size,
			      bool wide, const char *session)
{
	memset(m, 0, sizeof(*m));
	m->buffer_size = buffer_size;
	m->wide = wide;
	make_put(make_buffer(m, 0, 0) + 0x36, 4, 2);
	make_logfile_header(m);
	make_name(m, session);
	make_name(m, "made.etl");
	make_put(m->data + 0x4c, m->len - 0x48, 2);
	make_bytes(m, -m->len & 7);
	make_buffer_end(m);
}

static inline void make_write(const struct etl_make *m, const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(m->data, 1, m->len, f) != m->len || fclose(f))
		abort();
}

static inline void make_free(struct etl_make *m)
{
	free(m->data);
	m->data = NULL;
}

#endif /* EVNT_TEST_ETL_MAKE_H */
