/* SPDX-License-Identifier: MIT */
/*
 * String functions that never overflow the destination: its size is in bytes
 * (Cb) or characters (Cch), and longer strings are truncated.
 */
#ifndef EVNT_STRSAFE_H
#define EVNT_STRSAFE_H

#include "windows.h"

#define STRSAFE_E_INSUFFICIENT_BUFFER	((HRESULT)0x8007007A)
#define STRSAFE_E_INVALID_PARAMETER	((HRESULT)0x80070057)
typedef LPSTR STRSAFE_LPSTR;
typedef LPCSTR STRSAFE_LPCSTR;
typedef LPWSTR STRSAFE_LPWSTR;
typedef LPCWSTR STRSAFE_LPCWSTR;
#define STRSAFE_MAX_CCH			2147483647

/* Flags of the Ex functions, which are accepted but have no effect */
#define STRSAFE_NULL_ON_FAILURE		0x0800u
#define STRSAFE_NO_TRUNCATION		0x1000u
#define STRSAFE_IGNORE_NULLS		0x0100u
#define STRSAFE_FILL_BEHIND_NULL	0x0200u

EVNT_BEGIN_DECLS

HRESULT StringCchCopyA(LPSTR to, size_t size, LPCSTR from);
HRESULT StringCchCopyW(LPWSTR to, size_t size, LPCWSTR from);
HRESULT StringCchCopyNA(LPSTR to, size_t size, LPCSTR from, size_t max);
HRESULT StringCchCopyNW(LPWSTR to, size_t size, LPCWSTR from, size_t max);
HRESULT StringCchCopyExW(LPWSTR to, size_t size, LPCWSTR from, LPWSTR *end,
			 size_t *left, DWORD flags);
HRESULT StringCchCatA(LPSTR to, size_t size, LPCSTR from);
HRESULT StringCchCatW(LPWSTR to, size_t size, LPCWSTR from);
HRESULT StringCchCatNA(LPSTR to, size_t size, LPCSTR from, size_t max);
HRESULT StringCchCatNW(LPWSTR to, size_t size, LPCWSTR from, size_t max);
HRESULT StringCchLengthA(LPCSTR text, size_t max, size_t *length);
HRESULT StringCchLengthW(LPCWSTR text, size_t max, size_t *length);
HRESULT StringCbLengthW(LPCWSTR text, size_t max, size_t *length);
HRESULT StringCchPrintfA(LPSTR to, size_t size, LPCSTR format, ...);
HRESULT StringCchPrintfW(LPWSTR to, size_t size, LPCWSTR format, ...);
HRESULT StringCchPrintfExA(LPSTR to, size_t size, LPSTR *end, size_t *left,
			   DWORD flags, LPCSTR format, ...);
HRESULT StringCchPrintfExW(LPWSTR to, size_t size, LPWSTR *end, size_t *left,
			   DWORD flags, LPCWSTR format, ...);
HRESULT StringCbPrintfExW(LPWSTR to, size_t bytes, LPWSTR *end, size_t *left,
			  DWORD flags, LPCWSTR format, ...);
HRESULT StringCchVPrintfA(LPSTR to, size_t size, LPCSTR format, va_list args);
HRESULT StringCchVPrintfW(LPWSTR to, size_t size, LPCWSTR format, va_list args);

EVNT_END_DECLS

#define StringCbCopyA(to, bytes, from)	StringCchCopyA(to, bytes, from)
#define StringCbCopyW(to, bytes, from) \
	StringCchCopyW(to, (bytes) / sizeof(WCHAR), from)
#define StringCbCopyNA(to, bytes, from, max) \
	StringCchCopyNA(to, bytes, from, max)
#define StringCbCopyNW(to, bytes, from, max) \
	StringCchCopyNW(to, (bytes) / sizeof(WCHAR), from, (max) / sizeof(WCHAR))
#define StringCbCatA(to, bytes, from)	StringCchCatA(to, bytes, from)
#define StringCbCatW(to, bytes, from) \
	StringCchCatW(to, (bytes) / sizeof(WCHAR), from)
#define StringCbLengthA(text, max, length) \
	StringCchLengthA(text, max, length)
#define StringCbPrintfA(to, bytes, ...)	StringCchPrintfA(to, bytes, __VA_ARGS__)
#define StringCbPrintfW(to, bytes, ...) \
	StringCchPrintfW(to, (bytes) / sizeof(WCHAR), __VA_ARGS__)
#define StringCbPrintfExA(to, bytes, ...) \
	StringCchPrintfExA(to, bytes, __VA_ARGS__)
#define StringCbVPrintfA(to, bytes, format, args) \
	StringCchVPrintfA(to, bytes, format, args)
#define StringCbVPrintfW(to, bytes, format, args) \
	StringCchVPrintfW(to, (bytes) / sizeof(WCHAR), format, args)
#ifdef UNICODE
#define StringCchCopy		StringCchCopyW
#define StringCchCopyN		StringCchCopyNW
#define StringCchCopyEx		StringCchCopyExW
#define StringCchCat		StringCchCatW
#define StringCchCatN		StringCchCatNW
#define StringCchLength		StringCchLengthW
#define StringCchPrintf		StringCchPrintfW
#define StringCchPrintfEx	StringCchPrintfExW
#define StringCchVPrintf	StringCchVPrintfW
#define StringCbCopy		StringCbCopyW
#define StringCbCopyN		StringCbCopyNW
#define StringCbCat		StringCbCatW
#define StringCbLength		StringCbLengthW
#define StringCbPrintf		StringCbPrintfW
#define StringCbPrintfEx	StringCbPrintfExW
#define StringCbVPrintf		StringCbVPrintfW
#else
#define StringCchCopy		StringCchCopyA
#define StringCchCopyN		StringCchCopyNA
#define StringCchCat		StringCchCatA
#define StringCchCatN		StringCchCatNA
#define StringCchLength		StringCchLengthA
#define StringCchPrintf		StringCchPrintfA
#define StringCchPrintfEx	StringCchPrintfExA
#define StringCchVPrintf	StringCchVPrintfA
#define StringCbCopy		StringCbCopyA
#define StringCbCopyN		StringCbCopyNA
#define StringCbCat		StringCbCatA
#define StringCbLength		StringCbLengthA
#define StringCbPrintf		StringCbPrintfA
#define StringCbPrintfEx	StringCbPrintfExA
#define StringCbVPrintf		StringCbVPrintfA
#endif

#endif /* EVNT_STRSAFE_H */
