// SPDX-License-Identifier: MIT
/*
 * Windows names for the C library's memory functions.
 */
#include "compat.h"

HANDLE GetProcessHeap(void)
{
	static char heap;

	return &heap;
}

static void *allocate(bool zero, SIZE_T size)
{
	size = size ? size : 1;
	return zero ? calloc(1, size) : malloc(size);
}

LPVOID HeapAlloc(HANDLE heap, DWORD flags, SIZE_T size)
{
	(void)heap;
	return allocate(flags & HEAP_ZERO_MEMORY, size);
}

/* Grow or shrink memory; zeroing what is added is not supported */
LPVOID HeapReAlloc(HANDLE heap, DWORD flags, LPVOID memory, SIZE_T size)
{
	(void)heap;
	if (flags & HEAP_ZERO_MEMORY) {
		SetLastError(ERROR_NOT_SUPPORTED);
		return NULL;
	}
	return realloc(memory, size ? size : 1);
}

BOOL HeapFree(HANDLE heap, DWORD flags, LPVOID memory)
{
	(void)heap;
	(void)flags;
	free(memory);
	return TRUE;
}

/* LocalFree() of libevntprov frees memory of the C library */
HLOCAL LocalAlloc(UINT flags, SIZE_T size)
{
	return allocate(flags & LMEM_ZEROINIT, size);
}

HGLOBAL GlobalAlloc(UINT flags, SIZE_T size)
{
	return LocalAlloc(flags, size);
}

HGLOBAL GlobalFree(HGLOBAL memory)
{
	return LocalFree(memory);
}

LPVOID CoTaskMemAlloc(SIZE_T size)
{
	return allocate(false, size);
}

void CoTaskMemFree(LPVOID memory)
{
	free(memory);
}
