// SPDX-License-Identifier: MIT
/*
 * Settings of a session by information class: TraceQueryInformation and
 * TraceSetInformation.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "cancel.h"
#include "evntrace.h"
#include "trace_door.h"

/* How often a provider may be asked for its state, at most: once in so many s */
#define MIN_CAPTURE_PERIOD	1

/* The groups of the kernel's own events: none is ever on */
struct kernel_groups {
	ULONG masks[8];
};

/* What TracePeriodicCaptureStateListInfo is about */
struct capture_list {
	TRACE_PERIODIC_CAPTURE_STATE_INFO info;
	GUID providers[EVNTRACE_MAX_CAPTURE];
};

/* What a query answers */
union answer {
	ULONG number;
	TRACE_VERSION_INFO version;
	TRACE_PERIODIC_CAPTURE_STATE_INFO capture;
	struct capture_list list;
	struct kernel_groups groups;
	GUID disallowed[EVNTRACE_MAX_DISALLOWED];
};

static ULONG session_query(int door, TRACEHANDLE handle,
			   struct evntrace_session *info)
{
	*info = (struct evntrace_session) {
		.size = sizeof(*info),
		.handle = handle,
	};
	return evnt_trace_call(door, EVNTRACE_IOC_QUERY, info);
}

static ULONG query_version(int door, struct evntprov_version *version)
{
	*version = (struct evntprov_version) { .size = sizeof(*version) };
	return evnt_trace_call(door, EVNTPROV_IOC_VERSION, version);
}

/* Each processor that the kernel may ever have has a stream of buffers */
static ULONG stream_count(const struct evntrace_session *info)
{
	if (info->log_file_mode & EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING)
		return 1;
	return sysconf(_SC_NPROCESSORS_CONF);
}

static ULONG query_list(int door, TRACEHANDLE handle, struct capture_list *list,
			ULONG *len)
{
	struct evntrace_capture arg = {
		.size = sizeof(arg),
		.handle = handle,
		.providers = (uintptr_t)list->providers,
		.count = EVNTRACE_MAX_CAPTURE,
	};
	ULONG code = evnt_trace_call(door, EVNTRACE_IOC_QUERY_CAPTURE, &arg);

	list->info.CaptureStateFrequencyInSeconds = arg.period_s;
	list->info.ProviderCount = arg.count;
	*len = sizeof(list->info) + arg.count * sizeof(GUID);
	return code;
}

static ULONG query_disallowed(int door, TRACEHANDLE handle, GUID *ids,
			      ULONG *len)
{
	struct evntrace_disallow arg = {
		.size = sizeof(arg),
		.handle = handle,
		.providers = (uintptr_t)ids,
		.count = EVNTRACE_MAX_DISALLOWED,
	};
	ULONG code = evnt_trace_call(door, EVNTRACE_IOC_QUERY_DISALLOW, &arg);

	*len = arg.count * sizeof(GUID);
	return code;
}

/* What is the same for all sessions; the session is not looked at */
static ULONG query_system(int door, TRACE_INFO_CLASS class, union answer *a)
{
	struct evntprov_version version;
	ULONG code = query_version(door, &version);

	if (class == TraceMaxLoggersQuery)
		a->number = version.max_sessions;
	else
		a->version.EtwTraceProcessingVersion = version.abi_version;
	return code;
}

static ULONG query_session(int door, TRACEHANDLE handle, TRACE_INFO_CLASS class,
			   union answer *a, ULONG *len)
{
	struct evntrace_session info;
	ULONG code;

	if (class == TracePeriodicCaptureStateListInfo)
		return query_list(door, handle, &a->list, len);
	if (class == TraceDisallowListQuery)
		return query_disallowed(door, handle, a->disallowed, len);
	code = session_query(door, handle, &info);
	if (class == TraceStreamCount)
		a->number = stream_count(&info);
	else if (class == TracePeriodicCaptureStateInfo)
		a->capture.CaptureStateFrequencyInSeconds = MIN_CAPTURE_PERIOD;
	return code;
}

/* How long the answer is as a rule; 0: there is none */
static ULONG answer_len(TRACE_INFO_CLASS class)
{
	switch ((int)class) {
	case TraceMaxLoggersQuery:
	case TraceStreamCount:
		return sizeof(ULONG);
	case TraceVersionInfo:
		return sizeof(TRACE_VERSION_INFO);
	case TracePeriodicCaptureStateInfo:
	case TracePeriodicCaptureStateListInfo:
		return sizeof(TRACE_PERIODIC_CAPTURE_STATE_INFO);
	case TraceSystemTraceEnableFlagsInfo:
		return sizeof(struct kernel_groups);
	case TraceDisallowListQuery:
		return sizeof(GUID);
	}
	return 0;
}

static bool is_of_system(TRACE_INFO_CLASS class)
{
	return class == TraceMaxLoggersQuery || class == TraceVersionInfo;
}

static ULONG query(TRACEHANDLE handle, TRACE_INFO_CLASS class, union answer *a,
		   ULONG *len)
{
	ULONG code;
	int door;

	code = evnt_trace_door_open(&door);
	if (code)
		return code;
	if (is_of_system(class))
		code = query_system(door, class, a);
	else
		code = query_session(door, handle, class, a, len);
	close(door);
	return code;
}

/**
 * TraceQueryInformation() - how a session is set
 * @SessionHandle: the session; not looked at for what is of the whole system:
 *	TraceMaxLoggersQuery and TraceVersionInfo
 * @InformationClass: what to tell: TraceMaxLoggersQuery, a ULONG: how many
 *	sessions there may be; TraceVersionInfo, TRACE_VERSION_INFO: the module's;
 *	TraceStreamCount, a ULONG: streams of buffers, one for a processor;
 *	TraceSystemTraceEnableFlagsInfo, eight ULONG: events of the kernel itself:
 *	none; TracePeriodicCaptureStateInfo, TRACE_PERIODIC_CAPTURE_STATE_INFO:
 *	the shortest period; TracePeriodicCaptureStateListInfo: likewise, with the
 *	GUIDs that follow: what TraceSetInformation() has set;
 *	TraceDisallowListQuery: GUIDs: likewise, for TraceSetDisallowList
 * @TraceInformation: where to
 * @InformationLength: room there, in bytes
 * @ReturnLength: out: bytes of the answer, or what it takes; or NULL
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, no session, and
 * classes that Windows does not have; ERROR_BAD_LENGTH when there is no room;
 * ERROR_WMI_INSTANCE_NOT_FOUND when there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for the other classes.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-tracequeryinformation
 */
EVNT_PUBLIC ULONG WMIAPI TraceQueryInformation(TRACEHANDLE SessionHandle,
					       TRACE_INFO_CLASS InformationClass,
					       PVOID TraceInformation,
					       ULONG InformationLength,
					       PULONG ReturnLength)
{
	EVNT_UNCANCELLED;
	union answer a;
	ULONG code, len;

	if ((unsigned int)InformationClass >= MaxTraceSetInfoClass)
		return ERROR_INVALID_PARAMETER;
	len = answer_len(InformationClass);
	if (!len)
		return ERROR_NOT_SUPPORTED;
	if ((!TraceInformation && InformationLength) ||
	    (!SessionHandle && !is_of_system(InformationClass)))
		return ERROR_INVALID_PARAMETER;
	memset(&a, 0, sizeof(a));
	code = query(SessionHandle, InformationClass, &a, &len);
	if (code)
		return code;
	if (ReturnLength)
		*ReturnLength = len;
	if (InformationLength < len)
		return ERROR_BAD_LENGTH;
	if (len)
		memcpy(TraceInformation, &a, len);
	return ERROR_SUCCESS;
}

/* Without information: nobody is to be asked any more */
static ULONG set_list(int door, TRACEHANDLE handle, const void *information,
		      ULONG len)
{
	struct evntrace_capture arg = {
		.size = sizeof(arg),
		.handle = handle,
	};
	TRACE_PERIODIC_CAPTURE_STATE_INFO info;

	if (len) {
		if (len < sizeof(info))
			return ERROR_BAD_LENGTH;
		memcpy(&info, information, sizeof(info));
		if ((len - sizeof(info)) / sizeof(GUID) < info.ProviderCount)
			return ERROR_BAD_LENGTH;
		if (info.CaptureStateFrequencyInSeconds < MIN_CAPTURE_PERIOD ||
		    !info.ProviderCount || info.Reserved)
			return ERROR_INVALID_PARAMETER;
		arg.providers = (uintptr_t)information + sizeof(info);
		arg.count = info.ProviderCount;
		arg.period_s = info.CaptureStateFrequencyInSeconds;
	}
	return evnt_trace_call(door, EVNTRACE_IOC_CAPTURE, &arg);
}

/* Without information: no provider is disallowed any more */
static ULONG set_disallowed(int door, TRACEHANDLE handle,
			    const void *information, ULONG len)
{
	struct evntrace_disallow arg = {
		.size = sizeof(arg),
		.handle = handle,
		.providers = (uintptr_t)information,
		.count = len / sizeof(GUID),
	};

	if (len % sizeof(GUID))
		return ERROR_BAD_LENGTH;
	return evnt_trace_call(door, EVNTRACE_IOC_DISALLOW, &arg);
}

/* That all be off is so already */
static ULONG set_groups(int door, TRACEHANDLE handle, const void *information,
			ULONG len)
{
	static const struct kernel_groups none;
	struct evntrace_session info;

	if (len < sizeof(none))
		return ERROR_BAD_LENGTH;
	if (memcmp(information, &none, sizeof(none)) != 0)
		return ERROR_NOT_SUPPORTED;
	return session_query(door, handle, &info);
}

typedef ULONG (*setter)(int door, TRACEHANDLE handle, const void *information,
			ULONG len);

/* What sets it, or NULL */
static setter setter_of(TRACE_INFO_CLASS class)
{
	switch ((int)class) {
	case TracePeriodicCaptureStateListInfo:
		return set_list;
	case TraceSetDisallowList:
		return set_disallowed;
	case TraceSystemTraceEnableFlagsInfo:
		return set_groups;
	}
	return NULL;
}

/**
 * TraceSetInformation() - set something of a session
 * @SessionHandle: the session
 * @InformationClass: what to set: TracePeriodicCaptureStateListInfo: providers
 *	to be asked for their state again and again, if the session has enabled
 *	them; TraceSetDisallowList: GUIDs of providers that the session enables
 *	by no group; TraceSystemTraceEnableFlagsInfo: events of the kernel itself, of
 *	which there are none: all are to be off
 * @TraceInformation: as for TraceQueryInformation(); NULL: no provider is to be
 *	asked any more, or none is disallowed
 * @InformationLength: its size in bytes
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, no session, classes
 * that Windows does not have, and a list to ask without providers, or one with
 * too many, or a period that is too short or too long; ERROR_BAD_LENGTH when
 * @InformationLength is too small for what is in it, or is not that of GUIDs;
 * ERROR_WMI_INSTANCE_NOT_FOUND when there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for the other classes, and for
 * events of the kernel.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-tracesetinformation
 */
EVNT_PUBLIC ULONG WMIAPI TraceSetInformation(TRACEHANDLE SessionHandle,
					     TRACE_INFO_CLASS InformationClass,
					     PVOID TraceInformation,
					     ULONG InformationLength)
{
	EVNT_UNCANCELLED;
	const setter set = setter_of(InformationClass);
	ULONG code;
	int door;

	if ((unsigned int)InformationClass >= MaxTraceSetInfoClass)
		return ERROR_INVALID_PARAMETER;
	if (!set)
		return ERROR_NOT_SUPPORTED;
	if (!SessionHandle || (!TraceInformation && InformationLength))
		return ERROR_INVALID_PARAMETER;
	code = evnt_trace_door_open(&door);
	if (code)
		return code;
	code = set(door, SessionHandle, TraceInformation, InformationLength);
	close(door);
	return code;
}
