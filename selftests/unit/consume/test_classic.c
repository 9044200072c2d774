// SPDX-License-Identifier: MIT
/*
 * Consumers from before EventWrite(): EventCallback, SetTraceCallback,
 * BufferCallback, and their arguments.
 */
#include <unistd.h>

#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"
#include "selftests/unit/common/tap.h"

static char path[32] = "/tmp/test_classic.XXXXXX";

#define EVENTS	16

static struct seen {
	EVENT_TRACE events[EVENTS];
	char data[EVENTS];
	unsigned int count;
	unsigned int class_count;
	UCHAR class_type;
	unsigned int buffers;
	EVENT_TRACE_LOGFILEA logfile;
} seen;

static VOID WINAPI on_event(PEVENT_TRACE event)
{
	if (seen.count == EVENTS)
		return;
	seen.events[seen.count] = *event;
	if (event->MofLength)
		seen.data[seen.count] = *(char *)event->MofData;
	seen.count++;
}

static VOID WINAPI on_class(PEVENT_TRACE event)
{
	seen.class_count++;
	seen.class_type = event->Header.Class.Type;
}

static VOID WINAPI on_class_too(PEVENT_TRACE event)
{
	(void)event;
	seen.class_count += 100;
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA logfile)
{
	seen.buffers++;
	seen.logfile = *logfile;
	return TRUE;
}

static const GUID class = { .Data1 = 0x1234 };
static const GUID other = { .Data1 = 0x4321 };

/* One record of each kind that has a class, and one of EventWrite() */
static void make_records(struct etl_make *m)
{
	uint8_t *p = make_record(m, MAKE_FULL64, 2000, 3);

	memcpy(p, "abc", 3);
	make_class(p, 0x30, class.Data1, 5, 4, 0x1203);
	p = make_record(m, MAKE_INSTANCE64, 3000, 1);
	*p = 'i';
	make_class(p, 0x48, class.Data1, 6, 2, 1);
	make_put(p - 0x18, 77, 4);
	make_put(p - 0x14, 88, 4);
	make_put(p - 0x10, 99, 4);
	p = make_record(m, MAKE_EVENT64, 4000, 1);
	*p = 'e';
	make_put(p - 0x38, class.Data1, 4);
	make_put(p - 0x23, 9, 1);
}

static void make_file(bool wide, const char *session)
{
	struct etl_make m;

	make_begin(&m, 4096, wide, session);
	make_buffer(&m, 2, 1);
	make_put(make_head(&m) + 0x2a, 7, 2);
	make_records(&m);
	make_buffer_end(&m);
	make_write(&m, path);
	make_free(&m);
}

static ULONG process(ULONG mode, EVENT_TRACE_LOGFILEA *l)
{
	TRACEHANDLE h;
	ULONG code;

	memset(&seen, 0, sizeof(seen));
	*l = (EVENT_TRACE_LOGFILEA) {
		.LogFileName = path,
		.ProcessTraceMode = mode,
		.EventCallback = on_event,
		.BufferCallback = on_buffer,
		.Context = &seen,
	};
	h = OpenTraceA(l);
	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	code = ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
	return code;
}

static void test_events(void)
{
	const EVENT_TRACE *e = seen.events;
	EVENT_TRACE_LOGFILEA l;

	make_file(true, "Session");
	CHECK(!process(0, &l) && seen.count == 4,
	      "EventCallback: each event of a file");
	CHECK(e[0].Header.Guid.Data1 == 0x68fdd900 &&
	      e[0].Header.Class.Type == EVENT_TRACE_TYPE_INFO &&
	      e[0].MofLength > sizeof(TRACE_LOGFILE_HEADER),
	      "EventCallback: the header is first");
	CHECK(e[1].Header.Guid.Data1 == class.Data1 &&
	      e[1].Header.Class.Type == 5 && e[1].Header.Class.Level == 4 &&
	      e[1].Header.Class.Version == 0x1203 && e[1].Header.Size == 0x33,
	      "EVENT_TRACE: the class of TraceEvent");
	CHECK(e[1].Header.ThreadId == 11 && e[1].Header.ProcessId == 22 &&
	      e[1].Header.KernelTime == 33 && e[1].Header.UserTime == 44 &&
	      e[1].Header.TimeStamp.QuadPart == MAKE_START + 1000,
	      "EVENT_TRACE has thread, process and times");
	CHECK(e[1].MofLength == 3 && seen.data[1] == 'a' && !e[1].InstanceId &&
	      e[1].BufferContext.ProcessorNumber == 2 &&
	      e[1].BufferContext.LoggerId == 7,
	      "EVENT_TRACE: data and context");
	CHECK(e[2].InstanceId == 77 && e[2].ParentInstanceId == 88 &&
	      e[2].ParentGuid.Data1 == 99 && seen.data[2] == 'i',
	      "EVENT_TRACE: the instances of TraceEventInstance");
	CHECK(e[3].Header.Guid.Data1 == class.Data1 && seen.data[3] == 'e' &&
	      e[3].Header.Class.Type == 9, "EVENT_TRACE: of EventWrite");
	CHECK(!process(PROCESS_TRACE_MODE_RAW_TIMESTAMP, &l) &&
	      e[1].Header.TimeStamp.QuadPart == 2000,
	      "EVENT_TRACE: PROCESS_TRACE_MODE_RAW_TIMESTAMP");
}

/* Programs free a copy of the data if the pointer is not NULL */
static void test_no_data(void)
{
	EVENT_TRACE_LOGFILEA l;
	struct etl_make m;

	make_begin(&m, 4096, true, "Session");
	make_buffer(&m, 0, 1);
	make_class(make_record(&m, MAKE_FULL64, 2000, 0), 0x30, class.Data1, 5,
		   4, 1);
	make_buffer_end(&m);
	make_write(&m, path);
	make_free(&m);
	CHECK(!process(0, &l) && seen.count == 2 && seen.events[0].MofData &&
	      !seen.events[1].MofLength && !seen.events[1].MofData,
	      "EVENT_TRACE: no pointer to data without data");
}

static void test_buffers(void)
{
	const EVENT_TRACE_LOGFILEA *b = &seen.logfile;
	EVENT_TRACE_LOGFILEA l;

	make_file(true, "Session");
	CHECK(!process(0, &l) && seen.buffers == 2 && b->BuffersRead == 2,
	      "BufferCallback: after each buffer");
	CHECK(b->Filled == 0x48 + 0x38 + 0x50 + 0x58 && b->BufferSize == 4096,
	      "BufferCallback: Filled, BufferSize");
	CHECK(b->CurrentTime == MAKE_START + 3000 &&
	      b->CurrentEvent.Header.Class.Type == 9 &&
	      b->CurrentEvent.Header.TimeStamp.QuadPart == MAKE_START + 3000,
	      "BufferCallback: CurrentTime, CurrentEvent");
	CHECK(b->Context == &seen && !b->IsKernelTrace &&
	      b->LogfileHeader.BuffersWritten == 2 && b->EventCallback == on_event,
	      "BufferCallback: what OpenTrace was given");
	CHECK(b->LogFileName != path, "BufferCallback: a name that stays");
}

/*
 * Of three buffers, only the first has an event in the requested time range;
 * its memory is reused for the third buffer when the second is done.
 */
static void test_buffers_of_other_times(void)
{
	LONGLONG end = MAKE_START + 1500;
	FILETIME to = { (DWORD)end, (DWORD)(end >> 32) };
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = path,
		.EventCallback = on_event,
		.BufferCallback = on_buffer,
	};
	struct etl_make m;
	TRACEHANDLE h;
	int i;

	make_begin(&m, 4096, true, "Session");
	for (i = 0; i < 3; i++) {
		make_buffer(&m, i % 2, i + 1);
		make_class(make_record(&m, MAKE_FULL64, 2000 + 1000 * i, 8),
			   0x30, class.Data1, i + 1, 0, 0);
		make_buffer_end(&m);
	}
	make_write(&m, path);
	make_free(&m);
	memset(&seen, 0, sizeof(seen));
	h = OpenTraceA(&l);
	CHECK(!ProcessTrace(&h, 1, NULL, &to) && seen.buffers == 4 &&
	      seen.count == 2,
	      "BufferCallback is called for buffers of other times");
	CHECK(seen.logfile.CurrentEvent.Header.Class.Type == 1 &&
	      seen.logfile.CurrentTime == MAKE_START + 1000,
	      "BufferCallback: CurrentEvent is one that was processed");
	CloseTrace(h);
}

static bool is_text(const WCHAR *text, const char *what)
{
	while (*what && *text == (WCHAR)*what) {
		text++;
		what++;
	}
	return !*what && !*text;
}

static EVENT_TRACE_LOGFILEA opened;

static void test_header(bool wide)
{
	const TRACE_LOGFILE_HEADER *h = &opened.LogfileHeader;
	TRACEHANDLE t;

	make_file(wide, "nt kernel logger");
	opened = (EVENT_TRACE_LOGFILEA) { .LogFileName = path };
	t = OpenTraceA(&opened);
	CHECK(h->BufferSize == 4096 && h->NumberOfProcessors == 4 &&
	      h->PerfFreq.QuadPart == 10000000 && h->ReservedFlags == 1 &&
	      h->StartTime.QuadPart == MAKE_START && h->CpuSpeedInMHz == 3000,
	      "LogfileHeader of a %d-bit system", wide ? 64 : 32);
	CHECK(is_text(h->LoggerName, "nt kernel logger") &&
	      is_text(h->LogFileName, "made.etl"),
	      "LogfileHeader contains the names");
	CHECK(opened.IsKernelTrace, "IsKernelTrace is set");
	CloseTrace(t);
}

static void test_class_callbacks(void)
{
	EVENT_TRACE_LOGFILEA l;

	make_file(true, "Session");
	CHECK(SetTraceCallback(NULL, on_class) == ERROR_INVALID_PARAMETER,
	      "SetTraceCallback: no GUID");
	CHECK(SetTraceCallback(&class, NULL) == ERROR_INVALID_PARAMETER,
	      "SetTraceCallback: no function");
	CHECK(RemoveTraceCallback(NULL) == ERROR_INVALID_PARAMETER,
	      "RemoveTraceCallback: no GUID");
	CHECK(RemoveTraceCallback(&class) == ERROR_WMI_GUID_NOT_FOUND,
	      "RemoveTraceCallback: a class without a function");
	CHECK(!SetTraceCallback(&other, on_class_too) &&
	      !SetTraceCallback(&class, on_class_too) &&
	      !SetTraceCallback(&class, on_class),
	      "SetTraceCallback sets callbacks for classes");
	CHECK(!process(0, &l) && seen.class_count == 2 && seen.class_type == 6,
	      "the last function that was set sees what TraceEvent wrote");
	CHECK(seen.count == 4, "EventCallback sees all the same");
	CHECK(!RemoveTraceCallback(&class) && !process(0, &l) &&
	      !seen.class_count && seen.count == 4,
	      "RemoveTraceCallback: it is called no more");
	CHECK(RemoveTraceCallback(&class) == ERROR_WMI_GUID_NOT_FOUND &&
	      !RemoveTraceCallback(&other),
	      "RemoveTraceCallback succeeds once");
}

/* Removing one of two classes' functions keeps the other */
static void test_two_classes(void)
{
	EVENT_TRACE_LOGFILEA l;

	make_file(true, "Session");
	CHECK(!SetTraceCallback(&other, on_class_too) &&
	      !SetTraceCallback(&class, on_class) &&
	      !RemoveTraceCallback(&other) && !process(0, &l) &&
	      seen.class_count == 2,
	      "the function of the second class stays without the first one");
	CHECK(RemoveTraceCallback(&other) == ERROR_WMI_GUID_NOT_FOUND,
	      "the first class has no function any longer");
	CHECK(!SetTraceCallback(&other, on_class_too) &&
	      !RemoveTraceCallback(&other) && !process(0, &l) &&
	      seen.class_count == 2 && !RemoveTraceCallback(&class),
	      "the function of the first class stays without the second one");
}

int main(void)
{
	int fd = mkstemp(path);

	test_events();
	test_no_data();
	test_buffers();
	test_buffers_of_other_times();
	test_header(true);
	test_header(false);
	test_class_callbacks();
	test_two_classes();
	close(fd);
	unlink(path);
	return tap_end();
}
