// SPDX-License-Identifier: MIT
/*
 * Waiting for readers.
 *
 * There are two phases, and the readers of one are not joined by others while
 * they are waited for: so no stream of new readers holds up the waiting thread.  A
 * reader may come late, in a phase that it has seen long before.  Then it sees what
 * is in sight now, and is waited for by the thread that takes that out of sight,
 * which waits for both phases.
 */
#include <sched.h>
#include <time.h>

#include "grace.h"

/* How often the processor is handed on before the wait becomes a sleep */
#define YIELDS		20
#define SLEEP_NS	100000
/* All readers leave in less, but for those that are stopped, or will never leave */
#define MAX_TURNS	10000
/* So many signals do not interrupt each other */
#define MAX_NESTED	64

uintptr_t evnt_readers[EVNT_READERS] __attribute__((aligned(64)));
uintptr_t evnt_reader_phase;

/* One waits at a time: phases are its own */
static pthread_mutex_t grace_lock = PTHREAD_MUTEX_INITIALIZER;
/* Whether all readers had left when the last wait was over; atomic */
static bool all_left = true;

static bool is_own(uintptr_t reader)
{
	return (reader & EVNT_READER_THREAD) == evnt_reader_self();
}

/* Take a word that this thread has left by a jump, if there are so many */
static uintptr_t *take_own(uintptr_t reader)
{
	unsigned int i, nested = 0;

	for (i = 0; i < EVNT_READERS; i++) {
		if (!is_own(__atomic_load_n(&evnt_readers[i],
					    __ATOMIC_RELAXED)) ||
		    nested++ < MAX_NESTED)
			continue;
		__atomic_store_n(&evnt_readers[i], reader, __ATOMIC_SEQ_CST);
		return &evnt_readers[i];
	}
	return NULL;
}

/**
 * evnt_read_begin_elsewhere() - find another word for a reader
 * @first: the word that is in use
 * @reader: what the reader writes to its word
 *
 * In any context.  Where all are in use, readers of other threads are inside, which
 * leave, or this one has left many of them by jumps.
 *
 * Return: as evnt_read_begin().
 */
uintptr_t *evnt_read_begin_elsewhere(uintptr_t *first, uintptr_t reader)
{
	unsigned int i, start = first - evnt_readers;
	uintptr_t *word, none;

	for (;;) {
		for (i = 1; i < EVNT_READERS; i++) {
			word = &evnt_readers[(start + i) % EVNT_READERS];
			none = 0;
			if (__atomic_compare_exchange_n(word, &none, reader,
							false,
							__ATOMIC_SEQ_CST,
							__ATOMIC_RELAXED))
				return word;
		}
		word = take_own(reader);
		if (word)
			return word;
		sched_yield();
	}
}

/*
 * Wait until a reader has left; return whether it has.  @turns counts how often one
 * was looked at in vain.
 */
static bool await_reader(uintptr_t *word, uintptr_t reader,
			 unsigned int *turns)
{
	const struct timespec nap = { .tv_nsec = SLEEP_NS };

	if (reader & EVNT_READER_GIVEN_UP || is_own(reader))
		return false;
	for (; *turns < MAX_TURNS; ++*turns) {
		if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != reader)
			return true;
		if (*turns < YIELDS)
			sched_yield();
		else
			nanosleep(&nap, NULL);
	}
	/* Others are not to wait for it as long; false: it has just left */
	return !__atomic_compare_exchange_n(word, &reader,
					    reader | EVNT_READER_GIVEN_UP,
					    false, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED);
}

/* Return whether all readers of a phase have left */
static bool await_phase(uintptr_t phase)
{
	unsigned int i, turns = 0;
	uintptr_t reader;
	bool left = true;

	for (i = 0; i < EVNT_READERS; i++) {
		reader = __atomic_load_n(&evnt_readers[i], __ATOMIC_SEQ_CST);
		if (reader && (reader & EVNT_READER_PHASE) == phase &&
		    !await_reader(&evnt_readers[i], reader, &turns))
			left = false;
	}
	return left;
}

/**
 * evnt_grace_wait() - wait until all have left who were reading
 *
 * What was taken out of their sight by a sequentially consistent store before is
 * in no reader's sight then.  Not for readers to call; a signal handler that has
 * interrupted one, or jumped out of it, may.
 *
 * Return: false when a reader has not left: nothing may be freed that it may have
 * seen.
 */
bool evnt_grace_wait(void)
{
	unsigned int turn;
	uintptr_t phase;
	bool left = true;

	pthread_mutex_lock(&grace_lock);
	for (turn = 0; turn < 2; turn++) {
		phase = __atomic_fetch_xor(&evnt_reader_phase,
					   EVNT_READER_PHASE,
					   __ATOMIC_SEQ_CST);
		left &= await_phase(phase);
	}
	__atomic_store_n(&all_left, left, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&grace_lock);
	return left;
}

/*
 * Whether what was out of sight before the caller's last wait may be freed.  A wait
 * of another thread may have followed: it began later, and has seen no less.
 */
bool evnt_grace_all_left(void)
{
	return __atomic_load_n(&all_left, __ATOMIC_RELAXED);
}

/* The process ends on this thread: others do not wait for what it is inside of */
void evnt_grace_give_up_own(void)
{
	unsigned int i;

	for (i = 0; i < EVNT_READERS; i++) {
		if (is_own(__atomic_load_n(&evnt_readers[i], __ATOMIC_RELAXED)))
			__atomic_fetch_or(&evnt_readers[i],
					  EVNT_READER_GIVEN_UP,
					  __ATOMIC_SEQ_CST);
	}
}

/*
 * In the child: its parent's other threads will never leave.  The one that is here
 * may be a reader, which a signal has interrupted: it leaves where it came in.
 */
void evnt_grace_forked(void)
{
	unsigned int i;

	for (i = 0; i < EVNT_READERS; i++) {
		if (!is_own(evnt_readers[i]))
			evnt_readers[i] = 0;
	}
	pthread_mutex_init(&grace_lock, NULL);
}
