// SPDX-License-Identifier: MIT
/*
 * Life of the process: fork(), and its end, or the end of the library if it is
 * part of a library that is unloaded.
 *
 * At the end, callbacks end first, by a function of atexit().  It runs before
 * objects are destroyed that existed when the provider was registered.  Events
 * are accepted until the library's destructor runs.  Every wait has a limit
 * then, as other threads may wait for the caller.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/read_section.h"
#include "lib/base/timed_lock.h"
#include "lib/provider/hooks.h"
#include "lib/provider/manifest_note.h"
#include "lib/provider/registration.h"
#include "lib/ring/ring.h"

/*
 * Maximum number of atexit() functions.  The C library has memory for 32: if it
 * allocates for more, exit() frees, which a signal handler must not do.
 */
#define MAX_WATCHES	16u

/* At the end: maximum time to wait for evnt_lib_lock, in seconds */
#define MAX_TRIES	10u

/* Error-checking: its holder may be interrupted by a handler that exits */
pthread_mutex_t evnt_lib_lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

pid_t evnt_exit_home;

const struct evnt_provider_hooks *const evnt_hooks = &evnt_private_hooks;

/**
 * evnt_exit_watch() - end callbacks before older objects are destroyed
 *
 * Called when a provider with a callback is registered.  The callback may use
 * objects that are older than the registration: they are destroyed after
 * callbacks have ended.  Beyond the limit, callbacks end together with the
 * callbacks of earlier registrations.
 */
void evnt_exit_watch(void)
{
	static unsigned int watches;

	if (__atomic_fetch_add(&watches, 1, __ATOMIC_RELAXED) < MAX_WATCHES)
		atexit(evnt_callback_end);
	else
		__atomic_fetch_sub(&watches, 1, __ATOMIC_RELAXED);
}

/* Whether the owner of evnt_lib_lock is lost, as the process ends; atomic */
static bool owner_is_lost;

/**
 * evnt_lib_relock() - take evnt_lib_lock on a thread that may have a session
 *
 * If the process ends and the lock's owner is lost, this completes the session
 * and does not return.
 */
void evnt_lib_relock(void)
{
	while (evnt_timed_lock(&evnt_lib_lock)) {
		if (__atomic_load_n(&owner_is_lost, __ATOMIC_ACQUIRE))
			evnt_hooks->lock_lost();
	}
}

/* False in a signal handler that has interrupted the owner of the lock */
static bool fork_has_lock;

static void before_fork(void)
{
	fork_has_lock = !pthread_mutex_lock(&evnt_lib_lock);
	evnt_rings_fork_begin();
	if (!fork_has_lock)
		return;
	evnt_manifest_fork_begin();
}

static void after_fork_in_parent(void)
{
	if (fork_has_lock)
		pthread_mutex_unlock(&evnt_lib_lock);
}

/* The child has the parent's memory and descriptors, but none of its threads */
static void after_fork_in_child(void)
{
	/* The recorded owner is a thread of the parent */
	evnt_lib_lock = (pthread_mutex_t)
			PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	pthread_mutex_lock(&evnt_lib_lock);
	evnt_exit_home = getpid();
	evnt_manifest_forked();
	evnt_rings_forked();
	evnt_callback_forked();
	evnt_hooks->forked();
	evnt_device_forked();
	if (fork_has_lock)
		pthread_mutex_unlock(&evnt_lib_lock);
}

/*
 * Install the handlers at once, with or without a device, as any thread may
 * hold the lock during fork(); and before all constructors of a program that is
 * linked with the static library, whose lowest priority is 101.
 */
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
static void __attribute__((constructor(100))) handle_forks(void)
{
	evnt_exit_home = getpid();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/*
 * Run after all destructors of a program that is linked with the static
 * library, whose lowest priority is 101.
 */
static void __attribute__((destructor(100))) end(void)
{
	unsigned int tries = 0;
	int err;

	/* Without fork handlers, a child has neither threads nor logs */
	if (getpid() != evnt_exit_home)
		return;
	evnt_callback_end();
	evnt_read_section_give_up_own();
	/* On a busy machine, the owner may not run for a second */
	do {
		err = evnt_timed_lock(&evnt_lib_lock);
	} while (err == ETIMEDOUT && ++tries < MAX_TRIES);
	if (err)
		__atomic_store_n(&owner_is_lost, true, __ATOMIC_RELEASE);
	if (!evnt_hooks->exit(!err))
		return;
	evnt_device_unused(false);
	pthread_mutex_unlock(&evnt_lib_lock);
}
