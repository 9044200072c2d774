/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's harness, with timeouts long enough for a debug kernel on a busy
 * emulated machine.
 */
#ifndef EVNT_HARNESS_H
#define EVNT_HARNESS_H

#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	150

/*
 * Number of rounds for a loop that looks for rare interleavings: a fifth of
 * @times if EVNT_REDUCED is set, as on all kernels but the first of a gate
 */
static inline unsigned int many(unsigned int times)
{
	const char *reduced = getenv("EVNT_REDUCED");

	return reduced && *reduced ? times / 5 : times;
}

/* Value of an environment variable, if it is set */
static inline unsigned int number_of(const char *name, unsigned int otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

/*
 * Pin the thread, and threads that it creates, to a processor.  A file has the
 * events of one processor in order; events of others may come before them.
 */
static inline void stay_on(unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Whether spinlocks may sleep (PREEMPT_RT) */
static inline bool is_rt(void)
{
	struct utsname name;

	return !uname(&name) && strstr(name.version, "PREEMPT_RT");
}

/* Seconds of a clock that cannot be set */
static inline time_t monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

#endif /* EVNT_HARNESS_H */
