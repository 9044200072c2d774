// SPDX-License-Identifier: MIT
/* A library with a callback, for test_exit.c, which unloads it */
#include "evntprov.h"

unsigned int plugin_calls;

VOID WINAPI plugin_callback(LPCGUID source, ULONG control, UCHAR level,
			    ULONGLONG any, ULONGLONG all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	plugin_calls++;
}
