/* SPDX-License-Identifier: MIT */
/*
 * Locks and fork(): a child has none of the threads that would release them.
 */
#ifndef EVNT_FORK_LOCK_H
#define EVNT_FORK_LOCK_H

#include <pthread.h>

/*
 * Make fork() take a lock, so that the child finds what it guards complete.
 * Use it once in a file, after the lock; no other lock may be taken under this
 * one.
 */
#define EVNT_FREE_IN_CHILD(lock)					\
	static void take_at_fork(void)					\
	{								\
		pthread_mutex_lock(&(lock));				\
	}								\
									\
	static void release_at_fork(void)				\
	{								\
		pthread_mutex_unlock(&(lock));				\
	}								\
									\
	static void __attribute__((constructor)) watch_forks(void)	\
	{								\
		pthread_atfork(take_at_fork, release_at_fork,		\
			       release_at_fork);			\
	}

#endif /* EVNT_FORK_LOCK_H */
