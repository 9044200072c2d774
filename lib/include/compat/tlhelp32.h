/* SPDX-License-Identifier: MIT */
/* Snapshots of the machine's processes and threads. */
#ifndef EVNT_TLHELP32_H
#define EVNT_TLHELP32_H

#include "windows.h"

EVNT_BEGIN_DECLS

/* Lists in a snapshot; lists of heaps and modules are not supported, and omitted */
#define TH32CS_SNAPHEAPLIST	0x1u
#define TH32CS_SNAPPROCESS	0x2u
#define TH32CS_SNAPTHREAD	0x4u
#define TH32CS_SNAPMODULE	0x8u
#define TH32CS_SNAPMODULE32	0x10u
#define TH32CS_SNAPALL		(TH32CS_SNAPHEAPLIST | TH32CS_SNAPPROCESS | \
				 TH32CS_SNAPTHREAD | TH32CS_SNAPMODULE)
#define TH32CS_INHERIT		0x80000000u

/* The priority is always 8, which is normal */
typedef struct tagPROCESSENTRY32 {
	DWORD dwSize;
	DWORD cntUsage;
	DWORD th32ProcessID;
	ULONG_PTR th32DefaultHeapID;
	DWORD th32ModuleID;
	DWORD cntThreads;
	DWORD th32ParentProcessID;
	LONG pcPriClassBase;
	DWORD dwFlags;
	CHAR szExeFile[MAX_PATH];
} PROCESSENTRY32, *PPROCESSENTRY32, *LPPROCESSENTRY32;

typedef struct tagPROCESSENTRY32W {
	DWORD dwSize;
	DWORD cntUsage;
	DWORD th32ProcessID;
	ULONG_PTR th32DefaultHeapID;
	DWORD th32ModuleID;
	DWORD cntThreads;
	DWORD th32ParentProcessID;
	LONG pcPriClassBase;
	DWORD dwFlags;
	WCHAR szExeFile[MAX_PATH];
} PROCESSENTRY32W, *PPROCESSENTRY32W, *LPPROCESSENTRY32W;

typedef struct tagTHREADENTRY32 {
	DWORD dwSize;
	DWORD cntUsage;
	DWORD th32ThreadID;
	DWORD th32OwnerProcessID;
	LONG tpBasePri;
	LONG tpDeltaPri;
	DWORD dwFlags;
} THREADENTRY32, *PTHREADENTRY32, *LPTHREADENTRY32;

HANDLE CreateToolhelp32Snapshot(DWORD flags, DWORD process);
BOOL Process32First(HANDLE snapshot, LPPROCESSENTRY32 to);
BOOL Process32Next(HANDLE snapshot, LPPROCESSENTRY32 to);
BOOL Process32FirstW(HANDLE snapshot, LPPROCESSENTRY32W to);
BOOL Process32NextW(HANDLE snapshot, LPPROCESSENTRY32W to);
BOOL Thread32First(HANDLE snapshot, LPTHREADENTRY32 to);
BOOL Thread32Next(HANDLE snapshot, LPTHREADENTRY32 to);

EVNT_END_DECLS

#ifdef UNICODE
#define PROCESSENTRY32		PROCESSENTRY32W
#define PPROCESSENTRY32		PPROCESSENTRY32W
#define LPPROCESSENTRY32	LPPROCESSENTRY32W
#define Process32First		Process32FirstW
#define Process32Next		Process32NextW
#endif

#endif /* EVNT_TLHELP32_H */
