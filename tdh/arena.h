/* SPDX-License-Identifier: MIT */
/*
 * Memory allocator whose allocations are freed all at once.
 */
#ifndef TDH_ARENA_H
#define TDH_ARENA_H

#include "tdh/common.h"

struct arena {
	struct arena_chunk *chunks;
	bool failed;
};

/* Allocate @size zeroed bytes; return NULL and set @failed on failure */
void *arena_alloc(struct arena *a, size_t size);
char *arena_text(struct arena *a, const char *text, size_t len);
char *arena_format(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void arena_free(struct arena *a);

#endif /* TDH_ARENA_H */
