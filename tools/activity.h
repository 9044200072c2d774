/* SPDX-License-Identifier: MIT */
/*
 * Activities: what belongs together in a log, from an event with the opcode Start
 * to one with Stop.
 *
 * An activity is told by the ActivityId of its events; the RelatedActivityId of its
 * start is the activity that has caused it.  An id may be of several activities:
 * of one after the other, each begun by a start when the one before has stopped;
 * and of several in each other, each begun while the one before is open, which is
 * its parent.  A stop is that of the innermost open activity of its id with the
 * same task, or name for TraceLogging; with none of these, of the same provider, if
 * there is no task.
 *
 * Starts without an id are told by their thread: they lie in each other as their
 * stops do, and the stop of an outer one ends those in it.  Classic events, whose
 * opcodes mean what each class says, begin and end nothing.
 */
#ifndef EVNT_TOOLS_ACTIVITY_H
#define EVNT_TOOLS_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"
#include "hash.h"
#include "view.h"

#define ACTIVITY_NONE	UINT32_MAX

/* What an event is for the activity that it belongs to */
enum activity_role {
	ACTIVITY_NO_EVENT,
	ACTIVITY_EVENT,
	ACTIVITY_START,
	ACTIVITY_STOP,
};

/* What became of an activity */
enum activity_status {
	ACTIVITY_DONE,		/* it was started, and stopped */
	ACTIVITY_UNFINISHED,	/* its stop is not there */
	ACTIVITY_NO_START,	/* its start is not there */
	ACTIVITY_NO_START_STOP,	/* neither is there, just events */
	ACTIVITY_LOST,		/* it is the parent of others, and not there */
};

/**
 * struct activity_kind - what tells activities of different work apart
 * @provider: of its start
 * @task: likewise
 * @event: likewise, the event's name for TraceLogging, or empty
 * @name: what it is to be called
 * @provider_name: likewise the provider; or empty
 */
struct activity_kind {
	GUID provider;
	USHORT task;
	char *event;
	char *name;
	char *provider_name;
};

/**
 * struct activity - one of them
 * @id: its id; zero: it is told by its thread
 * @kind: number of its kind; ACTIVITY_NONE: nothing is known
 * @parent: number of the activity it is in, or that has caused it; or NONE
 * @outer: the one with the same id that was open when it was started; or NONE
 * @top: an activity above it, or itself: leads to the one at the top
 * @pid: where it was started, or its first event was written
 * @tid: likewise
 * @stop_pid: where it was stopped
 * @stop_tid: likewise
 * @started: there was a start
 * @stopped: there was a stop
 * @events: how many it has, start and stop among them
 * @start: time of the start, or else of the first event, as a FILETIME
 * @stop: likewise of the stop, or else of the last event
 */
struct activity {
	GUID id;
	uint32_t kind;
	uint32_t parent;
	uint32_t outer;
	uint32_t top;
	uint32_t pid;
	uint32_t tid;
	uint32_t stop_pid;
	uint32_t stop_tid;
	bool started;
	bool stopped;
	uint64_t events;
	int64_t start;
	int64_t stop;
};

/**
 * struct activity_holder - what has activities: an id, or a thread
 * @id: the id, or zero
 * @pid: the thread's process; 0 for an id
 * @tid: the thread; likewise
 * @open: the innermost of those that are open, or NONE
 * @last: the one that its events belong to while none is open, or NONE
 */
struct activity_holder {
	GUID id;
	uint32_t pid;
	uint32_t tid;
	uint32_t open;
	uint32_t last;
};

/**
 * struct activities - all of a log; zeroed in the beginning
 * @chunks: they, in pieces that stay where they are
 * @count: how many
 * @kinds: theirs
 * @kind_count: how many
 * @holders: what has them
 * @holder_count: how many
 * @holder_room: for how many there is memory
 * @kind_table: finds kinds
 * @holder_table: finds holders
 */
struct activities {
	struct activity **chunks;
	uint32_t count;
	struct activity_kind *kinds;
	uint32_t kind_count;
	struct activity_holder *holders;
	uint32_t holder_count;
	uint32_t holder_room;
	struct hash kind_table;
	struct hash holder_table;
};

/*
 * Takes an event, in the order of time; returns the number of the activity that it
 * belongs to, and what it is for it; or ACTIVITY_NONE.  A new activity's number is
 * the count before.
 */
uint32_t activities_take(struct activities *all, const struct view *view,
			 enum activity_role *role);

struct activity *activity_at(const struct activities *all, uint32_t number);
const struct activity_kind *activity_kind(const struct activities *all,
					  const struct activity *activity);
enum activity_status activity_status(const struct activity *activity);

void activities_free(struct activities *all);

/* Room for the text of an id's path */
#define ACTIVITY_PATH	128

/*
 * The path that an id of .NET's event sources is made of, as //1/2, of which each
 * part is the number of an activity in the one before; or NULL, if it is none.
 * @pid: the process that made it
 */
const char *activity_path(const GUID *id, uint32_t pid,
			  char text[ACTIVITY_PATH]);

#endif /* EVNT_TOOLS_ACTIVITY_H */
