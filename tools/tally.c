// SPDX-License-Identifier: MIT
/* What a log has of each provider and event. */
#include <stdlib.h>

#include "tally.h"
#include "view.h"

#define FIRST_ROOM	256

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ull;
	return hash;
}

static uint64_t hash_event(const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;
	uint64_t hash = 0xcbf29ce484222325ull;

	hash = hash_bytes(hash, &h->ProviderId, sizeof(h->ProviderId));
	hash = hash_bytes(hash, &d->Id, sizeof(d->Id));
	hash = hash_bytes(hash, &d->Version, sizeof(d->Version));
	hash = hash_bytes(hash, &d->Opcode, sizeof(d->Opcode));
	return hash_bytes(hash, view->kind->name, strlen(view->kind->name));
}

static bool is_event(const struct event_tally *e, uint64_t hash,
		     const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;

	return e->hash == hash && e->descriptor.Id == d->Id &&
	       e->descriptor.Version == d->Version &&
	       e->descriptor.Opcode == d->Opcode &&
	       !memcmp(&e->provider, &h->ProviderId, sizeof(GUID)) &&
	       !strcmp(e->name, view->kind->name);
}

static size_t *chain_of(struct tallies *t, uint64_t hash)
{
	return &t->chains[hash & (t->room - 1)];
}

static struct event_tally *find(struct tallies *t, uint64_t hash,
				const struct view *view)
{
	size_t at = t->room ? *chain_of(t, hash) : 0;

	while (at && !is_event(&t->events[at - 1], hash, view))
		at = t->events[at - 1].next;
	return at ? &t->events[at - 1] : NULL;
}

static void link_event(struct tallies *t, size_t at)
{
	size_t *chain = chain_of(t, t->events[at].hash);

	t->events[at].next = *chain;
	*chain = at + 1;
}

static bool grow(struct tallies *t)
{
	size_t room = t->room ? 2 * t->room : FIRST_ROOM;
	struct event_tally *events;
	size_t *chains;

	events = realloc(t->events, room * sizeof(*events));
	if (!events)
		return false;
	t->events = events;
	chains = calloc(room, sizeof(*chains));
	if (!chains)
		return false;
	free(t->chains);
	t->chains = chains;
	t->room = room;
	for (size_t i = 0; i < t->count; i++)
		link_event(t, i);
	return true;
}

static void event_free(struct event_tally *e)
{
	free(e->provider_name);
	free(e->name);
}

static struct event_tally *new_event(struct tallies *t, uint64_t hash,
				     const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	struct event_tally e = {
		.hash = hash,
		.provider = h->ProviderId,
		.descriptor = h->EventDescriptor,
	};

	if (t->count == t->room && !grow(t))
		return NULL;
	e.provider_name = strdup(view->kind->provider);
	e.name = strdup(view->kind->name);
	if (!e.provider_name || !e.name) {
		event_free(&e);
		return NULL;
	}
	t->events[t->count] = e;
	link_event(t, t->count);
	return &t->events[t->count++];
}

void tally_merge(struct tally *tally, const struct tally *other)
{
	if (!other->count)
		return;
	if (!tally->count || other->first < tally->first)
		tally->first = other->first;
	if (!tally->count || other->last > tally->last)
		tally->last = other->last;
	tally->count += other->count;
	tally->bytes += other->bytes;
}

int tallies_add(struct tallies *tallies, const EVENT_RECORD *record)
{
	struct tally one = {
		.count = 1,
		.bytes = record->EventHeader.Size,
		.first = record->EventHeader.TimeStamp.QuadPart,
		.last = record->EventHeader.TimeStamp.QuadPart,
	};
	struct event_tally *e;
	struct view view;
	uint64_t hash;

	view_event(record, &view);
	hash = hash_event(&view);
	e = find(tallies, hash, &view);
	if (!e)
		e = new_event(tallies, hash, &view);
	if (!e)
		return -1;
	tally_merge(&e->tally, &one);
	tally_merge(&tallies->all, &one);
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_provider(const void *a, const void *b)
{
	const struct event_tally *x = a, *y = b;
	int order = memcmp(&x->provider, &y->provider, sizeof(GUID));

	if (!order)
		order = compare(y->tally.count, x->tally.count);
	if (!order)
		order = compare(x->hash, y->hash);
	return order;
}

void tallies_sort(struct tallies *tallies)
{
	if (tallies->count)
		qsort(tallies->events, tallies->count,
		      sizeof(*tallies->events), by_provider);
}

void tallies_free(struct tallies *tallies)
{
	for (size_t i = 0; i < tallies->count; i++)
		event_free(&tallies->events[i]);
	free(tallies->events);
	free(tallies->chains);
}
