// SPDX-License-Identifier: MIT
/*
 * User-mode processor time of threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/private/processor_time.h"

u32 evnt_ticks;

/* Return the frequency measured by the kernel, or 1 where it reports none */
static u32 read_cpu_mhz(void)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[256];
	double mhz = 0;

	while (f && !mhz && fgets(line, sizeof(line), f))
		sscanf(line, "cpu MHz : %lf", &mhz);
	if (f)
		fclose(f);
	return mhz >= 1 ? mhz : 1;
}

/*
 * Return the frequency by which processor times of events are scaled: constant
 * for the life of the process, whatever the processor does.  Locked.
 */
u32 evnt_cpu_mhz(void)
{
	static u32 mhz;

	if (!mhz) {
		mhz = read_cpu_mhz();
		evnt_ticks = (BIT_ULL(EVNT_TICKS_SHIFT) * mhz + 500) / 1000;
	}
	return mhz;
}

/* Query the thread's time; if that fails, it counts as running all the time */
void evnt_processor_look(s64 now)
{
	struct evnt_processor_time *t = &evnt_thread.time;
	struct rusage usage;
	int saved = errno;

	if (!syscall(SYS_getrusage, RUSAGE_THREAD, &usage))
		t->behind = now - (usage.ru_utime.tv_sec * 1000000ll +
				   usage.ru_utime.tv_usec) * 1000;
	t->looked = now;
	errno = saved;
}

/* Reset the time in the child of a fork, whose thread has not run yet */
void evnt_processor_time_forked(void)
{
	evnt_thread.time = (struct evnt_processor_time) {};
}
