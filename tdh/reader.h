/* SPDX-License-Identifier: MIT */
/*
 * What reads the elements of a manifest: what its files share.
 */
#ifndef TDH_READER_H
#define TDH_READER_H

#include "dom.h"

/**
 * struct reader - a manifest that is being read
 * @last_message: where the next message goes
 */
struct reader {
	struct manifest *manifest;
	struct document document;
	struct message **last_message;
};

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
/* By name; of those of winmeta, one that is now imported; NULL if unknown */
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
