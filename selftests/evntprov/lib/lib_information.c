// SPDX-License-Identifier: GPL-2.0
/*
 * TraceQueryInformation, TraceSetInformation and the information classes of
 * EnumerateTraceGuidsEx: the result of each class, and each documented error
 * that involves the module.  Classes that are not supported, and rules for
 * arguments that the library checks alone, are in selftests/unit.
 */
#include <stdatomic.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define UNTOUCHED	0xa5a5a5a5u

/* A list of TracePeriodicCaptureStateListInfo */
struct list {
	TRACE_PERIODIC_CAPTURE_STATE_INFO info;
	GUID providers[257];
};

static void NTAPI count_captures(LPCGUID source, ULONG code, UCHAR level,
				 ULONGLONG any, ULONGLONG all,
				 PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	atomic_uint *captures = context;

	if (code == EVENT_CONTROL_CODE_CAPTURE_STATE)
		(*captures)++;
}

FIXTURE(information) {
	TRACEHANDLE session;
	TRACEHANDLE gone;
	REGHANDLE handle;
	atomic_uint captures;
	GUID id;
	struct list list;
};

FIXTURE_SETUP(information)
{
	self->id = provider_id(1);
	self->session = session_start("information");
	ASSERT_NE(0, self->session);
	self->gone = self->session + 65536;
	ASSERT_EQ(0, EventRegister(&self->id, count_captures,
				   &self->captures, &self->handle));
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

/* Number of possible processors, from the kernel's range such as 0-1 */
static ULONG possible_cpus(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "r");
	unsigned int last = 0;

	if (!f || fscanf(f, "0-%u", &last) < 0)
		return 0;
	fclose(f);
	return last + 1;
}

TEST_F(information, TraceMaxLoggersQuery_is_64)
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

TEST_F(information, EnumerateTraceGuidsEx_returns_TraceMaxLoggersQuery)
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

TEST_F(information, TraceVersionInfo_is_version_1)
{
	TRACE_VERSION_INFO v = { 0, UNTOUCHED };
	ULONG returned;

	EXPECT_EQ(0, QUERY(0, TraceVersionInfo, &v, sizeof(v)));
	EXPECT_EQ(1, v.EtwTraceProcessingVersion);
	EXPECT_EQ(0, v.Reserved);
	EXPECT_EQ(8, returned);
	EXPECT_EQ(ERROR_BAD_LENGTH, QUERY(0, TraceVersionInfo, &v, 7));
}

TEST_F(information, TraceStreamCount_is_the_number_of_processors)
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

TEST_F(information, TraceSystemTraceEnableFlagsInfo_accepts_only_zero)
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
	/* Kernel events are not supported */
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

TEST_F(information, TracePeriodicCaptureStateListInfo_returns_the_list)
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
	/* Setting a list replaces the old one; an empty list ends requests */
	ASSERT_EQ(0, set_list(self->session, NULL, 0));
	EXPECT_EQ(0, QUERY(self->session, class, &l, sizeof(l)));
	EXPECT_EQ(8, returned);
}

static LONGLONG now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* The module's timer counts jiffies, and the first one is partly over */
#define TICK_MS		10

/*
 * The list has two providers, of which the second is enabled.  The module
 * notifies them in this order, and the library calls in the same order: when
 * the second one's callback runs, the first one's would have run.
 */
TEST_F(information, TracePeriodicCaptureStateListInfo_reaches_enabled_providers)
{
	const ULONG len = sizeof(self->list.info) + 2 * sizeof(GUID);
	atomic_uint others = 0;
	unsigned int requested;
	REGHANDLE second;
	LONGLONG since;
	GUID id = provider_id(2);

	ASSERT_EQ(0, EventRegister(&id, count_captures, &others, &second));
	ASSERT_EQ(0, session_enable(self->session, 2));
	self->list.info.ProviderCount = 2;
	self->list.providers[1] = id;
	since = now_ms();
	ASSERT_EQ(0, set_list(self->session, &self->list, len));
	ASSERT_TRUE(EVENTUALLY(others));
	EXPECT_EQ(0, self->captures);
	ASSERT_EQ(0, session_enable(self->session, 1));
	ASSERT_TRUE(EVENTUALLY(self->captures));
	/* The second one's callback of this request may still be due */
	ASSERT_TRUE(EVENTUALLY(others >= 2));
	/* Requests are at least a second apart */
	requested = others;
	EXPECT_LE(requested * 1000LL, now_ms() - since + requested * TICK_MS);
	EXPECT_EQ(0, EventUnregister(second));
}

/*
 * A session whose list was set after another one's list was removed serves as
 * the clock: once it has requested the state, the other one would have too.
 */
TEST_F(information, TracePeriodicCaptureStateListInfo_without_a_list_ends_requests)
{
	const ULONG len = sizeof(self->list.info) + sizeof(GUID);
	TRACEHANDLE session = session_start("clock");
	atomic_uint others = 0;
	unsigned int before;
	REGHANDLE second;
	GUID id = provider_id(2);

	ASSERT_NE(0, session);
	ASSERT_EQ(0, EventRegister(&id, count_captures, &others, &second));
	ASSERT_EQ(0, session_enable(session, 2));
	ASSERT_EQ(0, session_enable(self->session, 1));
	ASSERT_EQ(0, set_list(self->session, &self->list, len));
	ASSERT_EQ(0, set_list(self->session, NULL, 0));
	/* The timeout covers this callback, and so all earlier ones */
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 0, 0, 0,
				    60000, NULL));
	before = self->captures;
	self->list.providers[0] = id;
	ASSERT_EQ(0, set_list(session, &self->list, len));
	ASSERT_TRUE(EVENTUALLY(others));
	EXPECT_EQ(before, self->captures);
	/* Stop sessions while they have a list */
	ASSERT_EQ(0, set_list(self->session, &self->list, len));
	EXPECT_EQ(0, session_stop(session, NULL));
	EXPECT_EQ(0, EventUnregister(second));
	unlink("/tmp/clock.etl");
}

TEST_F(information, ReturnLength_may_be_NULL)
{
	ULONG n;

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

/* EVENT_TRACE_PROPERTIES_V2 with room for two names */
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

TEST(EVENT_TRACE_PROPERTIES_V2_is_accepted_like_the_first_version)
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

TEST_HARNESS_MAIN
