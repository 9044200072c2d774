/* SPDX-License-Identifier: MIT */
/*
 * What a log has of each provider and event: how many, how much, when.
 */
#ifndef EVNT_TALLY_H
#define EVNT_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include <evntcons.h>

#include "hash.h"

/**
 * struct tally - so many, so much, from then to then
 * @count: events
 * @bytes: of their records
 * @first: time of the first, as a FILETIME
 * @last: of the last
 */
struct tally {
	uint64_t count;
	uint64_t bytes;
	int64_t first;
	int64_t last;
};

/**
 * struct event_tally - one event of a provider
 * @hash: of what identifies it: @provider, id, version and opcode, @name
 * @provider: whose it is
 * @descriptor: what identifies it; the rest is that of the first that was seen
 * @provider_name: from its traits, or empty
 * @name: for TraceLogging, or empty
 * @tally: of it
 */
struct event_tally {
	uint64_t hash;
	GUID provider;
	EVENT_DESCRIPTOR descriptor;
	char *provider_name;
	char *name;
	struct tally tally;
};

/**
 * struct tallies - all events
 * @events: they
 * @count: how many
 * @room: for how many there is memory
 * @table: finds them
 * @all: of all of them together
 */
struct tallies {
	struct event_tally *events;
	size_t count;
	size_t room;
	struct hash table;
	struct tally all;
};

/* Adds an event; ends the program when there is no memory */
void tallies_add(struct tallies *tallies, const EVENT_RECORD *record);

/*
 * Sorts the events by provider's id, of each the most frequent first; then no more
 * can be added
 */
void tallies_sort(struct tallies *tallies);

/* Adds up; either may have no event */
void tally_merge(struct tally *tally, const struct tally *other);

void tallies_free(struct tallies *tallies);

#endif /* EVNT_TALLY_H */
