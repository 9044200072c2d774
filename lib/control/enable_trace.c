// SPDX-License-Identifier: MIT
/*
 * Enabling providers for sessions: EnableTraceEx2 and its older forms.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "lib/base/cancel.h"
#include "evntcons.h"
#include "evntrace.h"
#include "lib/private/private.h"
#include "lib/control/trace_control.h"

_Static_assert(EVNTRACE_TIMEOUT_INFINITE == INFINITE &&
	       EVNTRACE_PROPERTY_PROVIDER_GROUP ==
	       EVENT_ENABLE_PROPERTY_PROVIDER_GROUP, "Windows' values");

/* Apply the parameters of EnableTraceEx2(); the caller frees the filters */
static ULONG set_parameters(struct evntrace_enable *arg,
			    struct evnt_filter_list *filters,
			    const ENABLE_TRACE_PARAMETERS *p)
{
	ULONG code, count;

	if (p->Version != ENABLE_TRACE_PARAMETERS_VERSION &&
	    p->Version != ENABLE_TRACE_PARAMETERS_VERSION_2)
		return ERROR_INVALID_PARAMETER;
	if (p->ControlFlags)
		return ERROR_INVALID_PARAMETER;
	arg->property = p->EnableProperty;
	memcpy(&arg->source, &p->SourceId, sizeof(arg->source));
	if (arg->control == EVENT_CONTROL_CODE_DISABLE_PROVIDER)
		return ERROR_SUCCESS;
	/* Version 1 has no count, so one or none */
	count = p->Version == ENABLE_TRACE_PARAMETERS_VERSION ?
		!!p->EnableFilterDesc : p->FilterDescCount;
	code = evnt_filters_from(filters, p->EnableFilterDesc, count);
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
 * Apply the change in the first call, then only wait.  Signals do not cut the
 * wait short, as there are none on Windows.
 */
static ULONG change(TRACEHANDLE handle, struct evntrace_enable *arg)
{
	const bool forever = arg->timeout_ms == EVNTRACE_TIMEOUT_INFINITE;
	long long end, left;
	ULONG code;
	int session;

	if (evnt_is_private(handle))
		return evnt_private_enable(handle, arg);
	code = evnt_session_open_handle(handle, &session);
	if (code)
		return code;
	end = now_ms() + arg->timeout_ms;
	while (ioctl(session, EVNTRACE_IOC_ENABLE, arg)) {
		if (errno != EINTR) {
			/* The session may end after it has enabled */
			code = errno == ESRCH && arg->flags ? ERROR_SUCCESS :
							evnt_win32(errno);
			break;
		}
		arg->flags = EVNTRACE_ENABLE_WAIT;
		left = end - now_ms();
		if (!forever && left <= 0) {
			code = ERROR_TIMEOUT;
			break;
		}
		if (!forever)
			arg->timeout_ms = left;
	}
	close(session);
	return code;
}

/**
 * EnableTraceEx2() - enable or disable a provider, or request its state
 * @TraceHandle: the session
 * @ProviderId: the provider, registered or not
 * @ControlCode: EVENT_CONTROL_CODE_*
 * @Level: highest level of events; 0: all
 * @MatchAnyKeyword: keywords of which an event must have one; 0: all events
 * @MatchAllKeyword: keywords of which an event must have all
 * @Timeout: time to wait for the providers' callbacks in ms, regardless of
 *	signals; 0: do not wait; INFINITE: no limit
 * @EnableParameters: or NULL
 *
 * Enabling again replaces all previous settings, including filters.  Filters
 * are ignored when a provider is disabled.  When its state is requested,
 * filters that the provider applies itself are passed to its callbacks.  With
 * ProviderId SystemTraceControlGuid, EVENT_FILTER_TYPE_TRACEHANDLE requests the
 * state of all providers that the given session has enabled; @Timeout does not
 * apply to them.
 *
 * With EVENT_ENABLE_PROPERTY_PROVIDER_GROUP, @ProviderId is a group, and the
 * request applies to each registration that is or becomes a member.  A session
 * that has enabled a provider both ways gets an event once, if either of them
 * accepts it.
 *
 * A classic provider is enabled by one session at a time, the last to do so.
 * Its callback gets @Level and the lower half of @MatchAnyKeyword unchanged.
 *
 * The System*ProviderGuids enable events of the kernel in a session that records
 * them, by keyword: the same ones as EnableFlags of StartTrace().
 *
 * For a private session, callbacks run on the calling thread before this
 * returns.  Filters by event id, event name, payload and for call stacks are
 * supported, and all properties except groups.  A classic provider is notified
 * of the private session that has enabled it last, or of the module's sessions
 * if there is none.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, 0, unknown codes and
 * versions, filters that are malformed, too long, of the same type, or not
 * valid for groups or the @ControlCode, and contradictory properties;
 * ERROR_TIMEOUT if the change is in force but callbacks have yet to run;
 * ERROR_WMI_INSTANCE_NOT_FOUND if there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for unsupported types of filters and
 * properties.
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
		.match_any = MatchAnyKeyword,
		.match_all = MatchAllKeyword,
		.control = ControlCode,
		.level = Level,
		.timeout_ms = Timeout,
	};
	struct evnt_filter_list filters = {};
	ULONG code = ERROR_SUCCESS;

	if (!ProviderId || !TraceHandle)
		return ERROR_INVALID_PARAMETER;
	memcpy(&arg.provider, ProviderId, sizeof(arg.provider));
	if (EnableParameters)
		code = set_parameters(&arg, &filters, EnableParameters);
	if (!code)
		code = change(TraceHandle, &arg);
	if (!code && ControlCode <= EVENT_CONTROL_CODE_ENABLE_PROVIDER &&
	    !evnt_is_private(TraceHandle))
		code = evnt_system_provider_enable(TraceHandle, ProviderId,
						   MatchAnyKeyword,
						   ControlCode);
	evnt_filters_free(&filters);
	return code;
}

/**
 * EnableTraceEx() - enable or disable a provider
 * @ProviderId: the provider
 * @SourceId: originator, passed to the provider's callback; or NULL
 * @TraceHandle: the session
 * @IsEnabled: EVENT_CONTROL_CODE_ENABLE_PROVIDER or _DISABLE_PROVIDER
 * @Level: see EnableTraceEx2()
 * @MatchAnyKeyword: see EnableTraceEx2()
 * @MatchAllKeyword: see EnableTraceEx2()
 * @EnableProperty: EVENT_ENABLE_PROPERTY_*
 * @EnableFilterDesc: a filter, or NULL
 *
 * Does not wait for callbacks.
 *
 * Return: see EnableTraceEx2().
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
 * EnableTrace() - enable or disable a provider by flags, the predecessors of
 * keywords
 * @Enable: TRUE or FALSE
 * @EnableFlag: keywords of which an event must have one; 0: all events
 * @EnableLevel: highest level of events; 0: all
 * @ControlGuid: the provider
 * @TraceHandle: the session
 *
 * Return: ERROR_INVALID_PARAMETER if @EnableLevel is above 255; otherwise see
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
