// SPDX-License-Identifier: MIT
/*
 * Enabling providers for sessions: EnableTraceEx2 and what came before it.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "cancel.h"
#include "evntcons.h"
#include "evntrace.h"
#include "filters.h"
#include "private.h"
#include "trace_door.h"

_Static_assert(EVNTRACE_TIMEOUT_INFINITE == INFINITE &&
	       EVNTRACE_PROPERTY_PROVIDER_GROUP ==
	       EVENT_ENABLE_PROPERTY_PROVIDER_GROUP, "Windows' values");

static ULONG check_parameters(const ENABLE_TRACE_PARAMETERS *p)
{
	if (p->Version != ENABLE_TRACE_PARAMETERS_VERSION &&
	    p->Version != ENABLE_TRACE_PARAMETERS_VERSION_2)
		return ERROR_INVALID_PARAMETER;
	return p->ControlFlags ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

/* The first version has no count: one descriptor, or none */
static ULONG filter_count(const ENABLE_TRACE_PARAMETERS *p)
{
	return p->Version == ENABLE_TRACE_PARAMETERS_VERSION ?
		!!p->EnableFilterDesc : p->FilterDescCount;
}

/* Set what EnableTraceEx2() is given besides, and filters to be freed */
static ULONG set_parameters(struct evntrace_enable *arg,
			    struct evnt_filters *filters,
			    const ENABLE_TRACE_PARAMETERS *p)
{
	ULONG code = check_parameters(p);

	if (code)
		return code;
	arg->property = p->EnableProperty;
	memcpy(&arg->source, &p->SourceId, sizeof(arg->source));
	if (arg->control == EVENT_CONTROL_CODE_DISABLE_PROVIDER)
		return ERROR_SUCCESS;
	code = evnt_filters_from(filters, p->EnableFilterDesc,
				 filter_count(p));
	arg->filters = (uintptr_t)filters->filter;
	arg->filter_count = filters->count;
	return code;
}

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

/*
 * A program's signals do not cut its wait short: there are none where this API
 * comes from.  The change is made by the first call alone.
 */
static ULONG change_and_wait(int door, struct evntrace_enable *arg)
{
	const bool forever = arg->timeout_ms == EVNTRACE_TIMEOUT_INFINITE;
	const long long end = now_ms() + arg->timeout_ms;
	long long left;

	while (ioctl(door, EVNTRACE_IOC_ENABLE, arg)) {
		if (errno != EINTR)
			return evnt_win32(errno);
		arg->flags = EVNTRACE_ENABLE_WAIT;
		left = end - now_ms();
		if (!forever && left <= 0)
			return ERROR_TIMEOUT;
		if (!forever)
			arg->timeout_ms = left;
	}
	return ERROR_SUCCESS;
}

static ULONG change(struct evntrace_enable *arg)
{
	ULONG code;
	int door;

	if (evnt_is_private(arg->handle))
		return evnt_private_enable(arg);
	code = evnt_trace_door_open(&door);
	if (code)
		return code;
	code = change_and_wait(door, arg);
	close(door);
	return code;
}

/**
 * EnableTraceEx2() - enable, disable, or ask a provider for its state
 * @TraceHandle: the session
 * @ProviderId: the provider, whether it is registered or not
 * @ControlCode: EVENT_CONTROL_CODE_*
 * @Level: events up to this level; 0: all
 * @MatchAnyKeyword: events with one of these keywords; 0: all
 * @MatchAllKeyword: and with all of these
 * @Timeout: how long to wait for the providers' callbacks, in ms, whatever
 *	signals come; 0: not at all; INFINITE
 * @EnableParameters: or NULL
 *
 * Enabling again replaces what was set before, filters too.  Filters are not
 * looked at when a provider is disabled; when it is asked for its state, what it
 * looks at itself is handed to its callbacks.  With the ProviderId
 * SystemTraceControlGuid, EVENT_FILTER_TYPE_TRACEHANDLE has all providers asked
 * that the session of that handle has enabled; @Timeout does not wait for these.
 *
 * With EVENT_ENABLE_PROPERTY_PROVIDER_GROUP, @ProviderId is a group: all that is
 * done is done with each registration that is a member, or becomes one.  What a
 * session enables by both ways it gets once, if either lets it through.
 *
 * A classic provider is enabled by one session at a time, the last to do so; it is
 * told @Level and the lower half of @MatchAnyKeyword as they are.
 *
 * For a private session, callbacks run on the calling thread, before this returns.
 * Filters are there by event id, event name and payload; properties but stacks,
 * packages, containers and groups.  A classic provider is told of the one that has
 * enabled it last, and of the module's sessions when there is none.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, 0, unknown codes and
 * versions, filters that are malformed, too long, of the same type, or not for
 * groups or the @ControlCode, and properties that contradict each other;
 * ERROR_TIMEOUT: the change is in force, and the callbacks run later;
 * ERROR_WMI_INSTANCE_NOT_FOUND when there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for types of filters and properties
 * that are not there.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-enabletraceex2
 */
EVNT_PUBLIC ULONG WMIAPI EnableTraceEx2(TRACEHANDLE TraceHandle,
					LPCGUID ProviderId, ULONG ControlCode,
					UCHAR Level, ULONGLONG MatchAnyKeyword,
					ULONGLONG MatchAllKeyword,
					ULONG Timeout,
					PENABLE_TRACE_PARAMETERS EnableParameters)
{
	EVNT_UNCANCELLED;
	struct evntrace_enable arg = {
		.size = sizeof(arg),
		.handle = TraceHandle,
		.match_any = MatchAnyKeyword,
		.match_all = MatchAllKeyword,
		.control = ControlCode,
		.level = Level,
		.timeout_ms = Timeout,
	};
	struct evnt_filters filters = {};
	ULONG code = ERROR_SUCCESS;

	if (!ProviderId || !TraceHandle)
		return ERROR_INVALID_PARAMETER;
	memcpy(&arg.provider, ProviderId, sizeof(arg.provider));
	if (EnableParameters)
		code = set_parameters(&arg, &filters, EnableParameters);
	if (!code)
		code = change(&arg);
	evnt_filters_free(&filters);
	return code;
}

/**
 * EnableTraceEx() - enable or disable a provider
 * @ProviderId: the provider
 * @SourceId: who asks; the provider's callback is told; or NULL
 * @TraceHandle: the session
 * @IsEnabled: EVENT_CONTROL_CODE_ENABLE_PROVIDER or _DISABLE_PROVIDER
 * @Level: as for EnableTraceEx2()
 * @MatchAnyKeyword: likewise
 * @MatchAllKeyword: likewise
 * @EnableProperty: EVENT_ENABLE_PROPERTY_*
 * @EnableFilterDesc: a filter, or NULL
 *
 * Does not wait for callbacks.
 *
 * Return: as EnableTraceEx2().
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-enabletraceex
 */
EVNT_PUBLIC ULONG WMIAPI EnableTraceEx(LPCGUID ProviderId, LPCGUID SourceId,
				       TRACEHANDLE TraceHandle, ULONG IsEnabled,
				       UCHAR Level, ULONGLONG MatchAnyKeyword,
				       ULONGLONG MatchAllKeyword,
				       ULONG EnableProperty,
				       PEVENT_FILTER_DESCRIPTOR EnableFilterDesc)
{
	ENABLE_TRACE_PARAMETERS parameters = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.EnableProperty = EnableProperty,
		.EnableFilterDesc = EnableFilterDesc,
		.FilterDescCount = !!EnableFilterDesc,
	};

	if (IsEnabled > EVENT_CONTROL_CODE_ENABLE_PROVIDER)
		return ERROR_INVALID_PARAMETER;
	if (SourceId)
		parameters.SourceId = *SourceId;
	return EnableTraceEx2(TraceHandle, ProviderId, IsEnabled, Level,
			      MatchAnyKeyword, MatchAllKeyword, 0, &parameters);
}

/**
 * EnableTrace() - enable or disable a provider, as before there were keywords
 * @Enable: TRUE or FALSE
 * @EnableFlag: keywords, of which an event is to have one; 0: all
 * @EnableLevel: events up to this level; 0: all
 * @ControlGuid: the provider
 * @TraceHandle: the session
 *
 * Return: ERROR_INVALID_PARAMETER when @EnableLevel is above 255, or as
 * EnableTraceEx2().
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-enabletrace
 */
EVNT_PUBLIC ULONG WMIAPI EnableTrace(ULONG Enable, ULONG EnableFlag,
				     ULONG EnableLevel, LPCGUID ControlGuid,
				     TRACEHANDLE TraceHandle)
{
	if (EnableLevel > UINT8_MAX)
		return ERROR_INVALID_PARAMETER;
	return EnableTraceEx2(TraceHandle, ControlGuid,
			      Enable ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
				       EVENT_CONTROL_CODE_DISABLE_PROVIDER,
			      EnableLevel, EnableFlag, 0, 0, NULL);
}
