/* SPDX-License-Identifier: MIT */
/*
 * Types and functions that public headers of programs name, such as the headers of
 * the Windows Implementation Libraries (wil): thread pools, condition variables,
 * views of files and similar.  The functions are only declared: programs that
 * call one do not link.
 */
#ifndef EVNT_NAMED_H
#define EVNT_NAMED_H

#include "../securitybaseapi.h"
#include "evntlock.h"
#include "evnttypes.h"

typedef struct _TP_CALLBACK_INSTANCE TP_CALLBACK_INSTANCE,
	*PTP_CALLBACK_INSTANCE;
typedef struct _TP_CALLBACK_ENVIRON TP_CALLBACK_ENVIRON, *PTP_CALLBACK_ENVIRON;
typedef struct _TP_IO TP_IO, *PTP_IO;
typedef struct _TP_TIMER TP_TIMER, *PTP_TIMER;
typedef struct _TP_WAIT TP_WAIT, *PTP_WAIT;
typedef struct _TP_WORK TP_WORK, *PTP_WORK;
typedef DWORD TP_WAIT_RESULT;
typedef VOID (WINAPI *PTP_TIMER_CALLBACK)(PTP_CALLBACK_INSTANCE instance,
					  PVOID context, PTP_TIMER timer);
typedef VOID (WINAPI *PTP_WAIT_CALLBACK)(PTP_CALLBACK_INSTANCE instance,
					 PVOID context, PTP_WAIT wait,
					 TP_WAIT_RESULT result);

typedef struct _RTL_CONDITION_VARIABLE {
	PVOID Words[8];
} CONDITION_VARIABLE, *PCONDITION_VARIABLE;
#define CONDITION_VARIABLE_INIT			{ { 0 } }
#define CONDITION_VARIABLE_LOCKMODE_SHARED	0x1u

/* Exceptions of the processor, of which there are none */
#define EXCEPTION_MAXIMUM_PARAMETERS	15
#define EXCEPTION_NONCONTINUABLE	0x1u
typedef struct _CONTEXT CONTEXT, *PCONTEXT;
typedef struct _EXCEPTION_RECORD {
	DWORD ExceptionCode;
	DWORD ExceptionFlags;
	struct _EXCEPTION_RECORD *ExceptionRecord;
	PVOID ExceptionAddress;
	DWORD NumberParameters;
	ULONG_PTR ExceptionInformation[EXCEPTION_MAXIMUM_PARAMETERS];
} EXCEPTION_RECORD, *PEXCEPTION_RECORD;
typedef struct _EXCEPTION_POINTERS {
	PEXCEPTION_RECORD ExceptionRecord;
	PCONTEXT ContextRecord;
} EXCEPTION_POINTERS, *PEXCEPTION_POINTERS;

typedef struct _TOKEN_LINKED_TOKEN {
	HANDLE LinkedToken;
} TOKEN_LINKED_TOKEN, *PTOKEN_LINKED_TOKEN;

#define CREATE_EVENT_MANUAL_RESET	0x1u
#define CREATE_EVENT_INITIAL_SET	0x2u
#define EVENT_MODIFY_STATE		0x2u
#define EVENT_ALL_ACCESS		0x1f0003u
#define DUPLICATE_SAME_ACCESS		0x2u
#define FAIL_FAST_GENERATE_EXCEPTION_ADDRESS	0x1u
#define MEM_RELEASE			0x8000u
#define PRIVATE_NAMESPACE_FLAG_DESTROY	0x1u
#define TLS_OUT_OF_INDEXES		0xffffffffu

EVNT_BEGIN_DECLS

PTP_TIMER CreateThreadpoolTimer(PTP_TIMER_CALLBACK callback, PVOID context,
				PTP_CALLBACK_ENVIRON environment);
VOID SetThreadpoolTimer(PTP_TIMER timer, PFILETIME due, DWORD period,
			DWORD window);
VOID WaitForThreadpoolTimerCallbacks(PTP_TIMER timer, BOOL cancel);
VOID CloseThreadpoolTimer(PTP_TIMER timer);
PTP_WAIT CreateThreadpoolWait(PTP_WAIT_CALLBACK callback, PVOID context,
			      PTP_CALLBACK_ENVIRON environment);
VOID SetThreadpoolWait(PTP_WAIT wait, HANDLE handle, PFILETIME timeout);
VOID WaitForThreadpoolWaitCallbacks(PTP_WAIT wait, BOOL cancel);
VOID CloseThreadpoolWait(PTP_WAIT wait);
VOID WaitForThreadpoolWorkCallbacks(PTP_WORK work, BOOL cancel);
VOID CloseThreadpoolWork(PTP_WORK work);
VOID WaitForThreadpoolIoCallbacks(PTP_IO io, BOOL cancel);
VOID CloseThreadpoolIo(PTP_IO io);

VOID WakeConditionVariable(PCONDITION_VARIABLE condition);
VOID WakeAllConditionVariable(PCONDITION_VARIABLE condition);
BOOL SleepConditionVariableCS(PCONDITION_VARIABLE condition,
			      PCRITICAL_SECTION section, DWORD ms);
BOOL SleepConditionVariableSRW(PCONDITION_VARIABLE condition, PSRWLOCK lock,
			       DWORD ms, ULONG flags);

HANDLE CreateEventExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name,
		      DWORD flags, DWORD access);
HANDLE OpenEventW(DWORD access, BOOL inherit, LPCWSTR name);
BOOL DuplicateHandle(HANDLE process, HANDLE handle, HANDLE to_process,
		     PHANDLE to, DWORD access, BOOL inherit, DWORD options);
VOID DeleteBoundaryDescriptor(HANDLE boundary);
BOOLEAN ClosePrivateNamespace(HANDLE name_space, ULONG flags);
BOOL FindCloseChangeNotification(HANDLE change);
BOOL VirtualFree(LPVOID address, SIZE_T size, DWORD type);
BOOL UnmapViewOfFile(LPCVOID address);
SIZE_T LocalSize(HANDLE memory);
BOOL HeapDestroy(HANDLE heap);
BOOL TlsFree(DWORD index);
BOOL QueryUnbiasedInterruptTime(PULONGLONG time);
BOOL DestroyPrivateObjectSecurity(PSECURITY_DESCRIPTOR *descriptor);

EVNT_END_DECLS

#endif /* EVNT_NAMED_H */
