/* SPDX-License-Identifier: MIT */
/*
 * Inline variants of the functions that write events: an event whose provider
 * is not enabled costs one load and one branch, without a call.
 *
 * Included by evntprov.h.  If the provider is enabled, they call the library's
 * functions of the same names.  These are also used for function addresses, in
 * programs built without optimization, and with EVNT_NO_INLINE.
 */
#ifndef EVNTINLINE_H
#define EVNTINLINE_H

#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(EVNT_NO_INLINE)

#define EVNT_INLINE							\
	extern __inline __attribute__((__gnu_inline__, __always_inline__))

EVNT_BEGIN_DECLS

/*
 * Enable area: each registration has a byte, at the offset given by the low 16
 * bits of its handle, which is not 0 if any session has enabled the provider.
 * It may be read at any 16-bit offset, and never moves.
 */
extern const UCHAR *const evnt_enabled_bytes;

BOOLEAN EVNTAPI evnt_EventEnabled(REGHANDLE RegHandle,
				  PCEVENT_DESCRIPTOR EventDescriptor)
	__asm__("EventEnabled");
BOOLEAN EVNTAPI evnt_EventProviderEnabled(REGHANDLE RegHandle, UCHAR Level,
					  ULONGLONG Keyword)
	__asm__("EventProviderEnabled");
ULONG EVNTAPI evnt_EventWrite(REGHANDLE RegHandle,
			      PCEVENT_DESCRIPTOR EventDescriptor,
			      ULONG UserDataCount,
			      PEVENT_DATA_DESCRIPTOR UserData)
	__asm__("EventWrite");
ULONG EVNTAPI evnt_EventWriteTransfer(REGHANDLE RegHandle,
				      PCEVENT_DESCRIPTOR EventDescriptor,
				      LPCGUID ActivityId,
				      LPCGUID RelatedActivityId,
				      ULONG UserDataCount,
				      PEVENT_DATA_DESCRIPTOR UserData)
	__asm__("EventWriteTransfer");
ULONG EVNTAPI evnt_EventWriteEx(REGHANDLE RegHandle,
				PCEVENT_DESCRIPTOR EventDescriptor,
				ULONG64 Filter, ULONG Flags, LPCGUID ActivityId,
				LPCGUID RelatedActivityId, ULONG UserDataCount,
				PEVENT_DATA_DESCRIPTOR UserData)
	__asm__("EventWriteEx");
ULONG EVNTAPI evnt_EventWriteString(REGHANDLE RegHandle, UCHAR Level,
				    ULONGLONG Keyword, PCWSTR String)
	__asm__("EventWriteString");

/*
 * Hide the offset, so that the compiler reloads the byte each time.  A volatile
 * byte would be loaded by one instruction and compared by another one.
 */
EVNT_INLINE BOOLEAN evnt_maybe_enabled(REGHANDLE RegHandle)
{
	ULONGLONG offset = (USHORT)RegHandle;

	__asm__ __volatile__("" : "+r" (offset));
	return __builtin_expect(evnt_enabled_bytes[offset], 0);
}

EVNT_INLINE BOOLEAN EVNTAPI EventEnabled(REGHANDLE RegHandle,
					 PCEVENT_DESCRIPTOR EventDescriptor)
{
	return evnt_maybe_enabled(RegHandle) &&
	       evnt_EventEnabled(RegHandle, EventDescriptor);
}

EVNT_INLINE BOOLEAN EVNTAPI EventProviderEnabled(REGHANDLE RegHandle,
						 UCHAR Level, ULONGLONG Keyword)
{
	return evnt_maybe_enabled(RegHandle) &&
	       evnt_EventProviderEnabled(RegHandle, Level, Keyword);
}

/* Returns 0, which is ERROR_SUCCESS, if the provider is not enabled */
EVNT_INLINE ULONG EVNTAPI EventWrite(REGHANDLE RegHandle,
				     PCEVENT_DESCRIPTOR EventDescriptor,
				     ULONG UserDataCount,
				     PEVENT_DATA_DESCRIPTOR UserData)
{
	if (!evnt_maybe_enabled(RegHandle))
		return 0;
	return evnt_EventWrite(RegHandle, EventDescriptor, UserDataCount,
			       UserData);
}

EVNT_INLINE ULONG EVNTAPI EventWriteTransfer(REGHANDLE RegHandle,
					     PCEVENT_DESCRIPTOR EventDescriptor,
					     LPCGUID ActivityId,
					     LPCGUID RelatedActivityId,
					     ULONG UserDataCount,
					     PEVENT_DATA_DESCRIPTOR UserData)
{
	if (!evnt_maybe_enabled(RegHandle))
		return 0;
	return evnt_EventWriteTransfer(RegHandle, EventDescriptor, ActivityId,
				       RelatedActivityId, UserDataCount,
				       UserData);
}

EVNT_INLINE ULONG EVNTAPI EventWriteEx(REGHANDLE RegHandle,
				       PCEVENT_DESCRIPTOR EventDescriptor,
				       ULONG64 Filter, ULONG Flags,
				       LPCGUID ActivityId,
				       LPCGUID RelatedActivityId,
				       ULONG UserDataCount,
				       PEVENT_DATA_DESCRIPTOR UserData)
{
	if (!evnt_maybe_enabled(RegHandle))
		return 0;
	return evnt_EventWriteEx(RegHandle, EventDescriptor, Filter, Flags,
				 ActivityId, RelatedActivityId, UserDataCount,
				 UserData);
}

EVNT_INLINE ULONG EVNTAPI EventWriteString(REGHANDLE RegHandle, UCHAR Level,
					   ULONGLONG Keyword, PCWSTR String)
{
	if (!evnt_maybe_enabled(RegHandle))
		return 0;
	return evnt_EventWriteString(RegHandle, Level, Keyword, String);
}

EVNT_END_DECLS

#endif

#endif /* EVNTINLINE_H */
