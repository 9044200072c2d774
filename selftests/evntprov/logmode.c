// SPDX-License-Identifier: GPL-2.0
/*
 * LogFileMode and MaximumFileSize: files that end at their limit, that go round,
 * that have their length from the beginning.
 */
#include <sched.h>

#include "kselftest_harness.h"

#include "lib.h"

#define LOG		"/tmp/logmode.etl"
#define KB		1024u
#define LIMIT_KB	256u
#define BUFFER_KB	16u

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };

/* What a reader gets: numbers, in the order in which they were read */
static struct {
	ULONG count;
	ULONG first;
	ULONG last;
	ULONG gaps;
	ULONG buffers;
} got;

static VOID WINAPI see(PEVENT_RECORD r)
{
	ULONG number;

	if (r->UserDataLength != 200)
		return;
	memcpy(&number, r->UserData, sizeof(number));
	if (!got.count++)
		got.first = number;
	else
		got.gaps += number != got.last + 1;
	got.last = number;
}

static ULONG WINAPI count_buffer(PEVENT_TRACE_LOGFILEA l)
{
	got.buffers = l->BuffersRead;
	return TRUE;
}

static ULONG read_log(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)LOG,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.BufferCallback = count_buffer,
	};
	TRACEHANDLE h = OpenTraceA(&l);
	ULONG code;

	memset(&got, 0, sizeof(got));
	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	code = ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
	return code;
}

/*
 * A processor that writes no more keeps its last events in a buffer, which comes
 * to the file late, and is older than what is there: not in these tests.
 */
static void stay_here(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

FIXTURE(mode) {
	TRACEHANDLE session;
	REGHANDLE handle;
	struct properties p;
	ULONG written;
	ULONG accepted;
};

FIXTURE_SETUP(mode)
{
	GUID id = provider_id(1);

	self->session = 0;
	self->written = 0;
	self->accepted = 0;
	self->p = properties_for(LOG);
	self->p.p.BufferSize = BUFFER_KB;
	self->p.p.MaximumFileSize = LIMIT_KB;
	stay_here();
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &self->handle));
}

FIXTURE_TEARDOWN(mode)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink(LOG);
}

static ULONG start(FIXTURE_DATA(mode) *self, ULONG mode)
{
	ULONG code;

	self->p.p.LogFileMode = mode | EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	code = StartTraceA(&self->session, "logmode", &self->p.p);
	return code ? code : session_enable(self->session, 1);
}

/* Numbered events of 280 bytes each; those that find no room are tried again */
static void write_events(FIXTURE_DATA(mode) *self, ULONG count)
{
	struct properties p;
	char payload[200] = "";
	EVENT_DATA_DESCRIPTOR d;
	ULONG code;

	EventDataDescCreate(&d, payload, sizeof(payload));
	while (count--) {
		memcpy(payload, &self->written, sizeof(self->written));
		while ((code = EventWrite(self->handle, &descriptor, 1, &d)) ==
		       ERROR_NOT_ENOUGH_MEMORY) {
			p = properties_for("");
			FlushTraceA(self->session, NULL, &p.p);
		}
		self->written++;
		self->accepted += !code;
	}
}

/* 50 times the file's length: the newest are there, the oldest of them first */
TEST_F(mode, CIRCULAR_overwrites_the_oldest)
{
	const ULONG per_buffer = (BUFFER_KB * KB - 72) / 280;
	const ULONG slots = LIMIT_KB / BUFFER_KB;
	struct properties q;
	ULONG i;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_CIRCULAR));
	for (i = 0; i < 50; i++) {
		write_events(self, slots * per_buffer);
		EXPECT_GE(LIMIT_KB * KB, size_of(LOG));
	}
	EXPECT_EQ(0, session_stop(self->session, &q));
	self->session = 0;
	EXPECT_EQ(self->written, self->accepted);
	EXPECT_EQ(LIMIT_KB * KB, size_of(LOG));
	EXPECT_EQ(LIMIT_KB, q.p.MaximumFileSize);
	EXPECT_LT(50 * (slots - 1), q.p.BuffersWritten);

	ASSERT_EQ(0, read_log());
	EXPECT_EQ(0, got.gaps);
	EXPECT_EQ(self->written - 1, got.last);
	EXPECT_EQ(got.last - got.first + 1, got.count);
	EXPECT_EQ(slots, got.buffers);
}

/* It can be read while it goes round */
TEST_F(mode, CIRCULAR_can_be_read_at_any_time)
{
	struct properties q;
	ULONG i;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_CIRCULAR));
	for (i = 0; i < 30; i++) {
		write_events(self, 300);
		q = properties_for("");
		ASSERT_EQ(0, FlushTraceA(self->session, NULL, &q.p));
		ASSERT_EQ(0, read_log());
		EXPECT_EQ(self->written - 1, got.last);
		EXPECT_EQ(0, got.gaps);
	}
}

static bool has_ended(TRACEHANDLE session)
{
	struct properties p = properties_for("");

	return QueryTraceA(session, NULL, &p.p) == ERROR_WMI_INSTANCE_NOT_FOUND;
}

/* At its limit the session ends; the file is whole, and what is in it counts */
TEST_F(mode, SEQUENTIAL_ends_at_its_limit)
{
	ULONG i, code;

	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL));
	for (i = 0; i < 1000 && !has_ended(self->session); i++) {
		write_events(self, 100);
		usleep(1000);
	}
	ASSERT_TRUE(has_ended(self->session));
	self->session = 0;
	EXPECT_EQ(LIMIT_KB * KB, size_of(LOG));
	EXPECT_TRUE(EVENTUALLY(!EventProviderEnabled(self->handle, 0, 0)));
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(0, got.first);
	EXPECT_LT(0, got.count);
	EXPECT_EQ(LIMIT_KB / BUFFER_KB, got.buffers);
	/* Its name is free; its file is, too, when the kernel has closed it */
	do {
		usleep(10000);
		code = start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	} while (code == ERROR_BAD_PATHNAME && ++i < 2000);
	EXPECT_EQ(0, code);
}

TEST_F(mode, NONE_has_no_limit)
{
	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_NONE));
	write_events(self, 2 * LIMIT_KB * KB / 280);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_LT(LIMIT_KB * KB, size_of(LOG));
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(self->written, got.count);
}

TEST_F(mode, PREALLOCATE_has_its_length_from_the_beginning)
{
	ASSERT_EQ(0, start(self, EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				 EVENT_TRACE_FILE_MODE_PREALLOCATE));
	EXPECT_EQ(LIMIT_KB * KB, size_of(LOG));
	write_events(self, 10);
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	EXPECT_EQ(2 * BUFFER_KB * KB, size_of(LOG));
	ASSERT_EQ(0, read_log());
	EXPECT_EQ(10, got.count);
}

TEST_F(mode, MaximumFileSize_is_in_MB_without_USE_KBYTES)
{
	self->p.p.MaximumFileSize = 1;
	self->p.p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL |
				EVENT_TRACE_FILE_MODE_PREALLOCATE;
	ASSERT_EQ(0, StartTraceA(&self->session, "logmode", &self->p.p));
	EXPECT_EQ(1024 * KB, size_of(LOG));
}

#define CIRCULAR	EVENT_TRACE_FILE_MODE_CIRCULAR
#define PREALLOCATE	EVENT_TRACE_FILE_MODE_PREALLOCATE
#define SEQUENTIAL	EVENT_TRACE_FILE_MODE_SEQUENTIAL
#define NEWFILE		EVENT_TRACE_FILE_MODE_NEWFILE

TEST_F(mode, contradictory_modes_are_ERROR_INVALID_PARAMETER)
{
	EXPECT_EQ(87, start(self, SEQUENTIAL | CIRCULAR));
	EXPECT_EQ(87, start(self, CIRCULAR | NEWFILE));
	EXPECT_EQ(87, start(self, SEQUENTIAL | NEWFILE));
	self->p.p.MaximumFileSize = 0;
	EXPECT_EQ(87, start(self, CIRCULAR));
	EXPECT_EQ(87, start(self, PREALLOCATE));
	/* The header, and no buffer of events */
	self->p.p.MaximumFileSize = 2 * BUFFER_KB - 1;
	EXPECT_EQ(87, start(self, CIRCULAR));
	EXPECT_EQ(87, start(self, SEQUENTIAL));
	EXPECT_EQ(0, self->session);
}

TEST_HARNESS_MAIN
