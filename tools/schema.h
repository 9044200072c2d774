/* SPDX-License-Identifier: MIT */
/*
 * What is known of a kind of events, by their own description or a manifest; text
 * is UTF-8.
 */
#ifndef EVNT_SCHEMA_H
#define EVNT_SCHEMA_H

#include <stdbool.h>

#include <evnttdh.h>

/**
 * struct schema - what is known of the events of one kind
 * @info: as TDH says it
 * @names: of the properties
 * @maps: of the properties, NULL for those that have none
 * @hidden: properties that only say how much there is of the next
 * @provider: the provider's name, or NULL; so the others
 * @keywords: their names, one after the other, an empty one ends them
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

/* What describes @record's kind; NULL: nothing does, or there is no memory */
struct schema *schema_make(const EVENT_RECORD *record);
void schema_free(struct schema *schema);

#endif /* EVNT_SCHEMA_H */
