// SPDX-License-Identifier: MIT
/*
 * The door to sessions: /dev/evntrace.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include <linux/evntprov.h>

#include "trace_door.h"

#define DOOR		"/dev/evntrace"

/* Opened for each call, as rights may change */
ULONG evnt_trace_door_open(int *fd)
{
	*fd = open(DOOR, O_RDWR | O_CLOEXEC);
	if (*fd >= 0)
		return ERROR_SUCCESS;
	return errno == ENOENT ? ERROR_NOT_SUPPORTED : evnt_win32(errno);
}

ULONG evnt_trace_call(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) ? evnt_win32(errno) : ERROR_SUCCESS;
}

/* The session of this name, if the result is ERROR_SUCCESS */
ULONG evnt_trace_find(int fd, const WCHAR *name, TRACEHANDLE *handle)
{
	struct evntrace_find f = {
		.size = sizeof(f),
		.name = (uintptr_t)name,
		.name_len = evnt_wcslen(name),
	};
	ULONG code = evnt_trace_call(fd, EVNTRACE_IOC_FIND, &f);

	*handle = f.handle;
	return code;
}
