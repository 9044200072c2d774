// SPDX-License-Identifier: MIT
/*
 * The door to sessions: /dev/evntrace.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

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
