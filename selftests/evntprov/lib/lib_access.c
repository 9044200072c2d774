// SPDX-License-Identifier: GPL-2.0
/*
 * EventAccessControl, EventAccessQuery, EventAccessRemove: each documented rule
 * and error, and that other functions return ERROR_ACCESS_DENIED.
 */
#include <grp.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"
#include <sddl.h>

#define ALICE	"S-1-22-1-61001"
#define ALICES	61001

FIXTURE(access) {
	GUID id;
	GUID session_id;
	GUID default_id;
	mode_t mode;
};

FIXTURE_SETUP(access)
{
	struct stat st;

	self->id = provider_id(1);
	self->session_id = provider_id(100);
	self->default_id = DefaultTraceSecurityGuid;
	ASSERT_EQ(0, stat("/dev/evntrace", &st));
	self->mode = st.st_mode & 07777;
	/* Let other users open the device, so that only the lists decide */
	ASSERT_EQ(0, chmod("/dev/evntrace", 0666));
}

FIXTURE_TEARDOWN(access)
{
	EXPECT_EQ(0, EventAccessRemove(&self->id));
	EXPECT_EQ(0, EventAccessRemove(&self->session_id));
	EXPECT_EQ(0, EventAccessRemove(&self->default_id));
	EXPECT_EQ(0, chmod("/dev/evntrace", self->mode));
}

static ULONG change(GUID *id, ULONG operation, const char *text, ULONG rights,
		    BOOLEAN allow)
{
	ULONG code;
	PSID sid;

	if (!ConvertStringSidToSidA(text, &sid))
		return ~0u;
	code = EventAccessControl(id, operation, sid, rights, allow);
	LocalFree(sid);
	return code;
}

#define SET(id, subject, rights)	change(id, EventSecuritySetDACL, subject, rights, 1)
#define ADD(id, subject, rights)	change(id, EventSecurityAddDACL, subject, rights, 1)
#define DENY(id, subject, rights)	change(id, EventSecurityAddDACL, subject, rights, 0)

/* Evaluate @code in a child process of user Alice */
#define AS_ALICE(code) ({						\
	int status_;							\
	pid_t child_ = fork();						\
	if (!child_)							\
		_exit(setgroups(0, NULL) || setgid(ALICES) ||		\
		      setuid(ALICES) ? 99 : (code));			\
	waitpid(child_, &status_, 0);					\
	WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; })

#define OTHER_USER "S-1-22-1-61002"

TEST_F(access, EventAccessControl_NULL_is_INVALID_PARAMETER)
{
	BYTE everyone[] = { 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 };

	EXPECT_EQ(87, EventAccessControl(NULL, 0, everyone, 1, 1));
	EXPECT_EQ(87, EventAccessControl(&self->id, 0, NULL, 1, 1));
}

TEST_F(access, EventAccessControl_unknown_Operation_is_INVALID_PARAMETER)
{
	EXPECT_EQ(87, change(&self->id, EventSecurityMax, OTHER_USER, 1, 1));
	EXPECT_EQ(87, change(&self->id, -1, OTHER_USER, 1, 1));
}

TEST_F(access, EventAccessControl_no_or_unknown_Rights_are_INVALID_PARAMETER)
{
	EXPECT_EQ(87, SET(&self->id, OTHER_USER, 0));
	EXPECT_EQ(87, SET(&self->id, OTHER_USER, 0x80000000));
}

TEST_F(access, EventAccessControl_rejects_unusable_Sids)
{
	BYTE invalid[SECURITY_MAX_SID_SIZE] = { 9, 1 };

	EXPECT_EQ(ERROR_INVALID_SID,
		  EventAccessControl(&self->id, 0, invalid, 1, 1));
	EXPECT_EQ(87, SET(&self->id, "S-1-22-1-4294967295", 1));
	EXPECT_EQ(ERROR_INVALID_SID, SET(&self->id, "S-1-5-19", 1));
	EXPECT_EQ(ERROR_INVALID_SID, SET(&self->id, "S-1-5-32-545", 1));
	EXPECT_EQ(ERROR_INVALID_SID, SET(&self->id, "S-1-1-1", 1));
	EXPECT_EQ(ERROR_INVALID_SID, SET(&self->id, "S-1-22-3-1", 1));
	EXPECT_EQ(ERROR_INVALID_SID, SET(&self->id, "S-1-22-1", 1));
	EXPECT_EQ(ERROR_INVALID_SID, SET(&self->id, "S-1-5-21-1-2-3-500", 1));
}

/* Auditing is not supported */
TEST_F(access, EventAccessControl_of_system_lists_is_NOT_SUPPORTED)
{
	EXPECT_EQ(50, change(&self->id, EventSecuritySetSACL, ALICE, 1, 1));
	EXPECT_EQ(50, change(&self->id, EventSecurityAddSACL, ALICE, 1, 1));
}

TEST_F(access, EventAccessControl_without_rights_is_ACCESS_DENIED)
{
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_ALICE(SET(&self->id, ALICE, 1)));
}

TEST_F(access, EventAccessControl_refuses_more_than_64_entries)
{
	char subject[32];
	int i;

	ASSERT_EQ(0, SET(&self->id, ALICE, 1));
	for (i = 1; i < 64; i++) {
		snprintf(subject, sizeof(subject), "S-1-22-2-%d", i);
		ASSERT_EQ(0, ADD(&self->id, subject, 1));
	}
	EXPECT_EQ(ERROR_NO_SYSTEM_RESOURCES, ADD(&self->id, "S-1-1-0", 1));
}

TEST_F(access, EventAccessRemove_errors)
{
	EXPECT_EQ(87, EventAccessRemove(NULL));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_ALICE(EventAccessRemove(&self->id)));
	/* Removing a list that does not exist succeeds */
	EXPECT_EQ(0, EventAccessRemove(&self->id));
}

/* An entry of the descriptor from EventAccessQuery() */
struct entry {
	BYTE type;
	ULONG mask;
	char sid[64];
};

/* Query and parse entries; returns their number, or -1 if malformed */
static int query(GUID *id, struct entry *e, unsigned int room)
{
	union {
		SECURITY_DESCRIPTOR_RELATIVE sd;
		BYTE bytes[4096];
	} d;
	ULONG size = sizeof(d), end;
	BOOL present, defaulted;
	unsigned int i;
	char *text;
	PACL acl;

	memset(&d, 0xa5, sizeof(d));
	if (EventAccessQuery(id, &d, &size))
		return -1;
	if (d.bytes[size] != 0xa5 || d.sd.Revision != 1 ||
	    !GetSecurityDescriptorDacl(&d, &present, &acl, &defaulted) ||
	    !present || !acl || d.sd.Sacl || acl->AceCount > room)
		return -1;
	end = d.sd.Dacl + sizeof(*acl);
	for (i = 0; i < acl->AceCount; i++) {
		ACCESS_ALLOWED_ACE *ace;

		if (!GetAce(acl, i, (PVOID *)&ace) ||
		    !ConvertSidToStringSidA(&ace->SidStart, &text))
			return -1;
		e[i].type = ace->Header.AceType;
		e[i].mask = ace->Mask;
		snprintf(e[i].sid, sizeof(e[i].sid), "%s", text);
		LocalFree(text);
		end += ace->Header.AceSize;
	}
	return end == size && acl->AclSize == size - d.sd.Dacl ?
	       acl->AceCount : -1;
}

TEST_F(access, EventAccessQuery_NULL_is_INVALID_PARAMETER)
{
	BYTE d[4096];
	ULONG size = sizeof(d);

	EXPECT_EQ(87, EventAccessQuery(NULL, d, &size));
	EXPECT_EQ(87, EventAccessQuery(&self->id, d, NULL));
	EXPECT_EQ(87, EventAccessQuery(&self->id, NULL, &size));
}

TEST_F(access, EventAccessQuery_without_rights_is_ACCESS_DENIED)
{
	BYTE d[4096];
	ULONG size = sizeof(d);

	ASSERT_EQ(0, chmod("/dev/evntrace", 0600));
	EXPECT_EQ(5, AS_NOBODY(EventAccessQuery(&self->id, d, &size)));
}

TEST_F(access, EventAccessQuery_too_small_is_MORE_DATA)
{
	BYTE d[4096];
	ULONG size, needed = 0;

	/* Size 0 queries the needed size */
	EXPECT_EQ(ERROR_MORE_DATA, EventAccessQuery(&self->id, NULL, &needed));
	EXPECT_LT(0, needed);
	size = needed - 1;
	EXPECT_EQ(ERROR_MORE_DATA, EventAccessQuery(&self->id, d, &size));
	EXPECT_EQ(needed, size);
	EXPECT_EQ(0, EventAccessQuery(&self->id, d, &size));
	EXPECT_EQ(needed, size);
}

TEST_F(access, EventAccessQuery_returns_the_list_in_force)
{
	struct entry e[4];

	/* The built-in default: all rights for the owner and root */
	ASSERT_EQ(3, query(&self->id, e, 4));
	EXPECT_EQ(ACCESS_ALLOWED_ACE_TYPE, e[0].type);
	EXPECT_STREQ("S-1-3-4", e[0].sid);
	EXPECT_EQ(0x1f1fff, e[0].mask);
	EXPECT_STREQ("S-1-5-32-544", e[1].sid);
	EXPECT_EQ(0x1f1fff, e[1].mask);
	EXPECT_STREQ("S-1-1-0", e[2].sid);
	EXPECT_EQ(WMIGUID_QUERY | TRACELOG_GUID_ENABLE | TRACELOG_LOG_EVENT |
		  TRACELOG_REGISTER_GUIDS | TRACELOG_JOIN_GROUP, e[2].mask);
	/* Entries for both the owner and root can be changed */
	ASSERT_EQ(0, SET(&self->id, "S-1-3-4", WMIGUID_QUERY));
	ASSERT_EQ(0, ADD(&self->id, "S-1-5-32-544", WMIGUID_QUERY));
	ASSERT_EQ(2, query(&self->id, e, 4));
	EXPECT_STREQ("S-1-3-4", e[0].sid);
	EXPECT_STREQ("S-1-5-32-544", e[1].sid);
	ASSERT_EQ(0, EventAccessRemove(&self->id));
	ASSERT_EQ(0, SET(&self->default_id, "S-1-5-18", WMIGUID_QUERY));
	ASSERT_EQ(1, query(&self->id, e, 4));
	EXPECT_STREQ("S-1-5-18", e[0].sid);
	EXPECT_EQ(WMIGUID_QUERY, e[0].mask);
	/* ADD keeps the old entries; deny entries come first */
	ASSERT_EQ(0, ADD(&self->id, "S-1-22-2-7", TRACELOG_GUID_ENABLE));
	ASSERT_EQ(0, DENY(&self->id, ALICE, TRACELOG_LOG_EVENT));
	ASSERT_EQ(3, query(&self->id, e, 4));
	EXPECT_EQ(ACCESS_DENIED_ACE_TYPE, e[0].type);
	EXPECT_STREQ(ALICE, e[0].sid);
	EXPECT_STREQ("S-1-5-18", e[1].sid);
	EXPECT_STREQ("S-1-22-2-7", e[2].sid);
	EXPECT_EQ(TRACELOG_GUID_ENABLE, e[2].mask);
	/* SET replaces all entries */
	ASSERT_EQ(0, SET(&self->id, "S-1-22-1-0", TRACELOG_REGISTER_GUIDS));
	ASSERT_EQ(1, query(&self->id, e, 4));
	EXPECT_STREQ("S-1-5-18", e[0].sid);
	ASSERT_EQ(0, EventAccessRemove(&self->id));
	ASSERT_EQ(1, query(&self->id, e, 4));
	EXPECT_EQ(WMIGUID_QUERY, e[0].mask);
}

static ULONG register_and_go(GUID *id)
{
	REGHANDLE handle;
	ULONG code = EventRegister(id, NULL, NULL, &handle);

	if (!code)
		EventUnregister(handle);
	return code;
}

TEST_F(access, EventRegister_ERROR_ACCESS_DENIED)
{
	REGHANDLE handle = 1;

	ASSERT_EQ(0, SET(&self->id, ALICE, TRACELOG_REGISTER_GUIDS));
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  EventRegister(&self->id, NULL, NULL, &handle));
	EXPECT_EQ(0, handle);
	EXPECT_EQ(0, AS_ALICE(register_and_go(&self->id)));
}

/* Return the result of EventUnregister() in a child, or 98 if it hangs */
static ULONG unregister_in_child(REGHANDLE handle)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		alarm(60);
		_exit(EventUnregister(handle));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

static VOID WINAPI nothing(LPCGUID source, ULONG control, UCHAR level,
			   ULONGLONG any, ULONGLONG all,
			   PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
}

/* The child's registration is refused, but its thread must still end */
TEST_F_TIMEOUT(access, EventUnregister_works_in_a_child_that_may_not_register, 120)
{
	REGHANDLE handle;

	ASSERT_EQ(0, EventRegister(&self->id, nothing, NULL, &handle));
	ASSERT_EQ(0, SET(&self->id, "S-1-5-18", TRACELOG_REGISTER_GUIDS));
	EXPECT_EQ(0, AS_ALICE(unregister_in_child(handle)));
	EXPECT_EQ(0, EventUnregister(handle));
}

/* Start a session with an id, which access lists can refer to */
static ULONG start(const GUID *id, ULONG mode, TRACEHANDLE *handle)
{
	struct properties p = properties_for("/tmp/lib_access.etl");

	p.p.Wnode.Guid = *id;
	p.p.LogFileMode = mode;
	return StartTraceA(handle, "access", &p.p);
}

static ULONG call(TRACEHANDLE h, ULONG control)
{
	struct properties p = properties_for("");

	return ControlTraceA(h, NULL, &p.p, control);
}

static ULONG query_all(ULONG *count)
{
	struct properties p = properties_for("");
	EVENT_TRACE_PROPERTIES *all[] = { &p.p };

	return QueryAllTracesA(all, 1, count);
}

TEST_F(access, StartTrace_ControlTrace_EnableTraceEx2_ERROR_ACCESS_DENIED)
{
	GUID *id = &self->session_id;
	TRACEHANDLE h;
	ULONG n;

	ASSERT_EQ(0, SET(id, "S-1-5-18", TRACELOG_CREATE_ONDISK));
	/* May start and stop the session, but not query it */
	ASSERT_EQ(0, start(id, 0, &h));
	EXPECT_EQ(ERROR_ACCESS_DENIED, call(h, EVENT_TRACE_CONTROL_QUERY));
	EXPECT_EQ(0, query_all(&n));
	EXPECT_EQ(0, n);
	EXPECT_EQ(0, call(h, EVENT_TRACE_CONTROL_FLUSH));
	ASSERT_EQ(0, ADD(id, ALICE, WMIGUID_QUERY));
	EXPECT_EQ(0, AS_ALICE(call(h, EVENT_TRACE_CONTROL_QUERY)));
	EXPECT_EQ(1, AS_ALICE(query_all(&n) ? 98 : n));
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  AS_ALICE(call(h, EVENT_TRACE_CONTROL_STOP)));
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  AS_ALICE(call(h, EVENT_TRACE_CONTROL_UPDATE)));
	EXPECT_EQ(ERROR_ACCESS_DENIED,
		  AS_ALICE(call(h, EVENT_TRACE_CONTROL_FLUSH)));
	EXPECT_EQ(ERROR_ACCESS_DENIED, AS_ALICE(session_enable(h, 1)));
	EXPECT_EQ(0, session_enable(h, 1));
	ASSERT_EQ(0, SET(&self->id, ALICE, TRACELOG_GUID_ENABLE));
	EXPECT_EQ(ERROR_ACCESS_DENIED, session_enable(h, 1));
	EXPECT_EQ(ERROR_ACCESS_DENIED, session_disable(h, 1));
	EXPECT_EQ(0, call(h, EVENT_TRACE_CONTROL_STOP));
	ASSERT_EQ(0, SET(id, ALICE, TRACELOG_CREATE_ONDISK));
	EXPECT_EQ(ERROR_ACCESS_DENIED, start(id, 0, &h));
	EXPECT_EQ(0, h);
	unlink("/tmp/lib_access.etl");
}

TEST_F(access, EVENT_TRACE_SECURE_MODE_records_only_writers_with_LOG_EVENT)
{
	static const EVENT_DESCRIPTOR d = { .Id = 1 };
	GUID *id = &self->session_id;
	struct properties p;
	struct etl_scan scan;
	REGHANDLE handle;
	TRACEHANDLE h;

	ASSERT_EQ(0, EventRegister(&self->id, NULL, NULL, &handle));
	ASSERT_EQ(0, start(id, EVENT_TRACE_SECURE_MODE, &h));
	ASSERT_EQ(0, session_enable(h, 1));
	EXPECT_EQ(0, EventWrite(handle, &d, 0, NULL));
	ASSERT_EQ(0, DENY(id, "S-1-5-18", TRACELOG_LOG_EVENT));
	EXPECT_EQ(0, EventWrite(handle, &d, 0, NULL));
	EXPECT_EQ(0, session_stop(h, &p));
	EXPECT_EQ(EVENT_TRACE_SECURE_MODE, p.p.LogFileMode);
	EXPECT_TRUE(etl_scan("/tmp/lib_access.etl", &scan, NULL, NULL));
	EXPECT_EQ(1, scan.events);
	EXPECT_EQ(0, EventUnregister(handle));
	unlink("/tmp/lib_access.etl");
}

TEST_HARNESS_MAIN
