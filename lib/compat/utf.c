// SPDX-License-Identifier: MIT
/*
 * Conversion between UTF-8 and UTF-16 of any input: MultiByteToWideChar,
 * WideCharToMultiByte.
 */
#include "compat.h"
#include "lib/base/utf.h"

/* Decode a character; the bytes of a malformed one become one character */
static uint32_t next_of_utf8(const char **from, const char *end,
			     bool *malformed)
{
	int more = evnt_utf8_more(**from);
	unsigned int bytes;
	uint32_t c = evnt_utf8_get(*from, end - *from, &bytes);

	*from += bytes;
	if (c != EVNT_UTF_BAD)
		return c;
	*malformed = true;
	for (; more > 0 && *from < end && (**from & 0xc0) == 0x80; more--)
		++*from;
	return EVNT_UTF_REPLACEMENT;
}

static uint32_t next_of_utf16(const WCHAR **from, const WCHAR *end,
			      bool *malformed)
{
	unsigned int units;
	uint32_t c = evnt_utf16_get(*from, end - *from, &units);

	*from += units;
	if (c == EVNT_UTF_BAD)
		*malformed = true;
	return evnt_utf_shown(c);
}

size_t evnt16_from_utf8(const char *from, size_t size, WCHAR *to, size_t room,
			bool *malformed)
{
	const char *end = from + size;
	unsigned int i, count;
	WCHAR units[2];
	size_t n = 0;

	*malformed = false;
	while (from < end) {
		count = evnt_utf16_put(next_of_utf8(&from, end, malformed),
				       units);
		for (i = 0; i < count; i++, n++) {
			if (n < room)
				to[n] = units[i];
		}
	}
	return n;
}

size_t evnt16_to_utf8(const WCHAR *from, size_t units, char *to, size_t room,
		      bool *malformed)
{
	const WCHAR *end = from + units;
	unsigned int i, size;
	char bytes[4];
	size_t n = 0;

	*malformed = false;
	while (from < end) {
		size = evnt_utf8_put(next_of_utf16(&from, end, malformed),
				     bytes);
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

/* Return the converted length, or 0 and the error of both functions */
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
	bool malformed;
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
	bool malformed;
	size_t n;

	if (is_wrong(page, from, from_size, to, size) || unmapped ||
	    was_unmapped)
		return fail_with(ERROR_INVALID_PARAMETER);
	n = evnt16_to_utf8(from, from_size < 0 ? evnt16_wcslen(from) + 1 :
			   (size_t)from_size, to, size, &malformed);
	return converted(n, size, malformed && (flags & WC_ERR_INVALID_CHARS));
}
