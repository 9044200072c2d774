// SPDX-License-Identifier: MIT
/*
 * Switches between two threads on one processor, which wake each other.  They
 * have one real-time priority, so that neither preempts the other, and each
 * waits until it is woken.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "switches.h"

static int there[2], back[2];

static void *answer(void *context)
{
	char byte;

	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	return context;
}

void bench_switches(unsigned int n)
{
	static const struct sched_param param = { .sched_priority = 1 };
	static pthread_t thread;
	char byte = 0;

	if (!thread && (sched_setscheduler(0, SCHED_FIFO, &param) ||
			pipe(there) || pipe(back) ||
			pthread_create(&thread, NULL, answer, NULL)))
		return;
	while (n--)
		if (write(there[1], &byte, 1) != 1 ||
		    read(back[0], &byte, 1) != 1)
			return;
}
