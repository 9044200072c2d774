/* SPDX-License-Identifier: MIT */
/*
 * Description of a kind of events, from their own metadata or a manifest; texts
 * are UTF-8
 */
#ifndef EVNT_SCHEMA_H
#define EVNT_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include <evnttdh.h>

/* Formats of values that need only their bytes, and no general formatting */
enum plain_format {
	PLAIN_NONE,
	PLAIN_UNSIGNED,
	PLAIN_SIGNED,
	PLAIN_HEX,
	PLAIN_WIDE,	/* UTF-16, up to a nul */
	PLAIN_NARROW,	/* UTF-8, up to a nul */
	PLAIN_NAME,	/* name of an integer in a value map */
};

/* Maximum length of a name that TDH is not needed for; longer than any number */
#define NAME_TEXT	64

/**
 * struct value_name - name of a value in a map
 * @value: the value
 * @len: length of @text in bytes
 * @text: the name; NULL if it needs escapes, looks like a number, or is long
 */
struct value_name {
	uint32_t value;
	uint32_t len;
	char *text;
};

/**
 * struct schema - description of the events of a kind
 * @info: TDH's description
 * @names: names of the properties
 * @simple: lengths of the names that consist of letters, digits and underscores;
 *   0 for others
 * @maps: maps of the properties, NULL for properties without
 * @plain: formats of the values of properties, enum plain_format
 * @value_names: for properties of the format PLAIN_NAME, names of each entry of
 *   @maps, in its order
 * @hidden: properties that only contain the count or length of another one
 * @provider: provider name, or NULL, as for the names below
 * @inserts: bitmask of the first 64 fields, which @message contains
 * @keywords: names of the keywords; terminated by an empty one
 */
struct schema {
	TRACE_EVENT_INFO *info;
	char **names;
	size_t *simple;
	EVENT_MAP_INFO **maps;
	unsigned char *plain;
	struct value_name **value_names;
	bool *hidden;
	char *provider;
	char *name;
	char *task;
	char *opcode;
	char *level;
	char *channel;
	char *message;
	uint64_t inserts;
	char **keywords;
};

/*
 * Return the schema of @record's kind; NULL if there is none, or out of memory
 */
struct schema *schema_make(const EVENT_RECORD *record);
void schema_free(struct schema *schema);

#endif /* EVNT_SCHEMA_H */
