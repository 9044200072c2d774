/* SPDX-License-Identifier: MIT */
/*
 * Security identifiers, access control lists and security descriptors, as far
 * as callers of EventAccessControl() and EventAccessQuery() need them.
 *
 * Users and groups of Linux are S-1-22-1-UID and S-1-22-2-GID, as in Samba.
 * S-1-1-0 is everyone, S-1-3-4 the owner of a session, S-1-5-32-544 callers
 * with CAP_SYS_ADMIN, and S-1-5-18 root.
 */
#ifndef SECURITYBASEAPI_H
#define SECURITYBASEAPI_H

#include "evntbase.h"

#define SID_REVISION			1
#define SID_MAX_SUB_AUTHORITIES		15
#define SECURITY_MAX_SID_SIZE		68

#define SECURITY_WORLD_SID_AUTHORITY	{ { 0, 0, 0, 0, 0, 1 } }
#define SECURITY_NT_AUTHORITY		{ { 0, 0, 0, 0, 0, 5 } }
/* Authority of Linux users and groups, which Windows does not define */
#define EVNT_UNIX_SID_AUTHORITY		{ { 0, 0, 0, 0, 0, 22 } }

#define SECURITY_WORLD_RID		0
#define SECURITY_LOCAL_SYSTEM_RID	18
#define SECURITY_CREATOR_SID_AUTHORITY	{ { 0, 0, 0, 0, 0, 3 } }
#define SECURITY_CREATOR_OWNER_RIGHTS_RID	4
#define SECURITY_BUILTIN_DOMAIN_RID	32
#define DOMAIN_ALIAS_RID_ADMINS		544
#define EVNT_UNIX_USER_RID		1
#define EVNT_UNIX_GROUP_RID		2

typedef DWORD ACCESS_MASK, *PACCESS_MASK;
typedef PVOID PSECURITY_DESCRIPTOR;
typedef WORD SECURITY_DESCRIPTOR_CONTROL;

#define SECURITY_DESCRIPTOR_REVISION	1
#define SE_DACL_PRESENT			0x0004
#define SE_SELF_RELATIVE		0x8000

/* Members are offsets from the start of the descriptor; 0: not present */
typedef struct _SECURITY_DESCRIPTOR_RELATIVE {
	BYTE Revision;
	BYTE Sbz1;
	SECURITY_DESCRIPTOR_CONTROL Control;
	DWORD Owner;
	DWORD Group;
	DWORD Sacl;
	DWORD Dacl;
} SECURITY_DESCRIPTOR_RELATIVE, *PISECURITY_DESCRIPTOR_RELATIVE;

#define ACL_REVISION			2

/* Access control list: AceCount entries follow; AclSize includes them */
typedef struct _ACL {
	BYTE AclRevision;
	BYTE Sbz1;
	WORD AclSize;
	WORD AceCount;
	WORD Sbz2;
} ACL, *PACL;

#define ACCESS_ALLOWED_ACE_TYPE		0
#define ACCESS_DENIED_ACE_TYPE		1

typedef struct _ACE_HEADER {
	BYTE AceType;
	BYTE AceFlags;
	WORD AceSize;
} ACE_HEADER, *PACE_HEADER;

/* SidStart is the beginning of a SID */
typedef struct _ACCESS_ALLOWED_ACE {
	ACE_HEADER Header;
	ACCESS_MASK Mask;
	DWORD SidStart;
} ACCESS_ALLOWED_ACE, *PACCESS_ALLOWED_ACE;

typedef struct _ACCESS_DENIED_ACE {
	ACE_HEADER Header;
	ACCESS_MASK Mask;
	DWORD SidStart;
} ACCESS_DENIED_ACE, *PACCESS_DENIED_ACE;

EVNT_BEGIN_DECLS

/* These functions return FALSE on failure and set the last error */
BOOL WINAPI AllocateAndInitializeSid(PSID_IDENTIFIER_AUTHORITY Authority,
				     BYTE Count, DWORD Sub0, DWORD Sub1,
				     DWORD Sub2, DWORD Sub3, DWORD Sub4,
				     DWORD Sub5, DWORD Sub6, DWORD Sub7,
				     PSID *Sid);
BOOL WINAPI IsValidSid(PSID Sid);
BOOL WINAPI EqualSid(PSID Sid1, PSID Sid2);
BOOL WINAPI GetSecurityDescriptorDacl(PSECURITY_DESCRIPTOR Descriptor,
				      BOOL *Present, PACL *Dacl,
				      BOOL *Defaulted);
BOOL WINAPI GetAce(PACL Acl, DWORD Index, LPVOID *Ace);

/*
 * Report an attempt to exploit a vulnerability, as an event of the provider
 * Microsoft-Windows-Audit-CVE; @AdditionalDetails may be NULL
 */
LONG WINAPI CveEventWrite(PCWSTR CveId, PCWSTR AdditionalDetails);

/* Return the length in bytes of a SID, which must be valid */
DWORD WINAPI GetLengthSid(PSID Sid);
/* Free a SID created by AllocateAndInitializeSid(); returns NULL */
PVOID WINAPI FreeSid(PSID Sid);

EVNT_END_DECLS

#endif /* SECURITYBASEAPI_H */
