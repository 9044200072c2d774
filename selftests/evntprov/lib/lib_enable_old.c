// SPDX-License-Identifier: GPL-2.0
/*
 * EnableTraceEx and EnableTrace: each documented rule and error code that
 * involves the module.  Rules for arguments that the library checks alone are
 * in selftests/unit.
 */
#include "selftests/evntprov/lib/enable.h"

TEST_F(enable, EnableTraceEx_no_such_session_is_WMI_INSTANCE_NOT_FOUND)
{
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  EnableTraceEx(&self->id, NULL, self->session + 65536, 1, 0, 0,
				0, 0, NULL));
}

TEST_F(enable, EnableTraceEx_IsEnabled_enables_and_disables)
{
	TRACEHANDLE h = self->session;

	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, h, 1, 0, 0, 0, 0, NULL));
	EXPECT_TRUE(IS_ENABLED(1, 0));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, h, 0, 0, 0, 0, 0, NULL));
	EXPECT_FALSE(IS_ENABLED(1, 0));
}

TEST_F(enable, EnableTraceEx_Level_and_keywords_match_EnableTraceEx2)
{
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, self->session, 1, 3, 6, 2,
				   0, NULL));
	EXPECT_TRUE(IS_ENABLED(3, 2));
	EXPECT_FALSE(IS_ENABLED(3, 4));
	EXPECT_FALSE(IS_ENABLED(4, 2));
}

TEST_F(enable, EnableTraceEx_delivers_SourceId_or_zero)
{
	GUID source = provider_id(66), zero = {};

	EXPECT_EQ(0, EnableTraceEx(&self->id, &source, self->session, 1, 0, 0,
				   0, 0, NULL));
	ASSERT_TRUE(EVENTUALLY(reported.calls == 1));
	EXPECT_EQ(0, memcmp(&source, &reported.source, sizeof(source)));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, self->session, 1, 0, 0, 0,
				   0, NULL));
	ASSERT_TRUE(EVENTUALLY(reported.calls == 2));
	EXPECT_EQ(0, memcmp(&zero, &reported.source, sizeof(zero)));
}

TEST_F(enable, EnableTraceEx_does_not_wait)
{
	reported.is_held = true;
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, self->session, 1, 0, 0, 0,
				   0, NULL));
	EXPECT_EQ(0, reported.calls);
	reported.is_held = false;
	EXPECT_TRUE(EVENTUALLY(reported.calls == 1));
}

TEST_F(enable, EnableTraceEx_accepts_EnableProperty)
{
	TRACEHANDLE h = self->session;

	EXPECT_EQ(50, EnableTraceEx(&self->id, NULL, h, 1, 0, 0, 0, 1u << 12,
				    NULL));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, h, 1, 0, 0, 0,
				   EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0,
				   NULL));
	EXPECT_EQ(0, write_event(self->handle, 1, 0));
	EXPECT_EQ(0, write_event(self->handle, 1, 1));
	EXPECT_EQ(1, events_in_log(h));
}

TEST_F(enable, EnableTraceEx_EnableFilterDesc_is_one_filter)
{
	EVENT_FILTER_DESCRIPTOR other = other_process(), none = {
		.Type = EVENT_FILTER_TYPE_SYSTEM_FLAGS,
	};

	EXPECT_EQ(50, EnableTraceEx(&self->id, NULL, self->session, 1, 0, 0, 0,
				    0, &none));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, self->session, 1, 0, 0, 0,
				   0, &other));
	EXPECT_FALSE(IS_ENABLED(1, 0));
	EXPECT_EQ(0, EnableTraceEx(&self->id, NULL, self->session, 1, 0, 0, 0,
				   0, NULL));
	EXPECT_TRUE(IS_ENABLED(1, 0));
}

TEST_F(enable, EnableTrace_no_such_session_is_WMI_INSTANCE_NOT_FOUND)
{
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  EnableTrace(TRUE, 0, 0, &self->id, self->session + 65536));
}

TEST_F(enable, EnableTrace_EnableLevel_is_the_highest_level_that_passes)
{
	EXPECT_EQ(0, EnableTrace(TRUE, 0, 255, &self->id, self->session));
	EXPECT_TRUE(IS_ENABLED(255, 0));
	EXPECT_EQ(0, EnableTrace(TRUE, 0, 2, &self->id, self->session));
	EXPECT_TRUE(IS_ENABLED(2, 0));
	EXPECT_FALSE(IS_ENABLED(3, 0));
}

/* A keyword mask of 32 bits, any of which matches; 0 matches all */
TEST_F(enable, EnableTrace_EnableFlag_is_MatchAnyKeyword)
{
	TRACEHANDLE h = self->session;

	EXPECT_EQ(0, EnableTrace(TRUE, 0x80000001, 2, &self->id, h));
	ASSERT_TRUE(EVENTUALLY(reported.calls == 1));
	EXPECT_EQ(0x80000001, reported.any);
	EXPECT_EQ(0, reported.all);
	EXPECT_TRUE(IS_ENABLED(2, 0x80000000));
	EXPECT_FALSE(IS_ENABLED(2, 1ull << 63));
	EXPECT_EQ(0, EnableTrace(TRUE, 0, 2, &self->id, h));
	EXPECT_TRUE(IS_ENABLED(2, 1ull << 63));
}

TEST_F(enable, EnableTrace_Enable_FALSE_disables)
{
	EXPECT_EQ(0, EnableTrace(TRUE, 0, 0, &self->id, self->session));
	EXPECT_EQ(0, EnableTrace(FALSE, 0, 0, &self->id, self->session));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_TRUE(EVENTUALLY(reported.control == DISABLE));
}

/* Older versions of Windows return WMI_GUID_NOT_FOUND */
TEST_F(enable, EnableTrace_before_the_provider_is_registered_is_remembered)
{
	REGHANDLE handle;

	EXPECT_EQ(0, EnableTrace(TRUE, 6, 3, &self->empty_set, self->session));
	ASSERT_EQ(0, EventRegister(&self->empty_set, callback, NULL, &handle));
	EXPECT_EQ(3, reported.level);
	EXPECT_EQ(6, reported.any);
	EXPECT_EQ(0, EventUnregister(handle));
}

TEST_HARNESS_MAIN
