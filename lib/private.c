// SPDX-License-Identifier: MIT
/*
 * What controllers do with private sessions: start, enable, query, flush, update
 * and stop them.
 *
 * Callbacks of providers run on the controller's thread, as all is in its process.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "enable_area.h"
#include "evntcons.h"
#include "grace.h"
#include "in_process.h"
#include "logger.h"
#include "private.h"

struct evnt_private *evnt_privates[EVNT_PRIVATE_MAX];
/* A parent's, whose threads and files are not here */
static struct evnt_private *inherited[EVNT_PRIVATE_MAX];

/* All but groups, which are for sessions that see other processes, too */
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
				 EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING)

/* Which exclude each other */
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

/* A session to be used without the lock; NULL: there is none */
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

/* Whether a session would be the same as one that there is */
static bool exists(const WCHAR *name, const GUID *id)
{
	static const GUID none;
	unsigned int i;

	if (find(name))
		return true;
	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i] && !evnt_privates[i]->of_logger &&
		    memcmp(id, &none, sizeof(none)) != 0 &&
		    !memcmp(&evnt_privates[i]->info.guid, id, sizeof(*id)))
			return true;
	}
	return false;
}

/* A free place, or EVNT_PRIVATE_MAX when there may be no more */
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

/* Locked */
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
 * @handle: out: the session
 * @names: its name and that of its log file
 * @p: what it is to be; its mode was looked at
 *
 * Return: what StartTrace() says.
 */
ULONG evnt_private_start_locked(TRACEHANDLE *handle,
				const struct evnt_session_names *names,
				const EVENT_TRACE_PROPERTIES *p)
{
	struct evnt_private *s;
	ULONG code;

	if (exists(names->session, &p->Wnode.Guid))
		return ERROR_ALREADY_EXISTS;
	code = start(&s, names, p, false);
	if (!code)
		*handle = s->handle;
	return code;
}

/**
 * evnt_private_start_part() - start the session of a private logger
 * @session: out: the session, with a reference
 * @names: the logger's; the log file's gets the process id behind it
 * @p: what it is to be
 * @flush_ms: its flush timer
 *
 * Names and ids of other sessions do not matter: it is found by nobody here.
 * Locked.
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

/* The same, for who has not the lock */
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

/* The session of this name, if the result is ERROR_SUCCESS */
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
 * Tell the callbacks of the providers that a session has enabled, or of one.
 * Locked; the lock is released meanwhile.
 */
static void tell_provider(const GUID *id, LPCGUID source, bool capture)
{
	struct evnt_registration *r;
	unsigned int slot;

	for (slot = 0; slot < EVNTPROV_MAX_SLOTS; slot++) {
		r = evnt_registrations[slot];
		if (!r || memcmp(&r->id, id, sizeof(*id)) != 0)
			continue;
		if (capture)
			evnt_callback_capture(r->handle, source);
		else
			evnt_callback_changed(r->handle, source);
	}
}

static void tell_all(const struct evnt_private *s)
{
	static const GUID nobody;
	const struct evnt_private_enablement *e;

	/* It is stopping: nobody else changes the list */
	for (e = s->enabled; e; e = e->next)
		tell_provider(&e->id, &nobody, false);
}

/* Nobody sees it any more when this returns true.  Locked. */
static bool begin_stop(struct evnt_private *s)
{
	s->stopping = true;
	if (evnt_private_sets_renew())
		return true;
	s->stopping = false;
	return false;
}

/* All of it is written: it gives up its place */
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
		tell_all(s);
	/* In a child that a callback has forked there is nothing to stop */
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
 * One of which the caller has a reference; its log is complete on return, whoever
 * has it stop, or its limit.
 */
void evnt_private_stop(struct evnt_private *s)
{
	if (stop(s) == ERROR_ACTIVE_CONNECTIONS)
		evnt_private_flush(s);
}

/**
 * evnt_private_expire() - the log has reached its limit: the session ends
 * @s: the session, whose thread calls it
 *
 * A callback may fork: in the child the session is inherited afterwards, and
 * there is nothing more to be done.
 *
 * Return: false when somebody else ends it; or else the thread is to write what
 * is left, and to give the session back by evnt_private_expired().
 */
bool evnt_private_expire(struct evnt_private *s)
{
	bool mine;

	pthread_mutex_lock(&evnt_lib_lock);
	mine = !s->stopping && begin_stop(s);
	if (mine) {
		pthread_detach(s->thread);
		tell_all(s);
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	return mine;
}

/* Of a private session, the log file and the flush timer can be changed */
static ULONG update(struct evnt_private *s, const EVENT_TRACE_PROPERTIES *p,
		    bool wide)
{
	struct evntrace_session info;
	WCHAR is[EVNTRACE_MAX_NAME + 1], *log = NULL;
	ULONG code;

	if (p->LogFileMode & EVENT_TRACE_REAL_TIME_MODE)
		return ERROR_INVALID_PARAMETER;
	evnt_private_tell(s, &info, is);
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

static bool is_stopping(const struct evnt_private *s)
{
	bool stopping;

	pthread_mutex_lock(&evnt_lib_lock);
	stopping = s->stopping;
	pthread_mutex_unlock(&evnt_lib_lock);
	return stopping;
}

/*
 * What waits for the session's thread.  One that ends takes no more of it: its
 * thread may be the caller, in a callback that is told of the end, or may wait for
 * such a callback, which the caller keeps from returning.
 */
static ULONG change(struct evnt_private *s, ULONG control_code,
		    const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	if (is_stopping(s))
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	if (control_code == EVENT_TRACE_CONTROL_UPDATE)
		return update(s, p, wide);
	evnt_private_flush(s);
	return ERROR_SUCCESS;
}

static ULONG control(struct evnt_private *s, ULONG control_code,
		     const EVENT_TRACE_PROPERTIES *p, bool wide)
{
	switch (control_code) {
	case EVENT_TRACE_CONTROL_QUERY:
		return ERROR_SUCCESS;
	case EVENT_TRACE_CONTROL_STOP:
		return stop(s);
	case EVENT_TRACE_CONTROL_UPDATE:
	case EVENT_TRACE_CONTROL_FLUSH:
		return change(s, control_code, p, wide);
	}
	/* Others are of modes that private sessions have not */
	return ERROR_INVALID_PARAMETER;
}

static ULONG fill(struct evnt_private *s, EVENT_TRACE_PROPERTIES *p, bool wide)
{
	struct evntrace_session info;
	WCHAR log[EVNTRACE_MAX_NAME + 1];
	ULONG code, more;

	evnt_private_tell(s, &info, log);
	evnt_properties_fill(p, &info);
	code = evnt_properties_put_name(p, p->LoggerNameOffset, s->name, wide);
	more = evnt_properties_put_name(p, p->LogFileNameOffset, log, wide);
	return code ? code : more;
}

/* A session that has no log yet has all its providers enabled.  Locked. */
void evnt_private_started_late(TRACEHANDLE handle)
{
	evnt_private_note_own_events(lookup(handle));
}

/* What a session that was just started is */
void evnt_private_fill(TRACEHANDLE handle, EVENT_TRACE_PROPERTIES *p)
{
	struct evntrace_session info;
	WCHAR log[EVNTRACE_MAX_NAME + 1];
	struct evnt_private *s = get(handle);

	if (!s)
		return;
	evnt_private_tell(s, &info, log);
	evnt_properties_fill(p, &info);
	put(s);
}

/**
 * evnt_private_control() - ControlTrace(), of a private session
 * @handle: the session
 * @control_code: EVENT_TRACE_CONTROL_*
 * @p: the properties; out: what it is and has done
 * @wide: names are in UTF-16
 *
 * Return: what ControlTrace() says.
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
	new->interest = (struct evnt_interest) {
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
 * Put @new, or nothing, in the place of how a session has enabled a provider, and
 * tell its callbacks.  @new is the session's on success.  Locked.
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
	if (!old)
		evnt_private_manifests_tell(s, &new->id);
	if (!evnt_private_sets_renew()) {
		*at = old;
		return ERROR_NOT_ENOUGH_MEMORY;
	}
	if (evnt_grace_all_left())
		free_enablement(old);
	memcpy(&id, &arg->provider, sizeof(id));
	memcpy(&source, &arg->source, sizeof(source));
	tell_provider(&id, &source, false);
	return ERROR_SUCCESS;
}

/**
 * evnt_private_classic() - which private session a classic provider is told of
 * @r: its registration
 * @now: what the module says; changed where a private one has enabled it, which is
 *	told first: that which has done so last
 *
 * Locked.
 */
void evnt_private_classic(const struct evnt_registration *r,
			  struct evntprov_classic *now)
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
			now->still = 1;
		if (e->turn < turn)
			continue;
		turn = e->turn;
		now->session = s->handle;
		now->match_any = e->set_any;
		now->level = e->set_level;
	}
}

/* Locked */
static ULONG enable(const struct evntrace_enable *arg,
		    struct evnt_private_enablement *new)
{
	struct evnt_private *s = lookup(arg->handle);
	GUID id, source;

	if (!s || s->stopping)
		return ERROR_WMI_INSTANCE_NOT_FOUND;
	if (arg->control != EVENT_CONTROL_CODE_CAPTURE_STATE)
		return replace(s, arg, new);
	memcpy(&id, &arg->provider, sizeof(id));
	memcpy(&source, &arg->source, sizeof(source));
	evnt_private_manifests_forget(s, &id);
	if (*evnt_private_place_of(s, &id))
		evnt_private_manifests_tell(s, &id);
	tell_provider(&id, &source, true);
	return ERROR_SUCCESS;
}

static ULONG check_enable(const struct evntrace_enable *arg)
{
	if (arg->control > EVENT_CONTROL_CODE_CAPTURE_STATE)
		return ERROR_INVALID_PARAMETER;
	if ((arg->property & KEYWORD_0) == KEYWORD_0)
		return ERROR_INVALID_PARAMETER;
	if (arg->property & ~KNOWN_PROPERTIES ||
	    (arg->control == EVENT_CONTROL_CODE_CAPTURE_STATE &&
	     arg->filter_count))
		return ERROR_NOT_SUPPORTED;
	return ERROR_SUCCESS;
}

/**
 * evnt_private_enable_locked() - EnableTraceEx2(), for a private session
 * @arg: as for the module
 *
 * Callbacks have been called when this returns; one that is running just now is
 * called again when it has returned.  Under the lock, which is released meanwhile.
 *
 * Return: what EnableTraceEx2() says.
 */
ULONG evnt_private_enable_locked(const struct evntrace_enable *arg)
{
	struct evnt_private_enablement *new = NULL;
	ULONG code = check_enable(arg);

	if (!code && arg->control == EVENT_CONTROL_CODE_ENABLE_PROVIDER)
		code = create_enablement(&new, arg);
	if (code)
		return code;
	code = enable(arg, new);
	if (code)
		free_enablement(new);
	return code;
}

/* The same, for who has not the lock */
ULONG evnt_private_enable(const struct evntrace_enable *arg)
{
	ULONG code;

	pthread_mutex_lock(&evnt_lib_lock);
	code = evnt_private_enable_locked(arg);
	pthread_mutex_unlock(&evnt_lib_lock);
	return code;
}

/*
 * In the child, under the lock: sessions are the parent's, who goes on with them.
 * What they are made of stays, as a signal may have interrupted who writes to it;
 * but their files are not held open.
 */
void evnt_private_forked(void)
{
	unsigned int i;

	evnt_grace_forked();
	evnt_private_write_forked();
	evnt_loggers_forked();
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

/**
 * evnt_private_end_all() - the process ends: what is in buffers is written
 * @locked: the caller has evnt_lib_lock; if not, it was interrupted with it
 *
 * Sessions stay as they are, as a signal may have interrupted anything.  The lock is
 * released meanwhile.
 */
void evnt_private_end_all(bool locked)
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
	if (locked)
		pthread_mutex_lock(&evnt_lib_lock);
}
