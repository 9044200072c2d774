// SPDX-License-Identifier: GPL-2.0
/*
 * OpenTrace and ProcessTrace of a session in real time; sessions in buffering
 * mode, and FlushTrace to a file.
 */
#include <pthread.h>
#include <sched.h>

#include "core/self_layout.h"
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define LOG		"/tmp/realtime.etl"
#define WRITERS		4
#define MAX_CPUS	8192

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };

/* Counts of the callbacks */
static struct {
	unsigned int events;
	unsigned int headers;
	unsigned int backward;
	/* Events older than one of the same processor */
	unsigned int backward_on_cpu;
	unsigned int buffers;
	ULONG lost;
	LONGLONG last;
	LONGLONG last_on_cpu[MAX_CPUS];
	TRACEHANDLE close;	/* handle that the first event closes */
	ULONG closed;
	bool is_enough;		/* BufferCallback returns FALSE */
} seen;

static VOID WINAPI see(PEVENT_RECORD r)
{
	static const struct evntprov_guid losses = EVNTPROV_LOSSES_PROVIDER;
	LONGLONG time = r->EventHeader.TimeStamp.QuadPart;
	ULONG cpu = GetEventProcessorIndex(r);
	LONGLONG *last = &seen.last_on_cpu[cpu % MAX_CPUS];

	if (!memcmp(&r->EventHeader.ProviderId, &EventTraceGuid, sizeof(GUID))) {
		seen.headers += !seen.events;
		return;
	}
	/* Records about losses are not counted as events */
	if (!memcmp(&r->EventHeader.ProviderId, &losses, sizeof(losses)))
		return;
	seen.backward += time < seen.last;
	seen.last = time;
	seen.backward_on_cpu += time < *last;
	*last = time;
	__atomic_store_n(&seen.events, seen.events + 1, __ATOMIC_RELEASE);
	if (seen.close && !seen.closed)
		seen.closed = CloseTrace(seen.close);
}

static ULONG WINAPI see_buffer(PEVENT_TRACE_LOGFILEA l)
{
	seen.buffers = l->BuffersRead;
	seen.lost = l->EventsLost;
	return !seen.is_enough;
}

static unsigned int events_seen(void)
{
	return __atomic_load_n(&seen.events, __ATOMIC_ACQUIRE);
}

static EVENT_TRACE_LOGFILEA logfile_for(char *session)
{
	return (EVENT_TRACE_LOGFILEA) {
		.LoggerName = session,
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME |
				    PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.BufferCallback = see_buffer,
	};
}

/* ProcessTrace() in a thread of its own */
struct processing {
	TRACEHANDLE handle;
	pthread_t thread;
	ULONG code;
};

static void *process(void *arg)
{
	struct processing *p = arg;

	p->code = ProcessTrace(&p->handle, 1, NULL, NULL);
	return NULL;
}

static ULONG begin(struct processing *p, char *session)
{
	EVENT_TRACE_LOGFILEA l = logfile_for(session);

	p->handle = OpenTraceA(&l);
	if (p->handle == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	return pthread_create(&p->thread, NULL, process, p);
}

static ULONG end(struct processing *p)
{
	pthread_join(p->thread, NULL);
	return p->code;
}

FIXTURE(realtime) {
	TRACEHANDLE session;
	REGHANDLE handle;
	struct properties p;
};

FIXTURE_SETUP(realtime)
{
	GUID id = provider_id(1);

	memset(&seen, 0, sizeof(seen));
	self->session = 0;
	self->p = properties_for("");
	self->p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->handle));
}

FIXTURE_TEARDOWN(realtime)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink(LOG);
}

static ULONG start(FIXTURE_DATA(realtime) *self)
{
	ULONG code = StartTraceA(&self->session, "realtime", &self->p.p);

	return code ? code : session_enable(self->session, 1);
}

static ULONG stop(FIXTURE_DATA(realtime) *self, struct properties *out)
{
	TRACEHANDLE session = self->session;

	self->session = 0;
	return session_stop(session, out);
}

static ULONG flush(FIXTURE_DATA(realtime) *self, const char *path)
{
	struct properties p = properties_for(path);

	return FlushTraceA(self->session, NULL, &p.p);
}

/* Write events; returns the number of writes, failed ones included */
static unsigned long write_events(REGHANDLE handle, unsigned int count)
{
	unsigned long writes = 0;
	char payload[100] = "";
	EVENT_DATA_DESCRIPTOR d;

	EventDataDescCreate(&d, payload, sizeof(payload));
	for (; count; writes++) {
		if (EventWrite(handle, &descriptor, 1, &d))
			sched_yield();
		else
			count--;
	}
	return writes;
}

TEST_F(realtime, OpenTrace_errors)
{
	EVENT_TRACE_LOGFILEA l = logfile_for("realtime");
	TRACEHANDLE h;

	l.LogFileName = LOG;
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(87, GetLastError());
	l.LoggerName = NULL;
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(87, GetLastError());
	l = logfile_for("realtime");
	l.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(87, GetLastError());
	l = logfile_for("");
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(ERROR_BAD_PATHNAME, GetLastError());
	l = logfile_for("no such session");
	h = OpenTraceA(&l);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	EXPECT_EQ(ERROR_SUCCESS, CloseTrace(h));
}

TEST_F(realtime, ProcessTrace_of_no_session_is_ERROR_WMI_INSTANCE_NOT_FOUND)
{
	EVENT_TRACE_LOGFILEA l = logfile_for("no such session");
	TRACEHANDLE h = OpenTraceA(&l);

	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, ProcessTrace(&h, 1, 0, 0));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, ProcessTrace(&h, 1, 0, 0));
	EXPECT_EQ(ERROR_SUCCESS, CloseTrace(h));
	/* A session that is not in real-time mode */
	self->p = properties_for(LOG);
	ASSERT_EQ(0, start(self));
	l = logfile_for("realtime");
	h = OpenTraceA(&l);
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, ProcessTrace(&h, 1, 0, 0));
	EXPECT_EQ(ERROR_SUCCESS, CloseTrace(h));
}

/* Open before the session exists, process when it does */
TEST_F(realtime, ProcessTrace_finds_the_session_by_name_again)
{
	EVENT_TRACE_LOGFILEA l = logfile_for("realtime");
	struct processing p = { .handle = OpenTraceA(&l) };

	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, pthread_create(&p.thread, NULL, process, &p));
	write_events(self->handle, 5);
	EXPECT_TRUE(EVENTUALLY(events_seen() == 5));
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(0, end(&p));
	EXPECT_EQ(0, CloseTrace(p.handle));
}

TEST_F(realtime, ProcessTrace_of_a_session_and_others_is_INVALID_PARAMETER)
{
	EVENT_TRACE_LOGFILEA l = logfile_for("realtime"), file = {
		.LogFileName = LOG,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
	};
	TRACEHANDLE h[2];

	self->p = properties_for(LOG);
	self->p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	ASSERT_EQ(0, start(self));
	h[0] = OpenTraceA(&l);
	h[1] = OpenTraceA(&l);
	EXPECT_EQ(87, ProcessTrace(h, 2, NULL, NULL));
	EXPECT_EQ(0, CloseTrace(h[1]));
	h[1] = OpenTraceA(&file);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h[1]);
	EXPECT_EQ(87, ProcessTrace(h, 2, NULL, NULL));
	EXPECT_EQ(0, CloseTrace(h[0]));
	EXPECT_EQ(0, CloseTrace(h[1]));
}

TEST_F(realtime, OpenTrace_fills_in_the_header)
{
	EVENT_TRACE_LOGFILEA l = logfile_for("realtime");
	TRACEHANDLE h;

	ASSERT_EQ(0, start(self));
	EXPECT_EQ(1, self->p.p.FlushTimer);
	h = OpenTraceA(&l);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	EXPECT_EQ(65536, l.LogfileHeader.BufferSize);
	EXPECT_EQ(65536, l.BufferSize);
	EXPECT_LT(0, l.LogfileHeader.NumberOfProcessors);
	EXPECT_LT(0, l.LogfileHeader.StartTime.QuadPart);
	EXPECT_EQ(1000000000, l.LogfileHeader.PerfFreq.QuadPart);
	EXPECT_EQ(EVENT_TRACE_REAL_TIME_MODE, l.LogfileHeader.LogFileMode);
	EXPECT_EQ(0, CloseTrace(h));
}

TEST_F(realtime, events_are_delivered_until_the_session_stops)
{
	struct processing p;

	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, begin(&p, "realtime"));
	write_events(self->handle, 100);
	/* The flush timer of one second delivers the events */
	EXPECT_TRUE(EVENTUALLY(events_seen() == 100));
	write_events(self->handle, 50);
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(ERROR_SUCCESS, end(&p));
	EXPECT_EQ(150, seen.events);
	EXPECT_EQ(1, seen.headers);
	EXPECT_EQ(0, seen.backward);
	EXPECT_LT(1, seen.buffers);
	EXPECT_EQ(0, CloseTrace(p.handle));
}

TEST_F(realtime, CloseTrace_ends_a_waiting_ProcessTrace)
{
	struct processing p;

	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, begin(&p, "realtime"));
	write_events(self->handle, 1);
	EXPECT_TRUE(EVENTUALLY(events_seen() == 1));
	EXPECT_EQ(ERROR_CTX_CLOSE_PENDING, CloseTrace(p.handle));
	EXPECT_EQ(ERROR_SUCCESS, end(&p));
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(p.handle));
}

/* Buffered events still reach the callback; later ones do not */
TEST_F(realtime, CloseTrace_in_a_callback_is_ERROR_CTX_CLOSE_PENDING)
{
	EVENT_TRACE_LOGFILEA l = logfile_for("realtime");
	struct processing p;

	ASSERT_EQ(0, start(self));
	write_events(self->handle, 100);
	ASSERT_EQ(0, flush(self, ""));
	p.handle = OpenTraceA(&l);
	seen.close = p.handle;
	process(&p);
	EXPECT_EQ(ERROR_SUCCESS, p.code);
	EXPECT_EQ(ERROR_CTX_CLOSE_PENDING, seen.closed);
	EXPECT_EQ(100, seen.events);
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(p.handle));
}

TEST_F(realtime, BufferCallback_that_returns_FALSE_is_ERROR_CANCELLED)
{
	struct processing p;

	ASSERT_EQ(0, start(self));
	seen.is_enough = true;
	ASSERT_EQ(0, begin(&p, "realtime"));
	EXPECT_EQ(ERROR_CANCELLED, end(&p));
	EXPECT_EQ(0, CloseTrace(p.handle));
}

static volatile bool is_over;
static int writers_done;

static void *write_on(void *arg)
{
	REGHANDLE handle = *(REGHANDLE *)arg;
	unsigned long written = 0;
	char payload[100] = "";
	EVENT_DATA_DESCRIPTOR d;

	EventDataDescCreate(&d, payload, sizeof(payload));
	for (; !is_over; written++)
		EventWrite(handle, &descriptor, 1, &d);
	return (void *)written;
}

/*
 * Seen and lost events add up to those written.  Events of one processor are in
 * order of time.  So are all events, unless a writer is preempted during an
 * event for longer than the others need to fill as many buffers as may be held.
 */
TEST_F(realtime, events_of_a_processor_are_in_order_and_losses_counted)
{
	unsigned long written = 0;
	pthread_t threads[WRITERS];
	struct properties out;
	struct processing p;
	void *result;
	int i;

	self->p.p.MinimumBuffers = 64;
	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, begin(&p, "realtime"));
	is_over = false;
	for (i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, write_on, &self->handle);
	sleep(2);
	is_over = true;
	for (i = 0; i < WRITERS; i++) {
		pthread_join(threads[i], &result);
		written += (unsigned long)result;
	}
	/* Its buffer follows the last loss, and reports it */
	written += write_events(self->handle, 1);
	EXPECT_EQ(0, stop(self, &out));
	EXPECT_EQ(ERROR_SUCCESS, end(&p));
	printf("# %lu written, %u seen, %u lost to the consumer, %u late\n",
	       written, seen.events, seen.lost, seen.backward);
	EXPECT_EQ(written, seen.events + seen.lost + out.p.EventsLost);
	EXPECT_EQ(seen.lost != 0, out.p.RealTimeBuffersLost != 0);
	EXPECT_EQ(0, seen.backward_on_cpu);
	EXPECT_EQ(0, CloseTrace(p.handle));
}

#define FEW		5000

static void *write_few(void *arg)
{
	REGHANDLE handle = *(REGHANDLE *)arg;
	char payload[100] = "";
	EVENT_DATA_DESCRIPTOR d;
	int i;

	EventDataDescCreate(&d, payload, sizeof(payload));
	for (i = 0; i < FEW; i++)
		EventWrite(handle, &descriptor, 1, &d);
	__atomic_fetch_add(&writers_done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/*
 * The writers fill fewer buffers than a consumer may hold, and a flush waits
 * for events in progress, so no event can be late.
 */
TEST_F(realtime, events_of_all_processors_are_in_order)
{
	pthread_t threads[WRITERS];
	struct processing p;
	int i;

	self->p.p.BufferSize = 1024;
	self->p.p.FlushTimer = 3600;
	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, begin(&p, "realtime"));
	writers_done = 0;
	for (i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, write_few, &self->handle);
	while (__atomic_load_n(&writers_done, __ATOMIC_ACQUIRE) < WRITERS) {
		EXPECT_EQ(0, flush(self, ""));
		usleep(10000);
	}
	for (i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(ERROR_SUCCESS, end(&p));
	EXPECT_EQ(WRITERS * FEW, seen.events + seen.lost);
	EXPECT_LT(0, seen.events);
	EXPECT_EQ(0, seen.backward);
	EXPECT_EQ(0, CloseTrace(p.handle));
}

TEST_F(realtime, a_session_with_a_file_can_be_consumed_in_real_time)
{
	struct processing p;
	struct etl_scan scan;

	self->p = properties_for(LOG);
	self->p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	ASSERT_EQ(0, start(self));
	ASSERT_EQ(0, begin(&p, "realtime"));
	write_events(self->handle, 1000);
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(ERROR_SUCCESS, end(&p));
	EXPECT_EQ(1000, seen.events);
	ASSERT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(1000, scan.events);
	EXPECT_EQ(0, CloseTrace(p.handle));
}

static ULONG read_log(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = LOG,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
	};

	return log_process(&l);
}

/* In buffering mode, there is no file except those that FlushTrace() names */
/* Relay of the session's buffers to a stream, and their number on its way */
static struct {
	TRACEHANDLE stream;
	unsigned int added;
	unsigned int completed;
	unsigned int failed;
} relay;

static BOOL WINAPI relay_buffer(PETW_BUFFER_HEADER buffer, ULONG size,
				PETW_BUFFER_CALLBACK_INFORMATION info,
				PVOID context)
{
	void *copy = memcpy(malloc(size), buffer, size);

	relay.added++;
	relay.failed += !!ProcessTraceAddBufferToBufferStream(relay.stream,
							      copy, size);
	return TRUE;
}

static VOID WINAPI complete_buffer(const ETW_BUFFER_HEADER *buffer,
				   PVOID context)
{
	relay.completed++;
	free((void *)buffer);
}

TEST_F(realtime, buffers_of_a_session_can_be_relayed_to_a_stream)
{
	const ETW_OPEN_TRACE_OPTIONS from = { .BufferCallback = relay_buffer };
	const ETW_OPEN_TRACE_OPTIONS to = { .EventCallback = see };
	struct processing session = {}, stream = {};
	TRACE_LOGFILE_HEADER header;

	memset(&relay, 0, sizeof(relay));
	ASSERT_EQ(0, start(self));
	relay.stream = OpenTraceFromBufferStream(&to, complete_buffer, NULL);
	session.handle = OpenTraceFromRealTimeLogger(u"realtime", &from, &header);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, session.handle);
	EXPECT_NE(0, header.BufferSize);
	stream.handle = relay.stream;
	pthread_create(&session.thread, NULL, process, &session);
	pthread_create(&stream.thread, NULL, process, &stream);
	write_events(self->handle, 1000);
	stop(self, NULL);
	EXPECT_EQ(0, end(&session));
	EXPECT_EQ(0, CloseTrace(session.handle));
	EXPECT_TRUE(EVENTUALLY(events_seen() == 1000));
	EXPECT_EQ(ERROR_CTX_CLOSE_PENDING, CloseTrace(relay.stream));
	EXPECT_EQ(0, end(&stream));
	EXPECT_EQ(1000, seen.events);
	EXPECT_EQ(1, seen.headers);
	EXPECT_EQ(0, seen.backward_on_cpu);
	EXPECT_EQ(0, relay.failed);
	EXPECT_LT(1, relay.added);
	EXPECT_EQ(relay.added, relay.completed);
}

TEST_F(realtime, FlushTrace_writes_buffered_events_to_a_file)
{
	unsigned int i;

	self->p.p.LogFileMode = EVENT_TRACE_BUFFERING_MODE;
	self->p.p.MinimumBuffers = 32;
	ASSERT_EQ(0, start(self));
	EXPECT_EQ(0, self->p.p.FlushTimer);
	EXPECT_EQ(32, self->p.p.NumberOfBuffers);
	for (i = 1; i <= 3; i++) {
		write_events(self->handle, 100);
		ASSERT_EQ(0, flush(self, LOG));
		memset(&seen, 0, sizeof(seen));
		ASSERT_EQ(0, read_log());
		EXPECT_EQ(i * 100, seen.events);
		EXPECT_EQ(0, seen.backward);
	}
	/* Without a name nothing is written, which is no error */
	unlink(LOG);
	EXPECT_EQ(0, flush(self, ""));
	EXPECT_EQ(-1, size_of(LOG));
	EXPECT_EQ(ERROR_PATH_NOT_FOUND, flush(self, "/no/where"));
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(-1, size_of(LOG));
}

TEST_F(realtime, a_buffering_session_creates_no_file)
{
	self->p = properties_for(LOG);
	self->p.p.LogFileMode = EVENT_TRACE_BUFFERING_MODE;
	ASSERT_EQ(0, start(self));
	write_events(self->handle, 10);
	EXPECT_EQ(0, stop(self, NULL));
	EXPECT_EQ(-1, size_of(LOG));
}

TEST_HARNESS_MAIN
