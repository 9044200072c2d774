// SPDX-License-Identifier: MIT
/*
 * Parts of the library that need no module: names, strings, error codes, and
 * programs on systems without the module.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/provider/classic.h"
#include "evntcons.h"
#include "evntlinux.h"
#include "lib/base/internal.h"
#include "lib/base/sha1.h"
#include "selftests/unit/common/tap.h"

static void test_sha1(void)
{
	static const uint8_t abc[20] = {
		0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
		0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d,
	};
	static const uint8_t two_blocks[20] = {
		0x84, 0x98, 0x3e, 0x44, 0x1c, 0x3b, 0xd2, 0x6e, 0xba, 0xae,
		0x4a, 0xa1, 0xf9, 0x51, 0x29, 0xe5, 0xe5, 0x46, 0x70, 0xf1,
	};
	static const char text[] =
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	uint8_t digest[20];

	evnt_sha1("abc", 3, digest);
	CHECK(!memcmp(digest, abc, 20), "SHA-1 of RFC 3174's first vector");
	evnt_sha1(text, 56, digest);
	CHECK(!memcmp(digest, two_blocks, 20),
	      "the hash of a second block is correct");
}

static void check_name(const char *name, const GUID *want)
{
	GUID id;

	CHECK(!EvntProviderIdFromName(name, &id) &&
	      !memcmp(&id, want, sizeof(id)), "id of %s", name);
}

static void test_names(void)
{
	static const GUID provider = { 0xd5b90669, 0x1aad, 0x5db8,
		{ 0x16, 0xc9, 0x62, 0x86, 0xa7, 0xfc, 0xfe, 0x33 } };
	static const GUID component = { 0xce5fa4ea, 0xab00, 0x5402,
		{ 0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5 } };
	GUID id;

	check_name("MyCompany.MyComponent.MyProvider", &provider);
	check_name("mycompany.MYCOMPONENT.myprovider", &provider);
	check_name("MyCompany.MyComponent", &component);
	CHECK(EvntProviderIdFromName(NULL, &id) == ERROR_INVALID_PARAMETER &&
	      EvntProviderIdFromName("x", NULL) == ERROR_INVALID_PARAMETER &&
	      EvntProviderIdFromName("\xff", &id) == ERROR_INVALID_PARAMETER,
	      "NULL and what is no UTF-8 are refused");
}

static bool round_trip(const char *text)
{
	WCHAR *wide = evnt_utf16(text);
	char *back = wide ? evnt_utf8(wide) : NULL;
	bool same = back && !strcmp(text, back);

	free(wide);
	free(back);
	return same;
}

static void test_utf(void)
{
	static const char * const bad[] = { "\x80", "\xc0\x80", "\xe0\x80\x80",
		"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\xf0\x90\x80" };
	static const WCHAR lone[] = { 'a', 0xd800, 'b', 0 };
	static const WCHAR low[] = { 0xdc00, 0 };
	char *shown;
	size_t i;

	CHECK(round_trip("") && round_trip("abc") && round_trip("ä€𝄞 x"),
	      "UTF-8 to UTF-16 and back");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!evnt_utf16(bad[i]) && errno == EILSEQ,
		      "malformed UTF-8 is refused");
	CHECK(!evnt_utf8(lone) && !evnt_utf8(low),
	      "lone surrogates are refused");
	shown = evnt_utf8_shown(lone);
	CHECK(shown && !strcmp(shown, "a\xef\xbf\xbd" "b"),
	      "a lone surrogate is shown as U+FFFD");
	free(shown);
}

/* All errnos that have a code of their own, from the documentation */
static const struct {
	int err;
	ULONG code;
} codes[] = {
	{ 0, ERROR_SUCCESS },
	{ EPERM, ERROR_ACCESS_DENIED },
	{ ENOENT, ERROR_INVALID_HANDLE },
	{ ESRCH, ERROR_WMI_INSTANCE_NOT_FOUND },
	{ EINTR, ERROR_TIMEOUT },
	{ ENXIO, ERROR_NOT_SUPPORTED },
	{ EBADF, ERROR_INVALID_HANDLE },
	{ EAGAIN, ERROR_NOT_ENOUGH_MEMORY },
	{ ENOMEM, ERROR_NOT_ENOUGH_MEMORY },
	{ EACCES, ERROR_ACCESS_DENIED },
	{ EFAULT, ERROR_INVALID_PARAMETER },
	{ EBUSY, ERROR_BUSY },
	{ EEXIST, ERROR_ALREADY_EXISTS },
	{ ENODEV, ERROR_NOT_SUPPORTED },
	{ EISDIR, ERROR_BAD_PATHNAME },
	{ EINVAL, ERROR_INVALID_PARAMETER },
	{ ENFILE, ERROR_NO_SYSTEM_RESOURCES },
	{ EMFILE, ERROR_NO_SYSTEM_RESOURCES },
	{ ENOTTY, ERROR_NOT_SUPPORTED },
	{ ETXTBSY, ERROR_BAD_PATHNAME },
	{ EFBIG, ERROR_LOG_FILE_FULL },
	{ ENOSPC, ERROR_DISK_FULL },
	{ EROFS, ERROR_ACCESS_DENIED },
	{ ENAMETOOLONG, ERROR_BAD_PATHNAME },
	{ ETIME, ERROR_TIMEOUT },
	{ EOVERFLOW, ERROR_ARITHMETIC_OVERFLOW },
	{ EUSERS, ERROR_NO_SYSTEM_RESOURCES },
	{ EMSGSIZE, ERROR_MORE_DATA },
	{ EOPNOTSUPP, ERROR_NOT_SUPPORTED },
	{ ENOBUFS, ERROR_NOT_ENOUGH_MEMORY },
	{ ETIMEDOUT, ERROR_TIMEOUT },
	{ EALREADY, ERROR_ACTIVE_CONNECTIONS },
	{ EDQUOT, ERROR_DISK_FULL },
};

#define MAX_ERRNO	4095

static ULONG code_of(int err)
{
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(codes); i++) {
		if (codes[i].err == err)
			return codes[i].code;
	}
	return ERROR_GEN_FAILURE;
}

static ULONG open_code_of(int err)
{
	switch (err) {
	case ENOENT:
		return ERROR_FILE_NOT_FOUND;
	case ENOTDIR:
		return ERROR_PATH_NOT_FOUND;
	case EILSEQ:
	case ELOOP:
		return ERROR_BAD_PATHNAME;
	}
	return code_of(err);
}

static void test_errors(void)
{
	unsigned int wrong = 0, wrong_open = 0;
	size_t i;
	int err;

	for (i = 0; i < EVNT_ARRAY_SIZE(codes); i++)
		CHECK(evnt_win32(codes[i].err) == codes[i].code,
		      "errno %d has its code", codes[i].err);
	for (err = -1; err <= MAX_ERRNO; err++) {
		wrong += evnt_win32(err) != code_of(err);
		wrong_open += evnt_win32_open(err) != open_code_of(err);
	}
	CHECK(!wrong, "every other errno is GEN_FAILURE");
	CHECK(!wrong_open, "an error of opening a file has its code");
	SetLastError(77);
	CHECK(GetLastError() == 77, "the last error is kept");
}

static void callback(LPCGUID source, ULONG control, UCHAR level, ULONGLONG any,
		     ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter,
		     PVOID context)
{
	(void)source, (void)control, (void)level, (void)any, (void)all;
	(void)filter;
	++*(int *)context;
}

static struct {
	EVENT_TRACE_PROPERTIES p;
	char session[16];
	char log[32];
} properties = {
	.p.Wnode.BufferSize = sizeof(properties),
	.p.Wnode.Flags = WNODE_FLAG_TRACED_GUID,
	.p.LoggerNameOffset = offsetof(__typeof__(properties), session),
	.p.LogFileNameOffset = offsetof(__typeof__(properties), log),
	.log = "/tmp/test_lib.etl",
};

static ULONG open_session(void)
{
	EVENT_TRACE_LOGFILEA l = {
		.LoggerName = properties.session,
		.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME,
	};

	strcpy(properties.session, "x");
	return OpenTraceA(&l) == INVALID_PROCESSTRACE_HANDLE ? GetLastError() :
							       0;
}

#define IS_TOLD(call) \
	CHECK((call) == ERROR_NOT_SUPPORTED, "NOT_SUPPORTED: %s", #call)

static void test_controllers_without_module(void)
{
	TRACE_GUID_PROPERTIES g, *guids[] = { &g };
	EVENT_TRACE_PROPERTIES *p = &properties.p;
	BYTE everyone[] = { 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 };
	GUID id = { 1, 2, 3, { 4 } };
	ULONG masks[8] = {}, n = 0;
	TRACEHANDLE h;

	IS_TOLD(StartTraceA(&h, "x", p));
	CHECK(access(properties.log, F_OK), "no log file is made");
	IS_TOLD(ControlTraceA(1, NULL, p, EVENT_TRACE_CONTROL_QUERY));
	IS_TOLD(StopTraceA(0, "x", p));
	IS_TOLD(FlushTraceA(1, NULL, p));
	IS_TOLD(UpdateTraceA(1, NULL, p));
	IS_TOLD(QueryAllTracesA(&p, 1, &n));
	IS_TOLD(EnableTrace(TRUE, 0, 0, &id, 1));
	IS_TOLD(EnableTraceEx(&id, NULL, 1, 1, 0, 0, 0, 0, NULL));
	IS_TOLD(EnumerateTraceGuids(guids, 1, &n));
	IS_TOLD(EnumerateTraceGuidsEx(TraceGuidQueryList, NULL, 0, NULL, 0,
				      &n));
	IS_TOLD(TraceQueryInformation(1, TraceStreamCount, &n, sizeof(n),
				      NULL));
	IS_TOLD(TraceSetInformation(1, TraceSystemTraceEnableFlagsInfo, masks,
				    sizeof(masks)));
	IS_TOLD(EventAccessControl(&id, EventSecuritySetDACL, everyone, 1,
				   TRUE));
	IS_TOLD(EventAccessRemove(&id));
	IS_TOLD(EventAccessQuery(&id, NULL, &n));
	IS_TOLD(open_session());
}

/* Nothing fails, and nothing is enabled */
static ULONG WINAPI on_control(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)code;
	(void)size;
	(void)buffer;
	++*(int *)context;
	return ERROR_SUCCESS;
}

static void test_classic_without_module(void)
{
	const GUID id = { .Data1 = 1 }, class = { .Data1 = 2 };
	TRACE_GUID_REGISTRATION reg = { .Guid = &class };
	EVENT_TRACE_HEADER e = {
		.Size = sizeof(e), .Flags = WNODE_FLAG_TRACED_GUID,
	};
	EVENT_INSTANCE_INFO instance;
	TRACEHANDLE h;
	int calls = 0;

	CHECK(!RegisterTraceGuids(on_control, &calls, &id, 1, &reg, NULL, NULL,
				  &h) && h && reg.RegHandle,
	      "a classic provider is registered");
	CHECK(TraceEvent(0x10001, &e) == ERROR_INVALID_HANDLE &&
	      TraceMessage(0x10001, 0, NULL, 1, NULL, (size_t)0) ==
	      ERROR_INVALID_HANDLE, "a classic provider writes to no session");
	CHECK(!CreateTraceInstanceId(reg.RegHandle, &instance) &&
	      instance.InstanceId == 1 && instance.RegHandle == reg.RegHandle,
	      "instances are numbered");
	CHECK(EventUnregister(h) == ERROR_INVALID_HANDLE &&
	      !UnregisterTraceGuids(h) &&
	      UnregisterTraceGuids(h) == ERROR_INVALID_PARAMETER && !calls,
	      "a classic provider can be unregistered");
}

/* Instance numbers wrap; a test cannot reach that by counting */
static void test_instances_start_again(void)
{
	const GUID id = { .Data1 = 1 }, class = { .Data1 = 2 };
	TRACE_GUID_REGISTRATION reg = { .Guid = &class };
	EVENT_INSTANCE_INFO last, first;
	TRACEHANDLE h;
	int calls = 0;

	CHECK(!RegisterTraceGuids(on_control, &calls, &id, 1, &reg, NULL, NULL,
				  &h), "a class has a handle");
	evnt_last_instance = 0xfffffffe;
	CHECK(!CreateTraceInstanceId(reg.RegHandle, &last) &&
	      last.InstanceId == 0xffffffff, "an instance has the last number");
	CHECK(!CreateTraceInstanceId(reg.RegHandle, &first) &&
	      first.InstanceId == 1, "the next one has number 1, and not 0");
	UnregisterTraceGuids(h);
}

static void test_without_module(void)
{
	static const EVENT_DESCRIPTOR d = { .Id = 1 };
	BYTE traits[] = { 7, 0, 'N', 'a', 'm', 'e', 0 };
	GUID id = { 1, 2, 3, { 4 } };
	TRACEHANDLE session = 1;
	REGHANDLE h[3];
	int calls = 0;

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return;
	}
	CHECK(!EventRegister(&id, callback, &calls, &h[0]) && h[0] &&
	      !EventRegister(&id, NULL, NULL, &h[1]) && h[1] != h[0],
	      "providers can be registered without the module");
	CHECK(!EventSetInformation(h[0], EventProviderSetTraits, traits, 7),
	      "traits are taken");
	CHECK(!EventEnabled(h[0], &d) && !EventWrite(h[0], &d, 0, NULL),
	      "writes without the module succeed");
	CHECK(!EventUnregister(h[0]) &&
	      EventUnregister(h[0]) == ERROR_INVALID_HANDLE &&
	      !EventRegister(&id, NULL, NULL, &h[2]) && h[2] != h[0] &&
	      !EventUnregister(h[1]) && !EventUnregister(h[2]),
	      "providers can be unregistered, and handles differ");
	CHECK(!calls, "no callback is called without the module");
	CHECK(EnableTraceEx2(session, &id, 1, 0, 0, 0, 0, NULL) ==
	      ERROR_NOT_SUPPORTED,
	      "controllers get ERROR_NOT_SUPPORTED without the module");
	test_controllers_without_module();
	test_classic_without_module();
}

int main(void)
{
	test_sha1();
	test_names();
	test_utf();
	test_errors();
	test_without_module();
	test_instances_start_again();
	return tap_end();
}
