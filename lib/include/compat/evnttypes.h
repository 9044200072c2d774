/* SPDX-License-Identifier: MIT */
/*
 * Types and macros of Windows that the ETW headers do not need.
 */
#ifndef EVNT_TYPES_H
#define EVNT_TYPES_H

#include <evntbase.h>

typedef void *HINSTANCE, *HMODULE, *HKEY, *HWND, *HGLOBAL;
typedef INT_PTR (*FARPROC)(void);
typedef UINT_PTR WPARAM;
typedef LONG_PTR LPARAM, LRESULT, SSIZE_T;
typedef LONG LSTATUS, NTSTATUS, RPC_STATUS;
typedef ULONGLONG DWORDLONG;
typedef WORD LANGID;
typedef DWORD LCID, ACCESS_MASK, LCTYPE;
typedef BOOL *PBOOL, *LPBOOL;
typedef INT *PINT, *LPINT;
typedef UINT *PUINT, *LPUINT;
typedef LONG *LPLONG;
typedef const BYTE *LPCBYTE, *PCBYTE;
typedef LONGLONG *PLONGLONG;
typedef LONG64 *PLONG64;
typedef SHORT *PSHORT;
typedef WORD *PWORD, *LPWORD;
typedef SIZE_T *PSIZE_T;
typedef ULONG_PTR *PULONG_PTR;
typedef UINT_PTR *PUINT_PTR;
typedef DWORD_PTR *PDWORD_PTR;
typedef INT8 *PINT8;
typedef UINT8 *PUINT8;
typedef INT16 *PINT16;
typedef UINT16 *PUINT16;
typedef INT32 *PINT32;
typedef UINT32 *PUINT32;
typedef INT64 *PINT64;
typedef UINT64 *PUINT64;
typedef FLOAT *PFLOAT;
typedef double DOUBLE, DATE;
typedef const CHAR *LPCCH, *PCCH;
typedef const WCHAR *PCWCH, *LPCWCHAR;
typedef WCHAR *LPWCH, *PWCH;
typedef CHAR *LPCH, *PCH;

/* Literals of type WCHAR: L"" or u"" */
#if __SIZEOF_WCHAR_T__ == 2
#define EVNT_WIDE_(text)	L##text
#else
#define EVNT_WIDE_(text)	u##text
#endif
#define EVNT_WIDE(text)		EVNT_WIDE_(text)
#ifdef UNICODE
typedef WCHAR TCHAR, *PTCHAR, *LPTCH, *PTCH;
typedef LPWSTR LPTSTR, PTSTR;
typedef LPCWSTR LPCTSTR, PCTSTR;
#define TEXT(text)		EVNT_WIDE(text)
#else
typedef CHAR TCHAR, *PTCHAR, *LPTCH, *PTCH;
typedef LPSTR LPTSTR, PTSTR;
typedef LPCSTR LPCTSTR, PCTSTR;
#define TEXT(text)		text
#endif

/* Strings with an explicit length, in bytes */
typedef struct _UNICODE_STRING {
	USHORT Length;
	USHORT MaximumLength;
	PWSTR Buffer;
} UNICODE_STRING, *PUNICODE_STRING;
typedef const UNICODE_STRING *PCUNICODE_STRING;

typedef struct _STRING {
	USHORT Length;
	USHORT MaximumLength;
	PCHAR Buffer;
} STRING, *PSTRING, ANSI_STRING, *PANSI_STRING;
typedef const ANSI_STRING *PCANSI_STRING;

typedef struct _SECURITY_ATTRIBUTES {
	DWORD nLength;
	LPVOID lpSecurityDescriptor;
	BOOL bInheritHandle;
} SECURITY_ATTRIBUTES, *PSECURITY_ATTRIBUTES, *LPSECURITY_ATTRIBUTES;

/* Number of a processor, with groups of 64 */
typedef ULONG_PTR KAFFINITY;
typedef struct _PROCESSOR_NUMBER {
	WORD Group;
	BYTE Number;
	BYTE Reserved;
} PROCESSOR_NUMBER, *PPROCESSOR_NUMBER;

/* Properties of a file; the creation time is the last change of its status */
#define EVNT_FIND_DATA(CHARACTER)					\
	DWORD dwFileAttributes;						\
	FILETIME ftCreationTime;					\
	FILETIME ftLastAccessTime;					\
	FILETIME ftLastWriteTime;					\
	DWORD nFileSizeHigh;						\
	DWORD nFileSizeLow;						\
	DWORD dwReserved0;						\
	DWORD dwReserved1;						\
	CHARACTER cFileName[260];					\
	CHARACTER cAlternateFileName[14];
typedef struct _WIN32_FIND_DATAA {
	EVNT_FIND_DATA(CHAR)
} WIN32_FIND_DATAA, *PWIN32_FIND_DATAA, *LPWIN32_FIND_DATAA;
typedef struct _WIN32_FIND_DATAW {
	EVNT_FIND_DATA(WCHAR)
} WIN32_FIND_DATAW, *PWIN32_FIND_DATAW, *LPWIN32_FIND_DATAW;
#undef EVNT_FIND_DATA
#ifdef UNICODE
typedef WIN32_FIND_DATAW WIN32_FIND_DATA, *PWIN32_FIND_DATA;
#else
typedef WIN32_FIND_DATAA WIN32_FIND_DATA, *PWIN32_FIND_DATA;
#endif
/* Files have these attributes here, if any: */
#define FILE_ATTRIBUTE_READONLY		0x1u
#define FILE_ATTRIBUTE_DIRECTORY	0x10u
#define FILE_ATTRIBUTE_NORMAL		0x80u
/* and never these */
#define FILE_ATTRIBUTE_HIDDEN		0x2u
#define FILE_ATTRIBUTE_SYSTEM		0x4u
#define FILE_ATTRIBUTE_ARCHIVE		0x20u
#define FILE_ATTRIBUTE_DEVICE		0x40u
#define FILE_ATTRIBUTE_TEMPORARY	0x100u
#define FILE_ATTRIBUTE_SPARSE_FILE	0x200u
#define FILE_ATTRIBUTE_REPARSE_POINT	0x400u
#define FILE_ATTRIBUTE_COMPRESSED	0x800u
#define FILE_ATTRIBUTE_OFFLINE		0x1000u
#define FILE_ATTRIBUTE_NOT_CONTENT_INDEXED	0x2000u
#define FILE_ATTRIBUTE_ENCRYPTED	0x4000u

/* Well-known SIDs */
typedef enum {
	WinNullSid = 0,
	WinWorldSid = 1,
	WinLocalSid = 2,
	WinCreatorOwnerSid = 3,
	WinCreatorGroupSid = 4,
	WinNtAuthoritySid = 7,
	WinNetworkSid = 9,
	WinBatchSid = 10,
	WinInteractiveSid = 11,
	WinServiceSid = 12,
	WinAnonymousSid = 13,
	WinSelfSid = 16,
	WinAuthenticatedUserSid = 17,
	WinLocalSystemSid = 22,
	WinLocalServiceSid = 23,
	WinNetworkServiceSid = 24,
	WinBuiltinAdministratorsSid = 26,
	WinBuiltinUsersSid = 27,
	WinBuiltinGuestsSid = 28
} WELL_KNOWN_SID_TYPE;

/* Version of Windows, and requirements on it */
#define EVNT_VERSION_FIELDS(CHARACTER)					\
	DWORD dwOSVersionInfoSize;					\
	DWORD dwMajorVersion;						\
	DWORD dwMinorVersion;						\
	DWORD dwBuildNumber;						\
	DWORD dwPlatformId;						\
	CHARACTER szCSDVersion[128];
#define EVNT_VERSION_MORE_FIELDS					\
	WORD wServicePackMajor;						\
	WORD wServicePackMinor;						\
	WORD wSuiteMask;						\
	BYTE wProductType;						\
	BYTE wReserved;
typedef struct _OSVERSIONINFOA {
	EVNT_VERSION_FIELDS(CHAR)
} OSVERSIONINFOA, *POSVERSIONINFOA, *LPOSVERSIONINFOA;
typedef struct _OSVERSIONINFOW {
	EVNT_VERSION_FIELDS(WCHAR)
} OSVERSIONINFOW, *POSVERSIONINFOW, *LPOSVERSIONINFOW, RTL_OSVERSIONINFOW,
	*PRTL_OSVERSIONINFOW;
typedef struct _OSVERSIONINFOEXA {
	EVNT_VERSION_FIELDS(CHAR)
	EVNT_VERSION_MORE_FIELDS
} OSVERSIONINFOEXA, *POSVERSIONINFOEXA, *LPOSVERSIONINFOEXA;
typedef struct _OSVERSIONINFOEXW {
	EVNT_VERSION_FIELDS(WCHAR)
	EVNT_VERSION_MORE_FIELDS
} OSVERSIONINFOEXW, *POSVERSIONINFOEXW, *LPOSVERSIONINFOEXW,
	RTL_OSVERSIONINFOEXW, *PRTL_OSVERSIONINFOEXW;
#undef EVNT_VERSION_FIELDS
#undef EVNT_VERSION_MORE_FIELDS
#ifdef UNICODE
typedef OSVERSIONINFOW OSVERSIONINFO, *POSVERSIONINFO, *LPOSVERSIONINFO;
typedef OSVERSIONINFOEXW OSVERSIONINFOEX, *POSVERSIONINFOEX;
#else
typedef OSVERSIONINFOA OSVERSIONINFO, *POSVERSIONINFO, *LPOSVERSIONINFO;
typedef OSVERSIONINFOEXA OSVERSIONINFOEX, *POSVERSIONINFOEX;
#endif
#define VER_PLATFORM_WIN32_NT		2
#define VER_NT_WORKSTATION		1
#define VER_NT_DOMAIN_CONTROLLER	2
#define VER_NT_SERVER			3
#define VER_MINORVERSION		0x1u
#define VER_MAJORVERSION		0x2u
#define VER_BUILDNUMBER			0x4u
#define VER_PLATFORMID			0x8u
#define VER_SERVICEPACKMINOR		0x10u
#define VER_SERVICEPACKMAJOR		0x20u
#define VER_PRODUCT_TYPE		0x80u
#define VER_EQUAL			1
#define VER_GREATER			2
#define VER_GREATER_EQUAL		3
#define VER_LESS			4
#define VER_LESS_EQUAL			5

#define MAX_PATH			260
#define UNICODE_NULL			((WCHAR)0)
#define ANSI_NULL			((CHAR)0)
#define MAXINT64			0x7fffffffffffffffll
#define MAXUINT64			0xffffffffffffffffull
#define MAXULONGLONG			0xffffffffffffffffull
#define MAXLONG				0x7fffffff
#define MAXULONG			0xffffffffu
#define MAXULONG32			0xffffffffu
#define MAXDWORD			0xffffffffu
#define MAXUSHORT			0xffff
#define MAXWORD				0xffff
#define MAXUINT16			0xffff
#define MAXUINT32			0xffffffffu
#define MAXUCHAR			0xff
#define BYTE_MAX			0xff
#define SHORT_MAX			32767
#define USHORT_MAX			0xffff
#define WORD_MAX			0xffff
#define DWORD_MAX			0xffffffffu
#define LONGLONG_MAX			0x7fffffffffffffffll
#define ULONGLONG_MAX			0xffffffffffffffffull
#define SIZE_T_MAX			((SIZE_T)-1)
#define LOCALE_USER_DEFAULT		0x0400
#define LOCALE_SYSTEM_DEFAULT		0x0800
#define LOCALE_INVARIANT		0x007f

#define LOBYTE(w)		((BYTE)((ULONG_PTR)(w) & 0xff))
#define HIBYTE(w)		((BYTE)((ULONG_PTR)(w) >> 8 & 0xff))
#define LOWORD(l)		((WORD)((ULONG_PTR)(l) & 0xffff))
#define HIWORD(l)		((WORD)((ULONG_PTR)(l) >> 16 & 0xffff))
#define MAKEWORD(a, b)		((WORD)(((WORD)(b) & 0xff) << 8 | ((a) & 0xff)))
#define MAKELONG(a, b) \
	((LONG)(((DWORD)(b) & 0xffff) << 16 | ((DWORD)(a) & 0xffff)))
#define MAKELANGID(primary, sub)	((WORD)((sub) << 10 | (primary)))
#define LANG_NEUTRAL			0
#define SUBLANG_DEFAULT			1
#define FIELD_OFFSET(type, field)	((LONG)offsetof(type, field))
#define RTL_FIELD_SIZE(type, field)	sizeof(((type *)0)->field)
#define RTL_NUMBER_OF(array)		(sizeof(array) / sizeof((array)[0]))
#define ARRAYSIZE(array)		RTL_NUMBER_OF(array)
typedef struct tagRECT {
	LONG left;
	LONG top;
	LONG right;
	LONG bottom;
} RECT, *PRECT, *LPRECT;
/* Elements of the array at the end of a structure, whose number varies */
#define ANYSIZE_ARRAY			1
#define CONTAINING_RECORD(p, type, field) \
	((type *)((char *)(p) - offsetof(type, field)))
/* Operators of a type of flags, which C has anyway */
#ifdef __cplusplus
#define DEFINE_ENUM_FLAG_OPERATORS(type)				\
	extern "C++" {							\
	constexpr type operator|(type a, type b)			\
	{								\
		return type((long long)a | (long long)b);		\
	}								\
	constexpr type operator&(type a, type b)			\
	{								\
		return type((long long)a & (long long)b);		\
	}								\
	constexpr type operator^(type a, type b)			\
	{								\
		return type((long long)a ^ (long long)b);		\
	}								\
	constexpr type operator~(type a)				\
	{								\
		return type(~(long long)a);				\
	}								\
	inline type &operator|=(type &a, type b) { return a = a | b; }	\
	inline type &operator&=(type &a, type b) { return a = a & b; }	\
	inline type &operator^=(type &a, type b) { return a = a ^ b; }	\
	}
#else
#define DEFINE_ENUM_FLAG_OPERATORS(type)
#endif
#define WSTR_ALIGNED(text)		(!((ULONG_PTR)(text) & 1))

#define RtlZeroMemory(to, size)		memset((to), 0, (size))
#define RtlCopyMemory(to, from, size)	memcpy((to), (from), (size))
#define RtlMoveMemory(to, from, size)	memmove((to), (from), (size))
#define RtlFillMemory(to, size, byte)	memset((to), (byte), (size))
#define RtlEqualMemory(a, b, size)	(!memcmp((a), (b), (size)))
#define ZeroMemory			RtlZeroMemory
#define SecureZeroMemory		RtlZeroMemory
#define CopyMemory			RtlCopyMemory
#define MoveMemory			RtlMoveMemory
#define FillMemory			RtlFillMemory

/* Strings that need not end with a nul */
typedef const CHAR *PCNZCH;
typedef const WCHAR *PCNZWCH;

#endif /* EVNT_TYPES_H */
