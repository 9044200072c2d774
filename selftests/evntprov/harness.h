/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's harness, with time enough for a kernel that checks itself on a
 * machine that is emulated and busy.
 */
#ifndef EVNT_HARNESS_H
#define EVNT_HARNESS_H

#include <sched.h>
#include <time.h>

#include "kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	150

/*
 * Number of rounds of a loop that looks for rare orders: a fifth of the rounds
 * given where EVNT_REDUCED is set, as on kernels beyond the first in a gate
 */
static inline unsigned int many(unsigned int times)
{
	const char *reduced = getenv("EVNT_REDUCED");

	return reduced && *reduced ? times / 5 : times;
}

/*
 * The thread stays on a processor, as do those that it makes.  The events of one
 * processor are in a file in their order; those of another may be in front.
 */
static inline void stay_on(unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Of a clock that nobody sets */
static inline time_t monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

#endif /* EVNT_HARNESS_H */
