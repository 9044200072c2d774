// SPDX-License-Identifier: MIT
/*
 * The end of the process, or of the library, where it is part of another one that
 * is unloaded.
 *
 * Callbacks end first: a function of atexit() ends them, which runs before the
 * objects are destroyed that were there when the provider was registered.  Events are
 * taken until the library's destructor runs.
 *
 * No wait is without a limit here: what is waited for may wait for the caller.
 */
#include <stdlib.h>
#include <time.h>

#include "exit.h"
#include "logger.h"
#include "private.h"
#include "registration.h"

/* Functions of atexit() that there may be: as many as each system has room for */
#define MAX_WATCHES	32u
#define NAP_NS		1000000
#define MAX_NAPS	1000u

/**
 * evnt_exit_watch() - a provider with a callback is registered
 *
 * Its callback may use objects that are older than the registration: these are
 * destroyed after the callbacks have ended.  Beyond the limit, callbacks end when the
 * first registrations' do.
 */
void evnt_exit_watch(void)
{
	static unsigned int watches;

	if (__atomic_fetch_add(&watches, 1, __ATOMIC_RELAXED) < MAX_WATCHES)
		atexit(evnt_callback_end);
	else
		__atomic_fetch_sub(&watches, 1, __ATOMIC_RELAXED);
}

/* Wait until something is done, for about a second; return whether it is */
bool evnt_exit_await(bool (*is_done)(void))
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	unsigned int naps;

	for (naps = 0; !is_done(); naps++) {
		if (naps == MAX_NAPS)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

static bool try_lock(void)
{
	return !pthread_mutex_trylock(&evnt_lib_lock);
}

/* Take evnt_lib_lock, unless its owner keeps it; return whether it is taken */
bool evnt_exit_lock(void)
{
	return evnt_exit_await(try_lock);
}

static void __attribute__((destructor)) end(void)
{
	evnt_callback_end();
	evnt_loggers_end();
	evnt_private_end_all();
}
