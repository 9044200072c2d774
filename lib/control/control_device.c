// SPDX-License-Identifier: MIT
/*
 * Access to /dev/evntrace, the device that controls sessions.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/evntrace.h>

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

/**
 * evnt_session_open() - open a session, with all rights that the caller has
 * @device: descriptor of /dev/evntrace
 * @handle: handle of the session, if @name is NULL
 * @name: name of the session, or NULL
 * @filters: filters of a system-wide private session, or NULL
 * @session: out: descriptor of the session, valid on success
 *
 * Return: ERROR_SUCCESS or the error of EVNTRACE_IOC_OPEN.
 */
ULONG evnt_session_open(int device, TRACEHANDLE handle, const WCHAR *name,
			const struct evnt_filter_list *filters, int *session)
{
	struct evntrace_open arg = {
		.size = sizeof(arg),
		.flags = EVNTRACE_OPEN_MAXIMUM,
		.handle = name ? 0 : handle,
		.name = (uintptr_t)name,
		.name_len = name ? evnt_wcslen(name) : 0,
	};

	if (filters) {
		arg.filters = (uintptr_t)filters->filter;
		arg.filter_count = filters->count;
	}
	return evnt_trace_open(device, EVNTRACE_IOC_OPEN, &arg, session);
}

/* Open a session by its handle, and the device for the time of the call */
ULONG evnt_session_open_handle(TRACEHANDLE handle, int *session)
{
	int device;
	ULONG code = evnt_control_device_open(&device);

	if (code)
		return code;
	code = evnt_session_open(device, handle, NULL, NULL, session);
	close(device);
	return code;
}
