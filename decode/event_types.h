/* SPDX-License-Identifier: MIT */
/*
 * Kinds of events: logs contain many events of the same kind, so data derived
 * from a kind is cached. The key of a kind consists of the provider, the
 * descriptor, and the metadata carried by the event.
 */
#ifndef EVNT_EVENT_TYPES_H
#define EVNT_EVENT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evntcons.h>

struct schema;

/**
 * struct kind - a kind of events
 * @next: next kind in the hash chain
 * @hash: hash of @key
 * @provider: provider name from the traits, or empty; UTF-8, as all text here
 * @name: event name from TraceLogging metadata, or empty
 * @looked: generation of the manifests in which @schema was looked up; 0: never
 * @schema: description of the payload, or NULL
 * @data: other data derived from the kind, or NULL
 * @len: size of @key in bytes
 * @key: provider, descriptor and metadata
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

/* A power of two */
#define KINDS_RECENT	256

/**
 * struct kinds - a set of kinds; must be zeroed initially
 * @chains: hash chains
 * @room: number of chains; a power of two, or 0
 * @count: number of kinds
 * @recent: kinds found lately, or NULL
 */
struct kinds {
	struct kind **chains;
	size_t room;
	size_t count;
	struct kind *recent[KINDS_RECENT];
};

/*
 * Return the kind of @record, valid until kinds_free(); NULL if out of memory
 */
struct kind *kinds_find(struct kinds *kinds, const EVENT_RECORD *record);

/* Call @look for each kind */
void kinds_each(struct kinds *kinds, void (*look)(struct kind *kind));

/*
 * Free all kinds, but not the schema and data of each, which belong to the
 * caller
 */
void kinds_free(struct kinds *kinds);

#endif /* EVNT_EVENT_TYPES_H */
