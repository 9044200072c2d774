// SPDX-License-Identifier: MIT
/*
 * Print functions of Microsoft's C library: see format.c.
 */
#include <limits.h>

#include "compat.h"

#undef wprintf

static int put_text(char *text, FILE *to)
{
	int n = text ? (int)strlen(text) : -1;

	if (text && fputs(text, to) < 0)
		n = -1;
	free(text);
	return n;
}

int evnt16_vfwprintf(FILE *to, const WCHAR *format, va_list args)
{
	return put_text(evnt16_format(format, args), to);
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

/* Return the number of units; -1 if the text was cut, which omits the nul */
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

/* Print the whole text with its nul, or nothing */
int vswprintf_s(WCHAR *to, size_t size, const WCHAR *format, va_list args)
{
	int n = _vsnwprintf(to, size, format, args);

	if ((n < 0 || (size_t)n == size) && size) {
		to[0] = 0;
		return -1;
	}
	return n;
}

int swprintf_s(WCHAR *to, size_t size, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vswprintf_s(to, size, format, args);
	va_end(args);
	return n;
}

/* Print the text, which is cut if @max is _TRUNCATE or less than @size */
int _vsnwprintf_s(WCHAR *to, size_t size, size_t max, const WCHAR *format,
		  va_list args)
{
	size_t room = max < size ? max + 1 : size;
	int n;

	if (!to || !size)
		return -1;
	n = _vsnwprintf(to, room, format, args);
	if (n >= 0 && (size_t)n < room)
		return n;
	to[max < size || max == _TRUNCATE ? room - 1 : 0] = 0;
	return -1;
}

int _snwprintf_s(WCHAR *to, size_t size, size_t max, const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vsnwprintf_s(to, size, max, format, args);
	va_end(args);
	return n;
}

/* Return the number of units of the text */
int _vscwprintf(const WCHAR *format, va_list args)
{
	char *text = evnt16_format(format, args);
	bool malformed;
	int n = text ? (int)evnt16_from_utf8(text, strlen(text), NULL, 0,
					     &malformed) : -1;

	free(text);
	return n;
}

int _scwprintf(const WCHAR *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vscwprintf(format, args);
	va_end(args);
	return n;
}

int evnt_vfprintf(FILE *to, const char *format, va_list args)
{
	return put_text(evnt_format(format, args), to);
}

int evnt_vprintf(const char *format, va_list args)
{
	return evnt_vfprintf(stdout, format, args);
}

int evnt_fprintf(FILE *to, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt_vfprintf(to, format, args);
	va_end(args);
	return n;
}

int evnt_printf(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt_vfprintf(stdout, format, args);
	va_end(args);
	return n;
}

/* As required by the C standard, cut with a nul, and return the full length */
int evnt_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	char *text = evnt_format(format, args);
	size_t n = text ? strlen(text) : 0;

	if (text && size) {
		memcpy(to, text, n < size ? n : size - 1);
		to[n < size ? n : size - 1] = 0;
	}
	free(text);
	return text ? (int)n : -1;
}

int evnt_snprintf(char *to, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt_vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int evnt_vsprintf(char *to, const char *format, va_list args)
{
	return evnt_vsnprintf(to, INT_MAX, format, args);
}

int evnt_sprintf(char *to, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = evnt_vsprintf(to, format, args);
	va_end(args);
	return n;
}

/* Return the length; -1 if the text was cut, which omits the nul */
int _vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	char *text = evnt_format(format, args);
	size_t n = text ? strlen(text) : 0;

	if (text && to)
		memcpy(to, text, n < size ? n + 1 : size);
	free(text);
	return text && n <= size ? (int)n : -1;
}

int _snprintf(char *to, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int vsprintf_s(char *to, size_t size, const char *format, va_list args)
{
	int n = evnt_vsnprintf(to, size, format, args);

	if (n < 0 || (size_t)n >= size) {
		if (size)
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
	n = vsprintf_s(to, size, format, args);
	va_end(args);
	return n;
}

int _vsnprintf_s(char *to, size_t size, size_t max, const char *format,
		 va_list args)
{
	size_t room = max < size ? max + 1 : size;
	int n;

	if (!to || !size)
		return -1;
	n = evnt_vsnprintf(to, room, format, args);
	if (n >= 0 && (size_t)n < room)
		return n;
	if (max >= size && max != _TRUNCATE)
		to[0] = 0;
	return -1;
}

int _snprintf_s(char *to, size_t size, size_t max, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vsnprintf_s(to, size, max, format, args);
	va_end(args);
	return n;
}

int _vscprintf(const char *format, va_list args)
{
	return evnt_vsnprintf(NULL, 0, format, args);
}

int _scprintf(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = _vscprintf(format, args);
	va_end(args);
	return n;
}
