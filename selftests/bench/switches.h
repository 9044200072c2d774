/* SPDX-License-Identifier: MIT */
/* Switches between two threads, to measure what their events add. */
#ifndef EVNT_BENCH_SWITCHES_H
#define EVNT_BENCH_SWITCHES_H

/* Switches, and wake-ups, of one round */
#define BENCH_SWITCHES	2

/* Switch to another thread and back, @n times; each wakes the other */
void bench_switches(unsigned int n);

#endif /* EVNT_BENCH_SWITCHES_H */
