/* SPDX-License-Identifier: MIT */
/*
 * One value in a payload: its content and its end.
 */
#ifndef TDH_VALUE_H
#define TDH_VALUE_H

#include "tdh/common.h"

/**
 * struct value_type - representation of a value in a payload
 * @in: TDH_INTYPE_*
 * @out: TDH_OUTTYPE_*
 * @length: length of a string in characters, of binary data in bytes
 * @has_length: @length is valid; without it, a nul ends a string
 * @pointer_size: size of a pointer in bytes, 4 or 8
 */
struct value_type {
	u16 in;
	u16 out;
	u16 length;
	bool has_length;
	u8 pointer_size;
};

/**
 * struct value - one value
 * @data: content, without a preceding count
 * @len: length of the content in bytes, without a final nul
 * @consumed: bytes of the payload that the value occupies
 */
struct value {
	const u8 *data;
	u32 len;
	u32 consumed;
};

/* Find a value at @data; return false if @room bytes cannot contain it */
bool value_find(const struct value_type *type, const u8 *data, u32 room,
		struct value *value);

/* Size in bytes of each value of type @in, or 0 if it depends on the value */
static inline u32 value_fixed_size(u16 in, u8 pointer_size)
{
	static const u8 sizes[] = {
		[TDH_INTYPE_INT8] = 1, [TDH_INTYPE_UINT8] = 1,
		[TDH_INTYPE_INT16] = 2, [TDH_INTYPE_UINT16] = 2,
		[TDH_INTYPE_INT32] = 4, [TDH_INTYPE_UINT32] = 4,
		[TDH_INTYPE_INT64] = 8, [TDH_INTYPE_UINT64] = 8,
		[TDH_INTYPE_FLOAT] = 4, [TDH_INTYPE_DOUBLE] = 8,
		[TDH_INTYPE_BOOLEAN] = 4, [TDH_INTYPE_GUID] = 16,
		[TDH_INTYPE_FILETIME] = 8, [TDH_INTYPE_SYSTEMTIME] = 16,
		[TDH_INTYPE_HEXINT32] = 4, [TDH_INTYPE_HEXINT64] = 8,
	};

	if (in < EVNT_ARRAY_SIZE(sizes) && in != TDH_INTYPE_POINTER)
		return sizes[in];
	switch (in) {
	case TDH_INTYPE_POINTER:
	case TDH_INTYPE_SIZET:
		return pointer_size;
	case TDH_INTYPE_UNICODECHAR:
		return 2;
	case TDH_INTYPE_ANSICHAR:
		return 1;
	}
	return 0;
}

/* Check whether values of a type are text, in UTF-16 or in bytes */
bool value_is_wide(u16 in);
bool value_is_narrow(u16 in);

/* Check whether values of a type are integers, including booleans */
bool value_is_integer(u16 in);

/*
 * Effective TDH_OUTTYPE_* of an integer of @len bytes; differs from invalid
 * @out
 */
u16 value_shown_as(u16 in, u16 out, u32 len);

/* Return the value of a map entry; bits in maps of MOF classes are positions */
u32 value_mapped(const EVENT_MAP_INFO *map, const EVENT_MAP_ENTRY *entry);

/* Return the size of a pointer in the process that wrote an event: 4 or 8 */
u8 pointer_size_of(const EVENT_RECORD *event);

#endif /* TDH_VALUE_H */
