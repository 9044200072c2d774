/* SPDX-License-Identifier: MIT */
/*
 * Readers of the data of private sessions, which is freed when no reader has
 * it.
 *
 * Readers write events: they take no lock, may be interrupted by a signal
 * handler that writes events as well, and may be preempted.  A thread that
 * hides data from readers calls evnt_read_section_wait() to wait until all that
 * may have seen it have left.
 *
 * A reader may never leave: a signal handler may jump out of it or end the
 * process.  Therefore each reader records its thread, which does not wait for
 * itself, and waits are limited: data that such a reader may have seen stays in
 * memory.
 */
#ifndef EVNT_READ_SECTION_H
#define EVNT_READ_SECTION_H

#include <pthread.h>
#include <stdint.h>

#include "lib/base/internal.h"

/* Each processor begins at its own cache line, as long as there are enough */
#define EVNT_READER_LINES	256u
#define EVNT_READERS_A_LINE	8u
#define EVNT_READERS		(EVNT_READER_LINES * EVNT_READERS_A_LINE)

/* Contents of a reader's word */
#define EVNT_READER_PHASE	((uintptr_t)1)
#define EVNT_READER_GIVEN_UP	((uintptr_t)2)
#define EVNT_READER_THREAD	(~(uintptr_t)3)

/* Active readers, a word each; 0: unused */
extern uintptr_t evnt_readers[EVNT_READERS] EVNT_HIDDEN;
extern uintptr_t evnt_reader_phase EVNT_HIDDEN;

/* Return a number that differs between threads and survives fork: an address */
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

/* Return the word in which readers on a processor try to record themselves */
static inline uintptr_t *evnt_reader_word(unsigned int cpu)
{
	return &evnt_readers[cpu % EVNT_READER_LINES * EVNT_READERS_A_LINE];
}

/* Return the contents of a new reader's word */
static inline uintptr_t evnt_reader_new(void)
{
	return evnt_reader_self() |
	       __atomic_load_n(&evnt_reader_phase, __ATOMIC_RELAXED);
}

uintptr_t *evnt_read_begin_elsewhere(uintptr_t *first, uintptr_t reader);

/**
 * evnt_read_try_begin() - keep data loaded from now on until evnt_read_end()
 * @cpu: processor that this runs on, or did just now
 *
 * Until evnt_read_end(), no other reader has this processor's word.
 *
 * Return: word for evnt_read_end(), or NULL if a reader has it.
 *
 * (A) The exchange, and the later loads of data that may be hidden, pair with
 *     the store that hides it, and the later loads of the words, in
 *     evnt_read_section_wait().  All are sequentially consistent: either the
 *     reader is waited for, or it does not see the data.
 */
static __always_inline uintptr_t *evnt_read_try_begin(unsigned int cpu)
{
	uintptr_t *word = evnt_reader_word(cpu);
	uintptr_t reader = evnt_reader_new(), none = 0;

	if (__builtin_expect(__atomic_compare_exchange_n(word, &none, reader,
							 false,
							 __ATOMIC_SEQ_CST,
							 __ATOMIC_RELAXED), 1))
		return word;
	return NULL;
}

/* As evnt_read_try_begin(), but take another word if a reader has this one */
static inline uintptr_t *evnt_read_begin(unsigned int cpu)
{
	uintptr_t *word = evnt_read_try_begin(cpu);

	if (__builtin_expect(!!word, 1))
		return word;
	return evnt_read_begin_elsewhere(evnt_reader_word(cpu),
					 evnt_reader_new());
}

/* (B) Order earlier reads before it: pairs with the waiting thread's load */
static inline void evnt_read_end(uintptr_t *word)
{
	__atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

bool evnt_read_section_wait(void);
bool evnt_read_section_all_left(void);
void evnt_read_section_give_up_own(void);
void evnt_read_section_forked(void);

#endif /* EVNT_READ_SECTION_H */
