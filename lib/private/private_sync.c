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

/* Room for the filters of an enablement in the module's format */
#define FILTERS_ROOM	(EVNTRACE_MAX_FILTERS *				\
			 (sizeof(struct evntrace_filter_info) +		\
			  EVNTRACE_MAX_PROGRAM_SIZE + 8))

/**
 * struct enabled - a provider that was enabled for a session in this process
 * @id: the provider
 * @version: version of the module's session when it was enabled
 * @captures: number of requests for its state that were handled
 * @is_there: whether the module has just reported it as enabled
 */
struct enabled {
	GUID id;
	__u32 version;
	__u32 captures;
	bool is_there;
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

/* A system-wide private session as the module reports it, with its names */
struct announced {
	struct evntprov_private l;
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	WCHAR log[EVNTRACE_MAX_NAME + 1];
};

/* Take part through a new device; an old module refuses, and has no sessions */
void evnt_private_sync_opened(int fd)
{
	struct evntprov_private_join arg = {
		.size = sizeof(arg),
		.flags = late ? EVNTPROV_PRIVATE_DEFER : 0,
	};
	int saved = errno;

	ioctl(fd, EVNTPROV_IOC_PRIVATE_JOIN, &arg);
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

/* Report the state of a part; NULL if there was no memory for it */
static void report(TRACEHANDLE handle, __u32 version, const struct part *p,
		   __u32 flags)
{
	struct evntprov_private_report arg = {
		.size = sizeof(arg),
		.flags = flags,
		.handle = handle,
		.version = version,
		.error = p ? p->error : ENOMEM,
	};
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	struct evntrace_session info;

	if (p && p->session) {
		evnt_private_announce(p->session, &info, name);
		arg.events = info.events;
		arg.events_lost = info.events_lost;
		arg.buffers_written = info.buffers_written;
		arg.buffers_lost = info.buffers_lost;
		arg.buffers = info.buffers;
		arg.free_buffers = info.free_buffers;
		arg.error = info.log_errno ? info.log_errno : p->error;
	}
	ioctl(evnt_device_fd(), EVNTPROV_IOC_PRIVATE_REPORT, &arg);
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

/* Start a session as the module reports it.  Called with evnt_lib_lock. */
static void start(struct part *p, struct announced *t)
{
	const struct evntprov_private *l = &t->l;
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
	p->log_version = l->log_version;
	p->flushes = l->flushes;
	p->error = errno_of(evnt_private_start_part(&p->session, &names, &q,
						    l->flush_ms));
}

/* Unpack the filters that the module has concatenated; return their number */
static __u32 unpack(struct evntrace_filter *to, const char *from, __u32 count)
{
	struct evntrace_filter_info info;
	__u32 i;

	for (i = 0; i < count; i++) {
		memcpy(&info, from, sizeof(info));
		from += sizeof(info);
		to[i] = (struct evntrace_filter) {
			.ptr = (uintptr_t)from,
			.len = info.len,
			.type = info.type,
		};
		from += (info.len + 7) & ~7u;
	}
	return count;
}

static void control(struct part *p, const struct evntprov_private_enables *e,
		    const char *infos, ULONG code)
{
	struct evntrace_filter filters[EVNTRACE_MAX_FILTERS];
	struct evntrace_enable arg = {
		.handle = p->session->handle,
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
		arg.filter_count = unpack(filters, infos, e->filter_count);
	}
	result = evnt_private_enable_locked(&arg);
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

/* Query the provider at @index; with its filters if @infos is not NULL */
static bool request_enabled(struct evntprov_private_enables *e,
			    const struct part *p, unsigned int index,
			    char *infos)
{
	*e = (struct evntprov_private_enables) {
		.size = sizeof(*e),
		.handle = p->handle,
		.index = index,
		.buffer = (uintptr_t)infos,
		.len = infos ? FILTERS_ROOM : 0,
	};
	return !ioctl(evnt_device_fd(), EVNTPROV_IOC_PRIVATE_ENABLES, e);
}

/*
 * Mark the providers that are still enabled.  Return true if the marks are
 * complete: a provider that is removed during the loop makes it skip another.
 */
static bool mark_enabled(struct part *p,
			 const struct evntprov_private *reported)
{
	struct evntprov_private l = {
		.size = sizeof(l),
		.handle = reported->handle - 1,
	};
	struct evntprov_private_enables is;
	struct enabled *e;
	unsigned int i;

	for (i = 0; i < p->count; i++)
		p->enabled[i].is_there = false;
	for (i = 0; request_enabled(&is, p, i, NULL); i++) {
		e = find_enabled(p, &is.provider);
		if (e)
			e->is_there = true;
	}
	if (i != reported->enabled)
		return false;
	/* A session that has changed since will be reported again */
	return !ioctl(evnt_device_fd(), EVNTPROV_IOC_PRIVATE_NEXT, &l) &&
	       l.handle == reported->handle && l.version == reported->version;
}

/*
 * Disable removed providers before adding new ones, which may need their
 * places.  Called with evnt_lib_lock, which is released during callbacks.
 */
static void disable_rest(struct part *p,
			 const struct evntprov_private *reported,
			 unsigned int now)
{
	struct evntprov_private_enables e = {};
	unsigned int i = 0;

	if (!p->count || !mark_enabled(p, reported))
		return;
	while (epoch == now && i < p->count) {
		if (p->enabled[i].is_there) {
			i++;
			continue;
		}
		memcpy(&e.provider, &p->enabled[i].id, sizeof(e.provider));
		p->enabled[i] = p->enabled[--p->count];
		control(p, &e, NULL, EVENT_CONTROL_CODE_DISABLE_PROVIDER);
	}
}

/* Enable a provider as reported; evnt_lib_lock is released during callbacks */
static void follow_enabled(struct part *p,
			   const struct evntprov_private_enables *reported,
			   const char *infos)
{
	struct enabled *e = find_enabled(p, &reported->provider);
	bool is_new, capture;

	if (!e) {
		if (p->count == EVNTRACE_MAX_PRIVATE_PROVIDERS)
			return;
		e = &p->enabled[p->count++];
		*e = (struct enabled) {};
		memcpy(&e->id, &reported->provider, sizeof(GUID));
	}
	is_new = e->version != reported->version;
	/* A provider that was not enabled before has missed no request */
	capture = e->version && e->captures != reported->captures;
	e->version = reported->version;
	e->captures = reported->captures;
	if (is_new)
		control(p, reported, infos, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	if (capture)
		control(p, reported, infos, EVENT_CONTROL_CODE_CAPTURE_STATE);
}

/* Providers that are skipped, as others are removed, are found next time */
static void follow_all_enabled(struct part *p,
			       const struct evntprov_private *reported,
			       unsigned int now)
{
	struct evntprov_private_enables e;
	char *infos = malloc(FILTERS_ROOM);
	unsigned int i;

	if (!infos) {
		p->error = ENOMEM;
		return;
	}
	disable_rest(p, reported, now);
	for (i = 0; epoch == now && request_enabled(&e, p, i, infos); i++)
		follow_enabled(p, &e, infos);
	free(infos);
}

/*
 * Adapt an existing session to what the module reports.  Change the log and
 * flush without evnt_lib_lock, as both take time; the part remains valid.
 */
static void change(struct part *p, struct announced *t, unsigned int now)
{
	ULONG code;

	if (!p->session->stopping && p->log_version != t->l.log_version) {
		p->log_version = t->l.log_version;
		pthread_mutex_unlock(&evnt_lib_lock);
		code = evnt_private_follow(p->session, t->log);
		pthread_mutex_lock(&evnt_lib_lock);
		p->error = errno_of(code);
	}
	if (epoch != now)
		return;
	evnt_private_set_flush_ms(p->session, t->l.flush_ms);
	follow_all_enabled(p, &t->l, now);
	if (epoch != now || p->flushes == t->l.flushes)
		return;
	p->flushes = t->l.flushes;
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
	report(handle, version, p, EVNTPROV_PRIVATE_DONE);
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
	struct part *p = find(t->l.handle);

	if (t->l.flags & EVNTPROV_PRIVATE_STOP) {
		finish(p, t->l.handle, t->l.version, now);
		return;
	}
	if (!p) {
		p = add(t->l.handle);
		if (p)
			start(p, t);
		evnt_device_want_thread();
	}
	if (p)
		p->is_there = true;
	if (p && p->session)
		change(p, t, now);
	if (epoch == now)
		report(t->l.handle, t->l.version, p, 0);
}

/* Query the session that follows @handle; return 0 or an errno */
static int request(struct announced *t, TRACEHANDLE handle)
{
	t->l = (struct evntprov_private) {
		.size = sizeof(t->l),
		.handle = handle,
		.name = (uintptr_t)t->name,
		.log_name = (uintptr_t)t->log,
		.name_len = EVNTRACE_MAX_NAME,
		.log_name_len = EVNTRACE_MAX_NAME,
	};
	if (ioctl(evnt_device_fd(), EVNTPROV_IOC_PRIVATE_NEXT, &t->l))
		return errno;
	t->name[t->l.name_len] = 0;
	t->log[t->l.log_name_len] = 0;
	return 0;
}

static void round_of(struct announced *t, unsigned int now)
{
	TRACEHANDLE handle = 0;
	unsigned int i;
	int err;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			parts[i]->is_there = false;
	}
	while (!(err = request(t, handle))) {
		handle = t->l.handle;
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
	t = malloc(sizeof(*t));
	if (!t)
		return;
	busy = true;
	while (epoch == now && again) {
		again = false;
		round_of(t, now);
	}
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
			report(parts[i]->handle, 0, parts[i],
			       EVNTPROV_PRIVATE_DONE);
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
