// SPDX-License-Identifier: MIT
/*
 * Between UTF-8 and UTF-16, whatever stands there: MultiByteToWideChar,
 * WideCharToMultiByte.
 */
#include "compat.h"

#define REPLACEMENT	0xfffd

/* How many bytes behind this one belong to it; -1: it begins nothing */
static int more_bytes(unsigned char c)
{
	if (c < 0x80)
		return 0;
	if (c >= 0xc2 && c <= 0xdf)
		return 1;
	if (c >= 0xe0 && c <= 0xef)
		return 2;
	return c >= 0xf0 && c <= 0xf4 ? 3 : -1;
}

/* The character at *@from, which moves behind it */
static ULONG next_of_utf8(const char **from, const char *end, bool *malformed)
{
	static const ULONG least[] = { 0, 0x80, 0x800, 0x10000 };
	unsigned char first = *(*from)++;
	int more = more_bytes(first), left;
	ULONG c = more > 0 ? first & (0x3f >> more) : first;

	for (left = more; left > 0; left--) {
		if (*from == end || (**from & 0xc0) != 0x80)
			break;
		c = c << 6 | (*(*from)++ & 0x3f);
	}
	if (left || c < least[more] || c > 0x10ffff || (c & ~0x7ffu) == 0xd800) {
		*malformed = true;
		return REPLACEMENT;
	}
	return c;
}

static ULONG next_of_utf16(const WCHAR **from, const WCHAR *end,
			   bool *malformed)
{
	ULONG c = *(*from)++;

	if ((c & ~0x7ffu) != 0xd800)
		return c;
	if (c >= 0xdc00 || *from == end || (**from & 0xfc00) != 0xdc00) {
		*malformed = true;
		return REPLACEMENT;
	}
	return 0x10000 + ((c & 0x3ff) << 10) + (*(*from)++ & 0x3ff);
}

static unsigned int put_utf8(unsigned char *to, ULONG c)
{
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;

	for (i = n - 1; i; i--) {
		to[i] = 0x80 | (c & 0x3f);
		c >>= 6;
	}
	to[0] = first[n] | c;
	return n;
}

size_t evnt16_from_utf8(const char *from, size_t size, WCHAR *to, size_t room,
			bool *malformed)
{
	const char *end = from + size;
	size_t n = 0;
	ULONG c;

	while (from < end) {
		c = next_of_utf8(&from, end, malformed);
		if (c >= 0x10000) {
			if (n < room)
				to[n] = 0xd7c0 + (c >> 10);
			n++;
			c = 0xdc00 | (c & 0x3ff);
		}
		if (n < room)
			to[n] = c;
		n++;
	}
	return n;
}

size_t evnt16_to_utf8(const WCHAR *from, size_t units, char *to, size_t room,
		      bool *malformed)
{
	const WCHAR *end = from + units;
	unsigned char bytes[4];
	unsigned int i, size;
	size_t n = 0;

	while (from < end) {
		size = put_utf8(bytes, next_of_utf16(&from, end, malformed));
		for (i = 0; i < size; i++, n++) {
			if (n < room)
				to[n] = bytes[i];
		}
	}
	return n;
}

WCHAR *evnt16_from_utf8_new(const char *from)
{
	size_t size = strlen(from) + 1;
	WCHAR *to = malloc(size * sizeof(*to));
	bool malformed;

	if (to)
		evnt16_from_utf8(from, size, to, size, &malformed);
	return to;
}

char *evnt16_to_utf8_new(const WCHAR *from)
{
	size_t units = evnt16_wcslen(from) + 1;
	char *to = malloc(3 * units);
	bool malformed;

	if (to)
		evnt16_to_utf8(from, units, to, 3 * units, &malformed);
	return to;
}

/* What both functions say of how much was converted */
static int converted(size_t n, int room, bool refused)
{
	if (refused)
		return fail_with(ERROR_NO_UNICODE_TRANSLATION);
	if (room && n > (size_t)room)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	return (int)n;
}

static bool is_wrong(UINT page, const void *from, int from_size, const void *to,
		     int size)
{
	return (page != CP_UTF8 && page != CP_ACP) || !from || !from_size ||
	       from_size < -1 || size < 0 || (size && !to);
}

/* https://learn.microsoft.com/windows/win32/api/stringapiset/nf-stringapiset-multibytetowidechar */
int MultiByteToWideChar(UINT page, DWORD flags, LPCSTR from, int from_size,
			LPWSTR to, int size)
{
	bool malformed = false;
	size_t n;

	if (is_wrong(page, from, from_size, to, size))
		return fail_with(ERROR_INVALID_PARAMETER);
	n = evnt16_from_utf8(from,
			     from_size < 0 ? strlen(from) + 1 : (size_t)from_size,
			     to, size, &malformed);
	return converted(n, size, malformed && (flags & MB_ERR_INVALID_CHARS));
}

/* https://learn.microsoft.com/windows/win32/api/stringapiset/nf-stringapiset-widechartomultibyte */
int WideCharToMultiByte(UINT page, DWORD flags, LPCWSTR from, int from_size,
			LPSTR to, int size, LPCSTR unmapped, LPBOOL was_unmapped)
{
	bool malformed = false;
	size_t n;

	if (is_wrong(page, from, from_size, to, size) || unmapped ||
	    was_unmapped)
		return fail_with(ERROR_INVALID_PARAMETER);
	n = evnt16_to_utf8(from, from_size < 0 ? evnt16_wcslen(from) + 1 :
			   (size_t)from_size, to, size, &malformed);
	return converted(n, size, malformed && (flags & WC_ERR_INVALID_CHARS));
}
