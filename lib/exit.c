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
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "exit.h"
#include "grace.h"
#include "logger.h"
#include "private.h"
#include "registration.h"

/* Functions of atexit() that there may be: as many as each system has room for */
#define MAX_WATCHES	32u
#define NAP_NS		1000000
#define MAX_NAPS	1000u

pid_t evnt_exit_home;

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

/**
 * evnt_exit_lock() - take evnt_lib_lock, if that takes no longer than a second
 *
 * Return: 0, or an errno; EDEADLK when this thread has it already, which a signal has
 * interrupted: then nobody else changes what it guards.
 */
int evnt_exit_lock(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	return pthread_mutex_timedlock(&evnt_lib_lock, &until);
}

/* Behind all destructors of a program that has the library in it: 101 is the least */
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
static void __attribute__((destructor(100))) end(void)
{
	int err;

	/* In a child of which no handler was told there are neither threads nor logs */
	if (getpid() != evnt_exit_home)
		return;
	evnt_callback_end();
	evnt_grace_give_up_own();
	err = evnt_exit_lock();
	if (err && err != EDEADLK)
		return;
	evnt_private_end_all(!err);
	if (err)
		return;
	evnt_loggers_end();
	pthread_mutex_unlock(&evnt_lib_lock);
}
