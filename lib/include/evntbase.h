/* SPDX-License-Identifier: MIT */
/*
 * Basic types, macros and error codes of Windows that are used by the ETW
 * headers.
 *
 * Types have the same width as on Windows, whatever the width of the C types:
 * LONG, ULONG and DWORD have 32 bits.  WCHAR is a UTF-16 code unit: char16_t,
 * with literals u"", or under -fshort-wchar wchar_t, with literals L"".
 */
#ifndef EVNTBASE_H
#define EVNTBASE_H

#ifdef __KERNEL__
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#endif

#ifdef __cplusplus
#define EVNT_BEGIN_DECLS	extern "C" {
#define EVNT_END_DECLS		}
#ifndef EXTERN_C
#define EXTERN_C		extern "C"
#endif
#else
#define EVNT_BEGIN_DECLS
#define EVNT_END_DECLS
#ifndef EXTERN_C
#define EXTERN_C		extern
#endif
#ifdef __KERNEL__
typedef unsigned short char16_t;
#else
#include <uchar.h>
#endif
#endif

/* Marker of anonymous structures and unions, which are an extension in C++ */
#define EVNT_ANONYMOUS		__extension__

/* Calling conventions, which have no effect on Linux */
#ifndef NTAPI
#define NTAPI
#endif
#ifndef WINAPI
#define WINAPI
#endif
#ifndef EVNTAPI
#define EVNTAPI
#endif
#ifndef WMIAPI
#define WMIAPI
#endif

#ifndef VOID
#define VOID			void
#endif

typedef char CHAR;
typedef signed char INT8;
typedef short SHORT, INT16;
typedef int INT, LONG, BOOL, INT32;
typedef unsigned char UCHAR, BYTE, BOOLEAN, UINT8;
typedef unsigned short USHORT, WORD, UINT16;
typedef unsigned int UINT, ULONG, DWORD, UINT32;
typedef long long LONGLONG, LONG64, INT64;
typedef unsigned long long ULONGLONG, ULONG64, DWORD64, UINT64;
typedef __INTPTR_TYPE__ INT_PTR, LONG_PTR;
typedef __UINTPTR_TYPE__ UINT_PTR, ULONG_PTR, DWORD_PTR;
typedef size_t SIZE_T;
typedef float FLOAT;

/* Result of a COM function, negative on failure */
typedef LONG HRESULT;

#ifndef S_OK
#define S_OK			((HRESULT)0)
#endif
#ifndef SUCCEEDED
#define SUCCEEDED(hr)		((HRESULT)(hr) >= 0)
#endif
#ifndef FAILED
#define FAILED(hr)		((HRESULT)(hr) < 0)
#endif

static inline HRESULT evnt_hresult(DWORD code)
{
	if ((HRESULT)code <= 0)
		return (HRESULT)code;
	return (HRESULT)((code & 0xffff) | 0x80070000u);
}

#ifndef HRESULT_FROM_WIN32
#define HRESULT_FROM_WIN32(code) evnt_hresult(code)
#endif

#if defined(__SIZEOF_WCHAR_T__) && __SIZEOF_WCHAR_T__ == 2 && \
	!defined(__KERNEL__)
typedef wchar_t WCHAR;
#else
typedef char16_t WCHAR;
#endif

typedef void *PVOID, *LPVOID, *HANDLE;
typedef const void *LPCVOID;
typedef BYTE *PBYTE, *LPBYTE;
typedef UCHAR *PUCHAR;
typedef BOOLEAN *PBOOLEAN;
typedef USHORT *PUSHORT;
typedef LONG *PLONG;
typedef ULONG *PULONG;
typedef DWORD *PDWORD, *LPDWORD;
typedef ULONGLONG *PULONGLONG;
typedef ULONG64 *PULONG64;
typedef HANDLE *PHANDLE;
typedef CHAR *PCHAR, *LPSTR, *PSTR;
typedef const CHAR *LPCSTR, *PCSTR;
typedef WCHAR *PWCHAR, *LPWSTR, *PWSTR;
typedef const WCHAR *LPCWSTR, *PCWSTR, *LPCWCH;

#ifndef TRUE
#define TRUE			1
#endif
#ifndef FALSE
#define FALSE			0
#endif
#ifndef INFINITE
#define INFINITE		0xFFFFFFFFu
#endif
#ifndef INVALID_HANDLE_VALUE
#define INVALID_HANDLE_VALUE	((HANDLE)(LONG_PTR)-1)
#endif

#ifndef GUID_DEFINED
#define GUID_DEFINED
typedef struct _GUID {
	ULONG Data1;
	USHORT Data2;
	USHORT Data3;
	UCHAR Data4[8];
} GUID;
#endif
typedef GUID *LPGUID;
typedef const GUID *LPCGUID;

/* A program's own definition is kept */
#ifndef DEFINE_GUID
#include "evntguid.h"
#endif

typedef struct _FILETIME {
	DWORD dwLowDateTime;
	DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;

typedef struct _SYSTEMTIME {
	WORD wYear;
	WORD wMonth;
	WORD wDayOfWeek;
	WORD wDay;
	WORD wHour;
	WORD wMinute;
	WORD wSecond;
	WORD wMilliseconds;
} SYSTEMTIME, *PSYSTEMTIME, *LPSYSTEMTIME;

typedef struct _TIME_ZONE_INFORMATION {
	LONG Bias;
	WCHAR StandardName[32];
	SYSTEMTIME StandardDate;
	LONG StandardBias;
	WCHAR DaylightName[32];
	SYSTEMTIME DaylightDate;
	LONG DaylightBias;
} TIME_ZONE_INFORMATION, *PTIME_ZONE_INFORMATION;

/* Security identifier, with SubAuthorityCount elements in SubAuthority */
typedef struct _SID_IDENTIFIER_AUTHORITY {
	BYTE Value[6];
} SID_IDENTIFIER_AUTHORITY, *PSID_IDENTIFIER_AUTHORITY;

typedef struct _SID {
	BYTE Revision;
	BYTE SubAuthorityCount;
	SID_IDENTIFIER_AUTHORITY IdentifierAuthority;
	DWORD SubAuthority[1];
} SID;
typedef PVOID PSID;

typedef union _LARGE_INTEGER {
	EVNT_ANONYMOUS struct {
		DWORD LowPart;
		LONG HighPart;
	};
	struct {
		DWORD LowPart;
		LONG HighPart;
	} u;
	LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef union _ULARGE_INTEGER {
	EVNT_ANONYMOUS struct {
		DWORD LowPart;
		DWORD HighPart;
	};
	struct {
		DWORD LowPart;
		DWORD HighPart;
	} u;
	ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

/* Error codes returned by these APIs, unless defined already */
#ifndef ERROR_SUCCESS
#define ERROR_SUCCESS				0u
#endif
#ifndef ERROR_INVALID_FUNCTION
#define ERROR_INVALID_FUNCTION			1u
#endif
#ifndef ERROR_FILE_NOT_FOUND
#define ERROR_FILE_NOT_FOUND			2u
#endif
#ifndef ERROR_PATH_NOT_FOUND
#define ERROR_PATH_NOT_FOUND			3u
#endif
#ifndef ERROR_ACCESS_DENIED
#define ERROR_ACCESS_DENIED			5u
#endif
#ifndef ERROR_INVALID_HANDLE
#define ERROR_INVALID_HANDLE			6u
#endif
#ifndef ERROR_NOT_ENOUGH_MEMORY
#define ERROR_NOT_ENOUGH_MEMORY			8u
#endif
#ifndef ERROR_OUTOFMEMORY
#define ERROR_OUTOFMEMORY			14u
#endif
#ifndef ERROR_BAD_LENGTH
#define ERROR_BAD_LENGTH			24u
#endif
#ifndef ERROR_GEN_FAILURE
#define ERROR_GEN_FAILURE			31u
#endif
#ifndef ERROR_NOT_SUPPORTED
#define ERROR_NOT_SUPPORTED			50u
#endif
#ifndef ERROR_INVALID_PARAMETER
#define ERROR_INVALID_PARAMETER			87u
#endif
#ifndef ERROR_DISK_FULL
#define ERROR_DISK_FULL				112u
#endif
#ifndef ERROR_CALL_NOT_IMPLEMENTED
#define ERROR_CALL_NOT_IMPLEMENTED		120u
#endif
#ifndef ERROR_INSUFFICIENT_BUFFER
#define ERROR_INSUFFICIENT_BUFFER		122u
#endif
#ifndef ERROR_BAD_PATHNAME
#define ERROR_BAD_PATHNAME			161u
#endif
#ifndef ERROR_BUSY
#define ERROR_BUSY				170u
#endif
#ifndef ERROR_ALREADY_EXISTS
#define ERROR_ALREADY_EXISTS			183u
#endif
#ifndef ERROR_INVALID_FLAG_NUMBER
#define ERROR_INVALID_FLAG_NUMBER		186u
#endif
#ifndef ERROR_FILE_TOO_LARGE
#define ERROR_FILE_TOO_LARGE			223u
#endif
#ifndef ERROR_MORE_DATA
#define ERROR_MORE_DATA				234u
#endif
#ifndef ERROR_ARITHMETIC_OVERFLOW
#define ERROR_ARITHMETIC_OVERFLOW		534u
#endif
#ifndef ERROR_NOACCESS
#define ERROR_NOACCESS				998u
#endif
#ifndef ERROR_INVALID_FLAGS
#define ERROR_INVALID_FLAGS			1004u
#endif
#ifndef ERROR_NOT_FOUND
#define ERROR_NOT_FOUND				1168u
#endif
#ifndef ERROR_CANCELLED
#define ERROR_CANCELLED				1223u
#endif
#ifndef ERROR_REVISION_MISMATCH
#define ERROR_REVISION_MISMATCH			1306u
#endif
#ifndef ERROR_INVALID_ACL
#define ERROR_INVALID_ACL			1336u
#endif
#ifndef ERROR_INVALID_SID
#define ERROR_INVALID_SID			1337u
#endif
#ifndef ERROR_INVALID_SECURITY_DESCR
#define ERROR_INVALID_SECURITY_DESCR		1338u
#endif
#ifndef ERROR_PRIVILEGE_NOT_HELD
#define ERROR_PRIVILEGE_NOT_HELD		1314u
#endif
#ifndef ERROR_FILE_CORRUPT
#define ERROR_FILE_CORRUPT			1392u
#endif
#ifndef ERROR_NO_SYSTEM_RESOURCES
#define ERROR_NO_SYSTEM_RESOURCES		1450u
#endif
#ifndef ERROR_TIMEOUT
#define ERROR_TIMEOUT				1460u
#endif
#ifndef ERROR_XML_PARSE_ERROR
#define ERROR_XML_PARSE_ERROR			1465u
#endif
#ifndef ERROR_LOG_FILE_FULL
#define ERROR_LOG_FILE_FULL			1502u
#endif
#ifndef ERROR_RESOURCE_TYPE_NOT_FOUND
#define ERROR_RESOURCE_TYPE_NOT_FOUND		1813u
#endif
#ifndef ERROR_INVALID_TIME
#define ERROR_INVALID_TIME			1901u
#endif
#ifndef ERROR_ACTIVE_CONNECTIONS
#define ERROR_ACTIVE_CONNECTIONS		2402u
#endif
#ifndef ERROR_WMI_GUID_NOT_FOUND
#define ERROR_WMI_GUID_NOT_FOUND		4200u
#endif
#ifndef ERROR_WMI_INSTANCE_NOT_FOUND
#define ERROR_WMI_INSTANCE_NOT_FOUND		4201u
#endif
#ifndef ERROR_WMI_ALREADY_ENABLED
#define ERROR_WMI_ALREADY_ENABLED		4206u
#endif
#ifndef ERROR_WMI_SERVER_UNAVAILABLE
#define ERROR_WMI_SERVER_UNAVAILABLE		4208u
#endif
#ifndef ERROR_EMPTY
#define ERROR_EMPTY				4306u
#endif
#ifndef ERROR_CTX_CLOSE_PENDING
#define ERROR_CTX_CLOSE_PENDING			7007u
#endif
#ifndef ERROR_EVT_INVALID_EVENT_DATA
#define ERROR_EVT_INVALID_EVENT_DATA		15005u
#endif
#ifndef ERROR_EVT_MESSAGE_NOT_FOUND
#define ERROR_EVT_MESSAGE_NOT_FOUND		15027u
#endif
#ifndef STATUS_LOG_FILE_FULL
#define STATUS_LOG_FILE_FULL			0xC0000188u
#endif

EVNT_BEGIN_DECLS

/* Return the thread's last error, for functions that do not return one */
DWORD GetLastError(void);
void SetLastError(DWORD Code);

EVNT_END_DECLS

#endif /* EVNTBASE_H */
