// SPDX-License-Identifier: MIT
/*
 * Operations of controllers on private sessions: start, enable, query, flush,
 * update and stop.
 *
 * Providers' callbacks run on the controller's thread, since controller and
 * provider share the process.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "evntcons.h"
#include "evntlinux.h"
#include "lib/base/read_section.h"
#include "lib/base/timed_lock.h"
#include "lib/provider/enable_area.h"
#include "lib/provider/hooks.h"
#include "lib/private/private.h"

struct evnt_private *evnt_privates[EVNT_PRIVATE_MAX];
/* Sessions of the parent process; their threads and files do not exist here */
static struct evnt_private *inherited[EVNT_PRIVATE_MAX];

/* All properties but groups, which need sessions for several processes */
#define KNOWN_PROPERTIES	(EVENT_ENABLE_PROPERTY_SID |		\
				 EVENT_ENABLE_PROPERTY_TS_ID |		\
				 EVENT_ENABLE_PROPERTY_STACK_TRACE |	\
				 EVENT_ENABLE_PROPERTY_PSM_KEY |	\
				 EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 | \
				 EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0 | \
				 EVENT_ENABLE_PROPERTY_PROCESS_START_KEY | \
				 EVENT_ENABLE_PROPERTY_EVENT_KEY |	\
				 EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE | \
				 EVENT_ENABLE_PROPERTY_ENABLE_SILOS |	\
				 EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING | \
				 EVNT_ENABLE_PROPERTY_PROCESS_NAME)

/* Mutually exclusive properties */
#define KEYWORD_0	(EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 | \
			 EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0)

static struct evnt_private *lookup(TRACEHANDLE handle)
{
	unsigned int id = EVNTRACE_HANDLE_ID(handle);
	struct evnt_private *s;

	if (!evnt_is_private(handle) || !id || id > EVNT_PRIVATE_MAX)
		return NULL;
	s = evnt_privates[id - 1];
	return s && s->handle == handle ? s : NULL;
}

/* Get a reference to a session for use without evnt_lib_lock; NULL if none */
static struct evnt_private *get(TRACEHANDLE handle)
{
	struct evnt_private *s;

	pthread_mutex_lock(&evnt_lib_lock);
	s = lookup(handle);
	if (s)
		s->refs++;
	pthread_mutex_unlock(&evnt_lib_lock);
	return s;
}

static void put(struct evnt_private *s)
{
	pthread_mutex_lock(&evnt_lib_lock);
	evnt_private_put(s);
	pthread_mutex_unlock(&evnt_lib_lock);
}

static bool same_name(const WCHAR *a, const WCHAR *b)
{
	while (*a && evnt_lower(*a) == evnt_lower(*b)) {
		a++;
		b++;
	}
	return evnt_lower(*a) == evnt_lower(*b);
}

static struct evnt_private *find(const WCHAR *name)
{
	unsigned int i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && !evnt_privates[i]->of_logger &&
		    same_name(evnt_privates[i]->name, name))
			return evnt_privates[i];
	}
	return NULL;
}

/* Return a free index, or EVNT_PRIVATE_MAX if there are too many sessions */
static unsigned int free_place(ULONG mode)
{
	unsigned int i, own = 0, place = EVNT_PRIVATE_MAX;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (!evnt_privates[i])
			place = i < place ? i : place;
		else if (evnt_privates[i]->info.log_file_mode &
			 EVENT_TRACE_PRIVATE_IN_PROC)
			own++;
	}
	if (mode & EVENT_TRACE_PRIVATE_IN_PROC && own >= EVNT_PRIVATE_MAX_OWN)
		return EVNT_PRIVATE_MAX;
	return place;
}

/* Remove a session from the table and drop the table's reference.  Locked. */
static void leave_table(struct evnt_private *s)
{
	unsigned int place = EVNTRACE_HANDLE_ID(s->handle) - 1;

	evnt_privates[place] = NULL;
	evnt_private_put(s);
}

static ULONG start(struct evnt_private **session,
		   const struct evnt_session_names *names,
		   const EVENT_TRACE_PROPERTIES *p, bool of_logger)
{
	unsigned int place = free_place(p->LogFileMode);
	struct evnt_private *s;
	ULONG code;

	if (place == EVNT_PRIVATE_MAX)
		return ERROR_NO_SYSTEM_RESOURCES;
	code = evnt_private_create(&s, names, p, place + 1, of_logger);
	if (code)
		return code;
	evnt_privates[place] = s;
	code = evnt_private_sets_renew() ? evnt_private_run(s) :
					   ERROR_NOT_ENOUGH_MEMORY;
	if (code) {
		s->stopping = true;
		evnt_private_sets_renew();
		leave_table(s);
		return code;
	}
	*session = s;
	return ERROR_SUCCESS;
}

/**
 * evnt_private_start_locked() - start a private session
 * @handle: out: handle of the session
 * @names: names of the session and its log file
 * @p: properties, whose mode the caller has checked
 *
 * Return: as StartTrace().
 */
ULONG evnt_private_start_locked(TRACEHANDLE *handle,
				const struct evnt_session_names *names,
				const EVENT_TRACE_PROPERTIES *p)
{
	static const GUID none;
	const GUID *id = &p->Wnode.Guid;
	struct evnt_private *s;
	unsigned int i;
	ULONG code;

	/* No running session may have the same name or GUID */
	if (find(names->session))
		return ERROR_ALREADY_EXISTS;
	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && !evnt_privates[i]->of_logger &&
		    memcmp(id, &none, sizeof(none)) != 0 &&
		    !memcmp(&evnt_privates[i]->info.guid, id, sizeof(*id)))
			return ERROR_ALREADY_EXISTS;
	}
	code = start(&s, names, p, false);
	if (!code)
		*handle = s->handle;
	return code;
}

/**
 * evnt_private_start_part() - start a part of a system-wide private session
 * @session: out: the session, with a reference
 * @names: names of the session; the process ID is appended to the log file's
 *	name
 * @p: properties
 * @flush_ms: flush timer in milliseconds
 *
 * The name and GUID may be in use: the part cannot be looked up by either.  The
 * caller must hold evnt_lib_lock.
 *
 * Return: as StartTrace().
 */
ULONG evnt_private_start_part(struct evnt_private **session,
			      const struct evnt_session_names *names,
			      const EVENT_TRACE_PROPERTIES *p, u32 flush_ms)
{
	ULONG code = start(session, names, p, true);

	if (code) {
		*session = NULL;
		return code;
	}
	(*session)->refs++;
	evnt_private_set_flush_ms(*session, flush_ms);
	return ERROR_SUCCESS;
}

/* Start a private session, taking evnt_lib_lock */
ULONG evnt_private_start(TRACEHANDLE *handle,
			 const struct evnt_session_names *names,
			 const EVENT_TRACE_PROPERTIES *p)
{
	ULONG code;

	pthread_mutex_lock(&evnt_lib_lock);
	code = evnt_private_start_locked(handle, names, p);
	pthread_mutex_unlock(&evnt_lib_lock);
	return code;
}

/* Find a private session by name; set *handle on success */
ULONG evnt_private_find(const WCHAR *name, TRACEHANDLE *handle)
{
	const struct evnt_private *s;

	pthread_mutex_lock(&evnt_lib_lock);
	s = find(name);
	if (s)
		*handle = s->handle;
	pthread_mutex_unlock(&evnt_lib_lock);
	return s ? ERROR_SUCCESS : ERROR_WMI_INSTANCE_NOT_FOUND;
}

/*
 * Call the callbacks of a provider's registrations.  Called with evnt_lib_lock,
 * which is released while a callback runs.
 */
static void report_provider(const GUID *id, LPCGUID source, bool capture)
{
	struct evnt_registration *r;
	unsigned int slot;

	for (slot = 0; slot < evnt_slots_end; slot++) {
		r = evnt_registrations[slot];
		if (!r || memcmp(&r->id, id, sizeof(*id)) != 0)
			continue;
		if (capture)
			evnt_callback_capture(r->handle, source);
		else
			evnt_callback_changed(r->handle, source);
	}
}

static void report_all(const struct evnt_private *s)
{
	static const GUID empty_set;
	const struct evnt_private_enablement *e;

	/* The list cannot change while the session is stopping */
	for (e = s->enabled; e; e = e->next)
		report_provider(&e->id, &empty_set, false);
}

/* Remove a session from all sets; on success no writer uses it.  Locked. */
static bool begin_stop(struct evnt_private *s)
{
	s->stopping = true;
	if (evnt_private_sets_renew())
		return true;
	s->stopping = false;
	return false;
}

/* Remove a session from the table when everything is written */
void evnt_private_expired(struct evnt_private *s)
{
	pthread_mutex_lock(&evnt_lib_lock);
	leave_table(s);
	pthread_mutex_unlock(&evnt_lib_lock);
}

static ULONG stop(struct evnt_private *s)
{
	ULONG code = ERROR_SUCCESS;

	pthread_mutex_lock(&evnt_lib_lock);
	if (s->stopping)
		code = ERROR_ACTIVE_CONNECTIONS;
	else if (!begin_stop(s))
		code = ERROR_NOT_ENOUGH_MEMORY;
	else
		report_all(s);
	/* A callback may have forked: the child has nothing to stop */
	if (s->inherited)
		code = ERROR_WMI_INSTANCE_NOT_FOUND;
	pthread_mutex_unlock(&evnt_lib_lock);
	if (code)
		return code;
	evnt_private_end(s);
	evnt_private_expired(s);
	return ERROR_SUCCESS;
}

/*
 * Stop a session to which the caller has a reference.  The log is complete on
 * return, even if another thread or the size limit has stopped the session.
 */
void evnt_private_stop(struct evnt_private *s)
{
	if (stop(s) == ERROR_ACTIVE_CONNECTIONS)
		evnt_private_flush(s);
}

/**
 * evnt_private_expire() - end a session whose log has reached its limit
 * @s: session
 *
 * Called by the session's thread.  If a callback forks, the session is
 * inherited in the child, which does nothing more.
 *
 * Return: false if another thread ends the session; true if the calling thread
 * must write the rest and call evnt_private_expired().
 */
bool evnt_private_expire(struct evnt_private *s)
{
	bool mine;

	evnt_lib_relock();
	mine = !s->stopping && begin_stop(s);
	if (mine) {
		pthread_detach(s->thread);
		report_all(s);
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	return mine;
}

/* Update a private session: log file and flush timer can be changed */
static ULONG update(struct evnt_private *s, const EVENT_TRACE_PROPERTIES *p,
		    bool wide)
{
	struct evntrace_session info;
	WCHAR is[EVNTRACE_MAX_NAME + 1], *log = NULL;
	ULONG code;

	if (p->LogFileMode & EVENT_TRACE_REAL_TIME_MODE)
		return ERROR_INVALID_PARAMETER;
	evnt_private_announce(s, &info, is);
	if (p->EnableFlags || p->MaximumBuffers > info.max_buffers)
		return ERROR_NOT_SUPPORTED;
	code = evnt_log_name_get(&log, p, wide);
	if (!code && log)
		code = evnt_same_text(log, is) ? ERROR_INVALID_PARAMETER :
					    evnt_private_follow(s, log);
	free(log);
	if (!code && p->FlushTimer)
		evnt_private_set_flush_timer(s, p->FlushTimer);
	return code;
}

static ULONG control(struct evnt_private *s, ULONG control_code,
		     const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	bool stopping;

	if (control_code == EVENT_TRACE_CONTROL_QUERY)
		return ERROR_SUCCESS;
	if (control_code == EVENT_TRACE_CONTROL_STOP)
		return stop(s);
	/* Other codes need modes that private sessions do not support */
	if (control_code != EVENT_TRACE_CONTROL_UPDATE &&
	    control_code != EVENT_TRACE_CONTROL_FLUSH)
		return ERROR_INVALID_PARAMETER;
	/*
	 * Refuse to wait for the thread of a stopping session: it may be the
	 * caller, in a callback that reports the end, or may wait for such a
	 * callback, which cannot return before the caller does
	 */
	pthread_mutex_lock(&evnt_lib_lock);
	stopping = s->stopping;
	pthread_mutex_unlock(&evnt_lib_lock);
	if (stopping)
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	if (control_code == EVENT_TRACE_CONTROL_UPDATE)
		return update(s, p, wide);
	evnt_private_flush(s);
	return ERROR_SUCCESS;
}

static ULONG fill(struct evnt_private *s, EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evntrace_session info;
	WCHAR log[EVNTRACE_MAX_NAME + 1];
	ULONG code, more;

	evnt_private_announce(s, &info, log);
	evnt_properties_fill(p, &info);
	code = evnt_properties_put_name(p, p->LoggerNameOffset, s->name, wide);
	more = evnt_properties_put_name(p, p->LogFileNameOffset, log, wide);
	return code ? code : more;
}

/* Note that a session without a log has all its providers enabled.  Locked. */
void evnt_private_started_late(TRACEHANDLE handle)
{
	evnt_private_note_self_events(lookup(handle));
}

/* Fill in the properties of a session that was just started */
void evnt_private_fill(TRACEHANDLE handle, EVENT_TRACE_PROPERTIES *p)
{
	struct evntrace_session info;
	WCHAR log[EVNTRACE_MAX_NAME + 1];
	struct evnt_private *s = get(handle);

	if (!s)
		return;
	evnt_private_announce(s, &info, log);
	evnt_properties_fill(p, &info);
	put(s);
}

/**
 * evnt_private_control() - ControlTrace() for a private session
 * @handle: handle of the session
 * @control_code: EVENT_TRACE_CONTROL_*
 * @p: properties; out: properties and statistics of the session
 * @wide: names are in UTF-16
 *
 * Return: as ControlTrace().
 */
ULONG evnt_private_control(TRACEHANDLE handle, ULONG control_code,
			   EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evnt_private *s = get(handle);
	ULONG code;

	if (!s)
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	code = control(s, control_code, p, wide);
	if (!code)
		code = fill(s, p, wide);
	put(s);
	return code;
}

static ULONG create_enablement(struct evnt_private_enablement **e,
			       const struct evntrace_enable *arg)
{
	struct evnt_private_enablement *new = evnt_alloc(sizeof(*new));
	ULONG code;

	if (!new)
		return ERROR_NOT_ENOUGH_MEMORY;
	memcpy(&new->id, &arg->provider, sizeof(new->id));
	new->interest = (struct evnt_level_keyword) {
		.match_any = evnt_effective_any(arg->match_any),
		.match_all = arg->match_all,
		.level = evnt_effective_level(arg->level),
	};
	new->property = arg->property;
	new->set_level = arg->level;
	new->set_any = arg->match_any;
	code = evnt_private_filters_create(&new->filters, arg);
	if (code) {
		evnt_free(new);
		return code;
	}
	*e = new;
	return ERROR_SUCCESS;
}

static void free_enablement(struct evnt_private_enablement *e)
{
	if (e)
		evnt_private_filters_destroy(&e->filters);
	evnt_free(e);
}

/*
 * Replace a session's enablement of a provider by @new, which may be NULL, and
 * call the provider's callbacks.  On success the session owns @new.  Locked.
 */
static ULONG replace(struct evnt_private *s, const struct evntrace_enable *arg,
		     struct evnt_private_enablement *new)
{
	struct evnt_private_enablement **at = evnt_private_place_of(s, &arg->provider);
	struct evnt_private_enablement *old = *at;
	static u64 turns;
	GUID id, source;

	if (!old && !new)
		return ERROR_SUCCESS;
	if (old)
		*at = old->next;
	if (new) {
		new->next = *at;
		new->turn = ++turns;
		*at = new;
	}
	if (new)
		evnt_private_manifests_write(s, &new->id);
	if (!evnt_private_sets_renew()) {
		*at = old;
		return ERROR_NOT_ENOUGH_MEMORY;
	}
	if (evnt_read_section_all_left())
		free_enablement(old);
	memcpy(&id, &arg->provider, sizeof(id));
	memcpy(&source, &arg->source, sizeof(source));
	report_provider(&id, &source, false);
	return ERROR_SUCCESS;
}

/* Enable, disable or capture state; takes @new on success.  Locked. */
static ULONG enable(TRACEHANDLE handle, const struct evntrace_enable *arg,
		    struct evnt_private_enablement *new)
{
	struct evnt_private *s = lookup(handle);
	GUID id, source;

	if (!s || s->stopping)
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	if (arg->control != EVENT_CONTROL_CODE_CAPTURE_STATE)
		return replace(s, arg, new);
	memcpy(&id, &arg->provider, sizeof(id));
	memcpy(&source, &arg->source, sizeof(source));
	evnt_private_manifests_forget(s, &id);
	if (*evnt_private_place_of(s, &id))
		evnt_private_manifests_write(s, &id);
	report_provider(&id, &source, true);
	return ERROR_SUCCESS;
}

/**
 * evnt_private_enable_locked() - EnableTraceEx2() for a private session
 * @handle: handle of the session
 * @arg: request, as for the module
 *
 * Callbacks have been called on return; one that is running already is called
 * again after it has returned.  The caller must hold evnt_lib_lock, which is
 * released while a callback runs.
 *
 * Return: as EnableTraceEx2().
 */
ULONG evnt_private_enable_locked(TRACEHANDLE handle,
				 const struct evntrace_enable *arg)
{
	struct evnt_private_enablement *new = NULL;
	ULONG code = ERROR_SUCCESS;

	if (arg->control > EVENT_CONTROL_CODE_CAPTURE_STATE ||
	    (arg->property & KEYWORD_0) == KEYWORD_0)
		return ERROR_INVALID_PARAMETER;
	if (arg->property & ~KNOWN_PROPERTIES ||
	    (arg->control == EVENT_CONTROL_CODE_CAPTURE_STATE &&
	     arg->filter_count))
		return ERROR_NOT_SUPPORTED;
	if (arg->control == EVENT_CONTROL_CODE_ENABLE_PROVIDER)
		code = create_enablement(&new, arg);
	if (code)
		return code;
	code = enable(handle, arg, new);
	if (code)
		free_enablement(new);
	return code;
}

/* EnableTraceEx2() for a private session, taking evnt_lib_lock */
ULONG evnt_private_enable(TRACEHANDLE handle,
			  const struct evntrace_enable *arg)
{
	ULONG code;

	pthread_mutex_lock(&evnt_lib_lock);
	code = evnt_private_enable_locked(handle, arg);
	pthread_mutex_unlock(&evnt_lib_lock);
	return code;
}

/* See struct evnt_provider_hooks for the functions from here on */

static bool registered(const struct evnt_registration *r)
{
	evnt_private_manifest_registered(r);
	return evnt_private_sets_renew();
}

static void classic(const struct evnt_registration *r,
		    struct evnt_enabler *now)
{
	const struct evnt_private_enablement *e;
	struct evnt_private *s;
	u64 turn = 0;
	unsigned int i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		s = evnt_privates[i];
		e = s && !s->stopping ? *evnt_private_place_of(s, &r->id) : NULL;
		if (!e)
			continue;
		if (s->handle == r->classic.session)
			now->still = true;
		if (e->turn < turn)
			continue;
		turn = e->turn;
		now->session = s->handle;
		now->flags = e->set_any;
		now->level = e->set_level;
	}
}

/*
 * Drop the parent's sessions in the child of a fork, under evnt_lib_lock.
 * Their memory is kept, since the fork may have been done by a signal handler
 * that interrupted a writer, but their files are closed.
 */
static void forked(void)
{
	unsigned int i;

	evnt_read_section_forked();
	evnt_private_write_forked();
	evnt_private_sync_forked();
	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (!evnt_privates[i])
			continue;
		inherited[i] = evnt_privates[i];
		inherited[i]->inherited = true;
		evnt_private_log_forked(&inherited[i]->log);
		evnt_privates[i] = NULL;
	}
	evnt_private_sets_drop();
	evnt_in_process_forked();
}

/*
 * Write all buffers at the end of the process.  The sessions themselves are not
 * changed, since a signal may have interrupted any operation on them.  A lock
 * held by the caller is released during the wait.
 */
static bool end(bool locked)
{
	struct evnt_private *s[EVNT_PRIVATE_MAX];
	unsigned int i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		s[i] = evnt_privates[i];
		if (s[i] && !s[i]->is_running)
			s[i] = NULL;
		if (!s[i])
			continue;
		s[i]->refs++;
		evnt_private_end_begin(s[i]);
	}
	if (locked)
		pthread_mutex_unlock(&evnt_lib_lock);
	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (s[i])
			evnt_private_end_await(s[i]);
	}
	if (!locked || evnt_timed_lock(&evnt_lib_lock))
		return false;
	evnt_private_sync_end();
	return true;
}

static bool keeps_device(void)
{
	unsigned int i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && evnt_privates[i]->is_running)
			return true;
	}
	return false;
}

/*
 * Have a new device complete the logs of sessions.  A thread that has switched its
 * log before has named the next one to the earlier device.
 */
static void in_use(int fd)
{
	unsigned int i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && evnt_privates[i]->is_running)
			evnt_private_rescue(evnt_privates[i], fd);
	}
}

const struct evnt_provider_hooks evnt_private_hooks = {
	.registering = evnt_in_process_begin,
	.registered = registered,
	.changed = evnt_private_sets_renew,
	.joined = evnt_private_requests_registered,
	.classic = classic,
	.keeps_device = keeps_device,
	.needs_device = evnt_private_sync_any,
	.opened = evnt_private_sync_opened,
	.in_use = in_use,
	.reopened = evnt_private_sync_again,
	.notified = evnt_private_sync_heard,
	.news = evnt_private_sync_catch_up,
	.forked = forked,
	.exit = end,
	.lock_lost = evnt_private_lock_lost,
};
