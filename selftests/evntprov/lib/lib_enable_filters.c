// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of EnableTraceEx2: each documented rule and limit.  Which events
 * they let through is in filters.c, stack.c and scope.c.
 */
#include <sys/mman.h>

#include "selftests/evntprov/lib/enable.h"

/* Enable with @count equal filters */
static ULONG enable_filter(TRACEHANDLE h, const GUID *id, ULONG type,
			   const void *data, ULONG size, ULONG count)
{
	EVENT_FILTER_DESCRIPTOR f[MAX_EVENT_FILTERS_COUNT + 1];
	ENABLE_TRACE_PARAMETERS p = {
		.Version = 2, .EnableFilterDesc = f, .FilterDescCount = count,
	};
	ULONG i;

	for (i = 0; i < count; i++)
		f[i] = (EVENT_FILTER_DESCRIPTOR) {
			(uintptr_t)data, size, type
		};
	return EnableTraceEx2(h, id, ENABLE, 0, 0, 0, 0, &p);
}

#define FILTER(type, data, size) \
	enable_filter(self->session, &self->id, EVENT_FILTER_TYPE_##type, \
		      data, size, 1)

TEST_F(enable, NULL_filters_with_a_count_are_INVALID_PARAMETER)
{
	ENABLE_TRACE_PARAMETERS p = { .Version = 2, .FilterDescCount = 1 };

	EXPECT_EQ(87, WITH_PARAMETERS(ENABLE, &p));
}

TEST_F(enable, more_than_MAX_EVENT_FILTERS_COUNT_filters_are_INVALID_PARAMETER)
{
	EVENT_FILTER_EVENT_ID ids = { .FilterIn = TRUE, .Count = 1 };

	EXPECT_EQ(87, enable_filter(self->session, &self->id,
				    EVENT_FILTER_TYPE_EVENT_ID, &ids,
				    sizeof(ids), MAX_EVENT_FILTERS_COUNT + 1));
}

TEST_F(enable, two_filters_of_a_type_are_INVALID_PARAMETER)
{
	EVENT_FILTER_EVENT_ID ids = { .FilterIn = TRUE, .Count = 1 };

	EXPECT_EQ(87, enable_filter(self->session, &self->id,
				    EVENT_FILTER_TYPE_EVENT_ID, &ids,
				    sizeof(ids), 2));
}

TEST_F(enable, filters_of_an_unsupported_type_are_NOT_SUPPORTED)
{
	EVENT_FILTER_EVENT_ID ids = { .FilterIn = TRUE, .Count = 1 };

	EXPECT_EQ(50, FILTER(SYSTEM_FLAGS, &ids, sizeof(ids)));
	EXPECT_EQ(50, FILTER(CONTAINER, &ids, sizeof(ids)));
}

TEST_F(enable, EVENT_ID_must_be_well_formed_with_at_most_64_ids)
{
	struct {
		EVENT_FILTER_EVENT_ID head;
		USHORT more[64];
	} ids = { .head = { .FilterIn = TRUE, .Count = 64 } };

	EXPECT_EQ(0, FILTER(EVENT_ID, &ids, 4 + 64 * 2));
	EXPECT_EQ(87, FILTER(EVENT_ID, &ids, 4 + 64 * 2 - 1));
	EXPECT_EQ(87, FILTER(EVENT_ID, NULL, 4 + 64 * 2));
	ids.head.Count = 65;
	EXPECT_EQ(87, FILTER(EVENT_ID, &ids, 4 + 65 * 2));
}

TEST_F(enable, EVENT_NAME_must_have_at_most_4096_bytes)
{
	static char names[4097];
	EVENT_FILTER_EVENT_NAME *n = (void *)names;

	n->FilterIn = TRUE;
	n->NameCount = 1;
	EXPECT_EQ(0, FILTER(EVENT_NAME, names, sizeof(*n)));
	EXPECT_EQ(87, FILTER(EVENT_NAME, names, 4097));
}

TEST_F(enable, PID_must_have_at_most_8_ids)
{
	ULONG pids[9] = { getpid() };

	EXPECT_EQ(0, FILTER(PID, pids, 32));
	EXPECT_EQ(87, FILTER(PID, pids, 36));
	EXPECT_EQ(87, FILTER(PID, pids, 3));
	EXPECT_EQ(87, FILTER(PID, pids, 0));
}

TEST_F(enable, filters_of_names_must_be_texts_of_at_most_1024_bytes)
{
	static const char16_t exe[] = u"a;b.exe", lone[] = { 0xd800, 'a', 0 };
	static char16_t longest[513];

	EXPECT_EQ(0, FILTER(EXECUTABLE_NAME, exe, sizeof(exe)));
	EXPECT_EQ(0, FILTER(PACKAGE_ID, exe, sizeof(exe) - 2));
	EXPECT_EQ(0, FILTER(PACKAGE_APP_ID, exe, 2));
	EXPECT_EQ(87, FILTER(EXECUTABLE_NAME, exe, 3));
	EXPECT_EQ(87, FILTER(EXECUTABLE_NAME, exe, 0));
	EXPECT_EQ(87, FILTER(EXECUTABLE_NAME, NULL, 2));
	EXPECT_EQ(87, FILTER(EXECUTABLE_NAME, lone, sizeof(lone)));
	memset(longest, 0x20, sizeof(longest));
	EXPECT_EQ(0, FILTER(EXECUTABLE_NAME, longest, 1024));
	EXPECT_EQ(87, FILTER(EXECUTABLE_NAME, longest, 1026));
}

TEST_F(enable, refused_filters_are_not_in_force)
{
	ULONG pids[9] = { getpid() };

	EXPECT_EQ(87, FILTER(PID, pids, 36));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_EQ(0, FILTER(PID, pids, 4));
	EXPECT_TRUE(IS_ENABLED(0, 0));
	EXPECT_EQ(87, FILTER(PID, pids, 36));
	EXPECT_TRUE(IS_ENABLED(0, 0));
}

TEST_F(enable, filters_are_replaced_by_the_next_ENABLE)
{
	EVENT_FILTER_DESCRIPTOR other = other_process();
	ENABLE_TRACE_PARAMETERS p = { .Version = 2, .FilterDescCount = 1,
				      .EnableFilterDesc = &other };

	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	/* With a count of 0, the pointer is ignored */
	p.FilterDescCount = 0;
	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_TRUE(IS_ENABLED(0, 0));
	p.FilterDescCount = 1;
	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, &p));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	EXPECT_EQ(0, CONTROL(ENABLE));
	EXPECT_TRUE(IS_ENABLED(0, 0));
}

TEST_F(enable, filters_are_not_read_for_DISABLE)
{
	ENABLE_TRACE_PARAMETERS p = { .Version = 2, .FilterDescCount = 99,
				      .EnableFilterDesc = (void *)8 };

	EXPECT_EQ(0, CONTROL(ENABLE));
	EXPECT_EQ(87, WITH_PARAMETERS(CAPTURE, &p));
	EXPECT_TRUE(IS_ENABLED(0, 0));
	EXPECT_EQ(0, WITH_PARAMETERS(DISABLE, &p));
	EXPECT_FALSE(IS_ENABLED(0, 0));
}

/* The structure ends at the end of the page: there is no count behind it */
TEST_F(enable, ENABLE_TRACE_PARAMETERS_V1_has_one_filter_or_none)
{
	EVENT_FILTER_DESCRIPTOR other = other_process();
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ENABLE_TRACE_PARAMETERS_V1 *p = (void *)(page + 4096 - sizeof(*p));

	ASSERT_EQ(0, mprotect(page + 4096, 4096, PROT_NONE));
	p->Version = ENABLE_TRACE_PARAMETERS_VERSION;
	p->SourceId = provider_id(55);
	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, p));
	EXPECT_TRUE(IS_ENABLED(0, 0));
	EXPECT_EQ(0, memcmp(&p->SourceId, &reported.source, sizeof(GUID)));
	p->EnableFilterDesc = &other;
	EXPECT_EQ(0, WITH_PARAMETERS(ENABLE, p));
	EXPECT_FALSE(IS_ENABLED(0, 0));
	p->EnableProperty = 1u << 12;
	EXPECT_EQ(50, WITH_PARAMETERS(ENABLE, p));
	munmap(page, 8192);
}

TEST_HARNESS_MAIN
