/* SPDX-License-Identifier: MIT */
/*
 * One value in a payload: where it ends, what of it is content.
 */
#ifndef TDH_VALUE_H
#define TDH_VALUE_H

#include "internal.h"

/**
 * struct value_type - how a value lies in a payload
 * @in: TDH_INTYPE_*
 * @out: TDH_OUTTYPE_*
 * @length: of strings in characters, of binary data in bytes
 * @has_length: whether @length counts; without, a nul ends a string
 * @pointer_size: 4 or 8
 */
struct value_type {
	u16 in;
	u16 out;
	u16 length;
	bool has_length;
	u8 pointer_size;
};

/**
 * struct value - a value
 * @data: its content, without a count in front
 * @len: bytes of it, without the nul that ends it
 * @consumed: bytes of the payload that it takes
 */
struct value {
	const u8 *data;
	u32 len;
	u32 consumed;
};

/* Returns false if @room bytes at @data are less than the value takes */
bool value_find(const struct value_type *type, const u8 *data, u32 room,
		struct value *value);

/* Bytes that each value of type @in takes, 0 if that depends on the value */
u32 value_fixed_size(u16 in, u8 pointer_size);

/* Whether a type's values are text, of UTF-16 or of bytes */
bool value_is_wide(u16 in);
bool value_is_narrow(u16 in);

/* Whether they are integers; truth values are, too */
bool value_is_integer(u16 in);

/* TDH_OUTTYPE_*: how an integer of @len bytes is shown, which is not always @out */
u16 value_shown_as(u16 in, u16 out, u32 len);

/* What an entry of a map is for; bits of a class are told by where they are */
u32 value_mapped(const EVENT_MAP_INFO *map, const EVENT_MAP_ENTRY *entry);

#endif /* TDH_VALUE_H */
