/* SPDX-License-Identifier: MIT */
/*
 * Activities: groups of related events in a log, from an event with the opcode
 * Start to one with the opcode Stop.
 *
 * An activity is identified by the ActivityId of its events; the
 * RelatedActivityId of its start identifies the activity that caused it.
 * Several activities may share an id: consecutive ones, each started after the
 * previous one has stopped; and nested ones, each started while its parent is
 * open. A stop ends the innermost open activity of its id with the same task,
 * or with the same name for TraceLogging. If there is none and the stop has no
 * task, it ends the innermost one of the same provider.
 *
 * Starts without an id are matched by their thread: their activities nest as
 * their stops do, and the stop of an outer activity ends the inner ones.
 * Classic events neither start nor stop activities, because the meaning of
 * their opcodes is defined by each class.
 */
#ifndef EVNT_ACTIVITY_H
#define EVNT_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/events/fields.h"
#include "tools/common/hash.h"
#include "tools/events/event_view.h"

#define ACTIVITY_NONE	UINT32_MAX

/* Role of an event in its activity */
enum activity_role {
	ACTIVITY_NO_EVENT,
	ACTIVITY_EVENT,
	ACTIVITY_START,
	ACTIVITY_STOP,
};

/* State of an activity at the end of the log */
enum activity_status {
	ACTIVITY_DONE,		/* started and stopped */
	ACTIVITY_UNFINISHED,	/* started, no stop in the log */
	ACTIVITY_NO_START,	/* stopped, no start in the log */
	ACTIVITY_NO_START_STOP,	/* events only, neither start nor stop */
	ACTIVITY_LOST,		/* known only as the parent of others */
};

/**
 * struct activity_kind - kind of work, as given by start and stop events
 * @provider: provider of the start event
 * @task: task of the start event
 * @event: name of the event for TraceLogging, otherwise empty
 * @name: name shown to the user
 * @provider_name: name of the provider, or empty
 */
struct activity_kind {
	GUID provider;
	USHORT task;
	char *event;
	char *name;
	char *provider_name;
};

/**
 * struct activity - an activity
 * @id: activity id; zero if the activity is identified by its thread
 * @kind: index of its kind; ACTIVITY_NONE if unknown
 * @parent: number of the enclosing or causing activity, or ACTIVITY_NONE
 * @outer: number of the activity with the same id that was open when this one
 *   started, or ACTIVITY_NONE
 * @top: number of an ancestor, or of itself; a shortcut to the root
 * @pid: process of the start, or of the first event
 * @tid: thread of the start, or of the first event
 * @stop_pid: process of the stop
 * @stop_tid: thread of the stop
 * @started: the log contains its start
 * @stopped: the log contains its stop
 * @events: number of its events, start and stop included
 * @start: time of the start, otherwise of the first event, as a FILETIME
 * @stop: time of the stop, otherwise of the last event, as a FILETIME
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
 * struct activity_holder - id or thread that activities belong to
 * @id: activity id; zero for a thread
 * @pid: process of the thread; 0 for an id
 * @tid: thread; 0 for an id
 * @open: number of the innermost open activity, or ACTIVITY_NONE
 * @last: number of the activity that receives events while none is open, or
 *   ACTIVITY_NONE
 */
struct activity_holder {
	GUID id;
	uint32_t pid;
	uint32_t tid;
	uint32_t open;
	uint32_t last;
};

/**
 * struct activities - all activities of a log; must be zeroed initially
 * @chunks: activities, in chunks that never move
 * @count: number of activities
 * @kinds: kinds of the activities
 * @kind_count: number of kinds
 * @holders: ids and threads that activities belong to
 * @holder_count: number of holders
 * @holder_room: number of holders that memory is allocated for
 * @kind_table: hash table of the kinds
 * @holder_table: hash table of the holders
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
 * Add an event; events must be passed in order of time. Return the number of
 * the event's activity and store the event's role in it in *role, or return
 * ACTIVITY_NONE. The number of a new activity equals the count before the call.
 */
uint32_t activities_take(struct activities *all, const struct view *view,
			 enum activity_role *role);

struct activity *activity_at(const struct activities *all, uint32_t number);
const struct activity_kind *activity_kind(const struct activities *all,
					  const struct activity *activity);
enum activity_status activity_status(const struct activity *activity);

void activities_free(struct activities *all);

/* Size of the buffer for the text of an id's path */
#define ACTIVITY_PATH	128

/*
 * Decode an id generated by .NET's EventSource into its path, such as //1/2,
 * where each part is the number of an activity within its parent. Return NULL
 * if the id is no such path. @pid is the process that generated it.
 */
const char *activity_path(const GUID *id, uint32_t pid,
			  char text[ACTIVITY_PATH]);

#endif /* EVNT_ACTIVITY_H */
