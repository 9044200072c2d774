// SPDX-License-Identifier: MIT
/*
 * StartTrace, ControlTrace with its short forms, and QueryAllTraces: each rule
 * for an argument that the library checks itself.  A session of this process
 * serves as the existing session, which must go on when a call is refused.
 *
 * Errors that the module returns are in selftests/evntprov.
 */
#include <stdlib.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

/* Properties with room for two names, as programs have them */
struct properties {
	EVENT_TRACE_PROPERTIES p;
	char session[1100];
	char log[1100];
};

static struct properties properties_for(const char *path)
{
	struct properties p;

	memset(&p, 0, sizeof(p));
	p.p.Wnode.BufferSize = sizeof(p);
	p.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p.p.LoggerNameOffset = offsetof(struct properties, session);
	p.p.LogFileNameOffset = offsetof(struct properties, log);
	snprintf(p.log, sizeof(p.log), "%s", path);
	return p;
}

static struct properties good(void)
{
	return properties_for("/nowhere/x.etl");
}

/* StartTrace() fails with the code and returns no handle */
static bool start_fails(ULONG code, const char *name, struct properties *p)
{
	TRACEHANDLE h = 1;

	return StartTraceA(&h, name, &p->p) == code && !h;
}

static bool start_wide_fails(ULONG code, const WCHAR *name,
			     struct properties *p)
{
	TRACEHANDLE h = 1;

	return StartTraceW(&h, name, &p->p) == code && !h;
}

static void test_start_null(void)
{
	struct properties p = good();
	TRACEHANDLE h = 1;

	CHECK(StartTraceA(NULL, "x", &p.p) == ERROR_INVALID_PARAMETER &&
	      StartTraceW(NULL, u"x", &p.p) == ERROR_INVALID_PARAMETER,
	      "StartTrace refuses NULL for the handle");
	CHECK(StartTraceA(&h, "x", NULL) == ERROR_INVALID_PARAMETER && !h &&
	      StartTraceW(&h, u"x", NULL) == ERROR_INVALID_PARAMETER,
	      "StartTrace refuses NULL for the properties");
	CHECK(start_fails(ERROR_INVALID_PARAMETER, NULL, &p) &&
	      start_fails(ERROR_INVALID_PARAMETER, "", &p) &&
	      start_wide_fails(ERROR_INVALID_PARAMETER, NULL, &p) &&
	      start_wide_fails(ERROR_INVALID_PARAMETER, u"", &p),
	      "StartTrace refuses no name, and an empty one");
}

static void test_start_names(void)
{
	struct properties p = good();
	char name[1026];

	memset(name, 'n', 1025);
	name[1025] = 0;
	CHECK(start_fails(ERROR_INVALID_PARAMETER, name, &p),
	      "StartTrace refuses a name of 1,025 characters");
	p.p.LogFileNameOffset = sizeof(p.p);
	p.p.Wnode.BufferSize = p.p.LoggerNameOffset + 5;
	CHECK(start_fails(ERROR_BAD_LENGTH, "12345", &p) &&
	      start_wide_fails(ERROR_BAD_LENGTH, u"123", &p),
	      "StartTrace refuses a name that there is no room for");
	p = good();
	memset(p.log, 'x', sizeof(p.log));
	CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
	      "StartTrace refuses a log file's name without an end");
	p = good();
	CHECK(start_fails(ERROR_INVALID_PARAMETER, "\xff", &p),
	      "StartTrace refuses a name that is no UTF-8");
}

static void test_start_sizes(void)
{
	static const ULONG wrong[] = { 1, 100, sizeof(EVENT_TRACE_PROPERTIES) - 1,
				       sizeof(struct properties), 0xffffffff };
	struct properties p = good();
	unsigned int i;

	p.p.Wnode.BufferSize = 0;
	CHECK(start_fails(ERROR_BAD_LENGTH, "x", &p),
	      "StartTrace refuses a BufferSize of 0");
	p.p.Wnode.BufferSize = sizeof(p.p) - 1;
	CHECK(start_fails(ERROR_BAD_LENGTH, "x", &p),
	      "StartTrace refuses a BufferSize below that of properties");
	for (i = 0; i < EVNT_ARRAY_SIZE(wrong); i++) {
		p = good();
		p.p.LoggerNameOffset = wrong[i];
		CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
		      "StartTrace refuses a LoggerNameOffset of %u", wrong[i]);
		p = good();
		p.p.LogFileNameOffset = wrong[i];
		CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
		      "StartTrace refuses a LogFileNameOffset of %u", wrong[i]);
	}
	p = good();
	p.p.LoggerNameOffset = 0;
	CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
	      "StartTrace refuses a LoggerNameOffset of 0");
}

static void test_start_wnode(void)
{
	struct properties p = good();

	p.p.Wnode.Flags = 0;
	CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
	      "StartTrace refuses properties without WNODE_FLAG_TRACED_GUID");
	p = good();
	p.p.Wnode.Guid = SystemTraceControlGuid;
	CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
	      "StartTrace refuses the id of the NT Kernel Logger");
	p.p.EnableFlags = EVENT_TRACE_FLAG_EXTENSION;
	CHECK(start_fails(ERROR_NOT_SUPPORTED, KERNEL_LOGGER_NAMEA, &p),
	      "the NT Kernel Logger does not support flags behind properties");
}

/*
 * Sequential, circular and newfile mode; append mode, and pairs that exclude
 * each other
 */
static void test_start_modes(void)
{
	static const ULONG wrong[] = {
		EVENT_TRACE_FILE_MODE_SEQUENTIAL |
		EVENT_TRACE_FILE_MODE_CIRCULAR,
		EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_NEWFILE,
		EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE,
		EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_FILE_MODE_CIRCULAR,
		EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_FILE_MODE_NEWFILE,
		EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_REAL_TIME_MODE,
		EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_PRIVATE_LOGGER_MODE,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_FILE_MODE_SEQUENTIAL,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_FILE_MODE_CIRCULAR,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_FILE_MODE_APPEND,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_FILE_MODE_NEWFILE,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_FILE_MODE_PREALLOCATE,
		EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_REAL_TIME_MODE,
	}, bounded[] = {
		EVENT_TRACE_FILE_MODE_CIRCULAR,
		EVENT_TRACE_FILE_MODE_NEWFILE,
		EVENT_TRACE_FILE_MODE_PREALLOCATE,
	};
	struct properties p = good();
	unsigned int i;

	p.p.MaximumFileSize = 1;
	for (i = 0; i < EVNT_ARRAY_SIZE(wrong); i++) {
		p.p.LogFileMode = wrong[i];
		CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
		      "StartTrace refuses the modes 0x%x together", wrong[i]);
	}
	p.p.MaximumFileSize = 0;
	for (i = 0; i < EVNT_ARRAY_SIZE(bounded); i++) {
		p.p.LogFileMode = bounded[i];
		CHECK(start_fails(ERROR_INVALID_PARAMETER, "x", &p),
		      "StartTrace refuses mode 0x%x without MaximumFileSize",
		      bounded[i]);
	}
}

/* Real-time mode needs no file, unless combined with a file mode */
static void test_start_without_a_file(void)
{
	struct properties p = properties_for("");

	CHECK(start_fails(ERROR_BAD_PATHNAME, "x", &p),
	      "StartTrace refuses neither a file nor a mode without one");
	p.p.LogFileNameOffset = 0;
	CHECK(start_fails(ERROR_BAD_PATHNAME, "x", &p),
	      "StartTrace refuses no place for a file's name");
	p.p.LogFileMode = EVENT_TRACE_REAL_TIME_MODE |
			  EVENT_TRACE_FILE_MODE_SEQUENTIAL;
	CHECK(start_fails(ERROR_BAD_PATHNAME, "x", &p),
	      "StartTrace refuses a mode of files in real time without one");
}

/* EVENT_TRACE_PROPERTIES_V2 */
struct properties_v2 {
	EVENT_TRACE_PROPERTIES_V2 p;
	char session[32];
	char log[128];
};

static struct properties_v2 version_2(const char *log)
{
	struct properties_v2 p;

	memset(&p, 0, sizeof(p));
	p.p.Wnode.BufferSize = sizeof(p);
	p.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID |
			  WNODE_FLAG_VERSIONED_PROPERTIES;
	p.p.VersionNumber = 2;
	p.p.LoggerNameOffset = offsetof(struct properties_v2, session);
	p.p.LogFileNameOffset = offsetof(struct properties_v2, log);
	snprintf(p.log, sizeof(p.log), "%s", log);
	return p;
}

static ULONG start_v2(struct properties_v2 *p, TRACEHANDLE *h)
{
	*h = 1;
	return StartTraceA(h, "version 2", (EVENT_TRACE_PROPERTIES *)p);
}

static ULONG query_v2(TRACEHANDLE h, struct properties_v2 *p)
{
	return QueryTraceA(h, NULL, (EVENT_TRACE_PROPERTIES *)p);
}

/* StartTrace and ControlTrace both fail with the code and return no handle */
#define V2_FAILS(code, what, ...) do {					\
	struct properties_v2 p = version_2("/nowhere/v2.etl");		\
	struct properties_v2 q = version_2("");				\
	TRACEHANDLE h;							\
	{ __VA_ARGS__; }						\
	q.p = p.p;							\
	CHECK(start_v2(&p, &h) == (code) && !h &&			\
	      query_v2(1, &q) == (code), "version 2: " what);		\
} while (0)

static void test_v2_errors(void)
{
	V2_FAILS(ERROR_BAD_LENGTH, "BufferSize is below that of properties",
		 p.p.Wnode.BufferSize = 143);
	V2_FAILS(ERROR_INVALID_PARAMETER, "LoggerName begins in its new part",
		 p.p.LoggerNameOffset = 120);
	V2_FAILS(ERROR_INVALID_PARAMETER, "LogFileName begins in its new part",
		 p.p.LogFileNameOffset = 143);
	V2_FAILS(ERROR_INVALID_PARAMETER, "V2Control is 0",
		 p.p.V2Control = 0);
	V2_FAILS(ERROR_INVALID_PARAMETER, "V2Control is 1",
		 p.p.V2Control = 1);
	V2_FAILS(ERROR_INVALID_PARAMETER, "V2Control is 3",
		 p.p.V2Control = 3);
	V2_FAILS(ERROR_INVALID_PARAMETER, "V2Control has a high bit",
		 p.p.V2Control = 0x102);
	V2_FAILS(ERROR_INVALID_PARAMETER, "Wow is set", p.p.Wow = 1);
	V2_FAILS(ERROR_INVALID_PARAMETER, "an unknown option is set",
		 p.p.V2Options = 0x10);
	V2_FAILS(ERROR_NOT_SUPPORTED, "QpcDeltaTracking is set",
		 p.p.QpcDeltaTracking = 1);
}

static void set_filters(EVENT_TRACE_PROPERTIES_V2 *p, ULONG mode,
			EVENT_FILTER_DESCRIPTOR *first, ULONG count)
{
	p->LogFileMode = mode;
	p->FilterDescCount = count;
	p->FilterDesc = first;
}

#define OTHERS	EVENT_TRACE_PRIVATE_LOGGER_MODE

static void test_v2_filters(void)
{
	EVENT_FILTER_DESCRIPTOR f[14] = {
		{ .Type = EVENT_FILTER_TYPE_PID },
		{ .Type = EVENT_FILTER_TYPE_EXECUTABLE_NAME },
		{ .Type = EVENT_FILTER_TYPE_PID },
	};

	V2_FAILS(ERROR_INVALID_PARAMETER, "filters in a session of the module",
		 set_filters(&p.p, 0, f, 1));
	V2_FAILS(ERROR_INVALID_PARAMETER, "filters in one of this process",
		 set_filters(&p.p, IN_PROC, f, 1));
	V2_FAILS(ERROR_INVALID_PARAMETER, "a filter at NULL",
		 set_filters(&p.p, OTHERS, NULL, 1));
	V2_FAILS(ERROR_INVALID_PARAMETER, "more filters than there may be",
		 set_filters(&p.p, OTHERS, f, 14));
	V2_FAILS(ERROR_INVALID_PARAMETER, "two filters of one type",
		 set_filters(&p.p, OTHERS, f, 3));
	V2_FAILS(ERROR_INVALID_PARAMETER, "a filter of another type",
		 set_filters(&p.p, OTHERS, f + 3, 1));
	/* Two types, neither with a process */
	V2_FAILS(ERROR_INVALID_PARAMETER, "filters without a process",
		 set_filters(&p.p, OTHERS, f, 2));
}

static void test_v2_is_version_1_without_its_flag(void)
{
	struct properties_v2 p = version_2(private_path("v2"));
	TRACEHANDLE h;

	p.p.LogFileMode = IN_PROC;
	p.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p.p.V2Control = 9;
	p.p.V2Options = ~0ull;
	CHECK(!start_v2(&p, &h) && h &&
	      !StopTraceA(h, NULL, (EVENT_TRACE_PROPERTIES *)&p),
	      "version 2: without its flag it is the first version");
}

typedef ULONG WMIAPI short_form(TRACEHANDLE, LPCSTR, PEVENT_TRACE_PROPERTIES);
typedef ULONG WMIAPI wide_form(TRACEHANDLE, LPCWSTR, PEVENT_TRACE_PROPERTIES);

/* ControlTrace with the codes of the short forms */
#define CONTROL(name, code)						\
static ULONG WMIAPI control_##name(TRACEHANDLE h, LPCSTR session,	\
				   PEVENT_TRACE_PROPERTIES p)		\
{									\
	return ControlTraceA(h, session, p, code);			\
}

CONTROL(query, EVENT_TRACE_CONTROL_QUERY)
CONTROL(stop, EVENT_TRACE_CONTROL_STOP)
CONTROL(flush, EVENT_TRACE_CONTROL_FLUSH)
CONTROL(update, EVENT_TRACE_CONTROL_UPDATE)

static ULONG call_wide(wide_form *call, TRACEHANDLE h, LPCSTR name,
		       PEVENT_TRACE_PROPERTIES p)
{
	WCHAR *wide = name ? evnt_utf16(name) : NULL;
	ULONG code = call(h, wide, p);

	free(wide);
	return code;
}

/* W forms with the signature of the A forms */
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

static const struct form {
	const char *name;
	short_form *call;
} forms[] = {
	{ "ControlTrace QUERY", control_query },
	{ "ControlTrace STOP", control_stop },
	{ "ControlTrace FLUSH", control_flush },
	{ "ControlTrace UPDATE", control_update },
	{ "QueryTraceA", QueryTraceA },
	{ "StopTraceA", StopTraceA },
	{ "FlushTraceA", FlushTraceA },
	{ "UpdateTraceA", UpdateTraceA },
	{ "QueryTraceW", wide_QueryTrace },
	{ "StopTraceW", wide_StopTrace },
	{ "FlushTraceW", wide_FlushTrace },
	{ "UpdateTraceW", wide_UpdateTrace },
};

static TRACEHANDLE session;

/* The session goes on: it can be queried by its handle */
static bool session_runs(void)
{
	struct private_properties p;

	private_init(&p, IN_PROC, NULL);
	return !QueryTraceA(session, NULL, &p.p) && !strcmp(p.name, "each");
}

static bool refused(const struct form *form, ULONG code, TRACEHANDLE h,
		    const char *name, struct properties *p)
{
	return form->call(h, name, p ? &p->p : NULL) == code && session_runs();
}

/* Properties with the name of this process's session */
static struct properties of_this_process(void)
{
	struct properties p = properties_for("");

	p.p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE;
	return p;
}

static void test_form_names(const struct form *form)
{
	struct properties p = of_this_process();

	CHECK(refused(form, ERROR_INVALID_PARAMETER, session, NULL, NULL),
	      "%s refuses NULL for the properties", form->name);
	CHECK(refused(form, ERROR_INVALID_PARAMETER, 0, NULL, &p),
	      "%s refuses neither a handle nor a name", form->name);
	p.p.Wnode.Guid = SystemTraceControlGuid;
	CHECK(refused(form, ERROR_INVALID_PARAMETER, 0, "each", &p),
	      "%s refuses the id of the NT Kernel Logger", form->name);
	CHECK(refused(form, ERROR_WMI_INSTANCE_NOT_FOUND, 0,
		      KERNEL_LOGGER_NAMEA, &p),
	      "%s does not find the NT Kernel Logger", form->name);
}

static void test_form_sizes(const struct form *form)
{
	struct properties p = of_this_process();

	p.p.Wnode.BufferSize = 0;
	CHECK(refused(form, ERROR_BAD_LENGTH, session, NULL, &p),
	      "%s refuses a BufferSize of 0", form->name);
	p.p.Wnode.BufferSize = sizeof(p.p) - 1;
	CHECK(refused(form, ERROR_BAD_LENGTH, session, NULL, &p),
	      "%s refuses a BufferSize below that of properties", form->name);
	p = of_this_process();
	p.p.LoggerNameOffset = 8;
	CHECK(refused(form, ERROR_INVALID_PARAMETER, session, NULL, &p),
	      "%s refuses a LoggerNameOffset of 8", form->name);
	p = of_this_process();
	p.p.LogFileNameOffset = sizeof(p);
	CHECK(refused(form, ERROR_INVALID_PARAMETER, session, NULL, &p),
	      "%s refuses a LogFileNameOffset behind the end", form->name);
}

static void test_forms(void)
{
	struct private_properties p;
	struct properties q = of_this_process();
	unsigned int i;

	if (private_start(&p, "each", &session))
		abort();
	for (i = 0; i < EVNT_ARRAY_SIZE(forms); i++) {
		test_form_names(&forms[i]);
		test_form_sizes(&forms[i]);
	}
	CHECK(ControlTraceA(session, NULL, &q.p, 6) ==
	      ERROR_INVALID_PARAMETER &&
	      ControlTraceA(session, NULL, &q.p, ~0u) ==
	      ERROR_INVALID_PARAMETER && session_runs(),
	      "ControlTrace refuses unknown codes");
	CHECK(!private_stop(&p, session), "the session has run all the time");
}

static void test_query_all(void)
{
	struct properties p[3] = { good(), good(), good() };
	PEVENT_TRACE_PROPERTIES array[65];
	ULONG count = 99;
	unsigned int i;

	for (i = 0; i < 65; i++)
		array[i] = &p[i % 3].p;
	CHECK(QueryAllTracesA(NULL, 3, &count) == ERROR_INVALID_PARAMETER &&
	      QueryAllTracesW(NULL, 3, &count) == ERROR_INVALID_PARAMETER,
	      "QueryAllTraces refuses NULL for the array");
	CHECK(QueryAllTracesA(array, 0, &count) == ERROR_INVALID_PARAMETER &&
	      QueryAllTracesA(array, 3, NULL) == ERROR_INVALID_PARAMETER,
	      "QueryAllTraces refuses no elements, and NULL for their number");
	CHECK(QueryAllTracesA(array, 65, &count) == ERROR_INVALID_PARAMETER &&
	      QueryAllTracesA(array, ~0u, &count) == ERROR_INVALID_PARAMETER,
	      "QueryAllTraces refuses more than 64 elements");
	p[1].p.LoggerNameOffset = sizeof(p[1]);
	CHECK(QueryAllTracesA(array, 3, &count) == ERROR_INVALID_PARAMETER,
	      "QueryAllTraces checks the offsets of each element");
	p[1] = good();
	p[2].p.Wnode.BufferSize = 8;
	CHECK(QueryAllTracesA(array, 3, &count) == ERROR_BAD_LENGTH,
	      "QueryAllTraces checks the size of each element");
	array[2] = NULL;
	CHECK(QueryAllTracesA(array, 3, &count) == ERROR_INVALID_PARAMETER,
	      "QueryAllTraces refuses NULL for an element");
}

int main(void)
{
	test_start_null();
	test_start_names();
	test_start_sizes();
	test_start_wnode();
	test_start_modes();
	test_start_without_a_file();
	test_v2_errors();
	test_v2_filters();
	test_v2_is_version_1_without_its_flag();
	test_forms();
	test_query_all();
	private_clean();
	return tap_end();
}
