/* SPDX-License-Identifier: MIT */
/*
 * Thread cancellation: functions of the library are not cancellation points,
 * except where they wait for a session's events.
 */
#ifndef EVNT_CANCEL_H
#define EVNT_CANCEL_H

#include <pthread.h>

static inline int evnt_cancel_disable(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}

static inline void evnt_cancel_restore(const int *state)
{
	pthread_setcancelstate(*state, NULL);
}

/* Declare to disable cancellation of the calling thread until the block ends */
#define EVNT_UNCANCELLED						\
	const int cancel_state_						\
	__attribute__((unused, cleanup(evnt_cancel_restore))) =		\
		evnt_cancel_disable()

#endif /* EVNT_CANCEL_H */
