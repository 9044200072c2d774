// SPDX-License-Identifier: MIT
/*
 * Classic providers: RegisterTraceGuids, and what their callbacks ask.
 *
 * Their registrations are those of provider.c, whose callbacks are ours: they ask
 * the module which session it is, and call the provider's.
 */
#include <errno.h>
#include <stdlib.h>

#include "classic.h"
#include "exit.h"
#include "fast_ioctl.h"
#include "private.h"
#include "registration.h"

/* The registration whose callback is running on this thread, or NULL */
static __thread const struct evnt_registration *current_registration;
/* What the last callback on this thread has returned */
static __thread ULONG last_result;

/**
 * struct class - a class of events
 * @id: the class
 * @next: the one that was registered before
 *
 * They stay as long as the process: whoever has a handle may use it.
 */
struct class {
	GUID id;
	struct class *next;
};

static struct class *classes;

/* The handle of a class; NULL without memory.  Locked. */
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

/* Who has enabled it now, and whether the one that it was told of has still */
static void query(const struct evnt_registration *r,
		  struct evntprov_classic *now)
{
	*now = (struct evntprov_classic) {
		.size = sizeof(*now), .handle = r->handle,
		.session = r->classic.session,
	};
	if (evnt_ioctl(evnt_door_fd(), EVNTPROV_IOC_CLASSIC, now)) {
		now->session = 0;
		now->still = 0;
	}
	evnt_private_classic(r, now);
}

/* What is to be told of @now; false when there is nothing to tell.  Locked. */
static bool take_state(struct evnt_registration *r, ULONG control,
		       const struct evntprov_classic *now,
		       WMIDPREQUESTCODE *code)
{
	struct evnt_classic *c = &r->classic;
	bool was = c->enabled;

	c->enabled = now->session;
	if (now->session) {
		c->session = now->session;
		c->flags = now->match_any;
		c->level = now->level;
		evnt_classic_enabled(c->session, r->handle);
	}
	if (control == EVENT_CONTROL_CODE_CAPTURE_STATE)
		*code = WMI_CAPTURE_STATE;
	else
		*code = now->session ? WMI_ENABLE_EVENTS : WMI_DISABLE_EVENTS;
	return was || c->enabled;
}

/* Call the provider's callback.  Locked; the lock is released meanwhile. */
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
	pthread_mutex_lock(&evnt_lib_lock);
}

/*
 * Another session has enabled it, and the one that it was told of before, which
 * it may want to keep to, has gone: that is told first.  Locked.
 */
static void tell_end(struct evnt_registration *r)
{
	struct evntprov_classic now;

	query(r, &now);
	if (!r->classic.enabled || !now.session || now.still ||
	    now.session == r->classic.session)
		return;
	r->classic.enabled = false;
	call(r, WMI_DISABLE_EVENTS);
}

/* An enable callback, as callback.c calls it, of the registration @context */
VOID WINAPI evnt_classic_callback(LPCGUID source, ULONG control, UCHAR level,
				  ULONGLONG any, ULONGLONG all,
				  PEVENT_FILTER_DESCRIPTOR filter,
				  PVOID context)
{
	struct evnt_registration *r = context;
	struct evntprov_classic now;
	WMIDPREQUESTCODE code;

	(void)source;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	pthread_mutex_lock(&evnt_lib_lock);
	tell_end(r);
	query(r, &now);
	if (take_state(r, control, &now, &code))
		call(r, code);
	pthread_mutex_unlock(&evnt_lib_lock);
}

/**
 * RegisterTraceGuidsW() - register a classic provider
 * @RequestAddress: called when a session enables or disables it
 * @RequestContext: handed to @RequestAddress
 * @ControlGuid: its id
 * @GuidCount: elements of @TraceGuidReg
 * @TraceGuidReg: the classes of its events, whose handles are filled in; or NULL
 * @MofImagePath: not looked at
 * @MofResourceName: not looked at
 * @RegistrationHandle: out: the registration; 0 on failure
 *
 * One session at a time enables it: that which has done so last, as
 * @RequestAddress is told; but a session that it had before may be written to as
 * long as that does not disable it.  If there is one already, @RequestAddress has
 * been called when this returns, by the calling thread, and what it returned is
 * returned.  Succeeds also where the module is not loaded.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER when @RequestAddress,
 * @ControlGuid, @RegistrationHandle, or the id of a class is NULL;
 * ERROR_NO_SYSTEM_RESOURCES when the process has 1,024 registrations;
 * ERROR_ACCESS_DENIED when the caller may not register the provider;
 * ERROR_NOT_ENOUGH_MEMORY; or what @RequestAddress has returned: then it is
 * registered all the same.
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
 * RegisterTraceGuidsA() - the same: there is nothing in it that has characters
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
 * @RegistrationHandle: what RegisterTraceGuids() has filled in
 *
 * As EventUnregister().  Handles of classes stay good.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER for 0, or what is no
 * registration of a classic provider (any more).
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-unregistertraceguids
 */
EVNT_PUBLIC ULONG WMIAPI UnregisterTraceGuids(TRACEHANDLE RegistrationHandle)
{
	ULONG code = evnt_provider_unregister(RegistrationHandle, true);

	return code == ERROR_INVALID_HANDLE ? ERROR_INVALID_PARAMETER : code;
}

/**
 * GetTraceLoggerHandle() - the session that a callback is about
 * @Buffer: what the callback was given
 *
 * Return: the session's handle, or INVALID_HANDLE_VALUE with the last error
 * ERROR_INVALID_PARAMETER when @Buffer is NULL, ERROR_BAD_LENGTH when it is too
 * short, ERROR_INVALID_HANDLE when there is no session in it.
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
 * evnt_classic_next() - a registration through which a session may be written to
 * @slot: where to look from: 0 at first
 *
 * Return: the handle of the next one that any session has enabled, as far as
 * callbacks were told; or 0 when there is none any more.
 */
REGHANDLE evnt_classic_next(unsigned int *slot)
{
	const struct evnt_registration *r;
	REGHANDLE handle = 0;

	/* In a signal handler, this thread may have the lock */
	if (evnt_exit_lock())
		return 0;
	while (*slot < EVNTPROV_MAX_SLOTS && !handle) {
		r = evnt_registrations[(*slot)++];
		if (r && r->classic.session)
			handle = r->handle;
	}
	pthread_mutex_unlock(&evnt_lib_lock);
	return handle;
}

/* A registration that a session has enabled, as callbacks were told.  Locked. */
static const struct evnt_registration *find_told(TRACEHANDLE session)
{
	const struct evnt_registration *r;
	unsigned int i;

	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		r = evnt_registrations[i];
		if (r && r->classic.enabled && r->classic.session == session)
			return r;
	}
	return NULL;
}

/* How a session has enabled it: the one that is being told, or any; or false */
static bool find_enabled(TRACEHANDLE session, struct evnt_classic *found)
{
	const struct evnt_registration *r = current_registration;

	pthread_mutex_lock(&evnt_lib_lock);
	if (!r || r->classic.session != session)
		r = find_told(session);
	if (r)
		*found = r->classic;
	pthread_mutex_unlock(&evnt_lib_lock);
	if (!r)
		SetLastError(ERROR_INVALID_HANDLE);
	return r;
}

/**
 * GetTraceEnableLevel() - the level that a session has enabled the provider with
 * @TraceHandle: what GetTraceLoggerHandle() has returned
 *
 * For the callback to call.  When it is disabled, it is as it was last.  Outside
 * of the callback, it is that of any registration that the session has enabled.
 *
 * Return: the level; or 0, with the last error ERROR_INVALID_HANDLE, when it is
 * no such session.  The last error is not changed otherwise.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-gettraceenablelevel
 */
EVNT_PUBLIC UCHAR WMIAPI GetTraceEnableLevel(TRACEHANDLE TraceHandle)
{
	struct evnt_classic c;

	return find_enabled(TraceHandle, &c) ? c.level : 0;
}

/**
 * GetTraceEnableFlags() - the flags that a session has enabled the provider with
 * @TraceHandle: what GetTraceLoggerHandle() has returned
 *
 * They are the lower half of the keywords of EnableTraceEx2(), as they were set.
 * Otherwise as GetTraceEnableLevel().
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-gettraceenableflags
 */
EVNT_PUBLIC ULONG WMIAPI GetTraceEnableFlags(TRACEHANDLE TraceHandle)
{
	struct evnt_classic c;

	return find_enabled(TraceHandle, &c) ? c.flags : 0;
}
