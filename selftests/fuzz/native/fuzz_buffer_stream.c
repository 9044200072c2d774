// SPDX-License-Identifier: MIT
/*
 * Buffers that a program supplies, in any state: the input has the size of each
 * buffer in two bytes, and the buffer.  Each accepted buffer is returned once,
 * and events stay within their buffers.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "evntcons.h"
#include "fuzz.h"
#include "lib/consume/trace.h"

static TRACEHANDLE stream;
static bool closed;
static unsigned int returned;

static void touch(const void *data, size_t len)
{
	const volatile unsigned char *p = data;

	while (len--)
		(void)*p++;
}

static void WINAPI on_event(PEVENT_RECORD r)
{
	for (ULONG i = 0; i < r->ExtendedDataCount; i++)
		touch((const void *)(uintptr_t)r->ExtendedData[i].DataPtr,
		      r->ExtendedData[i].DataSize);
	touch(r->UserData, r->UserDataLength);
	if (!closed)
		check(CloseTrace(stream) == ERROR_CTX_CLOSE_PENDING);
	closed = true;
}

/* The stream no longer uses the buffer */
static VOID WINAPI on_complete(const ETW_BUFFER_HEADER *buffer, PVOID context)
{
	(void)context;
	free((void *)buffer);
	returned++;
}

static bool add(const uint8_t *data, size_t size)
{
	void *buffer = malloc(size ? size : 1);

	if (!buffer)
		return false;
	memcpy(buffer, data, size);
	if (!ProcessTraceAddBufferToBufferStream(stream, buffer, size))
		return true;
	free(buffer);
	return false;
}

static BOOL WINAPI on_buffer(PETW_BUFFER_HEADER buffer, ULONG size,
			     PETW_BUFFER_CALLBACK_INFORMATION info,
			     PVOID context)
{
	(void)info;
	(void)context;
	touch(buffer, size);
	return TRUE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	ETW_OPEN_TRACE_OPTIONS options = {
		.EventCallback = on_event, .BufferCallback = on_buffer,
	};
	unsigned int added = 0;
	uint16_t len;

	returned = 0;
	closed = false;
	stream = OpenTraceFromBufferStream(&options, on_complete, NULL);
	check(stream != INVALID_PROCESSTRACE_HANDLE);
	while (size >= sizeof(len)) {
		memcpy(&len, data, sizeof(len));
		data += sizeof(len);
		size -= sizeof(len);
		if (len > size)
			len = size;
		added += add(data, len);
		data += len;
		size -= len;
	}
	/* The first event, of the log's header, ends the stream */
	if (added)
		ProcessTrace(&stream, 1, NULL, NULL);
	if (!closed)
		CloseTrace(stream);
	check(returned == added);
	return 0;
}
