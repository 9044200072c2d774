// SPDX-License-Identifier: MIT
/*
 * Strings that never exceed their buffer: the functions of strsafe.h.  The
 * variants that return the end and the rest of the buffer implement all others.
 */
#include "compat.h"
#include <strsafe.h>

/* Validate a buffer and its size in characters */
static HRESULT check_place(const void *to, size_t size)
{
	return !to || !size || size > STRSAFE_MAX_CCH ?
	       STRSAFE_E_INVALID_PARAMETER : S_OK;
}

static HRESULT report_end_wide(LPWSTR to, size_t size, LPWSTR *end,
			       size_t *left, bool fits)
{
	size_t n = evnt16_wcslen(to);

	if (end)
		*end = to + n;
	if (left)
		*left = size - n;
	return fits ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}

static HRESULT report_end(LPSTR to, size_t size, LPSTR *end, size_t *left,
			  bool fits)
{
	size_t n = strlen(to);

	if (end)
		*end = to + n;
	if (left)
		*left = size - n;
	return fits ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}

/* Print to a buffer; the flags, which fill it on failure, are ignored */
static HRESULT print_wide(LPWSTR to, size_t size, LPWSTR *end, size_t *left,
			  LPCWSTR format, va_list args)
{
	int n;

	if (check_place(to, size) || !format)
		return STRSAFE_E_INVALID_PARAMETER;
	n = _vsnwprintf(to, size, format, args);
	if (n < 0 || (size_t)n >= size)
		to[size - 1] = 0;
	return report_end_wide(to, size, end, left, n >= 0 && (size_t)n < size);
}

static HRESULT print(LPSTR to, size_t size, LPSTR *end, size_t *left,
		     LPCSTR format, va_list args)
{
	int n;

	if (check_place(to, size) || !format)
		return STRSAFE_E_INVALID_PARAMETER;
	n = evnt_vsnprintf(to, size, format, args);
	return report_end(to, size, end, left, n >= 0 && (size_t)n < size);
}

HRESULT StringCchVPrintfW(LPWSTR to, size_t size, LPCWSTR format, va_list args)
{
	return print_wide(to, size, NULL, NULL, format, args);
}

HRESULT StringCchVPrintfA(LPSTR to, size_t size, LPCSTR format, va_list args)
{
	return print(to, size, NULL, NULL, format, args);
}

HRESULT StringCchPrintfExW(LPWSTR to, size_t size, LPWSTR *end, size_t *left,
			   DWORD flags, LPCWSTR format, ...)
{
	HRESULT result;
	va_list args;

	(void)flags;
	va_start(args, format);
	result = print_wide(to, size, end, left, format, args);
	va_end(args);
	return result;
}

HRESULT StringCchPrintfExA(LPSTR to, size_t size, LPSTR *end, size_t *left,
			   DWORD flags, LPCSTR format, ...)
{
	HRESULT result;
	va_list args;

	(void)flags;
	va_start(args, format);
	result = print(to, size, end, left, format, args);
	va_end(args);
	return result;
}

/* Return the rest of the buffer in bytes */
HRESULT StringCbPrintfExW(LPWSTR to, size_t bytes, LPWSTR *end, size_t *left,
			  DWORD flags, LPCWSTR format, ...)
{
	HRESULT result;
	va_list args;

	(void)flags;
	va_start(args, format);
	result = print_wide(to, bytes / sizeof(*to), end, left, format, args);
	va_end(args);
	if (left && result != STRSAFE_E_INVALID_PARAMETER)
		*left = *left * sizeof(*to) + bytes % sizeof(*to);
	return result;
}

HRESULT StringCchPrintfW(LPWSTR to, size_t size, LPCWSTR format, ...)
{
	HRESULT result;
	va_list args;

	va_start(args, format);
	result = print_wide(to, size, NULL, NULL, format, args);
	va_end(args);
	return result;
}

HRESULT StringCchPrintfA(LPSTR to, size_t size, LPCSTR format, ...)
{
	HRESULT result;
	va_list args;

	va_start(args, format);
	result = print(to, size, NULL, NULL, format, args);
	va_end(args);
	return result;
}

/* Copy at most @max units of @from */
static HRESULT copy_wide(LPWSTR to, size_t size, LPCWSTR from, size_t max,
			 LPWSTR *end, size_t *left)
{
	size_t n;

	if (check_place(to, size) || max > STRSAFE_MAX_CCH)
		return STRSAFE_E_INVALID_PARAMETER;
	n = from ? evnt16_wcsnlen(from, max) : 0;
	wcsncpy_s(to, size, from, n < size ? n : _TRUNCATE);
	return report_end_wide(to, size, end, left, n < size);
}

static HRESULT copy(LPSTR to, size_t size, LPCSTR from, size_t max, LPSTR *end,
		    size_t *left)
{
	size_t n;

	if (check_place(to, size) || max > STRSAFE_MAX_CCH)
		return STRSAFE_E_INVALID_PARAMETER;
	n = from ? strnlen(from, max) : 0;
	strncpy_s(to, size, from, n < size ? n : _TRUNCATE);
	return report_end(to, size, end, left, n < size);
}

HRESULT StringCchCopyNW(LPWSTR to, size_t size, LPCWSTR from, size_t max)
{
	return copy_wide(to, size, from, max, NULL, NULL);
}

HRESULT StringCchCopyNA(LPSTR to, size_t size, LPCSTR from, size_t max)
{
	return copy(to, size, from, max, NULL, NULL);
}

HRESULT StringCchCopyW(LPWSTR to, size_t size, LPCWSTR from)
{
	return copy_wide(to, size, from, STRSAFE_MAX_CCH, NULL, NULL);
}

HRESULT StringCchCopyA(LPSTR to, size_t size, LPCSTR from)
{
	return copy(to, size, from, STRSAFE_MAX_CCH, NULL, NULL);
}

HRESULT StringCchCopyExW(LPWSTR to, size_t size, LPCWSTR from, LPWSTR *end,
			 size_t *left, DWORD flags)
{
	(void)flags;
	return copy_wide(to, size, from, STRSAFE_MAX_CCH, end, left);
}

HRESULT StringCchCatNW(LPWSTR to, size_t size, LPCWSTR from, size_t max)
{
	size_t n = to ? evnt16_wcsnlen(to, size) : 0;

	return copy_wide(to ? to + n : NULL, size - n, from, max, NULL, NULL);
}

HRESULT StringCchCatNA(LPSTR to, size_t size, LPCSTR from, size_t max)
{
	size_t n = to ? strnlen(to, size) : 0;

	return copy(to ? to + n : NULL, size - n, from, max, NULL, NULL);
}

HRESULT StringCchCatW(LPWSTR to, size_t size, LPCWSTR from)
{
	return StringCchCatNW(to, size, from, STRSAFE_MAX_CCH);
}

HRESULT StringCchCatA(LPSTR to, size_t size, LPCSTR from)
{
	return StringCchCatNA(to, size, from, STRSAFE_MAX_CCH);
}

/* Return the length of a string that may lack a nul */
static HRESULT report_length(size_t n, size_t max, size_t *length)
{
	if (length)
		*length = n < max ? n : 0;
	return n < max ? S_OK : STRSAFE_E_INVALID_PARAMETER;
}

HRESULT StringCchLengthW(LPCWSTR text, size_t max, size_t *length)
{
	if (!text || max > STRSAFE_MAX_CCH)
		return STRSAFE_E_INVALID_PARAMETER;
	return report_length(evnt16_wcsnlen(text, max), max, length);
}

HRESULT StringCchLengthA(LPCSTR text, size_t max, size_t *length)
{
	if (!text || max > STRSAFE_MAX_CCH)
		return STRSAFE_E_INVALID_PARAMETER;
	return report_length(strnlen(text, max), max, length);
}

HRESULT StringCbLengthW(LPCWSTR text, size_t max, size_t *length)
{
	HRESULT result = StringCchLengthW(text, max / sizeof(*text), length);

	if (result == S_OK && length)
		*length *= sizeof(*text);
	return result;
}
