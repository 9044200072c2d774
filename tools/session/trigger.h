/* SPDX-License-Identifier: MIT */
/*
 * Events that end a recording or start an action. A verb that reads the events
 * itself passes them to trigger_look(); otherwise a session of its own reads
 * them.
 */
#ifndef EVNT_TRIGGER_H
#define EVNT_TRIGGER_H

#include <pthread.h>
#include <stdatomic.h>

#include "tools/events/selection.h"
#include "tools/session/child.h"
#include "tools/session/session_options.h"

/**
 * struct awaited - an event that is waited for
 * @text: argument of the option, or NULL
 * @names: copy of the names in @text, or NULL
 * @selection: events that match
 * @has_occurred: such an event was seen
 */
struct awaited {
	const char *text;
	char *names;
	struct selection selection;
	atomic_bool has_occurred;
};

/**
 * struct trigger - options and state
 * @until: event that ends the recording
 * @on: event that starts the action
 * @snapshot: file of the snapshot to take, or NULL
 * @command: command of a shell to run, or NULL
 * @has_acted: the action was started
 * @runner: process of @command
 * @bound: descriptor whose closing ends the session that reads; -1: none, which
 *   the verb must set first
 * @handle: handle of that session
 * @trace: its trace
 * @thread: thread that runs ProcessTrace(), if @is_reading
 * @is_reading: there is a thread
 */
struct trigger {
	struct awaited until;
	struct awaited on;
	const char *snapshot;
	const char *command;
	bool has_acted;
	struct child runner;
	int bound;
	TRACEHANDLE handle;
	TRACEHANDLE trace;
	pthread_t thread;
	bool is_reading;
};

/* Options that fill a struct trigger; --snapshot is in a table of its own */
extern const struct option_row trigger_rows[];
extern const struct option_row trigger_snapshot_rows[];

static inline bool trigger_is_given(const struct trigger *trigger)
{
	return trigger->until.text || trigger->on.text;
}

/* Check that the options fit together. Return an exit code. */
int trigger_check(const struct verb *verb, const struct trigger *trigger);

/* Compare an event with the events that are waited for */
void trigger_look(struct trigger *trigger, PEVENT_RECORD record);

/*
 * Read the events of a recording by another session, which begins here. Return
 * an exit code after reporting errors. Does nothing without a trigger.
 */
int trigger_begin(struct trigger *trigger,
		  const struct session_options *recorded, const char *name);

/* Deliver the events that the session of trigger_begin() has buffered */
void trigger_flush(struct trigger *trigger, int device);

/* Start the action if its event has occurred; @handle: session of a snapshot */
void trigger_act(struct trigger *trigger, int device, TRACEHANDLE handle);

/* Return whether the event that ends the recording has occurred */
static inline bool trigger_ends(const struct trigger *trigger)
{
	return atomic_load(&trigger->until.has_occurred);
}

/*
 * Read the rest of the events, start the action if that is due, and wait for its
 * command. Without an @error, report events that did not occur.
 */
void trigger_end(struct trigger *trigger, int device, TRACEHANDLE handle,
		 int error);

#endif /* EVNT_TRIGGER_H */
