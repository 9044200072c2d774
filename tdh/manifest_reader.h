/* SPDX-License-Identifier: MIT */
/*
 * Definitions shared by the files that read a manifest in XML.
 */
#ifndef TDH_MANIFEST_READER_H
#define TDH_MANIFEST_READER_H

#include "tdh/dom.h"

/* Kinds of keys in the reader's index, and their scopes */
enum reader_key {
	KEY_WORD,		/* any name in the XML */
	KEY_PREFIX,		/* of the namespace of Windows' names */
	KEY_MESSAGE,
	KEY_BUILTIN_MESSAGE,	/* by text */
	KEY_SYMBOL,		/* of an event; scope: provider */
	KEY_MAP,		/* scope: provider */
	KEY_MAP_ENTRY,		/* scope: map */
	KEY_QUERY,		/* scope: provider */
	KEY_TEMPLATE,		/* scope: provider */
	KEY_FIELD,		/* scope: first field of template or struct */
	KEY_FILTER,		/* scope: provider */
	/* Items, ITEM_KINDS keys each; scope: provider, or task of an opcode */
	KEY_ITEM_NAME,
	KEY_ITEM_REFERENCE = KEY_ITEM_NAME + ITEM_KINDS,
	KEY_ITEM_VALUE = KEY_ITEM_REFERENCE + ITEM_KINDS,
	/* Names that a lenient reader has reported; scope: provider */
	KEY_REPORTED_ITEM = KEY_ITEM_VALUE + ITEM_KINDS,
	KEY_REPORTED_MAP = KEY_REPORTED_ITEM + ITEM_KINDS,
	KEY_REPORTED_TEMPLATE,
	KEY_REPORTED_STRING,
	KEY_REPORTED_TWIN,	/* string */
	KEY_REPORTED_TYPE,
};

/**
 * struct reader - a manifest being read
 * @manifest: model being built
 * @document: XML document
 * @index: objects read so far, for references to them
 * @scratch: arena of the index entries
 * @last_message: end of the list of messages
 * @last_item: ends of the current provider's lists of items
 * @last_map: end of the current provider's list of maps
 * @last_query: end of the current provider's list of pattern maps
 * @last_template: end of the current provider's list of templates
 * @last_event: end of the current provider's list of events
 * @last_filter: end of the current provider's list of filters
 */
struct reader {
	struct manifest *manifest;
	struct document document;
	struct index index;
	struct arena scratch;
	struct message **last_message;
	struct item **last_item[ITEM_KINDS];
	struct map **last_map;
	struct query **last_query;
	struct template **last_template;
	struct event **last_event;
	struct filter **last_filter;
};

/* Append @entry to a list; @last points to the next pointer at its end */
#define APPEND(last, entry) ({						\
	*(last) = (entry);						\
	(last) = &(entry)->next;					\
})

void *reader_find(const struct reader *r, struct index_key key);
/* Add an object, unless one has this key */
void reader_add(struct reader *r, struct index_key key, const void *thing);

/*
 * Check whether a problem of @name has to be reported.  A lenient reader
 * reports it once, however many objects refer to @name, which must stay valid.
 */
bool reader_reports(struct reader *r, struct index_key key);

#define ALLOC(reader, type)						\
	((type *)arena_alloc(&(reader)->manifest->arena, sizeof(type)))

/*
 * Read an attribute.  A missing required attribute, or a malformed one, is
 * reported and returns false.  A missing attribute that is not required leaves
 * *@value unchanged.
 */
bool read_number(struct reader *r, const struct node *node, const char *name,
		 bool required, u64 max, u64 *value);
bool read_guid(struct reader *r, const struct node *node, const char *name,
	       bool required, GUID *guid, bool *has_guid);
bool read_boolean(struct reader *r, const struct node *node, const char *name,
		  bool *value);
const char *read_text(struct reader *r, const struct node *node,
		      const char *name);
/*
 * Read the C identifier in "symbol", or return NULL.  Only compilers need
 * symbols: a lenient reader ignores malformed ones without a report.
 */
const char *read_symbol(struct reader *r, const struct node *node);
/* Read the reference $(string.NAME) in "message", or return NULL */
struct message *read_message(struct reader *r, const struct node *node);

/* Return a name with the canonical prefix of its namespace */
const char *read_name(struct reader *r, const char *text);

/* manifest_items.c */
void read_items(struct reader *r, const struct node *node, struct provider *p);
void read_maps(struct reader *r, const struct node *node, struct provider *p);
void read_queries(struct reader *r, const struct node *node,
		  const struct provider *p);
/* Find an item by name or chid, importing items of winmeta; NULL if unknown */
struct item *find_item(struct reader *r, struct provider *p,
		       enum item_kind kind, const char *name);
struct item *find_opcode(struct reader *r, struct provider *p,
			 const struct item *task, const char *name);

/* events.c */
void read_templates(struct reader *r, const struct node *node,
		    struct provider *p);
void read_events(struct reader *r, const struct node *node, struct provider *p);
void read_filters(struct reader *r, const struct node *node,
		  struct provider *p);

#endif /* TDH_MANIFEST_READER_H */
