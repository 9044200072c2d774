/* SPDX-License-Identifier: MIT */
/*
 * What the Linux library offers beside the functions of Windows.
 */
#ifndef EVNTLINUX_H
#define EVNTLINUX_H

#include "evntrace.h"

EVNT_BEGIN_DECLS

/**
 * EvntStartTraceBoundW() - StartTrace() for a session that ends with a process
 * @TraceHandle: out: the session
 * @InstanceName: its name
 * @Properties: as for StartTrace()
 * @Descriptor: out: the session stops when it is closed; close-on-exec
 *
 * Returns what StartTrace() returns.
 */
ULONG EvntStartTraceBoundW(PTRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties, int *Descriptor);
ULONG EvntStartTraceBoundA(PTRACEHANDLE TraceHandle, LPCSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties, int *Descriptor);

/**
 * EvntProviderIdFromName() - the id that TraceLogging derives from a name
 * @Name: UTF-8; case does not matter for Latin letters
 * @ProviderId: out
 *
 * Returns ERROR_SUCCESS, or ERROR_INVALID_PARAMETER when an argument is NULL,
 * or @Name is no UTF-8.
 */
ULONG EvntProviderIdFromName(LPCSTR Name, GUID *ProviderId);

EVNT_END_DECLS

#endif /* EVNTLINUX_H */
