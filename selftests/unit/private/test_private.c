// SPDX-License-Identifier: MIT
/*
 * Private sessions without the module and without any right: each rule for
 * their arguments, each error, and the contents of their files.
 *
 * An independent reader checks a file too, if $EVNT_DATA/../tools has it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#include <linux/evntrace.h>

#include "selftests/unit/common/private_session.h"

#include "evntlinux.h"
#include "selftests/unit/common/tap.h"

static const GUID other = { 0x55667788, 1, 2, { 3 } };

/* The first and last events that were read, and their number */
static struct {
	unsigned int events;
	EVENT_RECORD first;
	EVENT_RECORD last;
	unsigned int items;
	USHORT types[8];
	GUID related;
	BYTE data[64];
	ULONGLONG ticks;
	bool went_back;
} seen;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	USHORT i;

	if (private_is_header(r))
		return;
	seen.went_back |= r->EventHeader.ProcessorTime < seen.ticks;
	seen.ticks = r->EventHeader.ProcessorTime;
	if (!seen.events++)
		seen.first = *r;
	seen.last = *r;
	seen.items = r->ExtendedDataCount;
	for (i = 0; i < r->ExtendedDataCount && i < 8; i++) {
		seen.types[i] = r->ExtendedData[i].ExtType;
		if (r->ExtendedData[i].ExtType ==
		    EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID)
			memcpy(&seen.related,
			       (void *)(uintptr_t)r->ExtendedData[i].DataPtr,
			       sizeof(GUID));
	}
	if (r->UserDataLength <= sizeof(seen.data))
		memcpy(seen.data, r->UserData, r->UserDataLength);
}

static ULONG read_log(const char *name)
{
	memset(&seen, 0, sizeof(seen));
	return private_read(private_path(name), on_event, NULL, NULL);
}

static ULONG enable(TRACEHANDLE h, UCHAR level, ULONGLONG any, ULONGLONG all)
{
	return EnableTraceEx2(h, &provider, EVENT_CONTROL_CODE_ENABLE_PROVIDER,
			      level, any, all, 0, NULL);
}

static void independent_reader(const char *path)
{
	const char *folder = getenv("EVNT_DATA");
	char tool[256], command[512];

	snprintf(tool, sizeof(tool), "%s/../tools/etlscan.py",
		 folder ? folder : "");
	if (!folder || access(tool, R_OK)) {
		SKIP("no independent reader in EVNT_DATA/../tools");
		return;
	}
	snprintf(command, sizeof(command), "python3 %s %s > /dev/null", tool,
		 path);
	CHECK(!system(command), "an independent reader finds nothing wrong");
}

static void test_a_session(void)
{
	struct private_properties p;
	TRACE_LOGFILE_HEADER header;
	TRACEHANDLE h = 0;
	REGHANDLE r;
	unsigned int i, failed = 0;

	CHECK(!private_start(&p, "first", &h) && h, "a session starts");
	CHECK(!strcmp(p.name, "first") && p.p.Wnode.HistoricalContext == h &&
	      p.p.NumberOfBuffers && p.p.BufferSize == 64,
	      "a query returns the session's properties");
	CHECK(!EventRegister(&provider, NULL, NULL, &r) &&
	      !EventProviderEnabled(r, 0, 0),
	      "a provider is not enabled at first");
	CHECK(!enable(h, 0, 0, 0) && EventProviderEnabled(r, 5, 1),
	      "a provider is");
	for (i = 0; i < 5000; i++)
		failed += !!private_write(r, i);
	CHECK(!failed && !private_stop(&p, h) && !EventProviderEnabled(r, 0, 0),
	      "events are written, and the session stops");
	CHECK(!p.p.EventsLost && p.p.BuffersWritten > 2,
	      "StopTrace reports no loss");
	CHECK(!read_log("first") && seen.events == 5000,
	      "the log contains all events");
	CHECK(seen.last.EventHeader.Flags & EVENT_HEADER_FLAG_PRIVATE_SESSION &&
	      seen.last.EventHeader.ProcessorTime && !seen.went_back,
	      "events have an increasing processor time");
	CHECK(seen.last.EventHeader.ProcessId == (ULONG)getpid() &&
	      seen.last.EventHeader.ThreadId == (ULONG)getpid() &&
	      !memcmp(&seen.last.EventHeader.ProviderId, &provider,
		      sizeof(GUID)) &&
	      seen.last.EventHeader.EventDescriptor.Id == 4999 &&
	      seen.last.UserDataLength == 2 && seen.data[0] == (4999 & 0xff),
	      "events have the process, the thread and the data");
	CHECK(!private_read(private_path("first"), on_event, NULL, &header) &&
	      header.LogFileMode == IN_PROC && header.EndTime.QuadPart &&
	      header.BuffersWritten == p.p.BuffersWritten &&
	      !header.EventsLost, "the header is complete");
	independent_reader(private_path("first"));
	EventUnregister(r);
}

/* User time of this thread in ns */
static ULONGLONG user_time(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (usage.ru_utime.tv_sec * 1000000ull + usage.ru_utime.tv_usec) *
	       1000;
}

static struct {
	unsigned int count;
	ULONGLONG ticks[4];
} times;

static VOID WINAPI on_time(PEVENT_RECORD r)
{
	if (!private_is_header(r) && times.count < 4)
		times.ticks[times.count++] = r->EventHeader.ProcessorTime;
}

#define AHEAD	(20 * 1000000ull)	/* maximum lead, in ns */

/*
 * The recorded time is the thread's CPU time, not elapsed time: it may be ahead
 * of the kernel's value by only a little, even if the thread sleeps, and it
 * increases.
 */
/* The last registrations end first, and a later one gets the free slot */
static void test_registrations_that_end(void)
{
	struct private_properties p;
	REGHANDLE r[3], later;
	TRACEHANDLE h = 0;
	unsigned int i;

	if (private_start(&p, "ended", &h) || enable(h, 0, 0, 0))
		abort();
	for (i = 0; i < 3; i++) {
		if (EventRegister(&provider, NULL, NULL, &r[i]))
			abort();
	}
	EventUnregister(r[1]);
	EventUnregister(r[2]);
	CHECK(EventProviderEnabled(r[0], 0, 0) &&
	      !EventProviderEnabled(r[1], 0, 0) &&
	      !EventProviderEnabled(r[2], 0, 0),
	      "a registration that has ended is not enabled");
	CHECK(!EventWriteEx(r[1], NULL, 0, 0, NULL, NULL, 0, NULL) &&
	      !EventWriteString(r[2], 0, 0, NULL) &&
	      EventUnregister(r[1]) == ERROR_INVALID_HANDLE,
	      "writes to a registration that has ended have no effect");
	CHECK(!EventRegister(&provider, NULL, NULL, &later) &&
	      (later & 0xffff) == (r[1] & 0xffff) && later != r[1] &&
	      EventProviderEnabled(later, 0, 0),
	      "a registration gets the lowest free slot");
	EventUnregister(r[0]);
	CHECK(EventProviderEnabled(later, 0, 0),
	      "the end of an older registration changes no later one");
	EventUnregister(later);
	CHECK(!private_stop(&p, h), "the session stops");
}

static void test_processor_time(void)
{
	TRACE_LOGFILE_HEADER header;
	struct private_properties p;
	ULONGLONG user[4], start;
	TRACEHANDLE h;
	REGHANDLE r;
	bool ahead = false;
	unsigned int i;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "times", &h);
	enable(h, 0, 0, 0);
	for (i = 0; i < 4; i++) {
		private_write(r, i);
		user[i] = user_time();
		if (i < 2)
			usleep(2 * AHEAD / 1000);
		for (start = user[i]; i == 2 && user_time() < start + 3 * AHEAD;)
			;
	}
	private_stop(&p, h);
	times.count = 0;
	CHECK(!private_read(private_path("times"), on_time, NULL, &header) &&
	      times.count == 4 && header.CpuSpeedInMHz,
	      "the log contains all events and the processor's speed");
	for (i = 0; i < 4; i++)
		ahead |= times.ticks[i] / header.CpuSpeedInMHz * 1000 >
			 user[i] + AHEAD;
	CHECK(!ahead, "a thread that sleeps uses no processor time");
	CHECK(times.ticks[3] / header.CpuSpeedInMHz * 1000 >
	      times.ticks[2] / header.CpuSpeedInMHz * 1000 + AHEAD,
	      "the processor time of a busy thread increases");
	EventUnregister(r);
}

static void test_level_and_keyword(void)
{
	static const struct {
		UCHAR level;
		ULONGLONG keyword;
		bool wanted;
	} cases[] = {
		{ 0, 0, true }, { 3, 0, true }, { 4, 0, false },
		{ 3, 0x5, true }, { 3, 0x4, true }, { 3, 0x1, false },
		{ 3, 0x8, false }, { 0, 0x6, true },
	};
	struct private_properties p;
	unsigned int i;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "levels", &h);
	enable(h, 3, 0x7, 0x4);
	for (i = 0; i < EVNT_ARRAY_SIZE(cases); i++) {
		EVENT_DESCRIPTOR d = {
			.Id = i, .Level = cases[i].level,
			.Keyword = cases[i].keyword,
		};

		CHECK(EventEnabled(r, &d) == cases[i].wanted &&
		      !EventWrite(r, &d, 0, NULL), "level %u, keyword 0x%llx",
		      d.Level, (unsigned long long)d.Keyword);
	}
	CHECK(!private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("levels"), NULL, 0, 1, 3, 4, 7),
	      "the log contains only the enabled events");
	EventUnregister(r);
}

static void test_properties(void)
{
	EVENT_DESCRIPTOR d = { .Id = 1, .Keyword = 1 };
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "properties", &h);
	private_enable(h, EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 |
			  EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE |
			  EVENT_ENABLE_PROPERTY_SID |
			  EVENT_ENABLE_PROPERTY_TS_ID |
			  EVENT_ENABLE_PROPERTY_EVENT_KEY |
			  EVENT_ENABLE_PROPERTY_PROCESS_START_KEY, NULL, 0);
	EventWriteEx(r, &d, 0, EVENT_WRITE_FLAG_INPRIVATE, NULL, NULL, 0, NULL);
	d.Id = 2;
	EventWrite(r, &d, 0, NULL);
	d.Id = 3;
	d.Keyword = 0;
	EventWrite(r, &d, 0, NULL);
	CHECK(!private_stop(&p, h) && !read_log("properties") &&
	      seen.events == 1 && seen.last.EventHeader.EventDescriptor.Id == 2,
	      "events that properties exclude are left out, and no others");
	CHECK(seen.items == 4 && seen.types[0] == EVENT_HEADER_EXT_TYPE_SID &&
	      seen.types[1] == EVENT_HEADER_EXT_TYPE_TS_ID &&
	      seen.types[2] == EVENT_HEADER_EXT_TYPE_EVENT_KEY &&
	      seen.types[3] == EVENT_HEADER_EXT_TYPE_PROCESS_START_KEY,
	      "events have the items that the properties request");
	EventUnregister(r);
}

static void test_related_activity(void)
{
	const GUID activity = { .Data1 = 7 }, related = { .Data1 = 8 };
	const EVENT_DESCRIPTOR d = { .Id = 1 };
	EVENT_DATA_DESCRIPTOR data;
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "related", &h);
	enable(h, 0, 0, 0);
	EventDataDescCreate(&data, "abc", 4);
	CHECK(!EventWriteTransfer(r, &d, &activity, &related, 1, &data) &&
	      !private_stop(&p, h) && !read_log("related") &&
	      seen.events == 1 && seen.items == 1 &&
	      seen.types[0] == EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID &&
	      !memcmp(&seen.related, &related, sizeof(GUID)) &&
	      !memcmp(&seen.last.EventHeader.ActivityId, &activity,
		      sizeof(GUID)) && !memcmp(seen.data, "abc", 4),
	      "an event of one block has both activities");
	EventUnregister(r);
}

static void test_what_is_in_an_event(void)
{
	static const BYTE traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };
	static const BYTE metadata[] = { 7, 0, 0, 'E', 'v', 't', 0 };
	const GUID activity = { .Data1 = 7 }, related = { .Data1 = 8 };
	EVENT_DESCRIPTOR d = { .Id = 1, .Channel = 11 };
	EVENT_DATA_DESCRIPTOR data[3];
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "parts", &h);
	enable(h, 0, 0, 0);
	CHECK(!EventSetInformation(r, EventProviderSetTraits, (void *)traits,
				   sizeof(traits)), "traits are set");
	EventDataDescCreate(&data[0], traits, sizeof(traits));
	data[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_PROVIDER_METADATA;
	EventDataDescCreate(&data[1], metadata, sizeof(metadata));
	data[1].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	EventDataDescCreate(&data[2], "abc", 4);
	CHECK(!EventWriteTransfer(r, &d, &activity, &related, 3, data),
	      "an event has them, and metadata, and activities");
	CHECK(!private_stop(&p, h) && !read_log("parts") &&
	      seen.events == 1 && seen.items == 3 &&
	      seen.types[0] == EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID &&
	      seen.types[1] == EVENT_HEADER_EXT_TYPE_PROV_TRAITS &&
	      seen.types[2] == EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL,
	      "the log contains each part of the event");
	CHECK(!memcmp(&seen.last.EventHeader.ActivityId, &activity,
		      sizeof(GUID)) &&
	      !memcmp(&seen.related, &related, sizeof(GUID)) &&
	      seen.last.UserDataLength == 4 && !memcmp(seen.data, "abc", 4),
	      "ids, descriptor and data are as written");
	EventUnregister(r);

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "string", &h);
	enable(h, 0, 0, 0);
	CHECK(!EventWriteString(r, 1, 2, u"hi") && !private_stop(&p, h) &&
	      !read_log("string") && seen.events == 1 &&
	      seen.last.EventHeader.Flags & EVENT_HEADER_FLAG_STRING_ONLY &&
	      seen.last.UserDataLength == 6,
	      "the log contains a string as written");
	EventUnregister(r);
}

static void test_filters(void)
{
	struct {
		EVENT_FILTER_EVENT_ID f;
		USHORT more;
	} ids = { { TRUE, 0, 2, { 5 } }, 7 };
	BYTE names[] = { [16] = 0, [17] = TRUE, [18] = 1, [20] = 'E', 'v', 't', 0 };
	static const BYTE wanted[] = { 7, 0, 0, 'E', 'v', 't', 0 };
	static const BYTE unwanted[] = { 7, 0, 0, 'E', 'v', 'u', 0 };
	BYTE yes = TRUE;
	EVENT_FILTER_DESCRIPTOR f[2] = {
		{ (uintptr_t)&ids, sizeof(ids), EVENT_FILTER_TYPE_EVENT_ID },
		{ (uintptr_t)names, sizeof(names), EVENT_FILTER_TYPE_EVENT_NAME },
	}, pid = { (uintptr_t)&(ULONG) { getpid() }, 4, EVENT_FILTER_TYPE_PID };
	EVENT_DESCRIPTOR d = { .Id = 0 };
	EVENT_DATA_DESCRIPTOR data;
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;
	USHORT id;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "filters", &h);
	EventSetInformation(r, EventProviderUseDescriptorType, &yes, 1);
	CHECK(!private_enable(h, 0, f, 2), "filters are set");
	for (id = 0; id < 10; id++)
		private_write(r, id);
	EventDataDescCreate(&data, wanted, sizeof(wanted));
	data.Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	d.Id = 20;
	EventWrite(r, &d, 1, &data);
	d.Id = 21;
	EventDataDescCreate(&data, unwanted, sizeof(unwanted));
	data.Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	EventWrite(r, &d, 1, &data);
	CHECK(private_enable(h, 0, &pid, 1) == ERROR_NOT_SUPPORTED,
	      "NOT_SUPPORTED: a filter of processes");
	f[1] = f[0];
	CHECK(private_enable(h, 0, f, 2) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: a filter that is there twice");
	f[1].Size = 0;
	CHECK(private_enable(h, 0, f + 1, 1) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: one that is empty");
	private_write(r, 1);
	CHECK(!private_stop(&p, h) &&
	      PRIVATE_HAS(private_path("filters"), NULL, 5, 7, 20),
	      "two ids and a name have passed, and what failed changed nothing");
	EventUnregister(r);
}

/* Arguments of the last enable callback */
static struct {
	unsigned int calls;
	ULONG control;
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	GUID source;
	bool was_enabled;
	REGHANDLE r;
} reported;

static VOID WINAPI on_control(LPCGUID source, ULONG control, UCHAR level,
			      ULONGLONG any, ULONGLONG all,
			      PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)filter;
	(void)context;
	reported.calls++;
	reported.control = control;
	reported.level = level;
	reported.any = any;
	reported.all = all;
	reported.source = *source;
	reported.was_enabled = EventProviderEnabled(reported.r, 1, 0);
}

static void test_callbacks(void)
{
	ENABLE_TRACE_PARAMETERS more = {
		.Version = ENABLE_TRACE_PARAMETERS_VERSION_2,
		.SourceId = { .Data1 = 99 },
	};
	struct private_properties p, q;
	TRACEHANDLE h, second;

	private_start(&p, "callbacks", &h);
	EventRegister(&provider, on_control, NULL, &reported.r);
	CHECK(!reported.calls,
	      "no callback while no session has enabled the provider");
	EnableTraceEx2(h, &provider, 1, 3, 0x6, 0x2, INFINITE, &more);
	CHECK(reported.calls == 1 && reported.control == 1 &&
	      reported.level == 3 && reported.any == 6 &&
	      reported.all == 2 && reported.source.Data1 == 99 &&
	      reported.was_enabled,
	      "the callback gets the enablement and the session");
	private_start(&q, "callbacks2", &second);
	EnableTraceEx2(second, &provider, 1, 5, 0x8, 0x8, 0, NULL);
	CHECK(reported.calls == 2 && reported.level == 5 &&
	      reported.any == 0xe && !reported.all,
	      "with two sessions, the callback gets their union");
	EnableTraceEx2(second, &provider, EVENT_CONTROL_CODE_CAPTURE_STATE, 0,
		       0, 0, 0, NULL);
	CHECK(reported.calls == 3 &&
	      reported.control == EVENT_CONTROL_CODE_CAPTURE_STATE,
	      "a capture-state request is reported");
	private_stop(&q, second);
	CHECK(reported.calls == 4 && reported.control == 1 &&
	      reported.level == 3,
	      "the end of one session reports the enablement by the other");
	EnableTraceEx2(h, &provider, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0,
		       0, 0, NULL);
	CHECK(reported.calls == 5 && !reported.control && !reported.was_enabled,
	      "a disabled provider is reported");
	EnableTraceEx2(h, &provider, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0,
		       0, 0, NULL);
	CHECK(reported.calls == 5, "disabling a provider is reported once");
	EventUnregister(reported.r);
	enable(h, 2, 0, 0);
	EventRegister(&provider, on_control, NULL, &reported.r);
	CHECK(reported.calls == 6 && reported.control == 1 &&
	      reported.level == 2,
	      "an earlier enablement is reported when the provider registers");
	private_stop(&p, h);
	CHECK(reported.calls == 7 && !reported.control,
	      "the end of the session is reported");
	EventUnregister(reported.r);
}

/* Arguments of the last callback of a classic provider */
static struct {
	unsigned int calls;
	WMIDPREQUESTCODE code;
	TRACEHANDLE session;
	ULONG flags;
	UCHAR level;
} requested;

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)context;
	(void)size;
	requested.calls++;
	requested.code = code;
	requested.session = GetTraceLoggerHandle(buffer);
	requested.flags = GetTraceEnableFlags(requested.session);
	requested.level = GetTraceEnableLevel(requested.session);
	return ERROR_SUCCESS;
}

static void test_classic(void)
{
	const GUID class = { .Data1 = 77 };
	TRACE_GUID_REGISTRATION reg = { .Guid = &class };
	struct {
		EVENT_TRACE_HEADER h;
		ULONG data;
	} e = { .data = 0x12345678 };
	struct {
		EVENT_INSTANCE_HEADER h;
		ULONG data;
	} i = { .data = 2 };
	EVENT_INSTANCE_INFO info;
	struct private_properties p, q;
	TRACEHANDLE h, second, r;

	RegisterTraceGuids(on_request, NULL, &provider, 1, &reg, NULL, NULL, &r);
	private_init(&p, IN_PROC | EVENT_TRACE_USE_LOCAL_SEQUENCE, "classic");
	StartTraceA(&h, "classic", &p.p);
	CHECK(!enable(h, 3, 0x5, 0) && requested.calls == 1 &&
	      requested.code == WMI_ENABLE_EVENTS && requested.session == h &&
	      requested.flags == 5 && requested.level == 3,
	      "a classic provider gets the handle of the session");
	e.h.Size = sizeof(e.h) + sizeof(e.data);
	e.h.Flags = WNODE_FLAG_TRACED_GUID;
	e.h.Guid = class;
	e.h.Class.Type = 9;
	i.h.Size = sizeof(i.h) + sizeof(i.data);
	i.h.Flags = WNODE_FLAG_TRACED_GUID;
	CreateTraceInstanceId(reg.RegHandle, &info);
	CHECK(!TraceEventInstance(h, (PEVENT_INSTANCE_HEADER)&i, &info, NULL) &&
	      !TraceMessage(h, TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_TIMESTAMP,
			    NULL, 7, &e.data, sizeof(e.data), NULL) &&
	      !TraceEvent(h, &e.h), "a classic provider writes to the session");
	private_start(&q, "classic2", &second);
	CHECK(TraceEvent(second, &e.h) == ERROR_INVALID_HANDLE,
	      "INVALID_HANDLE: a session that has not enabled it");
	enable(second, 4, 0, 0);
	CHECK(requested.calls == 2 && requested.session == second &&
	      requested.level == 4 && !requested.flags,
	      "the session that enables a classic provider last is reported");
	private_stop(&q, second);
	CHECK(requested.calls == 4 && requested.session == h &&
	      requested.code == WMI_ENABLE_EVENTS,
	      "after the end of the last session, the other one is reported");
	CHECK(!private_stop(&p, h) && requested.code == WMI_DISABLE_EVENTS &&
	      TraceEvent(h, &e.h) == ERROR_INVALID_HANDLE,
	      "a classic provider is disabled when its session stops");
	CHECK(!read_log("classic") && seen.events == 3 &&
	      seen.last.EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER &&
	      seen.last.EventHeader.ProviderId.Data1 == 77 &&
	      seen.last.EventHeader.EventDescriptor.Opcode == 9 &&
	      seen.last.UserDataLength == 4 &&
	      !memcmp(seen.data, &e.data, 4),
	      "the log contains the events of a classic provider");
	independent_reader(private_path("classic"));
	UnregisterTraceGuids(r);
}

static void test_start_errors(void)
{
	static const struct {
		ULONG mode;
		ULONG code;
		const char *what;
	} cases[] = {
		{ EVENT_TRACE_REAL_TIME_MODE, 87, "real time" },
		{ EVENT_TRACE_FILE_MODE_APPEND, 87, "append" },
		{ EVENT_TRACE_FILE_MODE_NEWFILE, 87, "new file" },
		{ EVENT_TRACE_FILE_MODE_PREALLOCATE, 87, "preallocate" },
		{ EVENT_TRACE_INDEPENDENT_SESSION_MODE, 87, "independent" },
		{ EVENT_TRACE_FILE_MODE_CIRCULAR |
		  EVENT_TRACE_FILE_MODE_SEQUENTIAL, 87, "two modes of files" },
		{ EVENT_TRACE_BUFFERING_MODE, 50, "buffering" },
		{ EVENT_TRACE_SECURE_MODE, 50, "secure" },
	};
	struct private_properties p, q;
	TRACEHANDLE h, second;
	unsigned int i;
	int fd;

	for (i = 0; i < EVNT_ARRAY_SIZE(cases); i++) {
		private_init(&p, IN_PROC | cases[i].mode, "modes");
		p.p.MaximumFileSize = 1;
		CHECK(StartTraceA(&h, "modes", &p.p) == cases[i].code && !h,
		      "%u: %s", cases[i].code, cases[i].what);
	}
	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_CIRCULAR, "modes");
	CHECK(StartTraceA(&h, "modes", &p.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: circular without a limit");
	p.p.MaximumFileSize = 1;
	p.p.BufferSize = 1024;
	CHECK(StartTraceA(&h, "modes", &p.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: a limit of one buffer");
	private_init(&p, EVENT_TRACE_PRIVATE_IN_PROC, "modes");
	CHECK(StartTraceA(&h, "modes", &p.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: in the process, but not private");
	private_init(&p, EVENT_TRACE_PRIVATE_LOGGER_MODE, "modes");
	CHECK(StartTraceA(&h, "modes", &p.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: private, without a provider");
	private_init(&p, IN_PROC, NULL);
	CHECK(StartTraceA(&h, "modes", &p.p) == ERROR_BAD_PATHNAME,
	      "BAD_PATHNAME: without a file");
	strcpy(p.log, "/nowhere/x.etl");
	CHECK(StartTraceA(&h, "modes", &p.p) == ERROR_PATH_NOT_FOUND,
	      "PATH_NOT_FOUND: a folder that is not there");

	private_init(&p, IN_PROC, "modes");
	CHECK(EvntStartTraceBoundA(&h, "modes", &p.p, &fd) ==
	      ERROR_INVALID_PARAMETER, "INVALID_PARAMETER: a bound session");

	private_init(&p, IN_PROC, "one");
	p.p.Wnode.Guid = other;
	CHECK(!StartTraceA(&h, "one", &p.p), "a session can be started");
	private_init(&q, IN_PROC, "two");
	CHECK(StartTraceA(&second, "ONE", &q.p) == ERROR_ALREADY_EXISTS,
	      "ALREADY_EXISTS: its name");
	q.p.Wnode.Guid = other;
	CHECK(StartTraceA(&second, "two", &q.p) == ERROR_ALREADY_EXISTS,
	      "ALREADY_EXISTS: its GUID");
	private_init(&q, IN_PROC, "one");
	CHECK(StartTraceA(&second, "two", &q.p) == ERROR_BAD_PATHNAME,
	      "BAD_PATHNAME: its file");
	private_stop(&p, h);
}

/* Properties of version 2 with filters: a system-wide private session */
struct request {
	EVENT_TRACE_PROPERTIES_V2 p;
	char name[64];
	char log[128];
};

static ULONG start_system(ULONG mode, const EVENT_FILTER_DESCRIPTOR *filter,
			  ULONG count, TRACEHANDLE *h)
{
	struct request l;

	memset(&l, 0, sizeof(l));
	l.p.Wnode.BufferSize = sizeof(l);
	l.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID |
			  WNODE_FLAG_VERSIONED_PROPERTIES;
	l.p.Wnode.Guid = provider;
	l.p.VersionNumber = 2;
	l.p.LogFileMode = mode;
	l.p.LoggerNameOffset = offsetof(struct request, name);
	l.p.LogFileNameOffset = offsetof(struct request, log);
	l.p.FilterDesc = (PEVENT_FILTER_DESCRIPTOR)filter;
	l.p.FilterDescCount = count;
	snprintf(l.log, sizeof(l.log), "%s", private_path("system"));
	*h = 1;
	return StartTraceA(h, "system", (void *)&l.p);
}

/* Errors are found without querying the module, and no file is created */
static void test_system_sessions(void)
{
	const ULONG private = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	ULONG pid = getpid();
	EVENT_FILTER_DESCRIPTOR f[2] = {
		{ (uintptr_t)&pid, sizeof(pid), EVENT_FILTER_TYPE_PID },
		{ (uintptr_t)&pid, sizeof(pid), EVENT_FILTER_TYPE_PID },
	};
	TRACEHANDLE h;

	CHECK(start_system(private, f, 1, &h) == ERROR_NOT_SUPPORTED && !h,
	      "NOT_SUPPORTED: a system-wide session without the module");
	CHECK(access(private_path("system"), F_OK),
	      "a failed StartTrace creates no log file");
	CHECK(start_system(private, f, 2, &h) == ERROR_INVALID_PARAMETER && !h,
	      "INVALID_PARAMETER: two filters of a type");
	CHECK(start_system(IN_PROC, f, 1, &h) == ERROR_INVALID_PARAMETER && !h,
	      "INVALID_PARAMETER: filters of a session of this process");
	CHECK(start_system(0, f, 1, &h) == ERROR_INVALID_PARAMETER && !h,
	      "INVALID_PARAMETER: filters of a session that is not private");
	CHECK(start_system(private, NULL, 1, &h) == ERROR_INVALID_PARAMETER &&
	      !h, "INVALID_PARAMETER: missing filters");
	f[0].Type = EVENT_FILTER_TYPE_EVENT_ID;
	CHECK(start_system(private, f, 1, &h) == ERROR_INVALID_PARAMETER && !h,
	      "INVALID_PARAMETER: filters of another type");
}

static void test_limits(void)
{
	struct private_properties p;
	TRACEHANDLE h[9] = {};
	char name[8];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "in%u", i);
		CHECK(!private_start(&p, name, &h[i]), "session %u", i);
	}
	CHECK(private_start(&p, "in3", &h[3]) == ERROR_NO_SYSTEM_RESOURCES,
	      "NO_SYSTEM_RESOURCES: a fourth of the process alone");
	for (i = 3; i < 8; i++) {
		snprintf(name, sizeof(name), "in%u", i);
		private_init(&p, EVENT_TRACE_PRIVATE_LOGGER_MODE, name);
		p.p.Wnode.Guid = (GUID) { .Data1 = i + 1 };
		CHECK(!StartTraceA(&h[i], name, &p.p), "session %u", i);
	}
	private_init(&p, EVENT_TRACE_PRIVATE_LOGGER_MODE, "in8");
	p.p.Wnode.Guid = provider;
	CHECK(StartTraceA(&h[8], "in8", &p.p) == ERROR_NO_SYSTEM_RESOURCES,
	      "NO_SYSTEM_RESOURCES: a ninth");
	for (i = 0; i < 8; i++)
		private_stop(&p, h[i]);
	CHECK(!private_start(&p, "in8", &h[8]) && !private_stop(&p, h[8]),
	      "a session can be started after others have stopped");
}

static void test_name_with_pid(void)
{
	struct private_properties p, q;
	TRACEHANDLE h, second;
	char want[160];

	private_start(&p, "shared", &h);
	private_init(&q, EVENT_TRACE_PRIVATE_LOGGER_MODE, "shared");
	q.p.Wnode.Guid = provider;
	CHECK(!StartTraceA(&second, "second", &q.p) &&
	      !ControlTraceA(second, NULL, &q.p, EVENT_TRACE_CONTROL_QUERY),
	      "a session whose file another one has");
	snprintf(want, sizeof(want), "%s_%d", private_path("shared"), getpid());
	CHECK(!strcmp(q.log, want) && !access(want, F_OK),
	      "the second log has the process id in its name");
	private_stop(&p, h);
	private_stop(&q, second);
}

/* Properties with a name of the maximum length, and much longer ones */
struct long_properties {
	EVENT_TRACE_PROPERTIES p;
	char name[64];
	char log[2100];
};

/* Set the file NAME.etl with a path of @len characters */
static void long_init(struct long_properties *p, ULONG mode, const char *name,
		      size_t len)
{
	const char *path = private_path(name), *file = strrchr(path, '/');

	memset(p, 0, sizeof(*p));
	p->p.Wnode.BufferSize = sizeof(*p);
	p->p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p->p.Wnode.Guid = mode & EVENT_TRACE_PRIVATE_IN_PROC ? other : provider;
	p->p.LogFileMode = mode;
	p->p.BufferSize = 4;
	p->p.LoggerNameOffset = offsetof(struct long_properties, name);
	p->p.LogFileNameOffset = offsetof(struct long_properties, log);
	memset(p->log, '/', len);
	memcpy(p->log, path, file - path);
	memcpy(p->log + len - strlen(file), file, strlen(file));
}

static void test_long_names(void)
{
	struct long_properties p, q;
	TRACEHANDLE h, second;

	long_init(&p, IN_PROC, "long", 2000);
	CHECK(StartTraceA(&h, "long", &p.p) == ERROR_INVALID_PARAMETER && !h,
	      "INVALID_PARAMETER: a file's name of 2000 characters");
	long_init(&p, IN_PROC, "long", EVNTRACE_MAX_NAME + 1);
	CHECK(StartTraceA(&h, "long", &p.p) == ERROR_INVALID_PARAMETER &&
	      access(private_path("long"), F_OK),
	      "INVALID_PARAMETER: a long name of a log creates no file");
	long_init(&p, IN_PROC, "long", EVNTRACE_MAX_NAME);
	CHECK(!StartTraceA(&h, "long", &p.p), "the longest name");
	long_init(&q, EVENT_TRACE_PRIVATE_LOGGER_MODE, "long",
		  EVNTRACE_MAX_NAME);
	CHECK(StartTraceA(&second, "second", &q.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: a name that is too long with the process id");
	long_init(&q, IN_PROC, "long2", EVNTRACE_MAX_NAME + 1);
	CHECK(UpdateTraceA(h, NULL, &q.p) == ERROR_INVALID_PARAMETER &&
	      access(private_path("long2"), F_OK),
	      "INVALID_PARAMETER: an update to a name that is too long");
	memset(q.log, 0, sizeof(q.log));
	CHECK(!ControlTraceA(h, NULL, &q.p, EVENT_TRACE_CONTROL_QUERY) &&
	      !strcmp(q.log, p.log),
	      "a session keeps its log after a refused update");
	long_init(&q, IN_PROC, "long2", EVNTRACE_MAX_NAME);
	CHECK(!UpdateTraceA(h, NULL, &q.p) &&
	      strlen(q.log) == EVNTRACE_MAX_NAME,
	      "UPDATE to the longest name");
	CHECK(!StopTraceA(h, NULL, &q.p) &&
	      !private_count(private_path("long")) &&
	      !private_count(private_path("long2")),
	      "logs with long names can be read");
}

static void test_control(void)
{
	struct private_properties p, q;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "control", &h);
	enable(h, 0, 0, 0);
	private_init(&q, 0, NULL);
	CHECK(!ControlTraceA(h, NULL, &q.p, EVENT_TRACE_CONTROL_QUERY) &&
	      !strcmp(q.name, "control") &&
	      !strcmp(q.log, private_path("control")) &&
	      q.p.LogFileMode == IN_PROC && q.p.Wnode.Guid.Data1 &&
	      q.p.BuffersWritten == 1, "QUERY by handle");
	private_init(&q, IN_PROC, NULL);
	CHECK(!ControlTraceA(0, "Control", &q.p, EVENT_TRACE_CONTROL_QUERY) &&
	      q.p.Wnode.HistoricalContext == h, "QUERY by name");
	private_write(r, 1);
	CHECK(!private_count(private_path("control")),
	      "a log without a flush contains no events");
	CHECK(!FlushTraceA(h, NULL, &q.p) &&
	      private_count(private_path("control")) == 1,
	      "FLUSH writes what there is");
	private_init(&q, IN_PROC, "control2");
	private_write(r, 2);
	q.p.FlushTimer = 1;
	CHECK(!UpdateTraceA(h, NULL, &q.p) && q.p.FlushTimer == 1,
	      "UPDATE changes file and timer");
	CHECK(private_count(private_path("control")) == 2,
	      "the old log contains the events written before the update");
	CHECK(UpdateTraceA(h, NULL, &q.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: to the file that it has");
	q.p.LogFileNameOffset = 0;
	q.p.LogFileMode |= EVENT_TRACE_REAL_TIME_MODE;
	CHECK(UpdateTraceA(h, NULL, &q.p) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: to real time");
	q.p.LogFileMode = IN_PROC;
	CHECK(ControlTraceA(h, NULL, &q.p,
			    EVENT_TRACE_CONTROL_INCREMENT_FILE) ==
	      ERROR_INVALID_PARAMETER, "INVALID_PARAMETER: the next file");
	private_write(r, 3);
	private_init(&q, IN_PROC, NULL);
	CHECK(!StopTraceA(0, "control", &q.p) &&
	      private_count(private_path("control2")) == 1, "STOP by name");
	CHECK(private_stop(&q, h) == ERROR_WMI_INSTANCE_NOT_FOUND &&
	      enable(h, 0, 0, 0) == ERROR_WMI_INSTANCE_NOT_FOUND &&
	      StopTraceA(0, "control", &p.p) == ERROR_WMI_INSTANCE_NOT_FOUND,
	      "WMI_INSTANCE_NOT_FOUND: when it has stopped");
	EventUnregister(r);
}

static void test_enable_errors(void)
{
	struct private_properties p;
	TRACEHANDLE h;

	private_start(&p, "enable", &h);
	CHECK(EnableTraceEx2(h, NULL, 1, 0, 0, 0, 0, NULL) ==
	      ERROR_INVALID_PARAMETER, "INVALID_PARAMETER: no provider");
	CHECK(EnableTraceEx2(h, &provider, 3, 0, 0, 0, 0, NULL) ==
	      ERROR_INVALID_PARAMETER, "INVALID_PARAMETER: a control code");
	CHECK(private_enable(h, EVENT_ENABLE_PROPERTY_PROVIDER_GROUP, NULL, 0) ==
	      ERROR_NOT_SUPPORTED, "NOT_SUPPORTED: an enabled group");
	CHECK(private_enable(h, 0x80000000, NULL, 0) == ERROR_NOT_SUPPORTED,
	      "NOT_SUPPORTED: what is no property");
	CHECK(private_enable(h, EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 |
				EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0, NULL,
			     0) == ERROR_INVALID_PARAMETER &&
	      !private_enable(h, EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0, NULL,
			      0),
	      "INVALID_PARAMETER: properties that exclude each other");
	private_stop(&p, h);
}

static void test_write_errors(void)
{
	static BYTE large[70000];
	EVENT_DESCRIPTOR d = { .Id = 1 };
	EVENT_DATA_DESCRIPTOR data[129] = {};
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_init(&p, IN_PROC, "write");
	p.p.BufferSize = 8;
	StartTraceA(&h, "write", &p.p);
	enable(h, 0, 0, 0);
	CHECK(EventWrite(r, NULL, 0, NULL) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: no descriptor");
	CHECK(EventWrite(r, &d, 129, data) == ERROR_INVALID_PARAMETER &&
	      EventWrite(r, &d, 1, NULL) == ERROR_INVALID_PARAMETER,
	      "INVALID_PARAMETER: wrong blocks");
	CHECK(EventWriteEx(r, &d, 0, 0x80, NULL, NULL, 0, NULL) ==
	      ERROR_INVALID_PARAMETER, "INVALID_PARAMETER: wrong flags");
	EventDataDescCreate(&data[0], large, sizeof(large));
	CHECK(EventWrite(r, &d, 1, data) == ERROR_ARITHMETIC_OVERFLOW,
	      "ARITHMETIC_OVERFLOW: more than 64 KB");
	EventDataDescCreate(&data[0], large, 9000);
	CHECK(EventWrite(r, &d, 1, data) == ERROR_MORE_DATA,
	      "MORE_DATA: more than a buffer");
	CHECK(!private_stop(&p, h) && p.p.EventsLost == 2,
	      "events that are too large are counted");
	EventUnregister(r);
}

static void write_many(REGHANDLE r, unsigned int count)
{
	static BYTE block[1000];
	EVENT_DESCRIPTOR d = { .Id = 1 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, block, sizeof(block));
	for (; count; count--) {
		d.Id = count;
		/* Let the log's writer catch up */
		while (EventWrite(r, &d, 1, &data) == ERROR_NOT_ENOUGH_MEMORY)
			usleep(100);
	}
}

static void test_files(void)
{
	struct private_properties p;
	struct stat st;
	TRACEHANDLE h;
	REGHANDLE r;
	unsigned int i;

	EventRegister(&provider, NULL, NULL, &r);
	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_CIRCULAR, "circle");
	p.p.MaximumFileSize = 1;
	StartTraceA(&h, "circle", &p.p);
	enable(h, 0, 0, 0);
	write_many(r, 3000);
	CHECK(!private_stop(&p, h) && !read_log("circle") &&
	      !stat(private_path("circle"), &st) && st.st_size == 1 << 20 &&
	      seen.events > 500 && seen.events < 1100 &&
	      seen.last.EventHeader.EventDescriptor.Id == 1,
	      "a circular file keeps the newest");

	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_SEQUENTIAL |
			 EVENT_TRACE_USE_KBYTES_FOR_SIZE, "limited");
	p.p.MaximumFileSize = 256;
	StartTraceA(&h, "limited", &p.p);
	enable(h, 0, 0, 0);
	write_many(r, 600);
	for (i = 0; i < 60000 && !ControlTraceA(h, NULL, &p.p,
						EVENT_TRACE_CONTROL_QUERY); i++)
		usleep(1000);
	CHECK(i < 60000 && !EventProviderEnabled(r, 0, 0) &&
	      !stat(private_path("limited"), &st) && st.st_size == 256 << 10,
	      "a session ends at the limit of its file");

	private_init(&p, IN_PROC | EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING,
		     "other_clock");
	p.p.Wnode.ClientContext = 2;
	StartTraceA(&h, "other_clock", &p.p);
	enable(h, 0, 0, 0);
	private_write(r, 1);
	CHECK(!private_stop(&p, h) && !read_log("other_clock") &&
	      seen.events == 1 &&
	      seen.last.EventHeader.TimeStamp.QuadPart > 130000000000000000LL,
	      "the system's time, and buffers that are shared");
	EventUnregister(r);
}

/* Results of a callback that controls the session ending at its limit */
static struct {
	TRACEHANDLE session;
	ULONG query;
	ULONG flush;
	ULONG update;
	ULONG stop;
} at_limit;

static VOID WINAPI on_limit(LPCGUID source, ULONG control, UCHAR level,
			    ULONGLONG any, ULONGLONG all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	const TRACEHANDLE h = at_limit.session;
	struct private_properties p;

	(void)source;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	(void)context;
	if (control != EVENT_CONTROL_CODE_DISABLE_PROVIDER)
		return;
	private_init(&p, IN_PROC, NULL);
	at_limit.query = ControlTraceA(h, NULL, &p.p,
				       EVENT_TRACE_CONTROL_QUERY);
	at_limit.flush = FlushTraceA(h, NULL, &p.p);
	private_init(&p, IN_PROC, "at_limit2");
	at_limit.update = UpdateTraceA(h, NULL, &p.p);
	at_limit.stop = private_stop(&p, h);
}

static void test_control_at_the_limit(void)
{
	struct private_properties p;
	REGHANDLE r;
	unsigned int i;

	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_SEQUENTIAL |
			 EVENT_TRACE_USE_KBYTES_FOR_SIZE, "at_limit");
	p.p.MaximumFileSize = 256;
	StartTraceA(&at_limit.session, "at_limit", &p.p);
	EventRegister(&provider, on_limit, NULL, &r);
	enable(at_limit.session, 0, 0, 0);
	write_many(r, 600);
	for (i = 0; i < 60000 && !ControlTraceA(at_limit.session, NULL, &p.p,
						EVENT_TRACE_CONTROL_QUERY); i++)
		usleep(1000);
	CHECK(i < 60000 && !EventUnregister(r) && !at_limit.query,
	      "a callback that reports the end may query the session");
	CHECK(at_limit.flush == ERROR_WMI_INSTANCE_NOT_FOUND &&
	      at_limit.update == ERROR_WMI_INSTANCE_NOT_FOUND &&
	      access(private_path("at_limit2"), F_OK),
	      "WMI_INSTANCE_NOT_FOUND: FLUSH and UPDATE of one that ends");
	CHECK(at_limit.stop == ERROR_ACTIVE_CONNECTIONS,
	      "ACTIVE_CONNECTIONS: STOP of it");
}

static bool stay_on(unsigned int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return !sched_setaffinity(0, sizeof(cpus), &cpus);
}

/*
 * One processor writes only one event, in the beginning.  It is the oldest
 * event, and must be gone when newer ones of other processors have been
 * dropped.
 */
static void test_epochs(void)
{
	struct private_properties p;
	cpu_set_t before;
	TRACEHANDLE h;
	REGHANDLE r;

	sched_getaffinity(0, sizeof(before), &before);
	EventRegister(&provider, NULL, NULL, &r);
	private_init(&p, IN_PROC | EVENT_TRACE_FILE_MODE_CIRCULAR, "epochs");
	p.p.MaximumFileSize = 1;
	p.p.BufferSize = 4;
	/* An epoch has at least as many buffers as the session */
	p.p.MinimumBuffers = 4;
	p.p.MaximumBuffers = 4;
	StartTraceA(&h, "epochs", &p.p);
	enable(h, 0, 0, 0);
	if (get_nprocs_conf() > 15 || !stay_on(0) || private_write(r, 0xffff) ||
	    !stay_on(1)) {
		SKIP("there are not two processors, or too many");
		private_stop(&p, h);
		EventUnregister(r);
		return;
	}
	write_many(r, 4000);
	sched_setaffinity(0, sizeof(before), &before);
	CHECK(!private_stop(&p, h) && !read_log("epochs") &&
	      seen.events > 200 && seen.events < 1100 &&
	      seen.first.EventHeader.EventDescriptor.Id == seen.events &&
	      seen.last.EventHeader.EventDescriptor.Id == 1,
	      "a circular file overwrites the oldest events of each processor");
	EventUnregister(r);
}

/* Run in a child; returns its exit status */
static int in_child(int (*run)(REGHANDLE), REGHANDLE r)
{
	int status, pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(run(r));
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

static int child_writes(REGHANDLE r)
{
	struct private_properties p;
	TRACEHANDLE h;

	if (EventProviderEnabled(r, 0, 0) || private_write(r, 100))
		return 1;
	if (private_start(&p, "child", &h) || enable(h, 0, 0, 0) ||
	    !EventProviderEnabled(r, 0, 0) || private_write(r, 101) ||
	    private_stop(&p, h))
		return 2;
	return private_count(private_path("child")) == 1 ? 0 : 3;
}

static void test_fork(void)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "parent", &h);
	enable(h, 0, 0, 0);
	/* A thread that begins has locks of the address sanitizer */
	private_flush(h);
	private_write(r, 1);
	CHECK(!in_child(child_writes, r),
	      "a child has not its parent's sessions, and may have its own");
	private_write(r, 2);
	CHECK(!private_stop(&p, h) &&
	      private_count(private_path("parent")) == 2,
	      "the session of the parent continues after a fork");
	EventUnregister(r);
}

static int child_exits(REGHANDLE r)
{
	struct private_properties p;
	TRACEHANDLE h;

	if (private_start(&p, "exits", &h) || enable(h, 0, 0, 0) ||
	    private_write(r, 1))
		return 1;
	exit(0);
}

static int child_just_stops(REGHANDLE r)
{
	struct private_properties p;
	TRACEHANDLE h;

	if (private_start(&p, "stops", &h) || enable(h, 0, 0, 0) ||
	    private_write(r, 1) || FlushTraceA(h, NULL, &p.p) ||
	    private_write(r, 2))
		return 1;
	return 0;
}

static int child_executes(REGHANDLE r)
{
	struct private_properties p;
	TRACEHANDLE h;

	if (private_start(&p, "executes", &h) || enable(h, 0, 0, 0) ||
	    private_write(r, 1) || FlushTraceA(h, NULL, &p.p) ||
	    private_write(r, 2))
		return 1;
	execl("/bin/sh", "sh", "-c", "exit 0", NULL);
	return 2;
}

/* Write until killed; reports the number of flushed events on @out */
static void write_until_killed(REGHANDLE r, int out)
{
	struct private_properties p;
	EVENT_DESCRIPTOR d = { .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;
	TRACEHANDLE h;
	unsigned int n;

	private_init(&p, IN_PROC, "killed");
	p.p.BufferSize = 4;
	if (StartTraceA(&h, "killed", &p.p) || enable(h, 0, 0, 0))
		_exit(1);
	EventDataDescCreate(&data, &n, sizeof(n));
	for (n = 0;; n++) {
		while (EventWrite(r, &d, 1, &data) ==
		       ERROR_NOT_ENOUGH_MEMORY)
			usleep(100);
		if (n % 1000 == 999 &&
		    (FlushTraceA(h, NULL, &p.p) ||
		     write(out, &n, sizeof(n)) != sizeof(n)))
			_exit(1);
	}
}

static struct {
	unsigned int events;
	unsigned int last;
	bool back;
} killed;

static VOID WINAPI on_killed(PEVENT_RECORD r)
{
	unsigned int n;

	if (private_is_header(r))
		return;
	memcpy(&n, r->UserData, sizeof(n));
	killed.back |= killed.events++ && n <= killed.last;
	killed.last = n;
}

/* Killed at any moment: flushed events are in the file, once and in order */
static void test_killed(REGHANDLE r)
{
	unsigned int flushed = 0, i;
	int fds[2], status, pid;

	fflush(stdout);
	if (pipe(fds))
		return;
	pid = fork();
	if (!pid)
		write_until_killed(r, fds[1]);
	close(fds[1]);
	for (i = 0; i < 20; i++) {
		if (read(fds[0], &flushed, sizeof(flushed)) !=
		    sizeof(flushed))
			break;
	}
	kill(pid, SIGKILL);
	/* Read the child's last report */
	while (read(fds[0], &flushed, sizeof(flushed)) == sizeof(flushed))
		;
	close(fds[0]);
	CHECK(i == 20 && waitpid(pid, &status, 0) == pid &&
	      WIFSIGNALED(status), "a process is killed while it writes");
	CHECK(!private_read(private_path("killed"), on_killed, NULL, NULL) &&
	      !killed.back && killed.events > flushed &&
	      killed.last >= flushed,
	      "the file of a killed process contains all flushed events");
}

static void test_ends_of_a_process(void)
{
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	CHECK(!in_child(child_exits, r) &&
	      private_count(private_path("exits")) == 1,
	      "a process that ends writes what it has");
	CHECK(!in_child(child_just_stops, r) &&
	      private_count(private_path("stops")) == 1,
	      "a process that ends by _exit loses the events in buffers");
	CHECK(!in_child(child_executes, r) &&
	      private_count(private_path("executes")) == 1 &&
	      private_is_left(private_path("executes")),
	      "a process that executes a program loses events in buffers");
	test_killed(r);
	EventUnregister(r);
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_a_session();
	test_registrations_that_end();
	test_processor_time();
	test_level_and_keyword();
	test_properties();
	test_related_activity();
	test_what_is_in_an_event();
	test_filters();
	test_callbacks();
	test_classic();
	test_start_errors();
	test_system_sessions();
	test_limits();
	test_name_with_pid();
	test_long_names();
	test_control();
	test_enable_errors();
	test_write_errors();
	test_files();
	test_control_at_the_limit();
	test_epochs();
	test_fork();
	test_ends_of_a_process();
	private_clean();
	return tap_end();
}
