// SPDX-License-Identifier: MIT
/*
 * For how long threads have executed instructions of the process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "processor_time.h"

__thread struct evnt_processor_time evnt_thread_time;
u32 evnt_ticks;

/* As the kernel has measured it, where it says so */
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
 * The same as long as the process, whatever the processor does: it is what times of
 * the process's events are measured with.  Under the lock.
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

static s64 ns_of(const struct timeval *time)
{
	return (time->tv_sec * 1000000ll + time->tv_usec) * 1000;
}

/* Ask the kernel.  Where it says nothing, the thread is taken to run all the time. */
void evnt_processor_look(s64 now)
{
	struct evnt_processor_time *t = &evnt_thread_time;
	struct rusage usage;
	int saved = errno;

	if (!syscall(SYS_getrusage, RUSAGE_THREAD, &usage))
		t->behind = now - ns_of(&usage.ru_utime);
	t->looked = now;
	errno = saved;
}

/* In the child, whose only thread has run for no time yet */
void evnt_processor_time_forked(void)
{
	evnt_thread_time = (struct evnt_processor_time) {};
}
