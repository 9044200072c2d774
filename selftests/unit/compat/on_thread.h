/* SPDX-License-Identifier: MIT */
/* Run a function on a thread of its own. */
#ifndef EVNT_TEST_ON_THREAD_H
#define EVNT_TEST_ON_THREAD_H

#include <windows.h>

/* Return the function's result, or ~0 on an error */
static inline DWORD on_thread(LPTHREAD_START_ROUTINE function, LPVOID argument)
{
	HANDLE thread = CreateThread(NULL, 0, function, argument, 0, NULL);
	DWORD code = ~0u;

	WaitForSingleObject(thread, INFINITE);
	GetExitCodeThread(thread, &code);
	CloseHandle(thread);
	return code;
}

#endif /* EVNT_TEST_ON_THREAD_H */
