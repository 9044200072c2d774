// SPDX-License-Identifier: GPL-2.0
/*
 * Providers in the kernel: each rule of the functions that modules call, and each
 * of their errors.
 */
#include <pthread.h>
#include <sched.h>

#include "kernel.h"

#include "world.h"

#undef LOG
#define LOG	"/tmp/kernel.etl"

static struct kept kept;

TEST_F(kernel, EtwRegister_NULL_provider_or_handle_is_EINVAL)
{
	EXPECT_EQ(EINVAL, calls_register(self->calls, 0, 1, CALLS_NO_ID));
	EXPECT_EQ(EINVAL, calls_register(self->calls, 0, 1, CALLS_NO_HANDLE));
}

TEST_F(kernel, EtwRegister_failed_leaves_handle_0)
{
	struct calls_call c = {
		.function = CALLS_REGISTER, .options = CALLS_NO_ID,
	};

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(0, calls_unregister(self->calls, 0));
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	EXPECT_EQ(0, c.new_handle);
}

TEST_F(kernel, EtwRegister_handles_are_unlike_each_other)
{
	struct calls_call c = { .function = CALLS_REGISTER };
	__u64 first;

	ASSERT_EQ(0, calls_make(self->calls, &c));
	first = c.new_handle;
	EXPECT_NE(0, first);
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	ASSERT_EQ(0, calls_make(self->calls, &c));
	EXPECT_NE(0, c.new_handle);
	EXPECT_NE(first, c.new_handle);
}

TEST_F(kernel, EtwUnregister_handle_0_is_no_error)
{
	EXPECT_EQ(0, calls_unregister(self->calls, 0));
}

TEST_F(kernel, EtwUnregister_unknown_handle_is_ENOENT)
{
	struct calls_call c = { .function = CALLS_REGISTER };

	ASSERT_EQ(0, calls_make(self->calls, &c));
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	c.function = CALLS_UNREGISTER;
	c.handle = c.new_handle;
	c.handle = 12345678;
	EXPECT_EQ(ENOENT, calls_make(self->calls, &c));
}

/* Or that of a program's provider, which is its file's */
TEST_F(kernel, EtwWrite_handle_that_is_no_more_is_ENOENT)
{
	struct calls_call c = { .function = CALLS_REGISTER, .slot = 1 };
	__u64 gone;

	ASSERT_EQ(0, calls_make(self->calls, &c));
	gone = c.new_handle;
	ASSERT_EQ(0, calls_unregister(self->calls, 1));
	c = write_call(0, "x", 1);
	c.options = CALLS_BARE;
	c.handle = gone;
	EXPECT_EQ(ENOENT, calls_make(self->calls, &c));
}

TEST_F(kernel, EtwWrite_handle_0_is_no_error)
{
	struct calls_call c = write_call(0, "x", 1);

	c.options = CALLS_BARE;
	EXPECT_EQ(0, calls_make(self->calls, &c));
}

TEST_F(kernel, EtwWrite_that_nobody_wants_looks_at_nothing)
{
	struct calls_call c = write_call(0, "x", 1);

	c.options = CALLS_BARE;
	c.count = EVNTPROV_MAX_DATA + 1;
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(0, calls_make(self->calls, &c));
	ENABLE(1);
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
}

static const char *const context_names[] = {
	"process", "softirq", "interrupt", "nmi",
};

TEST_F(kernel, EtwWrite_from_any_context)
{
	bool has_nmi = !ioctl(self->calls, CALLS_IOC_HAS_NMI);
	struct evntprov_guid id = guid_of(1);
	__u32 i, n = has_nmi ? CALLS_CONTEXTS : CALLS_NMI;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	for (i = 0; i < n; i++)
		EXPECT_EQ(0, calls_write(self->calls, 0, i, context_names[i]));
	READ_LOG(&kept);
	ASSERT_EQ(n, kept.count);
	for (i = 0; i < n; i++) {
		EXPECT_TRUE(has_text(&kept.e[i], context_names[i]));
		EXPECT_EQ(0, memcmp(kept.e[i].provider, &id, sizeof(id)));
		EXPECT_EQ(1, kept.e[i].id);
		EXPECT_EQ(4, kept.e[i].level);
		EXPECT_EQ(1, kept.e[i].keyword);
	}
}

TEST_F(kernel, events_have_the_current_task_and_wide_pointers)
{
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	EXPECT_EQ(0, calls_write(self->calls, 0, CALLS_PROCESS, "me"));
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	EXPECT_EQ(getpid(), kept.e[0].pid);
	EXPECT_EQ(syscall(SYS_gettid), kept.e[0].tid);
	EXPECT_EQ(0xc013, etl_u16(kept.e[0].record + 2));
}

TEST_F(kernel, EtwWrite_blocks_follow_each_other)
{
	char text[200];
	struct calls_call c;
	__u32 count;

	for (count = 0; count < sizeof(text); count++)
		text[count] = 'a' + count % 26;
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	for (count = 1; count <= EVNTPROV_MAX_DATA; count *= 8) {
		c = write_call(0, text, sizeof(text));
		c.count = count;
		EXPECT_EQ(0, calls_make(self->calls, &c));
	}
	READ_LOG(&kept);
	EXPECT_EQ(3, kept.count);
	for (count = 0; count < kept.count; count++) {
		ASSERT_EQ(sizeof(text), kept.e[count].data_len);
		EXPECT_EQ(0, memcmp(text, kept.e[count].data, sizeof(text)));
	}
}

TEST_F(kernel, EtwWrite_with_activity)
{
	struct calls_call c = write_call(0, "x", 1);
	static const __u8 none[16];

	memset(&c.activity, 0x5a, sizeof(c.activity));
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	EXPECT_EQ(0, calls_make(self->calls, &c));
	c.options = CALLS_ACTIVITY;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_EQ(0, memcmp(none, kept.e[0].activity, 16));
	EXPECT_EQ(0, memcmp(&c.activity, kept.e[1].activity, 16));
}

TEST_F(kernel, EtwWrite_too_many_blocks_is_EINVAL)
{
	struct calls_call c = write_call(0, "x", 1);

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	c.count = EVNTPROV_MAX_DATA + 1;
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
}

TEST_F(kernel, EtwWrite_longer_than_64_KiB_is_EOVERFLOW_and_lost)
{
	static char much[CALLS_DATA];
	struct calls_call c = write_call(0, much, sizeof(much));
	struct evntrace_session q;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	EXPECT_EQ(EOVERFLOW, calls_make(self->calls, &c));
	ASSERT_EQ(0, door_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events_lost);
}

TEST_F(kernel, EtwWrite_longer_than_a_buffer_is_EMSGSIZE_and_lost)
{
	struct evntrace_start properties = { .buffer_size = 4096 };
	static char much[8192];
	struct calls_call c = write_call(0, much, sizeof(much));
	struct evntrace_session q;
	__u64 s;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ASSERT_EQ(0, door_start(self->trace, "small", "/tmp/small.etl",
				&properties, &s));
	EXPECT_EQ(0, control(self->trace, s, 1, EVNTPROV_CONTROL_ENABLE));
	EXPECT_EQ(EMSGSIZE, calls_make(self->calls, &c));
	ASSERT_EQ(0, door_stop(self->trace, s, &q));
	EXPECT_EQ(1, q.events_lost);
	unlink("/tmp/small.etl");
}

/* What sessions want is known when enabling returns, to all branches */
TEST_F(kernel, enabled_and_disabled_at_once)
{
	struct evntrace_session q;
	unsigned int i;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_KEY));
	EXPECT_EQ(0, calls_told(self->calls, 0).key);
	for (i = 0; i < many(50); i++) {
		ASSERT_EQ(0, door_enable(self->trace, self->session, 1));
		EXPECT_EQ(1, calls_told(self->calls, 0).key);
		EXPECT_EQ(0, calls_write(self->calls, 0, 0, "on"));
		DISABLE(1);
		EXPECT_EQ(0, calls_told(self->calls, 0).key);
		EXPECT_EQ(0, calls_write(self->calls, 0, 0, "off"));
	}
	ASSERT_EQ(0, door_stop(self->trace, self->session, &q));
	EXPECT_EQ(many(50), q.events);
}

TEST_F(kernel, enabled_before_it_is_registered)
{
	struct evntrace_session q;

	ENABLE(1);
	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_KEY | CALLS_CALLBACK));
	EXPECT_EQ(1, calls_told(self->calls, 0).key);
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "at once"));
	ASSERT_EQ(0, control(self->trace, self->session, 1,
			     EVNTPROV_CONTROL_CAPTURE_STATE));
	EXPECT_EQ(2, calls_told(self->calls, 0).times);
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	EXPECT_EQ(0, calls_told(self->calls, 0).key);
	ASSERT_EQ(0, door_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events);
}

/* A session that stops has enabled nothing any more */
TEST_F(kernel, session_that_stops_switches_branches_off)
{
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_KEY));
	ENABLE(1);
	EXPECT_EQ(1, calls_told(self->calls, 0).key);
	ASSERT_EQ(0, door_stop(self->trace, self->session, NULL));
	EXPECT_EQ(0, calls_told(self->calls, 0).key);
}

TEST_F(kernel, callback_is_called_in_process_context)
{
	struct evntrace_enable arg = enable_arg(self->session, 1);
	struct calls_told t;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_CALLBACK));
	arg.level = 3;
	arg.match_any = 0x30;
	arg.match_all = 0x10;
	arg.source = guid_of(7);
	arg.timeout_ms = FOREVER;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_ENABLE, &arg));
	t = calls_told(self->calls, 0);
	EXPECT_EQ(1, t.times);
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, t.control);
	EXPECT_EQ(3, t.level);
	EXPECT_EQ(0x30, t.match_any);
	EXPECT_EQ(0x10, t.match_all);
	EXPECT_EQ(1, t.process);
	EXPECT_EQ(0, memcmp(&arg.source, &t.source, sizeof(t.source)));
	DISABLE(1);
	t = calls_told(self->calls, 0);
	EXPECT_EQ(2, t.times);
	EXPECT_EQ(EVNTPROV_CONTROL_DISABLE, t.control);
}

TEST_F(kernel, EtwUnregister_in_its_own_callback_is_EDEADLK)
{
	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_CALLBACK | CALLS_SUICIDE));
	ENABLE(1);
	EXPECT_EQ(-EDEADLK, calls_told(self->calls, 0).result);
	EXPECT_EQ(0, calls_unregister(self->calls, 0));
}

static void *unregister_first(void *fd)
{
	return (void *)(intptr_t)calls_unregister(*(int *)fd, 0);
}

TEST_F(kernel, EtwUnregister_waits_for_its_callback)
{
	struct evntrace_enable arg = enable_arg(self->session, 1);
	pthread_t thread;
	void *result;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_CALLBACK | CALLS_STALL));
	arg.timeout_ms = 1;
	EXPECT_EQ(ETIMEDOUT, do_ioctl(self->trace, EVNTRACE_IOC_ENABLE, &arg));
	pthread_create(&thread, NULL, unregister_first, &self->calls);
	EXPECT_EQ(0, calls_told(self->calls, 0).times);
	ASSERT_EQ(0, ioctl(self->calls, CALLS_IOC_RELEASE));
	pthread_join(thread, &result);
	EXPECT_EQ(0, (intptr_t)result);
}

TEST_F(kernel, the_module_stays_under_a_provider)
{
	long before = count_references();

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(before + 1, count_references());
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	EXPECT_EQ(before, count_references());
}

/* Also of the process that it was registered in */
TEST_F(kernel, filter_by_process_leaves_it_disabled)
{
	__u32 pid = getpid();
	struct evntrace_filter filter = {
		.ptr = (uintptr_t)&pid, .len = sizeof(pid),
		.type = EVNTRACE_FILTER_PID,
	};
	struct evntrace_enable arg = enable_arg(self->session, 1);
	struct evntrace_session q;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_KEY));
	arg.filters = (uintptr_t)&filter;
	arg.filter_count = 1;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_ENABLE, &arg));
	EXPECT_EQ(0, calls_told(self->calls, 0).key);
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "not me"));
	ASSERT_EQ(0, door_stop(self->trace, self->session, &q));
	EXPECT_EQ(0, q.events);
}

TEST_F(kernel, it_is_listed_as_the_kernels)
{
	struct evntrace_registration e[64];
	struct evntrace_list arg = {
		.size = sizeof(arg), .what = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*e), .count = 64,
		.elements = (uintptr_t)e,
	};
	struct evntprov_guid id = guid_of(1);
	unsigned int i, found = 0;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &arg));
	for (i = 0; i < arg.count; i++) {
		if (memcmp(&e[i].provider, &id, sizeof(id)))
			continue;
		found++;
		EXPECT_EQ(0, e[i].pid);
		EXPECT_EQ(EVNTRACE_REGISTRATION_KERNEL, e[i].flags);
	}
	EXPECT_EQ(1, found);
}

TEST_HARNESS_MAIN
