// SPDX-License-Identifier: MIT
/*
 * libevntcompat.a's part of Microsoft's C library; in C and C++, with wide
 * characters of 2 or 4 bytes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <conio.h>
#include <tchar.h>
#include <shellapi.h>
#include <strsafe.h>
#include <versionhelpers.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Sizes of integers, in both directions */
static void test_sizes(void)
{
	signed char tiny[2] = { 0, 7 };
	__int64 large = 0, larger = 0;
	int n = 0, used = 0;
	short small = 0;

	NARROW("-1 1 -2 5000000007 65535", "%hd %zd %I32d %jd %I32u",
	       (short)0xffff, (__int64)1, -2, (__int64)5000000007, 65535);
	CHECK(sscanf("-3 -4 5000000007 5000000008 9 6",
		     "%hhd %hd %lld %zd %*d %I32d", tiny, &small, &large,
		     &larger, &n) == 5 &&
	      tiny[0] == -3 && tiny[1] == 7 && small == -4 &&
	      large == 5000000007 && larger == 5000000008 && n == 6,
	      "a size states the bytes that a scan stores");
	CHECK(sscanf("12345", "%3d%n", &n, &used) == 1 && n == 123 && used == 3,
	      "a scan ends at its width");
	CHECK(sscanf("a", "%[", bytes) <= 0 && sscanf("1", "%l") <= 0,
	      "a scan ends at a malformed conversion");
}

static int print_list(char *to, FILE *file, const char *format, ...)
{
	va_list args, more;
	int n, m;

	va_start(args, format);
	va_copy(more, args);
	n = vsprintf(to, format, args);
	m = vfprintf(file, format, more);
	va_end(more);
	va_end(args);
	return n == m ? n : -1;
}

static void test_prints(void)
{
	FILE *file = tmpfile();
	char line[16];

	CHECK(sprintf(bytes, "%I64d", (__int64)-5) == 2 &&
	      !strcmp(bytes, "-5") &&
	      print_list(bytes, file, "%S%lu\n", W("x"), (ULONG)7) == 3 &&
	      !strcmp(bytes, "x7\n") && fprintf(file, "%hs", "end") == 3,
	      "prints return the length of their text");
	rewind(file);
	CHECK(fgets(line, sizeof(line), file) && !strcmp(line, "x7\n") &&
	      fgets(line, sizeof(line), file) && !strcmp(line, "end"),
	      "prints to a file have Microsoft's formats");
	fclose(file);
	CHECK(sprintf_s(bytes, 3, "%d", 123) == -1 && !bytes[0] &&
	      _snprintf_s(bytes, 3, 8, "%d", 123) == -1 && !bytes[0] &&
	      _snprintf_s(NULL, 0, 8, "%d", 123) == -1 &&
	      _snwprintf_s(NULL, 0, 8, W("%d"), 123) == -1,
	      "prints without room leave an empty text");
}

static void test_numbers(void)
{
	WCHAR text[] = W("0x1fz"), *end;

	CHECK(wcstoul(text, &end, 16) == 0x1f && end == text + 4 &&
	      _wtoi(W(" -12x")) == -12 && _wtoi64(W("5000000007")) ==
	      5000000007ll && _wtof(W("1.5")) == 1.5, "numbers of wide text");
	CHECK(!_ultow_s(255, buffer, 64, 16) && is(W("ff")) &&
	      !_itow_s(-12, buffer, 64, 10) && is(W("-12")) &&
	      _itow_s(-12, buffer, 3, 10) == ERANGE && is(W("")) &&
	      !_itow_s(-1, buffer, 64, 16) && is(W("ffffffff")) &&
	      !_i64tow_s(-1, buffer, 64, 16) && is(W("ffffffffffffffff")) &&
	      !_i64tow_s(LLONG_MIN, buffer, 64, 10) &&
	      is(W("-9223372036854775808")) &&
	      _i64tow_s(-1, NULL, 64, 10) == EINVAL &&
	      _ui64tow_s(1, buffer, 64, 37) == EINVAL,
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
	strcpy_s(bytes, 64, "aBc1");
	CHECK(!strcmp(_strupr(bytes), "ABC1") && !strcmp(_strlwr(bytes), "abc1"),
	      "the case of a narrow text is changed");
	CHECK(!wcsncat_s(buffer, 64, W("defg"), 2) && is(W("abcde")),
	      "a part is added");
}

static void test_copies(void)
{
	char text[8] = "abcdefg", words[] = "a b", *next;
	size_t n = 7;

	CHECK(!memcpy_s(text, 8, "xyz", 2) && !strcmp(text, "xycdefg") &&
	      memcpy_s(text, 2, "xyz", 3) == ERANGE && !text[0] && !text[1] &&
	      text[2] == 'c' && memcpy_s(text, 4, NULL, 1) == EINVAL &&
	      !text[2] && text[4] == 'e' &&
	      memcpy_s(NULL, 4, "x", 1) == EINVAL && !memcpy_s(NULL, 0, NULL, 0),
	      "memcpy_s clears what it may not fill");
	CHECK(!memmove_s(text + 1, 7, text + 4, 3) && !strcmp(text + 1, "efgefg") &&
	      memmove_s(text, 2, "abc", 3) == ERANGE && text[1] == 'e' &&
	      memmove_s(text, 2, NULL, 1) == EINVAL &&
	      !memmove_s(NULL, 0, NULL, 0), "memmove_s refuses too much");
	CHECK(wcsnlen_s(W("abc"), 2) == 2 && wcsnlen_s(W("abc"), 8) == 3 &&
	      !wcsnlen_s(NULL, 8) && strnlen_s("abc", 2) == 2 &&
	      !strnlen_s(NULL, 8), "lengths of missing texts are 0");
	CHECK(!strcmp(strtok_s(words, " ", &next), "a") &&
	      !strcmp(strtok_s(NULL, " ", &next), "b") &&
	      !strtok_s(NULL, " ", &next), "a narrow text is split into words");
	CHECK(!strcpy_s(bytes, 4, "ab") && !strcat_s(bytes, 4, "c") &&
	      !strcmp(bytes, "abc") && strcat_s(bytes, 4, "d") == ERANGE &&
	      !bytes[0] && strcpy_s(bytes, 4, NULL) == EINVAL &&
	      strcpy_s(NULL, 4, "a") == EINVAL, "narrow texts are added");
	CHECK(!mbstowcs_s(&n, buffer, 64, "a\xe2\x82\xac", _TRUNCATE) && n == 3 &&
	      is(W("a\x20ac")) && !mbstowcs_s(&n, NULL, 0, "abc", 0) && n == 4 &&
	      mbstowcs_s(&n, buffer, 2, "abc", 3) == ERANGE && !n && is(W("")) &&
	      mbstowcs_s(&n, buffer, 2, NULL, 3) == EINVAL && !n,
	      "mbstowcs_s counts the nul");
	CHECK(!wcstombs_s(&n, bytes, 64, W("a\x20ac"), _TRUNCATE) && n == 5 &&
	      !strcmp(bytes, "a\xe2\x82\xac") &&
	      !wcstombs_s(NULL, NULL, 0, W("abc"), 0) &&
	      wcstombs_s(&n, bytes, 4, W("a\x20ac"), 8) == ERANGE && !n &&
	      !bytes[0] && wcstombs_s(&n, bytes, 4, NULL, 8) == EINVAL,
	      "wcstombs_s counts the nul");
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

static HRESULT print_both(char *narrow, WCHAR *wide, const char *format, ...)
{
	va_list list, more;
	HRESULT result;

	va_start(list, format);
	va_copy(more, list);
	result = StringCchVPrintfA(narrow, 4, format, list);
	if (StringCchVPrintfW(wide, 4, W("%d%d"), more) != result)
		result = E_FAIL;
	va_end(more);
	va_end(list);
	return result;
}

/* The narrow functions of strsafe.h; each reports the end */
static void test_narrow_places(void)
{
	size_t left;
	WCHAR *wide;
	char *end;

	CHECK(StringCchPrintfExA(bytes, 6, &end, &left, 0, "%d", 12) == S_OK &&
	      end == bytes + 2 && left == 4 && !strcmp(bytes, "12") &&
	      StringCchPrintfExA(bytes, 3, &end, &left, 0, "%d", 1234) ==
	      STRSAFE_E_INSUFFICIENT_BUFFER && end == bytes + 2 && left == 1 &&
	      !strcmp(bytes, "12") &&
	      StringCchPrintfA(bytes, 0, "%d", 1) ==
	      STRSAFE_E_INVALID_PARAMETER &&
	      StringCchPrintfA(bytes, 4, "%d", 123) == S_OK &&
	      !strcmp(bytes, "123"), "a narrow end, and what is left");
	CHECK(print_both(bytes, buffer, "%d%d", 1, 23) == S_OK &&
	      !strcmp(bytes, "123") && is(W("123")) &&
	      print_both(bytes, buffer, "%d%d", 12, 34) ==
	      STRSAFE_E_INSUFFICIENT_BUFFER &&
	      !strcmp(bytes, "123") && is(W("123")),
	      "lists of arguments are printed");
	CHECK(StringCchCopyA(bytes, 4, "abcd") == STRSAFE_E_INSUFFICIENT_BUFFER &&
	      !strcmp(bytes, "abc") && StringCchCopyNA(bytes, 4, "xyz", 2) ==
	      S_OK && !strcmp(bytes, "xy") &&
	      StringCchCopyNA(bytes, 4, "x", STRSAFE_MAX_CCH + 1u) ==
	      STRSAFE_E_INVALID_PARAMETER &&
	      StringCchCopyA(NULL, 4, "x") == STRSAFE_E_INVALID_PARAMETER,
	      "narrow texts are copied as far as there is room");
	CHECK(StringCchCatNA(bytes, 4, "zuv", 1) == S_OK &&
	      !strcmp(bytes, "xyz") &&
	      StringCchCatA(bytes, 4, "a") == STRSAFE_E_INSUFFICIENT_BUFFER &&
	      !strcmp(bytes, "xyz") &&
	      StringCchCatA(NULL, 4, "a") == STRSAFE_E_INVALID_PARAMETER,
	      "narrow texts are added as far as there is room");
	CHECK(StringCchLengthA("abc", 4, &left) == S_OK && left == 3 &&
	      StringCchLengthA("abc", 3, &left) == STRSAFE_E_INVALID_PARAMETER &&
	      !left && StringCchLengthA(NULL, 3, &left) ==
	      STRSAFE_E_INVALID_PARAMETER &&
	      StringCchLengthW(NULL, 3, NULL) == STRSAFE_E_INVALID_PARAMETER,
	      "a length without a nul is refused");
	CHECK(StringCchCopyExW(buffer, 4, W("ab"), &wide, &left, 0) == S_OK &&
	      wide == buffer + 2 && left == 2 && is(W("ab")),
	      "a copy reports its end");
}

/* Format a message with inserts, which are ULONG_PTR */
static DWORD message(const WCHAR *format, ...)
{
	va_list list;
	DWORD n;

	va_start(list, format);
	n = FormatMessageW(FORMAT_MESSAGE_FROM_STRING, format, 0, 0, buffer, 64,
			   &list);
	va_end(list);
	return n;
}

#define TEN(n)		n, n, n, n, n, n, n, n, n, n
#define ZERO		((ULONG_PTR)0)
#define NUMBER(n)	((ULONG_PTR)(n))

static void test_inserts(void)
{
	char text[32];

	CHECK(message(W("a%tb%rc%bd%%%.%0"), 0) == 9 &&
	      is(W("a\tb\rc d%.")), "escapes are replaced");
	CHECK(message(W("%2!d!%1!s!"), W("x"), NUMBER(7)) == 2 && is(W("7x")),
	      "inserts have any order");
	CHECK(message(W("%99!*.*d!"), TEN(ZERO), TEN(ZERO), TEN(ZERO), TEN(ZERO),
		      TEN(ZERO), TEN(ZERO), TEN(ZERO), TEN(ZERO), TEN(ZERO),
		      ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO,
		      NUMBER(5), NUMBER(3), NUMBER(7)) == 5 && is(W("  007")),
	      "stars behind the last insert take two more");
	CHECK(!message(W("%1!"), 0) && !message(W("%1!!"), 0) &&
	      !message(W("%1!0123456789012345678901234567890d!"), 0),
	      "a malformed insert ends the message");
	CHECK(!FormatMessageA(FORMAT_MESSAGE_FROM_STRING |
			      FORMAT_MESSAGE_IGNORE_INSERTS, "abc", 0, 0, text, 3,
			      NULL) &&
	      GetLastError() == ERROR_INSUFFICIENT_BUFFER &&
	      FormatMessageA(FORMAT_MESSAGE_FROM_STRING |
			     FORMAT_MESSAGE_IGNORE_INSERTS, "abc", 0, 0, text, 4,
			     NULL) == 3 && !strcmp(text, "abc"),
	      "a message needs room for its nul");
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
	static const SYSTEMTIME midnight = { 2024, 2, 0, 9, 0, 4, 5, 67 };
	static const SYSTEMTIME late = { 2024, 2, 0, 9, 24, 4, 5, 67 };

	CHECK(GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t,
			     W("yyyy'-'MM'-'dd ddd 'd''e' MMMM yy"), buffer, 64) &&
	      is(W("2024-02-09 Fri d'e February 24")), "a date is formatted");
	CHECK(GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, NULL, 0) == 9 &&
	      GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, buffer, 64) ==
	      9 && is(W("2/9/2024")), "a date is formatted by a given picture");
	CHECK(GetTimeFormatW(LOCALE_USER_DEFAULT, 0, &t, W("HH':'mm':'ss h tt"),
			     buffer, 64) && is(W("13:04:05 1 PM")),
	      "a time is formatted");
	CHECK(GetTimeFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, buffer, 64) == 11 &&
	      is(W("1:04:05 PM")) &&
	      GetTimeFormatW(LOCALE_USER_DEFAULT, TIME_NOSECONDS, &t, NULL, buffer,
			     64) && is(W("1:04 PM")) &&
	      GetTimeFormatW(LOCALE_USER_DEFAULT, TIME_FORCE24HOURFORMAT, &t, NULL,
			     buffer, 64) && is(W("13:04:05")) &&
	      GetTimeFormatW(LOCALE_USER_DEFAULT,
			     TIME_FORCE24HOURFORMAT | TIME_NOSECONDS, &t, NULL,
			     buffer, 64) && is(W("13:04")) &&
	      GetTimeFormatW(LOCALE_USER_DEFAULT, 0, &midnight, W("hhtt"), buffer,
			     64) && is(W("12AM")),
	      "flags select the format of a time");
	CHECK(GetDateFormatW(LOCALE_USER_DEFAULT, DATE_LONGDATE, &t, NULL, buffer,
			     64) && is(W("Friday, February 9, 2024")) &&
	      GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, W("d.M.y gg"), buffer,
			     64) && is(W("9.2.24 A.D.")),
	      "flags select the format of a date");
	CHECK(GetDateFormatW(LOCALE_USER_DEFAULT, 0, NULL, NULL, NULL, 0) > 8 &&
	      GetTimeFormatW(LOCALE_USER_DEFAULT, 0, NULL, NULL, NULL, 0) > 10,
	      "the current time is the default");
	CHECK(!GetDateFormatW(LOCALE_USER_DEFAULT, DATE_LONGDATE, &t, W("d"),
			      buffer, 64) &&
	      GetLastError() == ERROR_INVALID_FLAGS &&
	      !GetDateFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, NULL, 8) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !GetTimeFormatW(LOCALE_USER_DEFAULT, 0, &t, NULL, NULL, 8) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !GetTimeFormatW(LOCALE_USER_DEFAULT, 0, &late, NULL, buffer, 64) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "wrong arguments of dates and times are refused");
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

/* Split a path; return whether its parts are these, and make the same one again */
static int parts_are(const WCHAR *path, const WCHAR *drive, const WCHAR *folder,
		     const WCHAR *name, const WCHAR *extension)
{
	WCHAR parts[4][16], whole[32];

	return !_wsplitpath_s(path, parts[0], 16, parts[1], 16, parts[2], 16,
			      parts[3], 16) &&
	       !wcscmp(parts[0], drive) && !wcscmp(parts[1], folder) &&
	       !wcscmp(parts[2], name) && !wcscmp(parts[3], extension) &&
	       !_wmakepath_s(whole, 32, parts[0], parts[1], parts[2],
			     parts[3]) && !wcscmp(whole, path);
}

static void test_parts_of_paths(void)
{
	WCHAR part[4], path[8];

	CHECK(parts_are(W("/tmp/a.b/c.d.etl"), W(""), W("/tmp/a.b/"), W("c.d"),
			W(".etl")) &&
	      parts_are(W("C:\\x\\y"), W("C:"), W("\\x\\"), W("y"), W("")) &&
	      parts_are(W("c:z"), W("c:"), W(""), W("z"), W("")) &&
	      parts_are(W("name"), W(""), W(""), W("name"), W("")) &&
	      parts_are(W("a.b/"), W(""), W("a.b/"), W(""), W("")) &&
	      parts_are(W(".rc"), W(""), W(""), W(""), W(".rc")) &&
	      parts_are(W(""), W(""), W(""), W(""), W("")),
	      "a path has parts, of which it can be made");
	CHECK(!_wsplitpath_s(W("/long/name.x"), NULL, 0, NULL, 0, NULL, 0, part,
			     4) && !wcscmp(part, W(".x")),
	      "parts that are not wanted have no buffer");
	CHECK(_wsplitpath_s(W("/a/long.x"), NULL, 0, NULL, 0, part, 4, NULL, 0) ==
	      ERANGE && !part[0], "a part that is too long is an error");
	part[0] = 'x';
	CHECK(_wsplitpath_s(W("a"), NULL, 1, NULL, 0, part, 4, NULL, 0) ==
	      EINVAL && !part[0] &&
	      _wsplitpath_s(W("a"), NULL, 0, NULL, 0, part, 0, NULL, 0) ==
	      EINVAL &&
	      _wsplitpath_s(NULL, NULL, 0, NULL, 0, NULL, 0, NULL, 0) == EINVAL,
	      "a part needs a buffer and a size");
	CHECK(!_wmakepath_s(path, 8, W("d"), W("a\\"), W("b"), W("c")) &&
	      !wcscmp(path, W("d:a\\b.c")) &&
	      !_wmakepath_s(path, 8, NULL, W("/a"), NULL, NULL) &&
	      !wcscmp(path, W("/a/")),
	      "separators are added to parts");
	CHECK(_wmakepath_s(path, 8, NULL, W("/1234"), W("x"), W("y")) ==
	      ERANGE && !path[0] &&
	      _wmakepath_s(NULL, 8, NULL, NULL, NULL, NULL) == EINVAL,
	      "a path that is too long is an error");
}

static void test_variables(void)
{
	WCHAR text[16];

	setenv("EVNT_NAME", "ab", 1);
	CHECK(ExpandEnvironmentStringsW(W("%EVNT_NAME%/%%x%"), text, 16) == 8 &&
	      !wcscmp(text, W("ab/%%x%")), "a variable is expanded, others are not");
	CHECK(ExpandEnvironmentStringsW(W("<%EVNT_NAME%>"), text, 5) == 5 &&
	      !wcscmp(text, W("<ab>")), "the text fits exactly");
	CHECK(ExpandEnvironmentStringsW(W("%EVNT_NAME%%EVNT_NAME%"), text, 1) ==
	      5, "the size that the text needs is returned");
}

/* Read a line; return whether it is @want, which is NULL at the end */
static int line_is(int size, FILE *file, const WCHAR *want)
{
	WCHAR *line = evnt16_fgetws(buffer, size, file);

	return want ? line == buffer && is(want) : !line;
}

/* Files whose names and text have characters of several bytes */
static void test_wide_files(void)
{
	char folder[] = "/tmp/evnt-crt.XXXXXX", name[64];
	FILE *file, *other;
	WCHAR path[64];

	CHECK(mkdtemp(folder) &&
	      StringCchPrintfW(path, 64, W("%hs/\x20ac"), folder) == S_OK &&
	      !_wfopen(path, W("r")) && _waccess(path, 0) == -1 &&
	      _wremove(path) == -1 &&
	      _wfopen_s(&file, path, W("r")) == ENOENT && !file &&
	      _wfullpath(buffer, NULL, 64) &&
	      _waccess(buffer, 0) == 0, "a missing file is not opened");
	file = _wfopen(path, W("wt, ccs=UTF-8"));
	CHECK(file && fputws(W("a\x20ac" "b\n\U0001d11e\xff"), file) >= 0 &&
	      !fclose(file) && !_waccess(path, 4), "wide text is written");
	snprintf(name, sizeof(name), "%s/\xe2\x82\xac", folder);
	CHECK(!fopen_s(&file, name, "rb") && fread(bytes, 1, 64, file) == 12 &&
	      !memcmp(bytes, "a\xe2\x82\xac" "b\n\xf0\x9d\x84\x9e\xc3\xbf",
		      12) && !fclose(file), "wide text is UTF-8 in a file");
	other = _wfsopen(path, W("a"), 0);
	CHECK(other && fputs("\xe2\x82x", other) >= 0 && !fclose(other),
	      "a shared file is opened");
	file = _wfopen(path, W("r"));
	CHECK(file && line_is(1, file, W("")) && line_is(3, file, W("a\x20ac")) &&
	      line_is(64, file, W("b\n")) &&
	      line_is(4, file, W("\U0001d11e\xff")) &&
	      line_is(2, file, W("\xfffd")) && line_is(3, file, W("x")),
	      "a line without room is read in parts, between characters");
	rewind(file);
	CHECK(line_is(4, file, W("a\x20ac" "b")) && line_is(2, file, W("\n")) &&
	      line_is(2, file, W("\xd834")) &&
	      line_is(64, file, W("\xff\xfffdx")) &&
	      line_is(64, file, NULL) && line_is(0, file, NULL),
	      "a pair is divided for want of room, and malformed bytes replaced");
	fclose(file);
	CHECK(!_wremove(path) && _waccess(path, 0) == -1 && !rmdir(folder) &&
	      fopen_s(&file, name, "r") == ENOENT && !file,
	      "a file is removed by its wide name");
	setenv("EVNT_CRT", "\xe2\x82\xac", 1);
	CHECK(_wgetenv(W("EVNT_CRT")) &&
	      !wcscmp(_wgetenv(W("EVNT_CRT")), W("\x20ac")) &&
	      !_wgetenv(W("EVNT_NONE")), "a variable has a wide value");
}

static void test_input(void)
{
	static const char input[] = "abc\nlonger\n\nfits\nxy";
	int ends[2], kept = dup(0);

	CHECK(!pipe(ends) && dup2(ends[0], 0) == 0 && !_kbhit() &&
	      write(ends[1], input, sizeof(input) - 1) == sizeof(input) - 1 &&
	      !close(ends[1]) && !close(ends[0]) && _kbhit(),
	      "input is pending");
	CHECK(gets_s(bytes, 64) == bytes && !strcmp(bytes, "abc") &&
	      !gets_s(bytes, 6) && !bytes[0] && gets_s(bytes, 5) && !bytes[0] &&
	      gets_s(bytes, 5) && !strcmp(bytes, "fits") && !gets_s(bytes, 0) &&
	      !gets_s(NULL, 5), "a line without room is dropped");
	printf("# ");
	CHECK(_getch() == 'x' && _getche() == 'y' && _putws(W("")) == '\n' &&
	      _getche() == EOF && !gets_s(bytes, 64), "keys are read");
	dup2(kept, 0);
	close(kept);
}

static void test_times(void)
{
	static const SYSTEMTIME noon = { 2024, 7, 0, 1, 12, 0, 0, 7 };
	static const FILETIME late = { 0, 0x80000000 };
	const time_t t = 86400 * 366 + 3661;
	SYSTEMTIME here, none = noon;
	struct tm utc, local;
	FILETIME time, moved;
	DWORD begin;

	setenv("TZ", "EST5", 1);
	tzset();
	CHECK(SystemTimeToTzSpecificLocalTime(NULL, &noon, &here) &&
	      here.wHour == 7 && here.wDay == 1 && here.wDayOfWeek == 1 &&
	      here.wMilliseconds == 7 && SystemTimeToFileTime(&noon, &time) &&
	      FileTimeToLocalFileTime(&time, &moved) &&
	      FileTimeToSystemTime(&moved, &here) && here.wHour == 7,
	      "local time has the offset of its zone");
	none.wMonth = 0;
	CHECK(!SystemTimeToTzSpecificLocalTime(NULL, &none, &here) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !FileTimeToLocalFileTime(&late, &moved) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !FileTimeToSystemTime(&late, &here) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "a time that is none is refused");
	begin = GetTickCount();
	Sleep(10);
	CHECK(GetTickCount() - begin >= 10, "a sleep takes its time");
	GetLocalTime(&here);
	CHECK(SystemTimeToFileTime(&here, &time), "the local time is a time");

	CHECK(!gmtime_s(&utc, &t) && utc.tm_year == 71 && utc.tm_mday == 2 &&
	      utc.tm_hour == 1 && utc.tm_sec == 1 && !localtime_s(&local, &t) &&
	      mktime(&local) == t, "a time is divided");
}

#if __SIZEOF_WCHAR_T__ == 2
static int print_wide(WCHAR *to, size_t size, FILE *file, const WCHAR *format,
		      ...)
{
	va_list args, more, most;
	int n, m, k;

	va_start(args, format);
	va_copy(more, args);
	va_copy(most, args);
	n = vswprintf(to, size, format, args);
	m = vfwprintf(file, format, more);
	fputs("# ", stdout);
	k = vwprintf(format, most);
	putwchar(L'\n');
	va_end(most);
	va_end(more);
	va_end(args);
	return m == k ? n : -2;
}

/* Functions of the C library, by their own names */
static void test_names(void)
{
	wchar_t text[16] = L"aXbX", *end, *copy = wcsdup(L"copy"), *next;
	FILE *file = tmpfile();
	int n = 0;

	CHECK(!wcscasecmp(L"aB", L"Ab") && wcscasecmp(L"a", L"B") < 0 &&
	      !wcsncasecmp(L"aBc", L"AbD", 2) && !wcscmp(copy, L"copy") &&
	      wcsspn(L"aabc", L"ab") == 3 && wcscspn(L"aabc", L"cx") == 3 &&
	      wmemcmp(L"ab", L"b", 1) < 0 && wmemcmp(L"b", L"ab", 1) > 0 &&
	      !wcscmp(wcspbrk(L"abc", L"cb"), L"bc") && !wcspbrk(L"a", L"x"),
	      "sets of characters are searched for");
	CHECK(!wcscmp(wcstok(text, L"X", &next), L"a") &&
	      !wcscmp(wcstok(NULL, L"X", &next), L"b") &&
	      !wcstok(NULL, L"X", &next), "a text is split by wcstok");
	wcsncpy(text, L"abc", 5);
	CHECK(!text[3] && !text[4] && !wcscmp(wcsncat(text, L"defg", 2), L"abcde") &&
	      wmemmove(text + 1, text, 4) == text + 1 &&
	      !wcscmp(text, L"aabcd"), "parts of texts are copied and moved");
	CHECK(wcstol(L"-7x", &end, 10) == -7 && *end == 'x' &&
	      wcstoll(L"-5000000007", NULL, 10) == -5000000007 &&
	      wcstoull(L"ffffffffff", NULL, 16) == 0xffffffffff &&
	      wcstod(L"2.5e1", &end) == 25 && !*end, "wide numbers are read");
	CHECK(mbstowcs(text, "a\xe2\x82\xac", 16) == 2 &&
	      !wcscmp(text, L"a\x20ac") && mbstowcs(NULL, "abc", 0) == 3 &&
	      mbstowcs(text, "xyz", 1) == 1 && !wcscmp(text, L"x\x20ac") &&
	      wcstombs(bytes, L"a\x20ac", 64) == 4 &&
	      !strcmp(bytes, "a\xe2\x82\xac") && wcstombs(NULL, L"abc", 0) == 3,
	      "text is converted");
	CHECK(print_wide(text, 16, file, L"%d %ls\n", 12, L"ab") == 6 &&
	      !wcscmp(text, L"12 ab\n") &&
	      print_wide(text, 2, file, L"%d", 34) == -1 &&
	      !wcscmp(text, L"3"), "vswprintf fails without room");
	CHECK(swprintf(text, 16, L"%d", 56) == 2 && !wcscmp(text, L"56") &&
	      swscanf(L"78", L"%d", &n) == 1 && n == 78 &&
	      fwprintf(file, L"%c|", L'\x20ac') == 4 && fputwc(L'1', file) == '1' &&
	      putwc(L'\x20ac', file) == 0x20ac && putwchar(L'\n') == '\n' &&
	      wprintf(L"# %d\n", 1) == 4, "wide text is printed");
	rewind(file);
	CHECK(fgetws(text, 16, file) == text && !wcscmp(text, L"12 ab\n") &&
	      fgetws(text, 16, file) && !wcscmp(text, L"34\x20ac|1\x20ac") &&
	      !fgetws(text, 16, file), "printed text is read");
	fclose(file);
	free(copy);
}
#endif

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

static void test_aligned_memory(void)
{
	void *page = _aligned_malloc(1, 4096), *word = _aligned_malloc(5, 1);

	CHECK(page && !((uintptr_t)page % 4096) && word,
	      "memory is aligned as requested");
	_aligned_free(page);
	_aligned_free(word);
	errno = 0;
	CHECK(!_aligned_malloc(0, 16) && errno == EINVAL,
	      "an empty block is not aligned");
	errno = 0;
	CHECK(!_aligned_malloc(16, 0) && errno == EINVAL,
	      "memory is not aligned to 0 bytes");
	errno = 0;
	CHECK(!_aligned_malloc(16, 24) && errno == EINVAL,
	      "memory is aligned to powers of two only");
}

static void test_rectangle(void)
{
	RECT r = { 1, 2, 3, 4 };

	CHECK(sizeof(r) == 16 && r.left == 1 && r.top == 2 && r.right == 3 &&
	      r.bottom == 4, "a rectangle has four numbers of 32 bits");
}

static void test_version(void)
{
	RTL_OSVERSIONINFOEXW want;
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

/* Whether the major version, 10, holds for a condition and a version */
static int version_holds(BYTE condition, DWORD major)
{
	OSVERSIONINFOEXW want;

	ZeroMemory(&want, sizeof(want));
	want.dwOSVersionInfoSize = sizeof(want);
	want.dwMajorVersion = major;
	return VerifyVersionInfoW(&want, VER_MAJORVERSION,
				  VerSetConditionMask(0, VER_MAJORVERSION,
						      condition));
}

static void test_conditions(void)
{
	CHECK(version_holds(VER_EQUAL, 10) && !version_holds(VER_EQUAL, 9) &&
	      version_holds(VER_GREATER, 9) && !version_holds(VER_GREATER, 10) &&
	      version_holds(VER_GREATER_EQUAL, 10) &&
	      !version_holds(VER_GREATER_EQUAL, 11) &&
	      version_holds(VER_LESS, 11) && !version_holds(VER_LESS, 10) &&
	      version_holds(VER_LESS_EQUAL, 10) &&
	      !version_holds(VER_LESS_EQUAL, 9), "a version has an order");
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

/* Return how a program ends by a signal that its handler passes on */
static int end_of_child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		alarm(60);
		SetConsoleCtrlHandler(passes_on, TRUE);
		raise(SIGTERM);
		for (;;)
			pause();
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void test_console(void)
{
	int status = end_of_child();

	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM,
	      "a signal that no handler handles ends the program");
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
	test_sizes();
	test_prints();
	test_numbers();
	test_words();
	test_copies();
	test_places();
	test_narrow_places();
	test_messages();
	test_inserts();
	test_dates();
	test_command_line(argc, argv);
	test_paths();
	test_parts_of_paths();
	test_variables();
	test_files();
	test_wide_files();
	test_input();
	test_times();
#if __SIZEOF_WCHAR_T__ == 2
	test_names();
#endif
	test_sids();
	test_aligned_memory();
	test_rectangle();
	test_version();
	test_conditions();
	test_console();
	return tap_end();
}
