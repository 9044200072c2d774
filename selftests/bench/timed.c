// SPDX-License-Identifier: MIT
/* Shared by the programs that measure time rather than instructions. */
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "timed.h"

FILE *timed_options(int argc, char **argv, const char **kernel)
{
	FILE *out = stdout;
	int c;

	*kernel = "";
	while (out && (c = getopt(argc, argv, "k:o:")) != -1) {
		if (c == 'k')
			*kernel = optarg;
		else
			out = c == 'o' ? fopen(optarg, "a") : NULL;
	}
	if (!out)
		perror(argv[0]);
	return out;
}

static double read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

double timed_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double timed_cpu(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void timed_pin(unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}
