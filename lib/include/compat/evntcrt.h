/* SPDX-License-Identifier: MIT */
/*
 * What Microsoft's C library has and ours has not, or otherwise.
 *
 * Strings of WCHAR are UTF-16.  Under -fshort-wchar, wcslen() and its kin would
 * be those of the C library, for characters of four bytes: libevntcompat.a has
 * functions of these names for two, that only the program that is linked with it
 * sees.  Otherwise, the same names are chosen by the type of their argument.
 */
#ifndef EVNT_CRT_H
#define EVNT_CRT_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include <evntbase.h>

typedef int errno_t;

/* Not in the C standard, and so not always declared */
#ifndef __cplusplus
extern size_t wcsnlen(const wchar_t *text, size_t max);
#endif

EVNT_BEGIN_DECLS

/* For WCHAR, whatever that is */
size_t evnt16_wcslen(const WCHAR *text);
size_t evnt16_wcsnlen(const WCHAR *text, size_t max);
int evnt16_wcscmp(const WCHAR *a, const WCHAR *b);
int evnt16_wcsncmp(const WCHAR *a, const WCHAR *b, size_t n);
WCHAR *evnt16_wcscpy(WCHAR *to, const WCHAR *from);
WCHAR *evnt16_wcsncpy(WCHAR *to, const WCHAR *from, size_t n);
WCHAR *evnt16_wcscat(WCHAR *to, const WCHAR *from);
WCHAR *evnt16_wcschr(const WCHAR *text, WCHAR c);
WCHAR *evnt16_wcsrchr(const WCHAR *text, WCHAR c);
WCHAR *evnt16_wcsstr(const WCHAR *text, const WCHAR *part);

int _wcsicmp(const WCHAR *a, const WCHAR *b);
int _wcsnicmp(const WCHAR *a, const WCHAR *b, size_t n);
WCHAR *_wcsdup(const WCHAR *text);
errno_t wcscpy_s(WCHAR *to, size_t size, const WCHAR *from);
errno_t wcscat_s(WCHAR *to, size_t size, const WCHAR *from);
errno_t wcsncpy_s(WCHAR *to, size_t size, const WCHAR *from, size_t n);
errno_t strcpy_s(char *to, size_t size, const char *from);
errno_t strcat_s(char *to, size_t size, const char *from);
errno_t strncpy_s(char *to, size_t size, const char *from, size_t n);
errno_t memcpy_s(void *to, size_t size, const void *from, size_t n);
int sprintf_s(char *to, size_t size, const char *format, ...)
	__attribute__((__format__(__printf__, 3, 4)));
int swprintf_s(WCHAR *to, size_t size, const WCHAR *format, ...);
int _snwprintf(WCHAR *to, size_t size, const WCHAR *format, ...);
int _vsnwprintf(WCHAR *to, size_t size, const WCHAR *format, va_list args);
int evnt16_wprintf(const WCHAR *format, ...);
int evnt16_fwprintf(FILE *to, const WCHAR *format, ...);
int evnt16_vfwprintf(FILE *to, const WCHAR *format, va_list args);
int _getch(void);

EVNT_END_DECLS

#if __SIZEOF_WCHAR_T__ == 2
/* Whoever forgets libevntcompat.a is told by the linker */
EVNT_BEGIN_DECLS
extern const char evnt_wide_characters_have_16_bits;
EVNT_END_DECLS
static const char *const evnt_wide_check __attribute__((__used__)) =
	&evnt_wide_characters_have_16_bits;
#elif defined(__cplusplus)
extern "C++" {
inline size_t wcslen(const char16_t *text) { return evnt16_wcslen(text); }
inline size_t wcsnlen(const char16_t *text, size_t max)
{
	return evnt16_wcsnlen(text, max);
}
inline int wcscmp(const char16_t *a, const char16_t *b)
{
	return evnt16_wcscmp(a, b);
}
inline int wcsncmp(const char16_t *a, const char16_t *b, size_t n)
{
	return evnt16_wcsncmp(a, b, n);
}
inline char16_t *wcscpy(char16_t *to, const char16_t *from)
{
	return evnt16_wcscpy(to, from);
}
inline char16_t *wcscat(char16_t *to, const char16_t *from)
{
	return evnt16_wcscat(to, from);
}
inline const char16_t *wcschr(const char16_t *text, char16_t c)
{
	return evnt16_wcschr(text, c);
}
inline const char16_t *wcsrchr(const char16_t *text, char16_t c)
{
	return evnt16_wcsrchr(text, c);
}
inline const char16_t *wcsstr(const char16_t *text, const char16_t *part)
{
	return evnt16_wcsstr(text, part);
}
template <class... Values>
inline int wprintf(const char16_t *format, Values... values)
{
	return evnt16_wprintf(format, values...);
}
}
#else
#define EVNT_WIDE_CALL(name, text) _Generic((text), \
	char16_t *: evnt16_##name, const char16_t *: evnt16_##name, default: name)
#define wcslen(text)		EVNT_WIDE_CALL(wcslen, text)(text)
#define wcsnlen(text, max)	EVNT_WIDE_CALL(wcsnlen, text)(text, max)
#define wcscmp(a, b)		EVNT_WIDE_CALL(wcscmp, a)(a, b)
#define wcsncmp(a, b, n)	EVNT_WIDE_CALL(wcsncmp, a)(a, b, n)
#define wcscpy(to, from)	EVNT_WIDE_CALL(wcscpy, to)(to, from)
#define wcsncpy(to, from, n)	EVNT_WIDE_CALL(wcsncpy, to)(to, from, n)
#define wcscat(to, from)	EVNT_WIDE_CALL(wcscat, to)(to, from)
#define wcschr(text, c)		EVNT_WIDE_CALL(wcschr, text)(text, c)
#define wcsrchr(text, c)	EVNT_WIDE_CALL(wcsrchr, text)(text, c)
#define wcsstr(text, part)	EVNT_WIDE_CALL(wcsstr, text)(text, part)
#define wprintf(...) \
	EVNT_WIDE_CALL(wprintf, EVNT_CRT_FIRST(__VA_ARGS__, 0))(__VA_ARGS__)
#define EVNT_CRT_FIRST(first, ...)	first
#endif

#ifdef __cplusplus
/* The size of an array is known to it */
extern "C++" {
template <size_t size>
inline errno_t wcscpy_s(WCHAR (&to)[size], const WCHAR *from)
{
	return wcscpy_s(to, size, from);
}
template <size_t size>
inline errno_t strcpy_s(char (&to)[size], const char *from)
{
	return strcpy_s(to, size, from);
}
}
#endif

#define _TRUNCATE		((size_t)-1)
#define _countof(array)		(sizeof(array) / sizeof((array)[0]))
#define _stricmp		strcasecmp
#define _strnicmp		strncasecmp
#define _strdup			strdup
#define _snprintf		snprintf
#define _vsnprintf		vsnprintf
#define sscanf_s		sscanf
#define _byteswap_ushort(n)	__builtin_bswap16(n)
#define _byteswap_ulong(n)	__builtin_bswap32(n)
#define _byteswap_uint64(n)	__builtin_bswap64(n)
#define _MAX_PATH		260
#define _UI8_MAX		0xff
#define _UI16_MAX		0xffff
#define _UI32_MAX		0xffffffffu
#define _UI64_MAX		0xffffffffffffffffull

static inline unsigned int evnt_rotate_left(unsigned int value, int n)
{
	n &= 31;
	return n ? value << n | value >> (32 - n) : value;
}

static inline unsigned int evnt_rotate_right(unsigned int value, int n)
{
	return evnt_rotate_left(value, 32 - (n & 31));
}

/* clang has these built in, under -fms-extensions */
#ifndef _rotl
#define _rotl(value, n)		evnt_rotate_left(value, n)
#define _rotr(value, n)		evnt_rotate_right(value, n)
#endif

#endif /* EVNT_CRT_H */
