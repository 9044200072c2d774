// SPDX-License-Identifier: GPL-2.0
/*
 * Each error code that the documentation lists, provoked, function by function:
 * a provider's, and a consumer's.  A controller's are in lib_control.c,
 * lib_update.c, lib_enable.c, lib_enumerate.c, lib_information.c and
 * lib_access.c.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness.h"

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
