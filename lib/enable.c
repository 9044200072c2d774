// SPDX-License-Identifier: MIT
/*
 * Enabling providers for sessions: EnableTraceEx2 and what came before it.
 */
#include <string.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "evntrace.h"
#include "trace_door.h"

static ULONG check_parameters(const ENABLE_TRACE_PARAMETERS *p)
{
	if (!p)
		return ERROR_SUCCESS;
	if (p->Version != ENABLE_TRACE_PARAMETERS_VERSION &&
	    p->Version != ENABLE_TRACE_PARAMETERS_VERSION_2)
		return ERROR_INVALID_PARAMETER;
	if (p->ControlFlags)
		return ERROR_INVALID_PARAMETER;
	/* The first version has no count: one descriptor, or none */
	if (p->Version == ENABLE_TRACE_PARAMETERS_VERSION)
		return p->EnableFilterDesc ? ERROR_NOT_SUPPORTED :
					     ERROR_SUCCESS;
	if (p->FilterDescCount > MAX_EVENT_FILTERS_COUNT ||
	    (p->FilterDescCount && !p->EnableFilterDesc))
		return ERROR_INVALID_PARAMETER;
	return p->FilterDescCount ? ERROR_NOT_SUPPORTED : ERROR_SUCCESS;
}

/**
 * EnableTraceEx2() - enable, disable, or ask a provider for its state
 * @TraceHandle: the session
 * @ProviderId: the provider, whether it is registered or not
 * @ControlCode: EVENT_CONTROL_CODE_*
 * @Level: events up to this level; 0: all
 * @MatchAnyKeyword: events with one of these keywords; 0: all
 * @MatchAllKeyword: and with all of these
 * @Timeout: how long to wait for the providers' callbacks, in ms; 0: not at
 *	all; INFINITE
 * @EnableParameters: or NULL
 *
 * Enabling again replaces what was set before.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, 0, and unknown codes
 * and versions; ERROR_TIMEOUT: the change is in force, and the callbacks run
 * later; ERROR_WMI_INSTANCE_NOT_FOUND when there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for filters, and properties that are
 * not there.
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
	struct evntrace_enable arg = {
		.size = sizeof(arg),
		.handle = TraceHandle,
		.match_any = MatchAnyKeyword,
		.match_all = MatchAllKeyword,
		.control = ControlCode,
		.level = Level,
		.timeout_ms = Timeout,
	};
	ULONG code;
	int door;

	if (!ProviderId || !TraceHandle)
		return ERROR_INVALID_PARAMETER;
	code = check_parameters(EnableParameters);
	if (!code)
		code = evnt_trace_door_open(&door);
	if (code)
		return code;
	memcpy(&arg.provider, ProviderId, sizeof(arg.provider));
	if (EnableParameters) {
		arg.property = EnableParameters->EnableProperty;
		memcpy(&arg.source, &EnableParameters->SourceId,
		       sizeof(arg.source));
	}
	code = evnt_trace_call(door, EVNTRACE_IOC_ENABLE, &arg);
	close(door);
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
