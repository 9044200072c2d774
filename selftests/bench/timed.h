/* SPDX-License-Identifier: MIT */
/* Shared by the programs that measure time rather than instructions. */
#ifndef EVNT_BENCH_TIMED_H
#define EVNT_BENCH_TIMED_H

#include <stdio.h>

/* Parse -k KERNEL, -o FILE; optind is set to the rest. NULL: exit */
FILE *timed_options(int argc, char **argv, const char **kernel);
/* The clock, in ns */
double timed_now(void);
/* Processor time of this thread, in ns */
double timed_cpu(void);
/* Pin this thread to a processor */
void timed_pin(unsigned int cpu);

#endif /* EVNT_BENCH_TIMED_H */
