/* SPDX-License-Identifier: MIT */
/* Work of the kernel for programs, to measure the cost of its events. */
#ifndef EVNT_BENCH_KERNEL_WORK_H
#define EVNT_BENCH_KERNEL_WORK_H

/* Switches, and wake-ups, of one round */
#define BENCH_SWITCHES	2

/* Switch to another thread and back, @n times; each wakes the other */
void bench_switches(unsigned int n);

/* Events of a system call: its begin and its end */
#define BENCH_CALL_EVENTS	2

void bench_system_calls(unsigned int n);

/* Access a page for the first time, @n times */
void bench_faults(unsigned int n);

#endif /* EVNT_BENCH_KERNEL_WORK_H */
