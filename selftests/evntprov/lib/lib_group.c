// SPDX-License-Identifier: GPL-2.0
/*
 * Provider groups: enabling one by EnableTraceEx2, membership, sessions that
 * enable both a group and a provider, lists of providers that groups must not
 * enable, and the classes of EnumerateTraceGuidsEx.
 */
#include <stdatomic.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include <sddl.h>

#include <TraceLoggingProvider.h>

#define LOG	"/tmp/group.etl"
#define DISABLE	EVENT_CONTROL_CODE_DISABLE_PROVIDER
#define ENABLE	EVENT_CONTROL_CODE_ENABLE_PROVIDER
#define CAPTURE	EVENT_CONTROL_CODE_CAPTURE_STATE
/* Timeout in ms, long enough for any callback */
#define WAIT	100000
#define BY_GROUP	EVENT_ENABLE_PROPERTY_PROVIDER_GROUP

/* Also the id of a provider, which is unrelated to the group */
#define GROUP	7

/* Traits that name a group: their size, no name, the group */
struct traits {
	BYTE blob[3 + 19 + 19];
};

static struct traits traits_for(unsigned int group)
{
	struct traits t = { { 22, 0, 0, 19, 0, EtwProviderTraitTypeGroup } };
	GUID id = provider_id(group);

	memcpy(t.blob + 6, &id, sizeof(id));
	return t;
}

static ULONG join(REGHANDLE handle, unsigned int group)
{
	struct traits t = traits_for(group);

	return EventSetInformation(handle, EventProviderSetTraits, t.blob, 22);
}

/* Arguments of the last callback of each registration */
static struct reported {
	atomic_uint calls;
	ULONG control;
	UCHAR level;
	ULONGLONG any;
	GUID source;
	ULONG filter_type;
} reported[3];

static void NTAPI callback(LPCGUID source, ULONG control, UCHAR level,
			   ULONGLONG any, ULONGLONG all,
			   PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	struct reported *t = context;

	t->control = control;
	t->level = level;
	t->any = any;
	t->source = *source;
	t->filter_type = filter ? filter->Type : 0;
	t->calls++;
}

/* Two members and a provider outside the group */
FIXTURE(group) {
	TRACEHANDLE session;
	REGHANDLE handle[3];
	GUID group;
};

FIXTURE_SETUP(group)
{
	unsigned int i;
	GUID id;

	memset(&reported, 0, sizeof(reported));
	self->group = provider_id(GROUP);
	self->session = session_start("group");
	ASSERT_NE(0, self->session);
	for (i = 0; i < 3; i++) {
		id = provider_id(1 + i);
		ASSERT_EQ(0, EventRegister(&id, callback, &reported[i],
					   &self->handle[i]));
	}
	ASSERT_EQ(0, join(self->handle[0], GROUP));
	ASSERT_EQ(0, join(self->handle[1], GROUP));
}

FIXTURE_TEARDOWN(group)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, EventUnregister(self->handle[i]));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink(LOG);
}

static ULONG control(TRACEHANDLE session, unsigned int id, ULONG code,
		     UCHAR level, ULONGLONG any, ULONG property,
		     EVENT_FILTER_DESCRIPTOR *filter)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = 2,
		.EnableProperty = property,
		.EnableFilterDesc = filter,
		.FilterDescCount = !!filter,
	};
	GUID guid = provider_id(id);

	return EnableTraceEx2(session, &guid, code, level, any, 0, WAIT, &p);
}

#define GROUP_DO(code)							\
	control(self->session, GROUP, code, 0, 0, BY_GROUP, NULL)
#define GROUP_WITH(level, any)						\
	control(self->session, GROUP, ENABLE, level, any, BY_GROUP, NULL)
#define GROUP_FILTER(filter)						\
	control(self->session, GROUP, ENABLE, 0, 0, BY_GROUP, filter)
#define PROVIDER_WITH(n, level, any)					\
	control(self->session, n, ENABLE, level, any, 0, NULL)

#define IS_ENABLED(i, level, keyword) \
	EventProviderEnabled(self->handle[i], level, keyword)

static ULONG write_event(REGHANDLE handle, USHORT id, UCHAR level,
			 ULONGLONG keyword)
{
	EVENT_DESCRIPTOR d = { .Id = id, .Level = level, .Keyword = keyword };

	return EventWrite(handle, &d, 0, NULL);
}

/* Events of a log: bits of ids seen, of ids seen twice, and extended items */
struct reading {
	unsigned int events;
	ULONG ids;
	ULONG twice;
	ULONG with_sid;
	ULONG with_key;
	ULONG providers;	/* a bit for each */
};

static void read_event(const struct etl_event *e, void *context)
{
	struct reading *r = context;
	uint16_t len;

	r->events++;
	r->twice |= r->ids & 1u << e->id;
	r->ids |= 1u << e->id;
	r->providers |= 1u << e->provider[15];
	if (etl_ext(e, EVENT_HEADER_EXT_TYPE_SID, &len))
		r->with_sid |= 1u << e->id;
	if (etl_ext(e, EVENT_HEADER_EXT_TYPE_EVENT_KEY, &len))
		r->with_key |= 1u << e->id;
}

static struct reading read_log(TRACEHANDLE session, const char *path)
{
	struct properties p = properties_for("");
	struct reading r = {};
	struct etl_scan scan;

	if (FlushTraceA(session, NULL, &p.p) ||
	    !etl_scan(path, &scan, read_event, &r))
		r.events = ~0u;
	return r;
}

TEST_F(group, members_are_enabled_with_the_group_and_others_are_not)
{
	EXPECT_EQ(0, GROUP_WITH(3, 0x6));
	EXPECT_TRUE(IS_ENABLED(0, 3, 2));
	EXPECT_TRUE(IS_ENABLED(1, 3, 4));
	EXPECT_FALSE(IS_ENABLED(0, 4, 2));
	EXPECT_FALSE(IS_ENABLED(1, 3, 8));
	EXPECT_FALSE(IS_ENABLED(2, 0, 0));
	EXPECT_EQ(0, write_event(self->handle[0], 1, 3, 2));
	EXPECT_EQ(0, write_event(self->handle[1], 2, 3, 4));
	EXPECT_EQ(0, write_event(self->handle[1], 3, 4, 4));
	EXPECT_EQ(0, write_event(self->handle[2], 4, 1, 0));
	EXPECT_EQ(1 << 1 | 1 << 2, read_log(self->session, LOG).ids);
	EXPECT_EQ(0, GROUP_DO(DISABLE));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	EXPECT_FALSE(IS_ENABLED(1, 0, 0));
}

/* With a timeout, the call returns after the callbacks of all members */
TEST_F(group, callbacks_of_all_members_run_before_the_call_returns)
{
	EXPECT_EQ(0, GROUP_WITH(3, 0x6));
	EXPECT_EQ(1, reported[0].calls);
	EXPECT_EQ(1, reported[1].calls);
	EXPECT_EQ(0, reported[2].calls);
	EXPECT_EQ(ENABLE, reported[1].control);
	EXPECT_EQ(3, reported[1].level);
	EXPECT_EQ(0x6, reported[1].any);
	EXPECT_EQ(0, GROUP_DO(CAPTURE));
	EXPECT_EQ(CAPTURE, reported[0].control);
	EXPECT_EQ(CAPTURE, reported[1].control);
	EXPECT_EQ(0, GROUP_DO(DISABLE));
	EXPECT_EQ(DISABLE, reported[0].control);
	EXPECT_EQ(3, reported[1].calls);
	EXPECT_EQ(0, reported[2].calls);
}

TEST_F(group, later_members_are_enabled_and_notified)
{
	EXPECT_EQ(0, GROUP_WITH(3, 0x6));
	ASSERT_EQ(0, join(self->handle[2], GROUP));
	EXPECT_TRUE(IS_ENABLED(2, 3, 2));
	EXPECT_FALSE(IS_ENABLED(2, 4, 2));
	EXPECT_EQ(1, reported[2].calls);
	EXPECT_EQ(ENABLE, reported[2].control);
	EXPECT_EQ(0, write_event(self->handle[2], 1, 3, 2));
	EXPECT_EQ(1, read_log(self->session, LOG).events);
}

static REGHANDLE joiner;
static atomic_uint joiner_calls;
static UCHAR joiner_level;

static void NTAPI join_at_once(LPCGUID source, ULONG control, UCHAR level,
			       ULONGLONG any, ULONGLONG all,
			       PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	if (!joiner_calls)
		join(joiner, GROUP);
	joiner_level = level;
	joiner_calls++;
}

/* A change caused by joining inside a callback leads to another callback */
TEST_F(group, a_callback_may_join)
{
	GUID id = provider_id(4);

	EXPECT_EQ(0, GROUP_WITH(5, 0));
	ASSERT_EQ(0, EventRegister(&id, join_at_once, NULL, &joiner));
	EXPECT_EQ(0, PROVIDER_WITH(4, 2, 0));
	EXPECT_TRUE(EVENTUALLY(joiner_calls == 2));
	EXPECT_EQ(5, joiner_level);
	EXPECT_EQ(0, EventUnregister(joiner));
}

TEST_F(group, an_enabled_group_without_members_applies_to_later_members)
{
	REGHANDLE handle;
	GUID id = provider_id(4);

	EXPECT_EQ(0, control(self->session, 8, ENABLE, 0, 0, BY_GROUP, NULL));
	ASSERT_EQ(0, EventRegister(&id, NULL, NULL, &handle));
	EXPECT_FALSE(EventProviderEnabled(handle, 0, 0));
	ASSERT_EQ(0, join(handle, 8));
	EXPECT_TRUE(EventProviderEnabled(handle, 0, 0));
	EXPECT_EQ(0, EventUnregister(handle));
	/* Members of another group are not enabled */
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
}

TEST_F(group, a_provider_with_the_groups_id_is_independent_of_it)
{
	REGHANDLE handle;

	ASSERT_EQ(0, EventRegister(&self->group, NULL, NULL, &handle));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_FALSE(EventProviderEnabled(handle, 0, 0));
	EXPECT_EQ(0, session_disable(self->session, GROUP));
	EXPECT_TRUE(IS_ENABLED(0, 0, 0));
	EXPECT_EQ(0, GROUP_DO(DISABLE));
	EXPECT_EQ(0, session_enable(self->session, GROUP));
	EXPECT_TRUE(EventProviderEnabled(handle, 0, 0));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	EXPECT_EQ(0, GROUP_DO(DISABLE));
	EXPECT_TRUE(EventProviderEnabled(handle, 0, 0));
	EXPECT_EQ(0, EventUnregister(handle));
}

TEST_F(group, a_stopped_session_disables_the_group)
{
	TRACEHANDLE other = session_start("group_other");

	ASSERT_NE(0, other);
	EXPECT_EQ(0, control(other, GROUP, ENABLE, 0, 0, BY_GROUP, NULL));
	EXPECT_TRUE(IS_ENABLED(0, 0, 0));
	EXPECT_EQ(0, session_stop(other, NULL));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	EXPECT_TRUE(EVENTUALLY(reported[0].calls == 2));
	EXPECT_EQ(DISABLE, reported[0].control);
	unlink("/tmp/group_other.etl");
}

/*
 * A group enabled to level 2, and a provider with keyword 0x10 to level 4: an
 * event is recorded once if either of them accepts it, but not if only parts of
 * both would.
 */
TEST_F(group, one_session_can_enable_a_group_and_its_member)
{
	REGHANDLE h = self->handle[0];
	struct reading r;

	EXPECT_EQ(0, GROUP_WITH(2, 0x1));
	EXPECT_EQ(0, PROVIDER_WITH(1, 4, 0x10));
	EXPECT_EQ(4, reported[0].level);
	EXPECT_EQ(0x11, reported[0].any);
	EXPECT_EQ(0, write_event(h, 1, 2, 0x1));
	EXPECT_EQ(0, write_event(h, 2, 4, 0x10));
	EXPECT_EQ(0, write_event(h, 3, 2, 0x11));
	EXPECT_EQ(0, write_event(h, 4, 4, 0x1));
	EXPECT_EQ(0, write_event(h, 5, 5, 0x10));
	r = read_log(self->session, LOG);
	EXPECT_EQ(1 << 1 | 1 << 2 | 1 << 3, r.ids);
	EXPECT_EQ(0, r.twice);
	EXPECT_EQ(0, control(self->session, 1, DISABLE, 0, 0, 0, NULL));
	EXPECT_EQ(2, reported[0].level);
	EXPECT_EQ(0, write_event(h, 6, 2, 0x1));
	EXPECT_EQ(0, write_event(h, 7, 4, 0x10));
	EXPECT_EQ(0, PROVIDER_WITH(1, 4, 0x10));
	EXPECT_EQ(0, GROUP_DO(DISABLE));
	EXPECT_EQ(0, write_event(h, 8, 2, 0x1));
	EXPECT_EQ(0, write_event(h, 9, 4, 0x10));
	EXPECT_EQ(1 << 1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 9,
		  read_log(self->session, LOG).ids);
}

TEST_F(group, filters_and_items_of_the_provider_apply_to_its_own_enablement)
{
	struct { BOOLEAN in, reserved; USHORT count, id[2]; } ids = {
		TRUE, 0, 2, { 1, 2 }
	};
	EVENT_FILTER_DESCRIPTOR filter = {
		(uintptr_t)&ids, sizeof(ids), EVENT_FILTER_TYPE_EVENT_ID
	};
	struct reading r;

	EXPECT_EQ(0, control(self->session, GROUP, ENABLE, 2, 0,
			     BY_GROUP | EVENT_ENABLE_PROPERTY_SID, NULL));
	EXPECT_EQ(0, control(self->session, 1, ENABLE, 0, 0,
			     EVENT_ENABLE_PROPERTY_EVENT_KEY, &filter));
	EXPECT_EQ(0, write_event(self->handle[0], 1, 5, 1));
	EXPECT_EQ(0, write_event(self->handle[0], 2, 2, 1));
	EXPECT_EQ(0, write_event(self->handle[0], 3, 2, 1));
	EXPECT_EQ(0, write_event(self->handle[0], 4, 5, 1));
	EXPECT_EQ(0, write_event(self->handle[1], 5, 2, 1));
	EXPECT_EQ(0, write_event(self->handle[1], 6, 5, 1));
	r = read_log(self->session, LOG);
	EXPECT_EQ(1 << 1 | 1 << 2 | 1 << 3 | 1 << 5, r.ids);
	EXPECT_EQ(1 << 2 | 1 << 3 | 1 << 5, r.with_sid);
	EXPECT_EQ(1 << 1 | 1 << 2, r.with_key);
}

/* IGNORE_KEYWORD_0 of the group does not apply to the provider */
TEST_F(group, IGNORE_KEYWORD_0_applies_only_to_the_enablement_that_sets_it)
{
	EXPECT_EQ(0, control(self->session, GROUP, ENABLE, 0, 0, BY_GROUP |
			     EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0, NULL));
	EXPECT_EQ(0, PROVIDER_WITH(1, 0, 0));
	EXPECT_EQ(0, write_event(self->handle[0], 1, 1, 0));
	EXPECT_EQ(0, write_event(self->handle[1], 2, 1, 0));
	EXPECT_EQ(0, write_event(self->handle[1], 3, 1, 1));
	EXPECT_EQ(1 << 1 | 1 << 3, read_log(self->session, LOG).ids);
}

TEST_F(group, several_sessions_get_their_own_events)
{
	TRACEHANDLE other = session_start("group_other");

	ASSERT_NE(0, other);
	EXPECT_EQ(0, GROUP_WITH(2, 0));
	EXPECT_EQ(0, control(other, GROUP, ENABLE, 3, 0, BY_GROUP, NULL));
	EXPECT_EQ(0, control(other, 1, ENABLE, 5, 0, 0, NULL));
	EXPECT_EQ(0, write_event(self->handle[0], 2, 2, 1));
	EXPECT_EQ(0, write_event(self->handle[0], 5, 5, 1));
	EXPECT_EQ(0, write_event(self->handle[1], 3, 3, 1));
	EXPECT_EQ(0, write_event(self->handle[1], 4, 5, 1));
	EXPECT_EQ(1 << 2, read_log(self->session, LOG).ids);
	EXPECT_EQ(1 << 2 | 1 << 3 | 1 << 5,
		  read_log(other, "/tmp/group_other.etl").ids);
	EXPECT_EQ(0, session_stop(other, NULL));
	unlink("/tmp/group_other.etl");
}

/* As documented: these filters are specific to one provider's events */
TEST_F(group, filters_of_id_name_and_payload_are_INVALID_PARAMETER)
{
	struct { BOOLEAN in, reserved; USHORT count, id[1]; } ids = {
		TRUE, 0, 1, { 1 }
	};
	struct {
		ULONGLONG any, all;
		UCHAR level;
		BOOLEAN in;
		USHORT count;
		char names[4];
	} names = { 0, 0, 0, TRUE, 1, "abc" };
	ULONGLONG program[3] = { 24 | 1ull << 32 | 1ull << 48, 1ull << 32, 0 };
	EVENT_FILTER_DESCRIPTOR filter = {
		(uintptr_t)&ids, sizeof(ids), EVENT_FILTER_TYPE_EVENT_ID
	};

	EXPECT_EQ(87, GROUP_FILTER(&filter));
	filter = (EVENT_FILTER_DESCRIPTOR) {
		(uintptr_t)&names, 24, EVENT_FILTER_TYPE_EVENT_NAME
	};
	EXPECT_EQ(87, GROUP_FILTER(&filter));
	filter = (EVENT_FILTER_DESCRIPTOR) {
		(uintptr_t)program, 24, EVENT_FILTER_TYPE_PAYLOAD
	};
	/* Only the group refuses the filter */
	EXPECT_EQ(0, control(self->session, 1, ENABLE, 0, 0, 0, &filter));
	EXPECT_EQ(0, session_disable(self->session, 1));
	EXPECT_EQ(87, GROUP_FILTER(&filter));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	/* Filters that select events for stacks are accepted */
	filter = (EVENT_FILTER_DESCRIPTOR) {
		(uintptr_t)&ids, sizeof(ids), EVENT_FILTER_TYPE_STACKWALK
	};
	EXPECT_EQ(0, GROUP_FILTER(&filter));
}

TEST_F(group, filters_of_processes_apply_to_members)
{
	ULONG pids[] = { 1, getpid() };
	EVENT_FILTER_DESCRIPTOR filter = {
		(uintptr_t)pids, 4, EVENT_FILTER_TYPE_PID
	};

	EXPECT_EQ(0, GROUP_FILTER(&filter));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	EXPECT_EQ(0, reported[0].calls);
	/* Enabling the provider is independent of the group's filter */
	EXPECT_EQ(0, PROVIDER_WITH(1, 2, 0));
	EXPECT_TRUE(IS_ENABLED(0, 2, 0));
	EXPECT_FALSE(IS_ENABLED(0, 3, 0));
	filter.Size = 8;
	EXPECT_EQ(0, GROUP_FILTER(&filter));
	EXPECT_TRUE(IS_ENABLED(0, 5, 0));
	EXPECT_TRUE(IS_ENABLED(1, 5, 0));
	filter.Size = 4;
	ASSERT_EQ(0, join(self->handle[2], GROUP));
	EXPECT_TRUE(IS_ENABLED(2, 5, 0));
	EXPECT_EQ(0, GROUP_FILTER(&filter));
	EXPECT_FALSE(IS_ENABLED(0, 5, 0));
	EXPECT_TRUE(IS_ENABLED(0, 2, 0));
	EXPECT_FALSE(IS_ENABLED(2, 0, 0));
}

TEST_F(group, provider_defined_filters_are_delivered_to_members)
{
	EVENT_FILTER_DESCRIPTOR filter = { (uintptr_t)"own", 4, 0x1234 };

	EXPECT_EQ(0, GROUP_FILTER(&filter));
	EXPECT_EQ(0x1234, reported[0].filter_type);
	EXPECT_EQ(0x1234, reported[1].filter_type);
	/* Data for the provider takes precedence over the group's */
	filter.Type = 0x4321;
	EXPECT_EQ(0, control(self->session, 1, ENABLE, 0, 0, 0, &filter));
	EXPECT_EQ(0x4321, reported[0].filter_type);
	EXPECT_EQ(0x1234, reported[1].filter_type);
}

TEST_F(group, traits_that_are_malformed_are_INVALID_PARAMETER)
{
	struct traits t = traits_for(GROUP), two = t;
	REGHANDLE h = self->handle[2];
	const int class = EventProviderSetTraits;

	/* A group shorter than a GUID */
	t.blob[0] = 21;
	t.blob[3] = 18;
	EXPECT_EQ(87, EventSetInformation(h, class, t.blob, 21));
	/* A trait beyond the end, and one shorter than its header */
	t = traits_for(GROUP);
	t.blob[3] = 20;
	EXPECT_EQ(87, EventSetInformation(h, class, t.blob, 22));
	t.blob[3] = 2;
	EXPECT_EQ(87, EventSetInformation(h, class, t.blob, 22));
	t.blob[0] = 5;
	EXPECT_EQ(87, EventSetInformation(h, class, t.blob, 5));
	/* A provider can be a member of only one group */
	two.blob[0] = 41;
	memcpy(two.blob + 22, two.blob + 3, 19);
	EXPECT_EQ(87, EventSetInformation(h, class, two.blob, 41));
	two.blob[24] = 200;
	EXPECT_EQ(0, EventSetInformation(h, class, two.blob, 41));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_TRUE(IS_ENABLED(2, 0, 0));
	/* A membership cannot be changed */
	EXPECT_EQ(ERROR_ALREADY_EXISTS, join(h, 8));
	EXPECT_TRUE(IS_ENABLED(2, 0, 0));
}

static ULONG deny(GUID *id, ULONG rights)
{
	ULONG code;
	PSID sid;

	if (!ConvertStringSidToSidA("S-1-1-0", &sid))
		return ~0u;
	code = EventAccessControl(id, EventSecurityAddDACL, sid, rights, FALSE);
	LocalFree(sid);
	return code;
}

/* The provider is not a member, but its name is recorded for decoding */
TEST_F(group, joining_requires_TRACELOG_JOIN_GROUP)
{
	struct reading r;

	ASSERT_EQ(0, deny(&self->group, TRACELOG_JOIN_GROUP));
	EXPECT_EQ(ERROR_ACCESS_DENIED, join(self->handle[2], GROUP));
	EXPECT_EQ(ERROR_ALREADY_EXISTS, join(self->handle[2], GROUP));
	EXPECT_EQ(0, EventAccessRemove(&self->group));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_FALSE(IS_ENABLED(2, 0, 0));
	EXPECT_TRUE(IS_ENABLED(1, 0, 0));
	EXPECT_EQ(0, session_enable(self->session, 3));
	EXPECT_EQ(0, write_event(self->handle[2], 1, 1, 0));
	r = read_log(self->session, LOG);
	EXPECT_EQ(1, r.events);
	EXPECT_EQ(1 << 3, r.providers);
}

TEST_F(group, enabling_requires_TRACELOG_GUID_ENABLE_only_for_the_group)
{
	GUID id = provider_id(1);

	ASSERT_EQ(0, deny(&id, TRACELOG_GUID_ENABLE));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_TRUE(IS_ENABLED(0, 0, 0));
	ASSERT_EQ(0, deny(&self->group, TRACELOG_GUID_ENABLE));
	EXPECT_EQ(ERROR_ACCESS_DENIED, GROUP_DO(ENABLE));
	EXPECT_EQ(ERROR_ACCESS_DENIED, GROUP_DO(DISABLE));
	EXPECT_EQ(0, EventAccessRemove(&self->group));
	EXPECT_EQ(0, EventAccessRemove(&id));
}

TEST_F(group, periodic_capture_state_reaches_members_of_a_group)
{
	struct {
		TRACE_PERIODIC_CAPTURE_STATE_INFO info;
		GUID id;
	} list = { { 1, 1, 0 }, provider_id(1) };

	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_EQ(0, TraceSetInformation(self->session,
					 TracePeriodicCaptureStateListInfo,
					 &list, 8 + sizeof(GUID)));
	EXPECT_TRUE(EVENTUALLY(reported[0].control == CAPTURE));
	EXPECT_EQ(1, reported[1].calls);
}

#define DISALLOW(ids, count)						\
	TraceSetInformation(self->session, TraceSetDisallowList, ids,	\
			    (count) * sizeof(GUID))

TEST_F(group, TraceSetDisallowList_excludes_providers_at_once)
{
	GUID ids[2] = { provider_id(1), provider_id(99) };

	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_EQ(0, DISALLOW(ids, 2));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	EXPECT_TRUE(IS_ENABLED(1, 0, 0));
	EXPECT_TRUE(EVENTUALLY(reported[0].calls == 2));
	EXPECT_EQ(DISABLE, reported[0].control);
	EXPECT_EQ(1, reported[1].calls);
	EXPECT_EQ(0, write_event(self->handle[0], 1, 1, 1));
	EXPECT_EQ(0, write_event(self->handle[1], 2, 1, 1));
	EXPECT_EQ(1 << 2, read_log(self->session, LOG).ids);
	/* A new list replaces the old one */
	ids[0] = provider_id(2);
	EXPECT_EQ(0, DISALLOW(ids, 1));
	EXPECT_TRUE(IS_ENABLED(0, 0, 0));
	EXPECT_FALSE(IS_ENABLED(1, 0, 0));
	EXPECT_EQ(0, DISALLOW(NULL, 0));
	EXPECT_TRUE(IS_ENABLED(0, 0, 0));
	EXPECT_TRUE(IS_ENABLED(1, 0, 0));
}

TEST_F(group, TraceSetDisallowList_applies_to_later_members)
{
	GUID ids[2] = { provider_id(2), provider_id(3) };

	EXPECT_EQ(0, DISALLOW(ids, 2));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_TRUE(IS_ENABLED(0, 0, 0));
	EXPECT_FALSE(IS_ENABLED(1, 0, 0));
	ASSERT_EQ(0, join(self->handle[2], GROUP));
	EXPECT_FALSE(IS_ENABLED(2, 0, 0));
	/* The list affects neither direct enabling nor other members */
	EXPECT_EQ(0, session_enable(self->session, 3));
	EXPECT_TRUE(IS_ENABLED(2, 0, 0));
	EXPECT_EQ(0, DISALLOW(NULL, 0));
	EXPECT_EQ(0, session_disable(self->session, 3));
	EXPECT_TRUE(IS_ENABLED(2, 0, 0));
}

TEST_F(group, TraceSetDisallowList_applies_to_one_session)
{
	TRACEHANDLE other = session_start("group_other");
	GUID id = provider_id(1);

	ASSERT_NE(0, other);
	EXPECT_EQ(0, control(other, GROUP, ENABLE, 2, 0, BY_GROUP, NULL));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_EQ(0, DISALLOW(&id, 1));
	EXPECT_TRUE(IS_ENABLED(0, 2, 0));
	EXPECT_FALSE(IS_ENABLED(0, 3, 0));
	EXPECT_EQ(0, session_stop(other, NULL));
	EXPECT_FALSE(IS_ENABLED(0, 0, 0));
	unlink("/tmp/group_other.etl");
}

TEST_F(group, TraceSetDisallowList_errors)
{
	static GUID many[257];
	const int class = TraceSetDisallowList;
	GUID id = provider_id(1);

	EXPECT_EQ(87, TraceSetInformation(0, class, &id, 16));
	EXPECT_EQ(87, TraceSetInformation(self->session, class, NULL, 16));
	EXPECT_EQ(ERROR_BAD_LENGTH,
		  TraceSetInformation(self->session, class, &id, 15));
	EXPECT_EQ(87, DISALLOW(many, 257));
	EXPECT_EQ(0, DISALLOW(many, 256));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  TraceSetInformation(self->session + 65536, class, &id, 16));
	EXPECT_EQ(5, AS_NOBODY(DISALLOW(&id, 1)));
	EXPECT_EQ(50, TraceSetInformation(self->session, TraceDisallowListQuery,
					  &id, 16));
}

TEST_F(group, TraceDisallowListQuery_returns_the_list)
{
	const int class = TraceDisallowListQuery;
	GUID ids[2] = { provider_id(2), provider_id(3) }, out[3];
	ULONG len = 99;

	EXPECT_EQ(0, TraceQueryInformation(self->session, class, NULL, 0,
					   &len));
	EXPECT_EQ(0, len);
	EXPECT_EQ(0, DISALLOW(ids, 2));
	EXPECT_EQ(ERROR_BAD_LENGTH, TraceQueryInformation(self->session, class,
							  out, 31, &len));
	EXPECT_EQ(32, len);
	EXPECT_EQ(0, TraceQueryInformation(self->session, class, out,
					   sizeof(out), &len));
	EXPECT_EQ(32, len);
	EXPECT_EQ(0, memcmp(ids, out, sizeof(ids)));
	EXPECT_EQ(87, TraceQueryInformation(0, class, out, 32, &len));
	EXPECT_EQ(ERROR_WMI_INSTANCE_NOT_FOUND,
		  TraceQueryInformation(self->session + 65536, class, out, 32,
					&len));
	EXPECT_EQ(50, TraceQueryInformation(self->session, TraceSetDisallowList,
					    out, 32, &len));
}

/* TRACE_GUID_INFO with the data that follows it */
struct guid_info {
	TRACE_GUID_INFO info;
	char more[1000];
};

static bool has_id(const GUID *ids, ULONG len, const GUID *id)
{
	ULONG i, found = 0;

	for (i = 0; i < len / sizeof(*ids); i++)
		found += !memcmp(&ids[i], id, sizeof(*id));
	return found == 1;
}

TEST_F(group, TraceGroupQueryList_returns_the_groups)
{
	GUID out[64], empty = provider_id(8), provider = provider_id(1);
	ULONG len = 99;

	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER,
		  EnumerateTraceGuidsEx(TraceGroupQueryList, NULL, 0, NULL, 0,
					&len));
	EXPECT_EQ(16, len);
	/* Enabled, twice, and without members */
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	EXPECT_EQ(0, control(self->session, 8, ENABLE, 0, 0, BY_GROUP, NULL));
	EXPECT_EQ(0, session_enable(self->session, 9));
	EXPECT_EQ(0, EnumerateTraceGuidsEx(TraceGroupQueryList, NULL, 0, out,
					   sizeof(out), &len));
	EXPECT_EQ(32, len);
	EXPECT_TRUE(has_id(out, len, &self->group));
	EXPECT_TRUE(has_id(out, len, &empty));
	/* Groups are not listed as providers */
	EXPECT_EQ(0, EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, out,
					   sizeof(out), &len));
	EXPECT_FALSE(has_id(out, len, &self->group));
	EXPECT_TRUE(has_id(out, len, &provider));
	EXPECT_EQ(5, AS_NOBODY(EnumerateTraceGuidsEx(TraceGroupQueryList, NULL,
						     0, out, 16, &len)));
}

#define INFO(class, id) \
	EnumerateTraceGuidsEx(class, id, sizeof(GUID), &info, sizeof(info), \
			      &len)

TEST_F(group, TraceGroupQueryInfo_returns_members_and_sessions)
{
	GUID empty = provider_id(8), provider = provider_id(1);
	TRACE_PROVIDER_INSTANCE_INFO *instance;
	struct guid_info info;
	TRACE_ENABLE_INFO *e;
	ULONG len = 99;

	EXPECT_EQ(87, EnumerateTraceGuidsEx(TraceGroupQueryInfo, NULL, 0, &info,
					    sizeof(info), &len));
	EXPECT_EQ(87, EnumerateTraceGuidsEx(TraceGroupQueryInfo, &empty, 15,
					    &info, sizeof(info), &len));
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND, INFO(TraceGroupQueryInfo, &empty));
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND,
		  INFO(TraceGroupQueryInfo, &provider));
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND,
		  INFO(TraceGuidQueryInfo, &self->group));
	EXPECT_EQ(0, DISALLOW(&provider, 1));
	EXPECT_EQ(0, GROUP_WITH(3, 0x6));
	ASSERT_EQ(0, INFO(TraceGroupQueryInfo, &self->group));
	EXPECT_EQ(2, info.info.InstanceCount);
	EXPECT_EQ(8 + 2 * 16 + 32, len);
	instance = (void *)(&info.info + 1);
	EXPECT_EQ(getpid(), (pid_t)instance->Pid);
	EXPECT_EQ(0, instance->EnableCount);
	EXPECT_EQ(0, instance->Flags);
	instance = (void *)((char *)instance + instance->NextOffset);
	EXPECT_EQ(1, instance->EnableCount);
	EXPECT_EQ(0, instance->NextOffset);
	e = (void *)(instance + 1);
	EXPECT_EQ(3, e->Level);
	EXPECT_EQ(0x6, e->MatchAnyKeyword);
	EXPECT_EQ(BY_GROUP, e->EnableProperty);
	/* The provider is enabled by its group, not by its id */
	ASSERT_EQ(0, INFO(TraceGuidQueryInfo, &provider));
	instance = (void *)(&info.info + 1);
	EXPECT_EQ(0, instance->EnableCount);
	/* A group without members yet */
	EXPECT_EQ(0, control(self->session, 8, ENABLE, 0, 0, BY_GROUP, NULL));
	ASSERT_EQ(0, INFO(TraceGroupQueryInfo, &empty));
	EXPECT_EQ(1, info.info.InstanceCount);
	EXPECT_EQ(TRACE_PROVIDER_FLAG_PRE_ENABLE, instance->Flags);
	EXPECT_EQ(0, instance->Pid);
}

TRACELOGGING_DEFINE_PROVIDER(first, "Evntprov.First",
			     (0x65766e74, 0x1234, 0x5678,
			      1, 2, 3, 4, 5, 6, 7, 0xb1),
			     TraceLoggingOptionGroup(0x65766e74, 0x1234, 0x5678,
						     1, 2, 3, 4, 5, 6, 7,
						     GROUP));
TRACELOGGING_DEFINE_PROVIDER(second, "Evntprov.Second",
			     (0x65766e74, 0x1234, 0x5678,
			      1, 2, 3, 4, 5, 6, 7, 0xb2),
			     TraceLoggingOptionGroup(0x65766e74, 0x1234, 0x5678,
						     1, 2, 3, 4, 5, 6, 7,
						     GROUP));
TRACELOGGING_DEFINE_PROVIDER(loner, "Evntprov.Loner",
			     (0x65766e74, 0x1234, 0x5678,
			      1, 2, 3, 4, 5, 6, 7, 0xb3));

static void count_provider(const struct etl_event *e, void *context)
{
	unsigned int *count = context;

	if (e->provider[15] >= 0xb1 && e->provider[15] <= 0xb3)
		count[e->provider[15] - 0xb1]++;
	else
		count[3]++;
}

TEST_F(group, TraceLoggingOptionGroup_joins_the_group)
{
	unsigned int count[4] = {};
	struct etl_scan scan;
	struct properties p = properties_for("");

	ASSERT_EQ(S_OK, TraceLoggingRegister(first));
	EXPECT_EQ(0, GROUP_DO(ENABLE));
	ASSERT_EQ(S_OK, TraceLoggingRegister(second));
	ASSERT_EQ(S_OK, TraceLoggingRegister(loner));
	EXPECT_TRUE(TraceLoggingProviderEnabled(first, 0, 0));
	EXPECT_TRUE(TraceLoggingProviderEnabled(second, 0, 0));
	EXPECT_FALSE(TraceLoggingProviderEnabled(loner, 0, 0));
	TraceLoggingWrite(first, "Event", TraceLoggingInt32(1, "n"));
	TraceLoggingWrite(second, "Event", TraceLoggingInt32(2, "n"));
	TraceLoggingWrite(second, "Event", TraceLoggingInt32(3, "n"));
	TraceLoggingWrite(loner, "Event", TraceLoggingInt32(4, "n"));
	EXPECT_EQ(0, FlushTraceA(self->session, NULL, &p.p));
	ASSERT_TRUE(etl_scan(LOG, &scan, count_provider, count));
	EXPECT_EQ(1, count[0]);
	EXPECT_EQ(2, count[1]);
	EXPECT_EQ(0, count[2]);
	EXPECT_EQ(0, count[3]);
	TraceLoggingUnregister(first);
	TraceLoggingUnregister(second);
	TraceLoggingUnregister(loner);
}

TEST_HARNESS_MAIN
