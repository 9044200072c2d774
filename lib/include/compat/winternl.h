/* SPDX-License-Identifier: MIT */
/* Types of the system's inner interface that headers of programs name. */
#ifndef EVNT_WINTERNL_H
#define EVNT_WINTERNL_H

#include "windows.h"

typedef enum _THREADINFOCLASS {
	ThreadIsIoPending = 16
} THREADINFOCLASS;

#endif /* EVNT_WINTERNL_H */
