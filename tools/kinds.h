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
 * @looked: whether something describes it was looked up
 * @schema: what does; or NULL
 * @len: bytes of its key
 * @key: what tells it apart
 */
struct kind {
	struct kind *next;
	uint64_t hash;
	char *provider;
	char *name;
	bool looked;
	struct schema *schema;
	size_t len;
	unsigned char key[];
};

/* The kind of @record; it is kept until kinds_free() */
struct kind *kind_of(const EVENT_RECORD *record);

/* Calls @look for each */
void kinds_each(void (*look)(struct kind *kind));
void kinds_free(void);

#endif /* EVNT_KINDS_H */
