/* SPDX-License-Identifier: MIT */
/*
 * Index of objects by name or number.
 *
 * The time to find an object grows with the logarithm of their number for any
 * names.  This matters because names come from the author of a manifest.
 */
#ifndef TDH_INDEX_H
#define TDH_INDEX_H

#include "tdh/arena.h"

/**
 * struct index_key - key of an object
 * @kind: kind of object; the user of the index defines the values
 * @scope: scope in which the key is unique, or NULL
 * @number: number of the object, or 0
 * @name: name of the object, @len bytes; must remain valid
 * @len: length of @name in bytes
 */
struct index_key {
	int kind;
	const void *scope;
	u64 number;
	const void *name;
	size_t len;
};

/**
 * struct index - index of objects, initially zeroed
 * @root: tree of tsearch()
 */
struct index {
	void *root;
};

static inline struct index_key index_name(int kind, const void *scope,
					  const char *name)
{
	return (struct index_key) { kind, scope, 0, name, strlen(name) };
}

static inline struct index_key index_number(int kind, const void *scope,
					    u64 number)
{
	return (struct index_key) { kind, scope, number, NULL, 0 };
}

/* Return the object with this key, or NULL */
void *index_find(const struct index *index, struct index_key key);

/*
 * Add @thing, unless an object has this key.  The entry is allocated from
 * @arena, whose @failed is set if memory is exhausted.
 */
void index_add(struct index *index, struct arena *arena, struct index_key key,
	       void *thing);

/* Free the index; must precede freeing the arena of its entries */
void index_free(struct index *index);

#endif /* TDH_INDEX_H */
