/* SPDX-License-Identifier: MIT */
/*
 * Locks, which contain locks of the C library: critical sections, which their
 * owner may enter again, and slim locks of readers and writers; and one-time
 * initialization.
 */
#ifndef EVNT_LOCK_H
#define EVNT_LOCK_H

#include "evnttypes.h"

typedef struct _RTL_CRITICAL_SECTION {
	PVOID Words[8];
} CRITICAL_SECTION, *PCRITICAL_SECTION, *LPCRITICAL_SECTION;

typedef struct _RTL_SRWLOCK {
	PVOID Words[8];
} SRWLOCK, *PSRWLOCK;

#define SRWLOCK_INIT		{ { 0 } }

typedef union _RTL_RUN_ONCE {
	PVOID Ptr;
	ULONG_PTR Value;
} INIT_ONCE, *PINIT_ONCE, *LPINIT_ONCE;

#define INIT_ONCE_STATIC_INIT	{ 0 }
#define INIT_ONCE_CHECK_ONLY	0x1u
#define INIT_ONCE_ASYNC		0x2u
#define INIT_ONCE_INIT_FAILED	0x4u
/* Lowest bits of a context, which are zero */
#define INIT_ONCE_CTX_RESERVED_BITS	2
typedef BOOL (WINAPI *PINIT_ONCE_FN)(PINIT_ONCE once, PVOID parameter,
				       PVOID *context);

EVNT_BEGIN_DECLS

/* Threads that wait do not spin; flags, which are for debuggers, are ignored */
void InitializeCriticalSection(LPCRITICAL_SECTION section);
BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section,
					   DWORD spins);
BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins,
				 DWORD flags);
void DeleteCriticalSection(LPCRITICAL_SECTION section);
void EnterCriticalSection(LPCRITICAL_SECTION section);
BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section);
void LeaveCriticalSection(LPCRITICAL_SECTION section);
void InitializeSRWLock(PSRWLOCK lock);
void AcquireSRWLockShared(PSRWLOCK lock);
BOOLEAN TryAcquireSRWLockShared(PSRWLOCK lock);
void ReleaseSRWLockShared(PSRWLOCK lock);
void AcquireSRWLockExclusive(PSRWLOCK lock);
BOOLEAN TryAcquireSRWLockExclusive(PSRWLOCK lock);
void ReleaseSRWLockExclusive(PSRWLOCK lock);
VOID InitOnceInitialize(LPINIT_ONCE once);
BOOL InitOnceBeginInitialize(LPINIT_ONCE once, DWORD flags, PBOOL pending,
			     LPVOID *context);
BOOL InitOnceComplete(LPINIT_ONCE once, DWORD flags, LPVOID context);
BOOL InitOnceExecuteOnce(PINIT_ONCE once, PINIT_ONCE_FN function,
			 PVOID parameter, LPVOID *context);

EVNT_END_DECLS

#endif /* EVNT_LOCK_H */
