// SPDX-License-Identifier: MIT
/*
 * Attributes of each function of the library: it is called by several threads,
 * with a pending cancellation, in a signal handler, in a forked child, after
 * closefrom(), and in sandboxes.  The table of the results is the one in
 * libevntprov(3).
 *
 * A function is safe in a handler if it neither allocates nor locks, and has the
 * same result while the interrupted code has the library's lock.
 *
 * In the test machine, this runs with the module.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "evntcons.h"
#include "evntlinux.h"
#include "evntprov.h"
#include "relogger.h"
#include "sddl.h"
#include "securitybaseapi.h"
#include "lib/provider/registration.h"
#include "selftests/unit/common/in_handler.h"
#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/sandbox.h"
#include "selftests/unit/common/tap.h"

#define TIMEOUT	120	/* in s, for slow machines */
#define ROUNDS	10

static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 4 };

/* Objects of a thread that the functions are called with */
static __thread struct {
	REGHANDLE registration;
	TRACEHANDLE session, classic, trace;
	TRACE_GUID_REGISTRATION class;
	struct private_properties properties, more;
	PSID sid;
	/* Control GUID and class, which no other thread's session enables */
	GUID class_id;
	GUID id;
	ULONG size;
	EVENT_TRACE_HEADER header;
	WNODE_HEADER node;
	EVENT_INSTANCE_HEADER instance_header;
	EVENT_INSTANCE_INFO instance;
	SECURITY_DESCRIPTOR_RELATIVE security;
	ACL acl;
	PEVENT_TRACE_PROPERTIES all;
	TRACE_GUID_PROPERTIES of_guid;
	PTRACE_GUID_PROPERTIES guids;
	REGHANDLE another;
	BYTE buffer[4096];
	void *out;
	BOOL present;
	int fd;
	char name[32];
	WCHAR wide[128];
} w;

static ULONG WINAPI on_request(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return 0;
}

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	(void)r;
	pthread_testcancel();
}

static VOID WINAPI on_class(PEVENT_TRACE event)
{
	(void)event;
}

/* Fill in properties for a log file of this thread */
static EVENT_TRACE_PROPERTIES *properties(const char *name)
{
	snprintf(w.name, sizeof(w.name), "%s%d", name, gettid());
	private_init(&w.more, IN_PROC, w.name);
	/* A thread that futex() cannot wake looks for work every second */
	w.more.p.FlushTimer = 1;
	return &w.more.p;
}

static ULONG start(void)
{
	ULONG code;

	properties("more");
	code = StartTraceA(&w.trace, w.name, &w.more.p);
	return code ? code : StopTraceA(w.trace, NULL, &w.more.p);
}

static ULONG open_log(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LogFileName = (char *)private_path("read"),
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = on_event,
	};

	w.trace = OpenTraceA(&l);
	return w.trace == INVALID_PROCESSTRACE_HANDLE ? GetLastError() : 0;
}

static ULONG write_message(ULONG first, ...)
{
	va_list list;
	ULONG code;

	va_start(list, first);
	code = TraceMessageVa(w.session, 0, &w.class_id, 1, list);
	va_end(list);
	return code;
}

static ULONG new_sid(void)
{
	SID_IDENTIFIER_AUTHORITY nt = SECURITY_NT_AUTHORITY;
	PSID sid;

	return !AllocateAndInitializeSid(&nt, 1, 18, 0, 0, 0, 0, 0, 0, 0,
					 &sid) || FreeSid(sid);
}

static ULONG register_classic(void)
{
	return RegisterTraceGuidsA(on_request, NULL, &w.id, 0, NULL, NULL, NULL,
				   &w.trace) || UnregisterTraceGuids(w.trace);
}

static ULONG register_classic_wide(void)
{
	return RegisterTraceGuidsW(on_request, NULL, &w.id, 0, NULL, NULL, NULL,
				   &w.trace) || UnregisterTraceGuids(w.trace);
}

/* Copy text of ASCII characters to UTF-16 */
static WCHAR *wide(WCHAR *to, const char *text)
{
	unsigned int i = 0;

	do {
		to[i] = (unsigned char)text[i];
	} while (text[i++]);
	return to;
}

static EVENT_TRACE_PROPERTIES *wide_properties(const char *name)
{
	properties(name);
	wide((WCHAR *)w.buffer, w.more.log);
	memcpy(w.more.log, w.buffer, sizeof(w.more.log));
	wide(w.wide, w.name);
	return &w.more.p;
}

static ULONG start_wide(void)
{
	ULONG code = StartTraceW(&w.trace, w.wide, wide_properties("wide"));

	return code ? code : StopTraceW(w.trace, NULL, &w.more.p);
}

static ULONG open_wide(void)
{
	EVENT_TRACE_LOGFILEW l = {
		.LogFileName = wide(w.wide, private_path("read")),
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
	};

	w.trace = OpenTraceW(&l);
	return w.trace == INVALID_PROCESSTRACE_HANDLE ? GetLastError() : 0;
}

static const ETW_OPEN_TRACE_OPTIONS no_options;

static ULONG open_from_file(void)
{
	w.trace = OpenTraceFromFile(wide(w.wide, private_path("read")),
				    &no_options, (TRACE_LOGFILE_HEADER *)w.buffer);
	return w.trace == INVALID_PROCESSTRACE_HANDLE ? GetLastError() : 0;
}

static ULONG open_real_time(void)
{
	w.trace = OpenTraceFromRealTimeLogger(u"none", &no_options, NULL);
	return w.trace == INVALID_PROCESSTRACE_HANDLE ? GetLastError() :
							CloseTrace(w.trace);
}

static ULONG open_stream(void)
{
	w.trace = OpenTraceFromBufferStream(&no_options, NULL, NULL);
	return w.trace == INVALID_PROCESSTRACE_HANDLE ? GetLastError() : 0;
}

static ULONG create_relogger(void)
{
	ITraceRelogger *relogger;

	return CoCreateInstance(&CLSID_CTraceRelogger, NULL, CLSCTX_ALL,
				&IID_ITraceRelogger, &w.out) != S_OK ||
	       (relogger = w.out, relogger->lpVtbl->Release(relogger));
}

/*
 * Close the file of a session of the module, which ends the session; close()
 * would be a cancellation point
 */
static ULONG end_bound(ULONG code)
{
	if (!code)
		syscall(SYS_close, w.fd);
	return code;
}

static ULONG start_bound(void)
{
	properties("bound")->LogFileMode = 0;
	return end_bound(EvntStartTraceBoundA(&w.trace, w.name, &w.more.p,
					      &w.fd));
}

static ULONG start_bound_wide(void)
{
	wide_properties("bound")->LogFileMode = 0;
	return end_bound(EvntStartTraceBoundW(&w.trace, w.wide, &w.more.p,
					      &w.fd));
}

/* Of any number of providers or sessions, one fits */
static ULONG list(ULONG code)
{
	return code == ERROR_MORE_DATA ? 0 : code;
}

/* The library's functions, and calls of them that return 0 */
#define FUNCTIONS(F)	\
	F(AllocateAndInitializeSid, new_sid()) \
	F(CloseTrace, open_log() || CloseTrace(w.trace)) \
	F(CoCreateInstance, create_relogger()) \
	F(CoInitializeEx, CoInitializeEx(NULL, 0) < 0) \
	F(CoUninitialize, (CoUninitialize(), 0)) \
	F(ControlTraceA, ControlTraceA(w.session, NULL, &w.properties.p, \
	  EVENT_TRACE_CONTROL_QUERY)) \
	F(ControlTraceW, ControlTraceW(w.session, NULL, &w.properties.p, \
	  EVENT_TRACE_CONTROL_QUERY)) \
	F(ConvertSidToStringSidA, !ConvertSidToStringSidA(w.sid, (LPSTR \
	  *)&w.out) || LocalFree(w.out)) \
	F(ConvertSidToStringSidW, !ConvertSidToStringSidW(w.sid, (LPWSTR \
	  *)&w.out) || LocalFree(w.out)) \
	F(ConvertStringSidToSidA, !ConvertStringSidToSidA("S-1-5-18", \
	  &w.out) || LocalFree(w.out)) \
	F(ConvertStringSidToSidW, !ConvertStringSidToSidW(u"S-1-5-18", \
	  &w.out) || LocalFree(w.out)) \
	F(CreateTraceInstanceId, CreateTraceInstanceId(w.class.RegHandle, \
	  &w.instance)) \
	F(CveEventWrite, CveEventWrite(u"CVE-2026-1", u"x")) \
	F(EnableTrace, EnableTrace(TRUE, 0, 4, &w.class_id, w.session)) \
	F(EnableTraceEx2, private_enable(w.session, 0, NULL, 0)) \
	F(EnableTraceEx, EnableTraceEx(&provider, NULL, w.session, TRUE, 4, \
	  0, 0, 0, NULL)) \
	F(EnumerateTraceGuids, \
	  list(EnumerateTraceGuids(&w.guids, 1, &w.size))) \
	F(EnumerateTraceGuidsEx, EnumerateTraceGuidsEx(TraceGuidQueryList, \
	  NULL, 0, w.buffer, sizeof(w.buffer), &w.size)) \
	F(EqualSid, !EqualSid(w.sid, w.sid)) \
	F(EventAccessControl, EventAccessControl(&w.id, \
	  EventSecurityAddDACL, w.sid, TRACELOG_GUID_ENABLE, TRUE)) \
	F(EventAccessQuery, \
	  list(EventAccessQuery(&w.id, w.buffer, &w.size))) \
	F(EventAccessRemove, EventAccessRemove(&w.id)) \
	F(EventActivityIdControl, \
	  EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &w.id)) \
	F(EventEnabled, !EventEnabled(w.registration, &descriptor)) \
	F(EventProviderEnabled, !EventProviderEnabled(w.registration, 4, 0)) \
	F(EventRegister, EventRegister(&provider, NULL, NULL, &w.another) || \
	  EventUnregister(w.another)) \
	F(EventSetInformation, EventSetInformation(w.registration, \
	  EventProviderSetTraits, "\4\0x", 4)) \
	F(EventUnregister, EventRegister(&provider, NULL, NULL, &w.another) || \
	  EventUnregister(w.another)) \
	F(EventWrite, EventWrite(w.registration, &descriptor, 0, NULL)) \
	F(EventWriteEx, EventWriteEx(w.registration, &descriptor, 0, 0, \
	  NULL, NULL, 0, NULL)) \
	F(EventWriteString, EventWriteString(w.registration, 4, 0, u"x")) \
	F(EventWriteTransfer, EventWriteTransfer(w.registration, \
	  &descriptor, NULL, NULL, 0, NULL)) \
	F(EvntProviderIdFromName, EvntProviderIdFromName("Name", &w.id)) \
	F(EvntStartTraceBoundA, start_bound()) \
	F(EvntStartTraceBoundW, start_bound_wide()) \
	F(FlushTraceA, FlushTraceA(w.session, NULL, &w.properties.p)) \
	F(FlushTraceW, FlushTraceW(w.session, NULL, &w.properties.p)) \
	F(FreeSid, new_sid()) \
	F(GetAce, !GetAce(&w.acl, 0, &w.out) != !w.acl.AceCount) \
	F(GetLastError, (GetLastError(), 0)) \
	F(GetLengthSid, !GetLengthSid(w.sid)) \
	F(GetSecurityDescriptorDacl, \
	  !GetSecurityDescriptorDacl(&w.security, &w.present, (PACL \
	  *)&w.out, &w.present)) \
	F(GetTraceEnableFlags, GetTraceEnableFlags(w.session)) \
	F(GetTraceEnableLevel, !GetTraceEnableLevel(w.session)) \
	F(GetTraceLoggerHandle, !GetTraceLoggerHandle(&w.node)) \
	F(IsValidSid, !IsValidSid(w.sid)) \
	F(LocalFree, !ConvertSidToStringSidA(w.sid, (LPSTR *)&w.out) || \
	  LocalFree(w.out)) \
	F(OpenTraceA, open_log() || CloseTrace(w.trace)) \
	F(OpenTraceFromBufferStream, open_stream() || CloseTrace(w.trace)) \
	F(OpenTraceFromFile, open_from_file() || CloseTrace(w.trace)) \
	F(OpenTraceFromRealTimeLogger, open_real_time()) \
	F(OpenTraceW, open_wide() || CloseTrace(w.trace)) \
	F(ProcessTrace, open_log() || ProcessTrace(&w.trace, 1, NULL, NULL) || \
	  CloseTrace(w.trace)) \
	F(ProcessTraceAddBufferToBufferStream, open_stream() || \
	  ProcessTraceAddBufferToBufferStream(w.trace, (void *)w.buffer, \
	  8) != ERROR_INVALID_PARAMETER || CloseTrace(w.trace)) \
	F(QueryAllTracesA, list(QueryAllTracesA(&w.all, 1, &w.size))) \
	F(QueryAllTracesW, list(QueryAllTracesW(&w.all, 1, &w.size))) \
	F(QueryTraceA, QueryTraceA(w.session, NULL, &w.properties.p)) \
	F(QueryTraceProcessingHandle, open_log() || \
	  QueryTraceProcessingHandle(w.trace, EtwQueryLogFileHeader, NULL, \
	  0, w.buffer, sizeof(w.buffer), &w.size) || CloseTrace(w.trace)) \
	F(QueryTraceW, QueryTraceW(w.session, NULL, &w.properties.p)) \
	F(RegisterTraceGuidsA, register_classic()) \
	F(RegisterTraceGuidsW, register_classic_wide()) \
	F(RemoveTraceCallback, SetTraceCallback(&w.id, on_class) || \
	  RemoveTraceCallback(&w.id)) \
	F(SetLastError, (SetLastError(0), 0)) \
	F(SetTraceCallback, SetTraceCallback(&w.id, on_class) || \
	  RemoveTraceCallback(&w.id)) \
	F(StartTraceA, start()) \
	F(StartTraceW, start_wide()) \
	F(StopTraceA, start()) \
	F(StopTraceW, start_wide()) \
	F(SysAllocString, !(w.out = SysAllocString(u"x")) || \
	  (SysFreeString(w.out), 0)) \
	F(SysAllocStringLen, !(w.out = SysAllocStringLen(NULL, 1)) || \
	  (SysFreeString(w.out), 0)) \
	F(SysFreeString, !(w.out = SysAllocString(u"x")) || \
	  (SysFreeString(w.out), 0)) \
	F(SysStringLen, SysStringLen(NULL)) \
	F(TraceEvent, TraceEvent(w.session, &w.header)) \
	F(TraceEventInstance, TraceEventInstance(w.session, \
	  &w.instance_header, &w.instance, NULL)) \
	F(TraceMessage, TraceMessage(w.session, 0, &w.class_id, 1, NULL)) \
	F(TraceMessageVa, write_message(0, NULL)) \
	F(TraceQueryInformation, TraceQueryInformation(w.session, \
	  TraceMaxLoggersQuery, w.buffer, sizeof(ULONG), &w.size)) \
	F(TraceSetInformation, TraceSetInformation(w.session, \
	  TracePmcEventListInfo, w.buffer, 0)) \
	F(UnregisterTraceGuids, register_classic()) \
	F(UpdateTraceA, UpdateTraceA(w.session, NULL, properties("update"))) \
	F(UpdateTraceW, UpdateTraceW(w.session, NULL, wide_properties("new")))

#define DEFINE(name, ...)						\
	static ULONG call_##name(void) { return __VA_ARGS__; }
FUNCTIONS(DEFINE)

#define ROW(name, ...)	{ #name, call_##name },
static const struct {
	const char *name;
	ULONG (*call)(void);
} functions[] = { FUNCTIONS(ROW) };

#define COUNT	EVNT_ARRAY_SIZE(functions)

/* Results of the children */
static struct {
	unsigned int at;
	struct {
		ULONG code, handler_code;
		bool is_point, threads_fail, is_safe;
	} of[COUNT];
} *results;

/* Make the objects of this thread */
static void prepare(void)
{
	const EVENT_TRACE_HEADER header = {
		.Size = sizeof(header), .Flags = WNODE_FLAG_TRACED_GUID,
		.Guid = { .Data1 = gettid(), .Data2 = 77 },
	};

	properties("session");
	w.class_id = header.Guid;
	w.header = header;
	w.instance_header.Size = sizeof(w.instance_header);
	w.instance_header.Flags = WNODE_FLAG_TRACED_GUID;
	w.class.Guid = &w.class_id;
	w.security.Revision = SECURITY_DESCRIPTOR_REVISION;
	w.security.Control = SE_SELF_RELATIVE;
	w.all = &w.more.p;
	w.guids = &w.of_guid;
	w.id.Data1 = gettid();
	if (!ConvertStringSidToSidA("S-1-5-18", &w.sid) ||
	    EventRegister(&provider, NULL, NULL, &w.registration) ||
	    RegisterTraceGuidsA(on_request, NULL, &w.class_id, 1, &w.class, NULL,
				NULL, &w.classic) ||
	    StartTraceA(&w.session, w.name, &w.more.p) ||
	    private_enable(w.session, 0, NULL, 0) ||
	    EnableTrace(TRUE, 0, 4, &w.class_id, w.session) ||
	    CreateTraceInstanceId(w.class.RegHandle, &w.instance))
		abort();
	w.properties = w.more;
	w.node.HistoricalContext = w.session;
}

static void finish(void *unused)
{
	(void)unused;
	if (StopTraceA(w.session, NULL, &w.properties.p) ||
	    UnregisterTraceGuids(w.classic) || EventUnregister(w.registration))
		abort();
	LocalFree(w.sid);
}

/* Locks that a handler takes; the library waits for others with a limit */
static volatile unsigned int handler_locks;

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	const struct timespec never = { .tv_sec = INT_MAX };

	handler_locks += in_handler;
	return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &never);
}

/* Rows of the manual page */
static struct {
	bool has_threads, is_safe, is_point;
} rows[COUNT];

static unsigned int now, differ;
static bool has_module;
static ULONG handler_code;

static void call_in_handler(void)
{
	handler_code = functions[now].call();
}

/* A function that needs the module returns before it may lock or allocate */
static bool needs_module(void)
{
	return results->of[now].code == ERROR_NOT_SUPPORTED;
}

static void run_alone(void)
{
	results->of[now].code = functions[now].call();
	if (results->of[now].code && !needs_module()) {
		printf("# %s: %u\n", functions[now].name, results->of[now].code);
		differ++;
	}
}

static void run_in_handler(void)
{
	unsigned int used;

	handler_locks = 0;
	used = handler_run(call_in_handler);
	results->of[now].handler_code = handler_code;
	if (used || handler_locks || needs_module())
		return;
	pthread_mutex_lock(&evnt_lib_lock);
	used = handler_run(call_in_handler);
	pthread_mutex_unlock(&evnt_lib_lock);
	results->of[now].is_safe = !used && handler_code == results->of[now].code;
}

static void *call_cancelled(void *returned)
{
	prepare();
	pthread_cleanup_push(finish, NULL);
	pthread_cancel(pthread_self());
	functions[now].call();
	*(bool *)returned = true;
	pthread_testcancel();
	pthread_cleanup_pop(1);
	return NULL;
}

static void run_cancelled(void)
{
	bool returned = false;
	pthread_t thread;

	pthread_create(&thread, NULL, call_cancelled, &returned);
	pthread_join(thread, NULL);
	results->of[now].is_point = !returned;
}

static void *call_often(void *unused)
{
	unsigned int i;
	ULONG code;

	prepare();
	for (i = 0; i < ROUNDS; i++) {
		code = functions[now].call();
		/* Later ones may differ; there are at most three sessions */
		if (!i && code != results->of[now].code &&
		    code != ERROR_NO_SYSTEM_RESOURCES)
			results->of[now].threads_fail = true;
	}
	finish(NULL);
	return unused;
}

static void run_in_threads(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, call_often, NULL);
	pthread_create(&threads[1], NULL, call_often, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

/* Test that a function has the same result as alone */
static void expect_same(ULONG code)
{
	if (code == results->of[now].code)
		return;
	printf("# %s: %u, not %u\n", functions[now].name, code,
	       results->of[now].code);
	differ++;
}

static void run_again(void)
{
	expect_same(functions[now].call());
}

static const struct sandbox *sandbox;

/*
 * Functions that the page calls safe in handlers need no system call that a
 * sandbox forbids; others may fail.  Without futex(), the C library cannot wait
 * for threads that end.
 */
static void run_in_sandbox(void)
{
	const char *name = functions[now].name;
	ULONG code;

	if (!sandbox->stops &&
	    (!strncmp(name, "Start", 5) || !strncmp(name, "Stop", 4)))
		return;
	code = functions[now].call();
	if (rows[now].is_safe)
		expect_same(code);
}

static void nothing(void)
{
}

static void close_unknown(void)
{
	syscall(SYS_close_range, 3, ~0u, 0);
}

static void enter_sandbox(void)
{
	if (!enter(sandbox, EPERM))
		_exit(77);
}

/* In a child, call each function by @run after @begin */
static void run_all(const char *what, void (*begin)(void), void (*run)(void))
{
	int status, pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(TIMEOUT);
		if (run != run_cancelled && run != run_in_threads)
			prepare();
		begin();
		for (now = 0; now < COUNT; now++) {
			results->at = now;
			run();
		}
		fflush(stdout);
		_exit(differ > 0);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		SKIP("this kernel has no seccomp filters");
		return;
	}
	if (status)
		printf("# status %#x, at %s()\n", status,
		       functions[results->at].name);
	CHECK(!status, "each function returns %s", what);
}

/* A forked child has the parent's registrations, and sessions of its own */
static void fork_again(void)
{
	int status, pid;

	/* A thread that begins has locks of the address sanitizer */
	private_flush(w.session);
	pid = fork();
	if (!pid) {
		alarm(TIMEOUT);
		prepare();
		return;
	}
	waitpid(pid, &status, 0);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* Open the manual page here, or where the tests are, or are installed */
static FILE *open_page(void)
{
	static const char page[] = "../../doc/man/libevntprov.3";
	FILE *file = fopen(page, "r");

	if (!file)
		file = fopen(page + 6, "r");
	if (!file)
		file = fopen(page + 14, "r");
	return file;
}

/* Read the page's rows; return false unless it has one for each function */
static bool read_page(void)
{
	FILE *file = open_page();
	char line[256], name[64];
	unsigned int i = 0;
	bool same = true;

	while (file && fgets(line, sizeof(line), file)) {
		char words[3][4];

		if (sscanf(line, ".It Fn %63s Ta %3s Ta %3s Ta %3s", name,
			   words[0], words[1], words[2]) != 4)
			continue;
		same &= i < COUNT && !strcmp(name, functions[i].name);
		if (!same)
			break;
		rows[i].has_threads = !strcmp(words[0], "yes");
		rows[i].is_safe = !strcmp(words[1], "yes");
		rows[i].is_point = !strcmp(words[2], "yes");
		i++;
	}
	if (file)
		fclose(file);
	return same && i == COUNT;
}

/* Allocations are counted by hooks of the sanitizer */
#ifdef __SANITIZE_ADDRESS__
#define COUNTS_ALLOCATIONS	true
#else
#define COUNTS_ALLOCATIONS	false
#endif

/*
 * Test that the page has these results.  It may call a function unsafe that
 * happens to be safe with the module, or if allocations are not counted.
 */
static bool page_has_results(void)
{
	unsigned int i;
	bool same = true;

	for (i = 0; i < COUNT; i++) {
		const bool fails = results->of[i].threads_fail;
		const bool is_safe = results->of[i].is_safe;

		if (rows[i].has_threads == !fails &&
		    rows[i].is_point == results->of[i].is_point &&
		    (rows[i].is_safe == is_safe ||
		     (is_safe && (has_module || !COUNTS_ALLOCATIONS))))
			continue;
		same = false;
		printf("# %s: threads fail: %d, safe: %d, point: %d\n",
		       functions[i].name, fails, is_safe,
		       results->of[i].is_point);
	}
	return same;
}

/* Locals of an exited thread must not leave its stack poisoned */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_stack_use_after_return=1";
}

static const char *what(const char *call)
{
	static char text[64];

	snprintf(text, sizeof(text), "in a sandbox without %s()", call);
	return text;
}

int main(void)
{
	struct private_properties p;
	TRACEHANDLE h;

	has_module = !access("/dev/evntprov", F_OK);
	results = mmap(NULL, sizeof(*results), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (results == MAP_FAILED || private_start(&p, "read", &h) ||
	    private_stop(&p, h))
		return 1;
	CHECK(read_page(), "libevntprov(3) has a table of all functions");
	run_all("alone", nothing, run_alone);
	run_all("in a signal handler", nothing, run_in_handler);
	run_all("with a pending cancellation", nothing, run_cancelled);
	run_all("in threads", nothing, run_in_threads);
	run_all("in a forked child", fork_again, run_again);
	run_all("after closefrom()", close_unknown, run_again);
	for (sandbox = sandboxes;
	     sandbox < sandboxes + EVNT_ARRAY_SIZE(sandboxes); sandbox++)
		run_all(what(sandbox->name), enter_sandbox, run_in_sandbox);
	CHECK(page_has_results(),
	      "libevntprov(3) has the table of these results");
	private_clean();
	return tap_end();
}
