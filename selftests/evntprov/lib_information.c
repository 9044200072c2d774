// SPDX-License-Identifier: GPL-2.0
/*
 * TraceQueryInformation, TraceSetInformation and the information classes of
 * EnumerateTraceGuidsEx: what each class tells, and each documented error.
 */
#include <stdatomic.h>
#include <time.h>

#include "harness.h"

#include "lib.h"

#define UNTOUCHED	0xa5a5a5a5u

/* A list of TracePeriodicCaptureStateListInfo */
struct list {
	TRACE_PERIODIC_CAPTURE_STATE_INFO info;
	GUID providers[257];
};

static atomic_uint captures;

static void NTAPI count_captures(LPCGUID source, ULONG code, UCHAR level,
				 ULONGLONG any, ULONGLONG all,
				 PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	if (code == EVENT_CONTROL_CODE_CAPTURE_STATE)
		captures++;
}

FIXTURE(information) {
	TRACEHANDLE session;
	TRACEHANDLE gone;
	REGHANDLE handle;
	GUID id;
	struct list list;
};

FIXTURE_SETUP(information)
{
	self->id = provider_id(1);
	self->session = session_start("information");
	ASSERT_NE(0, self->session);
	self->gone = self->session + 65536;
	ASSERT_EQ(0, EventRegister(&self->id, count_captures, NULL,
				   &self->handle));
	memset(&self->list, 0, sizeof(self->list));
	self->list.info.CaptureStateFrequencyInSeconds = 1;
	self->list.info.ProviderCount = 1;
	self->list.providers[0] = self->id;
}

FIXTURE_TEARDOWN(information)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink("/tmp/information.etl");
}

#define QUERY(session, class, out, len) ({				\
	returned = UNTOUCHED;						\
	TraceQueryInformation(session, class, out, len, &returned); })

/* How many processors may come, as the kernel says: 0-1 */
static ULONG possible_cpus(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "r");
	unsigned int last = 0;

	if (!f || fscanf(f, "0-%u", &last) < 0)
		return 0;
	fclose(f);
	return last + 1;
}

TEST_F(information, TraceMaxLoggersQuery)
{
	ULONG returned, n = 0;

	EXPECT_EQ(0, QUERY(0, TraceMaxLoggersQuery, &n, sizeof(n)));
	EXPECT_EQ(64, n);
	EXPECT_EQ(4, returned);
	EXPECT_EQ(ERROR_BAD_LENGTH, QUERY(0, TraceMaxLoggersQuery, &n, 3));
	EXPECT_EQ(4, returned);
	EXPECT_EQ(50, TraceSetInformation(self->session, TraceMaxLoggersQuery,
					  &n, sizeof(n)));
}

TEST_F(information, EnumerateTraceGuidsEx_TraceMaxLoggersQuery)
{
	ULONG returned = UNTOUCHED, n = 0;

	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER,
		  EnumerateTraceGuidsEx(TraceMaxLoggersQuery, NULL, 0, NULL, 0,
					&returned));
	EXPECT_EQ(4, returned);
	EXPECT_EQ(0, EnumerateTraceGuidsEx(TraceMaxLoggersQuery, NULL, 0, &n,
					   sizeof(n), &returned));
	EXPECT_EQ(64, n);
}

TEST_F(information, TraceVersionInfo)
{
	TRACE_VERSION_INFO v = { 0, UNTOUCHED };
	ULONG returned;

	EXPECT_EQ(0, QUERY(0, TraceVersionInfo, &v, sizeof(v)));
	EXPECT_EQ(1, v.EtwTraceProcessingVersion);
	EXPECT_EQ(0, v.Reserved);
	EXPECT_EQ(8, returned);
	EXPECT_EQ(ERROR_BAD_LENGTH, QUERY(0, TraceVersionInfo, &v, 7));
}

TEST_F(information, TraceStreamCount)
{
	ULONG returned, n = 0;

	EXPECT_EQ(0, QUERY(self->session, TraceStreamCount, &n, sizeof(n)));
	EXPECT_EQ(possible_cpus(), n);
	EXPECT_EQ(ERROR_BAD_LENGTH,
		  QUERY(self->session, TraceStreamCount, &n, 0));
	EXPECT_EQ(87, QUERY(0, TraceStreamCount, &n, sizeof(n)));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  QUERY(self->gone, TraceStreamCount, &n, sizeof(n)));
}

TEST_F(information, TraceSystemTraceEnableFlagsInfo)
{
	ULONG returned, masks[8], i;
	const int class = TraceSystemTraceEnableFlagsInfo;

	memset(masks, 0xff, sizeof(masks));
	EXPECT_EQ(0, QUERY(self->session, class, masks, sizeof(masks)));
	EXPECT_EQ(32, returned);
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, masks[i]);
	EXPECT_EQ(0, TraceSetInformation(self->session, class, masks,
					 sizeof(masks)));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  TraceSetInformation(self->gone, class, masks, sizeof(masks)));
	EXPECT_EQ(ERROR_BAD_LENGTH,
		  TraceSetInformation(self->session, class, masks, 31));
	/* There are no events of the kernel */
	masks[7] = 1;
	EXPECT_EQ(50, TraceSetInformation(self->session, class, masks,
					  sizeof(masks)));
}

TEST_F(information, TracePeriodicCaptureStateInfo_is_the_shortest_period)
{
	TRACE_PERIODIC_CAPTURE_STATE_INFO info = { 0, 9, 9 };
	ULONG returned;

	EXPECT_EQ(0, QUERY(self->session, TracePeriodicCaptureStateInfo, &info,
			   sizeof(info)));
	EXPECT_EQ(8, returned);
	EXPECT_EQ(1, info.CaptureStateFrequencyInSeconds);
	EXPECT_EQ(0, info.ProviderCount);
	EXPECT_EQ(0, info.Reserved);
	EXPECT_EQ(50, TraceSetInformation(self->session,
					  TracePeriodicCaptureStateInfo, &info,
					  sizeof(info)));
}

static ULONG set_list(TRACEHANDLE session, const struct list *list, ULONG len)
{
	return TraceSetInformation(session, TracePeriodicCaptureStateListInfo,
				   (PVOID)list, len);
}

TEST_F(information, TracePeriodicCaptureStateListInfo_errors)
{
	const ULONG len = sizeof(self->list.info) + sizeof(GUID);
	struct list *l = &self->list;

	EXPECT_EQ(87, set_list(0, l, len));
	EXPECT_EQ(87, set_list(self->session, NULL, len));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND, set_list(self->gone, l, len));
	EXPECT_EQ(ERROR_BAD_LENGTH, set_list(self->session, l, 7));
	EXPECT_EQ(ERROR_BAD_LENGTH, set_list(self->session, l, len - 1));
	l->info.CaptureStateFrequencyInSeconds = 0;
	EXPECT_EQ(87, set_list(self->session, l, len));
	l->info.CaptureStateFrequencyInSeconds = 86401;
	EXPECT_EQ(87, set_list(self->session, l, len));
	l->info.CaptureStateFrequencyInSeconds = 86400;
	l->info.Reserved = 1;
	EXPECT_EQ(87, set_list(self->session, l, len));
	l->info.Reserved = 0;
	l->info.ProviderCount = 0;
	EXPECT_EQ(87, set_list(self->session, l, len));
	l->info.ProviderCount = 257;
	EXPECT_EQ(87, set_list(self->session, l, sizeof(*l)));
	l->info.ProviderCount = 256;
	EXPECT_EQ(0, set_list(self->session, l, sizeof(*l)));
}

TEST_F(information, TracePeriodicCaptureStateListInfo_is_told)
{
	const int class = TracePeriodicCaptureStateListInfo;
	ULONG returned, len = sizeof(self->list.info) + sizeof(GUID);
	struct list l;

	memset(&l, 0xa5, sizeof(l));
	EXPECT_EQ(0, QUERY(self->session, class, &l, sizeof(l)));
	EXPECT_EQ(8, returned);
	EXPECT_EQ(0, l.info.CaptureStateFrequencyInSeconds);
	EXPECT_EQ(0, l.info.ProviderCount);
	self->list.info.CaptureStateFrequencyInSeconds = 1000;
	ASSERT_EQ(0, set_list(self->session, &self->list, len));
	EXPECT_EQ(ERROR_BAD_LENGTH,
		  QUERY(self->session, class, &l, len - 1));
	EXPECT_EQ(len, returned);
	EXPECT_EQ(0, QUERY(self->session, class, &l, len));
	EXPECT_EQ(0, memcmp(&l, &self->list, len));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  QUERY(self->gone, class, &l, len));
	EXPECT_EQ(87, QUERY(0, class, &l, len));
	/* What is set is instead of what was, and nothing stops it */
	ASSERT_EQ(0, set_list(self->session, NULL, 0));
	EXPECT_EQ(0, QUERY(self->session, class, &l, sizeof(l)));
	EXPECT_EQ(8, returned);
}

/* For longer than two periods */
static bool captures_stay(void)
{
	unsigned int n = captures;

	usleep(2500000);
	return n == captures;
}

TEST_F(information, TracePeriodicCaptureStateListInfo_asks_who_is_enabled)
{
	const ULONG len = sizeof(self->list.info) + sizeof(GUID);
	time_t since;
	unsigned int n;

	ASSERT_EQ(0, set_list(self->session, &self->list, len));
	usleep(2500000);
	EXPECT_EQ(0, captures);
	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_TRUE(EVENTUALLY(captures >= 3));
	/* As often as was said, and no more often: a second each */
	n = captures;
	since = time(NULL);
	usleep(1500000);
	EXPECT_LE(captures - n, time(NULL) - since + 1);
	ASSERT_EQ(0, set_list(self->session, NULL, 0));
	EXPECT_TRUE(EVENTUALLY(captures_stay()));
	/* It is still at it when the session stops */
	ASSERT_EQ(0, set_list(self->session, &self->list, len));
}

TEST_F(information, classes_that_have_no_meaning_here)
{
	static const int none[] = {
		TraceStackTracingInfo, TraceSampledProfileIntervalInfo,
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
	ULONG i, returned;
	char out[256];

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		EXPECT_EQ(50, QUERY(self->session, none[i], out, sizeof(out)));
		EXPECT_EQ(UNTOUCHED, returned);
		EXPECT_EQ(50, TraceSetInformation(self->session, none[i], out,
						  sizeof(out)));
		if (none[i] <= TraceGuidQueryProcess)
			continue;
		EXPECT_EQ(50, EnumerateTraceGuidsEx(none[i], NULL, 0, out,
						    sizeof(out), &returned));
	}
	EXPECT_EQ(50, TraceSetInformation(self->session, TraceVersionInfo, out,
					  8));
	EXPECT_EQ(50, TraceSetInformation(self->session, TraceStreamCount, out,
					  4));
}

TEST_F(information, ERROR_INVALID_PARAMETER)
{
	ULONG returned, n;

	EXPECT_EQ(87, QUERY(self->session, MaxTraceSetInfoClass, &n, 4));
	EXPECT_EQ(87, QUERY(self->session, -1, &n, 4));
	EXPECT_EQ(87, QUERY(self->session, TraceStreamCount, NULL, 4));
	EXPECT_EQ(87, TraceSetInformation(self->session, MaxTraceSetInfoClass,
					  &n, 4));
	EXPECT_EQ(87, TraceSetInformation(self->session,
					  TraceSystemTraceEnableFlagsInfo,
					  NULL, 32));
	/* That the length is not asked for is no error */
	EXPECT_EQ(0, TraceQueryInformation(self->session, TraceStreamCount, &n,
					   4, NULL));
}

TEST_F(information, ERROR_ACCESS_DENIED)
{
	TRACEHANDLE h = self->session;
	const int groups = TraceSystemTraceEnableFlagsInfo;
	ULONG masks[8] = {}, n;

	EXPECT_EQ(5, AS_NOBODY(TraceQueryInformation(h, TraceStreamCount, &n, 4,
						     NULL)));
	EXPECT_EQ(5, AS_NOBODY(TraceSetInformation(h, groups, masks, 32)));
	EXPECT_EQ(5, AS_NOBODY(set_list(h, NULL, 0)));
}

/* EVENT_TRACE_PROPERTIES_V2, with room for two names */
struct properties_v2 {
	EVENT_TRACE_PROPERTIES_V2 p;
	char session[64];
	char log[64];
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
	strcpy(p.log, log);
	return p;
}

static ULONG start(struct properties_v2 *p, TRACEHANDLE *h)
{
	return StartTraceA(h, "version 2", (EVENT_TRACE_PROPERTIES *)p);
}

static ULONG query(TRACEHANDLE h, struct properties_v2 *p)
{
	return QueryTraceA(h, NULL, (EVENT_TRACE_PROPERTIES *)p);
}

TEST(EVENT_TRACE_PROPERTIES_V2_is_taken_wherever_the_first_is)
{
	struct properties_v2 p = version_2("/tmp/v2.etl");
	EVENT_TRACE_PROPERTIES *all[1];
	TRACEHANDLE h;
	ULONG n;

	p.p.BufferSize = 16;
	p.p.V2Options = 0xc;	/* LargeMdlPages, ExcludeKernelStack */
	ASSERT_EQ(0, start(&p, &h));
	EXPECT_EQ(16, p.p.BufferSize);
	EXPECT_STREQ("version 2", p.session);
	EXPECT_EQ(2, p.p.V2Control);
	EXPECT_EQ(0xc, p.p.V2Options);
	p = version_2("");
	EXPECT_EQ(0, query(h, &p));
	EXPECT_STREQ("/tmp/v2.etl", p.log);
	EXPECT_EQ(0, FlushTraceA(h, NULL, (EVENT_TRACE_PROPERTIES *)&p));
	p = version_2("");
	EXPECT_EQ(0, UpdateTraceA(h, NULL, (EVENT_TRACE_PROPERTIES *)&p));
	all[0] = (EVENT_TRACE_PROPERTIES *)&p;
	EXPECT_EQ(0, QueryAllTracesA(all, 1, &n));
	EXPECT_EQ(1, n);
	EXPECT_EQ(0, StopTraceA(h, NULL, (EVENT_TRACE_PROPERTIES *)&p));
	unlink("/tmp/v2.etl");
}

TEST(EVENT_TRACE_PROPERTIES_V2_errors)
{
	EVENT_FILTER_DESCRIPTOR f[14] = {
		{ .Type = EVENT_FILTER_TYPE_PID },
		{ .Type = EVENT_FILTER_TYPE_EXECUTABLE_NAME },
		{ .Type = EVENT_FILTER_TYPE_PID },
	};
	struct properties_v2 p;
	TRACEHANDLE h;

#define V2_FAILS(code, ...) ({						\
	p = version_2("/tmp/v2.etl");					\
	__VA_ARGS__;							\
	EXPECT_EQ(code, start(&p, &h));					\
	EXPECT_EQ(0, h);						\
	p = version_2("");						\
	__VA_ARGS__;							\
	EXPECT_EQ(code, query(1, &p)); })
	V2_FAILS(ERROR_BAD_LENGTH, p.p.Wnode.BufferSize = 143);
	/* Names do not begin in what the second version has more */
	V2_FAILS(87, p.p.LoggerNameOffset = 120);
	V2_FAILS(87, p.p.LogFileNameOffset = 143);
	V2_FAILS(87, p.p.V2Control = 0);
	V2_FAILS(87, p.p.V2Control = 1);
	V2_FAILS(87, p.p.V2Control = 3);
	V2_FAILS(87, p.p.V2Control = 0x102);
	V2_FAILS(87, p.p.Wow = 1);
	V2_FAILS(87, p.p.V2Options = 0x10);
	V2_FAILS(50, p.p.QpcDeltaTracking = 1);
	/* Filters are for private sessions of the whole system */
	V2_FAILS(87, p.p.FilterDescCount = 1; p.p.FilterDesc = f);
#define PRIVATE(mode, first, count)					\
	p.p.LogFileMode = EVENT_TRACE_PRIVATE_LOGGER_MODE | (mode);	\
	p.p.FilterDescCount = count; p.p.FilterDesc = first
	V2_FAILS(87, PRIVATE(EVENT_TRACE_PRIVATE_IN_PROC, f, 1));
	V2_FAILS(87, PRIVATE(0, NULL, 1));
	V2_FAILS(87, PRIVATE(0, f, 14));
	V2_FAILS(87, PRIVATE(0, f, 3));
	V2_FAILS(87, PRIVATE(0, f + 3, 1));
	/* What processes they have is not said */
	V2_FAILS(87, PRIVATE(0, f, 2));
	/* Without its flag the second version is the first */
	p = version_2("/tmp/v2.etl");
	p.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
	p.p.V2Control = 9;
	p.p.V2Options = ~0ull;
	ASSERT_EQ(0, start(&p, &h));
	EXPECT_EQ(0, session_stop(h, NULL));
	unlink("/tmp/v2.etl");
}

TEST_HARNESS_MAIN
