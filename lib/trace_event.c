// SPDX-License-Identifier: MIT
/*
 * Writing events of classic providers: TraceEvent, TraceEventInstance,
 * TraceMessage.
 *
 * The caller names the session, and the kernel wants to know the registration
 * that it has enabled: what was found once is remembered for each session, and
 * looked for again when the kernel says that it is another one.  No lock is taken
 * otherwise.
 */
#include <stdarg.h>

#include "classic.h"
#include "fast_ioctl.h"
#include "private.h"
#include "registration.h"

_Static_assert(sizeof(MOF_FIELD) == sizeof(struct evntprov_data) &&
	       offsetof(MOF_FIELD, Length) ==
	       offsetof(struct evntprov_data, len), "one is the other");
_Static_assert(TRACE_MESSAGE_SEQUENCE == EVNTPROV_MESSAGE_SEQUENCE &&
	       TRACE_MESSAGE_GUID == EVNTPROV_MESSAGE_GUID &&
	       TRACE_MESSAGE_COMPONENTID == EVNTPROV_MESSAGE_COMPONENT &&
	       TRACE_MESSAGE_TIMESTAMP == EVNTPROV_MESSAGE_TIMESTAMP &&
	       TRACE_MESSAGE_SYSTEMINFO == EVNTPROV_MESSAGE_SYSTEMINFO,
	       "Windows' values");

#define EVENT_FLAGS	(WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_GUID_PTR | \
			 WNODE_FLAG_USE_MOF_PTR)
#define MESSAGE_FLAGS	(TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_GUID |	\
			 TRACE_MESSAGE_COMPONENTID | TRACE_MESSAGE_TIMESTAMP | \
			 TRACE_MESSAGE_SYSTEMINFO)

/*
 * By the id of a session: it, and a registration that it has enabled, or had.  They are
 * not read together: the kernel tells if they do not belong together.
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

/* A registration is enabled by a session */
void evnt_classic_enabled(TRACEHANDLE session, REGHANDLE handle)
{
	unsigned int place = place_of(session);

	__atomic_store_n(&enabled[place].handle, handle, __ATOMIC_RELAXED);
	__atomic_store_n(&enabled[place].session, session, __ATOMIC_RELEASE);
}

static REGHANDLE find_enabled(TRACEHANDLE session)
{
	unsigned int place = place_of(session);

	if (__atomic_load_n(&enabled[place].session, __ATOMIC_ACQUIRE) !=
	    session)
		return 0;
	return __atomic_load_n(&enabled[place].handle, __ATOMIC_RELAXED);
}

/* By this registration; 0 or an errno */
static int write_by(struct evntprov_trace *t, REGHANDLE handle)
{
	int fd = evnt_door_fd(), err;

	t->handle = handle;
	if (evnt_is_private(t->session))
		return evnt_private_trace(t);
	err = evnt_ioctl(fd, EVNTPROV_IOC_TRACE, t);
	if (err && evnt_write_met_lost_door(handle, fd, err))
		err = evnt_ioctl(evnt_door_fd(), EVNTPROV_IOC_TRACE, t);
	return err;
}

/* It is not, or not any more, this registration that the session has enabled */
static bool is_another(int err)
{
	return err == ESRCH || err == ENOENT;
}

/* Any that the session has enabled */
static int write_by_any(struct evntprov_trace *t)
{
	unsigned int slot = 0;
	REGHANDLE handle;
	int err = ESRCH;

	while (is_another(err)) {
		handle = evnt_classic_next(&slot);
		if (!handle)
			break;
		err = write_by(t, handle);
		if (!err)
			evnt_classic_enabled(t->session, handle);
	}
	return err;
}

/* @t is complete but for its size, session and registration */
static ULONG write_to(TRACEHANDLE session, struct evntprov_trace *t)
{
	REGHANDLE handle = find_enabled(session);
	int err = ESRCH;

	t->size = sizeof(*t);
	t->session = session;
	if (handle)
		err = write_by(t, handle);
	if (is_another(err))
		err = write_by_any(t);
	if (is_another(err))
		return ERROR_INVALID_HANDLE;
	return err == EOVERFLOW ? ERROR_MORE_DATA : evnt_win32(err);
}

/* What follows a header: data, or where it is.  @block is for the former. */
static ULONG set_data(struct evntprov_trace *t, struct evntprov_data *block,
		      const void *data, ULONG len, ULONG flags)
{
	if (!(flags & WNODE_FLAG_USE_MOF_PTR)) {
		*block = (struct evntprov_data) {
			.ptr = (uintptr_t)data, .len = len,
		};
		t->data = (uintptr_t)block;
		t->data_count = 1;
		return ERROR_SUCCESS;
	}
	if (len % sizeof(MOF_FIELD) || len / sizeof(MOF_FIELD) > MAX_MOF_FIELDS)
		return ERROR_INVALID_PARAMETER;
	t->data = (uintptr_t)data;
	t->data_count = len / sizeof(MOF_FIELD);
	return ERROR_SUCCESS;
}

static void set_id(struct evntprov_guid *to, const GUID *from)
{
	memcpy(to, from, sizeof(*to));
}

/**
 * TraceEvent() - write an event to a session
 * @TraceHandle: what GetTraceLoggerHandle() has returned in the callback
 * @EventTrace: a header, and data behind it
 *
 * Size is that of both; Flags is WNODE_FLAG_TRACED_GUID, with
 * WNODE_FLAG_USE_GUID_PTR when GuidPtr says where the class is, and
 * WNODE_FLAG_USE_MOF_PTR when the data is an array of at most MAX_MOF_FIELDS
 * MOF_FIELD that say where it is.  The event reaches the session whatever its
 * level is.  The header is not changed.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER when @TraceHandle is 0,
 * @EventTrace or GuidPtr is NULL, Size is less than the header or not that of
 * fields, or data cannot be read; ERROR_INVALID_FLAG_NUMBER for other flags;
 * ERROR_INVALID_HANDLE when the session has enabled no registration of this
 * process, or does so no more; ERROR_MORE_DATA when the event does not fit a
 * buffer of the session, or is longer than 64 KB; ERROR_NOT_ENOUGH_MEMORY when no
 * buffer was free: the event is lost, and counted; ERROR_ACCESS_DENIED when the
 * session is a secure one, and the provider has not the right TRACELOG_LOG_EVENT.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-traceevent
 */
EVNT_PUBLIC ULONG WMIAPI TraceEvent(TRACEHANDLE TraceHandle,
				    PEVENT_TRACE_HEADER EventTrace)
{
	const EVENT_TRACE_HEADER *e = EventTrace;
	struct evntprov_data block;
	struct evntprov_trace t;
	const GUID *id;
	ULONG code;

	if (!TraceHandle || !e || e->Size < sizeof(*e))
		return ERROR_INVALID_PARAMETER;
	if (!(e->Flags & WNODE_FLAG_TRACED_GUID) || e->Flags & ~EVENT_FLAGS)
		return ERROR_INVALID_FLAG_NUMBER;
	id = e->Flags & WNODE_FLAG_USE_GUID_PTR ?
	     (const GUID *)(uintptr_t)e->GuidPtr : &e->Guid;
	if (!id)
		return ERROR_INVALID_PARAMETER;
	t = (struct evntprov_trace) {
		.kind = EVNTPROV_TRACE_EVENT,
		.version = e->Class.Version,
		.type = e->Class.Type,
		.level = e->Class.Level,
	};
	set_id(&t.class_id, id);
	code = set_data(&t, &block, e + 1, e->Size - sizeof(*e), e->Flags);
	return code ? code : write_to(TraceHandle, &t);
}

/**
 * TraceEventInstance() - write an event of a transaction to a session
 * @TraceHandle: as of TraceEvent()
 * @EventTrace: a header, and data behind it, likewise
 * @InstInfo: whose event it is
 * @ParentInstInfo: what that belongs to, or NULL
 *
 * The classes are those of the handles in @InstInfo and @ParentInstInfo; what the
 * header says of them is not looked at, nor is WNODE_FLAG_USE_GUID_PTR.
 *
 * Return: as TraceEvent(), but ERROR_INVALID_FLAGS for flags; and
 * ERROR_INVALID_PARAMETER when @InstInfo, or what is in it, is NULL or 0.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-traceeventinstance
 */
EVNT_PUBLIC ULONG WMIAPI
TraceEventInstance(TRACEHANDLE TraceHandle, PEVENT_INSTANCE_HEADER EventTrace,
		   PEVENT_INSTANCE_INFO InstInfo,
		   PEVENT_INSTANCE_INFO ParentInstInfo)
{
	const EVENT_INSTANCE_HEADER *e = EventTrace;
	struct evntprov_data block;
	struct evntprov_trace t;
	ULONG code;

	if (!TraceHandle || !e || e->Size < sizeof(*e) || !InstInfo ||
	    !InstInfo->RegHandle || !InstInfo->InstanceId)
		return ERROR_INVALID_PARAMETER;
	if (!(e->Flags & WNODE_FLAG_TRACED_GUID) || e->Flags & ~EVENT_FLAGS)
		return ERROR_INVALID_FLAGS;
	t = (struct evntprov_trace) {
		.kind = EVNTPROV_TRACE_INSTANCE,
		.version = e->Class.Version,
		.type = e->Class.Type,
		.level = e->Class.Level,
		.instance = InstInfo->InstanceId,
	};
	set_id(&t.class_id, evnt_class_id(InstInfo->RegHandle));
	if (ParentInstInfo && ParentInstInfo->RegHandle) {
		t.parent_instance = ParentInstInfo->InstanceId;
		set_id(&t.parent, evnt_class_id(ParentInstInfo->RegHandle));
	}
	code = set_data(&t, &block, e + 1, e->Size - sizeof(*e), e->Flags);
	return code ? code : write_to(TraceHandle, &t);
}

/* The number that was given last */
ULONG evnt_last_instance;

/**
 * CreateTraceInstanceId() - number a transaction
 * @RegHandle: of a class, which RegisterTraceGuids() has filled in
 * @InstInfo: out: for TraceEventInstance()
 *
 * Numbers are a process's own, start at 1, and after the highest start again.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER when either is NULL.
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

/* The message's arguments: how many, or one more than there may be */
static ULONG take_arguments(struct evntprov_data *block, va_list list)
{
	const void *data;
	size_t len;
	ULONG n;

	for (n = 0; n <= EVNTPROV_MAX_DATA; n++) {
		data = va_arg(list, const void *);
		if (!data)
			break;
		len = va_arg(list, size_t);
		if (n < EVNTPROV_MAX_DATA)
			block[n] = (struct evntprov_data) {
				.ptr = (uintptr_t)data,
				.len = len > UINT32_MAX ? UINT32_MAX : len,
			};
	}
	return n;
}

static bool flags_are_good(ULONG flags, LPCGUID id)
{
	const ULONG either = TRACE_MESSAGE_GUID | TRACE_MESSAGE_COMPONENTID;

	return !(flags & ~(MESSAGE_FLAGS | TRACE_MESSAGE_PERFORMANCE_TIMESTAMP)) &&
	       (flags & either) != either && (id || !(flags & either));
}

/**
 * TraceMessageVa() - write a message to a session
 * @LoggerHandle: as of TraceEvent()
 * @MessageFlags: TRACE_MESSAGE_*: what goes with it
 * @MessageGuid: a class, with TRACE_MESSAGE_GUID; with TRACE_MESSAGE_COMPONENTID,
 *	where the component's number of four bytes is
 * @MessageNumber: which message
 * @MessageArgList: pointers, and sizes of what is there, of type size_t; NULL and
 *	0 are the end; at most 128
 *
 * TRACE_MESSAGE_SEQUENCE has an effect in sessions that number messages; in others
 * the message has no number.  TRACE_MESSAGE_PERFORMANCE_TIMESTAMP has none.
 *
 * Return: as TraceEvent(), but ERROR_INVALID_HANDLE when @LoggerHandle is 0; and
 * ERROR_INVALID_PARAMETER for other flags, for class and component together, when
 * @MessageGuid is NULL and wanted, and for too many arguments.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-tracemessageva
 */
EVNT_PUBLIC ULONG WMIAPI TraceMessageVa(TRACEHANDLE LoggerHandle,
					ULONG MessageFlags, LPCGUID MessageGuid,
					USHORT MessageNumber,
					va_list MessageArgList)
{
	struct evntprov_data block[EVNTPROV_MAX_DATA];
	struct evntprov_trace t = {
		.kind = EVNTPROV_TRACE_MESSAGE,
		.version = MessageNumber,
		.options = MessageFlags & MESSAGE_FLAGS,
		.data = (uintptr_t)block,
	};

	if (!LoggerHandle)
		return ERROR_INVALID_HANDLE;
	if (!flags_are_good(MessageFlags, MessageGuid))
		return ERROR_INVALID_PARAMETER;
	if (MessageFlags & TRACE_MESSAGE_GUID)
		set_id(&t.class_id, MessageGuid);
	else if (MessageFlags & TRACE_MESSAGE_COMPONENTID)
		memcpy(&t.class_id, MessageGuid, sizeof(ULONG));
	t.data_count = take_arguments(block, MessageArgList);
	if (t.data_count > EVNTPROV_MAX_DATA)
		return ERROR_INVALID_PARAMETER;
	return write_to(LoggerHandle, &t);
}

/**
 * TraceMessage() - TraceMessageVa(), with the arguments one after the other
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-tracemessage
 */
EVNT_PUBLIC ULONG TraceMessage(TRACEHANDLE LoggerHandle, ULONG MessageFlags,
			       LPCGUID MessageGuid, USHORT MessageNumber, ...)
{
	va_list list;
	ULONG code;

	va_start(list, MessageNumber);
	code = TraceMessageVa(LoggerHandle, MessageFlags, MessageGuid,
			      MessageNumber, list);
	va_end(list);
	return code;
}
