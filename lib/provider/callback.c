// SPDX-License-Identifier: MIT
/*
 * Enable callbacks: when they run and when they must not.
 *
 * A registration's callback runs on the library's thread.  Only the initial
 * call, for a provider that is already enabled, runs in EventRegister() on the
 * calling thread, so that the provider knows its state when EventRegister()
 * returns.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "evntrace.h"
#include "core/port/port.h"
#include "lib/base/futex.h"
#include "lib/base/timed_lock.h"
#include "lib/provider/hooks.h"
#include "lib/provider/registration.h"

_Static_assert(sizeof(EVENT_FILTER_HEADER) ==
	       sizeof(struct evntprov_filter_header) &&
	       offsetof(EVENT_FILTER_HEADER, InstanceId) ==
	       offsetof(struct evntprov_filter_header, session) &&
	       offsetof(EVENT_FILTER_HEADER, NextOffset) ==
	       offsetof(struct evntprov_filter_header, next_offset) &&
	       EVNTRACE_FILTER_SCHEMATIZED == EVENT_FILTER_TYPE_SCHEMATIZED,
	       "the ABI's header is EVENT_FILTER_HEADER");

/*
 * Number of callbacks that have returned, and of registrations that were
 * removed; changed under evnt_lib_lock
 */
static unsigned int callbacks_done;

/* Number of running callbacks, under evnt_lib_lock, and on this thread */
static unsigned int running_count;
static __thread unsigned int running_here;

/* Whether evnt_callback_changed() defers calls; under evnt_lib_lock */
static bool is_deferred;

/* Whether the process is exiting, so that callbacks must not be called */
static bool is_over;

/* Time after which a waiting thread checks whether the process ends */
#define ROUND_MS	1000

/* At the end of the process: maximum time for callbacks to return */
#define NAP_NS		1000000
#define MAX_WAIT_NS	1000000000

static bool runs_here(const struct evnt_registration *r)
{
	return r->running && pthread_equal(r->runner, pthread_self());
}

/*
 * Find the loaded object that contains a callback's code; NULL for code that
 * was generated at run time.  Take no lock of the dynamic linker, which stays
 * locked in a child if another thread had it at the fork.
 */
static const void *code_of(const struct evnt_registration *r)
{
	/* Function of the program that the callback finally calls */
	const uintptr_t function = r->classic.request ?
				   (uintptr_t)r->classic.request :
				   (uintptr_t)r->callback;
	struct dl_find_object object;

	return _dl_find_object((void *)function, &object) ?
	       NULL : object.dlfo_map_start;
}

/* Record which loaded object contains the callback */
void evnt_callback_note_code(struct evnt_registration *r)
{
	r->code = code_of(r);
}

static void wake_waiters(void)
{
	__atomic_fetch_add(&callbacks_done, 1, __ATOMIC_RELAXED);
	evnt_futex_wake(&callbacks_done);
}

/*
 * Wait until a callback has returned, or for a moment.  Called with
 * evnt_lib_lock, which is released while waiting.
 */
static void await_change(void)
{
	const unsigned int seen = callbacks_done;

	pthread_mutex_unlock(&evnt_lib_lock);
	evnt_futex_wait(&callbacks_done, seen, ROUND_MS);
	evnt_lib_relock();
}

/* Account for a callback that has returned.  Called with evnt_lib_lock. */
static void returned(struct evnt_registration *r)
{
	running_count--;
	running_here--;
	r->running = false;
	wake_waiters();
	evnt_registration_put(r);
}

/*
 * Clean up after a callback that called pthread_exit().  Its callers do not
 * continue, so this also drops the reference of the outer one.
 */
static void thread_ends(void *registration)
{
	struct evnt_registration *r = registration;

	evnt_lib_relock();
	returned(r);
	evnt_registration_put(r);
	pthread_mutex_unlock(&evnt_lib_lock);
}

/* Return the FilterData in a notification, which may be NULL */
static EVENT_FILTER_DESCRIPTOR
filter_data(const struct evntprov_notification *n)
{
	if (!n)
		return (EVENT_FILTER_DESCRIPTOR) {};
	return (EVENT_FILTER_DESCRIPTOR) {
		.Ptr = (uintptr_t)n + n->filter_offset,
		.Size = n->filter_len,
		.Type = n->filter_type,
	};
}

/*
 * Call the callback, without evnt_lib_lock.  Without the notification of a
 * change, it gets the present filter data.
 */
static void run(const struct evnt_registration *r, LPCGUID source,
		ULONG control, const struct evnt_state *s,
		const struct evntprov_notification *n)
{
	struct evntprov_notification *present = NULL;
	EVENT_FILTER_DESCRIPTOR filter = {};

	/*
	 * Do not call it while the process is exiting, as objects that it uses
	 * may be destroyed, and not after its library was unloaded
	 */
	if (__atomic_load_n(&is_over, __ATOMIC_RELAXED) ||
	    code_of(r) != r->code)
		return;
	if (s->enabled || control == EVENT_CONTROL_CODE_CAPTURE_STATE) {
		if (!n)
			present = evnt_device_read_state(r->handle);
		filter = filter_data(n ? n : present);
	}
	r->callback(source, control, s->interest.level, s->interest.match_any,
		    s->interest.match_all, filter.Size ? &filter : NULL,
		    r->context);
	free(present);
}

/* Call an idle callback.  Called with evnt_lib_lock, which is released. */
static void call(struct evnt_registration *r, LPCGUID source, ULONG control,
		 const struct evnt_state *state,
		 const struct evntprov_notification *n)
{
	const struct evnt_state s = *state;

	r->reported = s;
	running_count++;
	running_here++;
	r->running = true;
	r->runner = pthread_self();
	r->refs++;
	pthread_mutex_unlock(&evnt_lib_lock);
	pthread_cleanup_push(thread_ends, r);
	run(r, source, control, &s, n);
	pthread_cleanup_pop(0);
	evnt_lib_relock();
	returned(r);
}

static void report_state(struct evnt_registration *r)
{
	static const GUID empty_set;
	struct evnt_state state = evnt_state_of(r->handle);

	r->behind = false;
	call(r, &empty_set, state.enabled ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
					 EVENT_CONTROL_CODE_DISABLE_PROVIDER,
	     &state, NULL);
}

/*
 * Report changes that arrived while the callback ran, unless another thread
 * does.  Called with evnt_lib_lock and a reference.
 */
static void report_rest(struct evnt_registration *r)
{
	while (r->behind && !r->running &&
	       evnt_registration_lookup(r->handle) == r)
		report_state(r);
}

/*
 * Run the callback of a registration whose callback is idle: parameters as
 * call().  Called with evnt_lib_lock, which is released during the callback.
 */
static void run_idle(struct evnt_registration *r, LPCGUID source,
		     ULONG control, const struct evnt_state *state,
		     const struct evntprov_notification *n)
{
	r->refs++;
	call(r, source, control, state, n);
	report_rest(r);
	evnt_registration_put(r);
}

/* Run an idle callback with the current state; see run_idle() */
static void run_for_state(struct evnt_registration *r)
{
	r->refs++;
	report_state(r);
	report_rest(r);
	evnt_registration_put(r);
}

/**
 * evnt_callback_wait() - wait until a callback has returned
 * @r: registration that has left the table; the caller has a reference
 *
 * Called with evnt_lib_lock, which is released while waiting.  Does not wait if
 * the caller is the callback itself.
 */
void evnt_callback_wait(struct evnt_registration *r)
{
	/* Wake the library's thread if it waits for the removed registration */
	wake_waiters();
	while (r->running && !runs_here(r))
		await_change();
}

/*
 * Wait until a registration's callback is idle.  Return the registration, or
 * NULL if it was removed or the process ends.  Called with evnt_lib_lock, which
 * is released while waiting.
 *
 * Does not wait for the callback of a removed registration: a thread that
 * unregisters inside the callback may be waiting for the caller.
 */
static struct evnt_registration *await_idle(REGHANDLE handle)
{
	struct evnt_registration *r;

	while ((r = evnt_registration_lookup(handle)) && r->running) {
		if (__atomic_load_n(&is_over, __ATOMIC_RELAXED))
			return NULL;
		await_change();
	}
	return r;
}

/* Call the callback of a new registration that is already enabled; locked */
void evnt_callback_initial(struct evnt_registration *r)
{
	if (r->callback && evnt_state_of(r->handle).enabled)
		run_for_state(r);
}

static bool same_state(const struct evnt_state *a, const struct evnt_state *b)
{
	const struct evnt_level_keyword *i = &a->interest, *j = &b->interest;

	return a->enabled == b->enabled && i->level == j->level &&
	       i->match_any == j->match_any && i->match_all == j->match_all;
}

/**
 * evnt_callback_joined() - report the sessions of a group to a new member
 * @handle: registration that has joined the group
 *
 * If the group's sessions change its state, the callback is called before this
 * returns or, if it is running, after it has returned.  Called with
 * evnt_lib_lock, which is released during the callback.
 */
void evnt_callback_joined(REGHANDLE handle)
{
	struct evnt_registration *r = evnt_registration_lookup(handle);
	struct evnt_state state;

	if (!r || !r->callback)
		return;
	state = evnt_state_of(handle);
	if (same_state(&state, &r->reported))
		return;
	if (r->running)
		r->behind = true;
	else
		run_for_state(r);
}

/**
 * evnt_callback_changed() - report a change made by private sessions
 * @handle: registration whose state has changed
 * @source: originator of the change
 *
 * Like evnt_callback_joined(), but notifies even if the state is unchanged.
 */
void evnt_callback_changed(REGHANDLE handle, LPCGUID source)
{
	struct evnt_registration *r = evnt_registration_lookup(handle);
	struct evnt_state state;

	if (!r || !r->callback)
		return;
	if (r->running || is_deferred) {
		r->behind = true;
		return;
	}
	state = evnt_state_of(handle);
	run_idle(r, source, state.enabled ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
					    EVENT_CONTROL_CODE_DISABLE_PROVIDER,
		 &state, NULL);
}

/* Defer calls by evnt_callback_changed() to the next catch-up; locked */
void evnt_callback_defer(bool defer)
{
	is_deferred = defer;
}

/*
 * Request the provider's state for a private session, except from its own
 * callback.  Called with evnt_lib_lock, which is released during the callback.
 */
void evnt_callback_capture(REGHANDLE handle, LPCGUID source)
{
	struct evnt_registration *r = evnt_registration_lookup(handle);
	struct evnt_state state;

	if (!r || !r->callback || runs_here(r))
		return;
	r = await_idle(handle);
	if (!r)
		return;
	state = evnt_state_of(handle);
	run_idle(r, source, EVENT_CONTROL_CODE_CAPTURE_STATE, &state, NULL);
}

/*
 * Mark callbacks as behind after all registrations were made again.  The module
 * does not notify of changes in between, so the new thread reports them.
 * Called with evnt_lib_lock.
 */
void evnt_callback_note_behind(void)
{
	struct evnt_registration *r;
	struct evnt_state state;
	size_t i;

	for (i = 0; i < evnt_slots_end; i++) {
		r = evnt_registrations[i];
		if (!r || !r->callback)
			continue;
		state = evnt_state_of(r->handle);
		/* A classic provider may now be enabled by another session */
		r->behind = !same_state(&state, &r->reported) ||
			    (r->classic.request && state.enabled);
		r->classic.was_disabled = true;
	}
}

/* Run callbacks that are behind; evnt_lib_lock is released during calls */
void evnt_callback_catch_up(void)
{
	struct evnt_registration *r;
	size_t i;

	for (i = 0; i < evnt_slots_end; i++) {
		r = evnt_registrations[i];
		if (!r || !r->behind)
			continue;
		r = await_idle(r->handle);
		if (r && r->behind)
			run_for_state(r);
	}
}

/* Run callbacks that are behind, taking evnt_lib_lock */
void evnt_callback_notify_behind(void)
{
	evnt_lib_relock();
	evnt_callback_catch_up();
	pthread_mutex_unlock(&evnt_lib_lock);
}

/*
 * Determine the control code and the state to report.  The state is read now,
 * not taken from the notification: two threads may have read from two devices,
 * and the older notification may be handled last.
 */
static ULONG state_to_report(const struct evntprov_notification *n,
			     struct evnt_state *state)
{
	*state = (struct evnt_state) {
		n->control, { n->match_any, n->match_all, n->level },
	};
	if (n->control == EVNTPROV_CONTROL_CAPTURE_STATE) {
		state->enabled = evnt_state_of(n->handle).enabled;
		return n->control;
	}
	evnt_state_read(n->handle, state);
	return state->enabled ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
				EVENT_CONTROL_CODE_DISABLE_PROVIDER;
}

static void notify(const struct evntprov_notification *n, bool is_current)
{
	/* The initial callback may still run on another thread */
	struct evnt_registration *r = await_idle(n->handle);
	struct evnt_state state;
	ULONG control;
	GUID source;

	if (!r || !r->callback)
		return;
	memcpy(&source, &n->source, sizeof(source));
	if (n->flags & EVNTPROV_NOTIFICATION_WAS_DISABLED)
		r->classic.was_disabled = true;
	control = state_to_report(n, &state);
	/* Filter data from a replaced device may be older, as the state */
	if (!is_current && control != EVENT_CONTROL_CODE_CAPTURE_STATE)
		n = NULL;
	run_idle(r, &source, control, &state, n);
}

/**
 * evnt_callback_notify() - handle a notification
 * @n: the notification
 * @device: device that it was read from
 *
 * Handles are the same on all devices, so a notification counts wherever it was
 * read, even from a descriptor that now belongs to another device.
 *
 * Return: false if the device is no longer in use.
 */
bool evnt_callback_notify(const struct evntprov_notification *n,
			  const struct evnt_device *device)
{
	bool current;

	pthread_mutex_lock(&evnt_lib_lock);
	if (n->control == EVNTPROV_CONTROL_PRIVATE)
		evnt_hooks->notified();
	else
		notify(n, evnt_device_is_current(device));
	current = evnt_device_is_current(device);
	pthread_mutex_unlock(&evnt_lib_lock);
	return current;
}

/* Test whether no callback runs on another thread */
static bool none_elsewhere(void)
{
	return __atomic_load_n(&running_count, __ATOMIC_RELAXED) ==
	       running_here;
}

/**
 * evnt_callback_end() - keep callbacks from being called
 *
 * Called when the process exits or the library is unloaded.  Waits for
 * callbacks on other threads, but not for long, as they may wait for the
 * caller.
 */
void evnt_callback_end(void)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	s64 begin;
	int err;

	if (getpid() != evnt_exit_home)
		return;
	err = evnt_timed_lock(&evnt_lib_lock);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	if (err)
		return;
	pthread_mutex_unlock(&evnt_lib_lock);
	/* Signals may end each nap at once */
	begin = evnt_boot_ns();
	while (!none_elsewhere() && evnt_boot_ns() - begin < MAX_WAIT_NS)
		nanosleep(&nap, NULL);
}

/* In the child of a fork, callbacks on other threads no longer run */
void evnt_callback_forked(void)
{
	struct evnt_registration *r;
	size_t i;

	running_count = running_here;
	for (i = 0; i < evnt_slots_end; i++) {
		r = evnt_registrations[i];
		if (r && r->running && !runs_here(r)) {
			r->running = false;
			evnt_registration_put(r);
		}
	}
}
