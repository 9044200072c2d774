/* SPDX-License-Identifier: MIT */
/*
 * Replaces the module's devices in tests of rules that the library checks
 * alone: there are none, and attempts to open one are counted.
 *
 * A call that fails without an attempt was refused by the library.
 */
#ifndef EVNT_TEST_NO_DEVICE_H
#define EVNT_TEST_NO_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned int dev_attempts;

/* Replaces the C library's function */
int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list list;

	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		va_start(list, flags);
		mode = va_arg(list, mode_t);
		va_end(list);
	}
	if (!strcmp(path, "/dev/evntprov") || !strcmp(path, "/dev/evntrace")) {
		dev_attempts++;
		errno = ENOENT;
		return -1;
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#endif /* EVNT_TEST_NO_DEVICE_H */
