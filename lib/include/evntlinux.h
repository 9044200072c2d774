/* SPDX-License-Identifier: MIT */
/*
 * Functions of the library that Windows does not have.
 */
#ifndef EVNTLINUX_H
#define EVNTLINUX_H

#include "evntrace.h"

EVNT_BEGIN_DECLS

/**
 * EvntStartTraceBoundW() - start a session that ends with the process
 * @TraceHandle: out: handle of the session
 * @InstanceName: session name
 * @Properties: as for StartTrace()
 * @Descriptor: out: file descriptor with close-on-exec set; the session stops
 *	when it is closed
 *
 * Return: as StartTrace().
 */
ULONG EvntStartTraceBoundW(PTRACEHANDLE TraceHandle, LPCWSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties, int *Descriptor);
ULONG EvntStartTraceBoundA(PTRACEHANDLE TraceHandle, LPCSTR InstanceName,
			   PEVENT_TRACE_PROPERTIES Properties, int *Descriptor);

/*
 * Property for EnableTraceEx2(): name the processes that have registered the
 * provider, by records of the class Process, type DCStart
 */
#define EVNT_ENABLE_PROPERTY_PROCESS_NAME	0x01000000u

/**
 * EvntProviderIdFromName() - derive a provider ID as TraceLogging does
 * @Name: name of the provider in UTF-8; the case of Latin letters does not
 *	matter
 * @ProviderId: out: provider ID
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER if an argument is NULL or
 * @Name is not valid UTF-8.
 */
ULONG EvntProviderIdFromName(LPCSTR Name, GUID *ProviderId);

EVNT_END_DECLS

#endif /* EVNTLINUX_H */
