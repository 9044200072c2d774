// SPDX-License-Identifier: MIT
/*
 * Enable callbacks: when they run, and when they do not.
 *
 * A registration's callback runs on the library's thread, but for the first
 * call, for a provider that is enabled already: that runs in EventRegister(),
 * on the thread that called it, so that it has happened when that returns.
 */
#include <stdlib.h>
#include <unistd.h>

#include "evntrace.h"
#include "exit.h"
#include "loaded_code.h"
#include "logger.h"
#include "registration.h"

/* A callback has returned, or a registration has gone */
static pthread_cond_t callback_done = PTHREAD_COND_INITIALIZER;

/* How many callbacks run; under the lock.  And how many of these on this thread */
static unsigned int running_count;
static __thread unsigned int running_here;

/* Whether callbacks are not called, but noted to be behind; under the lock */
static bool is_deferred;

/* Whether the process ends, so that callbacks must not be called */
static bool is_over;

static bool runs_here(const struct evnt_registration *r)
{
	return r->running && pthread_equal(r->runner, pthread_self());
}

/* The function of the program that is called in the end */
static const void *function_of(const struct evnt_registration *r)
{
	return r->classic.request ? (const void *)r->classic.request :
				    (const void *)r->callback;
}

/* Note which code its callback is part of; without the lock */
void evnt_callback_note_code(struct evnt_registration *r)
{
	r->code = evnt_loaded_code(function_of(r));
}

/*
 * Test whether a callback may be called: not after the process has begun to end, as
 * what it needs may be destroyed, and not when its library was unloaded.
 */
static bool may_run(const struct evnt_registration *r)
{
	return !__atomic_load_n(&is_over, __ATOMIC_RELAXED) &&
	       evnt_loaded_code(function_of(r)) == r->code;
}

/* A callback does not run any more.  Locked. */
static void returned(struct evnt_registration *r)
{
	running_count--;
	running_here--;
	r->running = false;
	pthread_cond_broadcast(&callback_done);
	evnt_registration_put(r);
}

/*
 * A callback has called pthread_exit(): none of the functions that have called it goes
 * on, of which the outer one has a reference, too.
 */
static void thread_ends(void *registration)
{
	struct evnt_registration *r = registration;

	pthread_mutex_lock(&evnt_lib_lock);
	returned(r);
	evnt_registration_put(r);
	pthread_mutex_unlock(&evnt_lib_lock);
}

/* Without the lock */
static void run(const struct evnt_registration *r, LPCGUID source,
		ULONG control, const struct evnt_state *s)
{
	EVENT_FILTER_DESCRIPTOR filter;
	void *data = NULL;

	if (!may_run(r))
		return;
	if (s->enabled || control == EVENT_CONTROL_CODE_CAPTURE_STATE)
		data = evnt_filter_data(r->handle, control, &filter);
	r->callback(source, control, s->interest.level, s->interest.match_any,
		    s->interest.match_all, data ? &filter : NULL, r->context);
	free(data);
}

/* Under the lock, which is released meanwhile; it does not run */
static void call(struct evnt_registration *r, LPCGUID source, ULONG control,
		 const struct evnt_state *state)
{
	const struct evnt_state s = *state;

	r->told = s;
	running_count++;
	running_here++;
	r->running = true;
	r->runner = pthread_self();
	r->refs++;
	pthread_mutex_unlock(&evnt_lib_lock);
	pthread_cleanup_push(thread_ends, r);
	run(r, source, control, &s);
	pthread_cleanup_pop(0);
	pthread_mutex_lock(&evnt_lib_lock);
	returned(r);
}

static void tell_state(struct evnt_registration *r)
{
	static const GUID nobody;
	struct evnt_state state = evnt_state_of(r->handle);

	r->behind = false;
	call(r, &nobody, state.enabled ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
					 EVENT_CONTROL_CODE_DISABLE_PROVIDER,
	     &state);
}

/*
 * Tell what has changed while a callback ran, and nobody else tells.  Locked; the
 * caller has a reference.
 */
static void tell_rest(struct evnt_registration *r)
{
	while (r->behind && !r->running &&
	       evnt_registration_lookup(r->handle) == r)
		tell_state(r);
}

/**
 * evnt_callback_run() - run a callback
 * @r: whose; it does not run
 * @source: who caused it
 * @control: EVENT_CONTROL_CODE_*
 * @state: what sessions want
 *
 * Under the lock, which is released meanwhile.
 */
void evnt_callback_run(struct evnt_registration *r, LPCGUID source,
		       ULONG control, const struct evnt_state *state)
{
	r->refs++;
	call(r, source, control, state);
	tell_rest(r);
	evnt_registration_put(r);
}

/* Run it for the state as it is; likewise */
static void run_for_state(struct evnt_registration *r)
{
	r->refs++;
	tell_state(r);
	tell_rest(r);
	evnt_registration_put(r);
}

/**
 * evnt_callback_wait() - wait until a callback does not run any more
 * @r: whose; it has left the table, and the caller has a reference
 *
 * Under the lock, which is released meanwhile.  Does not wait in the callback
 * itself.
 */
void evnt_callback_wait(struct evnt_registration *r)
{
	/* The library's thread may wait to call it, and has nothing to call */
	pthread_cond_broadcast(&callback_done);
	while (r->running && !runs_here(r))
		pthread_cond_wait(&callback_done, &evnt_lib_lock);
}

/*
 * The registration, when its callback does not run; NULL when it has gone.
 * Locked; the lock is released meanwhile.
 *
 * Does not wait for the callback of a registration that has gone: whoever
 * unregisters in there may be waiting for us.
 */
static struct evnt_registration *await_idle(REGHANDLE handle)
{
	struct evnt_registration *r;

	while ((r = evnt_registration_lookup(handle)) && r->running)
		pthread_cond_wait(&callback_done, &evnt_lib_lock);
	return r;
}

/* A new registration, which a session may have enabled before.  Locked. */
void evnt_callback_initial(struct evnt_registration *r)
{
	if (r->callback && evnt_state_of(r->handle).enabled)
		run_for_state(r);
}

static bool same_state(const struct evnt_state *a, const struct evnt_state *b)
{
	const struct evnt_interest *i = &a->interest, *j = &b->interest;

	return a->enabled == b->enabled && i->level == j->level &&
	       i->match_any == j->match_any && i->match_all == j->match_all;
}

/**
 * evnt_callback_joined() - a registration has become a member of a group
 * @handle: the registration
 *
 * Its callback is told if sessions have enabled the group: before this returns, or
 * when it has returned if it runs just now.  Under the lock, which is released
 * meanwhile.
 */
void evnt_callback_joined(REGHANDLE handle)
{
	struct evnt_registration *r = evnt_registration_lookup(handle);
	struct evnt_state state;

	if (!r || !r->callback)
		return;
	state = evnt_state_of(handle);
	if (same_state(&state, &r->told))
		return;
	if (r->running)
		r->behind = true;
	else
		run_for_state(r);
}

/**
 * evnt_callback_changed() - what private sessions want has changed
 * @handle: a registration that it has changed for
 * @source: who caused it
 *
 * As evnt_callback_joined(), but that it is told whether it differs or not.
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
	evnt_callback_run(r, source, state.enabled ?
				     EVENT_CONTROL_CODE_ENABLE_PROVIDER :
				     EVENT_CONTROL_CODE_DISABLE_PROVIDER,
			  &state);
}

/* Have evnt_callback_changed() leave callbacks to evnt_callback_catch_up().  Locked. */
void evnt_callback_defer(bool defer)
{
	is_deferred = defer;
}

/* A private session asks for its state; not while its callback runs.  Likewise. */
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
	evnt_callback_run(r, source, EVENT_CONTROL_CODE_CAPTURE_STATE, &state);
}

/*
 * All was registered again: what has changed since the callbacks were told is
 * not notified any more, and is to be told by the new thread.  Locked.
 */
void evnt_callback_note_behind(void)
{
	struct evnt_registration *r;
	struct evnt_state state;
	size_t i;

	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		r = evnt_registrations[i];
		if (!r || !r->callback)
			continue;
		state = evnt_state_of(r->handle);
		/* A classic one may be another session's, too */
		r->behind = !same_state(&state, &r->told) ||
			    (r->classic.request && state.enabled);
	}
}

/* Tell what was noted.  Locked. */
void evnt_callback_catch_up(void)
{
	struct evnt_registration *r;
	size_t i;

	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		r = evnt_registrations[i];
		if (!r || !r->behind)
			continue;
		r = await_idle(r->handle);
		if (r && r->behind)
			run_for_state(r);
	}
}

/* The same, without the lock */
void evnt_callback_tell_behind(void)
{
	pthread_mutex_lock(&evnt_lib_lock);
	evnt_callback_catch_up();
	pthread_mutex_unlock(&evnt_lib_lock);
}

/*
 * What a notification tells, as it is now: two threads may have read from two
 * doors, and the older notification may come last.
 */
static ULONG state_to_tell(const struct evntprov_notification *n,
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

static void notify(const struct evntprov_notification *n)
{
	/* The first call may still run elsewhere */
	struct evnt_registration *r = await_idle(n->handle);
	struct evnt_state state;
	ULONG control;
	GUID source;

	if (!r || !r->callback)
		return;
	memcpy(&source, &n->source, sizeof(source));
	control = state_to_tell(n, &state);
	evnt_callback_run(r, &source, control, &state);
}

/**
 * evnt_callback_notify() - a notification was read
 * @n: what it says
 * @door: where it was read
 *
 * Handles are the same at all doors: so it counts wherever it was read, even
 * from a descriptor that has become another door's.
 *
 * Return: false when the door is not in use any more.
 */
bool evnt_callback_notify(const struct evntprov_notification *n,
			  const struct evnt_door *door)
{
	bool current;

	pthread_mutex_lock(&evnt_lib_lock);
	if (n->control == EVNTPROV_CONTROL_LOGGERS)
		evnt_loggers_heard();
	else
		notify(n);
	current = evnt_door_is_current(door);
	pthread_mutex_unlock(&evnt_lib_lock);
	return current;
}

/* Test whether callbacks run on other threads */
static bool none_elsewhere(void)
{
	return __atomic_load_n(&running_count, __ATOMIC_RELAXED) ==
	       running_here;
}

/**
 * evnt_callback_end() - keep callbacks from being called
 *
 * The process has begun to end, or the library is unloaded.  Waits for callbacks on
 * other threads, but not for long: they may wait for the caller.
 */
void evnt_callback_end(void)
{
	int err;

	if (getpid() != evnt_exit_home)
		return;
	err = evnt_exit_lock();
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	if (err)
		return;
	pthread_mutex_unlock(&evnt_lib_lock);
	evnt_exit_await(none_elsewhere);
}

/* In the child: callbacks that ran on threads of the parent do not run here */
void evnt_callback_forked(void)
{
	struct evnt_registration *r;
	size_t i;

	pthread_cond_init(&callback_done, NULL);
	running_count = running_here;
	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		r = evnt_registrations[i];
		if (r && r->running && !runs_here(r)) {
			r->running = false;
			evnt_registration_put(r);
		}
	}
}
