/* SPDX-License-Identifier: MIT */
/*
 * Trace Data Helper: decoding of events.
 *
 * The functions are in libevnttdh.  Each function that fills a buffer takes the
 * size of the buffer in bytes.  If the buffer is too small, it returns
 * ERROR_INSUFFICIENT_BUFFER and stores the required size.
 */
#ifndef EVNT_TDH_H
#define EVNT_TDH_H

#include "evntbase.h"
#include "evntprov.h"
#include "evntcons.h"

#ifndef ANYSIZE_ARRAY
#define ANYSIZE_ARRAY		1
#endif

typedef ULONG TDHSTATUS;

/* Representation of a value in an event's payload */
enum _TDH_IN_TYPE {
	TDH_INTYPE_NULL = 0,
	TDH_INTYPE_UNICODESTRING = 1,
	TDH_INTYPE_ANSISTRING = 2,
	TDH_INTYPE_INT8 = 3,
	TDH_INTYPE_UINT8 = 4,
	TDH_INTYPE_INT16 = 5,
	TDH_INTYPE_UINT16 = 6,
	TDH_INTYPE_INT32 = 7,
	TDH_INTYPE_UINT32 = 8,
	TDH_INTYPE_INT64 = 9,
	TDH_INTYPE_UINT64 = 10,
	TDH_INTYPE_FLOAT = 11,
	TDH_INTYPE_DOUBLE = 12,
	TDH_INTYPE_BOOLEAN = 13,
	TDH_INTYPE_BINARY = 14,
	TDH_INTYPE_GUID = 15,
	TDH_INTYPE_POINTER = 16,
	TDH_INTYPE_FILETIME = 17,
	TDH_INTYPE_SYSTEMTIME = 18,
	TDH_INTYPE_SID = 19,
	TDH_INTYPE_HEXINT32 = 20,
	TDH_INTYPE_HEXINT64 = 21,
	TDH_INTYPE_MANIFEST_COUNTEDSTRING = 22,
	TDH_INTYPE_MANIFEST_COUNTEDANSISTRING = 23,
	TDH_INTYPE_RESERVED24 = 24,
	TDH_INTYPE_MANIFEST_COUNTEDBINARY = 25,

	/* Types of classic events */
	TDH_INTYPE_COUNTEDSTRING = 300,
	TDH_INTYPE_COUNTEDANSISTRING = 301,
	TDH_INTYPE_REVERSEDCOUNTEDSTRING = 302,
	TDH_INTYPE_REVERSEDCOUNTEDANSISTRING = 303,
	TDH_INTYPE_NONNULLTERMINATEDSTRING = 304,
	TDH_INTYPE_NONNULLTERMINATEDANSISTRING = 305,
	TDH_INTYPE_UNICODECHAR = 306,
	TDH_INTYPE_ANSICHAR = 307,
	TDH_INTYPE_SIZET = 308,
	TDH_INTYPE_HEXDUMP = 309,
	TDH_INTYPE_WBEMSID = 310,
};

/* Text representation of a value */
enum _TDH_OUT_TYPE {
	TDH_OUTTYPE_NULL = 0,
	TDH_OUTTYPE_STRING = 1,
	TDH_OUTTYPE_DATETIME = 2,
	TDH_OUTTYPE_BYTE = 3,
	TDH_OUTTYPE_UNSIGNEDBYTE = 4,
	TDH_OUTTYPE_SHORT = 5,
	TDH_OUTTYPE_UNSIGNEDSHORT = 6,
	TDH_OUTTYPE_INT = 7,
	TDH_OUTTYPE_UNSIGNEDINT = 8,
	TDH_OUTTYPE_LONG = 9,
	TDH_OUTTYPE_UNSIGNEDLONG = 10,
	TDH_OUTTYPE_FLOAT = 11,
	TDH_OUTTYPE_DOUBLE = 12,
	TDH_OUTTYPE_BOOLEAN = 13,
	TDH_OUTTYPE_GUID = 14,
	TDH_OUTTYPE_HEXBINARY = 15,
	TDH_OUTTYPE_HEXINT8 = 16,
	TDH_OUTTYPE_HEXINT16 = 17,
	TDH_OUTTYPE_HEXINT32 = 18,
	TDH_OUTTYPE_HEXINT64 = 19,
	TDH_OUTTYPE_PID = 20,
	TDH_OUTTYPE_TID = 21,
	TDH_OUTTYPE_PORT = 22,
	TDH_OUTTYPE_IPV4 = 23,
	TDH_OUTTYPE_IPV6 = 24,
	TDH_OUTTYPE_SOCKETADDRESS = 25,
	TDH_OUTTYPE_CIMDATETIME = 26,
	TDH_OUTTYPE_ETWTIME = 27,
	TDH_OUTTYPE_XML = 28,
	TDH_OUTTYPE_ERRORCODE = 29,
	TDH_OUTTYPE_WIN32ERROR = 30,
	TDH_OUTTYPE_NTSTATUS = 31,
	TDH_OUTTYPE_HRESULT = 32,
	TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME = 33,
	TDH_OUTTYPE_JSON = 34,
	TDH_OUTTYPE_UTF8 = 35,
	TDH_OUTTYPE_PKCS7_WITH_TYPE_INFO = 36,
	TDH_OUTTYPE_CODE_POINTER = 37,
	TDH_OUTTYPE_DATETIME_UTC = 38,

	TDH_OUTTYPE_REDUCEDSTRING = 300,
	TDH_OUTTYPE_NOPRINT = 301,
};

typedef enum _PROPERTY_FLAGS {
	PropertyStruct = 0x1,
	PropertyParamLength = 0x2,
	PropertyParamCount = 0x4,
	PropertyWBEMXmlFragment = 0x8,
	PropertyParamFixedLength = 0x10,
	PropertyParamFixedCount = 0x20,
	PropertyHasTags = 0x40,
	PropertyHasCustomSchema = 0x80
} PROPERTY_FLAGS;

typedef enum _DECODING_SOURCE {
	DecodingSourceXMLFile = 0,
	DecodingSourceWbem = 1,
	DecodingSourceWPP = 2,
	DecodingSourceTlg = 3,
	DecodingSourceMax = 4
} DECODING_SOURCE;

typedef enum _TEMPLATE_FLAGS {
	TEMPLATE_EVENT_DATA = 1,
	TEMPLATE_USER_DATA = 2,
	TEMPLATE_CONTROL_GUID = 4
} TEMPLATE_FLAGS;

typedef enum _EVENT_FIELD_TYPE {
	EventKeywordInformation = 0,
	EventLevelInformation = 1,
	EventChannelInformation = 2,
	EventTaskInformation = 3,
	EventOpcodeInformation = 4,
	EventInformationMax = 5
} EVENT_FIELD_TYPE;

typedef enum _MAP_FLAGS {
	EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP = 0x1,
	EVENTMAP_INFO_FLAG_MANIFEST_BITMAP = 0x2,
	EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP = 0x4,
	EVENTMAP_INFO_FLAG_WBEM_VALUEMAP = 0x8,
	EVENTMAP_INFO_FLAG_WBEM_BITMAP = 0x10,
	EVENTMAP_INFO_FLAG_WBEM_FLAG = 0x20,
	EVENTMAP_INFO_FLAG_WBEM_NO_MAP = 0x40
} MAP_FLAGS;

typedef enum _MAP_VALUETYPE {
	EVENTMAP_ENTRY_VALUETYPE_ULONG = 0,
	EVENTMAP_ENTRY_VALUETYPE_STRING = 1
} MAP_VALUETYPE;

typedef enum _TDH_CONTEXT_TYPE {
	TDH_CONTEXT_WPP_TMFFILE = 0,
	TDH_CONTEXT_WPP_TMFSEARCHPATH = 1,
	TDH_CONTEXT_WPP_GMT = 2,
	TDH_CONTEXT_POINTERSIZE = 3,
	TDH_CONTEXT_PDB_PATH = 4,
	TDH_CONTEXT_MAXIMUM = 5
} TDH_CONTEXT_TYPE;

typedef struct _TDH_CONTEXT {
	ULONGLONG ParameterValue;
	TDH_CONTEXT_TYPE ParameterType;
	ULONG ParameterSize;
} TDH_CONTEXT, *PTDH_CONTEXT;

/* Handle of decoding parameters that are kept between events */
typedef HANDLE TDH_HANDLE, *PTDH_HANDLE;

/* Conditions of payload filters */
typedef enum _PAYLOAD_OPERATOR {
	PAYLOADFIELD_EQ = 0,
	PAYLOADFIELD_NE = 1,
	PAYLOADFIELD_LE = 2,
	PAYLOADFIELD_GT = 3,
	PAYLOADFIELD_LT = 4,
	PAYLOADFIELD_GE = 5,
	PAYLOADFIELD_BETWEEN = 6,
	PAYLOADFIELD_NOTBETWEEN = 7,
	PAYLOADFIELD_MODULO = 8,
	PAYLOADFIELD_CONTAINS = 20,
	PAYLOADFIELD_DOESNTCONTAIN = 21,
	PAYLOADFIELD_IS = 30,
	PAYLOADFIELD_ISNOT = 31,
	PAYLOADFIELD_INVALID = 32
} PAYLOAD_OPERATOR;

/* Maximum per filter: the name in the documentation, and the one in headers */
#define ETW_MAX_PAYLOAD_PREDICATES	8
#define MAX_PAYLOAD_PREDICATES		ETW_MAX_PAYLOAD_PREDICATES

/* CompareOp: PAYLOADFIELD_*; Value: text, or "low,high" for a range */
typedef struct _PAYLOAD_FILTER_PREDICATE {
	LPWSTR FieldName;
	USHORT CompareOp;
	LPWSTR Value;
} PAYLOAD_FILTER_PREDICATE, *PPAYLOAD_FILTER_PREDICATE;

/* PropertyName: pointer to the name; ArrayIndex: ULONG_MAX for all elements */
typedef struct _PROPERTY_DATA_DESCRIPTOR {
	ULONGLONG PropertyName;
	ULONG ArrayIndex;
	ULONG Reserved;
} PROPERTY_DATA_DESCRIPTOR, *PPROPERTY_DATA_DESCRIPTOR;

/* Offsets are relative to the start of the containing structure */
typedef struct _EVENT_MAP_ENTRY {
	ULONG OutputOffset;
	EVNT_ANONYMOUS union {
		ULONG Value;
		ULONG InputOffset;
	};
} EVENT_MAP_ENTRY, *PEVENT_MAP_ENTRY;

typedef struct _EVENT_MAP_INFO {
	ULONG NameOffset;
	MAP_FLAGS Flag;
	ULONG EntryCount;
	EVNT_ANONYMOUS union {
		MAP_VALUETYPE MapEntryValueType;
		ULONG FormatStringOffset;
	};
	EVENT_MAP_ENTRY MapEntryArray[ANYSIZE_ARRAY];
} EVENT_MAP_INFO, *PEVENT_MAP_INFO;

/* Named types, because C++ has no types inside of a nameless union */
struct _nonStructType {
	USHORT InType;
	USHORT OutType;
	ULONG MapNameOffset;
};

struct _structType {
	USHORT StructStartIndex;
	USHORT NumOfStructMembers;
	ULONG padding;
};

struct _customSchemaType {
	USHORT InType;
	USHORT OutType;
	ULONG CustomSchemaOffset;
};

typedef struct _EVENT_PROPERTY_INFO {
	PROPERTY_FLAGS Flags;
	ULONG NameOffset;
	EVNT_ANONYMOUS union {
		struct _nonStructType nonStructType;
		struct _structType structType;
		struct _customSchemaType customSchemaType;
	};
	EVNT_ANONYMOUS union {
		USHORT count;
		USHORT countPropertyIndex;
	};
	EVNT_ANONYMOUS union {
		USHORT length;
		USHORT lengthPropertyIndex;
	};
	EVNT_ANONYMOUS union {
		ULONG Reserved;
		EVNT_ANONYMOUS struct {
			ULONG Tags : 28;
		};
	};
} EVENT_PROPERTY_INFO, *PEVENT_PROPERTY_INFO;

typedef struct _TRACE_EVENT_INFO {
	GUID ProviderGuid;
	GUID EventGuid;
	EVENT_DESCRIPTOR EventDescriptor;
	DECODING_SOURCE DecodingSource;
	ULONG ProviderNameOffset;
	ULONG LevelNameOffset;
	ULONG ChannelNameOffset;
	ULONG KeywordsNameOffset;
	ULONG TaskNameOffset;
	ULONG OpcodeNameOffset;
	ULONG EventMessageOffset;
	ULONG ProviderMessageOffset;
	ULONG BinaryXMLOffset;
	ULONG BinaryXMLSize;
	EVNT_ANONYMOUS union {
		ULONG EventNameOffset;
		ULONG ActivityIDNameOffset;
	};
	EVNT_ANONYMOUS union {
		ULONG EventAttributesOffset;
		ULONG RelatedActivityIDNameOffset;
	};
	ULONG PropertyCount;
	ULONG TopLevelPropertyCount;
	EVNT_ANONYMOUS union {
		TEMPLATE_FLAGS Flags;
		EVNT_ANONYMOUS struct {
			ULONG Reserved : 4;
			ULONG Tags : 28;
		};
	};
	EVENT_PROPERTY_INFO EventPropertyInfoArray[ANYSIZE_ARRAY];
} TRACE_EVENT_INFO, *PTRACE_EVENT_INFO;

/* SchemaSource: 0 for a manifest, 1 for MOF */
typedef struct _TRACE_PROVIDER_INFO {
	GUID ProviderGuid;
	ULONG SchemaSource;
	ULONG ProviderNameOffset;
} TRACE_PROVIDER_INFO, *PTRACE_PROVIDER_INFO;

typedef struct _PROVIDER_ENUMERATION_INFO {
	ULONG NumberOfProviders;
	ULONG Reserved;
	TRACE_PROVIDER_INFO TraceProviderInfoArray[ANYSIZE_ARRAY];
} PROVIDER_ENUMERATION_INFO, *PPROVIDER_ENUMERATION_INFO;

typedef struct _PROVIDER_FIELD_INFO {
	ULONG NameOffset;
	ULONG DescriptionOffset;
	ULONGLONG Value;
} PROVIDER_FIELD_INFO, *PPROVIDER_FIELD_INFO;

typedef struct _PROVIDER_FIELD_INFOARRAY {
	ULONG NumberOfElements;
	EVENT_FIELD_TYPE FieldType;
	PROVIDER_FIELD_INFO FieldInfoArray[ANYSIZE_ARRAY];
} PROVIDER_FIELD_INFOARRAY, *PPROVIDER_FIELD_INFOARRAY;

typedef struct _PROVIDER_EVENT_INFO {
	ULONG NumberOfEvents;
	ULONG Reserved;
	EVENT_DESCRIPTOR EventDescriptorsArray[ANYSIZE_ARRAY];
} PROVIDER_EVENT_INFO, *PPROVIDER_EVENT_INFO;

typedef struct _PROVIDER_FILTER_INFO {
	UCHAR Id;
	UCHAR Version;
	ULONG MessageOffset;
	ULONG Reserved;
	ULONG PropertyCount;
	EVENT_PROPERTY_INFO EventPropertyInfoArray[ANYSIZE_ARRAY];
} PROVIDER_FILTER_INFO, *PPROVIDER_FILTER_INFO;

EVNT_BEGIN_DECLS

TDHSTATUS TdhGetEventInformation(PEVENT_RECORD Event, ULONG TdhContextCount,
				 PTDH_CONTEXT TdhContext,
				 PTRACE_EVENT_INFO Buffer, ULONG *BufferSize);
TDHSTATUS TdhGetPropertySize(PEVENT_RECORD Event, ULONG TdhContextCount,
			     PTDH_CONTEXT TdhContext,
			     ULONG PropertyDataCount,
			     PPROPERTY_DATA_DESCRIPTOR PropertyData,
			     ULONG *PropertySize);
TDHSTATUS TdhGetProperty(PEVENT_RECORD Event, ULONG TdhContextCount,
			 PTDH_CONTEXT TdhContext, ULONG PropertyDataCount,
			 PPROPERTY_DATA_DESCRIPTOR PropertyData,
			 ULONG BufferSize, PBYTE Buffer);
TDHSTATUS TdhFormatProperty(PTRACE_EVENT_INFO EventInfo,
			    PEVENT_MAP_INFO MapInfo, ULONG PointerSize,
			    USHORT PropertyInType, USHORT PropertyOutType,
			    USHORT PropertyLength, USHORT UserDataLength,
			    PBYTE UserData, PULONG BufferSize, PWCHAR Buffer,
			    PUSHORT UserDataConsumed);

TDHSTATUS TdhGetEventMapInformation(PEVENT_RECORD Event, LPWSTR MapName,
				    PEVENT_MAP_INFO Buffer, ULONG *BufferSize);
TDHSTATUS TdhLoadManifest(PWSTR Manifest);
TDHSTATUS TdhLoadManifestFromMemory(LPCVOID Data, ULONG DataSize);
TDHSTATUS TdhLoadManifestFromBinary(PWSTR BinaryPath);
TDHSTATUS TdhUnloadManifest(PWSTR Manifest);
TDHSTATUS TdhUnloadManifestFromMemory(LPCVOID Data, ULONG DataSize);
TDHSTATUS TdhEnumerateProviders(PPROVIDER_ENUMERATION_INFO Buffer,
				ULONG *BufferSize);
TDHSTATUS TdhEnumerateProvidersForDecodingSource(DECODING_SOURCE Filter,
						 PPROVIDER_ENUMERATION_INFO Buffer,
						 ULONG BufferSize,
						 ULONG *BufferRequired);
TDHSTATUS TdhEnumerateManifestProviderEvents(LPGUID ProviderGuid,
					     PPROVIDER_EVENT_INFO Buffer,
					     ULONG *BufferSize);
TDHSTATUS TdhGetManifestEventInformation(LPGUID ProviderGuid,
					 PEVENT_DESCRIPTOR EventDescriptor,
					 PTRACE_EVENT_INFO Buffer,
					 ULONG *BufferSize);
TDHSTATUS TdhEnumerateProviderFieldInformation(LPGUID Guid,
					       EVENT_FIELD_TYPE FieldType,
					       PPROVIDER_FIELD_INFOARRAY Buffer,
					       ULONG *BufferSize);
TDHSTATUS TdhQueryProviderFieldInformation(LPGUID Guid, ULONGLONG FieldValue,
					   EVENT_FIELD_TYPE FieldType,
					   PPROVIDER_FIELD_INFOARRAY Buffer,
					   ULONG *BufferSize);
TDHSTATUS TdhEnumerateProviderFilters(LPGUID Guid, ULONG TdhContextCount,
				      PTDH_CONTEXT TdhContext,
				      ULONG *FilterCount,
				      PPROVIDER_FILTER_INFO *Buffer,
				      ULONG *BufferSize);
TDHSTATUS TdhOpenDecodingHandle(PTDH_HANDLE Handle);
TDHSTATUS TdhSetDecodingParameter(TDH_HANDLE Handle, PTDH_CONTEXT TdhContext);
TDHSTATUS TdhGetDecodingParameter(TDH_HANDLE Handle, PTDH_CONTEXT TdhContext);
TDHSTATUS TdhGetWppProperty(TDH_HANDLE Handle, PEVENT_RECORD EventRecord,
			    PWSTR PropertyName, ULONG *BufferSize,
			    PBYTE Buffer);
TDHSTATUS TdhGetWppMessage(TDH_HANDLE Handle, PEVENT_RECORD EventRecord,
			   ULONG *BufferSize, PBYTE Buffer);
TDHSTATUS TdhCloseDecodingHandle(TDH_HANDLE Handle);
TDHSTATUS TdhCreatePayloadFilter(LPCGUID ProviderGuid,
				 PCEVENT_DESCRIPTOR EventDescriptor,
				 BOOLEAN EventMatchANY,
				 ULONG PayloadPredicateCount,
				 PPAYLOAD_FILTER_PREDICATE PayloadPredicates,
				 PVOID *PayloadFilter);
TDHSTATUS TdhDeletePayloadFilter(PVOID *PayloadFilter);
TDHSTATUS TdhAggregatePayloadFilters(ULONG PayloadFilterCount,
				     PVOID *PayloadFilterPtrs,
				     PBOOLEAN EventMatchALLFlags,
				     PEVENT_FILTER_DESCRIPTOR EventFilterDescriptor);
TDHSTATUS TdhCleanupPayloadEventFilterDescriptor(PEVENT_FILTER_DESCRIPTOR EventFilterDescriptor);

EVNT_END_DECLS

/* Return the text at an offset of a structure, or NULL for offset 0 */
static inline PWSTR evnt_tdh_text(const void *Info, ULONG Offset)
{
	return Offset ? (PWSTR)(void *)((char *)(uintptr_t)Info + Offset) :
			NULL;
}

static inline PWSTR TEI_PROVIDER_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->ProviderNameOffset);
}

static inline PWSTR TEI_LEVEL_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->LevelNameOffset);
}

static inline PWSTR TEI_CHANNEL_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->ChannelNameOffset);
}

static inline PWSTR TEI_KEYWORDS_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->KeywordsNameOffset);
}

static inline PWSTR TEI_TASK_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->TaskNameOffset);
}

static inline PWSTR TEI_OPCODE_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->OpcodeNameOffset);
}

static inline PWSTR TEI_EVENT_MESSAGE(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->EventMessageOffset);
}

static inline PWSTR TEI_PROVIDER_MESSAGE(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->ProviderMessageOffset);
}

static inline PWSTR TEI_ACTIVITYID_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->ActivityIDNameOffset);
}

static inline PWSTR TEI_RELATEDACTIVITYID_NAME(const TRACE_EVENT_INFO *EventInfo)
{
	return evnt_tdh_text(EventInfo, EventInfo->RelatedActivityIDNameOffset);
}

static inline PWSTR TEI_PROPERTY_NAME(const TRACE_EVENT_INFO *EventInfo,
				     const EVENT_PROPERTY_INFO *Property)
{
	return evnt_tdh_text(EventInfo, Property->NameOffset);
}

static inline PWSTR TEI_MAP_NAME(const TRACE_EVENT_INFO *EventInfo,
				const EVENT_PROPERTY_INFO *Property)
{
	return evnt_tdh_text(EventInfo, Property->nonStructType.MapNameOffset);
}

static inline PWSTR EMI_MAP_NAME(const EVENT_MAP_INFO *MapInfo)
{
	return evnt_tdh_text(MapInfo, MapInfo->NameOffset);
}

static inline PWSTR EMI_MAP_FORMAT(const EVENT_MAP_INFO *MapInfo)
{
	return MapInfo->Flag == EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP ?
	       evnt_tdh_text(MapInfo, MapInfo->FormatStringOffset) : NULL;
}

static inline PWSTR EMI_MAP_OUTPUT(const EVENT_MAP_INFO *MapInfo,
				   const EVENT_MAP_ENTRY *Map)
{
	return evnt_tdh_text(MapInfo, Map->OutputOffset);
}

static inline PWSTR EMI_MAP_INPUT(const EVENT_MAP_INFO *MapInfo,
				  const EVENT_MAP_ENTRY *Map)
{
	return MapInfo->Flag == EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP ?
	       evnt_tdh_text(MapInfo, Map->InputOffset) : NULL;
}

static inline PWSTR PEI_PROVIDER_NAME(const PROVIDER_ENUMERATION_INFO *Info,
				      const TRACE_PROVIDER_INFO *Provider)
{
	return evnt_tdh_text(Info, Provider->ProviderNameOffset);
}

static inline PWSTR PFI_FIELD_NAME(const PROVIDER_FIELD_INFOARRAY *Info,
				   const PROVIDER_FIELD_INFO *Field)
{
	return evnt_tdh_text(Info, Field->NameOffset);
}

static inline PWSTR PFI_FIELD_MESSAGE(const PROVIDER_FIELD_INFOARRAY *Info,
				      const PROVIDER_FIELD_INFO *Field)
{
	return evnt_tdh_text(Info, Field->DescriptionOffset);
}

static inline PWSTR PFI_FILTER_MESSAGE(const PROVIDER_FILTER_INFO *Info)
{
	return evnt_tdh_text(Info, Info->MessageOffset);
}

static inline PWSTR PFI_PROPERTY_NAME(const PROVIDER_FILTER_INFO *Info,
				      const EVENT_PROPERTY_INFO *Property)
{
	return evnt_tdh_text(Info, Property->NameOffset);
}

#endif /* EVNT_TDH_H */
