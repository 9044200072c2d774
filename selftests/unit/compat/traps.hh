/* SPDX-License-Identifier: MIT */
/*
 * A header with all the constructs of what mc.exe generates that a compiler here
 * stumbles over, for several units in C and C++.
 */
#pragma once

#pragma warning(push)
#pragma warning(disable: 6103)

#include <wmistr.h>
#include <evntrace.h>
#include <evntprov.h>

/* Defined in each unit; with a value, a constant, and an array without one */
EXTERN_C __declspec(selectany) REGHANDLE TrapHandle = (REGHANDLE)0;
EXTERN_C __declspec(selectany) const GUID TrapId = {
	0x65766e74, 0x1234, 0x5678, {1, 2, 3, 4, 5, 6, 7, 0xa3}};
EXTERN_C __declspec(selectany) const EVENT_DESCRIPTOR TrapEvent = {
	0x1, 0x0, 0x10, 0x4, 0x0, 0x0, 0x8000000000000001};
EXTERN_C __declspec(selectany) DECLSPEC_CACHEALIGN ULONG TrapEnableBits[1];

/* One function in each unit, that none has to be linked with */
DECLSPEC_NOINLINE __inline
ULONG __stdcall TrapTemplate(_In_ REGHANDLE RegHandle, _In_opt_ PCWSTR _Arg0,
			     _In_ const unsigned __int64 _Arg1,
			     _In_ const signed int _Arg2)
{
	EVENT_DATA_DESCRIPTOR data[3];

	EventDataDescCreate(&data[0], _Arg0,
			    (ULONG)((wcslen(_Arg0) + 1) * sizeof(WCHAR)));
	EventDataDescCreate(&data[1], &_Arg1, sizeof(const unsigned __int64));
	EventDataDescCreate(&data[2], &_Arg2, sizeof(const signed int));
	TrapEnableBits[0]++;
	return EventWrite(RegHandle, &TrapEvent, 3, data) ? 0 : data[0].Size;
}

FORCEINLINE
BOOLEAN TrapIsEnabled(VOID)
{
	return TrapEnableBits[0] != 0;
}

/* Headers of today's compiler have this alone, and in C nothing to link with */
#if !defined(ETW_INLINE)
#define ETW_INLINE __inline
#endif
ETW_INLINE
ULONG TrapBits(VOID)
{
	return TrapEnableBits[0];
}

#pragma warning(pop)

EXTERN_C_START
ULONG trap_in_c(void);
ULONG trap_in_cplusplus(void);
EXTERN_C_END
