// SPDX-License-Identifier: MIT
/*
 * Parts of paths, separated by slashes or backslashes.
 */
#include <errno.h>

#include "compat.h"

static bool is_separator(WCHAR c)
{
	return c == '/' || c == '\\';
}

/* Copy a part of a path, which may be unwanted; 0, or an error */
static errno_t copy_part(WCHAR *to, size_t size, const WCHAR *from,
			 const WCHAR *end)
{
	size_t n = (size_t)(end - from);

	if (!to)
		return 0;
	if (n >= size)
		return ERANGE;
	memcpy(to, from, n * sizeof(*to));
	to[n] = 0;
	return 0;
}

static bool is_valid(const WCHAR *to, size_t size)
{
	return !to == !size;
}

static void clear(WCHAR *to)
{
	if (to)
		*to = 0;
}

/* https://learn.microsoft.com/cpp/c-runtime-library/reference/splitpath-s-wsplitpath-s */
errno_t _wsplitpath_s(const WCHAR *path, WCHAR *drive, size_t drive_size,
		      WCHAR *folder, size_t folder_size,
		      WCHAR *name, size_t name_size,
		      WCHAR *extension, size_t extension_size)
{
	const WCHAR *after_drive, *base, *dot = NULL, *p;
	errno_t error = EINVAL;

	if (!path || !is_valid(drive, drive_size) ||
	    !is_valid(folder, folder_size) || !is_valid(name, name_size) ||
	    !is_valid(extension, extension_size))
		goto err;
	after_drive = *path && path[1] == ':' ? path + 2 : path;
	base = after_drive;
	for (p = after_drive; *p; p++) {
		if (is_separator(*p)) {
			base = p + 1;
			dot = NULL;
		} else if (*p == '.') {
			dot = p;
		}
	}
	if (!dot)
		dot = p;
	error = copy_part(drive, drive_size, path, after_drive);
	if (!error)
		error = copy_part(folder, folder_size, after_drive, base);
	if (!error)
		error = copy_part(name, name_size, base, dot);
	if (!error)
		error = copy_part(extension, extension_size, dot, p);
	if (!error)
		return 0;
err:
	clear(drive);
	clear(folder);
	clear(name);
	clear(extension);
	return error;
}

/* Append a text if there is one, with a character before or after it, or 0 */
static errno_t append(WCHAR *to, size_t size, WCHAR before, const WCHAR *text,
		      WCHAR after)
{
	const WCHAR first[] = { before, 0 }, last[] = { after, 0 };
	errno_t error;

	if (!text || !*text)
		return 0;
	error = wcscat_s(to, size, first);
	if (!error)
		error = wcscat_s(to, size, text);
	return error ? error : wcscat_s(to, size, last);
}

/* https://learn.microsoft.com/cpp/c-runtime-library/reference/makepath-s-wmakepath-s */
errno_t _wmakepath_s(WCHAR *to, size_t size, const WCHAR *drive,
		     const WCHAR *folder, const WCHAR *name,
		     const WCHAR *extension)
{
	const WCHAR letter[] = { drive ? *drive : 0, 0 };
	size_t n = folder ? evnt16_wcslen(folder) : 0;
	errno_t error;

	if (!to || !size)
		return EINVAL;
	*to = 0;
	error = append(to, size, 0, letter, ':');
	if (!error)
		error = append(to, size, 0, folder,
			       n && !is_separator(folder[n - 1]) ? '/' : 0);
	if (!error)
		error = append(to, size, 0, name, 0);
	if (!error)
		error = append(to, size,
			       extension && *extension != '.' ? '.' : 0,
			       extension, 0);
	if (error)
		*to = 0;
	return error;
}

/*
 * Expand the variable at *@from, which begins with %, and move *@from behind it;
 * NULL if there is none.
 */
static WCHAR *expand(const WCHAR **from)
{
	const WCHAR *end = *from + 1;
	WCHAR name[256], *value;

	while (*end && *end != '%')
		end++;
	if (!*end || copy_part(name, ARRAYSIZE(name), *from + 1, end))
		return NULL;
	value = _wgetenv(name);
	if (value)
		*from = end + 1;
	return value;
}

/* https://learn.microsoft.com/windows/win32/api/processenv/nf-processenv-expandenvironmentstringsw */
DWORD ExpandEnvironmentStringsW(LPCWSTR from, LPWSTR to, DWORD size)
{
	DWORD n = 0;
	const WCHAR *value;
	WCHAR one[2] = { 0, 0 };

	while (*from) {
		value = *from == '%' ? expand(&from) : NULL;
		if (!value) {
			one[0] = *from++;
			value = one;
		}
		for (; *value; value++, n++) {
			if (n < size)
				to[n] = *value;
		}
	}
	if (n < size)
		to[n] = 0;
	return n + 1;
}
