// SPDX-License-Identifier: MIT
/* Counts events by session and provider */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/top/top_count.h"

void counts_init(struct counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	pthread_mutex_init(&counts->lock, NULL);
}

void counts_free(struct counts *counts)
{
	for (size_t i = 0; i < counts->count; i++)
		free(counts->all[i].name);
	hash_free(&counts->table);
	free(counts->all);
	pthread_mutex_destroy(&counts->lock);
}

/* Counter to look up */
struct top_key {
	const struct counts *counts;
	__u64 session;
	const GUID *id;
};

static bool is_same(const void *context, uint32_t number)
{
	const struct top_key *key = context;
	const struct provider_count *c = &key->counts->all[number];

	return c->session == key->session &&
	       !memcmp(&c->id, key->id, sizeof(c->id));
}

/* Return the provider name from an event's traits */
static char *name_in(const EVENT_RECORD *record)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = record->ExtendedData;
	const EVENT_HEADER_EXTENDED_DATA_ITEM *end;
	char text[256];
	const char *name;
	size_t len;

	for (end = item + record->ExtendedDataCount; item < end; item++) {
		if (item->ExtType != EVENT_HEADER_EXT_TYPE_PROV_TRAITS ||
		    item->DataSize <= sizeof(USHORT))
			continue;
		name = (const char *)(uintptr_t)item->DataPtr + sizeof(USHORT);
		len = strnlen(name, item->DataSize - sizeof(USHORT));
		format_utf8(name, len, text, sizeof(text));
		return *text ? must_have(strdup(text)) : NULL;
	}
	return NULL;
}

void counts_add(struct counts *counts, __u64 session, enum count_source source,
		const EVENT_RECORD *record)
{
	const GUID *id = &record->EventHeader.ProviderId;
	const struct top_key key = { counts, session, id };
	uint64_t hash;
	uint32_t number;

	hash = hash_bytes(HASH_BEGIN, &session, sizeof(session));
	hash = hash_bytes(hash, id, sizeof(*id));
	pthread_mutex_lock(&counts->lock);
	number = hash_find(&counts->table, hash, is_same, &key);
	if (number == HASH_NONE) {
		const size_t size = (counts->count + 1) * sizeof(*counts->all);

		counts->all = must_have(realloc(counts->all, size));
		counts->all[counts->count] = (struct provider_count) {
			.session = session,
			.id = *id,
			.name = name_in(record),
		};
		hash_add(&counts->table, hash, counts->count);
		number = counts->count++;
	}
	counts->all[number].source = source;
	counts->all[number].events++;
	counts->all[number].bytes += record->EventHeader.Size;
	pthread_mutex_unlock(&counts->lock);
}

struct provider_count *counts_take(struct counts *counts, size_t *count)
{
	struct provider_count *taken;
	size_t n = 0;

	pthread_mutex_lock(&counts->lock);
	taken = must_have(calloc(counts->count + 1, sizeof(*taken)));
	for (size_t i = 0; i < counts->count; i++) {
		if (!counts->all[i].events)
			continue;
		taken[n++] = counts->all[i];
		counts->all[i].events = 0;
		counts->all[i].bytes = 0;
	}
	pthread_mutex_unlock(&counts->lock);
	*count = n;
	return taken;
}
