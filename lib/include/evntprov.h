/* SPDX-License-Identifier: MIT */
/*
 * API of event providers: registration and writing of events.
 *
 * Names, values and layouts are the same as on Windows, so that existing
 * instrumentation compiles.  The functions are documented where they are
 * defined, and in the manual pages.  While the evntprov module is not loaded,
 * all functions succeed and no provider is enabled.
 */
#ifndef EVNTPROV_H
#define EVNTPROV_H

#include "evntbase.h"

#define EVENT_MIN_LEVEL			0
#define EVENT_MAX_LEVEL			0xff

#define EVENT_ACTIVITY_CTRL_GET_ID	1
#define EVENT_ACTIVITY_CTRL_SET_ID	2
#define EVENT_ACTIVITY_CTRL_CREATE_ID	3
#define EVENT_ACTIVITY_CTRL_GET_SET_ID	4
#define EVENT_ACTIVITY_CTRL_CREATE_SET_ID 5

#define MAX_EVENT_DATA_DESCRIPTORS	128
#define MAX_EVENT_FILTER_DATA_SIZE	1024
#define MAX_EVENT_FILTER_PAYLOAD_SIZE	4096
#define MAX_EVENT_FILTER_EVENT_NAME_SIZE 4096
#define MAX_EVENT_FILTERS_COUNT		13
#define MAX_EVENT_FILTER_PID_COUNT	8
#define MAX_EVENT_FILTER_EVENT_ID_COUNT	64

#define EVENT_FILTER_TYPE_NONE			0x00000000u
#define EVENT_FILTER_TYPE_SCHEMATIZED		0x80000000u
#define EVENT_FILTER_TYPE_SYSTEM_FLAGS		0x80000001u
#define EVENT_FILTER_TYPE_TRACEHANDLE		0x80000002u
#define EVENT_FILTER_TYPE_PID			0x80000004u
#define EVENT_FILTER_TYPE_EXECUTABLE_NAME	0x80000008u
#define EVENT_FILTER_TYPE_PACKAGE_ID		0x80000010u
#define EVENT_FILTER_TYPE_PACKAGE_APP_ID	0x80000020u
#define EVENT_FILTER_TYPE_PAYLOAD		0x80000100u
#define EVENT_FILTER_TYPE_EVENT_ID		0x80000200u
#define EVENT_FILTER_TYPE_EVENT_NAME		0x80000400u
#define EVENT_FILTER_TYPE_STACKWALK		0x80001000u
#define EVENT_FILTER_TYPE_STACKWALK_NAME	0x80002000u
#define EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW	0x80004000u
#define EVENT_FILTER_TYPE_CONTAINER		0x80008000u

#define EVENT_DATA_DESCRIPTOR_TYPE_NONE			0
#define EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA	1
#define EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA	2
#define EVENT_DATA_DESCRIPTOR_TYPE_TIMESTAMP_OVERRIDE	3

#define EVENT_WRITE_FLAG_NO_FAULTING	0x00000001u
#define EVENT_WRITE_FLAG_INPRIVATE	0x00000002u

/* Handle of a registration; 0 is none: calls with it have no effect */
typedef ULONGLONG REGHANDLE, *PREGHANDLE;

/* Block of an event's data */
typedef struct _EVENT_DATA_DESCRIPTOR {
	ULONGLONG Ptr;
	ULONG Size;
	EVNT_ANONYMOUS union {
		ULONG Reserved;
		EVNT_ANONYMOUS struct {
			UCHAR Type;
			UCHAR Reserved1;
			USHORT Reserved2;
		};
	};
} EVENT_DATA_DESCRIPTOR, *PEVENT_DATA_DESCRIPTOR;

/* Static properties of an event */
typedef struct _EVENT_DESCRIPTOR {
	USHORT Id;
	UCHAR Version;
	UCHAR Channel;
	UCHAR Level;
	UCHAR Opcode;
	USHORT Task;
	ULONGLONG Keyword;
} EVENT_DESCRIPTOR, *PEVENT_DESCRIPTOR;
typedef const EVENT_DESCRIPTOR *PCEVENT_DESCRIPTOR;

typedef struct _EVENT_FILTER_DESCRIPTOR {
	ULONGLONG Ptr;
	ULONG Size;
	ULONG Type;
} EVENT_FILTER_DESCRIPTOR, *PEVENT_FILTER_DESCRIPTOR;

typedef struct _EVENT_FILTER_HEADER {
	USHORT Id;
	UCHAR Version;
	UCHAR Reserved[5];
	ULONGLONG InstanceId;
	ULONG Size;
	ULONG NextOffset;
} EVENT_FILTER_HEADER, *PEVENT_FILTER_HEADER;

typedef struct _EVENT_FILTER_EVENT_ID {
	BOOLEAN FilterIn;
	UCHAR Reserved;
	USHORT Count;
	USHORT Events[1];
} EVENT_FILTER_EVENT_ID, *PEVENT_FILTER_EVENT_ID;

typedef struct _EVENT_FILTER_EVENT_NAME {
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
	UCHAR Level;
	BOOLEAN FilterIn;
	USHORT NameCount;
	UCHAR Names[1];
} EVENT_FILTER_EVENT_NAME, *PEVENT_FILTER_EVENT_NAME;

typedef struct _EVENT_FILTER_LEVEL_KW {
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
	UCHAR Level;
	BOOLEAN FilterIn;
} EVENT_FILTER_LEVEL_KW, *PEVENT_FILTER_LEVEL_KW;

typedef enum _EVENT_INFO_CLASS {
	EventProviderBinaryTrackInfo,
	EventProviderSetReserved1,
	EventProviderSetTraits,
	EventProviderUseDescriptorType,
	MaxEventInfo
} EVENT_INFO_CLASS;

/**
 * PENABLECALLBACK - callback for changes of a provider's enablement
 * @SourceId: SourceId passed by the controller, or all zero
 * @IsEnabled: EVENT_CONTROL_CODE_*: the state after the change
 * @Level: the highest level that any session has enabled
 * @MatchAnyKeyword: keyword bits that any session has enabled
 * @MatchAllKeyword: keyword bits that all sessions require
 * @FilterData: NULL, or data for the provider, valid during the call
 * @CallbackContext: as passed to EventRegister()
 *
 * Calls for a registration never overlap, and end when EventUnregister() has
 * returned.  The callback may call any function of this header.
 */
typedef VOID (NTAPI *PENABLECALLBACK)(LPCGUID SourceId, ULONG IsEnabled,
				      UCHAR Level, ULONGLONG MatchAnyKeyword,
				      ULONGLONG MatchAllKeyword,
				      PEVENT_FILTER_DESCRIPTOR FilterData,
				      PVOID CallbackContext);

#ifndef __KERNEL__
EVNT_BEGIN_DECLS

ULONG EVNTAPI EventRegister(LPCGUID ProviderId, PENABLECALLBACK EnableCallback,
			    PVOID CallbackContext, PREGHANDLE RegHandle);
ULONG EVNTAPI EventUnregister(REGHANDLE RegHandle);
ULONG EVNTAPI EventSetInformation(REGHANDLE RegHandle,
				  EVENT_INFO_CLASS InformationClass,
				  PVOID EventInformation,
				  ULONG InformationLength);

BOOLEAN EVNTAPI EventEnabled(REGHANDLE RegHandle,
			     PCEVENT_DESCRIPTOR EventDescriptor);
BOOLEAN EVNTAPI EventProviderEnabled(REGHANDLE RegHandle, UCHAR Level,
				     ULONGLONG Keyword);

ULONG EVNTAPI EventWrite(REGHANDLE RegHandle,
			 PCEVENT_DESCRIPTOR EventDescriptor,
			 ULONG UserDataCount, PEVENT_DATA_DESCRIPTOR UserData);
ULONG EVNTAPI EventWriteTransfer(REGHANDLE RegHandle,
				 PCEVENT_DESCRIPTOR EventDescriptor,
				 LPCGUID ActivityId, LPCGUID RelatedActivityId,
				 ULONG UserDataCount,
				 PEVENT_DATA_DESCRIPTOR UserData);
ULONG EVNTAPI EventWriteEx(REGHANDLE RegHandle,
			   PCEVENT_DESCRIPTOR EventDescriptor, ULONG64 Filter,
			   ULONG Flags, LPCGUID ActivityId,
			   LPCGUID RelatedActivityId, ULONG UserDataCount,
			   PEVENT_DATA_DESCRIPTOR UserData);
ULONG EVNTAPI EventWriteString(REGHANDLE RegHandle, UCHAR Level,
			       ULONGLONG Keyword, PCWSTR String);

ULONG EVNTAPI EventActivityIdControl(ULONG ControlCode, LPGUID ActivityId);

EVNT_END_DECLS

#include "evntinline.h"
#endif /* __KERNEL__ */

/* Describe @DataSize bytes at @DataPtr, which are read during the write */
static inline VOID EventDataDescCreate(PEVENT_DATA_DESCRIPTOR EventDataDescriptor,
				       const VOID *DataPtr, ULONG DataSize)
{
	EventDataDescriptor->Ptr = (ULONGLONG)(uintptr_t)DataPtr;
	EventDataDescriptor->Size = DataSize;
	EventDataDescriptor->Reserved = 0;
}

/* Describe an event.  Note that the task precedes the opcode. */
static inline VOID EventDescCreate(PEVENT_DESCRIPTOR EventDescriptor, USHORT Id,
				   UCHAR Version, UCHAR Channel, UCHAR Level,
				   USHORT Task, UCHAR Opcode, ULONGLONG Keyword)
{
	EventDescriptor->Id = Id;
	EventDescriptor->Version = Version;
	EventDescriptor->Channel = Channel;
	EventDescriptor->Level = Level;
	EventDescriptor->Task = Task;
	EventDescriptor->Opcode = Opcode;
	EventDescriptor->Keyword = Keyword;
}

static inline VOID EventDescZero(PEVENT_DESCRIPTOR EventDescriptor)
{
	memset(EventDescriptor, 0, sizeof(*EventDescriptor));
}

/* EventDescGetX() and EventDescSetX() for each field; set returns the event */
#define EVNT_DESC_FIELD(name, type)					\
static inline type EventDescGet##name(PCEVENT_DESCRIPTOR EventDescriptor) \
{									\
	return EventDescriptor->name;					\
}									\
static inline PEVENT_DESCRIPTOR						\
EventDescSet##name(PEVENT_DESCRIPTOR EventDescriptor, type Value)	\
{									\
	EventDescriptor->name = Value;					\
	return EventDescriptor;						\
}

EVNT_DESC_FIELD(Id, USHORT)
EVNT_DESC_FIELD(Version, UCHAR)
EVNT_DESC_FIELD(Channel, UCHAR)
EVNT_DESC_FIELD(Level, UCHAR)
EVNT_DESC_FIELD(Opcode, UCHAR)
EVNT_DESC_FIELD(Task, USHORT)
EVNT_DESC_FIELD(Keyword, ULONGLONG)
#undef EVNT_DESC_FIELD

static inline PEVENT_DESCRIPTOR
EventDescOrKeyword(PEVENT_DESCRIPTOR EventDescriptor, ULONGLONG Keyword)
{
	EventDescriptor->Keyword |= Keyword;
	return EventDescriptor;
}

/* Report string literals of the wrong width in programs ported from Windows */
#ifdef EVNT_WINDOWS_H
#include <evnthint.h>
#endif

#endif /* EVNTPROV_H */
