/* SPDX-License-Identifier: MIT */
/*
 * A hash table of numbers: of things that are kept elsewhere, in the order in which
 * they came.  It grows as it is filled; nothing is taken out.
 */
#ifndef EVNT_TOOLS_HASH_H
#define EVNT_TOOLS_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN	0xcbf29ce484222325ull
#define HASH_NONE	UINT32_MAX

/**
 * struct hash_slot - a place in a table
 * @hash: of the thing's key
 * @number: of the thing, counted from 1; 0: the place is free
 */
struct hash_slot {
	uint64_t hash;
	uint32_t number;
};

/**
 * struct hash - a table; zeroed in the beginning
 * @slots: it
 * @room: how many: a power of two, or 0
 * @count: how many are taken, at most three of four
 */
struct hash {
	struct hash_slot *slots;
	size_t room;
	size_t count;
};

/* The hash of what had @hash, and @bytes behind it; HASH_BEGIN: of nothing */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);

/*
 * The number of the thing with a hash of which @is_same says that it is the one;
 * or HASH_NONE
 */
uint32_t hash_find(const struct hash *table, uint64_t hash,
		   bool (*is_same)(const void *context, uint32_t number),
		   const void *context);

/* Adds a thing that is not there; ends the program when there is no memory */
void hash_add(struct hash *table, uint64_t hash, uint32_t number);

void hash_free(struct hash *table);

#endif /* EVNT_TOOLS_HASH_H */
