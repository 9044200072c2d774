// SPDX-License-Identifier: MIT
/*
 * Classic providers: RegisterTraceGuids and the functions for their callbacks.
 *
 * A classic provider is a registration of registration.c whose callback belongs to
 * the library.  It queries which session has enabled the provider, and calls
 * the provider's own callback.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include <linux/evntrace.h>

#include "lib/base/timed_lock.h"
#include "lib/provider/classic.h"
#include "lib/provider/hooks.h"
#include "lib/provider/registration.h"

/* Registration whose callback is running on this thread, or NULL */
static __thread const struct evnt_registration *current_registration;
/* Result of the last callback on this thread */
static __thread ULONG last_result;

/**
 * struct class - a class of events
 * @id: GUID of the class
 * @next: class that was registered before
 *
 * Classes are never freed, as a handle may be used until the process ends.
 */
struct class {
	GUID id;
	struct class *next;
};

static struct class *classes;

/* Return the handle of a class, or NULL without memory; locked */
static HANDLE class_handle(LPCGUID id)
{
	struct class *c;

	for (c = classes; c; c = c->next) {
		if (!memcmp(&c->id, id, sizeof(*id)))
			return c;
	}
	c = malloc(sizeof(*c));
	if (!c)
		return NULL;
	c->id = *id;
	c->next = classes;
	classes = c;
	return c;
}

const GUID *evnt_class_id(HANDLE class_handle)
{
	return &((const struct class *)class_handle)->id;
}

static ULONG register_classes(TRACE_GUID_REGISTRATION *reg, ULONG count)
{
	ULONG i, code = ERROR_SUCCESS;

	for (i = 0; i < count; i++) {
		if (!reg[i].Guid)
			return ERROR_INVALID_PARAMETER;
	}
	pthread_mutex_lock(&evnt_lib_lock);
	for (i = 0; i < count; i++) {
		reg[i].RegHandle = class_handle(reg[i].Guid);
		if (!reg[i].RegHandle)
			code = ERROR_NOT_ENOUGH_MEMORY;
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	return code;
}

/* Last instance ID given */
ULONG evnt_last_instance;

/**
 * CreateTraceInstanceId() - create the ID of a transaction
 * @RegHandle: handle of a class, set by RegisterTraceGuids()
 * @InstInfo: out: instance, for TraceEventInstance()
 *
 * IDs are unique in the process, start at 1, and wrap around to 1.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER if either argument is NULL.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-createtraceinstanceid
 */
EVNT_PUBLIC ULONG WMIAPI CreateTraceInstanceId(HANDLE RegHandle,
					       PEVENT_INSTANCE_INFO InstInfo)
{
	ULONG id;

	if (!RegHandle || !InstInfo)
		return ERROR_INVALID_PARAMETER;
	do
		id = __atomic_add_fetch(&evnt_last_instance, 1, __ATOMIC_RELAXED);
	while (!id);
	*InstInfo = (EVENT_INSTANCE_INFO) {
		.RegHandle = RegHandle, .InstanceId = id,
	};
	return ERROR_SUCCESS;
}

/*
 * Cache by session ID: the session, and a registration that it has or had
 * enabled.  The two are not read atomically: the module detects a pair that
 * does not match.
 */
static struct {
	TRACEHANDLE session;
	REGHANDLE handle;
} enabled[EVNTRACE_MAX_SESSIONS + EVNT_PRIVATE_MAX];

static unsigned int place_of(TRACEHANDLE session)
{
	unsigned int id = EVNTRACE_HANDLE_ID(session);

	return evnt_is_private(session) ?
	       EVNTRACE_MAX_SESSIONS + id % EVNT_PRIVATE_MAX :
	       id % EVNTRACE_MAX_SESSIONS;
}

/* Record that a session has enabled a registration */
void evnt_classic_enabled(TRACEHANDLE session, REGHANDLE handle)
{
	unsigned int place = place_of(session);

	__atomic_store_n(&enabled[place].handle, handle, __ATOMIC_RELAXED);
	__atomic_store_n(&enabled[place].session, session, __ATOMIC_RELEASE);
}

/* Return a registration that a session has or had enabled, or 0 */
REGHANDLE evnt_classic_find(TRACEHANDLE session)
{
	unsigned int place = place_of(session);

	if (__atomic_load_n(&enabled[place].session, __ATOMIC_ACQUIRE) !=
	    session)
		return 0;
	return __atomic_load_n(&enabled[place].handle, __ATOMIC_RELAXED);
}

/* Return the session that has enabled the provider; evnt_lib_lock is held */
static struct evnt_enabler query(const struct evnt_registration *r)
{
	const struct evntprov_enable slot = evnt_module_slot(r->handle);
	struct evnt_enabler now = {
		.session = slot.session,
		.flags = slot.set_any ? slot.match_any : 0,
		.level = slot.set_level,
		.still = slot.session && !r->classic.was_disabled &&
			 !evnt_is_private(r->classic.session),
	};

	evnt_hooks->classic(r, &now);
	return now;
}

/*
 * Update the state from @now and set the request code.  Return false if there
 * is nothing to report.  Called with evnt_lib_lock.
 */
static bool take_state(struct evnt_registration *r, ULONG control,
		       const struct evnt_enabler *now, WMIDPREQUESTCODE *code)
{
	struct evnt_classic *c = &r->classic;
	bool was = c->enabled;

	c->enabled = now->session;
	c->was_disabled = false;
	if (now->session) {
		c->session = now->session;
		c->flags = now->flags;
		c->level = now->level;
		evnt_classic_enabled(c->session, r->handle);
	}
	if (control == EVENT_CONTROL_CODE_CAPTURE_STATE)
		*code = WMI_CAPTURE_STATE;
	else
		*code = now->session ? WMI_ENABLE_EVENTS : WMI_DISABLE_EVENTS;
	return was || c->enabled;
}

/* Call the provider's callback; evnt_lib_lock is released during the call */
static void call(struct evnt_registration *r, WMIDPREQUESTCODE code)
{
	const struct evnt_registration *before = current_registration;
	WNODE_HEADER node = {
		.BufferSize = sizeof(node),
		.HistoricalContext = r->classic.session,
		.Guid = r->id,
		.Flags = WNODE_FLAG_TRACED_GUID,
	};
	ULONG size = sizeof(node);

	pthread_mutex_unlock(&evnt_lib_lock);
	current_registration = r;
	last_result = r->classic.request(code, r->classic.context, &size,
					 &node);
	current_registration = before;
	evnt_lib_relock();
}

/*
 * Report the end of the last session if it is gone and another one has enabled
 * the provider: the provider may otherwise keep using the last session.  Called
 * with evnt_lib_lock, which is released during the callback.
 */
static void report_end(struct evnt_registration *r)
{
	const struct evnt_enabler now = query(r);

	if (!r->classic.enabled || !now.session || now.still ||
	    now.session == r->classic.session)
		return;
	r->classic.enabled = false;
	call(r, WMI_DISABLE_EVENTS);
}

/* Enable callback of the registration @context of a classic provider */
VOID WINAPI evnt_classic_callback(LPCGUID source, ULONG control, UCHAR level,
				  ULONGLONG any, ULONGLONG all,
				  PEVENT_FILTER_DESCRIPTOR filter,
				  PVOID context)
{
	struct evnt_registration *r = context;
	struct evnt_enabler now;
	WMIDPREQUESTCODE code;

	(void)source;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	evnt_lib_relock();
	report_end(r);
	now = query(r);
	if (take_state(r, control, &now, &code))
		call(r, code);
	pthread_mutex_unlock(&evnt_lib_lock);
}

/**
 * RegisterTraceGuidsW() - register a classic provider
 * @RequestAddress: callback for sessions that enable or disable the provider
 * @RequestContext: passed to @RequestAddress
 * @ControlGuid: id of the provider
 * @GuidCount: number of elements of @TraceGuidReg
 * @TraceGuidReg: classes of events, whose handles are filled in; or NULL
 * @MofImagePath: ignored
 * @MofResourceName: ignored
 * @RegistrationHandle: out: the registration; 0 on failure
 *
 * A classic provider is enabled by one session at a time, the last to do so,
 * which is reported to @RequestAddress.  The provider may keep writing to a
 * previous session until that one disables it.  If a session has already
 * enabled it, @RequestAddress is called on the calling thread before this
 * returns, and its result is returned.  Succeeds even if the module is not
 * loaded.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if @RequestAddress,
 * @ControlGuid, @RegistrationHandle or the id of a class is NULL;
 * ERROR_NO_SYSTEM_RESOURCES if the process has 1,024 registrations;
 * ERROR_ACCESS_DENIED if the caller may not register the provider;
 * ERROR_NOT_ENOUGH_MEMORY; or the result of @RequestAddress, in which case the
 * provider is registered nevertheless.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-registertraceguidsw
 */
EVNT_PUBLIC ULONG WMIAPI
RegisterTraceGuidsW(WMIDPREQUEST RequestAddress, PVOID RequestContext,
		    LPCGUID ControlGuid, ULONG GuidCount,
		    PTRACE_GUID_REGISTRATION TraceGuidReg, LPCWSTR MofImagePath,
		    LPCWSTR MofResourceName, PTRACEHANDLE RegistrationHandle)
{
	ULONG code;

	(void)MofImagePath;
	(void)MofResourceName;
	if (RegistrationHandle)
		*RegistrationHandle = 0;
	if (!RequestAddress || !ControlGuid || !RegistrationHandle)
		return ERROR_INVALID_PARAMETER;
	code = register_classes(TraceGuidReg, TraceGuidReg ? GuidCount : 0);
	if (code)
		return code;
	last_result = ERROR_SUCCESS;
	code = evnt_provider_register(ControlGuid, NULL, RequestContext,
				      RequestAddress, RegistrationHandle);
	return code ? code : last_result;
}

/**
 * RegisterTraceGuidsA() - same as RegisterTraceGuidsW(), as no string is used
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-registertraceguidsa
 */
EVNT_PUBLIC ULONG WMIAPI
RegisterTraceGuidsA(WMIDPREQUEST RequestAddress, PVOID RequestContext,
		    LPCGUID ControlGuid, ULONG GuidCount,
		    PTRACE_GUID_REGISTRATION TraceGuidReg, LPCSTR MofImagePath,
		    LPCSTR MofResourceName, PTRACEHANDLE RegistrationHandle)
{
	(void)MofImagePath;
	(void)MofResourceName;
	return RegisterTraceGuidsW(RequestAddress, RequestContext, ControlGuid,
				   GuidCount, TraceGuidReg, NULL, NULL,
				   RegistrationHandle);
}

/**
 * UnregisterTraceGuids() - end a registration of a classic provider
 * @RegistrationHandle: handle from RegisterTraceGuids()
 *
 * See EventUnregister().  Handles of classes remain valid.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER for 0 or a handle that is
 * not, or no longer, a registration of a classic provider.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-unregistertraceguids
 */
EVNT_PUBLIC ULONG WMIAPI UnregisterTraceGuids(TRACEHANDLE RegistrationHandle)
{
	ULONG code = evnt_provider_unregister(RegistrationHandle, true);

	return code == ERROR_INVALID_HANDLE ? ERROR_INVALID_PARAMETER : code;
}

/**
 * GetTraceLoggerHandle() - return the session that a callback is about
 * @Buffer: buffer that was passed to the callback
 *
 * Return: the session's handle, or INVALID_HANDLE_VALUE with the last error
 * ERROR_INVALID_PARAMETER if @Buffer is NULL, ERROR_BAD_LENGTH if it is too
 * short, ERROR_INVALID_HANDLE if it contains no session.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-gettraceloggerhandle
 */
EVNT_PUBLIC TRACEHANDLE WMIAPI GetTraceLoggerHandle(PVOID Buffer)
{
	const WNODE_HEADER *node = Buffer;
	DWORD code;

	if (!node)
		code = ERROR_INVALID_PARAMETER;
	else if (node->BufferSize < sizeof(*node))
		code = ERROR_BAD_LENGTH;
	else if (!node->HistoricalContext)
		code = ERROR_INVALID_HANDLE;
	else
		return node->HistoricalContext;
	SetLastError(code);
	/* cppcheck-suppress arithOperationsOnVoidPointer ; it is a conversion */
	return (TRACEHANDLE)(LONG_PTR)INVALID_HANDLE_VALUE;
}

/**
 * evnt_classic_next() - iterate over registrations that can be used to write to
 * a session
 * @slot: iterator; 0 at first
 *
 * Return: handle of the next registration whose callback has been given a
 * session, or 0 at the end.
 */
REGHANDLE evnt_classic_next(unsigned int *slot)
{
	const struct evnt_registration *r;
	REGHANDLE handle = 0;

	/* A signal handler may have interrupted the owner of the lock */
	if (evnt_timed_lock(&evnt_lib_lock))
		return 0;
	while (*slot < evnt_slots_end && !handle) {
		r = evnt_registrations[(*slot)++];
		if (r && r->classic.session)
			handle = r->handle;
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	return handle;
}

/* Find a registration that @session has enabled, as last reported; locked */
static const struct evnt_registration *find_reported(TRACEHANDLE session)
{
	const struct evnt_registration *r;
	unsigned int i;

	for (i = 0; i < evnt_slots_end; i++) {
		r = evnt_registrations[i];
		if (r && r->classic.enabled && r->classic.session == session)
			return r;
	}
	return NULL;
}

/* Find how @session has enabled a provider, first the one being called here */
static bool find_enabled(TRACEHANDLE session, struct evnt_classic *found)
{
	const struct evnt_registration *r = current_registration;

	pthread_mutex_lock(&evnt_lib_lock);
	if (!r || r->classic.session != session)
		r = find_reported(session);
	if (r)
		*found = r->classic;
	pthread_mutex_unlock(&evnt_lib_lock);
	if (!r)
		SetLastError(ERROR_INVALID_HANDLE);
	return r;
}

/**
 * GetTraceEnableLevel() - return the level with which a session has enabled the
 * provider
 * @TraceHandle: handle from GetTraceLoggerHandle()
 *
 * For use in the callback.  While the provider is disabled, this is the last
 * level.  Outside the callback, it is the level of any registration that the
 * session has enabled.
 *
 * Return: the level, or 0 with the last error ERROR_INVALID_HANDLE for an
 * unknown session.  The last error is otherwise unchanged.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-gettraceenablelevel
 */
EVNT_PUBLIC UCHAR WMIAPI GetTraceEnableLevel(TRACEHANDLE TraceHandle)
{
	struct evnt_classic c;

	return find_enabled(TraceHandle, &c) ? c.level : 0;
}

/**
 * GetTraceEnableFlags() - return the flags with which a session has enabled the
 * provider
 * @TraceHandle: handle from GetTraceLoggerHandle()
 *
 * The flags are the lower half of the keywords of EnableTraceEx2(), as the
 * controller set them.  Otherwise like GetTraceEnableLevel().
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-gettraceenableflags
 */
EVNT_PUBLIC ULONG WMIAPI GetTraceEnableFlags(TRACEHANDLE TraceHandle)
{
	struct evnt_classic c;

	return find_enabled(TraceHandle, &c) ? c.flags : 0;
}
