// SPDX-License-Identifier: MIT
/*
 * Waiting for readers.
 *
 * There are two phases.  While a thread waits for the readers of one phase, new
 * readers enter the other one and do not prolong the wait.  A reader may be
 * late and enter a phase that it has loaded long before.  It then sees what is
 * visible now, and is waited for by the thread that hides that, which waits for
 * both phases.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <time.h>

#include "lib/base/read_section.h"
#include "lib/base/timed_lock.h"

/* Number of times the processor is yielded before the wait sleeps */
#define YIELDS		20
#define SLEEP_NS	100000
/* Limit of polls: longer than readers take, unless they are stopped */
#define MAX_TURNS	10000
/* Maximum number of nested signal handlers */
#define MAX_NESTED	64
/* Maximum time to wait for the lock while the process does not end, in seconds */
#define MAX_TRIES	60

uintptr_t evnt_readers[EVNT_READERS] __attribute__((aligned(64)));
uintptr_t evnt_reader_phase;

/*
 * Serializes waits, each of which changes the phase.  Error-checking: a handler
 * that exits may have interrupted its owner, which then never releases it.
 */
static pthread_mutex_t read_section_lock =
	PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
/* Whether all readers had left at the end of the last wait; atomic */
static bool all_left = true;
/* Whether a wait has run without the lock, so that waits overlap; atomic */
static bool has_overlapped;
/* Whether the process ends, so that the owner of the lock may be lost; atomic */
static bool is_ending;

static bool is_own(uintptr_t reader)
{
	return (reader & EVNT_READER_THREAD) == evnt_reader_self();
}

/* Reuse a word of this thread if it has more than can be nested */
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
 * @first: word that is in use
 * @reader: value to store in the word
 *
 * May be called in any context.  If all words are in use, readers of other
 * threads will leave, or this thread has left many readers by jumps.
 *
 * Return: word for evnt_read_end().
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
 * Wait until a reader has left, and return whether it has.  @turns counts the
 * polls of all readers together.
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
	/* Let later waits skip this reader; a failure means that it has left */
	return !__atomic_compare_exchange_n(word, &reader,
					    reader | EVNT_READER_GIVEN_UP,
					    false, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED);
}

/* Wait for the readers of a phase; return whether all have left */
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

/*
 * Wait without the lock, whose owner may be lost: leave the phase alone, which
 * the owner may be changing, and wait for all readers.  New readers may prolong
 * the wait, up to its limit.
 */
static bool await_both_phases(void)
{
	bool left = await_phase(0);

	left &= await_phase(EVNT_READER_PHASE);
	__atomic_store_n(&has_overlapped, true, __ATOMIC_RELAXED);
	return left;
}

/*
 * Take the lock of waits.  A process that was stopped for a second, or a machine
 * that is busy, has not lost the owner.
 */
static int lock_waits(void)
{
	unsigned int tries = 0;
	int err;

	do
		err = evnt_timed_lock(&read_section_lock);
	while (err == ETIMEDOUT && ++tries < MAX_TRIES &&
	       !__atomic_load_n(&is_ending, __ATOMIC_RELAXED));
	return err;
}

/**
 * evnt_read_section_wait() - wait until all current readers have left
 *
 * Data that was hidden before by a sequentially consistent store is then
 * visible to no reader.  Readers must not call it; a signal handler that has
 * interrupted a reader or a wait, or jumped out of a reader, may.
 *
 * Return: false if a reader has not left: data that it may have seen must not
 * be freed.
 */
bool evnt_read_section_wait(void)
{
	unsigned int turn;
	uintptr_t phase;
	bool left = true;

	if (lock_waits())
		return await_both_phases();
	for (turn = 0; turn < 2; turn++) {
		phase = __atomic_fetch_xor(&evnt_reader_phase,
					   EVNT_READER_PHASE,
					   __ATOMIC_SEQ_CST);
		left &= await_phase(phase);
	}
	__atomic_store_n(&all_left, left, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&read_section_lock);
	return left;
}

/*
 * Return whether data that was hidden before the caller's last wait may be
 * freed.  If another thread has waited since, its wait began later and covers
 * it as well, unless waits have overlapped.
 */
bool evnt_read_section_all_left(void)
{
	return !__atomic_load_n(&has_overlapped, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&all_left, __ATOMIC_RELAXED);
}

/* Give up the readers of this thread, which ends the process */
void evnt_read_section_give_up_own(void)
{
	unsigned int i;

	__atomic_store_n(&is_ending, true, __ATOMIC_RELAXED);
	for (i = 0; i < EVNT_READERS; i++) {
		if (is_own(__atomic_load_n(&evnt_readers[i], __ATOMIC_RELAXED)))
			__atomic_fetch_or(&evnt_readers[i],
					  EVNT_READER_GIVEN_UP,
					  __ATOMIC_SEQ_CST);
	}
}

/*
 * In the child of a fork: other threads of the parent will never leave.  This
 * thread may be a reader that was interrupted by a signal, and leaves by
 * itself.
 */
void evnt_read_section_forked(void)
{
	unsigned int i;

	for (i = 0; i < EVNT_READERS; i++) {
		if (!is_own(evnt_readers[i]))
			evnt_readers[i] = 0;
	}
	read_section_lock = (pthread_mutex_t)
			    PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
}
