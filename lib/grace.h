/* SPDX-License-Identifier: MIT */
/*
 * Readers of what private sessions are made of, which is freed when none has it.
 *
 * Readers write events: they take no lock, may be interrupted by a signal whose
 * handler writes events, too, and may be preempted inside.  A thread that takes
 * something out of their sight waits in evnt_grace_wait() until all have left
 * that may have seen it.
 *
 * A reader may never leave: a signal handler may jump out of it, or end the
 * process.  So each reader names its thread, which does not wait for itself, and
 * others do not wait for ever: what such a reader may have seen stays in memory.
 */
#ifndef EVNT_GRACE_H
#define EVNT_GRACE_H

#include <pthread.h>
#include <stdint.h>

#include "internal.h"

/* Each processor begins at a cache line of its own, as far as there are enough */
#define EVNT_READER_LINES	256u
#define EVNT_READERS_A_LINE	8u
#define EVNT_READERS		(EVNT_READER_LINES * EVNT_READERS_A_LINE)

/* What a reader's word has beside its thread */
#define EVNT_READER_PHASE	((uintptr_t)1)
#define EVNT_READER_GIVEN_UP	((uintptr_t)2)
#define EVNT_READER_THREAD	(~(uintptr_t)3)

/* The readers that are inside: a word each; 0: there is none */
extern uintptr_t evnt_readers[EVNT_READERS] EVNT_HIDDEN;
extern uintptr_t evnt_reader_phase EVNT_HIDDEN;

/* A number that differs between threads, and stays in a child: an address */
static inline uintptr_t evnt_reader_self(void)
{
#if defined(__x86_64__) && !defined(__ILP32__)
	uintptr_t self;

	__asm__("mov %%fs:0, %0" : "=r" (self));
	return self;
#else
	return (uintptr_t)pthread_self() & EVNT_READER_THREAD;
#endif
}

uintptr_t *evnt_read_begin_elsewhere(uintptr_t *first, uintptr_t reader);

/**
 * evnt_read_begin() - what is loaded from now on stays until evnt_read_end()
 * @cpu: the processor that this runs on, or did just now
 *
 * Return: for evnt_read_end().
 *
 * (A) The exchange, and the loads behind it of what may be taken out of sight,
 *     pair with that taking, and the loads of the words behind it, in
 *     evnt_grace_wait().  All are sequentially consistent: either the reader is
 *     waited for, or it does not see what was taken.
 */
static inline uintptr_t *evnt_read_begin(unsigned int cpu)
{
	uintptr_t *word = &evnt_readers[cpu % EVNT_READER_LINES *
					EVNT_READERS_A_LINE];
	uintptr_t reader = evnt_reader_self() |
			   __atomic_load_n(&evnt_reader_phase,
					   __ATOMIC_RELAXED);
	uintptr_t none = 0;

	if (__builtin_expect(__atomic_compare_exchange_n(word, &none, reader,
							 false,
							 __ATOMIC_SEQ_CST,
							 __ATOMIC_RELAXED), 1))
		return word;
	return evnt_read_begin_elsewhere(word, reader);
}

/* (B) What was read was so before: pairs with the load by the waiting thread */
static inline void evnt_read_end(uintptr_t *word)
{
	__atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

bool evnt_grace_wait(void);
bool evnt_grace_all_left(void);
void evnt_grace_give_up_own(void);
void evnt_grace_forked(void);

#endif /* EVNT_GRACE_H */
