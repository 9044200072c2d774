/* SPDX-License-Identifier: MIT */
/*
 * Functions of Windows that programs use in addition to the ETW functions.
 *
 * They behave as documented on learn.microsoft.com, with the limits noted here,
 * and set the last error where documented.
 */
#ifndef EVNT_FUNC_H
#define EVNT_FUNC_H

#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "../sddl.h"
#include "evntasync.h"
#include "evntdecl.h"
#include "evntlock.h"
#include "evntnamed.h"
#include "evnttypes.h"
#include "guiddef.h"

EVNT_BEGIN_DECLS

/* Time: FILETIME is UTC, in units of 100 ns since 1601 */
void GetSystemTimeAsFileTime(LPFILETIME to);
void GetSystemTime(LPSYSTEMTIME to);
void GetLocalTime(LPSYSTEMTIME to);
BOOL FileTimeToSystemTime(const FILETIME *from, LPSYSTEMTIME to);
BOOL SystemTimeToFileTime(const SYSTEMTIME *from, LPFILETIME to);
BOOL FileTimeToLocalFileTime(const FILETIME *from, LPFILETIME to);
/* The time zone must be NULL, for the system's own */
BOOL SystemTimeToTzSpecificLocalTime(const TIME_ZONE_INFORMATION *zone,
				     const SYSTEMTIME *from, LPSYSTEMTIME to);
DWORD GetTickCount(void);
ULONGLONG GetTickCount64(void);
BOOL QueryPerformanceCounter(LARGE_INTEGER *to);
BOOL QueryPerformanceFrequency(LARGE_INTEGER *to);
void Sleep(DWORD ms);

/* Dates and times as English text, formatted by a picture or flags */
#define DATE_SHORTDATE		0x1u
#define DATE_LONGDATE		0x2u
#define TIME_NOSECONDS		0x2u
#define TIME_FORCE24HOURFORMAT	0x8u
#define LOCALE_NOUSEROVERRIDE	0x80000000u
int GetDateFormatW(LCID locale, DWORD flags, const SYSTEMTIME *date,
		   LPCWSTR picture, LPWSTR to, int size);
int GetTimeFormatW(LCID locale, DWORD flags, const SYSTEMTIME *date,
		   LPCWSTR picture, LPWSTR to, int size);

/* Identifiers */
HRESULT CoCreateGuid(GUID *to);
RPC_STATUS UuidCreate(UUID *to);
int StringFromGUID2(REFGUID from, LPWSTR to, int size);
HRESULT StringFromCLSID(REFCLSID from, LPWSTR *to);
HRESULT CLSIDFromString(LPCWSTR from, CLSID *to);
HRESULT IIDFromString(LPCWSTR from, IID *to);
LPVOID CoTaskMemAlloc(SIZE_T size);
void CoTaskMemFree(LPVOID memory);
BOOL CreateWellKnownSid(WELL_KNOWN_SID_TYPE type, PSID domain, PSID to,
			DWORD *size);

/* Memory, allocated by the C library; flags other than zeroing are ignored */
#define HEAP_ZERO_MEMORY	0x8u
#define LMEM_FIXED		0x0u
#define LMEM_ZEROINIT		0x40u
#define LPTR			0x40u
HANDLE GetProcessHeap(void);
LPVOID HeapAlloc(HANDLE heap, DWORD flags, SIZE_T size);
LPVOID HeapReAlloc(HANDLE heap, DWORD flags, LPVOID memory, SIZE_T size);
BOOL HeapFree(HANDLE heap, DWORD flags, LPVOID memory);
HLOCAL LocalAlloc(UINT flags, SIZE_T size);
#define GMEM_FIXED		0x0u
#define GMEM_ZEROINIT		0x40u
#define GPTR			0x40u
HGLOBAL GlobalAlloc(UINT flags, SIZE_T size);
HGLOBAL GlobalFree(HGLOBAL memory);

/* Text: all code pages are UTF-8; NULL and 0 query the size */
#define CP_ACP			0u
#define CP_UTF8			65001u
#define MB_ERR_INVALID_CHARS	0x8u
#define WC_ERR_INVALID_CHARS	0x80u
int MultiByteToWideChar(UINT page, DWORD flags, LPCSTR from, int from_size,
			LPWSTR to, int size);
int WideCharToMultiByte(UINT page, DWORD flags, LPCWSTR from, int from_size,
			LPSTR to, int size, LPCSTR unmapped, LPBOOL was_unmapped);
int lstrlenA(LPCSTR text);
int lstrlenW(LPCWSTR text);
/* Mappings: case of Latin letters and byte reversal are supported */
#define LOCALE_NAME_INVARIANT	EVNT_WIDE("")
#define LCMAP_LOWERCASE		0x100u
#define LCMAP_UPPERCASE		0x200u
#define LCMAP_BYTEREV		0x800u
int LCMapStringEx(LPCWSTR locale, DWORD flags, LPCWSTR from, int from_size,
		  LPWSTR to, int size, PVOID version, PVOID reserved,
		  LPARAM handle);
#define FORMAT_MESSAGE_ALLOCATE_BUFFER	0x100u
#define FORMAT_MESSAGE_IGNORE_INSERTS	0x200u
#define FORMAT_MESSAGE_FROM_STRING	0x400u
#define FORMAT_MESSAGE_FROM_HMODULE	0x800u
#define FORMAT_MESSAGE_FROM_SYSTEM	0x1000u
#define FORMAT_MESSAGE_ARGUMENT_ARRAY	0x2000u
#define FORMAT_MESSAGE_MAX_WIDTH_MASK	0xffu
/* Messages of the system, or passed by the program; modules have none */
DWORD FormatMessageW(DWORD flags, LPCVOID source, DWORD id, DWORD language,
		     LPWSTR to, DWORD size, va_list *args);
DWORD FormatMessageA(DWORD flags, LPCVOID source, DWORD id, DWORD language,
		     LPSTR to, DWORD size, va_list *args);

/* Directories: names that match a pattern with * and ? */
HANDLE FindFirstFileA(LPCSTR pattern, WIN32_FIND_DATAA *to);
HANDLE FindFirstFileW(LPCWSTR pattern, WIN32_FIND_DATAW *to);
BOOL FindNextFileA(HANDLE search, WIN32_FIND_DATAA *to);
BOOL FindNextFileW(HANDLE search, WIN32_FIND_DATAW *to);
BOOL FindClose(HANDLE search);

/*
 * Files, opened for reading unless GENERIC_WRITE is requested; sharing and
 * attributes are ignored, and overlapped transfers refused.  Standard streams are
 * handles of their own, which need not be closed.
 */
#define GENERIC_WRITE		0x40000000u
#define GENERIC_READ		0x80000000u
#define FILE_SHARE_READ		1u
#define FILE_SHARE_WRITE	2u
#define FILE_SHARE_DELETE	4u
#define CREATE_NEW		1u
#define CREATE_ALWAYS		2u
#define OPEN_EXISTING		3u
#define OPEN_ALWAYS		4u
#define TRUNCATE_EXISTING	5u
#define FILE_TYPE_UNKNOWN	0u
#define FILE_TYPE_DISK		1u
#define FILE_TYPE_CHAR		2u
#define FILE_TYPE_PIPE		3u
#define STD_INPUT_HANDLE	((DWORD)-10)
#define STD_OUTPUT_HANDLE	((DWORD)-11)
#define STD_ERROR_HANDLE	((DWORD)-12)
struct _OVERLAPPED;
HANDLE CreateFileA(LPCSTR name, DWORD access, DWORD share,
		   LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
		   DWORD flags, HANDLE model);
HANDLE CreateFileW(LPCWSTR name, DWORD access, DWORD share,
		   LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
		   DWORD flags, HANDLE model);
BOOL ReadFile(HANDLE file, LPVOID to, DWORD size, LPDWORD done,
	      struct _OVERLAPPED *overlapped);
BOOL WriteFile(HANDLE file, LPCVOID from, DWORD size, LPDWORD done,
	       struct _OVERLAPPED *overlapped);
BOOL GetFileSizeEx(HANDLE file, PLARGE_INTEGER to);
DWORD GetFileType(HANDLE file);
HANDLE GetStdHandle(DWORD id);
#define INVALID_FILE_ATTRIBUTES	((DWORD)-1)
DWORD GetFileAttributesA(LPCSTR name);
DWORD GetFileAttributesW(LPCWSTR name);
BOOL DeleteFileA(LPCSTR name);
BOOL DeleteFileW(LPCWSTR name);
BOOL MoveFileA(LPCSTR from, LPCSTR to);
BOOL MoveFileW(LPCWSTR from, LPCWSTR to);
DWORD ExpandEnvironmentStringsW(LPCWSTR from, LPWSTR to, DWORD size);

/*
 * Threads, events, mutexes, semaphores, and functions that wait for them.  A
 * mutex or semaphore with a name is found in its own process only.
 */
typedef DWORD (WINAPI *LPTHREAD_START_ROUTINE)(LPVOID);
typedef LPTHREAD_START_ROUTINE PTHREAD_START_ROUTINE;
#define MAXIMUM_WAIT_OBJECTS	64
HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack,
		    LPTHREAD_START_ROUTINE start, LPVOID argument, DWORD flags,
		    LPDWORD id);
__declspec(noreturn) VOID ExitThread(DWORD code);
BOOL GetExitCodeThread(HANDLE thread, LPDWORD code);
#define SEM_FAILCRITICALERRORS		0x0001
#define SEM_NOGPFAULTERRORBOX		0x0002
#define SEM_NOALIGNMENTFAULTEXCEPT	0x0004
#define SEM_NOOPENFILEERRORBOX		0x8000
UINT SetErrorMode(UINT mode);
UINT GetErrorMode(void);
HANDLE CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL set,
		    LPCWSTR name);
HANDLE CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL set,
		    LPCSTR name);
BOOL SetEvent(HANDLE event);
BOOL ResetEvent(HANDLE event);
#define CREATE_MUTEX_INITIAL_OWNER	0x1u
#define MUTEX_MODIFY_STATE	0x1u
#define MUTEX_ALL_ACCESS	0x1f0001u
#define SEMAPHORE_MODIFY_STATE	0x2u
#define SEMAPHORE_ALL_ACCESS	0x1f0003u
HANDLE CreateMutexExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name,
		      DWORD flags, DWORD access);
HANDLE OpenMutexW(DWORD access, BOOL inherit, LPCWSTR name);
BOOL ReleaseMutex(HANDLE mutex);
HANDLE CreateSemaphoreExW(LPSECURITY_ATTRIBUTES attributes, LONG count,
			  LONG max, LPCWSTR name, DWORD flags, DWORD access);
HANDLE OpenSemaphoreW(DWORD access, BOOL inherit, LPCWSTR name);
BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LPLONG previous);
DWORD WaitForSingleObject(HANDLE handle, DWORD ms);
DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all,
			     DWORD ms);
BOOL CloseHandle(HANDLE handle);

/* Waits for a value of 1, 2, 4 or 8 bytes, which may return early */
BOOL WaitOnAddress(volatile VOID *address, PVOID value, SIZE_T size, DWORD ms);
VOID WakeByAddressAll(PVOID address);
VOID WakeByAddressSingle(PVOID address);

DWORD GetCurrentThreadId(void);
DWORD GetCurrentProcessorNumber(void);
VOID GetCurrentProcessorNumberEx(PPROCESSOR_NUMBER to);

/*
 * Processes, by their files in /proc; the rights that a handle shall have are
 * ignored.  No thread can wait for a process.
 */
#define PROCESS_TERMINATE			0x1u
#define PROCESS_VM_READ				0x10u
#define PROCESS_QUERY_INFORMATION		0x400u
#define PROCESS_QUERY_LIMITED_INFORMATION	0x1000u
#define SYNCHRONIZE				0x100000u
HANDLE OpenProcess(DWORD access, BOOL inherit, DWORD id);
DWORD GetProcessId(HANDLE process);
BOOL QueryFullProcessImageNameA(HANDLE process, DWORD flags, LPSTR to,
				LPDWORD size);
BOOL QueryFullProcessImageNameW(HANDLE process, DWORD flags, LPWSTR to,
				LPDWORD size);

/* Processors that are online, of which the mask has at most 64 */
#define PROCESSOR_ARCHITECTURE_INTEL	0
#define PROCESSOR_ARCHITECTURE_AMD64	9
#define PROCESSOR_ARCHITECTURE_ARM64	12
#define PROCESSOR_ARCHITECTURE_UNKNOWN	0xffff
#define PROCESSOR_AMD_X8664		8664
typedef struct _SYSTEM_INFO {
	union {
		DWORD dwOemId;
		struct {
			WORD wProcessorArchitecture;
			WORD wReserved;
		};
	};
	DWORD dwPageSize;
	LPVOID lpMinimumApplicationAddress;
	LPVOID lpMaximumApplicationAddress;
	DWORD_PTR dwActiveProcessorMask;
	DWORD dwNumberOfProcessors;
	DWORD dwProcessorType;
	DWORD dwAllocationGranularity;
	WORD wProcessorLevel;
	WORD wProcessorRevision;
} SYSTEM_INFO, *LPSYSTEM_INFO;
void GetSystemInfo(LPSYSTEM_INFO to);
#define GetNativeSystemInfo	GetSystemInfo

/* The user whose rights the program has */
BOOL GetUserNameA(LPSTR to, LPDWORD size);
BOOL GetUserNameW(LPWSTR to, LPDWORD size);

/* Variables of the environment; return the length, or the size that is needed */
DWORD GetEnvironmentVariableA(LPCSTR name, LPSTR to, DWORD size);
DWORD GetEnvironmentVariableW(LPCWSTR name, LPWSTR to, DWORD size);

/* The command line, quoted as on Windows, and handlers for requests to exit */
LPSTR GetCommandLineA(void);
LPWSTR GetCommandLineW(void);
#define CTRL_C_EVENT		0u
#define CTRL_BREAK_EVENT	1u
#define CTRL_CLOSE_EVENT	2u
#define CTRL_LOGOFF_EVENT	5u
#define CTRL_SHUTDOWN_EVENT	6u
typedef BOOL (WINAPI *PHANDLER_ROUTINE)(DWORD event);
BOOL SetConsoleCtrlHandler(PHANDLER_ROUTINE handler, BOOL add);

/* Version of Windows that is emulated */
BOOL GetVersionExW(OSVERSIONINFOW *to);
BOOL GetVersionExA(OSVERSIONINFOA *to);
ULONGLONG VerSetConditionMask(ULONGLONG mask, DWORD flags, BYTE condition);
BOOL VerifyVersionInfoW(OSVERSIONINFOEXW *want, DWORD flags, ULONGLONG mask);
#define VER_SET_CONDITION(mask, flag, condition) \
	((mask) = VerSetConditionMask(mask, flag, condition))

/*
 * Libraries: names of Windows libraries that contain ETW functions stand for
 * the program and the libraries linked with it; other names are files.
 */
#define LOAD_LIBRARY_SEARCH_SYSTEM32	0x800u
#define LOAD_LIBRARY_AS_DATAFILE	0x2u
/* Reasons passed to DllMain(), which is never called here */
#define DLL_PROCESS_DETACH	0u
#define DLL_PROCESS_ATTACH	1u
#define DLL_THREAD_ATTACH	2u
#define DLL_THREAD_DETACH	3u
HMODULE LoadLibraryA(LPCSTR name);
HMODULE LoadLibraryW(LPCWSTR name);
HMODULE LoadLibraryExA(LPCSTR name, HANDLE reserved, DWORD flags);
HMODULE LoadLibraryExW(LPCWSTR name, HANDLE reserved, DWORD flags);
HMODULE GetModuleHandleA(LPCSTR name);
HMODULE GetModuleHandleW(LPCWSTR name);
#define GET_MODULE_HANDLE_EX_FLAG_PIN			0x1u
#define GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT	0x2u
#define GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS		0x4u
/* Finds a module by its name, or by an address in it */
BOOL GetModuleHandleExA(DWORD flags, LPCSTR name, HMODULE *module);
BOOL GetModuleHandleExW(DWORD flags, LPCWSTR name, HMODULE *module);
FARPROC GetProcAddress(HMODULE module, LPCSTR name);
BOOL FreeLibrary(HMODULE module);
DWORD GetModuleFileNameA(HMODULE module, LPSTR to, DWORD size);
DWORD GetModuleFileNameW(HMODULE module, LPWSTR to, DWORD size);

EVNT_END_DECLS

/* Waits of an alertable thread, for which no procedure can be queued */
static inline DWORD WaitForSingleObjectEx(HANDLE handle, DWORD ms,
					  BOOL alertable)
{
	(void)alertable;
	return WaitForSingleObject(handle, ms);
}

static inline DWORD WaitForMultipleObjectsEx(DWORD count, const HANDLE *handles,
					     BOOL all, DWORD ms, BOOL alertable)
{
	(void)alertable;
	return WaitForMultipleObjects(count, handles, all, ms);
}

/* Debuggers are not noticed */
static inline BOOL IsDebuggerPresent(void)
{
	return FALSE;
}

/* No effect, as there is no debugger that would receive the text */
static inline void OutputDebugStringA(LPCSTR text)
{
	(void)text;
}

static inline void OutputDebugStringW(LPCWSTR text)
{
	(void)text;
}

static inline DECLSPEC_NORETURN void ExitProcess(UINT code)
{
	exit((int)code);
}

static inline DWORD GetCurrentProcessId(void)
{
	return (DWORD)getpid();
}

/* The pseudo handle of the program, which needs not be closed */
static inline HANDLE GetCurrentProcess(void)
{
	return (HANDLE)(LONG_PTR)-1;
}

static inline BOOL SwitchToThread(void)
{
	return !sched_yield();
}

#define YieldProcessor()	((void)sched_yield())
#define PrefetchForWrite(p)	__builtin_prefetch((p), 1)
#define MemoryBarrier()		__sync_synchronize()

/* Calls, not expressions in parentheses, since C++ programs put :: before them */
#define InterlockedIncrement(p)		__sync_add_and_fetch((p), 1)
#define InterlockedDecrement(p)		__sync_sub_and_fetch((p), 1)
#define InterlockedAdd(p, n)		__sync_add_and_fetch((p), (n))
#define InterlockedExchangeAdd(p, n)	__sync_fetch_and_add((p), (n))
#define InterlockedExchange(p, n) \
	__atomic_exchange_n((p), (n), __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange(p, n, old) \
	__sync_val_compare_and_swap((p), (old), (n))
#define InterlockedOr(p, n)		__sync_fetch_and_or((p), (n))
#define InterlockedAnd(p, n)		__sync_fetch_and_and((p), (n))
#define InterlockedOr8			InterlockedOr
#define InterlockedAnd8			InterlockedAnd
#define InterlockedIncrement64		InterlockedIncrement
#define InterlockedDecrement64		InterlockedDecrement
#define InterlockedAdd64		InterlockedAdd
#define InterlockedExchangeAdd64	InterlockedExchangeAdd
#define InterlockedExchange64		InterlockedExchange
#define InterlockedExchangeNoFence	InterlockedExchange
#define InterlockedExchangePointer	InterlockedExchange
#define InterlockedCompareExchange64	InterlockedCompareExchange
#define InterlockedCompareExchangePointer	InterlockedCompareExchange
/* Weaker order is not used: a full barrier satisfies these, too */
#define InterlockedIncrementNoFence	InterlockedIncrement
#define InterlockedIncrementNoFence64	InterlockedIncrement
#define InterlockedDecrementNoFence	InterlockedDecrement
#define InterlockedDecrementRelease	InterlockedDecrement
#define InterlockedDecrementRelease64	InterlockedDecrement
#define InterlockedCompareExchangeNoFence	InterlockedCompareExchange
#define InterlockedCompareExchangeNoFence64	InterlockedCompareExchange
#define ReadNoFence(p)			__atomic_load_n((p), __ATOMIC_RELAXED)
#define ReadAcquire(p)			__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define WriteRelease(p, n)		__atomic_store_n((p), (n), __ATOMIC_RELEASE)
#define ReadNoFence64			ReadNoFence
#define ReadAcquire64			ReadAcquire
#define ReadPointerNoFence		ReadNoFence
#define ReadPointerAcquire		ReadAcquire

#ifdef UNICODE
#define FormatMessage		FormatMessageW
#define CreateEvent		CreateEventW
#define CreateFile		CreateFileW
#define GetFileAttributes	GetFileAttributesW
#define DeleteFile		DeleteFileW
#define MoveFile		MoveFileW
#define LoadLibrary		LoadLibraryW
#define LoadLibraryEx		LoadLibraryExW
#define GetModuleHandle		GetModuleHandleW
#define GetModuleHandleEx	GetModuleHandleExW
#define GetModuleFileName	GetModuleFileNameW
#define lstrlen			lstrlenW
#define GetCommandLine		GetCommandLineW
#define GetEnvironmentVariable	GetEnvironmentVariableW
#define OutputDebugString	OutputDebugStringW
#define FindFirstFile		FindFirstFileW
#define FindNextFile		FindNextFileW
#define GetDateFormat		GetDateFormatW
#define GetTimeFormat		GetTimeFormatW
#define GetVersionEx		GetVersionExW
#define QueryFullProcessImageName	QueryFullProcessImageNameW
#define GetUserName		GetUserNameW
#else
#define FormatMessage		FormatMessageA
#define CreateEvent		CreateEventA
#define CreateFile		CreateFileA
#define GetFileAttributes	GetFileAttributesA
#define DeleteFile		DeleteFileA
#define MoveFile		MoveFileA
#define LoadLibrary		LoadLibraryA
#define LoadLibraryEx		LoadLibraryExA
#define GetModuleHandle		GetModuleHandleA
#define GetModuleHandleEx	GetModuleHandleExA
#define GetModuleFileName	GetModuleFileNameA
#define lstrlen			lstrlenA
#define GetCommandLine		GetCommandLineA
#define GetEnvironmentVariable	GetEnvironmentVariableA
#define OutputDebugString	OutputDebugStringA
#define FindFirstFile		FindFirstFileA
#define FindNextFile		FindNextFileA
#define GetVersionEx		GetVersionExA
#define QueryFullProcessImageName	QueryFullProcessImageNameA
#define GetUserName		GetUserNameA
#endif
#define VerifyVersionInfo	VerifyVersionInfoW

#endif /* EVNT_FUNC_H */
