/* SPDX-License-Identifier: MIT */
/*
 * Hash table of numbers: indexes of items that are stored elsewhere, in order
 * of insertion. The table grows as needed; items cannot be removed.
 */
#ifndef EVNT_HASH_H
#define EVNT_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN	0xcbf29ce484222325ull
#define HASH_NONE	UINT32_MAX

/**
 * struct hash_slot - a slot of a table
 * @hash: hash of the item's key
 * @number: index of the item plus one; 0: the slot is free
 */
struct hash_slot {
	uint64_t hash;
	uint32_t number;
};

/**
 * struct hash - a hash table; must be zeroed initially
 * @slots: slots
 * @room: number of slots; a power of two, or 0
 * @count: number of slots in use, at most three quarters of @room
 */
struct hash {
	struct hash_slot *slots;
	size_t room;
	size_t count;
};

/*
 * Append @bytes to the data hashed in @hash; HASH_BEGIN is the hash of no data
 */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);

/*
 * Return the number of the item with this hash that @is_same accepts, or
 * HASH_NONE
 */
uint32_t hash_find(const struct hash *table, uint64_t hash,
		   bool (*is_same)(const void *context, uint32_t number),
		   const void *context);

/* Add an item that is not in the table; exit if out of memory */
void hash_add(struct hash *table, uint64_t hash, uint32_t number);

/*
 * Replace the number of an item that is in the table by the number of another
 * one with the same key
 */
void hash_replace(struct hash *table, uint64_t hash, uint32_t from,
		  uint32_t to);

void hash_free(struct hash *table);

#endif /* EVNT_HASH_H */
