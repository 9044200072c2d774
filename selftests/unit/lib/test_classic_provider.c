// SPDX-License-Identifier: MIT
/*
 * Classic providers: RegisterTraceGuids, TraceEvent and related functions, each
 * rule for an argument that the library checks itself, and the arguments of
 * callbacks.  A private session enables the provider.
 *
 * Errors that the module returns are in selftests/evntprov.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "selftests/unit/common/no_device.h"

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define REFUSED		ERROR_INVALID_PARAMETER
#define END		NULL, (size_t)0

static const GUID class_id = { .Data1 = 0xc1a55, .Data2 = 1 };
static const GUID parent_id = { .Data1 = 0xc1a55, .Data2 = 2 };

static TRACE_GUID_REGISTRATION classes[2];
static TRACEHANDLE session, registration;

/* Arguments of the last callback, and results of calls inside it */
static struct {
	unsigned int calls;
	WMIDPREQUESTCODE code;
	PVOID context;
	WNODE_HEADER node;
	ULONG size;
	TRACEHANDLE session;
	ULONG flags;
	UCHAR level;
	ULONG last_error;
	ULONG result;		/* return value of the callback */
} reported;

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	reported.calls++;
	reported.code = code;
	reported.context = context;
	memcpy(&reported.node, buffer, sizeof(reported.node));
	reported.size = *size;
	SetLastError(ERROR_SUCCESS);
	reported.session = GetTraceLoggerHandle(buffer);
	reported.flags = GetTraceEnableFlags(reported.session);
	reported.level = GetTraceEnableLevel(reported.session);
	reported.last_error = GetLastError();
	return reported.result;
}

static ULONG register_it(void)
{
	classes[0].Guid = &class_id;
	classes[1].Guid = &parent_id;
	return RegisterTraceGuids(on_request, &reported, &provider, 2, classes,
				  NULL, NULL, &registration);
}

/* Register the provider, and enable it in a session with @size KiB buffers */
static void begin_with(struct private_properties *p, const char *name, ULONG size)
{
	memset(&reported, 0, sizeof(reported));
	private_init(p, IN_PROC, name);
	p->p.BufferSize = size;
	if (StartTraceA(&session, name, &p->p) || register_it() ||
	    EnableTrace(TRUE, 0x80000003, 4, &provider, session))
		abort();
}

static void begin(struct private_properties *p, const char *name)
{
	begin_with(p, name, 0);
}

/* Stop the session; returns whether its log has this many events */
static bool ends_with(struct private_properties *p, const char *name,
		      unsigned int events)
{
	return !UnregisterTraceGuids(registration) &&
	       !private_stop(p, session) &&
	       private_count(private_path(name)) == events;
}

static void test_register(void)
{
	TRACEHANDLE h = 5;

	CHECK(RegisterTraceGuidsA(NULL, NULL, &provider, 0, NULL, NULL, NULL,
				  &h) == REFUSED && !h,
	      "RegisterTraceGuids refuses NULL for the callback");
	h = 5;
	CHECK(RegisterTraceGuidsA(on_request, NULL, NULL, 0, NULL, NULL, NULL,
				  &h) == REFUSED && !h,
	      "RegisterTraceGuids refuses NULL for the provider");
	CHECK(RegisterTraceGuidsW(on_request, NULL, &provider, 0, NULL, NULL,
				  NULL, NULL) == REFUSED,
	      "RegisterTraceGuids refuses NULL for the handle");
	classes[0].Guid = &class_id;
	classes[1].Guid = NULL;
	h = 5;
	CHECK(RegisterTraceGuidsA(on_request, NULL, &provider, 2, classes, NULL,
				  NULL, &h) == REFUSED && !h,
	      "RegisterTraceGuids refuses NULL for a class");
	CHECK(!dev_attempts, "refused arguments do not open the device");
}

static void test_classes(void)
{
	TRACE_GUID_REGISTRATION again = { .Guid = &class_id };
	const GUID id = { .Data1 = 2 };
	TRACEHANDLE h;

	CHECK(!register_it() && registration && classes[0].RegHandle &&
	      classes[1].RegHandle &&
	      classes[0].RegHandle != classes[1].RegHandle,
	      "RegisterTraceGuids gives each class a handle");
	CHECK(!RegisterTraceGuidsW(on_request, NULL, &id, 1, &again, NULL, NULL,
				   &h) &&
	      again.RegHandle == classes[0].RegHandle,
	      "a class has the same handle in each registration");
	CHECK(!UnregisterTraceGuids(h) && !UnregisterTraceGuids(registration),
	      "registrations with classes can be unregistered");
}

static void test_unregister(void)
{
	REGHANDLE other;

	EventRegister(&provider, NULL, NULL, &other);
	CHECK(UnregisterTraceGuids(0) == REFUSED &&
	      UnregisterTraceGuids(other) == REFUSED,
	      "UnregisterTraceGuids refuses 0, and other providers");
	CHECK(!register_it() &&
	      EventUnregister(registration) == ERROR_INVALID_HANDLE &&
	      !UnregisterTraceGuids(registration),
	      "EventUnregister does not end a classic registration");
	CHECK(UnregisterTraceGuids(registration) == REFUSED,
	      "UnregisterTraceGuids ends a registration once");
	CHECK(!EventUnregister(other), "the other provider was registered");
}

static void test_callback(void)
{
	struct private_properties p;

	begin(&p, "callback");
	CHECK(reported.calls == 1 && reported.code == WMI_ENABLE_EVENTS &&
	      reported.context == &reported, "a callback has its context");
	CHECK(reported.node.BufferSize == sizeof(WNODE_HEADER) &&
	      reported.size == sizeof(WNODE_HEADER) &&
	      reported.node.HistoricalContext == session &&
	      reported.node.Flags == WNODE_FLAG_TRACED_GUID &&
	      !memcmp(&reported.node.Guid, &provider, sizeof(GUID)),
	      "each field of the callback's header is set");
	CHECK(reported.session == session && reported.flags == 0x80000003 &&
	      reported.level == 4 && reported.last_error == ERROR_SUCCESS,
	      "a callback may query session, flags and level");
	reported.result = 1234;
	CHECK(!EnableTrace(FALSE, 0, 0, &provider, session) &&
	      reported.calls == 2 && reported.code == WMI_DISABLE_EVENTS &&
	      reported.session == session && reported.flags == 0x80000003 &&
	      reported.level == 4, "flags and level stay when it is disabled");
	CHECK(ends_with(&p, "callback", 0), "the log is empty");
}

static void test_result_of_callback(void)
{
	struct private_properties p;

	memset(&reported, 0, sizeof(reported));
	private_start(&p, "result", &session);
	private_enable(session, 0, NULL, 0);
	reported.result = 1234;
	CHECK(register_it() == 1234 && registration && reported.calls == 1 &&
	      reported.code == WMI_ENABLE_EVENTS &&
	      reported.session == session && !reported.flags &&
	      !reported.level,
	      "the result of a callback is that of RegisterTraceGuids");
	CHECK(ends_with(&p, "result", 0),
	      "a failed callback does not prevent the registration");
}

static void test_logger_handle(void)
{
	const TRACEHANDLE none = (TRACEHANDLE)(LONG_PTR)INVALID_HANDLE_VALUE;
	WNODE_HEADER node = { .BufferSize = sizeof(node) };

	SetLastError(0);
	CHECK(GetTraceLoggerHandle(NULL) == none &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "GetTraceLoggerHandle refuses NULL");
	CHECK(GetTraceLoggerHandle(&node) == none &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "GetTraceLoggerHandle refuses a header without a session");
	node.BufferSize--;
	CHECK(GetTraceLoggerHandle(&node) == none &&
	      GetLastError() == ERROR_BAD_LENGTH,
	      "GetTraceLoggerHandle refuses a header that is cut off");
}

static void *level_in_thread(void *unused)
{
	(void)unused;
	return (void *)(uintptr_t)GetTraceEnableLevel(session);
}

static bool has_no_level(TRACEHANDLE h)
{
	SetLastError(0);
	return !GetTraceEnableLevel(h) &&
	       GetLastError() == ERROR_INVALID_HANDLE;
}

static bool has_no_flags(TRACEHANDLE h)
{
	SetLastError(0);
	return !GetTraceEnableFlags(h) &&
	       GetLastError() == ERROR_INVALID_HANDLE;
}

static void test_level_and_flags(void)
{
	struct private_properties p;
	void *level = NULL;
	pthread_t thread;

	CHECK(has_no_level(0) && has_no_flags(0) && has_no_level(0x10001) &&
	      has_no_flags(0x10001),
	      "0 with INVALID_HANDLE: no such session has enabled a provider");
	begin(&p, "level");
	CHECK(GetTraceEnableLevel(session) == 4 &&
	      GetTraceEnableFlags(session) == 0x80000003,
	      "level and flags are known outside of a callback");
	CHECK(has_no_level(session + 1) && has_no_flags(0x10001),
	      "other sessions have no level");
	CHECK(!pthread_create(&thread, NULL, level_in_thread, NULL) &&
	      !pthread_join(thread, &level) && (uintptr_t)level == 4,
	      "another thread can query the level");
	EnableTrace(FALSE, 0, 0, &provider, session);
	CHECK(has_no_level(session) && has_no_flags(session),
	      "a session that has disabled it has no level any longer");
	CHECK(ends_with(&p, "level", 0), "the log is empty");
}

static EVENT_TRACE_HEADER header(void)
{
	return (EVENT_TRACE_HEADER) {
		.Size = sizeof(EVENT_TRACE_HEADER), .Guid = class_id,
		.Flags = WNODE_FLAG_TRACED_GUID,
	};
}

static void test_event_arguments(void)
{
	struct private_properties p;
	EVENT_TRACE_HEADER e = header();

	begin(&p, "event");
	CHECK(TraceEvent(0, &e) == REFUSED &&
	      TraceEvent(session, NULL) == REFUSED,
	      "TraceEvent refuses session 0, and NULL for the event");
	e.Size--;
	CHECK(TraceEvent(session, &e) == REFUSED,
	      "TraceEvent refuses a size below that of the header");
	e = header();
	e.Flags |= WNODE_FLAG_USE_GUID_PTR;
	e.GuidPtr = 0;
	CHECK(TraceEvent(session, &e) == REFUSED,
	      "TraceEvent refuses NULL for the class");
	e.GuidPtr = (uintptr_t)&class_id;
	CHECK(!TraceEvent(session, &e), "TraceEvent takes a pointer to a class");
	e = header();
	e.Flags = WNODE_FLAG_USE_MOF_PTR;
	CHECK(TraceEvent(session, &e) == ERROR_INVALID_FLAG_NUMBER,
	      "TraceEvent demands WNODE_FLAG_TRACED_GUID");
	e.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;
	CHECK(TraceEvent(session, &e) == ERROR_INVALID_FLAG_NUMBER,
	      "TraceEvent refuses other flags");
	e = header();
	CHECK(TraceEvent(0x10001, &e) == ERROR_INVALID_HANDLE &&
	      TraceEvent(session + 1, &e) == ERROR_INVALID_HANDLE,
	      "TraceEvent finds no other session");
	CHECK(ends_with(&p, "event", 1), "a refused event is not in the log");
}

static void test_mof_fields(void)
{
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[MAX_MOF_FIELDS + 1];
	} e = { .h = header() };
	struct private_properties p;
	ULONG i;

	begin(&p, "mof");
	for (i = 0; i <= MAX_MOF_FIELDS; i++)
		DEFINE_TRACE_MOF_FIELD(&e.field[i], &i, sizeof(i), 0);
	e.h.Flags |= WNODE_FLAG_USE_MOF_PTR;
	e.h.Size = sizeof(e);
	CHECK(TraceEvent(session, &e.h) == REFUSED,
	      "TraceEvent refuses more fields than MAX_MOF_FIELDS");
	e.h.Size -= sizeof(MOF_FIELD);
	CHECK(!TraceEvent(session, &e.h), "TraceEvent takes MAX_MOF_FIELDS");
	e.h.Size--;
	CHECK(TraceEvent(session, &e.h) == REFUSED,
	      "TraceEvent refuses a part of a field");
	CHECK(ends_with(&p, "mof", 1),
	      "the log contains the event with MOF fields");
}

static void test_large(void)
{
	static struct {
		EVENT_TRACE_HEADER h;
		char data[65400];
	} e;
	struct {
		EVENT_TRACE_HEADER h;
		MOF_FIELD field[2];
	} m = { .h = header() };
	struct private_properties p;

	begin_with(&p, "large", 4);
	e.h = header();
	e.h.Size = sizeof(e);
	CHECK(TraceEvent(session, &e.h) == ERROR_MORE_DATA,
	      "MORE_DATA: an event that is longer than a buffer");
	m.h.Size = sizeof(m);
	m.h.Flags |= WNODE_FLAG_USE_MOF_PTR;
	DEFINE_TRACE_MOF_FIELD(&m.field[0], e.data, sizeof(e.data), 0);
	DEFINE_TRACE_MOF_FIELD(&m.field[1], e.data, sizeof(e.data), 0);
	CHECK(TraceEvent(session, &m.h) == ERROR_MORE_DATA,
	      "MORE_DATA: an event that is longer than any record");
	CHECK(TraceMessage(session, 0, NULL, 1, e.data, sizeof(e.data), e.data,
			   sizeof(e.data), END) == ERROR_MORE_DATA,
	      "MORE_DATA: a message that is longer than any record");
	CHECK(ends_with(&p, "large", 0) && p.p.EventsLost == 3,
	      "events that are too large count as lost");
}

/*
 * A record fits if it is not longer than a buffer less its header of 72 bytes;
 * of a transaction's event, it has 16 bytes more than the event
 */
static void test_largest(void)
{
	static struct {
		EVENT_INSTANCE_HEADER h;
		char data[4096];
	} e = { .h.Flags = WNODE_FLAG_TRACED_GUID };
	static struct {
		EVENT_TRACE_HEADER h;
		char data[4096];
	} t;
	EVENT_INSTANCE_INFO i;
	struct private_properties p;

	begin_with(&p, "largest", 4);
	CreateTraceInstanceId(classes[0].RegHandle, &i);
	t.h = header();
	t.h.Size = 4096 - 72;
	e.h.Size = 4096 - 72 - 16;
	CHECK(!TraceEvent(session, &t.h) &&
	      !TraceEventInstance(session, &e.h, &i, NULL),
	      "an event may fill a buffer");
	t.h.Size++;
	e.h.Size++;
	CHECK(TraceEvent(session, &t.h) == ERROR_MORE_DATA &&
	      TraceEventInstance(session, &e.h, &i, NULL) == ERROR_MORE_DATA,
	      "MORE_DATA: an event of a byte more than a buffer");
	CHECK(ends_with(&p, "largest", 2), "the log has events of a buffer each");
}

static EVENT_INSTANCE_HEADER instance_header(void)
{
	return (EVENT_INSTANCE_HEADER) {
		.Size = sizeof(EVENT_INSTANCE_HEADER),
		.Flags = WNODE_FLAG_TRACED_GUID,
	};
}

static void test_instance_arguments(void)
{
	EVENT_INSTANCE_HEADER e = instance_header();
	EVENT_INSTANCE_INFO i, none = {};
	struct private_properties p;

	begin(&p, "instance");
	CreateTraceInstanceId(classes[0].RegHandle, &i);
	CHECK(!TraceEventInstance(session, &e, &i, NULL),
	      "TraceEventInstance takes no parent");
	CHECK(TraceEventInstance(0, &e, &i, NULL) == REFUSED &&
	      TraceEventInstance(session, NULL, &i, NULL) == REFUSED &&
	      TraceEventInstance(session, &e, NULL, NULL) == REFUSED,
	      "TraceEventInstance refuses 0 and NULL");
	CHECK(TraceEventInstance(session, &e, &none, NULL) == REFUSED,
	      "TraceEventInstance refuses an instance of no class");
	none.RegHandle = i.RegHandle;
	CHECK(TraceEventInstance(session, &e, &none, NULL) == REFUSED,
	      "TraceEventInstance refuses instance 0");
	none = (EVENT_INSTANCE_INFO) { .InstanceId = i.InstanceId };
	CHECK(TraceEventInstance(session, &e, &none, NULL) == REFUSED,
	      "TraceEventInstance refuses a number without a class");
	e.Size--;
	CHECK(TraceEventInstance(session, &e, &i, NULL) == REFUSED,
	      "TraceEventInstance refuses a size below that of the header");
	e = instance_header();
	e.Flags = 0;
	CHECK(TraceEventInstance(session, &e, &i, NULL) == ERROR_INVALID_FLAGS,
	      "TraceEventInstance demands WNODE_FLAG_TRACED_GUID");
	e.Flags = WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP;
	CHECK(TraceEventInstance(session, &e, &i, NULL) == ERROR_INVALID_FLAGS,
	      "TraceEventInstance refuses other flags");
	e = instance_header();
	CHECK(TraceEventInstance(0x10001, &e, &i, NULL) == ERROR_INVALID_HANDLE,
	      "TraceEventInstance finds no other session");
	CHECK(ends_with(&p, "instance", 1),
	      "the log contains the instance event");
}

/* Must run before other tests that number instances */
static void test_instance_ids(void)
{
	EVENT_INSTANCE_INFO i, j;

	register_it();
	CHECK(CreateTraceInstanceId(NULL, &i) == REFUSED &&
	      CreateTraceInstanceId(classes[0].RegHandle, NULL) == REFUSED,
	      "CreateTraceInstanceId refuses NULL");
	CHECK(!CreateTraceInstanceId(classes[0].RegHandle, &i) &&
	      !CreateTraceInstanceId(classes[1].RegHandle, &j) &&
	      i.InstanceId == 1 && j.InstanceId == 2 &&
	      i.RegHandle == classes[0].RegHandle &&
	      j.RegHandle == classes[1].RegHandle,
	      "instances are numbered from 1, whatever their class");
	UnregisterTraceGuids(registration);
}

static ULONG message_va(TRACEHANDLE h, ULONG flags, LPCGUID id, ...)
{
	va_list list;
	ULONG code;

	va_start(list, id);
	code = TraceMessageVa(h, flags, id, 7, list);
	va_end(list);
	return code;
}

/* TraceMessage and TraceMessageVa fail with the code */
static bool message_fails(ULONG code, TRACEHANDLE h, ULONG flags, LPCGUID id)
{
	return TraceMessage(h, flags, id, 7, END) == code &&
	       message_va(h, flags, id, END) == code;
}

static bool message_passes(ULONG flags, LPCGUID id)
{
	return !TraceMessage(session, flags, id, 7, END) &&
	       !message_va(session, flags, id, "a", (size_t)2, END);
}

static void test_message_arguments(void)
{
	const ULONG either = TRACE_MESSAGE_GUID | TRACE_MESSAGE_COMPONENTID;
	struct private_properties p;

	begin(&p, "message");
	CHECK(message_fails(ERROR_INVALID_HANDLE, 0, 0, &class_id) &&
	      message_fails(ERROR_INVALID_HANDLE, 0x10001, 0, &class_id),
	      "TraceMessage finds neither session 0 nor another one");
	CHECK(message_fails(REFUSED, session, 0x100, NULL) &&
	      message_fails(REFUSED, session, TRACE_MESSAGE_POINTER32, NULL) &&
	      message_fails(REFUSED, session, TRACE_MESSAGE_POINTER64, NULL),
	      "TraceMessage refuses other flags");
	CHECK(message_fails(REFUSED, session, either, &class_id),
	      "TraceMessage refuses class and component together");
	CHECK(message_fails(REFUSED, session, TRACE_MESSAGE_GUID, NULL) &&
	      message_fails(REFUSED, session, TRACE_MESSAGE_COMPONENTID, NULL),
	      "TraceMessage refuses NULL for a class and for a component");
	CHECK(message_passes(TRACE_MESSAGE_SEQUENCE, NULL) &&
	      message_passes(TRACE_MESSAGE_PERFORMANCE_TIMESTAMP, NULL) &&
	      message_passes(TRACE_MESSAGE_GUID, &class_id) &&
	      message_passes(TRACE_MESSAGE_COMPONENTID, &class_id),
	      "TraceMessage takes each of them alone");
	CHECK(ends_with(&p, "message", 8),
	      "messages that were taken are in the log, and no others");
}

#define TEN(x)	x, x, x, x, x, x, x, x, x, x
#define ONE	"x", (size_t)1

/* 128 arguments, and 129 */
static void test_most_arguments(void)
{
	struct private_properties p;

	begin(&p, "most");
	CHECK(!message_va(session, 0, NULL, TEN(ONE), TEN(ONE), TEN(ONE),
			  TEN(ONE), TEN(ONE), TEN(ONE), TEN(ONE), TEN(ONE),
			  TEN(ONE), TEN(ONE), TEN(ONE), TEN(ONE), ONE, ONE,
			  ONE, ONE, ONE, ONE, ONE, ONE, END),
	      "TraceMessage takes 128 arguments");
	CHECK(message_va(session, 0, NULL, TEN(ONE), TEN(ONE), TEN(ONE),
			 TEN(ONE), TEN(ONE), TEN(ONE), TEN(ONE), TEN(ONE),
			 TEN(ONE), TEN(ONE), TEN(ONE), TEN(ONE), ONE, ONE, ONE,
			 ONE, ONE, ONE, ONE, ONE, ONE, END) == REFUSED,
	      "TraceMessage refuses 129");
	CHECK(ends_with(&p, "most", 1), "the log contains the message");
}

int main(void)
{
	private_path("");
	test_register();
	test_classes();
	test_unregister();
	test_instance_ids();
	test_callback();
	test_result_of_callback();
	test_logger_handle();
	test_level_and_flags();
	test_event_arguments();
	test_mof_fields();
	test_large();
	test_largest();
	test_instance_arguments();
	test_message_arguments();
	test_most_arguments();
	private_clean();
	return tap_end();
}
