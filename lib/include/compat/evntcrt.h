/* SPDX-License-Identifier: MIT */
/*
 * Functions of Microsoft's C library that the C library of Linux lacks, or
 * implements differently.
 *
 * Strings of WCHAR are UTF-16.  Under -fshort-wchar, wcslen() and similar
 * functions would be the C library's, for characters of four bytes.
 * libevntcompat.a defines functions of the same names for two bytes, visible
 * only to the program that is linked with it.  Without -fshort-wchar, the
 * argument's type selects the function.
 */
#ifndef EVNT_CRT_H
#define EVNT_CRT_H

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#include <evntbase.h>

typedef int errno_t;

/* Not declared by all C libraries, as it is not in the C standard */
#ifndef __cplusplus
extern size_t wcsnlen(const wchar_t *text, size_t max);
#endif

EVNT_BEGIN_DECLS

/* Functions for WCHAR, whatever type that is */
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
errno_t memmove_s(void *to, size_t size, const void *from, size_t n);
errno_t wcsncat_s(WCHAR *to, size_t size, const WCHAR *from, size_t n);
errno_t strncat_s(char *to, size_t size, const char *from, size_t n);
size_t wcsnlen_s(const WCHAR *text, size_t max);
size_t strnlen_s(const char *text, size_t max);
WCHAR *wcstok_s(WCHAR *text, const WCHAR *separators, WCHAR **next);
char *strtok_s(char *text, const char *separators, char **next);
WCHAR *_wcslwr(WCHAR *text);
WCHAR *_wcsupr(WCHAR *text);
char *_strlwr(char *text);
char *_strupr(char *text);
errno_t _wcslwr_s(WCHAR *text, size_t size);
errno_t _wcsupr_s(WCHAR *text, size_t size);
errno_t mbstowcs_s(size_t *count, WCHAR *to, size_t size, const char *from,
		   size_t max);
errno_t wcstombs_s(size_t *count, char *to, size_t size, const WCHAR *from,
		   size_t max);

/* Wide text and numbers: converted by the C library, for Latin characters */
unsigned long long evnt16_wcstoull(const WCHAR *text, WCHAR **end, int base);
long long evnt16_wcstoll(const WCHAR *text, WCHAR **end, int base);
double evnt16_wcstod(const WCHAR *text, WCHAR **end);
int _wtoi(const WCHAR *text);
long long _wtoi64(const WCHAR *text);
double _wtof(const WCHAR *text);
errno_t _ultow_s(unsigned int value, WCHAR *to, size_t size, int radix);
errno_t _itow_s(int value, WCHAR *to, size_t size, int radix);
errno_t _ui64tow_s(unsigned long long value, WCHAR *to, size_t size, int radix);
errno_t _i64tow_s(long long value, WCHAR *to, size_t size, int radix);

/* Files, whose names are converted to UTF-8 */
FILE *_wfopen(const WCHAR *name, const WCHAR *mode);
FILE *_wfsopen(const WCHAR *name, const WCHAR *mode, int share);
errno_t _wfopen_s(FILE **file, const WCHAR *name, const WCHAR *mode);
errno_t fopen_s(FILE **file, const char *name, const char *mode);
int _wremove(const WCHAR *name);
int _waccess(const WCHAR *name, int mode);
char *_fullpath(char *to, const char *name, size_t size);
WCHAR *_wfullpath(WCHAR *to, const WCHAR *name, size_t size);
WCHAR *_wgetenv(const WCHAR *name);
#define _MAX_PATH	260
#define _MAX_DRIVE	3
#define _MAX_DIR	256
#define _MAX_FNAME	256
#define _MAX_EXT	256
errno_t _wsplitpath_s(const WCHAR *path, WCHAR *drive, size_t drive_size,
		      WCHAR *folder, size_t folder_size,
		      WCHAR *name, size_t name_size,
		      WCHAR *extension, size_t extension_size);
errno_t _wmakepath_s(WCHAR *to, size_t size, const WCHAR *drive,
		     const WCHAR *folder, const WCHAR *name,
		     const WCHAR *extension);
int evnt16_fputws(const WCHAR *text, FILE *to);
WCHAR *evnt16_fgetws(WCHAR *to, int size, FILE *from);
int _putws(const WCHAR *text);
char *gets_s(char *to, size_t size);
void *_aligned_malloc(size_t size, size_t alignment);
#define _aligned_free		free
errno_t localtime_s(struct tm *to, const time_t *from);
errno_t gmtime_s(struct tm *to, const time_t *from);
typedef time_t __time64_t;
#define _localtime64_s		localtime_s
#define _gmtime64_s		gmtime_s

/*
 * Formatted output and input with Microsoft's formats: %lu has 32 bits, %I64u
 * has 64, %S is a string of the other width.
 */
int evnt_printf(const char *format, ...);
int evnt_fprintf(FILE *to, const char *format, ...);
int evnt_sprintf(char *to, const char *format, ...);
int evnt_snprintf(char *to, size_t size, const char *format, ...);
int evnt_vprintf(const char *format, va_list args);
int evnt_vfprintf(FILE *to, const char *format, va_list args);
int evnt_vsprintf(char *to, const char *format, va_list args);
int evnt_vsnprintf(char *to, size_t size, const char *format, va_list args);
int _snprintf(char *to, size_t size, const char *format, ...);
int _vsnprintf(char *to, size_t size, const char *format, va_list args);
int sprintf_s(char *to, size_t size, const char *format, ...);
int vsprintf_s(char *to, size_t size, const char *format, va_list args);
int _snprintf_s(char *to, size_t size, size_t max, const char *format, ...);
int _vsnprintf_s(char *to, size_t size, size_t max, const char *format,
		 va_list args);
int _scprintf(const char *format, ...);
int _vscprintf(const char *format, va_list args);
int swprintf_s(WCHAR *to, size_t size, const WCHAR *format, ...);
int vswprintf_s(WCHAR *to, size_t size, const WCHAR *format, va_list args);
int _snwprintf(WCHAR *to, size_t size, const WCHAR *format, ...);
int _vsnwprintf(WCHAR *to, size_t size, const WCHAR *format, va_list args);
int _snwprintf_s(WCHAR *to, size_t size, size_t max, const WCHAR *format, ...);
int _vsnwprintf_s(WCHAR *to, size_t size, size_t max, const WCHAR *format,
		  va_list args);
int _scwprintf(const WCHAR *format, ...);
int _vscwprintf(const WCHAR *format, va_list args);
int evnt16_wprintf(const WCHAR *format, ...);
int evnt16_fwprintf(FILE *to, const WCHAR *format, ...);
int evnt16_vfwprintf(FILE *to, const WCHAR *format, va_list args);
int evnt_sscanf(const char *text, const char *format, ...);
int evnt_sscanf_s(const char *text, const char *format, ...);
int evnt16_swscanf(const WCHAR *text, const WCHAR *format, ...);
int swscanf_s(const WCHAR *text, const WCHAR *format, ...);
int _getch(void);
int _getche(void);
int _kbhit(void);

EVNT_END_DECLS

#if __SIZEOF_WCHAR_T__ == 2
/* Make the linker fail for a program that is not linked with libevntcompat.a */
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
inline unsigned long wcstoul(const char16_t *text, char16_t **end, int base)
{
	return evnt16_wcstoull(text, end, base);
}
inline int fputws(const char16_t *text, FILE *to)
{
	return evnt16_fputws(text, to);
}
template <class... Values>
inline int wprintf(const char16_t *format, Values... values)
{
	return evnt16_wprintf(format, values...);
}
template <class... Values>
inline int fwprintf(FILE *to, const char16_t *format, Values... values)
{
	return evnt16_fwprintf(to, format, values...);
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
#define wcstoul(text, end, base) _Generic((text), \
	char16_t *: evnt16_wcstoull, const char16_t *: evnt16_wcstoull, \
	default: wcstoul)(text, end, base)
#define fputws(text, to)	EVNT_WIDE_CALL(fputws, text)(text, to)
#define wprintf(...) \
	EVNT_WIDE_CALL(wprintf, EVNT_CRT_FIRST(__VA_ARGS__, 0))(__VA_ARGS__)
#define EVNT_CRT_FIRST(first, ...)	first
#endif

#ifdef __cplusplus
/* Overloads that deduce the size of an array */
extern "C++" {
template <size_t size>
inline errno_t wcscat_s(WCHAR (&to)[size], const WCHAR *from)
{
	return wcscat_s(to, size, from);
}
template <size_t size>
inline errno_t strcat_s(char (&to)[size], const char *from)
{
	return strcat_s(to, size, from);
}
template <size_t size>
inline errno_t wcsncpy_s(WCHAR (&to)[size], const WCHAR *from, size_t n)
{
	return wcsncpy_s(to, size, from, n);
}
template <size_t size>
inline errno_t strncpy_s(char (&to)[size], const char *from, size_t n)
{
	return strncpy_s(to, size, from, n);
}
template <size_t size>
inline errno_t _wmakepath_s(WCHAR (&to)[size], const WCHAR *drive,
			    const WCHAR *folder, const WCHAR *name,
			    const WCHAR *extension)
{
	return _wmakepath_s(to, size, drive, folder, name, extension);
}
template <size_t size>
inline char *gets_s(char (&to)[size])
{
	return gets_s(to, size);
}
template <size_t size, class... Values>
inline int sprintf_s(char (&to)[size], const char *format, Values... values)
{
	return sprintf_s(to, size, format, values...);
}
template <size_t size, class... Values>
inline int swprintf_s(WCHAR (&to)[size], const WCHAR *format, Values... values)
{
	return swprintf_s(to, size, format, values...);
}
template <size_t size, class... Values>
inline int _snprintf_s(char (&to)[size], size_t max, const char *format,
		       Values... values)
{
	return _snprintf_s(to, size, max, format, values...);
}
template <size_t size, class... Values>
inline int _snwprintf_s(WCHAR (&to)[size], size_t max, const WCHAR *format,
			Values... values)
{
	return _snwprintf_s(to, size, max, format, values...);
}
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
#define _fileno			fileno
#define _getwch			_getch
#define _putch			putchar
#define _wtol			_wtoi
#define _atoi64			atoll
#define _strtoi64		strtoll
#define _strtoui64		strtoull
#define _wcstoi64		evnt16_wcstoll
#define _wcstoui64		evnt16_wcstoull
#define printf_s		printf
#define fprintf_s		fprintf
#define wprintf_s		wprintf
#define fwprintf_s		fwprintf
#define sscanf_s		evnt_sscanf_s
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

/* Built into clang under -fms-extensions */
#ifndef _rotl
#define _rotl(value, n)		evnt_rotate_left(value, n)
#define _rotr(value, n)		evnt_rotate_right(value, n)
#endif

/*
 * Function-like macros affect calls only: names of attributes and pointers to
 * functions still refer to the C library.  C++ libraries that print by these
 * names must be included before this header.
 */
#ifndef EVNT_SELF_FORMATS
#define printf(...)		evnt_printf(__VA_ARGS__)
#define fprintf(...)		evnt_fprintf(__VA_ARGS__)
#define sprintf(...)		evnt_sprintf(__VA_ARGS__)
#define snprintf(...)		evnt_snprintf(__VA_ARGS__)
#define vprintf(...)		evnt_vprintf(__VA_ARGS__)
#define vfprintf(...)		evnt_vfprintf(__VA_ARGS__)
#define vsprintf(...)		evnt_vsprintf(__VA_ARGS__)
#define vsnprintf(...)		evnt_vsnprintf(__VA_ARGS__)
#define sscanf(...)		evnt_sscanf(__VA_ARGS__)
#ifdef __cplusplus
extern "C++" {
namespace std {
using ::evnt_fprintf;
using ::evnt_printf;
using ::evnt_snprintf;
using ::evnt_sprintf;
using ::evnt_sscanf;
using ::evnt_vfprintf;
using ::evnt_vprintf;
using ::evnt_vsnprintf;
using ::evnt_vsprintf;
}
}
#endif

/* The length modifier l has 32 bits in these formats */
#undef PRId64
#undef PRIi64
#undef PRIo64
#undef PRIu64
#undef PRIx64
#undef PRIX64
#define PRId64			"lld"
#define PRIi64			"lli"
#define PRIo64			"llo"
#define PRIu64			"llu"
#define PRIx64			"llx"
#define PRIX64			"llX"
#undef PRIdPTR
#undef PRIuPTR
#undef PRIxPTR
#undef PRIXPTR
#define PRIdPTR			"lld"
#define PRIuPTR			"llu"
#define PRIxPTR			"llx"
#define PRIXPTR			"llX"
#undef PRIdMAX
#undef PRIuMAX
#undef PRIxMAX
#define PRIdMAX			"lld"
#define PRIuMAX			"llu"
#define PRIxMAX			"llx"
#undef SCNd64
#undef SCNi64
#undef SCNu64
#undef SCNx64
#define SCNd64			"lld"
#define SCNi64			"lli"
#define SCNu64			"llu"
#define SCNx64			"llx"
#endif

/* Limits of LONG and ULONG, the types that programs from Windows mean */
#undef LONG_MIN
#undef LONG_MAX
#undef ULONG_MAX
#define LONG_MIN		(-2147483647 - 1)
#define LONG_MAX		2147483647
#define ULONG_MAX		0xffffffffu

#endif /* EVNT_CRT_H */
