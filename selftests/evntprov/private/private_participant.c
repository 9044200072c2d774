// SPDX-License-Identifier: GPL-2.0
/* A participant of private sessions without the library: EVNTPROV_IOC_PRIVATE */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/private/private_ioctl.h"

#define H	HANDLE(1, 1)
#define ROOM	1024

FIXTURE(private_participant) {
	int prov;
	int trace;
	__u32 pid;
	struct evntrace_filter filter;
	__u64 session;
	char room[ROOM] __attribute__((aligned(8)));
};

typedef FIXTURE_DATA(private_participant) data;

static int call(const data *self, __u32 flags, __u64 handle)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = flags, .handle = handle,
	};

	return do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg);
}

/* Describe the session after @arg->handle */
static int next(data *self, struct evntprov_private *arg)
{
	arg->size = sizeof(*arg);
	arg->flags = 0;
	arg->description = (uintptr_t)self->room;
	arg->len = ROOM;
	return do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, arg);
}

/* Stop a session, in which this process no longer participates */
static int stop(const data *self, __u64 session)
{
	int err = call(self, EVNTPROV_PRIVATE_DONE, session);

	return err ? err : private_stop(self->trace, session, &self->filter);
}

FIXTURE_SETUP(private_participant)
{
	self->prov = open("/dev/evntprov", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
	ASSERT_LE(0, self->trace);
	self->pid = getpid();
	self->filter = (struct evntrace_filter) {
		.ptr = (uintptr_t)&self->pid, .len = sizeof(self->pid),
		.type = EVNTRACE_FILTER_PID,
	};
	ASSERT_EQ(0, call(self, EVNTPROV_PRIVATE_NOTIFY, 0));
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, private_start(self->trace, "part", &self->filter,
				   &self->session));
}

FIXTURE_TEARDOWN(private_participant)
{
	if (self->session)
		EXPECT_EQ(0, stop(self, self->session));
	close(self->prov);
	close(self->trace);
}

static bool is_text(const __u16 *text, const char *is)
{
	while (*is && *text == *is)
		text++, is++;
	return !*is;
}

TEST_F(private_participant, a_description_has_the_properties_and_the_names)
{
	const struct evntrace_session *info = (void *)self->room;
	struct evntprov_private arg = {};
	struct evntprov_guid id = guid_of(1);

	ASSERT_EQ(0, next(self, &arg));
	EXPECT_EQ(self->session, arg.handle);
	EXPECT_EQ(1, arg.version);
	EXPECT_EQ(0, arg.state);
	EXPECT_EQ(sizeof(*info) + 16, arg.len);
	EXPECT_EQ(sizeof(*info), info->size);
	EXPECT_EQ(self->session, info->handle);
	EXPECT_EQ(0, memcmp(&info->guid, &id, sizeof(id)));
	EXPECT_EQ(EVNTRACE_MODE_PRIVATE | EVNTRACE_MODE_SEQUENTIAL,
		  info->log_file_mode);
	EXPECT_EQ(0, info->owner_uid);
	ASSERT_EQ(4, info->name_len);
	ASSERT_EQ(4, info->log_name_len);
	EXPECT_TRUE(is_text((__u16 *)(info + 1), "part/log"));
}

TEST_F(private_participant, a_description_has_the_enabled_providers)
{
	static const __u8 ids[] = { 1, 0, 1, 0, 7, 0 };
	const struct evntrace_filter f = {
		.ptr = (uintptr_t)ids, .len = sizeof(ids),
		.type = EVNTRACE_FILTER_EVENT_ID,
	};
	struct evntrace_enable e = enable_arg(7);
	const struct evntrace_enable *to;
	const struct evntrace_filter *info;
	struct evntprov_private arg = {};

	e.filters = (uintptr_t)&f;
	e.filter_count = 1;
	e.level = 3;
	e.match_any = 0x10;
	e.source = guid_of(8);
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	e = enable_arg(9);
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	ASSERT_EQ(0, next(self, &arg));
	EXPECT_EQ(3, arg.version);
	to = (void *)(self->room + sizeof(struct evntrace_session) + 16);
	e.provider = guid_of(7);
	EXPECT_EQ(0, memcmp(&to->provider, &e.provider, 16));
	e.source = guid_of(8);
	EXPECT_EQ(0, memcmp(&to->source, &e.source, 16));
	EXPECT_EQ(3, to->level);
	EXPECT_EQ(0x10, to->match_any);
	EXPECT_EQ(2, to->version);
	EXPECT_EQ(0, to->captures);
	EXPECT_EQ(1, to->filter_count);
	EXPECT_EQ(sizeof(*to) + 24, to->size);
	EXPECT_EQ(0, to->filters);
	info = (void *)(to + 1);
	EXPECT_EQ(EVNTRACE_FILTER_EVENT_ID, info->type);
	EXPECT_EQ(6, info->len);
	EXPECT_EQ(0, info->ptr);
	EXPECT_EQ(0, memcmp(info + 1, ids, 6));
	to = (void *)((char *)info + 24);
	e.provider = guid_of(9);
	EXPECT_EQ(0, memcmp(&to->provider, &e.provider, 16));
	EXPECT_EQ(3, to->version);
	EXPECT_EQ(sizeof(*to), to->size);
	EXPECT_EQ(arg.len, (char *)(to + 1) - self->room);
}

static __u8 slot_bits(const data *self)
{
	const struct evntprov_enable *area =
		mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->prov, 0);
	__u8 bits = area[1].enabled;

	munmap((void *)area, 4096);
	return bits;
}

/* Otherwise its owner might miss a change when memory is short */
TEST_F(private_participant, without_room_nothing_counts_as_queried)
{
	struct evntrace_enable e = enable_arg(1);
	struct evntprov_private arg = {
		.size = sizeof(arg), .description = (uintptr_t)self->room,
	};
	__u32 needed;

	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	EXPECT_EQ(EVNTPROV_ENABLED_PRIVATE_PENDING, slot_bits(self));
	memset(self->room, 0x5a, ROOM);
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg));
	needed = arg.len;
	EXPECT_LT(0, needed);
	arg.handle = 0;
	arg.len = needed - 1;
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg));
	EXPECT_EQ(needed, arg.len);
	EXPECT_EQ(0x5a, self->room[0]);
	EXPECT_EQ(EVNTPROV_ENABLED_PRIVATE_PENDING, slot_bits(self));
	arg.handle = 0;
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg));
	EXPECT_EQ(needed, arg.len);
	EXPECT_EQ(0x5a, self->room[needed]);
	EXPECT_EQ(0, slot_bits(self));
}

TEST_F(private_participant, sessions_come_in_the_order_of_their_handles)
{
	struct evntrace_filter other = self->filter;
	struct evntprov_private arg = {};
	__u32 pids[2] = { self->pid, 0x7fffffff };
	__u64 second;

	other.ptr = (uintptr_t)pids;
	other.len = sizeof(pids);
	ASSERT_EQ(0, private_start(self->trace, "second", &other, &second));
	ASSERT_EQ(0, next(self, &arg));
	EXPECT_EQ(self->session, arg.handle);
	ASSERT_EQ(0, next(self, &arg));
	EXPECT_EQ(second, arg.handle);
	EXPECT_EQ(ENOENT, next(self, &arg));
	EXPECT_EQ(0, call(self, EVNTPROV_PRIVATE_DONE, second));
	EXPECT_EQ(0, private_stop(self->trace, second, &other));
}

TEST_F(private_participant, invalid_arguments_are_EINVAL)
{
	struct evntprov_private arg = {};

	EXPECT_EQ(EINVAL, call(self, 0x8, 0));
	EXPECT_EQ(EINVAL, call(self, EVNTPROV_PRIVATE_NOTIFY |
				     EVNTPROV_PRIVATE_DEFER, 0));
	EXPECT_EQ(EINVAL, call(self, EVNTPROV_PRIVATE_DEFER |
				     EVNTPROV_PRIVATE_DONE, self->session));
	arg.error = 4096;
	EXPECT_EQ(EINVAL, next(self, &arg));
}

static struct evntrace_session query(const data *self)
{
	return private_query(self->trace, self->session, &self->filter);
}

TEST_F(private_participant, a_query_returns_what_was_reported)
{
	struct evntprov_private arg = {};
	struct evntrace_session s;

	EXPECT_EQ(0, query(self).processes);
	ASSERT_EQ(0, next(self, &arg));
	EXPECT_EQ(1, query(self).processes);
	arg.error = 4095;
	arg.events = 1;
	arg.events_lost = 2;
	arg.buffers_written = 3;
	arg.buffers_lost = 4;
	arg.buffers = 6;
	arg.free_buffers = 5;
	EXPECT_EQ(ENOENT, next(self, &arg));
	s = query(self);
	EXPECT_EQ(4095, s.log_errno);
	EXPECT_EQ(1, s.events);
	EXPECT_EQ(2, s.events_lost);
	EXPECT_EQ(3, s.buffers_written);
	EXPECT_EQ(4, s.buffers_lost);
	EXPECT_EQ(6, s.buffers);
	EXPECT_EQ(5, s.free_buffers);
}

/* The sums still contain its last report, without the current buffers */
TEST_F(private_participant, after_DONE_a_process_no_longer_participates)
{
	struct evntprov_private arg = {}, again = {};
	struct evntrace_session s;

	ASSERT_EQ(0, next(self, &arg));
	arg.events = 7;
	arg.buffers = 3;
	arg.flags = EVNTPROV_PRIVATE_DONE;
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg));
	s = query(self);
	EXPECT_EQ(0, s.processes);
	EXPECT_EQ(7, s.events);
	EXPECT_EQ(0, s.buffers);
	EXPECT_EQ(ENOENT, next(self, &again));
	/* A further report is ignored */
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg));
	EXPECT_EQ(7, query(self).events);
}

TEST_F(private_participant, a_session_that_stops_is_described_until_DONE)
{
	struct evntprov_private arg = {};
	int status;
	pid_t pid;

	ASSERT_EQ(0, next(self, &arg));
	pid = fork();
	if (!pid)
		_exit(private_stop(self->trace, self->session,
				   &self->filter));
	do {
		arg.handle = 0;
		ASSERT_EQ(0, next(self, &arg));
	} while (!arg.state);
	EXPECT_EQ(EVNTPROV_PRIVATE_STOPPING, arg.state);
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	EXPECT_EQ(0, call(self, EVNTPROV_PRIVATE_DONE, self->session));
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	self->session = 0;
}

static int read_one(const data *self)
{
	struct evntprov_notification n;

	if (read(self->prov, &n, sizeof(n)) != sizeof(n))
		return errno;
	return n.control == EVNTPROV_CONTROL_PRIVATE && !n.handle ? 0 : -1;
}

TEST_F(private_participant, notifications_are_deferred_on_request)
{
	struct evntrace_enable e = enable_arg(1);
	struct evntprov_private arg = {};

	EXPECT_EQ(0, read_one(self));
	EXPECT_EQ(EAGAIN, read_one(self));
	EXPECT_EQ(0, call(self, EVNTPROV_PRIVATE_DEFER, 0));
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	EXPECT_EQ(EVNTPROV_ENABLED_PRIVATE_PENDING, slot_bits(self));
	EXPECT_EQ(EAGAIN, read_one(self));
	EXPECT_EQ(0, call(self, EVNTPROV_PRIVATE_NOTIFY, 0));
	EXPECT_EQ(0, read_one(self));
	/* A query of all changes also ends it */
	EXPECT_EQ(0, call(self, EVNTPROV_PRIVATE_DEFER, 0));
	EXPECT_EQ(0, next(self, &arg));
	EXPECT_EQ(ENOENT, next(self, &arg));
	EXPECT_EQ(0, call(self, EVNTPROV_PRIVATE_NOTIFY, 0));
	EXPECT_EQ(EAGAIN, read_one(self));
	e.timeout_ms = 0;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session, EVNTRACE_IOC_ENABLE,
			       &e));
	EXPECT_EQ(0, read_one(self));
}

TEST_HARNESS_MAIN
