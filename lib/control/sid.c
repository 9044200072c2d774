// SPDX-License-Identifier: MIT
/*
 * Security identifiers: creation, comparison and conversion from and to text;
 * and functions to read the security descriptors returned by
 * EventAccessQuery().
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/internal.h"
#include "sddl.h"

#define SID_HEADER	offsetof(SID, SubAuthority)

/* "S-1-", an authority of 48 bits, 15 numbers of 32 bits, a nul */
#define SID_TEXT	(4 + 15 + 15 * 11 + 1)

static BOOL fail(DWORD code)
{
	SetLastError(code);
	return FALSE;
}

/* IsValidSid: check the revision and the number of sub-authorities */
EVNT_PUBLIC BOOL WINAPI IsValidSid(PSID Sid)
{
	const SID *sid = Sid;

	return sid && sid->Revision == SID_REVISION &&
	       sid->SubAuthorityCount <= SID_MAX_SUB_AUTHORITIES;
}

EVNT_PUBLIC DWORD WINAPI GetLengthSid(PSID Sid)
{
	const SID *sid = Sid;

	return SID_HEADER + sid->SubAuthorityCount * sizeof(DWORD);
}

EVNT_PUBLIC BOOL WINAPI EqualSid(PSID Sid1, PSID Sid2)
{
	if (!IsValidSid(Sid1) || !IsValidSid(Sid2))
		return fail(ERROR_INVALID_SID);
	return GetLengthSid(Sid1) == GetLengthSid(Sid2) &&
	       !memcmp(Sid1, Sid2, GetLengthSid(Sid1));
}

static SID *sid_create(const SID_IDENTIFIER_AUTHORITY *authority, BYTE count,
		       const DWORD *sub)
{
	SID *sid = malloc(SID_HEADER + SID_MAX_SUB_AUTHORITIES * sizeof(*sub));

	if (!sid)
		return NULL;
	sid->Revision = SID_REVISION;
	sid->SubAuthorityCount = count;
	sid->IdentifierAuthority = *authority;
	memcpy((BYTE *)sid + SID_HEADER, sub, count * sizeof(*sub));
	return sid;
}

/* AllocateAndInitializeSid: up to eight parts; free with FreeSid() */
EVNT_PUBLIC BOOL WINAPI
AllocateAndInitializeSid(PSID_IDENTIFIER_AUTHORITY Authority, BYTE Count,
			 DWORD Sub0, DWORD Sub1, DWORD Sub2, DWORD Sub3,
			 DWORD Sub4, DWORD Sub5, DWORD Sub6, DWORD Sub7,
			 PSID *Sid)
{
	const DWORD sub[] = { Sub0, Sub1, Sub2, Sub3, Sub4, Sub5, Sub6, Sub7 };

	if (!Authority || !Sid || Count > EVNT_ARRAY_SIZE(sub))
		return fail(ERROR_INVALID_PARAMETER);
	*Sid = sid_create(Authority, Count, sub);
	return *Sid ? TRUE : fail(ERROR_NOT_ENOUGH_MEMORY);
}

EVNT_PUBLIC PVOID WINAPI FreeSid(PSID Sid)
{
	free(Sid);
	return NULL;
}

EVNT_PUBLIC HLOCAL WINAPI LocalFree(HLOCAL Memory)
{
	free(Memory);
	return NULL;
}

/* Format a SID into @text, which has room for SID_TEXT characters */
static void sid_print(char *text, const SID *sid)
{
	char *to = text + sprintf(text, "S-%u-", sid->Revision);
	const BYTE *at = (const BYTE *)sid + SID_HEADER;
	unsigned long long n = 0;
	DWORD sub;
	int i;

	for (i = 0; i < 6; i++)
		n = n << 8 | sid->IdentifierAuthority.Value[i];
	/* In base 16 if the authority has more than 32 bits */
	to += snprintf(to, SID_TEXT, n >> 32 ? "0x%012llX" : "%llu", n);
	for (i = 0; i < sid->SubAuthorityCount; i++, at += sizeof(sub)) {
		memcpy(&sub, at, sizeof(sub));
		to += sprintf(to, "-%u", sub);
	}
}

EVNT_PUBLIC BOOL WINAPI ConvertSidToStringSidA(PSID Sid, LPSTR *StringSid)
{
	char text[SID_TEXT];

	if (!StringSid)
		return fail(ERROR_INVALID_PARAMETER);
	if (!IsValidSid(Sid))
		return fail(ERROR_INVALID_SID);
	sid_print(text, Sid);
	*StringSid = strdup(text);
	return *StringSid ? TRUE : fail(ERROR_NOT_ENOUGH_MEMORY);
}

EVNT_PUBLIC BOOL WINAPI ConvertSidToStringSidW(PSID Sid, LPWSTR *StringSid)
{
	char text[SID_TEXT];

	if (!StringSid)
		return fail(ERROR_INVALID_PARAMETER);
	if (!IsValidSid(Sid))
		return fail(ERROR_INVALID_SID);
	sid_print(text, Sid);
	*StringSid = evnt_utf16(text);
	return *StringSid ? TRUE : fail(ERROR_NOT_ENOUGH_MEMORY);
}

/* Parse an unsigned number up to @max, and advance *@p behind it */
static bool number_parse(const char **p, unsigned long long max,
			 unsigned long long *n)
{
	bool hex = (*p)[0] == '0' && ((*p)[1] | 0x20) == 'x';
	char *end;

	if (**p < '0' || **p > '9')
		return false;
	errno = 0;
	*n = strtoull(*p, &end, hex ? 16 : 10);
	*p = end;
	return !errno && *n <= max;
}

static SID *sid_parse(const char *text)
{
	SID_IDENTIFIER_AUTHORITY authority;
	DWORD sub[SID_MAX_SUB_AUTHORITIES];
	unsigned long long n;
	BYTE count = 0;
	int i;

	if (strncasecmp(text, "S-1-", 4) != 0)
		return NULL;
	text += 4;
	if (!number_parse(&text, (1ull << 48) - 1, &n))
		return NULL;
	for (i = 0; i < 6; i++)
		authority.Value[i] = n >> (40 - 8 * i);
	while (*text == '-' && count < SID_MAX_SUB_AUTHORITIES) {
		text++;
		if (!number_parse(&text, UINT32_MAX, &n))
			return NULL;
		sub[count++] = n;
	}
	return *text || !count ? NULL : sid_create(&authority, count, sub);
}

EVNT_PUBLIC BOOL WINAPI ConvertStringSidToSidA(LPCSTR StringSid, PSID *Sid)
{
	if (!StringSid || !Sid)
		return fail(ERROR_INVALID_PARAMETER);
	errno = 0;
	*Sid = sid_parse(StringSid);
	if (*Sid)
		return TRUE;
	return fail(errno == ENOMEM ? ERROR_NOT_ENOUGH_MEMORY :
				      ERROR_INVALID_SID);
}

EVNT_PUBLIC BOOL WINAPI ConvertStringSidToSidW(LPCWSTR StringSid, PSID *Sid)
{
	char *text;
	BOOL done;

	if (!StringSid || !Sid)
		return fail(ERROR_INVALID_PARAMETER);
	text = evnt_utf8(StringSid);
	if (!text)
		return fail(errno == ENOMEM ? ERROR_NOT_ENOUGH_MEMORY :
					      ERROR_INVALID_SID);
	done = ConvertStringSidToSidA(text, Sid);
	free(text);
	return done;
}

/* GetSecurityDescriptorDacl: only self-relative descriptors exist here */
EVNT_PUBLIC BOOL WINAPI
GetSecurityDescriptorDacl(PSECURITY_DESCRIPTOR Descriptor, BOOL *Present,
			  PACL *Dacl, BOOL *Defaulted)
{
	const SECURITY_DESCRIPTOR_RELATIVE *sd = Descriptor;

	if (!sd || !Present || !Dacl || !Defaulted)
		return fail(ERROR_INVALID_PARAMETER);
	if (sd->Revision != SECURITY_DESCRIPTOR_REVISION ||
	    !(sd->Control & SE_SELF_RELATIVE))
		return fail(ERROR_INVALID_SECURITY_DESCR);
	*Present = !!(sd->Control & SE_DACL_PRESENT);
	*Defaulted = FALSE;
	if (*Present)
		*Dacl = sd->Dacl ? (PACL)((BYTE *)Descriptor + sd->Dacl) : NULL;
	return TRUE;
}

EVNT_PUBLIC BOOL WINAPI GetAce(PACL Acl, DWORD Index, LPVOID *Ace)
{
	BYTE *at;

	if (!Acl || !Ace || Index >= Acl->AceCount)
		return fail(ERROR_INVALID_PARAMETER);
	at = (BYTE *)(Acl + 1);
	while (Index--)
		at += ((const ACE_HEADER *)at)->AceSize;
	*Ace = at;
	return TRUE;
}
