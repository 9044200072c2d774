// SPDX-License-Identifier: MIT
/*
 * libevntcompat.a's part of Microsoft's C library; in C and C++, with wide
 * characters of 2 or 4 bytes.
 */
#include <tchar.h>
#include <shellapi.h>
#include <strsafe.h>
#include <versionhelpers.h>
#include <signal.h>

#include "../common/tap.h"
#include "wide.h"

static WCHAR buffer[64];
static char bytes[64];

static int is(const WCHAR *text)
{
	return !wcscmp(buffer, text);
}

#define NARROW(want, ...) \
	CHECK(sprintf_s(bytes, 64, __VA_ARGS__) == (int)strlen(want) && \
	      !strcmp(bytes, want), "formats: " want)

static void test_formats(void)
{
	unsigned long wide_register = 0x500000007ul;
	WCHAR units[] = W("cde");
	UNICODE_STRING counted = { 4, 6, units };

	NARROW("7 -7", "%lu %ld", (ULONG)7, (LONG)-7);
	NARROW("7", "%lu", wide_register);
	NARROW("5000000007 5000000007", "%I64u %llu", 5000000007ull,
	       5000000007ull);
	NARROW("5000000007", "%" PRIu64, (uint64_t)5000000007ull);
	NARROW("ab|ab|ab|cd", "%s|%S|%ls|%hs", "ab", W("ab"), W("ab"), "cd");
	NARROW("cd", "%wZ", &counted);
	NARROW("x|\xe2\x82\xac", "%c|%C", 'x', 0x20ac);
	CHECK(_snprintf(bytes, 2, "%d", 123) == -1 &&
	      snprintf(bytes, 2, "%d", 123) == 3 && !strcmp(bytes, "1") &&
	      _scprintf("%d", 123) == 3 && _scwprintf(W("%d"), 123) == 3,
	      "text that does not fit is not printed");
	CHECK(_snwprintf_s(buffer, 3, _TRUNCATE, W("%d"), 1234) == -1 &&
	      is(W("12")) &&
	      _snwprintf_s(buffer, 8, 2, W("%d"), 1234) == -1 && is(W("12")) &&
	      _snprintf_s(bytes, 3, _TRUNCATE, "%d", 1234) == -1 &&
	      !strcmp(bytes, "12"), "text is truncated on demand");
}

static void test_scans(void)
{
	ULONG numbers[2] = { 0, 0x12345678 };
	unsigned __int64 large = 0;
	char letter = 0;

	CHECK(sscanf("17 x", "%lu %c", &numbers[0], &letter) == 2 &&
	      numbers[0] == 17 && numbers[1] == 0x12345678 && letter == 'x',
	      "a long has 32 bits");
	CHECK(sscanf("ffffffffff", "%I64x", &large) == 1 &&
	      large == 0xffffffffff, "I64 has 64");
	CHECK(sscanf_s("abc def", "%s %4s", bytes, 64, buffer, 4) == 2 &&
	      !strcmp(bytes, "abc") && !strcmp((char *)buffer, "def") &&
	      sscanf_s("abc", "%s", bytes, 3) == 0 && !bytes[0],
	      "strings with a size");
	CHECK(swscanf_s(W("{12-ab}"), W("{%lx-%[a-z]}"), &numbers[0], buffer,
			64) == 2 && numbers[0] == 0x12 && is(W("ab")),
	      "wide text is scanned");
	CHECK(sscanf("", "%d", &numbers[0]) == EOF &&
	      sscanf("x", "%d", &numbers[0]) == 0,
	      "an empty text is not scanned");
}

static void test_numbers(void)
{
	WCHAR text[] = W("0x1fz"), *end;

	CHECK(wcstoul(text, &end, 16) == 0x1f && end == text + 4 &&
	      _wtoi(W(" -12x")) == -12 && _wtoi64(W("5000000007")) ==
	      5000000007ll && _wtof(W("1.5")) == 1.5, "numbers of wide text");
	CHECK(!_ultow_s(255, buffer, 64, 16) && is(W("ff")) &&
	      !_itow_s(-12, buffer, 64, 10) && is(W("-12")) &&
	      _itow_s(-12, buffer, 3, 10) == ERANGE && is(W("")),
	      "numbers are converted to text");
	CHECK(ULONG_MAX == MAXULONG && (ULONG)-1 == ULONG_MAX &&
	      LONG_MAX == MAXLONG, "limits are those of LONG and ULONG");
}

static void test_words(void)
{
	WCHAR text[] = W("a,,bc"), *next = NULL;

	CHECK(!wcscmp(wcstok_s(text, W(","), &next), W("a")) &&
	      !wcscmp(wcstok_s(NULL, W(","), &next), W("bc")) &&
	      !wcstok_s(NULL, W(","), &next), "a text is split into words");
	wcscpy(buffer, W("aBc"));
	CHECK(!_wcsupr_s(buffer, 64) && is(W("ABC")) &&
	      !_wcslwr_s(buffer, 64) && is(W("abc")) &&
	      _wcslwr_s(buffer, 3) == EINVAL, "the case of a text is changed");
	CHECK(!wcsncat_s(buffer, 64, W("defg"), 2) && is(W("abcde")),
	      "a part is added");
}

static void test_places(void)
{
	WCHAR *end;
	size_t left;

	CHECK(StringCchPrintfExW(buffer, 6, &end, &left, 0, W("%d"), 12) ==
	      S_OK && end == buffer + 2 && left == 4 &&
	      StringCbPrintfExW(buffer, 12, &end, &left, 0, W("%d"), 12) ==
	      S_OK && left == 8, "an end, and what is left");
	CHECK(StringCchCopyNW(buffer, 6, W("abcd"), 2) == S_OK && is(W("ab")) &&
	      StringCchCatNW(buffer, 4, W("xyz"), 1) == S_OK && is(W("abx")) &&
	      StringCchCatW(buffer, 4, W("y")) ==
	      STRSAFE_E_INSUFFICIENT_BUFFER && is(W("abx")),
	      "parts of texts are copied");
	CHECK(StringCbLengthW(W("abc"), 8, &left) == S_OK && left == 6 &&
	      StringCbLengthW(W("abc"), 6, &left) ==
	      STRSAFE_E_INVALID_PARAMETER, "a length in bytes");
}

static void test_messages(void)
{
	ULONG_PTR inserts[] = { (ULONG_PTR)W("one"), (ULONG_PTR)W("two"), 17 };
	LPWSTR text = NULL;

	CHECK(FormatMessageW(FORMAT_MESSAGE_FROM_STRING |
			     FORMAT_MESSAGE_ALLOCATE_BUFFER |
			     FORMAT_MESSAGE_ARGUMENT_ARRAY,
			     W("%2 %1, %3!04d!%%%n%0left"), 0, 0,
			     (LPWSTR)&text, 0, (va_list *)inserts) &&
	      !wcscmp(text, W("two one, 0017%\r\n")), "a program's message");
	LocalFree(text);
	CHECK(FormatMessageW(FORMAT_MESSAGE_FROM_STRING |
			     FORMAT_MESSAGE_IGNORE_INSERTS, W("%1 %2!x!"), 0, 0,
			     buffer, 64, NULL) == 8 && is(W("%1 %2!x!")),
	      "inserts are left");
	CHECK(!FormatMessageW(FORMAT_MESSAGE_FROM_HMODULE, NULL, 1, 0, buffer,
			      64, NULL) &&
	      GetLastError() == ERROR_RESOURCE_TYPE_NOT_FOUND &&
	      !FormatMessageW(0, NULL, 1, 0, buffer, 64, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "a missing message is an error");
}

static void test_dates(void)
{
	static const SYSTEMTIME t = { 2024, 2, 0, 9, 13, 4, 5, 67 };
	static const SYSTEMTIME none = { 2024, 13, 0, 9, 13, 4, 5, 67 };

	CHECK(GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t,
			     W("yyyy'-'MM'-'dd ddd 'd''e' MMMM yy"), buffer, 64) &&
	      is(W("2024-02-09 Fri d'e February 24")), "a date is formatted");
	CHECK(GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, NULL, 0) == 9 &&
	      GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, buffer, 64) ==
	      9 && is(W("2/9/2024")), "a date is formatted by a given picture");
	CHECK(GetTimeFormatW(LOCALE_USER_DEFAULT, 0, &t, W("HH':'mm':'ss h tt"),
			     buffer, 64) && is(W("13:04:05 1 PM")),
	      "a time is formatted");
	CHECK(!GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, buffer, 8) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER &&
	      !GetDateFormatW(LOCALE_USER_DEFAULT, 0, &none, NULL, buffer,
			      64) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !GetTimeFormatW(LOCALE_USER_DEFAULT, 0x100, &t, NULL, buffer,
			      64) &&
	      GetLastError() == ERROR_INVALID_FLAGS,
	      "errors of dates and times are reported");
}

/* The rules documented with CommandLineToArgvW() */
static void test_command_line(int argc, char **argv)
{
	int n, i;
	LPWSTR *list = CommandLineToArgvW(GetCommandLineW(), &n);

	CHECK(n == argc, "the command line has all arguments");
	for (i = 0; i < n && i < argc; i++) {
		WideCharToMultiByte(CP_UTF8, 0, list[i], -1, bytes, 64, NULL,
				    NULL);
		CHECK(!strcmp(bytes, argv[i]) || strlen(argv[i]) > 60,
		      "an argument is the same in UTF-8 and UTF-16");
	}
	LocalFree(list);
	list = CommandLineToArgvW(W(" a \"b c\" d\\\\\"e f\" \\\"g \"\" h\\i"), &n);
	CHECK(n == 6 && !wcscmp(list[1], W("b c")) &&
	      !wcscmp(list[2], W("d\\e f")) && !wcscmp(list[3], W("\"g")) &&
	      !wcscmp(list[4], W("")) && !wcscmp(list[5], W("h\\i")),
	      "quotation marks and backslashes");
	LocalFree(list);
	CHECK(!CommandLineToArgvW(NULL, &n) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "CommandLineToArgvW refuses NULL");
}

static void test_paths(void)
{
	TCHAR path[MAX_PATH], here[MAX_PATH];

	CHECK(_tfullpath(path, _T("/a/./b//../c"), MAX_PATH) &&
	      !_tcscmp(path, _T("/a/c")) &&
	      _tfullpath(path, _T("/.."), MAX_PATH) &&
	      !_tcscmp(path, _T("/")) &&
	      !_tfullpath(path, _T("/abc"), 4), "a full path");
	CHECK(_tfullpath(here, _T("."), MAX_PATH) &&
	      _tfullpath(path, _T("x"), MAX_PATH) &&
	      _tcslen(path) == _tcslen(here) + 2,
	      "a relative path begins at the current folder");
}

static void test_files(void)
{
	WIN32_FIND_DATA data;
	HANDLE search = FindFirstFile(_T("../compat/C?t.*"), &data);

	CHECK(search != INVALID_HANDLE_VALUE &&
	      !_tcscmp(data.cFileName, _T("crt.c")) && data.nFileSizeLow &&
	      data.ftLastWriteTime.dwHighDateTime &&
	      data.dwFileAttributes == FILE_ATTRIBUTE_NORMAL &&
	      !FindNextFile(search, &data) &&
	      GetLastError() == ERROR_NO_MORE_FILES && FindClose(search),
	      "a file is found by a pattern");
	search = FindFirstFile(_T("."), &data);
	CHECK(search != INVALID_HANDLE_VALUE && FindClose(search) &&
	      data.dwFileAttributes == FILE_ATTRIBUTE_DIRECTORY,
	      "a folder is found");
	CHECK(FindFirstFile(_T("no-such-*"), &data) == INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_FILE_NOT_FOUND &&
	      FindFirstFile(_T("/no-such/*"), &data) == INVALID_HANDLE_VALUE &&
	      GetLastError() == ERROR_PATH_NOT_FOUND &&
	      !FindClose(INVALID_HANDLE_VALUE) &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "a missing file is not found");
}

static void test_sids(void)
{
	struct {
		SID sid;
		DWORD more;
	} place;
	DWORD size = sizeof(place);
	LPWSTR text = NULL;

	CHECK(CreateWellKnownSid(WinBuiltinAdministratorsSid, NULL, &place,
				 &size) && size == 16 &&
	      ConvertSidToStringSidW(&place, &text) &&
	      !wcscmp(text, W("S-1-5-32-544")), "a SID that is known");
	LocalFree(text);
	size = 8;
	CHECK(!CreateWellKnownSid(WinWorldSid, NULL, &place, &size) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER && size == 12 &&
	      !CreateWellKnownSid((WELL_KNOWN_SID_TYPE)1000, NULL, &place,
				  &size) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "errors of well-known SIDs are reported");
}

static void test_version(void)
{
	OSVERSIONINFOEXW want;
	OSVERSIONINFO now;
	ULONGLONG mask = VerSetConditionMask(0, VER_MAJORVERSION,
					     VER_GREATER_EQUAL);

	ZeroMemory(&want, sizeof(want));
	want.dwOSVersionInfoSize = sizeof(want);
	now.dwOSVersionInfoSize = sizeof(now);
	want.dwMajorVersion = 6;
	want.dwMinorVersion = 2;
	VER_SET_CONDITION(mask, VER_MINORVERSION, VER_GREATER_EQUAL);
	CHECK(GetVersionEx(&now) && now.dwMajorVersion == 10 &&
	      IsWindows8OrGreater() && !IsWindowsServer() &&
	      VerifyVersionInfoW(&want, VER_MAJORVERSION | VER_MINORVERSION,
				 mask), "a late Windows");
	want.dwMajorVersion = 11;
	CHECK(!VerifyVersionInfoW(&want, VER_MAJORVERSION | VER_MINORVERSION,
				  mask) &&
	      GetLastError() == ERROR_OLD_WIN_VERSION,
	      "a later version is not the current one");
	now.dwOSVersionInfoSize = 7;
	CHECK(!GetVersionEx(&now) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER,
	      "a version of unknown size is refused");
}

static HANDLE reported;
static DWORD last;

static BOOL WINAPI takes_care(DWORD event)
{
	last = event;
	SetEvent(reported);
	return TRUE;
}

static BOOL WINAPI passes_on(DWORD event)
{
	(void)event;
	return FALSE;
}

static void test_console(void)
{
	reported = CreateEventW(NULL, TRUE, FALSE, NULL);
	CHECK(SetConsoleCtrlHandler(takes_care, TRUE) &&
	      SetConsoleCtrlHandler(passes_on, TRUE) &&
	      !raise(SIGINT) &&
	      WaitForSingleObject(reported, INFINITE) == WAIT_OBJECT_0 &&
	      last == CTRL_C_EVENT, "handlers are called at an interrupt");
	CHECK(SetConsoleCtrlHandler(passes_on, FALSE) &&
	      !SetConsoleCtrlHandler(passes_on, FALSE) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "removed handlers are not called");
}

int main(int argc, char **argv)
{
	test_formats();
	test_scans();
	test_numbers();
	test_words();
	test_places();
	test_messages();
	test_dates();
	test_command_line(argc, argv);
	test_paths();
	test_files();
	test_sids();
	test_version();
	test_console();
	return tap_end();
}
