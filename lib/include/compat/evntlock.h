/* SPDX-License-Identifier: MIT */
/*
 * Locks, which contain locks of the C library: critical sections, which their
 * owner may enter again, and slim locks of readers and writers.
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

EVNT_END_DECLS

#endif /* EVNT_LOCK_H */
