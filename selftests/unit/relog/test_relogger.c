// SPDX-License-Identifier: MIT
/*
 * ITraceRelogger, used from C: each method of reloggers and events, on files of all
 * kinds of records.  relogger.cc uses it from C++; sessions are tested with the
 * module.
 */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#define INITGUID
#define COBJMACROS
#include "relogger.h"
#include "lib/base/internal.h"
#include "lib/consume/trace_merge.h"
#include "lib/relog/relog.h"
#include "selftests/unit/common/etl_make.h"
#include "selftests/unit/common/tap.h"

#define RECORDS		64
#define TIMER		156250

static char paths[3][64];
static BSTR names[3];

/* Records of a file, by the library's own reader */
struct raw {
	unsigned int count;
	struct {
		uint8_t bytes[256];
		uint32_t size;
		uint16_t cpu;
		int64_t time;
	} records[RECORDS];
};

static const GUID provider = { 0x11111111, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };

/* The kinds of records that a file has, after its header */
static const enum make_kind kinds[] = {
	MAKE_SYSTEM32, MAKE_SYSTEM64, MAKE_COMPACT32, MAKE_COMPACT64,
	MAKE_FULL32, MAKE_INSTANCE32, MAKE_PERFINFO32, MAKE_PERFINFO64,
	MAKE_EVENT32, MAKE_EVENT64, MAKE_FULL64, MAKE_INSTANCE64,
};

#define KINDS	EVNT_ARRAY_SIZE(kinds)

/* Append an event with a related activity id and a SID, 24 and 16 bytes */
static void event_with_items(struct etl_make *m, int64_t time)
{
	uint8_t *data = make_record(m, MAKE_EVENT64, time, 24 + 24 + 5);
	unsigned int i;

	data[-0x50 + 4] = 1;
	make_put(data - 0x28, 99, 2);
	make_put(data, 24, 2);
	make_put(data + 2, 1, 2);
	make_put(data + 4, 1, 2);
	make_put(data + 6, 16, 2);
	make_put(data + 24, 24, 2);
	make_put(data + 24 + 2, 2, 2);
	make_put(data + 24 + 6, 12, 2);
	for (i = 0; i < 16; i++)
		data[8 + i] = i + 1;
	for (i = 0; i < 12; i++)
		data[24 + 8 + i] = 0x40 + i;
	memcpy(data + 48, "items", 5);
}

static void message(struct etl_make *m, int64_t time)
{
	uint8_t *p = make_room(m, 0x08 + 8 + 3);

	make_put(p, 0x08 + 8 + 3, 2);
	make_put(p + 2, MAKE_MESSAGE, 2);
	make_put(p + 4, 7, 2);
	make_put(p + 6, 0x08 | 0x80, 2);
	make_put(p + 8, time, 8);
	memcpy(p + 16, "wpp", 3);
}

/* A file of records of all kinds: on processor 1 the kinds of @kinds, then others */
static void make_all(unsigned int file)
{
	static const char data[] = "0123456789abcdef";
	struct etl_make m;
	unsigned int i;
	uint8_t *p;

	make_begin(&m, 8192, true, "All");
	make_put(make_header(&m) + 0x18, TIMER, 4);
	make_put(make_header(&m) + 0x30, 3, 4);
	make_buffer(&m, 1, 1);
	for (i = 0; i < KINDS; i++) {
		p = make_record(&m, kinds[i], 2000 + i, 16);
		memcpy(p, data, 16);
		if (kinds[i] == MAKE_SYSTEM32 || kinds[i] == MAKE_SYSTEM64)
			make_put(p - 0x20 + 6, 0x0301, 2);
		else if (kinds[i] == MAKE_FULL32 || kinds[i] == MAKE_FULL64)
			make_class(p, 0x30, 0xabcd, 5, 4, 0x302);
		else if (kinds[i] == MAKE_INSTANCE32 ||
			 kinds[i] == MAKE_INSTANCE64)
			make_class(p, 0x48, 0xabcd, 6, 4, 1);
		else if (kinds[i] >= MAKE_EVENT32)
			make_put(p - 0x28, 10 + i, 2);
		else if (kinds[i] >= MAKE_PERFINFO32)
			make_put(p - 0x10 + 6, 0x1820, 2);
		else
			make_put(p - 0x18 + 6, 0x0501, 2);
	}
	make_buffer_end(&m);
	make_buffer(&m, 3, 2);
	event_with_items(&m, 3000);
	message(&m, 3001);
	make_buffer_end(&m);
	make_write(&m, paths[file]);
	make_free(&m);
}

static void read_raw(unsigned int file, struct raw *raw)
{
	struct trace_source *source;
	struct trace_merge in = { .sources = &source, .source_count = 1 };
	struct relog_record r;

	raw->count = 0;
	if (etl_file_open(&source, paths[file]) || trace_merge_start(&in))
		abort();
	while (!trace_merge_next(&in) && in.step != TRACE_STEP_END) {
		if (in.step != TRACE_STEP_RECORD)
			continue;
		r = relog_record_of(source, trace_merge_top(&in)->stream);
		if (raw->count == RECORDS || relog_is_header(r.data))
			continue;
		raw->records[raw->count].size = r.size;
		raw->records[raw->count].cpu = r.cpu;
		raw->records[raw->count].time = r.time;
		memcpy(raw->records[raw->count++].bytes, r.data,
		       r.size < 256 ? r.size : 256);
	}
	trace_merge_end(&in);
	source->ops->close(source);
}

typedef HRESULT (*action)(ITraceEvent *event, ITraceRelogger *relogger,
			  EVENT_RECORD *record);

/* The callback of the tests, and what it does */
static struct callback {
	ITraceEventCallback com;
	action act;
	unsigned int begins, ends, events, references;
	HRESULT begin_result, result, end_result;
	void *contexts[RECORDS];
	LONGLONG header_time;
	ITraceEvent *kept;
} callback;

static HRESULT callback_query(ITraceEventCallback *This, REFIID id, void **found)
{
	(void)This;
	(void)id;
	*found = NULL;
	return E_NOINTERFACE;
}

static ULONG callback_add_ref(ITraceEventCallback *This)
{
	(void)This;
	return ++callback.references;
}

static ULONG callback_release(ITraceEventCallback *This)
{
	(void)This;
	return --callback.references;
}

static HRESULT on_begin(ITraceEventCallback *This, ITraceEvent *event,
			ITraceRelogger *relogger)
{
	EVENT_RECORD *record;

	(void)This;
	if (ITraceEvent_GetEventRecord(event, &record) ||
	    !IsEqualGUID(&record->EventHeader.ProviderId, &EventTraceGuid) ||
	    record->UserDataLength < sizeof(TRACE_LOGFILE_HEADER) ||
	    ITraceRelogger_Inject(relogger, event))
		return E_FAIL;
	callback.header_time = record->EventHeader.TimeStamp.QuadPart;
	callback.begins++;
	return callback.begin_result;
}

static HRESULT on_finalize(ITraceEventCallback *This, ITraceRelogger *relogger)
{
	(void)This;
	callback.ends++;
	if (callback.kept)
		callback.result = ITraceRelogger_Inject(relogger, callback.kept);
	return callback.end_result;
}

static HRESULT on_event(ITraceEventCallback *This, ITraceEvent *event,
			ITraceRelogger *relogger)
{
	EVENT_RECORD *record;
	void *context;

	(void)This;
	if (ITraceEvent_GetEventRecord(event, &record) ||
	    ITraceEvent_GetUserContext(event, &context) ||
	    context != record->UserContext)
		return E_FAIL;
	if (callback.events < RECORDS)
		callback.contexts[callback.events] = context;
	callback.events++;
	return callback.act(event, relogger, record);
}

static ITraceEventCallbackVtbl methods = {
	callback_query, callback_add_ref, callback_release, on_begin,
	on_finalize, on_event,
};

static HRESULT take_all(ITraceEvent *event, ITraceRelogger *relogger,
			EVENT_RECORD *record)
{
	(void)record;
	return ITraceRelogger_Inject(relogger, event);
}

static ITraceRelogger *new_relogger(void)
{
	ITraceRelogger *relogger;

	if (CoCreateInstance(&CLSID_TraceRelogger, NULL, CLSCTX_INPROC_SERVER,
			     &IID_ITraceRelogger, (void **)&relogger))
		abort();
	return relogger;
}

static ITraceRelogger *begin(unsigned int inputs, action act)
{
	ITraceRelogger *relogger = new_relogger();
	RELOGSTREAM_ID id;
	unsigned int i;

	memset(&callback, 0, sizeof(callback));
	callback.com.lpVtbl = &methods;
	callback.act = act;
	for (i = 0; i < inputs; i++) {
		if (ITraceRelogger_AddLogfileTraceStream(relogger, names[i],
							 paths[i], &id) ||
		    id != i + 1)
			abort();
	}
	if (ITraceRelogger_RegisterCallback(relogger, &callback.com) ||
	    ITraceRelogger_SetOutputFilename(relogger, names[2]))
		abort();
	return relogger;
}

/* Relog into the third file, and return the result */
static HRESULT relog(unsigned int inputs, action act)
{
	ITraceRelogger *relogger = begin(inputs, act);
	HRESULT result = ITraceRelogger_ProcessTrace(relogger);

	if (callback.kept)
		ITraceEvent_Release(callback.kept);
	ITraceRelogger_Release(relogger);
	return result;
}

static bool same_records(const struct raw *a, const struct raw *b)
{
	unsigned int i;

	for (i = 0; i < a->count && i < b->count; i++) {
		if (a->records[i].size != b->records[i].size ||
		    a->records[i].cpu != b->records[i].cpu ||
		    a->records[i].time != b->records[i].time ||
		    memcmp(a->records[i].bytes, b->records[i].bytes,
			   a->records[i].size) != 0) {
			printf("# record %u differs\n", i);
			return false;
		}
	}
	return a->count == b->count;
}

static TRACE_LOGFILE_HEADER header_of(unsigned int file)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = paths[file],
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
	};
	TRACEHANDLE h = OpenTraceA(&l);

	if (h == INVALID_PROCESSTRACE_HANDLE || CloseTrace(h))
		abort();
	return l.LogfileHeader;
}

static void test_copy(void)
{
	static struct raw in, out;
	TRACE_LOGFILE_HEADER header;
	ITraceRelogger *relogger;
	BOOLEAN mode;

	make_all(0);
	read_raw(0, &in);
	CHECK(in.count == KINDS + 2, "a file has records of all kinds");
	for (mode = 0; mode < 2; mode++) {
		relogger = begin(1, take_all);
		CHECK(!ITraceRelogger_SetCompressionMode(relogger, mode) &&
		      !ITraceRelogger_ProcessTrace(relogger),
		      "a file is copied, compressed: %u", mode);
		ITraceRelogger_Release(relogger);
		read_raw(2, &out);
		CHECK(same_records(&in, &out), "its records are the same");
		CHECK(callback.begins == 1 && callback.ends == 1 &&
		      callback.events == in.count &&
		      callback.contexts[0] == paths[0] &&
		      callback.header_time == MAKE_START,
		      "each callback is called, with the context");
		header = header_of(2);
		CHECK(header.LogFileMode == (EVENT_TRACE_FILE_MODE_SEQUENTIAL |
					     EVENT_TRACE_RELOG_MODE |
					     (mode ? EVENT_TRACE_COMPRESSED_MODE : 0)) &&
		      header.EventsLost == 3 &&
		      header.StartTime.QuadPart == MAKE_START,
		      "the header has the mode, and the input's losses");
	}
	CHECK(!relog(1, take_all) && header_of(2).LogFileMode &
	      EVENT_TRACE_COMPRESSED_MODE,
	      "compression is the default");
}

static HRESULT take_odd(ITraceEvent *event, ITraceRelogger *relogger,
			EVENT_RECORD *record)
{
	return callback.events % 2 ? take_all(event, relogger, record) : S_FALSE;
}

static void test_filter(void)
{
	static struct raw in, out;
	unsigned int i, wrong = 0;

	read_raw(0, &in);
	CHECK(!relog(1, take_odd), "some events are injected");
	read_raw(2, &out);
	for (i = 0; i < out.count; i++)
		wrong += memcmp(out.records[i].bytes, in.records[2 * i].bytes,
				out.records[i].size) != 0;
	CHECK(out.count == in.count / 2 && !wrong, "only these are in the log");
}

/* The latest events of a log: a copy of each with its memory */
static struct seen {
	unsigned int count, headers;
	EVENT_RECORD records[RECORDS];
	char data[RECORDS][32];
	unsigned int item_types[RECORDS][4];
	uint8_t item_data[RECORDS][16];
} seen;

static VOID WINAPI on_read(PEVENT_RECORD r)
{
	unsigned int n = seen.count, i;

	if (IsEqualGUID(&r->EventHeader.ProviderId, &EventTraceGuid)) {
		seen.headers++;
		return;
	}
	if (n == RECORDS)
		return;
	seen.count++;
	seen.records[n] = *r;
	memcpy(seen.data[n], r->UserData,
	       r->UserDataLength < 31 ? r->UserDataLength : 31);
	for (i = 0; i < r->ExtendedDataCount && i < 4; i++)
		seen.item_types[n][i] = r->ExtendedData[i].ExtType;
	if (i)
		memcpy(seen.item_data[n],
		       (void *)(uintptr_t)r->ExtendedData[0].DataPtr, 16);
}

static void read_output(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = paths[2],
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_read,
	};
	TRACEHANDLE h = OpenTraceA(&l);

	memset(&seen, 0, sizeof(seen));
	if (ProcessTrace(&h, 1, NULL, NULL) || CloseTrace(h))
		abort();
}

static bool is_message(const EVENT_RECORD *r)
{
	return r->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE;
}

static bool is_classic(const EVENT_RECORD *r)
{
	return r->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER;
}

/* Change all members that each kind of event has */
static HRESULT change_all(ITraceEvent *event, ITraceRelogger *relogger,
			  EVENT_RECORD *record)
{
	const EVENT_DESCRIPTOR classic = {
		.Version = 9, .Level = 2, .Opcode = 77,
	};
	const EVENT_DESCRIPTOR full = {
		.Id = 1234, .Version = 9, .Channel = 3, .Level = 2,
		.Opcode = 77, .Task = 8, .Keyword = 0x123456789,
	};
	const GUID activity = { .Data1 = 0xac };
	LARGE_INTEGER time = record->EventHeader.TimeStamp;
	char payload[] = "changed";
	HRESULT result;

	time.QuadPart += 100000;
	if (ITraceEvent_SetTimeStamp(event, &time) ||
	    ITraceEvent_SetProcessorIndex(event, 2))
		return E_FAIL;
	if (is_message(record)) {
		if (ITraceEvent_SetProcessId(event, 1) != E_NOTIMPL ||
		    ITraceEvent_SetThreadId(event, 1) != E_NOTIMPL ||
		    ITraceEvent_SetThreadTimes(event, 1, 1) != E_NOTIMPL ||
		    ITraceEvent_SetActivityId(event, &activity) != E_NOTIMPL ||
		    ITraceEvent_SetProviderId(event, &provider) != E_NOTIMPL ||
		    ITraceEvent_SetEventDescriptor(event, &full) != E_NOTIMPL ||
		    ITraceEvent_SetPayload(event, (BYTE *)payload, 7) !=
		    E_NOTIMPL)
			return E_FAIL;
		return ITraceRelogger_Inject(relogger, event);
	}
	result = ITraceEvent_SetActivityId(event, &activity);
	if (result != (is_classic(record) ? E_NOTIMPL : S_OK) ||
	    ITraceEvent_SetProcessId(event, 101) ||
	    ITraceEvent_SetThreadId(event, 102) ||
	    ITraceEvent_SetThreadTimes(event, 3 * TIMER, 5 * TIMER + 1) ||
	    ITraceEvent_SetProviderId(event, &provider) ||
	    ITraceEvent_SetEventDescriptor(event, is_classic(record) ?
						  &classic : &full) ||
	    ITraceEvent_SetPayload(event, (BYTE *)payload, 7))
		return E_FAIL;
	memset(payload, 0, sizeof(payload));
	if (record->UserDataLength != 7 || memcmp(record->UserData, "changed", 7) != 0 ||
	    record->EventHeader.ProcessId != 101)
		return E_FAIL;
	return ITraceRelogger_Inject(relogger, event);
}

static bool is_changed(const EVENT_RECORD *r, const char *data)
{
	const EVENT_HEADER *h = &r->EventHeader;
	const EVENT_DESCRIPTOR *d = &h->EventDescriptor;

	if (GetEventProcessorIndex(r) != 2)
		return false;
	if (is_message(r))
		return !memcmp(data, "wpp", 3);
	if (is_classic(r) ? d->Id || d->Task || d->Keyword || h->ActivityId.Data1 :
			    d->Id != 1234 || d->Channel != 3 || d->Task != 8 ||
			    d->Keyword != 0x123456789 ||
			    h->ActivityId.Data1 != 0xac)
		return false;
	return h->ProcessId == 101 && h->ThreadId == 102 && h->KernelTime == 3 &&
	       h->UserTime == 5 && d->Version == 9 && d->Level == 2 &&
	       d->Opcode == 77 && IsEqualGUID(&h->ProviderId, &provider) &&
	       r->UserDataLength == 7 && !memcmp(data, "changed", 7);
}

static void test_setters(void)
{
	static struct raw in, out;
	unsigned int i, wrong = 0, times = 0, widths = 0, items = 0;
	const EVENT_RECORD *r;

	read_raw(0, &in);
	CHECK(!relog(1, change_all), "all members are changed");
	read_raw(2, &out);
	read_output();
	for (i = 0; i < seen.count && i < in.count; i++) {
		r = &seen.records[i];
		if (!is_changed(r, seen.data[i])) {
			printf("# event %u is not changed\n", i);
			wrong++;
		}
		times += out.records[i].time == in.records[i].time + 100000;
		widths += i < KINDS &&
			  !(r->EventHeader.Flags & EVENT_HEADER_FLAG_64_BIT_HEADER) ==
			  (kinds[i] == MAKE_SYSTEM32 || kinds[i] == MAKE_COMPACT32 ||
			   kinds[i] == MAKE_FULL32 || kinds[i] == MAKE_INSTANCE32 ||
			   kinds[i] == MAKE_PERFINFO32 || kinds[i] == MAKE_EVENT32);
		items += seen.item_types[i][0] == EVENT_HEADER_EXT_TYPE_INSTANCE_INFO;
	}
	CHECK(seen.count == in.count && !wrong, "the new log has the changes");
	CHECK(times == in.count, "the times are changed");
	CHECK(widths == KINDS, "events keep the width of their pointers");
	CHECK(items == 2, "instances keep their ids");
	i = KINDS;
	CHECK(seen.records[i].ExtendedDataCount == 2 &&
	      seen.item_types[i][0] == EVENT_HEADER_EXT_TYPE_RELATED_ACTIVITYID &&
	      seen.item_types[i][1] == EVENT_HEADER_EXT_TYPE_SID &&
	      seen.item_data[i][0] == 1 && seen.item_data[i][15] == 16,
	      "extended items are kept");
}

/* An event of the system gets another payload, or a descriptor with an id */
static HRESULT change_system(ITraceEvent *event, ITraceRelogger *relogger,
			     EVENT_RECORD *record)
{
	const EVENT_DESCRIPTOR descriptor = { .Id = 55, .Opcode = 3 };
	ITraceEvent *copy;
	HRESULT result;

	if (callback.events != 2)
		return S_OK;
	if (ITraceEvent_SetPayload(event, (BYTE *)"new", 3) ||
	    ITraceEvent_Clone(event, &copy))
		return E_FAIL;
	result = ITraceRelogger_Inject(relogger, event) ||
		 ITraceEvent_SetEventDescriptor(copy, &descriptor) ||
		 ITraceEvent_SetPayload(copy, NULL, 0) ||
		 ITraceRelogger_Inject(relogger, copy) ||
		 record->UserDataLength != 3;
	ITraceEvent_Release(copy);
	return result ? E_FAIL : S_OK;
}

static void test_system(void)
{
	const EVENT_HEADER *h = &seen.records[0].EventHeader;

	CHECK(!relog(1, change_system), "an event of the system is changed");
	read_output();
	CHECK(seen.count == 2 && is_classic(&seen.records[0]) &&
	      h->ProviderId.Data1 == 0x3d6fa8d0 &&
	      h->EventDescriptor.Opcode == 1 && !strcmp(seen.data[0], "new"),
	      "it keeps its class and type");
	CHECK(!is_classic(&seen.records[1]) &&
	      seen.records[1].EventHeader.EventDescriptor.Id == 55 &&
	      seen.records[1].EventHeader.ProviderId.Data1 == 0x3d6fa8d0 &&
	      !seen.records[1].UserDataLength,
	      "a copy with an event id is no longer classic");
}

/* Inject events of the program's own before and after the third one */
static HRESULT add_events(ITraceEvent *event, ITraceRelogger *relogger,
			  EVENT_RECORD *record)
{
	const EVENT_DESCRIPTOR descriptor = { .Id = 4321 };
	static const ULONG flags[] = {
		0, EVENT_HEADER_FLAG_32_BIT_HEADER,
		EVENT_HEADER_FLAG_CLASSIC_HEADER,
	};
	ITraceEvent *made;
	EVENT_RECORD *own;
	HRESULT result = S_OK;
	unsigned int i;
	void *context;

	if (callback.events != 3)
		return S_OK;
	for (i = 0; i < 3 && !result; i++) {
		if (ITraceRelogger_CreateEventInstance(relogger, 1, flags[i],
						       &made))
			return E_FAIL;
		result = ITraceEvent_GetEventRecord(made, &own) ||
			 ITraceEvent_GetUserContext(made, &context) ||
			 context != paths[0] ||
			 own->EventHeader.TimeStamp.QuadPart !=
			 record->EventHeader.TimeStamp.QuadPart ||
			 ITraceEvent_SetProviderId(made, &provider) ||
			 (i < 2 && ITraceEvent_SetEventDescriptor(made,
								  &descriptor)) ||
			 ITraceEvent_SetPayload(made, (BYTE *)"first", 5) ||
			 ITraceRelogger_Inject(relogger, made) ||
			 ITraceEvent_SetPayload(made, (BYTE *)"again", 5) ||
			 ITraceRelogger_Inject(relogger, made);
		ITraceEvent_Release(made);
	}
	if (result || ITraceRelogger_Inject(relogger, event))
		return E_FAIL;
	/* Used in OnFinalizeProcessTrace() */
	return ITraceEvent_Clone(event, &callback.kept);
}

static void test_new_events(void)
{
	unsigned int i, right = 0;
	const EVENT_HEADER *h;

	CHECK(!relog(1, add_events) && !callback.result,
	      "events of a program are injected");
	read_output();
	for (i = 0; i < 6; i++) {
		h = &seen.records[i].EventHeader;
		right += IsEqualGUID(&h->ProviderId, &provider) &&
			 h->EventDescriptor.Id == (i < 4 ? 4321 : 0) &&
			 is_classic(&seen.records[i]) == (i > 3) &&
			 !(h->Flags & EVENT_HEADER_FLAG_32_BIT_HEADER) ==
			 (i / 2 != 1) &&
			 GetEventProcessorIndex(&seen.records[i]) == 1 &&
			 !strcmp(seen.data[i], i % 2 ? "again" : "first");
	}
	CHECK(seen.count == 8 && right == 6, "they are in the new log");
	CHECK(seen.records[6].EventHeader.TimeStamp.QuadPart ==
	      seen.records[7].EventHeader.TimeStamp.QuadPart &&
	      !strcmp(seen.data[6], seen.data[7]),
	      "an event may be kept and injected at the end");
}

/* Two files whose events take turns, one of them of a clock of 1 GHz */
static void make_two(bool same_clock)
{
	struct etl_make m;
	unsigned int file, i;

	for (file = 0; file < 2; file++) {
		make_begin(&m, 4096, true, file ? "Second" : "First");
		make_put(make_header(&m) + 0x30, 5, 4);
		for (i = 0; i < 3; i++) {
			int64_t time = 2000 + 100 * (2 * i + file);

			if (file && !same_clock)
				time = (time - MAKE_BASE) * 100 + MAKE_BASE;
			make_buffer(&m, file, i + 1);
			make_put(make_record(&m, MAKE_EVENT64, time, 4) - 0x28,
				 2 * i + file, 2);
			make_buffer_end(&m);
		}
		if (file && !same_clock)
			make_clock(&m, 1, 1000000000);
		make_write(&m, paths[file]);
		make_free(&m);
	}
}

static void test_two(void)
{
	unsigned int i, right, same;

	for (same = 0; same < 2; same++) {
		make_two(same);
		CHECK(!relog(2, take_all) && callback.begins == 2 &&
		      callback.ends == 1,
		      "two files are relogged, of one clock: %u", same);
		read_output();
		for (i = right = 0; i < seen.count; i++)
			right += seen.records[i].EventHeader.EventDescriptor.Id == i &&
				 seen.records[i].EventHeader.TimeStamp.QuadPart ==
				 MAKE_START + 1000 + 100 * i &&
				 callback.contexts[i] == paths[i % 2];
		CHECK(seen.count == 6 && right == 6, "by time, each with its context");
		CHECK(seen.headers == 1, "the new log has one header");
		CHECK(header_of(2).EventsLost == 10, "losses are summed");
	}
}

static HRESULT cancel_at_second(ITraceEvent *event, ITraceRelogger *relogger,
				EVENT_RECORD *record)
{
	if (callback.events == 2 && ITraceRelogger_Cancel(relogger))
		return E_FAIL;
	return take_all(event, relogger, record);
}

static void test_cancel(void)
{
	ITraceRelogger *relogger;

	CHECK(!relog(2, cancel_at_second) && callback.events == 2 &&
	      callback.ends == 1,
	      "Cancel ends the processing, with success");
	read_output();
	CHECK(seen.count == 2, "the log has the events until then");
	relogger = begin(2, take_all);
	CHECK(!ITraceRelogger_Cancel(relogger) &&
	      !ITraceRelogger_ProcessTrace(relogger) && !callback.events,
	      "Cancel before the processing ends it at once");
	CHECK(!ITraceRelogger_ProcessTrace(relogger) && callback.events == 6,
	      "the files can be processed again");
	ITraceRelogger_Release(relogger);
	read_output();
	CHECK(seen.count == 6, "into the same log");
}

static HRESULT fail_at_second(ITraceEvent *event, ITraceRelogger *relogger,
			      EVENT_RECORD *record)
{
	return callback.events == 2 ? E_ABORT : take_all(event, relogger, record);
}

static HRESULT call_busy(ITraceEvent *event, ITraceRelogger *relogger,
			 EVENT_RECORD *record)
{
	const HRESULT busy = HRESULT_FROM_WIN32(ERROR_BUSY);

	(void)event;
	(void)record;
	if (ITraceRelogger_ProcessTrace(relogger) != busy ||
	    ITraceRelogger_SetOutputFilename(relogger, names[0]) != busy ||
	    ITraceRelogger_SetCompressionMode(relogger, 0) != busy ||
	    ITraceRelogger_AddLogfileTraceStream(relogger, names[0], NULL,
						 NULL) != busy)
		return E_FAIL;
	return S_OK;
}

static void test_callback_errors(void)
{
	ITraceRelogger *relogger;

	CHECK(relog(2, fail_at_second) == E_ABORT && callback.events == 2 &&
	      callback.ends == 1,
	      "an error of OnEvent ends the processing, and is returned");
	read_output();
	CHECK(seen.count == 1, "the log has the events until then");
	relogger = begin(1, take_all);
	callback.begin_result = E_ABORT;
	CHECK(ITraceRelogger_ProcessTrace(relogger) == E_ABORT &&
	      !callback.events,
	      "an error of OnBeginProcessTrace, too");
	callback.begin_result = S_OK;
	callback.end_result = E_ABORT;
	CHECK(ITraceRelogger_ProcessTrace(relogger) == E_ABORT,
	      "and one of OnFinalizeProcessTrace");
	CHECK(callback.references == 1, "a callback has one reference");
	ITraceRelogger_Release(relogger);
	CHECK(!relog(1, call_busy), "nothing is set while events are processed");
}

static void test_errors(void)
{
	static WCHAR none[] = u"/nonexistent/file", empty[] = u"";
	ITraceRelogger *relogger = new_relogger(), *other;
	ITraceEvent *event = NULL, *more;
	LARGE_INTEGER time = {};
	IUnknown *unknown;
	EVENT_RECORD *record;

	CHECK(ITraceRelogger_ProcessTrace(relogger) == E_INVALIDARG,
	      "a relogger needs an input");
	CHECK(ITraceRelogger_AddLogfileTraceStream(relogger, NULL, NULL, NULL) ==
	      E_INVALIDARG &&
	      ITraceRelogger_AddLogfileTraceStream(relogger, empty, NULL, NULL) ==
	      E_INVALIDARG &&
	      ITraceRelogger_AddRealtimeTraceStream(relogger, NULL, NULL,
						    NULL) == E_INVALIDARG &&
	      ITraceRelogger_AddRealtimeTraceStream(relogger, empty, NULL,
						    NULL) == E_INVALIDARG &&
	      ITraceRelogger_RegisterCallback(relogger, NULL) == E_INVALIDARG &&
	      ITraceRelogger_SetOutputFilename(relogger, NULL) == E_INVALIDARG &&
	      ITraceRelogger_SetOutputFilename(relogger, empty) == E_INVALIDARG &&
	      ITraceRelogger_Inject(relogger, NULL) == E_INVALIDARG,
	      "arguments are needed");
	CHECK(ITraceRelogger_AddLogfileTraceStream(relogger, none, NULL, NULL) ==
	      HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND),
	      "a file that does not exist");
	CHECK(!ITraceRelogger_AddLogfileTraceStream(relogger, names[0], NULL,
						    NULL) &&
	      ITraceRelogger_ProcessTrace(relogger) == E_INVALIDARG,
	      "a relogger needs a callback");
	ITraceRelogger_RegisterCallback(relogger, &callback.com);
	CHECK(ITraceRelogger_ProcessTrace(relogger) == E_INVALIDARG,
	      "and an output");
	ITraceRelogger_SetOutputFilename(relogger, names[0]);
	CHECK(ITraceRelogger_ProcessTrace(relogger) ==
	      HRESULT_FROM_WIN32(ERROR_SHARING_VIOLATION),
	      "which is no input");
	ITraceRelogger_SetOutputFilename(relogger, none);
	CHECK(ITraceRelogger_ProcessTrace(relogger) ==
	      HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND),
	      "and can be created");
	CHECK(ITraceRelogger_CreateEventInstance(relogger, 1, 0, NULL) ==
	      E_POINTER &&
	      ITraceRelogger_CreateEventInstance(relogger, 0, 0, &event) ==
	      E_INVALIDARG &&
	      ITraceRelogger_CreateEventInstance(relogger, 2, 0, &event) ==
	      E_INVALIDARG &&
	      ITraceRelogger_CreateEventInstance(relogger, 1, 1, &event) ==
	      E_INVALIDARG &&
	      ITraceRelogger_CreateEventInstance(relogger, 1, 0x60, &event) ==
	      E_INVALIDARG && !event,
	      "an event needs an input and known flags");
	if (ITraceRelogger_CreateEventInstance(relogger, 1, 0, &event))
		abort();
	CHECK(ITraceRelogger_Inject(relogger, event) == E_UNEXPECTED,
	      "no event is injected without a log");
	CHECK(ITraceEvent_SetPayload(event, NULL, 1) == E_INVALIDARG &&
	      ITraceEvent_SetEventDescriptor(event, NULL) == E_INVALIDARG &&
	      ITraceEvent_SetProcessorIndex(event, 0x10000) == E_INVALIDARG &&
	      ITraceEvent_SetActivityId(event, NULL) == E_INVALIDARG &&
	      ITraceEvent_SetTimeStamp(event, NULL) == E_INVALIDARG &&
	      ITraceEvent_SetProviderId(event, NULL) == E_INVALIDARG,
	      "members need values");
	CHECK(ITraceEvent_Clone(event, NULL) == E_POINTER &&
	      ITraceEvent_GetUserContext(event, NULL) == E_POINTER &&
	      ITraceEvent_GetEventRecord(event, NULL) == E_POINTER,
	      "results need a place");
	CHECK(ITraceEvent_SetPayload(event, (BYTE *)paths, 0xffff - 0x4f) ==
	      HRESULT_FROM_WIN32(ERROR_ARITHMETIC_OVERFLOW),
	      "events of more than 64 KiB are refused");
	if (ITraceEvent_SetTimeStamp(event, &time) ||
	    ITraceEvent_Clone(event, &more))
		abort();
	CHECK(!ITraceEvent_GetEventRecord(more, &record) &&
	      !record->EventHeader.TimeStamp.QuadPart,
	      "a new event can be cloned");
	ITraceEvent_Release(more);
	other = new_relogger();
	CHECK(ITraceRelogger_Inject(other, event) == E_INVALIDARG,
	      "an event belongs to its relogger");
	CHECK(!ITraceEvent_QueryInterface(event, &IID_IUnknown,
					  (void **)&unknown) &&
	      IUnknown_Release(unknown) == 1 &&
	      ITraceEvent_QueryInterface(event, &IID_ITraceRelogger,
					 (void **)&unknown) == E_NOINTERFACE &&
	      !unknown &&
	      ITraceEvent_QueryInterface(event, &IID_ITraceEvent, NULL) ==
	      E_POINTER,
	      "an event has its own interface");
	CHECK(!ITraceRelogger_QueryInterface(other, &IID_ITraceRelogger,
					     (void **)&unknown) &&
	      unknown == (IUnknown *)other && IUnknown_AddRef(unknown) == 3 &&
	      IUnknown_Release(unknown) == 2 && IUnknown_Release(unknown) == 1,
	      "a relogger, too");
	ITraceRelogger_Release(other);
	/* An event keeps its relogger */
	ITraceRelogger_Release(relogger);
	CHECK(!ITraceEvent_SetProcessId(event, 1) && !ITraceEvent_Release(event),
	      "an event is used after its relogger was released");
}

/* A file that cannot be written to the end */
static void test_full(void)
{
	struct rlimit limit, small = { 0x1000, RLIM_INFINITY };
	HRESULT result;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	result = relog(1, take_all);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	CHECK(result == HRESULT_FROM_WIN32(ERROR_LOG_FILE_FULL),
	      "an error of writing is returned");
}

static void test_units(void)
{
	struct etl_make m;

	make_begin(&m, 4096, true, "Units");
	make_put(make_header(&m) + 0x18, 10, 4);
	make_write(&m, paths[1]);
	make_free(&m);
	make_all(0);
	CHECK(relog(2, take_all) == HRESULT_FROM_WIN32(ERROR_NOT_SUPPORTED),
	      "files that count processor time in other units");
}

static void test_com(void)
{
	static const GUID other = { .Data1 = 1 };
	void *object = &object;
	BSTR text;

	CHECK(CoInitializeEx(NULL, COINIT_MULTITHREADED) == S_OK &&
	      CoInitializeEx(NULL, COINIT_SPEED_OVER_MEMORY) == S_FALSE &&
	      CoInitialize(NULL) == RPC_E_CHANGED_MODE &&
	      CoInitializeEx(&object, 0) == E_INVALIDARG &&
	      CoInitializeEx(NULL, 0x10) == E_INVALIDARG,
	      "a thread has one threading model");
	CoUninitialize();
	CoUninitialize();
	CoUninitialize();
	CHECK(CoInitialize(NULL) == S_OK, "until the last CoUninitialize()");
	CoUninitialize();
	CHECK(CoCreateInstance(&other, NULL, CLSCTX_ALL, &IID_ITraceRelogger,
			       &object) == REGDB_E_CLASSNOTREG && !object &&
	      CoCreateInstance(&CLSID_CTraceRelogger, NULL, CLSCTX_LOCAL_SERVER,
			       &IID_ITraceRelogger, &object) ==
	      REGDB_E_CLASSNOTREG &&
	      CoCreateInstance(&CLSID_CTraceRelogger, NULL, CLSCTX_ALL,
			       &IID_ITraceEvent, &object) == E_NOINTERFACE &&
	      CoCreateInstance(&CLSID_CTraceRelogger, (IUnknown *)&object,
			       CLSCTX_ALL, &IID_ITraceRelogger, &object) ==
	      CLASS_E_NOAGGREGATION &&
	      CoCreateInstance(&CLSID_CTraceRelogger, NULL, CLSCTX_ALL,
			       &IID_ITraceRelogger, NULL) == E_POINTER,
	      "errors of CoCreateInstance()");
	text = SysAllocStringLen(u"abcdef", 3);
	CHECK(SysStringLen(text) == 3 && text[2] == 'c' && !text[3] &&
	      ((UINT *)text)[-1] == 6,
	      "a BSTR has a length and a nul");
	SysFreeString(text);
	text = SysAllocString(u"ab");
	CHECK(SysStringLen(text) == 2 && !text[2], "of a text with a nul");
	SysFreeString(text);
	SysFreeString(NULL);
	CHECK(!SysAllocString(NULL) && !SysStringLen(NULL),
	      "NULL is an empty string");
}

int main(void)
{
	char folder[] = "/tmp/test_relogger.XXXXXX";
	WCHAR *name;
	unsigned int i;

	if (!mkdtemp(folder))
		return 1;
	for (i = 0; i < 3; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/%u.etl", folder, i);
		name = evnt_utf16(paths[i]);
		names[i] = SysAllocString(name);
		free(name);
	}
	test_copy();
	test_filter();
	test_setters();
	test_system();
	test_new_events();
	test_two();
	test_cancel();
	test_callback_errors();
	test_errors();
	test_full();
	test_units();
	test_com();
	for (i = 0; i < 3; i++) {
		SysFreeString(names[i]);
		unlink(paths[i]);
	}
	rmdir(folder);
	return tap_end();
}
