/* SPDX-License-Identifier: MIT */
/*
 * Who is reading what private sessions are made of, so that it is freed when
 * nobody is.
 *
 * Readers write events: they take no lock, may be interrupted by a signal whose
 * handler writes events, too, and may be preempted inside.  Whoever takes
 * something out of their sight waits in evnt_grace_wait() until all have left
 * who may have seen it.
 */
#ifndef EVNT_GRACE_H
#define EVNT_GRACE_H

#include "internal.h"

#define EVNT_STRIPES	64u

/**
 * struct evnt_stripe - readers that came in on some of the processors
 * @inside: how many are inside, by the phase in which they came
 */
struct evnt_stripe {
	unsigned int inside[2];
} __attribute__((aligned(64)));

/**
 * struct evnt_readers - all readers
 * @before: in a process that was forked, its parent's, who have not come along
 * @stripe: they
 */
struct evnt_readers {
	struct evnt_readers *before;
	struct evnt_stripe stripe[EVNT_STRIPES];
};

extern struct evnt_readers *evnt_readers EVNT_HIDDEN;
extern unsigned int evnt_reader_phase EVNT_HIDDEN;

/**
 * evnt_read_begin() - what is loaded from now on stays until evnt_read_end()
 * @cpu: the processor that this runs on, or did just now
 *
 * Return: for evnt_read_end().
 *
 * (A) The increment, and the loads behind it of what may be taken out of sight,
 *     pair with that taking, and the loads of the counters behind it, in
 *     evnt_grace_wait().  All are sequentially consistent: either the reader is
 *     waited for, or it does not see what was taken.
 */
static inline unsigned int *evnt_read_begin(unsigned int cpu)
{
	struct evnt_readers *all = __atomic_load_n(&evnt_readers,
						   __ATOMIC_RELAXED);
	unsigned int phase = __atomic_load_n(&evnt_reader_phase,
					     __ATOMIC_RELAXED);
	unsigned int *inside = &all->stripe[cpu % EVNT_STRIPES].inside[phase];

	__atomic_fetch_add(inside, 1, __ATOMIC_SEQ_CST);
	return inside;
}

/* (B) What was read was so before: pairs with the load by who waits for it */
static inline void evnt_read_end(unsigned int *inside)
{
	__atomic_fetch_sub(inside, 1, __ATOMIC_RELEASE);
}

void evnt_grace_wait(void);
void evnt_grace_forked(void);

#endif /* EVNT_GRACE_H */
