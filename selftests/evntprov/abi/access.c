// SPDX-License-Identifier: GPL-2.0
/*
 * Access lists, by bare ioctls: which users they admit, and which users may
 * change them.
 *
 * Users other than root are child processes that inherit devices opened by
 * root, so that only the access lists decide.
 */
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/abi/actor.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/private/private_ioctl.h"

#define LOG	"/tmp/access.etl"
#define STAFF	62001
#define SESSION	1000	/* provider number for guid_of() */

FIXTURE(access) {
	int prov;
	int trace;
	struct dev_status before;
};

FIXTURE_SETUP(access)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = dev_status();
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
}

static int change(int fd, struct evntprov_guid guid, __u32 operation,
		  __u32 flags, __u32 subject, __u32 id, __u32 rights)
{
	struct evntrace_access arg = {
		.size = sizeof(arg),
		.flags = flags,
		.guid = guid,
		.operation = operation,
		.subject = subject,
		.id = id,
		.rights = rights,
	};

	return do_ioctl(fd, EVNTRACE_IOC_SET_ACCESS, &arg);
}

static const struct evntprov_guid default_guid = EVNTRACE_ACCESS_DEFAULT;

#define ADD	EVNTRACE_ACCESS_ADD
#define SET	EVNTRACE_ACCESS_SET
#define REMOVE	EVNTRACE_ACCESS_REMOVE
#define DENY	EVNTRACE_ACCESS_DENY
#define ALL	EVNTRACE_SUBJECT_EVERYONE
#define USER	EVNTRACE_SUBJECT_USER
#define GROUP	EVNTRACE_SUBJECT_GROUP
#define OWNER	EVNTRACE_SUBJECT_OWNER
#define ADMIN	EVNTRACE_SUBJECT_ADMIN
#define RIGHT(r)	EVNTRACE_RIGHT_##r

static int forget(int fd, struct evntprov_guid guid)
{
	return change(fd, guid, REMOVE, 0, 0, 0, 0);
}

FIXTURE_TEARDOWN(access)
{
	EXPECT_EQ(0, forget(self->trace, guid_of(1)));
	EXPECT_EQ(0, forget(self->trace, guid_of(SESSION)));
	EXPECT_EQ(0, forget(self->trace, default_guid));
	EXPECT_EQ(0, chmod("/dev/evntrace", 0660));
	close(self->prov);
	EXPECT_TRUE(dev_status_is(&self->before));
	close(self->trace);
	unlink(LOG);
}

/* Query the entries of one list. Returns their number. */
static unsigned int entries(int fd, struct evntprov_guid guid,
			    struct evntrace_access *to, unsigned int room)
{
	struct evntrace_access all[256];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_ACCESS,
		.element_size = sizeof(*all), .elements = (uintptr_t)all,
		.count = 256,
	};
	unsigned int i, n = 0;

	if (do_ioctl(fd, EVNTRACE_IOC_LIST, &l))
		return -1;
	for (i = 0; i < l.count; i++) {
		if (!memcmp(&all[i].guid, &guid, sizeof(guid)) && n < room)
			to[n++] = all[i];
	}
	return n;
}

static int start_here(int fd, __u32 mode, __u64 *handle)
{
	__u16 name[16];
	int log = memfd_create("log", 0);
	struct evntrace_start arg = start_arg(name, "access", log);
	int err;

	arg.guid = guid_of(SESSION);
	arg.log_file_mode = mode;
	err = do_ioctl(fd, EVNTRACE_IOC_START, &arg);
	close(log);
	*handle = arg.handle;
	return err;
}

static int starts(int fd)
{
	__u64 handle;
	int err = start_here(fd, 0, &handle);

	return err ?: dev_stop(fd, handle, NULL);
}

TEST_F(access, without_lists_everyone_may_register_and_start)
{
	EXPECT_EQ(0, AS(ALICE, 0, dev_register(self->prov, HANDLE(1, 1), 1,
					       0)));
	EXPECT_EQ(0, AS(ALICE, 0, starts(self->trace)));
	EXPECT_EQ(0, dev_unregister(self->prov, HANDLE(1, 1)));
}

TEST_F(access, invalid_arguments_are_EINVAL)
{
	struct evntprov_guid g = guid_of(1);
	int fd = self->trace;

	EXPECT_EQ(EINVAL, change(fd, g, 3, 0, ALL, 0, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 2, ALL, 0, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, 5, 0, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, ALL, 0, 0));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, ALL, 0, 0x2000));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, ALL, 0, 1u << 31));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, ALL, 1, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, OWNER, 1, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, ADMIN, 1, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, USER, ~0u, 1));
	EXPECT_EQ(EINVAL, change(fd, g, ADD, 0, GROUP, ~0u, 1));
	EXPECT_EQ(EINVAL, change(fd, g, REMOVE, 1, 0, 0, 0));
	EXPECT_EQ(EINVAL, change(fd, g, REMOVE, 0, 1, 0, 0));
	EXPECT_EQ(EINVAL, change(fd, g, REMOVE, 0, 0, 1, 0));
	EXPECT_EQ(EINVAL, change(fd, g, REMOVE, 0, 0, 0, 1));
	EXPECT_EQ(0, entries(fd, g, NULL, 0));
	EXPECT_EQ(0, change(fd, g, ADD, 0, ALL, 0, EVNTRACE_RIGHTS_ALL));
}

TEST_F(access, changes_require_CAP_SYS_ADMIN_in_the_initial_user_namespace)
{
	struct evntprov_guid g = guid_of(1);
	int fd = self->trace;

	EXPECT_EQ(EPERM, AS(ALICE, 0, change(fd, g, ADD, 0, ALL, 0, 1)));
	EXPECT_EQ(EPERM, AS(ALICE, 0, forget(fd, g)));
	/* Capabilities in a user namespace of the caller's own do not count */
	EXPECT_EQ(EPERM, AS(ALICE, 0, unshare(CLONE_NEWUSER) ? 98 :
			    change(fd, g, SET, 0, ALL, 0, 1)));
	EXPECT_EQ(0, entries(fd, g, NULL, 0));
}

TEST_F(access, an_access_list_limits_registration)
{
	int fd = self->prov;

#define REGISTERS(uid, group) AS(uid, group,				\
	dev_register(fd, HANDLE(1, 1), 1, 0) ?:			\
	dev_unregister(fd, HANDLE(1, 1)))
	ASSERT_EQ(0, change(self->trace, guid_of(1), SET, 0, USER, ALICE,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(ALICE, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, STAFF));
	/* Root is not exempt */
	EXPECT_EQ(EACCES, REGISTERS(0, 0));
	ASSERT_EQ(0, change(self->trace, guid_of(1), ADD, 0, GROUP, STAFF,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(BOB, STAFF));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	/* The entry also matches the caller's primary group */
	EXPECT_EQ(0, REGISTERS(STAFF, 0));
	/* Lists of other providers do not matter */
	EXPECT_EQ(0, AS(BOB, 0, dev_register(fd, HANDLE(2, 1), 2, 0)));
	ASSERT_EQ(0, forget(self->trace, guid_of(1)));
	EXPECT_EQ(0, REGISTERS(BOB, 0));
}

TEST_F(access, deny_entries_win_in_any_order)
{
	struct evntprov_guid g = guid_of(1);
	int fd = self->prov;

	ASSERT_EQ(0, change(self->trace, g, SET, 0, ALL, 0,
			    RIGHT(REGISTER_GUIDS)));
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(REGISTER_GUIDS) | RIGHT(QUERY)));
	ASSERT_EQ(0, change(self->trace, g, ADD, 0, USER, BOB,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	EXPECT_EQ(0, REGISTERS(ALICE, 0));
}

TEST_F(access, adding_to_an_absent_list_extends_the_default)
{
	struct evntprov_guid g = guid_of(1);
	struct evntrace_access e[4];
	int fd = self->prov;

	/* A deny entry overrides an allow entry for everyone */
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(ALICE, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	ASSERT_EQ(4, entries(self->trace, g, e, 4));
	EXPECT_EQ(DENY, e[0].flags);
	EXPECT_EQ(USER, e[0].subject);
	EXPECT_EQ(BOB, e[0].id);
	EXPECT_EQ(RIGHT(REGISTER_GUIDS), e[0].rights);
	EXPECT_EQ(0, e[1].flags | e[2].flags | e[3].flags);
	EXPECT_EQ(OWNER, e[1].subject);
	EXPECT_EQ(EVNTRACE_RIGHTS_ALL, e[1].rights);
	EXPECT_EQ(ADMIN, e[2].subject);
	EXPECT_EQ(EVNTRACE_RIGHTS_ALL, e[2].rights);
	EXPECT_EQ(ALL, e[3].subject);
	EXPECT_EQ(EVNTRACE_RIGHTS_DEFAULT, e[3].rights);
	/* Adding the same subject again extends its entry */
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(GUID_ENABLE)));
	ASSERT_EQ(4, entries(self->trace, g, e, 4));
	EXPECT_EQ(RIGHT(REGISTER_GUIDS) | RIGHT(GUID_ENABLE), e[0].rights);
	ASSERT_EQ(0, change(self->trace, g, SET, 0, GROUP, STAFF, 1));
	ASSERT_EQ(1, entries(self->trace, g, e, 4));
	EXPECT_EQ(GROUP, e[0].subject);
}

TEST_F(access, the_default_list_applies_to_objects_without_one)
{
	int fd = self->prov;

	ASSERT_EQ(0, change(self->trace, default_guid, SET, 0, USER, ALICE,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(ALICE, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	EXPECT_EQ(EACCES, AS(ALICE, 0, starts(self->trace)));
	ASSERT_EQ(0, change(self->trace, guid_of(1), SET, 0, USER, BOB,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(EACCES, REGISTERS(ALICE, 0));
	EXPECT_EQ(0, REGISTERS(BOB, 0));
	ASSERT_EQ(0, forget(self->trace, default_guid));
	EXPECT_EQ(0, AS(ALICE, 0, starts(self->trace)));
}

static int update(int fd, __u64 handle)
{
	struct evntrace_update arg = { .size = sizeof(arg) };

	return dev_ioctl(fd, handle, EVNTRACE_IOC_UPDATE, &arg);
}

TEST_F(access, an_access_list_limits_each_operation_on_a_session)
{
	struct evntprov_guid g = guid_of(SESSION);
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, change(fd, g, SET, 0, USER, 0, EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, ALICE,
			    RIGHT(CREATE_ONDISK)));
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, BOB, RIGHT(QUERY)));
	EXPECT_EQ(EACCES, AS(BOB, 0, starts(fd)));
	/*
	 * Rights to start and stop a session do not include the right to query
	 * it
	 */
	EXPECT_EQ(0, AS(ALICE, 0, starts(fd)));
	ASSERT_EQ(0, start_here(fd, 0, &s));
	EXPECT_EQ(EACCES, AS(ALICE, 0, dev_control(fd, DEV_QUERY, s, NULL)));
	EXPECT_EQ(0, AS(BOB, 0, dev_control(fd, DEV_QUERY, s, NULL)));
	EXPECT_EQ(EACCES, AS(BOB, 0, dev_control(fd, EVNTRACE_CONTROL_FLUSH, s,
						 NULL)));
	EXPECT_EQ(EACCES, AS(BOB, 0, update(fd, s)));
	EXPECT_EQ(EACCES, AS(BOB, 0, dev_enable(fd, s, 1)));
	EXPECT_EQ(EACCES, AS(BOB, 0, dev_stop(fd, s, NULL)));
	EXPECT_EQ(0, AS(ALICE, 0, dev_control(fd, EVNTRACE_CONTROL_FLUSH, s,
					      NULL)));
	EXPECT_EQ(0, AS(ALICE, 0, update(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, dev_enable(fd, s, 1)));
	EXPECT_EQ(0, AS(ALICE, 0, dev_stop(fd, s, NULL)));
}

TEST_F(access, an_access_list_limits_enabling)
{
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, start_here(fd, 0, &s));
	ASSERT_EQ(0, change(fd, guid_of(SESSION), ADD, 0, ALL, 0,
			    RIGHT(CREATE_ONDISK)));
	ASSERT_EQ(0, change(fd, guid_of(1), SET, 0, USER, ALICE,
			    RIGHT(GUID_ENABLE)));
	EXPECT_EQ(EACCES, AS(BOB, 0, dev_enable(fd, s, 1)));
	EXPECT_EQ(EACCES, dev_enable(fd, s, 1));
	EXPECT_EQ(0, AS(BOB, 0, dev_enable(fd, s, 2)));
	EXPECT_EQ(0, AS(ALICE, 0, dev_enable(fd, s, 1)));
	/* The refused enable must not have registered the provider */
	EXPECT_EQ(EACCES, AS(ALICE, 0, dev_register(self->prov, HANDLE(1, 1),
						    1, 0)));
	/*
	 * A right denied to the controller must not keep it from stopping the
	 * session
	 */
	EXPECT_EQ(0, dev_stop(fd, s, NULL));
}

static int find(int fd, __u64 *handle)
{
	int err;

	__u16 name[16];
	struct evntrace_open f = {
		.size = sizeof(f), .flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name,
		.name_len = start_arg(name, "access", -1).name_len,
	};

	err = do_ioctl(fd, EVNTRACE_IOC_OPEN, &f);
	*handle = f.handle;
	return err;
}

/* Query the filters of @provider in a session, or of a private session if 0 */
static int filters(int fd, __u64 handle, unsigned int provider)
{
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_FILTERS,
		.element_size = sizeof(__u64),
	};

	if (provider)
		l.provider = guid_of(provider);
	return dev_list_of(fd, handle, &l);
}

/* Number of list elements that the caller may see */
static int listed(int fd, __u32 kind)
{
	struct evntrace_list l = {
		.size = sizeof(l), .kind = kind, .element_size = 4096,
	};

	return do_ioctl(fd, EVNTRACE_IOC_LIST, &l) ? -1 : (int)l.count;
}

/* Number of registrations the caller sees as enabled by the session */
static int enabled(int fd, __u64 session)
{
	struct evntrace_registration r[16] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_REGISTRATIONS,
		.element_size = sizeof(*r), .elements = (uintptr_t)r,
		.count = 16,
	};
	unsigned int i, n = 0;

	if (do_ioctl(fd, EVNTRACE_IOC_LIST, &l) || l.count > 16)
		return -1;
	for (i = 0; i < l.count; i++)
		n += (r[i].sessions | r[i].group_sessions |
		      r[i].denied_sessions) >>
		     EVNTRACE_HANDLE_ID(session) & 1;
	return n;
}

#define SHOWN(what)							\
	(listed(fd, EVNTRACE_LIST_##what) -				\
	 AS(BOB, 0, listed(fd, EVNTRACE_LIST_##what)))

TEST_F(access, sessions_are_not_listed_without_the_right_to_query)
{
	struct evntprov_guid g = guid_of(SESSION);
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, change(fd, g, SET, 0, USER, 0, EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, start_here(fd, 0, &s));
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(1, 1), 1, 0));
	ASSERT_EQ(0, dev_enable(fd, s, 1));
	EXPECT_EQ(1, enabled(fd, s));
	EXPECT_EQ(0, AS(BOB, 0, enabled(fd, s)));
	EXPECT_EQ(1, SHOWN(SESSIONS));
	EXPECT_EQ(1, SHOWN(ENABLEMENTS));
	EXPECT_EQ(EACCES, AS(BOB, 0, filters(fd, s, 1)));
	EXPECT_EQ(EACCES, AS(BOB, 0, find(fd, &s)));
	/* The right to stop a session only lets the caller find it */
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, BOB, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(0, AS(BOB, 0, find(fd, &s)));
	EXPECT_EQ(EACCES, AS(BOB, 0, filters(fd, s, 1)));
	EXPECT_EQ(1, SHOWN(SESSIONS));
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, BOB, RIGHT(QUERY)));
	EXPECT_EQ(0, AS(BOB, 0, filters(fd, s, 1)));
	EXPECT_EQ(1, AS(BOB, 0, enabled(fd, s)));
	EXPECT_EQ(0, SHOWN(SESSIONS));
	EXPECT_EQ(0, SHOWN(ENABLEMENTS));
	EXPECT_EQ(0, dev_stop(fd, s, NULL));
	EXPECT_EQ(0, dev_unregister(self->prov, HANDLE(1, 1)));
}

TEST_F(access, private_sessions_are_not_listed_without_the_right_to_query)
{
	__u32 pid = getpid();
	struct evntrace_filter filter = {
		.ptr = (uintptr_t)&pid, .len = sizeof(pid),
		.type = EVNTRACE_FILTER_PID,
	};
	int fd = self->trace;
	__u64 l, found;

	ASSERT_EQ(0, change(fd, guid_of(1), SET, 0, USER, 0,
			    EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, private_start(fd, "private", &filter, &l));
	EXPECT_EQ(1, SHOWN(PRIVATE));
	EXPECT_EQ(EACCES, AS(BOB, 0, filters(fd, l, 0)));
	EXPECT_EQ(EACCES, AS(BOB, 0, private_find(fd, "private", &filter,
						  &found)));
	ASSERT_EQ(0, change(fd, guid_of(1), ADD, 0, USER, BOB, RIGHT(QUERY)));
	EXPECT_EQ(0, SHOWN(PRIVATE));
	EXPECT_EQ(0, AS(BOB, 0, filters(fd, l, 0)));
	EXPECT_EQ(0, AS(BOB, 0, private_find(fd, "private", &filter, &found)));
	EXPECT_EQ(0, private_control(fd, EVNTRACE_CONTROL_STOP, l, &filter));
}

static int request_again(int fd, __u64 handle)
{
	struct evntprov_guid id = guid_of(1);
	struct evntrace_list arg = guids_arg(EVNTRACE_LIST_CAPTURE_STATE, &id, 1);

	arg.period_s = 1;
	return dev_set(fd, handle, &arg);
}

static int disallow(int fd, __u64 handle)
{
	struct evntprov_guid id = guid_of(1);
	struct evntrace_list arg = guids_arg(EVNTRACE_LIST_DISALLOWED, &id, 1);

	return dev_set(fd, handle, &arg);
}

/* Number of ways to change, end or read a session that the caller may use */
static int open_ways(int fd, __u64 s)
{
	return (dev_control(fd, EVNTRACE_CONTROL_FLUSH, s, NULL) != EACCES) +
	       (dev_control(fd, EVNTRACE_CONTROL_INCREMENT, s, NULL) != EACCES) +
	       (update(fd, s) != EACCES) + (read_by_update(fd, s) != EACCES) +
	       (read_by_snapshot(fd, s) != EACCES) + (read_by_consuming(s) != EACCES) +
	       (dev_enable(fd, s, 1) != EACCES) +
	       (request_again(fd, s) != EACCES) + (disallow(fd, s) != EACCES) +
	       (dev_stop(fd, s, NULL) != EACCES);
}

#define QUERIES(s)	dev_control(fd, DEV_QUERY, s, NULL)

/* Group members may open the devices */
TEST_F(access, members_may_not_change_end_or_read_sessions_of_others)
{
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	ASSERT_EQ(0, start_here(fd, EVNTRACE_MODE_REAL_TIME, &s));
	EXPECT_EQ(0, AS(ALICE, 0, open_ways(fd, s)));
	/* Root of a user namespace is not root in the initial one */
	EXPECT_EQ(0, IN_CHILD(become_apart(ALICE, CLONE_NEWUSER | CLONE_NEWPID),
			      open_ways(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, QUERIES(s)));
	EXPECT_EQ(0, dev_stop(fd, s, NULL));
	/*
	 * Neither may root without CAP_SYS_ADMIN, nor a user with another
	 * capability
	 */
	ASSERT_EQ(0, AS(ALICE, 0, start_here(fd, EVNTRACE_MODE_REAL_TIME,
					     &s)));
	ASSERT_EQ(0, find(fd, &s));
	EXPECT_EQ(0, AS(BOB, 0, open_ways(fd, s)));
	EXPECT_EQ(0, IN_CHILD(keep_capability(CAP_PERFMON), open_ways(fd, s)));
	EXPECT_EQ(0, QUERIES(s));
	EXPECT_EQ(0, IN_CHILD(become_with(BOB, CAP_SYS_ADMIN),
			      dev_control(fd, EVNTRACE_CONTROL_FLUSH, s, NULL)));
	/* The owner may, from any process */
	EXPECT_EQ(0, AS(ALICE, 0, read_by_update(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, read_by_snapshot(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, read_by_consuming(s)));
	EXPECT_EQ(0, AS(ALICE, 0, dev_stop(fd, s, NULL)));
}

TEST_F(access, an_access_list_grants_rights_in_addition_to_the_owner)
{
	struct evntprov_guid g = guid_of(SESSION);
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, AS(ALICE, 0, start_here(fd, 0, &s)));
	ASSERT_EQ(0, find(fd, &s));
	ASSERT_EQ(0, change(fd, g, ADD, 0, GROUP, STAFF, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(EACCES, AS(BOB, 0, update(fd, s)));
	EXPECT_EQ(0, AS(BOB, STAFF, update(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, update(fd, s)));
	EXPECT_EQ(0, update(fd, s));
	/* Deny entries also apply to the session's owner and to root */
	ASSERT_EQ(0, change(fd, g, ADD, DENY, OWNER, 0, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(EACCES, AS(ALICE, 0, update(fd, s)));
	EXPECT_EQ(0, AS(BOB, STAFF, update(fd, s)));
	ASSERT_EQ(0, change(fd, g, ADD, DENY, ADMIN, 0, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(EACCES, update(fd, s));
	EXPECT_EQ(0, AS(BOB, STAFF, dev_stop(fd, s, NULL)));
}

TEST_F(access, ids_are_mapped_to_the_callers_user_namespace)
{
	struct evntrace_access e[1];

	ASSERT_EQ(0, change(self->trace, guid_of(1), SET, 0, USER, BOB, 1));
	/*
	 * In a user namespace without a mapping, each id reads as the overflow
	 * id
	 */
	EXPECT_EQ(0, AS(ALICE, 0, unshare(CLONE_NEWUSER) ? 98 :
			entries(self->trace, guid_of(1), e, 1) != 1 ? 97 :
			e[0].id != 65534));
}

/* Number of events that the session gets from one write of this process */
static __u64 events_of(int fd, __u64 s)
{
	struct evntrace_session info;

	dev_control(fd, DEV_QUERY, s, &info);
	return info.events;
}

/* Register as @uid in @slot of a file shared with other users */
static int register_as(int prov, unsigned int uid, unsigned int slot)
{
	return AS(uid, 0, dev_register(prov, HANDLE(slot, 1), 1, 0));
}

#define WRITES(slot) ({							\
	__u64 before_ = events_of(self->trace, s);			\
	EXPECT_EQ(0, dev_write(self->prov, HANDLE(slot, 1), "x", 1));	\
	events_of(self->trace, s) - before_; })

/* Number of registrations whose events the session wants but may not have */
static int denials(int device, __u64 session)
{
	struct evntrace_registration r[16] = {};
	struct evntrace_list list = {
		.size = sizeof(list),
		.kind = EVNTRACE_LIST_REGISTRATIONS,
		.elements = (uintptr_t)r,
		.element_size = sizeof(*r),
		.count = 16,
	};
	unsigned int i;
	int denied = 0;

	if (do_ioctl(device, EVNTRACE_IOC_LIST, &list) || list.count > 16)
		return -1;
	for (i = 0; i < list.count; i++)
		denied += r[i].denied_sessions >>
			  EVNTRACE_HANDLE_ID(session) & 1;
	return denied;
}

TEST_F(access, secure_sessions_record_only_writers_with_LOG_EVENT)
{
	struct evntprov_guid g = guid_of(SESSION);
	__u64 s;

	/*
	 * One registration before and one after the session enables the
	 * provider
	 */
	ASSERT_EQ(0, register_as(self->prov, ALICE, 1));
	ASSERT_EQ(0, register_as(self->prov, BOB, 2));
	ASSERT_EQ(0, change(self->trace, g, SET, 0, USER, 0,
			    EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, change(self->trace, g, ADD, 0, USER, ALICE,
			    RIGHT(LOG_EVENT)));
	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	ASSERT_EQ(0, register_as(self->prov, ALICE, 3));
	ASSERT_EQ(0, register_as(self->prov, BOB, 4));
	EXPECT_EQ(1, WRITES(1));
	EXPECT_EQ(0, WRITES(2));
	EXPECT_EQ(1, WRITES(3));
	EXPECT_EQ(0, WRITES(4));
	/* The list of registrations reports the denials */
	EXPECT_EQ(2, denials(self->trace, s));
	/* A change takes effect at once */
	ASSERT_EQ(0, change(self->trace, g, ADD, 0, USER, BOB,
			    RIGHT(LOG_EVENT)));
	EXPECT_EQ(1, WRITES(2));
	EXPECT_EQ(1, WRITES(4));
	EXPECT_EQ(0, denials(self->trace, s));
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, ALICE,
			    RIGHT(LOG_EVENT)));
	EXPECT_EQ(0, WRITES(1));
	EXPECT_EQ(0, WRITES(3));
	EXPECT_EQ(2, denials(self->trace, s));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

/* Manifests of a registration that may not log are withheld until it may */
TEST_F(access, secure_sessions_get_manifests_only_of_writers_with_LOG_EVENT)
{
	static const char here[] = "in a file";
	struct evntprov_guid g = guid_of(SESSION);
	__u64 s;

	ASSERT_EQ(0, register_as(self->prov, BOB, 1));
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(LOG_EVENT)));
	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	ASSERT_EQ(0, dev_set_info(self->prov, HANDLE(1, 1),
				  EVNTPROV_INFO_MANIFEST, here, 0));
	EXPECT_EQ(0, events_of(self->trace, s));
	ASSERT_EQ(0, forget(self->trace, g));
	EXPECT_EQ(1, events_of(self->trace, s));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_F(access, other_sessions_record_events_that_a_secure_one_refuses)
{
	__u64 s, open_to_all;

	ASSERT_EQ(0, register_as(self->prov, BOB, 1));
	ASSERT_EQ(0, change(self->trace, guid_of(SESSION), ADD, DENY, USER,
			    BOB, RIGHT(LOG_EVENT)));
	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	ASSERT_EQ(0, dev_start(self->trace, "open", LOG, NULL, &open_to_all));
	ASSERT_EQ(0, dev_enable(self->trace, open_to_all, 1));
	EXPECT_EQ(0, WRITES(1));
	EXPECT_EQ(1, events_of(self->trace, open_to_all));
	/* A session that is not secure ignores the list */
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	ASSERT_EQ(0, start_here(self->trace, 0, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	EXPECT_EQ(1, WRITES(1));
	EXPECT_EQ(2, events_of(self->trace, open_to_all));
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
	EXPECT_EQ(0, dev_stop(self->trace, open_to_all, NULL));
}

TEST_F(access, access_lists_and_their_entries_are_limited)
{
	struct evntprov_guid g = guid_of(1);
	unsigned int i;
	int err = 0;

	ASSERT_EQ(0, change(self->trace, g, SET, 0, USER, 1, 1));
	for (i = 2; i <= EVNTRACE_MAX_ACCESS_ENTRIES; i++)
		ASSERT_EQ(0, change(self->trace, g, ADD, 0, USER, i, 1));
	EXPECT_EQ(EUSERS, change(self->trace, g, ADD, DENY, USER, 1, 1));
	EXPECT_EQ(0, change(self->trace, g, ADD, 0, USER, 1, 2));
	for (i = 2; !err && i <= EVNTRACE_MAX_ACCESS_LISTS + 1; i++)
		err = change(self->trace, guid_of(i), SET, 0, ALL, 0, 1);
	EXPECT_EQ(EUSERS, err);
	EXPECT_EQ(EVNTRACE_MAX_ACCESS_LISTS + 2, i);
	/* An existing list can still be replaced */
	EXPECT_EQ(0, change(self->trace, g, SET, 0, ALL, 0, 1));
	while (--i)
		EXPECT_EQ(0, forget(self->trace, guid_of(i)));
}

/*
 * Change lists, start secure sessions, register and write concurrently: once a
 * denial has returned, no denied event may be recorded.
 */
TEST_F(access, a_denial_is_effective_when_the_call_returns)
{
	struct evntprov_guid g = guid_of(SESSION);
	unsigned int i;
	pid_t writer;
	__u64 s, now;

	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, dev_enable(self->trace, s, 1));
	writer = fork();
	if (!writer) {
		become(BOB, 0);
		for (i = 0;; i++) {
			if (!(i % 64)) {
				dev_unregister(self->prov, HANDLE(1, 1));
				dev_register(self->prov, HANDLE(1, 1), 1, 0);
			}
			dev_write(self->prov, HANDLE(1, 1), "x", 1);
		}
	}
	for (i = 0; i < 50; i++) {
		ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
				    RIGHT(LOG_EVENT)));
		now = events_of(self->trace, s);
		usleep(2000);
		EXPECT_EQ(now, events_of(self->trace, s));
		ASSERT_EQ(0, forget(self->trace, g));
		while (events_of(self->trace, s) == now)
			usleep(1000);
	}
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	EXPECT_EQ(0, dev_stop(self->trace, s, NULL));
}

TEST_HARNESS_MAIN
