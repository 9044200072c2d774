/* SPDX-License-Identifier: MIT */
/* Memory pool whose allocations are freed all at once */
#ifndef EVNT_POOL_H
#define EVNT_POOL_H

#include <stddef.h>

struct pool_block;

/**
 * struct pool - a pool; must be zeroed initially
 * @blocks: blocks of memory, the current one first
 */
struct pool {
	struct pool_block *blocks;
};

/* Allocate zeroed memory, aligned for any type; exit if out of memory */
void *pool_take(struct pool *pool, size_t size);

/* Free all allocations, but keep the memory for later ones */
void pool_reset(struct pool *pool);

void pool_free(struct pool *pool);

#endif /* EVNT_POOL_H */
