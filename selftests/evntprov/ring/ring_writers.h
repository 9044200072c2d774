/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that write to rings, in this process or in one that is killed.
 */
#ifndef EVNT_TEST_RING_WRITERS_H
#define EVNT_TEST_RING_WRITERS_H

#include <sys/prctl.h>

#include "selftests/evntprov/ring/ring_log.h"

/* Length of the data behind an event's mark */
static inline unsigned int more_of(unsigned int number)
{
	return number % 100;
}

static inline void *write_on(void *arg)
{
	const unsigned int t = (uintptr_t)arg;
	unsigned int n = 0;

	while (!shared->is_over) {
		if (n >= shared->allowed) {
			usleep(50);
			continue;
		}
		shared->codes |= write_mark(t, n, more_of(n));
		shared->returned[t] = ++n;
	}
	return NULL;
}

static inline void start_writers(pthread_t *threads)
{
	for (unsigned int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, write_on,
			       (void *)(uintptr_t)t);
}

static inline void end_writers(pthread_t *threads)
{
	shared->is_over = true;
	for (unsigned int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
}

/* A process whose threads write @count events each, and which is then killed */
static inline pid_t run_writers(unsigned int count)
{
	pthread_t threads[THREADS];
	pid_t child;

	memset(shared, 0, sizeof(*shared));
	shared->allowed = count;
	child = fork();
	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!provider_register())
		shared->codes = ERROR_GEN_FAILURE;
	shared->handle = handle;
	start_writers(threads);
	while (true)
		pause();
}

/* Wait until a thread has written @count events */
static inline void wait_for_writes(unsigned int t, unsigned int count)
{
	while (shared->returned[t] < count)
		usleep(10);
}

#endif /* EVNT_TEST_RING_WRITERS_H */
