// SPDX-License-Identifier: MIT
/*
 * LCMapStringEx(), to the extent needed to make ids from names.
 */
#include "compat.h"

/* Convert Latin letters, which ids use; leave other scripts unchanged */
static WCHAR upper(WCHAR c)
{
	if ((c >= 'a' && c <= 'z') || (c >= 0xe0 && c <= 0xfe && c != 0xf7))
		return c - 0x20;
	return c == 0xff ? 0x178 : c;
}

static WCHAR lower(WCHAR c)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7))
		return c + 0x20;
	return c == 0x178 ? 0xff : c;
}

static WCHAR mapped(WCHAR c, DWORD flags)
{
	if (flags & LCMAP_UPPERCASE)
		c = upper(c);
	else if (flags & LCMAP_LOWERCASE)
		c = lower(c);
	return flags & LCMAP_BYTEREV ? _byteswap_ushort(c) : c;
}

static bool are_flags(DWORD flags)
{
	DWORD both = LCMAP_UPPERCASE | LCMAP_LOWERCASE;

	return flags && !(flags & ~(both | LCMAP_BYTEREV)) &&
	       (flags & both) != both;
}

/* https://learn.microsoft.com/windows/win32/api/winnls/nf-winnls-lcmapstringex */
int LCMapStringEx(LPCWSTR locale, DWORD flags, LPCWSTR from, int from_size,
		  LPWSTR to, int size, PVOID version, PVOID reserved,
		  LPARAM handle)
{
	int n = from && from_size < 0 ? (int)evnt16_wcslen(from) + 1 : from_size;
	int i;

	(void)locale;
	if (!are_flags(flags)) {
		SetLastError(ERROR_INVALID_FLAGS);
		return 0;
	}
	if (!from || n <= 0 || size < 0 || (size && !to) || version ||
	    reserved || handle)
		return fail_with(ERROR_INVALID_PARAMETER);
	if (!size)
		return n;
	if (n > size)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	for (i = 0; i < n; i++)
		to[i] = mapped(from[i], flags);
	return n;
}
