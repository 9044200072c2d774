// SPDX-License-Identifier: GPL-2.0
/* TraceLogging in the kernel writes the same records as in a program. */
#include "selftests/evntprov/kernel/kernel.h"

#include <TraceLoggingProvider.h>
#include "selftests/evntprov/kernel/kernel_typed.h"

#undef ENABLE

TRACELOGGING_DEFINE_PROVIDER(program, TYPED_NAME, TYPED_ID(TYPED_PROGRAM));

static struct kept kept;

static int typed(int fd, __u32 function, __u32 context, const char *text)
{
	struct calls_call c = {
		.function = function, .context = context,
		.data = (uintptr_t)text, .len = strlen(text) + 1,
		.flags = 4711,
	};

	return calls_make(fd, &c);
}

static int typed_enabled(int fd, __u8 level, __u64 keyword)
{
	struct calls_call c = {
		.function = CALLS_TYPED_ENABLED,
		.descriptor = { .level = level, .keyword = keyword },
	};

	return -calls_make(fd, &c);
}

static bool same_item(const struct etl_event *a, const struct etl_event *b,
		      uint16_t type)
{
	uint16_t len_a = 0, len_b = 0;
	const uint8_t *in_a = etl_ext(a, type, &len_a);
	const uint8_t *in_b = etl_ext(b, type, &len_b);

	return in_a && in_b && len_a == len_b && !memcmp(in_a, in_b, len_a);
}

TEST_F(kernel, records_equal_those_of_a_program)
{
	const struct etl_event *a = &kept.e[0], *b = &kept.e[1];

	ASSERT_EQ(0, typed(self->calls, CALLS_TYPED_REGISTER, 0, ""));
	ASSERT_EQ(0, TraceLoggingRegister(program));
	ASSERT_EQ(0, control(self->trace, self->session, TYPED_KERNEL, 1));
	ASSERT_EQ(0, control(self->trace, self->session, TYPED_PROGRAM, 1));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "some text"));
	WRITE_TYPED(program, 4711, "some text");
	TraceLoggingUnregister(program);
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_EQ(0, memcmp(a->record + 0x28, b->record + 0x28, 16));
	EXPECT_EQ(a->flags, b->flags);
	EXPECT_TRUE(same_item(a, b, 11));
	EXPECT_TRUE(same_item(a, b, 12));
	ASSERT_EQ(a->data_len, b->data_len);
	EXPECT_EQ(0, memcmp(a->data, b->data, a->data_len));
}

TEST_F(kernel, events_are_written_from_any_context_by_two_registrations)
{
	bool has_nmi = !ioctl(self->calls, CALLS_IOC_HAS_NMI);
	__u32 i, failed = 0, n = has_nmi ? CALLS_CONTEXTS : CALLS_NMI;

	ASSERT_EQ(0, typed(self->calls, CALLS_TYPED_REGISTER, 0, ""));
	EXPECT_EQ(EEXIST, typed(self->calls, CALLS_TYPED_REGISTER, 0, ""));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_UNREGISTER, 0, ""));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_UNREGISTER, 0, ""));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "none"));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_REGISTER, 0, ""));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "none"));
	ASSERT_EQ(0, control(self->trace, self->session, TYPED_KERNEL, 1));
	for (i = 0; i < n; i++)
		failed += typed(self->calls, CALLS_TYPED_WRITE, i, "text") != 0;
	EXPECT_EQ(0, failed);
	READ_LOG(&kept);
	ASSERT_EQ(n, kept.count);
	for (i = 1; i < n; i++) {
		EXPECT_TRUE(same_item(&kept.e[0], &kept.e[i], 11));
		EXPECT_EQ(0, memcmp(kept.e[0].data, kept.e[i].data,
				    kept.e[0].data_len));
	}
}

/* Each session that wants it gets a record, the same as for only one session */
TEST_F(kernel, one_session_and_two_get_the_same_record)
{
	const struct etl_event *a = &kept.e[0], *b = &kept.e[1];
	struct evntrace_enable arg = enable_arg(TYPED_KERNEL);
	struct evntrace_session q;
	__u64 s;

	ASSERT_EQ(0, typed(self->calls, CALLS_TYPED_REGISTER, 0, ""));
	ASSERT_EQ(0, control(self->trace, self->session, TYPED_KERNEL, 1));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "some text"));
	ASSERT_EQ(0, dev_start(self->trace, "second", "/tmp/second.etl", NULL,
			       &s));
	EXPECT_EQ(0, control(self->trace, s, TYPED_KERNEL, 1));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "some text"));
	/* The second one no longer wants events of level 4 */
	arg.level = 3;
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &arg));
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "some text"));
	EXPECT_EQ(0, dev_stop(self->trace, s, &q));
	EXPECT_EQ(1, q.events);
	READ_LOG(&kept);
	ASSERT_EQ(3, kept.count);
	EXPECT_EQ(a->flags, b->flags);
	EXPECT_TRUE(same_item(a, b, 11));
	EXPECT_TRUE(same_item(a, b, 12));
	ASSERT_EQ(a->data_len, b->data_len);
	EXPECT_EQ(0, memcmp(a->data, b->data, a->data_len));
	unlink("/tmp/second.etl");
}

TEST_F(kernel, TraceLoggingProviderEnabled_compares_level_and_keyword)
{
	struct evntrace_enable arg = enable_arg(TYPED_KERNEL);
	struct evntrace_session q;

	ASSERT_EQ(0, typed(self->calls, CALLS_TYPED_REGISTER, 0, ""));
	EXPECT_EQ(0, typed_enabled(self->calls, 0, 0));
	arg.level = 3;
	arg.match_any = 0xf0;
	arg.match_all = 0x30;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &arg));
	EXPECT_EQ(1, typed_enabled(self->calls, 0, 0));
	EXPECT_EQ(1, typed_enabled(self->calls, 3, 0x30));
	EXPECT_EQ(0, typed_enabled(self->calls, 4, 0x30));
	EXPECT_EQ(0, typed_enabled(self->calls, 3, 0x10));
	/* The event has level 4 */
	EXPECT_EQ(0, typed(self->calls, CALLS_TYPED_WRITE, 0, "text"));
	ASSERT_EQ(0, control(self->trace, self->session, TYPED_KERNEL, 0));
	EXPECT_EQ(0, typed_enabled(self->calls, 0, 0));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(0, q.events);
}

TEST_HARNESS_MAIN
