/* SPDX-License-Identifier: MIT */
/* Threads by the C library's function, which returns 0 on failure. */
#ifndef EVNT_PROCESS_H
#define EVNT_PROCESS_H

#include "windows.h"

static inline uintptr_t
_beginthreadex(void *security, unsigned int stack,
	       unsigned int (__stdcall *start)(void *), void *argument,
	       unsigned int flags, unsigned int *id)
{
	return (uintptr_t)CreateThread((LPSECURITY_ATTRIBUTES)security, stack,
				       start, argument, flags, id);
}

#define _endthreadex		ExitThread

static inline int _getpid(void)
{
	return (int)GetCurrentProcessId();
}

#endif /* EVNT_PROCESS_H */
