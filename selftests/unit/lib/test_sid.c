// SPDX-License-Identifier: MIT
/* Security identifiers: creation, comparison, text, and each error. */
#include <stddef.h>
#include <string.h>

#include "evntcons.h"
#include "sddl.h"
#include "selftests/unit/common/tap.h"

static const char longest[] = "S-1-281474976710655-4294967295-4294967295"
	"-4294967295-4294967295-4294967295-4294967295-4294967295-4294967295"
	"-4294967295-4294967295-4294967295-4294967295-4294967295-4294967295"
	"-4294967295";

static void test_layout(void)
{
	CHECK(sizeof(SID) == 12, "a SID has 12 bytes");
	CHECK(offsetof(SID, IdentifierAuthority) == 2,
	      "the authority of a SID is at offset 2");
	CHECK(offsetof(SID, SubAuthority) == 8,
	      "the sub-authorities of a SID are at offset 8");
	CHECK(sizeof(ACL) == 8, "an ACL has 8 bytes");
	CHECK(sizeof(ACE_HEADER) == 4, "an ACE_HEADER has 4 bytes");
	CHECK(sizeof(ACCESS_ALLOWED_ACE) == 12,
	      "an ACCESS_ALLOWED_ACE has 12 bytes");
	CHECK(offsetof(ACCESS_DENIED_ACE, SidStart) == 8,
	      "the SID of an ACCESS_DENIED_ACE is at offset 8");
	CHECK(sizeof(SECURITY_DESCRIPTOR_RELATIVE) == 20,
	      "a SECURITY_DESCRIPTOR_RELATIVE has 20 bytes");
	CHECK(offsetof(SECURITY_DESCRIPTOR_RELATIVE, Dacl) == 16,
	      "the Dacl of a SECURITY_DESCRIPTOR_RELATIVE is at offset 16");
}

/* Convert text to a SID and back */
static void round_trip(const char *text, const char *back, DWORD len)
{
	char *again = NULL;
	PSID sid = NULL;

	CHECK(ConvertStringSidToSidA(text, &sid), "%s is one", text);
	CHECK(IsValidSid(sid) && GetLengthSid(sid) == len, "%s: %u bytes",
	      text, len);
	CHECK(ConvertSidToStringSidA(sid, &again) && !strcmp(again, back),
	      "and back: %s", again ? again : "-");
	CHECK(!LocalFree(again) && !LocalFree(sid),
	      "a converted SID can be freed");
}

static void refused(const char *text)
{
	PSID sid = &sid;

	SetLastError(0);
	CHECK(!ConvertStringSidToSidA(text, &sid) &&
	      GetLastError() == ERROR_INVALID_SID, "'%s' is none", text);
}

static void test_text(void)
{
	static const char * const bad[] = {
		"", "S", "S-", "S-1", "S-1-", "S-1-5", "S-1-5-", "S-1-5--18",
		"S-2-5-18", "S-1-5-18 ", "S-1-5-4294967296", "S-1-5-+18",
		"S-1-281474976710656-1", "S-1- 5-18", "X-1-5-18", "S-1-5-0x",
		"S-1-1-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16",
	};
	size_t i;

	round_trip("S-1-1-0", "S-1-1-0", 12);
	round_trip("S-1-5-18", "S-1-5-18", 12);
	round_trip("s-1-0x5-0x12", "S-1-5-18", 12);
	round_trip("S-1-22-1-1000", "S-1-22-1-1000", 16);
	round_trip("S-1-22-2-4294967295", "S-1-22-2-4294967295", 16);
	round_trip("S-1-0x10000000000-1", "S-1-0x010000000000-1", 12);
	round_trip(longest, "S-1-0xFFFFFFFFFFFF-4294967295-4294967295"
		   "-4294967295-4294967295-4294967295-4294967295-4294967295"
		   "-4294967295-4294967295-4294967295-4294967295-4294967295"
		   "-4294967295-4294967295-4294967295", 68);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refused(bad[i]);
}

static void test_wide_text(void)
{
	static const WCHAR text[] = { 'S', '-', '1', '-', '1', '-', '0', 0 };
	static const WCHAR half[] = { 'S', 0xd800, 0 };
	WCHAR *back = NULL;
	PSID sid = NULL;

	CHECK(ConvertStringSidToSidW(text, &sid), "UTF-16 is one");
	CHECK(ConvertSidToStringSidW(sid, &back) &&
	      !memcmp(back, text, sizeof(text)),
	      "a SID is converted to wide text");
	LocalFree(back);
	LocalFree(sid);
	CHECK(!ConvertStringSidToSidW(half, &sid) &&
	      GetLastError() == ERROR_INVALID_SID, "half a surrogate is none");
	CHECK(!ConvertStringSidToSidW(NULL, &sid) &&
	      GetLastError() == 87, "NULL is refused");
	CHECK(!ConvertStringSidToSidW(text, NULL) &&
	      GetLastError() == 87, "nowhere to put it");
	CHECK(!ConvertSidToStringSidW(NULL, &back) &&
	      GetLastError() == ERROR_INVALID_SID,
	      "a NULL SID is not converted to wide text");
	CHECK(!ConvertSidToStringSidW(&sid, NULL) &&
	      GetLastError() == 87, "nowhere to put its text");
}

static void test_made(void)
{
	SID_IDENTIFIER_AUTHORITY authority = EVNT_UNIX_SID_AUTHORITY;
	PSID a = NULL, b = NULL, c = NULL;
	BYTE bad[12] = { 2, 1 };

	CHECK(AllocateAndInitializeSid(&authority, 2, EVNT_UNIX_USER_RID, 1000,
				       0, 0, 0, 0, 0, 0, &a),
	      "a SID is allocated");
	CHECK(ConvertStringSidToSidA("S-1-22-1-1000", &b) && EqualSid(a, b),
	      "an allocated SID equals the one of its text");
	CHECK(ConvertStringSidToSidA("S-1-22-1-1001", &c) && !EqualSid(a, c),
	      "an allocated SID differs from others");
	CHECK(!FreeSid(a), "an allocated SID can be freed");
	LocalFree(b);
	CHECK(AllocateAndInitializeSid(&authority, 8, 1, 2, 3, 4, 5, 6, 7, 8,
				       &a) && GetLengthSid(a) == 40,
	      "a SID may have eight sub-authorities");
	FreeSid(a);
	CHECK(!AllocateAndInitializeSid(&authority, 9, 1, 2, 3, 4, 5, 6, 7, 8,
					&a) && GetLastError() == 87,
	      "a SID with nine sub-authorities is refused");
	CHECK(!AllocateAndInitializeSid(NULL, 1, 1, 0, 0, 0, 0, 0, 0, 0, &a) &&
	      GetLastError() == 87, "a SID without an authority is refused");
	CHECK(!AllocateAndInitializeSid(&authority, 1, 1, 0, 0, 0, 0, 0, 0, 0,
					NULL) && GetLastError() == 87,
	      "a SID without a place for it is refused");
	CHECK(!IsValidSid(NULL) && !IsValidSid(bad),
	      "a SID of revision 2 is invalid");
	bad[0] = 1;
	bad[1] = 16;
	CHECK(!IsValidSid(bad), "a SID with 16 sub-authorities is invalid");
	CHECK(!EqualSid(c, bad) && GetLastError() == ERROR_INVALID_SID,
	      "an invalid SID does not equal others");
	LocalFree(c);
}

static void test_descriptor(void)
{
	struct {
		SECURITY_DESCRIPTOR_RELATIVE sd;
		ACL acl;
		ACCESS_ALLOWED_ACE ace[2];
	} d = {
		.sd = { .Revision = 1, .Control = SE_SELF_RELATIVE |
						  SE_DACL_PRESENT,
			.Dacl = sizeof(d.sd) },
		.acl = { .AceCount = 2 },
		.ace = { { .Header.AceSize = sizeof(d.ace[0]) } },
	};
	BOOL present = 9, defaulted = 9;
	PACL acl = NULL;
	PVOID ace;

	CHECK(GetSecurityDescriptorDacl(&d, &present, &acl, &defaulted) &&
	      present == 1 && acl == &d.acl && !defaulted,
	      "the list of a descriptor is found");
	CHECK(GetAce(acl, 0, &ace) && ace == &d.ace[0], "the first entry");
	CHECK(GetAce(acl, 1, &ace) && ace == &d.ace[1],
	      "the second entry of a list is found");
	CHECK(!GetAce(acl, 2, &ace) && GetLastError() == 87,
	      "a third entry is not found");
	CHECK(!GetAce(NULL, 0, &ace) && !GetAce(acl, 0, NULL),
	      "GetAce of NULL fails");
	d.sd.Dacl = 0;
	CHECK(GetSecurityDescriptorDacl(&d, &present, &acl, &defaulted) &&
	      present && !acl, "an empty one");
	d.sd.Control = SE_SELF_RELATIVE;
	CHECK(GetSecurityDescriptorDacl(&d, &present, &acl, &defaulted) &&
	      !present, "a descriptor without a list has none");
	d.sd.Control = 0;
	CHECK(!GetSecurityDescriptorDacl(&d, &present, &acl, &defaulted) &&
	      GetLastError() == ERROR_INVALID_SECURITY_DESCR,
	      "a descriptor that is not self-relative is refused");
	CHECK(!GetSecurityDescriptorDacl(NULL, &present, &acl, &defaulted) &&
	      GetLastError() == 87, "a NULL descriptor is refused");
}

int main(void)
{
	test_layout();
	test_text();
	test_wide_text();
	test_made();
	test_descriptor();
	return tap_end();
}
