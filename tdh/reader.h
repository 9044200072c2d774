/* SPDX-License-Identifier: MIT */
/*
 * What reads the elements of a manifest: what its files share.
 */
#ifndef TDH_READER_H
#define TDH_READER_H

#include "dom.h"

/* Kinds of keys in the reader's index, with their scopes */
enum reader_key {
	KEY_WORD,		/* of any kind that XML knows */
	KEY_PREFIX,		/* of the namespace of Windows' own names */
	KEY_MESSAGE,
	KEY_BUILTIN_MESSAGE,	/* by its text */
	KEY_SYMBOL,		/* of an event: of a provider */
	KEY_MAP,		/* of a provider */
	KEY_MAP_ENTRY,		/* of a map */
	KEY_TEMPLATE,		/* of a provider */
	KEY_FIELD,		/* of the first field of its template or struct */
	KEY_FILTER,		/* of a provider */
	/* Of items, behind each ITEM_KINDS keys: of a provider, or a task */
	KEY_ITEM_NAME,
	KEY_ITEM_REFERENCE = KEY_ITEM_NAME + ITEM_KINDS,
	KEY_ITEM_VALUE = KEY_ITEM_REFERENCE + ITEM_KINDS,
};

/**
 * struct reader - a manifest that is being read
 * @index: things that were read, for those that refer to them
 * @scratch: the entries of the index
 * @last_message: where the next message goes; likewise, of a provider, the others
 */
struct reader {
	struct manifest *manifest;
	struct document document;
	struct index index;
	struct arena scratch;
	struct message **last_message;
	struct item **last_item[ITEM_KINDS];
	struct map **last_map;
	struct template **last_template;
	struct event **last_event;
	struct filter **last_filter;
};

/* Add @entry to the list whose last pointer @last is */
#define APPEND(last, entry) ({						\
	*(last) = (entry);						\
	(last) = &(entry)->next;					\
})

void *reader_find(const struct reader *r, struct index_key key);
/* Unless there is one of this key */
void reader_add(struct reader *r, struct index_key key, const void *thing);

#define ALLOC(reader, type)						\
	((type *)arena_alloc(&(reader)->manifest->arena, sizeof(type)))

/*
 * Attributes.  What is missing or malformed is told, and false returned; without
 * @required, an attribute that is not there leaves *@value alone.
 */
bool read_number(struct reader *r, const struct node *node, const char *name,
		 bool required, u64 max, u64 *value);
bool read_guid(struct reader *r, const struct node *node, const char *name,
	       bool required, GUID *guid, bool *has_guid);
bool read_boolean(struct reader *r, const struct node *node, const char *name,
		  bool *value);
const char *read_text(struct reader *r, const struct node *node,
		      const char *name);
/* An identifier of C, or NULL */
const char *read_symbol(struct reader *r, const struct node *node);
/* $(string.NAME); NULL if there is none */
struct message *read_message(struct reader *r, const struct node *node);

/* A name with prefix, as it is written for its namespace */
const char *read_name(struct reader *r, const char *text);

/* items.c */
void read_items(struct reader *r, const struct node *node, struct provider *p);
void read_maps(struct reader *r, const struct node *node, struct provider *p);
/* By name or chid; of those of winmeta, one that is now imported; NULL if unknown */
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

#endif /* TDH_READER_H */
