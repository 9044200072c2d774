// SPDX-License-Identifier: MIT
/*
 * Writing of classic events: TraceEvent(), TraceEventInstance() and
 * TraceMessage().
 *
 * The caller names the session, but the module needs the registration that the
 * session has enabled.  The registration found is cached for each session, and
 * looked up again when the module reports that it is no longer the right one.
 * No lock is taken otherwise.
 */
#include <stdarg.h>

#include "lib/provider/classic.h"
#include "lib/base/fast_ioctl.h"
#include "lib/private/private.h"
#include "lib/provider/registration.h"

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

/* Write through one registration; return 0 or an errno */
static int write_by(struct evntprov_write *t, REGHANDLE handle)
{
	int fd = evnt_device_fd(), err;

	t->handle = handle;
	if (evnt_is_private(t->session))
		return evnt_private_trace(t);
	err = evnt_ioctl(fd, EVNTPROV_IOC_WRITE, t);
	if (err && evnt_device_reopened(handle, fd, err))
		err = evnt_ioctl(evnt_device_fd(), EVNTPROV_IOC_WRITE, t);
	return err;
}

/* Test whether the session has not enabled the registration */
static bool is_another(int err)
{
	return err == ESRCH || err == ENOENT;
}

/* Write through any registration that the session has enabled */
static int write_by_any(struct evntprov_write *t)
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

/* Write an event; @t is complete except for size, session and registration */
static ULONG write_to(TRACEHANDLE session, struct evntprov_write *t)
{
	REGHANDLE handle = evnt_classic_find(session);
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

/* Set the data: one block, or the MOF fields that it consists of */
static ULONG set_data(struct evntprov_write *t, const void *data, ULONG len,
		      ULONG flags)
{
	t->data = (uintptr_t)data;
	t->data_count = len;
	if (!(flags & WNODE_FLAG_USE_MOF_PTR)) {
		t->flags |= EVNTPROV_WRITE_ONE_BLOCK;
		return ERROR_SUCCESS;
	}
	if (len % sizeof(MOF_FIELD) || len / sizeof(MOF_FIELD) > MAX_MOF_FIELDS)
		return ERROR_INVALID_PARAMETER;
	t->data_count = len / sizeof(MOF_FIELD);
	return ERROR_SUCCESS;
}

static void set_id(struct evntprov_guid *to, const GUID *from)
{
	memcpy(to, from, sizeof(*to));
}

/**
 * TraceEvent() - write an event to a session
 * @TraceHandle: handle returned by GetTraceLoggerHandle() in the callback
 * @EventTrace: header, with the data behind it
 *
 * Size is the size of both.  Flags must contain WNODE_FLAG_TRACED_GUID, and may
 * contain WNODE_FLAG_USE_GUID_PTR if GuidPtr points to the class, and
 * WNODE_FLAG_USE_MOF_PTR if the data is an array of at most MAX_MOF_FIELDS
 * MOF_FIELD that point to the actual data.  The event is recorded regardless of
 * its level.  The header is not modified.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if @TraceHandle is 0,
 * @EventTrace or GuidPtr is NULL, Size is less than the header or no multiple
 * of MOF_FIELD, or data cannot be read; ERROR_INVALID_FLAG_NUMBER for other
 * flags; ERROR_INVALID_HANDLE if the session has no registration of this
 * process enabled; ERROR_MORE_DATA if the event does not fit a buffer of the
 * session, or is longer than 64 KB; ERROR_NOT_ENOUGH_MEMORY if no buffer was
 * free: the event is counted as lost; ERROR_ACCESS_DENIED if the session is
 * secure and the provider lacks the right TRACELOG_LOG_EVENT.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-traceevent
 */
EVNT_PUBLIC ULONG WMIAPI TraceEvent(TRACEHANDLE TraceHandle,
				    PEVENT_TRACE_HEADER EventTrace)
{
	const EVENT_TRACE_HEADER *e = EventTrace;
	struct evntprov_write t;
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
	t = (struct evntprov_write) {
		.flags = EVNTPROV_TRACE_EVENT,
		.descriptor.id = e->Class.Version,
		.descriptor.opcode = e->Class.Type,
		.descriptor.level = e->Class.Level,
	};
	set_id(&t.class_id, id);
	code = set_data(&t, e + 1, e->Size - sizeof(*e), e->Flags);
	return code ? code : write_to(TraceHandle, &t);
}

/**
 * TraceEventInstance() - write an event of a transaction to a session
 * @TraceHandle: as for TraceEvent()
 * @EventTrace: header, with the data behind it, as for TraceEvent()
 * @InstInfo: instance that the event belongs to
 * @ParentInstInfo: parent of the instance, or NULL
 *
 * The classes are taken from the handles in @InstInfo and @ParentInstInfo; the
 * class fields of the header and WNODE_FLAG_USE_GUID_PTR are ignored.
 *
 * Return: as TraceEvent(), but ERROR_INVALID_FLAGS for invalid flags; and
 * ERROR_INVALID_PARAMETER if @InstInfo or its members are NULL or 0.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-traceeventinstance
 */
EVNT_PUBLIC ULONG WMIAPI
TraceEventInstance(TRACEHANDLE TraceHandle, PEVENT_INSTANCE_HEADER EventTrace,
		   PEVENT_INSTANCE_INFO InstInfo,
		   PEVENT_INSTANCE_INFO ParentInstInfo)
{
	const EVENT_INSTANCE_HEADER *e = EventTrace;
	struct evntprov_write t;
	ULONG code;

	if (!TraceHandle || !e || e->Size < sizeof(*e) || !InstInfo ||
	    !InstInfo->RegHandle || !InstInfo->InstanceId)
		return ERROR_INVALID_PARAMETER;
	if (!(e->Flags & WNODE_FLAG_TRACED_GUID) || e->Flags & ~EVENT_FLAGS)
		return ERROR_INVALID_FLAGS;
	t = (struct evntprov_write) {
		.flags = EVNTPROV_TRACE_INSTANCE,
		.descriptor.id = e->Class.Version,
		.descriptor.opcode = e->Class.Type,
		.descriptor.level = e->Class.Level,
		.descriptor.keyword = InstInfo->InstanceId,
	};
	set_id(&t.class_id, evnt_class_id(InstInfo->RegHandle));
	if (ParentInstInfo && ParentInstInfo->RegHandle) {
		t.descriptor.keyword |= (u64)ParentInstInfo->InstanceId << 32;
		set_id(&t.parent, evnt_class_id(ParentInstInfo->RegHandle));
	}
	code = set_data(&t, e + 1, e->Size - sizeof(*e), e->Flags);
	return code ? code : write_to(TraceHandle, &t);
}

/* Collect a message's arguments; return their number, 1 more if too many */
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
 * @LoggerHandle: as for TraceEvent()
 * @MessageFlags: TRACE_MESSAGE_*: optional parts of the message's header
 * @MessageGuid: with TRACE_MESSAGE_GUID, the class; with
 *	TRACE_MESSAGE_COMPONENTID, pointer to the component ID, of four bytes
 * @MessageNumber: number of the message
 * @MessageArgList: pairs of a pointer to data and its size of type size_t, at
 *	most 128, terminated by NULL and 0
 *
 * TRACE_MESSAGE_SEQUENCE is ignored in sessions that do not number messages.
 * TRACE_MESSAGE_PERFORMANCE_TIMESTAMP has no effect.
 *
 * Return: as TraceEvent(), but ERROR_INVALID_HANDLE if @LoggerHandle is 0; and
 * ERROR_INVALID_PARAMETER for other flags, for class and component together, if
 * @MessageGuid is required and NULL, and for too many arguments.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-tracemessageva
 */
EVNT_PUBLIC ULONG WMIAPI TraceMessageVa(TRACEHANDLE LoggerHandle,
					ULONG MessageFlags, LPCGUID MessageGuid,
					USHORT MessageNumber,
					va_list MessageArgList)
{
	struct evntprov_data block[EVNTPROV_MAX_DATA];
	struct evntprov_write t = {
		.flags = EVNTPROV_TRACE_MESSAGE,
		.descriptor.id = MessageNumber,
		.descriptor.task = MessageFlags & MESSAGE_FLAGS,
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
 * TraceMessage() - TraceMessageVa() with variable arguments
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
