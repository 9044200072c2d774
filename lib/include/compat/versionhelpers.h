/* SPDX-License-Identifier: MIT */
/* Version checks, answered as by Windows 10. */
#ifndef EVNT_VERSIONHELPERS_H
#define EVNT_VERSIONHELPERS_H

#include "windows.h"

static inline BOOL IsWindowsVersionOrGreater(WORD major, WORD minor,
					     WORD service_pack)
{
	return major < 10 || (major == 10 && !minor && !service_pack);
}

#define IsWindowsXPOrGreater()		IsWindowsVersionOrGreater(5, 1, 0)
#define IsWindowsVistaOrGreater()	IsWindowsVersionOrGreater(6, 0, 0)
#define IsWindows7OrGreater()		IsWindowsVersionOrGreater(6, 1, 0)
#define IsWindows7SP1OrGreater()	IsWindowsVersionOrGreater(6, 1, 1)
#define IsWindows8OrGreater()		IsWindowsVersionOrGreater(6, 2, 0)
#define IsWindows8Point1OrGreater()	IsWindowsVersionOrGreater(6, 3, 0)
#define IsWindows10OrGreater()		IsWindowsVersionOrGreater(10, 0, 0)
#define IsWindowsServer()		FALSE

#endif /* EVNT_VERSIONHELPERS_H */
