/* SPDX-License-Identifier: MIT */
/* Statistics of the processes that have written the events of a log */
#ifndef EVNT_STAT_PROCESSES_H
#define EVNT_STAT_PROCESSES_H

#include "tools/common/hash.h"
#include "tools/events/event_counts.h"

/**
 * struct process_counts - statistics of a process
 * @pid: process id
 * @tally: statistics of its events
 */
struct process_counts {
	uint32_t pid;
	struct tally tally;
};

/**
 * struct processes - statistics of all processes
 * @list: statistics of each process
 * @count: number of elements in @list
 * @room: number of elements that memory is allocated for
 * @table: hash table of @list
 */
struct processes {
	struct process_counts *list;
	size_t count;
	size_t room;
	struct hash table;
};

/* Add an event, unless it belongs to no process; exit if out of memory */
void processes_add(struct processes *processes, const EVENT_RECORD *record);

/*
 * Sort the processes, most events first. No events can be added after that.
 */
void processes_sort(struct processes *processes);

void processes_free(struct processes *processes);

#endif /* EVNT_STAT_PROCESSES_H */
