// SPDX-License-Identifier: MIT
/*
 * Memory of the C library under Windows' names.
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

/* What it grows by is not zeroed */
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

/* LocalFree() is libevntprov's, which frees what the C library allocates */
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
