// SPDX-License-Identifier: GPL-2.0
/* A provider in a shared library that lib_plugin.c loads and unloads. */
#include "selftests/evntprov/common/lib.h"

static REGHANDLE handle;
static unsigned int calls;

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	calls++;
}

ULONG plugin_start(void);
ULONG plugin_write(unsigned int n);
ULONG plugin_stop(void);
unsigned int plugin_calls(void);

ULONG plugin_start(void)
{
	GUID id = provider_id(0x91);

	return EventRegister(&id, callback, NULL, &handle);
}

ULONG plugin_write(unsigned int n)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 1 };
	EVENT_DATA_DESCRIPTOR data;

	EventDataDescCreate(&data, &n, sizeof(n));
	return EventWrite(handle, &descriptor, 1, &data);
}

ULONG plugin_stop(void)
{
	return EventUnregister(handle);
}

unsigned int plugin_calls(void)
{
	return calls;
}
