/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session, and a provider with a callback that it enables: for the tests of
 * EnableTraceEx2 and its predecessors.
 */
#ifndef EVNT_TEST_ENABLE_H
#define EVNT_TEST_ENABLE_H

#include <stdatomic.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define LOG		"/tmp/enable.etl"
#define DISABLE		EVENT_CONTROL_CODE_DISABLE_PROVIDER
#define ENABLE		EVENT_CONTROL_CODE_ENABLE_PROVIDER
#define CAPTURE		EVENT_CONTROL_CODE_CAPTURE_STATE
/* Timeout in ms, long enough for any callback */
#define WAIT		100000

/* Arguments of the last callback, number of calls; its duration, or a hold */
static struct {
	atomic_uint calls;
	atomic_uint sleep_ms;
	atomic_bool is_held;
	ULONG control;
	UCHAR level;
	ULONGLONG any;
	ULONGLONG all;
	GUID source;
	PEVENT_FILTER_DESCRIPTOR filter;
} reported;

static void NTAPI callback(LPCGUID source, ULONG control, UCHAR level,
			   ULONGLONG any, ULONGLONG all,
			   PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	usleep(reported.sleep_ms * 1000);
	while (reported.is_held)
		usleep(1000);
	reported.control = control;
	reported.level = level;
	reported.any = any;
	reported.all = all;
	reported.source = *source;
	reported.filter = filter;
	reported.calls++;
}

FIXTURE(enable) {
	TRACEHANDLE session;
	REGHANDLE handle;
	GUID id;
	GUID empty_set;		/* a GUID without a provider */
};

FIXTURE_SETUP(enable)
{
	memset(&reported, 0, sizeof(reported));
	self->id = provider_id(1);
	self->empty_set = provider_id(99);
	self->session = session_start("enable");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, EventRegister(&self->id, callback, NULL, &self->handle));
}

FIXTURE_TEARDOWN(enable)
{
	reported.sleep_ms = 0;
	reported.is_held = false;
	EXPECT_EQ(0, EventUnregister(self->handle));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink(LOG);
}

#define CONTROL(code) \
	EnableTraceEx2(self->session, &self->id, code, 0, 0, 0, WAIT, NULL)

/* Enable with a level and keywords, and wait for the callback */
#define WITH(level, any, all) \
	EnableTraceEx2(self->session, &self->id, ENABLE, level, any, all, \
		       WAIT, NULL)

#define WITH_PARAMETERS(code, p) \
	EnableTraceEx2(self->session, &self->id, code, 0, 0, 0, WAIT, \
		       (PENABLE_TRACE_PARAMETERS)(p))

#define IS_ENABLED(level, keyword) \
	EventProviderEnabled(self->handle, level, keyword)

static inline ULONG write_event(REGHANDLE handle, UCHAR level,
				ULONGLONG keyword)
{
	EVENT_DESCRIPTOR d = { .Id = 1, .Level = level, .Keyword = keyword };

	return EventWrite(handle, &d, 0, NULL);
}

/* Number of events in the log so far; ~0 when it cannot be read */
static inline unsigned int events_in_log(TRACEHANDLE session)
{
	struct properties p = properties_for("");
	struct etl_scan scan;

	if (FlushTraceA(session, NULL, &p.p) ||
	    !etl_scan(LOG, &scan, NULL, NULL))
		return ~0u;
	return scan.events;
}

/* A scope filter that excludes this process */
static ULONG other_pid = 1;

static inline EVENT_FILTER_DESCRIPTOR other_process(void)
{
	return (EVENT_FILTER_DESCRIPTOR) {
		(uintptr_t)&other_pid, sizeof(other_pid), EVENT_FILTER_TYPE_PID
	};
}

#endif /* EVNT_TEST_ENABLE_H */
