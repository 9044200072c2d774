// SPDX-License-Identifier: MIT
/*
 * Participation in system-wide private sessions.
 *
 * A controller starts such a session in the module.  The library's thread reads
 * a notification of news; without that thread, a slot of the enable area shows
 * them to a writer.  The participant then queries the whole state and starts,
 * changes and stops its private sessions accordingly.  So neither the order nor
 * the number of notifications matters.
 *
 * A child of a fork takes part when one of its events may be wanted, and not
 * before: most children just execute another program and need no file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "lib/base/cancel.h"
#include "evntcons.h"
#include "lib/private/private.h"

/**
 * struct enabled - a provider that was enabled for a session in this process
 * @id: the provider
 * @version: version of the module's session when it was enabled
 * @captures: number of requests for its state that were handled
 */
struct enabled {
	GUID id;
	__u32 version;
	__u32 captures;
};

/**
 * struct part - a system-wide private session that this process takes part in
 * @handle: handle of the module's session
 * @session: session in this process, with a reference; NULL if it failed to
 *	start
 * @error: last error, as an errno
 * @log_version: version of the module's session when its log file was named
 * @flushes: number of flushes that were done
 * @is_there: whether the module has just reported it
 * @count: number of enabled providers
 * @enabled: enabled providers
 */
struct part {
	TRACEHANDLE handle;
	struct evnt_private *session;
	int error;
	__u32 log_version;
	__u32 flushes;
	bool is_there;
	unsigned int count;
	struct enabled enabled[EVNTRACE_MAX_PRIVATE_PROVIDERS];
};

/* More than a process may run: parts that cannot start report the reason */
#define MAX_PARTS	EVNTRACE_MAX_PRIVATE

/*
 * Guarded by evnt_lib_lock.  Only the thread that has set @busy replaces parts.
 * @epoch counts forks: a thread that finds it changed is in a child, where all
 * parts are gone.
 */
static struct part *parts[MAX_PARTS];
/* Parts of the parent, which a callback that has forked may still use */
static struct part *inherited[MAX_PARTS];
static bool busy, again, late;
static unsigned int epoch;

/**
 * struct announced - a system-wide private session as the module describes it
 * @arg: argument of the ioctl: its result, then the report for the next call
 * @info: buffer for the description, which begins with the properties
 * @room: size of @info in bytes
 * @first: first of the enabled providers, in @info
 * @end: end of the enabled providers
 * @name: name of the session
 * @log: name of the log file, without process id
 */
struct announced {
	struct evntprov_private arg;
	struct evntrace_session *info;
	__u32 room;
	const struct evntrace_enable *first;
	const struct evntrace_enable *end;
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	WCHAR log[EVNTRACE_MAX_NAME + 1];
};

/*
 * Participate through a new device.  The program may run without private
 * sessions, so errors do not matter.
 */
void evnt_private_sync_opened(int fd)
{
	struct evntprov_private arg = {
		.size = sizeof(arg),
		.flags = late ? EVNTPROV_PRIVATE_DEFER :
				EVNTPROV_PRIVATE_NOTIFY,
	};
	int saved = errno;

	ioctl(fd, EVNTPROV_IOC_PRIVATE, &arg);
	errno = saved;
}

bool evnt_private_sync_any(void)
{
	unsigned int i;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			return true;
	}
	return false;
}

static struct part *find(TRACEHANDLE handle)
{
	unsigned int i;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i] && parts[i]->handle == handle)
			return parts[i];
	}
	return NULL;
}

static struct part *add(TRACEHANDLE handle)
{
	unsigned int i = 0;

	while (i < MAX_PARTS && parts[i])
		i++;
	if (i == MAX_PARTS)
		return NULL;
	parts[i] = calloc(1, sizeof(*parts[i]));
	if (parts[i])
		parts[i]->handle = handle;
	return parts[i];
}

/* Fill in the report on a part; NULL if there was no memory for it */
static void fill_report(struct evntprov_private *arg, const struct part *p)
{
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	struct evntrace_session info = {};

	arg->error = p ? p->error : ENOMEM;
	if (p && p->session) {
		evnt_private_announce(p->session, &info, name);
		if (info.log_errno)
			arg->error = info.log_errno;
	}
	arg->events = info.events;
	arg->events_lost = info.events_lost;
	arg->buffers_written = info.buffers_written;
	arg->buffers_lost = info.buffers_lost;
	arg->buffers = info.buffers;
	arg->free_buffers = info.free_buffers;
}

/* Report that a part has ended, with a complete log */
static void report_done(TRACEHANDLE handle, __u32 version,
			const struct part *p)
{
	struct evntprov_private arg = {
		.size = sizeof(arg),
		.flags = EVNTPROV_PRIVATE_DONE,
		.handle = handle,
		.version = version,
	};

	fill_report(&arg, p);
	ioctl(evnt_device_fd(), EVNTPROV_IOC_PRIVATE, &arg);
}

/* Convert an error of StartTrace() to an errno */
static int errno_of(ULONG code)
{
	switch (code) {
	case ERROR_SUCCESS:
		return 0;
	case ERROR_NOT_ENOUGH_MEMORY:
		return ENOMEM;
	case ERROR_NO_SYSTEM_RESOURCES:
		return EUSERS;
	case ERROR_ACCESS_DENIED:
		return EACCES;
	case ERROR_DISK_FULL:
		return ENOSPC;
	case ERROR_PATH_NOT_FOUND:
		return ENOENT;
	case ERROR_BAD_PATHNAME:
		return EBUSY;
	case ERROR_INVALID_PARAMETER:
		return EINVAL;
	}
	return EIO;
}

/* Start a session as the module describes it.  Called with evnt_lib_lock. */
static void start(struct part *p, struct announced *t)
{
	const struct evntrace_session *l = t->info;
	struct evnt_session_names names = { .session = t->name, .log = t->log };
	EVENT_TRACE_PROPERTIES q = {
		.Wnode = { .ClientContext = l->clock_type },
		.BufferSize = l->buffer_size / 1024,
		.MinimumBuffers = l->min_buffers,
		.MaximumBuffers = l->max_buffers,
		.MaximumFileSize = l->max_file_size,
		.LogFileMode = l->log_file_mode,
	};

	memcpy(&q.Wnode.Guid, &l->guid, sizeof(q.Wnode.Guid));
	p->log_version = t->arg.log_version;
	p->flushes = t->arg.flushes;
	p->error = errno_of(evnt_private_start_part(&p->session, &names, &q,
						    l->flush_ms));
}

/* Unpack the filters of an enabled provider; return their number */
static __u32 unpack(struct evntrace_filter *to, const struct evntrace_enable *e)
{
	const char *from = (const char *)(e + 1);
	__u32 i;

	for (i = 0; i < e->filter_count; i++) {
		memcpy(&to[i], from, sizeof(to[i]));
		from += sizeof(to[i]);
		to[i].ptr = (uintptr_t)from;
		from += (to[i].len + 7) & ~7u;
	}
	return e->filter_count;
}

static void control(struct part *p, const struct evntrace_enable *e,
		    ULONG code)
{
	struct evntrace_filter filters[EVNTRACE_MAX_FILTERS];
	struct evntrace_enable arg = {
		.provider = e->provider,
		.source = e->source,
		.control = code,
	};
	ULONG result;

	if (code == EVENT_CONTROL_CODE_ENABLE_PROVIDER) {
		arg.match_any = e->match_any;
		arg.match_all = e->match_all;
		arg.property = e->property;
		arg.level = e->level;
		arg.filters = (uintptr_t)filters;
		arg.filter_count = unpack(filters, e);
	}
	result = evnt_private_enable_locked(p->session->handle, &arg);
	if (result && result != ERROR_WMI_INSTANCE_NOT_FOUND)
		p->error = errno_of(result);
}

static struct enabled *find_enabled(struct part *p, const void *id)
{
	unsigned int i;

	for (i = 0; i < p->count; i++) {
		if (!memcmp(&p->enabled[i].id, id, sizeof(GUID)))
			return &p->enabled[i];
	}
	return NULL;
}

/* Return the enabled provider that follows in the description */
static const struct evntrace_enable *
following(const struct evntrace_enable *e)
{
	return (const void *)((const char *)e + e->size);
}

static bool is_still_enabled(const struct announced *t, const GUID *id)
{
	const struct evntrace_enable *e;

	for (e = t->first; e < t->end; e = following(e)) {
		if (!memcmp(&e->provider, id, sizeof(*id)))
			return true;
	}
	return false;
}

/*
 * Disable removed providers before adding new ones, which may need their
 * places.  Called with evnt_lib_lock, which is released during callbacks.
 */
static void disable_rest(struct part *p, const struct announced *t,
			 unsigned int now)
{
	struct evntrace_enable e = {};
	unsigned int i = 0;

	while (epoch == now && i < p->count) {
		if (is_still_enabled(t, &p->enabled[i].id)) {
			i++;
			continue;
		}
		memcpy(&e.provider, &p->enabled[i].id, sizeof(e.provider));
		p->enabled[i] = p->enabled[--p->count];
		control(p, &e, EVENT_CONTROL_CODE_DISABLE_PROVIDER);
	}
}

/* Enable a provider as described; evnt_lib_lock is released during callbacks */
static void follow_enabled(struct part *p,
			   const struct evntrace_enable *described)
{
	struct enabled *e = find_enabled(p, &described->provider);
	bool is_new, capture;

	if (!e) {
		if (p->count == EVNTRACE_MAX_PRIVATE_PROVIDERS)
			return;
		e = &p->enabled[p->count++];
		*e = (struct enabled) {};
		memcpy(&e->id, &described->provider, sizeof(GUID));
	}
	is_new = e->version != described->version;
	/* A provider that was not enabled before has missed no request */
	capture = e->version && e->captures != described->captures;
	e->version = described->version;
	e->captures = described->captures;
	if (is_new)
		control(p, described, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	if (capture)
		control(p, described, EVENT_CONTROL_CODE_CAPTURE_STATE);
}

static void follow_all_enabled(struct part *p, const struct announced *t,
			       unsigned int now)
{
	const struct evntrace_enable *e;

	disable_rest(p, t, now);
	for (e = t->first; epoch == now && e < t->end; e = following(e))
		follow_enabled(p, e);
}

/*
 * Adapt an existing session to its description.  Change the log and
 * flush without evnt_lib_lock, as both take time; the part remains valid.
 */
static void change(struct part *p, struct announced *t, unsigned int now)
{
	ULONG code;

	if (!p->session->stopping && p->log_version != t->arg.log_version) {
		p->log_version = t->arg.log_version;
		pthread_mutex_unlock(&evnt_lib_lock);
		code = evnt_private_follow(p->session, t->log);
		pthread_mutex_lock(&evnt_lib_lock);
		p->error = errno_of(code);
	}
	if (epoch != now)
		return;
	evnt_private_set_flush_ms(p->session, t->info->flush_ms);
	follow_all_enabled(p, t, now);
	if (epoch != now || p->flushes == t->arg.flushes)
		return;
	p->flushes = t->arg.flushes;
	pthread_mutex_unlock(&evnt_lib_lock);
	evnt_private_flush(p->session);
	pthread_mutex_lock(&evnt_lib_lock);
}

/* Stop the session and complete its log; evnt_lib_lock is released */
static void finish(struct part *p, TRACEHANDLE handle, __u32 version,
		   unsigned int now)
{
	unsigned int i;

	if (p && p->session) {
		pthread_mutex_unlock(&evnt_lib_lock);
		evnt_private_stop(p->session);
		pthread_mutex_lock(&evnt_lib_lock);
	}
	if (epoch != now)
		return;
	report_done(handle, version, p);
	if (!p)
		return;
	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i] == p)
			parts[i] = NULL;
	}
	if (p->session)
		evnt_private_put(p->session);
	free(p);
}

static void follow(struct announced *t, unsigned int now)
{
	const TRACEHANDLE handle = t->arg.handle;
	struct part *p = find(handle);

	if (t->arg.state & EVNTPROV_PRIVATE_STOPPING) {
		finish(p, handle, t->arg.version, now);
		return;
	}
	if (!p) {
		p = add(handle);
		if (p)
			start(p, t);
		evnt_device_want_thread();
	}
	if (p)
		p->is_there = true;
	if (p && p->session)
		change(p, t, now);
	if (epoch == now)
		fill_report(&t->arg, p);
}

/* Find the parts of the description, which the module has written */
static void parse(struct announced *t)
{
	const __u32 len = t->info->name_len, log_len = t->info->log_name_len;
	const char *description = (const char *)t->info;
	const WCHAR *names = (const void *)(description + t->info->size);

	memcpy(t->name, names, len * sizeof(WCHAR));
	memcpy(t->log, names + len, log_len * sizeof(WCHAR));
	t->name[len] = 0;
	t->log[log_len] = 0;
	t->first = (const void *)((const char *)names +
				  (((len + log_len) * sizeof(WCHAR) + 7) &
				   ~7u));
	t->end = (const void *)(description + t->arg.len);
}

/* Report on a session, and get the next one; return 0 or an errno */
static int request(struct announced *t)
{
	const struct evntprov_private arg = t->arg;
	void *more;

	for (;;) {
		t->arg = arg;
		t->arg.description = (uintptr_t)t->info;
		t->arg.len = t->room;
		if (ioctl(evnt_device_fd(), EVNTPROV_IOC_PRIVATE, &t->arg))
			return errno;
		if (t->arg.len <= t->room)
			break;
		more = realloc(t->info, t->arg.len);
		if (!more)
			return ENOMEM;
		t->info = more;
		t->room = t->arg.len;
	}
	parse(t);
	return 0;
}

static void round_of(struct announced *t, unsigned int now)
{
	unsigned int i;
	int err;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			parts[i]->is_there = false;
	}
	t->arg = (struct evntprov_private) { .size = sizeof(t->arg) };
	while (!(err = request(t))) {
		follow(t, now);
		if (epoch != now)
			return;
	}
	/* Other errors mean a closed device, which will be replaced */
	if (err != ENOENT)
		return;
	/* Finish the parts that the module no longer knows */
	for (i = 0; i < MAX_PARTS && epoch == now; i++) {
		if (parts[i] && !parts[i]->is_there)
			finish(parts[i], parts[i]->handle, 0, now);
	}
}

/*
 * Adapt all parts to the state of the module.
 *
 * Called with evnt_lib_lock, which is released while working.  Single-threaded:
 * a second caller requests another round from the running one and returns at
 * once.
 */
static void sync_all(void)
{
	const unsigned int now = epoch;
	struct announced *t;

	again = true;
	if (busy || !evnt_device_is_own())
		return;
	t = calloc(1, sizeof(*t));
	if (!t)
		return;
	busy = true;
	while (epoch == now && again) {
		again = false;
		round_of(t, now);
	}
	free(t->info);
	free(t);
	if (epoch != now)
		return;
	busy = false;
	/* After the last part, close an unused device like unregister_locked() */
	if (!evnt_private_sync_any() && !evnt_registration_any())
		evnt_device_close();
}

/* Synchronize after opening another device, if there are parts; locked */
void evnt_private_sync_again(void)
{
	if (evnt_private_sync_any())
		sync_all();
}

/* Handle a notification; evnt_lib_lock is held, and released during work */
void evnt_private_sync_heard(void)
{
	if (!late)
		sync_all();
}

/*
 * Synchronize after a registration if a session may want its events.  Called
 * with evnt_lib_lock, which was released in between if the result is true.
 */
bool evnt_private_requests_registered(REGHANDLE handle)
{
	if (late) {
		late = false;
		evnt_private_sync_opened(evnt_device_fd());
	}
	if (!evnt_area_has_news(handle))
		return false;
	sync_all();
	return true;
}

/*
 * Synchronize before writing an event that may be wanted.  If evnt_lib_lock is
 * taken, even by this thread, the next event tries again.  If there are
 * sessions, a signal may have interrupted a writer that changing them would
 * wait for: then a thread does it.
 */
void evnt_private_sync_catch_up(void)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	bool any = false;
	unsigned int i;

	if (pthread_mutex_trylock(&evnt_lib_lock))
		return;
	late = false;
	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i])
			any = true;
	}
	if (any) {
		evnt_private_sync_opened(evnt_device_fd());
		evnt_device_want_thread();
	} else {
		sync_all();
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
}

/*
 * Report that all logs are complete, as the process exits or the library is
 * unloaded.  Called with evnt_lib_lock, which may be released in between.
 */
void evnt_private_sync_end(void)
{
	unsigned int i;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			report_done(parts[i]->handle, 0, parts[i]);
	}
	/* If busy, another thread has released the lock, and may not return */
	if (!busy && !evnt_registration_any())
		evnt_device_close();
}

/* In the child of a fork, with evnt_lib_lock: all parts are the parent's */
void evnt_private_sync_forked(void)
{
	unsigned int i;

	epoch++;
	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			inherited[i] = parts[i];
		parts[i] = NULL;
	}
	busy = false;
	again = false;
	/* A child without registrations takes part at its first one */
	late = evnt_registration_any();
}
