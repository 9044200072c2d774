// SPDX-License-Identifier: GPL-2.0
/*
 * Classic providers: RegisterTraceGuids, TraceEvent and related functions, each
 * rule and each error that involves the module.  Callbacks are in
 * lib_classic_notify.c, consumers in lib_classic_consume.c, and rules that the
 * library checks alone in selftests/unit.
 */
#include <pthread.h>
#include <stdarg.h>

#include "selftests/evntprov/lib/lib_classic.h"

static void *others_answer(void *session)
{
	return (void *)(uintptr_t)GetTraceEnableLevel((TRACEHANDLE)session);
}

TEST_F(lib_classic, EnableTrace_is_reported_to_the_callback)
{
	GUID id = provider_id(1);

	ASSERT_EQ(0, register_it(self));
	EXPECT_EQ(0, calls());
	ASSERT_EQ(0, EnableTrace(TRUE, 0x80000003, 4, &id, self->session));
	ASSERT_TRUE(EVENTUALLY(calls() == 1));
	EXPECT_EQ(WMI_ENABLE_EVENTS, reported.code);
	EXPECT_EQ(self->session, reported.session);
	EXPECT_EQ(0x80000003, reported.flags);
	EXPECT_EQ(4, reported.level);
	EXPECT_EQ(ERROR_SUCCESS, reported.last_error);
	ASSERT_EQ(0, EnableTrace(FALSE, 0, 0, &id, self->session));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_DISABLE_EVENTS, reported.code);
	EXPECT_EQ(self->session, reported.session);
}

TEST_F(lib_classic, MatchAnyKeyword_0_is_flags_0)
{
	ASSERT_TRUE(begin(self));
	EXPECT_EQ(0, reported.flags);
	EXPECT_EQ(0, reported.level);
	EXPECT_EQ(ERROR_SUCCESS, reported.last_error);
}

TEST_F(lib_classic, the_flags_are_the_lower_half_of_MatchAnyKeyword)
{
	GUID id = provider_id(1);

	ASSERT_EQ(0, register_it(self));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &id, 1, 255,
				    0x1234567800000010, 0, INFINITE, NULL));
	EXPECT_EQ(1, calls());
	EXPECT_EQ(0x10, reported.flags);
	EXPECT_EQ(255, reported.level);
}

TEST_F(lib_classic, RegisterTraceGuids_returns_the_callbacks_error_if_enabled_before)
{
	ASSERT_EQ(0, session_enable(self->session, 1));
	reported.result = 1234;
	reported.in_callback = true;
	EXPECT_EQ(1234, register_it(self));
	EXPECT_EQ(1, calls());
	EXPECT_EQ(WMI_ENABLE_EVENTS, reported.code);
	EXPECT_EQ(self->session, reported.session);
	EXPECT_EQ(0, reported.written);
	EXPECT_EQ(0, UnregisterTraceGuids(self->registration));
	self->registration = 0;
}

TEST_F(lib_classic, a_second_session_takes_the_provider_over)
{
	EVENT_TRACE_HEADER h = header();

	ASSERT_TRUE(begin(self));
	EXPECT_EQ(0, TraceEvent(self->session, &h));
	self->second = session_start("lib_classic2");
	ASSERT_EQ(0, session_enable(self->second, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_ENABLE_EVENTS, reported.code);
	EXPECT_EQ(self->second, reported.session);
	EXPECT_EQ(0, TraceEvent(self->second, &h));
	ASSERT_EQ(0, session_disable(self->second, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 3));
	EXPECT_EQ(WMI_DISABLE_EVENTS, reported.code);
	EXPECT_EQ(self->second, reported.session);
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->second, &h));
}

/* Unlike modern providers, a classic one has only its last session */
TEST_F(lib_classic, the_ninth_session_takes_the_provider_over)
{
	EVENT_TRACE_HEADER h = header();
	TRACEHANDLE sessions[8];
	struct properties p;
	unsigned int i;
	char name[32];

	ASSERT_TRUE(begin(self));
	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "lib_classic-%u", i);
		sessions[i] = session_start(name);
		ASSERT_NE(0, sessions[i]);
		EXPECT_EQ(0, session_enable(sessions[i], 1));
		ASSERT_TRUE(EVENTUALLY(calls() == i + 2));
		EXPECT_EQ(WMI_ENABLE_EVENTS, reported.code);
		EXPECT_EQ(sessions[i], reported.session);
	}
	EXPECT_EQ(0, TraceEvent(sessions[7], &h));
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(0, session_stop(sessions[i], &p));
		/* The last session has a buffer with the event */
		EXPECT_EQ(i == 7, p.p.BuffersWritten == 2);
		snprintf(name, sizeof(name), "/tmp/lib_classic-%u.etl", i);
		unlink(name);
	}
}

/* After one of two registrations ends, the other may still write */
TEST_F(lib_classic, TraceEvent_accepts_any_registration_enabled_by_the_session)
{
	EVENT_TRACE_HEADER h = header();
	GUID id = provider_id(2);
	TRACEHANDLE other;

	ASSERT_EQ(0, session_enable(self->session, 2));
	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, RegisterTraceGuids(on_control, &reported, &id, 0, NULL,
					NULL, NULL, &other));
	EXPECT_EQ(0, UnregisterTraceGuids(other));
	EXPECT_EQ(0, TraceEvent(self->session, &h));
	EXPECT_EQ(0, UnregisterTraceGuids(self->registration));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->session, &h));
	self->registration = 0;
}

TEST_F(lib_classic, a_child_writes_through_its_own_registration)
{
	EVENT_TRACE_HEADER h = header();
	int status = -1;
	pid_t child;

	ASSERT_TRUE(begin(self));
	child = fork();
	if (!child)
		_exit(TraceEvent(self->session, &h));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, TraceEvent(self->session, &h));
}

TEST_F(lib_classic, GetTraceEnableLevel_works_on_other_threads)
{
	GUID id = provider_id(1);
	pthread_t thread;
	void *level;

	ASSERT_EQ(0, register_it(self));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &id, 1, 3, 0, 0, INFINITE,
				    NULL));
	ASSERT_EQ(0, pthread_create(&thread, NULL, others_answer,
				    (void *)(uintptr_t)self->session));
	pthread_join(thread, &level);
	EXPECT_EQ(3, (uintptr_t)level);
}

TEST_F(lib_classic, TraceEvent_with_an_unknown_session_is_INVALID_HANDLE)
{
	EVENT_TRACE_HEADER h = header();

	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->session, &h));
	ASSERT_TRUE(begin(self));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(12345, &h));
	EXPECT_EQ(0, TraceEvent(self->session, &h));
	ASSERT_EQ(0, session_stop(self->session, NULL));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->session, &h));
	self->session = 0;
}

TEST_F(lib_classic, TraceEvent_of_more_than_a_buffer_is_MORE_DATA)
{
	static struct {
		EVENT_TRACE_HEADER h;
		char data[65400];
	} e;
	static struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[2];
	} m;

	ASSERT_TRUE(begin(self));
	e.h = header();
	e.h.Size = 65535;
	EXPECT_EQ(ERROR_MORE_DATA, TraceEvent(self->session, &e.h));
	m.h = header();
	m.h.Size = sizeof(m);
	m.h.Flags |= WNODE_FLAG_USE_MOF_PTR;
	DEFINE_TRACE_MOF_FIELD(&m.field[0], e.data, sizeof(e.data), 0);
	DEFINE_TRACE_MOF_FIELD(&m.field[1], e.data, sizeof(e.data), 0);
	EXPECT_EQ(ERROR_MORE_DATA, TraceEvent(self->session, &m.h));
}

TEST_F(lib_classic, TraceEvent_accepts_MAX_MOF_FIELDS_readable_fields)
{
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[MAX_MOF_FIELDS];
	} e = { .h = header() };
	ULONG i;

	ASSERT_TRUE(begin(self));
	for (i = 0; i < MAX_MOF_FIELDS; i++)
		DEFINE_TRACE_MOF_FIELD(&e.field[i], &i, sizeof(i), 0);
	e.h.Flags |= WNODE_FLAG_USE_MOF_PTR;
	e.h.Size = sizeof(e);
	EXPECT_EQ(0, TraceEvent(self->session, &e.h));
	e.field[0].DataPtr = 16;
	e.h.Size = sizeof(e.h) + sizeof(MOF_FIELD);
	EXPECT_EQ(87, TraceEvent(self->session, &e.h));
}

TEST_F(lib_classic, TraceEventInstance_with_an_unknown_session_is_INVALID_HANDLE)
{
	EVENT_INSTANCE_HEADER h = instance_header();
	EVENT_INSTANCE_INFO i;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, CreateTraceInstanceId(self->classes[0].RegHandle, &i));
	EXPECT_EQ(0, TraceEventInstance(self->session, &h, &i, NULL));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEventInstance(54321, &h, &i, NULL));
}

TEST_F(lib_classic, TraceEventInstance_of_more_than_a_buffer_is_MORE_DATA)
{
	static struct {
		EVENT_INSTANCE_HEADER h;
		char data[65400];
	} e;
	EVENT_INSTANCE_INFO i;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, CreateTraceInstanceId(self->classes[0].RegHandle, &i));
	e.h = instance_header();
	e.h.Size = 65535;
	EXPECT_EQ(ERROR_MORE_DATA,
		  TraceEventInstance(self->session, &e.h, &i, NULL));
}

static ULONG message(TRACEHANDLE session, ULONG flags, ...)
{
	va_list list;
	ULONG code;

	va_start(list, flags);
	code = TraceMessageVa(session, flags, &class_id, 7, list);
	va_end(list);
	return code;
}

#define END	NULL, (size_t)0

TEST_F(lib_classic, TraceMessage_errors)
{
	static char large[65536];

	ASSERT_TRUE(begin(self));
	EXPECT_EQ(ERROR_INVALID_HANDLE,
		  TraceMessage(54321, 0, &class_id, 1, END));
	EXPECT_EQ(ERROR_MORE_DATA, TraceMessage(self->session, 0, NULL, 1, large,
						sizeof(large), END));
	EXPECT_EQ(0, TraceMessage(self->session, TRACE_MESSAGE_SEQUENCE, NULL, 1,
				  END));
	EXPECT_EQ(0, message(self->session, TRACE_MESSAGE_GUID, "a", (size_t)2,
			     END));
	EXPECT_EQ(ERROR_MORE_DATA, message(self->session, 0, large,
					   sizeof(large), END));
}

TEST_F(lib_classic, EnumerateTraceGuidsEx_reports_LEGACY)
{
	struct {
		TRACE_GUID_INFO info;
		TRACE_PROVIDER_INSTANCE_INFO instance;
		TRACE_ENABLE_INFO enable;
	} out = {};
	GUID id = provider_id(1);
	ULONG len;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, EnumerateTraceGuidsEx(TraceGuidQueryInfo, &id, sizeof(id),
					   &out, sizeof(out), &len));
	EXPECT_EQ(1, out.info.InstanceCount);
	EXPECT_EQ(TRACE_PROVIDER_FLAG_LEGACY, out.instance.Flags);
	EXPECT_EQ(getpid(), out.instance.Pid);
	EXPECT_EQ(1, out.instance.EnableCount);
}

TEST_HARNESS_MAIN
