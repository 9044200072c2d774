/* SPDX-License-Identifier: MIT */
/*
 * Locks whose owner may never release them: a signal handler that exits may
 * have interrupted it.
 */
#ifndef EVNT_TIMED_LOCK_H
#define EVNT_TIMED_LOCK_H

#include <pthread.h>
#include <time.h>

/**
 * evnt_timed_lock() - take an error-checking lock, waiting for a second at most
 * @lock: the lock
 *
 * Return: 0 or an errno; EDEADLK if this thread, which a signal has
 * interrupted, has the lock: then no other thread changes what it guards.
 */
static inline int evnt_timed_lock(pthread_mutex_t *lock)
{
	struct timespec until;

#ifdef __SANITIZE_THREAD__
	/* ThreadSanitizer does not notice pthread_mutex_clocklock() */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	return pthread_mutex_timedlock(lock, &until);
#else
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	return pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &until);
#endif
}

#endif /* EVNT_TIMED_LOCK_H */
