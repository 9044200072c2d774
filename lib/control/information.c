// SPDX-License-Identifier: MIT
/*
 * Settings of a session by information class: TraceQueryInformation and
 * TraceSetInformation.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "lib/base/cancel.h"
#include "evntrace.h"
#include "evntsystem.h"
#include "lib/control/trace_control.h"

/* Version of trace processing: there has been one only */
#define PROCESSING_VERSION	1

/* Minimum period of capture-state requests, in seconds */
#define MIN_CAPTURE_PERIOD	1

#define MAX_PROVIDERS	EVNTRACE_MAX_CAPTURE
_Static_assert(MAX_PROVIDERS == EVNTRACE_MAX_DISALLOWED,
	       "both lists have the same limit");

/* Groups of the kernel's own events; only the first mask, EnableFlags, has any */
struct kernel_groups {
	ULONG masks[8];
};

/* Maximum number of events that TraceStackTracingInfo lists */
#define MAX_STACKS	256

/* Events of the kernel that can have call stacks, and their flags */
static const struct stack_event {
	const GUID *class;
	UCHAR type;
	ULONG flag;
} stack_events[] = {
	{ &PerfInfoGuid, 46, EVNTRACE_SYSTEM_PROFILE },	/* SampledProfile */
	{ &ThreadGuid, 36, EVNTRACE_SYSTEM_CSWITCH },	/* CSwitch */
	{ &ThreadGuid, 50, EVNTRACE_SYSTEM_DISPATCHER },	/* ReadyThread */
	{ &PerfInfoGuid, 51, EVNTRACE_SYSTEM_SYSTEMCALL },	/* SysClEnter */
	/* DemandZeroFault, HardPageFault */
	{ &PageFaultGuid, 11, EVNTRACE_SYSTEM_PAGE_FAULTS },
	{ &PageFaultGuid, 14, EVNTRACE_SYSTEM_PAGE_FAULTS },
	{ &PageFaultGuid, 32, EVNTRACE_SYSTEM_HARD_FAULTS },
	{ &DiskIoGuid, 12, EVNTRACE_SYSTEM_DISK_IO_INIT },	/* ReadInit */
	{ &DiskIoGuid, 13, EVNTRACE_SYSTEM_DISK_IO_INIT },	/* WriteInit */
	{ &DiskIoGuid, 15, EVNTRACE_SYSTEM_DISK_IO_INIT },	/* FlushInit */
	/* Send, Recv, Connect, Disconnect, Accept of IPv4, then of IPv6 */
	{ &TcpIpGuid, 10, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 11, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 12, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 13, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 15, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 26, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 27, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 28, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 29, EVNTRACE_SYSTEM_NETWORK },
	{ &TcpIpGuid, 31, EVNTRACE_SYSTEM_NETWORK },
	{ &UdpIpGuid, 10, EVNTRACE_SYSTEM_NETWORK },
	{ &UdpIpGuid, 11, EVNTRACE_SYSTEM_NETWORK },
	{ &UdpIpGuid, 26, EVNTRACE_SYSTEM_NETWORK },
	{ &UdpIpGuid, 27, EVNTRACE_SYSTEM_NETWORK },
};

#define STACK_EVENTS	EVNT_ARRAY_SIZE(stack_events)

/* Data of TracePeriodicCaptureStateListInfo */
struct capture_list {
	TRACE_PERIODIC_CAPTURE_STATE_INFO info;
	GUID providers[MAX_PROVIDERS];
};

/* Result of a query */
union answer {
	ULONG number;
	TRACE_VERSION_INFO version;
	TRACE_PERIODIC_CAPTURE_STATE_INFO capture;
	struct capture_list list;
	struct kernel_groups groups;
	CLASSIC_EVENT_ID stacks[STACK_EVENTS];
	TRACE_PROFILE_INTERVAL interval;
	GUID disallowed[MAX_PROVIDERS];
};

static ULONG session_query(int session, struct evntrace_session *info)
{
	*info = (struct evntrace_session) { .size = sizeof(*info) };
	return evnt_trace_call(session, EVNTRACE_IOC_QUERY, info);
}

static ULONG query_list(int session, __u32 kind, GUID *ids,
			struct evntrace_list *arg)
{
	*arg = (struct evntrace_list) {
		.size = sizeof(*arg),
		.kind = kind,
		.element_size = sizeof(*ids),
		.elements = (uintptr_t)ids,
		.count = MAX_PROVIDERS,
	};
	return evnt_trace_call(session, EVNTRACE_IOC_LIST, arg);
}

static ULONG query_capture(int session, struct capture_list *list, ULONG *len)
{
	struct evntrace_list arg;
	ULONG code = query_list(session, EVNTRACE_LIST_CAPTURE_STATE,
				list->providers, &arg);

	list->info.CaptureStateFrequencyInSeconds = arg.period_s;
	list->info.ProviderCount = arg.count;
	*len = sizeof(list->info) + arg.count * sizeof(GUID);
	return code;
}

static ULONG query_disallowed(int session, GUID *ids, ULONG *len)
{
	struct evntrace_list arg;
	ULONG code = query_list(session, EVNTRACE_LIST_DISALLOWED, ids, &arg);

	*len = arg.count * sizeof(GUID);
	return code;
}

static ULONG query_stacks(const struct evntrace_session *info,
			  CLASSIC_EVENT_ID *ids)
{
	const struct stack_event *e = stack_events;
	ULONG count = 0;

	for (; e < stack_events + STACK_EVENTS; e++) {
		if (!(info->stack_flags & e->flag))
			continue;
		ids[count].EventGuid = *e->class;
		ids[count++].Type = e->type;
	}
	return count * sizeof(*ids);
}

static struct evntrace_list interval_list(ULONG *interval)
{
	return (struct evntrace_list) {
		.size = sizeof(struct evntrace_list),
		.kind = EVNTRACE_LIST_PROFILE_INTERVAL,
		.element_size = sizeof(*interval),
		.elements = (uintptr_t)interval,
		.count = 1,
	};
}

/* Query a class that is the same for all sessions */
static ULONG query_system(TRACE_INFO_CLASS class, union answer *a)
{
	struct evntprov_version version = { .size = sizeof(version) };
	struct evntrace_list interval;
	int device;
	ULONG code = evnt_control_device_open(&device);

	if (code)
		return code;
	interval = interval_list(&a->interval.Interval);
	code = class == TraceSampledProfileIntervalInfo ?
	       evnt_trace_call(device, EVNTRACE_IOC_LIST, &interval) :
	       evnt_trace_call(device, EVNTPROV_IOC_VERSION, &version);
	close(device);

	if (class == TraceSampledProfileIntervalInfo)
		return code;
	if (class == TraceMaxLoggersQuery)
		a->number = version.max_sessions;
	else
		a->version.EtwTraceProcessingVersion = PROCESSING_VERSION;
	return code;
}

static ULONG query_session(int session, TRACE_INFO_CLASS class, union answer *a,
			   ULONG *len)
{
	struct evntrace_session info;
	ULONG code;

	if (class == TracePeriodicCaptureStateListInfo)
		return query_capture(session, &a->list, len);
	if (class == TraceDisallowListQuery)
		return query_disallowed(session, a->disallowed, len);
	code = session_query(session, &info);
	/* Each processor that the kernel may ever have has a stream of buffers */
	if (class == TraceStreamCount)
		a->number = info.log_file_mode &
			    EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING ?
			    1 : sysconf(_SC_NPROCESSORS_CONF);
	else if (class == TraceSystemTraceEnableFlagsInfo)
		a->groups.masks[0] = info.enable_flags;
	else if (class == TraceStackTracingInfo)
		*len = query_stacks(&info, a->stacks);
	else if (class == TracePeriodicCaptureStateInfo)
		a->capture.CaptureStateFrequencyInSeconds = MIN_CAPTURE_PERIOD;
	return code;
}

/* Return the usual size of the result, or 0 for an unsupported class */
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
	case TraceStackTracingInfo:
		return sizeof(CLASSIC_EVENT_ID);
	case TraceSampledProfileIntervalInfo:
		return sizeof(TRACE_PROFILE_INTERVAL);
	}
	return 0;
}

/* The same for the session with this handle */
static ULONG query_handle(TRACEHANDLE handle, TRACE_INFO_CLASS class,
			  union answer *a, ULONG *len)
{
	int session;
	ULONG code = evnt_session_open_handle(handle, &session);

	if (code)
		return code;
	code = query_session(session, class, a, len);
	close(session);
	return code;
}

static bool is_of_system(TRACE_INFO_CLASS class)
{
	return class == TraceMaxLoggersQuery || class == TraceVersionInfo ||
	       class == TraceSampledProfileIntervalInfo;
}

/**
 * TraceQueryInformation() - query a setting of a session
 * @SessionHandle: the session; ignored for the classes of the whole system,
 *	TraceMaxLoggersQuery, TraceVersionInfo and
 *	TraceSampledProfileIntervalInfo
 * @InformationClass: TraceMaxLoggersQuery, a ULONG: maximum number of sessions;
 *	TraceVersionInfo, TRACE_VERSION_INFO: version of the module;
 *	TraceStreamCount, a ULONG: number of streams of buffers, one for each
 *	processor; TraceSystemTraceEnableFlagsInfo, eight ULONG: events of the
 *	kernel itself, EnableFlags first; TracePeriodicCaptureStateInfo,
 *	TRACE_PERIODIC_CAPTURE_STATE_INFO: minimum period;
 *	TracePeriodicCaptureStateListInfo: the same structure and GUIDs that
 *	follow it, as set by TraceSetInformation(); TraceDisallowListQuery:
 *	GUIDs, as set for TraceSetDisallowList; TraceStackTracingInfo:
 *	CLASSIC_EVENT_IDs of the events of the kernel with call stacks;
 *	TraceSampledProfileIntervalInfo, TRACE_PROFILE_INTERVAL: interval of
 *	samples, of source 0, the timer
 * @TraceInformation: out: the result
 * @InformationLength: size of @TraceInformation in bytes
 * @ReturnLength: out: size of the result in bytes, even if it does not fit; or
 *	NULL
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, no session, and
 * classes that Windows does not have; ERROR_BAD_LENGTH if @TraceInformation is
 * too small; ERROR_WMI_INSTANCE_NOT_FOUND if there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for other classes.
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
	code = is_of_system(InformationClass) ?
	       query_system(InformationClass, &a) :
	       query_handle(SessionHandle, InformationClass, &a, &len);
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

/* Without information, stop requesting state periodically */
static ULONG set_list(int session, const void *information, ULONG len)
{
	struct evntrace_list arg = {
		.size = sizeof(arg),
		.kind = EVNTRACE_LIST_CAPTURE_STATE,
		.element_size = sizeof(GUID),
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
		arg.elements = (uintptr_t)information + sizeof(info);
		arg.count = info.ProviderCount;
		arg.period_s = info.CaptureStateFrequencyInSeconds;
	}
	return evnt_trace_call(session, EVNTRACE_IOC_SET, &arg);
}

/* Without information, allow all providers */
static ULONG set_disallowed(int session, const void *information, ULONG len)
{
	struct evntrace_list arg = {
		.size = sizeof(arg),
		.kind = EVNTRACE_LIST_DISALLOWED,
		.element_size = sizeof(GUID),
		.elements = (uintptr_t)information,
		.count = len / sizeof(GUID),
	};

	if (len % sizeof(GUID))
		return ERROR_BAD_LENGTH;
	return evnt_trace_call(session, EVNTRACE_IOC_SET, &arg);
}

/* The first mask is EnableFlags; other groups cause no events */
static ULONG set_groups(int session, const void *information, ULONG len)
{
	static const struct kernel_groups none;
	struct evntrace_session info;
	struct kernel_groups groups;
	ULONG code;

	if (len < sizeof(groups))
		return ERROR_BAD_LENGTH;
	memcpy(&groups, information, sizeof(groups));
	code = session_query(session, &info);
	if (code)
		return code;
	if (info.log_file_mode & EVNTRACE_MODE_SYSTEM_LOGGER)
		return evnt_set_enable_flags(session, groups.masks[0]);
	return memcmp(&groups, &none, sizeof(none)) ? ERROR_NOT_SUPPORTED :
						      ERROR_SUCCESS;
}

/* Return the flag of an event that can have a call stack, or 0 */
static ULONG stack_flag(const CLASSIC_EVENT_ID *id)
{
	const struct stack_event *e = stack_events;

	for (; e < stack_events + STACK_EVENTS; e++) {
		if (!memcmp(&id->EventGuid, e->class, sizeof(GUID)) &&
		    id->Type == e->type)
			return e->flag;
	}
	return 0;
}

/* Events that can have no call stack are ignored */
static ULONG set_stacks(int session, const void *information, ULONG len)
{
	const ULONG count = len / sizeof(CLASSIC_EVENT_ID);
	const char *next = information;
	CLASSIC_EVENT_ID id;
	ULONG flags = 0;

	if (len % sizeof(id))
		return ERROR_BAD_LENGTH;
	if (count > MAX_STACKS)
		return ERROR_INVALID_PARAMETER;
	for (ULONG i = 0; i < count; i++, next += sizeof(id)) {
		memcpy(&id, next, sizeof(id));
		flags |= stack_flag(&id);
	}
	return evnt_set_system_flags(session, EVNTRACE_LIST_SYSTEM_STACKS,
				     flags);
}

/* Set the interval of samples of all sessions */
static ULONG set_interval(const TRACE_PROFILE_INTERVAL *information, ULONG len)
{
	TRACE_PROFILE_INTERVAL interval;
	struct evntrace_list arg;
	int device;
	ULONG code;

	if (len < sizeof(interval))
		return ERROR_BAD_LENGTH;
	if (!information)
		return ERROR_INVALID_PARAMETER;
	memcpy(&interval, information, sizeof(interval));
	if (interval.Source)
		return ERROR_INVALID_PARAMETER;
	code = evnt_control_device_open(&device);
	if (code)
		return code;
	arg = interval_list(&interval.Interval);
	code = evnt_trace_call(device, EVNTRACE_IOC_SET, &arg);
	close(device);
	return code;
}

/**
 * TraceSetInformation() - change a setting of a session
 * @SessionHandle: the session; ignored for TraceSampledProfileIntervalInfo
 * @InformationClass: TracePeriodicCaptureStateListInfo: providers whose state
 *	is requested periodically while the session has enabled them;
 *	TraceSetDisallowList: GUIDs of providers that the session enables by no
 *	group; TraceSystemTraceEnableFlagsInfo: events of the kernel itself,
 *	which must all be off if the session does not record them;
 *	TraceStackTracingInfo: events of the kernel whose call stacks are
 *	recorded, in records of class StackWalk;
 *	TraceSampledProfileIntervalInfo: interval of samples of all sessions
 * @TraceInformation: as for TraceQueryInformation(); NULL to stop requesting
 *	state, to allow all providers, or to record no call stacks
 * @InformationLength: its size in bytes
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, no session, classes
 * that Windows does not have, a capture-state list with no or too many
 * providers, and a period that is too short or too long; ERROR_BAD_LENGTH if
 * @InformationLength is too small for the contents, or not a multiple of a
 * GUID's size; ERROR_WMI_INSTANCE_NOT_FOUND if there is no such session;
 * ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED for other classes, and for events of
 * the kernel.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-tracesetinformation
 */
EVNT_PUBLIC ULONG WMIAPI TraceSetInformation(TRACEHANDLE SessionHandle,
					     TRACE_INFO_CLASS InformationClass,
					     PVOID TraceInformation,
					     ULONG InformationLength)
{
	EVNT_UNCANCELLED;
	ULONG (*set)(int session, const void *information, ULONG len);
	ULONG code;
	int session;

	if ((unsigned int)InformationClass >= MaxTraceSetInfoClass)
		return ERROR_INVALID_PARAMETER;
	switch ((int)InformationClass) {
	case TracePeriodicCaptureStateListInfo:
		set = set_list;
		break;
	case TraceSetDisallowList:
		set = set_disallowed;
		break;
	case TraceSystemTraceEnableFlagsInfo:
		set = set_groups;
		break;
	case TraceStackTracingInfo:
		set = set_stacks;
		break;
	case TraceSampledProfileIntervalInfo:
		return set_interval(TraceInformation, InformationLength);
	default:
		return ERROR_NOT_SUPPORTED;
	}
	if (!SessionHandle || (!TraceInformation && InformationLength))
		return ERROR_INVALID_PARAMETER;
	code = evnt_session_open_handle(SessionHandle, &session);
	if (code)
		return code;
	code = set(session, TraceInformation, InformationLength);
	close(session);
	return code;
}
