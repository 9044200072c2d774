/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reader of .etl files for tests.  It shares no code with the code under
 * test: offsets are written out from the format.
 */
#ifndef EVNT_TEST_ETL_SCAN_H
#define EVNT_TEST_ETL_SCAN_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fields of the file's header, and counts of what the file contains */
struct etl_scan {
	uint32_t buffer_size;
	uint32_t buffers_written;
	uint32_t events_lost;
	uint32_t buffers_lost;
	uint32_t processors;
	int64_t start_time;
	int64_t end_time;
	int64_t base;
	uint32_t clock_type;
	uint64_t buffers;
	uint64_t empty;
	uint64_t events;
	const char *error;
};

/*
 * An event.  In a classic provider's record, @provider is the class and @opcode
 * the type.
 */
struct etl_event {
	const uint8_t *record;
	uint16_t size;
	uint16_t kind;
	uint16_t flags;
	uint32_t tid;
	uint32_t pid;
	int64_t time;
	const uint8_t *provider;
	uint16_t id;
	uint8_t version;
	uint8_t channel;
	uint8_t level;
	uint8_t opcode;
	uint16_t task;
	uint64_t keyword;
	const uint8_t *activity;
	const uint8_t *ext;		/* chain, or NULL */
	const uint8_t *data;
	uint32_t data_len;
	uint16_t cpu;
};

typedef void (*etl_event_fn)(const struct etl_event *e, void *context);

static inline uint16_t etl_u16(const uint8_t *p)
{
	return p[0] | p[1] << 8;
}

static inline uint32_t etl_u32(const uint8_t *p)
{
	return etl_u16(p) | (uint32_t)etl_u16(p + 2) << 16;
}

static inline uint64_t etl_u64(const uint8_t *p)
{
	return etl_u32(p) | (uint64_t)etl_u32(p + 4) << 32;
}

/* Return the data of the extended item of @type, or NULL */
static inline const uint8_t *etl_ext(const struct etl_event *e, uint16_t type,
				     uint16_t *len)
{
	const uint8_t *p = e->ext;

	while (p) {
		if (etl_u16(p + 2) == type) {
			*len = etl_u16(p + 6);
			return p + 8;
		}
		p = etl_u16(p + 4) & 1 ? p + etl_u16(p) : NULL;
	}
	return NULL;
}

/* Offset of the data in a record of TraceEvent or TraceEventInstance, or 0 */
static inline uint32_t etl_classic_header(uint16_t kind)
{
	switch (kind) {
	case 0xc00a:
	case 0xc014:
		return 0x30;
	case 0xc00b:
	case 0xc015:
		return 0x48;
	}
	return 0;
}

static inline const char *etl_parse_classic(const uint8_t *p, uint32_t room,
					    uint16_t cpu, struct etl_event *e)
{
	uint32_t header = etl_classic_header(etl_u16(p + 2));

	*e = (struct etl_event) {
		.record = p, .size = etl_u16(p), .kind = etl_u16(p + 2),
		.opcode = p[4], .level = p[5], .version = p[6],
		.tid = etl_u32(p + 8), .pid = etl_u32(p + 12),
		.time = etl_u64(p + 16), .provider = p + 0x18, .cpu = cpu,
		.data = p + header, .data_len = etl_u16(p) - header,
	};
	return e->size < header || e->size > room ?
	       "record longer than its buffer" : NULL;
}

/* Offset of the data in a record of the kernel, or 0 */
static inline uint32_t etl_kernel_header(uint16_t kind)
{
	switch (kind) {
	case 0xc002:
		return 0x20;
	case 0xc004:
		return 0x18;
	case 0xc011:
		return 0x10;
	}
	return 0;
}

/* Parse a record of the kernel: @id is its group and type */
static inline const char *etl_parse_kernel(const uint8_t *p, uint32_t room,
					   uint16_t cpu, struct etl_event *e)
{
	const uint32_t header = etl_kernel_header(etl_u16(p + 2));

	*e = (struct etl_event) {
		.record = p, .size = etl_u16(p + 4), .kind = etl_u16(p + 2),
		.id = etl_u16(p + 6), .version = p[0],
		.time = etl_u64(p + (header == 0x10 ? 8 : 16)), .cpu = cpu,
		.data = p + header, .data_len = etl_u16(p + 4) - header,
	};
	return e->size < header || e->size > room ?
	       "record longer than its buffer" : NULL;
}

static inline const char *etl_parse_event(const uint8_t *p, uint32_t room,
					  uint16_t cpu, struct etl_event *e)
{
	const uint8_t *data = p + 0x50;

	if (etl_kernel_header(etl_u16(p + 2)))
		return etl_parse_kernel(p, room, cpu, e);
	if (etl_classic_header(etl_u16(p + 2)))
		return etl_parse_classic(p, room, cpu, e);
	*e = (struct etl_event) {
		.record = p, .size = etl_u16(p), .kind = etl_u16(p + 2),
		.flags = etl_u16(p + 4),
		.tid = etl_u32(p + 8), .pid = etl_u32(p + 12),
		.time = etl_u64(p + 16), .provider = p + 0x18,
		.id = etl_u16(p + 0x28), .version = p[0x2a],
		.channel = p[0x2b], .level = p[0x2c], .opcode = p[0x2d],
		.task = etl_u16(p + 0x2e), .keyword = etl_u64(p + 0x30),
		.activity = p + 0x40, .cpu = cpu,
	};
	if (e->kind != 0xc013 && e->kind != 0xc012)
		return "unknown kind of record";
	if (e->size < 0x50 || e->size > room)
		return "record longer than its buffer";
	if (e->flags & 1) {
		e->ext = data;
		while (etl_u16(data + 4) & 1)
			data += etl_u16(data);
		data += etl_u16(data);
	}
	e->data = data;
	e->data_len = p + e->size - data;
	return e->data_len > e->size ? "items longer than their record" : NULL;
}

/* Function to call for events about lost events, which no test else expects */
static inline etl_event_fn *etl_on_loss(void)
{
	static etl_event_fn fn;

	return &fn;
}

static inline bool etl_is_loss(const struct etl_event *e)
{
	static const uint8_t provider[16] = {
		0xf7, 0x25, 0x82, 0x9a, 0x01, 0xdb, 0x8b, 0x59,
		0xec, 0x49, 0x79, 0xdc, 0xdd, 0x2f, 0xa6, 0x39,
	};

	return e->kind == 0xc013 && !memcmp(e->provider, provider, 16);
}

static inline const char *etl_scan_buffer(const uint8_t *b,
					  struct etl_scan *s, etl_event_fn fn,
					  void *context)
{
	uint32_t at = 0x48, end = etl_u32(b + 0x30);
	int64_t last = INT64_MIN;
	struct etl_event e;
	const char *error;

	if (etl_u32(b) != s->buffer_size || etl_u32(b + 4) != end ||
	    end < 0x48 || end > s->buffer_size || end % 8)
		return "bad buffer header";
	if (etl_u32(b + 0x2c) != 3 || etl_u16(b + 0x36) != 0 ||
	    !(etl_u16(b + 0x34) & 0x20) || etl_u16(b + 0x28) >= s->processors)
		return "bad buffer state, type, flag or cpu";
	/* A buffer dropped from a circular file: its contents are undefined */
	if (end == 0x48) {
		s->empty++;
		return NULL;
	}
	for (; at < end; at += (e.size + 7) & ~7u) {
		error = etl_parse_event(b + at, end - at, etl_u16(b + 0x28), &e);
		if (error)
			return error;
		if (e.time < last || e.time > (int64_t)etl_u64(b + 0x10))
			return "time goes back";
		last = e.time;
		if (etl_is_loss(&e)) {
			if (*etl_on_loss())
				(*etl_on_loss())(&e, context);
			continue;
		}
		s->events++;
		if (fn)
			fn(&e, context);
	}
	for (; at < s->buffer_size; at++) {
		if (b[at] != 0xff)
			return "tail is not 0xff";
	}
	return NULL;
}

static inline const char *etl_scan_header(const uint8_t *f, uint64_t len,
					  struct etl_scan *s)
{
	const uint8_t *h = f + 0x68;

	if (len < 0x200 || etl_u32(f + 0x48) != 0xc0020002 ||
	    etl_u16(f + 0x36) != 4 || etl_u32(f) != etl_u32(h))
		return "bad header buffer";
	s->buffer_size = etl_u32(h);
	s->processors = etl_u32(h + 0xc);
	s->end_time = etl_u64(h + 0x10);
	s->buffers_written = etl_u32(h + 0x24);
	s->events_lost = etl_u32(h + 0x30);
	s->start_time = etl_u64(h + 0x108);
	s->clock_type = etl_u32(h + 0x110);
	s->buffers_lost = etl_u32(h + 0x114);
	s->base = etl_u64(f + 0x58);
	return s->buffer_size ? NULL : "buffer size is 0";
}

/*
 * Read a file, and call @fn for each event in file order.  Returns false and
 * sets @s->error if the file is malformed.
 */
static inline bool etl_scan(const char *path, struct etl_scan *s,
			    etl_event_fn fn, void *context)
{
	int fd = open(path, O_RDONLY);
	struct stat st = {};
	uint64_t at, got = 0;
	ssize_t n = 1;
	uint8_t *f;

	memset(s, 0, sizeof(*s));
	fstat(fd, &st);
	f = malloc(st.st_size + 0x200);
	while (n > 0 && got < (uint64_t)st.st_size) {
		n = read(fd, f + got, st.st_size - got);
		got += n > 0 ? n : 0;
	}
	close(fd);
	s->error = etl_scan_header(f, got, s);
	for (at = s->buffer_size; !s->error && at < got;
	     at += s->buffer_size) {
		if (at + s->buffer_size > got)
			s->error = "last buffer is cut";
		else
			s->error = etl_scan_buffer(f + at, s, fn, context);
		s->buffers++;
	}
	if (!s->error && s->buffers + 1 != s->buffers_written)
		s->error = "BuffersWritten is wrong";
	free(f);
	return !s->error;
}

#endif /* EVNT_TEST_ETL_SCAN_H */
