/* SPDX-License-Identifier: MIT */
/* Memory that is given back all at once. */
#ifndef EVNT_TOOLS_POOL_H
#define EVNT_TOOLS_POOL_H

#include <stddef.h>

struct pool_block;

/**
 * struct pool - memory; zeroed in the beginning
 * @blocks: what it is made of, the one in use first
 */
struct pool {
	struct pool_block *blocks;
};

/* Zeroes, aligned for anything; ends the program when there is no memory */
void *pool_take(struct pool *pool, size_t size);

/* Nothing is in use; memory is kept for the next */
void pool_reset(struct pool *pool);

void pool_free(struct pool *pool);

#endif /* EVNT_TOOLS_POOL_H */
