/* SPDX-License-Identifier: MIT */
/*
 * Locks and fork(): a child has none of the threads that would let go of them.
 */
#ifndef EVNT_FORK_LOCK_H
#define EVNT_FORK_LOCK_H

#include <pthread.h>

/*
 * Have fork() wait for a lock, and the child find what it guards complete.  Once in
 * a file, behind the lock; no other lock may be taken under this one.
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
