// SPDX-License-Identifier: MIT
/* CveEventWrite() writes the documented event to sessions that want it. */
#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"
#include "securitybaseapi.h"

static const GUID audit_cve = {
	0x85a62a0d, 0x7e17, 0x485f,
	{ 0x9d, 0x4f, 0x74, 0x9a, 0x28, 0x71, 0x93, 0xa6 }
};

/* Events of the provider in a log, the last one with its data */
static struct {
	unsigned int count;
	EVENT_DESCRIPTOR descriptor;
	USHORT len;
	BYTE data[64];
} seen;

static VOID WINAPI see(PEVENT_RECORD r)
{
	if (memcmp(&r->EventHeader.ProviderId, &audit_cve, sizeof(GUID)) != 0)
		return;
	seen.count++;
	seen.descriptor = r->EventHeader.EventDescriptor;
	seen.len = r->UserDataLength;
	if (seen.len <= sizeof(seen.data))
		memcpy(seen.data, r->UserData, seen.len);
}

static bool start(struct private_properties *p, const char *name, UCHAR level,
		  TRACEHANDLE *h)
{
	return !private_start(p, name, h) &&
	       !EnableTraceEx2(*h, &audit_cve,
			       EVENT_CONTROL_CODE_ENABLE_PROVIDER, level, 0, 0,
			       0, NULL);
}

static bool stop(struct private_properties *p, const char *name, TRACEHANDLE h)
{
	memset(&seen, 0, sizeof(seen));
	return !private_stop(p, h) &&
	       !private_read(private_path(name), see, NULL, NULL);
}

static void test_event(void)
{
	static const WCHAR both[] = u"CVE-2020-0601\0cert";
	struct private_properties p;
	TRACEHANDLE h;

	CHECK(start(&p, "both", 0, &h) &&
	      !CveEventWrite(u"CVE-2020-0601", u"cert") && stop(&p, "both", h),
	      "an event is written");
	CHECK(seen.count == 1 && seen.descriptor.Id == 1 &&
	      !seen.descriptor.Version && seen.descriptor.Channel == 9 &&
	      seen.descriptor.Level == 3 && !seen.descriptor.Opcode &&
	      !seen.descriptor.Task && seen.descriptor.Keyword == 1ull << 63,
	      "it has Windows' descriptor");
	CHECK(seen.len == sizeof(both) && !memcmp(seen.data, both, sizeof(both)),
	      "its data are the strings with their nuls");
	CHECK(start(&p, "id", 0, &h) && !CveEventWrite(u"C", NULL) &&
	      stop(&p, "id", h) && seen.count == 1 && seen.len == 6 &&
	      !memcmp(seen.data, u"C\0", 6),
	      "without details, the second string is empty");
	CHECK(start(&p, "level", 2, &h) && !CveEventWrite(u"C", NULL) &&
	      stop(&p, "level", h) && !seen.count,
	      "a session for errors does not get the warning");
}

static void test_errors(void)
{
	static WCHAR text[40000];
	unsigned int i;

	for (i = 0; i < 39999; i++)
		text[i] = 'x';
	CHECK(CveEventWrite(NULL, u"details") == ERROR_INVALID_PARAMETER,
	      "an id is required");
	CHECK(CveEventWrite(text, NULL) == ERROR_ARITHMETIC_OVERFLOW &&
	      CveEventWrite(u"C", text) == ERROR_ARITHMETIC_OVERFLOW,
	      "a string that no event has room for is refused");
	CHECK(!CveEventWrite(u"C", u"details"),
	      "success without a session that wants the event");
}

int main(void)
{
	test_event();
	test_errors();
	private_clean();
	return tap_end();
}
