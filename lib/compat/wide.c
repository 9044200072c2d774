// SPDX-License-Identifier: MIT
/*
 * Strings of 16-bit characters.
 */
#include <ctype.h>

#include "compat.h"

#undef wcslen

size_t evnt16_wcsnlen(const WCHAR *text, size_t max)
{
	size_t n = 0;

	while (n < max && text[n])
		n++;
	return n;
}

size_t evnt16_wcslen(const WCHAR *text)
{
	return evnt16_wcsnlen(text, SIZE_MAX);
}

int evnt16_wcsncmp(const WCHAR *a, const WCHAR *b, size_t n)
{
	for (; n; n--, a++, b++) {
		if (*a != *b)
			return *a < *b ? -1 : 1;
		if (!*a)
			break;
	}
	return 0;
}

int evnt16_wcscmp(const WCHAR *a, const WCHAR *b)
{
	return evnt16_wcsncmp(a, b, SIZE_MAX);
}

WCHAR *evnt16_wcscpy(WCHAR *to, const WCHAR *from)
{
	memmove(to, from, (evnt16_wcslen(from) + 1) * sizeof(*to));
	return to;
}

WCHAR *evnt16_wcsncpy(WCHAR *to, const WCHAR *from, size_t n)
{
	size_t length = evnt16_wcsnlen(from, n);

	memcpy(to, from, length * sizeof(*to));
	memset(to + length, 0, (n - length) * sizeof(*to));
	return to;
}

WCHAR *evnt16_wcscat(WCHAR *to, const WCHAR *from)
{
	evnt16_wcscpy(to + evnt16_wcslen(to), from);
	return to;
}

WCHAR *evnt16_wcschr(const WCHAR *text, WCHAR c)
{
	for (;; text++) {
		if (*text == c)
			return (WCHAR *)text;
		if (!*text)
			return NULL;
	}
}

WCHAR *evnt16_wcsrchr(const WCHAR *text, WCHAR c)
{
	const WCHAR *p = text + evnt16_wcslen(text);

	for (;; p--) {
		if (*p == c)
			return (WCHAR *)p;
		if (p == text)
			return NULL;
	}
}

WCHAR *evnt16_wcsstr(const WCHAR *text, const WCHAR *part)
{
	size_t n = evnt16_wcslen(part);

	for (; evnt16_wcsncmp(text, part, n); text++) {
		if (!*text)
			return NULL;
	}
	return (WCHAR *)text;
}

/* Convert ASCII letters to lower case; other characters stay unchanged */
static WCHAR lower(WCHAR c)
{
	return c < 0x80 ? tolower(c) : c;
}

int _wcsnicmp(const WCHAR *a, const WCHAR *b, size_t n)
{
	for (; n; n--, a++, b++) {
		if (lower(*a) != lower(*b))
			return lower(*a) < lower(*b) ? -1 : 1;
		if (!*a)
			break;
	}
	return 0;
}

int _wcsicmp(const WCHAR *a, const WCHAR *b)
{
	return _wcsnicmp(a, b, SIZE_MAX);
}

WCHAR *_wcsdup(const WCHAR *text)
{
	size_t size = (evnt16_wcslen(text) + 1) * sizeof(*text);
	WCHAR *copy = malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

int lstrlenW(LPCWSTR text)
{
	return text ? (int)evnt16_wcslen(text) : 0;
}

int lstrlenA(LPCSTR text)
{
	return text ? (int)strlen(text) : 0;
}

WCHAR *wcstok_s(WCHAR *text, const WCHAR *separators, WCHAR **next)
{
	WCHAR *end;

	text = text ? text : *next;
	while (text && *text && evnt16_wcschr(separators, *text))
		text++;
	if (!text || !*text) {
		*next = NULL;
		return NULL;
	}
	for (end = text; *end && !evnt16_wcschr(separators, *end); end++)
		;
	*next = *end ? end + 1 : NULL;
	*end = 0;
	return text;
}

WCHAR *_wcslwr(WCHAR *text)
{
	WCHAR *p;

	for (p = text; *p; p++)
		*p = lower(*p);
	return text;
}

WCHAR *_wcsupr(WCHAR *text)
{
	WCHAR *p;

	for (p = text; *p; p++)
		*p = *p < 0x80 ? toupper(*p) : *p;
	return text;
}

char *_strlwr(char *text)
{
	char *p;

	for (p = text; *p; p++)
		*p = tolower((unsigned char)*p);
	return text;
}

char *_strupr(char *text)
{
	char *p;

	for (p = text; *p; p++)
		*p = toupper((unsigned char)*p);
	return text;
}
