// SPDX-License-Identifier: MIT
/*
 * Access control of providers and sessions: EventAccessControl,
 * EventAccessQuery, EventAccessRemove.
 *
 * The module stores the access lists.  This file converts them to and from
 * Windows' security identifiers and descriptors.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "lib/base/cancel.h"
#include "lib/control/device_list.h"
#include "evntcons.h"
#include "lib/control/trace_control.h"

/* SID with at most two sub-authorities; no supported principal has more */
struct short_sid {
	BYTE revision;
	BYTE count;
	SID_IDENTIFIER_AUTHORITY authority;
	DWORD sub[2];
};

static const SID_IDENTIFIER_AUTHORITY world = SECURITY_WORLD_SID_AUTHORITY;
static const SID_IDENTIFIER_AUTHORITY nt = SECURITY_NT_AUTHORITY;
static const SID_IDENTIFIER_AUTHORITY creator = SECURITY_CREATOR_SID_AUTHORITY;
static const SID_IDENTIFIER_AUTHORITY unix_ids = EVNT_UNIX_SID_AUTHORITY;

static bool has_authority(const struct short_sid *sid,
			  const SID_IDENTIFIER_AUTHORITY *authority)
{
	return !memcmp(&sid->authority, authority, sizeof(*authority));
}

/* Convert a SID to EVNTRACE_WHO_* and an id; false if it is not supported */
static bool subject_is(const struct short_sid *sid, __u32 *subject, __u32 *id)
{
	*id = 0;
	if (sid->count == 1 && has_authority(sid, &world)) {
		*subject = EVNTRACE_SUBJECT_EVERYONE;
		return sid->sub[0] == SECURITY_WORLD_RID;
	}
	if (sid->count == 1 && has_authority(sid, &creator)) {
		*subject = EVNTRACE_SUBJECT_OWNER;
		return sid->sub[0] == SECURITY_CREATOR_OWNER_RIGHTS_RID;
	}
	if (sid->count == 1 && has_authority(sid, &nt)) {
		*subject = EVNTRACE_SUBJECT_USER;
		return sid->sub[0] == SECURITY_LOCAL_SYSTEM_RID;
	}
	if (has_authority(sid, &nt)) {
		*subject = EVNTRACE_SUBJECT_ADMIN;
		return sid->count == 2 &&
		       sid->sub[0] == SECURITY_BUILTIN_DOMAIN_RID &&
		       sid->sub[1] == DOMAIN_ALIAS_RID_ADMINS;
	}
	*subject = sid->sub[0] == EVNT_UNIX_USER_RID ? EVNTRACE_SUBJECT_USER :
						   EVNTRACE_SUBJECT_GROUP;
	*id = sid->sub[1];
	return sid->count == 2 && has_authority(sid, &unix_ids) &&
	       (sid->sub[0] == EVNT_UNIX_USER_RID ||
		sid->sub[0] == EVNT_UNIX_GROUP_RID);
}

/* Convert EVNTRACE_WHO_* and an id to a SID */
static struct short_sid sid_of(__u32 subject, __u32 id)
{
	struct short_sid sid = {
		.revision = SID_REVISION, .count = 2, .authority = unix_ids,
		.sub = { EVNT_UNIX_USER_RID, id },
	};

	if (subject == EVNTRACE_SUBJECT_GROUP)
		sid.sub[0] = EVNT_UNIX_GROUP_RID;
	if (subject == EVNTRACE_SUBJECT_EVERYONE)
		sid = (struct short_sid) { SID_REVISION, 1, world,
					   { SECURITY_WORLD_RID, 0 } };
	if (subject == EVNTRACE_SUBJECT_OWNER)
		sid = (struct short_sid) { SID_REVISION, 1, creator, {
			SECURITY_CREATOR_OWNER_RIGHTS_RID, 0 } };
	if (subject == EVNTRACE_SUBJECT_ADMIN)
		sid = (struct short_sid) { SID_REVISION, 2, nt, {
			SECURITY_BUILTIN_DOMAIN_RID, DOMAIN_ALIAS_RID_ADMINS } };
	if (subject == EVNTRACE_SUBJECT_USER && !id)
		sid = (struct short_sid) { SID_REVISION, 1, nt,
					   { SECURITY_LOCAL_SYSTEM_RID, 0 } };
	return sid;
}

static size_t sid_size(const struct short_sid *sid)
{
	return offsetof(struct short_sid, sub) +
	       sid->count * sizeof(*sid->sub);
}

static ULONG change(struct evntrace_access *arg, LPCGUID id)
{
	ULONG code;
	int device;

	code = evnt_control_device_open(&device);
	if (code)
		return code;
	arg->size = sizeof(*arg);
	memcpy(&arg->guid, id, sizeof(arg->guid));
	code = evnt_trace_call(device, EVNTRACE_IOC_SET_ACCESS, arg);
	close(device);
	return code;
}

/**
 * EventAccessControl() - add an entry to the access list of a provider or
 * session
 * @Guid: provider or session, which need not exist; DefaultTraceSecurityGuid
 *	selects the list for all that have none of their own
 * @Operation: EventSecurityAddDACL adds to the list in force;
 *	EventSecuritySetDACL replaces it
 * @Sid: principal: S-1-22-1-UID, S-1-22-2-GID, S-1-1-0 everyone, S-1-5-18 root,
 *	S-1-3-4 the session's owner, S-1-5-32-544 callers with CAP_SYS_ADMIN
 * @Rights: WMIGUID_QUERY, TRACELOG_*, at least one
 * @AllowOrDeny: TRUE to allow; deny entries override allow entries
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, unknown operations
 * or rights, no rights, and ids that no user or group can have;
 * ERROR_INVALID_SID for unsupported SIDs; ERROR_ACCESS_DENIED without
 * CAP_SYS_ADMIN; ERROR_NO_SYSTEM_RESOURCES if there are already 64 entries or
 * 4,096 lists; ERROR_NOT_SUPPORTED for audit lists, as nothing is audited.
 *
 * https://learn.microsoft.com/windows/win32/api/evntcons/nf-evntcons-eventaccesscontrol
 */
EVNT_PUBLIC ULONG EVNTAPI EventAccessControl(LPGUID Guid, ULONG Operation,
					     PSID Sid, ULONG Rights,
					     BOOLEAN AllowOrDeny)
{
	EVNT_UNCANCELLED;
	struct evntrace_access arg = {
		.flags = AllowOrDeny ? 0 : EVNTRACE_ACCESS_DENY,
		.operation = Operation == EventSecuritySetDACL ?
			     EVNTRACE_ACCESS_SET : EVNTRACE_ACCESS_ADD,
		.rights = Rights,
	};
	struct short_sid sid;

	if (!Guid || !Sid || Operation >= EventSecurityMax)
		return ERROR_INVALID_PARAMETER;
	if (Operation != EventSecuritySetDACL &&
	    Operation != EventSecurityAddDACL)
		return ERROR_NOT_SUPPORTED;
	if (!IsValidSid(Sid) || GetLengthSid(Sid) > sizeof(sid))
		return ERROR_INVALID_SID;
	memset(&sid, 0, sizeof(sid));
	memcpy(&sid, Sid, GetLengthSid(Sid));
	if (!subject_is(&sid, &arg.subject, &arg.id))
		return ERROR_INVALID_SID;
	return change(&arg, Guid);
}

/**
 * EventAccessRemove() - restore the default access to a provider or session
 * @Guid: provider or session, which need not have a list
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL; ERROR_ACCESS_DENIED
 * without CAP_SYS_ADMIN.
 *
 * https://learn.microsoft.com/windows/win32/api/evntcons/nf-evntcons-eventaccessremove
 */
EVNT_PUBLIC ULONG EVNTAPI EventAccessRemove(LPGUID Guid)
{
	EVNT_UNCANCELLED;
	struct evntrace_access arg = { .operation = EVNTRACE_ACCESS_REMOVE };

	return Guid ? change(&arg, Guid) : ERROR_INVALID_PARAMETER;
}

/* Security descriptor under construction; @len keeps counting beyond @room */
struct descriptor {
	BYTE *to;
	ULONG room;
	ULONG len;
};

static void put(struct descriptor *d, const void *data, ULONG len)
{
	if (d->to && d->len + len <= d->room)
		memcpy(d->to + d->len, data, len);
	d->len += len;
}

static void put_ace(struct descriptor *d, const struct evntrace_access *e)
{
	struct short_sid sid = sid_of(e->subject, e->id);
	ULONG sid_len = sid_size(&sid), fixed;
	ACCESS_ALLOWED_ACE ace = {
		.Header.AceType = e->flags & EVNTRACE_ACCESS_DENY ?
				  ACCESS_DENIED_ACE_TYPE :
				  ACCESS_ALLOWED_ACE_TYPE,
		.Mask = e->rights,
	};

	fixed = offsetof(ACCESS_ALLOWED_ACE, SidStart);
	ace.Header.AceSize = fixed + sid_len;
	put(d, &ace, fixed);
	put(d, &sid, sid_len);
}

/* Write a descriptor owned by root, as changing lists takes CAP_SYS_ADMIN */
static void put_descriptor(struct descriptor *d,
			   const struct evntrace_access *e, ULONG count)
{
	struct short_sid root = sid_of(EVNTRACE_SUBJECT_USER, 0);
	const ULONG sid_len = sid_size(&root);
	SECURITY_DESCRIPTOR_RELATIVE header = {
		.Revision = SECURITY_DESCRIPTOR_REVISION,
		.Control = SE_SELF_RELATIVE | SE_DACL_PRESENT,
		.Owner = sizeof(header),
		.Group = sizeof(header) + sid_len,
		.Dacl = sizeof(header) + 2 * sid_len,
	};
	ACL acl = { .AclRevision = ACL_REVISION, .AceCount = count };
	struct descriptor measure = { NULL, 0, sizeof(acl) };
	ULONG i;

	put(d, &header, sizeof(header));
	put(d, &root, sid_len);
	put(d, &root, sid_len);
	for (i = 0; i < count; i++)
		put_ace(&measure, &e[i]);
	acl.AclSize = measure.len;
	put(d, &acl, sizeof(acl));
	for (i = 0; i < count; i++)
		put_ace(d, &e[i]);
}

static bool is_of(const struct evntrace_access *e, const void *id)
{
	return !memcmp(&e->guid, id, sizeof(e->guid));
}

/* Find the entries of one list, which are adjacent; return their number */
static ULONG find_list(const struct evntrace_access *all, size_t count,
		       const void *id, const struct evntrace_access **e)
{
	size_t i = 0;
	ULONG n = 0;

	while (i < count && !is_of(&all[i], id))
		i++;
	*e = &all[i];
	while (i + n < count && is_of(&all[i + n], id))
		n++;
	return n;
}

static void describe(struct descriptor *d, LPCGUID id,
		     const struct evntrace_access *all, size_t count)
{
	static const struct evntprov_guid default_id = EVNTRACE_ACCESS_DEFAULT;
	static const struct evntrace_access no_list[] = {
		{ .subject = EVNTRACE_SUBJECT_OWNER,
		  .rights = EVNTRACE_RIGHTS_ALL },
		{ .subject = EVNTRACE_SUBJECT_ADMIN,
		  .rights = EVNTRACE_RIGHTS_ALL },
		{ .subject = EVNTRACE_SUBJECT_EVERYONE,
		  .rights = EVNTRACE_RIGHTS_DEFAULT },
	};
	const struct evntrace_access *e;
	ULONG n = find_list(all, count, id, &e);

	if (!n)
		n = find_list(all, count, &default_id, &e);
	if (n)
		put_descriptor(d, e, n);
	else
		put_descriptor(d, no_list,
			       sizeof(no_list) / sizeof(*no_list));
}

/**
 * EventAccessQuery() - query the access list in force for a provider or session
 * @Guid: provider or session, which need not exist
 * @Buffer: out: self-relative SECURITY_DESCRIPTOR
 * @BufferSize: size of @Buffer in bytes, or 0 to query the required size; out:
 *	size of the descriptor
 *
 * Owner and group of the descriptor are root; it has no system access list.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL; ERROR_MORE_DATA if
 * @Buffer is too small; ERROR_ACCESS_DENIED; ERROR_NOT_SUPPORTED if the module
 * is not loaded.
 *
 * https://learn.microsoft.com/windows/win32/api/evntcons/nf-evntcons-eventaccessquery
 */
EVNT_PUBLIC ULONG EVNTAPI EventAccessQuery(LPGUID Guid,
					   PSECURITY_DESCRIPTOR Buffer,
					   PULONG BufferSize)
{
	EVNT_UNCANCELLED;
	struct descriptor d = { Buffer, 0, 0 };
	void *entries;
	size_t count;
	ULONG code;
	int device;

	if (!Guid || !BufferSize || (*BufferSize && !Buffer))
		return ERROR_INVALID_PARAMETER;
	code = evnt_control_device_open(&device);
	if (code)
		return code;
	code = evnt_win32(evnt_device_list(device, EVNTRACE_LIST_ACCESS,
					   sizeof(struct evntrace_access),
					   &entries, &count));
	close(device);
	if (!code) {
		d.room = *BufferSize;
		describe(&d, Guid, entries, count);
		*BufferSize = d.len;
		code = d.len <= d.room ? ERROR_SUCCESS : ERROR_MORE_DATA;
	}
	free(entries);
	return code;
}
