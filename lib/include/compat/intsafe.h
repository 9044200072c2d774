/* SPDX-License-Identifier: MIT */
/* Arithmetic that reports overflow. */
#ifndef EVNT_INTSAFE_H
#define EVNT_INTSAFE_H

#include "windows.h"

#define INTSAFE_E_ARITHMETIC_OVERFLOW	((HRESULT)0x80070216)

#define EVNT_INTSAFE(name, type, operation)				\
static inline HRESULT name(type a, type b, type *result)		\
{									\
	return operation(a, b, result) ? INTSAFE_E_ARITHMETIC_OVERFLOW : S_OK; \
}
EVNT_INTSAFE(UIntAdd, UINT, __builtin_add_overflow)
EVNT_INTSAFE(UIntMult, UINT, __builtin_mul_overflow)
EVNT_INTSAFE(ULongAdd, ULONG, __builtin_add_overflow)
EVNT_INTSAFE(ULongMult, ULONG, __builtin_mul_overflow)
EVNT_INTSAFE(ULongSub, ULONG, __builtin_sub_overflow)
EVNT_INTSAFE(DWordAdd, DWORD, __builtin_add_overflow)
EVNT_INTSAFE(DWordMult, DWORD, __builtin_mul_overflow)
EVNT_INTSAFE(SizeTAdd, SIZE_T, __builtin_add_overflow)
EVNT_INTSAFE(SizeTMult, SIZE_T, __builtin_mul_overflow)
#undef EVNT_INTSAFE

#endif /* EVNT_INTSAFE_H */
