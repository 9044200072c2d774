// SPDX-License-Identifier: MIT
/*
 * The machine, and the name of the user whose rights the program has.
 */
#include <pwd.h>
#include <unistd.h>

#include "compat.h"

/* Return the user's name, or the id of one without; allocated; NULL with an error */
static char *user_name(void)
{
	const struct passwd *user = getpwuid(geteuid());
	char id[16], *name;

	snprintf(id, sizeof(id), "%u", (unsigned int)geteuid());
	name = strdup(user ? user->pw_name : id);
	if (!name)
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
	return name;
}

/* https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-getusernamea */
BOOL GetUserNameA(LPSTR to, LPDWORD size)
{
	char *name = user_name();
	DWORD room = *size;

	if (!name)
		return FALSE;
	*size = (DWORD)strlen(name) + 1;
	if (to && *size <= room)
		memcpy(to, name, *size);
	else
		room = 0;
	free(name);
	return room ? TRUE : fail_with(ERROR_INSUFFICIENT_BUFFER);
}

BOOL GetUserNameW(LPWSTR to, LPDWORD size)
{
	char *name = user_name();
	DWORD room = *size;
	bool malformed;

	if (!name)
		return FALSE;
	/* The nul is one of the characters */
	*size = (DWORD)evnt16_from_utf8(name, strlen(name) + 1, NULL, 0,
					&malformed);
	if (to && *size <= room)
		evnt16_from_utf8(name, strlen(name) + 1, to, room, &malformed);
	else
		room = 0;
	free(name);
	return room ? TRUE : fail_with(ERROR_INSUFFICIENT_BUFFER);
}

/* https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsysteminfo */
void GetSystemInfo(LPSYSTEM_INFO to)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	memset(to, 0, sizeof(*to));
#ifdef __x86_64__
	to->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_AMD64;
	to->dwProcessorType = PROCESSOR_AMD_X8664;
#elif defined(__aarch64__)
	to->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_ARM64;
#else
	to->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_UNKNOWN;
#endif
	to->dwPageSize = (DWORD)sysconf(_SC_PAGESIZE);
	to->lpMinimumApplicationAddress = (LPVOID)0x10000;
	to->lpMaximumApplicationAddress = (LPVOID)0x7ffffffeffff;
	to->dwNumberOfProcessors = count > 0 ? (DWORD)count : 1;
	to->dwActiveProcessorMask = to->dwNumberOfProcessors < 64 ?
		((DWORD_PTR)1 << to->dwNumberOfProcessors) - 1 : ~(DWORD_PTR)0;
	to->dwAllocationGranularity = 0x10000;
}

/* No error displays a dialog here; https://learn.microsoft.com/windows/win32/api/errhandlingapi/nf-errhandlingapi-seterrormode */
static UINT error_mode;

UINT SetErrorMode(UINT mode)
{
	return __atomic_exchange_n(&error_mode, mode, __ATOMIC_RELAXED);
}

UINT GetErrorMode(void)
{
	return __atomic_load_n(&error_mode, __ATOMIC_RELAXED);
}
