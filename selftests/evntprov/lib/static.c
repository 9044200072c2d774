// SPDX-License-Identifier: GPL-2.0
/* A program linked with libevntprov.a: the same, without the shared library. */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

static unsigned int calls;

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	calls++;
}

TEST(a_static_program_writes_and_is_called_back)
{
	static const EVENT_DESCRIPTOR descriptor = { .Id = 1, .Level = 1 };
	TRACEHANDLE session = session_start("static");
	GUID id = provider_id(0x92);
	struct etl_scan scan;
	REGHANDLE h;

	ASSERT_NE(0, session);
	ASSERT_EQ(0, EventRegister(&id, callback, NULL, &h));
	ASSERT_EQ(0, session_enable(session, 0x92));
	EXPECT_TRUE(EVENTUALLY(calls == 1));
	EXPECT_EQ(0, EventWrite(h, &descriptor, 0, NULL));
	EXPECT_EQ(0, EventUnregister(h));
	EXPECT_EQ(0, session_stop(session, NULL));
	EXPECT_TRUE(etl_scan("/tmp/static.etl", &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
	unlink("/tmp/static.etl");
}

TEST_HARNESS_MAIN
