// SPDX-License-Identifier: MIT
/*
 * Critical sections and slim locks, by the C library's locks.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "compat.h"

static_assert(sizeof(pthread_mutex_t) <= sizeof(CRITICAL_SECTION),
	      "a critical section has room for a mutex");
static_assert(sizeof(pthread_rwlock_t) <= sizeof(SRWLOCK),
	      "a slim lock has room for a lock");

/* Zeros, which SRWLOCK_INIT has, are a free lock */
static pthread_rwlock_t *lock_of(PSRWLOCK lock)
{
	return (pthread_rwlock_t *)lock;
}

static pthread_mutex_t *mutex_of(LPCRITICAL_SECTION section)
{
	return (pthread_mutex_t *)section;
}

void InitializeCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(mutex_of(section), &attributes);
	pthread_mutexattr_destroy(&attributes);
}

BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section,
					   DWORD spins)
{
	(void)spins;
	InitializeCriticalSection(section);
	return TRUE;
}

BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins,
				 DWORD flags)
{
	(void)flags;
	return InitializeCriticalSectionAndSpinCount(section, spins);
}

void DeleteCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutex_destroy(mutex_of(section));
}

void EnterCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutex_lock(mutex_of(section));
}

BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section)
{
	return !pthread_mutex_trylock(mutex_of(section));
}

void LeaveCriticalSection(LPCRITICAL_SECTION section)
{
	pthread_mutex_unlock(mutex_of(section));
}

void InitializeSRWLock(PSRWLOCK lock)
{
	pthread_rwlock_init(lock_of(lock), NULL);
}

void AcquireSRWLockShared(PSRWLOCK lock)
{
	pthread_rwlock_rdlock(lock_of(lock));
}

BOOLEAN TryAcquireSRWLockShared(PSRWLOCK lock)
{
	return !pthread_rwlock_tryrdlock(lock_of(lock));
}

void ReleaseSRWLockShared(PSRWLOCK lock)
{
	pthread_rwlock_unlock(lock_of(lock));
}

void AcquireSRWLockExclusive(PSRWLOCK lock)
{
	pthread_rwlock_wrlock(lock_of(lock));
}

BOOLEAN TryAcquireSRWLockExclusive(PSRWLOCK lock)
{
	return !pthread_rwlock_trywrlock(lock_of(lock));
}

void ReleaseSRWLockExclusive(PSRWLOCK lock)
{
	pthread_rwlock_unlock(lock_of(lock));
}
