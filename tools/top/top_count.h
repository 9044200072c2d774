/* SPDX-License-Identifier: MIT */
/* Counts events by session and provider, or process, for evnt top */
#ifndef EVNT_TOP_COUNT_H
#define EVNT_TOP_COUNT_H

#include <pthread.h>

#include <evntcons.h>
#include <linux/types.h>

#include "tools/common/hash.h"
#include "tools/cpu/cpu.h"

/* Source of the counted events */
enum count_source {
	COUNT_LIVE,		/* a session in real-time mode */
	COUNT_FILE,		/* a log file */
	COUNT_MEMORY,		/* a session's buffers in memory */
};

/* Process id of the counter of a provider */
#define NO_PROCESS	UINT32_MAX

/**
 * struct event_count - counter of a provider's, or a process's, events in a
 * session
 * @session: session handle
 * @id: provider; zero in the counter of a process
 * @pid: process id, or NO_PROCESS
 * @name: name of the provider or process from the session's events, or NULL;
 *   counts_take() adds the names of running processes
 * @source: source of the events
 * @events: number of events since the last counts_take()
 * @bytes: total size of their records
 */
struct event_count {
	__u64 session;
	GUID id;
	uint32_t pid;
	char *name;
	enum count_source source;
	unsigned long long events;
	unsigned long long bytes;
};

/**
 * struct counts - all counters
 * @lock: protects the members below
 * @cpu: takes the events instead, of one session only; or NULL. Set before any
 *   reader begins.
 * @table: hash table of the counters
 * @all: counters in order of appearance
 * @count: number of counters
 */
struct counts {
	pthread_mutex_t lock;
	struct cpu_use *cpu;
	struct hash table;
	struct event_count *all;
	size_t count;
};

void counts_init(struct counts *counts);
void counts_free(struct counts *counts);

/* Count an event; may be called by any thread */
void counts_add(struct counts *counts, __u64 session, enum count_source source,
		const EVENT_RECORD *record);

/*
 * Take the name from a record that is_process_name() has accepted; may be called
 * by any thread
 */
void counts_name(struct counts *counts, __u64 session,
		 const EVENT_RECORD *record);

/*
 * Return the non-zero counters and reset them; *count of them, for
 * counts_taken_free()
 */
struct event_count *counts_take(struct counts *counts, size_t *count);
void counts_taken_free(struct event_count *taken, size_t count);

#endif /* EVNT_TOP_COUNT_H */
