/* SPDX-License-Identifier: MIT */
/*
 * Sessions that are watched in real time: a thread for each prints its events as
 * they come, another one tells what was lost, when it is lost.
 */
#ifndef EVNT_WATCH_H
#define EVNT_WATCH_H

#include <pthread.h>

#include <evntcons.h>

#include "decode.h"
#include "spec.h"
#include "trace_door.h"

/**
 * struct watched - a session
 * @watch: whose
 * @session: as it was when it was queried last
 * @told: what of its losses was told
 * @told_events: what of @missed_events, so
 * @told_buffers: of @missed_buffers
 * @before: what it had lost when it was met
 * @file: what the library is to call
 * @trace: open
 * @thread: runs ProcessTrace()
 * @error: what that returned
 * @events: that were printed; under watch_lock, so what follows
 * @missed_events: not for us, as we were too slow
 * @missed_buffers: that these were in
 * @has_ended: there will be no more
 */
struct watched {
	struct watch *watch;
	struct door_session session;
	struct evntrace_session told;
	ULONG told_events;
	ULONG told_buffers;
	struct evntrace_session before;
	EVENT_TRACE_LOGFILEA file;
	TRACEHANDLE trace;
	pthread_t thread;
	ULONG error;
	unsigned long long events;
	ULONG missed_events;
	ULONG missed_buffers;
	bool has_ended;
};

/**
 * struct watch - all of them
 * @decode: how events are printed
 * @specs: which are, if there are any
 * @door: /dev/evntrace
 * @sessions: they
 * @count: how many
 * @running: how many of them have a thread
 * @teller: the thread that tells of losses, if @has_teller
 * @is_over: it is to end; under watch_lock
 */
struct watch {
	struct decode decode;
	struct spec_list specs;
	int door;
	struct watched *sessions;
	size_t count;
	size_t running;
	pthread_t teller;
	bool has_teller;
	bool is_over;
};

/* Opens a session, as door_query() has it; returns an exit code */
int watch_add(struct watch *watch, const struct door_session *session);

/* Starts the threads; signals that they are not to get are blocked */
int watch_begin(struct watch *watch);

/* Whether all sessions have ended, or nobody reads what is printed */
bool watch_is_over(struct watch *watch);

/* Whether nobody reads what is printed */
bool output_is_closed(void);

/* Has those end that go on: what came so far is printed */
void watch_close(struct watch *watch);

/* Waits for the threads, which end when all sessions have */
void watch_wait(struct watch *watch);

/* Tells what came of it all; returns an exit code */
int watch_tell(struct watch *watch);

void watch_free(struct watch *watch);

#endif /* EVNT_WATCH_H */
