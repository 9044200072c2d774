/* SPDX-License-Identifier: MIT */
/*
 * What every manifest knows without declaring it: the items named win:, and the
 * types of fields.
 */
#ifndef TDH_WINMETA_H
#define TDH_WINMETA_H

#include "model.h"

/**
 * struct builtin - an item that every manifest has
 */
struct builtin {
	enum item_kind kind;
	const char *name;
	u64 value;
	const char *text;
};

const struct builtin *winmeta_item(enum item_kind kind, const char *name);

/**
 * struct field_type - a type of fields
 * @name: without win: or xs:
 * @value: TDH_INTYPE_* or TDH_OUTTYPE_*
 * @out: of a type of values, how they are shown by default
 */
struct field_type {
	const char *name;
	u16 value;
	u16 out;
};

/* @name with its prefix, which is not looked at; NULL for none */
const struct field_type *winmeta_in_type(const char *name);
const struct field_type *winmeta_out_type(const char *name);

/* What TDH calls a level or opcode that no manifest names, or NULL */
const char *winmeta_level_text(u8 level);
const char *winmeta_opcode_text(u8 opcode);

#endif /* TDH_WINMETA_H */
