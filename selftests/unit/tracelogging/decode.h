/* SPDX-License-Identifier: MIT */
/*
 * A decoder of TraceLogging events for tests.  It shares no code with the code
 * under test: numbers are written out from the format.
 *
 * An event is printed as "Name#tag a=1 b=[2,3] c={d=4 e="x"}", with a field's
 * out type after a slash.  In C and C++.
 */
#ifndef EVNT_TEST_TLG_DECODE_H
#define EVNT_TEST_TLG_DECODE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct tlg_decoder {
	const uint8_t *schema, *schema_end;
	const uint8_t *data, *data_end;
	char text[4096];
	size_t len;
	int bad;			/* schema and data are inconsistent */
};

/* A field's metadata, without its name */
struct tlg_type {
	unsigned int in, out, arity, count;
	uint32_t tag;
};

__attribute__((format(printf, 2, 3)))
static inline void tlg_print(struct tlg_decoder *d, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(d->text + d->len, sizeof(d->text) - d->len, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(d->text) - d->len)
		d->bad = 1;
	else
		d->len += (size_t)n;
}

/* Take @n bytes of the data, or zeros if there are not as many */
static inline const uint8_t *tlg_take(struct tlg_decoder *d, size_t n)
{
	static const uint8_t zeros[16] = { 0 };
	const uint8_t *p = d->data;

	if ((size_t)(d->data_end - d->data) < n) {
		d->bad = 1;
		return zeros;
	}
	d->data += n;
	return p;
}

static inline uint64_t tlg_number(const uint8_t *p, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | p[n];
	return value;
}

/* Take the next @n bytes of the schema */
static inline unsigned int tlg_schema(struct tlg_decoder *d, size_t n)
{
	const uint8_t *p = d->schema;

	if ((size_t)(d->schema_end - d->schema) < n) {
		d->bad = 1;
		return 0;
	}
	d->schema += n;
	return (unsigned int)tlg_number(p, n);
}

static inline uint32_t tlg_schema_tag(struct tlg_decoder *d)
{
	uint32_t tag = 0, byte;
	int shift = 21;

	do {
		byte = tlg_schema(d, 1);
		tag |= shift >= 0 ? (byte & 0x7f) << shift : 0;
		shift -= 7;
	} while (byte & 0x80);
	return tag;
}

static inline void tlg_name(struct tlg_decoder *d)
{
	unsigned int c;

	while ((c = tlg_schema(d, 1)) && !d->bad)
		tlg_print(d, "%c", c);
}

static inline struct tlg_type tlg_type(struct tlg_decoder *d)
{
	struct tlg_type t = { 0, 0, 0, 0, 0 };

	t.in = tlg_schema(d, 1);
	if (t.in & 0x80)
		t.out = tlg_schema(d, 1);
	if (t.out & 0x80)
		t.tag = tlg_schema_tag(d);
	t.arity = t.in & 0x60;
	if (t.arity == 0x20)
		t.count = tlg_schema(d, 2);
	t.in &= 0x1f;
	t.out &= 0x7f;
	return t;
}

static inline void tlg_text(struct tlg_decoder *d, size_t size, size_t unit)
{
	const uint8_t *p = tlg_take(d, size);
	unsigned int c;

	tlg_print(d, "\"");
	for (; !d->bad && size >= unit; size -= unit, p += unit) {
		c = (unsigned int)tlg_number(p, unit);
		tlg_print(d, c >= 0x20 && c < 0x7f ? "%c" : "<%x>", c);
	}
	tlg_print(d, "\"");
}

static inline void tlg_text_to_nul(struct tlg_decoder *d, size_t unit)
{
	size_t size = 0, left = (size_t)(d->data_end - d->data);

	while (size + unit <= left && tlg_number(d->data + size, unit))
		size += unit;
	tlg_text(d, size, unit);
	tlg_take(d, unit);
}

static inline void tlg_bytes(struct tlg_decoder *d, size_t size)
{
	const uint8_t *p = tlg_take(d, size);

	tlg_print(d, "<");
	while (!d->bad && size--)
		tlg_print(d, "%02x", *p++);
	tlg_print(d, ">");
}

static inline void tlg_guid(struct tlg_decoder *d, size_t n)
{
	const uint8_t *p = tlg_take(d, n);
	int i;

	tlg_print(d, "%08x-%04x-%04x-", (unsigned int)tlg_number(p, 4),
		  (unsigned int)tlg_number(p + 4, 2),
		(unsigned int)tlg_number(p + 6, 2));
	for (i = 8; i < 16; i++)
		tlg_print(d, i == 9 ? "%02x-" : "%02x", p[i]);
}

static inline void tlg_sid(struct tlg_decoder *d, size_t n)
{
	const uint8_t *p = tlg_take(d, n);
	int more = p[1];

	tlg_print(d, "S-%u-%u", p[0], p[7]);
	while (more-- && !d->bad)
		tlg_print(d, "-%u", (unsigned int)tlg_number(tlg_take(d, 4), 4));
}

static inline void tlg_signed(struct tlg_decoder *d, size_t n)
{
	uint64_t value = tlg_number(tlg_take(d, n), n);
	uint64_t sign = (uint64_t)1 << (8 * n - 1);

	tlg_print(d, "%lld", (long long)((value ^ sign) - sign));
}

static inline void tlg_unsigned(struct tlg_decoder *d, size_t n)
{
	tlg_print(d, "%llu",
		  (unsigned long long)tlg_number(tlg_take(d, n), n));
}

static inline void tlg_hex(struct tlg_decoder *d, size_t n)
{
	tlg_print(d, "0x%llx",
		  (unsigned long long)tlg_number(tlg_take(d, n), n));
}

static inline void tlg_float(struct tlg_decoder *d, size_t n)
{
	float value;

	memcpy(&value, tlg_take(d, n), sizeof(value));
	tlg_print(d, "%g", (double)value);
}

static inline void tlg_double(struct tlg_decoder *d, size_t n)
{
	double value;

	memcpy(&value, tlg_take(d, n), sizeof(value));
	tlg_print(d, "%g", value);
}

static inline void tlg_systemtime(struct tlg_decoder *d, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		tlg_print(d, i ? ":%u" : "%u",
			  (unsigned int)tlg_number(tlg_take(d, 2), 2));
}

static inline size_t tlg_size(struct tlg_decoder *d)
{
	return (size_t)tlg_number(tlg_take(d, 2), 2);
}

static inline void tlg_bool(struct tlg_decoder *d, size_t n)
{
	tlg_print(d, tlg_number(tlg_take(d, n), n) ? "true" : "false");
}

static inline void tlg_counted_text(struct tlg_decoder *d, size_t unit)
{
	tlg_text(d, tlg_size(d), unit);
}

static inline void tlg_counted_bytes(struct tlg_decoder *d, size_t n)
{
	tlg_bytes(d, (size_t)tlg_number(tlg_take(d, n), n));
}

/* Read a value by its type; the table has the size of one, or of one unit */
static inline void tlg_value(struct tlg_decoder *d, unsigned int in)
{
	static const struct {
		void (*print)(struct tlg_decoder *d, size_t n);
		size_t n;
	} types[32] = {
		{ NULL, 0 },
		{ tlg_text_to_nul, 2 }, { tlg_text_to_nul, 1 },
		{ tlg_signed, 1 }, { tlg_unsigned, 1 },
		{ tlg_signed, 2 }, { tlg_unsigned, 2 },
		{ tlg_signed, 4 }, { tlg_unsigned, 4 },
		{ tlg_signed, 8 }, { tlg_unsigned, 8 },
		{ tlg_float, 4 }, { tlg_double, 8 },
		{ tlg_bool, 4 }, { tlg_counted_bytes, 2 },
		{ tlg_guid, 16 }, { NULL, 0 },
		{ tlg_unsigned, 8 }, { tlg_systemtime, 8 },
		{ tlg_sid, 8 }, { tlg_hex, 4 }, { tlg_hex, 8 },
		{ tlg_counted_text, 2 }, { tlg_counted_text, 1 },
		{ NULL, 0 }, { tlg_counted_bytes, 2 },
		{ NULL, 0 }, { NULL, 0 }, { NULL, 0 },
		{ NULL, 0 }, { NULL, 0 }, { NULL, 0 },
	};

	if (types[in].print)
		types[in].print(d, types[in].n);
	else
		d->bad = 1;
}

static inline void tlg_field(struct tlg_decoder *d);

/* Read a structure's fields; an array's elements share the metadata */
static inline void tlg_structure(struct tlg_decoder *d, unsigned int fields)
{
	tlg_print(d, "{");
	while (fields-- && !d->bad) {
		tlg_field(d);
		tlg_print(d, fields ? " " : "");
	}
	tlg_print(d, "}");
}

static inline void tlg_element(struct tlg_decoder *d, const struct tlg_type *t,
			       const uint8_t *fields)
{
	if (t->in != 24) {
		tlg_value(d, t->in);
		return;
	}
	d->schema = fields;
	tlg_structure(d, t->out);
}

static inline void tlg_field(struct tlg_decoder *d)
{
	const uint8_t *fields;
	struct tlg_type t;
	unsigned int i;

	tlg_name(d);
	t = tlg_type(d);
	if (t.out && t.in != 24 && t.arity != 0x60)
		tlg_print(d, "/%u", t.out);
	if (t.tag)
		tlg_print(d, "#%x", (unsigned int)t.tag);
	tlg_print(d, "=");
	fields = d->schema;
	if (t.arity == 0x60) {
		i = tlg_schema(d, 2);
		tlg_print(d, "protocol%u(%u)", t.in, i);
		while (i--)
			tlg_print(d, "%02x", tlg_schema(d, 1));
		tlg_bytes(d, tlg_size(d));
		return;
	}
	if (!t.arity) {
		tlg_element(d, &t, fields);
		return;
	}
	if (t.arity == 0x40)
		t.count = (unsigned int)tlg_size(d);
	tlg_print(d, "[");
	for (i = 0; i < t.count && !d->bad; i++) {
		tlg_print(d, i ? "," : "");
		tlg_element(d, &t, fields);
	}
	tlg_print(d, "]");
}

/* Decode an event into @d->text; false if its bytes are malformed */
static inline int tlg_decode(struct tlg_decoder *d, const void *schema,
			     size_t schema_size, const void *data, size_t size)
{
	uint32_t tag;

	memset(d, 0, sizeof(*d));
	d->schema = (const uint8_t *)schema;
	d->schema_end = d->schema + schema_size;
	d->data = (const uint8_t *)data;
	d->data_end = d->data + size;
	if (tlg_schema(d, 2) != schema_size)
		return 0;
	tag = tlg_schema_tag(d);
	tlg_name(d);
	if (tag)
		tlg_print(d, "#%x", (unsigned int)tag);
	while (d->schema < d->schema_end && !d->bad) {
		tlg_print(d, " ");
		tlg_field(d);
	}
	return !d->bad && d->data == d->data_end;
}

#endif /* EVNT_TEST_TLG_DECODE_H */
