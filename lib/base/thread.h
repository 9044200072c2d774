/* SPDX-License-Identifier: MIT */
/*
 * State of the calling thread.  It is one variable, so that a write computes one
 * address.
 */
#ifndef EVNT_LIB_THREAD_H
#define EVNT_LIB_THREAD_H

#include "lib/base/internal.h"

struct evnt_ring;

/**
 * struct evnt_processor_time - processor time of a thread; see processor_time.h
 * @looked: time of the last query, in ns of CLOCK_BOOTTIME
 * @behind: @looked minus the time that the query returned
 * @last: time recorded in the last event, in ns
 */
struct evnt_processor_time {
	LONGLONG looked;
	LONGLONG behind;
	LONGLONG last;
};

/**
 * struct evnt_thread - state of a thread
 * @activity: its activity id
 * @ring: its ring, or NULL; if the ring's owner is another thread, it was
 *	created after a fork, and this thread has none
 * @is_busy: the thread is writing a record; a signal handler that interrupts it
 *	must not write another one
 * @reads_counter: @ring is not NULL, and its records have times of the counter
 * @state: both
 * @thread_id: the kernel's ID of the thread, or 0 if it is not known yet
 * @process_id: ID of its process, known if @thread_id is
 * @time: its processor time
 */
struct evnt_thread {
	GUID activity;
	struct evnt_ring *ring;
	union {
		struct {
			USHORT is_busy;
			USHORT reads_counter;
		};
		ULONG state;
	};
	ULONG thread_id;
	ULONG process_id;
	struct evnt_processor_time time;
};

/* Value of @state of a thread that is not busy and reads the counter */
#define EVNT_THREAD_READS_COUNTER	0x10000u

extern __thread struct evnt_thread evnt_thread EVNT_HIDDEN;

#endif /* EVNT_LIB_THREAD_H */
