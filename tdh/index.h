/* SPDX-License-Identifier: MIT */
/*
 * An index: things by their names or numbers.
 *
 * The work to find one grows with the logarithm of their number, whatever their names:
 * the writer of a manifest chooses these.
 */
#ifndef TDH_INDEX_H
#define TDH_INDEX_H

#include "arena.h"

/**
 * struct index_key - what a thing is found by
 * @kind: of things; the user of the index gives them numbers
 * @scope: in which it is the only one, or NULL
 * @number: of the thing, or 0
 * @name: of the thing, @len bytes; it stays where it is
 */
struct index_key {
	int kind;
	const void *scope;
	u64 number;
	const void *name;
	size_t len;
};

/**
 * struct index - things by their keys; zeroed in the beginning
 * @root: a tree of tsearch()
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

/* NULL: there is none */
void *index_find(const struct index *index, struct index_key key);

/*
 * Add @thing, unless the key has one.  The entry lies in @arena, which fails when there
 * is no memory.
 */
void index_add(struct index *index, struct arena *arena, struct index_key key,
	       void *thing);

/* Before the arena of its entries is freed */
void index_free(struct index *index);

#endif /* TDH_INDEX_H */
