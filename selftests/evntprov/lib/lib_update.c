// SPDX-License-Identifier: GPL-2.0
/*
 * UpdateTrace and FlushTrace: which properties change a session, which are
 * ignored, and each error code that lib_control.c does not cover.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define LOG		"/tmp/update.etl"
#define OTHER		"/tmp/update2.etl"

FIXTURE(update) {
	TRACEHANDLE session;
	REGHANDLE handle;
	struct properties p;
};

FIXTURE_SETUP(update)
{
	GUID id = provider_id(1);

	self->session = session_start("update");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->handle));
	ASSERT_EQ(0, session_enable(self->session, 1));
	self->p = properties_for("");
}

FIXTURE_TEARDOWN(update)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink(LOG);
	unlink(OTHER);
}

#define UPDATE() UpdateTraceA(self->session, NULL, &self->p.p)
#define FLUSH() FlushTraceA(self->session, NULL, &self->p.p)

static void write_events(REGHANDLE handle, unsigned int count)
{
	static const EVENT_DESCRIPTOR d = { .Id = 1 };

	while (count--)
		EventWrite(handle, &d, 0, NULL);
}

static struct properties query(TRACEHANDLE session)
{
	struct properties p = properties_for("");

	if (QueryTraceA(session, NULL, &p.p))
		memset(&p, 0xff, sizeof(p));
	return p;
}

static int events_in(const char *log)
{
	struct etl_scan scan;

	return etl_scan(log, &scan, NULL, NULL) ? (int)scan.events : -1;
}

TEST_F(update, UpdateTrace_without_new_values_changes_nothing)
{
	struct properties before = query(self->session);

	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(0, memcmp(&before, &self->p, sizeof(before)));
}

TEST_F(update, UpdateTrace_needs_no_offsets)
{
	self->p.p.LoggerNameOffset = 0;
	self->p.p.LogFileNameOffset = 0;
	self->p.p.Wnode.BufferSize = sizeof(self->p.p);
	self->p.p.FlushTimer = 9;
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(9, query(self->session).p.FlushTimer);
}

TEST_F(update, UpdateTrace_ignores_properties_that_cannot_change)
{
	struct properties before = query(self->session);

	self->p.p.BufferSize = 128;
	self->p.p.MinimumBuffers = 1;
	self->p.p.MaximumFileSize = 77;
	self->p.p.AgeLimit = 5;
	self->p.p.Wnode.ClientContext = 2;
	self->p.p.Wnode.Guid = provider_id(150);
	self->p.p.EventsLost = 99;
	EXPECT_EQ(0, UPDATE());
	self->p = query(self->session);
	EXPECT_EQ(0, memcmp(&before, &self->p, sizeof(before)));
}

TEST_F(update, UpdateTrace_EnableFlags_are_NOT_SUPPORTED)
{
	self->p.p.EnableFlags = EVENT_TRACE_FLAG_PROCESS;
	EXPECT_EQ(50, UPDATE());
}

#define MODE() (query(self->session).p.LogFileMode)

/* Other bits of LogFileMode are ignored */
TEST_F(update, UpdateTrace_LogFileMode_switches_REAL_TIME)
{
	self->p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(EVENT_TRACE_REAL_TIME_MODE, self->p.p.LogFileMode);
	EXPECT_EQ(EVENT_TRACE_REAL_TIME_MODE, MODE());
	/* Real-time mode sets a flush timer */
	EXPECT_EQ(1, self->p.p.FlushTimer);
	self->p.p.LogFileMode = EVENT_TRACE_FILE_MODE_CIRCULAR |
				EVENT_TRACE_REAL_TIME_MODE;
	self->p.log[0] = 0;
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(EVENT_TRACE_REAL_TIME_MODE, MODE());
	self->p.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	self->p.log[0] = 0;
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(0, MODE());
}

/* Real-time mode must be requested with a log file, and is implied without */
TEST_F(update, UpdateTrace_LogFileMode_0_keeps_real_time_without_a_log_file)
{
	EXPECT_EQ(0, ControlTraceA(self->session, NULL, &self->p.p,
				   EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME));
	self->p = properties_for("");
	self->p.p.FlushTimer = 3;
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(3, self->p.p.FlushTimer);
	EXPECT_EQ(EVENT_TRACE_REAL_TIME_MODE, MODE());
	self->p = properties_for(OTHER);
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(0, MODE());
	EXPECT_STREQ(OTHER, self->p.log);
}

TEST_F(update, UpdateTrace_rejects_REAL_TIME_if_the_mode_excludes_it)
{
	struct properties p = properties_for("");
	TRACEHANDLE session;

	p.p.LogFileMode = EVENT_TRACE_BUFFERING_MODE;
	p.p.LogFileNameOffset = 0;
	ASSERT_EQ(0, StartTraceA(&session, "update3", &p.p));
	p = properties_for("");
	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	EXPECT_EQ(87, UpdateTraceA(session, NULL, &p.p));
	EXPECT_EQ(87, ControlTraceA(session, NULL, &p.p,
				    EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME));
	EXPECT_EQ(0, session_stop(session, NULL));
}

TEST_F(update, CONVERT_TO_REALTIME_completes_the_log_file)
{
	write_events(self->handle, 3);
	EXPECT_EQ(0, ControlTraceA(self->session, NULL, &self->p.p,
				   EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME));
	EXPECT_EQ(EVENT_TRACE_REAL_TIME_MODE, self->p.p.LogFileMode);
	EXPECT_STREQ("", self->p.log);
	EXPECT_EQ(3, events_in(LOG));
	write_events(self->handle, 3);
	EXPECT_EQ(0, FLUSH());
	EXPECT_EQ(3, events_in(LOG));
}

TEST_F(update, CONVERT_TO_REALTIME_of_an_unknown_session_is_WMI_INSTANCE_NOT_FOUND)
{
	EXPECT_EQ(4201, ControlTraceA(0, "no such", &self->p.p,
				      EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME));
}

TEST_F(update, UpdateTrace_MaximumBuffers_beyond_the_allocation_is_NOT_SUPPORTED)
{
	ULONG most = query(self->session).p.MaximumBuffers;

	self->p.p.MaximumBuffers = most + 1;
	EXPECT_EQ(50, UPDATE());
	self->p.p.MaximumBuffers = 100000;
	EXPECT_EQ(50, UPDATE());
	/* Buffers are not freed */
	self->p.p.MaximumBuffers = 1;
	EXPECT_EQ(0, UPDATE());
	EXPECT_EQ(most, query(self->session).p.MaximumBuffers);
}

/* Without a timer, events stay in memory; then one is set */
TEST_F(update, UpdateTrace_changes_FlushTimer)
{
	off_t before = size_of(LOG);

	write_events(self->handle, 1);
	usleep(1500000);
	EXPECT_EQ(before, size_of(LOG));
	self->p.p.FlushTimer = 1;
	ASSERT_EQ(0, UPDATE());
	EXPECT_EQ(1, self->p.p.FlushTimer);
	EXPECT_TRUE(EVENTUALLY(size_of(LOG) > before));
}

TEST_F(update, UpdateTrace_FlushTimer_0_keeps_it)
{
	self->p.p.FlushTimer = 7;
	ASSERT_EQ(0, UPDATE());
	self->p.p.FlushTimer = 0;
	self->p.log[0] = 0;
	ASSERT_EQ(0, UPDATE());
	EXPECT_EQ(7, self->p.p.FlushTimer);
}

/* The session continues in the new file and reports it; the old one is free */
TEST_F(update, UpdateTrace_LogFileName_switches_to_another_file)
{
	write_events(self->handle, 1);
	self->p = properties_for(OTHER);
	ASSERT_EQ(0, UPDATE());
	EXPECT_STREQ(OTHER, self->p.log);
	EXPECT_EQ(1, events_in(LOG));
	write_events(self->handle, 2);
	self->p = properties_for(LOG);
	ASSERT_EQ(0, UPDATE());
	EXPECT_EQ(2, events_in(OTHER));
}

TEST_F(update, UpdateTraceW_LogFileName_switches_to_another_file)
{
	static const WCHAR other[] = u"" OTHER;

	memcpy(self->p.log, other, sizeof(other));
	ASSERT_EQ(0, UpdateTraceW(0, u"UPDATE", &self->p.p));
	EXPECT_EQ(0, memcmp(other, self->p.log, sizeof(other)));
	EXPECT_LT(0, size_of(OTHER));
}

TEST_F(update, UpdateTrace_with_the_current_LogFileName_is_INVALID_PARAMETER)
{
	self->p = properties_for(LOG);
	EXPECT_EQ(87, UPDATE());
}

TEST_F(update, UpdateTrace_LogFileName_of_another_session_is_BAD_PATHNAME)
{
	TRACEHANDLE other = session_start("update2");

	self->p = properties_for(OTHER);
	EXPECT_EQ(ERROR_BAD_PATHNAME, UPDATE());
	EXPECT_STREQ(LOG, query(self->session).log);
	EXPECT_EQ(0, session_stop(other, NULL));
}

TEST_F(update, UpdateTrace_with_an_unusable_LogFileName_changes_nothing)
{
	self->p = properties_for("/tmp");
	EXPECT_EQ(ERROR_BAD_PATHNAME, UPDATE());
	self->p = properties_for("/dev/null");
	EXPECT_EQ(ERROR_BAD_PATHNAME, UPDATE());
	self->p = properties_for("/tmp/no/such/folder.etl");
	EXPECT_EQ(ERROR_PATH_NOT_FOUND, UPDATE());
	self->p = properties_for("/dev/null/x.etl");
	EXPECT_EQ(ERROR_PATH_NOT_FOUND, UPDATE());
	EXPECT_STREQ(LOG, query(self->session).log);
}

/* Events stay in memory until a buffer is full or flushed */
TEST_F(update, FlushTrace_delivers_buffered_events)
{
	write_events(self->handle, 5);
	EXPECT_EQ(0, events_in(LOG));
	EXPECT_EQ(0, FLUSH());
	EXPECT_EQ(5, events_in(LOG));
}

TEST_F(update, FlushTrace_returns_the_properties_after_the_flush)
{
	ULONG before = query(self->session).p.BuffersWritten;

	write_events(self->handle, 1);
	EXPECT_EQ(0, FLUSH());
	EXPECT_EQ(before + 1, self->p.p.BuffersWritten);
	EXPECT_STREQ("update", self->p.session);
	EXPECT_STREQ(LOG, self->p.log);
}

TEST_F(update, FlushTrace_without_events_writes_nothing)
{
	ULONG before = query(self->session).p.BuffersWritten;

	EXPECT_EQ(0, FLUSH());
	EXPECT_EQ(before, self->p.p.BuffersWritten);
}

/* Other properties of the structure are ignored */
TEST_F(update, FlushTrace_changes_nothing)
{
	self->p = properties_for(OTHER);
	self->p.p.FlushTimer = 7;
	self->p.p.EnableFlags = EVENT_TRACE_FLAG_PROCESS;
	self->p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	self->p.p.MaximumBuffers = 100000;
	EXPECT_EQ(0, FLUSH());
	EXPECT_EQ(0, self->p.p.FlushTimer);
	EXPECT_EQ(0, self->p.p.LogFileMode);
	EXPECT_STREQ(LOG, self->p.log);
	EXPECT_EQ(-1, size_of(OTHER));
}

TEST_HARNESS_MAIN
