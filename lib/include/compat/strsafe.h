/* SPDX-License-Identifier: MIT */
/*
 * Strings that are never longer than their place: sizes are in bytes (Cb) or
 * characters (Cch), and what does not fit is cut.
 */
#ifndef EVNT_STRSAFE_H
#define EVNT_STRSAFE_H

#include "windows.h"

#define STRSAFE_E_INSUFFICIENT_BUFFER	((HRESULT)0x8007007A)
#define STRSAFE_E_INVALID_PARAMETER	((HRESULT)0x80070057)
#define STRSAFE_MAX_CCH			2147483647

EVNT_BEGIN_DECLS

HRESULT StringCchCopyA(LPSTR to, size_t size, LPCSTR from);
HRESULT StringCchCopyW(LPWSTR to, size_t size, LPCWSTR from);
HRESULT StringCchCatA(LPSTR to, size_t size, LPCSTR from);
HRESULT StringCchCatW(LPWSTR to, size_t size, LPCWSTR from);
HRESULT StringCchLengthA(LPCSTR text, size_t max, size_t *length);
HRESULT StringCchLengthW(LPCWSTR text, size_t max, size_t *length);
HRESULT StringCchPrintfA(LPSTR to, size_t size, LPCSTR format, ...)
	__attribute__((__format__(__printf__, 3, 4)));
HRESULT StringCchPrintfW(LPWSTR to, size_t size, LPCWSTR format, ...);

EVNT_END_DECLS

#define StringCbCopyA(to, bytes, from)	StringCchCopyA(to, bytes, from)
#define StringCbCopyW(to, bytes, from) \
	StringCchCopyW(to, (bytes) / sizeof(WCHAR), from)
#define StringCbCatA(to, bytes, from)	StringCchCatA(to, bytes, from)
#define StringCbCatW(to, bytes, from) \
	StringCchCatW(to, (bytes) / sizeof(WCHAR), from)
#define StringCbPrintfA(to, bytes, ...)	StringCchPrintfA(to, bytes, __VA_ARGS__)
#define StringCbPrintfW(to, bytes, ...) \
	StringCchPrintfW(to, (bytes) / sizeof(WCHAR), __VA_ARGS__)
#ifdef UNICODE
#define StringCchCopy		StringCchCopyW
#define StringCchCat		StringCchCatW
#define StringCchLength		StringCchLengthW
#define StringCchPrintf		StringCchPrintfW
#define StringCbCopy		StringCbCopyW
#define StringCbCat		StringCbCatW
#define StringCbPrintf		StringCbPrintfW
#else
#define StringCchCopy		StringCchCopyA
#define StringCchCat		StringCchCatA
#define StringCchLength		StringCchLengthA
#define StringCchPrintf		StringCchPrintfA
#define StringCbCopy		StringCbCopyA
#define StringCbCat		StringCbCatA
#define StringCbPrintf		StringCbPrintfA
#endif

#endif /* EVNT_STRSAFE_H */
