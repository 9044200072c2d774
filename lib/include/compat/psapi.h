/* SPDX-License-Identifier: MIT */
/* Processes of the machine: their ids, files and memory. */
#ifndef EVNT_PSAPI_H
#define EVNT_PSAPI_H

#include "windows.h"

EVNT_BEGIN_DECLS

/*
 * Memory of a process: what it has in RAM, and its own pages there and in swap
 * space, whose maximum is not known; quotas of pools do not exist.
 */
typedef struct _PROCESS_MEMORY_COUNTERS {
	DWORD cb;
	DWORD PageFaultCount;
	SIZE_T PeakWorkingSetSize;
	SIZE_T WorkingSetSize;
	SIZE_T QuotaPeakPagedPoolUsage;
	SIZE_T QuotaPagedPoolUsage;
	SIZE_T QuotaPeakNonPagedPoolUsage;
	SIZE_T QuotaNonPagedPoolUsage;
	SIZE_T PagefileUsage;
	SIZE_T PeakPagefileUsage;
} PROCESS_MEMORY_COUNTERS, *PPROCESS_MEMORY_COUNTERS;

typedef struct _PROCESS_MEMORY_COUNTERS_EX {
	DWORD cb;
	DWORD PageFaultCount;
	SIZE_T PeakWorkingSetSize;
	SIZE_T WorkingSetSize;
	SIZE_T QuotaPeakPagedPoolUsage;
	SIZE_T QuotaPagedPoolUsage;
	SIZE_T QuotaPeakNonPagedPoolUsage;
	SIZE_T QuotaNonPagedPoolUsage;
	SIZE_T PagefileUsage;
	SIZE_T PeakPagefileUsage;
	SIZE_T PrivateUsage;
} PROCESS_MEMORY_COUNTERS_EX, *PPROCESS_MEMORY_COUNTERS_EX;

BOOL EnumProcesses(DWORD *ids, DWORD size, LPDWORD needed);
/* Only modules of the program itself have handles */
BOOL EnumProcessModules(HANDLE process, HMODULE *modules, DWORD size,
			LPDWORD needed);
DWORD GetModuleFileNameExA(HANDLE process, HMODULE module, LPSTR to, DWORD size);
DWORD GetModuleFileNameExW(HANDLE process, HMODULE module, LPWSTR to,
			   DWORD size);
DWORD GetProcessImageFileNameA(HANDLE process, LPSTR to, DWORD size);
DWORD GetProcessImageFileNameW(HANDLE process, LPWSTR to, DWORD size);
BOOL GetProcessMemoryInfo(HANDLE process, PPROCESS_MEMORY_COUNTERS to,
			  DWORD size);

EVNT_END_DECLS

#ifdef UNICODE
#define GetModuleFileNameEx	GetModuleFileNameExW
#define GetProcessImageFileName	GetProcessImageFileNameW
#else
#define GetModuleFileNameEx	GetModuleFileNameExA
#define GetProcessImageFileName	GetProcessImageFileNameA
#endif

#endif /* EVNT_PSAPI_H */
