/* SPDX-License-Identifier: MIT */
/* Statistics of log files, printed as tables or as a JSON object */
#ifndef EVNT_STAT_H
#define EVNT_STAT_H

#include "lib/consume/etl_counts.h"
#include "tools/events/event_counts.h"
#include "tools/stat/stat_processes.h"

/**
 * struct stat_losses - losses reported in the files
 * @events: sum of EventsLost in the headers
 * @buffers: sum of BuffersLost in the headers
 * @after_events: number of buffers flagged as following lost events
 * @after_buffers: number of buffers flagged as following lost buffers
 */
struct stat_losses {
	uint64_t events;
	uint64_t buffers;
	uint64_t after_events;
	uint64_t after_buffers;
};

/**
 * struct stat_sums - statistics of all files
 * @files: number of files
 * @events: statistics of each event, sorted
 * @end: end of @events
 * @all: totals of all events
 * @processes: statistics of each process, sorted
 * @counts: counters of the reader
 * @losses: losses reported in the files
 */
struct stat_sums {
	int files;
	const struct event_counts *events;
	const struct event_counts *end;
	struct tally all;
	const struct processes *processes;
	struct etl_counts counts;
	struct stat_losses losses;
};

void stat_print_text(const struct stat_sums *sums);
void stat_print_json(const struct stat_sums *sums);

/*
 * Return names of record types, of extended data items, and of data that could
 * not be parsed
 */
#define STAT_NAME	16
const char *stat_record_name(unsigned int kind, char text[STAT_NAME]);
const char *stat_item_name(unsigned int type, char text[STAT_NAME]);
const char *stat_unread_name(enum etl_unread kind);
const char *stat_unread_text(enum etl_unread kind);

/* Sum up the events of the provider that begins at @from; return their end */
const struct event_counts *stat_provider(const struct event_counts *from,
					 const struct event_counts *end,
					 struct tally *sum);

/* Return the seconds from the first event to the last */
double stat_seconds(const struct tally *tally);

/* Return the events per second over @span; 0 if that has no duration */
double stat_rate(const struct tally *tally, const struct tally *span);

#endif /* EVNT_STAT_H */
