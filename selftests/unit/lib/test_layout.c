// SPDX-License-Identifier: MIT
/* Sizes and offsets of the public structures, as on 64-bit Windows. */
#include <stddef.h>

#include <linux/evntrace.h>
#include "core/self_layout.h"

#define INITGUID
#include "evntcons.h"
#include "evntlinux.h"
#include "selftests/unit/common/tap.h"
#include "tdh/winmeta.h"

#define SIZE(type, n) \
	CHECK(sizeof(type) == (n), #type ": %zu", sizeof(type))
#define AT(type, field, n) \
	CHECK(offsetof(type, field) == (n), #type "." #field)

static void test_provider(void)
{
	SIZE(GUID, 16);
	SIZE(LONG, 4);
	SIZE(ULONG, 4);
	SIZE(BOOLEAN, 1);
	SIZE(WCHAR, 2);
	SIZE(ULONGLONG, 8);
	SIZE(FILETIME, 8);
	SIZE(SYSTEMTIME, 16);
	SIZE(LARGE_INTEGER, 8);
	SIZE(REGHANDLE, 8);
	SIZE(TIME_ZONE_INFORMATION, 172);
	AT(TIME_ZONE_INFORMATION, StandardBias, 84);
	AT(TIME_ZONE_INFORMATION, DaylightBias, 168);
	SIZE(EVENT_DATA_DESCRIPTOR, 16);
	AT(EVENT_DATA_DESCRIPTOR, Size, 8);
	AT(EVENT_DATA_DESCRIPTOR, Type, 12);
	AT(EVENT_DATA_DESCRIPTOR, Reserved2, 14);
	SIZE(EVENT_DESCRIPTOR, 16);
	AT(EVENT_DESCRIPTOR, Level, 4);
	AT(EVENT_DESCRIPTOR, Task, 6);
	AT(EVENT_DESCRIPTOR, Keyword, 8);
	SIZE(EVENT_FILTER_DESCRIPTOR, 16);
	SIZE(EVENT_FILTER_HEADER, 24);
	AT(EVENT_FILTER_HEADER, InstanceId, 8);
	AT(EVENT_FILTER_HEADER, NextOffset, 20);
	SIZE(EVENT_FILTER_EVENT_ID, 6);
	AT(EVENT_FILTER_EVENT_ID, Events, 4);
	SIZE(EVENT_FILTER_EVENT_NAME, 24);
	AT(EVENT_FILTER_EVENT_NAME, Names, 20);
	SIZE(EVENT_FILTER_LEVEL_KW, 24);
}

static void test_controller(void)
{
	SIZE(WNODE_HEADER, 48);
	AT(WNODE_HEADER, HistoricalContext, 8);
	AT(WNODE_HEADER, Guid, 24);
	AT(WNODE_HEADER, Flags, 44);
	SIZE(EVENT_TRACE_PROPERTIES, 120);
	AT(EVENT_TRACE_PROPERTIES, BufferSize, 48);
	AT(EVENT_TRACE_PROPERTIES, LogFileMode, 64);
	AT(EVENT_TRACE_PROPERTIES, EventsLost, 88);
	AT(EVENT_TRACE_PROPERTIES, LoggerThreadId, 104);
	AT(EVENT_TRACE_PROPERTIES, LoggerNameOffset, 116);
	SIZE(EVENT_TRACE_PROPERTIES_V2, 144);
	AT(EVENT_TRACE_PROPERTIES_V2, V2Control, 120);
	AT(EVENT_TRACE_PROPERTIES_V2, FilterDesc, 128);
	AT(EVENT_TRACE_PROPERTIES_V2, V2Options, 136);
	SIZE(ENABLE_TRACE_PARAMETERS, 48);
	SIZE(TRACE_GUID_PROPERTIES, 36);
	SIZE(TRACE_GUID_INFO, 8);
	SIZE(TRACE_PROVIDER_INSTANCE_INFO, 16);
	SIZE(TRACE_ENABLE_INFO, 32);
	SIZE(TRACE_VERSION_INFO, 8);
	SIZE(TRACE_PERIODIC_CAPTURE_STATE_INFO, 8);
	AT(TRACE_PERIODIC_CAPTURE_STATE_INFO, ProviderCount, 4);
	SIZE(CLASSIC_EVENT_ID, 24);
	SIZE(TRACE_PROFILE_INTERVAL, 8);
	SIZE(PROFILE_SOURCE_INFO, 32);
	AT(PROFILE_SOURCE_INFO, Description, 24);
	SIZE(TRACE_STACK_CACHING_INFO, 12);
	AT(TRACE_STACK_CACHING_INFO, CacheSize, 4);
	SIZE(TRACE_CONTEXT_REGISTER_INFO, 8);
	SIZE(ETW_PMC_COUNTER_OWNER, 12);
	SIZE(ETW_PMC_COUNTER_OWNERSHIP_STATUS, 20);
	SIZE(ETW_PMC_SESSION_INFO, 16);
	AT(ETW_PMC_SESSION_INFO, ProfileSourceCount, 8);
	SIZE(ENABLE_TRACE_PARAMETERS_V1, 40);
	AT(ENABLE_TRACE_PARAMETERS, SourceId, 12);
	AT(ENABLE_TRACE_PARAMETERS, EnableFilterDesc, 32);
	AT(ENABLE_TRACE_PARAMETERS, FilterDescCount, 40);
}

static void test_consumer(void)
{
	SIZE(EVENT_TRACE_HEADER, 48);
	AT(EVENT_TRACE_HEADER, Class, 4);
	AT(EVENT_TRACE_HEADER, Guid, 24);
	AT(EVENT_TRACE_HEADER, ProcessorTime, 40);
	AT(EVENT_TRACE_HEADER, Flags, 44);
	SIZE(EVENT_INSTANCE_HEADER, 56);
	AT(EVENT_INSTANCE_HEADER, Class, 4);
	AT(EVENT_INSTANCE_HEADER, RegHandle, 24);
	AT(EVENT_INSTANCE_HEADER, InstanceId, 32);
	AT(EVENT_INSTANCE_HEADER, ParentInstanceId, 36);
	AT(EVENT_INSTANCE_HEADER, Flags, 44);
	AT(EVENT_INSTANCE_HEADER, ParentRegHandle, 48);
	SIZE(EVENT_INSTANCE_INFO, 16);
	AT(EVENT_INSTANCE_INFO, InstanceId, 8);
	SIZE(MOF_FIELD, 16);
	AT(MOF_FIELD, Length, 8);
	AT(MOF_FIELD, DataType, 12);
	SIZE(TRACE_GUID_REGISTRATION, 16);
	AT(TRACE_GUID_REGISTRATION, RegHandle, 8);
	SIZE(EVENT_TRACE, 88);
	AT(EVENT_TRACE, MofData, 72);
	AT(EVENT_TRACE, BufferContext, 84);
	SIZE(TRACE_LOGFILE_HEADER, 280);
	AT(TRACE_LOGFILE_HEADER, EndTime, 16);
	AT(TRACE_LOGFILE_HEADER, EventsLost, 48);
	AT(TRACE_LOGFILE_HEADER, LogInstanceGuid, 40);
	AT(TRACE_LOGFILE_HEADER, PointerSize, 44);
	AT(TRACE_LOGFILE_HEADER, CpuSpeedInMHz, 52);
	AT(TRACE_LOGFILE_HEADER, LogFileName, 64);
	AT(TRACE_LOGFILE_HEADER, TimeZone, 72);
	AT(TRACE_LOGFILE_HEADER, PerfFreq, 256);
	AT(TRACE_LOGFILE_HEADER, StartTime, 264);
	AT(TRACE_LOGFILE_HEADER, ReservedFlags, 272);
	AT(TRACE_LOGFILE_HEADER, BootTime, 248);
	AT(TRACE_LOGFILE_HEADER, BuffersLost, 276);
	SIZE(ETW_BUFFER_HEADER, 72);
	AT(ETW_BUFFER_HEADER, TimeStamp, 16);
	AT(ETW_BUFFER_HEADER, ClientContext, 40);
	AT(ETW_BUFFER_HEADER, FilledBytes, 48);
	SIZE(ETW_BUFFER_CALLBACK_INFORMATION, 24);
	AT(ETW_BUFFER_CALLBACK_INFORMATION, BuffersRead, 16);
	SIZE(ETW_OPEN_TRACE_OPTIONS, 40);
	AT(ETW_OPEN_TRACE_OPTIONS, BufferCallbackContext, 32);
	SIZE(EVENT_TRACE_LOGFILEW, 448);
	SIZE(EVENT_TRACE_LOGFILEA, 448);
	AT(EVENT_TRACE_LOGFILEW, CurrentTime, 16);
	AT(EVENT_TRACE_LOGFILEW, ProcessTraceMode, 28);
	AT(EVENT_TRACE_LOGFILEW, CurrentEvent, 32);
	AT(EVENT_TRACE_LOGFILEW, LogfileHeader, 120);
	AT(EVENT_TRACE_LOGFILEW, BufferCallback, 400);
	AT(EVENT_TRACE_LOGFILEW, EventCallback, 424);
	AT(EVENT_TRACE_LOGFILEW, Filled, 412);
	AT(EVENT_TRACE_LOGFILEW, IsKernelTrace, 432);
	AT(EVENT_TRACE_LOGFILEW, Context, 440);
	SIZE(EVENT_HEADER, 80);
	AT(EVENT_HEADER, ProviderId, 24);
	AT(EVENT_HEADER, EventDescriptor, 40);
	AT(EVENT_HEADER, ProcessorTime, 56);
	AT(EVENT_HEADER, ActivityId, 64);
	SIZE(EVENT_RECORD, 112);
	AT(EVENT_RECORD, BufferContext, 80);
	AT(EVENT_RECORD, ExtendedDataCount, 84);
	AT(EVENT_RECORD, ExtendedData, 88);
	AT(EVENT_RECORD, UserData, 96);
	AT(EVENT_RECORD, UserContext, 104);
	SIZE(EVENT_HEADER_EXTENDED_DATA_ITEM, 16);
	AT(EVENT_HEADER_EXTENDED_DATA_ITEM, DataPtr, 8);
	SIZE(ETW_BUFFER_CONTEXT, 4);
	SIZE(EVENT_EXTENDED_ITEM_STACK_TRACE32, 16);
	SIZE(EVENT_EXTENDED_ITEM_STACK_TRACE64, 16);
	AT(EVENT_EXTENDED_ITEM_STACK_TRACE32, Address, 8);
	AT(EVENT_EXTENDED_ITEM_STACK_TRACE64, Address, 8);
	SIZE(EVENT_EXTENDED_ITEM_STACK_KEY32, 16);
	SIZE(EVENT_EXTENDED_ITEM_STACK_KEY64, 16);
	SIZE(EVENT_EXTENDED_ITEM_TS_ID, 4);
	SIZE(EVENT_EXTENDED_ITEM_EVENT_KEY, 8);
	SIZE(EVENT_EXTENDED_ITEM_PROCESS_START_KEY, 8);
	SIZE(EVENT_EXTENDED_ITEM_INSTANCE, 24);
}

/* Structures that the library passes through unchanged */
static void test_abi(void)
{
	static const struct evntprov_guid default_guid = EVNTRACE_ACCESS_DEFAULT;

	SIZE(struct evntprov_version, 24);
	SIZE(struct evntprov_write, 88);
	CHECK(sizeof(struct evntprov_descriptor) == sizeof(EVENT_DESCRIPTOR),
	      "the ABI's descriptor is EVENT_DESCRIPTOR");
	CHECK(sizeof(struct evntprov_data) == sizeof(EVENT_DATA_DESCRIPTOR) &&
	      offsetof(struct evntprov_data, type) ==
	      offsetof(EVENT_DATA_DESCRIPTOR, Type),
	      "the ABI's block is EVENT_DATA_DESCRIPTOR");
	SIZE(struct evntprov_enable, EVNTPROV_SLOT_SIZE);
	AT(struct evntprov_enable, set_level, 6);
	AT(struct evntprov_enable, session, 24);
	SIZE(struct evntprov_notification, 72);
	AT(struct evntprov_notification, handle, 8);
	AT(struct evntprov_notification, control, 32);
	AT(struct evntprov_notification, match_any, 40);
	AT(struct evntprov_notification, filter_type, 56);
	SIZE(struct evntprov_image, 40);
	SIZE(struct evntprov_manifest, 16);
	SIZE(struct evntprov_process, 40);
	AT(struct evntprov_process, process_id, 8);
	AT(struct evntprov_process, exit_status, 20);
	AT(struct evntprov_process, page_table, 24);
	AT(struct evntprov_process, flags, 32);
	AT(struct evntprov_process, sid, 36);
	SIZE(struct evntrace_start, 120);
	SIZE(struct evntrace_newfile, 40);
	SIZE(struct evntrace_session, 256);
	AT(struct evntrace_session, events_blocked, 216);
	AT(struct evntrace_session, blocker, 224);
	AT(struct evntrace_session, registrations, 232);
	AT(struct evntrace_session, events_filtered, 240);
	AT(struct evntrace_session, stack_flags, 248);
	SIZE(struct evntrace_cpu, 16);
	SIZE(struct evntrace_open, 64);
	SIZE(struct evntrace_open_consumer, 32);
	SIZE(struct evntrace_next, 48);
	SIZE(struct evntrace_snapshot, 48);
	SIZE(struct evntrace_enable, 96);
	SIZE(struct evntrace_update, 40);
	SIZE(struct evntrace_list, 80);
	SIZE(struct evntrace_filter, 16);
	SIZE(struct evntprov_ring, 72);
	AT(struct evntprov_ring, id, 8);
	AT(struct evntprov_ring, lost, 12);
	AT(struct evntprov_ring, commit, 64);
	SIZE(struct evntprov_private, 88);
	AT(struct evntprov_private, events, 24);
	AT(struct evntprov_private, description, 64);
	AT(struct evntprov_private, flushes, 84);
	AT(struct evntrace_enable, filters, 80);
	AT(struct evntrace_enable, captures, 92);
	SIZE(struct evntprov_filter_header, 24);
	SIZE(struct evntrace_program, 8);
	SIZE(struct evntrace_instruction, 16);
	SIZE(struct evntrace_registration, 128);
	SIZE(struct evntrace_enablement, 48);
	SIZE(struct evntrace_access, 40);
	SIZE(struct evntrace_user, 56);
	AT(struct evntrace_list, cursor, 48);
	CHECK(!memcmp(&default_guid, &DefaultTraceSecurityGuid, sizeof(GUID)),
	      "the ABI's default is DefaultTraceSecurityGuid");
}

static void test_helpers(void)
{
	EVENT_DATA_DESCRIPTOR data;
	EVENT_DESCRIPTOR d;

	memset(&data, 0xff, sizeof(data));
	EventDataDescCreate(&data, &d, 12);
	CHECK(data.Ptr == (uintptr_t)&d && data.Size == 12 && !data.Reserved,
	      "EventDataDescCreate sets all members");
	EventDescCreate(&d, 1, 2, 3, 4, 5, 6, 7);
	CHECK(d.Id == 1 && d.Version == 2 && d.Channel == 3 && d.Level == 4 &&
	      d.Task == 5 && d.Opcode == 6 && d.Keyword == 7,
	      "EventDescCreate takes the task before the opcode");
	CHECK(EventDescSetId(&d, 9) == &d && EventDescGetId(&d) == 9,
	      "setters can be chained");
	CHECK(EventDescGetKeyword(EventDescOrKeyword(&d, 8)) == 15,
	      "EventDescOrKeyword adds a keyword");
	EventDescZero(&d);
	CHECK(!d.Id && !d.Keyword, "EventDescZero clears all members");
}

/* The last keywords of providers, which have a bit each */
static void test_system_providers(void)
{
	CHECK(SYSTEM_PROCESS_KW_LOADER == 0x1000 &&
	      SYSTEM_SCHEDULER_KW_AUTOBOOST == 0x10000 &&
	      SYSTEM_IO_KW_TIMER == 0x800 &&
	      SYSTEM_MEMORY_KW_NONTRADEABLE == 0x8000 &&
	      SYSTEM_INTERRUPT_KW_IPI == 0x40,
	      "keywords of system providers");
	CHECK(SystemProcessProviderGuid.Data1 == 0x151f55dc &&
	      SystemTimerProviderGuid.Data4[7] == 0x5b,
	      "ids of system providers");
}

int main(void)
{
	test_provider();
	test_controller();
	test_consumer();
	test_abi();
	test_helpers();
	test_system_providers();
	return tap_end();
}
