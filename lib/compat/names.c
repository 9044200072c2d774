// SPDX-License-Identifier: MIT
/*
 * Functions of the C library for wide characters, for programs whose wide
 * characters have 16 bits.
 *
 * They are hidden: whoever is linked with the archive has them, and nobody else.
 * Here they have other names than for the linker, as the C library declares these
 * for characters of four bytes.
 */
#include "compat.h"

const char evnt_wide_characters_have_16_bits = 1;

#define NAMED(name) \
	__asm__(#name) __attribute__((__visibility__("hidden")))

size_t name_wcslen(const WCHAR *s) NAMED(wcslen);
size_t name_wcsnlen(const WCHAR *s, size_t n) NAMED(wcsnlen);
int name_wcscmp(const WCHAR *a, const WCHAR *b) NAMED(wcscmp);
int name_wcsncmp(const WCHAR *a, const WCHAR *b, size_t n) NAMED(wcsncmp);
int name_wcscasecmp(const WCHAR *a, const WCHAR *b) NAMED(wcscasecmp);
int name_wcsncasecmp(const WCHAR *a, const WCHAR *b, size_t n)
	NAMED(wcsncasecmp);
WCHAR *name_wcscpy(WCHAR *to, const WCHAR *s) NAMED(wcscpy);
WCHAR *name_wcsncpy(WCHAR *to, const WCHAR *s, size_t n) NAMED(wcsncpy);
WCHAR *name_wcscat(WCHAR *to, const WCHAR *s) NAMED(wcscat);
WCHAR *name_wcschr(const WCHAR *s, WCHAR c) NAMED(wcschr);
WCHAR *name_wcsrchr(const WCHAR *s, WCHAR c) NAMED(wcsrchr);
WCHAR *name_wcsstr(const WCHAR *s, const WCHAR *part) NAMED(wcsstr);
WCHAR *name_wcsdup(const WCHAR *s) NAMED(wcsdup);
WCHAR *name_wmemcpy(WCHAR *to, const WCHAR *s, size_t n) NAMED(wmemcpy);
WCHAR *name_wmemmove(WCHAR *to, const WCHAR *s, size_t n) NAMED(wmemmove);
int name_wmemcmp(const WCHAR *a, const WCHAR *b, size_t n) NAMED(wmemcmp);
WCHAR *name_wmemchr(const WCHAR *s, WCHAR c, size_t n) NAMED(wmemchr);
WCHAR *name_wmemset(WCHAR *to, WCHAR c, size_t n) NAMED(wmemset);
int name_vwprintf(const WCHAR *format, va_list args) NAMED(vwprintf);
int name_vfwprintf(FILE *to, const WCHAR *format, va_list args)
	NAMED(vfwprintf);
int name_vswprintf(WCHAR *to, size_t size, const WCHAR *format,
		   va_list args) NAMED(vswprintf);
int name_wprintf(const WCHAR *format, ...) NAMED(wprintf);
int name_fwprintf(FILE *to, const WCHAR *format, ...) NAMED(fwprintf);
int name_swprintf(WCHAR *to, size_t size, const WCHAR *format, ...)
	NAMED(swprintf);

size_t name_wcslen(const WCHAR *s)
{
	return evnt16_wcslen(s);
}

size_t name_wcsnlen(const WCHAR *s, size_t n)
{
	return evnt16_wcsnlen(s, n);
}

int name_wcscmp(const WCHAR *a, const WCHAR *b)
{
	return evnt16_wcscmp(a, b);
}

int name_wcsncmp(const WCHAR *a, const WCHAR *b, size_t n)
{
	return evnt16_wcsncmp(a, b, n);
}

int name_wcscasecmp(const WCHAR *a, const WCHAR *b)
{
	return _wcsicmp(a, b);
}

int name_wcsncasecmp(const WCHAR *a, const WCHAR *b, size_t n)
{
	return _wcsnicmp(a, b, n);
}

WCHAR *name_wcscpy(WCHAR *to, const WCHAR *s)
{
	return evnt16_wcscpy(to, s);
}

WCHAR *name_wcsncpy(WCHAR *to, const WCHAR *s, size_t n)
{
	return evnt16_wcsncpy(to, s, n);
}

WCHAR *name_wcscat(WCHAR *to, const WCHAR *s)
{
	return evnt16_wcscat(to, s);
}

WCHAR *name_wcschr(const WCHAR *s, WCHAR c)
{
	return evnt16_wcschr(s, c);
}

WCHAR *name_wcsrchr(const WCHAR *s, WCHAR c)
{
	return evnt16_wcsrchr(s, c);
}

WCHAR *name_wcsstr(const WCHAR *s, const WCHAR *part)
{
	return evnt16_wcsstr(s, part);
}

WCHAR *name_wcsdup(const WCHAR *s)
{
	return _wcsdup(s);
}

WCHAR *name_wmemcpy(WCHAR *to, const WCHAR *s, size_t n)
{
	return memcpy(to, s, n * sizeof(*to));
}

WCHAR *name_wmemmove(WCHAR *to, const WCHAR *s, size_t n)
{
	return memmove(to, s, n * sizeof(*to));
}

int name_wmemcmp(const WCHAR *a, const WCHAR *b, size_t n)
{
	for (; n && *a == *b; n--, a++, b++)
		;
	return n ? (*a < *b ? -1 : 1) : 0;
}

WCHAR *name_wmemchr(const WCHAR *s, WCHAR c, size_t n)
{
	for (; n; n--, s++) {
		if (*s == c)
			return (WCHAR *)s;
	}
	return NULL;
}

WCHAR *name_wmemset(WCHAR *to, WCHAR c, size_t n)
{
	while (n)
		to[--n] = c;
	return to;
}

int name_vwprintf(const WCHAR *format, va_list args)
{
	return evnt16_vfwprintf(stdout, format, args);
}

int name_vfwprintf(FILE *to, const WCHAR *format, va_list args)
{
	return evnt16_vfwprintf(to, format, args);
}

int name_vswprintf(WCHAR *to, size_t size, const WCHAR *format,
		   va_list args)
{
	int n = _vsnwprintf(to, size, format, args);

	/* As the C standard has it: with a nul, or an error */
	if (n >= 0 && (size_t)n < size)
		return n;
	if (size)
		to[size - 1] = 0;
	return -1;
}

int name_wprintf(const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_vfwprintf(stdout, format, args);
	va_end(args);
	return n;
}

int name_fwprintf(FILE *to, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_vfwprintf(to, format, args);
	va_end(args);
	return n;
}

int name_swprintf(WCHAR *to, size_t size, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = name_vswprintf(to, size, format, args);
	va_end(args);
	return n;
}
