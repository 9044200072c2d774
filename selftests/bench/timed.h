/* SPDX-License-Identifier: MIT */
/*
 * What the programs share that measure time, rather than instructions.
 */
#ifndef EVNT_BENCH_TIMED_H
#define EVNT_BENCH_TIMED_H

#include <stdio.h>

/* -k KERNEL, -o FILE; optind is left at what follows.  NULL: do not go on */
FILE *timed_options(int argc, char **argv, const char **kernel);
/* The clock, in ns */
double timed_now(void);
/* This thread runs on this processor from now on */
void timed_pin(unsigned int cpu);

#endif /* EVNT_BENCH_TIMED_H */
