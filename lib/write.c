// SPDX-License-Identifier: MIT
/*
 * Writing events: EventEnabled, EventProviderEnabled, EventWrite and its kin.
 *
 * Nothing here takes a lock.  What is not enabled does not enter the kernel,
 * and its arguments are not looked at.
 */
#include "activity.h"
#include "fast_ioctl.h"
#include "logger.h"
#include "private.h"
#include "registration.h"

#define ALWAYS_INLINE	inline __attribute__((always_inline))
#define COLD		__attribute__((noinline, cold))

static bool is_wanted(REGHANDLE handle, UCHAR level, ULONGLONG keyword)
{
	struct evnt_state s = evnt_state_of(handle);

	return s.enabled && evnt_wanted(&s.interest, level, keyword);
}

/*
 * The same, of a state that may change while it is looked at: no is not certain,
 * and of yes the kernel is the judge.
 */
static inline bool seems_wanted(REGHANDLE handle, UCHAR level,
				ULONGLONG keyword)
{
	const volatile struct evntprov_enable *slot = evnt_slot_at(handle);

	return evnt_wanted(&(struct evnt_interest) {
		.match_any = slot->match_any,
		.match_all = slot->match_all,
		.level = slot->level,
	}, level, keyword);
}

/**
 * EventProviderEnabled() - whether an event may be wanted
 * @RegHandle: the registration
 * @Level: the event's level
 * @Keyword: the event's keyword
 *
 * Makes no system call.
 *
 * Return: FALSE when no session wants it.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventproviderenabled
 */
EVNT_PUBLIC BOOLEAN EVNTAPI EventProviderEnabled(REGHANDLE RegHandle,
						 UCHAR Level, ULONGLONG Keyword)
{
	return is_wanted(RegHandle, Level, Keyword);
}

/**
 * EventEnabled() - whether an event may be wanted
 * @RegHandle: the registration
 * @EventDescriptor: the event
 *
 * Makes no system call.
 *
 * Return: FALSE when no session wants it.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventenabled
 */
EVNT_PUBLIC BOOLEAN EVNTAPI EventEnabled(REGHANDLE RegHandle,
					 PCEVENT_DESCRIPTOR EventDescriptor)
{
	return evnt_enabled_by(RegHandle) && EventDescriptor &&
	       is_wanted(RegHandle, EventDescriptor->Level,
			 EventDescriptor->Keyword);
}

static bool descriptor_is_door(int fd)
{
	struct evntprov_version v = { .size = sizeof(v) };

	return !evnt_ioctl(fd, EVNTPROV_IOC_VERSION, &v) &&
	       v.abi_version >= EVNTPROV_ABI_VERSION;
}

/*
 * Whether a write failed because the program has closed our descriptor: then it
 * is closed, or somebody else's, or that of another door which is just being
 * opened, and does not know our registrations yet.
 */
bool evnt_write_met_lost_door(REGHANDLE handle, int fd, int err)
{
	if (err == ENOENT)
		return evnt_door_await(handle);
	if (err != EBADF && err != ENOTTY && err != EINVAL)
		return false;
	if (!descriptor_is_door(fd)) {
		evnt_door_lost(fd);
		return true;
	}
	/* It is one by now.  Only of what is no door are these true: */
	return err != EINVAL && evnt_door_await(handle);
}

/* A write failed with @err: what comes of it in the end */
static COLD ULONG
write_failed(const struct evntprov_write *w, int err)
{
	int saved = errno, fd = evnt_door_fd();

	if (evnt_write_met_lost_door(w->handle, fd, err))
		err = evnt_ioctl(evnt_door_fd(), EVNTPROV_IOC_WRITE, w);
	errno = saved;
	return evnt_win32(err);
}

/* @w is complete but for its size and the ids of activities */
static inline ULONG write_event(struct evntprov_write *w, LPCGUID activity,
				LPCGUID related)
{
	int err;

	w->size = sizeof(*w);
	memcpy(&w->activity, activity ? activity : &evnt_thread_activity,
	       sizeof(w->activity));
	if (related) {
		memcpy(&w->related, related, sizeof(w->related));
		w->flags |= EVNTPROV_WRITE_RELATED;
	}
	err = evnt_ioctl(evnt_door_fd(), EVNTPROV_IOC_WRITE, w);
	return __builtin_expect(err, 0) ? write_failed(w, err) : ERROR_SUCCESS;
}

/* The event is wanted, or seems to be */
static ALWAYS_INLINE ULONG
write_wanted(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, ULONG64 exclude,
	     ULONG flags, LPCGUID activity, LPCGUID related, ULONG count,
	     PEVENT_DATA_DESCRIPTOR data)
{
	struct evntprov_write w;

	if (flags & ~(EVENT_WRITE_FLAG_NO_FAULTING |
		      EVENT_WRITE_FLAG_INPRIVATE) ||
	    count > MAX_EVENT_DATA_DESCRIPTORS || (count && !data))
		return ERROR_INVALID_PARAMETER;
	/* Each field on its own: the compiler would clear all of it first */
	w.flags = flags;
	w.handle = handle;
	w.exclude = exclude;
	w.data = (uintptr_t)data;
	w.data_count = count;
	memcpy(&w.descriptor, descriptor, sizeof(w.descriptor));
	return write_event(&w, activity, related);
}

/* Decide on an event that one reading of the state did not refuse */
static COLD ULONG
write_doubtful(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, ULONG64 exclude,
	       ULONG flags, LPCGUID activity, LPCGUID related, ULONG count,
	       PEVENT_DATA_DESCRIPTOR data)
{
	if (!is_wanted(handle, descriptor->Level, descriptor->Keyword))
		return ERROR_SUCCESS;
	return write_wanted(handle, descriptor, exclude, flags, activity,
			    related, count, data);
}

/*
 * The event seems not to be wanted.  Mostly that is certain after one reading: this
 * function is not cold, because a program may write many such events.
 */
static __attribute__((noinline)) ULONG
write_unwanted(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, ULONG64 exclude,
	       ULONG flags, LPCGUID activity, LPCGUID related, ULONG count,
	       PEVENT_DATA_DESCRIPTOR data)
{
	if (likely(evnt_is_refused(handle, descriptor->Level,
				   descriptor->Keyword)))
		return ERROR_SUCCESS;
	return write_doubtful(handle, descriptor, exclude, flags, activity,
			      related, count, data);
}

/*
 * There are private sessions: to those that want the event, and to the module, if
 * sessions of that do.
 */
static __attribute__((noinline)) ULONG
write_privately(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		ULONG64 exclude, ULONG flags, LPCGUID activity, LPCGUID related,
		ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
	const struct evnt_private_event e = {
		.descriptor = descriptor,
		.flags = flags,
		.activity = activity,
		.related = related,
		.frame = __builtin_frame_address(0),
		.count = count,
		.data = data,
	};
	ULONG code, more = ERROR_SUCCESS;

	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(evnt_area_has_news(handle))) {
		evnt_loggers_catch_up();
		/* There is no private session for it */
		if (!(evnt_enabled_by(handle) & EVNT_AREA_OURS))
			return write_unwanted(handle, descriptor, exclude,
					      flags, activity, related, count,
					      data);
	}
	code = evnt_private_write(handle, &e);
	if (evnt_module_wants(handle, descriptor->Level, descriptor->Keyword))
		more = write_wanted(handle, descriptor, exclude, flags,
				    activity, related, count, data);
	return code ? code : more;
}

/* EventWriteEx(), for what is less than that by constants */
static ALWAYS_INLINE ULONG
write_ex(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, ULONG64 exclude,
	 ULONG flags, LPCGUID activity, LPCGUID related, ULONG count,
	 PEVENT_DATA_DESCRIPTOR data)
{
	UCHAR by = evnt_enabled_by(handle);
	ULONG code;

	if (by != EVNT_AREA_MODULE) {
		if (!by)
			return ERROR_SUCCESS;
		code = write_privately(handle, descriptor, exclude, flags,
				       activity, related, count, data);
		/* It is not the last thing here: the frame is that of the caller */
		__asm__ __volatile__("" : "+r" (code));
		return code;
	}
	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(!seems_wanted(handle, descriptor->Level,
				   descriptor->Keyword)))
		return write_unwanted(handle, descriptor, exclude, flags,
				      activity, related, count, data);
	return write_wanted(handle, descriptor, exclude, flags, activity,
			    related, count, data);
}

/**
 * EventWriteEx() - write an event
 * @RegHandle: the registration
 * @EventDescriptor: what the event is
 * @Filter: sessions that must not get it; 0: none
 * @Flags: EVENT_WRITE_FLAG_*
 * @ActivityId: NULL: the thread's
 * @RelatedActivityId: or NULL
 * @UserDataCount: elements of @UserData, at most MAX_EVENT_DATA_DESCRIPTORS
 * @UserData: the event's data; may be NULL when there is none
 *
 * When no session wants the event, nothing else is looked at.  The event
 * reaches all sessions that want it, or none.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INVALID_HANDLE;
 * ERROR_ARITHMETIC_OVERFLOW when it is longer than 64 KB with its header;
 * ERROR_MORE_DATA when it does not fit the buffers of a session;
 * ERROR_NOT_ENOUGH_MEMORY when a session had no free buffer: the event is lost,
 * and counted.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventwriteex
 */
EVNT_PUBLIC ULONG EVNTAPI EventWriteEx(REGHANDLE RegHandle,
				       PCEVENT_DESCRIPTOR EventDescriptor,
				       ULONG64 Filter, ULONG Flags,
				       LPCGUID ActivityId,
				       LPCGUID RelatedActivityId,
				       ULONG UserDataCount,
				       PEVENT_DATA_DESCRIPTOR UserData)
{
	return write_ex(RegHandle, EventDescriptor, Filter, Flags, ActivityId,
			RelatedActivityId, UserDataCount, UserData);
}

/**
 * EventWriteTransfer() - write an event that may be related to another
 *
 * EventWriteEx() without @Filter and @Flags.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventwritetransfer
 */
EVNT_PUBLIC ULONG EVNTAPI EventWriteTransfer(REGHANDLE RegHandle,
					     PCEVENT_DESCRIPTOR EventDescriptor,
					     LPCGUID ActivityId,
					     LPCGUID RelatedActivityId,
					     ULONG UserDataCount,
					     PEVENT_DATA_DESCRIPTOR UserData)
{
	return write_ex(RegHandle, EventDescriptor, 0, 0, ActivityId,
			RelatedActivityId, UserDataCount, UserData);
}

/**
 * EventWrite() - write an event
 *
 * EventWriteEx() without @Filter, @Flags, and ids of activities.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventwrite
 */
EVNT_PUBLIC ULONG EVNTAPI EventWrite(REGHANDLE RegHandle,
				     PCEVENT_DESCRIPTOR EventDescriptor,
				     ULONG UserDataCount,
				     PEVENT_DATA_DESCRIPTOR UserData)
{
	return write_ex(RegHandle, EventDescriptor, 0, 0, NULL, NULL,
			UserDataCount, UserData);
}

static __attribute__((noinline)) ULONG
write_string_privately(REGHANDLE handle, UCHAR level, ULONGLONG keyword,
		       const WCHAR *string, ULONG len)
{
	const EVENT_DESCRIPTOR descriptor = {
		.Level = level, .Keyword = keyword,
	};
	EVENT_DATA_DESCRIPTOR data = {
		.Ptr = (uintptr_t)string, .Size = len,
	};

	return evnt_private_write(handle, &(struct evnt_private_event) {
		.descriptor = &descriptor,
		.is_string = true,
		.frame = __builtin_frame_address(0),
		.count = 1,
		.data = &data,
	});
}

/**
 * EventWriteString() - write a string as an event
 * @RegHandle: the registration
 * @Level: the event's level
 * @Keyword: the event's keyword
 * @String: nul-terminated; its nul is written too
 *
 * Consumers see EVENT_HEADER_FLAG_STRING_ONLY, and need no description.
 *
 * Return: as EventWriteEx().
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventwritestring
 */
EVNT_PUBLIC ULONG EVNTAPI EventWriteString(REGHANDLE RegHandle, UCHAR Level,
					   ULONGLONG Keyword, PCWSTR String)
{
	UCHAR by = evnt_enabled_by(RegHandle);
	struct evntprov_data data;
	struct evntprov_write w;
	ULONG more, code = ERROR_SUCCESS;
	size_t len;

	if (!by || !is_wanted(RegHandle, Level, Keyword))
		return ERROR_SUCCESS;
	if (!String)
		return ERROR_INVALID_PARAMETER;
	len = (evnt_wcslen(String) + 1) * sizeof(WCHAR);
	if (len > UINT32_MAX)
		return ERROR_ARITHMETIC_OVERFLOW;
	if (by != EVNT_AREA_MODULE &&
	    evnt_enabled_by(RegHandle) & EVNT_AREA_OURS) {
		code = write_string_privately(RegHandle, Level, Keyword, String,
					      len);
		if (!evnt_module_wants(RegHandle, Level, Keyword))
			return code;
	}
	data = (struct evntprov_data) { (uintptr_t)String, len, 0, { 0 } };
	w = (struct evntprov_write) {
		.flags = EVNTPROV_WRITE_STRING,
		.handle = RegHandle,
		.descriptor = { .level = Level, .keyword = Keyword },
		.data = (uintptr_t)&data,
		.data_count = 1,
	};
	more = write_event(&w, NULL, NULL);
	return code ? code : more;
}
