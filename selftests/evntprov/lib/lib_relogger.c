// SPDX-License-Identifier: GPL-2.0
/*
 * ITraceRelogger of a session: its events are written to a log, until it ends or
 * the relogger is cancelled.  Files, and all else, are in selftests/unit:
 * test_relogger.c.
 */
#define COBJMACROS
#define EVNT_DEFINE_UUIDS
#include <pthread.h>
#include <semaphore.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include "relogger.h"

#define LOG	"/tmp/lib_relogger.etl"
#define EVENTS	5

FIXTURE(relogger) {
	TRACEHANDLE session;
	REGHANDLE handle;
	ITraceRelogger *relogger;
	BSTR name, log;
};

/* Findings of the callback, and whether it cancels */
static struct {
	unsigned int begins, ends, events, bad;
	bool cancels;
	sem_t has_begun;
} seen;

static HRESULT query(ITraceEventCallback *This, REFIID id, void **object)
{
	*object = NULL;
	return E_NOINTERFACE;
}

static ULONG count(ITraceEventCallback *This)
{
	return 1;
}

static HRESULT on_begin(ITraceEventCallback *This, ITraceEvent *event,
			ITraceRelogger *relogger)
{
	seen.begins++;
	sem_post(&seen.has_begun);
	return S_OK;
}

static HRESULT on_finalize(ITraceEventCallback *This, ITraceRelogger *relogger)
{
	seen.ends++;
	return S_OK;
}

/* Keep the program's events, with another process id */
static HRESULT on_event(ITraceEventCallback *This, ITraceEvent *event,
			ITraceRelogger *relogger)
{
	EVENT_RECORD *record;
	GUID id = provider_id(1);

	if (ITraceEvent_GetEventRecord(event, &record))
		return E_FAIL;
	if (!IsEqualGUID(&record->EventHeader.ProviderId, &id))
		return S_OK;
	seen.events++;
	if (record->UserContext != &seen)
		seen.bad++;
	if (seen.cancels && seen.events == 2)
		ITraceRelogger_Cancel(relogger);
	if (ITraceEvent_SetProcessId(event, 4321))
		return E_FAIL;
	return ITraceRelogger_Inject(relogger, event);
}

static const ITraceEventCallbackVtbl methods = {
	query, count, count, on_begin, on_finalize, on_event,
};
static ITraceEventCallback callback = { &methods };

FIXTURE_SETUP(relogger)
{
	struct properties p = properties_for("");
	GUID id = provider_id(1);

	memset(&seen, 0, sizeof(seen));
	sem_init(&seen.has_begun, 0, 0);
	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	ASSERT_EQ(0, StartTraceA(&self->session, "relogger", &p.p));
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->handle));
	ASSERT_EQ(0, session_enable(self->session, 1));
	self->name = SysAllocString(u"relogger");
	self->log = SysAllocString(u"" LOG);
	ASSERT_EQ(S_OK, CoCreateInstance(&CLSID_TraceRelogger, NULL,
					 CLSCTX_INPROC_SERVER,
					 &IID_ITraceRelogger,
					 (void **)&self->relogger));
	ASSERT_EQ(S_OK, ITraceRelogger_RegisterCallback(self->relogger,
							&callback));
	ASSERT_EQ(S_OK, ITraceRelogger_SetOutputFilename(self->relogger,
							 self->log));
}

FIXTURE_TEARDOWN(relogger)
{
	if (self->relogger)
		EXPECT_EQ(0, ITraceRelogger_Release(self->relogger));
	EXPECT_EQ(0, EventUnregister(self->handle));
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
	SysFreeString(self->name);
	SysFreeString(self->log);
	unlink(LOG);
}

static HRESULT add(FIXTURE_DATA(relogger) *self, RELOGSTREAM_ID *id)
{
	return ITraceRelogger_AddRealtimeTraceStream(self->relogger, self->name,
						     &seen, id);
}

static void write_events(REGHANDLE handle)
{
	EVENT_DESCRIPTOR d = { .Level = 4 };

	for (d.Id = 1; d.Id <= EVENTS; d.Id++)
		EventWrite(handle, &d, 0, NULL);
}

static void *process(void *arg)
{
	ITraceRelogger *relogger = arg;

	return (void *)(uintptr_t)(DWORD)ITraceRelogger_ProcessTrace(relogger);
}

/* The new log's events of the session's provider, in order */
static unsigned int read_events, wrong_events;

static VOID WINAPI on_read(PEVENT_RECORD r)
{
	GUID id = provider_id(1);

	if (!IsEqualGUID(&r->EventHeader.ProviderId, &id))
		return;
	read_events++;
	wrong_events += r->EventHeader.EventDescriptor.Id != read_events ||
			r->EventHeader.ProcessId != 4321;
}

static ULONG read_log(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = LOG,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_read,
	};

	read_events = 0;
	wrong_events = 0;
	return log_process(&l);
}

TEST_F(relogger, writes_a_session_until_it_ends)
{
	TRACEHANDLE session = self->session;
	RELOGSTREAM_ID id = 0;
	pthread_t thread;
	void *result;

	ASSERT_EQ(S_OK, add(self, &id));
	EXPECT_EQ(1, id);
	ASSERT_EQ(0, pthread_create(&thread, NULL, process, self->relogger));
	write_events(self->handle);
	self->session = 0;
	EXPECT_EQ(0, session_stop(session, NULL));
	pthread_join(thread, &result);
	EXPECT_EQ(NULL, result);
	EXPECT_EQ(1, seen.begins);
	EXPECT_EQ(1, seen.ends);
	EXPECT_EQ(EVENTS, seen.events);
	EXPECT_EQ(0, seen.bad);
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(EVENTS, read_events);
	EXPECT_EQ(0, wrong_events);
}

TEST_F(relogger, Cancel_in_a_callback_ends_it)
{
	TRACEHANDLE session = self->session;

	seen.cancels = true;
	ASSERT_EQ(S_OK, add(self, NULL));
	write_events(self->handle);
	self->session = 0;
	EXPECT_EQ(0, session_stop(session, NULL));
	EXPECT_EQ(S_OK, ITraceRelogger_ProcessTrace(self->relogger));
	EXPECT_EQ(2, seen.events);
	EXPECT_EQ(1, seen.ends);
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(2, read_events);
}

/* Whether the thread waits already or does not yet: Cancel is not lost */
TEST_F(relogger, Cancel_wakes_a_waiting_thread)
{
	pthread_t thread;
	void *result;

	ASSERT_EQ(S_OK, add(self, NULL));
	ASSERT_EQ(0, pthread_create(&thread, NULL, process, self->relogger));
	sem_wait(&seen.has_begun);
	EXPECT_EQ(S_OK, ITraceRelogger_Cancel(self->relogger));
	pthread_join(thread, &result);
	EXPECT_EQ(NULL, result);
	EXPECT_EQ(1, seen.ends);
	EXPECT_EQ(0, read_log());
}

TEST_F(relogger, a_session_is_the_only_input)
{
	ASSERT_EQ(S_OK, add(self, NULL));
	EXPECT_EQ(E_INVALIDARG, add(self, NULL));
}

TEST_F(relogger, a_session_that_does_not_exist_is_found_by_ProcessTrace)
{
	SysFreeString(self->name);
	self->name = SysAllocString(u"none");
	EXPECT_EQ(S_OK, add(self, NULL));
	EXPECT_EQ(HRESULT_FROM_WIN32(ERROR_WMI_INSTANCE_NOT_FOUND),
		  ITraceRelogger_ProcessTrace(self->relogger));
	EXPECT_EQ(0, seen.begins);
}

TEST_HARNESS_MAIN
