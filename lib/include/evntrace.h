/* SPDX-License-Identifier: MIT */
/*
 * APIs of controllers and consumers, and of classic providers, which do not use
 * EventWrite().
 */
#ifndef EVNTRACE_H
#define EVNTRACE_H

#include <stdarg.h>

#include "evntbase.h"
#include "evntprov.h"
#include "evntsystem.h"
#include "wmistr.h"

/* Class of the header event of a log file */
DEFINE_GUID(EventTraceGuid, 0x68fdd900, 0x4a3e, 0x11d1,
	    0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3);
DEFINE_GUID(SystemTraceControlGuid, 0x9e814aad, 0x3204, 0x11d2,
	    0x9a, 0x82, 0x00, 0x60, 0x08, 0xa8, 0x69, 0x39);
DEFINE_GUID(EventTraceConfigGuid, 0x01853a65, 0x418f, 0x4f36,
	    0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35);
DEFINE_GUID(DefaultTraceSecurityGuid, 0x0811c1af, 0x7a07, 0x4a06,
	    0x82, 0xed, 0x86, 0x94, 0x55, 0xcd, 0xf7, 0x13);
DEFINE_GUID(PrivateLoggerNotificationGuid, 0x3595ab5c, 0x042a, 0x4c8e,
	    0xb9, 0x42, 0x2d, 0x05, 0x9b, 0xfe, 0xb1, 0xb1);

#define KERNEL_LOGGER_NAMEA			"NT Kernel Logger"
#define GLOBAL_LOGGER_NAMEA			"GlobalLogger"
#define EVENT_LOGGER_NAMEA			"EventLog"
#define DIAG_LOGGER_NAMEA			"DiagLog"

typedef ULONG64 TRACEHANDLE, *PTRACEHANDLE;
/* Handles of a session and of a consumer, as named in newer SDKs */
typedef TRACEHANDLE CONTROLTRACE_ID;
typedef TRACEHANDLE PROCESSTRACE_HANDLE;

#define INVALID_PROCESSTRACE_HANDLE		((TRACEHANDLE)-1)

#define EVENT_CONTROL_CODE_DISABLE_PROVIDER	0
#define EVENT_CONTROL_CODE_ENABLE_PROVIDER	1
#define EVENT_CONTROL_CODE_CAPTURE_STATE	2

/* EnableFlags of sessions that record the kernel itself */
#define EVENT_TRACE_FLAG_PROCESS	0x00000001u
#define EVENT_TRACE_FLAG_THREAD		0x00000002u
#define EVENT_TRACE_FLAG_IMAGE_LOAD	0x00000004u
#define EVENT_TRACE_FLAG_PROCESS_COUNTERS	0x00000008u
#define EVENT_TRACE_FLAG_CSWITCH	0x00000010u
#define EVENT_TRACE_FLAG_DPC		0x00000020u
#define EVENT_TRACE_FLAG_INTERRUPT	0x00000040u
#define EVENT_TRACE_FLAG_SYSTEMCALL	0x00000080u
#define EVENT_TRACE_FLAG_DISK_IO	0x00000100u
#define EVENT_TRACE_FLAG_DISK_FILE_IO	0x00000200u
#define EVENT_TRACE_FLAG_DISK_IO_INIT	0x00000400u
#define EVENT_TRACE_FLAG_DISPATCHER	0x00000800u
#define EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS	0x00001000u
#define EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS	0x00002000u
#define EVENT_TRACE_FLAG_VIRTUAL_ALLOC	0x00004000u
#define EVENT_TRACE_FLAG_VAMAP		0x00008000u
#define EVENT_TRACE_FLAG_NETWORK_TCPIP	0x00010000u
#define EVENT_TRACE_FLAG_REGISTRY	0x00020000u
#define EVENT_TRACE_FLAG_DBGPRINT	0x00040000u
#define EVENT_TRACE_FLAG_JOB		0x00080000u
#define EVENT_TRACE_FLAG_ALPC		0x00100000u
#define EVENT_TRACE_FLAG_SPLIT_IO	0x00200000u
#define EVENT_TRACE_FLAG_DEBUG_EVENTS	0x00400000u
#define EVENT_TRACE_FLAG_DRIVER		0x00800000u
#define EVENT_TRACE_FLAG_PROFILE	0x01000000u
#define EVENT_TRACE_FLAG_FILE_IO	0x02000000u
#define EVENT_TRACE_FLAG_FILE_IO_INIT	0x04000000u
#define EVENT_TRACE_FLAG_NO_SYSCONFIG	0x10000000u
#define EVENT_TRACE_FLAG_ENABLE_RESERVE	0x20000000u
#define EVENT_TRACE_FLAG_FORWARD_WMI	0x40000000u
#define EVENT_TRACE_FLAG_EXTENSION	0x80000000u

#define EVENT_TRACE_CONTROL_QUERY		0
#define EVENT_TRACE_CONTROL_STOP		1
#define EVENT_TRACE_CONTROL_UPDATE		2
#define EVENT_TRACE_CONTROL_FLUSH		3
#define EVENT_TRACE_CONTROL_INCREMENT_FILE	4
#define EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME	5

/*
 * LogFileMode.  The modes NONSTOPPABLE, RELOG, RESERVED,
 * PERSIST_ON_HYBRID_SHUTDOWN, COMPRESSED and ADDTO_TRIAGE_DUMP are not
 * supported.
 */
#define EVENT_TRACE_FILE_MODE_NONE		0x00000000u
#define EVENT_TRACE_FILE_MODE_SEQUENTIAL	0x00000001u
#define EVENT_TRACE_FILE_MODE_CIRCULAR		0x00000002u
#define EVENT_TRACE_FILE_MODE_APPEND		0x00000004u
#define EVENT_TRACE_FILE_MODE_NEWFILE		0x00000008u
#define EVENT_TRACE_FILE_MODE_PREALLOCATE	0x00000020u
#define EVENT_TRACE_NONSTOPPABLE_MODE		0x00000040u
#define EVENT_TRACE_SECURE_MODE			0x00000080u
#define EVENT_TRACE_REAL_TIME_MODE		0x00000100u
#define EVENT_TRACE_DELAY_OPEN_FILE_MODE	0x00000200u
#define EVENT_TRACE_BUFFERING_MODE		0x00000400u
#define EVENT_TRACE_PRIVATE_LOGGER_MODE		0x00000800u
#define EVENT_TRACE_ADD_HEADER_MODE		0x00001000u
#define EVENT_TRACE_USE_KBYTES_FOR_SIZE		0x00002000u
#define EVENT_TRACE_USE_GLOBAL_SEQUENCE		0x00004000u
#define EVENT_TRACE_USE_LOCAL_SEQUENCE		0x00008000u
#define EVENT_TRACE_RELOG_MODE			0x00010000u
#define EVENT_TRACE_PRIVATE_IN_PROC		0x00020000u
#define EVENT_TRACE_MODE_RESERVED		0x00100000u
#define EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN	0x00400000u
#define EVENT_TRACE_PERSIST_ON_HYBRID_SHUTDOWN	0x00800000u
#define EVENT_TRACE_USE_PAGED_MEMORY		0x01000000u
#define EVENT_TRACE_SYSTEM_LOGGER_MODE		0x02000000u
#define EVENT_TRACE_COMPRESSED_MODE		0x04000000u
#define EVENT_TRACE_INDEPENDENT_SESSION_MODE	0x08000000u
#define EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING	0x10000000u
#define EVENT_TRACE_ADDTO_TRIAGE_DUMP		0x80000000u

#define EVENT_TRACE_TYPE_INFO			0x00
#define EVENT_TRACE_TYPE_START			0x01
#define EVENT_TRACE_TYPE_END			0x02
#define EVENT_TRACE_TYPE_STOP			0x02
#define EVENT_TRACE_TYPE_DC_START		0x03
#define EVENT_TRACE_TYPE_DC_END			0x04
#define EVENT_TRACE_TYPE_EXTENSION		0x05
#define EVENT_TRACE_TYPE_REPLY			0x06
#define EVENT_TRACE_TYPE_DEQUEUE		0x07
#define EVENT_TRACE_TYPE_RESUME			0x07
#define EVENT_TRACE_TYPE_CHECKPOINT		0x08
#define EVENT_TRACE_TYPE_SUSPEND		0x08
#define EVENT_TRACE_TYPE_WINEVT_SEND		0x09
#define EVENT_TRACE_TYPE_WINEVT_RECEIVE		0xf0

/* Event types of drivers, and of anything that has a duration */
#define EVENT_TRACE_TYPE_LOAD			0x0a
#define EVENT_TRACE_TYPE_TERMINATE		0x0b

/* Event types of disks and files */
#define EVENT_TRACE_TYPE_IO_READ		0x0a
#define EVENT_TRACE_TYPE_IO_WRITE		0x0b
#define EVENT_TRACE_TYPE_IO_READ_INIT		0x0c
#define EVENT_TRACE_TYPE_IO_WRITE_INIT		0x0d
#define EVENT_TRACE_TYPE_IO_FLUSH		0x0e
#define EVENT_TRACE_TYPE_IO_FLUSH_INIT		0x0f
#define EVENT_TRACE_TYPE_IO_REDIRECTED_INIT	0x10
#define EVENT_TRACE_TYPE_OPTICAL_IO_READ	0x37
#define EVENT_TRACE_TYPE_OPTICAL_IO_WRITE	0x38
#define EVENT_TRACE_TYPE_OPTICAL_IO_FLUSH	0x39
#define EVENT_TRACE_TYPE_OPTICAL_IO_READ_INIT	0x3a
#define EVENT_TRACE_TYPE_OPTICAL_IO_WRITE_INIT	0x3b
#define EVENT_TRACE_TYPE_OPTICAL_IO_FLUSH_INIT	0x3c
#define EVENT_TRACE_TYPE_FLT_PREOP_INIT		0x60
#define EVENT_TRACE_TYPE_FLT_POSTOP_INIT	0x61
#define EVENT_TRACE_TYPE_FLT_PREOP_COMPLETION	0x62
#define EVENT_TRACE_TYPE_FLT_POSTOP_COMPLETION	0x63
#define EVENT_TRACE_TYPE_FLT_PREOP_FAILURE	0x64
#define EVENT_TRACE_TYPE_FLT_POSTOP_FAILURE	0x65

/* Event types of page faults */
#define EVENT_TRACE_TYPE_MM_TF			0x0a
#define EVENT_TRACE_TYPE_MM_DZF			0x0b
#define EVENT_TRACE_TYPE_MM_COW			0x0c
#define EVENT_TRACE_TYPE_MM_GPF			0x0d
#define EVENT_TRACE_TYPE_MM_HPF			0x0e
#define EVENT_TRACE_TYPE_MM_AV			0x0f

/* Event types of networks */
#define EVENT_TRACE_TYPE_SEND			0x0a
#define EVENT_TRACE_TYPE_RECEIVE		0x0b
#define EVENT_TRACE_TYPE_CONNECT		0x0c
#define EVENT_TRACE_TYPE_DISCONNECT		0x0d
#define EVENT_TRACE_TYPE_RETRANSMIT		0x0e
#define EVENT_TRACE_TYPE_ACCEPT			0x0f
#define EVENT_TRACE_TYPE_RECONNECT		0x10
#define EVENT_TRACE_TYPE_CONNFAIL		0x11
#define EVENT_TRACE_TYPE_COPY_TCP		0x12
#define EVENT_TRACE_TYPE_COPY_ARP		0x13
#define EVENT_TRACE_TYPE_ACKFULL		0x14
#define EVENT_TRACE_TYPE_ACKPART		0x15
#define EVENT_TRACE_TYPE_ACKDUP			0x16

/* Event types of log file headers */
#define EVENT_TRACE_TYPE_GUIDMAP		0x0a
#define EVENT_TRACE_TYPE_CONFIG			0x0b
#define EVENT_TRACE_TYPE_SIDINFO		0x0c
#define EVENT_TRACE_TYPE_SECURITY		0x0d
#define EVENT_TRACE_TYPE_DBGID_RSDS		0x40

/* Event types of the registry */
#define EVENT_TRACE_TYPE_REGCREATE		0x0a
#define EVENT_TRACE_TYPE_REGOPEN		0x0b
#define EVENT_TRACE_TYPE_REGDELETE		0x0c
#define EVENT_TRACE_TYPE_REGQUERY		0x0d
#define EVENT_TRACE_TYPE_REGSETVALUE		0x0e
#define EVENT_TRACE_TYPE_REGDELETEVALUE		0x0f
#define EVENT_TRACE_TYPE_REGQUERYVALUE		0x10
#define EVENT_TRACE_TYPE_REGENUMERATEKEY	0x11
#define EVENT_TRACE_TYPE_REGENUMERATEVALUEKEY	0x12
#define EVENT_TRACE_TYPE_REGQUERYMULTIPLEVALUE	0x13
#define EVENT_TRACE_TYPE_REGSETINFORMATION	0x14
#define EVENT_TRACE_TYPE_REGFLUSH		0x15
#define EVENT_TRACE_TYPE_REGKCBCREATE		0x16
#define EVENT_TRACE_TYPE_REGKCBDELETE		0x17
#define EVENT_TRACE_TYPE_REGKCBRUNDOWNBEGIN	0x18
#define EVENT_TRACE_TYPE_REGKCBRUNDOWNEND	0x19
#define EVENT_TRACE_TYPE_REGVIRTUALIZE		0x1a
#define EVENT_TRACE_TYPE_REGCLOSE		0x1b
#define EVENT_TRACE_TYPE_REGSETSECURITY		0x1c
#define EVENT_TRACE_TYPE_REGQUERYSECURITY	0x1d
#define EVENT_TRACE_TYPE_REGCOMMIT		0x1e
#define EVENT_TRACE_TYPE_REGPREPARE		0x1f
#define EVENT_TRACE_TYPE_REGROLLBACK		0x20
#define EVENT_TRACE_TYPE_REGMOUNTHIVE		0x21

/* Event types of the hardware configuration */
#define EVENT_TRACE_TYPE_CONFIG_CPU		0x0a
#define EVENT_TRACE_TYPE_CONFIG_PHYSICALDISK	0x0b
#define EVENT_TRACE_TYPE_CONFIG_LOGICALDISK	0x0c
#define EVENT_TRACE_TYPE_CONFIG_NIC		0x0d
#define EVENT_TRACE_TYPE_CONFIG_VIDEO		0x0e
#define EVENT_TRACE_TYPE_CONFIG_SERVICES	0x0f
#define EVENT_TRACE_TYPE_CONFIG_POWER		0x10
#define EVENT_TRACE_TYPE_CONFIG_NETINFO		0x11
#define EVENT_TRACE_TYPE_CONFIG_OPTICALMEDIA	0x12
#define EVENT_TRACE_TYPE_CONFIG_PHYSICALDISK_EX	0x13
#define EVENT_TRACE_TYPE_CONFIG_IRQ		0x15
#define EVENT_TRACE_TYPE_CONFIG_PNP		0x16
#define EVENT_TRACE_TYPE_CONFIG_IDECHANNEL	0x17
#define EVENT_TRACE_TYPE_CONFIG_NUMANODE	0x18
#define EVENT_TRACE_TYPE_CONFIG_PLATFORM	0x19
#define EVENT_TRACE_TYPE_CONFIG_PROCESSORGROUP	0x1a
#define EVENT_TRACE_TYPE_CONFIG_PROCESSORNUMBER	0x1b
#define EVENT_TRACE_TYPE_CONFIG_DPI		0x1c
#define EVENT_TRACE_TYPE_CONFIG_CI_INFO		0x1d
#define EVENT_TRACE_TYPE_CONFIG_MACHINEID	0x1e
#define EVENT_TRACE_TYPE_CONFIG_DEFRAG		0x1f
#define EVENT_TRACE_TYPE_CONFIG_MOBILEPLATFORM	0x20
#define EVENT_TRACE_TYPE_CONFIG_DEVICEFAMILY	0x21
#define EVENT_TRACE_TYPE_CONFIG_FLIGHTID	0x22
#define EVENT_TRACE_TYPE_CONFIG_PROCESSOR	0x23
#define EVENT_TRACE_TYPE_CONFIG_VIRTUALIZATION	0x24
#define EVENT_TRACE_TYPE_CONFIG_BOOT		0x25

/* Event types of system providers */
#define SYSTEM_EVENT_TYPE			1

#define TRACE_LEVEL_NONE			0
#define TRACE_LEVEL_CRITICAL			1
#define TRACE_LEVEL_FATAL			1
#define TRACE_LEVEL_ERROR			2
#define TRACE_LEVEL_WARNING			3
#define TRACE_LEVEL_INFORMATION			4
#define TRACE_LEVEL_VERBOSE			5
#define TRACE_LEVEL_RESERVED6			6
#define TRACE_LEVEL_RESERVED7			7
#define TRACE_LEVEL_RESERVED8			8
#define TRACE_LEVEL_RESERVED9			9

/* Flags of EVENT_TRACE_HEADER and EVENT_INSTANCE_HEADER */
#define TRACE_HEADER_FLAG_USE_TIMESTAMP		0x00000200u
#define TRACE_HEADER_FLAG_TRACED_GUID		0x00020000u
#define TRACE_HEADER_FLAG_LOG_WNODE		0x00040000u
#define TRACE_HEADER_FLAG_USE_GUID_PTR		0x00080000u
#define TRACE_HEADER_FLAG_USE_MOF_PTR		0x00100000u

#define EVENT_TRACE_USE_PROCTIME		0x0001
#define EVENT_TRACE_USE_NOCPUTIME		0x0002

/* Optional parts of a message's header */
#define TRACE_MESSAGE_SEQUENCE			0x01u
#define TRACE_MESSAGE_GUID			0x02u
#define TRACE_MESSAGE_COMPONENTID		0x04u
#define TRACE_MESSAGE_TIMESTAMP			0x08u
#define TRACE_MESSAGE_PERFORMANCE_TIMESTAMP	0x10u	/* has no effect */
#define TRACE_MESSAGE_SYSTEMINFO		0x20u
/* Pointer size of the writer, set in recorded messages only */
#define TRACE_MESSAGE_POINTER32			0x40u
#define TRACE_MESSAGE_POINTER64			0x80u
#define TRACE_MESSAGE_FLAG_MASK			0xffffu
#define TRACE_MESSAGE_MAXIMUM_SIZE		(64 * 1024)

/* Maximum number of MOF_FIELD elements behind the header of a classic event */
#define MAX_MOF_FIELDS				16

/* DataType of MOF_FIELD, which is ignored */
#define ETW_NULL_TYPE_VALUE			0
#define ETW_OBJECT_TYPE_VALUE			1
#define ETW_STRING_TYPE_VALUE			2
#define ETW_SBYTE_TYPE_VALUE			3
#define ETW_BYTE_TYPE_VALUE			4
#define ETW_INT16_TYPE_VALUE			5
#define ETW_UINT16_TYPE_VALUE			6
#define ETW_INT32_TYPE_VALUE			7
#define ETW_UINT32_TYPE_VALUE			8
#define ETW_INT64_TYPE_VALUE			9
#define ETW_UINT64_TYPE_VALUE			10
#define ETW_CHAR_TYPE_VALUE			11
#define ETW_SINGLE_TYPE_VALUE			12
#define ETW_DOUBLE_TYPE_VALUE			13
#define ETW_BOOLEAN_TYPE_VALUE			14
#define ETW_DECIMAL_TYPE_VALUE			15
#define ETW_GUID_TYPE_VALUE			101
#define ETW_ASCIICHAR_TYPE_VALUE		102
#define ETW_ASCIISTRING_TYPE_VALUE		103
#define ETW_COUNTED_STRING_TYPE_VALUE		104
#define ETW_POINTER_TYPE_VALUE			105
#define ETW_SIZET_TYPE_VALUE			106
#define ETW_HIDDEN_TYPE_VALUE			107
#define ETW_BOOL_TYPE_VALUE			108
#define ETW_COUNTED_ANSISTRING_TYPE_VALUE	109
#define ETW_REVERSED_COUNTED_STRING_TYPE_VALUE	110
#define ETW_REVERSED_COUNTED_ANSISTRING_TYPE_VALUE	111
#define ETW_NON_NULL_TERMINATED_STRING_TYPE_VALUE	112
#define ETW_REDUCED_ANSISTRING_TYPE_VALUE	113
#define ETW_REDUCED_STRING_TYPE_VALUE		114
#define ETW_SID_TYPE_VALUE			115
#define ETW_VARIANT_TYPE_VALUE			116
#define ETW_PTVECTOR_TYPE_VALUE			117
#define ETW_WMITIME_TYPE_VALUE			118
#define ETW_DATETIME_TYPE_VALUE			119
#define ETW_REFRENCE_TYPE_VALUE			120

#define DEFINE_TRACE_MOF_FIELD(M, P, LEN, TYP)				\
	do {								\
		(M)->DataPtr = (ULONG64)(ULONG_PTR)(P);			\
		(M)->Length = (LEN);					\
		(M)->DataType = (TYP);					\
	} while (0)

#define ENABLE_TRACE_PARAMETERS_VERSION		1
#define ENABLE_TRACE_PARAMETERS_VERSION_2	2

#define TRACE_PROVIDER_FLAG_LEGACY		0x1u
#define TRACE_PROVIDER_FLAG_PRE_ENABLE		0x2u

/**
 * struct EVENT_TRACE_PROPERTIES - properties and statistics of a session
 *
 * The names of the session and its log file follow the structure at the two
 * offsets, nul-terminated and in the character set of the function called.
 */
typedef struct _EVENT_TRACE_PROPERTIES {
	WNODE_HEADER Wnode;
	ULONG BufferSize;		/* in KB */
	ULONG MinimumBuffers;
	ULONG MaximumBuffers;
	ULONG MaximumFileSize;
	ULONG LogFileMode;
	ULONG FlushTimer;		/* in seconds */
	ULONG EnableFlags;
	EVNT_ANONYMOUS union {
		LONG AgeLimit;
		LONG FlushThreshold;
	};
	ULONG NumberOfBuffers;
	ULONG FreeBuffers;
	ULONG EventsLost;
	ULONG BuffersWritten;
	ULONG LogBuffersLost;
	ULONG RealTimeBuffersLost;
	HANDLE LoggerThreadId;
	ULONG LogFileNameOffset;
	ULONG LoggerNameOffset;
} EVENT_TRACE_PROPERTIES, *PEVENT_TRACE_PROPERTIES;

/* EVENT_TRACE_PROPERTIES with the fields of WNODE_FLAG_VERSIONED_PROPERTIES */
typedef struct _EVENT_TRACE_PROPERTIES_V2 {
	WNODE_HEADER Wnode;
	ULONG BufferSize;
	ULONG MinimumBuffers;
	ULONG MaximumBuffers;
	ULONG MaximumFileSize;
	ULONG LogFileMode;
	ULONG FlushTimer;
	ULONG EnableFlags;
	EVNT_ANONYMOUS union {
		LONG AgeLimit;
		LONG FlushThreshold;
	};
	ULONG NumberOfBuffers;
	ULONG FreeBuffers;
	ULONG EventsLost;
	ULONG BuffersWritten;
	ULONG LogBuffersLost;
	ULONG RealTimeBuffersLost;
	HANDLE LoggerThreadId;
	ULONG LogFileNameOffset;
	ULONG LoggerNameOffset;
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			ULONG VersionNumber : 8;
		};
		ULONG V2Control;
	};
	ULONG FilterDescCount;
	PEVENT_FILTER_DESCRIPTOR FilterDesc;
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			ULONG Wow : 1;
			ULONG QpcDeltaTracking : 1;
			ULONG LargeMdlPages : 1;
			ULONG ExcludeKernelStack : 1;
		};
		ULONG64 V2Options;
	};
} EVENT_TRACE_PROPERTIES_V2, *PEVENT_TRACE_PROPERTIES_V2;

typedef struct _ENABLE_TRACE_PARAMETERS_V1 {
	ULONG Version;
	ULONG EnableProperty;
	ULONG ControlFlags;
	GUID SourceId;
	PEVENT_FILTER_DESCRIPTOR EnableFilterDesc;
} ENABLE_TRACE_PARAMETERS_V1, *PENABLE_TRACE_PARAMETERS_V1;

typedef struct _ENABLE_TRACE_PARAMETERS {
	ULONG Version;
	ULONG EnableProperty;
	ULONG ControlFlags;
	GUID SourceId;
	PEVENT_FILTER_DESCRIPTOR EnableFilterDesc;
	ULONG FilterDescCount;
} ENABLE_TRACE_PARAMETERS, *PENABLE_TRACE_PARAMETERS;

/* Result of EnumerateTraceGuids() for a provider */
typedef struct _TRACE_GUID_PROPERTIES {
	GUID Guid;
	ULONG GuidType;
	ULONG LoggerId;
	ULONG EnableLevel;
	ULONG EnableFlags;
	BOOLEAN IsEnable;
} TRACE_GUID_PROPERTIES, *PTRACE_GUID_PROPERTIES;

/* Result of EnumerateTraceGuidsEx(), followed by the instances of a provider */
typedef struct _TRACE_GUID_INFO {
	ULONG InstanceCount;
	ULONG Reserved;
} TRACE_GUID_INFO, *PTRACE_GUID_INFO;

/* Instance of a provider, followed by a TRACE_ENABLE_INFO per session */
typedef struct _TRACE_PROVIDER_INSTANCE_INFO {
	ULONG NextOffset;		/* from here; 0 in the last one */
	ULONG EnableCount;
	ULONG Pid;
	ULONG Flags;			/* TRACE_PROVIDER_FLAG_* */
} TRACE_PROVIDER_INSTANCE_INFO, *PTRACE_PROVIDER_INSTANCE_INFO;

typedef struct _TRACE_ENABLE_INFO {
	ULONG IsEnabled;
	UCHAR Level;
	UCHAR Reserved1;
	USHORT LoggerId;
	ULONG EnableProperty;
	ULONG Reserved2;
	ULONGLONG MatchAnyKeyword;
	ULONGLONG MatchAllKeyword;
} TRACE_ENABLE_INFO, *PTRACE_ENABLE_INFO;

typedef enum _TRACE_QUERY_INFO_CLASS {
	TraceGuidQueryList = 0,
	TraceGuidQueryInfo = 1,
	TraceGuidQueryProcess = 2,
	TraceStackTracingInfo = 3,
	TraceSystemTraceEnableFlagsInfo = 4,
	TraceSampledProfileIntervalInfo = 5,
	TraceProfileSourceConfigInfo = 6,
	TraceProfileSourceListInfo = 7,
	TracePmcEventListInfo = 8,
	TracePmcCounterListInfo = 9,
	TraceSetDisallowList = 10,
	TraceVersionInfo = 11,
	TraceGroupQueryList = 12,
	TraceGroupQueryInfo = 13,
	TraceDisallowListQuery = 14,
	TraceInfoReserved15 = 15,
	TracePeriodicCaptureStateListInfo = 16,
	TracePeriodicCaptureStateInfo = 17,
	TraceProviderBinaryTracking = 18,
	TraceMaxLoggersQuery = 19,
	TraceLbrConfigurationInfo = 20,
	TraceLbrEventListInfo = 21,
	TraceMaxPmcCounterQuery = 22,
	TraceStreamCount = 23,
	TraceStackCachingInfo = 24,
	TracePmcCounterOwners = 25,
	TraceUnifiedStackCachingInfo = 26,
	TracePmcSessionInformation = 27,
	TraceContextRegisterInfo = 28,
	MaxTraceSetInfoClass = 29,
} TRACE_QUERY_INFO_CLASS, TRACE_INFO_CLASS;

/* Information of class TraceVersionInfo */
typedef struct _TRACE_VERSION_INFO {
	ULONG EtwTraceProcessingVersion;
	ULONG Reserved;
} TRACE_VERSION_INFO, *PTRACE_VERSION_INFO;

/* Information of TracePeriodicCaptureStateInfo; provider GUIDs follow */
typedef struct _TRACE_PERIODIC_CAPTURE_STATE_INFO {
	ULONG CaptureStateFrequencyInSeconds;
	USHORT ProviderCount;
	USHORT Reserved;
} TRACE_PERIODIC_CAPTURE_STATE_INFO, *PTRACE_PERIODIC_CAPTURE_STATE_INFO;

/* Element of the array for class TraceStackTracingInfo */
typedef struct _CLASSIC_EVENT_ID {
	GUID EventGuid;
	UCHAR Type;
	UCHAR Reserved[7];
} CLASSIC_EVENT_ID, *PCLASSIC_EVENT_ID;

/* Information of class TraceSampledProfileIntervalInfo */
typedef struct _TRACE_PROFILE_INTERVAL {
	ULONG Source;
	ULONG Interval;
} TRACE_PROFILE_INTERVAL, *PTRACE_PROFILE_INTERVAL;

/*
 * Information of classes that are not supported here, as they concern the
 * counters and stacks of Windows' kernel.  First, TraceProfileSourceListInfo: a
 * source of sampling, and its name
 */
typedef struct _PROFILE_SOURCE_INFO {
	ULONG NextEntryOffset;
	ULONG Source;
	ULONG MinInterval;
	ULONG MaxInterval;
	ULONG64 Reserved;
	WCHAR Description[1];
} PROFILE_SOURCE_INFO, *PPROFILE_SOURCE_INFO;

/* Information of class TraceStackCachingInfo */
typedef struct _TRACE_STACK_CACHING_INFO {
	BOOLEAN Enabled;
	ULONG CacheSize;
	ULONG BucketCount;
} TRACE_STACK_CACHING_INFO, *PTRACE_STACK_CACHING_INFO;

typedef enum _ETW_CONTEXT_REGISTER_TYPES {
	EtwContextRegisterTypeNone = 0,
	EtwContextRegisterTypeControl = 1,
	EtwContextRegisterTypeInteger = 2
} ETW_CONTEXT_REGISTER_TYPES;

/* Information of class TraceContextRegisterInfo */
typedef struct TRACE_CONTEXT_REGISTER_INFO {
	ETW_CONTEXT_REGISTER_TYPES RegisterTypes;
	ULONG Reserved;
} TRACE_CONTEXT_REGISTER_INFO;

typedef enum _ETW_PMC_COUNTER_OWNER_TYPE {
	EtwPmcOwnerFree = 0,
	EtwPmcOwnerUntagged = 1,
	EtwPmcOwnerTagged = 2,
	EtwPmcOwnerTaggedWithSource = 3
} ETW_PMC_COUNTER_OWNER_TYPE;

typedef struct _ETW_PMC_COUNTER_OWNER {
	ETW_PMC_COUNTER_OWNER_TYPE OwnerType;
	ULONG ProfileSource;
	ULONG OwnerTag;
} ETW_PMC_COUNTER_OWNER, *PETW_PMC_COUNTER_OWNER;

/* Information of class TracePmcCounterOwners, for each processor */
typedef struct _ETW_PMC_COUNTER_OWNERSHIP_STATUS {
	ULONG ProcessorNumber;
	ULONG NumberOfCounters;
	ETW_PMC_COUNTER_OWNER CounterOwners[1];
} ETW_PMC_COUNTER_OWNERSHIP_STATUS, *PETW_PMC_COUNTER_OWNERSHIP_STATUS;

/* Information of class TracePmcSessionInformation, for each session */
typedef struct _ETW_PMC_SESSION_INFO {
	ULONG NextEntryOffset;
	USHORT LoggerId;
	USHORT Reserved;
	ULONG ProfileSourceCount;
	ULONG HookIdCount;
} ETW_PMC_SESSION_INFO, *PETW_PMC_SESSION_INFO;

typedef struct _EVENT_TRACE_HEADER {
	USHORT Size;
	EVNT_ANONYMOUS union {
		USHORT FieldTypeFlags;
		EVNT_ANONYMOUS struct {
			UCHAR HeaderType;
			UCHAR MarkerFlags;
		};
	};
	EVNT_ANONYMOUS union {
		ULONG Version;
		struct {
			UCHAR Type;
			UCHAR Level;
			USHORT Version;
		} Class;
	};
	ULONG ThreadId;
	ULONG ProcessId;
	LARGE_INTEGER TimeStamp;
	EVNT_ANONYMOUS union {
		GUID Guid;
		ULONGLONG GuidPtr;
	};
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			ULONG KernelTime;
			ULONG UserTime;
		};
		ULONG64 ProcessorTime;
		EVNT_ANONYMOUS struct {
			ULONG ClientContext;
			ULONG Flags;
		};
	};
} EVENT_TRACE_HEADER, *PEVENT_TRACE_HEADER;

typedef struct _EVENT_INSTANCE_HEADER {
	USHORT Size;
	EVNT_ANONYMOUS union {
		USHORT FieldTypeFlags;
		EVNT_ANONYMOUS struct {
			UCHAR HeaderType;
			UCHAR MarkerFlags;
		};
	};
	EVNT_ANONYMOUS union {
		ULONG Version;
		struct {
			UCHAR Type;
			UCHAR Level;
			USHORT Version;
		} Class;
	};
	ULONG ThreadId;
	ULONG ProcessId;
	LARGE_INTEGER TimeStamp;
	ULONGLONG RegHandle;
	ULONG InstanceId;
	ULONG ParentInstanceId;
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			ULONG KernelTime;
			ULONG UserTime;
		};
		ULONG64 ProcessorTime;
		EVNT_ANONYMOUS struct {
			ULONG EventId;
			ULONG Flags;
		};
	};
	ULONGLONG ParentRegHandle;
} EVENT_INSTANCE_HEADER, *PEVENT_INSTANCE_HEADER;

/* Block of a classic event's data */
typedef struct _MOF_FIELD {
	ULONG64 DataPtr;
	ULONG Length;
	ULONG DataType;
} MOF_FIELD, *PMOF_FIELD;

/* Class of events registered by a classic provider */
typedef struct _TRACE_GUID_REGISTRATION {
	LPCGUID Guid;
	HANDLE RegHandle;		/* out */
} TRACE_GUID_REGISTRATION, *PTRACE_GUID_REGISTRATION;

/* Instance of a transaction: its class and its ID */
typedef struct {
	HANDLE RegHandle;
	ULONG InstanceId;
} EVENT_INSTANCE_INFO, *PEVENT_INSTANCE_INFO;

/* Callback of a classic provider for changes of its enablement */
typedef ULONG (WINAPI *WMIDPREQUEST)(WMIDPREQUESTCODE RequestCode,
				     PVOID RequestContext, ULONG *BufferSize,
				     PVOID Buffer);

typedef struct _ETW_BUFFER_CONTEXT {
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			UCHAR ProcessorNumber;
			UCHAR Alignment;
		};
		USHORT ProcessorIndex;
	};
	USHORT LoggerId;
} ETW_BUFFER_CONTEXT, *PETW_BUFFER_CONTEXT;

typedef struct _EVENT_TRACE {
	EVENT_TRACE_HEADER Header;
	ULONG InstanceId;
	ULONG ParentInstanceId;
	GUID ParentGuid;
	PVOID MofData;
	ULONG MofLength;
	EVNT_ANONYMOUS union {
		ULONG ClientContext;
		ETW_BUFFER_CONTEXT BufferContext;
	};
} EVENT_TRACE, *PEVENT_TRACE;

typedef struct _TRACE_LOGFILE_HEADER {
	ULONG BufferSize;		/* in bytes */
	EVNT_ANONYMOUS union {
		ULONG Version;
		struct {
			UCHAR MajorVersion;
			UCHAR MinorVersion;
			UCHAR SubVersion;
			UCHAR SubMinorVersion;
		} VersionDetail;
	};
	ULONG ProviderVersion;
	ULONG NumberOfProcessors;
	LARGE_INTEGER EndTime;
	ULONG TimerResolution;
	ULONG MaximumFileSize;
	ULONG LogFileMode;
	ULONG BuffersWritten;
	EVNT_ANONYMOUS union {
		GUID LogInstanceGuid;
		EVNT_ANONYMOUS struct {
			ULONG StartBuffers;
			ULONG PointerSize;
			ULONG EventsLost;
			ULONG CpuSpeedInMHz;
		};
	};
	LPWSTR LoggerName;		/* documented as not usable */
	LPWSTR LogFileName;		/* documented as not usable */
	TIME_ZONE_INFORMATION TimeZone;
	LARGE_INTEGER BootTime;
	LARGE_INTEGER PerfFreq;
	LARGE_INTEGER StartTime;
	ULONG ReservedFlags;		/* type of the clock */
	ULONG BuffersLost;
} TRACE_LOGFILE_HEADER, *PTRACE_LOGFILE_HEADER;

typedef struct _EVENT_RECORD EVENT_RECORD, *PEVENT_RECORD;
typedef const EVENT_RECORD *PCEVENT_RECORD;
typedef struct _EVENT_TRACE_LOGFILEW EVENT_TRACE_LOGFILEW,
	*PEVENT_TRACE_LOGFILEW;
typedef struct _EVENT_TRACE_LOGFILEA EVENT_TRACE_LOGFILEA,
	*PEVENT_TRACE_LOGFILEA;

typedef ULONG (WINAPI *PEVENT_TRACE_BUFFER_CALLBACKW)(PEVENT_TRACE_LOGFILEW);
typedef ULONG (WINAPI *PEVENT_TRACE_BUFFER_CALLBACKA)(PEVENT_TRACE_LOGFILEA);
typedef VOID (WINAPI *PEVENT_CALLBACK)(PEVENT_TRACE Event);
typedef VOID (WINAPI *PEVENT_RECORD_CALLBACK)(PEVENT_RECORD EventRecord);

struct _EVENT_TRACE_LOGFILEW {
	LPWSTR LogFileName;
	LPWSTR LoggerName;
	LONGLONG CurrentTime;
	ULONG BuffersRead;
	EVNT_ANONYMOUS union {
		ULONG LogFileMode;
		ULONG ProcessTraceMode;
	};
	EVENT_TRACE CurrentEvent;
	TRACE_LOGFILE_HEADER LogfileHeader;
	PEVENT_TRACE_BUFFER_CALLBACKW BufferCallback;
	ULONG BufferSize;
	ULONG Filled;
	ULONG EventsLost;
	EVNT_ANONYMOUS union {
		PEVENT_CALLBACK EventCallback;
		PEVENT_RECORD_CALLBACK EventRecordCallback;
	};
	ULONG IsKernelTrace;
	PVOID Context;
};

struct _EVENT_TRACE_LOGFILEA {
	LPSTR LogFileName;
	LPSTR LoggerName;
	LONGLONG CurrentTime;
	ULONG BuffersRead;
	EVNT_ANONYMOUS union {
		ULONG LogFileMode;
		ULONG ProcessTraceMode;
	};
	EVENT_TRACE CurrentEvent;
	TRACE_LOGFILE_HEADER LogfileHeader;
	PEVENT_TRACE_BUFFER_CALLBACKA BufferCallback;
	ULONG BufferSize;
	ULONG Filled;
	ULONG EventsLost;
	EVNT_ANONYMOUS union {
		PEVENT_CALLBACK EventCallback;
		PEVENT_RECORD_CALLBACK EventRecordCallback;
	};
	ULONG IsKernelTrace;
	PVOID Context;
};

/* Classes of QueryTraceProcessingHandle(); only the header is supported */
typedef enum _ETW_PROCESS_HANDLE_INFO_TYPE {
	EtwQueryPartitionInformation = 1,
	EtwQueryPartitionInformationV2 = 2,
	EtwQueryLastDroppedTimes = 3,
	EtwQueryLogFileHeader = 4,
	EtwQueryProcessHandleInfoMax = 5,
} ETW_PROCESS_HANDLE_INFO_TYPE;

/* Header of a buffer, with its documented fields */
typedef struct _ETW_BUFFER_HEADER {
	ULONG Reserved1[4];
	LARGE_INTEGER TimeStamp;
	ULONG Reserved2[4];
	ETW_BUFFER_CONTEXT ClientContext;
	ULONG Reserved3;
	ULONG FilledBytes;		/* header and events, in bytes */
	ULONG Reserved4[5];
} ETW_BUFFER_HEADER, *PETW_BUFFER_HEADER;

typedef struct _ETW_BUFFER_CALLBACK_INFORMATION {
	PROCESSTRACE_HANDLE TraceHandle;
	const TRACE_LOGFILE_HEADER *LogfileHeader;
	ULONG BuffersRead;
} ETW_BUFFER_CALLBACK_INFORMATION, *PETW_BUFFER_CALLBACK_INFORMATION;

typedef BOOL (WINAPI *PETW_BUFFER_CALLBACK)(PETW_BUFFER_HEADER Buffer,
		ULONG BufferSize, PETW_BUFFER_CALLBACK_INFORMATION ConsumerInfo,
		PVOID CallbackContext);

/* Callback for a buffer that a trace no longer reads */
typedef VOID (WINAPI *PETW_BUFFER_COMPLETION_CALLBACK)(
		const ETW_BUFFER_HEADER *Buffer, PVOID CallbackContext);

typedef enum _ETW_PROCESS_TRACE_MODES {
	ETW_PROCESS_TRACE_MODE_NONE = 0x0,
	ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP = 0x1,
} ETW_PROCESS_TRACE_MODES;

typedef struct _ETW_OPEN_TRACE_OPTIONS {
	ETW_PROCESS_TRACE_MODES ProcessTraceModes;
	PEVENT_RECORD_CALLBACK EventCallback;
	PVOID EventCallbackContext;
	PETW_BUFFER_CALLBACK BufferCallback;
	PVOID BufferCallbackContext;
} ETW_OPEN_TRACE_OPTIONS, *PETW_OPEN_TRACE_OPTIONS;

EVNT_BEGIN_DECLS

ULONG WMIAPI StartTraceW(PTRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI ControlTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			    PEVENT_TRACE_PROPERTIES Properties,
			    ULONG ControlCode);
ULONG WMIAPI StopTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI FlushTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI UpdateTraceW(TRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryAllTracesW(PEVENT_TRACE_PROPERTIES *PropertyArray,
			     ULONG PropertyArrayCount, PULONG SessionCount);
TRACEHANDLE WMIAPI OpenTraceW(PEVENT_TRACE_LOGFILEW Logfile);

ULONG WMIAPI StartTraceA(PTRACEHANDLE TraceHandle, LPCSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI ControlTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			    PEVENT_TRACE_PROPERTIES Properties,
			    ULONG ControlCode);
ULONG WMIAPI StopTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			 PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI FlushTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			  PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI UpdateTraceA(TRACEHANDLE TraceHandle, LPCSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties);
ULONG WMIAPI QueryAllTracesA(PEVENT_TRACE_PROPERTIES *PropertyArray,
			     ULONG PropertyArrayCount, PULONG SessionCount);
TRACEHANDLE WMIAPI OpenTraceA(PEVENT_TRACE_LOGFILEA Logfile);

ULONG WMIAPI EnableTraceEx2(TRACEHANDLE TraceHandle, LPCGUID ProviderId,
			    ULONG ControlCode, UCHAR Level,
			    ULONGLONG MatchAnyKeyword,
			    ULONGLONG MatchAllKeyword, ULONG Timeout,
			    PENABLE_TRACE_PARAMETERS EnableParameters);

ULONG WMIAPI EnableTraceEx(LPCGUID ProviderId, LPCGUID SourceId,
			   TRACEHANDLE TraceHandle, ULONG IsEnabled,
			   UCHAR Level, ULONGLONG MatchAnyKeyword,
			   ULONGLONG MatchAllKeyword, ULONG EnableProperty,
			   PEVENT_FILTER_DESCRIPTOR EnableFilterDesc);
ULONG WMIAPI EnableTrace(ULONG Enable, ULONG EnableFlag, ULONG EnableLevel,
			 LPCGUID ControlGuid, TRACEHANDLE TraceHandle);

ULONG WMIAPI EnumerateTraceGuids(PTRACE_GUID_PROPERTIES *GuidPropertiesArray,
				 ULONG PropertyArrayCount, PULONG GuidCount);
ULONG WMIAPI EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS TraceQueryInfoClass,
				   PVOID InBuffer, ULONG InBufferSize,
				   PVOID OutBuffer, ULONG OutBufferSize,
				   PULONG ReturnLength);

ULONG WMIAPI TraceQueryInformation(TRACEHANDLE SessionHandle,
				   TRACE_INFO_CLASS InformationClass,
				   PVOID TraceInformation,
				   ULONG InformationLength,
				   PULONG ReturnLength);
ULONG WMIAPI TraceSetInformation(TRACEHANDLE SessionHandle,
				 TRACE_INFO_CLASS InformationClass,
				 PVOID TraceInformation,
				 ULONG InformationLength);

ULONG WMIAPI ProcessTrace(PTRACEHANDLE HandleArray, ULONG HandleCount,
			  LPFILETIME StartTime, LPFILETIME EndTime);
ULONG WMIAPI CloseTrace(TRACEHANDLE TraceHandle);
PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromFile(PCWSTR LogFileName, const ETW_OPEN_TRACE_OPTIONS *Options,
		  TRACE_LOGFILE_HEADER *LogFileHeader);
PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromRealTimeLogger(PCWSTR LoggerName,
			    const ETW_OPEN_TRACE_OPTIONS *Options,
			    TRACE_LOGFILE_HEADER *LogFileHeader);
PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromBufferStream(const ETW_OPEN_TRACE_OPTIONS *Options,
			  PETW_BUFFER_COMPLETION_CALLBACK BufferCompletionCallback,
			  PVOID BufferCompletionContext);
ULONG WMIAPI
ProcessTraceAddBufferToBufferStream(PROCESSTRACE_HANDLE TraceHandle,
				    const ETW_BUFFER_HEADER *Buffer,
				    ULONG BufferSize);

/*
 * Buffers are read in the module's memory, so @AllocationSize has no effect, and
 * @MemoryPartitionHandle must be NULL
 */
static inline PROCESSTRACE_HANDLE WMIAPI
OpenTraceFromRealTimeLoggerWithAllocationOptions(PCWSTR LoggerName,
			    const ETW_OPEN_TRACE_OPTIONS *Options,
			    ULONG_PTR AllocationSize,
			    HANDLE MemoryPartitionHandle,
			    TRACE_LOGFILE_HEADER *LogFileHeader)
{
	(void)AllocationSize;
	if (!MemoryPartitionHandle)
		return OpenTraceFromRealTimeLogger(LoggerName, Options,
						   LogFileHeader);
	SetLastError(ERROR_NOT_SUPPORTED);
	return INVALID_PROCESSTRACE_HANDLE;
}

ULONG WMIAPI
QueryTraceProcessingHandle(PROCESSTRACE_HANDLE ProcessingHandle,
			   ETW_PROCESS_HANDLE_INFO_TYPE InformationClass,
			   PVOID InBuffer, ULONG InBufferSize, PVOID OutBuffer,
			   ULONG OutBufferSize, PULONG ReturnLength);
ULONG WMIAPI SetTraceCallback(LPCGUID pGuid, PEVENT_CALLBACK EventCallback);
ULONG WMIAPI RemoveTraceCallback(LPCGUID pGuid);

ULONG WMIAPI RegisterTraceGuidsW(WMIDPREQUEST RequestAddress,
				 PVOID RequestContext, LPCGUID ControlGuid,
				 ULONG GuidCount,
				 PTRACE_GUID_REGISTRATION TraceGuidReg,
				 LPCWSTR MofImagePath, LPCWSTR MofResourceName,
				 PTRACEHANDLE RegistrationHandle);
ULONG WMIAPI RegisterTraceGuidsA(WMIDPREQUEST RequestAddress,
				 PVOID RequestContext, LPCGUID ControlGuid,
				 ULONG GuidCount,
				 PTRACE_GUID_REGISTRATION TraceGuidReg,
				 LPCSTR MofImagePath, LPCSTR MofResourceName,
				 PTRACEHANDLE RegistrationHandle);
ULONG WMIAPI UnregisterTraceGuids(TRACEHANDLE RegistrationHandle);
TRACEHANDLE WMIAPI GetTraceLoggerHandle(PVOID Buffer);
UCHAR WMIAPI GetTraceEnableLevel(TRACEHANDLE TraceHandle);
ULONG WMIAPI GetTraceEnableFlags(TRACEHANDLE TraceHandle);
ULONG WMIAPI TraceEvent(TRACEHANDLE TraceHandle,
			PEVENT_TRACE_HEADER EventTrace);
ULONG WMIAPI TraceEventInstance(TRACEHANDLE TraceHandle,
				PEVENT_INSTANCE_HEADER EventTrace,
				PEVENT_INSTANCE_INFO InstInfo,
				PEVENT_INSTANCE_INFO ParentInstInfo);
ULONG WMIAPI CreateTraceInstanceId(HANDLE RegHandle,
				   PEVENT_INSTANCE_INFO InstInfo);
ULONG TraceMessage(TRACEHANDLE LoggerHandle, ULONG MessageFlags,
		   LPCGUID MessageGuid, USHORT MessageNumber, ...);
ULONG WMIAPI TraceMessageVa(TRACEHANDLE LoggerHandle, ULONG MessageFlags,
			    LPCGUID MessageGuid, USHORT MessageNumber,
			    va_list MessageArgList);

EVNT_END_DECLS

/* Names without a suffix stand for the program's character set */
#ifdef UNICODE
#define StartTrace				StartTraceW
#define ControlTrace				ControlTraceW
#define StopTrace				StopTraceW
#define QueryTrace				QueryTraceW
#define FlushTrace				FlushTraceW
#define UpdateTrace				UpdateTraceW
#define QueryAllTraces				QueryAllTracesW
#define OpenTrace				OpenTraceW
#define EVENT_TRACE_LOGFILE			EVENT_TRACE_LOGFILEW
#define PEVENT_TRACE_LOGFILE			PEVENT_TRACE_LOGFILEW
#define PEVENT_TRACE_BUFFER_CALLBACK		PEVENT_TRACE_BUFFER_CALLBACKW
#define RegisterTraceGuids			RegisterTraceGuidsW
#else
#define StartTrace				StartTraceA
#define ControlTrace				ControlTraceA
#define StopTrace				StopTraceA
#define QueryTrace				QueryTraceA
#define FlushTrace				FlushTraceA
#define UpdateTrace				UpdateTraceA
#define QueryAllTraces				QueryAllTracesA
#define OpenTrace				OpenTraceA
#define EVENT_TRACE_LOGFILE			EVENT_TRACE_LOGFILEA
#define PEVENT_TRACE_LOGFILE			PEVENT_TRACE_LOGFILEA
#define PEVENT_TRACE_BUFFER_CALLBACK		PEVENT_TRACE_BUFFER_CALLBACKA
#define RegisterTraceGuids			RegisterTraceGuidsA
#endif

/* Names of the sessions of Windows itself */
#if defined(__SIZEOF_WCHAR_T__) && __SIZEOF_WCHAR_T__ == 2
#define EVNT_TEXT(s)				L##s
#else
#define EVNT_TEXT(s)				u##s
#endif
#define KERNEL_LOGGER_NAMEW			EVNT_TEXT("NT Kernel Logger")
#define GLOBAL_LOGGER_NAMEW			EVNT_TEXT("GlobalLogger")
#define EVENT_LOGGER_NAMEW			EVNT_TEXT("EventLog")
#define DIAG_LOGGER_NAMEW			EVNT_TEXT("DiagLog")
#ifdef UNICODE
#define KERNEL_LOGGER_NAME			KERNEL_LOGGER_NAMEW
#define GLOBAL_LOGGER_NAME			GLOBAL_LOGGER_NAMEW
#define EVENT_LOGGER_NAME			EVENT_LOGGER_NAMEW
#else
#define KERNEL_LOGGER_NAME			KERNEL_LOGGER_NAMEA
#define GLOBAL_LOGGER_NAME			GLOBAL_LOGGER_NAMEA
#define EVENT_LOGGER_NAME			EVENT_LOGGER_NAMEA
#endif

#endif /* EVNTRACE_H */
