// SPDX-License-Identifier: MIT
/* Statistics of the events of a log */
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/events/event_counts.h"
#include "tools/events/fields.h"

#define FIRST_ROOM	256

/* Event to look up */
struct count_key {
	const struct tallies *tallies;
	const struct view *view;
};

static bool is_event(const void *context, uint32_t number)
{
	const struct count_key *key = context;
	const struct event_counts *e = &key->tallies->events[number];
	const EVENT_HEADER *h = &key->view->record->EventHeader;
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;

	return e->descriptor.Id == d->Id &&
	       e->descriptor.Version == d->Version &&
	       e->descriptor.Opcode == d->Opcode &&
	       !memcmp(&e->provider, &h->ProviderId, sizeof(GUID)) &&
	       !strcmp(e->name, key->view->kind->name);
}

/* Set the names, as far as the event or a manifest has them */
static void name_event(struct event_counts *event, const struct view *view)
{
	const struct schema *schema = fields_schema(view->kind, view->record);
	const char *provider = provider_name(view->kind, schema);
	/* The name of TraceLogging needs no opcode */
	const bool described = schema && !view->kind->name[0] &&
			       (schema->name || schema->task);

	event->provider_name = must_have(strdup(provider ? provider : ""));
	event->name = must_have(strdup(view->kind->name));
	event->title = described ? event_title(view, schema) :
				must_have(strdup(event->name));
}

static struct event_counts *event_of(struct tallies *t, const struct view *view)
{
	const EVENT_HEADER *h = &view->record->EventHeader;
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;
	const struct count_key key = { t, view };
	uint32_t number;
	uint64_t hash;

	hash = hash_bytes(HASH_BEGIN, &h->ProviderId, sizeof(h->ProviderId));
	hash = hash_bytes(hash, &d->Id, sizeof(d->Id));
	hash = hash_bytes(hash, &d->Version, sizeof(d->Version));
	hash = hash_bytes(hash, &d->Opcode, sizeof(d->Opcode));
	hash = hash_bytes(hash, view->kind->name, strlen(view->kind->name));
	number = hash_find(&t->table, hash, is_event, &key);
	if (number != HASH_NONE)
		return &t->events[number];
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : FIRST_ROOM;
		t->events = must_have(realloc(t->events,
					      t->room * sizeof(*t->events)));
	}
	t->events[t->count] = (struct event_counts) {
		.hash = hash,
		.provider = h->ProviderId,
		.descriptor = h->EventDescriptor,
	};
	name_event(&t->events[t->count], view);
	hash_add(&t->table, hash, t->count);
	return &t->events[t->count++];
}

void counts_merge(struct tally *tally, const struct tally *other)
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

struct tally tally_of(const EVENT_RECORD *record)
{
	return (struct tally) {
		.count = 1,
		.bytes = record->EventHeader.Size,
		.first = record->EventHeader.TimeStamp.QuadPart,
		.last = record->EventHeader.TimeStamp.QuadPart,
	};
}

void tallies_add(struct tallies *tallies, const struct view *view)
{
	const struct tally one = tally_of(view->record);

	counts_merge(&event_of(tallies, view)->tally, &one);
	counts_merge(&tallies->all, &one);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_provider(const void *a, const void *b)
{
	const struct event_counts *x = a, *y = b;
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
	for (size_t i = 0; i < tallies->count; i++) {
		free(tallies->events[i].provider_name);
		free(tallies->events[i].name);
		free(tallies->events[i].title);
	}
	free(tallies->events);
	hash_free(&tallies->table);
}
