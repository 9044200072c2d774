// SPDX-License-Identifier: MIT
/* Kinds of events, in a growing hash table */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "decode/format.h"
#include "decode/event_types.h"

#define FIRST_CHAINS	1024

/* Provider, descriptor, schema, traits */
#define MAX_PIECES	4

/**
 * struct type_key - key of a kind of events
 * @data: pieces of the key, hashed and compared in turn
 * @len: size of each piece in bytes
 * @count: number of pieces
 * @total: total size in bytes
 */
struct type_key {
	const void *data[MAX_PIECES];
	size_t len[MAX_PIECES];
	int count;
	size_t total;
};

/*
 * Random seed, which keeps the writer of a log from choosing kinds that all
 * collide
 */
static struct {
	bool made;
	uint64_t begin;
	uint64_t factor;
} secret;

static uint64_t mix(uint64_t hash, uint64_t word)
{
	unsigned __int128 product = hash ^ word;

	product *= secret.factor;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_piece(uint64_t hash, const unsigned char *bytes,
			   size_t len)
{
	uint64_t word;

	for (; len >= sizeof(word); len -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = mix(hash, word);
		bytes += sizeof(word);
	}
	word = len;
	for (size_t i = 0; i < len; i++)
		word = word << 8 | bytes[i];
	return mix(hash, word);
}

static uint64_t hash_key(const struct type_key *key)
{
	uint64_t hash;

	if (!secret.made) {
		uint64_t random[2] = {
			(uintptr_t)&secret, 0x9e3779b97f4a7c15ull,
		};
		ssize_t got = getrandom(random, sizeof(random), GRND_NONBLOCK);

		(void)got;	/* without it, the random address is enough */
		secret.begin = random[0];
		secret.factor = random[1] | 1;
		secret.made = true;
	}
	hash = secret.begin;
	for (int i = 0; i < key->count; i++)
		hash = hash_piece(hash, key->data[i], key->len[i]);
	return hash;
}

static void key_add(struct type_key *key, const void *data, size_t len)
{
	key->data[key->count] = data;
	key->len[key->count++] = len;
	key->total += len;
}

static void make_key(const EVENT_RECORD *record, struct type_key *key)
{
	const EVENT_HEADER *header = &record->EventHeader;

	key->count = 0;
	key->total = 0;
	key_add(key, &header->ProviderId, sizeof(GUID));
	key_add(key, &header->EventDescriptor, sizeof(EVENT_DESCRIPTOR));
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
			&record->ExtendedData[i];

		if (item->ExtType != EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL &&
		    item->ExtType != EVENT_HEADER_EXT_TYPE_PROV_TRAITS)
			continue;
		if (key->count < MAX_PIECES)
			key_add(key, (void *)(uintptr_t)item->DataPtr,
				item->DataSize);
	}
}

/*
 * Return the number of a key among the recent ones, which depends on the first
 * and the last eight bytes of each piece; these are all of most pieces
 */
static size_t recent_of(const struct type_key *key)
{
	uint64_t ends[2] = {}, hash = 0;

	for (int i = 0; i < key->count; i++) {
		const char *data = key->data[i];
		size_t len = key->len[i];

		if (len < sizeof(*ends))
			continue;
		memcpy(&ends[0], data, sizeof(*ends));
		memcpy(&ends[1], data + len - sizeof(*ends), sizeof(*ends));
		hash = (hash ^ ends[0]) * 0x9e3779b97f4a7c15ull;
		hash = (hash ^ ends[1] ^ hash >> 32) * 0x9e3779b97f4a7c15ull;
	}
	return hash >> 32 & (KINDS_RECENT - 1);
}

static bool has_key(const struct kind *kind, const struct type_key *key)
{
	size_t at = 0;

	if (kind->len != key->total)
		return false;
	for (int i = 0; i < key->count; i++) {
		if (memcmp(kind->key + at, key->data[i], key->len[i]) != 0)
			return false;
		at += key->len[i];
	}
	return true;
}

static struct kind **chain_of(const struct kinds *kinds, uint64_t hash)
{
	return &kinds->chains[hash & (kinds->room - 1)];
}

static bool grow(struct kinds *kinds)
{
	struct kind **old = kinds->chains, **more;
	size_t old_room = kinds->room, room;

	room = old_room ? 4 * old_room : FIRST_CHAINS;
	more = calloc(room, sizeof(*more));
	if (!more)
		return false;
	kinds->chains = more;
	kinds->room = room;
	for (size_t i = 0; i < old_room; i++) {
		while (old[i]) {
			struct kind *kind = old[i];

			old[i] = kind->next;
			kind->next = *chain_of(kinds, kind->hash);
			*chain_of(kinds, kind->hash) = kind;
		}
	}
	free(old);
	return true;
}

/* Return the text at @at, up to a nul or the end of the data */
static char *name_in(const unsigned char *data, size_t size, size_t at)
{
	size_t len = at < size ? strnlen((const char *)data + at, size - at) : 0;
	/* Invalid bytes become U+FFFD, which takes three bytes */
	char *name = malloc(3 * len + 1);

	return name ? format_utf8(data + at, len, name, 3 * len + 1) : NULL;
}

static bool name_kind(struct kind *kind, const EVENT_RECORD *record)
{
	for (int i = 0; i < record->ExtendedDataCount; i++) {
		const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
			&record->ExtendedData[i];
		const unsigned char *data = (void *)(uintptr_t)item->DataPtr;
		size_t at = 2;

		/* Traits consist of their size in two bytes, and the name */
		if (item->ExtType == EVENT_HEADER_EXT_TYPE_PROV_TRAITS &&
		    !kind->provider)
			kind->provider = name_in(data, item->DataSize, 2);
		if (item->ExtType != EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL ||
		    kind->name)
			continue;
		/* A schema consists of its size, the tags, and the name */
		while (at < item->DataSize && data[at] & 0x80)
			at++;
		kind->name = name_in(data, item->DataSize, at + 1);
	}
	if (!kind->provider)
		kind->provider = name_in(NULL, 0, 0);
	if (!kind->name)
		kind->name = name_in(NULL, 0, 0);
	return kind->provider && kind->name;
}

static void free_kind(struct kind *kind)
{
	free(kind->provider);
	free(kind->name);
	free(kind);
}

static struct kind *add_kind(struct kinds *kinds, const EVENT_RECORD *record,
			     const struct type_key *key, uint64_t hash)
{
	struct kind *kind;

	if (kinds->count >= kinds->room && !grow(kinds))
		return NULL;
	kind = calloc(1, sizeof(*kind) + key->total);
	if (!kind)
		return NULL;
	kind->hash = hash;
	for (int i = 0; i < key->count; i++) {
		memcpy(kind->key + kind->len, key->data[i], key->len[i]);
		kind->len += key->len[i];
	}
	if (!name_kind(kind, record)) {
		free_kind(kind);
		return NULL;
	}
	kinds->count++;
	kind->next = *chain_of(kinds, kind->hash);
	*chain_of(kinds, kind->hash) = kind;
	return kind;
}

struct kind *kinds_find(struct kinds *kinds, const EVENT_RECORD *record)
{
	struct kind **recent, *kind;
	struct type_key key;
	uint64_t hash;

	make_key(record, &key);
	recent = &kinds->recent[recent_of(&key)];
	if (*recent && has_key(*recent, &key))
		return *recent;
	hash = hash_key(&key);
	kind = kinds->room ? *chain_of(kinds, hash) : NULL;
	while (kind && !(kind->hash == hash && has_key(kind, &key)))
		kind = kind->next;
	if (!kind)
		kind = add_kind(kinds, record, &key, hash);
	*recent = kind;
	return kind;
}

void kinds_each(struct kinds *kinds, void (*look)(struct kind *kind))
{
	for (size_t i = 0; i < kinds->room; i++) {
		for (struct kind *kind = kinds->chains[i]; kind;
		     kind = kind->next)
			look(kind);
	}
}

void kinds_free(struct kinds *kinds)
{
	for (size_t i = 0; i < kinds->room; i++) {
		while (kinds->chains[i]) {
			struct kind *kind = kinds->chains[i];

			kinds->chains[i] = kind->next;
			free_kind(kind);
		}
	}
	free(kinds->chains);
	memset(kinds, 0, sizeof(*kinds));
}
