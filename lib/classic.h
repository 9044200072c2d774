/* SPDX-License-Identifier: MIT */
/*
 * Classic providers: what the registration of one has besides.
 */
#ifndef EVNT_CLASSIC_H
#define EVNT_CLASSIC_H

#include "evntrace.h"
#include "internal.h"

struct evnt_registration;

/**
 * struct evnt_classic - what a registration of a classic provider has besides
 * @request: its callback; NULL: it is none of a classic provider
 * @context: for @request
 * @session: the session that it was told of last
 * @flags: how that has enabled it
 * @level: likewise
 * @enabled: it was told that it is enabled
 *
 * The callback's thread writes it, under the lock.
 */
struct evnt_classic {
	WMIDPREQUEST request;
	PVOID context;
	TRACEHANDLE session;
	ULONG flags;
	UCHAR level;
	bool enabled;
};

/* classic.c */
VOID WINAPI evnt_classic_callback(LPCGUID source, ULONG control, UCHAR level,
				  ULONGLONG any, ULONGLONG all,
				  PEVENT_FILTER_DESCRIPTOR filter, PVOID r);
REGHANDLE evnt_classic_next(unsigned int *slot);

/* trace_event.c */
extern ULONG evnt_last_instance;
void evnt_classic_enabled(TRACEHANDLE session, REGHANDLE handle);
const GUID *evnt_class_id(HANDLE class_handle);

#endif /* EVNT_CLASSIC_H */
