// SPDX-License-Identifier: MIT
/* Counts events by session and provider, or process */
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/common/process.h"
#include "tools/events/process_names.h"
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
	const struct event_count *like;
};

static bool is_same(const void *context, uint32_t number)
{
	const struct top_key *key = context;
	const struct event_count *c = &key->counts->all[number];

	return c->session == key->like->session && c->pid == key->like->pid &&
	       !memcmp(&c->id, &key->like->id, sizeof(c->id));
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

/* Return the counter with the keys of @like, a copy of it at first; locked */
static struct event_count *counter_of(struct counts *counts,
				      const struct event_count *like)
{
	const struct top_key key = { counts, like };
	const size_t size = (counts->count + 1) * sizeof(*counts->all);
	uint32_t number;
	uint64_t hash;

	hash = hash_bytes(HASH_BEGIN, &like->session, sizeof(like->session));
	hash = hash_bytes(hash, &like->id, sizeof(like->id));
	hash = hash_bytes(hash, &like->pid, sizeof(like->pid));
	number = hash_find(&counts->table, hash, is_same, &key);
	if (number != HASH_NONE)
		return &counts->all[number];
	counts->all = must_have(realloc(counts->all, size));
	counts->all[counts->count] = *like;
	hash_add(&counts->table, hash, counts->count);
	return &counts->all[counts->count++];
}

static void add(struct event_count *c, enum count_source source,
		const EVENT_RECORD *record)
{
	c->source = source;
	c->events++;
	c->bytes += record->EventHeader.Size;
}

/* Count an event by provider and by process; locked */
static void count_event(struct counts *counts, __u64 session,
			enum count_source source, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	const struct event_count by_process = {
		.session = session,
		.pid = h->ProcessId,
	}, by_provider = {
		.session = session,
		.id = h->ProviderId,
		.pid = NO_PROCESS,
	};
	struct event_count *c;

	c = counter_of(counts, &by_provider);
	if (!c->events && !c->name)
		c->name = name_in(record);
	add(c, source, record);
	/* Some records of Windows' kernel do not contain the process */
	if (h->ProcessId != NO_PROCESS)
		add(counter_of(counts, &by_process), source, record);
}

void counts_add(struct counts *counts, __u64 session, enum count_source source,
		const EVENT_RECORD *record)
{
	pthread_mutex_lock(&counts->lock);
	if (counts->cpu)
		cpu_take(counts->cpu, record);
	else
		count_event(counts, session, source, record);
	pthread_mutex_unlock(&counts->lock);
}

void counts_name(struct counts *counts, __u64 session,
		 const EVENT_RECORD *record)
{
	struct event_count like = { .session = session }, *c;
	const char *name;

	if (counts->cpu)
		return;
	pthread_mutex_lock(&counts->lock);
	like.pid = process_names_take_record(record);
	name = process_names_shown(like.pid);
	if (name) {
		c = counter_of(counts, &like);
		free(c->name);
		c->name = must_have(strdup(name));
	}
	pthread_mutex_unlock(&counts->lock);
}

/* Return a copy of a counter's name, or the name of the running process */
static char *name_of(const struct event_count *c)
{
	char name[64];

	if (c->name)
		return must_have(strdup(c->name));
	if (c->pid == NO_PROCESS ||
	    !strcmp(process_name(c->pid, name, sizeof(name)), "?"))
		return NULL;
	return must_have(strdup(name));
}

struct event_count *counts_take(struct counts *counts, size_t *count)
{
	struct event_count *taken;
	size_t n = 0;

	pthread_mutex_lock(&counts->lock);
	taken = must_have(calloc(counts->count + 1, sizeof(*taken)));
	for (size_t i = 0; i < counts->count; i++) {
		if (!counts->all[i].events)
			continue;
		taken[n] = counts->all[i];
		taken[n++].name = name_of(&counts->all[i]);
		counts->all[i].events = 0;
		counts->all[i].bytes = 0;
	}
	pthread_mutex_unlock(&counts->lock);
	*count = n;
	return taken;
}

void counts_taken_free(struct event_count *taken, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(taken[i].name);
	free(taken);
}
