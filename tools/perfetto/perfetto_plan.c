// SPDX-License-Identifier: MIT
/* Determines which activities are correctly nested on their threads */
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/perfetto/perfetto_plan.h"

#define FIRST_ROOM	1024
#define PLACE_BITS	2
#define PLACE_MASK	3

struct thread_key {
	const struct perfetto_plan *plan;
	uint32_t pid;
	uint32_t tid;
};

static bool is_thread(const void *context, uint32_t number)
{
	const struct thread_key *key = context;
	const struct plan_thread *thread = &key->plan->threads[number];

	return thread->tid == key->tid && thread->pid == key->pid;
}

static struct plan_thread *thread_of(struct perfetto_plan *plan, uint32_t pid,
				     uint32_t tid)
{
	struct thread_key key = { plan, pid, tid };
	uint64_t hash = hash_bytes(HASH_BEGIN, &pid, sizeof(pid));
	uint32_t number;

	hash = hash_bytes(hash, &tid, sizeof(tid));
	number = hash_find(&plan->thread_table, hash, is_thread, &key);
	if (number != HASH_NONE)
		return &plan->threads[number];
	number = plan->thread_count++;
	if (number == plan->thread_room) {
		plan->thread_room = number ? 2 * number : FIRST_ROOM;
		plan->threads = must_have(realloc(plan->threads,
						  plan->thread_room *
						  sizeof(*plan->threads)));
	}
	plan->threads[number] = (struct plan_thread) { pid, tid,
						       ACTIVITY_NONE };
	hash_add(&plan->thread_table, hash, number);
	return &plan->threads[number];
}

static void make_room(struct perfetto_plan *plan, uint32_t count)
{
	uint32_t room = plan->room;

	if (count <= room)
		return;
	while (room < count)
		room = room ? 2 * room : FIRST_ROOM;
	plan->outer = must_have(realloc(plan->outer, (size_t)room *
					sizeof(*plan->outer)));
	plan->places = must_have(realloc(plan->places, room));
	memset(plan->places + plan->room, 0, room - plan->room);
	plan->room = room;
}

static void set_place(struct perfetto_plan *plan, uint32_t number,
		      enum plan_place place)
{
	plan->places[number] &= ~PLACE_MASK;
	plan->places[number] |= place;
}

static void take_start(struct perfetto_plan *plan, uint32_t number)
{
	const struct activity *a = activity_at(&plan->activities, number);
	struct plan_thread *thread = thread_of(plan, a->pid, a->tid);

	plan->outer[number] = thread->open;
	thread->open = number;
	set_place(plan, number, PLAN_THREAD);
	if (a->parent != ACTIVITY_NONE &&
	    plan->places[a->parent] >> PLACE_BITS < PLAN_CHILDREN)
		plan->places[a->parent] += 1 << PLACE_BITS;
}

/*
 * End an activity. Activities that were started inside it and are still open
 * are not nested: each gets a track of its own.
 */
static void take_stop(struct perfetto_plan *plan, uint32_t number)
{
	const struct activity *a = activity_at(&plan->activities, number);
	struct plan_thread *thread = thread_of(plan, a->pid, a->tid);

	if (plan_place(plan, number) != PLAN_THREAD)
		return;
	if (a->stop_tid != a->tid || a->stop_pid != a->pid) {
		set_place(plan, number, PLAN_LANE);
		return;
	}
	while (thread->open != number) {
		set_place(plan, thread->open, PLAN_LANE);
		thread->open = plan->outer[thread->open];
	}
	thread->open = plan->outer[number];
	/* Remove outer activities that got their own tracks in the meantime */
	while (thread->open != ACTIVITY_NONE &&
	       plan_place(plan, thread->open) == PLAN_LANE)
		thread->open = plan->outer[thread->open];
}

void plan_take(struct perfetto_plan *plan, const struct view *view)
{
	enum activity_role role;
	uint32_t number = activities_take(&plan->activities, view, &role);

	if (number == ACTIVITY_NONE)
		return;
	/* The event may also have added a parent not seen before */
	make_room(plan, plan->activities.count);
	if (role == ACTIVITY_START)
		take_start(plan, number);
	else if (role == ACTIVITY_STOP &&
		 activity_at(&plan->activities, number)->started)
		take_stop(plan, number);
}

void plan_end(struct perfetto_plan *plan)
{
	uint32_t unfinished = 0, i;

	plan->count = plan->activities.count;
	for (i = 0; i < plan->count; i++) {
		if (activity_status(activity_at(&plan->activities, i)) !=
		    ACTIVITY_UNFINISHED)
			continue;
		set_place(plan, i, unfinished++ < PLAN_UNFINISHED ?
				   PLAN_LANE : PLAN_EVENTS);
	}
	activities_free(&plan->activities);
	free(plan->outer);
	free(plan->threads);
	hash_free(&plan->thread_table);
	plan->outer = NULL;
	plan->threads = NULL;
	plan->thread_count = 0;
}

enum plan_place plan_place(const struct perfetto_plan *plan, uint32_t number)
{
	return number < plan->room ? plan->places[number] & PLACE_MASK :
				     PLAN_EVENTS;
}

unsigned int plan_children(const struct perfetto_plan *plan, uint32_t number)
{
	return number < plan->room ? plan->places[number] >> PLACE_BITS : 0;
}

void plan_free(struct perfetto_plan *plan)
{
	plan_end(plan);
	free(plan->places);
	plan->places = NULL;
}
