// SPDX-License-Identifier: MIT
/*
 * Index of objects by name or number.
 */
#include <search.h>

#include "tdh/index.h"

/* The key must be first, because the tree compares entries as keys */
struct indexed {
	struct index_key key;
	void *thing;
};

static int compare(const void *a, const void *b)
{
	const struct index_key *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->len ? memcmp(x->name, y->name, x->len) : 0;
}

void *index_find(const struct index *index, struct index_key key)
{
	struct indexed * const *found = tfind(&key, &index->root, compare);

	return found ? (*found)->thing : NULL;
}

void index_add(struct index *index, struct arena *arena, struct index_key key,
	       void *thing)
{
	struct indexed *entry = arena_alloc(arena, sizeof(*entry));

	if (!entry)
		return;
	entry->key = key;
	entry->thing = thing;
	if (!tsearch(entry, &index->root, compare))
		arena->failed = true;
}

/* Do not free an entry: the arena owns it */
static void leave(void *entry)
{
	(void)entry;
}

void index_free(struct index *index)
{
	tdestroy(index->root, leave);
	index->root = NULL;
}
