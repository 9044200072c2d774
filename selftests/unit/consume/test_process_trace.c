// SPDX-License-Identifier: MIT
/*
 * ProcessTrace and CloseTrace: each rule for the handles, the times and the
 * actions of callbacks.  OpenTrace and real-time sessions are in
 * test_open_trace.c.
 */
#include <unistd.h>

#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"
#include "lib/base/internal.h"
#include "selftests/unit/common/tap.h"

#define FILES		65
#define EVENTS		4	/* per file, plus a header */

static char paths[FILES][40];

/* Counts of the callbacks, and actions for them */
static struct {
	unsigned int events;
	unsigned int headers;
	unsigned int buffers;
	char order[4 * EVENTS];	/* letters of files, event by event */
	TRACEHANDLE process;	/* on each event */
	TRACEHANDLE close;	/* on each event */
	TRACEHANDLE close_last;	/* on each buffer */
	BOOL enough;		/* BufferCallback returns FALSE */
	ULONG code;		/* result of the action */
} seen;

static void make_file(const char *path)
{
	struct etl_make m;
	unsigned int i;

	make_begin(&m, 4096, true, "Session");
	for (i = 0; i < EVENTS; i++) {
		make_buffer(&m, i % 2, i + 1);
		make_record(&m, MAKE_EVENT64, 2000 + i, 8);
		make_buffer_end(&m);
	}
	make_write(&m, path);
	make_free(&m);
}

static void do_as_reported(void)
{
	if (seen.process)
		seen.code = ProcessTrace(&seen.process, 1, NULL, NULL);
	if (seen.close)
		seen.code = CloseTrace(seen.close);
	seen.close = 0;
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static VOID WINAPI on_record(PEVENT_RECORD r)
{
	if (r->EventHeader.EventDescriptor.Opcode ||
	    r->EventHeader.ProviderId.Data1 != 0x68fdd900) {
		if (seen.events < sizeof(seen.order) - 1)
			seen.order[seen.events] = *(const char *)r->UserContext;
		seen.events++;
	} else {
		seen.headers++;
	}
	do_as_reported();
}

static VOID WINAPI on_event(PEVENT_TRACE event)
{
	(void)event;
	seen.events++;
	do_as_reported();
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA l)
{
	(void)l;
	seen.buffers++;
	if (seen.close_last)
		seen.code = CloseTrace(seen.close_last);
	seen.close_last = 0;
	return !seen.enough;
}

static TRACEHANDLE open_file(unsigned int i, bool classic)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = paths[i],
		.BufferCallback = on_buffer,
		.Context = (PVOID)&letters[i % 26],
	};

	memset(&seen, 0, sizeof(seen));
	if (classic) {
		l.EventCallback = on_event;
	} else {
		l.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
		l.EventRecordCallback = on_record;
	}
	return OpenTraceA(&l);
}

/* Read events between two ticks; a tick of 0 is no limit */
static ULONG read_between(TRACEHANDLE h, LONGLONG start, LONGLONG end)
{
	FILETIME from, to;

	start += MAKE_START - MAKE_BASE;
	end += MAKE_START - MAKE_BASE;
	from = (FILETIME) { (DWORD)start, (DWORD)(start >> 32) };
	to = (FILETIME) { (DWORD)end, (DWORD)(end >> 32) };
	memset(&seen, 0, sizeof(seen));
	return ProcessTrace(&h, 1,
			    start > MAKE_START - MAKE_BASE ? &from : NULL,
			    end > MAKE_START - MAKE_BASE ? &to : NULL);
}

static void test_handles(void)
{
	TRACEHANDLE h[2] = { open_file(0, false), 0 };
	static const TRACEHANDLE none[] = { 0, INVALID_PROCESSTRACE_HANDLE,
					    4711 };
	unsigned int i;

	for (i = 0; i < EVNT_ARRAY_SIZE(none); i++) {
		h[1] = none[i];
		CHECK(ProcessTrace(h, 2, NULL, NULL) == ERROR_INVALID_HANDLE &&
		      ProcessTrace(&h[1], 1, NULL, NULL) ==
		      ERROR_INVALID_HANDLE && !seen.headers,
		      "ProcessTrace: %llx is no handle",
		      (unsigned long long)none[i]);
		CHECK(CloseTrace(none[i]) == ERROR_INVALID_HANDLE,
		      "CloseTrace: nor here");
	}
	CHECK(ProcessTrace(NULL, 1, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "ProcessTrace: NULL for handles");
	CHECK(ProcessTrace(h, 0, NULL, NULL) == ERROR_BAD_LENGTH &&
	      !seen.headers, "ProcessTrace: no handles");
	CHECK(!ProcessTrace(h, 1, NULL, NULL) && seen.events == EVENTS &&
	      seen.headers == 1, "ProcessTrace: the other one can be read");
	CHECK(!ProcessTrace(h, 1, NULL, NULL) && seen.events == 2 * EVENTS,
	      "ProcessTrace: and read again, from its beginning");
	CHECK(!CloseTrace(h[0]), "CloseTrace succeeds");
	CHECK(ProcessTrace(h, 1, NULL, NULL) == ERROR_INVALID_HANDLE,
	      "ProcessTrace: a handle that was closed");
	CHECK(CloseTrace(h[0]) == ERROR_INVALID_HANDLE,
	      "CloseTrace refuses a closed trace");
}

static void test_64_handles(void)
{
	TRACEHANDLE h[FILES];
	unsigned int i;

	for (i = 0; i < FILES; i++)
		h[i] = open_file(i, false);
	CHECK(ProcessTrace(h, 65, NULL, NULL) == ERROR_BAD_LENGTH &&
	      ProcessTrace(h, ~0u, NULL, NULL) == ERROR_BAD_LENGTH,
	      "ProcessTrace refuses more than 64 handles");
	CHECK(!seen.headers, "ProcessTrace: none of them is read");
	CHECK(!ProcessTrace(h, 64, NULL, NULL) && seen.headers == 64 &&
	      seen.events == 64 * EVENTS, "ProcessTrace: 64 handles");
	for (i = 0; i < FILES; i++)
		CloseTrace(h[i]);
}

static void test_times(void)
{
	static FILETIME last = { ~0u, ~0u }, first;
	TRACEHANDLE h = open_file(0, false);

	CHECK(!read_between(h, 2001, 2002) && seen.events == 2 && !seen.headers,
	      "StartTime and EndTime are of events that are wanted");
	CHECK(!read_between(h, 2003, 0) && seen.events == 1,
	      "StartTime selects later events");
	CHECK(!read_between(h, 0, 2000) && seen.events == 1 &&
	      seen.headers == 1, "EndTime selects earlier events");
	CHECK(!read_between(h, 2002, 2002) && seen.events == 1,
	      "StartTime and EndTime are the same");
	CHECK(!read_between(h, 3000, 4000) && !seen.events,
	      "a span after all events is no error");
	CHECK(read_between(h, 2002, 2001) == ERROR_INVALID_TIME &&
	      !seen.buffers, "EndTime is less than StartTime");
	CHECK(ProcessTrace(&h, 1, &last, &first) == ERROR_INVALID_TIME,
	      "ProcessTrace refuses reversed times that are far apart");
	memset(&seen, 0, sizeof(seen));
	CHECK(!ProcessTrace(&h, 1, &first, &last) && seen.events == EVENTS,
	      "the latest EndTime there can be is no early one");
	CloseTrace(h);
}

static void test_buffer_callback(void)
{
	TRACEHANDLE h[2] = { open_file(0, false), open_file(1, false) };

	seen.enough = TRUE;
	CHECK(ProcessTrace(h, 2, NULL, NULL) == ERROR_CANCELLED &&
	      seen.buffers == 1, "BufferCallback: FALSE ends it at once");
	memset(&seen, 0, sizeof(seen));
	CHECK(!ProcessTrace(h, 2, NULL, NULL) && seen.events == 2 * EVENTS &&
	      seen.buffers == 2 * (EVENTS + 1),
	      "BufferCallback: what was cancelled can be read again");
	CloseTrace(h[0]);
	CloseTrace(h[1]);
}

/* Files whose events have the same times */
static void test_same_times(void)
{
	TRACEHANDLE h[3] = { open_file(0, false), open_file(1, false),
			     open_file(2, false) };
	TRACEHANDLE turned[3] = { h[2], h[1], h[0] };

	CHECK(!ProcessTrace(h, 3, NULL, NULL) &&
	      !strcmp(seen.order, "ABCABCABCABC"),
	      "events of one time are in the order of handles");
	memset(&seen, 0, sizeof(seen));
	CHECK(!ProcessTrace(turned, 3, NULL, NULL) &&
	      !strcmp(seen.order, "CBACBACBACBA"),
	      "the order of handles counts, not that of OpenTrace");
	CloseTrace(h[0]);
	CloseTrace(h[1]);
	CloseTrace(h[2]);
}

static void test_busy(void)
{
	TRACEHANDLE h = open_file(0, false);

	seen.process = h;
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && seen.code == ERROR_BUSY &&
	      seen.events == EVENTS, "ProcessTrace: within a callback of it");
	CloseTrace(h);
}

/* Closing one of two traces ends reading, but leaves the other one open */
static void check_close(const char *where, bool classic, bool last)
{
	TRACEHANDLE h[2] = { open_file(0, classic), open_file(1, classic) };

	if (last)
		seen.close_last = h[1];
	else
		seen.close = h[1];
	CHECK(!ProcessTrace(h, 2, NULL, NULL) &&
	      seen.code == ERROR_CTX_CLOSE_PENDING,
	      "CloseTrace: in %s is pending", where);
	CHECK(seen.events < EVENTS, "CloseTrace: in %s ends it", where);
	CHECK(CloseTrace(h[1]) == ERROR_INVALID_HANDLE && !CloseTrace(h[0]),
	      "CloseTrace: in %s closes the one alone", where);
}

static void test_close(void)
{
	check_close("EventRecordCallback", false, false);
	check_close("EventCallback", true, false);
	check_close("BufferCallback", false, true);
}

static void test_without_callbacks(void)
{
	EVENT_TRACE_LOGFILEA l = { .LogFileName = paths[0] };
	TRACEHANDLE h = OpenTraceA(&l);

	CHECK(!ProcessTrace(&h, 1, NULL, NULL), "no callbacks, no error");
	CloseTrace(h);
	l.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	h = OpenTraceA(&l);
	CHECK(!ProcessTrace(&h, 1, NULL, NULL),
	      "records without a callback are read");
	CloseTrace(h);
}

static void test_wide(void)
{
	EVENT_TRACE_LOGFILEW l = {
		.LogFileName = evnt_utf16(paths[0]),
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_record,
		.Context = (PVOID)letters,
	};
	TRACEHANDLE h = OpenTraceW(&l);

	memset(&seen, 0, sizeof(seen));
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && seen.events == EVENTS,
	      "OpenTraceW opens a file");
	CloseTrace(h);
	free(l.LogFileName);
	l.LogFileName = NULL;
	CHECK(OpenTraceW(&l) == INVALID_PROCESSTRACE_HANDLE &&
	      GetLastError() == ERROR_BAD_PATHNAME, "OpenTraceW: no name");
	CHECK(OpenTraceW(NULL) == INVALID_PROCESSTRACE_HANDLE &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "OpenTraceW refuses NULL");
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < FILES; i++) {
		strcpy(paths[i], "/tmp/test_process_trace.XXXXXX");
		close(mkstemp(paths[i]));
		make_file(paths[i]);
	}
	test_handles();
	test_64_handles();
	test_times();
	test_buffer_callback();
	test_same_times();
	test_busy();
	test_close();
	test_without_callbacks();
	test_wide();
	for (i = 0; i < FILES; i++)
		unlink(paths[i]);
	return tap_end();
}
