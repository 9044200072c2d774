// SPDX-License-Identifier: MIT
/*
 * Memory allocator whose allocations are freed all at once.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tdh/arena.h"

#define CHUNK	(64u << 10)

struct arena_chunk {
	struct arena_chunk *next;
	size_t used;
	size_t size;
	_Alignas(16) u8 data[];
};

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_chunk *chunk = a->chunks;
	size_t room;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (a->failed)
		return NULL;
	if (!chunk || chunk->size - chunk->used < size) {
		room = size < CHUNK ? CHUNK : size;
		chunk = calloc(1, sizeof(*chunk) + room);
		if (!chunk) {
			a->failed = true;
			return NULL;
		}
		chunk->size = room;
		chunk->next = a->chunks;
		a->chunks = chunk;
	}
	p = chunk->data + chunk->used;
	chunk->used += size;
	return p;
}

char *arena_text(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (copy && len)
		memcpy(copy, text, len);
	return copy;
}

char *arena_format(struct arena *a, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = len < 0 ? NULL : arena_alloc(a, len + 1);
	if (!text)
		return NULL;
	va_start(args, format);
	vsnprintf(text, len + 1, format, args);
	va_end(args);
	return text;
}

void arena_free(struct arena *a)
{
	while (a->chunks) {
		struct arena_chunk *chunk = a->chunks;

		a->chunks = chunk->next;
		free(chunk);
	}
}
