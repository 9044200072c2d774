// SPDX-License-Identifier: MIT
/*
 * Any file, read as a log file: reading stays within the file, and ends; each
 * way to open it returns the same events, also to the older callback; each byte
 * is accounted for.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "selftests/unit/common/etl_adds_up.h"
#include "evntcons.h"
#include "fuzz.h"
#include "lib/consume/trace.h"

#define PATH_SIZE	32

/* The sanitizer detects inaccessible bytes */
static void touch(const void *data, size_t len)
{
	const volatile unsigned char *p = data;

	while (len--)
		(void)*p++;
}

/* Fields of an event that both callbacks get */
struct event {
	GUID class_id;
	GUID parent_id;
	LONGLONG time;
	ULONG64 processor_time;
	ULONG thread;
	ULONG process;
	ULONG len;
	ULONG instance;
	ULONG parent;
	UCHAR type;
	UCHAR level;
	UCHAR version;
	UCHAR reserved;
};

static struct event classic_as_event(const EVENT_TRACE *e)
{
	return (struct event) {
		.class_id = e->Header.Guid,
		.parent_id = e->ParentGuid,
		.time = e->Header.TimeStamp.QuadPart,
		.processor_time = e->Header.ProcessorTime,
		.thread = e->Header.ThreadId,
		.process = e->Header.ProcessId,
		.len = e->MofLength,
		.instance = e->InstanceId,
		.parent = e->ParentInstanceId,
		.type = e->Header.Class.Type,
		.level = e->Header.Class.Level,
		.version = e->Header.Class.Version,
	};
}

static struct event record_as_event(const EVENT_RECORD *r)
{
	const EVENT_HEADER *h = &r->EventHeader;
	struct event e = {
		.class_id = h->ProviderId,
		.time = h->TimeStamp.QuadPart,
		.processor_time = h->ProcessorTime,
		.thread = h->ThreadId,
		.process = h->ProcessId,
		.len = r->UserDataLength,
		.type = h->EventDescriptor.Opcode,
		.level = h->EventDescriptor.Level,
		.version = h->EventDescriptor.Version,
	};
	EVENT_EXTENDED_ITEM_INSTANCE i;

	if (!r->ExtendedDataCount || r->ExtendedData->DataSize < sizeof(i) ||
	    r->ExtendedData->ExtType != EVENT_HEADER_EXT_TYPE_INSTANCE_INFO)
		return e;
	memcpy(&i, (const void *)(uintptr_t)r->ExtendedData->DataPtr,
	       sizeof(i));
	e.instance = i.InstanceId;
	e.parent = i.ParentInstanceId;
	e.parent_id = i.ParentGuid;
	return e;
}

/* Events so far: their number, and a hash of them */
struct reported {
	uint64_t count;
	uint64_t hash;
};

static void report(struct reported *t, struct event e)
{
	const unsigned char *p = (const unsigned char *)&e;
	size_t i;

	t->count++;
	for (i = 0; i < sizeof(e); i++)
		t->hash = (t->hash ^ p[i]) * 0x100000001b3ull;
}

static void WINAPI see(PEVENT_RECORD r)
{
	ULONG i;

	for (i = 0; i < r->ExtendedDataCount; i++)
		touch((const void *)(uintptr_t)r->ExtendedData[i].DataPtr,
		      r->ExtendedData[i].DataSize);
	touch(r->UserData, r->UserDataLength);
	report(r->UserContext, record_as_event(r));
}

/* The older callback has no context */
static struct reported classic;

static void WINAPI see_classic(PEVENT_TRACE e)
{
	touch(e->MofData, e->MofLength);
	report(&classic, classic_as_event(e));
}

static ULONG WINAPI see_buffer(PEVENT_TRACE_LOGFILEA l)
{
	check(l->Filled && l->BuffersRead);
	touch(l->CurrentEvent.MofData, l->CurrentEvent.MofLength);
	return TRUE;
}

static TRACEHANDLE open_classic(const char *path)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.EventCallback = see_classic,
		.BufferCallback = see_buffer,
	};

	classic = (struct reported) { 0 };
	return OpenTraceA(&l);
}

static TRACEHANDLE open_narrow(const char *path, struct reported *seen)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.Context = seen,
	};

	return OpenTraceA(&l);
}

static TRACEHANDLE open_wide(const char *path, struct reported *seen)
{
	WCHAR wide[PATH_SIZE];
	EVENT_TRACE_LOGFILEW l = {
		.LogFileName = wide,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.Context = seen,
	};
	size_t i;

	for (i = 0; i < PATH_SIZE; i++)
		wide[i] = path[i];
	return OpenTraceW(&l);
}

/* Read alone, then merged with itself: each event occurs once more */
static void read_file(const char *path, size_t size)
{
	struct reported alone = { 0 }, merged[2] = { { 0 } };
	TRACEHANDLE h[2] = { open_narrow(path, &alone) };

	if (h[0] == INVALID_PROCESSTRACE_HANDLE)
		return;
	check(!ProcessTrace(h, 1, NULL, NULL));
	check(trace_counts(h[0])->packed.count ||
	      etl_adds_up(trace_counts(h[0]), size));
	check(!CloseTrace(h[0]));
	h[0] = open_classic(path);
	check(!ProcessTrace(h, 1, NULL, NULL));
	check(!CloseTrace(h[0]));
	check(classic.count == alone.count && classic.hash == alone.hash);
	h[0] = open_narrow(path, &merged[0]);
	h[1] = open_wide(path, &merged[1]);
	check(!ProcessTrace(h, 2, NULL, NULL));
	check(!CloseTrace(h[0]) && !CloseTrace(h[1]));
	check(merged[0].count == alone.count && merged[1].count == alone.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[PATH_SIZE] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		read_file(path, size);
	close(fd);
	return 0;
}
