/* SPDX-License-Identifier: MIT */
/*
 * Plans where activities are shown.
 *
 * The slices of a track must be properly nested. Whether an activity is, on its
 * thread's track, is only known when it stops. Therefore a first pass over the
 * events makes the plan.
 */
#ifndef EVNT_PERFETTO_PLAN_H
#define EVNT_PERFETTO_PLAN_H

#include "tools/activities/activity.h"

/* Maximum number of slices for activities that never stop */
#define PLAN_UNFINISHED	1000

/* Maximum number of flows from an activity; further ones share the last */
#define PLAN_CHILDREN	63

enum plan_place {
	PLAN_EVENTS,	/* no slice, start and stop are instants */
	PLAN_THREAD,	/* slice of the thread that started it */
	PLAN_LANE,	/* slice of a track of its own */
};

/**
 * struct plan_thread - open activities of a thread
 * @pid: process id
 * @tid: thread id
 * @open: number of the innermost open activity, or ACTIVITY_NONE
 */
struct plan_thread {
	uint32_t pid;
	uint32_t tid;
	uint32_t open;
};

/**
 * struct perfetto_plan - the plan and its working data; must be zeroed
 * initially
 * @activities: all activities seen; freed by plan_end()
 * @outer: for each activity, the one that was open on its thread at its start
 * @places: for each activity, its place in two bits, and above them the number
 *   of activities it causes
 * @room: number of activities that memory is allocated for
 * @count: number of planned activities
 * @threads: threads
 * @thread_count: number of threads
 * @thread_room: number of threads that memory is allocated for
 * @thread_table: hash table of the threads
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

/* Take an event in the first pass */
void plan_take(struct perfetto_plan *plan, const struct view *view);

/* Complete the plan after all events; free data needed for planning only */
void plan_end(struct perfetto_plan *plan);

enum plan_place plan_place(const struct perfetto_plan *plan, uint32_t number);
unsigned int plan_children(const struct perfetto_plan *plan, uint32_t number);

void plan_free(struct perfetto_plan *plan);

#endif /* EVNT_PERFETTO_PLAN_H */
