// SPDX-License-Identifier: GPL-2.0
/*
 * OpenTrace and ProcessTrace of a session: the rules and errors that need one.
 * Rules for files and arguments are in selftests/unit: test_open_trace.c,
 * test_process_trace.c.  Delivery of events is in lib_realtime.c.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

static unsigned int events;

static VOID WINAPI count_event(PEVENT_RECORD r)
{
	events += memcmp(&r->EventHeader.ProviderId, &EventTraceGuid,
			 sizeof(GUID)) != 0;
}

FIXTURE(consume) {
	TRACEHANDLE session;
	REGHANDLE handle;
	GUID session_id;
	EVENT_TRACE_LOGFILEA l;
	mode_t mode;
};

FIXTURE_SETUP(consume)
{
	struct properties p = properties_for("");
	GUID id = provider_id(1);
	struct stat st;

	events = 0;
	self->session_id = provider_id(100);
	p.p.Wnode.Guid = self->session_id;
	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	ASSERT_EQ(0, StartTraceA(&self->session, "consume", &p.p));
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->handle));
	ASSERT_EQ(0, session_enable(self->session, 1));
	self->l = (EVENT_TRACE_LOGFILEA) {
		.LoggerName = "consume",
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME |
				    PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = count_event,
	};
	ASSERT_EQ(0, stat("/dev/evntrace", &st));
	self->mode = st.st_mode & 07777;
}

FIXTURE_TEARDOWN(consume)
{
	EXPECT_EQ(0, chmod("/dev/evntrace", self->mode));
	EXPECT_EQ(0, EventAccessRemove(&self->session_id));
	EXPECT_EQ(0, EventUnregister(self->handle));
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
}

/* Open and close; returns 0 or the last error */
static ULONG try_to_open(EVENT_TRACE_LOGFILEA *l)
{
	TRACEHANDLE h = OpenTraceA(l);

	return h == INVALID_PROCESSTRACE_HANDLE ? GetLastError() :
						  CloseTrace(h);
}

static ULONG allow(GUID *id, const BYTE *sid, ULONG rights)
{
	return EventAccessControl(id, EventSecuritySetDACL, (PSID)sid, rights,
				  TRUE);
}

TEST_F(consume, OpenTrace_without_rights_is_ACCESS_DENIED)
{
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_NOBODY(try_to_open(&self->l)));
	EXPECT_EQ(0, try_to_open(&self->l));
}

/* A caller that may open the device needs the right in the session's list */
TEST_F(consume, OpenTrace_requires_TRACELOG_ACCESS_REALTIME)
{
	static const BYTE everyone[] = { 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 };

	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	ASSERT_EQ(0, allow(&self->session_id, everyone,
			   WMIGUID_QUERY | TRACELOG_CREATE_REALTIME));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_NOBODY(try_to_open(&self->l)));
	ASSERT_EQ(0, allow(&self->session_id, everyone,
			   TRACELOG_ACCESS_REALTIME));
	EXPECT_EQ(0, AS_NOBODY(try_to_open(&self->l)));
	/* The list binds root, too, so remove it before the teardown */
	ASSERT_EQ(0, EventAccessRemove(&self->session_id));
}

TEST_F(consume, OpenTrace_more_than_8_at_a_time_is_NO_SYSTEM_RESOURCES)
{
	TRACEHANDLE h[8];
	int i;

	for (i = 0; i < 8; i++) {
		h[i] = OpenTraceA(&self->l);
		ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h[i]);
	}
	EXPECT_EQ(ERROR_NO_SYSTEM_RESOURCES, try_to_open(&self->l));
	EXPECT_EQ(0, CloseTrace(h[0]));
	EXPECT_EQ(0, try_to_open(&self->l));
	while (--i)
		EXPECT_EQ(0, CloseTrace(h[i]));
}

TEST_F(consume, OpenTrace_ignores_the_case_of_session_names)
{
	self->l.LoggerName = "CONSUME";
	EXPECT_EQ(0, try_to_open(&self->l));
	EXPECT_EQ(65536, self->l.LogfileHeader.BufferSize);
}

TEST_F(consume, OpenTraceW_opens_a_session)
{
	EVENT_TRACE_LOGFILEW l = {
		.LoggerName = u"consume",
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME,
	};
	TRACEHANDLE h = OpenTraceW(&l);

	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	EXPECT_EQ(65536, l.BufferSize);
	EXPECT_EQ(0, CloseTrace(h));
}

static void write_events(REGHANDLE handle, unsigned int count)
{
	static const EVENT_DESCRIPTOR d = { .Id = 1 };

	while (count--)
		EventWrite(handle, &d, 0, NULL);
}

/* Read five buffered events of a session that has ended */
static ULONG read_five(FIXTURE_DATA(consume) *self, FILETIME *start,
		       FILETIME *end)
{
	TRACEHANDLE session = self->session, h = OpenTraceA(&self->l);
	ULONG code;

	write_events(self->handle, 5);
	self->session = 0;
	code = session_stop(session, NULL);
	if (!code)
		code = ProcessTrace(&h, 1, start, end);
	CloseTrace(h);
	return code;
}

TEST_F(consume, ProcessTrace_delivers_the_last_events_of_an_ended_session)
{
	EXPECT_EQ(0, read_five(self, NULL, NULL));
	EXPECT_EQ(5, events);
}

/* A time in 1601, before all events */
TEST_F(consume, ProcessTrace_EndTime_applies_in_real_time)
{
	FILETIME early = { 1, 0 };

	EXPECT_EQ(0, read_five(self, NULL, &early));
	EXPECT_EQ(0, events);
}

TEST_F(consume, ProcessTrace_StartTime_applies_in_real_time)
{
	FILETIME late = { 0, 0x7fffffff };

	EXPECT_EQ(0, read_five(self, &late, NULL));
	EXPECT_EQ(0, events);
}

TEST_F(consume, ProcessTrace_EndTime_before_StartTime_is_INVALID_TIME)
{
	FILETIME early = { 1, 0 }, late = { 2, 0 };
	TRACEHANDLE h = OpenTraceA(&self->l);

	EXPECT_EQ(ERROR_INVALID_TIME, ProcessTrace(&h, 1, &late, &early));
	EXPECT_EQ(0, CloseTrace(h));
}

TEST_F(consume, QueryTraceProcessingHandle_returns_the_header_of_a_session)
{
	TRACEHANDLE h = OpenTraceA(&self->l);
	TRACE_LOGFILE_HEADER header;
	ULONG len;

	EXPECT_EQ(0, QueryTraceProcessingHandle(h, EtwQueryLogFileHeader, NULL,
						0, &header, sizeof(header),
						&len));
	EXPECT_EQ(65536, header.BufferSize);
	EXPECT_EQ(0, memcmp(u"consume", header.LoggerName, 16));
	EXPECT_EQ(0, CloseTrace(h));
}

/* A handle of StartTrace() is no handle of OpenTrace() */
TEST_F(consume, CloseTrace_of_a_session_handle_is_INVALID_HANDLE)
{
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(self->session));
	EXPECT_EQ(ERROR_INVALID_HANDLE,
		  ProcessTrace(&self->session, 1, NULL, NULL));
}

TEST_HARNESS_MAIN
