// SPDX-License-Identifier: MIT
/*
 * Threads that are cancelled, or exit, inside a call of the library: no
 * function but ProcessTrace() is a cancellation point, and no lock stays held.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

static struct private_properties properties;
static TRACEHANDLE session, trace, classic;
static REGHANDLE registration;

static ULONG call_register(void)
{
	return EventRegister(&provider, NULL, NULL, &registration);
}

static ULONG call_set_information(void)
{
	static BYTE traits[] = { 4, 0, 'x', 0 };

	return EventSetInformation(registration, EventProviderSetTraits,
				   traits, sizeof(traits));
}

static ULONG call_start(void)
{
	return private_start(&properties, "cancel", &session);
}

static ULONG call_enable(void)
{
	return private_enable(session, EVENT_ENABLE_PROPERTY_STACK_TRACE, NULL,
			      0);
}

static ULONG call_write(void)
{
	return private_write(registration, 1);
}

static ULONG call_query(void)
{
	return QueryTraceA(session, NULL, &properties.p);
}

static ULONG call_flush(void)
{
	return private_flush(session);
}

static ULONG call_update(void)
{
	struct private_properties p;

	private_init(&p, 0, "cancel_more");
	return UpdateTraceA(session, NULL, &p.p);
}

static ULONG call_stop(void)
{
	return private_stop(&properties, session);
}

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return 0;
}

static ULONG call_register_classic(void)
{
	return RegisterTraceGuidsA(on_request, NULL, &provider, 0, NULL, NULL,
				   NULL, &classic);
}

static ULONG call_unregister_classic(void)
{
	return UnregisterTraceGuids(classic);
}

static ULONG call_unregister(void)
{
	return EventUnregister(registration);
}

static ULONG call_activity(void)
{
	GUID id;

	return EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &id);
}

static VOID WINAPI end_thread(PEVENT_RECORD r)
{
	(void)r;
	pthread_testcancel();
}

static ULONG call_open(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)private_path("cancel"),
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = end_thread,
	};

	trace = OpenTraceA(&l);
	return trace == INVALID_PROCESSTRACE_HANDLE;
}

static ULONG call_process(void)
{
	return ProcessTrace(&trace, 1, NULL, NULL);
}

static ULONG call_close(void)
{
	return CloseTrace(trace);
}

/* Calls that need the module have tried to open its device */
static ULONG call_query_all(void)
{
	struct private_properties p;
	EVENT_TRACE_PROPERTIES *array = &p.p;
	ULONG count;

	private_init(&p, 0, NULL);
	return QueryAllTracesA(&array, 1, &count) != ERROR_NOT_SUPPORTED;
}

static ULONG call_enumerate(void)
{
	ULONG size;

	return EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0,
				     &size) != ERROR_NOT_SUPPORTED;
}

static ULONG call_access(void)
{
	GUID id = provider;

	return EventAccessRemove(&id) != ERROR_NOT_SUPPORTED;
}

static ULONG call_information(void)
{
	ULONG size;
	BYTE out[16];

	return TraceQueryInformation(1, TraceMaxLoggersQuery, out, sizeof(out),
				     &size) != ERROR_NOT_SUPPORTED;
}

/* Called in this order */
static const struct {
	const char *name;
	ULONG (*call)(void);
} calls[] = {
	{ "EventRegister", call_register },
	{ "EventSetInformation", call_set_information },
	{ "RegisterTraceGuids", call_register_classic },
	{ "StartTrace", call_start },
	{ "EnableTraceEx2", call_enable },
	{ "EventWrite", call_write },
	{ "QueryTrace", call_query },
	{ "FlushTrace", call_flush },
	{ "UpdateTrace", call_update },
	{ "StopTrace", call_stop },
	{ "UnregisterTraceGuids", call_unregister_classic },
	{ "EventUnregister", call_unregister },
	{ "EventActivityIdControl", call_activity },
	{ "OpenTrace", call_open },
	{ "CloseTrace", call_close },
	{ "QueryAllTraces", call_query_all },
	{ "EnumerateTraceGuidsEx", call_enumerate },
	{ "EventAccessRemove", call_access },
	{ "TraceQueryInformation", call_information },
};

static struct {
	ULONG (*call)(void);
	bool has_returned;
	ULONG code;
} run;

/* The thread is cancelled at the first cancellation point that it reaches */
static void *call_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	run.code = run.call();
	run.has_returned = true;
	pthread_testcancel();
	return arg;
}

static void *cancel(ULONG (*call)(void))
{
	pthread_t thread;
	void *result;

	run.call = call;
	run.has_returned = false;
	pthread_create(&thread, NULL, call_cancelled, &run);
	pthread_join(thread, &result);
	return result;
}

static void test_functions(void)
{
	unsigned int i;
	void *result;

	for (i = 0; i < EVNT_ARRAY_SIZE(calls); i++) {
		result = cancel(calls[i].call);
		CHECK(run.has_returned && !run.code &&
		      result == PTHREAD_CANCELED,
		      "%s() is no cancellation point", calls[i].name);
	}
}

static void test_process_trace(void)
{
	call_open();
	CHECK(cancel(call_process) == PTHREAD_CANCELED && !run.has_returned,
	      "ProcessTrace() ends with a callback that is cancelled");
	CHECK(CloseTrace(trace) == ERROR_SUCCESS,
	      "the trace of a cancelled thread can be closed");
}

static VOID WINAPI exit_thread(LPCGUID source, ULONG control, UCHAR level,
			       ULONGLONG any, ULONGLONG all,
			       PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)control;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	if (*(bool *)context)
		pthread_exit(NULL);
}

static void *enable_once(void *arg)
{
	private_enable(session, 0, NULL, 0);
	return arg;
}

static void test_exit_in_callback(void)
{
	bool exits = true;
	pthread_t thread;
	void *result;

	private_start(&properties, "exits", &session);
	EventRegister(&provider, exit_thread, &exits, &registration);
	pthread_create(&thread, NULL, enable_once, &exits);
	pthread_join(thread, &result);
	exits = false;
	CHECK(!result, "a thread ends in an enable callback");
	CHECK(!EventUnregister(registration) &&
	      !private_stop(&properties, session),
	      "other threads can end the registration and the session");
}

/* Locals of an exited thread must not leave its stack poisoned */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_stack_use_after_return=1";
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_functions();
	test_process_trace();
	test_exit_in_callback();
	private_clean();
	return tap_end();
}
