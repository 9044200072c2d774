// SPDX-License-Identifier: GPL-2.0
/*
 * Filters and providers in the kernel: which filters let events through, which
 * leave the provider disabled, and what the callback gets.
 */
#include "selftests/evntprov/kernel/kernel.h"

#include "selftests/evntprov/filters/filters.h"
#include "selftests/evntprov/kernel/kernel_typed.h"

#define OWN_TYPE	7

static struct kept kept;

static struct evntrace_filter filter_of(__u32 type, const void *p, __u32 len)
{
	return (struct evntrace_filter) { (uintptr_t)p, len, type };
}

/* Enable or capture state with a filter, and wait for callbacks */
static int control_with(int trace, __u64 session, unsigned int provider,
			__u32 code, struct evntrace_filter filter)
{
	struct evntrace_enable arg = enable_arg(provider);

	arg.control = code;
	arg.timeout_ms = FOREVER;
	arg.filters = (uintptr_t)&filter;
	arg.filter_count = 1;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

#define ENABLE_WITH(provider, type, p, len)				\
	ASSERT_EQ(0, control_with(self->trace, self->session, provider, 1, \
				  filter_of(type, p, len)))

/* EVENT_FILTER_HEADER, and data of an odd length */
struct own {
	struct evntprov_filter_header header;
	char text[5];
};

#define OWN_LEN		29
#define OWN_STEP	32

static struct own own_of(__u16 id, const char *text)
{
	struct own o = { .header = { .id = id, .filter_len = OWN_LEN } };

	strcpy(o.text, text);
	return o;
}

static __u64 bit_of(__u64 session)
{
	return 1ull << EVNTRACE_HANDLE_ID(session);
}

TEST_F(kernel, the_callback_gets_SCHEMATIZED_with_the_sessions_bit)
{
	struct own own = own_of(9, "abc"), got;
	struct calls_reported t;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_CALLBACK));
	ENABLE_WITH(1, EVNTRACE_FILTER_SCHEMATIZED, &own, OWN_LEN);
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(1, t.times);
	EXPECT_EQ(EVNTRACE_FILTER_SCHEMATIZED, t.filter_type);
	ASSERT_EQ(OWN_STEP, t.filter_len);
	memcpy(&got, t.filter, sizeof(got));
	EXPECT_EQ(9, got.header.id);
	EXPECT_EQ(OWN_LEN, got.header.filter_len);
	EXPECT_EQ(0, got.header.next_offset);
	EXPECT_EQ(bit_of(self->session), got.header.session);
	EXPECT_STREQ("abc", got.text);
	/* No data after the session enables without a filter, or disables */
	ENABLE(1);
	EXPECT_EQ(0, calls_reported(self->calls, 0).filter_len);
	DISABLE(1);
	EXPECT_EQ(0, calls_reported(self->calls, 0).filter_len);
	EXPECT_EQ(3, calls_reported(self->calls, 0).times);
}

TEST_F(kernel, the_callback_gets_filter_data_of_all_sessions)
{
	struct own a = own_of(1, "one"), b = own_of(2, "two"), got[2];
	struct calls_reported t;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "second", "/tmp/second.etl", NULL,
			       &s));
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_CALLBACK));
	ENABLE_WITH(1, EVNTRACE_FILTER_SCHEMATIZED, &a, OWN_LEN);
	EXPECT_EQ(0, control_with(self->trace, s, 1, 1,
				  filter_of(EVNTRACE_FILTER_SCHEMATIZED, &b,
					    OWN_LEN)));
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(2 * OWN_STEP, t.filter_len);
	memcpy(got, t.filter, sizeof(got));
	EXPECT_EQ(1, got[0].header.id);
	EXPECT_EQ(OWN_STEP, got[0].header.next_offset);
	EXPECT_EQ(bit_of(self->session), got[0].header.session);
	memcpy(&got[1], t.filter + OWN_STEP, sizeof(*got));
	EXPECT_EQ(2, got[1].header.id);
	EXPECT_EQ(bit_of(s), got[1].header.session);
	EXPECT_STREQ("two", got[1].text);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	unlink("/tmp/second.etl");
}

TEST_F(kernel, the_callback_gets_a_provider_defined_filter)
{
	struct calls_reported t;

	ENABLE_WITH(1, OWN_TYPE, "mine", 4);
	/* Data set before the provider was registered is passed too */
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_CALLBACK));
	ASSERT_EQ(0, control(self->trace, self->session, 1,
			     EVNTPROV_CONTROL_CAPTURE_STATE));
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(OWN_TYPE, t.filter_type);
	ASSERT_EQ(4, t.filter_len);
	EXPECT_EQ(0, memcmp(t.filter, "mine", 4));
}

TEST_F(kernel, the_callback_gets_filter_data_of_CAPTURE_STATE_once)
{
	struct calls_reported t;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_CALLBACK));
	ENABLE_WITH(1, OWN_TYPE, "mine", 4);
	ASSERT_EQ(0, control_with(self->trace, self->session, 1,
				  EVNTPROV_CONTROL_CAPTURE_STATE,
				  filter_of(OWN_TYPE, "ask", 3)));
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(EVNTPROV_CONTROL_CAPTURE_STATE, t.control);
	ASSERT_EQ(3, t.filter_len);
	EXPECT_EQ(0, memcmp(t.filter, "ask", 3));
	ASSERT_EQ(0, control(self->trace, self->session, 1,
			     EVNTPROV_CONTROL_CAPTURE_STATE));
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(3, t.times);
	EXPECT_EQ(4, t.filter_len);
}

/* Write events with ids 1 to 3, and the id as data */
static void write_ids(int fd)
{
	struct calls_call c;
	__u32 id;

	for (id = 1; id <= 3; id++) {
		c = write_call(0, &id, sizeof(id));
		c.descriptor.id = id;
		calls_make(fd, &c);
	}
}

TEST_F(kernel, filters_by_event_id_apply)
{
	const struct id_filter ids = { .in = 1, .count = 2, .id = { 1, 3 } };

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE_WITH(1, EVNTRACE_FILTER_EVENT_ID, &ids, 8);
	write_ids(self->calls);
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_EQ(1, kept.e[0].id);
	EXPECT_EQ(3, kept.e[1].id);
}

TEST_F(kernel, filters_by_payload_apply)
{
	const struct config c = { .relation = EVNTRACE_CMP_EQ, .value = 2 };
	struct relation_program program = program_of(&c);

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE_WITH(1, EVNTRACE_FILTER_PAYLOAD, &program, sizeof(program));
	write_ids(self->calls);
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	EXPECT_EQ(2, kept.e[0].id);
}

/* A typed event has its number at offset 3 of its data */
static void write_typed(int fd, __u32 number)
{
	struct calls_call c = {
		.function = CALLS_TYPED_WRITE, .flags = number,
		.data = (uintptr_t)"text", .len = 5,
	};

	calls_make(fd, &c);
}

TEST_F(kernel, filters_by_event_name_apply)
{
	struct calls_call c = { .function = CALLS_TYPED_REGISTER };
	struct config config = { .names = { .in = 1 } };
	__u32 len;

	add_name(&config, "Typed");
	len = offsetof(struct name_filter, names) + config.names_len;
	ASSERT_EQ(0, calls_make(self->calls, &c));
	ENABLE_WITH(TYPED_KERNEL, EVNTRACE_FILTER_EVENT_NAME, &config.names,
		    len);
	write_typed(self->calls, 1);
	config.names.in = 0;
	ENABLE_WITH(TYPED_KERNEL, EVNTRACE_FILTER_EVENT_NAME, &config.names,
		    len);
	write_typed(self->calls, 2);
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	EXPECT_EQ(1, etl_u32(kept.e[0].data + 3));
}

/* A provider in the kernel has no process, so no process filter matches */
TEST_F(kernel, filters_by_executable_and_package_leave_it_disabled)
{
	static const __u32 types[] = {
		EVNTRACE_FILTER_PID, EVNTRACE_FILTER_EXECUTABLE_NAME,
		EVNTRACE_FILTER_PACKAGE_ID, EVNTRACE_FILTER_PACKAGE_APP_ID,
	};
	const char *us = program_invocation_short_name;
	__u32 pid = getpid();
	unsigned int i;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_KEY | CALLS_CALLBACK));
	for (i = 0; i < COUNT(types); i++) {
		ENABLE(1);
		EXPECT_EQ(1, calls_reported(self->calls, 0).key);
		ENABLE_WITH(1, types[i], i ? (void *)us : &pid,
			    i ? strlen(us) : sizeof(pid));
		EXPECT_EQ(0, calls_reported(self->calls, 0).key);
		EXPECT_EQ(EVNTPROV_CONTROL_DISABLE,
			  calls_reported(self->calls, 0).control);
		EXPECT_EQ(0, calls_write(self->calls, 0, 0, "not me"));
	}
	READ_LOG(&kept);
	EXPECT_EQ(0, kept.count);
}

TEST_HARNESS_MAIN
