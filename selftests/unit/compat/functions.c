// SPDX-License-Identifier: MIT
/*
 * Functions of libevntcompat.a; in C and C++, with wide characters of 2 or 4
 * bytes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <windows.h>
#include <evntrace.h>
#include <intrin.h>
#include <iphlpapi.h>
#include <mstcpip.h>
#include <objbase.h>
#include <process.h>
#include <pwd.h>
#include <psapi.h>
#include <strsafe.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tlhelp32.h>
#include <unistd.h>
#include <wincrypt.h>
#include <ws2ipdef.h>

#include "../common/tap.h"
#include "on_thread.h"
#include "wide.h"

static WCHAR buffer[64];

static int is(const WCHAR *text)
{
	int same = !wcscmp(buffer, text);

	if (!same) {
		printf("# ");
		evnt16_wprintf(W("%s, not %s\n"), buffer, text);
	}
	return same;
}

static void test_strings(void)
{
	const WCHAR *abc = W("abc");

	CHECK(wcslen(abc) == 3 && wcslen(W("")) == 0 && wcsnlen(abc, 2) == 2 &&
	      lstrlenW(abc) == 3 && lstrlenW(NULL) == 0,
	      "lengths of wide texts are correct");
	CHECK(!wcscmp(abc, W("abc")) && wcscmp(abc, W("abd")) < 0 &&
	      wcscmp(W("b"), abc) > 0 && !wcsncmp(abc, W("abx"), 2) &&
	      !_wcsicmp(abc, W("AbC")) && _wcsicmp(abc, W("abd")) < 0 &&
	      !_wcsnicmp(abc, W("ABx"), 2),
	      "comparisons of wide texts are correct");
	CHECK(wcschr(abc, 'b') == abc + 1 && !wcschr(abc, 'x') &&
	      wcschr(abc, 0) == abc + 3 && wcsrchr(W("aba"), 'a') &&
	      wcsstr(abc, W("bc")) == abc + 1 && !wcsstr(abc, W("cb")),
	      "searches in wide texts are correct");
	wcscpy(buffer, abc);
	wcscat(buffer, W("de"));
	CHECK(is(W("abcde")), "copies of wide texts are correct");
}

static void test_safe_strings(void)
{
	CHECK(!wcscpy_s(buffer, 4, W("abc")) && is(W("abc")) &&
	      wcscpy_s(buffer, 3, W("abc")) == ERANGE && is(W("")) &&
	      wcscpy_s(NULL, 3, W("a")) == EINVAL &&
	      wcscpy_s(buffer, 0, W("a")) == EINVAL &&
	      wcscpy_s(buffer, 3, NULL) == EINVAL,
	      "wcscpy_s refuses a text that does not fit");
	CHECK(!wcsncpy_s(buffer, 3, W("abc"), _TRUNCATE) && is(W("ab")) &&
	      !wcscat_s(buffer, 4, W("c")) && is(W("abc")) &&
	      wcscat_s(buffer, 4, W("d")) == ERANGE && is(W("")),
	      "wcsncpy_s and wcscat_s refuse a text that does not fit");
	CHECK(StringCchCopyW(buffer, 4, W("abc")) == S_OK && is(W("abc")) &&
	      StringCchCopyW(buffer, 3, W("abc")) ==
		STRSAFE_E_INSUFFICIENT_BUFFER && is(W("ab")) &&
	      StringCbCopyW(buffer, 8, W("abc")) == S_OK && is(W("abc")) &&
	      StringCchCopyW(buffer, 0, W("")) == STRSAFE_E_INVALID_PARAMETER,
	      "StringCchCopy truncates");
	CHECK(StringCchPrintfW(buffer, 6, W("%d-%s"), 12, W("ab")) == S_OK &&
	      is(W("12-ab")) &&
	      StringCchPrintfW(buffer, 5, W("%d-%s"), 12, W("ab")) ==
		STRSAFE_E_INSUFFICIENT_BUFFER && is(W("12-a")),
	      "StringCchPrintf truncates");
}

static void test_case(void)
{
	WCHAR swapped[] = W("a\xe4\xff");

	CHECK(LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_UPPERCASE,
			    W("a\xe4\xff\xf7"), -1, buffer, 64, NULL, NULL,
			    0) == 5 && is(W("A\xc4\x178\xf7")) &&
	      LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_LOWERCASE, buffer, 3,
			    buffer, 3, NULL, NULL, 0) == 3 &&
	      is(W("a\xe4\xff\xf7")), "upper and lower case");
	CHECK(LCMapStringEx(LOCALE_NAME_INVARIANT,
			    LCMAP_UPPERCASE | LCMAP_BYTEREV, swapped, 3,
			    swapped, 3, NULL, NULL, 0) == 3 &&
	      swapped[0] == 0x4100 && swapped[1] == 0xc400 &&
	      swapped[2] == 0x7801, "LCMapStringEx swaps bytes");
	CHECK(LCMapStringEx(NULL, LCMAP_UPPERCASE, swapped, -1, NULL, 0, NULL,
			    NULL, 0) == 4 &&
	      !LCMapStringEx(NULL, LCMAP_UPPERCASE, swapped, -1, buffer, 3,
			     NULL, NULL, 0) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER &&
	      !LCMapStringEx(NULL, 0x40000000, swapped, -1, buffer, 3, NULL,
			     NULL, 0) &&
	      GetLastError() == ERROR_INVALID_FLAGS &&
	      !LCMapStringEx(NULL, LCMAP_UPPERCASE, NULL, 1, buffer, 3, NULL,
			     NULL, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "errors of LCMapStringEx are reported");
}

#define FORMAT(want, ...) \
	CHECK(swprintf_s(buffer, 64, __VA_ARGS__) == (int)wcslen(want) && \
	      is(want), "formats")

static void test_formats(void)
{
	ULONG ulong = 0xffffffff;
	unsigned __int64 large = 0x123456789abcdef0;

	FORMAT(W("abc"), W("%s"), W("abc"));
	FORMAT(W("abc|abc|abc"), W("%S|%hs|%hS"), "abc", "abc", "abc");
	FORMAT(W("abc|abc"), W("%ls|%ws"), W("abc"), W("abc"));
	FORMAT(W("  ab|ab  |"), W("%4.2s|%-4.2s|"), W("abc"), W("abc"));
	FORMAT(W("a\x20ac" "b"), W("a%sb"), W("\x20ac"));
	FORMAT(W("A|B"), W("%c|%C"), W('A'), 'B');
	FORMAT(W("4294967295 ffffffff"), W("%lu %lx"), ulong, ulong);
	FORMAT(W("1311768467463790320 123456789abcdef0"), W("%I64u %llx"),
	       large, large);
	FORMAT(W("  -5|-5  |-0005"), W("%4d|%-4d|%05d"), -5, -5, -5);
	FORMAT(W("   7|007"), W("%*d|%.*d"), 4, 7, 3, 7);
	FORMAT(W("1.50 0x1f 017 100%"), W("%.2f %#x %#o %d%%"), 1.5, 31, 15,
	       100);
	FORMAT(W("0000000000001234"), W("%p"), (void *)0x1234);
	CHECK(swprintf_s(buffer, 3, W("%d"), 123) == -1 && is(W("")),
	      "swprintf_s prints nothing if the text does not fit");
	CHECK(_snwprintf(buffer, 3, W("%d"), 123) == 3 &&
	      _snwprintf(buffer, 2, W("%d"), 123) == -1,
	      "_snwprintf truncates");
}

static void test_utf(void)
{
	static const WCHAR pair[] = { 0xd834, 0xdd1e, 0 };
	static const WCHAR lone[] = { 'a', 0xd834, 0 };
	char bytes[16];

	CHECK(MultiByteToWideChar(CP_UTF8, 0, "\xf0\x9d\x84\x9e", -1, NULL,
				  0) == 3 &&
	      MultiByteToWideChar(CP_UTF8, 0, "\xf0\x9d\x84\x9e", -1, buffer,
				  3) == 3 && is(pair),
	      "UTF-8 is converted to UTF-16");
	CHECK(WideCharToMultiByte(CP_UTF8, 0, pair, -1, bytes, sizeof(bytes),
				  NULL, NULL) == 5 &&
	      !strcmp(bytes, "\xf0\x9d\x84\x9e"),
	      "UTF-16 is converted to UTF-8");
	CHECK(!MultiByteToWideChar(CP_UTF8, 0, "abc", -1, buffer, 3) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER,
	      "a conversion without space is refused");
	CHECK(!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, "\xff", -1,
				   buffer, 8) &&
	      GetLastError() == ERROR_NO_UNICODE_TRANSLATION &&
	      !WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, lone, -1,
				   bytes, 16, NULL, NULL) &&
	      GetLastError() == ERROR_NO_UNICODE_TRANSLATION,
	      "malformed text is refused on demand");
	CHECK(MultiByteToWideChar(CP_UTF8, 0, "\xff" "a", -1, buffer, 8) == 3 &&
	      buffer[0] == 0xfffd, "malformed text is replaced");
	CHECK(!MultiByteToWideChar(1252, 0, "a", -1, buffer, 8) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !MultiByteToWideChar(CP_UTF8, 0, NULL, -1, buffer, 8) &&
	      !MultiByteToWideChar(CP_UTF8, 0, "a", 0, buffer, 8),
	      "wrong parameters are refused");
}

static void test_time(void)
{
	static const SYSTEMTIME leap = { 2024, 2, 4, 29, 12, 13, 14, 15 };
	static const SYSTEMTIME no_leap = { 2023, 2, 0, 29, 0, 0, 0, 0 };
	FILETIME time = { 0, 0 }, first = { 0, 0 };
	SYSTEMTIME back;

	CHECK(SystemTimeToFileTime(&leap, &time) &&
	      FileTimeToSystemTime(&time, &back) &&
	      !memcmp(&leap, &back, sizeof(back)) &&
	      time.dwHighDateTime == 0x1da6b08 &&
	      time.dwLowDateTime == 0xab62f2f0, "a time, and back");
	CHECK(FileTimeToSystemTime(&first, &back) && back.wYear == 1601 &&
	      back.wMonth == 1 && back.wDay == 1 && back.wDayOfWeek == 1,
	      "the first time");
	CHECK(!SystemTimeToFileTime(&no_leap, &time) &&
	      GetLastError() == ERROR_INVALID_PARAMETER, "no such day");
	time.dwHighDateTime = 0x80000000;
	CHECK(!FileTimeToSystemTime(&time, &back), "no such time");
	GetSystemTimeAsFileTime(&time);
	GetSystemTime(&back);
	CHECK(time.dwHighDateTime > 0x1da0000 && back.wYear >= 2024,
	      "the current time is returned");
}

static void test_ids(void)
{
	static const GUID id = { 0x12345678, 0x9abc, 0xdef0,
				 { 1, 2, 3, 4, 5, 6, 7, 0xff } };
	static const struct {
		SID sid;
		DWORD more;
	} administrators = { { 1, 2, { { 0, 0, 0, 0, 0, 5 } }, { 32 } }, 544 };
	LPWSTR text = NULL;
	GUID a, b;

#ifdef __cplusplus
	CHECK(StringFromGUID2(id, buffer, 39) == 39 &&
	      !StringFromGUID2(id, buffer + 39, 20), "a GUID's text");
#else
	CHECK(StringFromGUID2(&id, buffer, 39) == 39 &&
	      !StringFromGUID2(&id, buffer + 39, 20), "a GUID's text");
#endif
	CHECK(is(W("{12345678-9ABC-DEF0-0102-0304050607FF}")) &&
	      CLSIDFromString(buffer, &a) == S_OK &&
	      !memcmp(&a, &id, sizeof(a)),
	      "a GUID is converted to text and back");
	CHECK(CLSIDFromString(W("{12345678-9ABC-DEF0-0102-0304050607F}"), &a) ==
	      CO_E_CLASSSTRING, "a malformed GUID is refused");
	CHECK(IIDFromString(buffer, &b) == S_OK && !memcmp(&b, &id, sizeof(b)) &&
	      IIDFromString(NULL, &b) == S_OK && !b.Data1 &&
	      IIDFromString(W("{1}"), &b) == E_INVALIDARG,
	      "an interface's id is converted from text");
	CHECK(IIDFromString(NULL, &b) == S_OK &&
	      !memcmp(&b, &GUID_NULL, sizeof(b)), "objbase.h has GUID_NULL");
	CHECK(CoCreateGuid(&a) == S_OK && UuidCreate(&b) == RPC_S_OK &&
	      memcmp(&a, &b, sizeof(a)) != 0, "new ones differ");
	CHECK(GetLengthSid((PSID)&administrators) == 16 &&
	      IsValidSid((PSID)&administrators) &&
	      ConvertSidToStringSidW((PSID)&administrators, &text) &&
	      !wcscmp(text, W("S-1-5-32-544")),
	      "a well-known SID is converted");
	LocalFree(text);
}

#define INITGUID
#include <guiddef.h>
DEFINE_GUID(defined_late, 0x12345678, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

/* A second definition would be an error */
#undef INITGUID
#include <guiddef.h>
DEFINE_GUID(declared_late, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
const GUID declared_late = { 0x87654321, 1, 2, { 3, 4, 5, 6, 7, 8, 9, 10 } };

static void test_system(void)
{
	SYSTEM_INFO system;

	GetSystemInfo(&system);
	CHECK(system.dwNumberOfProcessors ==
	      (DWORD)sysconf(_SC_NPROCESSORS_ONLN) &&
	      (system.dwActiveProcessorMask & 1) &&
	      system.dwPageSize == (DWORD)sysconf(_SC_PAGESIZE),
	      "the system has processors and pages");
	CHECK(defined_late.Data1 == 0x12345678 && defined_late.Data4[7] == 10,
	      "an id is defined after guiddef.h was included before");
	CHECK(declared_late.Data1 == 0x87654321,
	      "an id is declared after INITGUID is undefined");
}

static DWORD type_of(int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return FILE_TYPE_UNKNOWN;
	if (S_ISCHR(status.st_mode))
		return FILE_TYPE_CHAR;
	return S_ISREG(status.st_mode) ? FILE_TYPE_DISK : FILE_TYPE_PIPE;
}

static void test_streams(void)
{
	HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
	DWORD n = 0;

	fflush(stdout);
	CHECK(WriteFile(output, "# text\n", 7, &n, NULL) && n == 7,
	      "the standard output is a handle");
	CHECK(GetFileType(output) == type_of(1) &&
	      output == GetStdHandle(STD_OUTPUT_HANDLE) &&
	      GetFileType(GetStdHandle(STD_ERROR_HANDLE)) == type_of(2),
	      "the standard streams have their files' types");
	CHECK(GetStdHandle(1) == INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "there are no other streams");
	CHECK(!WriteFile(NULL, "", 0, &n, NULL) &&
	      GetLastError() == ERROR_INVALID_HANDLE &&
	      GetFileType(NULL) == FILE_TYPE_UNKNOWN,
	      "no handle is no file");
}

static void test_file(void)
{
	char name[64], other[66], text[8] = "";
	LARGE_INTEGER size;
	struct stat status;
	DWORD n = 0;
	HANDLE file;

	snprintf(name, sizeof(name), "/tmp/evnt-file.%d", (int)getpid());
	file = CreateFileA(name, GENERIC_READ, FILE_SHARE_READ, NULL,
			   OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
	CHECK(file == INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_FILE_NOT_FOUND, "a file does not exist");
	file = CreateFileA(name, GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL);
	CHECK(WriteFile(file, "abc", 3, &n, NULL) && n == 3 &&
	      GetFileSizeEx(file, &size) && size.QuadPart == 3 &&
	      GetFileType(file) == FILE_TYPE_DISK, "a file is written");
	CHECK(!ReadFile(file, text, 3, &n, NULL) && !n,
	      "a file opened for writing is not read");
	CHECK(!WriteFile(file, "d", 1, &n, (struct _OVERLAPPED *)&size) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !ReadFile(file, text, 1, &n, (struct _OVERLAPPED *)&size),
	      "overlapped transfers are refused");
	CloseHandle(file);
	file = CreateFileA(name, GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL);
	CHECK(file == INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_FILE_EXISTS, "a file exists");
	MultiByteToWideChar(CP_UTF8, 0, name, -1, buffer, 64);
	file = CreateFileW(buffer, GENERIC_READ | GENERIC_WRITE, 0, NULL,
			   OPEN_ALWAYS, 0, NULL);
	CHECK(ReadFile(file, text, 8, &n, NULL) && n == 3 &&
	      !memcmp(text, "abc", 3) && ReadFile(file, text, 8, &n, NULL) &&
	      !n && WriteFile(file, "d", 1, NULL, NULL),
	      "a file is read to its end, and extended");
	CloseHandle(file);
	CloseHandle(CreateFileA(name, GENERIC_WRITE, 0, NULL,
				TRUNCATE_EXISTING, 0, NULL));
	CHECK(!stat(name, &status) && !status.st_size, "a file is truncated");
	CHECK(CreateFileA(name, 0, 0, NULL, 0, 0, NULL) ==
	      INVALID_HANDLE_VALUE && GetLastError() ==
	      ERROR_INVALID_PARAMETER &&
	      CreateFileA(name, 0, 0, NULL, 6, 0, NULL) ==
	      INVALID_HANDLE_VALUE, "other dispositions are refused");
	CHECK(GetFileAttributesW(buffer) == FILE_ATTRIBUTE_NORMAL &&
	      GetFileAttributesA("/proc") ==
	      (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY),
	      "a file and a folder have attributes");
	CHECK(!MoveFileA(name, name) && GetLastError() == ERROR_ALREADY_EXISTS,
	      "a file is not moved over another one");
	snprintf(other, sizeof(other), "%s.x", name);
	CHECK(MoveFileA(name, other) &&
	      GetFileAttributesA(other) == FILE_ATTRIBUTE_NORMAL &&
	      GetFileAttributesW(buffer) == INVALID_FILE_ATTRIBUTES &&
	      GetLastError() == ERROR_FILE_NOT_FOUND &&
	      !MoveFileW(buffer, buffer) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND, "a file is moved");
	CHECK(DeleteFileA(other) && !DeleteFileW(buffer) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND && !DeleteFileA("/proc") &&
	      GetLastError() == ERROR_ACCESS_DENIED, "a file is deleted");
}

static void test_user(void)
{
	const struct passwd *user = getpwuid(geteuid());
	size_t length = strlen(user->pw_name);
	DWORD size = 64;
	char name[64];

	CHECK(GetUserNameA(name, &size) && size == length + 1 &&
	      !strcmp(name, user->pw_name), "the name of the user");
	CHECK(GetUserNameA(name, &size) && size == length + 1,
	      "a buffer of exactly the name's size is enough");
	size = 64;
	CHECK(GetUserNameW(buffer, &size) && size == length + 1 &&
	      buffer[0] == name[0] && wcslen(buffer) == length,
	      "the wide name of the user");
	CHECK(GetUserNameW(buffer, &size) && size == length + 1,
	      "a buffer of exactly the wide name's size is enough");
	size = 1;
	CHECK(!GetUserNameA(name, &size) && size == length + 1 &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER,
	      "the size that the name needs is returned");
	size = 1;
	SetLastError(ERROR_SUCCESS);
	CHECK(!GetUserNameW(NULL, &size) && size == length + 1 &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER,
	      "the size that the wide name needs is returned");
}

/* Annotations of the public headers of programs and of kernel modules */
_IRQL_saves_ _IRQL_raises_(DISPATCH_LEVEL) __drv_functionClass(port)
static USHORT
port(_In_ _Pre_defensive_ __drv_freesMem(Mem) const SOCKADDR_INET *address)
{
	return address->si_family == AF_INET ? address->Ipv4.sin_port :
					       address->Ipv6.sin6_port;
}

static void test_socket_addresses(void)
{
	SOCKADDR_INET address;

	memset(&address, 0, sizeof(address));
	address.Ipv6.sin6_family = AF_INET6;
	address.Ipv6.sin6_port = 0x1234;
	CHECK(sizeof(address) == 28 && port(&address) == 0x1234,
	      "an address has its family");
	address.Ipv4.sin_family = AF_INET;
	address.Ipv4.sin_port = 0x5678;
	CHECK(port(&address) == 0x5678, "an address has another family");
}

static void test_members_of_addresses(void)
{
	SOCKADDR_INET address;
	struct sockaddr_in6 *same = &address.Ipv6;

	memset(&address, 0, sizeof(address));
	address.Ipv4.sin_addr.S_un.S_un_b.s_b1 = 127;
	address.Ipv4.sin_addr.S_un.S_un_b.s_b4 = 1;
	CHECK(address.Ipv4.sin_addr.S_un.S_addr == htonl(INADDR_LOOPBACK) &&
	      address.Ipv4.sin_addr.s_addr == htonl(INADDR_LOOPBACK) &&
	      !strcmp(inet_ntoa(address.Ipv4.sin_addr), "127.0.0.1"),
	      "an IPv4 address has the members of both systems");
	address.Ipv6.sin6_addr = in6addr_loopback;
	CHECK(same->sin6_addr.u.Byte[15] == 1 &&
	      same->sin6_addr.u.Word[7] == htons(1) &&
	      same->sin6_addr.s6_addr[15] == 1 &&
	      IN6_IS_ADDR_LOOPBACK(&same->sin6_addr),
	      "an IPv6 address has the members of both systems");
	C_ASSERT(sizeof(SOCKADDR_IN) == 16 && sizeof(SOCKADDR_IN6) == 28);
	C_ASSERT(sizeof(SOCKADDR_STORAGE) == 128);
	C_ASSERT(offsetof(SOCKADDR_IN6, sin6_scope_id) == 24);
}

static int ipv4_is(USHORT port, const char *text)
{
	struct in_addr address;
	char to[INET_ADDRSTRLEN];
	ULONG size = sizeof(to);

	inet_pton(AF_INET, "255.255.255.254", &address);
	return !RtlIpv4AddressToStringExA(&address, htons(port), to, &size) &&
	       size == strlen(text) + 1 && !strcmp(to, text);
}

static int ipv6_is(ULONG scope, USHORT port, const char *text)
{
	struct in6_addr address;
	char to[INET6_ADDRSTRLEN];
	ULONG size = sizeof(to);

	inet_pton(AF_INET6, "1234:5678:9abc:def1:2345:6789:abcd:ef12", &address);
	return !RtlIpv6AddressToStringExA(&address, scope, htons(port), to,
					  &size) &&
	       size == strlen(text) + 1 && !strcmp(to, text);
}

static void test_text_of_addresses(void)
{
	char to[INET6_ADDRSTRLEN] = "x";
	ULONG size = 5;

	CHECK(ipv4_is(0, "255.255.255.254") &&
	      ipv4_is(65535, "255.255.255.254:65535"),
	      "text of an IPv4 address has its port");
	CHECK(ipv6_is(0, 0, "1234:5678:9abc:def1:2345:6789:abcd:ef12") &&
	      ipv6_is(0, 80, "[1234:5678:9abc:def1:2345:6789:abcd:ef12]:80") &&
	      ipv6_is(~0u, 0,
		      "1234:5678:9abc:def1:2345:6789:abcd:ef12%4294967295") &&
	      ipv6_is(~0u, 65535,
		      "[1234:5678:9abc:def1:2345:6789:abcd:ef12%4294967295]:65535"),
	      "text of an IPv6 address has its scope and port");
	CHECK(RtlIpv6AddressToStringExA(&in6addr_loopback, 0, htons(443), to,
					&size) == (LONG)STATUS_INVALID_PARAMETER &&
	      size == sizeof("[::1]:443") && !strcmp(to, "x"),
	      "text that does not fit is not written, and has a size");
	CHECK(!RtlIpv6AddressToStringExA(&in6addr_loopback, 0, htons(443), to,
					 &size) && !strcmp(to, "[::1]:443"),
	      "text that just fits is written");
}

static CRITICAL_SECTION section;
static SRWLOCK slim = SRWLOCK_INIT;

/* Return which locks another thread can take: 1, 2 for a reader, 4 for a writer */
static DWORD WINAPI try_locks(LPVOID argument)
{
	DWORD taken = 0;

	(void)argument;
	if (TryEnterCriticalSection(&section)) {
		taken |= 1;
		LeaveCriticalSection(&section);
	}
	if (TryAcquireSRWLockShared(&slim)) {
		taken |= 2;
		ReleaseSRWLockShared(&slim);
	}
	if (TryAcquireSRWLockExclusive(&slim)) {
		taken |= 4;
		ReleaseSRWLockExclusive(&slim);
	}
	return taken;
}

static DWORD others_take(void)
{
	return on_thread(try_locks, NULL);
}

static void test_locks(void)
{
	InitializeCriticalSection(&section);
	CHECK(others_take() == 7, "free locks can be taken");
	EnterCriticalSection(&section);
	EnterCriticalSection(&section);
	LeaveCriticalSection(&section);
	CHECK(others_take() == 6, "a section entered twice is left twice");
	LeaveCriticalSection(&section);
	AcquireSRWLockShared(&slim);
	CHECK(others_take() == 3, "a slim lock has several readers");
	ReleaseSRWLockShared(&slim);
	AcquireSRWLockExclusive(&slim);
	CHECK(others_take() == 1, "a slim lock has a single writer");
	ReleaseSRWLockExclusive(&slim);
	DeleteCriticalSection(&section);
	CHECK(InitializeCriticalSectionAndSpinCount(&section, 4000) &&
	      others_take() == 7, "a section that spins can be taken");
	DeleteCriticalSection(&section);
	CHECK(InitializeCriticalSectionEx(&section, 0, 0) && others_take() == 7,
	      "a section with flags can be taken");
	DeleteCriticalSection(&section);
	InitializeSRWLock(&slim);
	CHECK(TryAcquireSRWLockExclusive(&slim), "a slim lock starts free");
	ReleaseSRWLockExclusive(&slim);
}

static void test_environment(void)
{
	char narrow[8];

	setenv("EVNT_TEST", "a\xe2\x82\xac", 1);
	CHECK(GetEnvironmentVariableW(W("EVNT_TEST"), buffer, 3) == 2 &&
	      buffer[0] == 'a' && buffer[1] == 0x20ac && !buffer[2],
	      "a variable is converted from UTF-8");
	CHECK(GetEnvironmentVariableW(W("EVNT_TEST"), buffer, 2) == 3 &&
	      GetEnvironmentVariableA("EVNT_TEST", NULL, 0) == 5,
	      "the size that a variable needs is returned");
	CHECK(GetEnvironmentVariableA("EVNT_TEST", narrow, 5) == 4 &&
	      !strcmp(narrow, "a\xe2\x82\xac"), "a variable is copied");
	unsetenv("EVNT_TEST");
	SetLastError(0);
	CHECK(!GetEnvironmentVariableW(W("EVNT_TEST"), buffer, 3) &&
	      GetLastError() == ERROR_ENVVAR_NOT_FOUND,
	      "a missing variable is an error");
	SetLastError(0);
	CHECK(!GetEnvironmentVariableA(NULL, narrow, 3) &&
	      GetLastError() == ERROR_ENVVAR_NOT_FOUND,
	      "a variable without a name is an error");
}

/* The thread must not change its processor between the two numbers */
static void test_processor_number(void)
{
	PROCESSOR_NUMBER number = { 1, 64, 1 };
	int processor = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	CHECK(!sched_setaffinity(0, sizeof(one), &one),
	      "the thread is bound to a processor");
	GetCurrentProcessorNumberEx(&number);
	CHECK(number.Group == processor / 64 &&
	      number.Number == processor % 64 && !number.Reserved &&
	      GetCurrentProcessorNumber() == number.Number,
	      "the current processor has a group and a number");
}

typedef enum { NO_FLAG, FIRST_FLAG = 1, SECOND_FLAG = 2 } FLAGS_OF_TEST;
DEFINE_ENUM_FLAG_OPERATORS(FLAGS_OF_TEST);

static void test_flags_and_counters(void)
{
	FLAGS_OF_TEST flags = FIRST_FLAG | SECOND_FLAG;
	OVERLAPPED overlapped;
	LONG64 count = 1;
	char bits = 3;

	flags &= ~FIRST_FLAG;
	CHECK(flags == SECOND_FLAG, "flags of a type are combined");
	flags |= FIRST_FLAG;
	flags ^= SECOND_FLAG;
	CHECK(flags == FIRST_FLAG && (flags ^ FIRST_FLAG) == NO_FLAG &&
	      (flags & SECOND_FLAG) == NO_FLAG, "flags of a type are changed");
	CHECK(InterlockedIncrementNoFence64(&count) == 2 &&
	      ReadNoFence64(&count) == 2 &&
	      InterlockedCompareExchangeNoFence64(&count, 5, 2) == 2 &&
	      InterlockedDecrementRelease64(&count) == 4 &&
	      ReadAcquire64(&count) == 4,
	      "counters of 64 bits change without a fence");
	CHECK(InterlockedOr8(&bits, 4) == 3 && InterlockedAnd8(&bits, 6) == 7 &&
	      bits == 6, "bits of a byte are changed");
	overlapped.Pointer = NULL;
	overlapped.OffsetHigh = 1;
	CHECK((ULONG_PTR)overlapped.Pointer == 1ull << 32 ||
	      sizeof(void *) == 4, "an offset of a file has two halves");
}

static HANDLE go_on;

static DWORD WINAPI thread(LPVOID argument)
{
	return WaitForSingleObject(go_on, INFINITE) == WAIT_OBJECT_0 ?
	       (DWORD)(ULONG_PTR)argument : 0;
}

static void test_threads(void)
{
	HANDLE handles[2];
	DWORD code = 0;

	go_on = CreateEventA(NULL, FALSE, FALSE, NULL);
	handles[0] = CreateThread(NULL, 0, thread, (LPVOID)41, 0, NULL);
	handles[1] = CreateThread(NULL, 0, thread, (LPVOID)41, 0, NULL);
	CHECK(WaitForMultipleObjects(2, handles, FALSE, 20) == WAIT_TIMEOUT &&
	      GetExitCodeThread(handles[0], &code) && code == STILL_ACTIVE,
	      "threads wait for an event");
	SetEvent(go_on);
	CHECK(WaitForMultipleObjects(2, handles, FALSE, INFINITE) <= 1 &&
	      WaitForMultipleObjects(2, handles, TRUE, 20) == WAIT_TIMEOUT,
	      "one thread continues after an event");
	SetEvent(go_on);
	CHECK(WaitForMultipleObjects(2, handles, TRUE, INFINITE) ==
	      WAIT_OBJECT_0 && GetExitCodeThread(handles[1], &code) &&
	      code == 41, "both threads have ended");
	CHECK(CloseHandle(handles[0]) && CloseHandle(handles[1]) &&
	      CloseHandle(go_on) && !CloseHandle(NULL) &&
	      GetLastError() == ERROR_INVALID_HANDLE &&
	      WaitForSingleObject(INVALID_HANDLE_VALUE, 0) == WAIT_FAILED,
	      "handles are closed once");
}

static unsigned int __stdcall add_one(void *argument)
{
	_InterlockedIncrement((volatile LONG *)argument);
	return 43;
}

static unsigned int __stdcall end_early(void *argument)
{
	_endthreadex(44);
	_InterlockedIncrement((volatile LONG *)argument);
	return 43;
}

static void test_compiler_functions(void)
{
	DWORD index = 7, code = 0;
	LONG count = 1;
	HANDLE h;

	CHECK(_BitScanForward(&index, 0x50) && index == 4 &&
	      _BitScanReverse(&index, 0x50) && index == 6 &&
	      _BitScanForward64(&index, 1ull << 40) && index == 40 &&
	      _BitScanReverse64(&index, ~0ull) && index == 63,
	      "bits are found");
	CHECK(!_BitScanForward(&index, 0) && !_BitScanReverse(&index, 0) &&
	      !_BitScanForward64(&index, 0) && !_BitScanReverse64(&index, 0) &&
	      index == 63, "no bit of 0 is found");
	CHECK(__popcnt(0xf0f) == 8 && __popcnt64(~0ull) == 64,
	      "bits are counted");
	CHECK(_ReturnAddress() && *(void **)_AddressOfReturnAddress() ==
	      _ReturnAddress(), "the address of the caller is found");
	_ReadWriteBarrier();
	h = (HANDLE)_beginthreadex(NULL, 0, add_one, &count, 0, NULL);
	CHECK(WaitForSingleObject(h, INFINITE) == WAIT_OBJECT_0 &&
	      GetExitCodeThread(h, &code) && code == 43 && count == 2 &&
	      CloseHandle(h), "a thread of the C library ends with its result");
	h = (HANDLE)_beginthreadex(NULL, 0, end_early, &count, 0, NULL);
	CHECK(WaitForSingleObject(h, INFINITE) == WAIT_OBJECT_0 &&
	      GetExitCodeThread(h, &code) && code == 44 && count == 2 &&
	      CloseHandle(h), "_endthreadex() ends a thread with a result");
	CHECK(!GetErrorMode() && !SetErrorMode(SEM_FAILCRITICALERRORS) &&
	      GetErrorMode() == SEM_FAILCRITICALERRORS &&
	      SetErrorMode(0) == SEM_FAILCRITICALERRORS && !GetErrorMode(),
	      "the error mode is the one that was set");
	CHECK(!_beginthreadex(NULL, 0, NULL, NULL, 0, NULL),
	      "a thread without a function is refused");
	CHECK(_getpid() == (int)GetCurrentProcessId(), "ids of processes agree");
}

static DWORD WINAPI change_value(LPVOID argument)
{
	InterlockedExchange((LONG *)argument, 2);
	WakeByAddressSingle(argument);
	return 0;
}

static void test_addresses(void)
{
	static const SIZE_T sizes[] = { 1, 2, 4, 8 };
	ULONG64 value = 1, same = 1, other;
	LONG changing = 1, old = 1;
	int i, good = 0;
	HANDLE h;

	for (i = 0; i < 4; i++) {
		other = value ^ 1ull << (8 * sizes[i] - 1);
		good += WaitOnAddress(&value, &other, sizes[i], INFINITE) &&
			!WaitOnAddress(&value, &same, sizes[i], 1) &&
			GetLastError() == ERROR_TIMEOUT;
	}
	CHECK(good == 4, "an equal value is waited for until a time");
	CHECK(!WaitOnAddress(&value, &other, 3, INFINITE) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "a value of 3 bytes is refused");
	h = CreateThread(NULL, 0, change_value, &changing, 0, NULL);
	while (*(volatile LONG *)&changing == old)
		good += !WaitOnAddress(&changing, &old, 4, INFINITE);
	CHECK(good == 4 && WaitForSingleObject(h, INFINITE) == WAIT_OBJECT_0 &&
	      CloseHandle(h), "a thread waits until a value changes");
}

static void test_libraries(void)
{
	HMODULE module = LoadLibraryExA("advapi32.dll", NULL,
					LOAD_LIBRARY_SEARCH_SYSTEM32);
	char path[MAX_PATH];
	WCHAR wide[MAX_PATH];

	CHECK(module && GetProcAddress(module, "EventRegister") &&
	      !GetProcAddress(module, "NoSuchFunction") &&
	      GetLastError() == ERROR_PROC_NOT_FOUND && FreeLibrary(module),
	      "ETW's functions are found in Windows' library");
	CHECK(!LoadLibraryA("no-such-library.dll") &&
	      GetLastError() == ERROR_MOD_NOT_FOUND,
	      "an unknown library is not loaded");
	CHECK(GetModuleFileNameA(NULL, path, MAX_PATH) == strlen(path) &&
	      path[0] == '/' && GetModuleFileNameA(NULL, path, 2) == 2 &&
	      !strcmp(path, "/"), "the program's path");
	module = LoadLibraryW(W("advapi32.dll"));
	CHECK(module && GetModuleHandleW(W("advapi32.dll")) == module &&
	      GetProcAddress(module, "EventWrite") &&
	      GetModuleHandleW(NULL) && GetModuleHandleA(NULL) &&
	      !GetModuleHandleA("no-such-library.dll") &&
	      GetLastError() == ERROR_MOD_NOT_FOUND &&
	      !LoadLibraryExW(NULL, NULL, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      FreeLibrary(module) && !FreeLibrary(NULL) &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "a library has a wide name");
	SetLastError(0);
	CHECK(GetModuleFileNameA(NULL, path, MAX_PATH) &&
	      GetModuleFileNameW(NULL, wide, MAX_PATH) == strlen(path) &&
	      wide[0] == '/' && wcslen(wide) == strlen(path) &&
	      GetModuleFileNameW(NULL, wide, strlen(path)) == strlen(path) &&
	      wcslen(wide) == strlen(path) - 1 &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER &&
	      GetModuleFileNameW(NULL, wide, 2) == 2 &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER && !wide[1] &&
	      !GetModuleFileNameW(NULL, wide, 0) &&
	      !GetModuleFileNameA(NULL, path, 0) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER,
	      "the path of the program is wide, too");
}

static void test_memory(void)
{
	static const char zeros[512] = "";
	HANDLE heap = GetProcessHeap();
	char *p = (char *)HeapAlloc(heap, 0, 512);

	memset(p, 1, 512);
	HeapFree(heap, 0, p);
	p = (char *)HeapAlloc(heap, HEAP_ZERO_MEMORY, 512);
	CHECK(!memcmp(p, zeros, 512), "memory of a heap is cleared on demand");
	strcpy_s(p, 512, "kept");
	CHECK(!HeapReAlloc(heap, HEAP_ZERO_MEMORY, p, 1024) &&
	      GetLastError() == ERROR_NOT_SUPPORTED,
	      "growing memory is not cleared");
	p = (char *)HeapReAlloc(heap, 0, p, 65536);
	CHECK(p && !strcmp(p, "kept") && HeapFree(heap, 0, p),
	      "growing memory keeps its content");
	p = (char *)GlobalAlloc(LMEM_ZEROINIT, 512);
	CHECK(p && !memcmp(p, zeros, 512) && !GlobalFree(p),
	      "global memory is cleared on demand");
	p = (char *)CoTaskMemAlloc(0);
	CHECK(p, "no memory is memory, too");
	CoTaskMemFree(p);
}

static void test_class_ids(void)
{
	static const GUID id = { 0x12345678, 0x9abc, 0xdef0,
				 { 1, 2, 3, 4, 5, 6, 7, 8 } };
#ifdef __cplusplus
	const GUID &ref = id;
#else
	const GUID *ref = &id;
#endif
	LPWSTR text = NULL;

	CHECK(StringFromCLSID(ref, &text) == S_OK &&
	      !wcscmp(text, W("{12345678-9ABC-DEF0-0102-030405060708}")),
	      "a class has a text");
	CoTaskMemFree(text);
	CHECK(!StringFromGUID2(ref, buffer, 38) &&
	      StringFromGUID2(ref, buffer, 39) == 39 &&
	      CoCreateGuid(NULL) == E_INVALIDARG, "errors of GUIDs are reported");
}

static void test_messages(void)
{
	LPSTR text = NULL;

	CHECK(FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM |
			     FORMAT_MESSAGE_ALLOCATE_BUFFER, NULL,
			     ERROR_ACCESS_DENIED, 0, (LPSTR)&text, 0, NULL) &&
	      !strcmp(text, "Access is denied.\r\n"),
	      "a system message is formatted");
	LocalFree(text);
	CHECK(FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM, NULL,
			     ERROR_ACCESS_DENIED, 0, buffer, 64, NULL) == 19 &&
	      is(W("Access is denied.\r\n")), "a wide one");
	CHECK(!FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM, NULL, 0x7fffffff, 0,
			      (LPSTR)buffer, 64, NULL) &&
	      GetLastError() == ERROR_MR_MID_NOT_FOUND,
	      "an unknown message is an error");
}

static void test_types(void)
{
	CHECK(sizeof(LONG) == 4 && sizeof(ULONG) == 4 && sizeof(DWORD) == 4 &&
	      sizeof(unsigned __int64) == 8 && sizeof(WCHAR) == 2 &&
	      sizeof(HANDLE) == 8 && sizeof(SID) == 12 &&
	      sizeof(UNICODE_STRING) == 16, "types have the sizes of Windows");
	CHECK(LOBYTE(0x1234) == 0x34 && HIBYTE(0x1234) == 0x12 &&
	      ARRAYSIZE(buffer) == 64 && ANYSIZE_ARRAY == 1 &&
	      _rotl(0x80000001, 4) == 0x18 &&
	      _byteswap_ulong(0x01020304) == 0x04030201 &&
	      FIELD_OFFSET(UNICODE_STRING, Buffer) == 8,
	      "macros have the values of Windows");
	CHECK(HRESULT_FROM_WIN32(5) == E_ACCESSDENIED &&
	      HRESULT_FROM_WIN32(0) == S_OK && FAILED(E_FAIL) &&
	      SUCCEEDED(S_FALSE) && HRESULT_CODE(E_ACCESSDENIED) == 5,
	      "HRESULT macros have the values of Windows");
}

static void test_digests(void)
{
	static const BYTE abc[] = {
		0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
		0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d,
	};
	DWORD size = 0, needed = 0, small = 19;
	HCRYPTPROV context = 0;
	HCRYPTHASH hash = 0;
	BYTE digest[20];

	CHECK(CryptAcquireContext(&context, NULL, NULL, PROV_RSA_FULL,
				  CRYPT_VERIFYCONTEXT) && context &&
	      CryptCreateHash(context, CALG_SHA1, 0, 0, &hash) && hash &&
	      CryptHashData(hash, (const BYTE *)"a", 1, 0) &&
	      CryptHashData(hash, NULL, 0, 0) &&
	      CryptHashData(hash, (const BYTE *)"bc", 2, 0),
	      "data is added to a digest");
	CHECK(CryptGetHashParam(hash, HP_HASHVAL, NULL, &needed, 0) &&
	      needed == 20 &&
	      CryptGetHashParam(hash, HP_HASHVAL, digest, &needed, 0) &&
	      !memcmp(digest, abc, 20), "SHA-1 of \"abc\"");
	needed = sizeof(size);
	CHECK(CryptGetHashParam(hash, HP_HASHSIZE, (BYTE *)&size, &needed, 0) &&
	      size == 20 && needed == sizeof(size) &&
	      !CryptGetHashParam(hash, HP_HASHVAL, digest, &small, 0) &&
	      GetLastError() == ERROR_MORE_DATA && small == 20 &&
	      !CryptGetHashParam(hash, 3, digest, &small, 0) &&
	      GetLastError() == (DWORD)NTE_BAD_TYPE,
	      "a digest has a size");
	CHECK(CryptDestroyHash(hash) &&
	      !CryptCreateHash(context, CALG_SHA1 + 1, 0, 0, &hash) &&
	      GetLastError() == (DWORD)NTE_BAD_ALGID &&
	      !CryptCreateHash(0, CALG_SHA1, 0, 0, &hash) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      CryptReleaseContext(context, 0) &&
	      !CryptAcquireContext(&context, NULL, NULL, PROV_RSA_FULL, 0) &&
	      GetLastError() == ERROR_NOT_SUPPORTED,
	      "there are no keys, and no other digests");
}

static int all_are_files(const HMODULE *modules, DWORD count)
{
	char path[MAX_PATH];
	DWORD i;

	for (i = 0; i < count; i++) {
		if (!GetModuleFileNameExA(GetCurrentProcess(), modules[i], path,
					  MAX_PATH) || access(path, R_OK))
			return 0;
	}
	return 1;
}

static void test_modules(void)
{
	HANDLE self = GetCurrentProcess(), own, parent;
	char path[MAX_PATH], same[MAX_PATH];
	HMODULE modules[64];
	DWORD needed = 0;

	CHECK(EnumProcessModules(self, modules, sizeof(modules), &needed) &&
	      needed >= 2 * sizeof(HMODULE) && needed <= sizeof(modules) &&
	      modules[0] == GetModuleHandleA(NULL) &&
	      all_are_files(modules, needed / sizeof(HMODULE)),
	      "the program's modules have files");
	CHECK(GetProcAddress(modules[0], "strlen") &&
	      EnumProcessModules(self, modules, 0, &needed) &&
	      needed >= 2 * sizeof(HMODULE),
	      "the program's modules are those of LoadLibrary");
	CHECK(GetModuleFileNameA(NULL, path, MAX_PATH) &&
	      GetModuleFileNameExA(self, NULL, same, MAX_PATH) ==
		strlen(path) && !strcmp(same, path) &&
	      GetModuleFileNameExA(self, modules[0], same, MAX_PATH) &&
	      !strcmp(same, path) &&
	      GetModuleFileNameExA(self, NULL, same, 4) == 3 &&
	      !strncmp(same, path, 3) && !same[3] &&
	      GetModuleFileNameExW(self, NULL, buffer, 3) == 2 &&
	      buffer[0] == '/' && !buffer[2],
	      "GetModuleFileNameEx shortens the path of the program");
	own = OpenProcess(PROCESS_QUERY_INFORMATION, FALSE,
			  GetCurrentProcessId());
	CHECK(own && EnumProcessModules(own, modules, sizeof(modules),
					&needed) &&
	      modules[0] == GetModuleHandleA(NULL) &&
	      GetModuleFileNameExA(own, modules[0], same, MAX_PATH) &&
	      !strcmp(same, path) && CloseHandle(own),
	      "a handle of the program's own process has its modules");
	parent = OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, getppid());
	CHECK(parent && !EnumProcessModules(parent, modules, sizeof(modules),
					    &needed) &&
	      GetLastError() == ERROR_NOT_SUPPORTED &&
	      !GetModuleFileNameExA(parent, modules[0], same, MAX_PATH) &&
	      GetLastError() == ERROR_INVALID_HANDLE && CloseHandle(parent),
	      "modules of other processes are not supported");
}

static void test_process_handle(void)
{
	HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE,
				     GetCurrentProcessId());
	char path[MAX_PATH], same[MAX_PATH];
	WCHAR wide[MAX_PATH];
	DWORD size = MAX_PATH, wide_size = MAX_PATH, n;

	n = GetModuleFileNameA(NULL, path, MAX_PATH);
	CHECK(process && GetProcessId(process) == GetCurrentProcessId() &&
	      GetProcessId(GetCurrentProcess()) == GetCurrentProcessId() &&
	      GetProcessImageFileNameA(process, same, MAX_PATH) == n &&
	      !strcmp(same, path) &&
	      GetProcessImageFileNameW(process, wide, MAX_PATH) == n &&
	      QueryFullProcessImageNameA(process, 0, same, &size) &&
	      size == n && !strcmp(same, path) &&
	      QueryFullProcessImageNameW(process, 0, wide, &wide_size) &&
	      wide_size == n && !wide[n], "a process has its program's path");
	size = 4;
	CHECK(!GetProcessImageFileNameA(process, same, 4) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER &&
	      !QueryFullProcessImageNameW(process, 0, wide, &size) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER && size == 4,
	      "a path that does not fit is an error");
	CHECK(WaitForSingleObject(process, 0) == WAIT_FAILED &&
	      GetLastError() == ERROR_NOT_SUPPORTED && !SetEvent(process) &&
	      CloseHandle(process), "no thread can wait for a process");
}

static void test_ended_process(void)
{
	char path[MAX_PATH];
	HANDLE process, event = CreateEventW(NULL, TRUE, FALSE, NULL);
	int gate[2] = { -1, -1 };
	char byte;
	pid_t pid;

	if (pipe(gate))
		return;
	pid = fork();
	if (!pid) {
		close(gate[1]);
		_exit(read(gate[0], &byte, 1) != 0);
	}
	process = OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, pid);
	close(gate[0]);
	close(gate[1]);
	CHECK(process && waitpid(pid, NULL, 0) == pid &&
	      !GetProcessImageFileNameA(process, path, MAX_PATH) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND &&
	      GetProcessId(process) == (DWORD)pid && CloseHandle(process),
	      "a process that has ended has no path");
	CHECK(!OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, 0x7fffffff) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !GetProcessId(event) && GetLastError() == ERROR_INVALID_HANDLE &&
	      !GetProcessImageFileNameA(NULL, path, MAX_PATH) &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "what is no process has no handle, id and path");
	CloseHandle(event);
}

static void test_limit_of_files(void)
{
	struct rlimit before, none = { 3, 0 };
	HANDLE process = OpenProcess(PROCESS_QUERY_INFORMATION, FALSE,
				     GetCurrentProcessId());
	PROCESS_MEMORY_COUNTERS m;
	char path[MAX_PATH];
	DWORD needed;

	if (getrlimit(RLIMIT_NOFILE, &before))
		return;
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	SetLastError(0);
	CHECK(process && !OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, 1) &&
	      GetLastError() == ERROR_TOO_MANY_OPEN_FILES,
	      "a limit of files is no missing process");
	SetLastError(0);
	CHECK(!GetProcessMemoryInfo(process, &m, sizeof(m)) &&
	      GetLastError() == ERROR_TOO_MANY_OPEN_FILES &&
	      (SetLastError(0), !EnumProcesses(&needed, 4, &needed)) &&
	      GetLastError() == ERROR_TOO_MANY_OPEN_FILES &&
	      (SetLastError(0), CreateToolhelp32Snapshot(TH32CS_SNAPALL, 0) ==
	       INVALID_HANDLE_VALUE) &&
	      GetLastError() == ERROR_TOO_MANY_OPEN_FILES &&
	      (SetLastError(0), !GetProcessImageFileNameA(process, path,
							  MAX_PATH)) &&
	      GetLastError() == ERROR_TOO_MANY_OPEN_FILES,
	      "a limit of files is reported");
	setrlimit(RLIMIT_NOFILE, &before);
	CloseHandle(process);
}

/* A process whose program has been deleted waits until the pipe is closed */
static void test_deleted_program(void)
{
	char path[MAX_PATH], copy[MAX_PATH + 8], same[MAX_PATH], block[4096];
	char name[MAX_PATH];
	PROCESSENTRY32W entry;
	int gate[2], ready[2], found = 0;
	HANDLE process, snapshot;
	FILE *from, *to;
	size_t n;
	pid_t pid;

	GetModuleFileNameA(NULL, path, MAX_PATH);
	snprintf(copy, sizeof(copy), "%s-copy", path);
	from = fopen(path, "rb");
	to = fopen(copy, "wb");
	while ((n = fread(block, 1, sizeof(block), from)))
		fwrite(block, 1, n, to);
	fclose(from);
	fclose(to);
	if (chmod(copy, 0700) || pipe(gate) || pipe(ready))
		return;
	pid = fork();
	if (!pid) {
		dup2(gate[0], 0);
		dup2(ready[1], 1);
		close(gate[1]);
		close(ready[0]);
		execl(copy, copy, "--wait", (char *)NULL);
		_exit(127);
	}
	close(gate[0]);
	close(ready[1]);
	CHECK(read(ready[0], block, 1) == 1 && !unlink(copy),
	      "a program is deleted while it runs");
	process = OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, pid);
	snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
	memset(&entry, 0, sizeof(entry));
	entry.dwSize = sizeof(entry);
	if (Process32FirstW(snapshot, &entry)) {
		do {
			if (entry.th32ProcessID != (DWORD)pid)
				continue;
			WideCharToMultiByte(CP_UTF8, 0, entry.szExeFile, -1,
					    name, MAX_PATH, NULL, NULL);
			found += !strcmp(name, strrchr(copy, '/') + 1);
		} while (Process32NextW(snapshot, &entry));
	}
	CHECK(GetProcessImageFileNameA(process, same, MAX_PATH) &&
	      !strcmp(same, copy) && found == 1,
	      "the path of a deleted program has no mark");
	CloseHandle(process);
	CloseHandle(snapshot);
	close(gate[1]);
	close(ready[0]);
	waitpid(pid, NULL, 0);
}

static void test_memory_of_process(void)
{
	PROCESS_MEMORY_COUNTERS_EX m;
	PROCESS_MEMORY_COUNTERS *small = (PROCESS_MEMORY_COUNTERS *)&m;

	memset(&m, 0, sizeof(m));
	CHECK(GetProcessMemoryInfo(GetCurrentProcess(), small, sizeof(m)) &&
	      m.cb == sizeof(m) && m.PageFaultCount &&
	      m.WorkingSetSize >= 65536 &&
	      m.PeakWorkingSetSize >= m.WorkingSetSize &&
	      m.PrivateUsage >= 4096 && m.PrivateUsage == m.PagefileUsage,
	      "a process has memory");
	m.PrivateUsage = 7;
	CHECK(GetProcessMemoryInfo(GetCurrentProcess(), small,
				   sizeof(*small)) && m.PrivateUsage == 7 &&
	      !GetProcessMemoryInfo(GetCurrentProcess(), small,
				    sizeof(*small) - 1) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER,
	      "GetProcessMemoryInfo fills what there is");
}

static DWORD WINAPI wait_for_event(LPVOID event)
{
	return WaitForSingleObject((HANDLE)event, INFINITE);
}

static void test_process_lists(void)
{
	HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL), snapshot, thread;
	DWORD ids[65536], needed = 0, id = 0, i, own = 0, parents = 0;
	DWORD threads = 0, others = 0, mine = 0;
	PROCESSENTRY32W process;
	THREADENTRY32 t;

	thread = CreateThread(NULL, 0, wait_for_event, event, 0, &id);
	snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS |
					    TH32CS_SNAPTHREAD, 0);
	memset(&process, 0, sizeof(process));
	process.dwSize = sizeof(process);
	if (Process32FirstW(snapshot, &process)) {
		do {
			if (process.th32ProcessID != GetCurrentProcessId())
				continue;
			own++;
			parents += process.th32ParentProcessID ==
				   (DWORD)getppid();
			threads = process.cntThreads;
			wcscpy_s(buffer, 64, process.szExeFile);
		} while (Process32NextW(snapshot, &process));
	}
	/* Threads of other tests may not have ended yet */
	CHECK(own == 1 && parents == 1 && threads >= 2 && is(W("test")) &&
	      GetLastError() == ERROR_NO_MORE_FILES,
	      "a snapshot has the process once");
	memset(&t, 0, sizeof(t));
	t.dwSize = sizeof(t);
	if (Thread32First(snapshot, &t)) {
		do {
			if (t.th32OwnerProcessID != GetCurrentProcessId())
				continue;
			mine += t.th32ThreadID == GetCurrentThreadId();
			others += t.th32ThreadID == id;
		} while (Thread32Next(snapshot, &t));
	}
	CHECK(mine == 1 && others == 1 &&
	      GetLastError() == ERROR_NO_MORE_FILES,
	      "a snapshot has both threads of the process");
	process.dwSize--;
	t.dwSize--;
	CHECK(!Process32FirstW(snapshot, &process) &&
	      GetLastError() == ERROR_BAD_LENGTH &&
	      !Thread32First(snapshot, &t) &&
	      GetLastError() == ERROR_BAD_LENGTH && CloseHandle(snapshot) &&
	      !Process32FirstW(event, &process) &&
	      CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, 0) ==
		INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_NOT_SUPPORTED &&
	      CreateToolhelp32Snapshot(0, 0) == INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "errors of snapshots are reported");
	snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPALL, 0);
	process.dwSize++;
	t.dwSize++;
	CHECK(Process32FirstW(snapshot, &process) &&
	      Thread32First(snapshot, &t) && CloseHandle(snapshot),
	      "a snapshot of all has processes and threads");
	CHECK(!OpenProcess(PROCESS_QUERY_INFORMATION, FALSE, id) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "the id of a thread is no id of a process");
	CHECK(EnumProcesses(ids, sizeof(ids), &needed) &&
	      needed >= 2 * sizeof(*ids), "EnumProcesses finds processes");
	for (i = 0, own = 0; i < needed / sizeof(*ids); i++)
		own += ids[i] == GetCurrentProcessId();
	CHECK(own == 1 && EnumProcesses(ids, sizeof(*ids), &needed) &&
	      needed == sizeof(*ids), "EnumProcesses finds the process once");
	SetEvent(event);
	WaitForSingleObject(thread, INFINITE);
	CloseHandle(thread);
	CloseHandle(event);
}

int main(int argc, char **argv)
{
	char byte = 0;

	if (argc > 1 && !strcmp(argv[1], "--wait"))
		return write(1, &byte, 1) != 1 || read(0, &byte, 1) != 0;
	test_strings();
	test_safe_strings();
	test_case();
	CHECK(EventTraceGuid.Data1 == 0x68fdd900,
	      "ids without INITGUID are linked");
	test_formats();
	test_utf();
	test_time();
	test_ids();
	test_system();
	test_streams();
	test_file();
	test_user();
	test_socket_addresses();
	test_members_of_addresses();
	test_text_of_addresses();
	test_locks();
	test_environment();
	test_processor_number();
	test_flags_and_counters();
	test_threads();
	test_compiler_functions();
	test_addresses();
	test_libraries();
	test_memory();
	test_class_ids();
	test_messages();
	test_types();
	test_digests();
	test_modules();
	test_process_handle();
	test_ended_process();
	test_deleted_program();
	test_limit_of_files();
	test_memory_of_process();
	test_process_lists();
	return tap_end();
}
