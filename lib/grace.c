// SPDX-License-Identifier: MIT
/*
 * Waiting for readers.
 *
 * There are two phases, and the readers of one are not joined by others while
 * they are waited for: so no stream of new readers holds up who waits.  A reader
 * may come late, in a phase that it has seen long before.  Then it sees what is in
 * sight now, and is waited for by who takes that out of sight: he waits for both.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "grace.h"

/* How often the processor is handed on before the wait becomes a sleep */
#define YIELDS		20
#define SLEEP_NS	100000

static struct evnt_readers first_readers;
struct evnt_readers *evnt_readers = &first_readers;
unsigned int evnt_reader_phase;

/* One waits at a time: phases are its own */
static pthread_mutex_t grace_lock = PTHREAD_MUTEX_INITIALIZER;

static void await_stripe(const unsigned int *inside)
{
	const struct timespec nap = { .tv_nsec = SLEEP_NS };
	unsigned int turns;

	for (turns = 0; __atomic_load_n(inside, __ATOMIC_SEQ_CST); turns++) {
		if (turns < YIELDS)
			sched_yield();
		else
			nanosleep(&nap, NULL);
	}
}

static void await_phase(unsigned int phase)
{
	unsigned int i;

	for (i = 0; i < EVNT_STRIPES; i++)
		await_stripe(&evnt_readers->stripe[i].inside[phase]);
}

/**
 * evnt_grace_wait() - wait until all have left who were reading
 *
 * What was taken out of their sight by a sequentially consistent store before is
 * in nobody's sight then.  Not to be called by a reader.
 */
void evnt_grace_wait(void)
{
	unsigned int turn, phase;

	pthread_mutex_lock(&grace_lock);
	for (turn = 0; turn < 2; turn++) {
		phase = __atomic_fetch_xor(&evnt_reader_phase, 1,
					   __ATOMIC_SEQ_CST);
		await_phase(phase);
	}
	pthread_mutex_unlock(&grace_lock);
}

/*
 * In the child: its parent's other threads will never leave.  The one that is
 * here may be a reader, which a signal has interrupted: it leaves where it came
 * in.  Without memory, who was inside is forgotten.
 */
void evnt_grace_forked(void)
{
	struct evnt_readers *fresh;

	fresh = aligned_alloc(_Alignof(struct evnt_readers), sizeof(*fresh));
	if (!fresh)
		fresh = evnt_readers;
	else
		*fresh = (struct evnt_readers) { .before = evnt_readers };
	if (fresh == evnt_readers)
		memset(fresh->stripe, 0, sizeof(fresh->stripe));
	evnt_readers = fresh;
	pthread_mutex_init(&grace_lock, NULL);
}
