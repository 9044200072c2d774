/* SPDX-License-Identifier: MIT */
/*
 * Number of the processor that the caller runs on.
 */
#ifndef EVNT_CURRENT_CPU_H
#define EVNT_CURRENT_CPU_H

#ifndef _GNU_SOURCE
#error "sched_getcpu() needs _GNU_SOURCE"
#endif
#include <sched.h>
#include <stddef.h>

#if defined(__x86_64__) && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>

/* Missing in older C libraries than the one that this is compiled with */
#pragma weak __rseq_offset
#endif

/*
 * Return the number, which may be another one by now.  It may be -1, and may
 * exceed the number of processors: callers take the remainder, or compare.
 */
static inline unsigned int evnt_current_cpu(void)
{
#if defined(__x86_64__) && __has_include(<sys/rseq.h>)
	int cpu = -1;

	/* The kernel writes it; negative if it was refused */
	if (__builtin_expect(!!&__rseq_offset, 1))
		__asm__ volatile("mov %%fs:%c2(%1), %0" : "=r" (cpu) :
				 "r" (__rseq_offset),
				 "i" (offsetof(struct rseq, cpu_id)));
	if (__builtin_expect(cpu >= 0, 1))
		return cpu;
#endif
	return sched_getcpu();
}

#endif /* EVNT_CURRENT_CPU_H */
