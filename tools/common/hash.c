// SPDX-License-Identifier: MIT
/* Hash table with open addressing and linear probing */
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/common/hash.h"

#define FIRST_ROOM	256

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ull;
	return hash;
}

/* Scatter keys that differ only in their last byte over the table */
static size_t place_of(const struct hash *table, uint64_t hash)
{
	hash ^= hash >> 32;
	return hash * 0x9e3779b97f4a7c15ull >> 20 & (table->room - 1);
}

uint32_t hash_find(const struct hash *table, uint64_t hash,
		   bool (*is_same)(const void *context, uint32_t number),
		   const void *context)
{
	const struct hash_slot *slot;
	size_t at;

	if (!table->room)
		return HASH_NONE;
	for (at = place_of(table, hash);; at = (at + 1) & (table->room - 1)) {
		slot = &table->slots[at];
		if (!slot->number)
			return HASH_NONE;
		if (slot->hash == hash && is_same(context, slot->number - 1))
			return slot->number - 1;
	}
}

static void put(struct hash *table, const struct hash_slot *slot)
{
	size_t at = place_of(table, slot->hash);

	while (table->slots[at].number)
		at = (at + 1) & (table->room - 1);
	table->slots[at] = *slot;
}

static void grow(struct hash *table)
{
	struct hash_slot *old = table->slots;
	size_t i, room = table->room;

	table->room = room ? 2 * room : FIRST_ROOM;
	table->slots = must_have(calloc(table->room, sizeof(*table->slots)));
	for (i = 0; i < room; i++) {
		if (old[i].number)
			put(table, &old[i]);
	}
	free(old);
}

void hash_add(struct hash *table, uint64_t hash, uint32_t number)
{
	if (4 * table->count >= 3 * table->room)
		grow(table);
	put(table, &(struct hash_slot) { hash, number + 1 });
	table->count++;
}

void hash_replace(struct hash *table, uint64_t hash, uint32_t from, uint32_t to)
{
	size_t at = place_of(table, hash);

	while (table->slots[at].number != from + 1)
		at = (at + 1) & (table->room - 1);
	table->slots[at].number = to + 1;
}

void hash_free(struct hash *table)
{
	free(table->slots);
	*table = (struct hash) {};
}
