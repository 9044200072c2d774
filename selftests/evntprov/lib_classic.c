// SPDX-License-Identifier: GPL-2.0
/*
 * Classic providers: RegisterTraceGuids, TraceEvent and their kin, each rule and
 * each error; and what consumers are told, of logs and in real time.
 */
#include <pthread.h>
#include <stdarg.h>

#include "harness.h"

#include "lib.h"

static const GUID class_id = { .Data1 = 0xc1a55, .Data2 = 1 };
static const GUID parent_id = { .Data1 = 0xc1a55, .Data2 = 2 };

/* What the callback was told last, and how often */
struct told {
	WMIDPREQUESTCODE code;
	TRACEHANDLE session;
	ULONG flags;
	UCHAR level;
	ULONG last_error;
	ULONG result;
	bool in_callback;
	ULONG written;
	unsigned int calls;
};

static struct told told;

static void *others_answer(void *session)
{
	return (void *)(uintptr_t)GetTraceEnableLevel((TRACEHANDLE)session);
}

static ULONG WINAPI on_control(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	struct told *t = context;
	EVENT_TRACE_HEADER h = {
		.Size = sizeof(h), .Guid = class_id,
		.Flags = WNODE_FLAG_TRACED_GUID,
	};

	(void)size;
	t->code = code;
	t->session = GetTraceLoggerHandle(buffer);
	SetLastError(ERROR_SUCCESS);
	t->flags = GetTraceEnableFlags(t->session);
	t->level = GetTraceEnableLevel(t->session);
	t->last_error = GetLastError();
	if (t->in_callback)
		t->written = TraceEvent(t->session, &h);
	__atomic_add_fetch(&t->calls, 1, __ATOMIC_RELEASE);
	return t->result;
}

static unsigned int calls(void)
{
	return __atomic_load_n(&told.calls, __ATOMIC_ACQUIRE);
}

FIXTURE(lib_classic) {
	TRACEHANDLE session;
	TRACEHANDLE second;
	TRACEHANDLE registration;
	TRACE_GUID_REGISTRATION classes[2];
};

FIXTURE_SETUP(lib_classic)
{
	memset(&told, 0, sizeof(told));
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

static ULONG register_it(data *self)
{
	GUID id = provider_id(1);

	return RegisterTraceGuids(on_control, &told, &id, 2, self->classes,
				  NULL, NULL, &self->registration);
}

/* Registered, enabled, and told so */
static bool begin(data *self)
{
	return !register_it(self) && !session_enable(self->session, 1) &&
	       EVENTUALLY(calls() == 1);
}

static EVENT_TRACE_HEADER header(void)
{
	EVENT_TRACE_HEADER h = {
		.Size = sizeof(h), .Guid = class_id,
		.Flags = WNODE_FLAG_TRACED_GUID,
	};

	h.Class.Type = EVENT_TRACE_TYPE_START;
	return h;
}

static EVENT_INSTANCE_HEADER instance_header(void)
{
	EVENT_INSTANCE_HEADER h = {
		.Size = sizeof(h), .Flags = WNODE_FLAG_TRACED_GUID,
	};

	h.Class.Type = EVENT_TRACE_TYPE_START;
	return h;
}

TEST_F(lib_classic, RegisterTraceGuids_of_NULL_is_INVALID_PARAMETER)
{
	GUID id = provider_id(1);
	TRACEHANDLE h = 5;

	EXPECT_EQ(87, RegisterTraceGuidsA(NULL, NULL, &id, 0, NULL, NULL, NULL,
					  &h));
	EXPECT_EQ(0, h);
	EXPECT_EQ(87, RegisterTraceGuidsA(on_control, NULL, NULL, 0, NULL, NULL,
					  NULL, &h));
	EXPECT_EQ(87, RegisterTraceGuidsW(on_control, NULL, &id, 0, NULL, NULL,
					  NULL, NULL));
	self->classes[1].Guid = NULL;
	EXPECT_EQ(87, register_it(self));
}

TEST_F(lib_classic, RegisterTraceGuids_fills_in_the_handles_of_classes)
{
	TRACE_GUID_REGISTRATION again = { .Guid = &class_id };
	GUID id = provider_id(2);
	TRACEHANDLE h;

	ASSERT_EQ(0, register_it(self));
	EXPECT_NE(0, self->registration);
	EXPECT_NE(NULL, self->classes[0].RegHandle);
	EXPECT_NE(NULL, self->classes[1].RegHandle);
	EXPECT_NE(self->classes[0].RegHandle, self->classes[1].RegHandle);
	ASSERT_EQ(0, RegisterTraceGuidsW(on_control, NULL, &id, 1, &again, NULL,
					 NULL, &h));
	EXPECT_EQ(self->classes[0].RegHandle, again.RegHandle);
	EXPECT_EQ(0, UnregisterTraceGuids(h));
}

TEST_F(lib_classic, UnregisterTraceGuids_of_what_is_none_is_INVALID_PARAMETER)
{
	GUID id = provider_id(2);
	REGHANDLE other;

	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &other));
	EXPECT_EQ(87, UnregisterTraceGuids(0));
	EXPECT_EQ(87, UnregisterTraceGuids(other));
	ASSERT_EQ(0, register_it(self));
	EXPECT_EQ(ERROR_INVALID_HANDLE, EventUnregister(self->registration));
	EXPECT_EQ(0, UnregisterTraceGuids(self->registration));
	EXPECT_EQ(87, UnregisterTraceGuids(self->registration));
	self->registration = 0;
	EXPECT_EQ(0, EventUnregister(other));
}

TEST_F(lib_classic, the_callback_is_told_of_EnableTrace)
{
	GUID id = provider_id(1);

	ASSERT_EQ(0, register_it(self));
	EXPECT_EQ(0, calls());
	ASSERT_EQ(0, EnableTrace(TRUE, 0x80000003, 4, &id, self->session));
	ASSERT_TRUE(EVENTUALLY(calls() == 1));
	EXPECT_EQ(WMI_ENABLE_EVENTS, told.code);
	EXPECT_EQ(self->session, told.session);
	EXPECT_EQ(0x80000003, told.flags);
	EXPECT_EQ(4, told.level);
	EXPECT_EQ(ERROR_SUCCESS, told.last_error);
	ASSERT_EQ(0, EnableTrace(FALSE, 0, 0, &id, self->session));
	ASSERT_TRUE(EVENTUALLY(calls() == 2));
	EXPECT_EQ(WMI_DISABLE_EVENTS, told.code);
	EXPECT_EQ(self->session, told.session);
}

TEST_F(lib_classic, MatchAnyKeyword_0_is_flags_0)
{
	ASSERT_TRUE(begin(self));
	EXPECT_EQ(0, told.flags);
	EXPECT_EQ(0, told.level);
	EXPECT_EQ(ERROR_SUCCESS, told.last_error);
}

TEST_F(lib_classic, the_flags_are_the_lower_half_of_MatchAnyKeyword)
{
	GUID id = provider_id(1);

	ASSERT_EQ(0, register_it(self));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &id, 1, 255,
				    0x1234567800000010, 0, INFINITE, NULL));
	EXPECT_EQ(1, calls());
	EXPECT_EQ(0x10, told.flags);
	EXPECT_EQ(255, told.level);
}

TEST_F(lib_classic, if_enabled_already_the_callbacks_result_is_returned)
{
	ASSERT_EQ(0, session_enable(self->session, 1));
	told.result = 1234;
	told.in_callback = true;
	EXPECT_EQ(1234, register_it(self));
	EXPECT_EQ(1, calls());
	EXPECT_EQ(WMI_ENABLE_EVENTS, told.code);
	EXPECT_EQ(self->session, told.session);
	EXPECT_EQ(0, told.written);
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
	EXPECT_EQ(WMI_ENABLE_EVENTS, told.code);
	EXPECT_EQ(self->second, told.session);
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->session, &h));
	EXPECT_EQ(0, TraceEvent(self->second, &h));
	ASSERT_EQ(0, session_disable(self->second, 1));
	ASSERT_TRUE(EVENTUALLY(calls() == 3));
	EXPECT_EQ(WMI_DISABLE_EVENTS, told.code);
	EXPECT_EQ(self->second, told.session);
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEvent(self->second, &h));
}

/* Of two registrations, one goes: the other may write to the session */
TEST_F(lib_classic, any_registration_that_the_session_has_enabled_will_do)
{
	EVENT_TRACE_HEADER h = header();
	GUID id = provider_id(2);
	TRACEHANDLE other;

	ASSERT_EQ(0, session_enable(self->session, 2));
	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, RegisterTraceGuids(on_control, &told, &id, 0, NULL, NULL,
					NULL, &other));
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

TEST_F(lib_classic, GetTraceLoggerHandle_errors)
{
	WNODE_HEADER node = { .BufferSize = sizeof(node) };
	const TRACEHANDLE none = (TRACEHANDLE)(LONG_PTR)INVALID_HANDLE_VALUE;

	EXPECT_EQ(none, GetTraceLoggerHandle(NULL));
	EXPECT_EQ(ERROR_INVALID_PARAMETER, GetLastError());
	EXPECT_EQ(none, GetTraceLoggerHandle(&node));
	EXPECT_EQ(ERROR_INVALID_HANDLE, GetLastError());
	node.BufferSize--;
	EXPECT_EQ(none, GetTraceLoggerHandle(&node));
	EXPECT_EQ(ERROR_BAD_LENGTH, GetLastError());
}

TEST_F(lib_classic, GetTraceEnable_of_no_session_is_0_with_INVALID_HANDLE)
{
	SetLastError(0);
	EXPECT_EQ(0, GetTraceEnableFlags(self->session));
	EXPECT_EQ(ERROR_INVALID_HANDLE, GetLastError());
	SetLastError(0);
	EXPECT_EQ(0, GetTraceEnableLevel(0));
	EXPECT_EQ(ERROR_INVALID_HANDLE, GetLastError());
}

TEST_F(lib_classic, GetTraceEnableLevel_answers_other_threads_too)
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

TEST_F(lib_classic, TraceEvent_parameters)
{
	EVENT_TRACE_HEADER h = header();

	ASSERT_TRUE(begin(self));
	EXPECT_EQ(87, TraceEvent(0, &h));
	EXPECT_EQ(87, TraceEvent(self->session, NULL));
	h.Size--;
	EXPECT_EQ(87, TraceEvent(self->session, &h));
	h = header();
	h.Flags |= WNODE_FLAG_USE_GUID_PTR;
	h.GuidPtr = 0;
	EXPECT_EQ(87, TraceEvent(self->session, &h));
}

TEST_F(lib_classic, TraceEvent_without_TRACED_GUID_is_INVALID_FLAG_NUMBER)
{
	EVENT_TRACE_HEADER h = header();

	ASSERT_TRUE(begin(self));
	h.Flags = WNODE_FLAG_USE_MOF_PTR;
	EXPECT_EQ(ERROR_INVALID_FLAG_NUMBER, TraceEvent(self->session, &h));
	h.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;
	EXPECT_EQ(ERROR_INVALID_FLAG_NUMBER, TraceEvent(self->session, &h));
}

TEST_F(lib_classic, TraceEvent_to_what_is_no_session_is_INVALID_HANDLE)
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

TEST_F(lib_classic, TraceEvent_takes_MAX_MOF_FIELDS_and_no_more)
{
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[MAX_MOF_FIELDS + 1];
	} e = { .h = header() };
	ULONG i;

	ASSERT_TRUE(begin(self));
	for (i = 0; i <= MAX_MOF_FIELDS; i++)
		DEFINE_TRACE_MOF_FIELD(&e.field[i], &i, sizeof(i), 0);
	e.h.Flags |= WNODE_FLAG_USE_MOF_PTR;
	e.h.Size = sizeof(e);
	EXPECT_EQ(87, TraceEvent(self->session, &e.h));
	e.h.Size -= sizeof(MOF_FIELD);
	EXPECT_EQ(0, TraceEvent(self->session, &e.h));
	e.h.Size--;
	EXPECT_EQ(87, TraceEvent(self->session, &e.h));
	e.field[0].DataPtr = 16;
	e.h.Size = sizeof(e.h) + sizeof(MOF_FIELD);
	EXPECT_EQ(87, TraceEvent(self->session, &e.h));
}

TEST_F(lib_classic, TraceEventInstance_parameters)
{
	EVENT_INSTANCE_HEADER h = instance_header();
	EVENT_INSTANCE_INFO i, none = {};

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, CreateTraceInstanceId(self->classes[0].RegHandle, &i));
	EXPECT_EQ(0, TraceEventInstance(self->session, &h, &i, NULL));
	EXPECT_EQ(87, TraceEventInstance(0, &h, &i, NULL));
	EXPECT_EQ(87, TraceEventInstance(self->session, NULL, &i, NULL));
	EXPECT_EQ(87, TraceEventInstance(self->session, &h, NULL, NULL));
	EXPECT_EQ(87, TraceEventInstance(self->session, &h, &none, NULL));
	none.RegHandle = i.RegHandle;
	EXPECT_EQ(87, TraceEventInstance(self->session, &h, &none, NULL));
	EXPECT_EQ(ERROR_INVALID_HANDLE, TraceEventInstance(54321, &h, &i, NULL));
	h.Size--;
	EXPECT_EQ(87, TraceEventInstance(self->session, &h, &i, NULL));
}

TEST_F(lib_classic, TraceEventInstance_without_TRACED_GUID_is_INVALID_FLAGS)
{
	EVENT_INSTANCE_HEADER h = instance_header();
	EVENT_INSTANCE_INFO i;

	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, CreateTraceInstanceId(self->classes[0].RegHandle, &i));
	h.Flags = 0;
	EXPECT_EQ(ERROR_INVALID_FLAGS,
		  TraceEventInstance(self->session, &h, &i, NULL));
}

TEST_F(lib_classic, CreateTraceInstanceId_numbers_what_is_not_NULL)
{
	EVENT_INSTANCE_INFO i, j;

	ASSERT_EQ(0, register_it(self));
	EXPECT_EQ(87, CreateTraceInstanceId(NULL, &i));
	EXPECT_EQ(87, CreateTraceInstanceId(self->classes[0].RegHandle, NULL));
	EXPECT_EQ(0, CreateTraceInstanceId(self->classes[0].RegHandle, &i));
	EXPECT_EQ(0, CreateTraceInstanceId(self->classes[1].RegHandle, &j));
	EXPECT_EQ(1, i.InstanceId);
	EXPECT_EQ(2, j.InstanceId);
	EXPECT_EQ(self->classes[1].RegHandle, j.RegHandle);
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
		  TraceMessage(0, 0, &class_id, 1, END));
	EXPECT_EQ(ERROR_INVALID_HANDLE,
		  TraceMessage(54321, 0, &class_id, 1, END));
	EXPECT_EQ(87, TraceMessage(self->session, 0x100, NULL, 1, END));
	EXPECT_EQ(87, TraceMessage(self->session, TRACE_MESSAGE_POINTER64, NULL,
				   1, END));
	EXPECT_EQ(87, TraceMessage(self->session, TRACE_MESSAGE_GUID |
				   TRACE_MESSAGE_COMPONENTID, &class_id, 1,
				   END));
	EXPECT_EQ(87, TraceMessage(self->session, TRACE_MESSAGE_GUID, NULL, 1,
				   END));
	EXPECT_EQ(ERROR_MORE_DATA, TraceMessage(self->session, 0, NULL, 1, large,
						sizeof(large), END));
	EXPECT_EQ(0, TraceMessage(self->session, TRACE_MESSAGE_SEQUENCE, NULL, 1,
				  END));
	EXPECT_EQ(0, message(self->session, TRACE_MESSAGE_GUID, "a", (size_t)2,
			     END));
}

TEST_F(lib_classic, EnumerateTraceGuidsEx_says_LEGACY)
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

/* What a consumer was told of what write_all() wrote */
struct seen {
	unsigned int count;
	unsigned int bad;
	unsigned int by_class;
};

static struct seen seen;

#define BAD_UNLESS(is_so) do {						\
	if (!(is_so)) {							\
		seen.bad++;						\
		printf("# not so: %s\n", #is_so);			\
	}								\
} while (0)

static void look_at_message(PEVENT_RECORD r)
{
	BAD_UNLESS(r->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE);
	BAD_UNLESS(r->EventHeader.EventDescriptor.Id == 9);
	BAD_UNLESS(r->UserDataLength == 2 && !memcmp(r->UserData, "m", 2));
	BAD_UNLESS(r->EventHeader.ProcessId == (ULONG)getpid());
}

static void look_at_instance(PEVENT_RECORD r)
{
	const EVENT_EXTENDED_ITEM_INSTANCE *i;

	BAD_UNLESS(r->ExtendedDataCount == 1);
	BAD_UNLESS(r->ExtendedData->ExtType ==
		   EVENT_HEADER_EXT_TYPE_INSTANCE_INFO);
	i = (const void *)(uintptr_t)r->ExtendedData->DataPtr;
	BAD_UNLESS(i->InstanceId == 2 && i->ParentInstanceId == 1);
	BAD_UNLESS(!memcmp(&i->ParentGuid, &parent_id, sizeof(parent_id)));
}

static VOID WINAPI on_record(PEVENT_RECORD r)
{
	const EVENT_HEADER *h = &r->EventHeader;

	if (memcmp(&h->ProviderId, &class_id, sizeof(class_id)))
		return;
	seen.count++;
	BAD_UNLESS(h->TimeStamp.QuadPart > 0 && h->ThreadId);
	if (h->Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE) {
		look_at_message(r);
		return;
	}
	BAD_UNLESS(h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER);
	BAD_UNLESS(h->ProcessId == (ULONG)getpid());
	BAD_UNLESS(h->EventDescriptor.Level == 4);
	BAD_UNLESS(h->EventDescriptor.Version == 2);
	if (h->EventDescriptor.Opcode == 20)
		look_at_instance(r);
	else
		BAD_UNLESS(h->EventDescriptor.Opcode == 10 &&
			   r->UserDataLength == 7 &&
			   !memcmp(r->UserData, "abcdef", 7));
}

static VOID WINAPI on_event(PEVENT_TRACE e)
{
	if (memcmp(&e->Header.Guid, &class_id, sizeof(class_id)))
		return;
	seen.count++;
	if (e->Header.Class.Type == 20)
		BAD_UNLESS(e->InstanceId == 2 && e->ParentInstanceId == 1 &&
			   !memcmp(&e->ParentGuid, &parent_id,
				   sizeof(parent_id)));
	else if (e->Header.Class.Type == 10)
		BAD_UNLESS(e->MofLength == 7 &&
			   !memcmp(e->MofData, "abcdef", 7));
}

static VOID WINAPI on_class(PEVENT_TRACE e)
{
	(void)e;
	seen.by_class++;
}

/* One of each kind: the first of fields, one of them where the other ends */
static ULONG write_all(data *self)
{
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[2];
	} e = { .h = header() };
	EVENT_INSTANCE_HEADER i = instance_header();
	EVENT_INSTANCE_INFO parent, child;
	ULONG code;

	e.h.Size = sizeof(e);
	e.h.Class.Type = 10;
	e.h.Class.Level = 4;
	e.h.Class.Version = 2;
	e.h.Flags |= WNODE_FLAG_USE_MOF_PTR | WNODE_FLAG_USE_GUID_PTR;
	e.h.GuidPtr = (uintptr_t)&class_id;
	DEFINE_TRACE_MOF_FIELD(&e.field[0], "abc", 3, 0);
	DEFINE_TRACE_MOF_FIELD(&e.field[1], "def", 4, 0);
	code = TraceEvent(self->session, &e.h);
	CreateTraceInstanceId(self->classes[1].RegHandle, &parent);
	CreateTraceInstanceId(self->classes[0].RegHandle, &child);
	i.Class.Type = 20;
	i.Class.Level = 4;
	i.Class.Version = 2;
	code |= TraceEventInstance(self->session, &i, &child, &parent);
	return code | TraceMessage(self->session, TRACE_MESSAGE_GUID |
				   TRACE_MESSAGE_TIMESTAMP |
				   TRACE_MESSAGE_SYSTEMINFO, &class_id, 9, "m",
				   (size_t)2, END);
}

static ULONG process(ULONG mode, void *callback)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)"/tmp/lib_classic.etl",
		.ProcessTraceMode = mode,
		.EventRecordCallback = (PEVENT_RECORD_CALLBACK)callback,
	};
	TRACEHANDLE h = OpenTraceA(&l);
	ULONG code;

	if (h == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	code = ProcessTrace(&h, 1, NULL, NULL);
	CloseTrace(h);
	return code;
}

TEST_F(lib_classic, consumers_of_a_log_are_told_all)
{
	ASSERT_TRUE(begin(self));
	ASSERT_EQ(0, write_all(self));
	ASSERT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	memset(&seen, 0, sizeof(seen));
	EXPECT_EQ(0, process(PROCESS_TRACE_MODE_EVENT_RECORD, on_record));
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
	memset(&seen, 0, sizeof(seen));
	ASSERT_EQ(0, SetTraceCallback(&class_id, on_class));
	EXPECT_EQ(0, process(0, on_event));
	EXPECT_EQ(0, RemoveTraceCallback(&class_id));
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
	EXPECT_EQ(3, seen.by_class);
}

static void *consume(void *handle)
{
	ProcessTrace(handle, 1, NULL, NULL);
	return NULL;
}

TEST_F(lib_classic, consumers_in_real_time_are_told_all)
{
	EVENT_TRACE_LOGFILEA l = {
		.LoggerName = (char *)"lib_classic",
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME |
				    PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_record,
	};
	struct properties p = properties_for("");
	TRACEHANDLE h;
	pthread_t thread;

	ASSERT_EQ(0, session_stop(self->session, NULL));
	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
	p.p.LogFileNameOffset = 0;
	self->session = 0;
	ASSERT_EQ(0, StartTraceA(&self->session, "lib_classic", &p.p));
	ASSERT_TRUE(begin(self));
	memset(&seen, 0, sizeof(seen));
	h = OpenTraceA(&l);
	ASSERT_NE(INVALID_PROCESSTRACE_HANDLE, h);
	ASSERT_EQ(0, pthread_create(&thread, NULL, consume, &h));
	EXPECT_EQ(0, write_all(self));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	self->session = 0;
	pthread_join(thread, NULL);
	CloseTrace(h);
	EXPECT_EQ(3, seen.count);
	EXPECT_EQ(0, seen.bad);
}

TEST_HARNESS_MAIN
