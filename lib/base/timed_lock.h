/* SPDX-License-Identifier: MIT */
/*
 * Locks whose owner may never release them: a signal handler that exits may
 * have interrupted it.
 */
#ifndef EVNT_TIMED_LOCK_H
#define EVNT_TIMED_LOCK_H

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* Take the lock, waiting for half a second at most */
static inline int evnt_timed_lock_once(pthread_mutex_t *lock)
{
#ifdef __SANITIZE_THREAD__
	/* ThreadSanitizer does not notice pthread_mutex_clocklock() */
	const clockid_t clock = CLOCK_REALTIME;
#else
	const clockid_t clock = CLOCK_MONOTONIC;
#endif
	struct timespec until;

	clock_gettime(clock, &until);
	until.tv_nsec += 500000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
#ifdef __SANITIZE_THREAD__
	return pthread_mutex_timedlock(lock, &until);
#else
	return pthread_mutex_clocklock(lock, clock, &until);
#endif
}

/**
 * evnt_timed_lock() - take an error-checking lock, waiting for a second at most
 * @lock: the lock
 *
 * The owner has half a second of this time after a stop of the process.
 *
 * Return: 0 or an errno; EDEADLK if this thread, which a signal has
 * interrupted, has the lock: then no other thread changes what it guards.
 */
static inline int evnt_timed_lock(pthread_mutex_t *lock)
{
	int err = evnt_timed_lock_once(lock);

	return err == ETIMEDOUT ? evnt_timed_lock_once(lock) : err;
}

#endif /* EVNT_TIMED_LOCK_H */
