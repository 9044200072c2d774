// SPDX-License-Identifier: MIT
/*
 * The activity id of each thread: EventActivityIdControl.
 */
#include <errno.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cancel.h"
#include "lib/base/thread.h"

__thread struct evnt_thread evnt_thread;

/*
 * Make an id where a sandbox forbids getrandom().  The time, the process, the
 * thread and a counter make it unique on this machine.
 */
static void make_up_id(GUID *id)
{
	static ULONGLONG count;
	struct timespec now;
	ULONGLONG half[2];

	clock_gettime(CLOCK_REALTIME, &now);
	half[0] = now.tv_sec * 1000000000ull + now.tv_nsec;
	half[1] = ((ULONGLONG)getpid() << 32 ^
		   (uintptr_t)&evnt_thread.activity) * 0x9e3779b97f4a7c15ull +
		  __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
	memcpy(id, half, sizeof(*id));
}

/* Create a random (version 4) id, which is unique across machines */
static void create_id(GUID *id)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	ssize_t got;

	do
		got = getrandom(id, sizeof(*id), 0);
	while (got < 0 ? errno == EINTR : got != sizeof(*id));
	if (got < 0)
		make_up_id(id);
	id->Data3 = (id->Data3 & 0x0fff) | 0x4000;
	id->Data4[0] = (id->Data4[0] & 0x3f) | 0x80;
	errno = saved;
}

/**
 * EventActivityIdControl() - get, set or create the thread's activity id
 * @ControlCode: EVENT_ACTIVITY_CTRL_*
 * @ActivityId: in or out, depending on @ControlCode
 *
 * EVENT_ACTIVITY_CTRL_CREATE_SET_ID returns the previous id.
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER for an unknown code or
 * NULL.
 *
 * https://learn.microsoft.com/windows/win32/api/evntprov/nf-evntprov-eventactivityidcontrol
 */
EVNT_PUBLIC ULONG EVNTAPI EventActivityIdControl(ULONG ControlCode,
						 LPGUID ActivityId)
{
	GUID old = evnt_thread.activity;

	if (!ActivityId)
		return ERROR_INVALID_PARAMETER;
	switch (ControlCode) {
	case EVENT_ACTIVITY_CTRL_GET_ID:
		*ActivityId = evnt_thread.activity;
		break;
	case EVENT_ACTIVITY_CTRL_SET_ID:
		evnt_thread.activity = *ActivityId;
		break;
	case EVENT_ACTIVITY_CTRL_CREATE_ID:
		create_id(ActivityId);
		break;
	case EVENT_ACTIVITY_CTRL_GET_SET_ID:
		evnt_thread.activity = *ActivityId;
		*ActivityId = old;
		break;
	case EVENT_ACTIVITY_CTRL_CREATE_SET_ID:
		create_id(&evnt_thread.activity);
		*ActivityId = old;
		break;
	default:
		return ERROR_INVALID_PARAMETER;
	}
	return ERROR_SUCCESS;
}
