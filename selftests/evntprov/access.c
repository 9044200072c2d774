// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of access, by bare ioctls: who is let in, who is not, and what changes
 * them.
 *
 * Others than root are processes of their own, which root has opened the doors
 * for: it is the lists that let them in or not.
 */
#include "harness.h"

#include "actor.h"
#include "door.h"
#include "etl_scan.h"
#include "loggers.h"

#define LOG	"/tmp/access.etl"
#define STAFF	62001
#define SESSION	1000	/* of guid_of() */

FIXTURE(access) {
	int prov;
	int trace;
	struct evntrace_status before;
};

FIXTURE_SETUP(access)
{
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->before = door_status(self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
}

static int change(int fd, struct evntprov_guid guid, __u32 operation,
		  __u32 flags, __u32 who, __u32 id, __u32 rights)
{
	struct evntrace_access arg = {
		.size = sizeof(arg), .flags = flags, .guid = guid,
		.operation = operation, .who = who, .id = id, .rights = rights,
	};

	return do_ioctl(fd, EVNTRACE_IOC_ACCESS, &arg);
}

static const struct evntprov_guid default_guid = EVNTRACE_ACCESS_DEFAULT;

#define ADD	EVNTRACE_ACCESS_ADD
#define SET	EVNTRACE_ACCESS_SET
#define REMOVE	EVNTRACE_ACCESS_REMOVE
#define DENY	EVNTRACE_ACCESS_DENY
#define ALL	EVNTRACE_WHO_EVERYONE
#define USER	EVNTRACE_WHO_USER
#define GROUP	EVNTRACE_WHO_GROUP
#define OWNER	EVNTRACE_WHO_OWNER
#define ADMIN	EVNTRACE_WHO_ADMIN
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
	EXPECT_TRUE(door_status_is(self->trace, &self->before));
	close(self->trace);
	unlink(LOG);
}

/* The entries of one list; how many */
static unsigned int entries(int fd, struct evntprov_guid guid,
			    struct evntrace_access_entry *to, unsigned int room)
{
	struct evntrace_access_entry all[256];
	struct evntrace_list l = {
		.size = sizeof(l), .what = EVNTRACE_LIST_ACCESS,
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

	return err ?: door_stop(fd, handle, NULL);
}

TEST_F(access, without_lists_everyone_may_register_and_start)
{
	EXPECT_EQ(0, AS(ALICE, 0, door_register(self->prov, HANDLE(1, 1), 1,
						0)));
	EXPECT_EQ(0, AS(ALICE, 0, starts(self->trace)));
	EXPECT_EQ(0, door_unregister(self->prov, HANDLE(1, 1)));
}

TEST_F(access, arguments_that_are_wrong_are_EINVAL)
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

TEST_F(access, changes_take_CAP_SYS_ADMIN_of_the_first_user_namespace)
{
	struct evntprov_guid g = guid_of(1);
	int fd = self->trace;

	EXPECT_EQ(EPERM, AS(ALICE, 0, change(fd, g, ADD, 0, ALL, 0, 1)));
	EXPECT_EQ(EPERM, AS(ALICE, 0, forget(fd, g)));
	/* Who is mighty in a namespace of his own is not here */
	EXPECT_EQ(EPERM, AS(ALICE, 0, unshare(CLONE_NEWUSER) ? 98 :
			    change(fd, g, SET, 0, ALL, 0, 1)));
	EXPECT_EQ(0, entries(fd, g, NULL, 0));
}

TEST_F(access, a_list_says_who_may_register)
{
	int fd = self->prov;

#define REGISTERS(uid, group) AS(uid, group,				\
	door_register(fd, HANDLE(1, 1), 1, 0) ?:			\
	door_unregister(fd, HANDLE(1, 1)))
	ASSERT_EQ(0, change(self->trace, guid_of(1), SET, 0, USER, ALICE,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(ALICE, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, STAFF));
	/* Root, too */
	EXPECT_EQ(EACCES, REGISTERS(0, 0));
	ASSERT_EQ(0, change(self->trace, guid_of(1), ADD, 0, GROUP, STAFF,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(BOB, STAFF));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	/* Whose first group it is */
	EXPECT_EQ(0, REGISTERS(STAFF, 0));
	/* Another provider */
	EXPECT_EQ(0, AS(BOB, 0, door_register(fd, HANDLE(2, 1), 2, 0)));
	ASSERT_EQ(0, forget(self->trace, guid_of(1)));
	EXPECT_EQ(0, REGISTERS(BOB, 0));
}

TEST_F(access, denying_wins_whatever_comes_first)
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

TEST_F(access, adding_to_what_is_not_there_adds_to_the_default)
{
	struct evntprov_guid g = guid_of(1);
	struct evntrace_access_entry e[4];
	int fd = self->prov;

	/* Everyone may, but for one */
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(REGISTER_GUIDS)));
	EXPECT_EQ(0, REGISTERS(ALICE, 0));
	EXPECT_EQ(EACCES, REGISTERS(BOB, 0));
	ASSERT_EQ(4, entries(self->trace, g, e, 4));
	EXPECT_EQ(DENY, e[0].flags);
	EXPECT_EQ(USER, e[0].who);
	EXPECT_EQ(BOB, e[0].id);
	EXPECT_EQ(RIGHT(REGISTER_GUIDS), e[0].rights);
	EXPECT_EQ(0, e[1].flags | e[2].flags | e[3].flags);
	EXPECT_EQ(OWNER, e[1].who);
	EXPECT_EQ(EVNTRACE_RIGHTS_ALL, e[1].rights);
	EXPECT_EQ(ADMIN, e[2].who);
	EXPECT_EQ(EVNTRACE_RIGHTS_ALL, e[2].rights);
	EXPECT_EQ(ALL, e[3].who);
	EXPECT_EQ(EVNTRACE_RIGHTS_DEFAULT, e[3].rights);
	/* The same one again goes into his entry */
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(GUID_ENABLE)));
	ASSERT_EQ(4, entries(self->trace, g, e, 4));
	EXPECT_EQ(RIGHT(REGISTER_GUIDS) | RIGHT(GUID_ENABLE), e[0].rights);
	ASSERT_EQ(0, change(self->trace, g, SET, 0, GROUP, STAFF, 1));
	ASSERT_EQ(1, entries(self->trace, g, e, 4));
	EXPECT_EQ(GROUP, e[0].who);
}

TEST_F(access, the_default_is_for_all_without_a_list)
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
	struct evntrace_update arg = { .size = sizeof(arg), .handle = handle };

	return do_ioctl(fd, EVNTRACE_IOC_UPDATE, &arg);
}

TEST_F(access, a_list_says_who_may_do_what_with_a_session)
{
	struct evntprov_guid g = guid_of(SESSION);
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, change(fd, g, SET, 0, USER, 0, EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, ALICE,
			    RIGHT(CREATE_ONDISK)));
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, BOB, RIGHT(QUERY)));
	EXPECT_EQ(EACCES, AS(BOB, 0, starts(fd)));
	/* To start it, and to stop it, but not to be told of it by a query */
	EXPECT_EQ(0, AS(ALICE, 0, starts(fd)));
	ASSERT_EQ(0, start_here(fd, 0, &s));
	EXPECT_EQ(EACCES, AS(ALICE, 0, door_control(fd, EVNTRACE_IOC_QUERY, s,
						    NULL)));
	EXPECT_EQ(0, AS(BOB, 0, door_control(fd, EVNTRACE_IOC_QUERY, s, NULL)));
	EXPECT_EQ(EACCES, AS(BOB, 0, door_control(fd, EVNTRACE_IOC_FLUSH, s,
						  NULL)));
	EXPECT_EQ(EACCES, AS(BOB, 0, update(fd, s)));
	EXPECT_EQ(EACCES, AS(BOB, 0, door_enable(fd, s, 1)));
	EXPECT_EQ(EACCES, AS(BOB, 0, door_stop(fd, s, NULL)));
	EXPECT_EQ(0, AS(ALICE, 0, door_control(fd, EVNTRACE_IOC_FLUSH, s,
					       NULL)));
	EXPECT_EQ(0, AS(ALICE, 0, update(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, door_enable(fd, s, 1)));
	EXPECT_EQ(0, AS(ALICE, 0, door_stop(fd, s, NULL)));
}

TEST_F(access, a_list_says_who_may_enable)
{
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, start_here(fd, 0, &s));
	ASSERT_EQ(0, change(fd, guid_of(SESSION), ADD, 0, ALL, 0,
			    RIGHT(CREATE_ONDISK)));
	ASSERT_EQ(0, change(fd, guid_of(1), SET, 0, USER, ALICE,
			    RIGHT(GUID_ENABLE)));
	EXPECT_EQ(EACCES, AS(BOB, 0, door_enable(fd, s, 1)));
	EXPECT_EQ(EACCES, door_enable(fd, s, 1));
	EXPECT_EQ(0, AS(BOB, 0, door_enable(fd, s, 2)));
	EXPECT_EQ(0, AS(ALICE, 0, door_enable(fd, s, 1)));
	/* The provider was not to be registered for nothing */
	EXPECT_EQ(EACCES, AS(ALICE, 0, door_register(self->prov, HANDLE(1, 1),
						     1, 0)));
	/* What is denied to whoever is at it does not keep a session running */
	EXPECT_EQ(0, door_stop(fd, s, NULL));
}

static int find(int fd, __u64 *handle)
{
	int err;

	__u16 name[16];
	struct evntrace_find f = {
		.size = sizeof(f), .name = (uintptr_t)name,
		.name_len = start_arg(name, "access", -1).name_len,
	};

	err = do_ioctl(fd, EVNTRACE_IOC_FIND, &f);
	*handle = f.handle;
	return err;
}

/* @provider: of a session; 0: for those of a private logger */
static int filters(int fd, __u64 handle, unsigned int provider)
{
	struct evntrace_filters f = { .size = sizeof(f), .handle = handle };

	if (provider)
		f.provider = guid_of(provider);
	return do_ioctl(fd, EVNTRACE_IOC_FILTERS, &f);
}

/* How many elements a list has for the caller */
static int listed(int fd, __u32 what)
{
	struct evntrace_list l = {
		.size = sizeof(l), .what = what, .element_size = 4096,
	};

	return do_ioctl(fd, EVNTRACE_IOC_LIST, &l) ? -1 : (int)l.count;
}

/* How many registrations the session has enabled, as the caller is shown */
static int enabled(int fd, __u64 session)
{
	struct evntrace_registration r[16] = {};
	struct evntrace_list l = {
		.size = sizeof(l), .what = EVNTRACE_LIST_REGISTRATIONS,
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

TEST_F(access, without_the_right_to_query_lists_leave_a_session_out)
{
	struct evntprov_guid g = guid_of(SESSION);
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, change(fd, g, SET, 0, USER, 0, EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, start_here(fd, 0, &s));
	ASSERT_EQ(0, door_register(self->prov, HANDLE(1, 1), 1, 0));
	ASSERT_EQ(0, door_enable(fd, s, 1));
	EXPECT_EQ(1, enabled(fd, s));
	EXPECT_EQ(0, AS(BOB, 0, enabled(fd, s)));
	EXPECT_EQ(1, SHOWN(SESSIONS));
	EXPECT_EQ(1, SHOWN(ENABLEMENTS));
	EXPECT_EQ(EACCES, AS(BOB, 0, filters(fd, s, 1)));
	EXPECT_EQ(EACCES, AS(BOB, 0, find(fd, &s)));
	/* A caller who may stop it must find it, and no more */
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, BOB, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(0, AS(BOB, 0, find(fd, &s)));
	EXPECT_EQ(EACCES, AS(BOB, 0, filters(fd, s, 1)));
	EXPECT_EQ(1, SHOWN(SESSIONS));
	ASSERT_EQ(0, change(fd, g, ADD, 0, USER, BOB, RIGHT(QUERY)));
	EXPECT_EQ(0, AS(BOB, 0, filters(fd, s, 1)));
	EXPECT_EQ(1, AS(BOB, 0, enabled(fd, s)));
	EXPECT_EQ(0, SHOWN(SESSIONS));
	EXPECT_EQ(0, SHOWN(ENABLEMENTS));
	EXPECT_EQ(0, door_stop(fd, s, NULL));
	EXPECT_EQ(0, door_unregister(self->prov, HANDLE(1, 1)));
}

TEST_F(access, without_the_right_to_query_lists_leave_a_private_logger_out)
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
	ASSERT_EQ(0, logger_start(fd, "private", &filter, &l));
	EXPECT_EQ(1, SHOWN(LOGGERS));
	EXPECT_EQ(EACCES, AS(BOB, 0, filters(fd, l, 0)));
	EXPECT_EQ(EACCES, AS(BOB, 0, logger_find(fd, "private", &filter,
						 &found)));
	ASSERT_EQ(0, change(fd, guid_of(1), ADD, 0, USER, BOB, RIGHT(QUERY)));
	EXPECT_EQ(0, SHOWN(LOGGERS));
	EXPECT_EQ(0, AS(BOB, 0, filters(fd, l, 0)));
	EXPECT_EQ(0, AS(BOB, 0, logger_find(fd, "private", &filter, &found)));
	EXPECT_EQ(0, logger_control(fd, EVNTRACE_IOC_STOP, l, &filter));
}

static int ask_again(int fd, __u64 handle)
{
	struct evntprov_guid id = guid_of(1);
	struct evntrace_capture arg = {
		.size = sizeof(arg), .handle = handle, .period_s = 1,
		.providers = (uintptr_t)&id, .count = 1,
	};

	return do_ioctl(fd, EVNTRACE_IOC_CAPTURE, &arg);
}

static int disallow(int fd, __u64 handle)
{
	struct evntprov_guid id = guid_of(1);
	struct evntrace_disallow arg = {
		.size = sizeof(arg), .handle = handle,
		.providers = (uintptr_t)&id, .count = 1,
	};

	return do_ioctl(fd, EVNTRACE_IOC_DISALLOW, &arg);
}

/* How many of the ways to change, end or read a session are open to the caller */
static int open_ways(int fd, __u64 s)
{
	return (door_control(fd, EVNTRACE_IOC_FLUSH, s, NULL) != EACCES) +
	       (door_control(fd, EVNTRACE_IOC_INCREMENT, s, NULL) != EACCES) +
	       (update(fd, s) != EACCES) + (read_by_update(fd, s) != EACCES) +
	       (read_by_snapshot(fd, s) != EACCES) + (read_by_consuming(s) != EACCES) +
	       (door_enable(fd, s, 1) != EACCES) +
	       (ask_again(fd, s) != EACCES) + (disallow(fd, s) != EACCES) +
	       (door_stop(fd, s, NULL) != EACCES);
}

#define QUERIES(s)	door_control(fd, EVNTRACE_IOC_QUERY, s, NULL)

/* The doors are open to him */
TEST_F(access, without_lists_a_member_may_not_change_end_or_read_others_sessions)
{
	int fd = self->trace;
	__u64 s;

	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
	ASSERT_EQ(0, start_here(fd, EVNTRACE_MODE_REAL_TIME, &s));
	EXPECT_EQ(0, AS(ALICE, 0, open_ways(fd, s)));
	/* Root of a user namespace of his own is not root here */
	EXPECT_EQ(0, IN_CHILD(become_apart(ALICE, CLONE_NEWUSER | CLONE_NEWPID),
			      open_ways(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, QUERIES(s)));
	EXPECT_EQ(0, door_stop(fd, s, NULL));
	/* Nor may root without capabilities, with those of another user */
	ASSERT_EQ(0, AS(ALICE, 0, start_here(fd, EVNTRACE_MODE_REAL_TIME,
					     &s)));
	ASSERT_EQ(0, find(fd, &s));
	EXPECT_EQ(0, AS(BOB, 0, open_ways(fd, s)));
	EXPECT_EQ(0, IN_CHILD(keep_capability(CAP_PERFMON), open_ways(fd, s)));
	EXPECT_EQ(0, QUERIES(s));
	EXPECT_EQ(0, IN_CHILD(become_with(BOB, CAP_SYS_ADMIN),
			      door_control(fd, EVNTRACE_IOC_FLUSH, s, NULL)));
	/* Their owner may, from any process */
	EXPECT_EQ(0, AS(ALICE, 0, read_by_update(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, read_by_snapshot(fd, s)));
	EXPECT_EQ(0, AS(ALICE, 0, read_by_consuming(s)));
	EXPECT_EQ(0, AS(ALICE, 0, door_stop(fd, s, NULL)));
}

TEST_F(access, a_list_lets_others_into_a_session_beside_its_owner)
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
	/* Lists say so of the owner and of root, too */
	ASSERT_EQ(0, change(fd, g, ADD, DENY, OWNER, 0, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(EACCES, AS(ALICE, 0, update(fd, s)));
	EXPECT_EQ(0, AS(BOB, STAFF, update(fd, s)));
	ASSERT_EQ(0, change(fd, g, ADD, DENY, ADMIN, 0, RIGHT(CREATE_ONDISK)));
	EXPECT_EQ(EACCES, update(fd, s));
	EXPECT_EQ(0, AS(BOB, STAFF, door_stop(fd, s, NULL)));
}

TEST_F(access, the_ids_are_those_of_the_callers_user_namespace)
{
	struct evntrace_access_entry e[1];

	ASSERT_EQ(0, change(self->trace, guid_of(1), SET, 0, USER, BOB, 1));
	/* Where nobody has been given a number, all are the one that none has */
	EXPECT_EQ(0, AS(ALICE, 0, unshare(CLONE_NEWUSER) ? 98 :
			entries(self->trace, guid_of(1), e, 1) != 1 ? 97 :
			e[0].id != 65534));
}

/* How many events of the session come from this process's writing one */
static __u64 events_of(int fd, __u64 s)
{
	struct evntrace_session info;

	door_control(fd, EVNTRACE_IOC_QUERY, s, &info);
	return info.events;
}

/* Register as @uid in a file that is common to both; the number of its slot */
static int register_as(int prov, unsigned int uid, unsigned int slot)
{
	return AS(uid, 0, door_register(prov, HANDLE(slot, 1), 1, 0));
}

#define WRITES(slot) ({							\
	__u64 before_ = events_of(self->trace, s);			\
	EXPECT_EQ(0, door_write(self->prov, HANDLE(slot, 1), "x", 1));	\
	events_of(self->trace, s) - before_; })

/* How many registrations a session takes no events of, though it wants them */
static int denials(int door, __u64 session)
{
	struct evntrace_registration r[16] = {};
	struct evntrace_list list = {
		.size = sizeof(list),
		.what = EVNTRACE_LIST_REGISTRATIONS,
		.elements = (uintptr_t)r,
		.element_size = sizeof(*r),
		.count = 16,
	};
	unsigned int i;
	int denied = 0;

	if (do_ioctl(door, EVNTRACE_IOC_LIST, &list) || list.count > 16)
		return -1;
	for (i = 0; i < list.count; i++)
		denied += r[i].denied_sessions >>
			  EVNTRACE_HANDLE_ID(session) & 1;
	return denied;
}

TEST_F(access, secure_sessions_take_events_of_who_may_log)
{
	struct evntprov_guid g = guid_of(SESSION);
	__u64 s;

	/* Registered before and after the session knows of the provider */
	ASSERT_EQ(0, register_as(self->prov, ALICE, 1));
	ASSERT_EQ(0, register_as(self->prov, BOB, 2));
	ASSERT_EQ(0, change(self->trace, g, SET, 0, USER, 0,
			    EVNTRACE_RIGHTS_ALL));
	ASSERT_EQ(0, change(self->trace, g, ADD, 0, USER, ALICE,
			    RIGHT(LOG_EVENT)));
	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, door_enable(self->trace, s, 1));
	ASSERT_EQ(0, register_as(self->prov, ALICE, 3));
	ASSERT_EQ(0, register_as(self->prov, BOB, 4));
	EXPECT_EQ(1, WRITES(1));
	EXPECT_EQ(0, WRITES(2));
	EXPECT_EQ(1, WRITES(3));
	EXPECT_EQ(0, WRITES(4));
	/* A list of registrations tells */
	EXPECT_EQ(2, denials(self->trace, s));
	/* A change is in force at once */
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
	EXPECT_EQ(0, door_stop(self->trace, s, NULL));
}

/* What they may not log is not said of them, either, until they may */
TEST_F(access, secure_sessions_are_told_of_who_may_log)
{
	static const char here[] = "in a file";
	struct evntprov_guid g = guid_of(SESSION);
	__u64 s;

	ASSERT_EQ(0, register_as(self->prov, BOB, 1));
	ASSERT_EQ(0, change(self->trace, g, ADD, DENY, USER, BOB,
			    RIGHT(LOG_EVENT)));
	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, door_enable(self->trace, s, 1));
	ASSERT_EQ(0, door_set_info(self->prov, HANDLE(1, 1),
				   EVNTPROV_INFO_MANIFEST, here, 0));
	EXPECT_EQ(0, events_of(self->trace, s));
	ASSERT_EQ(0, forget(self->trace, g));
	EXPECT_EQ(1, events_of(self->trace, s));
	EXPECT_EQ(0, door_stop(self->trace, s, NULL));
}

TEST_F(access, other_sessions_take_what_a_secure_one_does_not)
{
	__u64 s, open_to_all;

	ASSERT_EQ(0, register_as(self->prov, BOB, 1));
	ASSERT_EQ(0, change(self->trace, guid_of(SESSION), ADD, DENY, USER,
			    BOB, RIGHT(LOG_EVENT)));
	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, door_enable(self->trace, s, 1));
	ASSERT_EQ(0, door_start(self->trace, "open", LOG, NULL, &open_to_all));
	ASSERT_EQ(0, door_enable(self->trace, open_to_all, 1));
	EXPECT_EQ(0, WRITES(1));
	EXPECT_EQ(1, events_of(self->trace, open_to_all));
	/* One that is not secure does not look at the list */
	EXPECT_EQ(0, door_stop(self->trace, s, NULL));
	ASSERT_EQ(0, start_here(self->trace, 0, &s));
	ASSERT_EQ(0, door_enable(self->trace, s, 1));
	EXPECT_EQ(1, WRITES(1));
	EXPECT_EQ(2, events_of(self->trace, open_to_all));
	EXPECT_EQ(0, door_stop(self->trace, s, NULL));
	EXPECT_EQ(0, door_stop(self->trace, open_to_all, NULL));
}

TEST_F(access, what_is_set_for_no_one_is_bounded)
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
	/* One that is there can still be replaced */
	EXPECT_EQ(0, change(self->trace, g, SET, 0, ALL, 0, 1));
	while (--i)
		EXPECT_EQ(0, forget(self->trace, guid_of(i)));
}

/*
 * Lists, secure sessions, registrations and writes at once: what is denied must
 * not come in once the denial has returned.
 */
TEST_F(access, denials_hold_from_their_return_on)
{
	struct evntprov_guid g = guid_of(SESSION);
	unsigned int i;
	pid_t writer;
	__u64 s, now;

	ASSERT_EQ(0, start_here(self->trace, EVNTRACE_MODE_SECURE, &s));
	ASSERT_EQ(0, door_enable(self->trace, s, 1));
	writer = fork();
	if (!writer) {
		become(BOB, 0);
		for (i = 0;; i++) {
			if (!(i % 64)) {
				door_unregister(self->prov, HANDLE(1, 1));
				door_register(self->prov, HANDLE(1, 1), 1, 0);
			}
			door_write(self->prov, HANDLE(1, 1), "x", 1);
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
	EXPECT_EQ(0, door_stop(self->trace, s, NULL));
}

TEST_HARNESS_MAIN
