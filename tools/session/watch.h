/* SPDX-License-Identifier: MIT */
/*
 * Reads sessions in real time: a thread for each session prints events as they
 * come, and another one reports losses as they occur
 */
#ifndef EVNT_WATCH_H
#define EVNT_WATCH_H

#include <pthread.h>

#include <evntcons.h>

#include "tools/events/decode.h"
#include "tools/session/provider_spec.h"
#include "tools/session/control.h"
#include "tools/session/trigger.h"

/**
 * struct watched - a session being read
 * @watch: owner
 * @session: properties at the last query
 * @reported: counters already reported
 * @reported_events: part of @missed_events already reported
 * @reported_buffers: part of @missed_buffers already reported
 * @before: counters when reading began
 * @file: argument of OpenTrace()
 * @trace: trace handle
 * @thread: thread that runs ProcessTrace()
 * @error: result of ProcessTrace()
 * @events: number of printed events; protected by watch_lock, like the members
 *   below
 * @missed_events: number of events missed because printing was too slow
 * @missed_buffers: number of buffers that contained them
 * @has_ended: ProcessTrace() has returned
 */
struct watched {
	struct watch *watch;
	struct dev_session session;
	struct evntrace_session reported;
	ULONG reported_events;
	ULONG reported_buffers;
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
 * struct watch - all sessions being read
 * @decode: options for printing events
 * @trigger: event with which printing ends
 * @specs: providers to print; empty: all
 * @device: descriptor of /dev/evntrace
 * @sessions: sessions
 * @count: number of sessions
 * @running: number of sessions with a thread
 * @reporter: thread that reports losses, if @has_teller
 * @is_closed: the traces have been closed; without a lock, as a thread that
 *   prints may hold watch_lock for long
 * @is_over: the teller must end; protected by watch_lock
 */
struct watch {
	struct decode decode;
	struct trigger trigger;
	struct spec_list specs;
	int device;
	struct watched *sessions;
	size_t count;
	size_t running;
	pthread_t reporter;
	bool has_teller;
	atomic_bool is_closed;
	bool is_over;
};

/* Open a session obtained by dev_query(); return an exit code */
int watch_add(struct watch *watch, const struct dev_session *session);

/*
 * Start the threads. The caller must have blocked the signals that it handles.
 */
int watch_begin(struct watch *watch);

/* Return whether all sessions have ended, or stdout is closed */
bool watch_is_over(struct watch *watch);

/* Return whether the reader of stdout has closed it */
bool output_is_closed(void);

/* End reading; events received so far are printed */
void watch_close(struct watch *watch);

/* Wait for the threads, which end with their sessions */
void watch_wait(struct watch *watch);

/* Report the results; return an exit code */
int watch_report(struct watch *watch);

void watch_free(struct watch *watch);

#endif /* EVNT_WATCH_H */
