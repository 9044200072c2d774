/* SPDX-License-Identifier: MIT */
/*
 * Explanation of the time that activities took: when their threads ran, waited for
 * a processor, or were blocked, on what, and until which thread woke them.
 *
 * An activity is in the thread that wrote its last event, until another thread
 * writes one.
 */
#ifndef EVNT_WHY_H
#define EVNT_WHY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/activities/activity_tree.h"
#include "tools/cpu/cpu.h"
#include "tools/events/logs.h"

enum why_state {
	WHY_UNKNOWN,	/* before the first event of the thread */
	WHY_RUNNING,
	WHY_RUNNABLE,	/* it waits for a processor */
	WHY_BLOCKED,	/* it waits for something else */
	WHY_ENDED,
	WHY_STATES,
};

/**
 * struct why_frames - a call stack
 * @depth: number of addresses; 0: none is known
 * @at: addresses, innermost first
 */
struct why_frames {
	uint32_t depth;
	uint64_t *at;
};

/**
 * struct why_stretch - time that a thread has been in one state
 * @state: the state
 * @reason: reason of a wait, in Windows' numbers
 * @is_interrupt: an interrupt ended a wait
 * @waker: index of the thread that ended a wait or was interrupted, or CPU_NONE
 * @request: index of the request whose completion preceded the wake-up on the same
 *   processor, or CPU_NONE
 * @from: its begin
 * @to: its end; INT64_MAX: not yet
 * @is_woken: the log has the wake-up that ended a wait
 * @stack: stack of the thread in a wait
 * @waker_stack: stack of the thread that ended a wait
 */
struct why_stretch {
	enum why_state state;
	uint8_t reason;
	bool is_interrupt;
	bool is_woken;
	uint32_t waker;
	uint32_t request;
	int64_t from;
	int64_t to;
	struct why_frames stack;
	struct why_frames waker_stack;
};

/**
 * struct why_sample - a sample of a thread
 * @time: its time
 * @has_stack: @stack is its stack, and not just its address
 * @stack: its stack, or just its address
 */
struct why_sample {
	int64_t time;
	bool has_stack;
	struct why_frames stack;
};

/**
 * struct why_thread - a thread
 * @list: stretches, the current one last; those between activities are dropped
 * @count: number of stretches
 * @room: number of stretches that memory is allocated for
 * @wait: index of the last wait, or CPU_NONE
 * @resumed: time at which the thread ran after the last wait, or 0
 * @early: last wake-up since it runs, which may precede the switch that it concerns
 * @samples: samples, likewise
 */
struct why_thread {
	struct why_stretch *list;
	uint32_t count;
	uint32_t room;
	uint32_t wait;
	int64_t resumed;
	struct cpu_ready early;
	struct why_sample *samples;
	uint32_t sample_count;
	uint32_t sample_room;
};

/**
 * struct why_request - a completed request to a disk
 * @thread: index of the thread that issued it, or CPU_NONE
 * @disk: number of the disk
 * @size: number of bytes
 * @from: time of its issue
 * @to: time of its completion
 */
struct why_request {
	uint32_t thread;
	uint32_t disk;
	uint32_t size;
	int64_t from;
	int64_t to;
};

/**
 * struct why_processor - a processor
 * @ready: its last wake-up
 * @request: index of the last request that it completed since it switched to its
 *   current thread, or CPU_NONE
 */
struct why_processor {
	struct cpu_ready ready;
	uint32_t request;
};

/**
 * struct why_part - part of an activity, in one thread
 * @thread: index of the thread
 * @from: its begin
 * @to: its end
 */
struct why_part {
	uint32_t thread;
	int64_t from;
	int64_t to;
};

/**
 * struct why_activity - an activity to explain
 * @number: its number
 * @id: its id
 * @start: time of its start
 * @is_open: it has begun, and not ended
 * @parts: its parts by time
 * @count: number of parts
 * @room: number of parts that memory is allocated for
 * @fields: fields of its start as JSON, or NULL
 */
struct why_activity {
	uint32_t number;
	GUID id;
	int64_t start;
	bool is_open;
	struct why_part *parts;
	uint32_t count;
	uint32_t room;
	char *fields;
};

/**
 * struct why - all of it; must be zeroed initially
 * @logs: log files
 * @use: threads and processes
 * @activities: all activities so far
 * @wanted: activities to explain
 * @wanted_count: number of elements of @wanted
 * @threads: threads, by their index in @use
 * @thread_count: number of elements of @threads
 * @processors: processors by their numbers
 * @processor_count: number of elements of @processors
 * @requests: requests during the activities, in order of their completion
 * @request_count: number of requests
 * @request_room: number of requests that memory is allocated for
 * @open: number of wanted activities that are open
 * @closed: time at which the last one ended
 * @last: time of the last event
 * @wake_ups: number of wake-ups
 */
struct why {
	const struct logs *logs;
	struct cpu_use use;
	struct activities activities;
	struct why_activity *wanted;
	uint32_t wanted_count;
	struct why_thread *threads;
	uint32_t thread_count;
	struct why_processor *processors;
	uint32_t processor_count;
	struct why_request *requests;
	uint32_t request_count;
	uint32_t request_room;
	uint32_t open;
	int64_t closed;
	int64_t last;
	uint64_t wake_ups;
};

/**
 * struct why_wait - a wait of an activity
 * @stretch: the wait
 * @thread: index of the thread
 * @from: its begin in the activity
 * @to: its end in the activity
 * @cause: words for its cause
 * @function: function that waits, or NULL
 */
struct why_wait {
	const struct why_stretch *stretch;
	uint32_t thread;
	int64_t from;
	int64_t to;
	const char *cause;
	char *function;
};

/**
 * struct why_count - waits for the same cause, or samples in the same function
 * @name: the cause or the function
 * @count: their number
 * @time: time of the waits
 */
struct why_count {
	char *name;
	uint32_t count;
	int64_t time;
};

/**
 * struct why_counts - a list of these
 * @list: entries: by name while the sum is made, then the largest first
 * @count: number of entries
 * @room: number of entries that memory is allocated for
 */
struct why_counts {
	struct why_count *list;
	uint32_t count;
	uint32_t room;
};

/**
 * struct why_disk - requests to a disk that a thread waited for
 * @disk: number of the disk
 * @requests: number of requests
 * @bytes: their size
 * @time: time of the waits in which at least one of them was under way
 * @begin: begin of the requests in the current wait so far
 */
struct why_disk {
	uint32_t disk;
	uint32_t requests;
	uint64_t bytes;
	int64_t time;
	int64_t begin;
};

/**
 * struct why_disks - a list of these; must be zeroed initially, to be freed
 * @list: disks, the one of the last request first
 * @count: number of disks
 * @room: number of disks that memory is allocated for
 */
struct why_disks {
	struct why_disk *list;
	uint32_t count;
	uint32_t room;
};

/**
 * struct why_sum - where the time of an activity went
 * @time: time in each state
 * @waits: waits, the longest first
 * @wait_count: number of waits
 * @wait_room: number of waits that memory is allocated for
 * @causes: causes of the waits, the longest first
 * @disks: requests to disks that the waits were for
 * @functions: functions of the samples, the most frequent first
 * @samples: number of samples
 */
struct why_sum {
	int64_t time[WHY_STATES];
	struct why_wait *waits;
	uint32_t wait_count;
	uint32_t wait_room;
	struct why_counts causes;
	struct why_disks disks;
	struct why_counts functions;
	uint32_t samples;
};

/* Take an event; all are passed in order of time, after cpu_take_end() */
void why_take(struct why *why, const EVENT_RECORD *record);
/* End what is still open */
void why_finish(struct why *why);
void why_free(struct why *why);

void why_sum(const struct why *why, const struct why_activity *activity,
	     struct why_sum *sum);
void why_sum_free(struct why_sum *sum);
/* Return the time of an activity, which ends with the log unless it stopped */
static inline int64_t why_duration(const struct why *why,
				   const struct activity *a)
{
	return activity_ticks(a->start, a->stopped ? a->stop : why->last);
}

/* Return the ticks that a thread was in a state between two times */
int64_t why_time(const struct why *why, uint32_t thread, enum why_state state,
		 int64_t from, int64_t to);
/* Return the longest wait of a thread between two times, or NULL */
const struct why_stretch *why_longest(const struct why *why, uint32_t thread,
				      int64_t from, int64_t to);

/*
 * Return words for the cause of a wait, and store the function that waits, or
 * NULL; the caller frees it
 */
const char *why_cause(const struct why *why, uint32_t thread,
		      const struct why_stretch *wait, char **function);
/* Return whether the cause of a wait is a disk */
static inline bool why_is_disk(const char *cause)
{
	return !strcmp(cause, "disk");
}

/* Return whether requests explain most of a wait without another known cause */
bool why_was_disk(const struct why *why, uint32_t thread,
		  const struct why_stretch *wait);
/* Add the requests of a wait for a disk between two times */
void why_add_disks(const struct why *why, uint32_t thread,
		   const struct why_stretch *wait, int64_t from, int64_t to,
		   struct why_disks *disks);
/* Return words for the interrupt that ended a wait */
const char *why_interrupt(const struct why *why,
			  const struct why_stretch *wait);
/* Return the innermost function of a program in a stack, or NULL; to be freed */
char *why_function(const struct why *why, uint32_t thread,
		   const struct why_frames *stack);
/* Return the name of a frame; the caller frees it */
char *why_frame(const struct why *why, uint32_t thread,
		const struct why_frames *stack, uint32_t i);

void why_print_text(const struct why *why, const struct why_activity *activity,
		    uint32_t rows);
void why_print_json(const struct why *why, const struct why_activity *activity);

#endif /* EVNT_WHY_H */
