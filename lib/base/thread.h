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
 * struct evnt_thread - state of a thread
 * @activity: its activity id
 * @ring: its ring, or NULL; if the ring's owner is another thread, it was
 *	created after a fork, and this thread has none
 * @is_busy: the thread is writing a record; a signal handler that interrupts it
 *	must not write another one
 * @reads_tsc: @ring is not NULL, and its records have times of EVNTPROV_RING_TSC
 * @state: both
 */
struct evnt_thread {
	GUID activity;
	struct evnt_ring *ring;
	union {
		struct {
			USHORT is_busy;
			USHORT reads_tsc;
		};
		ULONG state;
	};
};

/* Value of @state of a thread that is not busy and reads the TSC */
#define EVNT_THREAD_READS_TSC	0x10000u

extern __thread struct evnt_thread evnt_thread EVNT_HIDDEN;

#endif /* EVNT_LIB_THREAD_H */
