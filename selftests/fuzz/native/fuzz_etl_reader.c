// SPDX-License-Identifier: MIT
/*
 * Any file, read as a log file: no byte outside of it is touched, and it ends.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "evntcons.h"

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
}

static void WINAPI see_classic(PEVENT_TRACE e)
{
	touch(e->MofData, e->MofLength);
}

static void read_as(char *path, EVENT_TRACE_LOGFILEA l)
{
	TRACEHANDLE h;

	l.LogFileName = path;
	h = OpenTraceA(&l);
	if (h == INVALID_PROCESSTRACE_HANDLE)
		return;
	ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		read_as(path, (EVENT_TRACE_LOGFILEA) {
			.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
			.EventRecordCallback = see,
		});
		read_as(path, (EVENT_TRACE_LOGFILEA) {
			.EventCallback = see_classic,
		});
	}
	close(fd);
	return 0;
}
