// SPDX-License-Identifier: MIT
/*
 * Table of the classes of Windows' kernel.
 *
 * Names of classes, types and fields are the names that Windows documents, so
 * that consumers find them by these names.  Fields that it does not document
 * have the names that readers of its logs use.
 *
 * https://learn.microsoft.com/windows/win32/etw/msnt-systemtrace
 */
#include "tdh/kernel_classes.h"

enum {
	CLASS_EVENT_TRACE,
	CLASS_PROCESS,
	CLASS_THREAD,
	CLASS_IMAGE,
	CLASS_PERF_INFO,
	CLASS_STACK_WALK,
	CLASS_DISK_IO,
	CLASS_FILE_IO,
	CLASS_SPLIT_IO,
	CLASS_TCP_IP,
	CLASS_UDP_IP,
	CLASS_PAGE_FAULT,
	CLASS_REGISTRY,
	CLASS_ALPC,
	CLASS_POOL,
	CLASS_OBJECT,
	CLASS_DEBUG_PRINT,
	CLASS_SYSTEM_CONFIG,
	CLASS_LOST_EVENT,
	CLASS_IMAGE_ID,
	CLASS_SYS_CONFIG,
	CLASS_HEAP,
	CLASS_CRIT_SEC,
	CLASS_THREAD_POOL,
	CLASS_META_DATA,
};

const struct kernel_class kernel_classes[] = {
	[CLASS_EVENT_TRACE] = {
		.guid = { 0x68fdd900, 0x4a3e, 0x11d1,
			  { 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3 } },
		.name = "EventTrace",
	},
	[CLASS_PROCESS] = {
		.guid = { 0x3d6fa8d0, 0xfe05, 0x11d0,
			  { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
		.name = "Process",
	},
	[CLASS_THREAD] = {
		.guid = { 0x3d6fa8d1, 0xfe05, 0x11d0,
			  { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
		.name = "Thread",
	},
	[CLASS_IMAGE] = {
		.guid = { 0x2cb15d1d, 0x5fc1, 0x11d2,
			  { 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18 } },
		.name = "Image",
	},
	[CLASS_PERF_INFO] = {
		.guid = { 0xce1dbfb4, 0x137e, 0x4da6,
			  { 0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc } },
		.name = "PerfInfo",
	},
	[CLASS_STACK_WALK] = {
		.guid = { 0xdef2fe46, 0x7bd6, 0x4b80,
			  { 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3 } },
		.name = "StackWalk",
	},
	[CLASS_DISK_IO] = {
		.guid = { 0x3d6fa8d4, 0xfe05, 0x11d0,
			  { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
		.name = "DiskIo",
	},
	[CLASS_FILE_IO] = {
		.guid = { 0x90cbdc39, 0x4a3e, 0x11d1,
			  { 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3 } },
		.name = "FileIo",
	},
	[CLASS_SPLIT_IO] = {
		.guid = { 0xd837ca92, 0x12b9, 0x44a5,
			  { 0xad, 0x6a, 0x3a, 0x65, 0xb3, 0x57, 0x8a, 0xa8 } },
		.name = "SplitIo",
	},
	[CLASS_TCP_IP] = {
		.guid = { 0x9a280ac0, 0xc8e0, 0x11d1,
			  { 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2 } },
		.name = "TcpIp",
	},
	[CLASS_UDP_IP] = {
		.guid = { 0xbf3a50c5, 0xa9c9, 0x4988,
			  { 0xa0, 0x05, 0x2d, 0xf0, 0xb7, 0xc8, 0x0f, 0x80 } },
		.name = "UdpIp",
	},
	[CLASS_PAGE_FAULT] = {
		.guid = { 0x3d6fa8d3, 0xfe05, 0x11d0,
			  { 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c } },
		.name = "PageFault",
	},
	[CLASS_REGISTRY] = {
		.guid = { 0xae53722e, 0xc863, 0x11d2,
			  { 0x86, 0x59, 0x00, 0xc0, 0x4f, 0xa3, 0x21, 0xa1 } },
		.name = "Registry",
	},
	[CLASS_ALPC] = {
		.guid = { 0x45d8cccd, 0x539f, 0x4b72,
			  { 0xa8, 0xb7, 0x5c, 0x68, 0x31, 0x42, 0x60, 0x9a } },
		.name = "ALPC",
	},
	[CLASS_POOL] = {
		.guid = { 0x0268a8b6, 0x74fd, 0x4302,
			  { 0x9d, 0xd0, 0x6e, 0x8f, 0x17, 0x95, 0xc0, 0xcf } },
		.name = "PoolTrace",
	},
	[CLASS_OBJECT] = {
		.guid = { 0x89497f50, 0xeffe, 0x4440,
			  { 0x8c, 0xf2, 0xce, 0x6b, 0x1c, 0xdc, 0xac, 0xa7 } },
		.name = "ObjectTrace",
	},
	[CLASS_DEBUG_PRINT] = {
		.guid = { 0x13976d09, 0xa327, 0x438c,
			  { 0x95, 0x0b, 0x7f, 0x03, 0x19, 0x28, 0x15, 0xc7 } },
		.name = "DbgPrint",
	},
	[CLASS_SYSTEM_CONFIG] = {
		.guid = { 0x01853a65, 0x418f, 0x4f36,
			  { 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35 } },
		.name = "SystemConfig",
	},
	[CLASS_LOST_EVENT] = {
		.guid = { 0x6a399ae0, 0x4bc6, 0x4de9,
			  { 0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e } },
		.name = "LostEvent",
	},
	[CLASS_IMAGE_ID] = {
		.guid = { 0xb3e675d7, 0x2554, 0x4f18,
			  { 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde } },
		.name = "ImageID",
		.provider = "KernelTraceControl",
	},
	[CLASS_SYS_CONFIG] = {
		.guid = { 0x9b79ee91, 0xb5fd, 0x41c0,
			  { 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0 } },
		.name = "SysConfig",
		.provider = "KernelTraceControl",
	},
	[CLASS_HEAP] = {
		.guid = { 0x222962ab, 0x6180, 0x4b88,
			  { 0xa8, 0x25, 0x34, 0x6b, 0x75, 0xf2, 0xa2, 0x4a } },
		.name = "HeapTrace",
		.provider = "HeapTraceProvider",
	},
	[CLASS_CRIT_SEC] = {
		.guid = { 0x3ac66736, 0xcc59, 0x4cff,
			  { 0x81, 0x15, 0x8d, 0xf5, 0x0e, 0x39, 0x81, 0x6b } },
		.name = "CritSecTrace",
		.provider = "CritSecTraceProvider",
	},
	[CLASS_THREAD_POOL] = {
		.guid = { 0xc861d0e2, 0xa2c1, 0x4d36,
			  { 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12 } },
		.name = "ThreadPoolTrace",
		.provider = "ThreadPool",
	},
	[CLASS_META_DATA] = {
		.guid = { 0xbbccf6c1, 0x6cd1, 0x48c4,
			  { 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71 } },
		.name = "MetaData",
		.provider = "Microsoft-Windows-EventMetadata",
	},
};

const unsigned int kernel_class_count = EVNT_ARRAY_SIZE(kernel_classes);

/* Last version of classes without versions */
#define ANY	255

const struct kernel_layout kernel_layouts[] = {
	{ CLASS_EVENT_TRACE, 0, ANY,
	  "0 Header",
	  "BufferSize:u Version:x ProviderVersion:u "
	  "NumberOfProcessors:u EndTime:q TimerResolution:u "
	  "MaxFileSize:u LogFileMode:x BuffersWritten:u StartBuffers:u "
	  "PointerSize:u EventsLost:u CPUSpeed:u LoggerName:p "
	  "LogFileName:p TimeZoneInformation:n[176] BootTime:q "
	  "PerfFreq:q StartTime:q ReservedFlags:x BuffersLost:u "
	  "SessionNameString:w LogFileNameString:w" },
	{ CLASS_EVENT_TRACE, 0, ANY,
	  "5 Extension,32 EndExtension",
	  "GroupMask1:x GroupMask2:x GroupMask3:x GroupMask4:x "
	  "GroupMask5:x GroupMask6:x GroupMask7:x GroupMask8:x "
	  "KernelEventVersion:x" },
	{ CLASS_EVENT_TRACE, 0, ANY,
	  "8 RDComplete",
	  "" },
	{ CLASS_EVENT_TRACE, 2, 2,
	  "80 PartitionInfo",
	  "EventVersion:h Reserved:h PartitionType:u "
	  "QpcOffsetFromRoot:j PartitionId:g ParentId:g" },
	{ CLASS_PROCESS, 0, 0,
	  "1 Start,2 End,3 DCStart,4 DCEnd",
	  "ProcessId:p ParentId:p UserSID:S ImageFileName:s" },
	{ CLASS_PROCESS, 1, 1,
	  "1 Start,2 End,3 DCStart,4 DCEnd",
	  "PageDirectoryBase:p ProcessId:x ParentId:x SessionId:u "
	  "ExitStatus:i UserSID:S ImageFileName:s" },
	{ CLASS_PROCESS, 2, 2,
	  "1 Start,2 End,3 DCStart,4 DCEnd,39 Defunct",
	  "UniqueProcessKey:p ProcessId:x ParentId:x SessionId:u "
	  "ExitStatus:i UserSID:S ImageFileName:s CommandLine:w" },
	{ CLASS_PROCESS, 3, 3,
	  "1 Start,2 End,3 DCStart,4 DCEnd,39 Defunct",
	  "UniqueProcessKey:p ProcessId:x ParentId:x SessionId:u "
	  "ExitStatus:i DirectoryTableBase:p UserSID:S ImageFileName:s "
	  "CommandLine:w" },
	{ CLASS_PROCESS, 4, 4,
	  "1 Start,2 End,3 DCStart,4 DCEnd,39 Defunct",
	  "UniqueProcessKey:p ProcessId:x ParentId:x SessionId:u "
	  "ExitStatus:i DirectoryTableBase:p Flags:x UserSID:S "
	  "ImageFileName:s CommandLine:w PackageFullName:w "
	  "ApplicationId:w" },
	{ CLASS_PROCESS, 5, 5,
	  "39 Defunct",
	  "UniqueProcessKey:p ProcessId:x ParentId:x SessionId:u "
	  "ExitStatus:i DirectoryTableBase:p Flags:x UserSID:S "
	  "ImageFileName:s CommandLine:w PackageFullName:w "
	  "ApplicationId:w ExitTime:q" },
	{ CLASS_PROCESS, 2, 2,
	  "32 PerfCtr,33 PerfCtrRundown",
	  "ProcessId:x PageFaultCount:u HandleCount:u Reserved:u "
	  "PeakVirtualSize:z PeakWorkingSetSize:z PeakPagefileUsage:z "
	  "QuotaPeakPagedPoolUsage:z QuotaPeakNonPagedPoolUsage:z "
	  "VirtualSize:z WorkingSetSize:z PagefileUsage:z "
	  "QuotaPagedPoolUsage:z QuotaNonPagedPoolUsage:z "
	  "PrivatePageCount:z" },
	{ CLASS_THREAD, 0, 0,
	  "1 Start,2 End,3 DCStart,4 DCEnd",
	  "TThreadId:x ProcessId:x" },
	{ CLASS_THREAD, 1, 1,
	  "1 Start,3 DCStart",
	  "ProcessId:x TThreadId:x StackBase:p StackLimit:p "
	  "UserStackBase:p UserStackLimit:p StartAddr:p "
	  "Win32StartAddr:p WaitMode:c" },
	{ CLASS_THREAD, 1, 1,
	  "2 End,4 DCEnd",
	  "ProcessId:x TThreadId:x" },
	{ CLASS_THREAD, 2, 2,
	  "1 Start,2 End,3 DCStart,4 DCEnd",
	  "ProcessId:x TThreadId:x StackBase:p StackLimit:p "
	  "UserStackBase:p UserStackLimit:p StartAddr:p "
	  "Win32StartAddr:p TebBase:p SubProcessTag:x" },
	{ CLASS_THREAD, 3, 3,
	  "1 Start,2 End,3 DCStart,4 DCEnd",
	  "ProcessId:x TThreadId:x StackBase:p StackLimit:p "
	  "UserStackBase:p UserStackLimit:p Affinity:p "
	  "Win32StartAddr:p TebBase:p SubProcessTag:x BasePriority:b "
	  "PagePriority:b IoPriority:b ThreadFlags:b" },
	{ CLASS_THREAD, 4, 4,
	  "1 Start,2 End,3 DCStart,4 DCEnd",
	  "ProcessId:x TThreadId:x StackBase:p StackLimit:p "
	  "UserStackBase:p UserStackLimit:p Affinity:p "
	  "Win32StartAddr:p TebBase:p SubProcessTag:x BasePriority:b "
	  "PagePriority:b IoPriority:b ThreadFlags:b ThreadName:w" },
	{ CLASS_THREAD, 1, 1,
	  "36 CSwitch",
	  "NewThreadId:x OldThreadId:x NewThreadPriority:c "
	  "OldThreadPriority:c NewThreadQuantum:c OldThreadQuantum:c "
	  "OldThreadWaitReason:c OldThreadWaitMode:c OldThreadState:c "
	  "OldThreadWaitIdealProcessor:c NewThreadWaitTime:x" },
	{ CLASS_THREAD, 2, 4,
	  "36 CSwitch",
	  "NewThreadId:x OldThreadId:x NewThreadPriority:c "
	  "OldThreadPriority:c PreviousCState:b SpareByte:c "
	  "OldThreadWaitReason:c OldThreadWaitMode:c OldThreadState:c "
	  "OldThreadWaitIdealProcessor:c NewThreadWaitTime:x Reserved:u" },
	{ CLASS_THREAD, 2, 2,
	  "50 ReadyThread",
	  "TThreadId:x AdjustReason:c AdjustIncrement:c Flag:c "
	  "Reserved:c" },
	{ CLASS_THREAD, 1, 2,
	  "57 WorkerThread",
	  "TThreadId:x StartTime:q ThreadRoutine:p" },
	{ CLASS_THREAD, 2, 2,
	  "72 SetName",
	  "ProcessId:x TThreadId:x ThreadName:w" },
	{ CLASS_IMAGE, 0, 0,
	  "10 Load",
	  "BaseAddress:p ModuleSize:u ImageFileName:w" },
	{ CLASS_IMAGE, 1, 1,
	  "10 Load",
	  "ImageBase:p ImageSize:p ProcessId:u FileName:w" },
	{ CLASS_IMAGE, 2, 2,
	  "10 Load,2 UnLoad,3 DCStart,4 DCEnd",
	  "ImageBase:p ImageSize:p ProcessId:u ImageChecksum:u "
	  "TimeDateStamp:u Reserved0:u DefaultBase:p Reserved1:u "
	  "Reserved2:u Reserved3:u Reserved4:u FileName:w" },
	{ CLASS_IMAGE, 3, 3,
	  "10 Load,2 UnLoad,3 DCStart,4 DCEnd",
	  "ImageBase:p ImageSize:p ProcessId:u ImageChecksum:u "
	  "TimeDateStamp:u SignatureLevel:b SignatureType:b "
	  "Reserved0:h DefaultBase:p Reserved1:u Reserved2:u "
	  "Reserved3:u Reserved4:u FileName:w" },
	{ CLASS_IMAGE, 2, 2,
	  "33 KernelBase",
	  "ImageBase:p" },
	{ CLASS_IMAGE, 2, 2,
	  "34 HypercallPage",
	  "HypercallPageVa:p" },
	{ CLASS_PERF_INFO, 1, 1,
	  "67 ISR",
	  "InitialTime:t Routine:p ReturnValue:u" },
	{ CLASS_PERF_INFO, 2, 2,
	  "67 ISR",
	  "InitialTime:t Routine:p ReturnValue:b Vector:b Reserved:h" },
	{ CLASS_PERF_INFO, 2, 2,
	  "50 ISR-MSI",
	  "InitialTime:t Routine:p ReturnValue:b Vector:b Reserved:h "
	  "MessageNumber:u" },
	{ CLASS_PERF_INFO, 1, 2,
	  "66 ThreadedDPC,68 DPC,69 TimerDPC",
	  "InitialTime:t Routine:p" },
	{ CLASS_PERF_INFO, 2, 2,
	  "46 SampleProf",
	  "InstructionPointer:p ThreadId:u Count:h Flags:b Rank:b" },
	{ CLASS_PERF_INFO, 2, 2,
	  "47 PmcCounterProf",
	  "InstructionPointer:p ThreadId:u ProfileSource:h Reserved:h" },
	{ CLASS_PERF_INFO, 2, 2,
	  "72 SetInterval,73 CollectionStart,74 CollectionEnd",
	  "Source:u NewInterval:u OldInterval:u" },
	{ CLASS_PERF_INFO, 3, 3,
	  "72 SetInterval,73 CollectionStart,74 CollectionEnd",
	  "Source:u NewInterval:u OldInterval:u SourceName:w" },
	{ CLASS_PERF_INFO, 2, 2,
	  "51 SysClEnter",
	  "SysCallAddress:p" },
	{ CLASS_PERF_INFO, 2, 2,
	  "52 SysClExit",
	  "SysCallNtStatus:x" },
	{ CLASS_PERF_INFO, 2, 2,
	  "58 DebuggerEnabled",
	  "" },
	{ CLASS_STACK_WALK, 0, 2,
	  "32 Stack",
	  "EventTimeStamp:q StackProcess:x StackThread:u Stack:p[]" },
	{ CLASS_STACK_WALK, 2, 2,
	  "34 CreateKey,35 DeleteKey,36 KeyRundown",
	  "StackKey:p Stack:p[]" },
	{ CLASS_STACK_WALK, 2, 2,
	  "37 StackKeyKernel,38 StackKeyUser",
	  "EventTimeStamp:q StackProcess:x StackThread:u StackKey:p" },
	{ CLASS_DISK_IO, 0, 2,
	  "10 Read,11 Write",
	  "DiskNumber:u IrpFlags:x TransferSize:u Reserved:u "
	  "ByteOffset:q FileObject:p Irp:p HighResResponseTime:q" },
	{ CLASS_DISK_IO, 3, 3,
	  "10 Read,11 Write",
	  "DiskNumber:u IrpFlags:x TransferSize:u Reserved:u "
	  "ByteOffset:q FileObject:p Irp:p HighResResponseTime:q "
	  "IssuingThreadId:u" },
	{ CLASS_DISK_IO, 0, 2,
	  "12 ReadInit,13 WriteInit,15 FlushInit",
	  "Irp:p" },
	{ CLASS_DISK_IO, 3, 3,
	  "12 ReadInit,13 WriteInit,15 FlushInit",
	  "Irp:p IssuingThreadId:u" },
	{ CLASS_DISK_IO, 0, 2,
	  "14 FlushBuffers",
	  "DiskNumber:u IrpFlags:x HighResResponseTime:q Irp:p" },
	{ CLASS_DISK_IO, 3, 3,
	  "14 FlushBuffers",
	  "DiskNumber:u IrpFlags:x HighResResponseTime:q Irp:p "
	  "IssuingThreadId:u" },
	{ CLASS_DISK_IO, 0, 2,
	  "34 DrvMjFnCall",
	  "MajorFunction:u MinorFunction:u RoutineAddr:p FileObject:p "
	  "Irp:p UniqMatchId:u" },
	{ CLASS_DISK_IO, 0, 2,
	  "35 DrvMjFnRet,53 DrvComplReqRet",
	  "Irp:p UniqMatchId:u" },
	{ CLASS_DISK_IO, 0, 2,
	  "37 DrvComplRout",
	  "Routine:p IrpPtr:p UniqMatchId:u" },
	{ CLASS_DISK_IO, 0, 2,
	  "52 DrvComplReq",
	  "RoutineAddr:p Irp:p UniqMatchId:u" },
	{ CLASS_FILE_IO, 0, 2,
	  "0 Name,32 FileCreate,35 FileDelete,36 FileRundown",
	  "FileObject:p FileName:w" },
	{ CLASS_FILE_IO, 2, 2,
	  "37 MapFile,38 UnMapFile,39 MapFileDCStart,40 MapFileDCEnd",
	  "ViewBase:p FileObject:p MiscInfo:X ViewSize:z ProcessId:x" },
	{ CLASS_FILE_IO, 2, 2,
	  "64 Create",
	  "IrpPtr:p TTID:p FileObject:p CreateOptions:x "
	  "FileAttributes:x ShareAccess:x OpenPath:w" },
	{ CLASS_FILE_IO, 3, 3,
	  "64 Create",
	  "IrpPtr:p FileObject:p TTID:x CreateOptions:x "
	  "FileAttributes:x ShareAccess:x OpenPath:w" },
	{ CLASS_FILE_IO, 2, 2,
	  "65 Cleanup,66 Close,73 Flush",
	  "IrpPtr:p TTID:p FileObject:p FileKey:p" },
	{ CLASS_FILE_IO, 3, 3,
	  "65 Cleanup,66 Close,73 Flush",
	  "IrpPtr:p FileObject:p FileKey:p TTID:x" },
	{ CLASS_FILE_IO, 2, 2,
	  "67 Read,68 Write",
	  "Offset:X IrpPtr:p TTID:p FileObject:p FileKey:p IoSize:u "
	  "IoFlags:x" },
	{ CLASS_FILE_IO, 3, 3,
	  "67 Read,68 Write",
	  "Offset:X IrpPtr:p FileObject:p FileKey:p TTID:x IoSize:u "
	  "IoFlags:x ExtraFlags:x" },
	{ CLASS_FILE_IO, 2, 2,
	  "69 SetInfo,70 Delete,71 Rename,74 QueryInfo,75 FSControl",
	  "IrpPtr:p TTID:p FileObject:p FileKey:p ExtraInfo:p "
	  "InfoClass:u" },
	{ CLASS_FILE_IO, 3, 3,
	  "69 SetInfo,70 Delete,71 Rename,74 QueryInfo,75 FSControl,"
	  "82 SetLink",
	  "IrpPtr:p FileObject:p FileKey:p ExtraInfo:p TTID:x "
	  "InfoClass:u" },
	{ CLASS_FILE_IO, 3, 3,
	  "79 DeletePath,80 RenamePath,81 SetLinkPath",
	  "IrpPtr:p FileObject:p FileKey:p ExtraInfo:p TTID:x "
	  "InfoClass:u FileName:w" },
	{ CLASS_FILE_IO, 2, 2,
	  "72 DirEnum,77 DirNotify",
	  "IrpPtr:p TTID:p FileObject:p FileKey:p Length:u InfoClass:u "
	  "FileIndex:u FileName:w" },
	{ CLASS_FILE_IO, 3, 3,
	  "72 DirEnum,77 DirNotify",
	  "IrpPtr:p FileObject:p FileKey:p TTID:x Length:u InfoClass:u "
	  "FileIndex:u FileName:w" },
	{ CLASS_FILE_IO, 2, 3,
	  "76 OperationEnd",
	  "IrpPtr:p ExtraInfo:p NtStatus:x" },
	{ CLASS_SPLIT_IO, 0, 2,
	  "32 VolMgr",
	  "ParentIrp:p ChildIrp:p" },
	{ CLASS_TCP_IP, 0, 0,
	  "10 Send,11 Recv,12 Connect,13 Disconnect,14 Retransmit,"
	  "15 Accept",
	  "daddr:4 saddr:4 dport:o sport:o size:u PID:u" },
	{ CLASS_TCP_IP, 1, 1,
	  "11 Recv,13 Disconnect,14 Retransmit,16 Reconnect,18 TCPCopy,"
	  "19 ARPCopy,20 FullACK,21 PartACK,22 DupACK",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o connid:p "
	  "seqnum:u" },
	{ CLASS_TCP_IP, 1, 1,
	  "12 Connect,15 Accept",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o mss:h "
	  "sackopt:h tsopt:h wsopt:h rcvwin:u rcvwinscale:k "
	  "sndwinscale:k connid:p seqnum:u" },
	{ CLASS_TCP_IP, 1, 1,
	  "10 Send",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o startime:u "
	  "endtime:u connid:p seqnum:u" },
	{ CLASS_TCP_IP, 1, 1,
	  "17 Fail",
	  "Proto:u" },
	{ CLASS_TCP_IP, 2, 2,
	  "10 SendIPV4",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o startime:u "
	  "endtime:u seqnum:u connid:p" },
	{ CLASS_TCP_IP, 2, 2,
	  "11 RecvIPV4,13 DisconnectIPV4,14 RetransmitIPV4,"
	  "16 ReconnectIPV4,18 TCPCopyIPV4",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o seqnum:u "
	  "connid:p" },
	{ CLASS_TCP_IP, 2, 2,
	  "12 ConnectIPV4,15 AcceptIPV4",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o mss:h "
	  "sackopt:h tsopt:h wsopt:h rcvwin:u rcvwinscale:k "
	  "sndwinscale:k seqnum:u connid:p" },
	{ CLASS_TCP_IP, 2, 2,
	  "26 SendIPV6",
	  "PID:u size:u daddr:6 saddr:6 dport:o sport:o startime:u "
	  "endtime:u seqnum:u connid:p" },
	{ CLASS_TCP_IP, 2, 2,
	  "27 RecvIPV6,29 DisconnectIPV6,30 RetransmitIPV6,"
	  "32 ReconnectIPV6,34 TCPCopyIPV6",
	  "PID:u size:u daddr:6 saddr:6 dport:o sport:o seqnum:u "
	  "connid:p" },
	{ CLASS_TCP_IP, 2, 2,
	  "28 ConnectIPV6,31 AcceptIPV6",
	  "PID:u size:u daddr:6 saddr:6 dport:o sport:o mss:h "
	  "sackopt:h tsopt:h wsopt:h rcvwin:u rcvwinscale:k "
	  "sndwinscale:k seqnum:u connid:p" },
	{ CLASS_TCP_IP, 2, 2,
	  "17 Fail",
	  "Proto:h FailureCode:h" },
	{ CLASS_UDP_IP, 0, 0,
	  "10 Send,11 Recv",
	  "context:p saddr:4 sport:o size:h daddr:4 dport:o dsize:h" },
	{ CLASS_UDP_IP, 1, 1,
	  "10 Send,11 Recv",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o" },
	{ CLASS_UDP_IP, 2, 2,
	  "10 SendIPV4,11 RecvIPV4",
	  "PID:u size:u daddr:4 saddr:4 dport:o sport:o seqnum:u "
	  "connid:p" },
	{ CLASS_UDP_IP, 2, 2,
	  "26 SendIPV6,27 RecvIPV6",
	  "PID:u size:u daddr:6 saddr:6 dport:o sport:o seqnum:u "
	  "connid:p" },
	{ CLASS_UDP_IP, 2, 2,
	  "17 Fail",
	  "Proto:h FailureCode:h" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "10 TransitionFault,11 DemandZeroFault,12 CopyOnWrite,"
	  "13 GuardPageFault,14 HardPageFault,15 AccessViolation",
	  "VirtualAddress:p ProgramCounter:p" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "32 HardFault",
	  "InitialTime:t ReadOffset:X VirtualAddress:p FileObject:p "
	  "TThreadId:x ByteCount:u" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "98 VirtualAlloc,99 VirtualFree",
	  "BaseAddress:p RegionSize:z ProcessId:x Flags:x" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "100 HRRundown",
	  "HeapHandle:p HRFlags:x HRPid:x HRRangeCount:u" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "101 HRCreate",
	  "HeapHandle:p FirstRangeSize:z HRCreateFlags:x" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "102 HRReserve,103 HRRelease",
	  "HeapHandle:p HRAddress:p HRSize:z" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "104 HRDestroy",
	  "HeapHandle:p" },
	{ CLASS_PAGE_FAULT, 0, 2,
	  "105 ImageLoadBacked",
	  "FileObject:p DeviceChar:x FileChar:y LoadFlags:y" },
	{ CLASS_REGISTRY, 0, 0,
	  "10 Create,11 Open,12 Delete,13 Query,14 SetValue,"
	  "15 DeleteValue,16 QueryValue,17 EnumerateKey,"
	  "18 EnumerateValueKey,19 QueryMultipleValue,"
	  "20 SetInformation,21 Flush",
	  "Status:p KeyHandle:p ElapsedTime:j KeyName:w" },
	{ CLASS_REGISTRY, 1, 1,
	  "10 Create,11 Open,12 Delete,13 Query,14 SetValue,"
	  "15 DeleteValue,16 QueryValue,17 EnumerateKey,"
	  "18 EnumerateValueKey,19 QueryMultipleValue,"
	  "20 SetInformation,21 Flush,22 RunDown",
	  "Status:p KeyHandle:p ElapsedTime:j Index:u KeyName:w" },
	{ CLASS_REGISTRY, 2, 2,
	  "10 Create,11 Open,12 Delete,13 Query,14 SetValue,"
	  "15 DeleteValue,16 QueryValue,17 EnumerateKey,"
	  "18 EnumerateValueKey,19 QueryMultipleValue,"
	  "20 SetInformation,21 Flush,22 KCBCreate,23 KCBDelete,"
	  "24 KCBRundownBegin,25 KCBRundownEnd,26 Virtualize,27 Close",
	  "InitialTime:j Status:u Index:u KeyHandle:p KeyName:w" },
	{ CLASS_ALPC, 0, 2,
	  "33 ALPC-Send-Message,34 ALPC-Receive-Message,"
	  "35 ALPC-Wait-For-Reply",
	  "MessageID:u" },
	{ CLASS_ALPC, 0, 2,
	  "36 ALPC-Wait-For-New-Message",
	  "IsServerPort:u PortName:s" },
	{ CLASS_ALPC, 0, 2,
	  "37 ALPC-Unwait",
	  "Status:u" },
	{ CLASS_POOL, 0, 2,
	  "32 Alloc,33 AllocSession,34 Free,35 FreeSession",
	  "PoolType:x Tag:x NumberOfBytes:z Entry:p" },
	{ CLASS_OBJECT, 0, 2,
	  "32 CreateHandle,33 CloseHandle",
	  "Object:p Handle:x ObjectType:h" },
	{ CLASS_OBJECT, 0, 2,
	  "34 DuplicateHandle",
	  "Object:p SourceHandle:x TargetHandle:x TargetProcessId:x "
	  "ObjectType:h SourceProcessId:x" },
	{ CLASS_OBJECT, 0, 2,
	  "36 TypeDCStart,37 TypeDCEnd",
	  "ObjectType:h Reserved:h ObjectTypeName:w" },
	{ CLASS_OBJECT, 0, 2,
	  "38 HandleDCStart,39 HandleDCEnd",
	  "Object:p ProcessId:x Handle:x ObjectType:h ObjectName:w" },
	{ CLASS_DEBUG_PRINT, 0, 2,
	  "32 DbgPrint",
	  "Component:u Level:u Message:s" },
	{ CLASS_SYSTEM_CONFIG, 0, 1,
	  "10 CPU",
	  "MHz:u NumberOfProcessors:u MemSize:u PageSize:u "
	  "AllocationGranularity:u ComputerName:w[256] "
	  "DomainName:w[132] HyperThreadingFlag:p" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "10 CPU",
	  "MHz:u NumberOfProcessors:u MemSize:u PageSize:u "
	  "AllocationGranularity:u ComputerName:w[256] "
	  "DomainName:w[134] HyperThreadingFlag:p" },
	{ CLASS_SYSTEM_CONFIG, 3, 3,
	  "10 CPU",
	  "MHz:u NumberOfProcessors:u MemSize:u PageSize:u "
	  "AllocationGranularity:u ComputerName:w[256] "
	  "DomainName:w[134] HyperThreadingFlag:p HighestUserAddress:p "
	  "ProcessorArchitecture:h ProcessorLevel:h "
	  "ProcessorRevision:y NxEnabled:b PaeEnabled:b MemorySpeed:u" },
	{ CLASS_SYSTEM_CONFIG, 0, 2,
	  "11 PhyDisk",
	  "DiskNumber:u BytesPerSector:u SectorsPerTrack:u "
	  "TracksPerCylinder:u Cylinders:q SCSIPort:u SCSIPath:u "
	  "SCSITarget:u SCSILun:u Manufacturer:w[256] PartitionCount:u "
	  "WriteCacheEnabled:b Pad:b BootDriveLetter:w[3] Spare:w[2]" },
	{ CLASS_SYSTEM_CONFIG, 0, 1,
	  "12 LogDisk",
	  "StartOffset:q PartitionSize:q DiskNumber:u Size:u "
	  "DriveType:u DriveLetterString:w[4] Pad1:u PartitionNumber:u "
	  "SectorsPerCluster:u BytesPerSector:u Pad2:u "
	  "NumberOfFreeClusters:j TotalNumberOfClusters:j "
	  "FileSystem:w[16] VolumeExt:u" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "12 LogDisk",
	  "StartOffset:q PartitionSize:q DiskNumber:u Size:u "
	  "DriveType:u DriveLetterString:w[4] Pad1:u PartitionNumber:u "
	  "SectorsPerCluster:u BytesPerSector:u Pad2:u "
	  "NumberOfFreeClusters:j TotalNumberOfClusters:j "
	  "FileSystem:w[16] VolumeExt:u Pad3:u" },
	{ CLASS_SYSTEM_CONFIG, 0, 1,
	  "13 NIC",
	  "NICName:w[256] Index:u PhysicalAddrLen:u PhysicalAddr:w[8] "
	  "Size:u IpAddress:i SubnetMask:i DhcpServer:i Gateway:i "
	  "PrimaryWinsServer:i SecondaryWinsServer:i DnsServer1:i "
	  "DnsServer2:i DnsServer3:i DnsServer4:i Data:u" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "13 NIC",
	  "PhysicalAddr:X PhysicalAddrLen:u Ipv4Index:u Ipv6Index:u "
	  "NICDescription:w IpAddresses:w DnsServerAddresses:w" },
	{ CLASS_SYSTEM_CONFIG, 0, 2,
	  "14 Video",
	  "MemorySize:u XResolution:u YResolution:u BitsPerPixel:u "
	  "VRefresh:u ChipType:w[256] DACType:w[256] "
	  "AdapterString:w[256] BiosString:w[256] DeviceId:w[256] "
	  "StateFlags:x" },
	{ CLASS_SYSTEM_CONFIG, 0, 1,
	  "15 Services",
	  "ServiceName:w[34] DisplayName:w[256] ProcessName:w[34] "
	  "ProcessId:u" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "15 Services",
	  "ProcessId:x ServiceState:x SubProcessTag:x ServiceName:w "
	  "DisplayName:w ProcessName:w" },
	{ CLASS_SYSTEM_CONFIG, 3, 3,
	  "15 Services",
	  "ProcessId:x ServiceState:x SubProcessTag:x ServiceName:w "
	  "DisplayName:w ProcessName:w LoadOrderGroup:w SvchostGroup:w" },
	{ CLASS_SYSTEM_CONFIG, 0, 2,
	  "16 Power",
	  "S1:b S2:b S3:b S4:b S5:b AoAc:b Pad2:b Pad3:b" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "17 Network",
	  "TcbTablePartitions:u MaxHashTableSize:u MaxUserPort:u "
	  "TcpTimedWaitDelay:u" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "18 OpticalMedia",
	  "DiskNumber:h BusType:h DeviceType:h MediaType:h "
	  "StartingOffset:q Size:q NumberOfFreeBlocks:q "
	  "TotalNumberOfBlocks:q NextWritableAddress:q "
	  "NumberOfSessions:u NumberOfTracks:u BytesPerSector:u "
	  "DiscStatus:h LastSessionStatus:h DriveLetter:w "
	  "FileSystemName:w DeviceName:s ManufacturerName:s" },
	{ CLASS_SYSTEM_CONFIG, 0, 2,
	  "21 IRQ",
	  "IRQAffinity:X IRQNum:u DeviceDescriptionLen:u "
	  "DeviceDescription:w" },
	{ CLASS_SYSTEM_CONFIG, 3, 3,
	  "21 IRQ",
	  "IRQAffinity:X IRQGroup:h Reserved:h IRQNum:u "
	  "DeviceDescriptionLen:u DeviceDescription:w" },
	{ CLASS_SYSTEM_CONFIG, 0, 3,
	  "22 PnP",
	  "IDLength:u DescriptionLength:u FriendlyNameLength:u "
	  "DeviceID:w DeviceDescription:w FriendlyName:w" },
	{ CLASS_SYSTEM_CONFIG, 4, 4,
	  "22 PnP",
	  "ClassGuid:g UpperFiltersCount:u LowerFiltersCount:u "
	  "DeviceID:w DeviceDescription:w FriendlyName:w PdoName:w "
	  "ServiceName:w UpperFilters:w[UpperFiltersCount] "
	  "LowerFilters:w[LowerFiltersCount]" },
	{ CLASS_SYSTEM_CONFIG, 5, 5,
	  "22 PnP",
	  "ClassGuid:g UpperFiltersCount:u LowerFiltersCount:u "
	  "DevStatus:x DevProblem:x DeviceID:w DeviceDescription:w "
	  "FriendlyName:w PdoName:w ServiceName:w "
	  "UpperFilters:w[UpperFiltersCount] "
	  "LowerFilters:w[LowerFiltersCount]" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "23 IDEChannel",
	  "TargetId:u DeviceType:x DeviceTimingMode:x "
	  "LocationInformationLen:u LocationInformation:w" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "25 Platform",
	  "SystemManufacturer:w SystemProductName:w BiosDate:w "
	  "BiosVersion:w" },
	{ CLASS_SYSTEM_CONFIG, 2, 2,
	  "28 DPI",
	  "MachineDPI:u UserDPI:u" },
	{ CLASS_LOST_EVENT, 0, ANY,
	  "32 RTLostEvent,33 RTLostBuffer,34 RTLostFile",
	  "" },
	{ CLASS_IMAGE_ID, 2, 2,
	  "0 ImageID",
	  "ImageBase:p ImageSize:p ProcessId:x TimeDateStamp:x "
	  "OriginalFileName:w" },
	{ CLASS_IMAGE_ID, 2, 2,
	  "32 DbgID_None",
	  "ImageBase:p ProcessId:x" },
	{ CLASS_IMAGE_ID, 2, 2,
	  "36 DbgID_RSDS,37 DbgID_ILRSDS",
	  "ImageBase:p ProcessId:x GuidSig:g Age:u PdbFileName:s" },
	{ CLASS_IMAGE_ID, 0, 0,
	  "64 FileVersion",
	  "ImageSize:x TimeDateStamp:x OrigFileName:w "
	  "FileDescription:w FileVersion:w BinFileVersion:w "
	  "VerLanguage:w ProductName:w CompanyName:w ProductVersion:w "
	  "FileId:w ProgramId:w" },
	{ CLASS_SYS_CONFIG, 0, 0,
	  "32 BuildInfo",
	  "InstallDate:f BuildLab:w ProductName:w" },
	{ CLASS_SYS_CONFIG, 0, 0,
	  "33 SystemPaths",
	  "SystemDirectory:w SystemWindowsDirectory:w" },
	{ CLASS_SYS_CONFIG, 0, 0,
	  "34 UnknownVolume",
	  "DosPath:w" },
	{ CLASS_SYS_CONFIG, 0, 0,
	  "35 VolumeMapping",
	  "NtPath:w DosPath:w" },
	{ CLASS_HEAP, 0, 2,
	  "32 Create",
	  "HeapHandle:p HeapFlags:x" },
	{ CLASS_HEAP, 0, 2,
	  "33 Alloc",
	  "HeapHandle:p AllocSize:z AllocAddress:p SourceId:u" },
	{ CLASS_HEAP, 0, 2,
	  "34 ReAlloc",
	  "HeapHandle:p NewAllocAddress:p OldAllocAddress:p "
	  "NewAllocSize:z OldAllocSize:z SourceId:u" },
	{ CLASS_HEAP, 0, 2,
	  "36 Free",
	  "HeapHandle:p FreeAddress:p SourceId:u" },
	{ CLASS_HEAP, 0, 2,
	  "37 Expand",
	  "HeapHandle:p CommittedSize:z CommitAddress:p FreeSpace:z "
	  "CommittedSpace:z ReservedSpace:z NoOfUCRs:u" },
	{ CLASS_HEAP, 0, 2,
	  "38 SnapShot",
	  "HeapHandle:p FreeSpace:z CommittedSpace:z ReservedSpace:z "
	  "HeapFlags:x" },
	{ CLASS_HEAP, 0, 2,
	  "42 Contract",
	  "HeapHandle:p DeCommittedSize:z DeCommitAddress:p FreeSpace:z "
	  "CommittedSpace:z ReservedSpace:z NoOfUCRs:u" },
	{ CLASS_HEAP, 0, 2,
	  "35 Destroy,43 Lock,44 Unlock,45 Validate,46 Walk",
	  "HeapHandle:p" },
	{ CLASS_CRIT_SEC, 0, 2,
	  "34 Collision",
	  "LockCount:u SpinCount:u OwningThread:p CritSecAddr:p" },
	{ CLASS_CRIT_SEC, 0, 2,
	  "35 Initialize",
	  "SpinCount:p CritSecAddr:p" },
	{ CLASS_THREAD_POOL, 0, 2,
	  "32 CBEnqueue,34 CBStart",
	  "PoolId:p TaskId:p CallbackFunction:p CallbackContext:p "
	  "SubProcessTag:p" },
	{ CLASS_THREAD_POOL, 0, 2,
	  "33 CBDequeue,35 CBStop",
	  "TaskId:p" },
	{ CLASS_THREAD_POOL, 0, 2,
	  "36 CBCancel",
	  "TaskId:p CancelCount:u" },
	{ CLASS_THREAD_POOL, 0, 2,
	  "37 PoolCreate,38 PoolClose",
	  "PoolId:p" },
	{ CLASS_THREAD_POOL, 0, 2,
	  "39 ThreadMinSet,40 ThreadMaxSet",
	  "PoolId:p ThreadNum:u" },
	/* Offsets and texts of the description follow */
	{ CLASS_META_DATA, 0, ANY,
	  "32 EventInfo",
	  "ProviderGuid:g EventGuid:g Id:h Version:b Channel:b Level:b "
	  "Opcode:b Task:h Keyword:X DecodingSource:u" },
	{ CLASS_META_DATA, 0, ANY,
	  "33 EventMapInfo",
	  "ProviderGuid:g NameOffset:u Flag:x EntryCount:u" },
};

const unsigned int kernel_layout_count = EVNT_ARRAY_SIZE(kernel_layouts);
