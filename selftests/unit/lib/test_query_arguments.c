// SPDX-License-Identifier: MIT
/*
 * EnableTraceEx2 and its older forms, EnumerateTraceGuids and its newer form,
 * TraceQueryInformation and TraceSetInformation: each rule for an argument that
 * the library checks itself, before it opens the device.
 *
 * Errors that the module returns are in selftests/evntprov.
 */
#define _GNU_SOURCE
#include "selftests/unit/common/no_device.h"

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/tap.h"

#define DISABLE		EVENT_CONTROL_CODE_DISABLE_PROVIDER
#define ENABLE		EVENT_CONTROL_CODE_ENABLE_PROVIDER
#define CAPTURE		EVENT_CONTROL_CODE_CAPTURE_STATE
/* To the library, a session of the module */
#define OTHERS		((TRACEHANDLE)0x10001)
#define UNTOUCHED	0xa5a5a5a5u

static TRACEHANDLE session;
static REGHANDLE registration;
static unsigned int calls;

static void NTAPI on_enable(LPCGUID source, ULONG code, UCHAR level,
			    ULONGLONG any, ULONGLONG all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)code;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	(void)context;
	calls++;
}

/* The call is refused without side effects */
static bool refused_as(ULONG want, ULONG code)
{
	bool alone = !dev_attempts && !calls &&
		     !EventProviderEnabled(registration, 0, 0);

	dev_attempts = 0;
	calls = 0;
	return code == want && alone;
}

static bool refused(ULONG code)
{
	return refused_as(ERROR_INVALID_PARAMETER, code);
}

/* The call reaches the device */
static bool is_passed_on(ULONG code)
{
	bool once = dev_attempts == 1;

	dev_attempts = 0;
	return code == ERROR_NOT_SUPPORTED && once;
}

static ULONG enable(TRACEHANDLE h, LPCGUID id, ULONG code)
{
	return EnableTraceEx2(h, id, code, 0, 0, 0, 0, NULL);
}

static void test_enable_null(void)
{
	ULONG code;

	for (code = DISABLE; code <= CAPTURE; code++) {
		CHECK(refused(enable(session, NULL, code)) &&
		      refused(enable(OTHERS, NULL, code)),
		      "EnableTraceEx2 with code %u refuses NULL for the provider",
		      code);
		CHECK(refused(enable(0, &provider, code)),
		      "EnableTraceEx2 with code %u refuses handle 0", code);
		CHECK(is_passed_on(enable(OTHERS, &provider, code)),
		      "EnableTraceEx2 with code %u takes others", code);
	}
}

static ULONG enable_with(TRACEHANDLE h, ULONG code, ULONG version, ULONG flags)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = version, .ControlFlags = flags,
	};

	return EnableTraceEx2(h, &provider, code, 0, 0, 0, 0, &p);
}

static bool all_refuse(ULONG version, ULONG flags)
{
	unsigned int right = 0;
	ULONG code;

	for (code = DISABLE; code <= CAPTURE; code++)
		right += refused(enable_with(session, code, version, flags)) &&
			 refused(enable_with(OTHERS, code, version, flags));
	return right == 3;
}

static bool all_pass_on(ULONG version)
{
	unsigned int right = 0;
	ULONG code;

	for (code = DISABLE; code <= CAPTURE; code++)
		right += is_passed_on(enable_with(OTHERS, code, version, 0));
	return right == 3;
}

static void test_enable_parameters(void)
{
	CHECK(all_refuse(0, 0) && all_refuse(3, 0) && all_refuse(~0u, 0),
	      "EnableTraceEx2 refuses parameters of unknown versions");
	CHECK(all_refuse(1, 1) && all_refuse(2, 1) && all_refuse(2, 1u << 31),
	      "EnableTraceEx2 refuses any ControlFlags");
	CHECK(all_pass_on(1) && all_pass_on(2),
	      "EnableTraceEx2 takes parameters of versions 1 and 2");
}

static ULONG enable_ex(TRACEHANDLE h, LPCGUID id, ULONG code)
{
	return EnableTraceEx(id, NULL, h, code, 0, 0, 0, 0, NULL);
}

static void test_older_enables(void)
{
	CHECK(refused(enable_ex(session, NULL, 1)) &&
	      refused(enable_ex(OTHERS, NULL, 1)) &&
	      refused(enable_ex(0, &provider, 1)),
	      "EnableTraceEx refuses NULL for the provider, and handle 0");
	CHECK(refused(enable_ex(session, &provider, 2)) &&
	      refused(enable_ex(OTHERS, &provider, 2)) &&
	      refused(enable_ex(OTHERS, &provider, ~0u)),
	      "EnableTraceEx refuses IsEnabled above 1");
	CHECK(is_passed_on(enable_ex(OTHERS, &provider, 1)) &&
	      is_passed_on(enable_ex(OTHERS, &provider, 0)),
	      "EnableTraceEx takes an IsEnabled of 0 and 1");
	CHECK(refused(EnableTrace(TRUE, 0, 0, NULL, session)) &&
	      refused(EnableTrace(TRUE, 0, 0, NULL, OTHERS)) &&
	      refused(EnableTrace(TRUE, 0, 0, &provider, 0)),
	      "EnableTrace refuses NULL for the provider, and handle 0");
	CHECK(refused(EnableTrace(TRUE, 0, 256, &provider, session)) &&
	      refused(EnableTrace(TRUE, 0, 256, &provider, OTHERS)) &&
	      refused(EnableTrace(FALSE, 0, ~0u, &provider, OTHERS)),
	      "EnableTrace refuses a level above 255");
	CHECK(is_passed_on(EnableTrace(TRUE, 0, 255, &provider, OTHERS)) &&
	      is_passed_on(EnableTrace(7, 0, 0, &provider, OTHERS)),
	      "EnableTrace takes level 255");
}

/* Levels of EnableTrace, in a session of this process */
static void test_levels(void)
{
	CHECK(!EnableTrace(TRUE, 0, 255, &provider, session) &&
	      EventProviderEnabled(registration, 255, 0) && calls == 1,
	      "EnableTrace enables all levels with 255");
	CHECK(!EnableTrace(TRUE, 0, 2, &provider, session) &&
	      EventProviderEnabled(registration, 2, 0) &&
	      !EventProviderEnabled(registration, 3, 0) && calls == 2,
	      "EnableTrace enables the level that it is given");
	CHECK(!enable_ex(session, &provider, 0) && calls == 3 &&
	      !EventProviderEnabled(registration, 0, 0) &&
	      !enable_ex(session, &provider, 1) && calls == 4 &&
	      EventProviderEnabled(registration, 255, 0),
	      "EnableTraceEx disables with 0, and enables with 1");
	CHECK(!EnableTrace(FALSE, 0, 0, &provider, session) && calls == 5 &&
	      !EventProviderEnabled(registration, 0, 0),
	      "EnableTrace disables with FALSE");
	calls = 0;
	dev_attempts = 0;
}

static GUID ids[4];
static ULONG length;

static ULONG enumerate(int class, PVOID in, ULONG in_size, PVOID out,
		       ULONG out_size)
{
	length = UNTOUCHED;
	return EnumerateTraceGuidsEx(class, in, in_size, out, out_size,
				     &length);
}

static void test_enumerate_ex(void)
{
	static const int about_one[] = { TraceGuidQueryInfo,
					 TraceGroupQueryInfo };
	GUID in[2] = { provider };
	unsigned int i;

	CHECK(refused(EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, ids,
					    16, NULL)),
	      "EnumerateTraceGuidsEx refuses NULL for the length");
	CHECK(refused(enumerate(TraceGuidQueryList, NULL, 0, NULL, 16)),
	      "EnumerateTraceGuidsEx refuses a size without a buffer");
	CHECK(refused(enumerate(MaxTraceSetInfoClass, NULL, 0, ids, 16)) &&
	      refused(enumerate(-1, NULL, 0, ids, 16)),
	      "EnumerateTraceGuidsEx refuses unknown classes");
	for (i = 0; i < EVNT_ARRAY_SIZE(about_one); i++) {
		CHECK(refused(enumerate(about_one[i], NULL, 16, ids, 16)) &&
		      refused(enumerate(about_one[i], in, 15, ids, 16)) &&
		      refused(enumerate(about_one[i], in, 17, ids, 16)) &&
		      length == UNTOUCHED,
		      "EnumerateTraceGuidsEx with class %d takes one GUID",
		      about_one[i]);
		CHECK(is_passed_on(enumerate(about_one[i], in, 16, ids, 16)),
		      "class %d with a GUID needs the module", about_one[i]);
	}
	CHECK(is_passed_on(enumerate(TraceGuidQueryList, NULL, 0, NULL, 0)),
	      "EnumerateTraceGuidsEx takes no buffer of no size");
}

static void test_enumerate(void)
{
	TRACE_GUID_PROPERTIES g, *array[2] = { &g, NULL };
	ULONG count = UNTOUCHED;

	CHECK(refused(EnumerateTraceGuids(NULL, 1, &count)) &&
	      refused(EnumerateTraceGuids(array, 0, &count)) &&
	      refused(EnumerateTraceGuids(array, 1, NULL)),
	      "EnumerateTraceGuids refuses no array, and no count");
	CHECK(refused(EnumerateTraceGuids(array, 2, &count)) &&
	      count == UNTOUCHED,
	      "EnumerateTraceGuids refuses NULL for an element");
	CHECK(is_passed_on(EnumerateTraceGuids(array, 1, &count)),
	      "EnumerateTraceGuids takes one element");
}

static ULONG query(TRACEHANDLE h, int class, PVOID out, ULONG size)
{
	length = UNTOUCHED;
	return TraceQueryInformation(h, class, out, size, &length);
}

static void test_information(void)
{
	const int groups = TraceSystemTraceEnableFlagsInfo;
	static CLASSIC_EVENT_ID stacks[256];
	ULONG n = 0, masks[8] = {};

	CHECK(refused(query(OTHERS, MaxTraceSetInfoClass, &n, 4)) &&
	      refused(query(OTHERS, -1, &n, 4)) &&
	      refused(TraceSetInformation(OTHERS, MaxTraceSetInfoClass, &n,
					  4)) &&
	      refused(TraceSetInformation(OTHERS, -1, &n, 4)),
	      "information: unknown classes are refused");
	CHECK(refused(query(OTHERS, TraceStreamCount, NULL, 4)) &&
	      refused(TraceSetInformation(OTHERS, groups, NULL, 32)),
	      "information: a size without a buffer is refused");
	CHECK(refused(query(0, TraceStreamCount, &n, 4)) &&
	      refused(TraceSetInformation(0, groups, masks, 32)),
	      "information: handle 0 is refused where a session is meant");
	CHECK(is_passed_on(query(OTHERS, TraceStreamCount, &n, 4)) &&
	      is_passed_on(TraceQueryInformation(OTHERS, TraceStreamCount, &n,
						 4, NULL)) &&
	      is_passed_on(query(0, TraceMaxLoggersQuery, &n, 4)) &&
	      is_passed_on(TraceSetInformation(OTHERS, groups, masks, 32)),
	      "information: other calls need the module");
	CHECK(is_passed_on(TraceSetInformation(OTHERS, TraceStackTracingInfo,
					       stacks, sizeof(stacks))),
	      "TraceStackTracingInfo: 256 events are passed on");
}

/* Windows' classes that have no meaning here */
static void test_classes_without_meaning(void)
{
	static const int none[] = {
		TraceProfileSourceConfigInfo, TraceProfileSourceListInfo,
		TracePmcEventListInfo, TracePmcCounterListInfo,
		TraceInfoReserved15, TraceProviderBinaryTracking,
		TraceLbrConfigurationInfo,
		TraceLbrEventListInfo, TraceMaxPmcCounterQuery,
		TraceStackCachingInfo, TracePmcCounterOwners,
		TraceUnifiedStackCachingInfo, TracePmcSessionInformation,
		TraceContextRegisterInfo, TraceGuidQueryList,
		TraceGuidQueryInfo, TraceGuidQueryProcess,
	};
	const ULONG code = ERROR_NOT_SUPPORTED;
	char out[256] = {};
	unsigned int i;

	for (i = 0; i < EVNT_ARRAY_SIZE(none); i++) {
		CHECK(refused_as(code, query(OTHERS, none[i], out,
					     sizeof(out))) &&
		      length == UNTOUCHED &&
		      refused_as(code, TraceSetInformation(OTHERS, none[i], out,
							   sizeof(out))),
		      "information class %d is not supported", none[i]);
		if (none[i] > TraceGuidQueryProcess)
			CHECK(refused_as(code, enumerate(none[i], NULL, 0, out,
							 sizeof(out))),
			      "EnumerateTraceGuidsEx has no class %d", none[i]);
	}
	CHECK(refused_as(code, TraceSetInformation(OTHERS, TraceVersionInfo,
						   out, 8)) &&
	      refused_as(code, TraceSetInformation(OTHERS, TraceStreamCount,
						   out, 4)),
	      "information that can only be queried cannot be set");
}

int main(void)
{
	struct private_properties p;

	if (EventRegister(&provider, on_enable, NULL, &registration) ||
	    private_start(&p, "query", &session))
		return 1;
	dev_attempts = 0;
	test_enable_null();
	test_enable_parameters();
	test_older_enables();
	test_levels();
	test_enumerate_ex();
	test_enumerate();
	test_information();
	test_classes_without_meaning();
	private_stop(&p, session);
	EventUnregister(registration);
	private_clean();
	return tap_end();
}
