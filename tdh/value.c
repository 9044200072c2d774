// SPDX-License-Identifier: MIT
/*
 * One value in a payload.
 */
#include "tdh/value.h"

bool value_is_wide(u16 in)
{
	switch (in) {
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_COUNTEDSTRING:
	case TDH_INTYPE_REVERSEDCOUNTEDSTRING:
	case TDH_INTYPE_NONNULLTERMINATEDSTRING:
	case TDH_INTYPE_UNICODECHAR:
		return true;
	}
	return false;
}

bool value_is_narrow(u16 in)
{
	switch (in) {
	case TDH_INTYPE_ANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
	case TDH_INTYPE_COUNTEDANSISTRING:
	case TDH_INTYPE_REVERSEDCOUNTEDANSISTRING:
	case TDH_INTYPE_NONNULLTERMINATEDANSISTRING:
	case TDH_INTYPE_ANSICHAR:
		return true;
	}
	return false;
}

/* Skip @front bytes, then take @len bytes of content */
static bool take(const u8 *data, u32 room, u32 front, u32 len,
		 struct value *value)
{
	if (front > room || len > room - front)
		return false;
	value->data = data + front;
	value->len = len;
	value->consumed = front + len;
	return true;
}

/* Check whether any of four UTF-16 units is a nul */
static bool has_nul(u64 units)
{
	const u64 ones = 0x0001000100010001ull;

	return (units - ones) & ~units & ones << 15;
}

static u32 up_to_wide_nul(const u8 *data, u32 len)
{
	u32 at = 0;

	while (at + 8 <= len && !has_nul(get_u64(data + at)))
		at += 8;
	while (at + 2 <= len && get_u16(data + at))
		at += 2;
	return at;
}

/* Length in bytes of @data up to the first nul, or all of it */
static u32 up_to_nul(const u8 *data, u32 len, u32 unit)
{
	const u8 *nul;

	if (unit == 2)
		return up_to_wide_nul(data, len);
	nul = len ? memchr(data, 0, len) : NULL;
	return nul ? (u32)(nul - data) : len;
}

/* Take a string that ends at a nul or at the end of the payload */
static bool take_string(const u8 *data, u32 room, u32 unit,
			struct value *value)
{
	u32 len = up_to_nul(data, room, unit);

	take(data, room, 0, len, value);
	/* A single byte after a UTF-16 string cannot be another value */
	value->consumed += unit <= room - len ? unit : room - len;
	return true;
}

/* Take a string of @units units; content ends at the first nul, if any */
static bool take_fixed(const u8 *data, u32 room, u32 units, u32 unit,
		       struct value *value)
{
	if (!take(data, room, 0, units * unit, value))
		return false;
	value->len = up_to_nul(value->data, value->len, unit);
	return true;
}

static bool take_counted(const u8 *data, u32 room, bool reversed,
			 struct value *value)
{
	u16 count;

	if (room < 2)
		return false;
	count = reversed ? data[0] << 8 | data[1] : get_u16(data);
	return take(data, room, 2, count, value);
}

#define SID_HEAD	8
#define SID_MAX		15	/* subauthorities */
#define SID_REVISION	1

static bool take_sid(const u8 *data, u32 room, u32 front, struct value *value)
{
	if (room < front || room - front < SID_HEAD ||
	    data[front + 1] > SID_MAX)
		return false;
	return take(data, room, front, SID_HEAD + 4 * data[front + 1], value);
}

/*
 * Take a SID preceded by a token of two pointers.  According to the
 * documentation, four zero bytes replace a missing token.  Real tokens may also
 * begin with zeros, which is detected by the SID behind them.
 */
static bool take_token_sid(const u8 *data, u32 room, u8 pointer_size,
			   struct value *value)
{
	u32 front = 2 * pointer_size;
	bool is_sid = room > front && data[front] == SID_REVISION;

	if (room >= 4 && !get_u32(data) && !is_sid)
		return take(data, room, 4, 0, value);
	return take_sid(data, room, front, value);
}

bool value_find(const struct value_type *type, const u8 *data, u32 room,
		struct value *value)
{
	u32 size = value_fixed_size(type->in, type->pointer_size);
	u32 unit = value_is_wide(type->in) ? 2 : 1;

	if (size)
		return take(data, room, 0, size, value);
	switch (type->in) {
	case TDH_INTYPE_NULL:
		return take(data, room, 0, 0, value);
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_ANSISTRING:
		if (type->has_length)
			return take_fixed(data, room, type->length, unit,
					  value);
		return take_string(data, room, unit, value);
	case TDH_INTYPE_BINARY:
		/* Manifests of Windows omit the length of IPv6 addresses */
		if (!type->has_length && type->out == TDH_OUTTYPE_IPV6)
			return take(data, room, 0, 16, value);
		return take(data, room, 0, type->length, value);
	case TDH_INTYPE_SID:
		return take_sid(data, room, 0, value);
	case TDH_INTYPE_WBEMSID:
		return take_token_sid(data, room, type->pointer_size, value);
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
	case TDH_INTYPE_COUNTEDSTRING:
	case TDH_INTYPE_COUNTEDANSISTRING:
		return take_counted(data, room, false, value);
	case TDH_INTYPE_REVERSEDCOUNTEDSTRING:
	case TDH_INTYPE_REVERSEDCOUNTEDANSISTRING:
		return take_counted(data, room, true, value);
	case TDH_INTYPE_NONNULLTERMINATEDSTRING:
	case TDH_INTYPE_NONNULLTERMINATEDANSISTRING:
		return take(data, room, 0, room, value);
	case TDH_INTYPE_HEXDUMP:
		return room >= 4 && take(data, room, 4, get_u32(data), value);
	}
	return false;
}

bool value_is_integer(u16 in)
{
	return (in >= TDH_INTYPE_INT8 && in <= TDH_INTYPE_UINT64) ||
	       in == TDH_INTYPE_HEXINT32 || in == TDH_INTYPE_HEXINT64 ||
	       in == TDH_INTYPE_POINTER || in == TDH_INTYPE_SIZET ||
	       in == TDH_INTYPE_BOOLEAN;
}

/* TDH_OUTTYPE_* of an integer if none is specified, or an invalid one */
static u16 default_of(u16 in)
{
	switch (in) {
	case TDH_INTYPE_BOOLEAN:
		return TDH_OUTTYPE_BOOLEAN;
	case TDH_INTYPE_HEXINT32:
	case TDH_INTYPE_HEXINT64:
	case TDH_INTYPE_POINTER:
	case TDH_INTYPE_SIZET:
		return TDH_OUTTYPE_HEXINT64;
	case TDH_INTYPE_INT8:
	case TDH_INTYPE_INT16:
	case TDH_INTYPE_INT32:
	case TDH_INTYPE_INT64:
		return TDH_OUTTYPE_LONG;
	}
	return TDH_OUTTYPE_UNSIGNEDLONG;
}

/* Check whether an integer of @len bytes can be formatted as @out */
static bool is_shown_as(u16 out, u32 len)
{
	switch (out) {
	case TDH_OUTTYPE_STRING:
		return len <= 2;
	case TDH_OUTTYPE_PORT:
		return len == 2;
	case TDH_OUTTYPE_IPV4:
		return len == 4;
	case TDH_OUTTYPE_DATETIME:
	case TDH_OUTTYPE_CIMDATETIME:
	case TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME:
	case TDH_OUTTYPE_DATETIME_UTC:
		return len == 8;
	case TDH_OUTTYPE_BYTE ... TDH_OUTTYPE_UNSIGNEDLONG:
	case TDH_OUTTYPE_HEXINT8 ... TDH_OUTTYPE_TID:
	case TDH_OUTTYPE_ERRORCODE ... TDH_OUTTYPE_HRESULT:
	case TDH_OUTTYPE_BOOLEAN:
	case TDH_OUTTYPE_ETWTIME:
	case TDH_OUTTYPE_CODE_POINTER:
		return true;
	}
	return false;
}

u16 value_shown_as(u16 in, u16 out, u32 len)
{
	return is_shown_as(out, len) ? out : default_of(in);
}

u32 value_mapped(const EVENT_MAP_INFO *map, const EVENT_MAP_ENTRY *entry)
{
	if (!(map->Flag & EVENTMAP_INFO_FLAG_WBEM_BITMAP))
		return entry->Value;
	return entry->Value < 32 ? 1u << entry->Value : 0;
}
