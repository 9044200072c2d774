// SPDX-License-Identifier: MIT
/*
 * Variables of the environment, in UTF-8.
 */
#include "compat.h"

static const char *find_variable(const char *name)
{
	const char *value = name ? getenv(name) : NULL;

	if (!value)
		SetLastError(ERROR_ENVVAR_NOT_FOUND);
	return value;
}

DWORD GetEnvironmentVariableA(LPCSTR name, LPSTR to, DWORD size)
{
	const char *value = find_variable(name);
	size_t length = value ? strlen(value) : 0;

	if (!value)
		return 0;
	if (length >= size)
		return (DWORD)length + 1;
	memcpy(to, value, length + 1);
	return (DWORD)length;
}

DWORD GetEnvironmentVariableW(LPCWSTR name, LPWSTR to, DWORD size)
{
	char *utf8 = name ? evnt16_to_utf8_new(name) : NULL;
	const char *value = find_variable(utf8);
	bool malformed;
	size_t units;

	free(utf8);
	if (!value)
		return 0;
	units = evnt16_from_utf8(value, strlen(value), to, size, &malformed);
	if (units >= size)
		return (DWORD)units + 1;
	to[units] = 0;
	return (DWORD)units;
}
