// SPDX-License-Identifier: GPL-2.0
/*
 * Each error code that the documentation lists, provoked, function by function.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

#include "lib.h"

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4,
					     .Keyword = 1 };

FIXTURE(errors) {
	TRACEHANDLE session;
	REGHANDLE handle;
	GUID id;
};

FIXTURE_SETUP(errors)
{
	self->id = provider_id(1);
	self->session = session_start("errors");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &self->handle));
}

FIXTURE_TEARDOWN(errors)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink("/tmp/errors.etl");
}

static ULONG write_size(REGHANDLE handle, ULONG size)
{
	static char payload[70000];
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, payload, size);
	return EventWrite(handle, &descriptor, 1, &data);
}

TEST_F(errors, EventRegister)
{
	REGHANDLE h = 1;

	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  EventRegister(NULL, NULL, NULL, &h));
	EXPECT_EQ(0, h);
	EXPECT_EQ(ERROR_INVALID_PARAMETER,
		  EventRegister(&self->id, NULL, NULL, NULL));
}

TEST_F(errors, EventRegister_more_than_1024)
{
	REGHANDLE h[1024], more = 1;
	unsigned int i;

	for (i = 0; i < 1023; i++)
		ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &h[i]));
	EXPECT_EQ(ERROR_NO_SYSTEM_RESOURCES,
		  EventRegister(&self->id, NULL, NULL, &more));
	EXPECT_EQ(0, more);
	while (i--)
		ASSERT_EQ(0, EventUnregister(h[i]));
}

TEST_F(errors, handle_0_has_no_effect)
{
	EXPECT_EQ(ERROR_INVALID_HANDLE, EventUnregister(0));
	EXPECT_EQ(ERROR_SUCCESS, EventWrite(0, &descriptor, 0, NULL));
	EXPECT_EQ(ERROR_SUCCESS, EventWrite(0, NULL, 1000, NULL));
	EXPECT_EQ(ERROR_SUCCESS, EventWriteString(0, 0, 0, NULL));
	EXPECT_FALSE(EventEnabled(0, &descriptor));
	EXPECT_FALSE(EventEnabled(0, NULL));
	EXPECT_FALSE(EventProviderEnabled(0, 0, 0));
}

TEST_F(errors, writes_while_disabled_succeed_unchecked)
{
	EVENT_DATA_DESCRIPTOR bad = { .Ptr = 1, .Size = 100000 };

	EXPECT_EQ(0, EventWrite(self->handle, NULL, 5000, NULL));
	EXPECT_EQ(0, EventWrite(self->handle, &descriptor, 1, &bad));
	EXPECT_EQ(0, EventWriteEx(self->handle, &descriptor, 0, 0xffff, NULL,
				  NULL, 129, &bad));
	EXPECT_EQ(0, EventWriteString(self->handle, 1, 1, NULL));
	EXPECT_EQ(0, EventWriteTransfer(0x12345678, NULL, NULL, NULL, 1,
					NULL));
}

TEST_F(errors, EventWrite_ERROR_INVALID_PARAMETER)
{
	EVENT_DATA_DESCRIPTOR data[129] = {};
	EVENT_DATA_DESCRIPTOR bad = { .Ptr = 1, .Size = 8 };
	EVENT_DATA_DESCRIPTOR *half;

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(87, EventWrite(self->handle, NULL, 0, NULL));
	EXPECT_EQ(87, EventWrite(self->handle, &descriptor, 1, NULL));
	EXPECT_EQ(87, EventWrite(self->handle, &descriptor, 129, data));
	EXPECT_EQ(0, EventWrite(self->handle, &descriptor, 128, data));
	EXPECT_EQ(87, EventWrite(self->handle, &descriptor, 1, &bad));
	EXPECT_EQ(87, EventWriteEx(self->handle, &descriptor, 0, 4, NULL,
				   NULL, 0, NULL));
	EXPECT_EQ(87, EventWriteString(self->handle, 0, 0, NULL));
	half = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap((char *)half + 4096, 4096);
	EXPECT_EQ(87, EventWrite(self->handle, &descriptor, 128,
				 half + 4096 / 16 - 100));
	EXPECT_EQ(0, EventWrite(self->handle, &descriptor, 100,
				half + 4096 / 16 - 100));
	munmap(half, 4096);
}

TEST_F(errors, EventWrite_ERROR_INVALID_HANDLE)
{
	REGHANDLE stale, forged = self->handle ^ 1ull << 40;

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(ERROR_INVALID_HANDLE,
		  EventWrite(forged, &descriptor, 0, NULL));
	EXPECT_EQ(ERROR_INVALID_HANDLE, EventUnregister(forged));
	/* A stale one whose slot is somebody else's now */
	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &stale));
	EXPECT_EQ(0, EventWrite(stale, &descriptor, 0, NULL));
	ASSERT_EQ(0, EventUnregister(stale));
	EXPECT_EQ(ERROR_SUCCESS, EventWrite(stale, &descriptor, 0, NULL));
	EXPECT_EQ(ERROR_INVALID_HANDLE, EventUnregister(stale));
	ASSERT_EQ(0, EventUnregister(self->handle));
	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &stale));
	EXPECT_EQ(ERROR_INVALID_HANDLE,
		  EventWrite(self->handle, &descriptor, 0, NULL));
	self->handle = stale;
}

TEST_F(errors, EventWrite_ERROR_ARITHMETIC_OVERFLOW)
{
	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(ERROR_ARITHMETIC_OVERFLOW, write_size(self->handle, 65536));
	EXPECT_EQ(ERROR_ARITHMETIC_OVERFLOW,
		  write_size(self->handle, 65536 - 80));
	EXPECT_EQ(ERROR_ARITHMETIC_OVERFLOW, write_size(self->handle, 70000));
}

TEST_F(errors, EventWrite_ERROR_MORE_DATA)
{
	/* 64 KiB of buffer less its header of 72 bytes and the event's of 80 */
	ULONG most = 65536 - 72 - 80;

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(ERROR_SUCCESS, write_size(self->handle, most));
	EXPECT_EQ(ERROR_MORE_DATA, write_size(self->handle, most + 1));
	EXPECT_EQ(ERROR_MORE_DATA, write_size(self->handle, 65535 - 80));
}

TEST_F(errors, EventWrite_ERROR_NOT_ENOUGH_MEMORY)
{
	struct properties p = properties_for("/tmp/errors2.etl");
	bool seen = false;
	TRACEHANDLE small;
	unsigned int i;

	p.p.BufferSize = 64;
	p.p.MaximumBuffers = 1;
	ASSERT_EQ(0, StartTraceA(&small, "small", &p.p));
	ASSERT_EQ(0, session_enable(small, 1));
	for (i = 0; i < 100000 && !seen; i++)
		seen = write_size(self->handle, 60000) ==
		       ERROR_NOT_ENOUGH_MEMORY;
	EXPECT_TRUE(seen);
	ASSERT_EQ(0, session_stop(small, &p));
	EXPECT_LT(0, p.p.EventsLost);
	unlink("/tmp/errors2.etl");
}

TEST_F(errors, EventSetInformation)
{
	BYTE traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };
	BYTE yes = 1;

	EXPECT_EQ(87, EventSetInformation(0, 2, traits, 7));
	EXPECT_EQ(87, EventSetInformation(self->handle ^ 1ull << 40, 2,
					  traits, 7));
	EXPECT_EQ(50, EventSetInformation(self->handle, 1, NULL, 0));
	EXPECT_EQ(50, EventSetInformation(self->handle, MaxEventInfo, NULL, 0));
	EXPECT_EQ(50, EventSetInformation(self->handle, -1, NULL, 0));
	EXPECT_EQ(87, EventSetInformation(self->handle, 2, NULL, 7));
	EXPECT_EQ(87, EventSetInformation(self->handle, 2, traits, 6));
	EXPECT_EQ(87, EventSetInformation(self->handle, 2, NULL, 0));
	EXPECT_EQ(0, EventSetInformation(self->handle, 2, traits, 7));
	EXPECT_EQ(ERROR_ALREADY_EXISTS,
		  EventSetInformation(self->handle, 2, traits, 7));
	EXPECT_EQ(87, EventSetInformation(self->handle, 3, &yes, 2));
	EXPECT_EQ(0, EventSetInformation(self->handle, 3, &yes, 1));
	EXPECT_EQ(87, EventSetInformation(self->handle, 0, &yes, 1));
	EXPECT_EQ(0, EventSetInformation(self->handle, 0, NULL, 0));
}

TEST_F(errors, EventActivityIdControl)
{
	GUID zero = {}, a = provider_id(1), b, c;

	EXPECT_EQ(87, EventActivityIdControl(0, &a));
	EXPECT_EQ(87, EventActivityIdControl(6, &a));
	EXPECT_EQ(87, EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, NULL));
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &b));
	EXPECT_EQ(0, memcmp(&zero, &b, 16));
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &a));
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &b));
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &c));
	EXPECT_EQ(0, memcmp(&a, &c, 16));
	EXPECT_NE(0, memcmp(&b, &zero, 16));
	/* Gives back the old one */
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_SET_ID,
					    &c));
	EXPECT_EQ(0, memcmp(&a, &c, 16));
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_SET_ID,
					    &c));
	EXPECT_NE(0, memcmp(&a, &c, 16));
	ASSERT_EQ(0, EventActivityIdControl(EVENT_ACTIVITY_CTRL_GET_ID, &c));
	EXPECT_EQ(0, memcmp(&a, &c, 16));
}

TEST_F(errors, StartTrace)
{
	struct properties p, good = properties_for("/tmp/errors2.etl");
	TRACEHANDLE h = 1;

#define START_FAILS(code, name, ...) ({					\
	p = good;							\
	__VA_ARGS__;							\
	EXPECT_EQ(code, StartTraceA(&h, name, &p.p));			\
	EXPECT_EQ(0, h); })
	EXPECT_EQ(87, StartTraceA(NULL, "x", &good.p));
	EXPECT_EQ(87, StartTraceA(&h, "x", NULL));
	START_FAILS(87, NULL);
	START_FAILS(87, "");
	START_FAILS(ERROR_BAD_LENGTH, "x", p.p.Wnode.BufferSize = 119);
	START_FAILS(ERROR_BAD_LENGTH, "name too long",
		    p.p.Wnode.BufferSize = p.p.LoggerNameOffset + 5;
		    p.p.LogFileNameOffset = 120);
	START_FAILS(87, "x", p.p.LoggerNameOffset = 100);
	START_FAILS(87, "x", p.p.LoggerNameOffset = sizeof(p));
	START_FAILS(87, "x", p.p.LogFileNameOffset = 100);
	START_FAILS(87, "x", p.p.LogFileNameOffset = sizeof(p));
	START_FAILS(87, "x", memset(p.log, 'x', sizeof(p.log)));
	START_FAILS(87, "x", p.p.Wnode.Flags = 0);
	START_FAILS(ERROR_BAD_PATHNAME, "x", p.p.LogFileNameOffset = 0);
	START_FAILS(ERROR_BAD_PATHNAME, "x", p.log[0] = 0);
	START_FAILS(ERROR_BAD_PATHNAME, "x", strcpy(p.log, "/tmp"));
	START_FAILS(ERROR_BAD_PATHNAME, "x", strcpy(p.log, "/tmp/errors.etl"));
	START_FAILS(ERROR_FILE_NOT_FOUND, "x", strcpy(p.log, "/no/where"));
	START_FAILS(ERROR_ALREADY_EXISTS, "Errors");
	START_FAILS(87, "x", p.p.LogFileMode = 3);
	START_FAILS(87, "x", p.p.LogFileMode = EVENT_TRACE_FILE_MODE_CIRCULAR);
	START_FAILS(ERROR_NOT_SUPPORTED, "x",
		    p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE);
	START_FAILS(87, "x", p.p.Wnode.Guid = SystemTraceControlGuid);
	START_FAILS(ERROR_NOT_SUPPORTED, KERNEL_LOGGER_NAMEA);
	mkdir("/tmp/full", 0700);
	ASSERT_EQ(0, system("mount -t tmpfs -o size=4k none /tmp/full"));
	START_FAILS(ERROR_DISK_FULL, "x", strcpy(p.log, "/tmp/full/x.etl"));
	EXPECT_EQ(0, system("umount /tmp/full"));
	unlink("/tmp/errors2.etl");
}

TEST_F(errors, StartTrace_fills_in_properties)
{
	struct properties p = properties_for("/tmp/errors2.etl");
	static const GUID zero;
	TRACEHANDLE h;

	p.p.BufferSize = 1;
	p.p.MaximumBuffers = 1;
	p.p.FlushTimer = 7;
	ASSERT_EQ(0, StartTraceA(&h, "Some Name", &p.p));
	EXPECT_NE(0, h);
	EXPECT_EQ(h, p.p.Wnode.HistoricalContext);
	EXPECT_STREQ("Some Name", p.session);
	EXPECT_EQ(4, p.p.BufferSize);
	EXPECT_LE(2 * 1, p.p.MinimumBuffers);
	EXPECT_LE(p.p.MinimumBuffers, p.p.MaximumBuffers);
	EXPECT_EQ(p.p.NumberOfBuffers, p.p.FreeBuffers);
	EXPECT_EQ(7, p.p.FlushTimer);
	EXPECT_EQ(1, p.p.BuffersWritten);
	EXPECT_NE(0, memcmp(&zero, &p.p.Wnode.Guid, 16));
	EXPECT_NE(NULL, p.p.LoggerThreadId);
	EXPECT_EQ(0, session_stop(h, NULL));
	unlink("/tmp/errors2.etl");
}

TEST_F(errors, ControlTrace)
{
	struct properties p = properties_for("");
	TRACEHANDLE h = self->session;

	EXPECT_EQ(87, ControlTraceA(h, NULL, NULL, 0));
	EXPECT_EQ(87, ControlTraceA(0, NULL, &p.p, 0));
	EXPECT_EQ(87, ControlTraceA(h, NULL, &p.p, 6));
	EXPECT_EQ(50, ControlTraceA(h, NULL, &p.p,
				    EVENT_TRACE_CONTROL_CONVERT_TO_REALTIME));
	p.p.Wnode.BufferSize = 10;
	EXPECT_EQ(ERROR_BAD_LENGTH, QueryTraceA(h, NULL, &p.p));
	p = properties_for("");
	p.p.LoggerNameOffset = 8;
	EXPECT_EQ(87, QueryTraceA(h, NULL, &p.p));
	p = properties_for("");
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  QueryTraceA(h + 65536, NULL, &p.p));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  QueryTraceA(0, "nobody", &p.p));
	/* The name wins over the handle; its case does not matter */
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  QueryTraceA(h, "nobody", &p.p));
	EXPECT_EQ(ERROR_SUCCESS, QueryTraceA(12345, "eRRors", &p.p));
	EXPECT_STREQ("errors", p.session);
	EXPECT_STREQ("/tmp/errors.etl", p.log);
	EXPECT_EQ(ERROR_SUCCESS, FlushTraceA(h, NULL, &p.p));
	/* Stopped, and told that there was no room for the name */
	p.p.Wnode.BufferSize = p.p.LogFileNameOffset + 3;
	EXPECT_EQ(ERROR_MORE_DATA, StopTraceA(h, NULL, &p.p));
	p = properties_for("");
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, StopTraceA(h, NULL, &p.p));
	self->session = 0;
}

TEST_F(errors, UpdateTrace)
{
	struct properties p = properties_for("");
	TRACEHANDLE h = self->session;

	EXPECT_EQ(87, UpdateTraceA(h, NULL, NULL));
	EXPECT_EQ(87, UpdateTraceA(0, NULL, &p.p));
	p.p.Wnode.BufferSize = 8;
	EXPECT_EQ(ERROR_BAD_LENGTH, UpdateTraceA(h, NULL, &p.p));
	p = properties_for("");
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  UpdateTraceA(h + 65536, NULL, &p.p));
	p = properties_for("/tmp/errors.etl");
	EXPECT_EQ(87, UpdateTraceA(h, NULL, &p.p));
	p = properties_for("/tmp/other.etl");
	EXPECT_EQ(50, UpdateTraceA(h, NULL, &p.p));
	p = properties_for("");
	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	EXPECT_EQ(50, UpdateTraceA(h, NULL, &p.p));
	p = properties_for("");
	p.p.MaximumBuffers = 100000;
	EXPECT_EQ(50, UpdateTraceA(h, NULL, &p.p));
	p = properties_for("");
	EXPECT_EQ(0, UpdateTraceA(h, NULL, &p.p));
	EXPECT_EQ(0, p.p.FlushTimer);
}

/* Without a timer nothing comes to the file by itself; then there is one */
TEST_F(errors, UpdateTrace_sets_the_flush_timer)
{
	const char *log = "/tmp/errors.etl";
	struct properties p = properties_for("");
	off_t before = size_of(log);

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(0, write_size(self->handle, 100));
	usleep(1500000);
	EXPECT_EQ(before, size_of(log));
	p.p.FlushTimer = 1;
	ASSERT_EQ(0, UpdateTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(1, p.p.FlushTimer);
	EXPECT_TRUE(EVENTUALLY(size_of(log) > before));
	p.p.FlushTimer = 0;
	p.log[0] = 0;
	ASSERT_EQ(0, UpdateTraceA(self->session, NULL, &p.p));
	EXPECT_EQ(1, p.p.FlushTimer);
}

TEST_F(errors, EnableTraceEx2)
{
	ENABLE_TRACE_PARAMETERS p = { .Version = 3 };
	EVENT_FILTER_DESCRIPTOR filter = {};
	TRACEHANDLE h = self->session;

	EXPECT_EQ(87, EnableTraceEx2(0, &self->id, 1, 0, 0, 0, 0, NULL));
	EXPECT_EQ(87, EnableTraceEx2(h, NULL, 1, 0, 0, 0, 0, NULL));
	EXPECT_EQ(87, EnableTraceEx2(h, &self->id, 3, 0, 0, 0, 0, NULL));
	EXPECT_EQ(87, EnableTraceEx2(h, &self->id, 1, 0, 0, 0, 0, &p));
	p.Version = 2;
	p.FilterDescCount = 1;
	EXPECT_EQ(87, EnableTraceEx2(h, &self->id, 1, 0, 0, 0, 0, &p));
	p.EnableFilterDesc = &filter;
	EXPECT_EQ(50, EnableTraceEx2(h, &self->id, 1, 0, 0, 0, 0, &p));
	p.FilterDescCount = 0;
	p.EnableProperty = EVENT_ENABLE_PROPERTY_STACK_TRACE;
	EXPECT_EQ(50, EnableTraceEx2(h, &self->id, 1, 0, 0, 0, 0, &p));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  EnableTraceEx2(h + 65536, &self->id, 1, 0, 0, 0, 0, NULL));
	EXPECT_EQ(0, EnableTraceEx2(h, &self->id, 0, 0, 0, 0, 0, NULL));
}

TEST_F(errors, EnableTraceEx)
{
	EVENT_FILTER_DESCRIPTOR filter = {};
	TRACEHANDLE h = self->session;

	EXPECT_EQ(87, EnableTraceEx(NULL, NULL, h, 1, 0, 0, 0, 0, NULL));
	EXPECT_EQ(87, EnableTraceEx(&self->id, NULL, 0, 1, 0, 0, 0, 0, NULL));
	EXPECT_EQ(87, EnableTraceEx(&self->id, NULL, h, 2, 0, 0, 0, 0, NULL));
	EXPECT_EQ(50, EnableTraceEx(&self->id, NULL, h, 1, 0, 0, 0, 0,
				    &filter));
	EXPECT_EQ(50, EnableTraceEx(&self->id, NULL, h, 1, 0, 0, 0,
				    EVENT_ENABLE_PROPERTY_STACK_TRACE, NULL));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  EnableTraceEx(&self->id, NULL, h + 65536, 1, 0, 0, 0, 0,
				NULL));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, h, 0, 0, 0, 0, 0, NULL));
	EXPECT_FALSE(EventProviderEnabled(self->handle, 1, 0));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, h, 1, 3, 6, 2, 0, NULL));
	EXPECT_TRUE(EventProviderEnabled(self->handle, 3, 2));
	EXPECT_FALSE(EventProviderEnabled(self->handle, 3, 4));
	EXPECT_FALSE(EventProviderEnabled(self->handle, 4, 2));
}

TEST_F(errors, EnableTrace)
{
	TRACEHANDLE h = self->session;

	EXPECT_EQ(87, EnableTrace(TRUE, 0, 0, NULL, h));
	EXPECT_EQ(87, EnableTrace(TRUE, 0, 0, &self->id, 0));
	EXPECT_EQ(87, EnableTrace(TRUE, 0, 256, &self->id, h));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  EnableTrace(TRUE, 0, 0, &self->id, h + 65536));
	EXPECT_EQ(0, EnableTrace(FALSE, 0, 0, &self->id, h));
	EXPECT_FALSE(EventProviderEnabled(self->handle, 1, 0));
	/* Keywords of 32 bits; one of them is enough */
	EXPECT_EQ(0, EnableTrace(TRUE, 0x80000001, 2, &self->id, h));
	EXPECT_TRUE(EventProviderEnabled(self->handle, 2, 0x80000000));
	EXPECT_FALSE(EventProviderEnabled(self->handle, 2, 1ull << 63));
	EXPECT_FALSE(EventProviderEnabled(self->handle, 3, 1));
}

TEST_F(errors, QueryAllTraces)
{
	struct properties p[3] = {
		properties_for(""), properties_for(""), properties_for(""),
	};
	PEVENT_TRACE_PROPERTIES array[3] = { &p[0].p, &p[1].p, &p[2].p };
	TRACEHANDLE second = session_start("second of all");
	ULONG count = 99;

	ASSERT_NE(0, second);
	EXPECT_EQ(87, QueryAllTracesA(NULL, 3, &count));
	EXPECT_EQ(87, QueryAllTracesA(array, 0, &count));
	EXPECT_EQ(87, QueryAllTracesA(array, 65, &count));
	EXPECT_EQ(87, QueryAllTracesA(array, 3, NULL));
	p[1].p.LoggerNameOffset = sizeof(p[1]);
	EXPECT_EQ(87, QueryAllTracesA(array, 3, &count));
	p[1] = properties_for("");
	p[2].p.Wnode.BufferSize = 8;
	EXPECT_EQ(ERROR_BAD_LENGTH, QueryAllTracesA(array, 3, &count));
	p[2] = properties_for("");

	EXPECT_EQ(ERROR_MORE_DATA, QueryAllTracesA(array, 1, &count));
	EXPECT_EQ(2, count);
	EXPECT_EQ(self->session, p[0].p.Wnode.HistoricalContext);
	EXPECT_EQ(0, QueryAllTracesA(array, 3, &count));
	EXPECT_EQ(2, count);
	EXPECT_EQ(second, p[1].p.Wnode.HistoricalContext);
	EXPECT_STREQ("second of all", p[1].session);
	EXPECT_STREQ("/tmp/second of all.etl", p[1].log);
	EXPECT_EQ(0, p[2].p.Wnode.HistoricalContext);
	EXPECT_EQ(0, session_stop(second, NULL));
	unlink("/tmp/second of all.etl");
}

/* TRACE_GUID_INFO and what follows it */
struct guid_info {
	TRACE_GUID_INFO info;
	char more[4096];
};

static ULONG guid_info(const GUID *id, struct guid_info *to, ULONG *len)
{
	return EnumerateTraceGuidsEx(TraceGuidQueryInfo, (PVOID)id,
				     sizeof(*id), to, sizeof(*to), len);
}

TEST_F(errors, EnumerateTraceGuidsEx)
{
	GUID nobody = provider_id(99), ids[256];
	ULONG len = 99;

	EXPECT_EQ(87, EnumerateTraceGuidsEx(0, NULL, 0, ids, 16, NULL));
	EXPECT_EQ(87, EnumerateTraceGuidsEx(0, NULL, 0, NULL, 16, &len));
	EXPECT_EQ(87, EnumerateTraceGuidsEx(29, NULL, 0, ids, 16, &len));
	EXPECT_EQ(87, EnumerateTraceGuidsEx(-1, NULL, 0, ids, 16, &len));
	EXPECT_EQ(50, EnumerateTraceGuidsEx(TraceGroupQueryList, NULL, 0, ids,
					    16, &len));
	EXPECT_EQ(87, EnumerateTraceGuidsEx(TraceGuidQueryInfo, NULL, 16, ids,
					    16, &len));
	EXPECT_EQ(87, EnumerateTraceGuidsEx(TraceGuidQueryInfo, &self->id, 15,
					    ids, 16, &len));
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND,
		  EnumerateTraceGuidsEx(TraceGuidQueryInfo, &nobody, 16, ids,
					sizeof(ids), &len));
	/* How long is it? */
	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER,
		  EnumerateTraceGuidsEx(TraceGuidQueryProcess, NULL, 0, NULL, 0,
					&len));
	EXPECT_EQ(sizeof(GUID), len);
	EXPECT_EQ(0, EnumerateTraceGuidsEx(TraceGuidQueryProcess, NULL, 0, ids,
					   len, &len));
	EXPECT_EQ(0, memcmp(ids, &self->id, sizeof(GUID)));
	EXPECT_EQ(0, EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, ids,
					   sizeof(ids), &len));
	EXPECT_EQ(0, len % sizeof(GUID));
}

/* Two registrations, two sessions; then none, and still one session */
TEST_F(errors, EnumerateTraceGuidsEx_tells_instances_and_sessions)
{
	TRACE_PROVIDER_INSTANCE_INFO *instance;
	TRACE_ENABLE_INFO *enable;
	TRACEHANDLE second = session_start("second");
	GUID pre = provider_id(98);
	struct guid_info g;
	REGHANDLE again;
	ULONG len;

	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &again));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 3, 6, 2, 0,
				    NULL));
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 1, 5, 0, 0, 0, NULL));
	ASSERT_EQ(0, guid_info(&self->id, &g, &len));
	EXPECT_EQ(2, g.info.InstanceCount);
	EXPECT_EQ(8 + 2 * (16 + 2 * 32), len);
	instance = (void *)g.more;
	EXPECT_EQ(16 + 2 * 32, instance->NextOffset);
	EXPECT_EQ(2, instance->EnableCount);
	EXPECT_EQ(getpid(), (pid_t)instance->Pid);
	EXPECT_EQ(0, instance->Flags);
	enable = (void *)(instance + 1);
	EXPECT_EQ(1, enable->IsEnabled);
	EXPECT_EQ(3, enable->Level);
	EXPECT_EQ(self->session & 0xffff, enable->LoggerId);
	EXPECT_EQ(6, enable->MatchAnyKeyword);
	EXPECT_EQ(2, enable->MatchAllKeyword);
	EXPECT_EQ(second & 0xffff, enable[1].LoggerId);
	instance = (void *)((char *)instance + instance->NextOffset);
	EXPECT_EQ(0, instance->NextOffset);
	EXPECT_EQ(2, instance->EnableCount);
	EXPECT_EQ(0, EventUnregister(again));

	ASSERT_EQ(0, EnableTraceEx2(second, &pre, 1, 0, 0, 0, 0, NULL));
	ASSERT_EQ(0, guid_info(&pre, &g, &len));
	instance = (void *)g.more;
	EXPECT_EQ(1, g.info.InstanceCount);
	EXPECT_EQ(0, instance->Pid);
	EXPECT_EQ(TRACE_PROVIDER_FLAG_PRE_ENABLE, instance->Flags);
	EXPECT_EQ(1, instance->EnableCount);
	EXPECT_EQ(0, session_stop(second, NULL));
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND, guid_info(&pre, &g, &len));
	unlink("/tmp/second.etl");
}

TEST_F(errors, EnumerateTraceGuids)
{
	TRACE_GUID_PROPERTIES g[2], *array[2] = { &g[0], NULL };
	GUID other = provider_id(97);
	REGHANDLE handle;
	ULONG count;

	EXPECT_EQ(87, EnumerateTraceGuids(NULL, 1, &count));
	EXPECT_EQ(87, EnumerateTraceGuids(array, 0, &count));
	EXPECT_EQ(87, EnumerateTraceGuids(array, 1, NULL));
	EXPECT_EQ(87, EnumerateTraceGuids(array, 2, &count));
	EXPECT_EQ(0, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(1, count);
	EXPECT_EQ(0, memcmp(&self->id, &g[0].Guid, sizeof(GUID)));
	EXPECT_EQ(FALSE, g[0].IsEnable);
	ASSERT_EQ(0, EnableTrace(TRUE, 6, 3, &self->id, self->session));
	EXPECT_EQ(0, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(TRUE, g[0].IsEnable);
	EXPECT_EQ(self->session & 0xffff, g[0].LoggerId);
	EXPECT_EQ(3, g[0].EnableLevel);
	EXPECT_EQ(6, g[0].EnableFlags);
	ASSERT_EQ(0, EventRegister(&other, NULL, NULL, &handle));
	EXPECT_EQ(ERROR_MORE_DATA, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(2, count);
	array[1] = &g[1];
	EXPECT_EQ(0, EnumerateTraceGuids(array, 2, &count));
	EXPECT_EQ(0, EventUnregister(handle));
}

static ULONG to_end(TRACEHANDLE *h, ULONG count)
{
	return ProcessTrace(h, count, NULL, NULL);
}

static ULONG WINAPI no_more(PEVENT_TRACE_LOGFILEA logfile)
{
	return FALSE;
}

TEST_F(errors, OpenTrace_ProcessTrace_CloseTrace)
{
	FILETIME early = { 1, 1 }, late = { 2, 2 };
	EVENT_TRACE_LOGFILEA l = {};
	TRACEHANDLE h, many[65] = {};

	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(NULL));
	EXPECT_EQ(87, GetLastError());
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(ERROR_BAD_PATHNAME, GetLastError());
	l.LogFileName = "/no/where.etl";
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(ERROR_FILE_NOT_FOUND, GetLastError());
	l.LogFileName = "/bin/sh";
	EXPECT_EQ(INVALID_PROCESSTRACE_HANDLE, OpenTraceA(&l));
	EXPECT_EQ(ERROR_FILE_CORRUPT, GetLastError());
	l.LogFileName = "/tmp/errors.etl";
	l.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	h = OpenTraceA(&l);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	EXPECT_EQ(65536, l.LogfileHeader.BufferSize);
	EXPECT_EQ(87, to_end(NULL, 1));
	EXPECT_EQ(ERROR_BAD_LENGTH, to_end(&h, 0));
	EXPECT_EQ(ERROR_BAD_LENGTH, to_end(many, 65));
	EXPECT_EQ(ERROR_INVALID_HANDLE, to_end(many, 1));
	EXPECT_EQ(ERROR_INVALID_TIME, ProcessTrace(&h, 1, &late, &early));
	EXPECT_EQ(ERROR_SUCCESS, to_end(&h, 1));
	EXPECT_EQ(ERROR_SUCCESS, CloseTrace(h));
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(h));
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(0));
	EXPECT_EQ(ERROR_INVALID_HANDLE,
		  CloseTrace(INVALID_PROCESSTRACE_HANDLE));
	l.BufferCallback = no_more;
	h = OpenTraceA(&l);
	EXPECT_EQ(ERROR_CANCELLED, to_end(&h, 1));
	EXPECT_EQ(ERROR_SUCCESS, CloseTrace(h));
}

/* What is written comes back through the consumer's side */
struct consumer {
	TRACEHANDLE handle;
	unsigned int events;
	unsigned int headers;
	ULONG close_result;
	EVENT_RECORD last;
	WCHAR text[16];
	GUID related;
};

static void WINAPI consume(PEVENT_RECORD r)
{
	struct consumer *c = r->UserContext;

	if (!memcmp(&r->EventHeader.ProviderId, &EventTraceGuid, 16)) {
		c->headers += !c->events;
		return;
	}
	c->events++;
	c->last = *r;
	if (r->EventHeader.Flags & EVENT_HEADER_FLAG_STRING_ONLY)
		memcpy(c->text, r->UserData, r->UserDataLength);
	if (r->ExtendedDataCount)
		memcpy(&c->related, (void *)(uintptr_t)r->ExtendedData->DataPtr,
		       16);
	if (c->handle)
		c->close_result = CloseTrace(c->handle);
}

TEST_F(errors, what_is_written_comes_back)
{
	static const WCHAR text[] = { 'H', 'i', 0xe4, 0 };
	GUID activity = provider_id(7), related = provider_id(8);
	struct properties p = properties_for("");
	EVENT_TRACE_LOGFILEA l = {};
	struct consumer c = {};
	TRACEHANDLE h;

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_TRUE(EventEnabled(self->handle, &descriptor));
	ASSERT_EQ(0, EventWriteTransfer(self->handle, &descriptor, &activity,
					&related, 0, NULL));
	ASSERT_EQ(0, EventWriteString(self->handle, 3, 9, text));
	ASSERT_EQ(0, FlushTraceA(self->session, NULL, &p.p));

	l.LogFileName = "/tmp/errors.etl";
	l.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
	l.EventRecordCallback = consume;
	l.Context = &c;
	h = OpenTraceA(&l);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	EXPECT_EQ(0, to_end(&h, 1));
	EXPECT_EQ(1, c.headers);
	EXPECT_EQ(2, c.events);
	EXPECT_EQ(0, memcmp(&related, &c.related, 16));
	EXPECT_EQ(0, memcmp(text, c.text, sizeof(text)));
	EXPECT_EQ(3, c.last.EventHeader.EventDescriptor.Level);
	EXPECT_EQ(9, c.last.EventHeader.EventDescriptor.Keyword);
	EXPECT_EQ(0, c.last.EventHeader.EventDescriptor.Id);
	EXPECT_TRUE(c.last.EventHeader.Flags & EVENT_HEADER_FLAG_64_BIT_HEADER);
	EXPECT_EQ(getpid(), (pid_t)c.last.EventHeader.ProcessId);
	/* Closing from within says that it is pending, and ends it */
	c.handle = h;
	c.events = 0;
	EXPECT_EQ(0, to_end(&h, 1));
	EXPECT_EQ(1, c.events);
	EXPECT_EQ(ERROR_CTX_CLOSE_PENDING, c.close_result);
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(h));
}

TEST_HARNESS_MAIN
