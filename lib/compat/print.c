// SPDX-License-Identifier: MIT
/*
 * Formats of Microsoft's wide functions: %s is a wide string, %S and %hs a narrow
 * one, %c likewise; l is 32 bits, ll and I64 are 64, I is a pointer's.
 *
 * All is put together in UTF-8; numbers by the C library.
 */
#define _GNU_SOURCE
#include <termios.h>

#include "compat.h"
#include <strsafe.h>

#undef wprintf

/* One conversion: its flags, width and precision, as text; its size */
struct spec {
	char text[64];
	size_t len;
	int precision;		/* -1: none */
	char size;		/* h, l, L for 64 bits, or 0 */
};

static void spec_add(struct spec *s, char c)
{
	if (s->len < sizeof(s->text) - 8)
		s->text[s->len++] = c;
}

static void spec_number(struct spec *s, int n)
{
	char text[16], *p = text;

	snprintf(text, sizeof(text), "%d", n);
	while (*p)
		spec_add(s, *p++);
}

/* Digits, or a star */
static const WCHAR *read_number(const WCHAR *f, va_list *args, int *value)
{
	*value = 0;
	if (*f == '*') {
		*value = va_arg(*args, int);
		return f + 1;
	}
	for (; *f >= '0' && *f <= '9'; f++)
		*value = *value < 10000 ? *value * 10 + *f - '0' : *value;
	return f;
}

static const WCHAR *read_size(const WCHAR *f, struct spec *s)
{
	for (;; f++) {
		switch (*f) {
		case 'h':
			s->size = 'h';
			break;
		case 'l':
			s->size = s->size == 'l' ? 'L' : 'l';
			break;
		case 'w':
			s->size = 'l';
			break;
		case 'z': case 'j': case 't':
			s->size = 'L';
			break;
		case 'I':
			s->size = 'L';
			if (f[1] == '3' && f[2] == '2')
				s->size = 'l';
			if ((f[1] == '3' && f[2] == '2') ||
			    (f[1] == '6' && f[2] == '4'))
				f += 2;
			break;
		default:
			return f;
		}
	}
}

static const WCHAR *read_spec(const WCHAR *f, va_list *args, struct spec *s)
{
	int n;

	*s = (struct spec) { .text = "%", .len = 1, .precision = -1 };
	while (*f && strchr("-+ #0", *f) && *f < 0x80)
		spec_add(s, *f++);
	if (*f == '*' || (*f >= '0' && *f <= '9')) {
		f = read_number(f, args, &n);
		spec_number(s, n);
	}
	if (*f == '.') {
		f = read_number(f + 1, args, &s->precision);
		spec_add(s, '.');
		spec_number(s, s->precision);
	}
	return read_size(f, s);
}

/* Append what the C library makes of one argument */
#define PRINT(out, s, suffix, value) do { \
	snprintf((s)->text + (s)->len, sizeof((s)->text) - (s)->len, "%s", \
		 suffix); \
	fprintf(out, (s)->text, value); \
} while (0)

static void print_integer(FILE *out, struct spec *s, char type, va_list *args)
{
	char suffix[4] = { type };

	if (s->size == 'L') {
		snprintf(suffix, sizeof(suffix), "ll%c", type);
		PRINT(out, s, suffix, va_arg(*args, long long));
	} else if (s->size == 'h') {
		snprintf(suffix, sizeof(suffix), "h%c", type);
		PRINT(out, s, suffix, va_arg(*args, int));
	} else {
		PRINT(out, s, suffix, va_arg(*args, int));
	}
}

/* The precision counts characters of the string as it was given */
static void print_string(FILE *out, struct spec *s, bool wide, va_list *args)
{
	size_t max = s->precision < 0 ? SIZE_MAX : (size_t)s->precision, n;
	const void *text = va_arg(*args, const void *);
	char *dot = memchr(s->text, '.', s->len), *bytes = NULL;
	bool malformed;

	if (dot)
		s->len = dot - s->text;
	if (!text || !wide) {
		text = text ? text : "(null)";
		bytes = strndup(text, max);
	} else {
		n = evnt16_wcsnlen(text, max);
		bytes = calloc(3, n + 1);
		if (bytes)
			evnt16_to_utf8(text, n, bytes, 3 * n, &malformed);
	}
	if (bytes)
		PRINT(out, s, "s", bytes);
	free(bytes);
}

static void print_character(FILE *out, struct spec *s, bool wide, va_list *args)
{
	WCHAR c = va_arg(*args, int);
	char bytes[4] = { 0 };
	bool malformed;

	if (wide)
		evnt16_to_utf8(&c, 1, bytes, 3, &malformed);
	else
		bytes[0] = c;
	PRINT(out, s, "s", bytes);
}

static void print_spec(FILE *out, struct spec *s, WCHAR type, va_list *args)
{
	char suffix[2] = { type };

	switch (type) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
		print_integer(out, s, type, args);
		break;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
		PRINT(out, s, suffix, va_arg(*args, double));
		break;
	case 's':
		print_string(out, s, s->size != 'h', args);
		break;
	case 'S':
		print_string(out, s, s->size == 'l', args);
		break;
	case 'c':
		print_character(out, s, s->size != 'h', args);
		break;
	case 'C':
		print_character(out, s, s->size == 'l', args);
		break;
	case 'p':
		fprintf(out, "%016llX", va_arg(*args, unsigned long long));
		break;
	case '%':
		fputc('%', out);
		break;
	}
}

/* Up to a percent sign, or the end */
static const WCHAR *print_plain(FILE *out, const WCHAR *f)
{
	const WCHAR *from = f;
	char bytes[96];
	bool malformed;
	size_t n;

	while (*f && *f != '%' && f - from < 31)
		f++;
	/* Not between the two of a pair */
	if (f - from == 31 && (f[-1] & 0xfc00) == 0xd800)
		f--;
	n = evnt16_to_utf8(from, f - from, bytes, sizeof(bytes), &malformed);
	fwrite(bytes, 1, n, out);
	return f;
}

char *evnt16_format(const WCHAR *format, va_list args)
{
	char *text = NULL;
	struct spec s;
	va_list copy;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	va_copy(copy, args);
	while (*format) {
		if (*format != '%') {
			format = print_plain(out, format);
			continue;
		}
		format = read_spec(format + 1, &copy, &s);
		if (!*format)
			break;
		print_spec(out, &s, *format++, &copy);
	}
	va_end(copy);
	fclose(out);
	return text;
}

int evnt16_vfwprintf(FILE *to, const WCHAR *format, va_list args)
{
	char *text = evnt16_format(format, args);
	int n = text ? (int)strlen(text) : -1;

	if (text && fputs(text, to) < 0)
		n = -1;
	free(text);
	return n;
}

int evnt16_fwprintf(FILE *to, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_vfwprintf(to, format, args);
	va_end(args);
	return n;
}

int evnt16_wprintf(const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt16_vfwprintf(stdout, format, args);
	va_end(args);
	return n;
}

/* How many units it is; -1 when it did not fit, and is cut, without a nul */
int _vsnwprintf(WCHAR *to, size_t size, const WCHAR *format, va_list args)
{
	char *text = evnt16_format(format, args);
	bool malformed;
	size_t n;

	if (!text)
		return -1;
	n = evnt16_from_utf8(text, strlen(text), to, size, &malformed);
	if (n < size)
		to[n] = 0;
	free(text);
	return n <= size ? (int)n : -1;
}

int _snwprintf(WCHAR *to, size_t size, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vsnwprintf(to, size, format, args);
	va_end(args);
	return n;
}

/* All, with its nul, or nothing */
int swprintf_s(WCHAR *to, size_t size, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vsnwprintf(to, size, format, args);
	va_end(args);
	if ((n < 0 || (size_t)n == size) && size) {
		to[0] = 0;
		return -1;
	}
	return n;
}

int sprintf_s(char *to, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, size, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= size) {
		if (size)
			to[0] = 0;
		return -1;
	}
	return n;
}

/* What strsafe.h says of a place */
static HRESULT check_place(const void *to, size_t size)
{
	return !to || !size || size > STRSAFE_MAX_CCH ?
	       STRSAFE_E_INVALID_PARAMETER : S_OK;
}

HRESULT StringCchPrintfW(LPWSTR to, size_t size, LPCWSTR format, ...)
{
	va_list args;
	int n;

	if (check_place(to, size))
		return STRSAFE_E_INVALID_PARAMETER;
	va_start(args, format);
	n = _vsnwprintf(to, size, format, args);
	va_end(args);
	if (n >= 0 && (size_t)n < size)
		return S_OK;
	to[size - 1] = 0;
	return STRSAFE_E_INSUFFICIENT_BUFFER;
}

HRESULT StringCchPrintfA(LPSTR to, size_t size, LPCSTR format, ...)
{
	va_list args;
	int n;

	if (check_place(to, size))
		return STRSAFE_E_INVALID_PARAMETER;
	va_start(args, format);
	n = vsnprintf(to, size, format, args);
	va_end(args);
	return n >= 0 && (size_t)n < size ? S_OK :
					    STRSAFE_E_INSUFFICIENT_BUFFER;
}

HRESULT StringCchCopyW(LPWSTR to, size_t size, LPCWSTR from)
{
	if (check_place(to, size))
		return STRSAFE_E_INVALID_PARAMETER;
	wcsncpy_s(to, size, from, _TRUNCATE);
	return evnt16_wcsnlen(from, size) < size ? S_OK :
						   STRSAFE_E_INSUFFICIENT_BUFFER;
}

HRESULT StringCchCopyA(LPSTR to, size_t size, LPCSTR from)
{
	if (check_place(to, size))
		return STRSAFE_E_INVALID_PARAMETER;
	strncpy_s(to, size, from, _TRUNCATE);
	return strnlen(from, size) < size ? S_OK :
					    STRSAFE_E_INSUFFICIENT_BUFFER;
}

HRESULT StringCchCatW(LPWSTR to, size_t size, LPCWSTR from)
{
	size_t n = to ? evnt16_wcsnlen(to, size) : 0;

	return check_place(to, size - n) ? STRSAFE_E_INVALID_PARAMETER :
					   StringCchCopyW(to + n, size - n, from);
}

HRESULT StringCchCatA(LPSTR to, size_t size, LPCSTR from)
{
	size_t n = to ? strnlen(to, size) : 0;

	return check_place(to, size - n) ? STRSAFE_E_INVALID_PARAMETER :
					   StringCchCopyA(to + n, size - n, from);
}

/* The length of a string that may have no nul */
static HRESULT tell_length(size_t n, size_t max, size_t *length)
{
	if (length)
		*length = n < max ? n : 0;
	return n < max ? S_OK : STRSAFE_E_INVALID_PARAMETER;
}

HRESULT StringCchLengthW(LPCWSTR text, size_t max, size_t *length)
{
	if (!text || max > STRSAFE_MAX_CCH)
		return STRSAFE_E_INVALID_PARAMETER;
	return tell_length(evnt16_wcsnlen(text, max), max, length);
}

HRESULT StringCchLengthA(LPCSTR text, size_t max, size_t *length)
{
	if (!text || max > STRSAFE_MAX_CCH)
		return STRSAFE_E_INVALID_PARAMETER;
	return tell_length(strnlen(text, max), max, length);
}

/* A key, without a line's end and without being seen */
int _getch(void)
{
	struct termios before, now;
	bool is_terminal = !tcgetattr(0, &before);
	int c;

	if (is_terminal) {
		now = before;
		now.c_lflag &= ~(ICANON | ECHO);
		tcsetattr(0, TCSANOW, &now);
	}
	fflush(stdout);
	c = getchar();
	if (is_terminal)
		tcsetattr(0, TCSANOW, &before);
	return c;
}
