// SPDX-License-Identifier: MIT
/*
 * Any file, read as a log file: no byte outside of it is touched, and it ends;
 * however it is opened, the same events come out; each byte is accounted for.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../unit/etl_adds_up.h"
#include "evntcons.h"
#include "fuzz.h"
#include "trace.h"

#define PATH_SIZE	32

/* The sanitizer sees it when a byte is not there */
static void touch(const void *data, size_t len)
{
	const volatile unsigned char *p = data;

	while (len--)
		(void)*p++;
}

static void WINAPI see(PEVENT_RECORD r)
{
	ULONG i;

	for (i = 0; i < r->ExtendedDataCount; i++)
		touch((const void *)(uintptr_t)r->ExtendedData[i].DataPtr,
		      r->ExtendedData[i].DataSize);
	touch(r->UserData, r->UserDataLength);
	++*(uint64_t *)r->UserContext;
}

/* The older callback has no context of its own */
static uint64_t classic;

static void WINAPI see_classic(PEVENT_TRACE e)
{
	touch(e->MofData, e->MofLength);
	classic++;
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

	classic = 0;
	return OpenTraceA(&l);
}

static TRACEHANDLE open_narrow(const char *path, uint64_t *seen)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)path,
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.Context = seen,
	};

	return OpenTraceA(&l);
}

static TRACEHANDLE open_wide(const char *path, uint64_t *seen)
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

/* Alone, then merged with itself: each event is there once more */
static void read_file(const char *path, size_t size)
{
	uint64_t alone = 0, merged[2] = { 0, 0 };
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
	check(classic == alone);
	h[0] = open_narrow(path, &merged[0]);
	h[1] = open_wide(path, &merged[1]);
	check(!ProcessTrace(h, 2, NULL, NULL));
	check(!CloseTrace(h[0]) && !CloseTrace(h[1]));
	check(merged[0] == alone && merged[1] == alone);
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
