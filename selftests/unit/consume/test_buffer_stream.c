// SPDX-License-Identifier: MIT
/*
 * Traces whose buffers the consumer supplies, and the other variants of
 * OpenTraceFromFile(): they have the events and the order of the file, each
 * buffer is returned once, and invalid buffers are refused.
 */
#include <pthread.h>
#include <unistd.h>

#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"
#include "selftests/unit/common/tap.h"

#define BUFFERS	40u

static char path[40] = "/tmp/test_buffer_stream.XXXXXX";
static WCHAR wide_path[40];

/* Copies of the file's buffers, in the order of the callback */
static struct {
	ETW_BUFFER_HEADER *buffer[BUFFERS + 1];
	unsigned int count;
} copies;

static struct {
	unsigned int events;
	bool has_header;
	unsigned int late;
	TRACEHANDLE close;
	ULONG closed;
	LONGLONG time;
	unsigned int buffers;
	unsigned int completed[BUFFERS + 1];
	PVOID context;
	unsigned int limit;
} seen;

static TRACEHANDLE stream;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	const GUID *id = &r->EventHeader.ProviderId;

	if (!__atomic_fetch_add(&seen.events, 1, __ATOMIC_RELAXED)) {
		seen.has_header = !memcmp(id, &EventTraceGuid, sizeof(*id));
		return;
	}
	if (seen.close && !seen.closed)
		seen.closed = CloseTrace(seen.close);
	seen.late += r->EventHeader.TimeStamp.QuadPart < seen.time;
	seen.time = r->EventHeader.TimeStamp.QuadPart;
}

static BOOL WINAPI on_copy(PETW_BUFFER_HEADER buffer, ULONG size,
			   PETW_BUFFER_CALLBACK_INFORMATION info, PVOID context)
{
	(void)info;
	(void)context;
	copies.buffer[copies.count] = malloc(size);
	memcpy(copies.buffer[copies.count++], buffer, size);
	return TRUE;
}

static BOOL WINAPI on_buffer(PETW_BUFFER_HEADER buffer, ULONG size,
			     PETW_BUFFER_CALLBACK_INFORMATION info,
			     PVOID context)
{
	(void)buffer;
	(void)context;
	seen.buffers += size == 4096 && info->LogfileHeader->BufferSize == 4096;
	return seen.buffers != seen.limit;
}

static VOID WINAPI on_complete(const ETW_BUFFER_HEADER *buffer, PVOID context)
{
	unsigned int i;

	seen.context = context;
	for (i = 0; i < copies.count; i++)
		seen.completed[i] += buffer == copies.buffer[i];
}

/* The times of the buffers of four processors overlap; one is before the log's */
static void make_file(void)
{
	struct etl_make m;
	unsigned int i, k;

	make_begin(&m, 4096, true, "Session");
	for (i = 0; i < BUFFERS; i++) {
		make_buffer(&m, i % 4, i + 1);
		for (k = 0; k < 5; k++)
			make_record(&m, MAKE_EVENT64,
				    i + k ? 2000 + i / 4 * 100 + 4 * k + i % 4 :
					    1, 8);
		make_buffer_end(&m);
	}
	make_write(&m, path);
	make_free(&m);
	for (i = 0; i < sizeof(path); i++)
		wide_path[i] = (unsigned char)path[i];
}

static void copy_buffers(void)
{
	ETW_OPEN_TRACE_OPTIONS options = { .BufferCallback = on_copy };
	TRACEHANDLE h = OpenTraceFromFile(wide_path, &options, NULL);

	if (ProcessTrace(&h, 1, NULL, NULL) || copies.count != BUFFERS + 1)
		abort();
	CloseTrace(h);
}

static void open_stream(void)
{
	ETW_OPEN_TRACE_OPTIONS options = {
		.EventCallback = on_event, .BufferCallback = on_buffer,
	};

	memset(&seen, 0, sizeof(seen));
	stream = OpenTraceFromBufferStream(&options, on_complete, &seen);
	if (stream == INVALID_PROCESSTRACE_HANDLE)
		abort();
}

static ULONG add(unsigned int i)
{
	return ProcessTraceAddBufferToBufferStream(stream, copies.buffer[i],
						   4096);
}

/* Whether buffers from @first to @last were returned once, and no others */
static bool returned(unsigned int first, unsigned int last)
{
	unsigned int i;

	for (i = 0; i <= BUFFERS; i++) {
		if (seen.completed[i] != (i >= first && i <= last))
			return false;
	}
	return seen.context == &seen;
}

static void *add_all(void *arg)
{
	ULONG failed = 0;
	unsigned int i;

	for (i = 0; i <= BUFFERS; i++) {
		failed |= add(i);
		if (i % 8 == 0)
			sched_yield();
	}
	/* ProcessTrace() has begun */
	while (!__atomic_load_n(&seen.events, __ATOMIC_RELAXED))
		sched_yield();
	failed |= CloseTrace(stream) != ERROR_CTX_CLOSE_PENDING;
	return failed ? NULL : arg;
}

static void test_added_before(void)
{
	unsigned int i;
	ULONG failed = 0;

	open_stream();
	for (i = 0; i <= BUFFERS; i++)
		failed |= add(i);
	CHECK(!failed, "buffers may be added before ProcessTrace");
	seen.limit = BUFFERS + 1;
	CHECK(ProcessTrace(&stream, 1, NULL, NULL) == ERROR_CANCELLED &&
	      seen.buffers == BUFFERS + 1,
	      "the buffer callback gets each buffer, and ends ProcessTrace");
	CHECK(seen.events == 1 + 5 * BUFFERS && seen.has_header && !seen.late,
	      "events of all processors follow the header by time");
	/* Read a buffer again, and close the stream while it is read */
	add(BUFFERS);
	seen.close = stream;
	CHECK(!ProcessTrace(&stream, 1, NULL, NULL) &&
	      seen.closed == ERROR_CTX_CLOSE_PENDING &&
	      seen.events == 1 + 5 * BUFFERS + 5,
	      "a second ProcessTrace reads what was added since");
	CHECK(seen.completed[BUFFERS]-- == 2 && returned(0, BUFFERS),
	      "each buffer is returned once");
	CHECK(CloseTrace(stream) == ERROR_INVALID_HANDLE &&
	      add(0) == ERROR_INVALID_HANDLE,
	      "a stream is closed when its end is read");
}

static void test_added_during(void)
{
	pthread_t thread;
	void *added;
	ULONG code;

	open_stream();
	pthread_create(&thread, NULL, add_all, &seen);
	code = ProcessTrace(&stream, 1, NULL, NULL);
	pthread_join(thread, &added);
	CHECK(added && !code && seen.events == 1 + 5 * BUFFERS,
	      "all buffers that are added before CloseTrace are read");
	CHECK(returned(0, BUFFERS), "buffers added meanwhile are returned once");
}

static void test_close(void)
{
	open_stream();
	add(0);
	add(1);
	CHECK(!CloseTrace(stream) && returned(0, 1) && !seen.events,
	      "CloseTrace returns the buffers that were not read");
}

static void test_header(void)
{
	TRACE_LOGFILE_HEADER header = {};
	ULONG len;

	open_stream();
	CHECK(add(1) == ERROR_FILE_CORRUPT,
	      "the first buffer has the header of a log");
	CHECK(!add(0), "the header may follow a buffer that was refused");
	CHECK(!QueryTraceProcessingHandle(stream, EtwQueryLogFileHeader, NULL,
					  0, &header, sizeof(header), &len) &&
	      header.BufferSize == 4096 && header.LoggerName[0] == 'S',
	      "the header can be queried");
	CloseTrace(stream);
	CHECK(returned(0, 0), "a refused buffer is not returned");
}

static void test_bad_buffers(void)
{
	ETW_OPEN_TRACE_OPTIONS options = {};
	static ULONG64 words[513];
	TRACEHANDLE file;

	open_stream();
	add(0);
	memcpy(words, copies.buffer[1], 4096);
	CHECK(ProcessTraceAddBufferToBufferStream(stream, NULL, 4096) ==
	      ERROR_INVALID_PARAMETER, "a buffer of NULL is refused");
	CHECK(ProcessTraceAddBufferToBufferStream(stream, (void *)words, 4095) ==
	      ERROR_INVALID_PARAMETER &&
	      ProcessTraceAddBufferToBufferStream(stream, (void *)words, 71) ==
	      ERROR_INVALID_PARAMETER,
	      "a buffer that is shorter than its header states is refused");
	((ULONG *)words)[0] = 71;
	CHECK(ProcessTraceAddBufferToBufferStream(stream, (void *)words, 4096) ==
	      ERROR_INVALID_PARAMETER,
	      "a buffer without room for its header is refused");
	((ULONG *)words)[0] = 4096;
	((UCHAR *)words)[0x34] |= 0x40;
	CHECK(ProcessTraceAddBufferToBufferStream(stream, (void *)words, 4096) ==
	      ERROR_INVALID_PARAMETER, "a packed buffer is refused");
	memcpy((char *)words + 4, copies.buffer[1], 4096);
	CHECK(ProcessTraceAddBufferToBufferStream(stream,
						  (void *)((char *)words + 4),
						  4096) ==
	      ERROR_INVALID_PARAMETER, "an unaligned buffer is refused");
	CloseTrace(stream);
	file = OpenTraceFromFile(wide_path, &options, NULL);
	CHECK(ProcessTraceAddBufferToBufferStream(file, copies.buffer[0], 4096) ==
	      ERROR_INVALID_HANDLE, "a file takes no buffers");
	CloseTrace(file);
}

static void test_open_errors(void)
{
	ETW_OPEN_TRACE_OPTIONS options = {
		.ProcessTraceModes = (ETW_PROCESS_TRACE_MODES)2,
	};
	const TRACEHANDLE none = INVALID_PROCESSTRACE_HANDLE;
	static const WCHAR name[] = { 'x', 0 }, empty[] = { 0 };
	TRACEHANDLE h[2];

	CHECK(OpenTraceFromBufferStream(NULL, NULL, NULL) == none &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromBufferStream: no options");
	CHECK(OpenTraceFromBufferStream(&options, NULL, NULL) == none &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromBufferStream: an unknown mode");
	CHECK(OpenTraceFromRealTimeLogger(name, &options, NULL) == none &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromRealTimeLogger: an unknown mode");
	options.ProcessTraceModes = ETW_PROCESS_TRACE_MODE_NONE;
	CHECK(OpenTraceFromRealTimeLogger(NULL, &options, NULL) == none &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      OpenTraceFromRealTimeLogger(name, NULL, NULL) == none &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromRealTimeLogger: NULL");
	CHECK(OpenTraceFromRealTimeLogger(empty, &options, NULL) == none &&
	      GetLastError() == ERROR_BAD_PATHNAME,
	      "OpenTraceFromRealTimeLogger: an empty name");
	CHECK(OpenTraceFromRealTimeLoggerWithAllocationOptions(name, &options, 0,
							       &options, NULL) ==
	      none && GetLastError() == ERROR_NOT_SUPPORTED,
	      "a memory partition is not supported");
	h[0] = OpenTraceFromBufferStream(&options, NULL, NULL);
	h[1] = OpenTraceFromFile(wide_path, &options, NULL);
	CHECK(ProcessTrace(h, 2, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "ProcessTrace: a stream beside a file");
	CHECK(!CloseTrace(h[0]) && !CloseTrace(h[1]), "both are closed");
}

int main(void)
{
	unsigned int i;
	int fd = mkstemp(path);

	close(fd);
	make_file();
	copy_buffers();
	test_added_before();
	for (i = 0; i < 20; i++)
		test_added_during();
	test_close();
	test_header();
	test_bad_buffers();
	test_open_errors();
	for (i = 0; i < copies.count; i++)
		free(copies.buffer[i]);
	unlink(path);
	return tap_end();
}
