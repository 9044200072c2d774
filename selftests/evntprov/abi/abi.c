// SPDX-License-Identifier: GPL-2.0
/*
 * Test of the ABI, ioctl by ioctl: which arguments each one refuses, and with
 * which errno.
 *
 * Out parameters are poisoned before each call, and the module's state is
 * compared after each failure.
 */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"

#define LOG	"/tmp/abi.etl"
#define H	HANDLE(1, 1)
/* Handle of no session */
#define NO_SESSION	63

FIXTURE(devices) {
	int prov;
	int trace;
	struct dev_status before;
};

FIXTURE_SETUP(devices)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
}

/* Closing the devices must release everything that a test created */
FIXTURE_TEARDOWN(devices)
{
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

TEST_F(devices, both_devices_report_their_features)
{
	struct evntprov_version v = { .size = sizeof(v) };

	v.features = POISON;
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_VERSION, &v));
	EXPECT_EQ(0, v.features);
	EXPECT_EQ(EVNTRACE_MAX_SESSIONS, v.max_sessions);
	v.features = POISON;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTPROV_IOC_VERSION, &v));
	EXPECT_EQ(0, v.features);
	v.reserved = 1;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTPROV_IOC_VERSION, &v));
}

TEST_F(devices, size_too_short_is_EINVAL_and_unknown_tail_is_E2BIG)
{
	struct { struct evntprov_version v; __u64 tail; } arg = {};
	__u32 size;

	for (size = 0; size < sizeof(arg.v); size++) {
		arg.v.size = size;
		EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_VERSION,
					   &arg));
	}
	arg.v.size = sizeof(arg);
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_VERSION, &arg));
	EXPECT_EQ(sizeof(arg), arg.v.size);
	arg.tail = 1;
	EXPECT_EQ(E2BIG, do_ioctl(self->prov, EVNTPROV_IOC_VERSION, &arg));
}

/* Ioctls of the devices, and the size of their arguments in the first version of the ABI */
static const struct {
	bool trace;
	unsigned long cmd;
	__u32 size;
} ioctls[] = {
	{ false, EVNTPROV_IOC_VERSION, sizeof(struct evntprov_version) },
	{ false, EVNTPROV_IOC_REGISTER, sizeof(struct evntprov_register) },
	{ false, EVNTPROV_IOC_UNREGISTER, sizeof(struct evntprov_register) },
	{ false, EVNTPROV_IOC_WRITE, sizeof(struct evntprov_write) },
	{ false, EVNTPROV_IOC_SET_INFORMATION,
	  sizeof(struct evntprov_set_information) },
	{ false, EVNTPROV_IOC_PRIVATE, sizeof(struct evntprov_private) },
	{ false, EVNTPROV_IOC_RESCUE, sizeof(struct evntprov_rescue) },
	{ true, EVNTPROV_IOC_VERSION, sizeof(struct evntprov_version) },
	{ true, EVNTRACE_IOC_START, sizeof(struct evntrace_start) },
	{ true, EVNTRACE_IOC_OPEN, sizeof(struct evntrace_open) },
	{ true, EVNTRACE_IOC_LIST, sizeof(struct evntrace_list) },
	{ true, EVNTRACE_IOC_SET_ACCESS, sizeof(struct evntrace_access) },
};

/* Ioctls of a session's descriptor */
static const struct {
	unsigned long cmd;
	__u32 size;
} session_ioctls[] = {
	{ EVNTRACE_IOC_LIST, sizeof(struct evntrace_list) },
	/* Without the members that it has had since its first version */
	{ EVNTRACE_IOC_QUERY, offsetof(struct evntrace_session, stack_flags) },
	{ EVNTRACE_IOC_CONTROL, offsetof(struct evntrace_session, stack_flags) },
	{ EVNTRACE_IOC_UPDATE, sizeof(struct evntrace_update) },
	{ EVNTRACE_IOC_ENABLE, sizeof(struct evntrace_enable) },
	{ EVNTRACE_IOC_SET, sizeof(struct evntrace_list) },
	{ EVNTRACE_IOC_SNAPSHOT, sizeof(struct evntrace_snapshot) },
	{ EVNTRACE_IOC_OPEN_CONSUMER, sizeof(struct evntrace_open_consumer) },
	{ EVNTRACE_IOC_NEXT, sizeof(struct evntrace_next) },
	{ EVNTRACE_IOC_RELEASE, sizeof(struct evntrace_next) },
};

TEST_F(devices, every_ioctl_checks_size_flags_and_tail)
{
	struct { __u32 size, flags; char rest[504]; } arg = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ioctls); i++) {
		int fd = ioctls[i].trace ? self->trace : self->prov;
		__u32 size = ioctls[i].size;

		for (arg.size = 0; arg.size < size; arg.size++)
			EXPECT_EQ(EINVAL, do_ioctl(fd, ioctls[i].cmd, &arg));
		arg.flags = 1u << 31;
		EXPECT_EQ(EINVAL, do_ioctl(fd, ioctls[i].cmd, &arg));
		arg.flags = 0;
		arg.size = sizeof(arg);
		arg.rest[sizeof(arg.rest) - 1] = 1;
		EXPECT_EQ(E2BIG, do_ioctl(fd, ioctls[i].cmd, &arg));
		arg.rest[sizeof(arg.rest) - 1] = 0;
		arg.rest[size - 2 * sizeof(__u32)] = 1;
		EXPECT_EQ(E2BIG, do_ioctl(fd, ioctls[i].cmd, &arg));
		arg.rest[size - 2 * sizeof(__u32)] = 0;
	}
}

TEST_F(devices, ioctls_on_a_session_check_size_flags_and_tail)
{
	struct { __u32 size, flags; char rest[504]; } arg = {};
	unsigned int i;
	__u64 s;
	int fd;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	fd = dev_open_session(self->trace, s, 0);
	ASSERT_LE(0, fd);
	for (i = 0; i < ARRAY_SIZE(session_ioctls); i++) {
		unsigned long cmd = session_ioctls[i].cmd;
		__u32 size = session_ioctls[i].size;

		for (arg.size = 0; arg.size < size; arg.size++)
			EXPECT_EQ(EINVAL, do_ioctl(fd, cmd, &arg));
		arg.flags = 1u << 31;
		EXPECT_EQ(EINVAL, do_ioctl(fd, cmd, &arg));
		arg.flags = 0;
		arg.size = sizeof(arg);
		arg.rest[sizeof(arg.rest) - 1] = 1;
		EXPECT_EQ(E2BIG, do_ioctl(fd, cmd, &arg));
		arg.rest[sizeof(arg.rest) - 1] = 0;
	}
	close(fd);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

/* The tail is not checked for zeros: with these sizes it could take seconds */
TEST_F(devices, an_argument_longer_than_a_page_is_E2BIG)
{
	__u32 page = sysconf(_SC_PAGESIZE);
	__u32 sizes[] = { page + 1, 2 * page, 0x7fffffff, 0xffffffff };
	__u32 *arg = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i, k;

	ASSERT_NE(MAP_FAILED, arg);
	for (i = 0; i < ARRAY_SIZE(ioctls); i++) {
		int fd = ioctls[i].trace ? self->trace : self->prov;

		arg[0] = page;
		EXPECT_NE(E2BIG, do_ioctl(fd, ioctls[i].cmd, arg));
		for (k = 0; k < ARRAY_SIZE(sizes); k++) {
			arg[0] = sizes[k];
			EXPECT_EQ(E2BIG, do_ioctl(fd, ioctls[i].cmd, arg));
		}
		memset(arg, 0, page);
	}
	munmap(arg, 2 * page);
}

TEST_F(devices, memory_that_cannot_be_read_is_EFAULT)
{
	void *bad[] = { NULL, (void *)1, (void *)~0ul, (void *)(1ul << 63) };
	unsigned int cmd, i;

	for (cmd = 0; cmd < 0x70; cmd++) {
		for (i = 0; i < 4; i++) {
			int e1 = do_ioctl(self->prov, _IO(0xE7, cmd), bad[i]);
			int e2 = do_ioctl(self->trace, _IO(0xE7, cmd), bad[i]);

			/* The argument of DRAIN is a number */
			EXPECT_TRUE(e1 == EFAULT || e1 == ENOTTY ||
				    (e1 == ENOENT &&
				     cmd == _IOC_NR(EVNTPROV_IOC_DRAIN)));
			EXPECT_TRUE(e2 == EFAULT || e2 == ENOTTY);
		}
	}
}

TEST_F(devices, ioctls_of_another_file_are_ENOTTY)
{
	char arg[256] = {};
	unsigned int i;
	int fd;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	fd = dev_open_session(self->trace, s, 0);
	ASSERT_LE(0, fd);
	for (i = 0; i < ARRAY_SIZE(ioctls); i++) {
		if (ioctls[i].cmd != EVNTRACE_IOC_LIST)
			EXPECT_EQ(ENOTTY, do_ioctl(fd, ioctls[i].cmd, arg));
	}
	for (i = 0; i < ARRAY_SIZE(session_ioctls); i++) {
		if (session_ioctls[i].cmd != EVNTRACE_IOC_LIST &&
		    session_ioctls[i].cmd != EVNTRACE_IOC_SET)
			EXPECT_EQ(ENOTTY, do_ioctl(self->trace,
						   session_ioctls[i].cmd, arg));
	}
	close(fd);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));

	EXPECT_EQ(ENOTTY, do_ioctl(self->prov, EVNTRACE_IOC_LIST, arg));
	EXPECT_EQ(ENOTTY, do_ioctl(self->prov, EVNTRACE_IOC_START, arg));
	EXPECT_EQ(ENOTTY, do_ioctl(self->trace, EVNTPROV_IOC_WRITE, arg));
	EXPECT_EQ(ENOTTY, do_ioctl(self->trace, EVNTPROV_IOC_REGISTER, arg));
	EXPECT_EQ(ENOTTY, do_ioctl(self->trace, 0x1234, arg));
}

TEST_F(devices, OPEN_takes_one_name_of_a_session_and_valid_rights)
{
	__u16 name[16];
	struct evntrace_start start = start_arg(name, "abi", new_log(LOG));
	struct evntrace_open good = {
		.size = sizeof(good), .rights = EVNTRACE_RIGHT_QUERY,
	}, arg;
	unsigned long cmd = EVNTRACE_IOC_OPEN;
	int fd = self->trace;

	start.guid = guid_of(9);
	ASSERT_EQ(0, do_ioctl(fd, EVNTRACE_IOC_START, &start));
	close(start.log_fd);
	EXPECT_EQ(EINVAL, do_ioctl(fd, cmd, &good));
	good.handle = start.handle;
	EXPECT_EQ(0, do_ioctl(fd, cmd, &good));
#define OPEN_IS(error, ...) ({						\
	arg = good;							\
	__VA_ARGS__;							\
	EXPECT_EQ(error, do_ioctl(fd, cmd, &arg)); })
	OPEN_IS(EINVAL, arg.flags = 2);
	OPEN_IS(EINVAL, arg.flags = EVNTRACE_OPEN_MAXIMUM);
	OPEN_IS(EINVAL, arg.rights = 0);
	OPEN_IS(EINVAL, arg.rights |= EVNTRACE_RIGHT_GUID_ENABLE);
	OPEN_IS(EINVAL, arg.filters = (uintptr_t)name);
	OPEN_IS(EINVAL, arg.filter_count = 1);
	OPEN_IS(EINVAL, arg.guid = start.guid);
	OPEN_IS(EINVAL, arg.name = (uintptr_t)name);
	OPEN_IS(EINVAL, arg.name_len = 3);
	OPEN_IS(EINVAL, arg.name = (uintptr_t)name; arg.name_len = 3);
	OPEN_IS(ESRCH, arg.handle++);
	OPEN_IS(0, arg.flags = EVNTRACE_OPEN_MAXIMUM; arg.rights = 0);
	good.handle = 0;
	OPEN_IS(0, arg.guid = start.guid);
	OPEN_IS(EINVAL, arg.guid = start.guid; arg.filter_count = 1);
	OPEN_IS(ESRCH, arg.guid = guid_of(8));
	OPEN_IS(EFAULT, arg.name = 1; arg.name_len = 3);
	OPEN_IS(ESRCH, arg.name = (uintptr_t)name; arg.name_len = 2);
	name[0] = 'A';
	OPEN_IS(0, arg.name = (uintptr_t)name; arg.name_len = 3);
#undef OPEN_IS
	EXPECT_EQ(0, dev_stop(fd, start.handle, NULL));
}

TEST_F(devices, descriptors_of_sessions_are_close_on_exec_and_named)
{
	char path[32], target[64] = "";
	int fd;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	fd = dev_open_session(self->trace, s, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	EXPECT_LT(0, readlink(path, target, sizeof(target) - 1));
	EXPECT_STREQ("anon_inode:[evntrace-session]", target);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	close(fd);
}

/* The memory of a session is free, although a descriptor is open */
TEST_F(devices, a_descriptor_does_not_keep_its_session)
{
	struct evntrace_session q = { .size = sizeof(q) };
	__u64 s;
	int fd;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	fd = dev_open_session(self->trace, s, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, session_ioctl(fd, &q));
	EXPECT_EQ(3, q.name_len);
	EXPECT_EQ(s, q.handle);
	q.control = EVNTRACE_CONTROL_STOP;
	EXPECT_EQ(0, session_ioctl(fd, &q));
	EXPECT_TRUE(dev_status_is(&self->before) ||
		    dev_status().buffers == self->before.buffers);
	q.control = 0;
	EXPECT_EQ(ESRCH, session_ioctl(fd, &q));
	close(fd);
}

TEST_F(devices, flags_and_reserved_fields_are_checked)
{
	struct evntprov_register r = { .size = sizeof(r), .handle = H };
	struct evntprov_write w = write_arg(H, NULL, 0);
	struct evntrace_enable e = enable_arg(1);
	struct evntrace_session s = { .size = sizeof(s), .flags = 1 };
	__u64 session;
	struct evntrace_list l = {
		.size = sizeof(l), .element_size = sizeof(__u64),
	};

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &session));
	r.flags = 8;
	EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_REGISTER, &r));
	r.flags = EVNTPROV_REGISTER_NOTIFY;
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_REGISTER, &r));
	EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_UNREGISTER, &r));
	r.flags = 0;
	r.provider = guid_of(1);
	EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_UNREGISTER, &r));
	memset(&r.provider, 0, sizeof(r.provider));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_UNREGISTER, &r));
	w.flags = 0x20;
	EXPECT_EQ(EINVAL, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	e.reserved[2] = 1;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE,
				    &e));
	e.reserved[2] = 0;
	e.reserved2 = 1;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE,
				    &e));
	e.flags = EVNTRACE_ENABLE_WAIT;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE,
				    &e));
	e.reserved2 = 0;
	e.version = 1;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE,
				    &e));
	e.version = 0;
	e.captures = 1;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE,
				    &e));
	e.captures = 0;
	e.flags = EVNTRACE_ENABLE_WAIT << 1;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, session, EVNTRACE_IOC_ENABLE,
				    &e));
	/* Lists of the module have no provider or period */
	l.provider = guid_of(1);
	EXPECT_EQ(EINVAL, dev_list(self->trace, &l));
	memset(&l.provider, 0, sizeof(l.provider));
	l.period_s = 1;
	EXPECT_EQ(EINVAL, dev_list(self->trace, &l));
	l.period_s = 0;
	EXPECT_EQ(0, dev_list(self->trace, &l));
	/* Lists of a session are none of the module, and the reverse */
	EXPECT_EQ(EINVAL, dev_list_of(self->trace, session, &l));
	l.kind = EVNTRACE_LIST_FILTERS;
	EXPECT_EQ(EINVAL, dev_list(self->trace, &l));
	EXPECT_EQ(EINVAL, dev_session(self->trace, session, &s));
	s.control = EVNTRACE_CONTROL_STOP;
	EXPECT_EQ(EINVAL, dev_session(self->trace, session, &s));
	EXPECT_EQ(0, dev_stop(self->trace, session, NULL));
}

TEST_F(devices, unknown_operations_of_CONTROL_are_EINVAL)
{
	struct evntrace_session q = { .size = sizeof(q) };
	int fd;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	fd = dev_open_session(self->trace, s, 0);
	ASSERT_LE(0, fd);
	for (q.control = 0; q.control < 10; q.control++) {
		if (q.control)
			EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_QUERY, &q));
		if (!q.control || q.control > EVNTRACE_CONTROL_INCREMENT)
			EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_CONTROL,
						   &q));
	}
	close(fd);
	EXPECT_EQ(0, dev_control(self->trace, DEV_QUERY, s, NULL));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, register_slot_0_is_EINVAL)
{
	EXPECT_EQ(EINVAL, dev_register(self->prov, 0, 1, 0));
	EXPECT_EQ(EINVAL, dev_register(self->prov, HANDLE(0, 9), 1, 0));
}

TEST_F(devices, register_used_slot_is_EBUSY)
{
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	EXPECT_EQ(EBUSY, dev_register(self->prov, H, 2, 0));
	EXPECT_EQ(EBUSY, dev_register(self->prov, HANDLE(1, 2), 1, 0));
}

TEST_F(devices, register_more_than_1024_is_EMFILE)
{
	unsigned int slot;

	for (slot = 1; slot <= EVNTPROV_MAX_REGISTRATIONS; slot++)
		ASSERT_EQ(0, dev_register(self->prov, HANDLE(slot, 1), 1, 0));
	EXPECT_EQ(EMFILE, dev_register(self->prov, HANDLE(slot, 1), 1, 0));
	EXPECT_EQ(self->before.registrations + EVNTPROV_MAX_REGISTRATIONS,
		  dev_status().registrations);
	EXPECT_EQ(self->before.providers + 1, dev_status().providers);
}

TEST_F(devices, stale_and_forged_handles_are_ENOENT)
{
	__u64 forged[] = { 0, 1, 0x20, HANDLE(1, 2), HANDLE(2, 1), H | 1,
			   H | 1ull << 63, ~0ull, HANDLE(2047, 1) };
	unsigned int i;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < sizeof(forged) / sizeof(*forged); i++) {
		EXPECT_EQ(ENOENT, dev_unregister(self->prov, forged[i]));
		EXPECT_EQ(ENOENT, dev_write(self->prov, forged[i], "", 1));
	}
	EXPECT_EQ(0, dev_unregister(self->prov, H));
	EXPECT_EQ(ENOENT, dev_unregister(self->prov, H));
	EXPECT_EQ(ENOENT, dev_write(self->prov, H, "", 1));
}

TEST_F(devices, set_information_errors)
{
	static const char good[] = "\7\0Name";	/* 7 bytes with the nul */
	static const char big[EVNTPROV_MAX_TRAITS + 1];

	EXPECT_EQ(ENOENT, dev_set_info(self->prov, H, 0, NULL, 0));
	EXPECT_EQ(ENOENT, dev_set_info(self->prov, H, 2, good, 7));
	EXPECT_EQ(ENOENT, dev_set_info(self->prov, H, 3, good, 1));
	EXPECT_EQ(ENOENT, dev_set_info(self->prov, H, EVNTPROV_INFO_MANIFEST,
				       good, 0));
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	EXPECT_EQ(EOPNOTSUPP, dev_set_info(self->prov, H, 1, NULL, 0));
	EXPECT_EQ(EOPNOTSUPP, dev_set_info(self->prov, H, 4, NULL, 0));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, 0, good, 1));
	EXPECT_EQ(0, dev_set_info(self->prov, H, 0, NULL, 0));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, 2, NULL, 0));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, 2, good, 6));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, 2, "\7\0Nameless", 7));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, 2, big, sizeof(big)));
	EXPECT_EQ(EFAULT, dev_set_info(self->prov, H, 2, NULL, 7));
	EXPECT_EQ(0, dev_set_info(self->prov, H, 2, good, 7));
	EXPECT_EQ(EEXIST, dev_set_info(self->prov, H, 2, good, 7));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, 3, good, 2));
	EXPECT_EQ(EFAULT, dev_set_info(self->prov, H, 3, NULL, 1));
	EXPECT_EQ(0, dev_set_info(self->prov, H, 3, "", 1));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, EVNTPROV_INFO_MANIFEST,
				       good, 1));
	EXPECT_EQ(EFAULT, dev_set_info(self->prov, H, EVNTPROV_INFO_MANIFEST,
				       NULL, 0));
	EXPECT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_MANIFEST,
				  good, 0));
	EXPECT_EQ(EEXIST, dev_set_info(self->prov, H, EVNTPROV_INFO_MANIFEST,
				       good, 0));
}

TEST_F(devices, the_enable_area_is_read_only_and_bounded)
{
	size_t size = EVNTPROV_ENABLE_AREA_SIZE;
	volatile struct evntprov_enable *area;
	unsigned int i;

	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_SHARED, self->prov, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_EXEC,
				   MAP_SHARED, self->prov, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size + 4096, PROT_READ, MAP_SHARED,
				   self->prov, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ, MAP_SHARED,
				   self->prov, 4096));
	area = mmap(NULL, size, PROT_READ, MAP_SHARED, self->prov, 0);
	ASSERT_NE(MAP_FAILED, (void *)area);
	EXPECT_NE(0, mprotect((void *)area, size, PROT_READ | PROT_WRITE));
	for (i = 0; i < EVNTPROV_MAX_SLOTS; i++) {
		EXPECT_EQ(0, area[i].enabled);
		EXPECT_EQ(0, area[i].sequence);
	}
	munmap((void *)area, size);
}

TEST_F(devices, a_mapping_keeps_the_registrations)
{
	volatile struct evntprov_enable *area;
	__u64 s;

	area = mmap(NULL, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ, MAP_SHARED,
		    self->prov, 0);
	ASSERT_NE(MAP_FAILED, (void *)area);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	close(self->prov);
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	EXPECT_EQ(0, area[1].enabled);
	EXPECT_EQ(0, dev_enable(self->trace, s, 1));
	EXPECT_EQ(1, area[1].enabled);
	EXPECT_EQ(255, area[1].level);
	EXPECT_EQ(~0ull, area[1].match_any);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	EXPECT_EQ(0, area[1].enabled);
	EXPECT_EQ(0, area[1].sequence & 1);
	munmap((void *)area, EVNTPROV_ENABLE_AREA_SIZE);
	self->prov = open("/dev/null", O_RDWR);
}

TEST_F(devices, start_errors)
{
	struct evntrace_start arg, good;
	__u16 name[EVNTRACE_MAX_NAME + 1];
	int log = new_log(LOG);
	int pipes[2];
	__u64 s;

	good = start_arg(name, "abi", log);
#define START_FAILS(error, ...) ({					\
	arg = good;							\
	__VA_ARGS__;							\
	EXPECT_EQ(error, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg)); })
	START_FAILS(EINVAL, arg.flags = 2);
	START_FAILS(EINVAL, arg.log_file_mode = 3);
	START_FAILS(EINVAL, arg.log_file_mode = 2);
	START_FAILS(EINVAL, arg.log_file_mode = 0x20);
	START_FAILS(EINVAL, arg.log_file_mode = 0x2001;
		    arg.max_file_size = 127);
	START_FAILS(EINVAL, arg.name_len = 0);
	START_FAILS(EINVAL, arg.name_len = EVNTRACE_MAX_NAME + 1);
	START_FAILS(EINVAL, arg.log_name_len = EVNTRACE_MAX_NAME + 1);
	START_FAILS(EFAULT, arg.name = 0);
	START_FAILS(EFAULT, arg.log_name = 1);
	START_FAILS(EFAULT, arg.time_zone = 1);
	START_FAILS(EINVAL, arg.clock_type = 3);
	START_FAILS(EINVAL, arg.buffer_size = 4095);
	START_FAILS(EINVAL, arg.buffer_size = EVNTRACE_MAX_BUFFER_SIZE + 1);
	START_FAILS(EINVAL, arg.min_buffers = ~0u);
	START_FAILS(EINVAL, arg.max_buffers = ~0u);
	START_FAILS(ENOMEM, arg.max_buffers = 65536;
		    arg.buffer_size = EVNTRACE_MAX_BUFFER_SIZE);
	START_FAILS(EOPNOTSUPP, arg.log_file_mode = 0x40);
	START_FAILS(EINVAL, arg.filters = (uintptr_t)name);
	START_FAILS(EINVAL, arg.filter_count = 1);
	START_FAILS(EBADF, arg.log_fd = -1);
	START_FAILS(EBADF, arg.log_fd = 1000000);
	START_FAILS(EBADF, arg.log_fd = open(LOG, O_RDONLY));
	START_FAILS(EINVAL, arg.log_fd = open(LOG, O_WRONLY | O_APPEND));
	ASSERT_EQ(0, pipe(pipes));
	START_FAILS(EINVAL, arg.log_fd = pipes[1]);
	START_FAILS(EINVAL, arg.log_fd = open("/dev/null", O_WRONLY));
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &good));
	s = good.handle;
	good = start_arg(name, "ABI", new_log("/tmp/abi2.etl"));
	START_FAILS(EEXIST, (void)0);
	good = start_arg(name, "other", new_log("/tmp/abi2.etl"));
	START_FAILS(EINVAL, arg.log_fd = log);	/* no longer empty */
	ASSERT_EQ(0, dev_stop(self->trace, s, NULL));
	close(log);
	unlink("/tmp/abi2.etl");
}

TEST_F(devices, start_same_guid_is_EEXIST)
{
	struct evntrace_start arg;
	__u16 name[8];

	arg = start_arg(name, "one", new_log(LOG));
	arg.guid = guid_of(77);
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	name[0] = 'O';
	name[1] = '2';
	arg.log_fd = new_log("/tmp/abi2.etl");
	EXPECT_EQ(EEXIST, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	EXPECT_EQ(0, dev_stop(self->trace, arg.handle, NULL));
	unlink("/tmp/abi2.etl");
}

TEST_F(devices, start_a_65th_session_is_EUSERS)
{
	struct evntrace_start small = { .buffer_size = 4096 };
	__u64 s[EVNTRACE_MAX_SESSIONS], more;
	char name[16], path[32];
	unsigned int i;

	for (i = 0; i < EVNTRACE_MAX_SESSIONS; i++) {
		snprintf(name, sizeof(name), "many%u", i);
		snprintf(path, sizeof(path), "/tmp/many%u.etl", i);
		ASSERT_EQ(0, dev_start(self->trace, name, path, &small,
				       &s[i]));
		unlink(path);
	}
	EXPECT_EQ(EUSERS, dev_start(self->trace, "more", LOG, &small, &more));
	for (i = 0; i < EVNTRACE_MAX_SESSIONS; i++)
		EXPECT_EQ(0, dev_stop(self->trace, s[i], NULL));
}

TEST_F(devices, all_64_sessions_get_an_event)
{
	struct evntrace_start small = { .buffer_size = 4096 };
	__u64 s[EVNTRACE_MAX_SESSIONS];
	struct evntrace_session info;
	char name[16], path[32];
	struct etl_scan scan;
	unsigned int i;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < EVNTRACE_MAX_SESSIONS; i++) {
		snprintf(name, sizeof(name), "all%u", i);
		snprintf(path, sizeof(path), "/tmp/all%u.etl", i);
		ASSERT_EQ(0, dev_start(self->trace, name, path, &small,
				       &s[i]));
		ASSERT_EQ(0, dev_enable(self->trace, s[i], 1));
	}
	EXPECT_EQ(0, dev_write(self->prov, H, "event", 5));
	for (i = 0; i < EVNTRACE_MAX_SESSIONS; i++) {
		snprintf(path, sizeof(path), "/tmp/all%u.etl", i);
		EXPECT_EQ(0, dev_stop(self->trace, s[i], &info));
		EXPECT_EQ(1, info.events);
		EXPECT_TRUE(etl_scan(path, &scan, NULL, NULL));
		EXPECT_EQ(1, scan.events);
		unlink(path);
	}
}

TEST_F(devices, open_query_and_stop_by_name)
{
	__u16 name[16], back[16] = {};
	struct evntrace_open f = {
		.size = sizeof(f), .flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name,
	};
	struct evntrace_session q = { .size = sizeof(q) };
	struct evntrace_start arg = start_arg(name, "Finder", new_log(LOG));

	f.name_len = arg.name_len;
	EXPECT_EQ(ESRCH, do_ioctl(self->trace, EVNTRACE_IOC_OPEN, &f));
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	name[0] = 'f';
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_OPEN, &f));
	EXPECT_EQ(arg.handle, f.handle);
	f.handle = 0;
	f.name_len = 5;
	EXPECT_EQ(ESRCH, do_ioctl(self->trace, EVNTRACE_IOC_OPEN, &f));
	f.name_len = EVNTRACE_MAX_NAME + 1;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_OPEN, &f));
	f.name_len = 6;
	f.name = 1;
	EXPECT_EQ(EFAULT, do_ioctl(self->trace, EVNTRACE_IOC_OPEN, &f));

	q.name = (uintptr_t)back;
	q.name_len = 16;
	ASSERT_EQ(0, dev_session(self->trace, arg.handle, &q));
	EXPECT_EQ(6, q.name_len);
	EXPECT_EQ('F', back[0]);
	EXPECT_EQ('r', back[5]);
	EXPECT_EQ(0, back[6]);
	EXPECT_EQ(65536, q.buffer_size);
	EXPECT_EQ(q.min_buffers + 20, q.max_buffers);
	EXPECT_EQ(q.buffers, q.free_buffers);
	EXPECT_EQ(getpid(), (pid_t)q.owner_pid);
	EXPECT_EQ(1, q.buffers_written);
	q.name = 1;
	q.name_len = 16;
	EXPECT_EQ(EFAULT, dev_session(self->trace, arg.handle, &q));
	EXPECT_EQ(0, dev_stop(self->trace, arg.handle, NULL));
	EXPECT_EQ(ESRCH, dev_stop(self->trace, arg.handle, NULL));
}

TEST_F(devices, forged_session_handles_are_ESRCH)
{
	__u64 s, forged[] = { 1, ~0ull, 1ull << 16, 63, 64, 0xffff,
			      EVNTRACE_PRIVATE_HANDLE,
			      EVNTRACE_PRIVATE_HANDLE | 1 };
	unsigned int i;

	for (i = 0; i < sizeof(forged) / sizeof(*forged); i++) {
		s = forged[i];
		EXPECT_EQ(ESRCH, dev_stop(self->trace, s, NULL));
		EXPECT_EQ(ESRCH, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH,
					     s, NULL));
		EXPECT_EQ(ESRCH, dev_control(self->trace, DEV_QUERY,
					     s, NULL));
		EXPECT_EQ(ESRCH, dev_enable(self->trace, s, 1));
	}
}

TEST_F(devices, enable_errors)
{
	struct evntrace_enable e;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	e = enable_arg(1);
	e.control = 3;
	EXPECT_EQ(EINVAL, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	e = enable_arg(1);
	e.property = 0x40000000;
	EXPECT_EQ(EOPNOTSUPP, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE,
					&e));
	e = enable_arg(1);
	e.control = EVNTPROV_CONTROL_DISABLE;
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(self->before.enablements, dev_status().enablements);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

static ssize_t read_one(int fd, struct evntprov_notification *n)
{
	memset(n, POISON, sizeof(*n));
	return read(fd, n, sizeof(*n));
}

TEST_F(devices, counters_of_CPUs_add_up_to_the_session)
{
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_CPUS,
		.element_size = sizeof(struct evntrace_cpu),
	};
	struct evntrace_cpu *cpus;
	struct evntrace_session q;
	__u64 s, events = 0;
	unsigned int i;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	for (i = 0; i < 5; i++)
		EXPECT_EQ(0, dev_write(self->prov, H, "text", 4));
	ASSERT_EQ(0, dev_list_of(self->trace, s, &l));
	ASSERT_GE((int)l.count, 1);
	cpus = calloc(l.count + 1, sizeof(*cpus));
	memset(cpus, POISON, (l.count + 1) * sizeof(*cpus));
	l.elements = (uintptr_t)cpus;
	ASSERT_EQ(0, dev_list_of(self->trace, s, &l));
	for (i = 0; i < l.count; i++) {
		events += cpus[i].events;
		EXPECT_EQ(0, cpus[i].events_lost);
	}
	EXPECT_EQ(POISON * 0x0101010101010101ull, cpus[i].events);
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY, s, &q));
	EXPECT_EQ(5, q.events);
	EXPECT_EQ(q.events, events);
	free(cpus);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, lists_of_CPUs_fail_with_documented_errors)
{
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_CPUS,
		.element_size = sizeof(struct evntrace_cpu),
		.count = 1, .elements = 1,
	};
	__u64 s = NO_SESSION;

	EXPECT_EQ(ESRCH, dev_list_of(self->trace, s, &l));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	EXPECT_EQ(EFAULT, dev_list_of(self->trace, s, &l));
	l.element_size--;
	EXPECT_EQ(EINVAL, dev_list_of(self->trace, s, &l));
	l.element_size++;
	l.flags = EVNTRACE_LIST_GROUP;
	EXPECT_EQ(EINVAL, dev_list_of(self->trace, s, &l));
	l.flags = 0;
	l.provider = guid_of(1);
	EXPECT_EQ(EINVAL, dev_list_of(self->trace, s, &l));
	memset(&l.provider, 0, sizeof(l.provider));
	l.count = 0;
	EXPECT_EQ(0, dev_list_of(self->trace, s, &l));
	EXPECT_NE(0, l.count);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, SET_replaces_only_two_lists)
{
	struct evntprov_guid id = guid_of(1);
	struct evntrace_list l = guids_arg(EVNTRACE_LIST_DISALLOWED, &id, 1);
	__u32 kind;
	__u64 s;

	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	EXPECT_EQ(0, dev_set(self->trace, s, &l));
	for (kind = 0; kind < 20; kind++) {
		l.kind = kind;
		if (kind != EVNTRACE_LIST_CAPTURE_STATE &&
		    kind != EVNTRACE_LIST_DISALLOWED)
			EXPECT_EQ(EINVAL, dev_set(self->trace, s, &l));
	}
	l.kind = EVNTRACE_LIST_DISALLOWED;
	l.flags = EVNTRACE_LIST_GROUP;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &l));
	l.flags = 0;
	l.element_size++;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &l));
	l.element_size--;
	l.cursor[3] = 1;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &l));
	l.cursor[3] = 0;
	l.provider = id;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &l));
	memset(&l.provider, 0, sizeof(l.provider));
	l.period_s = 1;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &l));
	l.period_s = 0;
	EXPECT_EQ(0, dev_set(self->trace, s, &l));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, disallow_errors)
{
	struct evntprov_guid list[2] = { guid_of(1), guid_of(2) };
	struct evntrace_list d = guids_arg(EVNTRACE_LIST_DISALLOWED, list, 2);
	__u64 s = NO_SESSION;
	struct evntrace_list q = d;

	EXPECT_EQ(ESRCH, dev_set(self->trace, s, &d));
	EXPECT_EQ(ESRCH, dev_list_of(self->trace, s, &q));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	EXPECT_EQ(0, dev_set(self->trace, s, &d));
	memset(list, POISON, sizeof(list));
	q.count = 1;
	EXPECT_EQ(0, dev_list_of(self->trace, s, &q));
	EXPECT_EQ(2, q.count);
	EXPECT_EQ(1, list[0].b[12]);
	EXPECT_EQ(POISON, list[1].b[12]);
	q.count = 0xffffffff;
	EXPECT_EQ(0, dev_list_of(self->trace, s, &q));
	EXPECT_EQ(2, list[1].b[12]);
	q.elements = 1;
	EXPECT_EQ(EFAULT, dev_list_of(self->trace, s, &q));
	d.elements = 1;
	EXPECT_EQ(EFAULT, dev_set(self->trace, s, &d));
	d.count = EVNTRACE_MAX_DISALLOWED + 1;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &d));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

/* A group's provider is freed with its last member and its last enablement */
TEST_F(devices, a_group_exists_while_it_has_members_or_is_enabled)
{
	static const char traits[] = "\x16\0\0\x13\0\1" "0123456789abcdef";
	struct evntrace_enable e;
	__u64 s;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_TRAITS, traits,
				  22));
	EXPECT_EQ(self->before.providers + 2, dev_status().providers);
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	e = enable_arg(1);
	e.property = EVNTRACE_PROPERTY_PROVIDER_GROUP;
	memcpy(e.provider.b, traits + 6, 16);
	ASSERT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	ASSERT_EQ(0, dev_unregister(self->prov, H));
	EXPECT_EQ(self->before.providers + 1, dev_status().providers);
	EXPECT_EQ(self->before.enablements + 1, dev_status().enablements);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	EXPECT_EQ(self->before.providers, dev_status().providers);
}

TEST_F(devices, capture_errors)
{
	struct evntprov_guid list[2] = { guid_of(1), guid_of(2) };
	struct evntrace_list c = guids_arg(EVNTRACE_LIST_CAPTURE_STATE, list,
					   2);
	__u64 s = NO_SESSION;
	struct evntrace_list q = c;

	c.period_s = 100;
	EXPECT_EQ(ESRCH, dev_set(self->trace, s, &c));
	EXPECT_EQ(ESRCH, dev_list_of(self->trace, s, &q));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	EXPECT_EQ(0, dev_set(self->trace, s, &c));
	memset(list, POISON, sizeof(list));
	q.count = 1;
	EXPECT_EQ(0, dev_list_of(self->trace, s, &q));
	EXPECT_EQ(2, q.count);
	EXPECT_EQ(100, q.period_s);
	EXPECT_EQ(1, list[0].b[12]);
	EXPECT_EQ(POISON, list[1].b[12]);
	q.count = 0xffffffff;
	EXPECT_EQ(0, dev_list_of(self->trace, s, &q));
	EXPECT_EQ(2, list[1].b[12]);
	q.elements = 1;
	EXPECT_EQ(EFAULT, dev_list_of(self->trace, s, &q));
	c.count = EVNTRACE_MAX_CAPTURE + 1;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &c));
	c.count = 0;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &c));
	c.count = 1;
	c.period_s = 0;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &c));
	c.period_s = EVNTRACE_MAX_CAPTURE_PERIOD + 1;
	EXPECT_EQ(EINVAL, dev_set(self->trace, s, &c));
	c.period_s = 1;
	c.elements = 1;
	EXPECT_EQ(EFAULT, dev_set(self->trace, s, &c));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	c.elements = (uintptr_t)list;
	EXPECT_EQ(ESRCH, dev_set(self->trace, s, &c));
}

TEST_F(devices, notifications_report_the_union_of_all_sessions)
{
	struct evntprov_notification n;
	struct evntrace_enable e;
	__u64 s[2];

	fcntl(self->prov, F_SETFL, O_NONBLOCK);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(2, 1), 1, 0));
	EXPECT_EQ(-1, read_one(self->prov, &n));
	EXPECT_EQ(EAGAIN, errno);
	ASSERT_EQ(0, dev_start(self->trace, "one", LOG, NULL, &s[0]));
	ASSERT_EQ(0, dev_start(self->trace, "two", "/tmp/abi2.etl", NULL,
			       &s[1]));
	e = enable_arg(1);
	e.level = 3;
	e.match_any = 0xf0;
	e.match_all = 0x30;
	e.source = guid_of(99);
	ASSERT_EQ(0, dev_ioctl(self->trace, s[0], EVNTRACE_IOC_ENABLE, &e));
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(H, n.handle);
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, n.control);
	EXPECT_EQ(3, n.level);
	EXPECT_EQ(0xf0, n.match_any);
	EXPECT_EQ(0x30, n.match_all);
	EXPECT_EQ(0, memcmp(&n.source, &e.source, sizeof(n.source)));

	e.level = 5;
	e.match_any = 0x0f;
	e.match_all = 0x11;
	ASSERT_EQ(0, dev_ioctl(self->trace, s[1],
			       EVNTRACE_IOC_ENABLE, &e));
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(5, n.level);
	EXPECT_EQ(0xff, n.match_any);
	EXPECT_EQ(0x10, n.match_all);

	e.control = EVNTPROV_CONTROL_CAPTURE_STATE;
	ASSERT_EQ(0, dev_ioctl(self->trace, s[1],
			       EVNTRACE_IOC_ENABLE, &e));
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(EVNTPROV_CONTROL_CAPTURE_STATE, n.control);
	EXPECT_EQ(0xff, n.match_any);

	/*
	 * After one of two sessions stops, the set is still enabled, but
	 * narrower
	 */
	EXPECT_EQ(0, dev_stop(self->trace, s[0], NULL));
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, n.control);
	EXPECT_EQ(5, n.level);
	EXPECT_EQ(0x0f, n.match_any);
	EXPECT_EQ(0, n.source.b[0]);
	EXPECT_EQ(0, dev_stop(self->trace, s[1], NULL));
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(EVNTPROV_CONTROL_DISABLE, n.control);
	EXPECT_EQ(-1, read(self->prov, &n, sizeof(n) - 1));
	EXPECT_EQ(EINVAL, errno);
	unlink("/tmp/abi2.etl");
}

TEST_F(devices, fast_changes_are_reported_by_their_result)
{
	struct evntprov_notification n;
	struct evntrace_enable e;
	unsigned int i;
	__u64 s;

	fcntl(self->prov, F_SETFL, O_NONBLOCK);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	for (i = 1; i < 100; i++) {
		e = enable_arg(1);
		e.level = i;
		e.control = i % 3;
		ASSERT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	}
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(EVNTPROV_CONTROL_DISABLE, n.control);
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(EVNTPROV_CONTROL_CAPTURE_STATE, n.control);
	EXPECT_EQ(-1, read_one(self->prov, &n));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, ENABLE_waits_for_acknowledgement)
{
	struct evntprov_notification n;
	struct evntrace_enable e;
	pid_t reader;
	__u64 s;

	fcntl(self->prov, F_SETFL, O_NONBLOCK);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	e = enable_arg(1);
	e.timeout_ms = 50;
	EXPECT_EQ(ETIMEDOUT, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, n.control);
	/* Read, but not acknowledged by another read() */
	EXPECT_EQ(ETIMEDOUT, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	/* Reads notifications until it is killed: its first ones may be older */
	reader = fork();
	if (!reader) {
		for (;; usleep(1000))
			while (read_one(self->prov, &n) > 0)
				;
	}
	e.timeout_ms = EVNTRACE_TIMEOUT_INFINITE;
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	kill(reader, SIGKILL);
	wait(NULL);
	/* Unregistering also ends the wait */
	e.timeout_ms = 10;
	EXPECT_EQ(ETIMEDOUT, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	if (!fork()) {
		usleep(20000);
		_exit(dev_unregister(self->prov, H));
	}
	e.timeout_ms = EVNTRACE_TIMEOUT_INFINITE;
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	wait(NULL);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, ENABLE_with_WAIT_ignores_the_control_code)
{
	struct evntprov_notification n;
	struct evntrace_enable e, wait = enable_arg(1);
	__u64 s;

	wait.flags = EVNTRACE_ENABLE_WAIT;
	wait.control = 99;
	wait.property = 0x40000000;
	wait.timeout_ms = EVNTRACE_TIMEOUT_INFINITE;
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	/* Unknown provider */
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &wait));
	fcntl(self->prov, F_SETFL, O_NONBLOCK);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &wait));
	e = enable_arg(1);
	ASSERT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	wait.timeout_ms = 0;
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &wait));
	wait.timeout_ms = 10;
	EXPECT_EQ(ETIMEDOUT, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE,
				       &wait));
	/* The change causes one notification; waiting causes none */
	ASSERT_EQ(sizeof(n), read_one(self->prov, &n));
	EXPECT_EQ(-1, read_one(self->prov, &n));
	wait.timeout_ms = EVNTRACE_TIMEOUT_INFINITE;
	EXPECT_EQ(0, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &wait));
	EXPECT_EQ(self->before.enablements + 1, dev_status().enablements);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, closing_the_owners_descriptor_ends_reads)
{
	struct pollfd p = { .events = POLLIN };
	struct evntprov_notification n;
	int other;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	other = dup(self->prov);
	p.fd = other;
	EXPECT_EQ(0, poll(&p, 1, 0));
	/*
	 * Closing inherited descriptors in a child does not end the
	 * registrations
	 */
	if (!fork()) {
		close(other);
		close(self->prov);
		_exit(0);
	}
	wait(NULL);
	EXPECT_EQ(0, poll(&p, 1, 0));
	close(self->prov);
	self->prov = other;
	EXPECT_EQ(1, poll(&p, 1, 0));
	EXPECT_TRUE(p.revents & POLLHUP);
	EXPECT_EQ(0, read(other, &n, sizeof(n)));
}

/* A participant may have no registration, for instance for lack of the right */
TEST_F(devices, closing_a_participants_descriptor_ends_its_reads)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_NOTIFY,
	};
	struct evntprov_notification n;
	int other = dup(self->prov);

	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_PRIVATE, &arg));
	close(self->prov);
	self->prov = other;
	/* Fail instead of hanging if the file is still open */
	fcntl(other, F_SETFL, O_NONBLOCK);
	EXPECT_EQ(0, read(other, &n, sizeof(n)));
}

TEST_F(devices, LIST_returns_all_objects)
{
	struct evntrace_registration r[8] = {};
	struct evntrace_enablement e[8] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
		.count = 8,
	};
	__u64 s, handles[2] = {};

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_TRAITS,
				  "\7\0Name", 7));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	ASSERT_EQ(1, l.count);
	EXPECT_EQ(getpid(), (pid_t)r[0].pid);
	EXPECT_EQ(1ull << EVNTRACE_HANDLE_ID(s), r[0].sessions);
	EXPECT_STREQ("Name", r[0].name);
	EXPECT_EQ(EVNTRACE_REGISTRATION_TYPES | EVNTRACE_REGISTRATION_TRAITS,
		  r[0].flags);

	l.kind = EVNTRACE_LIST_ENABLEMENTS;
	l.element_size = sizeof(*e);
	l.elements = (uintptr_t)e;
	l.count = 8;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	ASSERT_EQ(1, l.count);
	EXPECT_EQ(s, e[0].handle);
	EXPECT_EQ(0, e[0].level);

	l.kind = EVNTRACE_LIST_SESSIONS;
	l.element_size = sizeof(__u64);
	l.elements = (uintptr_t)handles;
	l.count = 0;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	EXPECT_EQ(1, l.count);
	EXPECT_EQ(0, handles[0]);
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	EXPECT_EQ(s, handles[0]);
	l.elements = 1;
	EXPECT_EQ(EFAULT, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	l.kind = 1000;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, LIST_without_room_returns_the_number)
{
	const __u32 sizes[] = {
		[EVNTRACE_LIST_SESSIONS] = sizeof(__u64),
		[EVNTRACE_LIST_REGISTRATIONS] =
			sizeof(struct evntrace_registration),
		[EVNTRACE_LIST_ENABLEMENTS] =
			sizeof(struct evntrace_enablement),
	};
	struct evntrace_list l = { .size = sizeof(l) };
	__u64 s;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	for (l.kind = 0; l.kind < 3; l.kind++) {
		l.element_size = sizes[l.kind];
		l.count = 0;
		ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
		EXPECT_EQ(1, l.count);
	}
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

static __u32 list_part(int fd, struct evntrace_list *l, __u32 count)
{
	l->count = count;
	return do_ioctl(fd, EVNTRACE_IOC_LIST, l) ? ~0u : l->count;
}

TEST_F(devices, LIST_returns_long_lists_in_parts)
{
	struct evntrace_registration r[4] = {};
	struct evntrace_enablement e[4] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .flags = EVNTRACE_LIST_PART,
		.kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
	};
	int fd = self->trace;
	__u64 s, t;

	ASSERT_EQ(0, dev_register(self->prov, HANDLE(1, 1), 2, 0));
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(2, 1), 1, 0));
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(3, 1), 1, 0));
	EXPECT_EQ(2, list_part(fd, &l, 2));
	EXPECT_EQ(0, memcmp(&r[0].provider, &(struct evntprov_guid []) {
			    guid_of(1) }, sizeof(r[0].provider)));
	/* Replace a listed element by one that the list may omit */
	ASSERT_EQ(0, dev_unregister(self->prov, HANDLE(2, 1)));
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(4, 1), 3, 0));
	EXPECT_EQ(1, list_part(fd, &l, 4));
	EXPECT_EQ(0, memcmp(&r[0].provider, &(struct evntprov_guid []) {
			    guid_of(2) }, sizeof(r[0].provider)));
	EXPECT_EQ(0, list_part(fd, &l, 4));
	EXPECT_EQ(0, list_part(fd, &l, 4));

	ASSERT_EQ(0, dev_start(fd, "abi", LOG, NULL, &s));
	ASSERT_EQ(0, dev_start(fd, "abi2", "/tmp/abi2.etl", NULL, &t));
	ASSERT_EQ(0, dev_enable(fd, t, 2));
	ASSERT_EQ(0, dev_enable(fd, s, 2));
	ASSERT_EQ(0, dev_enable(fd, s, 1));
	l = (struct evntrace_list) {
		.size = sizeof(l), .flags = EVNTRACE_LIST_PART,
		.kind = EVNTRACE_LIST_ENABLEMENTS,
		.element_size = sizeof(*e), .elements = (uintptr_t)e,
	};
	EXPECT_EQ(2, list_part(fd, &l, 2));
	EXPECT_EQ(s, e[0].handle);
	EXPECT_EQ(s, e[1].handle);
	EXPECT_EQ(1, list_part(fd, &l, 2));
	EXPECT_EQ(t, e[0].handle);
	EXPECT_EQ(0, list_part(fd, &l, 2));
	EXPECT_EQ(0, dev_stop(fd, s, NULL));
	EXPECT_EQ(0, dev_stop(fd, t, NULL));
	unlink("/tmp/abi2.etl");
}

TEST_F(devices, LIST_rejects_parts_of_short_lists)
{
	__u8 room[256];
	struct evntrace_list l = {
		.size = sizeof(l), .flags = EVNTRACE_LIST_PART,
		.kind = EVNTRACE_LIST_REGISTRATIONS, .count = 1,
		.element_size = sizeof(room), .elements = (uintptr_t)room,
	};
	int fd = self->trace;

	EXPECT_EQ(0, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	l.count = 0;
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	l.count = 1;
	l.flags = EVNTRACE_LIST_GROUP << 1;
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	l.flags = EVNTRACE_LIST_GROUP;
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	l.flags = 0;
	l.cursor[2] = 1;
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	/* Any cursor value is valid as a place in the list */
	memset(&l.cursor, 0xff, sizeof(l.cursor));
	l.flags = EVNTRACE_LIST_PART;
	EXPECT_EQ(0, list_part(fd, &l, 1));
	for (l.kind = EVNTRACE_LIST_ACCESS; l.kind <= EVNTRACE_LIST_PRIVATE;
	     l.kind++)
		EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
	l.kind = EVNTRACE_LIST_SESSIONS;
	EXPECT_EQ(EINVAL, do_ioctl(fd, EVNTRACE_IOC_LIST, &l));
}

/* Elements of programs newer than the module */
TEST_F(devices, LIST_accepts_longer_elements)
{
	const __u32 least = sizeof(struct evntrace_registration);
	struct evntrace_registration r, *cut;
	char room[2 * sizeof(r) + 8];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(r), .elements = (uintptr_t)&r,
		.count = 1,
	};
	unsigned int i;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	ASSERT_EQ(1, l.count);
	cut = (void *)room;
	l.elements = (uintptr_t)room;
	for (i = least; i < sizeof(room); i += 8) {
		memset(room, POISON, sizeof(room));
		l.element_size = i;
		l.count = 1;
		ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
		EXPECT_EQ(0, memcmp(cut, &r, sizeof(r)));
		EXPECT_EQ(POISON, (__u8)room[i]);
		EXPECT_TRUE(i <= sizeof(r) || !room[i - 1]);
	}
	l.element_size = least - 1;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
	l.element_size = 4097;
	EXPECT_EQ(EINVAL, do_ioctl(self->trace, EVNTRACE_IOC_LIST, &l));
}

TEST_F(devices, a_bound_session_ends_with_its_descriptor)
{
	struct evntrace_start bound = { .flags = EVNTRACE_START_BOUND };
	struct evntrace_session q;
	struct etl_scan scan;
	__u64 s;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, &bound, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY, s, &q));
	EXPECT_EQ(EVNTRACE_SESSION_BOUND | EVNTRACE_SESSION_OWNED, q.state);
	EXPECT_EQ(0, dev_write(self->prov, H, "event", 5));
	dev_close_bound();
	EXPECT_EQ(ESRCH, dev_control(self->trace, DEV_QUERY, s, &q));
	EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
	EXPECT_NE(0, scan.end_time);
}

/* The session goes on, but no longer has EVNTRACE_SESSION_OWNED */
TEST_F(devices, a_session_outlives_its_owner)
{
	struct evntrace_session q;
	__u64 *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	siginfo_t info;
	pid_t child = fork();

	if (!child)
		_exit(dev_start(self->trace, "abi", LOG, NULL, s));
	/* The child is not reaped yet, so its pid is not reused */
	ASSERT_EQ(0, waitid(P_PID, child, &info, WEXITED | WNOWAIT));
	ASSERT_EQ(0, info.si_status);
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY, *s, &q));
	EXPECT_EQ(EVNTRACE_SESSION_OWNED, q.state);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY, *s, &q));
	EXPECT_EQ(0, q.flags);
	EXPECT_EQ(child, (pid_t)q.owner_pid);
	EXPECT_EQ(0, dev_stop(self->trace, *s, &q));
	EXPECT_EQ(0, q.flags);
	munmap(s, sizeof(*s));
}

TEST_F(devices, FLUSH_writes_all_events_to_the_file)
{
	struct etl_scan scan;
	unsigned int i;
	__u64 s;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	for (i = 1; i <= 20; i++) {
		EXPECT_EQ(0, dev_write(self->prov, H, &i, sizeof(i)));
		EXPECT_EQ(0, dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, s,
					 NULL));
		EXPECT_TRUE(etl_scan(LOG, &scan, NULL, NULL));
		EXPECT_EQ(i, scan.events);
		EXPECT_EQ(0, scan.end_time);
	}
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(devices, the_flush_timer_writes_events_to_the_file)
{
	struct evntrace_start timer = { .flush_ms = 100 };
	struct etl_scan scan = {};
	unsigned int i;
	__u64 s;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, &timer, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	EXPECT_EQ(0, dev_write(self->prov, H, "", 1));
	/* The session may be writing the file during a scan, so retry */
	for (i = 0; i < 3000 && !(scan.events && !scan.error); i++) {
		usleep(20000);
		etl_scan(LOG, &scan, NULL, NULL);
	}
	EXPECT_EQ(NULL, scan.error);
	EXPECT_EQ(1, scan.events);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

/* Disk full: the session goes on, losses are counted, the file stays valid */
TEST_F(devices, buffers_lost_on_a_full_disk_are_counted)
{
	struct evntrace_start small = { .buffer_size = 65536 };
	static char payload[8000];
	struct evntrace_session q;
	struct etl_scan scan;
	unsigned int i;
	__u64 s;

	mkdir("/tmp/full", 0700);
	ASSERT_EQ(0, system("mount -t tmpfs -o size=300k none /tmp/full"));
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, dev_start(self->trace, "abi", "/tmp/full/x.etl", &small,
			       &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	for (i = 0; i < 200; i++) {
		dev_write(self->prov, H, payload, sizeof(payload));
		if (i % 5 == 4)
			dev_control(self->trace, EVNTRACE_CONTROL_FLUSH, s, NULL);
	}
	EXPECT_EQ(0, dev_stop(self->trace, s, &q));
	EXPECT_EQ(ENOSPC, q.log_errno);
	EXPECT_LT(0, q.buffers_lost);
	EXPECT_TRUE(etl_scan("/tmp/full/x.etl", &scan, NULL, NULL));
	EXPECT_EQ(q.events_lost, q.events_unwritten + q.events_no_buffer);
	EXPECT_LT(0, q.events_unwritten);
	EXPECT_EQ(200, scan.events + q.events_lost);
	EXPECT_EQ(q.events_lost, scan.events_lost);
	EXPECT_EQ(q.buffers_lost, scan.buffers_lost);
	EXPECT_EQ(0, system("umount /tmp/full"));
}

TEST_F(devices, start_on_a_full_disk_is_ENOSPC)
{
	__u64 s;

	mkdir("/tmp/full", 0700);
	ASSERT_EQ(0, system("mount -t tmpfs -o size=4k none /tmp/full"));
	EXPECT_EQ(ENOSPC, dev_start(self->trace, "abi", "/tmp/full/x.etl",
				    NULL, &s));
	EXPECT_EQ(0, system("umount /tmp/full"));
}

/*
 * In-only arguments may be read-only.  A call that cannot copy out its result
 * must undo its effect.
 */
TEST_F(devices, arguments_that_cannot_be_written_are_EFAULT)
{
	struct evntprov_notification *n;
	struct evntrace_start *start;
	struct evntprov_register *r;
	__u16 name[16];
	void *page;
	__u64 s;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fcntl(self->prov, F_SETFL, O_NONBLOCK);
	r = page;
	*r = (struct evntprov_register) {
		.size = sizeof(*r), .flags = EVNTPROV_REGISTER_NOTIFY,
		.provider = guid_of(1), .handle = H,
	};
	start = page + 1024;
	*start = start_arg(name, "abi", new_log(LOG));
	n = page + 2048;
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_REGISTER, r));
	EXPECT_EQ(EFAULT, do_ioctl(self->trace, EVNTRACE_IOC_START, start));
	EXPECT_EQ(self->before.sessions, dev_status().sessions);
	EXPECT_EQ(0, lseek(start->log_fd, 0, SEEK_END));
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ | PROT_WRITE));
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, start));
	s = start->handle;
	close(start->log_fd);

	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(-1, read(self->prov, n, sizeof(*n)));
	EXPECT_EQ(EFAULT, errno);
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ | PROT_WRITE));
	EXPECT_EQ(sizeof(*n), read(self->prov, n, sizeof(*n)));
	EXPECT_EQ(EVNTPROV_CONTROL_ENABLE, n->control);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	munmap(page, 4096);
}

static void ignore(int sig)
{
}

TEST_F(devices, an_interrupted_ENABLE_is_EINTR_and_in_force)
{
	struct itimerval soon = { { 0, 10000 }, { 0, 10000 } };
	struct sigaction action = { .sa_handler = ignore,
				    .sa_flags = SA_RESTART };
	struct evntrace_enable e;
	__u64 s;

	ASSERT_EQ(0, dev_register(self->prov, H, 1, EVNTPROV_REGISTER_NOTIFY));
	ASSERT_EQ(0, dev_start(self->trace, "abi", LOG, NULL, &s));
	e = enable_arg(1);
	e.timeout_ms = EVNTRACE_TIMEOUT_INFINITE;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	EXPECT_EQ(EINTR, dev_ioctl(self->trace, s, EVNTRACE_IOC_ENABLE, &e));
	memset(&soon, 0, sizeof(soon));
	setitimer(ITIMER_REAL, &soon, NULL);
	EXPECT_EQ(self->before.enablements + 1, dev_status().enablements);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_HARNESS_MAIN
