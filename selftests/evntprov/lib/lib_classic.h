/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A classic provider for tests of the library: arguments of its callback, a
 * session that may enable it, headers of its events.
 */
#ifndef EVNT_TEST_LIB_CLASSIC_H
#define EVNT_TEST_LIB_CLASSIC_H

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

static const GUID class_id = { .Data1 = 0xc1a55, .Data2 = 1 };
static const GUID parent_id = { .Data1 = 0xc1a55, .Data2 = 2 };

#define REPORTED_FIRST	8

/* Arguments of the last callback, number of calls, and the first few calls */
struct reported {
	WMIDPREQUESTCODE code;
	TRACEHANDLE session;
	WNODE_HEADER node;
	ULONG size;
	struct {
		WMIDPREQUESTCODE code;
		TRACEHANDLE session;
	} first[REPORTED_FIRST];
	ULONG flags;
	UCHAR level;
	ULONG last_error;
	ULONG result;
	bool in_callback;
	ULONG written;
	/* Handle for the callback to unregister, and the result */
	TRACEHANDLE unregister;
	ULONG unregistered;
	/* Where the callback waits, and how often it has come there */
	bool closed;
	unsigned int waits;
	unsigned int calls;
};

static struct reported reported;

static inline void wait_until_open(struct reported *t)
{
	__atomic_add_fetch(&t->waits, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&t->closed, __ATOMIC_ACQUIRE))
		usleep(1000);
}

static ULONG WINAPI on_control(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	struct reported *t = context;
	EVENT_TRACE_HEADER h = {
		.Size = sizeof(h), .Guid = class_id,
		.Flags = WNODE_FLAG_TRACED_GUID,
	};

	wait_until_open(t);
	t->code = code;
	t->session = GetTraceLoggerHandle(buffer);
	t->node = *(WNODE_HEADER *)buffer;
	t->size = *size;
	if (t->calls < REPORTED_FIRST) {
		t->first[t->calls].code = code;
		t->first[t->calls].session = t->session;
	}
	SetLastError(ERROR_SUCCESS);
	t->flags = GetTraceEnableFlags(t->session);
	t->level = GetTraceEnableLevel(t->session);
	t->last_error = GetLastError();
	if (t->in_callback)
		t->written = TraceEvent(t->session, &h);
	if (t->unregister)
		t->unregistered = UnregisterTraceGuids(t->unregister);
	__atomic_add_fetch(&t->calls, 1, __ATOMIC_RELEASE);
	return t->result;
}

static inline unsigned int calls(void)
{
	return __atomic_load_n(&reported.calls, __ATOMIC_ACQUIRE);
}

FIXTURE(lib_classic) {
	TRACEHANDLE session;
	TRACEHANDLE second;
	TRACEHANDLE registration;
	TRACE_GUID_REGISTRATION classes[2];
};

FIXTURE_SETUP(lib_classic)
{
	memset(&reported, 0, sizeof(reported));
	self->registration = 0;
	self->second = 0;
	self->classes[0].Guid = &class_id;
	self->classes[1].Guid = &parent_id;
	self->session = session_start("lib_classic");
	ASSERT_NE(0, self->session);
}

FIXTURE_TEARDOWN(lib_classic)
{
	if (self->registration)
		UnregisterTraceGuids(self->registration);
	if (self->session)
		session_stop(self->session, NULL);
	if (self->second)
		session_stop(self->second, NULL);
	unlink("/tmp/lib_classic.etl");
	unlink("/tmp/lib_classic2.etl");
}

typedef FIXTURE_DATA(lib_classic) data;

static inline ULONG register_it(data *self)
{
	GUID id = provider_id(1);

	return RegisterTraceGuids(on_control, &reported, &id, 2, self->classes,
				  NULL, NULL, &self->registration);
}

/* Register, enable, and wait for the callback */
static inline bool begin(data *self)
{
	return !register_it(self) && !session_enable(self->session, 1) &&
	       EVENTUALLY(calls() == 1);
}

static inline EVENT_TRACE_HEADER header(void)
{
	EVENT_TRACE_HEADER h = {
		.Size = sizeof(h), .Guid = class_id,
		.Flags = WNODE_FLAG_TRACED_GUID,
	};

	h.Class.Type = EVENT_TRACE_TYPE_START;
	return h;
}

static inline EVENT_INSTANCE_HEADER instance_header(void)
{
	EVENT_INSTANCE_HEADER h = {
		.Size = sizeof(h), .Flags = WNODE_FLAG_TRACED_GUID,
	};

	h.Class.Type = EVENT_TRACE_TYPE_START;
	return h;
}

#endif /* EVNT_TEST_LIB_CLASSIC_H */
