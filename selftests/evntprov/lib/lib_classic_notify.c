// SPDX-License-Identifier: GPL-2.0
/*
 * Classic providers: when their callback is called, and with which arguments;
 * how registrations begin and end.
 */
#include "selftests/evntprov/lib/lib_classic.h"
#include <sddl.h>

static ULONG enable(TRACEHANDLE session, ULONG flags, ULONG level)
{
	GUID id = provider_id(1);

	return EnableTrace(TRUE, flags, level, &id, session);
}

static bool was_reported(unsigned int i, WMIDPREQUESTCODE code,
			 TRACEHANDLE session)
{
	return reported.first[i].code == code &&
	       reported.first[i].session == session;
}

TEST_F(lib_classic, the_callback_gets_context_and_header)
{
	GUID id = provider_id(1);

	/* The context is &reported, which the callback fills in */
	ASSERT_TRUE(begin(self));
	EXPECT_EQ(sizeof(WNODE_HEADER), reported.node.BufferSize);
	EXPECT_EQ(sizeof(WNODE_HEADER), reported.size);
	EXPECT_EQ(self->session, reported.node.HistoricalContext);
	EXPECT_EQ(WNODE_FLAG_TRACED_GUID, reported.node.Flags);
	EXPECT_EQ(0, memcmp(&id, &reported.node.Guid, sizeof(id)));
}

TEST_F(lib_classic, another_level_or_flags_are_reported_as_ENABLE)
{
	ASSERT_EQ(0, register_it(self));
	ASSERT_EQ(0, enable(self->session, 1, 2));
	ASSERT_TRUE(EVENTUALLY(calls() == 1));
	ASSERT_EQ(0, enable(self->session, 7, 5));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_ENABLE_EVENTS, reported.code);
	EXPECT_EQ(self->session, reported.session);
	EXPECT_EQ(7, reported.flags);
	EXPECT_EQ(5, reported.level);
}

/* On disabling, they are still those from enabling */
TEST_F(lib_classic, level_and_flags_can_be_queried_while_disabled)
{
	ASSERT_EQ(0, register_it(self));
	ASSERT_EQ(0, enable(self->session, 6, 3));
	ASSERT_TRUE(EVENTUALLY(calls() == 1));
	ASSERT_EQ(0, session_disable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_DISABLE_EVENTS, reported.code);
	EXPECT_EQ(6, reported.flags);
	EXPECT_EQ(3, reported.level);
	EXPECT_EQ(ERROR_SUCCESS, reported.last_error);
}

TEST_F(lib_classic, the_end_of_a_session_is_reported_as_DISABLE)
{
	TRACEHANDLE session = self->session;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_DISABLE_EVENTS, reported.code);
	EXPECT_EQ(session, reported.session);
}

TEST_F(lib_classic, a_capture_state_request_is_reported_as_CAPTURE_STATE)
{
	GUID id = provider_id(1);

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &id,
				    EVENT_CONTROL_CODE_CAPTURE_STATE, 0, 0, 0,
				    0, NULL));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_CAPTURE_STATE, reported.code);
	EXPECT_EQ(self->session, reported.session);
}

/* Providers may ignore a takeover and keep writing to the old session */
TEST_F(lib_classic, a_provider_may_stay_with_its_session)
{
	EVENT_TRACE_HEADER h = header();

	ASSERT_TRUE(begin(self));
	self->second = session_start("lib_classic2");
	ASSERT_EQ(0, session_enable(self->second, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_TRUE(was_reported(1, WMI_ENABLE_EVENTS, self->second));
	EXPECT_EQ(0, TraceEvent(self->session, &h));
	ASSERT_EQ(0, session_disable(self->second, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 3));
	EXPECT_TRUE(was_reported(2, WMI_DISABLE_EVENTS, self->second));
	EXPECT_EQ(0, TraceEvent(self->session, &h));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->second, &h));
	ASSERT_EQ(0, session_disable(self->session, 1));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->session, &h));
}

/* Otherwise the provider would wait forever for the session that it keeps */
TEST_F(lib_classic, the_end_of_the_previous_session_is_reported_first)
{
	TRACEHANDLE session = self->session;

	reported.closed = true;
	ASSERT_EQ(0, register_it(self));
	ASSERT_EQ(0, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(__atomic_load_n(&reported.waits,
					       __ATOMIC_ACQUIRE)));
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	self->second = session_start("lib_classic2");
	ASSERT_EQ(0, session_enable(self->second, 1));
	__atomic_store_n(&reported.closed, false, __ATOMIC_RELEASE);
	ASSERT_TRUE(EVENTUALLY(calls() >= 3));
	EXPECT_TRUE(was_reported(0, WMI_ENABLE_EVENTS, session));
	EXPECT_TRUE(was_reported(1, WMI_DISABLE_EVENTS, session));
	EXPECT_TRUE(was_reported(2, WMI_ENABLE_EVENTS, self->second));
}

TEST_F(lib_classic, RegisterTraceGuids_returns_the_callbacks_SUCCESS_if_enabled_before)
{
	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(ERROR_SUCCESS, register_it(self));
	EXPECT_EQ(1, calls());
}

TEST_F(lib_classic, a_later_registration_of_the_provider_is_enabled_too)
{
	struct reported other = {};
	GUID id = provider_id(1);
	TRACEHANDLE h;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, RegisterTraceGuids(on_control, &other, &id, 0, NULL, NULL,
					NULL, &h));
	EXPECT_EQ(1, other.calls);
	EXPECT_EQ(WMI_ENABLE_EVENTS, other.code);
	EXPECT_EQ(self->session, other.session);
	EXPECT_EQ(0, UnregisterTraceGuids(h));
}

TEST_F(lib_classic, UnregisterTraceGuids_works_in_the_callback)
{
	ASSERT_EQ(0, register_it(self));
	reported.unregister = self->registration;
	reported.unregistered = 1;
	ASSERT_EQ(0, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 1));
	EXPECT_EQ(0, reported.unregistered);
	EXPECT_EQ(87, UnregisterTraceGuids(self->registration));
	self->registration = 0;
}

/* The limit of EventRegister() */
TEST_F(lib_classic, the_1025th_registration_is_NO_SYSTEM_RESOURCES)
{
	GUID id = provider_id(2);
	REGHANDLE first, h;
	TRACEHANDLE t = 5;
	unsigned int i;

	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &first));
	ASSERT_EQ(0, register_it(self));
	for (i = 2; i < 1024; i++)
		ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &h));
	EXPECT_EQ(ERROR_NO_SYSTEM_RESOURCES,
		  RegisterTraceGuids(on_control, NULL, &id, 0, NULL, NULL, NULL,
				     &t));
	EXPECT_EQ(0, t);
	EXPECT_EQ(0, EventUnregister(first));
	EXPECT_EQ(0, RegisterTraceGuids(on_control, NULL, &id, 0, NULL, NULL,
					NULL, &t));
	EXPECT_EQ(0, UnregisterTraceGuids(t));
}

TEST_F(lib_classic, RegisterTraceGuids_of_a_denied_provider_is_ACCESS_DENIED)
{
	GUID id = provider_id(9);
	TRACEHANDLE h;
	PSID sid;

	ASSERT_TRUE(ConvertStringSidToSidA("S-1-1-0", &sid));
	ASSERT_EQ(0, EventAccessControl(&id, EventSecuritySetDACL, sid,
					TRACELOG_GUID_ENABLE, TRUE));
	LocalFree(sid);
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  AS_NOBODY(RegisterTraceGuids(on_control, &reported, &id, 0,
					       NULL, NULL, NULL, &h)));
	EXPECT_EQ(0, EventAccessRemove(&id));
	EXPECT_EQ(0, AS_NOBODY(RegisterTraceGuids(on_control, &reported, &id, 0,
						  NULL, NULL, NULL, &h)));
}

TEST_HARNESS_MAIN
