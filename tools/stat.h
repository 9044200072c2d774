/* SPDX-License-Identifier: MIT */
/* What evnt stat says of log files, and how: as tables, or as an object of JSON. */
#ifndef EVNT_STAT_H
#define EVNT_STAT_H

#include "etl_counts.h"
#include "tally.h"

/**
 * struct stat_losses - what the files say was lost in recording
 * @events: the sum of their headers' EventsLost
 * @buffers: of their BuffersLost
 * @after_events: buffers that say that events were lost before them
 * @after_buffers: buffers that say that buffers were lost before them
 */
struct stat_losses {
	uint64_t events;
	uint64_t buffers;
	uint64_t after_events;
	uint64_t after_buffers;
};

/**
 * struct stat_sums - what is known of all files together
 * @files: how many
 * @events: each event, sorted
 * @end: behind the last
 * @all: of all events
 * @counts: what was found in reading
 * @losses: what the files say was lost
 */
struct stat_sums {
	int files;
	const struct event_tally *events;
	const struct event_tally *end;
	struct tally all;
	struct etl_counts counts;
	struct stat_losses losses;
};

void stat_print_text(const struct stat_sums *sums);
void stat_print_json(const struct stat_sums *sums);

/* Names of kinds of records, of extended items, and of what is not understood */
#define STAT_NAME	16
const char *stat_record_name(unsigned int kind, char text[STAT_NAME]);
const char *stat_item_name(unsigned int type, char text[STAT_NAME]);
const char *stat_unread_name(enum etl_unread kind);
const char *stat_unread_text(enum etl_unread kind);

/* A provider's events begin at @from; returns where they end, and their sum */
const struct event_tally *stat_provider(const struct event_tally *from,
					const struct event_tally *end,
					struct tally *sum);

/* Seconds from the first event to the last */
double stat_seconds(const struct tally *tally);

/* Events a second, over all of @span; 0 when that is no time */
double stat_rate(const struct tally *tally, const struct tally *span);

#endif /* EVNT_STAT_H */
