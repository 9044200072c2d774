// SPDX-License-Identifier: MIT
/*
 * OpenTrace, OpenTraceFromFile, ProcessTrace, CloseTrace and
 * QueryTraceProcessingHandle: which arguments they accept and refuse; and that
 * a source other than a file is read as trace_source.h documents.
 */
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"
#include "selftests/unit/common/tap.h"
#include "lib/consume/trace.h"

static char path[32] = "/tmp/test_open_trace.XXXXXX";
static WCHAR wide_path[32];

static void make_file(void)
{
	struct etl_make m;
	unsigned int i;

	make_begin(&m, 4096, true, "Session");
	for (i = 0; i < 3; i++) {
		make_put(make_buffer(&m, i, i + 1) + 0x10, 777 + i, 8);
		make_record(&m, MAKE_EVENT64, 2000 + i, 8);
		make_buffer_end(&m);
	}
	make_write(&m, path);
	make_free(&m);
	for (i = 0; i < 32; i++)
		wide_path[i] = (unsigned char)path[i];
}

static ULONG open_error(EVENT_TRACE_LOGFILEA *l)
{
	TRACEHANDLE h;

	SetLastError(0);
	h = OpenTraceA(l);
	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	CloseTrace(h);
	return GetLastError();
}

static void test_open_errors(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
	};

	CHECK(open_error(NULL) == ERROR_INVALID_PARAMETER,
	      "OpenTrace refuses NULL");
	CHECK(open_error(&l) == ERROR_BAD_PATHNAME, "OpenTrace: no name");
	l.LogFileName = "";
	CHECK(open_error(&l) == ERROR_BAD_PATHNAME, "OpenTrace: empty name");
	l.LogFileName = "/nowhere/at/all";
	CHECK(open_error(&l) == ERROR_FILE_NOT_FOUND, "OpenTrace: no file");
	l.LogFileName = "/dev/null/file";
	CHECK(open_error(&l) == ERROR_PATH_NOT_FOUND, "OpenTrace: no folder");
	l.LogFileName = "/";
	CHECK(open_error(&l) == ERROR_BAD_PATHNAME, "OpenTrace: a folder");
	l.LogFileName = "/dev/null";
	CHECK(open_error(&l) == ERROR_FILE_CORRUPT, "OpenTrace: no log file");
	l.LogFileName = "/proc/self/exe";
	CHECK(open_error(&l) == ERROR_FILE_CORRUPT, "OpenTrace: a program");
	l.LogFileName = path;
	CHECK(open_error(&l) == ERROR_SUCCESS, "OpenTrace: a log file");
	l.LoggerName = "session";
	CHECK(open_error(&l) == ERROR_INVALID_PARAMETER,
	      "OpenTrace refuses a file with a session");
	l.LoggerName = NULL;
	l.ProcessTraceMode |= PROCESS_TRACE_MODE_REAL_TIME;
	CHECK(open_error(&l) == ERROR_INVALID_PARAMETER,
	      "OpenTrace: a file in real time");
}

static void test_open_denied(void)
{
	EVENT_TRACE_LOGFILEA l = { .LogFileName = path };

	/* Root may read anything */
	if (chmod(path, 0) || (!getuid() && seteuid(65534))) {
		SKIP("rights cannot be given up");
		return;
	}
	CHECK(open_error(&l) == ERROR_ACCESS_DENIED,
	      "OpenTrace: a file that may not be read");
	if (seteuid(getuid()) || chmod(path, 0600))
		abort();
}

/* Handles run out, and are reused */
static void test_many(void)
{
	EVENT_TRACE_LOGFILEA l = { .LogFileName = path };
	static TRACEHANDLE h[1025];
	unsigned int i;

	for (i = 0; i < 1024; i++)
		h[i] = OpenTraceA(&l);
	CHECK(h[1023] != INVALID_PROCESSTRACE_HANDLE, "1024 traces are open");
	CHECK(open_error(&l) == ERROR_NO_SYSTEM_RESOURCES,
	      "OpenTrace: one more is not");
	for (i = 0; i < 1024; i++)
		CloseTrace(h[i]);
	CHECK(CloseTrace(h[0]) == ERROR_INVALID_HANDLE,
	      "CloseTrace refuses a closed trace");
	CHECK(open_error(&l) == ERROR_SUCCESS, "OpenTrace: there is room again");
}

static struct seen {
	unsigned int events;
	unsigned int buffers;
	ULONG filled;
	LONGLONG time;
	LONGLONG stamp;
	ETW_BUFFER_CALLBACK_INFORMATION info;
	ULONG written;
	PVOID context;
	PVOID event_context;
	BOOL go_on;
} seen;

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	seen.events++;
	seen.time = r->EventHeader.TimeStamp.QuadPart;
	seen.event_context = r->UserContext;
}

static BOOL WINAPI on_buffer(PETW_BUFFER_HEADER buffer, ULONG size,
			     PETW_BUFFER_CALLBACK_INFORMATION info,
			     PVOID context)
{
	seen.buffers += size == 4096;
	seen.filled = buffer->FilledBytes;
	seen.stamp = buffer->TimeStamp.QuadPart;
	seen.info = *info;
	seen.written = info->LogfileHeader->BuffersWritten;
	seen.context = context;
	return seen.go_on;
}

static ULONG from_file_error(const WCHAR *name, ULONG modes)
{
	ETW_OPEN_TRACE_OPTIONS options = {
		.ProcessTraceModes = (ETW_PROCESS_TRACE_MODES)modes,
	};
	TRACEHANDLE h = OpenTraceFromFile(name, &options, NULL);

	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	return CloseTrace(h);
}

static void test_from_file_errors(void)
{
	static const WCHAR none[] = { '/', 'n', 'o', 0 }, empty[] = { 0 };

	CHECK(from_file_error(NULL, 0) == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromFile: no name");
	CHECK(from_file_error(wide_path, 2) == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromFile: an unknown mode");
	CHECK(OpenTraceFromFile(wide_path, NULL, NULL) ==
	      INVALID_PROCESSTRACE_HANDLE &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "OpenTraceFromFile: no options");
	CHECK(from_file_error(empty, 0) == ERROR_BAD_PATHNAME,
	      "OpenTraceFromFile: an empty name");
	CHECK(from_file_error(none, 0) == ERROR_FILE_NOT_FOUND,
	      "OpenTraceFromFile: no file");
	CHECK(from_file_error(wide_path, 0) == ERROR_SUCCESS,
	      "OpenTraceFromFile: no callbacks");
}

static void test_from_file(void)
{
	ETW_OPEN_TRACE_OPTIONS options = {
		.EventCallback = on_event,
		.EventCallbackContext = &seen,
		.BufferCallback = on_buffer,
		.BufferCallbackContext = path,
	};
	TRACE_LOGFILE_HEADER header;
	TRACEHANDLE h;

	memset(&seen, 0, sizeof(seen));
	seen.go_on = TRUE;
	h = OpenTraceFromFile(wide_path, &options, &header);
	CHECK(header.NumberOfProcessors == 4 && header.LoggerName[0] == 'S',
	      "OpenTraceFromFile returns the header");
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && seen.events == 4 &&
	      seen.time == MAKE_START + 1002 && seen.event_context == &seen,
	      "OpenTraceFromFile delivers events");
	CHECK(seen.buffers == 4 && seen.filled == 0x48 + 0x58 &&
	      seen.stamp == 779 && seen.context == path,
	      "OpenTraceFromFile delivers buffers");
	CHECK(seen.info.TraceHandle == h && seen.info.BuffersRead == 4 &&
	      seen.written == 2, "OpenTraceFromFile: what goes with buffers");
	seen.go_on = FALSE;
	CHECK(ProcessTrace(&h, 1, NULL, NULL) == ERROR_CANCELLED &&
	      seen.buffers == 5, "OpenTraceFromFile: the callback ends it");
	CloseTrace(h);
	options.ProcessTraceModes = ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP;
	options.BufferCallback = NULL;
	h = OpenTraceFromFile(wide_path, &options, NULL);
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && seen.time == 2002,
	      "OpenTraceFromFile has ETW_PROCESS_TRACE_MODE_RAW_TIMESTAMP");
	CloseTrace(h);
}

#define LARGE	(1024u * 1024)

static BOOL WINAPI on_large(PETW_BUFFER_HEADER buffer, ULONG size,
			    PETW_BUFFER_CALLBACK_INFORMATION info, PVOID context)
{
	const unsigned char *bytes = (const unsigned char *)buffer;
	ULONG *sum = context;

	(void)info;
	for (ULONG i = 0; size == LARGE && i < size; i++)
		*sum += bytes[i];
	return TRUE;
}

/* A buffer whose end was never written to the file */
static void test_hole(void)
{
	ULONG sum = 0;
	ETW_OPEN_TRACE_OPTIONS options = {
		.BufferCallback = on_large, .BufferCallbackContext = &sum,
	};
	struct etl_make m;
	TRACEHANDLE h;

	make_begin(&m, 4096, true, "Session");
	make_put(make_buffer(&m, 0, 1), LARGE, 4);
	make_record(&m, MAKE_EVENT64, 2000, 8);
	m.buffer_size = LARGE;
	make_buffer_end(&m);
	m.len = 2 * 4096;
	make_write(&m, path);
	make_free(&m);
	if (truncate(path, 4096 + LARGE)) {
		SKIP("a file with a hole cannot be made here");
		return;
	}
	h = OpenTraceFromFile(wide_path, &options, NULL);
	CHECK(!ProcessTrace(&h, 1, NULL, NULL) && sum,
	      "OpenTraceFromFile delivers the whole of a buffer with a hole");
	CloseTrace(h);
}

static ULONG query(TRACEHANDLE h, ULONG class, void *out, ULONG size,
		   ULONG *len)
{
	return QueryTraceProcessingHandle(h,
			(ETW_PROCESS_HANDLE_INFO_TYPE)class, NULL, 0, out,
			size, len);
}

static void test_query(void)
{
	EVENT_TRACE_LOGFILEA l = { .LogFileName = path };
	TRACEHANDLE h = OpenTraceA(&l);
	TRACE_LOGFILE_HEADER header;
	ULONG len = 7;

	CHECK(query(h, EtwQueryLogFileHeader, &header, sizeof(header), NULL) ==
	      ERROR_INVALID_PARAMETER, "QueryTraceProcessingHandle: no length");
	CHECK(query(h, 0, &header, sizeof(header), &len) ==
	      ERROR_INVALID_PARAMETER &&
	      query(h, EtwQueryProcessHandleInfoMax, &header, sizeof(header),
		    &len) == ERROR_INVALID_PARAMETER,
	      "QueryTraceProcessingHandle: classes that are none");
	CHECK(query(h + 1, EtwQueryLogFileHeader, &header, sizeof(header),
		    &len) == ERROR_INVALID_HANDLE && !len,
	      "QueryTraceProcessingHandle: no handle");
	CHECK(query(h, EtwQueryPartitionInformation, &header, sizeof(header),
		    &len) == ERROR_NOT_SUPPORTED &&
	      query(h, EtwQueryLastDroppedTimes, &header, sizeof(header),
		    &len) == ERROR_NOT_SUPPORTED,
	      "QueryTraceProcessingHandle refuses queries of sessions");
	CHECK(query(h, EtwQueryLogFileHeader, &header, sizeof(header) - 1,
		    &len) == ERROR_INSUFFICIENT_BUFFER && len == sizeof(header),
	      "QueryTraceProcessingHandle refuses a buffer that is too small");
	CHECK(query(h, EtwQueryLogFileHeader, NULL, 0, &len) ==
	      ERROR_INSUFFICIENT_BUFFER && len == sizeof(header),
	      "QueryTraceProcessingHandle: how much is needed");
	CHECK(!query(h, EtwQueryLogFileHeader, &header, sizeof(header), &len) &&
	      header.BufferSize == 4096 && len == sizeof(header),
	      "QueryTraceProcessingHandle: the header");
	CloseTrace(h);
	CHECK(query(h, EtwQueryLogFileHeader, &header, sizeof(header), &len) ==
	      ERROR_INVALID_HANDLE,
	      "QueryTraceProcessingHandle refuses a closed trace");
}

/*
 * A source that is not a file: rounds of two streams, the second of which has
 * the older event.  In the last round it waits until it is interrupted.
 */
#define ROUNDS		3

struct live {
	struct trace_source source;
	struct trace_stream streams[2];
	struct etl_make buffers[2];
	unsigned int round;
	unsigned int given[2];
	unsigned int closed;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool interrupted;
	bool waits;
};

static struct live live = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER,
};

static ULONG live_start(struct trace_source *src)
{
	(void)src;
	live.round = 0;
	return ERROR_SUCCESS;
}

static void live_wait(void)
{
	pthread_mutex_lock(&live.lock);
	live.waits = true;
	pthread_cond_broadcast(&live.wake);
	while (!live.interrupted)
		pthread_cond_wait(&live.wake, &live.lock);
	pthread_mutex_unlock(&live.lock);
}

static ULONG live_round(struct trace_source *src)
{
	if (live.round++ == ROUNDS) {
		live_wait();
		src->stream_count = 0;
		return ERROR_SUCCESS;
	}
	memset(live.given, 0, sizeof(live.given));
	src->streams = live.streams;
	src->stream_count = 2;
	return ERROR_SUCCESS;
}

static ULONG live_buffer(struct trace_source *src, struct trace_stream *s)
{
	size_t i = s - live.streams;
	struct etl_make *m = &live.buffers[i];

	s->buffer = live.given[i]++ ? NULL : m->data;
	s->end = m->len;
	s->clock = &src->clock;
	return ERROR_SUCCESS;
}

static void live_interrupt(struct trace_source *src)
{
	(void)src;
	pthread_mutex_lock(&live.lock);
	live.interrupted = true;
	pthread_cond_broadcast(&live.wake);
	pthread_mutex_unlock(&live.lock);
}

static void live_close(struct trace_source *src)
{
	(void)src;
	live.closed++;
}

static const struct trace_source_ops live_ops = {
	.start = live_start,
	.begin_round = live_round,
	.next_buffer = live_buffer,
	.interrupt = live_interrupt,
	.close = live_close,
};

static TRACEHANDLE open_live(void)
{
	struct trace *t = calloc(1, sizeof(*t));
	unsigned int i;

	for (i = 0; i < 2; i++) {
		live.buffers[i].buffer_size = 4096;
		make_buffer(&live.buffers[i], i, 1);
		make_record(&live.buffers[i], MAKE_EVENT64, 2 - i, 8);
		make_record(&live.buffers[i], MAKE_EVENT64, 4 - i, 8);
	}
	live.source.ops = &live_ops;
	live.source.live = true;
	live.source.clock = (struct etl_clock) {
		.num = 1, .den = 1, .limit = INT64_MAX,
		.reciprocal = UINT64_MAX,
	};
	t->source = &live.source;
	t->logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	t->logfile.EventRecordCallback = on_event;
	return trace_insert(t);
}

static void *close_it(void *handle)
{
	ULONG code;

	pthread_mutex_lock(&live.lock);
	while (!live.waits)
		pthread_cond_wait(&live.wake, &live.lock);
	pthread_mutex_unlock(&live.lock);
	code = CloseTrace(*(TRACEHANDLE *)handle);
	return code == ERROR_CTX_CLOSE_PENDING ? handle : NULL;
}

static void test_live(void)
{
	EVENT_TRACE_LOGFILEA l = { .LogFileName = path };
	TRACEHANDLE h[2] = { open_live(), OpenTraceA(&l) };
	pthread_t thread;
	void *pending;

	CHECK(ProcessTrace(h, 2, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "ProcessTrace: a session beside a file");
	h[1] = (CloseTrace(h[1]), h[0]);
	CHECK(ProcessTrace(h, 2, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "ProcessTrace: two sessions");
	memset(&seen, 0, sizeof(seen));
	pthread_create(&thread, NULL, close_it, h);
	CHECK(!ProcessTrace(h, 1, NULL, NULL) && seen.events == 4 * ROUNDS &&
	      seen.time == 4, "ProcessTrace: rounds of a session, by time");
	pthread_join(thread, &pending);
	CHECK(pending, "CloseTrace: ends what waits, as pending");
	CHECK(live.closed == 1 && CloseTrace(h[0]) == ERROR_INVALID_HANDLE,
	      "CloseTrace succeeds once");
	make_free(&live.buffers[0]);
	make_free(&live.buffers[1]);
}

int main(void)
{
	int fd = mkstemp(path);

	close(fd);
	make_file();
	test_open_errors();
	test_open_denied();
	test_many();
	test_from_file_errors();
	test_from_file();
	test_query();
	test_live();
	test_hole();
	unlink(path);
	return tap_end();
}
