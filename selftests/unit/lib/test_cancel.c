// SPDX-License-Identifier: MIT
/*
 * Threads that are cancelled, or exit, inside a callback of the library: no lock
 * stays held.  test_attributes.c calls each function with a cancellation pending.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

static struct private_properties properties;
static TRACEHANDLE session, trace;
static REGHANDLE registration;

static VOID WINAPI end_thread(PEVENT_RECORD r)
{
	(void)r;
	pthread_testcancel();
}

static bool open_log(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)private_path("cancel"),
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = end_thread,
	};

	if (private_start(&properties, "cancel", &session) ||
	    private_stop(&properties, session))
		return false;
	trace = OpenTraceA(&l);
	return trace != INVALID_PROCESSTRACE_HANDLE;
}

static void *process_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	ProcessTrace(&trace, 1, NULL, NULL);
	return arg;
}

static void test_process_trace(void)
{
	pthread_t thread;
	void *result;

	if (!open_log())
		abort();
	pthread_create(&thread, NULL, process_cancelled, NULL);
	pthread_join(thread, &result);
	CHECK(result == PTHREAD_CANCELED,
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
	test_process_trace();
	test_exit_in_callback();
	private_clean();
	return tap_end();
}
