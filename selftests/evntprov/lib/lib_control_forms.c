// SPDX-License-Identifier: GPL-2.0
/*
 * ControlTrace with its short forms, A and W, and QueryAllTraces: each
 * documented rule and error code that involves the module.  Rules for arguments
 * that the library checks alone are in selftests/unit.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

static void widen(WCHAR *to, const char *text)
{
	do {
		*to++ = *text;
	} while (*text++);
}

typedef ULONG WMIAPI short_form(TRACEHANDLE, LPCSTR, PEVENT_TRACE_PROPERTIES);

/* The short forms, and ControlTrace with the code of each */
static ULONG WMIAPI control_query(TRACEHANDLE h, LPCSTR name,
				  PEVENT_TRACE_PROPERTIES p)
{
	return ControlTraceA(h, name, p, EVENT_TRACE_CONTROL_QUERY);
}

static ULONG WMIAPI control_stop(TRACEHANDLE h, LPCSTR name,
				 PEVENT_TRACE_PROPERTIES p)
{
	return ControlTraceA(h, name, p, EVENT_TRACE_CONTROL_STOP);
}

static ULONG WMIAPI control_flush(TRACEHANDLE h, LPCSTR name,
				  PEVENT_TRACE_PROPERTIES p)
{
	return ControlTraceA(h, name, p, EVENT_TRACE_CONTROL_FLUSH);
}

static ULONG WMIAPI control_update(TRACEHANDLE h, LPCSTR name,
				   PEVENT_TRACE_PROPERTIES p)
{
	return ControlTraceA(h, name, p, EVENT_TRACE_CONTROL_UPDATE);
}

/* W forms with the signature of A forms: converts names to wide and back */
typedef ULONG WMIAPI wide_form(TRACEHANDLE, LPCWSTR, PEVENT_TRACE_PROPERTIES);

static void narrow(char *text)
{
	size_t i = 0;

	do {
		text[i] = text[2 * i];
	} while (text[i++]);
}

static ULONG call_wide(wide_form *call, TRACEHANDLE h, LPCSTR name,
		       PEVENT_TRACE_PROPERTIES p)
{
	WCHAR wide[64];
	ULONG code;

	if (name)
		widen(wide, name);
	code = call(h, name ? wide : NULL, p);
	if (!code && p->LoggerNameOffset)
		narrow((char *)p + p->LoggerNameOffset);
	return code;
}

#define WIDE(name)							\
static ULONG WMIAPI wide_##name(TRACEHANDLE h, LPCSTR session,		\
				PEVENT_TRACE_PROPERTIES p)		\
{									\
	return call_wide(name##W, h, session, p);			\
}

WIDE(QueryTrace)
WIDE(StopTrace)
WIDE(FlushTrace)
WIDE(UpdateTrace)

FIXTURE(each_form) {
	TRACEHANDLE session;
	struct properties p;
};

FIXTURE_VARIANT(each_form) {
	short_form *call;
	bool stops;
};

#define FORM(name, function)						\
FIXTURE_VARIANT_ADD(each_form, name) { .call = function }

#define STOPPING_FORM(name, function)					\
FIXTURE_VARIANT_ADD(each_form, name) { .call = function, .stops = true }

FORM(ControlTrace_QUERY, control_query);
STOPPING_FORM(ControlTrace_STOP, control_stop);
FORM(ControlTrace_FLUSH, control_flush);
FORM(ControlTrace_UPDATE, control_update);
FORM(QueryTraceA, QueryTraceA);
STOPPING_FORM(StopTraceA, StopTraceA);
FORM(FlushTraceA, FlushTraceA);
FORM(UpdateTraceA, UpdateTraceA);
FORM(QueryTraceW, wide_QueryTrace);
STOPPING_FORM(StopTraceW, wide_StopTrace);
FORM(FlushTraceW, wide_FlushTrace);
FORM(UpdateTraceW, wide_UpdateTrace);

FIXTURE_SETUP(each_form)
{
	self->session = session_start("each");
	ASSERT_NE(0, self->session);
	self->p = properties_for("");
}

FIXTURE_TEARDOWN(each_form)
{
	/* A successful stop has already ended it */
	session_stop(self->session, NULL);
	unlink("/tmp/each.etl");
}

/* Expect @code, and that the session goes on */
#define REFUSED(code, handle, name, properties_) ({			\
	struct properties query_ = properties_for("");			\
	EXPECT_EQ(code, variant->call(handle, name, properties_));	\
	EXPECT_EQ(0, QueryTraceA(self->session, NULL, &query_.p)); })

/* Windows' page also documents ERROR_INVALID_PARAMETER for a bad handle */
TEST_F(each_form, no_such_session_is_WMI_INSTANCE_NOT_FOUND)
{
	REFUSED(ERROR_WMI_INSTANCE_NOT_FOUND, self->session + 65536, NULL,
		&self->p.p);
	REFUSED(ERROR_WMI_INSTANCE_NOT_FOUND, ~0ull, NULL, &self->p.p);
	REFUSED(ERROR_WMI_INSTANCE_NOT_FOUND, 0, "nobody", &self->p.p);
}

TEST_F(each_form, a_name_wins_over_a_handle)
{
	REFUSED(ERROR_WMI_INSTANCE_NOT_FOUND, self->session, "nobody",
		&self->p.p);
	EXPECT_EQ(0, variant->call(12345, "EACH", &self->p.p));
	EXPECT_STREQ("each", self->p.session);
}

/* The operation takes effect all the same: a stop ends the session */
TEST_F(each_form, too_little_room_for_the_names_is_MORE_DATA)
{
	struct properties query = properties_for("");

	self->p.p.LogFileNameOffset = sizeof(self->p.p);
	self->p.p.LoggerNameOffset = sizeof(self->p.p) + 1;
	self->p.p.Wnode.BufferSize = self->p.p.LoggerNameOffset + 4;
	memset(self->p.session, 0, 8);
	EXPECT_EQ(ERROR_MORE_DATA,
		  variant->call(self->session, NULL, &self->p.p));
	EXPECT_EQ(variant->stops ? ERROR_WMI_INSTANCE_NOT_FOUND : ERROR_SUCCESS,
		  QueryTraceA(self->session, NULL, &query.p));
}

/* Both offsets 0: no names are requested */
TEST_F(each_form, ControlTrace_fills_in_the_properties_of_the_session)
{
	self->p.p.LoggerNameOffset = 0;
	self->p.p.LogFileNameOffset = 0;
	EXPECT_EQ(0, variant->call(self->session, NULL, &self->p.p));
	EXPECT_EQ(0, self->p.session[0]);
	EXPECT_EQ(self->session, self->p.p.Wnode.HistoricalContext);
	EXPECT_EQ(64, self->p.p.BufferSize);
	EXPECT_LE(1, self->p.p.BuffersWritten);
}

FIXTURE(all) {
	struct properties p[3];
	PEVENT_TRACE_PROPERTIES array[3];
	TRACEHANDLE first;
	TRACEHANDLE second;
	ULONG count;
};

FIXTURE_SETUP(all)
{
	int i;

	for (i = 0; i < 3; i++) {
		self->p[i] = properties_for("");
		self->array[i] = &self->p[i].p;
	}
	self->first = session_start("first of all");
	self->second = session_start("second of all");
	ASSERT_NE(0, self->first);
	ASSERT_NE(0, self->second);
	self->count = 99;
}

FIXTURE_TEARDOWN(all)
{
	EXPECT_EQ(0, session_stop(self->first, NULL));
	EXPECT_EQ(0, session_stop(self->second, NULL));
	unlink("/tmp/first of all.etl");
	unlink("/tmp/second of all.etl");
}

TEST_F(all, QueryAllTraces_with_too_little_room_is_MORE_DATA)
{
	EXPECT_EQ(ERROR_MORE_DATA,
		  QueryAllTracesA(self->array, 1, &self->count));
	EXPECT_EQ(2, self->count);
	EXPECT_EQ(self->first, self->p[0].p.Wnode.HistoricalContext);
	EXPECT_STREQ("first of all", self->p[0].session);
}

TEST_F(all, QueryAllTraces_fills_in_each_session)
{
	EXPECT_EQ(0, QueryAllTracesA(self->array, 3, &self->count));
	EXPECT_EQ(2, self->count);
	EXPECT_EQ(self->second, self->p[1].p.Wnode.HistoricalContext);
	EXPECT_STREQ("second of all", self->p[1].session);
	EXPECT_STREQ("/tmp/second of all.etl", self->p[1].log);
	EXPECT_EQ(0, self->p[2].p.Wnode.HistoricalContext);
	EXPECT_EQ(0, QueryAllTracesW(self->array, 3, &self->count));
	EXPECT_EQ(2, self->count);
	EXPECT_EQ(0, memcmp(self->p[0].session, u"first of all", 26));
}

TEST_HARNESS_MAIN
