// SPDX-License-Identifier: MIT
/*
 * Memory of the C library under Windows' names; messages of the system.
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

LPVOID CoTaskMemAlloc(SIZE_T size)
{
	return allocate(false, size);
}

void CoTaskMemFree(LPVOID memory)
{
	free(memory);
}

static const struct {
	DWORD id;
	const char *text;
} messages[] = {
	{ ERROR_SUCCESS, "The operation completed successfully." },
	{ ERROR_FILE_NOT_FOUND, "There is no such file." },
	{ ERROR_PATH_NOT_FOUND, "There is no such folder." },
	{ ERROR_ACCESS_DENIED, "Access is denied." },
	{ ERROR_INVALID_HANDLE, "The handle is invalid." },
	{ ERROR_NOT_ENOUGH_MEMORY, "There is not enough memory." },
	{ ERROR_OUTOFMEMORY, "There is not enough memory." },
	{ ERROR_BAD_LENGTH, "A length is wrong." },
	{ ERROR_NOT_SUPPORTED, "This is not supported." },
	{ ERROR_INVALID_PARAMETER, "A parameter is wrong." },
	{ ERROR_INSUFFICIENT_BUFFER, "The buffer is too small." },
	{ ERROR_ALREADY_EXISTS, "It exists already." },
	{ ERROR_MORE_DATA, "There is more data." },
	{ ERROR_NOT_FOUND, "It was not found." },
	{ ERROR_CANCELLED, "It was cancelled." },
	{ ERROR_NO_SYSTEM_RESOURCES, "The system has no resources for it." },
	{ ERROR_WMI_INSTANCE_NOT_FOUND, "There is no such session." },
	{ ERROR_CTX_CLOSE_PENDING, "It will be closed." },
};

static const char *message_of(DWORD id)
{
	size_t i;

	for (i = 0; i < ARRAYSIZE(messages); i++) {
		if (messages[i].id == id)
			return messages[i].text;
	}
	return NULL;
}

/* Into a place of @size, or one that is allocated and @to then points to */
static DWORD deliver(const void *text, size_t count, size_t unit, DWORD flags,
		     void *to, DWORD size)
{
	void *copy = to;

	if (!(flags & FORMAT_MESSAGE_ALLOCATE_BUFFER) && count >= size)
		return fail_with(ERROR_INSUFFICIENT_BUFFER);
	if (flags & FORMAT_MESSAGE_ALLOCATE_BUFFER) {
		copy = LocalAlloc(0, (count >= size ? count + 1 : size) * unit);
		if (!copy)
			return fail_with(ERROR_NOT_ENOUGH_MEMORY);
		*(void **)to = copy;
	}
	memcpy(copy, text, (count + 1) * unit);
	return count;
}

/* The text of a message in @to, with a line's end; its length, or 0 */
static int message_text(DWORD flags, DWORD id, char *to, size_t size)
{
	const char *text = message_of(id);

	if (!(flags & FORMAT_MESSAGE_FROM_SYSTEM))
		return fail_with(ERROR_NOT_SUPPORTED);
	if (!text)
		return fail_with(ERROR_MR_MID_NOT_FOUND);
	return snprintf(to, size, "%s\r\n", text);
}

/* https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-formatmessage */
DWORD FormatMessageA(DWORD flags, LPCVOID source, DWORD id, DWORD language,
		     LPSTR to, DWORD size, va_list *args)
{
	char text[128];
	int n = message_text(flags, id, text, sizeof(text));

	(void)source;
	(void)language;
	(void)args;
	return n ? deliver(text, n, 1, flags, to, size) : 0;
}

DWORD FormatMessageW(DWORD flags, LPCVOID source, DWORD id, DWORD language,
		     LPWSTR to, DWORD size, va_list *args)
{
	char text[128];
	WCHAR wide[128];
	int n = message_text(flags, id, text, sizeof(text));

	(void)source;
	(void)language;
	(void)args;
	if (!n)
		return 0;
	MultiByteToWideChar(CP_UTF8, 0, text, n + 1, wide, 128);
	return deliver(wide, n, sizeof(WCHAR), flags, to, size);
}
