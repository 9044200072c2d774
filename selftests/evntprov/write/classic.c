// SPDX-License-Identifier: GPL-2.0
/*
 * Classic registrations: the session that enabled the provider last owns it,
 * and only that session gets its records, of each kind.
 */
#include <pthread.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/compat_call.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define H	HANDLE(1, 1)
#define OTHER	HANDLE(2, 1)
#define LOG	"/tmp/classic%u.etl"
#define ALL_OPTIONS	(EVNTPROV_MESSAGE_GUID | EVNTPROV_MESSAGE_TIMESTAMP | \
			 EVNTPROV_MESSAGE_SYSTEMINFO)

FIXTURE(classic) {
	int prov;
	int trace;
	const volatile struct evntprov_enable *area;
	__u64 session[2];
	struct dev_status before;
	uint8_t *file;
	off_t file_size;
};

FIXTURE_SETUP(classic)
{
	memset(self->session, 0, sizeof(self->session));
	self->file = NULL;
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	self->area = mmap(NULL, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ,
			  MAP_SHARED, self->prov, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->area);
	ASSERT_EQ(0, dev_register(self->prov, H, 1,
				  EVNTPROV_REGISTER_NOTIFY |
				  EVNTPROV_REGISTER_CLASSIC));
}

FIXTURE_TEARDOWN(classic)
{
	unsigned int i;
	char path[32];

	free(self->file);
	munmap((void *)self->area, EVNTPROV_ENABLE_AREA_SIZE);
	close(self->prov);
	for (i = 0; i < 2; i++) {
		if (self->session[i])
			EXPECT_EQ(0, dev_stop(self->trace, self->session[i],
					      NULL));
		sprintf(path, LOG, i);
		unlink(path);
	}
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
}

typedef FIXTURE_DATA(classic) data;

static int start(data *self, unsigned int i, __u32 mode)
{
	struct evntrace_start how = {
		.buffer_size = 8192, .log_file_mode = mode,
	};
	char name[16], path[32];

	sprintf(name, "classic%u", i);
	sprintf(path, LOG, i);
	return dev_start(self->trace, name,
			 mode & EVNTRACE_MODE_BUFFERING ? NULL : path, &how,
			 &self->session[i]);
}

static int disable(data *self, unsigned int i)
{
	struct evntrace_enable arg = enable_arg(1);

	arg.control = EVNTPROV_CONTROL_DISABLE;
	return dev_ioctl(self->trace, self->session[i], EVNTRACE_IOC_ENABLE,
			 &arg);
}

/* Start one session, and enable the provider in it */
static int begin(data *self, __u32 mode)
{
	return start(self, 0, mode) ?:
	       dev_enable(self->trace, self->session[0], 1);
}

static struct evntprov_write trace_arg(const data *self, __u32 kind,
				       const struct evntprov_data *d)
{
	return (struct evntprov_write) {
		.size = sizeof(struct evntprov_write), .handle = H,
		.session = self->session[0], .flags = kind, .descriptor.id = 7,
		.class_id = guid_of(77), .data = (uintptr_t)d, .data_count = !!d,
	};
}

static int trace(const data *self, struct evntprov_write *arg)
{
	return do_ioctl(self->prov, EVNTPROV_IOC_WRITE, arg);
}

static struct evntprov_write trace_arg_to(const data *self, __u64 session)
{
	struct evntprov_write arg =
		trace_arg(self, EVNTPROV_TRACE_EVENT, NULL);

	arg.session = session;
	return arg;
}

/* Write an event without data to session @i */
static int trace_to(const data *self, unsigned int i)
{
	struct evntprov_write arg =
		trace_arg_to(self, self->session[i]);

	return trace(self, &arg);
}

static const volatile struct evntprov_enable *slot_of(const data *self,
						      __u64 handle)
{
	return &self->area[(handle & EVNTPROV_HANDLE_SLOT_MASK) /
			   EVNTPROV_SLOT_SIZE];
}

static __u64 enabler(const data *self, __u64 handle)
{
	return slot_of(self, handle)->session;
}

static int stop(data *self, unsigned int i, struct evntrace_session *info)
{
	int err = dev_stop(self->trace, self->session[i], info);

	self->session[i] = 0;
	return err;
}

/* Stop the session, and read its file */
static bool read_log(data *self, unsigned int i, struct evntrace_session *info)
{
	struct stat st;
	char path[32];
	bool done;
	int fd;

	if (stop(self, i, info))
		return false;
	sprintf(path, LOG, i);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return false;
	self->file = malloc(st.st_size);
	self->file_size = st.st_size;
	done = read(fd, self->file, st.st_size) == st.st_size;
	close(fd);
	return done;
}

/* The @n-th record of a file with buffers of one CPU, or NULL */
static const uint8_t *record(const data *self, unsigned int n)
{
	uint32_t at, end, size = etl_u32(self->file);
	const uint8_t *b;

	for (b = self->file + size; b < self->file + self->file_size;
	     b += size) {
		end = etl_u32(b + 0x30);
		for (at = 0x48; at < end; at += (etl_u16(b + at) + 7) & ~7u) {
			if (!n--)
				return b + at;
		}
	}
	return NULL;
}

static bool has_class(const uint8_t *at, unsigned int n)
{
	struct evntprov_guid g = guid_of(n);

	return !memcmp(at, &g, sizeof(g));
}

static bool is_me(const uint8_t *at)
{
	return etl_u32(at) == (uint32_t)gettid() &&
	       etl_u32(at + 4) == (uint32_t)getpid();
}

TEST_F(classic, EVENT_writes_a_FULL_record)
{
	struct evntprov_data d[2] = {
		{ .ptr = (uintptr_t)"abc", .len = 3 },
		{ .ptr = (uintptr_t)"defgh", .len = 5, .type = 3 },
	};
	struct evntprov_write arg;
	struct evntrace_session info;
	const uint8_t *r;

	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, d);
	arg.descriptor.opcode = 10;
	arg.descriptor.level = 4;
	arg.data_count = 2;
	EXPECT_EQ(0, trace(self, &arg));
	ASSERT_TRUE(read_log(self, 0, &info));
	EXPECT_EQ(1, info.events);
	r = record(self, 0);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(0x38, etl_u16(r));
	EXPECT_EQ(sizeof(long) == 8 ? 0xc014 : 0xc00a, etl_u16(r + 2));
	EXPECT_EQ(10, r[4]);
	EXPECT_EQ(4, r[5]);
	EXPECT_EQ(7, etl_u16(r + 6));
	EXPECT_TRUE(is_me(r + 8));
	EXPECT_NE(0, etl_u64(r + 0x10));
	EXPECT_TRUE(has_class(r + 0x18, 77));
	EXPECT_EQ(0, memcmp(r + 0x30, "abcdefgh", 8));
}

TEST_F(classic, INSTANCE_records_instance_and_parent)
{
	struct evntprov_data d = { .ptr = (uintptr_t)"x", .len = 1 };
	struct evntprov_write arg;
	const uint8_t *r;

	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_INSTANCE, &d);
	arg.descriptor.keyword = 5 | 6ull << 32;
	arg.parent = guid_of(88);
	EXPECT_EQ(0, trace(self, &arg));
	ASSERT_TRUE(read_log(self, 0, NULL));
	r = record(self, 0);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(0x49, etl_u16(r));
	EXPECT_EQ(sizeof(long) == 8 ? 0xc015 : 0xc00b, etl_u16(r + 2));
	EXPECT_TRUE(has_class(r + 0x18, 77));
	EXPECT_EQ(5, etl_u32(r + 0x30));
	EXPECT_EQ(6, etl_u32(r + 0x34));
	EXPECT_TRUE(has_class(r + 0x38, 88));
	EXPECT_EQ('x', r[0x48]);
}

/* Pin the thread: records of one CPU are in the order of writing */
static void stay(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

TEST_F(classic, MESSAGE_records_the_items_of_its_options)
{
	struct evntprov_data d = { .ptr = (uintptr_t)"m", .len = 1 };
	const __u16 wide = sizeof(long) == 8 ? 0x80 : 0x40;
	struct evntprov_write arg;
	const uint8_t *r;

	stay();
	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_MESSAGE, &d);
	EXPECT_EQ(0, trace(self, &arg));
	arg.descriptor.task = ALL_OPTIONS;
	EXPECT_EQ(0, trace(self, &arg));
	arg.descriptor.task = EVNTPROV_MESSAGE_COMPONENT;
	EXPECT_EQ(0, trace(self, &arg));
	ASSERT_TRUE(read_log(self, 0, NULL));

	r = record(self, 0);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(9, etl_u16(r));
	EXPECT_EQ(0x9000, etl_u16(r + 2));
	EXPECT_EQ(7, etl_u16(r + 4));
	EXPECT_EQ(wide, etl_u16(r + 6));
	EXPECT_EQ('m', r[8]);
	r = record(self, 1);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(8 + 16 + 8 + 8 + 1, etl_u16(r));
	EXPECT_EQ(wide | ALL_OPTIONS, etl_u16(r + 6));
	EXPECT_TRUE(has_class(r + 8, 77));
	EXPECT_NE(0, etl_u64(r + 24));
	EXPECT_TRUE(is_me(r + 32));
	EXPECT_EQ('m', r[40]);
	r = record(self, 2);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(8 + 4 + 1, etl_u16(r));
	EXPECT_EQ(0, memcmp(r + 8, "evnt", 4));
}

/* Call as a 32-bit program; the argument is below 4 GiB */
static long trace32(const data *self, void *low,
		    struct evntprov_write arg)
{
	memcpy(low, &arg, sizeof(arg));
	return compat_ioctl(self->prov, EVNTPROV_IOC_WRITE,
			    (uintptr_t)low);
}

TEST_F(classic, records_of_32_bit_programs_have_the_32_bit_flag)
{
	void *low = compat_memory(4096);
	struct evntprov_data d = { .ptr = (uintptr_t)"32", .len = 3 };
	struct evntprov_write arg;
	const uint8_t *r;

	if (!compat_is_there())
		SKIP(return, "the kernel runs no 32-bit programs");
	stay();
	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, &d);
	EXPECT_EQ(0, trace32(self, low, arg));
	arg.flags = EVNTPROV_TRACE_INSTANCE;
	arg.descriptor.keyword = 5;
	EXPECT_EQ(0, trace32(self, low, arg));
	arg = trace_arg(self, EVNTPROV_TRACE_MESSAGE, &d);
	EXPECT_EQ(0, trace32(self, low, arg));
	arg.data = 16;
	EXPECT_EQ(-EFAULT, trace32(self, low, arg));
	ASSERT_TRUE(read_log(self, 0, NULL));
	r = record(self, 0);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(0xc00a, etl_u16(r + 2));
	EXPECT_EQ(0, memcmp(r + 0x30, "32", 3));
	r = record(self, 1);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(0xc00b, etl_u16(r + 2));
	EXPECT_EQ(5, etl_u32(r + 0x30));
	EXPECT_EQ(0, memcmp(r + 0x48, "32", 3));
	r = record(self, 2);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(0x9000, etl_u16(r + 2));
	EXPECT_EQ(0x40, etl_u16(r + 6));
	EXPECT_EQ(0, memcmp(r + 8, "32", 3));
	munmap(low, 4096);
}

/* Store the sequence numbers of three messages, 0 if they have none */
static bool numbers(data *self, __u32 mode, uint32_t number[3])
{
	struct evntprov_write arg;
	const uint8_t *r;
	unsigned int i;

	if (begin(self, mode))
		return false;
	arg = trace_arg(self, EVNTPROV_TRACE_MESSAGE, NULL);
	arg.descriptor.task = EVNTPROV_MESSAGE_SEQUENCE;
	for (i = 0; i < 3; i++) {
		if (trace(self, &arg))
			return false;
	}
	if (!read_log(self, 0, NULL))
		return false;
	for (i = 0; i < 3; i++) {
		r = record(self, i);
		if (!r)
			return false;
		number[i] = etl_u16(r + 6) & 1 ? etl_u32(r + 8) : 0;
	}
	return true;
}

TEST_F(classic, LOCAL_SEQUENCE_numbers_messages_from_1)
{
	uint32_t n[3];

	stay_on(0);
	ASSERT_TRUE(numbers(self, EVNTRACE_MODE_LOCAL_SEQUENCE, n));
	EXPECT_EQ(1, n[0]);
	EXPECT_EQ(2, n[1]);
	EXPECT_EQ(3, n[2]);
}

TEST_F(classic, GLOBAL_SEQUENCE_continues_in_the_next_session)
{
	uint32_t n[3], next[3];

	stay_on(0);
	ASSERT_TRUE(numbers(self, EVNTRACE_MODE_GLOBAL_SEQUENCE, n));
	free(self->file);
	self->file = NULL;
	ASSERT_TRUE(numbers(self, EVNTRACE_MODE_GLOBAL_SEQUENCE, next));
	EXPECT_EQ(n[0] + 2, n[2]);
	EXPECT_EQ(n[2] + 1, next[0]);
}

TEST_F(classic, without_a_sequence_mode_messages_have_no_number)
{
	uint32_t n[3];

	ASSERT_TRUE(numbers(self, 0, n));
	EXPECT_EQ(0, n[0] | n[1] | n[2]);
}

/* Start two sessions; the second is the last to enable the provider */
static int begin_both(data *self)
{
	return begin(self, 0) ?: start(self, 1, 0) ?:
	       dev_enable(self->trace, self->session[1], 1);
}

TEST_F(classic, a_second_session_takes_the_provider_over)
{
	ASSERT_EQ(0, begin(self, 0));
	EXPECT_EQ(self->session[0], enabler(self, H));
	ASSERT_EQ(0, start(self, 1, 0));
	EXPECT_EQ(ESRCH, trace_to(self, 1));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	EXPECT_EQ(self->session[1], enabler(self, H));
	EXPECT_EQ(0, trace_to(self, 1));
}

/* A provider that ignores the takeover keeps writing to its old session */
TEST_F(classic, a_former_owner_can_be_written_to_until_it_disables)
{
	struct evntrace_session info;

	ASSERT_EQ(0, begin_both(self));
	EXPECT_EQ(0, trace_to(self, 0));
	EXPECT_EQ(0, trace_to(self, 1));
	EXPECT_EQ(0, disable(self, 1));
	EXPECT_EQ(0, trace_to(self, 0));
	EXPECT_EQ(0, disable(self, 0));
	EXPECT_EQ(ESRCH, trace_to(self, 0));
	ASSERT_EQ(0, stop(self, 0, &info));
	EXPECT_EQ(2, info.events);
	ASSERT_EQ(0, stop(self, 1, &info));
	EXPECT_EQ(1, info.events);
}

TEST_F(classic, a_former_owner_can_be_written_to_until_it_stops)
{
	struct evntprov_write arg;

	ASSERT_EQ(0, begin_both(self));
	arg = trace_arg_to(self, self->session[0]);
	EXPECT_EQ(0, trace(self, &arg));
	EXPECT_EQ(0, stop(self, 0, NULL));
	EXPECT_EQ(ESRCH, trace(self, &arg));
	EXPECT_EQ(0, trace_to(self, 1));
}

/* A registration made after both sessions have enabled the provider */
TEST_F(classic, a_later_registration_can_write_to_both_sessions)
{
	struct evntprov_write arg;

	ASSERT_EQ(0, begin_both(self));
	ASSERT_EQ(0, dev_register(self->prov, OTHER, 1,
				  EVNTPROV_REGISTER_CLASSIC));
	arg = trace_arg_to(self, self->session[0]);
	arg.handle = OTHER;
	EXPECT_EQ(0, trace(self, &arg));
	arg.session = self->session[1];
	EXPECT_EQ(0, trace(self, &arg));
}

/* Its modern events go to the session that owns it, and to no other */
TEST_F(classic, events_by_WRITE_go_only_to_the_last_session)
{
	struct evntrace_session info;

	ASSERT_EQ(0, begin_both(self));
	EXPECT_EQ(0, dev_write(self->prov, H, "e", 1));
	ASSERT_EQ(0, disable(self, 1));
	EXPECT_EQ(0, dev_write(self->prov, H, "e", 1));
	ASSERT_EQ(0, stop(self, 0, &info));
	EXPECT_EQ(0, info.events);
	ASSERT_EQ(0, stop(self, 1, &info));
	EXPECT_EQ(1, info.events);
}

TEST_F(classic, a_former_owner_regains_the_provider_by_enabling_again)
{
	ASSERT_EQ(0, begin_both(self));
	EXPECT_EQ(0, disable(self, 1));
	EXPECT_EQ(0, enabler(self, H));
	EXPECT_EQ(ESRCH, trace_to(self, 1));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 1));
	EXPECT_EQ(self->session[0], enabler(self, H));
	EXPECT_EQ(0, trace_to(self, 0));
}

TEST_F(classic, a_former_owner_can_stop)
{
	ASSERT_EQ(0, begin_both(self));
	EXPECT_EQ(0, stop(self, 0, NULL));
	EXPECT_EQ(self->session[1], enabler(self, H));
	EXPECT_EQ(0, stop(self, 1, NULL));
	EXPECT_EQ(0, enabler(self, H));
}

/* Read the only notification: control in the tens, flags in the ones; or -1 */
static int notified(const data *self)
{
	struct evntprov_notification n, more;

	if (read(self->prov, &n, sizeof(n)) != sizeof(n) ||
	    read(self->prov, &more, sizeof(more)) > 0)
		return -1;
	return 10 * n.control + n.flags;
}

#define IS_ENABLED	(10 * EVNTPROV_CONTROL_ENABLE)
#define IS_DISABLED	(10 * EVNTPROV_CONTROL_DISABLE +	\
			 EVNTPROV_NOTIFICATION_WAS_DISABLED)
#define IS_ENABLED_AGAIN (IS_ENABLED + EVNTPROV_NOTIFICATION_WAS_DISABLED)

/* Otherwise the owner would not learn that the session it knows has ended */
TEST_F(classic, a_notification_reports_that_the_provider_was_disabled_before)
{
	ASSERT_EQ(0, begin(self, 0));
	EXPECT_EQ(IS_ENABLED, notified(self));
	ASSERT_EQ(0, start(self, 1, 0));
	/* Taken over, while the first session still has it enabled */
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	EXPECT_EQ(IS_ENABLED, notified(self));
	EXPECT_EQ(0, stop(self, 0, NULL));
	EXPECT_EQ(-1, notified(self));
	EXPECT_EQ(0, disable(self, 1));
	EXPECT_EQ(IS_DISABLED, notified(self));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	EXPECT_EQ(IS_ENABLED, notified(self));
	/* Merged with the end of the session before, also if a read fails */
	ASSERT_EQ(0, start(self, 0, 0));
	EXPECT_EQ(0, stop(self, 1, NULL));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 1));
	EXPECT_EQ(-1, read(self->prov, (void *)self->area,
			   sizeof(struct evntprov_notification)));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(IS_ENABLED_AGAIN, notified(self));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 1));
	EXPECT_EQ(IS_ENABLED, notified(self));
}

/* A session whose scope excludes the registration neither takes nor loses it */
TEST_F(classic, only_sessions_with_the_process_in_scope_take_the_provider_over)
{
	struct evntrace_filter filter = { .type = EVNTRACE_FILTER_PID };
	struct evntrace_enable how;
	__u32 others = 1;

	ASSERT_EQ(0, begin(self, 0));
	ASSERT_EQ(0, start(self, 1, 0));
	filter.ptr = (uintptr_t)&others;
	filter.len = sizeof(others);
	how = enable_arg(1);
	how.filters = (uintptr_t)&filter;
	how.filter_count = 1;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[1],
			       EVNTRACE_IOC_ENABLE, &how));
	EXPECT_EQ(self->session[0], enabler(self, H));
	EXPECT_EQ(0, trace_to(self, 0));
	EXPECT_EQ(ESRCH, trace_to(self, 1));
}

TEST_F(classic, the_owner_is_notified_of_each_change)
{
	struct evntprov_notification n;

	EXPECT_EQ(-1, read(self->prov, &n, sizeof(n)));
	ASSERT_EQ(0, begin(self, 0));
	ASSERT_EQ(sizeof(n), read(self->prov, &n, sizeof(n)));
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, n.control);
	ASSERT_EQ(0, start(self, 1, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	ASSERT_EQ(sizeof(n), read(self->prov, &n, sizeof(n)));
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, n.control);
	EXPECT_EQ(0, stop(self, 0, NULL));
	EXPECT_EQ(-1, read(self->prov, &n, sizeof(n)));
	EXPECT_EQ(0, disable(self, 1));
	ASSERT_EQ(sizeof(n), read(self->prov, &n, sizeof(n)));
	EXPECT_EQ(EVNTPROV_CONTROL_DISABLE, n.control);
}

TEST_F(classic, a_later_registration_belongs_to_the_last_session)
{
	ASSERT_EQ(0, begin(self, 0));
	ASSERT_EQ(0, start(self, 1, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	ASSERT_EQ(0, dev_register(self->prov, OTHER, 1,
				  EVNTPROV_REGISTER_CLASSIC));
	EXPECT_EQ(self->session[1], enabler(self, OTHER));
}

/* A classic registration does not affect others of the same provider */
TEST_F(classic, events_of_other_providers_go_to_both_sessions)
{
	struct evntrace_session info;

	ASSERT_EQ(0, begin(self, 0));
	ASSERT_EQ(0, start(self, 1, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	ASSERT_EQ(0, dev_register(self->prov, OTHER, 1, 0));
	EXPECT_EQ(0, dev_write(self->prov, OTHER, "e", 1));
	EXPECT_EQ(0, stop(self, 0, &info));
	EXPECT_EQ(1, info.events);
	EXPECT_EQ(0, stop(self, 1, &info));
	EXPECT_EQ(1, info.events);
}

TEST_F(classic, the_slot_has_session_level_and_keywords_as_set)
{
	const volatile struct evntprov_enable *slot = slot_of(self, H);
	struct evntrace_enable how;

	EXPECT_EQ(0, slot->session);
	ASSERT_EQ(0, begin(self, 0));
	EXPECT_EQ(self->session[0], slot->session);
	EXPECT_EQ(0, slot->set_level);
	EXPECT_EQ(255, slot->level);
	EXPECT_EQ(0, slot->set_any);
	EXPECT_EQ(~0ull, slot->match_any);
	how = enable_arg(1);
	how.level = 3;
	how.match_any = 0x80000001;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &how));
	EXPECT_EQ(3, slot->set_level);
	EXPECT_EQ(1, slot->set_any);
	EXPECT_EQ(0x80000001, slot->match_any);
	/* All keywords by a mask are not the same as no mask */
	how.level = 255;
	how.match_any = ~0ull;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &how));
	EXPECT_EQ(255, slot->set_level);
	EXPECT_EQ(1, slot->set_any);
	EXPECT_EQ(~0ull, slot->match_any);
	ASSERT_EQ(0, disable(self, 0));
	EXPECT_EQ(0, slot->session);
	EXPECT_EQ(0, slot->set_level);
	EXPECT_EQ(0, slot->set_any);
}

TEST_F(classic, slots_of_other_registrations_name_no_session)
{
	const volatile struct evntprov_enable *slot = slot_of(self, OTHER);
	struct evntrace_enable how;

	ASSERT_EQ(0, dev_register(self->prov, OTHER, 1, 0));
	ASSERT_EQ(0, start(self, 0, 0));
	how = enable_arg(1);
	how.level = 3;
	how.match_any = 1;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &how));
	EXPECT_EQ(3, slot->level);
	EXPECT_EQ(1, slot->match_any);
	EXPECT_EQ(0, slot->session);
	EXPECT_EQ(0, slot->set_level);
	EXPECT_EQ(0, slot->set_any);
	/* A slot is empty after its registration has ended */
	ASSERT_EQ(0, dev_unregister(self->prov, H));
	EXPECT_EQ(0, enabler(self, H));
}

/* A thread that reads the slot, and the states that must not exist */
struct watcher {
	const data *self;
	bool done;
	unsigned int seen;
	unsigned int wrong;
};

static void *watch(void *arg)
{
	struct watcher *w = arg;
	const volatile struct evntprov_enable *slot = slot_of(w->self, H);
	struct evntprov_enable is;
	unsigned int level;

	while (!__atomic_load_n(&w->done, __ATOMIC_RELAXED)) {
		is.sequence = __atomic_load_n(&slot->sequence,
					      __ATOMIC_ACQUIRE);
		is.session = slot->session;
		is.set_level = slot->set_level;
		is.match_any = slot->match_any;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (is.sequence & 1 || is.sequence != slot->sequence ||
		    !is.session)
			continue;
		level = is.session == w->self->session[0] ? 1 : 2;
		w->seen |= level;
		w->wrong += is.set_level != level || is.match_any != level;
	}
	return NULL;
}

/* Session, level and keywords belong together, by the sequence of the slot */
TEST_F(classic, the_slot_is_consistent_while_sessions_take_over)
{
	struct watcher w = { .self = self };
	struct evntrace_enable how[2];
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, start(self, i, 0));
		how[i] = enable_arg(1);
		how[i].level = i + 1;
		how[i].match_any = i + 1;
	}
	ASSERT_EQ(0, pthread_create(&thread, NULL, watch, &w));
	for (i = 0; i < many(2000) ||
	     __atomic_load_n(&w.seen, __ATOMIC_RELAXED) != 3; i++)
		ASSERT_EQ(0, dev_ioctl(self->trace, self->session[i % 2],
				       EVNTRACE_IOC_ENABLE, &how[i % 2]));
	__atomic_store_n(&w.done, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, w.wrong);
}

TEST_F(classic, TRACE_with_an_unknown_registration_is_ENOENT)
{
	struct evntprov_write arg;

	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, NULL);
	arg.handle = OTHER;
	EXPECT_EQ(ENOENT, trace(self, &arg));
	ASSERT_EQ(0, dev_register(self->prov, OTHER, 1, 0));
	EXPECT_EQ(ENOENT, trace(self, &arg));
}

TEST_F(classic, TRACE_to_a_session_that_has_not_enabled_it_is_ESRCH)
{
	struct evntprov_write arg;

	ASSERT_EQ(0, start(self, 0, 0));
	EXPECT_EQ(ESRCH, trace_to(self, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 2));
	EXPECT_EQ(ESRCH, trace_to(self, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 1));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, NULL);
	arg.session += 1 << 16;
	EXPECT_EQ(ESRCH, trace(self, &arg));
	arg.session = 0;
	EXPECT_EQ(ESRCH, trace(self, &arg));
}

TEST_F(classic, TRACE_with_fields_of_another_kind_is_EINVAL)
{
	struct evntprov_write good, arg;

	ASSERT_EQ(0, begin(self, 0));
	good = trace_arg(self, EVNTPROV_TRACE_EVENT, NULL);
#define BAD(kind, field, value) ({					\
	arg = good;							\
	arg.flags = kind;						\
	arg.field = value;						\
	EXPECT_EQ(EINVAL, trace(self, &arg)); })
	BAD(0, flags, 0x400);
	BAD(0, flags, EVNTPROV_TRACE_EVENT | EVNTPROV_WRITE_NO_FAULTING);
	BAD(0, flags, EVNTPROV_TRACE_EVENT | EVNTPROV_WRITE_RELATED);
	BAD(EVNTPROV_TRACE_EVENT, descriptor.task, EVNTPROV_MESSAGE_GUID);
	BAD(EVNTPROV_TRACE_EVENT, descriptor.version, 1);
	BAD(EVNTPROV_TRACE_EVENT, descriptor.channel, 1);
	BAD(EVNTPROV_TRACE_EVENT, descriptor.keyword, 1);
	BAD(EVNTPROV_TRACE_EVENT, descriptor.keyword, 1ull << 32);
	BAD(EVNTPROV_TRACE_EVENT, parent, guid_of(1));
	BAD(EVNTPROV_TRACE_EVENT, data_count, EVNTPROV_MAX_DATA + 1);
	BAD(EVNTPROV_TRACE_EVENT | EVNTPROV_WRITE_ONE_BLOCK, data_count,
	    0x100000000);
	BAD(EVNTPROV_TRACE_INSTANCE, descriptor.task, EVNTPROV_MESSAGE_GUID);
	BAD(EVNTPROV_TRACE_MESSAGE, descriptor.opcode, 1);
	BAD(EVNTPROV_TRACE_MESSAGE, descriptor.level, 1);
	BAD(EVNTPROV_TRACE_MESSAGE, descriptor.keyword, 1);
	BAD(EVNTPROV_TRACE_MESSAGE, descriptor.task, 0x10);
	BAD(EVNTPROV_TRACE_MESSAGE, descriptor.task, 0x40);
	BAD(EVNTPROV_TRACE_MESSAGE, descriptor.task,
	    EVNTPROV_MESSAGE_GUID | EVNTPROV_MESSAGE_COMPONENT);
}

TEST_F(classic, TRACE_of_unreadable_memory_is_EFAULT)
{
	struct evntprov_data d = { .ptr = 16, .len = 16 };
	struct evntrace_session info;
	struct evntprov_write arg;

	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, &d);
	EXPECT_EQ(EFAULT, trace(self, &arg));
	arg.data = 16;
	EXPECT_EQ(EFAULT, trace(self, &arg));
	ASSERT_EQ(0, stop(self, 0, &info));
	EXPECT_EQ(0, info.events);
}

/* Absent pages are faulted in */
TEST_F(classic, data_in_absent_pages_is_recorded)
{
	uint8_t *page = mmap(NULL, 4096 * 2, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct evntprov_data d = { .ptr = (uintptr_t)page + 4000, .len = 200 };
	struct evntrace_session info;
	struct evntprov_write arg;

	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, &d);
	EXPECT_EQ(0, trace(self, &arg));
	ASSERT_EQ(0, stop(self, 0, &info));
	EXPECT_EQ(1, info.events);
	munmap(page, 4096 * 2);
}

TEST_F(classic, TRACE_beyond_the_buffer_size_is_EMSGSIZE_or_EOVERFLOW)
{
	static const uint8_t zeros[65536];
	struct evntprov_data d = { .ptr = (uintptr_t)zeros };
	struct evntrace_session info;
	struct evntprov_write arg;

	ASSERT_EQ(0, begin(self, 0));
	arg = trace_arg(self, EVNTPROV_TRACE_EVENT, &d);
	d.len = 8192 - 0x48 - 0x30;
	EXPECT_EQ(0, trace(self, &arg));
	d.len++;
	EXPECT_EQ(EMSGSIZE, trace(self, &arg));
	d.len = 65535 - 0x30;
	EXPECT_EQ(EMSGSIZE, trace(self, &arg));
	d.len++;
	EXPECT_EQ(EOVERFLOW, trace(self, &arg));
	ASSERT_EQ(0, stop(self, 0, &info));
	EXPECT_EQ(1, info.events);
	EXPECT_EQ(3, info.events_lost);
}

TEST_F(classic, TRACE_to_a_secure_session_requires_LOG_EVENT)
{
	struct evntrace_access arg = {
		.size = sizeof(arg),
		.operation = EVNTRACE_ACCESS_SET,
		.subject = EVNTRACE_SUBJECT_EVERYONE,
		.rights = EVNTRACE_RIGHTS_ALL & ~EVNTRACE_RIGHT_LOG_EVENT,
	};
	struct evntrace_session info = {};

	ASSERT_EQ(0, begin(self, EVNTRACE_MODE_SECURE));
	EXPECT_EQ(0, trace_to(self, 0));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session[0], &info));
	arg.guid = info.guid;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_SET_ACCESS, &arg));
	EXPECT_EQ(EACCES, trace_to(self, 0));
	ASSERT_EQ(0, start(self, 1, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[1], 1));
	EXPECT_EQ(EACCES, trace_to(self, 0));
	EXPECT_EQ(0, trace_to(self, 1));
	arg.operation = EVNTRACE_ACCESS_REMOVE;
	arg.rights = 0;
	EXPECT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_SET_ACCESS, &arg));
	EXPECT_EQ(0, trace_to(self, 0));
}

TEST_F(classic, classic_registrations_have_no_traits)
{
	static const uint8_t traits[] = { 4, 0, 'n', 0 };

	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, EVNTPROV_INFO_TRAITS,
				       traits, sizeof(traits)));
}

#define WRITERS	3

/* A thread that writes to whichever session accepts, and its counts */
struct writer {
	const data *self;
	pthread_t thread;
	bool done;
	unsigned int accepted[2];
	unsigned int wrong;
};

static void *write_on(void *arg)
{
	struct writer *w = arg;
	unsigned int i = 0;
	int err;

	while (!__atomic_load_n(&w->done, __ATOMIC_RELAXED)) {
		err = trace_to(w->self, i);
		w->accepted[i] += !err;
		w->wrong += err && err != ESRCH && err != ENOBUFS;
		i ^= !!err;
	}
	return NULL;
}

/* Each record is in the session that accepted it, and in no other */
TEST_F(classic, sessions_take_the_provider_over_while_it_writes)
{
	struct writer w[WRITERS] = {};
	unsigned int i, accepted[2] = {};
	struct evntrace_session info;

	ASSERT_EQ(0, begin(self, 0));
	ASSERT_EQ(0, start(self, 1, 0));
	for (i = 0; i < WRITERS; i++) {
		w[i].self = self;
		ASSERT_EQ(0, pthread_create(&w[i].thread, NULL, write_on,
					    &w[i]));
	}
	for (i = 0; i < many(200); i++) {
		EXPECT_EQ(0, dev_enable(self->trace, self->session[i % 2], 1));
		if (i % 7 == 0)
			EXPECT_EQ(0, disable(self, i % 2));
	}
	for (i = 0; i < WRITERS; i++) {
		__atomic_store_n(&w[i].done, true, __ATOMIC_RELAXED);
		pthread_join(w[i].thread, NULL);
		accepted[0] += w[i].accepted[0];
		accepted[1] += w[i].accepted[1];
		EXPECT_EQ(0, w[i].wrong);
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, stop(self, i, &info));
		EXPECT_EQ(accepted[i], info.events);
	}
}

/* A circular file drops the oldest records of all kinds */
TEST_F(classic, records_of_all_kinds_are_in_circular_files)
{
	struct evntrace_start how = {
		.buffer_size = 8192, .log_file_mode = EVNTRACE_MODE_CIRCULAR,
		.max_file_size = 1,
	};
	struct evntrace_session info;
	struct evntprov_write arg;
	unsigned int i, kinds = 0;
	const uint8_t *r;
	int err;

	ASSERT_EQ(0, dev_start(self->trace, "classic0", "/tmp/classic0.etl",
			       &how, &self->session[0]));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 1));
	for (i = 0; i < 30000; i++) {
		arg = trace_arg(self, EVNTPROV_TRACE_EVENT * (1 + i % 3), NULL);
		err = trace(self, &arg);
		/* Records are lost when the disk cannot keep up */
		if (err == ENOBUFS)
			usleep(1000);
		else
			ASSERT_EQ(0, err);
	}
	ASSERT_TRUE(read_log(self, 0, &info));
	EXPECT_GE(1 << 20, self->file_size);
	for (i = 0; (r = record(self, i)) && i < 1000; i++)
		kinds |= etl_u16(r + 2) == 0x9000 ? 1 :
			 etl_u16(r) == 0x30 ? 2 : etl_u16(r) == 0x48 ? 4 : 8;
	EXPECT_EQ(7, kinds);
}

TEST_F(classic, messages_without_a_time_are_in_snapshots)
{
	struct evntrace_snapshot arg = { .size = sizeof(arg) };
	__u16 name[1] = { 'n' };
	struct evntprov_write message;
	unsigned int i;
	struct stat st;

	ASSERT_EQ(0, begin(self, EVNTRACE_MODE_BUFFERING));
	message = trace_arg(self, EVNTPROV_TRACE_MESSAGE, NULL);
	for (i = 0; i < many(5000); i++) {
		message.descriptor.task = i % 3 ? 0 : EVNTPROV_MESSAGE_TIMESTAMP;
		ASSERT_EQ(0, trace(self, &message));
	}
	arg.log_name = (uintptr_t)name;
	arg.log_name_len = 1;
	arg.log_fd = open("/tmp/classic0.etl",
			  O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_SNAPSHOT, &arg));
	EXPECT_EQ(0, fstat(arg.log_fd, &st));
	EXPECT_LE(2 * 8192, st.st_size);
	EXPECT_LT(0, arg.events);
	close(arg.log_fd);
}

TEST_HARNESS_MAIN
