// SPDX-License-Identifier: MIT
/*
 * Wide character functions of the C library for programs whose wide characters
 * have 16 bits.
 *
 * They are hidden, so that only objects linked with the archive use them.
 * Their C names differ from those that the linker sees, as the C library
 * declares these for characters of four bytes.
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
WCHAR *name_wcsncat(WCHAR *to, const WCHAR *s, size_t n) NAMED(wcsncat);
WCHAR *name_wcspbrk(const WCHAR *s, const WCHAR *set) NAMED(wcspbrk);
size_t name_wcsspn(const WCHAR *s, const WCHAR *set) NAMED(wcsspn);
size_t name_wcscspn(const WCHAR *s, const WCHAR *set) NAMED(wcscspn);
WCHAR *name_wcstok(WCHAR *s, const WCHAR *set, WCHAR **next) NAMED(wcstok);
unsigned long name_wcstoul(const WCHAR *s, WCHAR **end, int base)
	NAMED(wcstoul);
long name_wcstol(const WCHAR *s, WCHAR **end, int base) NAMED(wcstol);
unsigned long long name_wcstoull(const WCHAR *s, WCHAR **end, int base)
	NAMED(wcstoull);
long long name_wcstoll(const WCHAR *s, WCHAR **end, int base)
	NAMED(wcstoll);
double name_wcstod(const WCHAR *s, WCHAR **end) NAMED(wcstod);
int name_fputws(const WCHAR *s, FILE *to) NAMED(fputws);
WCHAR *name_fgetws(WCHAR *to, int size, FILE *from) NAMED(fgetws);
wint_t name_fputwc(WCHAR c, FILE *to) NAMED(fputwc);
wint_t name_putwc(WCHAR c, FILE *to) NAMED(putwc);
wint_t name_putwchar(WCHAR c) NAMED(putwchar);
size_t name_mbstowcs(WCHAR *to, const char *s, size_t n) NAMED(mbstowcs);
size_t name_wcstombs(char *to, const WCHAR *s, size_t n) NAMED(wcstombs);
int name_vwprintf(const WCHAR *format, va_list args) NAMED(vwprintf);
int name_vfwprintf(FILE *to, const WCHAR *format, va_list args)
	NAMED(vfwprintf);
int name_vswprintf(WCHAR *to, size_t size, const WCHAR *format,
		   va_list args) NAMED(vswprintf);
int name_swscanf(const WCHAR *s, const WCHAR *format, ...) NAMED(swscanf);
int name_wprintf(const WCHAR *format, ...) NAMED(wprintf);
int name_fwprintf(FILE *to, const WCHAR *format, ...) NAMED(fwprintf);
int name_swprintf(WCHAR *to, size_t size, const WCHAR *format, ...)
	NAMED(swprintf);

/* The C library's headers may redirect calls to names of a C standard */
#define ALSO_NAMED(name, other) \
	__asm__(".globl " #other "\n.hidden " #other "\n.set " #other ", " #name)

ALSO_NAMED(wcstol, __isoc23_wcstol);
ALSO_NAMED(wcstoll, __isoc23_wcstoll);
ALSO_NAMED(wcstoul, __isoc23_wcstoul);
ALSO_NAMED(wcstoull, __isoc23_wcstoull);
ALSO_NAMED(swscanf, __isoc99_swscanf);
ALSO_NAMED(swscanf, __isoc23_swscanf);

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

WCHAR *name_wcsncat(WCHAR *to, const WCHAR *s, size_t n)
{
	size_t length = evnt16_wcsnlen(s, n);
	WCHAR *end = to + evnt16_wcslen(to);

	memcpy(end, s, length * sizeof(*to));
	end[length] = 0;
	return to;
}

/* Count the leading characters that are, or are not, in a set */
static size_t span(const WCHAR *s, const WCHAR *set, bool in)
{
	size_t n = 0;

	while (s[n] && !evnt16_wcschr(set, s[n]) != in)
		n++;
	return n;
}

size_t name_wcsspn(const WCHAR *s, const WCHAR *set)
{
	return span(s, set, true);
}

size_t name_wcscspn(const WCHAR *s, const WCHAR *set)
{
	return span(s, set, false);
}

WCHAR *name_wcspbrk(const WCHAR *s, const WCHAR *set)
{
	s += span(s, set, false);
	return *s ? (WCHAR *)s : NULL;
}

WCHAR *name_wcstok(WCHAR *s, const WCHAR *set, WCHAR **next)
{
	return wcstok_s(s, set, next);
}

unsigned long name_wcstoul(const WCHAR *s, WCHAR **end, int base)
{
	return evnt16_wcstoull(s, end, base);
}

long name_wcstol(const WCHAR *s, WCHAR **end, int base)
{
	return evnt16_wcstoll(s, end, base);
}

unsigned long long name_wcstoull(const WCHAR *s, WCHAR **end, int base)
{
	return evnt16_wcstoull(s, end, base);
}

long long name_wcstoll(const WCHAR *s, WCHAR **end, int base)
{
	return evnt16_wcstoll(s, end, base);
}

double name_wcstod(const WCHAR *s, WCHAR **end)
{
	return evnt16_wcstod(s, end);
}

int name_fputws(const WCHAR *s, FILE *to)
{
	return evnt16_fputws(s, to);
}

WCHAR *name_fgetws(WCHAR *to, int size, FILE *from)
{
	return evnt16_fgetws(to, size, from);
}

wint_t name_fputwc(WCHAR c, FILE *to)
{
	WCHAR text[] = { c, 0 };

	return evnt16_fputws(text, to) < 0 ? WEOF : c;
}

wint_t name_putwc(WCHAR c, FILE *to)
{
	return name_fputwc(c, to);
}

wint_t name_putwchar(WCHAR c)
{
	return name_fputwc(c, stdout);
}

/* Convert up to @n units, with a nul if it fits; return the count before it */
size_t name_mbstowcs(WCHAR *to, const char *s, size_t n)
{
	bool malformed = false;
	size_t units = evnt16_from_utf8(s, strlen(s), to, to ? n : 0,
					&malformed);

	if (to && units < n)
		to[units] = 0;
	return to && units > n ? n : units;
}

size_t name_wcstombs(char *to, const WCHAR *s, size_t n)
{
	bool malformed = false;
	size_t bytes = evnt16_to_utf8(s, evnt16_wcslen(s), to, to ? n : 0,
				      &malformed);

	if (to && bytes < n)
		to[bytes] = 0;
	return to && bytes > n ? n : bytes;
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

	/* As required by the C standard, text that does not fit is an error */
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

int name_swscanf(const WCHAR *s, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_scan(s, format, false, args);
	va_end(args);
	return n;
}
