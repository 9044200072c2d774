// SPDX-License-Identifier: MIT
/*
 * Taking part in private loggers of the whole system.
 *
 * Who starts one tells the module, not us: the library's thread reads that there
 * is something new, or a slot of the enable area says so to who writes an event,
 * where there is no such thread.  Then all is asked for, and compared with what is
 * there: sessions are started, changed and stopped so that they are as they are
 * to be.  So nothing depends on the order of what happened, or on how often it was
 * told.
 *
 * A child of a fork takes part when an event of it might be wanted, and not
 * before: most children just run another program, and have no use for a file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "cancel.h"
#include "evntcons.h"
#include "filters.h"
#include "logger.h"
#include "private.h"

/* Room for the filters of an enablement, as the module tells them */
#define FILTERS_ROOM	(EVNTRACE_MAX_FILTERS *				\
			 (sizeof(struct evntrace_filter_info) +		\
			  EVNTRACE_MAX_PROGRAM_SIZE + 8))

/**
 * struct enabled - a provider that a logger has enabled, as we know it
 * @id: the provider
 * @version: which of the logger's changes that was
 * @captures: how often it was asked for its state
 * @is_there: the module has just said that it is enabled still
 */
struct enabled {
	GUID id;
	__u32 version;
	__u32 captures;
	bool is_there;
};

/**
 * struct part - a logger that this process takes part in
 * @handle: the logger
 * @session: the session, with a reference; NULL: it could not be started
 * @error: why not, as an errno
 * @log_version: which of the logger's changes its log file's name is of
 * @flushes: how many flushes are done
 * @is_there: the module has just said so
 * @count: providers that are enabled
 * @enabled: they
 */
struct part {
	TRACEHANDLE handle;
	struct evnt_private *session;
	int error;
	__u32 log_version;
	__u32 flushes;
	bool is_there;
	unsigned int count;
	struct enabled enabled[EVNTRACE_MAX_LOGGER_PROVIDERS];
};

/* More than there are places for sessions: others say why they have none */
#define MAX_PARTS	EVNTRACE_MAX_LOGGERS

/*
 * Under the lock; parts are replaced by who has @busy alone.  @epoch counts forks:
 * who finds another one than before is in a child, where all of this is gone.
 */
static struct part *parts[MAX_PARTS];
/* A parent's, which who forks in a callback may have in his hands */
static struct part *inherited[MAX_PARTS];
static bool busy, again, late;
static unsigned int epoch;

/* A logger as the module tells of it, with its names */
struct told {
	struct evntprov_logger l;
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	WCHAR log[EVNTRACE_MAX_NAME + 1];
};

/* A door was opened: we take part.  A module that does not know it has none. */
void evnt_loggers_opened(int fd)
{
	struct evntprov_loggers arg = {
		.size = sizeof(arg),
		.flags = late ? EVNTPROV_LOGGERS_LATER : 0,
	};
	int saved = errno;

	ioctl(fd, EVNTPROV_IOC_LOGGERS, &arg);
	errno = saved;
}

bool evnt_loggers_any(void)
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

static void forget(struct part *p)
{
	unsigned int i;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i] == p)
			parts[i] = NULL;
	}
	if (p->session)
		evnt_private_put(p->session);
	free(p);
}

/* Say how far we are with a logger; @p may be NULL: there is nothing */
static void report(TRACEHANDLE handle, __u32 version, const struct part *p,
		   __u32 flags)
{
	struct evntprov_logger_report arg = {
		.size = sizeof(arg),
		.flags = flags,
		.handle = handle,
		.version = version,
		.error = p ? p->error : ENOMEM,
	};
	WCHAR name[EVNTRACE_MAX_NAME + 1];
	struct evntrace_session info;

	if (p && p->session) {
		evnt_private_tell(p->session, &info, name);
		arg.events = info.events;
		arg.events_lost = info.events_lost;
		arg.buffers_written = info.buffers_written;
		arg.buffers_lost = info.buffers_lost;
		arg.buffers = info.buffers;
		arg.free_buffers = info.free_buffers;
		arg.error = info.log_errno ? info.log_errno : p->error;
	}
	ioctl(evnt_door_fd(), EVNTPROV_IOC_LOGGER_REPORT, &arg);
}

/* An errno for what StartTrace() returns */
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

/* What the session of a logger is to be; locked */
static void start(struct part *p, struct told *t)
{
	const struct evntprov_logger *l = &t->l;
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

/* The filters that the module has put behind each other; how many */
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

static void control(struct part *p, const struct evntprov_logger_enabled *e,
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

static struct enabled *get_enabled(struct part *p, const void *id)
{
	struct enabled *e = find_enabled(p, id);

	if (e || p->count == EVNTRACE_MAX_LOGGER_PROVIDERS)
		return e;
	e = &p->enabled[p->count++];
	*e = (struct enabled) {};
	memcpy(&e->id, id, sizeof(GUID));
	return e;
}

/* Which provider is the @index-th; with its filters, if @infos has room for them */
static bool ask_enabled(struct evntprov_logger_enabled *e, const struct part *p,
			unsigned int index, char *infos)
{
	*e = (struct evntprov_logger_enabled) {
		.size = sizeof(*e),
		.handle = p->handle,
		.index = index,
		.buffer = (uintptr_t)infos,
		.len = infos ? FILTERS_ROOM : 0,
	};
	return !ioctl(evnt_door_fd(), EVNTPROV_IOC_LOGGER_ENABLED, e);
}

/* Whether a logger is not any more what was told of it; then it is told again */
static bool has_changed(const struct evntprov_logger *told)
{
	struct evntprov_logger l = {
		.size = sizeof(l),
		.handle = told->handle - 1,
	};

	return ioctl(evnt_door_fd(), EVNTPROV_IOC_LOGGER, &l) ||
	       l.handle != told->handle || l.version != told->version;
}

/*
 * Mark which of ours are enabled still.  True: all others are not; when one goes
 * while they are counted, another one is passed over.
 */
static bool mark_enabled(struct part *p, const struct evntprov_logger *told)
{
	struct evntprov_logger_enabled is;
	struct enabled *e;
	unsigned int i;

	for (i = 0; i < p->count; i++)
		p->enabled[i].is_there = false;
	for (i = 0; ask_enabled(&is, p, i, NULL); i++) {
		e = find_enabled(p, &is.provider);
		if (e)
			e->is_there = true;
	}
	return i == told->enabled && !has_changed(told);
}

/*
 * What is enabled no more is disabled first: what is new takes its place.  The
 * lock is released meanwhile.
 */
static void disable_rest(struct part *p, const struct evntprov_logger *told,
			 unsigned int now)
{
	struct evntprov_logger_enabled e = {};
	unsigned int i = 0;

	if (!p->count || !mark_enabled(p, told))
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

/* One provider is enabled as the module says; the lock is released meanwhile */
static void follow_enabled(struct part *p,
			   const struct evntprov_logger_enabled *told,
			   const char *infos)
{
	struct enabled *e = get_enabled(p, &told->provider);
	bool is_new, capture;

	if (!e)
		return;
	is_new = e->version != told->version;
	/* Who is enabled now was not asked before */
	capture = e->version && e->captures != told->captures;
	e->version = told->version;
	e->captures = told->captures;
	if (is_new)
		control(p, told, infos, EVENT_CONTROL_CODE_ENABLE_PROVIDER);
	if (capture)
		control(p, told, infos, EVENT_CONTROL_CODE_CAPTURE_STATE);
}

/* One that is passed over, as others go meanwhile, is found in the next round */
static void follow_all_enabled(struct part *p,
			       const struct evntprov_logger *told,
			       unsigned int now)
{
	struct evntprov_logger_enabled e;
	char *infos = malloc(FILTERS_ROOM);
	unsigned int i;

	if (!infos) {
		p->error = ENOMEM;
		return;
	}
	disable_rest(p, told, now);
	for (i = 0; epoch == now && ask_enabled(&e, p, i, infos); i++)
		follow_enabled(p, &e, infos);
	free(infos);
}

/* What takes time is done without the lock; the part stays meanwhile */
static void flush(struct part *p)
{
	pthread_mutex_unlock(&evnt_lib_lock);
	evnt_private_flush(p->session);
	pthread_mutex_lock(&evnt_lib_lock);
}

static void follow_log(struct part *p, const WCHAR *log)
{
	ULONG code;

	pthread_mutex_unlock(&evnt_lib_lock);
	code = evnt_private_follow(p->session, log);
	pthread_mutex_lock(&evnt_lib_lock);
	p->error = errno_of(code);
}

/* The session is there, and may be another than the module says now */
static void change(struct part *p, struct told *t, unsigned int now)
{
	if (!p->session->stopping && p->log_version != t->l.log_version) {
		p->log_version = t->l.log_version;
		follow_log(p, t->log);
	}
	if (epoch != now)
		return;
	evnt_private_set_flush_ms(p->session, t->l.flush_ms);
	follow_all_enabled(p, &t->l, now);
	if (epoch == now && p->flushes != t->l.flushes) {
		p->flushes = t->l.flushes;
		flush(p);
	}
}

/* Its log is complete when this returns; the lock is released meanwhile */
static void stop(struct part *p)
{
	if (!p->session)
		return;
	pthread_mutex_unlock(&evnt_lib_lock);
	evnt_private_stop(p->session);
	pthread_mutex_lock(&evnt_lib_lock);
}

static void finish(struct part *p, TRACEHANDLE handle, __u32 version,
		   unsigned int now)
{
	if (p)
		stop(p);
	if (epoch != now)
		return;
	report(handle, version, p, EVNTPROV_LOGGER_DONE);
	if (p)
		forget(p);
}

static void follow(struct told *t, unsigned int now)
{
	struct part *p = find(t->l.handle);

	if (t->l.flags & EVNTPROV_LOGGER_STOP) {
		finish(p, t->l.handle, t->l.version, now);
		return;
	}
	if (!p) {
		p = add(t->l.handle);
		if (p)
			start(p, t);
		evnt_door_want_thread();
	}
	if (p)
		p->is_there = true;
	if (p && p->session)
		change(p, t, now);
	if (epoch == now)
		report(t->l.handle, t->l.version, p, 0);
}

/* The next one behind @handle; 0 or an errno */
static int ask(struct told *t, TRACEHANDLE handle)
{
	t->l = (struct evntprov_logger) {
		.size = sizeof(t->l),
		.handle = handle,
		.name = (uintptr_t)t->name,
		.log_name = (uintptr_t)t->log,
		.name_len = EVNTRACE_MAX_NAME,
		.log_name_len = EVNTRACE_MAX_NAME,
	};
	if (ioctl(evnt_door_fd(), EVNTPROV_IOC_LOGGER, &t->l))
		return errno;
	t->name[t->l.name_len] = 0;
	t->log[t->l.log_name_len] = 0;
	return 0;
}

/* Those that the module knows no more: it has heard enough of them */
static void finish_rest(unsigned int now)
{
	unsigned int i;

	for (i = 0; i < MAX_PARTS && epoch == now; i++) {
		if (parts[i] && !parts[i]->is_there)
			finish(parts[i], parts[i]->handle, 0, now);
	}
}

static void round_of(struct told *t, unsigned int now)
{
	TRACEHANDLE handle = 0;
	unsigned int i;
	int err;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			parts[i]->is_there = false;
	}
	while (!(err = ask(t, handle))) {
		handle = t->l.handle;
		follow(t, now);
		if (epoch != now)
			return;
	}
	/* Otherwise somebody has closed the door: another one is opened */
	if (err == ENOENT)
		finish_rest(now);
}

/* The last one has gone, and so have all registrations: see unregister_locked() */
static void close_door(void)
{
	if (!evnt_loggers_any() && !evnt_registration_any())
		evnt_door_close();
}

/**
 * evnt_loggers_sync() - do what there is to do
 *
 * Under the lock, which is released meanwhile.  One does it at a time: who comes
 * while another one is at it has that one do it again, and does not wait.
 */
void evnt_loggers_sync(void)
{
	const unsigned int now = epoch;
	struct told *t;

	again = true;
	if (busy || !evnt_door_is_own())
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
	close_door();
}

/* Another door is open: there may be none of those that were.  Likewise. */
void evnt_loggers_again(void)
{
	if (evnt_loggers_any())
		evnt_loggers_sync();
}

/* A notification was read.  Locked; the lock is released meanwhile. */
void evnt_loggers_heard(void)
{
	if (!late)
		evnt_loggers_sync();
}

/*
 * A provider was registered, of which a logger may want events at once.  Locked;
 * the lock is released meanwhile if the result is true.
 */
bool evnt_loggers_registered(REGHANDLE handle)
{
	if (late) {
		late = false;
		evnt_loggers_opened(evnt_door_fd());
	}
	if (!evnt_area_has_news(handle))
		return false;
	evnt_loggers_sync();
	return true;
}

static bool any_session(void)
{
	unsigned int i;

	for (i = 0; i < EVNT_PRIVATE_MAX; i++) {
		if (evnt_privates[i])
			return true;
	}
	return false;
}

/*
 * An event might be wanted.  Without the lock, or with it: then it waits for the
 * next one.  Where there are sessions, a signal may have come in the midst of an
 * event of theirs, which a change of them would wait for: then a thread does it.
 */
void evnt_loggers_catch_up(void)
{
	EVNT_UNCANCELLED;
	int saved = errno;

	if (pthread_mutex_trylock(&evnt_lib_lock))
		return;
	late = false;
	if (any_session()) {
		evnt_loggers_opened(evnt_door_fd());
		evnt_door_want_thread();
	} else {
		evnt_loggers_sync();
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	errno = saved;
}

/*
 * The process ends, or the library goes, and all logs are complete: have the module
 * hear so.  Locked; the lock is released meanwhile.
 */
void evnt_loggers_end(void)
{
	unsigned int i;

	for (i = 0; i < MAX_PARTS; i++) {
		if (parts[i])
			report(parts[i]->handle, 0, parts[i],
			       EVNTPROV_LOGGER_DONE);
	}
	/* Another thread is at it, and has let go of the lock: it may not return */
	if (!busy && !evnt_registration_any())
		evnt_door_close();
}

/* In the child, under the lock: all of it is the parent's */
void evnt_loggers_forked(void)
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
	/* Who has not registered before does so on purpose */
	late = evnt_registration_any();
}
