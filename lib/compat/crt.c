// SPDX-License-Identifier: MIT
/*
 * Parts of Microsoft's C library: aligned memory, numbers in wide text, and
 * files by wide names.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <unistd.h>

#include "compat.h"
#include "lib/base/utf.h"

/*
 * Copy the start of a text, as far as a number may go.  Each unit becomes a
 * byte, as numbers consist of ASCII characters.
 */
#define NUMBER_MAX	511

static void narrow(const WCHAR *from, char to[NUMBER_MAX + 1])
{
	size_t i;

	for (i = 0; i < NUMBER_MAX && from[i] && from[i] < 0x80; i++)
		to[i] = from[i];
	to[i] = 0;
}

static void report_end(const WCHAR *text, WCHAR **end, const char *from,
		       const char *to)
{
	if (end)
		*end = (WCHAR *)text + (to - from);
}

void *_aligned_malloc(size_t size, size_t alignment)
{
	if (!size || !alignment || (alignment & (alignment - 1))) {
		errno = EINVAL;
		return NULL;
	}
	return aligned_alloc(alignment, size);
}

unsigned long long evnt16_wcstoull(const WCHAR *text, WCHAR **end, int base)
{
	char bytes[NUMBER_MAX + 1], *p;
	unsigned long long n;

	narrow(text, bytes);
	n = strtoull(bytes, &p, base);
	report_end(text, end, bytes, p);
	return n;
}

long long evnt16_wcstoll(const WCHAR *text, WCHAR **end, int base)
{
	char bytes[NUMBER_MAX + 1], *p;
	long long n;

	narrow(text, bytes);
	n = strtoll(bytes, &p, base);
	report_end(text, end, bytes, p);
	return n;
}

double evnt16_wcstod(const WCHAR *text, WCHAR **end)
{
	char bytes[NUMBER_MAX + 1], *p;
	double n;

	narrow(text, bytes);
	n = strtod(bytes, &p);
	report_end(text, end, bytes, p);
	return n;
}

long long _wtoi64(const WCHAR *text)
{
	return evnt16_wcstoll(text, NULL, 10);
}

int _wtoi(const WCHAR *text)
{
	long long n = _wtoi64(text);

	return n < INT_MIN ? INT_MIN : n > INT_MAX ? INT_MAX : (int)n;
}

double _wtof(const WCHAR *text)
{
	return evnt16_wcstod(text, NULL);
}

errno_t _ui64tow_s(unsigned long long value, WCHAR *to, size_t size, int radix)
{
	char digits[64];
	size_t n = 0;

	if (!to || !size || radix < 2 || radix > 36)
		return EINVAL;
	do {
		digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value %
								     radix];
		value /= radix;
	} while (value);
	to[0] = 0;
	if (n >= size)
		return ERANGE;
	while (n)
		*to++ = (unsigned char)digits[--n];
	*to = 0;
	return 0;
}

/* Only decimal numbers have a sign */
errno_t _i64tow_s(long long value, WCHAR *to, size_t size, int radix)
{
	errno_t error;

	if (value >= 0 || radix != 10)
		return _ui64tow_s(value, to, size, radix);
	if (!to || !size)
		return EINVAL;
	error = _ui64tow_s(-(unsigned long long)value, to + 1, size - 1, radix);
	to[0] = error ? 0 : '-';
	return error ? ERANGE : 0;
}

errno_t _ultow_s(unsigned int value, WCHAR *to, size_t size, int radix)
{
	return _ui64tow_s(value, to, size, radix);
}

errno_t _itow_s(int value, WCHAR *to, size_t size, int radix)
{
	if (radix != 10)
		return _ui64tow_s((unsigned int)value, to, size, radix);
	return _i64tow_s(value, to, size, radix);
}

/* Open a file, ignoring Microsoft's modes such as t and ccs=UTF-8 */
static FILE *open_file(const char *name, const char *mode)
{
	char kept[8];
	size_t n = 0;

	for (; *mode && *mode != ',' && n < sizeof(kept) - 1; mode++) {
		if (strchr("rwa+bx", *mode))
			kept[n++] = *mode;
	}
	kept[n] = 0;
	return fopen(name, kept);
}

FILE *_wfopen(const WCHAR *name, const WCHAR *mode)
{
	char *path = evnt16_to_utf8_new(name);
	char how[NUMBER_MAX + 1];
	FILE *file;

	narrow(mode, how);
	file = path ? open_file(path, how) : NULL;
	free(path);
	return file;
}

FILE *_wfsopen(const WCHAR *name, const WCHAR *mode, int share)
{
	(void)share;
	return _wfopen(name, mode);
}

errno_t _wfopen_s(FILE **file, const WCHAR *name, const WCHAR *mode)
{
	*file = _wfopen(name, mode);
	return *file ? 0 : errno;
}

errno_t fopen_s(FILE **file, const char *name, const char *mode)
{
	*file = open_file(name, mode);
	return *file ? 0 : errno;
}

int _wremove(const WCHAR *name)
{
	char *path = evnt16_to_utf8_new(name);
	int error = path ? remove(path) : -1;

	free(path);
	return error;
}

/* Modes: 0: the file exists; 2: it is writable; 4: readable; 6: both */
int _waccess(const WCHAR *name, int mode)
{
	char *path = evnt16_to_utf8_new(name);
	int error = path ? access(path, mode) : -1;

	free(path);
	return error;
}

WCHAR *_wgetenv(const WCHAR *name)
{
	/* Result of the last call in each thread, which owns it */
	static __thread WCHAR *value;
	char *bytes = evnt16_to_utf8_new(name), *text;

	text = bytes ? getenv(bytes) : NULL;
	free(bytes);
	free(value);
	value = text ? evnt16_from_utf8_new(text) : NULL;
	return value;
}

/* Remove . and .. from an absolute path, in place */
static void simplify(char *path)
{
	char *to = path, *from = path, *next;
	size_t n;

	for (; *from; from = next) {
		from++;
		next = strchrnul(from, '/');
		n = next - from;
		if (!n || (n == 1 && from[0] == '.'))
			continue;
		if (n == 2 && from[0] == '.' && from[1] == '.') {
			while (to > path && *--to != '/')
				;
			continue;
		}
		*to++ = '/';
		memmove(to, from, n);
		to += n;
	}
	if (to == path)
		*to++ = '/';
	*to = 0;
}

/* Make a path absolute, keeping symbolic links; allocated if @to is NULL */
char *_fullpath(char *to, const char *name, size_t size)
{
	char here[PATH_MAX], *path;
	int n;

	if (!name || !*name)
		name = ".";
	if (!getcwd(here, sizeof(here)))
		return NULL;
	n = *name == '/' ? asprintf(&path, "%s", name) :
			   asprintf(&path, "%s/%s", here, name);
	if (n < 0)
		return NULL;
	simplify(path);
	if (!to)
		return path;
	if (strcpy_s(to, size, path))
		to = NULL;
	free(path);
	return to;
}

WCHAR *_wfullpath(WCHAR *to, const WCHAR *name, size_t size)
{
	char *bytes = name ? evnt16_to_utf8_new(name) : NULL;
	char *path = _fullpath(NULL, bytes, 0);
	WCHAR *wide = path ? evnt16_from_utf8_new(path) : NULL;

	free(bytes);
	free(path);
	if (!to)
		return wide;
	if (!wide || wcscpy_s(to, size, wide))
		to = NULL;
	free(wide);
	return to;
}

int evnt16_fputws(const WCHAR *text, FILE *to)
{
	char *bytes = evnt16_to_utf8_new(text);
	int n = bytes ? fputs(bytes, to) : EOF;

	free(bytes);
	return n;
}

int _putws(const WCHAR *text)
{
	return evnt16_fputws(text, stdout) < 0 ? EOF : putchar('\n');
}

/* Read the bytes of a character that begins with @c, as far as they follow */
static size_t get_bytes(int c, char bytes[4], FILE *from)
{
	int n = 0, more = evnt_utf8_more(c);

	bytes[n++] = c;
	while (n <= more) {
		c = getc(from);
		if (c == EOF || (c & 0xc0) != 0x80) {
			ungetc(c, from);
			break;
		}
		bytes[n++] = c;
	}
	return n;
}

/*
 * Read a line as far as there is room for whole characters; the next call
 * returns the rest.
 */
WCHAR *evnt16_fgetws(WCHAR *to, int size, FILE *from)
{
	int c = 0, n = 0, room = size - 1;
	bool malformed;
	char bytes[4];

	if (size < 1)
		return NULL;
	while (n < room && c != '\n' && (c = getc(from)) != EOF) {
		/* A pair is divided only if there is never room for it */
		if (c >= 0xf0 && n && n == room - 1) {
			ungetc(c, from);
			break;
		}
		n += evnt16_from_utf8(bytes, get_bytes(c, bytes, from), to + n,
				      room - n, &malformed);
	}
	n = n < room ? n : room;
	to[n] = 0;
	return n || !room ? to : NULL;
}

/* Read a line without its end; a line without room is dropped */
char *gets_s(char *to, size_t size)
{
	size_t n = 0;
	int c;

	if (!to || !size)
		return NULL;
	while ((c = getchar()) != EOF && c != '\n') {
		if (n < size)
			to[n++] = c;
	}
	if (n == size || (!n && c == EOF)) {
		to[0] = 0;
		return NULL;
	}
	to[n] = 0;
	return to;
}

errno_t localtime_s(struct tm *to, const time_t *from)
{
	return localtime_r(from, to) ? 0 : EINVAL;
}

errno_t gmtime_s(struct tm *to, const time_t *from)
{
	return gmtime_r(from, to) ? 0 : EINVAL;
}
