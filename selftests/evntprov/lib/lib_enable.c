// SPDX-License-Identifier: GPL-2.0
/*
 * EnableTraceEx2: each documented rule and error code that involves the
 * module.  Rules for arguments that the library checks alone are in
 * selftests/unit, its Timeout in lib_enable_wait.c, its filters in
 * lib_enable_filters.c, extended items in items.c, callbacks in lib_callback.c,
 * access lists in lib_access.c.
 */
#include "selftests/evntprov/lib/enable.h"

TEST_F(enable, EnableTraceEx2_no_such_session_is_WMI_INSTANCE_NOT_FOUND)
{
	ULONG code;

	for (code = DISABLE; code <= CAPTURE; code++) {
		EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
			  EnableTraceEx2(self->session + 65536, &self->id, code,
					 0, 0, 0, 0, NULL));
		EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
			  EnableTraceEx2(~0ull, &self->id, code, 0, 0, 0, 0,
					 NULL));
	}
}

TEST_F(enable, EnableTraceEx2_unknown_ControlCode_is_INVALID_PARAMETER)
{
	EXPECT_EQ(87, CONTROL(3));
	EXPECT_EQ(87, CONTROL(~0u));
	EXPECT_FALSE(IS_ENABLED(0, 0));
}

TEST_F(enable, EnableTraceEx2_without_rights_is_ACCESS_DENIED)
{
	TRACEHANDLE h = self->session;
	GUID id = self->id;

	EXPECT_EQ(5, AS_NOBODY(EnableTraceEx2(h, &id, ENABLE, 0, 0, 0, 0,
					      NULL)));
	EXPECT_EQ(5, AS_NOBODY(EnableTraceEx2(h, &id, DISABLE, 0, 0, 0, 0,
					      NULL)));
	EXPECT_EQ(5, AS_NOBODY(EnableTraceEx2(h, &id, CAPTURE, 0, 0, 0, 0,
					      NULL)));
	EXPECT_EQ(5, AS_NOBODY(EnableTraceEx(&id, NULL, h, 1, 0, 0, 0, 0,
					     NULL)));
	EXPECT_EQ(5, AS_NOBODY(EnableTrace(TRUE, 0, 0, &id, h)));
	EXPECT_EQ(0, reported.calls);
}

/* Windows documents a limit of 8 sessions, then NO_SYSTEM_RESOURCES */
TEST_F(enable, EnableTraceEx2_all_sessions_may_enable_a_provider)
{
	struct properties p;
	TRACEHANDLE h[63];
	char name[32];
	unsigned int i;

	for (i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "enable-%u", i);
		p = properties_for("");
		snprintf(p.log, sizeof(p.log), "/tmp/%s.etl", name);
		p.p.BufferSize = 4;
		p.p.MaximumBuffers = 1;
		ASSERT_EQ(0, StartTraceA(&h[i], name, &p.p));
		EXPECT_EQ(0, EnableTraceEx2(h[i], &self->id, ENABLE, i + 1, 0,
					    0, WAIT, NULL));
	}
	EXPECT_EQ(0, WITH(77, 0, 0));
	EXPECT_EQ(77, reported.level);
	EXPECT_EQ(0, write_event(self->handle, 0, 0));
	while (i--) {
		EXPECT_EQ(0, session_stop(h[i], &p));
		EXPECT_LT(1, p.p.BuffersWritten);
		unlink(p.log);
	}
}

TEST_F(enable, Level_is_the_highest_level_that_passes)
{
	EXPECT_EQ(0, WITH(3, 0, 0));
	EXPECT_EQ(3, reported.level);
	EXPECT_TRUE(IS_ENABLED(3, 1));
	EXPECT_FALSE(IS_ENABLED(4, 1));
	EXPECT_TRUE(IS_ENABLED(0, 1));
	EXPECT_EQ(0, WITH(255, 0, 0));
	EXPECT_TRUE(IS_ENABLED(255, 1));
}

TEST_F(enable, Level_0_passes_all_levels)
{
	EXPECT_EQ(0, WITH(0, 0, 0));
	EXPECT_EQ(255, reported.level);
	EXPECT_TRUE(IS_ENABLED(255, 1));
}

TEST_F(enable, MatchAnyKeyword_requires_one_of_its_bits)
{
	EXPECT_EQ(0, WITH(0, 1ull << 63 | 2, 0));
	EXPECT_EQ(1ull << 63 | 2, reported.any);
	EXPECT_TRUE(IS_ENABLED(1, 2));
	EXPECT_TRUE(IS_ENABLED(1, 1ull << 63));
	EXPECT_TRUE(IS_ENABLED(1, 7));
	EXPECT_FALSE(IS_ENABLED(1, 5));
}

TEST_F(enable, MatchAnyKeyword_0_passes_all_keywords)
{
	EXPECT_EQ(0, WITH(0, 0, 0));
	EXPECT_EQ(~0ull, reported.any);
	EXPECT_TRUE(IS_ENABLED(1, 1ull << 40));
}

TEST_F(enable, MatchAllKeyword_requires_all_its_bits)
{
	EXPECT_EQ(0, WITH(0, 1, 6));
	EXPECT_EQ(6, reported.all);
	EXPECT_TRUE(IS_ENABLED(1, 7));
	EXPECT_FALSE(IS_ENABLED(1, 3));
	EXPECT_FALSE(IS_ENABLED(1, 6));
	EXPECT_EQ(0, WITH(0, 0, 6));
	EXPECT_TRUE(IS_ENABLED(1, 14));
	EXPECT_FALSE(IS_ENABLED(1, 2));
}

TEST_F(enable, an_event_without_keywords_passes_both_masks)
{
	EXPECT_EQ(0, WITH(0, 1, 6));
	EXPECT_TRUE(IS_ENABLED(1, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 2));
	EXPECT_EQ(1, events_in_log(self->session));
}

TEST_F(enable, ENABLE_before_the_provider_is_registered_is_remembered)
{
	ENABLE_TRACE_PARAMETERS p = { .Version = 2,
				      .SourceId = provider_id(77) };
	static const GUID zero;
	REGHANDLE handle;

	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, ENABLE, 4,
				    6, 2, WAIT, &p));
	ASSERT_EQ(0, EventRegister(&self->empty_set, callback, NULL, &handle));
	EXPECT_EQ(1, reported.calls);
	EXPECT_EQ(ENABLE, reported.control);
	EXPECT_EQ(4, reported.level);
	EXPECT_EQ(6, reported.any);
	EXPECT_EQ(2, reported.all);
	/* The SourceId is not kept for later registrations */
	EXPECT_EQ(0, memcmp(&zero, &reported.source, sizeof(zero)));
	EXPECT_EQ(0, EventUnregister(handle));
}

/* Windows' page documents INVALID_FUNCTION, but also that it is possible */
TEST_F(enable, ENABLE_again_before_the_provider_is_registered_changes_the_level)
{
	REGHANDLE handle;

	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, ENABLE, 4,
				    6, 2, 0, NULL));
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, ENABLE, 5,
				    1, 0, 0, NULL));
	ASSERT_EQ(0, EventRegister(&self->empty_set, callback, NULL, &handle));
	EXPECT_EQ(5, reported.level);
	EXPECT_EQ(1, reported.any);
	EXPECT_EQ(0, reported.all);
	EXPECT_EQ(0, EventUnregister(handle));
}

TEST_F(enable, ENABLE_again_replaces_level_and_keywords)
{
	EXPECT_EQ(0, WITH(5, 6, 2));
	EXPECT_EQ(0, WITH(2, 1, 0));
	EXPECT_EQ(2, reported.calls);
	EXPECT_EQ(2, reported.level);
	EXPECT_EQ(1, reported.any);
	EXPECT_EQ(0, reported.all);
	EXPECT_FALSE(IS_ENABLED(5, 1));
	EXPECT_FALSE(IS_ENABLED(2, 6));
}

TEST_F(enable, DISABLE_stops_recording)
{
	EXPECT_EQ(0, WITH(0, 0, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 1));
	EXPECT_EQ(0, CONTROL(DISABLE));
	EXPECT_EQ(2, reported.calls);
	EXPECT_EQ(DISABLE, reported.control);
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 1));
	EXPECT_EQ(1, events_in_log(self->session));
}

TEST_F(enable, DISABLE_of_a_disabled_provider_changes_nothing)
{
	EXPECT_EQ(0, CONTROL(DISABLE));
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, DISABLE, 0,
				    0, 0, WAIT, NULL));
	EXPECT_EQ(0, reported.calls);
}

TEST_F(enable, CAPTURE_STATE_calls_the_callback_and_changes_nothing)
{
	EXPECT_EQ(0, WITH(4, 6, 2));
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->id, CAPTURE, 1, 1, 1,
				    WAIT, NULL));
	EXPECT_EQ(2, reported.calls);
	EXPECT_EQ(CAPTURE, reported.control);
	EXPECT_EQ(4, reported.level);
	EXPECT_EQ(6, reported.any);
	EXPECT_EQ(2, reported.all);
	EXPECT_TRUE(IS_ENABLED(4, 2));
	EXPECT_FALSE(IS_ENABLED(4, 1));
}

/* The callback runs; the provider may ignore it */
TEST_F(enable, CAPTURE_STATE_of_a_disabled_provider_enables_nothing)
{
	EXPECT_EQ(0, CONTROL(CAPTURE));
	EXPECT_EQ(1, reported.calls);
	EXPECT_EQ(CAPTURE, reported.control);
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_EQ(0, EnableTraceEx2(self->session, &self->empty_set, CAPTURE, 0,
				    0, 0, WAIT, NULL));
}

TEST_F(enable, SourceId_is_delivered_with_each_control_code)
{
	ENABLE_TRACE_PARAMETERS p = { .Version = 2 };
	ULONG i, codes[] = { ENABLE, CAPTURE, DISABLE };

	for (i = 0; i < 3; i++) {
		p.SourceId = provider_id(50 + i);
		EXPECT_EQ(0, WITH_PARAMETERS(codes[i], &p));
		EXPECT_EQ(codes[i], reported.control);
		EXPECT_EQ(0,
			  memcmp(&p.SourceId, &reported.source, sizeof(GUID)));
	}
}

TEST_F(enable, EnableParameters_NULL_delivers_no_SourceId)
{
	static const GUID zero;

	EXPECT_EQ(0, WITH(0, 0, 0));
	EXPECT_EQ(0, memcmp(&zero, &reported.source, sizeof(zero)));
	EXPECT_EQ(NULL, reported.filter);
}

/* Bits of the property, and whether each is supported */
TEST_F(enable, an_unsupported_EnableProperty_is_NOT_SUPPORTED)
{
	ENABLE_TRACE_PARAMETERS p = { .Version = 2 };
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		p.EnableProperty = 1u << bit;
		EXPECT_EQ(bit < 12 || bit == 24 ? 0 : 50, WITH_PARAMETERS(ENABLE, &p));
	}
}

TEST_F(enable, a_contradictory_EnableProperty_is_INVALID_PARAMETER)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = 2,
		.EnableProperty = EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0 |
				  EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0,
	};

	EXPECT_EQ(87, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_FALSE(IS_ENABLED(0, 0));
}

/* Applies to this session when an event is routed, not to the effective set */
TEST_F(enable, EnableProperty_IGNORE_KEYWORD_0_excludes_events_without_keywords)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = 2,
		.EnableProperty = EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0,
	};

	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_EQ(~0ull, reported.any);
	EXPECT_EQ(0, write_event(self->handle, 1, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 1));
	EXPECT_EQ(1, events_in_log(self->session));
	/* Enable again without it, and then with the opposite property */
	EXPECT_EQ(0, WITH(0, 0, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 0));
	EXPECT_EQ(2, events_in_log(self->session));
	p.EnableProperty = EVENT_ENABLE_PROPERTY_ENABLE_KEYWORD_0;
	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_EQ(0, write_event(self->handle, 1, 0));
	EXPECT_EQ(3, events_in_log(self->session));
}

TEST_F(enable, EnableProperty_EXCLUDE_INPRIVATE_excludes_INPRIVATE_events)
{
	static const EVENT_DESCRIPTOR d = { .Id = 1 };
	ENABLE_TRACE_PARAMETERS p = {
		.Version = 2,
		.EnableProperty = EVENT_ENABLE_PROPERTY_EXCLUDE_INPRIVATE,
	};

	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_EQ(0, EventWriteEx(self->handle, &d, 0,
				  EVENT_WRITE_FLAG_INPRIVATE, NULL, NULL, 0,
				  NULL));
	EXPECT_EQ(0, EventWriteEx(self->handle, &d, 0, 0, NULL, NULL, 0, NULL));
	EXPECT_EQ(1, events_in_log(self->session));
}

TEST_HARNESS_MAIN
