/* SPDX-License-Identifier: MIT */
/*
 * Events as passed to consumers, and their extended data.
 */
#ifndef EVNTCONS_H
#define EVNTCONS_H

#include "evntbase.h"
#include "evntprov.h"
#include "evntrace.h"
#include "securitybaseapi.h"

#define EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID	0x0001
#define EVENT_HEADER_EXT_TYPE_SID		0x0002
#define EVENT_HEADER_EXT_TYPE_TS_ID		0x0003
#define EVENT_HEADER_EXT_TYPE_INSTANCE_INFO	0x0004
#define EVENT_HEADER_EXT_TYPE_STACK_TRACE32	0x0005
#define EVENT_HEADER_EXT_TYPE_STACK_TRACE64	0x0006
#define EVENT_HEADER_EXT_TYPE_PEBS_INDEX	0x0007
#define EVENT_HEADER_EXT_TYPE_PMC_COUNTERS	0x0008
#define EVENT_HEADER_EXT_TYPE_PSM_KEY		0x0009
#define EVENT_HEADER_EXT_TYPE_EVENT_KEY		0x000a
#define EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL	0x000b
#define EVENT_HEADER_EXT_TYPE_PROV_TRAITS	0x000c
#define EVENT_HEADER_EXT_TYPE_PROCESS_START_KEY	0x000d
#define EVENT_HEADER_EXT_TYPE_CONTROL_GUID	0x000e
#define EVENT_HEADER_EXT_TYPE_QPC_DELTA		0x000f
#define EVENT_HEADER_EXT_TYPE_CONTAINER_ID	0x0010
#define EVENT_HEADER_EXT_TYPE_STACK_KEY32	0x0011
#define EVENT_HEADER_EXT_TYPE_STACK_KEY64	0x0012
#define EVENT_HEADER_EXT_TYPE_MAX		0x0013

#define EVENT_HEADER_FLAG_EXTENDED_INFO		0x0001
#define EVENT_HEADER_FLAG_PRIVATE_SESSION	0x0002
#define EVENT_HEADER_FLAG_STRING_ONLY		0x0004
#define EVENT_HEADER_FLAG_TRACE_MESSAGE		0x0008
#define EVENT_HEADER_FLAG_NO_CPUTIME		0x0010
#define EVENT_HEADER_FLAG_32_BIT_HEADER		0x0020
#define EVENT_HEADER_FLAG_64_BIT_HEADER		0x0040
#define EVENT_HEADER_FLAG_DECODE_GUID		0x0080
#define EVENT_HEADER_FLAG_CLASSIC_HEADER	0x0100
#define EVENT_HEADER_FLAG_PROCESSOR_INDEX	0x0200

#define EVENT_HEADER_PROPERTY_XML		0x0001
#define EVENT_HEADER_PROPERTY_FORWARDED_XML	0x0002
#define EVENT_HEADER_PROPERTY_LEGACY_EVENTLOG	0x0004
#define EVENT_HEADER_PROPERTY_RELOGGABLE	0x0008

#define PROCESS_TRACE_MODE_REAL_TIME		0x00000100u
#define PROCESS_TRACE_MODE_RAW_TIMESTAMP	0x00001000u
#define PROCESS_TRACE_MODE_EVENT_RECORD		0x10000000u

/* EnableProperty of EnableTraceEx2() */
#define EVENT_ENABLE_PROPERTY_SID		0x00000001u
#define EVENT_ENABLE_PROPERTY_TS_ID		0x00000002u
#define EVENT_ENABLE_PROPERTY_STACK_TRACE	0x00000004u
#define EVENT_ENABLE_PROPERTY_PSM_KEY		0x00000008u
#define EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0	0x00000010u
#define EVENT_ENABLE_PROPERTY_PROVIDER_GROUP	0x00000020u
#define EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0	0x00000040u
#define EVENT_ENABLE_PROPERTY_PROCESS_START_KEY	0x00000080u
#define EVENT_ENABLE_PROPERTY_EVENT_KEY		0x00000100u
#define EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE	0x00000200u
#define EVENT_ENABLE_PROPERTY_ENABLE_SILOS	0x00000400u
#define EVENT_ENABLE_PROPERTY_SOURCE_CONTAINER_TRACKING	0x00000800u

typedef enum {
	EtwProviderTraitTypeGroup = 1,
	EtwProviderTraitDecodeGuid = 2,
	EtwProviderTraitTypeMax = 3
} ETW_PROVIDER_TRAIT_TYPE;

typedef struct _EVENT_HEADER_EXTENDED_DATA_ITEM {
	USHORT Reserved1;
	USHORT ExtType;
	EVNT_ANONYMOUS struct {
		USHORT Linkage : 1;
		USHORT Reserved2 : 15;
	};
	USHORT DataSize;
	ULONGLONG DataPtr;
} EVENT_HEADER_EXTENDED_DATA_ITEM, *PEVENT_HEADER_EXTENDED_DATA_ITEM;

typedef struct _EVENT_EXTENDED_ITEM_RELATED_ACTIVITYID {
	GUID RelatedActivityId;
} EVENT_EXTENDED_ITEM_RELATED_ACTIVITYID,
	*PEVENT_EXTENDED_ITEM_RELATED_ACTIVITYID;

typedef struct _EVENT_EXTENDED_ITEM_TS_ID {
	ULONG SessionId;
} EVENT_EXTENDED_ITEM_TS_ID, *PEVENT_EXTENDED_ITEM_TS_ID;

typedef struct _EVENT_EXTENDED_ITEM_INSTANCE {
	ULONG InstanceId;
	ULONG ParentInstanceId;
	GUID ParentGuid;
} EVENT_EXTENDED_ITEM_INSTANCE, *PEVENT_EXTENDED_ITEM_INSTANCE;

/* The number of addresses follows from the item's DataSize */
typedef struct _EVENT_EXTENDED_ITEM_STACK_TRACE32 {
	ULONG64 MatchId;
	ULONG Address[1];
} EVENT_EXTENDED_ITEM_STACK_TRACE32, *PEVENT_EXTENDED_ITEM_STACK_TRACE32;

typedef struct _EVENT_EXTENDED_ITEM_STACK_TRACE64 {
	ULONG64 MatchId;
	ULONG64 Address[1];
} EVENT_EXTENDED_ITEM_STACK_TRACE64, *PEVENT_EXTENDED_ITEM_STACK_TRACE64;

typedef struct _EVENT_EXTENDED_ITEM_STACK_KEY32 {
	ULONG64 MatchId;
	ULONG StackKey;
	ULONG Padding;
} EVENT_EXTENDED_ITEM_STACK_KEY32, *PEVENT_EXTENDED_ITEM_STACK_KEY32;

typedef struct _EVENT_EXTENDED_ITEM_STACK_KEY64 {
	ULONG64 MatchId;
	ULONG64 StackKey;
} EVENT_EXTENDED_ITEM_STACK_KEY64, *PEVENT_EXTENDED_ITEM_STACK_KEY64;

typedef struct _EVENT_EXTENDED_ITEM_PEBS_INDEX {
	ULONG64 PebsIndex;
} EVENT_EXTENDED_ITEM_PEBS_INDEX, *PEVENT_EXTENDED_ITEM_PEBS_INDEX;

typedef struct _EVENT_EXTENDED_ITEM_PMC_COUNTERS {
	ULONG64 Counter[1];
} EVENT_EXTENDED_ITEM_PMC_COUNTERS, *PEVENT_EXTENDED_ITEM_PMC_COUNTERS;

typedef struct _EVENT_EXTENDED_ITEM_EVENT_KEY {
	ULONG64 Key;
} EVENT_EXTENDED_ITEM_EVENT_KEY, *PEVENT_EXTENDED_ITEM_EVENT_KEY;

typedef struct _EVENT_EXTENDED_ITEM_PROCESS_START_KEY {
	ULONG64 ProcessStartKey;
} EVENT_EXTENDED_ITEM_PROCESS_START_KEY,
	*PEVENT_EXTENDED_ITEM_PROCESS_START_KEY;

typedef struct _EVENT_HEADER {
	USHORT Size;
	USHORT HeaderType;
	USHORT Flags;
	USHORT EventProperty;
	ULONG ThreadId;
	ULONG ProcessId;
	LARGE_INTEGER TimeStamp;
	GUID ProviderId;
	EVENT_DESCRIPTOR EventDescriptor;
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			ULONG KernelTime;
			ULONG UserTime;
		};
		ULONG64 ProcessorTime;
	};
	GUID ActivityId;
} EVENT_HEADER, *PEVENT_HEADER;

struct _EVENT_RECORD {
	EVENT_HEADER EventHeader;
	ETW_BUFFER_CONTEXT BufferContext;
	USHORT ExtendedDataCount;
	USHORT UserDataLength;
	PEVENT_HEADER_EXTENDED_DATA_ITEM ExtendedData;
	PVOID UserData;
	PVOID UserContext;
};

/* Class of reloggers: see relogger.h */
DEFINE_GUID(CLSID_TraceRelogger, 0x7b40792d, 0x05ff, 0x44c4,
	    0x90, 0x58, 0xf4, 0x40, 0xc7, 0x1f, 0x17, 0xd4);

/* Operations of EventAccessControl(); SACLs are not supported */
typedef enum {
	EventSecuritySetDACL,
	EventSecuritySetSACL,
	EventSecurityAddDACL,
	EventSecurityAddSACL,
	EventSecurityMax
} EVENTSECURITYOPERATION;

EVNT_BEGIN_DECLS

ULONG EVNTAPI EventAccessControl(LPGUID Guid, ULONG Operation, PSID Sid,
				 ULONG Rights, BOOLEAN AllowOrDeny);
ULONG EVNTAPI EventAccessQuery(LPGUID Guid, PSECURITY_DESCRIPTOR Buffer,
			       PULONG BufferSize);
ULONG EVNTAPI EventAccessRemove(LPGUID Guid);

EVNT_END_DECLS

/* Return the processor on which an event was written */
static inline ULONG GetEventProcessorIndex(PCEVENT_RECORD EventRecord)
{
	if (EventRecord->EventHeader.Flags & EVENT_HEADER_FLAG_PROCESSOR_INDEX)
		return EventRecord->BufferContext.ProcessorIndex;
	return EventRecord->BufferContext.ProcessorNumber;
}

/**
 * EtwGetTraitFromProviderTraits() - find a trait of a provider
 * @ProviderTraits: traits of the provider, as set by EventSetInformation() and
 *	recorded in events
 * @TraitType: an ETW_PROVIDER_TRAIT_TYPE, or a type defined by the provider
 * @Trait: out: address of the trait in @ProviderTraits; NULL on failure
 * @Size: out: size of the trait in bytes; 0 on failure
 *
 * Nothing is read beyond the size stored at the beginning of the traits.
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND; ERROR_INVALID_PARAMETER if the traits
 * are malformed.
 */
static inline ULONG EtwGetTraitFromProviderTraits(PVOID ProviderTraits,
						  UCHAR TraitType,
						  PVOID *Trait, PUSHORT Size)
{
	UCHAR *traits = (UCHAR *)ProviderTraits;
	ULONG end = traits[0] | traits[1] << 8, at = 2, size;

	*Trait = NULL;
	*Size = 0;
	/* Skip the provider's name */
	while (at < end && traits[at])
		at++;
	if (at >= end)
		return ERROR_INVALID_PARAMETER;
	for (at++; at + 3 <= end; at += size) {
		size = traits[at] | traits[at + 1] << 8;
		if (size < 3 || size > end - at)
			return ERROR_INVALID_PARAMETER;
		if (traits[at + 2] != TraitType)
			continue;
		*Trait = &traits[at + 3];
		*Size = (USHORT)(size - 3);
		return ERROR_SUCCESS;
	}
	return at == end ? ERROR_NOT_FOUND : ERROR_INVALID_PARAMETER;
}

#endif /* EVNTCONS_H */
