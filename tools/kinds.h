/* SPDX-License-Identifier: MIT */
/*
 * Kinds of events: events of one kind come in great numbers, and what is worked out
 * for a kind is kept.  A kind is told by the provider, the descriptor, and what
 * events carry to describe themselves.
 */
#ifndef EVNT_KINDS_H
#define EVNT_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evntcons.h>

struct schema;

/**
 * struct kind - a kind of events
 * @next: in its chain
 * @hash: of its key
 * @provider: the provider's name as its traits say, or empty; UTF-8, like all text
 * @name: the event's name as TraceLogging says, or empty
 * @looked: when something that describes it was looked for, 0: never
 * @schema: what does; or NULL
 * @data: what else is worked out for it; or NULL
 * @len: bytes of its key
 * @key: what tells it apart
 */
struct kind {
	struct kind *next;
	uint64_t hash;
	char *provider;
	char *name;
	unsigned int looked;
	struct schema *schema;
	void *data;
	size_t len;
	unsigned char key[];
};

/**
 * struct kinds - those that were found; all zero at first
 * @chains: by their hashes
 * @room: how many chains; a power of two, or 0
 * @count: how many kinds
 */
struct kinds {
	struct kind **chains;
	size_t room;
	size_t count;
};

/* The kind of @record, kept until kinds_free(); NULL when there is no memory */
struct kind *kinds_find(struct kinds *kinds, const EVENT_RECORD *record);

/* Calls @look for each */
void kinds_each(struct kinds *kinds, void (*look)(struct kind *kind));

/* What else a kind has is whoever's who gave it that */
void kinds_free(struct kinds *kinds);

#endif /* EVNT_KINDS_H */
