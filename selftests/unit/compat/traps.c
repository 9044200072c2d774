// SPDX-License-Identifier: MIT
/* Two units, one built with SECOND, include traps.hh; in C and C++. */
#include <windows.h>

#include "traps.hh"
#include "wide.h"

#ifdef SECOND
#define NAME	trap_in_cplusplus
#else
#define NAME	trap_in_c
#endif

ULONG NAME(void)
{
	return TrapTemplate(TrapHandle, W("str"), 1, 2);
}

#ifndef SECOND
int main(void)
{
	/* A string of three has 8 bytes, and both units share the array */
	if (TrapIsEnabled() || trap_in_c() != 8 || trap_in_cplusplus() != 8)
		return 1;
	return TrapBits() != 2 || TrapId.Data4[7] != 0xa3 ||
	       (ULONG_PTR)TrapEnableBits % 64;
}
#endif
