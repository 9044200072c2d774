// SPDX-License-Identifier: MIT
/*
 * Well-known SIDs, which are the same everywhere.
 */
#include "compat.h"

#define WORLD	1
#define LOCAL	2
#define CREATOR	3
#define NT	5

static const struct {
	WELL_KNOWN_SID_TYPE type;
	BYTE authority;
	BYTE count;
	DWORD parts[2];
} known[] = {
	{ WinNullSid, 0, 1, { 0 } },
	{ WinWorldSid, WORLD, 1, { 0 } },
	{ WinLocalSid, LOCAL, 1, { 0 } },
	{ WinCreatorOwnerSid, CREATOR, 1, { 0 } },
	{ WinCreatorGroupSid, CREATOR, 1, { 1 } },
	{ WinNtAuthoritySid, NT, 0, { 0 } },
	{ WinNetworkSid, NT, 1, { 2 } },
	{ WinBatchSid, NT, 1, { 3 } },
	{ WinInteractiveSid, NT, 1, { 4 } },
	{ WinServiceSid, NT, 1, { 6 } },
	{ WinAnonymousSid, NT, 1, { 7 } },
	{ WinSelfSid, NT, 1, { 10 } },
	{ WinAuthenticatedUserSid, NT, 1, { 11 } },
	{ WinLocalSystemSid, NT, 1, { 18 } },
	{ WinLocalServiceSid, NT, 1, { 19 } },
	{ WinNetworkServiceSid, NT, 1, { 20 } },
	{ WinBuiltinAdministratorsSid, NT, 2, { 32, 544 } },
	{ WinBuiltinUsersSid, NT, 2, { 32, 545 } },
	{ WinBuiltinGuestsSid, NT, 2, { 32, 546 } },
};

/*
 * Create a well-known SID that does not depend on a domain.
 *
 * https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-createwellknownsid
 */
BOOL CreateWellKnownSid(WELL_KNOWN_SID_TYPE type, PSID domain, PSID to,
			DWORD *size)
{
	size_t i = 0, need;
	SID *sid = to;

	(void)domain;
	while (i < ARRAYSIZE(known) && known[i].type != type)
		i++;
	if (i == ARRAYSIZE(known) || !size)
		return fail_with(ERROR_INVALID_PARAMETER);
	need = offsetof(SID, SubAuthority) + known[i].count * sizeof(DWORD);
	if (!to || *size < need) {
		*size = (DWORD)need;
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	}
	*size = (DWORD)need;
	memset(sid, 0, need);
	sid->Revision = SID_REVISION;
	sid->SubAuthorityCount = known[i].count;
	sid->IdentifierAuthority.Value[5] = known[i].authority;
	memcpy((char *)to + offsetof(SID, SubAuthority), known[i].parts,
	       known[i].count * sizeof(DWORD));
	return TRUE;
}
