// SPDX-License-Identifier: MIT
/* A library with a callback, which test_exit.c unloads */
#include "evntprov.h"

unsigned int plugin_calls;

VOID WINAPI plugin_callback(LPCGUID source, ULONG control, UCHAR level,
			    ULONGLONG any, ULONGLONG all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	plugin_calls++;
}
