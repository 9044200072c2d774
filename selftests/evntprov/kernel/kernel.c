// SPDX-License-Identifier: GPL-2.0
/*
 * Providers in the kernel: each rule of the functions that modules call, and
 * each of their errors.
 */
#include <pthread.h>
#include <sched.h>

#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/kernel/kernel.h"

/* world.h has another LOG */
#undef LOG
#include "selftests/evntprov/abi/world.h"
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

TEST_F(kernel, EtwRegister_handles_are_unique)
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

/* Stale handles, and handles of a program's provider, which belong to a file */
TEST_F(kernel, EtwWrite_to_an_unregistered_handle_is_ENOENT)
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

TEST_F(kernel, EtwWrite_of_a_disabled_event_reads_no_argument)
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
	"process", "softirq", "interrupt", "no preemption", "no interrupts",
	"nmi",
};

TEST_F(kernel, EtwWrite_works_in_any_context)
{
	bool has_nmi = !ioctl(self->calls, CALLS_IOC_HAS_NMI);
	struct evntprov_guid id = guid_of(1);
	__u32 i, failed = 0, n = has_nmi ? CALLS_CONTEXTS : CALLS_NMI;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	for (i = 0; i < n; i++)
		failed += calls_write(self->calls, 0, i, context_names[i]) != 0;
	EXPECT_EQ(0, failed);
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

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

#define SLEPT		100

/* Sleep also advances the system's clock: set it back before the next event */
TEST_F(kernel, time_advances_while_the_machine_sleeps)
{
	struct timespec t;
	int64_t boot[2];

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	boot[0] = now(CLOCK_BOOTTIME);
	EXPECT_EQ(0, calls_write(self->calls, 0, CALLS_PROCESS, "before"));
	if (ioctl(self->calls, CALLS_IOC_SLEEP, SLEPT))
		SKIP(return, "sleep cannot be had here: errno %d", errno);
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec -= SLEPT;
	EXPECT_EQ(0, clock_settime(CLOCK_REALTIME, &t));
	EXPECT_EQ(0, calls_write(self->calls, 0, CALLS_PROCESS, "after"));
	boot[1] = now(CLOCK_BOOTTIME);
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_LE(boot[0], kept.e[0].time);
	EXPECT_LE(kept.e[0].time + SLEPT * 1000000000ll, kept.e[1].time);
	EXPECT_GE(boot[1], kept.e[1].time);
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

TEST_F(kernel, EtwWrite_concatenates_its_blocks)
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

#define LENGTHS		300

/* Count events whose data does not match their length */
static void check_length(const struct etl_event *e, void *wrong)
{
	static unsigned int next;
	unsigned int i, *n = wrong;

	if (e->data_len != next)
		(*n)++;
	for (i = 0; i < e->data_len; i++)
		*n += e->data[i] != (i + next) % 251;
	next++;
}

TEST_F(kernel, EtwWrite_accepts_data_of_each_length)
{
	unsigned int i, len, wrong = 0, failed = 0;
	struct etl_scan scan;
	char data[LENGTHS];
	struct calls_call c;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	for (len = 0; len < LENGTHS; len++) {
		for (i = 0; i < len; i++)
			data[i] = (i + len) % 251;
		c = write_call(0, data, len);
		failed += calls_make(self->calls, &c) != 0;
	}
	EXPECT_EQ(0, failed);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	ASSERT_TRUE(etl_scan(LOG, &scan, check_length, &wrong));
	EXPECT_EQ(LENGTHS, scan.events);
	EXPECT_EQ(0, wrong);
}

TEST_F(kernel, EtwWrite_records_the_activity)
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
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
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
	ASSERT_EQ(0, dev_start(self->trace, "small", "/tmp/small.etl",
			       &properties, &s));
	EXPECT_EQ(0, control(self->trace, s, 1, EVNTPROV_CONTROL_ENABLE));
	EXPECT_EQ(EMSGSIZE, calls_make(self->calls, &c));
	ASSERT_EQ(0, dev_stop(self->trace, s, &q));
	EXPECT_EQ(1, q.events_lost);
	unlink("/tmp/small.etl");
}

/* Static branches are patched when enabling or disabling returns */
TEST_F(kernel, enabling_and_disabling_take_effect_at_once)
{
	struct evntrace_session q;
	unsigned int i;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_KEY));
	EXPECT_EQ(0, calls_reported(self->calls, 0).key);
	for (i = 0; i < many(50); i++) {
		ASSERT_EQ(0, dev_enable(self->trace, self->session, 1));
		EXPECT_EQ(1, calls_reported(self->calls, 0).key);
		EXPECT_EQ(0, calls_write(self->calls, 0, 0, "on"));
		DISABLE(1);
		EXPECT_EQ(0, calls_reported(self->calls, 0).key);
		EXPECT_EQ(0, calls_write(self->calls, 0, 0, "off"));
	}
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(many(50), q.events);
}

TEST_F(kernel, a_provider_can_be_enabled_before_it_is_registered)
{
	struct evntrace_session q;

	ENABLE(1);
	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_KEY | CALLS_CALLBACK));
	EXPECT_EQ(1, calls_reported(self->calls, 0).key);
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "at once"));
	ASSERT_EQ(0, control(self->trace, self->session, 1,
			     EVNTPROV_CONTROL_CAPTURE_STATE));
	EXPECT_EQ(2, calls_reported(self->calls, 0).times);
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	EXPECT_EQ(0, calls_reported(self->calls, 0).key);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events);
}

/* A session that stops no longer enables anything */
TEST_F(kernel, a_stopped_session_disables_the_static_branches)
{
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_KEY));
	ENABLE(1);
	EXPECT_EQ(1, calls_reported(self->calls, 0).key);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	EXPECT_EQ(0, calls_reported(self->calls, 0).key);
}

TEST_F(kernel, callback_is_called_in_process_context)
{
	struct evntrace_enable arg = enable_arg(1);
	struct calls_reported t;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_CALLBACK));
	arg.level = 3;
	arg.match_any = 0x30;
	arg.match_all = 0x10;
	arg.source = guid_of(7);
	arg.timeout_ms = FOREVER;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &arg));
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(1, t.times);
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, t.control);
	EXPECT_EQ(3, t.level);
	EXPECT_EQ(0x30, t.match_any);
	EXPECT_EQ(0x10, t.match_all);
	EXPECT_EQ(1, t.process);
	EXPECT_EQ(0, memcmp(&arg.source, &t.source, sizeof(t.source)));
	DISABLE(1);
	t = calls_reported(self->calls, 0);
	EXPECT_EQ(2, t.times);
	EXPECT_EQ(EVNTPROV_CONTROL_DISABLE, t.control);
}

TEST_F(kernel, EtwUnregister_in_its_own_callback_is_EDEADLK)
{
	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_CALLBACK | CALLS_SUICIDE));
	ENABLE(1);
	EXPECT_EQ(-EDEADLK, calls_reported(self->calls, 0).result);
	EXPECT_EQ(0, calls_unregister(self->calls, 0));
}

/* Wait until the provider's callback has begun */
static bool is_called(int fd)
{
	unsigned int tries = 6000;

	while (!calls_reported(fd, 0).begun && --tries)
		usleep(10000);
	return tries;
}

static pid_t unregistering;

static void *unregister_first(void *fd)
{
	__atomic_store_n(&unregistering, syscall(SYS_gettid), __ATOMIC_RELEASE);
	return (void *)(intptr_t)calls_unregister(*(int *)fd, 0);
}

/* Wait until that thread has unregistered the provider, and sleeps */
static bool comes_to_wait(__u32 before)
{
	unsigned int tries = 6000;

	/* The thread sleeps for no other reason once others see its change */
	while (dev_status().registrations == before && --tries)
		usleep(10000);
	return dev_status().registrations == before - 1 &&
	       comes_to(__atomic_load_n(&unregistering, __ATOMIC_ACQUIRE), "D",
			6000);
}

TEST_F(kernel, EtwUnregister_waits_for_its_callback)
{
	struct evntrace_enable arg = enable_arg(1);
	pthread_t thread;
	void *result;
	__u32 count;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1,
				    CALLS_CALLBACK | CALLS_STALL));
	count = dev_status().registrations;
	arg.timeout_ms = 1;
	EXPECT_EQ(ETIMEDOUT, dev_ioctl(self->trace, self->session,
				       EVNTRACE_IOC_ENABLE, &arg));
	ASSERT_TRUE(is_called(self->calls));
	pthread_create(&thread, NULL, unregister_first, &self->calls);
	EXPECT_TRUE(comes_to_wait(count));
	EXPECT_EQ(0, calls_reported(self->calls, 0).times);
	ASSERT_EQ(0, ioctl(self->calls, CALLS_IOC_RELEASE));
	pthread_join(thread, &result);
	EXPECT_EQ(0, (intptr_t)result);
}

TEST_F(kernel, the_module_cannot_be_unloaded_while_a_provider_is_registered)
{
	long before = count_references();

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(before + 1, count_references());
	ASSERT_EQ(0, calls_unregister(self->calls, 0));
	EXPECT_EQ(before, count_references());
}

/* A provider in the kernel does not belong to the registering process */
TEST_F(kernel, filters_by_process_leave_kernel_providers_disabled)
{
	__u32 pid = getpid();
	struct evntrace_filter filter = {
		.ptr = (uintptr_t)&pid, .len = sizeof(pid),
		.type = EVNTRACE_FILTER_PID,
	};
	struct evntrace_enable arg = enable_arg(1);
	struct evntrace_session q;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, CALLS_KEY));
	arg.filters = (uintptr_t)&filter;
	arg.filter_count = 1;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &arg));
	EXPECT_EQ(0, calls_reported(self->calls, 0).key);
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "not me"));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(0, q.events);
}

TEST_F(kernel, kernel_providers_are_listed_without_a_process)
{
	struct evntrace_registration e[64];
	struct evntrace_list arg = {
		.size = sizeof(arg), .kind = EVNTRACE_LIST_REGISTRATIONS,
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

/* The same call to another function, with more arguments */
static struct calls_call call_of(__u32 function, const void *p, __u32 len)
{
	struct calls_call c = write_call(0, p, len);

	c.function = function;
	memset(&c.activity, 0x5a, sizeof(c.activity));
	memset(&c.related, 0xa5, sizeof(c.related));
	return c;
}

TEST_F(kernel, EtwWriteTransfer_records_the_related_activity)
{
	struct calls_call c = call_of(CALLS_WRITE_TRANSFER, "x", 1);
	const uint8_t *related;
	uint16_t len;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	EXPECT_EQ(0, calls_make(self->calls, &c));
	c.options = CALLS_ACTIVITY | CALLS_RELATED;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_EQ(NULL, kept.e[0].ext);
	related = etl_ext(&kept.e[1], 1, &len);
	ASSERT_NE(NULL, related);
	EXPECT_EQ(0, memcmp(related, &c.related, 16));
	EXPECT_EQ(0, memcmp(kept.e[1].activity, &c.activity, 16));
	EXPECT_TRUE(has_text(&kept.e[1], "x"));
}

TEST_F(kernel, EtwWriteEx_skips_excluded_sessions)
{
	struct calls_call c = call_of(CALLS_WRITE_EX, "x", 1);
	struct evntrace_session q;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	c.exclude = 1ull << EVNTRACE_HANDLE_ID(self->session);
	EXPECT_EQ(0, calls_make(self->calls, &c));
	c.exclude = ~c.exclude;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events);
}

TEST_F(kernel, EtwWriteEx_INPRIVATE_respects_EXCLUDE_INPRIVATE)
{
	struct evntrace_enable arg = enable_arg(1);
	struct calls_call c = call_of(CALLS_WRITE_EX, "x", 1);
	struct evntrace_session q;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	arg.property = EVNTRACE_PROPERTY_EXCLUDE_INPRIVATE;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &arg));
	c.flags = EVNTPROV_WRITE_INPRIVATE;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	c.flags = EVNTPROV_WRITE_NO_FAULTING;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	ASSERT_EQ(0, dev_stop(self->trace, self->session, &q));
	EXPECT_EQ(1, q.events);
}

TEST_F(kernel, EtwWriteEx_unknown_flag_is_EINVAL_if_enabled)
{
	struct calls_call c = call_of(CALLS_WRITE_EX, "x", 1);
	__u32 flag;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	for (flag = EVNTPROV_WRITE_STRING; flag; flag <<= 1) {
		c.flags = flag;
		EXPECT_EQ(0, calls_make(self->calls, &c));
	}
	ENABLE(1);
	for (flag = EVNTPROV_WRITE_STRING; flag; flag <<= 1) {
		c.flags = flag;
		EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	}
}

TEST_F(kernel, EtwWriteString_records_the_terminating_nul)
{
	static const __u16 text[] = { 'k', 0x20ac, 0 };
	struct calls_call c = call_of(CALLS_WRITE_STRING, text, sizeof(text));

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	EXPECT_EQ(0, calls_make(self->calls, &c));
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	ASSERT_EQ(sizeof(text), kept.e[0].data_len);
	EXPECT_EQ(0, memcmp(text, kept.e[0].data, sizeof(text)));
	EXPECT_EQ(4, kept.e[0].flags & 4);
	EXPECT_EQ(0, kept.e[0].id);
}

TEST_F(kernel, EtwWriteString_NULL_is_EINVAL_if_enabled)
{
	struct calls_call c = call_of(CALLS_WRITE_STRING, "", 0);

	c.options = CALLS_NULL;
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(0, calls_make(self->calls, &c));
	ENABLE(1);
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
}

/* Check a level and keyword with both functions in the given context */
static int enabled(int fd, __u32 context, __u8 level, __u64 keyword)
{
	struct calls_call c = {
		.function = CALLS_EVENT_ENABLED, .context = context,
		.descriptor = { .level = level, .keyword = keyword },
	};
	int event, provider;

	event = -calls_make(fd, &c);
	c.function = CALLS_PROVIDER_ENABLED;
	provider = -calls_make(fd, &c);
	return event == provider ? event : -1;
}

TEST_F(kernel, EtwEventEnabled_and_EtwProviderEnabled_compare_level_and_keyword)
{
	struct evntrace_enable arg = enable_arg(1);
	__u32 context;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(0, enabled(self->calls, 0, 0, 0));
	arg.level = 3;
	arg.match_any = 0xf0;
	arg.match_all = 0x30;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &arg));
	for (context = 0; context < CALLS_NMI; context++) {
		EXPECT_EQ(1, enabled(self->calls, context, 0, 0));
		EXPECT_EQ(1, enabled(self->calls, context, 3, 0x70));
		EXPECT_EQ(0, enabled(self->calls, context, 4, 0x70));
		EXPECT_EQ(0, enabled(self->calls, context, 3, 0x10));
		EXPECT_EQ(0, enabled(self->calls, context, 3, 0x100));
	}
	DISABLE(1);
	EXPECT_EQ(0, enabled(self->calls, 0, 0, 0));
}

TEST_F(kernel, EtwEventEnabled_of_unknown_handle_is_false)
{
	struct calls_call c = {
		.function = CALLS_EVENT_ENABLED, .handle = 12345678,
	};

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	EXPECT_EQ(0, calls_make(self->calls, &c));
}

/* RCU does not wait for idle processors, so a session could be freed in use */
TEST_F(kernel, the_idle_loop_writes_nothing)
{
	static const __u32 functions[] = {
		CALLS_WRITE, CALLS_WRITE_TRANSFER, CALLS_WRITE_EX,
		CALLS_WRITE_STRING, CALLS_ACTIVITY_CONTROL,
	};
	/* The name is also passed as a UTF-16 string */
	struct calls_call c = write_call(0, "id\0", 4);
	unsigned int i;
	int err;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	c.context = CALLS_IDLE;
	c.options = CALLS_ACTIVITY;
	c.flags = 0;
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		c.function = functions[i];
		if (c.function == CALLS_ACTIVITY_CONTROL)
			c.flags = 1;
		err = calls_make(self->calls, &c);
		if (err < 0)
			SKIP(return, "the machine has an idle driver: errno %d",
			     -err);
		EXPECT_EQ(EPERM, err);
	}
	EXPECT_EQ(1, enabled(self->calls, CALLS_PROCESS, 0, 0));
	EXPECT_EQ(0, enabled(self->calls, CALLS_IDLE, 0, 0));
	EXPECT_EQ(0, calls_write(self->calls, 0, CALLS_PROCESS, "awake"));
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	EXPECT_TRUE(has_text(&kept.e[0], "awake"));
}

static int activity(int fd, __u32 code, struct evntprov_guid *id)
{
	struct calls_call c = {
		.function = CALLS_ACTIVITY_CONTROL, .flags = code,
		.options = CALLS_ACTIVITY, .activity = *id,
	};
	int err = calls_make(fd, &c);

	*id = c.activity;
	return err;
}

TEST_F(kernel, EtwActivityIdControl_gets_sets_and_creates)
{
	struct evntprov_guid a = guid_of(1), b = guid_of(2), c = guid_of(1);
	static const struct evntprov_guid none;

	EXPECT_EQ(0, activity(self->calls, 1, &b));
	EXPECT_EQ(0, memcmp(&b, &none, sizeof(b)));
	EXPECT_EQ(0, activity(self->calls, 2, &a));
	EXPECT_EQ(0, activity(self->calls, 1, &b));
	EXPECT_EQ(0, memcmp(&a, &b, sizeof(a)));
	EXPECT_EQ(0, activity(self->calls, 3, &a));
	EXPECT_EQ(0, activity(self->calls, 3, &b));
	EXPECT_NE(0, memcmp(&a, &b, sizeof(a)));
	EXPECT_EQ(0x40, a.b[7] & 0xf0);
	EXPECT_EQ(0x80, a.b[8] & 0xc0);
	EXPECT_EQ(0, activity(self->calls, 4, &a));
	EXPECT_EQ(0, memcmp(&a, &c, sizeof(a)));
	EXPECT_EQ(0, activity(self->calls, 5, &a));
	EXPECT_EQ(0, activity(self->calls, 1, &b));
	EXPECT_NE(0, memcmp(&a, &b, sizeof(a)));
	b = none;
	EXPECT_EQ(0, activity(self->calls, 2, &b));
	EXPECT_EQ(0, activity(self->calls, 1, &b));
	EXPECT_EQ(0, memcmp(&b, &none, sizeof(b)));
}

TEST_F(kernel, EtwActivityIdControl_unknown_code_or_NULL_is_EINVAL)
{
	struct calls_call c = {
		.function = CALLS_ACTIVITY_CONTROL, .options = CALLS_ACTIVITY,
	};

	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	c.flags = 6;
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	c.flags = 1;
	c.options = 0;
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
}

TEST_F(kernel, EtwActivityIdControl_in_an_interrupt_is_EPERM_except_CREATE)
{
	struct calls_call c = {
		.function = CALLS_ACTIVITY_CONTROL, .options = CALLS_ACTIVITY,
		.context = CALLS_INTERRUPT,
	};

	for (c.flags = 1; c.flags <= 5; c.flags++) {
		EXPECT_EQ(c.flags == 3 ? 0 : EPERM,
			  calls_make(self->calls, &c));
	}
}

/* Where locks may sleep, the call returns EPERM instead of taking one */
TEST_F(kernel, EtwActivityIdControl_works_with_preemption_or_interrupts_disabled)
{
	const int set = is_rt() ? EPERM : 0;
	struct calls_call c = {
		.function = CALLS_ACTIVITY_CONTROL, .options = CALLS_ACTIVITY,
	};
	struct evntprov_guid none = {};

	for (c.context = CALLS_NO_PREEMPTION; c.context <= CALLS_NO_INTERRUPTS;
	     c.context++) {
		for (c.flags = 1; c.flags <= 5; c.flags++) {
			c.activity = guid_of(c.flags);
			EXPECT_EQ(c.flags == 1 || c.flags == 3 ? 0 : set,
				  calls_make(self->calls, &c));
		}
	}
	EXPECT_EQ(0, activity(self->calls, 2, &none));
}

TEST_F(kernel, events_have_the_activity_of_the_task)
{
	struct evntprov_guid a = guid_of(5), none = {};

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ENABLE(1);
	ASSERT_EQ(0, activity(self->calls, 2, &a));
	EXPECT_EQ(0, calls_write(self->calls, 0, CALLS_PROCESS, "task"));
	EXPECT_EQ(0, calls_write(self->calls, 0, CALLS_INTERRUPT, "irq"));
	ASSERT_EQ(0, activity(self->calls, 2, &none));
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_EQ(0, memcmp(kept.e[0].activity, &a, 16));
	EXPECT_EQ(0, memcmp(kept.e[1].activity, &none, 16));
}

static int set_info(int fd, __u32 class, const void *info, __u32 len)
{
	struct calls_call c = call_of(CALLS_SET_INFORMATION, info, len);

	c.flags = class;
	return calls_make(fd, &c);
}

#define TRAITS	"\6\0Abc"		/* with the nul */

TEST_F(kernel, EtwSetInformation_errors)
{
	struct calls_call c = call_of(CALLS_SET_INFORMATION, TRAITS, 6);

	c.flags = EVNTPROV_INFO_TRAITS;
	c.handle = 12345678;
	EXPECT_EQ(ENOENT, calls_make(self->calls, &c));
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(EOPNOTSUPP, set_info(self->calls, 1, "", 0));
	EXPECT_EQ(EOPNOTSUPP, set_info(self->calls, 4, "", 0));
	EXPECT_EQ(EOPNOTSUPP, set_info(self->calls, EVNTPROV_INFO_MANIFEST, "",
				       0));
	EXPECT_EQ(EINVAL, set_info(self->calls, EVNTPROV_INFO_TRAITS, TRAITS, 5));
	EXPECT_EQ(EINVAL, set_info(self->calls, EVNTPROV_INFO_TRAITS, "", 0));
	EXPECT_EQ(EINVAL, set_info(self->calls, EVNTPROV_INFO_BINARY_TRACK, "",
				   1));
	EXPECT_EQ(EINVAL, set_info(self->calls, EVNTPROV_INFO_DESCRIPTOR_TYPE,
				   "ab", 2));
	c.handle = 0;
	c.options = CALLS_NULL;
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	EXPECT_EQ(0, set_info(self->calls, EVNTPROV_INFO_BINARY_TRACK, "", 0));
	EXPECT_EQ(0, set_info(self->calls, EVNTPROV_INFO_TRAITS, TRAITS, 6));
	EXPECT_EQ(EEXIST, set_info(self->calls, EVNTPROV_INFO_TRAITS, TRAITS, 6));
}

TEST_F(kernel, etw_register_accepts_traits)
{
	struct calls_call c = call_of(CALLS_REGISTER, TRAITS, 5);
	const uint8_t *traits;
	uint16_t len;

	c.options = CALLS_KEY | CALLS_TRAITS;
	c.provider = guid_of(1);
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	EXPECT_EQ(0, c.new_handle);
	c.len = 6;
	ASSERT_EQ(0, calls_make(self->calls, &c));
	ENABLE(1);
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "text"));
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	traits = etl_ext(&kept.e[0], 12, &len);
	ASSERT_NE(NULL, traits);
	ASSERT_EQ(6, len);
	EXPECT_EQ(0, memcmp(traits, TRAITS, 6));
	EXPECT_TRUE(has_text(&kept.e[0], "text"));
}

#define TRAITS_STEP	7

/* Traits of @len bytes whose name fills what the headers leave */
static void fill_traits(char *to, __u16 len)
{
	memset(to, 'a' + len % 26, len);
	memcpy(to, &len, sizeof(len));
	to[len - 1] = 0;
}

/* Count events whose traits or data do not match their number */
static void check_traits(const struct etl_event *e, void *wrong)
{
	static __u16 next = TRAITS_STEP;
	char traits[LENGTHS + TRAITS_STEP];
	const uint8_t *item;
	uint16_t len = 0;

	fill_traits(traits, next);
	item = etl_ext(e, 12, &len);
	*(unsigned int *)wrong += !item || len != next ||
				  memcmp(item, traits, len) ||
				  !has_text(e, "text");
	next += TRAITS_STEP;
}

TEST_F(kernel, traits_of_each_length_are_recorded)
{
	unsigned int wrong = 0, failed = 0, count = 0;
	char traits[LENGTHS];
	struct etl_scan scan;
	struct calls_call c;
	__u16 len;

	ENABLE(1);
	for (len = TRAITS_STEP; len < LENGTHS; len += TRAITS_STEP, count++) {
		fill_traits(traits, len);
		c = call_of(CALLS_REGISTER, traits, len);
		c.options = CALLS_TRAITS;
		c.provider = guid_of(1);
		failed += calls_make(self->calls, &c) != 0;
		failed += calls_write(self->calls, 0, 0, "text") != 0;
		failed += calls_unregister(self->calls, 0) != 0;
	}
	EXPECT_EQ(0, failed);
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));
	ASSERT_TRUE(etl_scan(LOG, &scan, check_traits, &wrong));
	EXPECT_EQ(count, scan.events);
	EXPECT_EQ(0, wrong);
}

TEST_F(kernel, metadata_blocks_are_no_part_of_the_payload)
{
	struct calls_call c = write_call(0, "metatraidata", 12);
	const uint8_t *item;
	uint16_t len;
	__u8 on = 1;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ASSERT_EQ(0, set_info(self->calls, EVNTPROV_INFO_DESCRIPTOR_TYPE, &on, 1));
	ENABLE(1);
	c.count = 3;
	c.types[0] = EVNTPROV_DATA_EVENT_METADATA;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	c.types[1] = EVNTPROV_DATA_PROVIDER_METADATA;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	c.types[1] = EVNTPROV_DATA_TIMESTAMP_OVERRIDE;
	EXPECT_EQ(EOPNOTSUPP, calls_make(self->calls, &c));
	c.types[1] = 4;
	EXPECT_EQ(EINVAL, calls_make(self->calls, &c));
	READ_LOG(&kept);
	ASSERT_EQ(2, kept.count);
	EXPECT_TRUE(has_text(&kept.e[0], "traidata"));
	item = etl_ext(&kept.e[0], 11, &len);
	ASSERT_NE(NULL, item);
	EXPECT_EQ(0, memcmp(item, "meta", 4));
	EXPECT_TRUE(has_text(&kept.e[1], "data"));
	item = etl_ext(&kept.e[1], 12, &len);
	ASSERT_NE(NULL, item);
	EXPECT_EQ(0, memcmp(item, "trai", 4));
}

/* The single-session route and the multi-session route */
TEST_F(kernel, block_types_require_EventProviderUseDescriptorType)
{
	struct calls_call c = write_call(0, "metadata", 8);
	__u8 off = 0;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ASSERT_EQ(0, set_info(self->calls, EVNTPROV_INFO_TRAITS, TRAITS, 6));
	ASSERT_EQ(0, set_info(self->calls, EVNTPROV_INFO_DESCRIPTOR_TYPE, &off,
			      1));
	ENABLE(1);
	c.count = 2;
	c.types[0] = EVNTPROV_DATA_EVENT_METADATA;
	EXPECT_EQ(0, calls_make(self->calls, &c));
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	EXPECT_TRUE(has_text(&kept.e[0], "metadata"));
}

/* Several sessions, one with call stacks: each gets its own record */
TEST_F(kernel, two_sessions_and_call_stacks_work_in_any_context)
{
	bool has_nmi = !ioctl(self->calls, CALLS_IOC_HAS_NMI);
	struct evntrace_enable arg;
	struct evntrace_session q;
	__u32 i, failed = 0, n = has_nmi ? CALLS_CONTEXTS : CALLS_NMI;
	uint16_t len;
	__u64 s;

	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "second", "/tmp/second.etl", NULL,
			       &s));
	ENABLE(1);
	ASSERT_EQ(0, control(self->trace, s, 1, EVNTPROV_CONTROL_ENABLE));
	for (i = 0; i < n; i++)
		failed += calls_write(self->calls, 0, i, "both") != 0;
	arg = enable_arg(1);
	arg.property = EVNTRACE_PROPERTY_STACK_TRACE | EVNTRACE_PROPERTY_SID |
		       EVNTRACE_PROPERTY_TS_ID | EVNTRACE_PROPERTY_EVENT_KEY |
		       EVNTRACE_PROPERTY_PROCESS_START_KEY;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &arg));
	for (i = 0; i < n; i++)
		failed += calls_write(self->calls, 0, i, context_names[i]) != 0;
	EXPECT_EQ(0, failed);
	ASSERT_EQ(0, dev_stop(self->trace, s, &q));
	EXPECT_EQ(2 * n, q.events);
	READ_LOG(&kept);
	ASSERT_EQ(2 * n, kept.count);
	for (i = 0; i < n; i++) {
		EXPECT_TRUE(has_text(&kept.e[i], "both"));
		EXPECT_TRUE(has_text(&kept.e[n + i], context_names[i]));
		EXPECT_EQ(i == CALLS_NMI, !etl_ext(&kept.e[n + i], 6, &len));
		EXPECT_NE(NULL, etl_ext(&kept.e[n + i], 2, &len));
	}
	unlink("/tmp/second.etl");
}

TEST_F(kernel, EtwRegister_more_than_MAX_REGISTRATIONS_is_EMFILE)
{
	static __u64 handles[EVNTPROV_MAX_REGISTRATIONS];
	struct calls_call c = { .function = CALLS_REGISTER };
	unsigned int i, n = 0;
	int err;

	while (!(err = calls_make(self->calls, &c)) &&
	       n < EVNTPROV_MAX_REGISTRATIONS)
		handles[n++] = c.new_handle;
	EXPECT_EQ(EMFILE, err);
	EXPECT_EQ(EVNTPROV_MAX_REGISTRATIONS, n);
	EXPECT_EQ(0, c.new_handle);
	c.function = CALLS_UNREGISTER;
	for (i = 0; i < n; i++) {
		c.handle = handles[i];
		EXPECT_EQ(0, calls_make(self->calls, &c));
	}
}

TEST_HARNESS_MAIN
