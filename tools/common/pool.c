// SPDX-License-Identifier: MIT
/* Memory pool that allocates from large blocks */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/common/pool.h"

#define BLOCK	65536

/**
 * struct pool_block - a block of memory
 * @next: next older block
 * @room: size in bytes
 * @used: number of bytes in use
 * @data: memory
 */
struct pool_block {
	struct pool_block *next;
	size_t room;
	size_t used;
	alignas(max_align_t) unsigned char data[];
};

void *pool_take(struct pool *pool, size_t size)
{
	const size_t mask = alignof(max_align_t) - 1;
	struct pool_block *block = pool->blocks;
	size_t room;
	void *piece;

	size = (size + mask) & ~mask;
	if (!block || block->room - block->used < size) {
		room = size > BLOCK ? size : BLOCK;
		block = must_have(malloc(sizeof(*block) + room));
		block->next = pool->blocks;
		block->room = room;
		block->used = 0;
		pool->blocks = block;
	}
	piece = block->data + block->used;
	block->used += size;
	return memset(piece, 0, size);
}

void pool_reset(struct pool *pool)
{
	struct pool_block *first = pool->blocks;

	if (!first)
		return;
	pool->blocks = first->next;
	first->next = NULL;
	first->used = 0;
	pool_free(pool);
	pool->blocks = first;
}

void pool_free(struct pool *pool)
{
	struct pool_block *block;

	while ((block = pool->blocks)) {
		pool->blocks = block->next;
		free(block);
	}
}
