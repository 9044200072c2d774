/* SPDX-License-Identifier: MIT */
/*
 * Objects that every manifest may use without declaring them: items with the
 * prefix win:, and the types of fields.
 */
#ifndef TDH_WINMETA_H
#define TDH_WINMETA_H

#include "tdh/model.h"

/**
 * struct builtin - a predeclared item
 */
struct builtin {
	enum item_kind kind;
	const char *name;
	u64 value;
	const char *text;
};

const struct builtin *winmeta_item(enum item_kind kind, const char *name);
const struct builtin *winmeta_item_by_value(enum item_kind kind, u64 value);

/**
 * struct field_type - an in type or out type of fields
 * @name: name without win: or xs:
 * @value: TDH_INTYPE_* or TDH_OUTTYPE_*
 * @out: for an in type, default TDH_OUTTYPE_*
 */
struct field_type {
	const char *name;
	u16 value;
	u16 out;
};

/* Find a type by its name; the prefix is ignored; NULL if unknown */
const struct field_type *winmeta_in_type(const char *name);
const struct field_type *winmeta_out_type(const char *name);

/* Return TDH's name of a level or opcode without manifest name, or NULL */
const char *winmeta_level_text(u8 level);
const char *winmeta_opcode_text(u8 opcode);

#endif /* TDH_WINMETA_H */
