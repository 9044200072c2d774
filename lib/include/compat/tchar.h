/* SPDX-License-Identifier: MIT */
/* Text of either width, as UNICODE says. */
#ifndef EVNT_TCHAR_H
#define EVNT_TCHAR_H

#include "windows.h"

typedef TCHAR _TCHAR;

#define _T(text)		TEXT(text)
#define _TEXT(text)		TEXT(text)
#ifdef UNICODE
#define _tmain			wmain
#define _tcslen			wcslen
#define _tcscmp			wcscmp
#define _tcsicmp		_wcsicmp
#define _tcscpy_s		wcscpy_s
#define _tprintf		wprintf
#define _ftprintf		fwprintf
#else
#define _tmain			main
#define _tcslen			strlen
#define _tcscmp			strcmp
#define _tcsicmp		_stricmp
#define _tcscpy_s		strcpy_s
#define _tprintf		printf
#define _ftprintf		fprintf
#endif

#endif /* EVNT_TCHAR_H */
