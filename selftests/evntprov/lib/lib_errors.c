// SPDX-License-Identifier: GPL-2.0
/*
 * Error codes of provider functions that need the module.  Controllers' codes
 * are in lib_control.c, lib_update.c, lib_enable.c, lib_enumerate.c,
 * lib_information.c and lib_access.c; consumers' codes, and those that the
 * library returns alone, in selftests/unit.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4,
					     .Keyword = 1 };

FIXTURE(errors) {
	TRACEHANDLE session;
	REGHANDLE handle;
	GUID id;
};

FIXTURE_SETUP(errors)
{
	/* A write to a ring fails later, and faults: see evntprov(7) */
	setenv("EVNTPROV_RINGS", "off", 1);
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

TEST_F(errors, EventWrite_ERROR_INVALID_PARAMETER)
{
	EVENT_DATA_DESCRIPTOR data[128] = {};
	EVENT_DATA_DESCRIPTOR bad = { .Ptr = 1, .Size = 8 };
	EVENT_DATA_DESCRIPTOR *half;

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(0, EventWrite(self->handle, &descriptor, 128, data));
	EXPECT_EQ(87, EventWrite(self->handle, &descriptor, 1, &bad));
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
	/* A stale handle whose slot has been reused */
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

TEST_F(errors, EventSetInformation_errors)
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

static ULONG to_end(TRACEHANDLE *h, ULONG count)
{
	return ProcessTrace(h, count, NULL, NULL);
}

/* A consumer, to read back the events that were written */
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

TEST_F(errors, written_events_are_in_the_log)
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
	EXPECT_EQ(65536, l.LogfileHeader.BufferSize);
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
	/* CloseTrace() in a callback returns PENDING and ends processing */
	c.handle = h;
	c.events = 0;
	EXPECT_EQ(0, to_end(&h, 1));
	EXPECT_EQ(1, c.events);
	EXPECT_EQ(ERROR_CTX_CLOSE_PENDING, c.close_result);
	EXPECT_EQ(ERROR_INVALID_HANDLE, CloseTrace(h));
}

TEST_HARNESS_MAIN
