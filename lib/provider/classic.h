/* SPDX-License-Identifier: MIT */
/*
 * Classic providers: additional state of their registrations.
 */
#ifndef EVNT_CLASSIC_H
#define EVNT_CLASSIC_H

#include "evntrace.h"
#include "lib/base/internal.h"

struct evnt_registration;

/**
 * struct evnt_classic - additional state of a classic provider's registration
 * @request: the provider's callback; NULL if the provider is not classic
 * @context: passed to @request
 * @session: session that was last reported to @request
 * @flags: flags with which @session has enabled the provider
 * @level: level with which @session has enabled the provider
 * @enabled: whether the last report was that the provider is enabled
 * @was_disabled: the module's sessions have disabled the provider since then
 *
 * Written by the callback's thread under evnt_lib_lock.
 */
struct evnt_classic {
	WMIDPREQUEST request;
	PVOID context;
	TRACEHANDLE session;
	ULONG flags;
	UCHAR level;
	bool enabled;
	bool was_disabled;
};

/**
 * struct evnt_enabler - session that has enabled a classic provider
 * @session: session, or 0
 * @flags: flags as set by @session
 * @level: level as set by @session
 * @still: whether the session that was last reported still has it enabled
 */
struct evnt_enabler {
	TRACEHANDLE session;
	ULONG flags;
	UCHAR level;
	bool still;
};

/* Windows' limit of private sessions of a process */
#define EVNT_PRIVATE_MAX	8u

/* Bit of a private session's handle that no handle of the module has */
#define EVNT_PRIVATE_HANDLE	0x4000000000000000ull

static inline bool evnt_is_private(TRACEHANDLE handle)
{
	return (handle >> 62) == 1;
}

VOID WINAPI evnt_classic_callback(LPCGUID source, ULONG control, UCHAR level,
				  ULONGLONG any, ULONGLONG all,
				  PEVENT_FILTER_DESCRIPTOR filter, PVOID r);
REGHANDLE evnt_classic_next(unsigned int *slot);
void evnt_classic_enabled(TRACEHANDLE session, REGHANDLE handle);
REGHANDLE evnt_classic_find(TRACEHANDLE session);
extern ULONG evnt_last_instance;
const GUID *evnt_class_id(HANDLE class_handle);

#endif /* EVNT_CLASSIC_H */
