// SPDX-License-Identifier: MIT
/*
 * Access to /dev/evntrace, the device that controls sessions.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "lib/control/trace_control.h"

#define DEVICE		"/dev/evntrace"

/* Open the device; done for each call, since permissions may change */
ULONG evnt_control_device_open(int *fd)
{
	*fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (*fd >= 0)
		return ERROR_SUCCESS;
	return errno == ENOENT ? ERROR_NOT_SUPPORTED : evnt_win32(errno);
}

ULONG evnt_trace_call(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) ? evnt_win32(errno) : ERROR_SUCCESS;
}

/* Call an ioctl that returns a descriptor, or 0; *fd is valid on success */
ULONG evnt_trace_open(int device, unsigned long cmd, void *arg, int *fd)
{
	*fd = ioctl(device, cmd, arg);
	return *fd < 0 ? evnt_win32(errno) : ERROR_SUCCESS;
}

/* Find a session by name; *handle is valid on success */
ULONG evnt_trace_find(int fd, const WCHAR *name, TRACEHANDLE *handle)
{
	struct evntrace_open arg = {
		.size = sizeof(arg),
		.flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name,
		.name_len = evnt_wcslen(name),
	};
	int session;
	ULONG code = evnt_trace_open(fd, EVNTRACE_IOC_OPEN, &arg, &session);

	if (code)
		return code;
	*handle = arg.session;
	close(session);
	return ERROR_SUCCESS;
}
