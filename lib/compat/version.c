// SPDX-License-Identifier: MIT
/*
 * Version of Windows that is reported: one that has all that these headers
 * declare.
 */
#include "compat.h"

#define MAJOR	10
#define MINOR	0
#define BUILD	22621

/* https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getversionexw */
BOOL GetVersionExW(OSVERSIONINFOW *to)
{
	OSVERSIONINFOEXW now = {
		.dwMajorVersion = MAJOR, .dwMinorVersion = MINOR,
		.dwBuildNumber = BUILD, .dwPlatformId = VER_PLATFORM_WIN32_NT,
		.wProductType = VER_NT_WORKSTATION,
	};

	now.dwOSVersionInfoSize = to->dwOSVersionInfoSize;
	if (now.dwOSVersionInfoSize != sizeof(OSVERSIONINFOW) &&
	    now.dwOSVersionInfoSize != sizeof(now))
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	memcpy(to, &now, now.dwOSVersionInfoSize);
	return TRUE;
}

BOOL GetVersionExA(OSVERSIONINFOA *to)
{
	OSVERSIONINFOEXA now = {
		.dwMajorVersion = MAJOR, .dwMinorVersion = MINOR,
		.dwBuildNumber = BUILD, .dwPlatformId = VER_PLATFORM_WIN32_NT,
		.wProductType = VER_NT_WORKSTATION,
	};

	now.dwOSVersionInfoSize = to->dwOSVersionInfoSize;
	if (now.dwOSVersionInfoSize != sizeof(OSVERSIONINFOA) &&
	    now.dwOSVersionInfoSize != sizeof(now))
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	memcpy(to, &now, now.dwOSVersionInfoSize);
	return TRUE;
}

/* Set three bits of the condition for each member with a flag */
ULONGLONG VerSetConditionMask(ULONGLONG mask, DWORD flags, BYTE condition)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (flags & 1u << i)
			mask |= (ULONGLONG)(condition & 7) << 3 * i;
	}
	return mask;
}

static int condition_of(ULONGLONG mask, DWORD flag)
{
	return mask >> 3 * __builtin_ctz(flag) & 7;
}

static bool holds(int order, int condition)
{
	switch (condition) {
	case VER_EQUAL:
		return !order;
	case VER_GREATER:
		return order > 0;
	case VER_GREATER_EQUAL:
		return order >= 0;
	case VER_LESS:
		return order < 0;
	case VER_LESS_EQUAL:
		return order <= 0;
	}
	return false;
}

static int order_of(ULONGLONG a, ULONGLONG b)
{
	return a < b ? -1 : a > b;
}

/*
 * Compare the requested parts of the version as one number, by the condition of
 * the first one.
 *
 * https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-verifyversioninfow
 */
BOOL VerifyVersionInfoW(OSVERSIONINFOEXW *want, DWORD flags, ULONGLONG mask)
{
	static const DWORD parts[] = {
		VER_MAJORVERSION, VER_MINORVERSION, VER_SERVICEPACKMAJOR,
		VER_SERVICEPACKMINOR,
	};
	const DWORD now[] = { MAJOR, MINOR, 0, 0 };
	const DWORD then[] = {
		want->dwMajorVersion, want->dwMinorVersion,
		want->wServicePackMajor, want->wServicePackMinor,
	};
	int order = 0, condition = 0;
	size_t i;

	for (i = 0; i < ARRAYSIZE(parts); i++) {
		if (!(flags & parts[i]))
			continue;
		condition = condition ? condition :
					condition_of(mask, parts[i]);
		order = order ? order : order_of(now[i], then[i]);
	}
	if ((condition && !holds(order, condition)) ||
	    (flags & VER_BUILDNUMBER &&
	     !holds(order_of(BUILD, want->dwBuildNumber),
		    condition_of(mask, VER_BUILDNUMBER))) ||
	    (flags & VER_PLATFORMID &&
	     !holds(order_of(VER_PLATFORM_WIN32_NT, want->dwPlatformId),
		    condition_of(mask, VER_PLATFORMID))) ||
	    (flags & VER_PRODUCT_TYPE &&
	     !holds(order_of(VER_NT_WORKSTATION, want->wProductType),
		    condition_of(mask, VER_PRODUCT_TYPE))))
		return fail_with(ERROR_OLD_WIN_VERSION);
	return TRUE;
}
