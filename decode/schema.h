/* SPDX-License-Identifier: MIT */
/*
 * Description of a kind of events, from their own metadata or a manifest; texts
 * are UTF-8
 */
#ifndef EVNT_SCHEMA_H
#define EVNT_SCHEMA_H

#include <stdbool.h>

#include <evnttdh.h>

/**
 * struct schema - description of the events of a kind
 * @info: TDH's description
 * @names: names of the properties
 * @maps: maps of the properties, NULL for properties without
 * @hidden: properties that only contain the count or length of another one
 * @provider: provider name, or NULL, as for the names below
 * @keywords: names of the keywords; terminated by an empty one
 */
struct schema {
	TRACE_EVENT_INFO *info;
	char **names;
	EVENT_MAP_INFO **maps;
	bool *hidden;
	char *provider;
	char *name;
	char *task;
	char *opcode;
	char *level;
	char *channel;
	char *message;
	char **keywords;
};

/*
 * Return the schema of @record's kind; NULL if there is none, or out of memory
 */
struct schema *schema_make(const EVENT_RECORD *record);
void schema_free(struct schema *schema);

#endif /* EVNT_SCHEMA_H */
