/* SPDX-License-Identifier: MIT */
/*
 * Locks and fork(): a child has none of the threads that would release them.
 */
#ifndef EVNT_FORK_LOCK_H
#define EVNT_FORK_LOCK_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Make fork() take a lock, so that the child finds what it guards complete,
 * unless fork() is called by a signal handler that has interrupted the owner.
 * Then the owner goes on, in both processes.
 *
 * Use it once in a file, after the lock, which must be error-checking; no other
 * lock may be taken under this one.
 */
#define EVNT_FREE_IN_CHILD(lock)					\
	static bool fork_has_lock;					\
									\
	static void take_at_fork(void)					\
	{								\
		fork_has_lock = !pthread_mutex_lock(&(lock));		\
	}								\
									\
	static void release_at_fork(void)				\
	{								\
		if (fork_has_lock)					\
			pthread_mutex_unlock(&(lock));			\
	}								\
									\
	/* The recorded owner is a thread of the parent */		\
	static void renew_at_fork(void)					\
	{								\
		(lock) = (pthread_mutex_t)				\
			 PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;	\
		if (!fork_has_lock)					\
			pthread_mutex_lock(&(lock));			\
	}								\
									\
	static void __attribute__((constructor)) watch_forks(void)	\
	{								\
		pthread_atfork(take_at_fork, release_at_fork,		\
			       renew_at_fork);				\
	}

#endif /* EVNT_FORK_LOCK_H */
