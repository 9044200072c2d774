/* SPDX-License-Identifier: MIT */
/* Functions of Microsoft's compiler: bits, barriers, and the instructions. */
#ifndef EVNT_INTRIN_H
#define EVNT_INTRIN_H

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#include "windows.h"

#define _ReturnAddress()	__builtin_return_address(0)
#define _AddressOfReturnAddress() \
	((void *)((char *)__builtin_frame_address(0) + sizeof(void *)))
#define _ReadWriteBarrier()	__asm__ __volatile__("" : : : "memory")
#define _ReadBarrier()		_ReadWriteBarrier()
#define _WriteBarrier()		_ReadWriteBarrier()
#ifdef __aarch64__
#define _ARM64_BARRIER_ISH	0xb
#define __dmb(domain)		__sync_synchronize()
#endif
#define __popcnt(n)		((unsigned int)__builtin_popcount(n))
#define __popcnt64(n)		((ULONG64)__builtin_popcountll(n))

#define _InterlockedIncrement	InterlockedIncrement
#define _InterlockedDecrement	InterlockedDecrement
#define _InterlockedExchange	InterlockedExchange
#define _InterlockedExchangeAdd	InterlockedExchangeAdd
#define _InterlockedCompareExchange	InterlockedCompareExchange
#define _InterlockedOr		InterlockedOr
#define _InterlockedAnd		InterlockedAnd

/* Built into clang under -fms-extensions */
#ifndef __has_builtin
#define __has_builtin(name)	0
#endif
#if !__has_builtin(_BitScanForward)

/* Set *@index to the lowest or highest bit; return 0 if @mask has none */
static inline BYTE _BitScanForward(DWORD *index, DWORD mask)
{
	if (mask)
		*index = (DWORD)__builtin_ctz(mask);
	return mask != 0;
}

static inline BYTE _BitScanReverse(DWORD *index, DWORD mask)
{
	if (mask)
		*index = 31u - (DWORD)__builtin_clz(mask);
	return mask != 0;
}

static inline BYTE _BitScanForward64(DWORD *index, ULONG64 mask)
{
	if (mask)
		*index = (DWORD)__builtin_ctzll(mask);
	return mask != 0;
}

static inline BYTE _BitScanReverse64(DWORD *index, ULONG64 mask)
{
	if (mask)
		*index = 63u - (DWORD)__builtin_clzll(mask);
	return mask != 0;
}

#endif /* !_BitScanForward */

#endif /* EVNT_INTRIN_H */
