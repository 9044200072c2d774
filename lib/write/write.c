// SPDX-License-Identifier: MIT
/*
 * Writing of events: EventEnabled(), EventProviderEnabled(), EventWrite() and
 * its variants.
 *
 * No function here takes a lock.  An event that is not enabled makes no system
 * call, and its arguments are not read.
 */
#define _GNU_SOURCE
#include "lib/base/fast_ioctl.h"
#include "lib/base/thread.h"
#include "lib/private/private.h"
#include "lib/private/private_plain.h"
#include "lib/provider/registration.h"
#include "lib/ring/ring.h"

#define ALWAYS_INLINE	inline __attribute__((always_inline))
#define COLD		__attribute__((noinline, cold))

static bool is_wanted(REGHANDLE handle, UCHAR level, ULONGLONG keyword)
{
	struct evnt_state s = evnt_state_of(handle);

	return s.enabled && evnt_wanted(&s.interest, level, keyword);
}

/*
 * Fast variant of is_wanted() that reads the state without synchronization
 * while it may change: a negative result must be verified; a positive one is
 * verified by the kernel.
 */
static inline bool seems_wanted(const volatile struct evntprov_enable *slot,
				UCHAR level, ULONGLONG keyword)
{
	return evnt_wanted(&(struct evnt_level_keyword) {
		.match_any = slot->match_any,
		.match_all = slot->match_all,
		.level = slot->level,
	}, level, keyword);
}

/**
 * EventProviderEnabled() - test whether an event may be wanted
 * @RegHandle: handle of the registration
 * @Level: level of the event
 * @Keyword: keyword of the event
 *
 * Makes no system call.
 *
 * Return: FALSE if no session wants the event.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventproviderenabled
 */
EVNT_PUBLIC BOOLEAN EVNTAPI EventProviderEnabled(REGHANDLE RegHandle,
						 UCHAR Level, ULONGLONG Keyword)
{
	return is_wanted(RegHandle, Level, Keyword);
}

/**
 * EventEnabled() - test whether an event may be wanted
 * @RegHandle: handle of the registration
 * @EventDescriptor: descriptor of the event
 *
 * Makes no system call.
 *
 * Return: FALSE if no session wants the event.
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

/* Retry a failed write if the descriptor was lost; return the final code */
static COLD ULONG
write_failed(const struct evntprov_write *w, int err)
{
	int saved = errno, fd = evnt_device_fd();

	if (evnt_device_reopened(w->handle, fd, err))
		err = evnt_ioctl(evnt_device_fd(), EVNTPROV_IOC_WRITE, w);
	errno = saved;
	return evnt_win32(err);
}

/* Write an event; @w is complete except for its size and activity IDs */
static inline ULONG write_event(struct evntprov_write *w, LPCGUID activity,
				LPCGUID related)
{
	int err;

	w->size = sizeof(*w);
	memcpy(&w->activity, activity ? activity : &evnt_thread.activity,
	       sizeof(w->activity));
	if (related) {
		memcpy(&w->related, related, sizeof(w->related));
		w->flags |= EVNTPROV_WRITE_RELATED;
	}
	err = evnt_ioctl(evnt_device_fd(), EVNTPROV_IOC_WRITE, w);
	return __builtin_expect(err, 0) ? write_failed(w, err) : ERROR_SUCCESS;
}

/* Write an event that is wanted, or seems to be */
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
	/* Single stores: an initializer would clear all of it */
	w.flags = flags;
	w.handle = handle;
	w.exclude = exclude;
	if (likely(count == 1 && !data->Type)) {
		w.flags |= EVNTPROV_WRITE_ONE_BLOCK;
		w.data = data->Ptr;
		w.data_count = data->Size;
	} else {
		w.data = (uintptr_t)data;
		w.data_count = count;
	}
	memcpy(&w.descriptor, descriptor, sizeof(w.descriptor));
	return write_event(&w, activity, related);
}

/* Decide on an event that one reading of the state has not refused */
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
 * Handle an event that seems not to be wanted.  Mostly one reading of the state
 * makes that certain.  This function is not cold, as a program may write many
 * such events.
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

/* Write an event that did not go to a ring */
static COLD ULONG write_by_ioctl(REGHANDLE handle,
				 PCEVENT_DESCRIPTOR descriptor,
				 LPCGUID activity, LPCGUID related, ULONG count,
				 PEVENT_DATA_DESCRIPTOR data)
{
	ULONG code = write_wanted(handle, descriptor, 0, 0, activity, related,
				  count, data);

	if (!code)
		evnt_ring_written();
	return code;
}

/* Five arguments, as more would be passed in memory, for which callers need room */
static __attribute__((noinline)) ULONG
write_unwanted_to_ring(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		       LPCGUID activity, ULONG count,
		       PEVENT_DATA_DESCRIPTOR data)
{
	return write_unwanted(handle, descriptor, 0, 0, activity, NULL, count,
			      data);
}

/* Write an event to the thread's ring, if it has one and the event fits */
static __attribute__((noinline)) ULONG
write_any_to_ring(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		  LPCGUID activity, ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
	struct evnt_thread *self = &evnt_thread;

	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(!seems_wanted(evnt_slot_at(handle), descriptor->Level,
				   descriptor->Keyword)))
		return write_unwanted_to_ring(handle, descriptor, activity,
					      count, data);
	/* In a register: gcc would compute the address again */
	__asm__("" : "+r" (self));
	if (likely(evnt_ring_put(self, false, 0, handle, descriptor, activity,
				 count, data, &evnt_current_fd)))
		return ERROR_SUCCESS;
	return write_by_ioctl(handle, descriptor, activity, NULL, count, data);
}

/*
 * Write an event of one short block; @slot has the state of its registration.
 * @flags: the kind of the ring's times, constant
 */
static ALWAYS_INLINE ULONG
write_short(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, LPCGUID activity,
	    PEVENT_DATA_DESCRIPTOR data,
	    const volatile struct evntprov_enable *slot,
	    struct evnt_thread *self, unsigned short flags)
{
	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(!seems_wanted(slot, descriptor->Level,
				   descriptor->Keyword)))
		return write_unwanted_to_ring(handle, descriptor, activity, 1,
					      data);
	if (likely(evnt_ring_put(self, true, flags, handle, descriptor,
				 activity, 1, data, NULL)))
		return ERROR_SUCCESS;
	return write_any_to_ring(handle, descriptor, activity, 1, data);
}

/* Write an event of one short block to a ring with times of the clock */
static __attribute__((noinline)) ULONG
write_by_clock(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
	       LPCGUID activity, PEVENT_DATA_DESCRIPTOR data,
	       const volatile struct evntprov_enable *slot,
	       struct evnt_thread *self)
{
	return write_short(handle, descriptor, activity, data, slot, self, 0);
}

/* Write an event of one short block to a ring with times of either kind */
static __attribute__((noinline)) ULONG
write_to_ring(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, LPCGUID activity,
	      PEVENT_DATA_DESCRIPTOR data,
	      const volatile struct evntprov_enable *slot)
{
	struct evnt_thread *self = &evnt_thread;

	__asm__("" : "+r" (self));	/* as above */
	if (!self->reads_counter)
		return write_by_clock(handle, descriptor, activity, data, slot,
				      self);
	return write_short(handle, descriptor, activity, data, slot, self,
			   EVNTPROV_RING_COUNTER);
}

/* Write an event with extended items to the thread's ring */
static __attribute__((noinline)) ULONG
write_items_to_ring(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		    LPCGUID activity, LPCGUID related, bool is_typed,
		    ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
	const ULONGLONG *traits_item = &evnt_traits_items[evnt_slot_of(handle)];
	ULONG traits_len;

	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(!seems_wanted(evnt_slot_at(handle), descriptor->Level,
				   descriptor->Keyword)))
		return write_unwanted(handle, descriptor, 0, 0, activity,
				      related, count, data);
	traits_len = __atomic_load_n(traits_item, __ATOMIC_RELAXED) >> 48;
	if (likely(evnt_ring_put_items(handle, descriptor, activity, related,
				       is_typed, traits_len, count, data,
				       &evnt_current_fd)))
		return ERROR_SUCCESS;
	return write_by_ioctl(handle, descriptor, activity, related, count,
			      data);
}

/* As above, of a registration that uses types; five arguments, see above */
static __attribute__((noinline)) ULONG
write_typed_to_ring(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		    LPCGUID activity, ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
	return write_items_to_ring(handle, descriptor, activity, NULL, true,
				   count, data);
}

/* Write an event as TraceLogging does; @flags: as for write_short() */
static ALWAYS_INLINE ULONG
write_tl(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor, LPCGUID activity,
	 ULONG count, PEVENT_DATA_DESCRIPTOR data, struct evnt_thread *self,
	 unsigned short flags)
{
	const ULONGLONG *traits_item = &evnt_traits_items[evnt_slot_of(handle)];

	if (likely(descriptor &&
		   seems_wanted(evnt_slot_at(handle), descriptor->Level,
				descriptor->Keyword) &&
		   evnt_ring_put_tracelogging(self, flags, handle, descriptor,
					      activity, traits_item, count,
					      data)))
		return ERROR_SUCCESS;
	return write_typed_to_ring(handle, descriptor, activity, count, data);
}

static __attribute__((noinline)) ULONG
write_tl_by_clock(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		  LPCGUID activity, ULONG count, PEVENT_DATA_DESCRIPTOR data,
		  struct evnt_thread *self)
{
	return write_tl(handle, descriptor, activity, count, data, self, 0);
}

/* Write an event as TraceLogging does, with times of either kind */
static __attribute__((noinline)) ULONG
write_tl_to_ring(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		 LPCGUID activity, ULONG count, PEVENT_DATA_DESCRIPTOR data)
{
	struct evnt_thread *self = &evnt_thread;

	__asm__("" : "+r" (self));	/* as above */
	if (!self->reads_counter)
		return write_tl_by_clock(handle, descriptor, activity, count,
					 data, self);
	return write_tl(handle, descriptor, activity, count, data, self,
			EVNTPROV_RING_COUNTER);
}

/*
 * Write an event to the private sessions that want it, and to the module if one
 * of its sessions wants it.
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
		evnt_private_sync_catch_up();
		/* No private session has enabled the registration */
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

/* Write an event of one block to the only private session, which wants it plain */
static __attribute__((noinline)) ULONG
write_plain_privately(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
		      LPCGUID activity, PEVENT_DATA_DESCRIPTOR data)
{
	struct evnt_thread *self = &evnt_thread;

	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	__asm__("" : "+r" (self));	/* as above */
	if (likely(!evnt_area_module_has(handle) &&
		   evnt_private_write_plain(self, handle, descriptor, activity, data)))
		return ERROR_SUCCESS;
	return write_privately(handle, descriptor, 0, 0, activity, NULL, 1,
			       data);
}

/* Implement EventWriteEx(), and its variants by constant arguments */
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
		if (by == (EVNT_AREA_MODULE | EVNT_AREA_RING)) {
			if (exclude || flags)
				goto module;
			if (related)
				return write_items_to_ring(handle, descriptor,
							   activity, related,
							   false, count, data);
			if (count == 1 && data &&
			    evnt_ring_short_len(data) <= EVNT_RING_SHORT)
				return write_to_ring(handle, descriptor,
						     activity, data,
						     evnt_slot_at(handle));
			return write_any_to_ring(handle, descriptor, activity,
						 count, data);
		}
		if (by == (EVNT_AREA_MODULE | EVNT_AREA_RING_TYPES)) {
			if (exclude || flags)
				goto module;
			if (!related)
				return write_tl_to_ring(handle, descriptor,
							activity, count, data);
			return write_items_to_ring(handle, descriptor, activity,
						   related, true, count, data);
		}
		if (by == (EVNT_AREA_OURS | EVNT_AREA_PRIVATE |
			   EVNT_AREA_PLAIN) && !exclude && !flags && !related &&
		    count == 1 && data)
			return write_plain_privately(handle, descriptor,
						     activity, data);
		code = write_privately(handle, descriptor, exclude, flags,
				       activity, related, count, data);
		/* Prevent a tail call: the frame must be the caller's own */
		__asm__ __volatile__("" : "+r" (code));
		return code;
	}
module:
	if (!descriptor)
		return ERROR_INVALID_PARAMETER;
	if (unlikely(!seems_wanted(evnt_slot_at(handle), descriptor->Level,
				   descriptor->Keyword)))
		return write_unwanted(handle, descriptor, exclude, flags,
				      activity, related, count, data);
	return write_wanted(handle, descriptor, exclude, flags, activity,
			    related, count, data);
}

/**
 * EventWriteEx() - write an event
 * @RegHandle: handle of the registration
 * @EventDescriptor: descriptor of the event
 * @Filter: mask of sessions that must not record the event; 0: none
 * @Flags: EVENT_WRITE_FLAG_*
 * @ActivityId: activity ID; NULL: the thread's
 * @RelatedActivityId: related activity ID, or NULL
 * @UserDataCount: elements of @UserData, at most MAX_EVENT_DATA_DESCRIPTORS
 * @UserData: data of the event; may be NULL if @UserDataCount is 0
 *
 * If no session wants the event, the other arguments are not checked.  Of the
 * module's sessions that want the event, all record it or none does; each
 * private session records it or counts it as lost.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INVALID_HANDLE;
 * ERROR_ARITHMETIC_OVERFLOW if the event is longer than 64 KB with its header;
 * ERROR_MORE_DATA if it does not fit the buffers of a session;
 * ERROR_NOT_ENOUGH_MEMORY if a session had no free buffer: the event is counted
 * as lost.
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

/* Write an event of EventWriteTransfer(), whose arguments these are, in any way */
static __attribute__((noinline)) ULONG
write_transfer(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
	       LPCGUID activity, LPCGUID related, ULONG count,
	       PEVENT_DATA_DESCRIPTOR data)
{
	return write_ex(handle, descriptor, 0, 0, activity, related, count,
			data);
}

/**
 * EventWriteTransfer() - write an event with activity IDs
 *
 * Equivalent to EventWriteEx() without @Filter and @Flags.
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
	UCHAR by = evnt_enabled_by(RegHandle);
	ULONG code;

	/* TraceLogging calls this function, which needs no frame for it */
	if (by == (EVNT_AREA_MODULE | EVNT_AREA_RING_TYPES) &&
	    !RelatedActivityId)
		return write_tl_to_ring(RegHandle, EventDescriptor, ActivityId,
					UserDataCount, UserData);
	if (!by)
		return ERROR_SUCCESS;
	/* As in write_ex(): a private session may want a call stack from here */
	if (unlikely(by & (EVNT_AREA_OURS | EVNT_AREA_NEWS)) &&
	    by != (EVNT_AREA_OURS | EVNT_AREA_PRIVATE | EVNT_AREA_PLAIN)) {
		code = write_privately(RegHandle, EventDescriptor, 0, 0,
				       ActivityId, RelatedActivityId,
				       UserDataCount, UserData);
		__asm__ __volatile__("" : "+r" (code));
		return code;
	}
	return write_transfer(RegHandle, EventDescriptor, ActivityId,
			      RelatedActivityId, UserDataCount, UserData);
}

/**
 * EventWrite() - write an event
 *
 * Equivalent to EventWriteEx() without @Filter, @Flags and activity IDs.
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
 * @RegHandle: handle of the registration
 * @Level: level of the event
 * @Keyword: keyword of the event
 * @String: nul-terminated string; recorded with its nul
 *
 * Consumers find EVENT_HEADER_FLAG_STRING_ONLY set, and need no schema.
 *
 * Return: as EventWriteEx().
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventwritestring
 */
EVNT_PUBLIC ULONG EVNTAPI EventWriteString(REGHANDLE RegHandle, UCHAR Level,
					   ULONGLONG Keyword, PCWSTR String)
{
	UCHAR by = evnt_enabled_by(RegHandle);
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
	w = (struct evntprov_write) {
		.flags = EVNTPROV_WRITE_STRING | EVNTPROV_WRITE_ONE_BLOCK,
		.handle = RegHandle,
		.descriptor = { .level = Level, .keyword = Keyword },
		.data = (uintptr_t)String,
		.data_count = len,
	};
	more = write_event(&w, NULL, NULL);
	return code ? code : more;
}
