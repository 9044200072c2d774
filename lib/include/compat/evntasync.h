/* SPDX-License-Identifier: MIT */
/*
 * Types of asynchronous files and of lists without locks, and functions, that
 * public headers of programs name.  The functions are only declared: programs
 * that call one do not link.
 */
#ifndef EVNT_ASYNC_H
#define EVNT_ASYNC_H

#include "evnttypes.h"

typedef struct _OVERLAPPED {
	ULONG_PTR Internal;
	ULONG_PTR InternalHigh;
	EVNT_ANONYMOUS union {
		EVNT_ANONYMOUS struct {
			DWORD Offset;
			DWORD OffsetHigh;
		};
		PVOID Pointer;
	};
	HANDLE hEvent;
} OVERLAPPED, *LPOVERLAPPED;

typedef struct _OVERLAPPED_ENTRY {
	ULONG_PTR lpCompletionKey;
	LPOVERLAPPED lpOverlapped;
	ULONG_PTR Internal;
	DWORD dwNumberOfBytesTransferred;
} OVERLAPPED_ENTRY, *LPOVERLAPPED_ENTRY;

#define MEMORY_ALLOCATION_ALIGNMENT	(2 * __SIZEOF_POINTER__)

typedef struct _SLIST_ENTRY {
	struct _SLIST_ENTRY *Next;
} SLIST_ENTRY, *PSLIST_ENTRY;

typedef union _SLIST_HEADER {
	ULONG_PTR Words[2];
} __attribute__((__aligned__(MEMORY_ALLOCATION_ALIGNMENT))) SLIST_HEADER,
	*PSLIST_HEADER;

EVNT_BEGIN_DECLS

HANDLE CreateIoCompletionPort(HANDLE file, HANDLE port, ULONG_PTR key,
			      DWORD threads);
BOOL PostQueuedCompletionStatus(HANDLE port, DWORD bytes, ULONG_PTR key,
				LPOVERLAPPED overlapped);
BOOL GetQueuedCompletionStatus(HANDLE port, LPDWORD bytes, ULONG_PTR *key,
			       LPOVERLAPPED *overlapped, DWORD ms);
BOOL GetQueuedCompletionStatusEx(HANDLE port, OVERLAPPED_ENTRY *entries,
				 ULONG count, PULONG removed, DWORD ms,
				 BOOL alertable);
void InitializeSListHead(PSLIST_HEADER list);
PSLIST_ENTRY InterlockedPushEntrySList(PSLIST_HEADER list, PSLIST_ENTRY entry);
PSLIST_ENTRY InterlockedPopEntrySList(PSLIST_HEADER list);
PSLIST_ENTRY InterlockedFlushSList(PSLIST_HEADER list);
USHORT QueryDepthSList(PSLIST_HEADER list);
BOOL GetSystemTimeAdjustment(PDWORD adjustment, PDWORD increment,
			     PBOOL disabled);

EVNT_END_DECLS

#endif /* EVNT_ASYNC_H */
