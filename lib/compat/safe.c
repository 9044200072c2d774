// SPDX-License-Identifier: MIT
/*
 * String copies that fail with an empty result if there is no room.
 */
#include "compat.h"

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

errno_t wcsncat_s(WCHAR *to, size_t size, const WCHAR *from, size_t n)
{
	size_t length = to ? evnt16_wcsnlen(to, size) : 0;
	errno_t error = wcsncpy_s(to ? to + length : NULL, size - length, from,
				  n);

	if (error && to && size)
		to[0] = 0;
	return error;
}

errno_t wcscat_s(WCHAR *to, size_t size, const WCHAR *from)
{
	return wcsncat_s(to, size, from, SIZE_MAX - 1);
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

errno_t strncat_s(char *to, size_t size, const char *from, size_t n)
{
	size_t length = to ? strnlen(to, size) : 0;
	errno_t error = strncpy_s(to ? to + length : NULL, size - length, from,
				  n);

	if (error && to && size)
		to[0] = 0;
	return error;
}

errno_t strcat_s(char *to, size_t size, const char *from)
{
	return strncat_s(to, size, from, SIZE_MAX - 1);
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

errno_t memmove_s(void *to, size_t size, const void *from, size_t n)
{
	if (!n)
		return 0;
	if (!to || !from)
		return EINVAL;
	if (n > size)
		return ERANGE;
	memmove(to, from, n);
	return 0;
}

size_t wcsnlen_s(const WCHAR *text, size_t max)
{
	return text ? evnt16_wcsnlen(text, max) : 0;
}

size_t strnlen_s(const char *text, size_t max)
{
	return text ? strnlen(text, max) : 0;
}

char *strtok_s(char *text, const char *separators, char **next)
{
	return strtok_r(text, separators, next);
}

errno_t _wcslwr_s(WCHAR *text, size_t size)
{
	if (!text || evnt16_wcsnlen(text, size) == size)
		return EINVAL;
	_wcslwr(text);
	return 0;
}

errno_t _wcsupr_s(WCHAR *text, size_t size)
{
	if (!text || evnt16_wcsnlen(text, size) == size)
		return EINVAL;
	_wcsupr(text);
	return 0;
}

/* @count may be NULL, and includes the nul */
errno_t mbstowcs_s(size_t *count, WCHAR *to, size_t size, const char *from,
		   size_t max)
{
	WCHAR *wide = from ? evnt16_from_utf8_new(from) : NULL;
	errno_t error = from ? 0 : EINVAL;

	if (wide && to)
		error = wcsncpy_s(to, size, wide, max);
	if (count)
		*count = wide && !error ? evnt16_wcslen(to ? to : wide) + 1 : 0;
	free(wide);
	return error;
}

errno_t wcstombs_s(size_t *count, char *to, size_t size, const WCHAR *from,
		   size_t max)
{
	char *bytes = from ? evnt16_to_utf8_new(from) : NULL;
	errno_t error = from ? 0 : EINVAL;

	if (bytes && to)
		error = strncpy_s(to, size, bytes, max);
	if (count)
		*count = bytes && !error ? strlen(to ? to : bytes) + 1 : 0;
	free(bytes);
	return error;
}
