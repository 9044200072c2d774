/* SPDX-License-Identifier: MIT */
/*
 * Statistics of the events of a log: count, size and time of each event
 */
#ifndef EVNT_EVENT_COUNTS_H
#define EVNT_EVENT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include <evntcons.h>

#include "tools/common/hash.h"
#include "tools/events/event_view.h"

/**
 * struct tally - statistics of a set of events
 * @count: number of events
 * @bytes: total size of their records
 * @first: time of the first event, as a FILETIME
 * @last: time of the last event, as a FILETIME
 */
struct tally {
	uint64_t count;
	uint64_t bytes;
	int64_t first;
	int64_t last;
};

/**
 * struct event_counts - statistics of an event
 * @hash: hash of the key: provider, id, version, opcode, name
 * @provider: provider
 * @descriptor: id, version and opcode; other members are from the first event
 * @provider_name: name of the provider, or empty
 * @name: name of the event for TraceLogging, or empty
 * @title: @name, or the title of a classic event with a description, or empty
 * @tally: statistics
 */
struct event_counts {
	uint64_t hash;
	GUID provider;
	EVENT_DESCRIPTOR descriptor;
	char *provider_name;
	char *name;
	char *title;
	struct tally tally;
};

/**
 * struct tallies - statistics of all events
 * @events: statistics of each event
 * @count: number of elements in @events
 * @room: number of elements that memory is allocated for
 * @table: hash table of @events
 * @all: totals
 */
struct tallies {
	struct event_counts *events;
	size_t count;
	size_t room;
	struct hash table;
	struct tally all;
};

/* Return the statistics of a single event */
struct tally tally_of(const EVENT_RECORD *record);

/* Add an event; exit if out of memory */
void tallies_add(struct tallies *tallies, const struct view *view);

/*
 * Sort the events by provider id, most frequent first within a provider. No
 * events can be added after that.
 */
void tallies_sort(struct tallies *tallies);

/* Add up statistics; either may be empty */
void counts_merge(struct tally *tally, const struct tally *other);

void tallies_free(struct tallies *tallies);

#endif /* EVNT_EVENT_COUNTS_H */
