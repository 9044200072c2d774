/* SPDX-License-Identifier: MIT */
/* Events of each provider in each session, as they are counted for evnt top. */
#ifndef EVNT_TOP_COUNT_H
#define EVNT_TOP_COUNT_H

#include <pthread.h>

#include <evntcons.h>
#include <linux/types.h>

#include "hash.h"

/* Where events are counted */
enum count_source {
	COUNT_LIVE,		/* a session in real-time mode */
	COUNT_FILE,		/* what was written to a log file */
	COUNT_MEMORY,		/* what a session keeps in memory */
};

/**
 * struct provider_count - a provider's events in a session
 * @session: the session's handle
 * @id: the provider
 * @name: what it calls itself in its events, or NULL; of struct counts
 * @source: where they are counted
 * @events: that came since counts_take() was called last
 * @bytes: their records' length
 */
struct provider_count {
	__u64 session;
	GUID id;
	char *name;
	enum count_source source;
	unsigned long long events;
	unsigned long long bytes;
};

/**
 * struct counts - all of them
 * @lock: guards what follows
 * @table: finds one
 * @all: they, in the order in which they came
 * @count: how many
 */
struct counts {
	pthread_mutex_t lock;
	struct hash table;
	struct provider_count *all;
	size_t count;
};

void counts_init(struct counts *counts);
void counts_free(struct counts *counts);

/* One event more; by any thread */
void counts_add(struct counts *counts, __u64 session, enum count_source source,
		const EVENT_RECORD *record);

/* Those that are not zero, which they are then; *count of them, to be freed */
struct provider_count *counts_take(struct counts *counts, size_t *count);

#endif /* EVNT_TOP_COUNT_H */
