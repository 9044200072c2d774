// SPDX-License-Identifier: GPL-2.0
/*
 * EnumerateTraceGuids, EnumerateTraceGuidsEx: each error code that involves the
 * module, and each information class about providers.  Classes about groups are
 * in lib_group.c, others in lib_information.c.  Rules for arguments that the
 * library checks alone are in selftests/unit.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define UNTOUCHED	0xa5

/* TRACE_GUID_INFO with the data that follows it */
struct guid_info {
	TRACE_GUID_INFO info;
	char more[4096];
};

FIXTURE(enumerate) {
	TRACEHANDLE session;
	REGHANDLE handle;
	GUID id;
	GUID empty_set;		/* a GUID without a provider */
	GUID ids[256];
	struct guid_info info;
	ULONG len;
};

FIXTURE_SETUP(enumerate)
{
	self->id = provider_id(1);
	self->empty_set = provider_id(99);
	self->session = session_start("enumerate");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &self->handle));
	memset(self->ids, UNTOUCHED, sizeof(self->ids));
	memset(&self->info, UNTOUCHED, sizeof(self->info));
	self->len = 99;
}

FIXTURE_TEARDOWN(enumerate)
{
	EXPECT_EQ(0, EventUnregister(self->handle));
	EXPECT_EQ(0, session_stop(self->session, NULL));
	unlink("/tmp/enumerate.etl");
}

/* Query a class without input into @size bytes */
#define LIST(class, size) \
	EnumerateTraceGuidsEx(class, NULL, 0, self->ids, size, &self->len)

#define INFO(id, size) EnumerateTraceGuidsEx(TraceGuidQueryInfo, (PVOID)(id), \
					     sizeof(GUID), &self->info, size, \
					     &self->len)

static bool is_untouched(const void *p, size_t len)
{
	const unsigned char *c = p;

	while (len && *c == UNTOUCHED) {
		c++;
		len--;
	}
	return !len;
}

static bool has_id(const GUID *ids, ULONG len, const GUID *id)
{
	ULONG i;

	for (i = 0; i < len / sizeof(*ids); i++) {
		if (!memcmp(&ids[i], id, sizeof(*id)))
			return true;
	}
	return false;
}

TEST_F(enumerate, EnumerateTraceGuidsEx_without_rights_is_ACCESS_DENIED)
{
	EXPECT_EQ(5, AS_NOBODY(LIST(TraceGuidQueryList, 4096)));
	EXPECT_EQ(5, AS_NOBODY(LIST(TraceGuidQueryProcess, 4096)));
	EXPECT_EQ(5, AS_NOBODY(INFO(&self->id, sizeof(self->info))));
}

TEST_F(enumerate, TraceGuidQueryList_too_small_is_INSUFFICIENT_BUFFER)
{
	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER, LIST(TraceGuidQueryList, 15));
	EXPECT_EQ(sizeof(GUID), self->len);
	EXPECT_TRUE(is_untouched(self->ids, sizeof(self->ids)));
}

TEST_F(enumerate, TraceGuidQueryList_OutBufferSize_0_returns_the_required_size)
{
	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER,
		  EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0,
					&self->len));
	EXPECT_EQ(sizeof(GUID), self->len);
	EXPECT_EQ(0, LIST(TraceGuidQueryList, self->len));
	EXPECT_EQ(sizeof(GUID), self->len);
	EXPECT_EQ(0, memcmp(self->ids, &self->id, sizeof(GUID)));
	EXPECT_TRUE(is_untouched(self->ids + 1, sizeof(self->ids) - 16));
}

TEST_F(enumerate, TraceGuidQueryList_has_each_registered_provider_once)
{
	GUID second = provider_id(2);
	REGHANDLE h[3];
	int i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, EventRegister(i ? &self->id : &second, NULL, NULL,
					   &h[i]));
	/* This one is enabled, but not registered */
	ASSERT_EQ(0, session_enable(self->session, 99));
	EXPECT_EQ(0, LIST(TraceGuidQueryList, sizeof(self->ids)));
	EXPECT_EQ(2 * sizeof(GUID), self->len);
	EXPECT_TRUE(has_id(self->ids, self->len, &self->id));
	EXPECT_TRUE(has_id(self->ids, self->len, &second));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, EventUnregister(h[i]));
	EXPECT_EQ(0, LIST(TraceGuidQueryList, sizeof(self->ids)));
	EXPECT_EQ(sizeof(GUID), self->len);
}

/* Register @id in a process that exits when @done is closed */
static int other_process(const GUID *id, int ready, int done)
{
	REGHANDLE h;
	char c;

	if (EventRegister(id, NULL, NULL, &h) || write(ready, "", 1) != 1)
		return 1;
	return read(done, &c, 1) != 0;
}

struct other {
	pid_t pid;
	int done;
};

static bool other_begin(struct other *o, const GUID *id)
{
	int ready[2], done[2];
	char c;

	if (pipe(ready) || pipe(done))
		return false;
	o->pid = fork();
	if (!o->pid) {
		close(done[1]);
		_exit(other_process(id, ready[1], done[0]));
	}
	o->done = done[1];
	close(done[0]);
	close(ready[1]);
	return read(ready[0], &c, 1) == 1;
}

static int other_end(const struct other *o)
{
	int status;

	close(o->done);
	waitpid(o->pid, &status, 0);
	return status;
}

TEST_F(enumerate, TraceGuidQueryProcess_returns_only_the_callers_providers)
{
	GUID others = provider_id(3);
	struct other o;

	ASSERT_TRUE(other_begin(&o, &others));
	EXPECT_EQ(0, LIST(TraceGuidQueryProcess, sizeof(self->ids)));
	EXPECT_EQ(sizeof(GUID), self->len);
	EXPECT_EQ(0, memcmp(self->ids, &self->id, sizeof(GUID)));
	EXPECT_EQ(0, LIST(TraceGuidQueryList, sizeof(self->ids)));
	EXPECT_EQ(2 * sizeof(GUID), self->len);
	EXPECT_TRUE(has_id(self->ids, self->len, &others));
	EXPECT_EQ(0, other_end(&o));
}

TEST_F(enumerate, TraceGuidQueryProcess_too_small_is_INSUFFICIENT_BUFFER)
{
	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER, LIST(TraceGuidQueryProcess, 15));
	EXPECT_EQ(sizeof(GUID), self->len);
}

TEST_F(enumerate, TraceGuidQueryInfo_of_an_unknown_provider_is_WMI_GUID_NOT_FOUND)
{
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND,
		  INFO(&self->empty_set, sizeof(self->info)));
	EXPECT_EQ(0, self->len);
}

TEST_F(enumerate, TraceGuidQueryInfo_too_small_is_INSUFFICIENT_BUFFER)
{
	const ULONG len = sizeof(TRACE_GUID_INFO) +
			  sizeof(TRACE_PROVIDER_INSTANCE_INFO) +
			  sizeof(TRACE_ENABLE_INFO);

	ASSERT_EQ(0, session_enable(self->session, 1));
	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER, INFO(&self->id, 0));
	EXPECT_EQ(len, self->len);
	EXPECT_TRUE(is_untouched(&self->info, sizeof(self->info)));
	EXPECT_EQ(ERROR_INSUFFICIENT_BUFFER, INFO(&self->id, len - 1));
	EXPECT_EQ(len, self->len);
	EXPECT_EQ(0, INFO(&self->id, len));
	EXPECT_EQ(len, self->len);
}

static const TRACE_PROVIDER_INSTANCE_INFO *first_of(const struct guid_info *g)
{
	return (const void *)g->more;
}

static const TRACE_PROVIDER_INSTANCE_INFO *
next_of(const TRACE_PROVIDER_INSTANCE_INFO *i)
{
	return (const void *)((const char *)i + i->NextOffset);
}

static const TRACE_ENABLE_INFO *
enables_of(const TRACE_PROVIDER_INSTANCE_INFO *i)
{
	return (const void *)(i + 1);
}

TEST_F(enumerate, TraceGuidQueryInfo_returns_registrations_of_a_disabled_provider)
{
	const TRACE_PROVIDER_INSTANCE_INFO *i = first_of(&self->info);

	ASSERT_EQ(0, INFO(&self->id, sizeof(self->info)));
	EXPECT_EQ(8 + 16, self->len);
	EXPECT_EQ(1, self->info.info.InstanceCount);
	EXPECT_EQ(0, self->info.info.Reserved);
	EXPECT_EQ(0, i->NextOffset);
	EXPECT_EQ(0, i->EnableCount);
	EXPECT_EQ(getpid(), (pid_t)i->Pid);
	EXPECT_EQ(0, i->Flags);
}

/* Two registrations and two sessions; the first one requests extended items */
TEST_F(enumerate, TraceGuidQueryInfo_returns_instances_and_sessions)
{
	ENABLE_TRACE_PARAMETERS p = {
		.Version = 2, .EnableProperty = EVENT_ENABLE_PROPERTY_SID,
	};
	const TRACE_PROVIDER_INSTANCE_INFO *i = first_of(&self->info);
	TRACEHANDLE second = session_start("second");
	const TRACE_ENABLE_INFO *e;
	REGHANDLE again;

	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &again));
	ASSERT_EQ(0, EnableTraceEx2(self->session, &self->id, 1, 3, 6, 2, 0,
				    &p));
	ASSERT_EQ(0, EnableTraceEx2(second, &self->id, 1, 5, 0, 0, 0, NULL));
	ASSERT_EQ(0, INFO(&self->id, sizeof(self->info)));
	EXPECT_EQ(2, self->info.info.InstanceCount);
	EXPECT_EQ(8 + 2 * (16 + 2 * 32), self->len);
	EXPECT_EQ(16 + 2 * 32, i->NextOffset);
	EXPECT_EQ(2, i->EnableCount);
	EXPECT_EQ(getpid(), (pid_t)i->Pid);
	EXPECT_EQ(0, i->Flags);
	e = enables_of(i);
	EXPECT_EQ(1, e->IsEnabled);
	EXPECT_EQ(3, e->Level);
	EXPECT_EQ(0, e->Reserved1);
	EXPECT_EQ(self->session & 0xffff, e->LoggerId);
	EXPECT_EQ(EVENT_ENABLE_PROPERTY_SID, e->EnableProperty);
	EXPECT_EQ(0, e->Reserved2);
	EXPECT_EQ(6, e->MatchAnyKeyword);
	EXPECT_EQ(2, e->MatchAllKeyword);
	EXPECT_EQ(second & 0xffff, e[1].LoggerId);
	EXPECT_EQ(5, e[1].Level);
	EXPECT_EQ(0, e[1].EnableProperty);
	i = next_of(i);
	EXPECT_EQ(0, i->NextOffset);
	EXPECT_EQ(2, i->EnableCount);
	EXPECT_EQ(0, EventUnregister(again));
	EXPECT_EQ(0, session_stop(second, NULL));
	unlink("/tmp/second.etl");
}

TEST_F(enumerate, TraceGuidQueryInfo_returns_sessions_of_an_unregistered_provider)
{
	const TRACE_PROVIDER_INSTANCE_INFO *i = first_of(&self->info);

	ASSERT_EQ(0, session_enable(self->session, 99));
	ASSERT_EQ(0, INFO(&self->empty_set, sizeof(self->info)));
	EXPECT_EQ(1, self->info.info.InstanceCount);
	EXPECT_EQ(0, i->NextOffset);
	EXPECT_EQ(0, i->Pid);
	EXPECT_EQ(TRACE_PROVIDER_FLAG_PRE_ENABLE, i->Flags);
	EXPECT_EQ(1, i->EnableCount);
	EXPECT_EQ(self->session & 0xffff, enables_of(i)->LoggerId);
	ASSERT_EQ(0, session_disable(self->session, 99));
	EXPECT_EQ(ERROR_WMI_GUID_NOT_FOUND,
		  INFO(&self->empty_set, sizeof(self->info)));
}

/* A process filter excludes an instance, which then has no enabling session */
TEST_F(enumerate, TraceGuidQueryInfo_returns_only_sessions_with_the_instance_in_scope)
{
	ULONG pid = getpid(), n, left_out = 0;
	EVENT_FILTER_DESCRIPTOR filter = {
		(uintptr_t)&pid, sizeof(pid), EVENT_FILTER_TYPE_PID
	};
	const TRACE_PROVIDER_INSTANCE_INFO *i = first_of(&self->info);
	struct other o;

	ASSERT_TRUE(other_begin(&o, &self->id));
	ASSERT_EQ(0, EnableTraceEx(&self->id, NULL, self->session, 1, 0, 0, 0,
				   0, &filter));
	ASSERT_EQ(0, INFO(&self->id, sizeof(self->info)));
	/* The other process also has its parent's registration */
	ASSERT_EQ(3, self->info.info.InstanceCount);
	EXPECT_EQ(8 + 3 * 16 + 32, self->len);
	for (n = 0; n < 3; n++, i = next_of(i)) {
		EXPECT_EQ(i->Pid == pid, i->EnableCount);
		left_out += i->Pid == o.pid;
	}
	EXPECT_EQ(2, left_out);
	EXPECT_EQ(0, other_end(&o));
}

TEST_F(enumerate, EnumerateTraceGuids_without_rights_is_ACCESS_DENIED)
{
	TRACE_GUID_PROPERTIES g, *array[1] = { &g };
	ULONG count;

	EXPECT_EQ(5, AS_NOBODY(EnumerateTraceGuids(array, 1, &count)));
}

TEST_F(enumerate, EnumerateTraceGuids_with_too_little_room_is_MORE_DATA)
{
	TRACE_GUID_PROPERTIES g[2], *array[2] = { &g[0], &g[1] };
	GUID other = provider_id(97);
	REGHANDLE handle;
	ULONG count;

	ASSERT_EQ(0, EventRegister(&other, NULL, NULL, &handle));
	memset(g, UNTOUCHED, sizeof(g));
	EXPECT_EQ(ERROR_MORE_DATA, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(2, count);
	EXPECT_FALSE(is_untouched(&g[0], sizeof(g[0])));
	EXPECT_TRUE(is_untouched(&g[1], sizeof(g[1])));
	EXPECT_EQ(0, EnumerateTraceGuids(array, 2, &count));
	EXPECT_EQ(2, count);
	EXPECT_NE(0, memcmp(&g[0].Guid, &g[1].Guid, sizeof(GUID)));
	EXPECT_EQ(0, EventUnregister(handle));
}

TEST_F(enumerate, EnumerateTraceGuids_returns_disabled_providers)
{
	TRACE_GUID_PROPERTIES g, *array[1] = { &g };
	ULONG count;

	EXPECT_EQ(0, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(1, count);
	EXPECT_EQ(0, memcmp(&self->id, &g.Guid, sizeof(GUID)));
	EXPECT_EQ(FALSE, g.IsEnable);
	EXPECT_EQ(0, g.EnableLevel);
}

TEST_F(enumerate, EnumerateTraceGuids_returns_the_session_that_enabled_last)
{
	TRACE_GUID_PROPERTIES g, *array[1] = { &g };
	TRACEHANDLE second = session_start("second");
	ULONG count;

	ASSERT_EQ(0, EnableTrace(TRUE, 6, 3, &self->id, self->session));
	EXPECT_EQ(0, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(TRUE, g.IsEnable);
	EXPECT_EQ(self->session & 0xffff, g.LoggerId);
	EXPECT_EQ(3, g.EnableLevel);
	EXPECT_EQ(6, g.EnableFlags);
	ASSERT_EQ(0, EnableTrace(TRUE, 1, 5, &self->id, second));
	EXPECT_EQ(0, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(second & 0xffff, g.LoggerId);
	EXPECT_EQ(5, g.EnableLevel);
	ASSERT_EQ(0, EnableTrace(TRUE, 2, 4, &self->id, self->session));
	EXPECT_EQ(0, EnumerateTraceGuids(array, 1, &count));
	EXPECT_EQ(self->session & 0xffff, g.LoggerId);
	EXPECT_EQ(2, g.EnableFlags);
	EXPECT_EQ(0, session_stop(second, NULL));
	unlink("/tmp/second.etl");
}

TEST_HARNESS_MAIN
