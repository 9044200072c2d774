// SPDX-License-Identifier: GPL-2.0
/*
 * StartTrace: each documented rule and error code that involves the module.
 * ControlTrace, its short forms and QueryAllTraces are in lib_control_forms.c,
 * rules for arguments that the library checks alone in selftests/unit, rights
 * of other users in lib_access.c, a stop during another one in stall.c, updates
 * and flushes in lib_update.c.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define OTHER	"/tmp/control2.etl"

FIXTURE(control) {
	TRACEHANDLE session;
	struct properties p;
	TRACEHANDLE h;
};

/* A running session, and good properties for another one */
FIXTURE_SETUP(control)
{
	self->session = session_start("control");
	ASSERT_NE(0, self->session);
	self->p = properties_for(OTHER);
	self->h = 1;
}

FIXTURE_TEARDOWN(control)
{
	if (self->session)
		EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink("/tmp/control.etl");
	unlink(OTHER);
}

static void widen(WCHAR *to, const char *text)
{
	do {
		*to++ = *text;
	} while (*text++);
}

/* Expect StartTrace() to fail with @code and to return no handle */
#define START_FAILS(code, name) ({					\
	self->h = 1;							\
	EXPECT_EQ(code, StartTraceA(&self->h, name, &self->p.p));	\
	EXPECT_EQ(0, self->h); })

/* Expect success, stop the session, and leave its properties in @self */
#define START(name) ({							\
	ASSERT_EQ(0, StartTraceA(&self->h, name, &self->p.p));		\
	EXPECT_NE(0, self->h);						\
	EXPECT_EQ(0, session_stop(self->h, NULL)); })

TEST_F(control, StartTrace_accepts_a_name_of_1024_characters)
{
	char name[1025];

	memset(name, 'n', 1024);
	name[1024] = 0;
	START(name);
	EXPECT_STREQ(name, self->p.session);
}

TEST_F(control, StartTrace_with_a_name_in_use_is_ALREADY_EXISTS)
{
	START_FAILS(ERROR_ALREADY_EXISTS, "control");
	START_FAILS(ERROR_ALREADY_EXISTS, "ConTrol");
	EXPECT_EQ(ERROR_ALREADY_EXISTS,
		  StartTraceW(&self->h, u"CONTROL", &self->p.p));
	/* The file of the failed start is not touched */
	EXPECT_EQ(-1, size_of(OTHER));
}

TEST_F(control, StartTrace_with_a_Guid_in_use_is_ALREADY_EXISTS)
{
	TRACEHANDLE first;

	self->p.p.Wnode.Guid = provider_id(200);
	ASSERT_EQ(0, StartTraceA(&first, "first", &self->p.p));
	self->p = properties_for("/tmp/control3.etl");
	self->p.p.Wnode.Guid = provider_id(200);
	START_FAILS(ERROR_ALREADY_EXISTS, "second");
	EXPECT_EQ(0, session_stop(first, NULL));
	START("second");
	unlink("/tmp/control3.etl");
}

TEST_F(control, StartTrace_file_of_another_session_is_BAD_PATHNAME)
{
	strcpy(self->p.log, "/tmp/control.etl");
	START_FAILS(ERROR_BAD_PATHNAME, "x");
}

TEST_F(control, StartTrace_on_a_folder_is_BAD_PATHNAME_and_in_none_is_PATH_NOT_FOUND)
{
	strcpy(self->p.log, "/tmp");
	START_FAILS(ERROR_BAD_PATHNAME, "x");
	strcpy(self->p.log, "/no/where");
	START_FAILS(ERROR_PATH_NOT_FOUND, "x");
	strcpy(self->p.log, "/dev/null/x");
	START_FAILS(ERROR_PATH_NOT_FOUND, "x");
}

TEST_F(control, StartTrace_on_a_full_disk_is_DISK_FULL)
{
	mkdir("/tmp/full", 0700);
	ASSERT_EQ(0, system("mount -t tmpfs -o size=4k none /tmp/full"));
	strcpy(self->p.log, "/tmp/full/x.etl");
	START_FAILS(ERROR_DISK_FULL, "x");
	EXPECT_EQ(0, system("umount /tmp/full"));
}

TEST_F(control, StartTrace_ControlTrace_without_rights_is_ACCESS_DENIED)
{
	TRACEHANDLE h = self->session;
	EVENT_TRACE_PROPERTIES *p = &self->p.p, *all[] = { p };
	GUID id = provider_id(1);
	ULONG n;

	EXPECT_EQ(5, AS_NOBODY(StartTraceA(&self->h, "x", p)));
	EXPECT_EQ(5, AS_NOBODY(QueryTraceA(h, NULL, p)));
	EXPECT_EQ(5, AS_NOBODY(StopTraceA(0, "control", p)));
	EXPECT_EQ(5, AS_NOBODY(FlushTraceA(h, NULL, p)));
	EXPECT_EQ(5, AS_NOBODY(UpdateTraceA(h, NULL, p)));
	EXPECT_EQ(5, AS_NOBODY(QueryAllTracesA(all, 1, &n)));
	EXPECT_EQ(5, AS_NOBODY(EnableTraceEx2(h, &id, 1, 0, 0, 0, 0, NULL)));
	EXPECT_EQ(5, AS_NOBODY(EnableTrace(TRUE, 0, 0, &id, h)));
}

/* The limit is 64 sessions */
TEST_F(control, StartTrace_more_than_64_is_NO_SYSTEM_RESOURCES)
{
	TRACEHANDLE h[63];
	char name[32];
	unsigned int i;

	for (i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "control-%u", i);
		self->p = properties_for("");
		snprintf(self->p.log, sizeof(self->p.log), "/tmp/%s.etl", name);
		self->p.p.BufferSize = 4;
		self->p.p.MaximumBuffers = 1;
		ASSERT_EQ(0, StartTraceA(&h[i], name, &self->p.p));
	}
	self->p = properties_for(OTHER);
	START_FAILS(ERROR_NO_SYSTEM_RESOURCES, "x");
	while (i--) {
		EXPECT_EQ(0, session_stop(h[i], NULL));
		snprintf(name, sizeof(name), "/tmp/control-%u.etl", i);
		unlink(name);
	}
}

TEST_F(control, StartTrace_with_unsupported_modes_is_NOT_SUPPORTED)
{
	static const ULONG modes[] = {
		EVENT_TRACE_NONSTOPPABLE_MODE,
		EVENT_TRACE_COMPRESSED_MODE,
		EVENT_TRACE_ADDTO_TRIAGE_DUMP,
	};
	unsigned int i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		self->p.p.LogFileMode = modes[i];
		START_FAILS(ERROR_NOT_SUPPORTED, "x");
	}
}

TEST_F(control, StartTrace_fills_in_properties)
{
	static const GUID zero;

	self->p.p.MaximumBuffers = 1;
	self->p.p.FlushTimer = 7;
	ASSERT_EQ(0, StartTraceA(&self->h, "Some Name", &self->p.p));
	EXPECT_NE(0, self->h);
	EXPECT_EQ(self->h, self->p.p.Wnode.HistoricalContext);
	EXPECT_STREQ("Some Name", self->p.session);
	EXPECT_EQ(self->p.p.NumberOfBuffers, self->p.p.FreeBuffers);
	EXPECT_EQ(7, self->p.p.FlushTimer);
	EXPECT_EQ(1, self->p.p.BuffersWritten);
	EXPECT_EQ(0, self->p.p.EventsLost);
	EXPECT_EQ(0, self->p.p.LogBuffersLost);
	EXPECT_EQ(0, self->p.p.RealTimeBuffersLost);
	EXPECT_NE(0, memcmp(&zero, &self->p.p.Wnode.Guid, 16));
	EXPECT_NE(NULL, self->p.p.LoggerThreadId);
	EXPECT_EQ(0, session_stop(self->h, NULL));
}

TEST_F(control, StartTraceW_fills_in_wide_names)
{
	WCHAR log[sizeof(OTHER)];

	widen(log, OTHER);
	memcpy(self->p.log, log, sizeof(log));
	ASSERT_EQ(0, StartTraceW(&self->h, u"N\u00e4me", &self->p.p));
	EXPECT_EQ(0, memcmp(self->p.session, u"N\u00e4me", 5 * 2));
	EXPECT_LT(0, size_of(OTHER));
	memset(self->p.session, 0, sizeof(self->p.session));
	EXPECT_EQ(0, QueryTraceW(0, u"n\u00e4ME", &self->p.p));
	EXPECT_EQ(0, memcmp(self->p.session, u"N\u00e4me", 5 * 2));
	EXPECT_EQ(0, memcmp(self->p.log, log, sizeof(log)));
	EXPECT_EQ(0, StopTraceW(self->h, NULL, &self->p.p));
}

/* In KB: from 4 to 16384, rounded up to a multiple of 4; 0 means 64 */
TEST_F(control, StartTrace_BufferSize_is_bounded_and_rounded)
{
	static const ULONG sizes[][2] = { { 0, 64 }, { 1, 4 }, { 4, 4 },
					  { 5, 8 }, { 1023, 1024 },
					  { 16384, 16384 }, { 99999, 16384 } };
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		self->p = properties_for(OTHER);
		self->p.p.BufferSize = sizes[i][0];
		self->p.p.MaximumBuffers = 1;
		START("x");
		EXPECT_EQ(sizes[i][1], self->p.p.BufferSize);
	}
}

TEST_F(control, StartTrace_MinimumBuffers_is_at_least_two_per_processor)
{
	ULONG least = 2 * sysconf(_SC_NPROCESSORS_ONLN);

	self->p.p.MinimumBuffers = 1;
	START("x");
	EXPECT_EQ(least, self->p.p.MinimumBuffers);
	self->p = properties_for(OTHER);
	self->p.p.MinimumBuffers = least + 3;
	START("x");
	EXPECT_EQ(least + 3, self->p.p.MinimumBuffers);
}

TEST_F(control, StartTrace_MaximumBuffers_is_at_least_MinimumBuffers)
{
	self->p.p.MinimumBuffers = 40;
	self->p.p.MaximumBuffers = 30;
	START("x");
	EXPECT_EQ(40, self->p.p.MaximumBuffers);
	self->p = properties_for(OTHER);
	self->p.p.MinimumBuffers = 40;
	START("x");
	EXPECT_EQ(60, self->p.p.MaximumBuffers);
}

/* Exceeding the limit is no error, but there is not enough memory */
TEST_F(control, StartTrace_more_buffers_than_the_limit_is_NOT_ENOUGH_MEMORY)
{
	self->p.p.MinimumBuffers = 0xffffffff;
	START_FAILS(ERROR_NOT_ENOUGH_MEMORY, "x");
	self->p.p.MinimumBuffers = 0;
	self->p.p.MaximumBuffers = 0xffffffff;
	START_FAILS(ERROR_NOT_ENOUGH_MEMORY, "x");
}

TEST_F(control, StartTrace_AgeLimit_is_not_used)
{
	self->p.p.AgeLimit = 77;
	START("x");
	EXPECT_EQ(77, self->p.p.AgeLimit);
}

TEST_F(control, StartTrace_ClientContext_selects_the_clock)
{
	static const ULONG clocks[][2] = { { 0, 1 }, { 1, 1 }, { 2, 2 },
					   { 3, 2 } };
	unsigned int i;

	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		self->p = properties_for(OTHER);
		self->p.p.Wnode.ClientContext = clocks[i][0];
		START("x");
		EXPECT_EQ(clocks[i][1], self->p.p.Wnode.ClientContext);
	}
}

TEST_F(control, StartTrace_keeps_a_Guid)
{
	GUID id = provider_id(201);

	self->p.p.Wnode.Guid = id;
	START("x");
	EXPECT_EQ(0, memcmp(&id, &self->p.p.Wnode.Guid, 16));
}

TEST_HARNESS_MAIN
