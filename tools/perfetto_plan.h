/* SPDX-License-Identifier: MIT */
/*
 * Where activities are to be shown.
 *
 * Slices of a track must lie in each other.  Whether an activity's does, on the
 * track of its thread, is known when it has stopped: so the plan is made in a first
 * reading.
 */
#ifndef EVNT_TOOLS_PERFETTO_PLAN_H
#define EVNT_TOOLS_PERFETTO_PLAN_H

#include "activity.h"

/* Of those that never stop, so many are slices */
#define PLAN_UNFINISHED	1000

/* So many arrows begin at an activity; from the last of them, further ones go on */
#define PLAN_CHILDREN	63

enum plan_place {
	PLAN_EVENTS,	/* its start and stop are events as others */
	PLAN_THREAD,	/* a slice of the thread that it is started on */
	PLAN_LANE,	/* a slice of a track of its own */
};

/**
 * struct plan_thread - what is open on a thread
 * @pid: its process
 * @tid: its id
 * @open: the innermost activity, or NONE
 */
struct plan_thread {
	uint32_t pid;
	uint32_t tid;
	uint32_t open;
};

/**
 * struct perfetto_plan - the plan, and what it is made of; zeroed in the beginning
 * @activities: all that were seen; none, when the plan is made
 * @outer: of each, what was open on its thread when it was started
 * @places: of each, its place, and above its two bits how many others it causes
 * @room: for how many there is memory
 * @count: how many are planned
 * @threads: all threads
 * @thread_count: how many
 * @thread_room: for how many there is memory
 * @thread_table: finds threads
 */
struct perfetto_plan {
	struct activities activities;
	uint32_t *outer;
	unsigned char *places;
	uint32_t room;
	uint32_t count;
	struct plan_thread *threads;
	uint32_t thread_count;
	uint32_t thread_room;
	struct hash thread_table;
};

/* Takes an event, in the first reading */
void plan_take(struct perfetto_plan *plan, const struct view *view);

/* All events were taken: what only the planning needs is freed */
void plan_end(struct perfetto_plan *plan);

enum plan_place plan_place(const struct perfetto_plan *plan, uint32_t number);
unsigned int plan_children(const struct perfetto_plan *plan, uint32_t number);

void plan_free(struct perfetto_plan *plan);

#endif /* EVNT_TOOLS_PERFETTO_PLAN_H */
