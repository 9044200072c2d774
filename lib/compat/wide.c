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

/* Latin letters without case; others as they are */
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

/* Copies that fail, and leave nothing, where there is no room */
errno_t wcsncpy_s(WCHAR *to, size_t size, const WCHAR *from, size_t n)
{
	size_t length;

	if (!to || !size)
		return EINVAL;
	to[0] = 0;
	if (!from)
		return EINVAL;
	length = evnt16_wcsnlen(from, n == _TRUNCATE ? size - 1 : n);
	if (length >= size)
		return ERANGE;
	memcpy(to, from, length * sizeof(*to));
	to[length] = 0;
	return 0;
}

errno_t wcscpy_s(WCHAR *to, size_t size, const WCHAR *from)
{
	return wcsncpy_s(to, size, from, SIZE_MAX - 1);
}

errno_t wcscat_s(WCHAR *to, size_t size, const WCHAR *from)
{
	size_t length = to ? evnt16_wcsnlen(to, size) : 0;
	errno_t error = wcscpy_s(to + length, size - length, from);

	if (error && to && size)
		to[0] = 0;
	return error;
}

errno_t strncpy_s(char *to, size_t size, const char *from, size_t n)
{
	size_t length;

	if (!to || !size)
		return EINVAL;
	to[0] = 0;
	if (!from)
		return EINVAL;
	length = strnlen(from, n == _TRUNCATE ? size - 1 : n);
	if (length >= size)
		return ERANGE;
	memcpy(to, from, length);
	to[length] = 0;
	return 0;
}

errno_t strcpy_s(char *to, size_t size, const char *from)
{
	return strncpy_s(to, size, from, SIZE_MAX - 1);
}

errno_t strcat_s(char *to, size_t size, const char *from)
{
	size_t length = to ? strnlen(to, size) : 0;
	errno_t error = strcpy_s(to + length, size - length, from);

	if (error && to && size)
		to[0] = 0;
	return error;
}

errno_t memcpy_s(void *to, size_t size, const void *from, size_t n)
{
	if (!n)
		return 0;
	if (!to)
		return EINVAL;
	if (!from || n > size) {
		memset(to, 0, size);
		return from ? ERANGE : EINVAL;
	}
	memcpy(to, from, n);
	return 0;
}
