// SPDX-License-Identifier: MIT
/*
 * Error codes: the last error of each thread, and Win32 codes for errno.
 */
#include <errno.h>

#include "lib/base/internal.h"

static __thread DWORD last_error;

/* GetLastError: return the last error of the calling thread */
EVNT_PUBLIC DWORD GetLastError(void)
{
	return last_error;
}

/* SetLastError: set the last error of the calling thread */
EVNT_PUBLIC void SetLastError(DWORD Code)
{
	last_error = Code;
}

/* Follows the meaning of each errno in the ABI header */
static const struct {
	int err;
	ULONG code;
} win32_codes[] = {
	{ 0, ERROR_SUCCESS },
	{ EACCES, ERROR_ACCESS_DENIED },
	{ EAGAIN, ERROR_NOT_ENOUGH_MEMORY },
	{ EALREADY, ERROR_ACTIVE_CONNECTIONS },
	{ EBADF, ERROR_INVALID_HANDLE },
	{ EBUSY, ERROR_BUSY },
	{ EDQUOT, ERROR_DISK_FULL },
	{ EEXIST, ERROR_ALREADY_EXISTS },
	{ EFAULT, ERROR_INVALID_PARAMETER },
	{ EFBIG, ERROR_LOG_FILE_FULL },
	/* An interrupted wait is reported like one that has timed out */
	{ EINTR, ERROR_TIMEOUT },
	{ EINVAL, ERROR_INVALID_PARAMETER },
	{ EISDIR, ERROR_BAD_PATHNAME },
	{ EMFILE, ERROR_NO_SYSTEM_RESOURCES },
	{ EMSGSIZE, ERROR_MORE_DATA },
	{ ENAMETOOLONG, ERROR_BAD_PATHNAME },
	{ ENFILE, ERROR_NO_SYSTEM_RESOURCES },
	{ ENOBUFS, ERROR_NOT_ENOUGH_MEMORY },
	{ ENODEV, ERROR_NOT_SUPPORTED },
	{ ENOENT, ERROR_INVALID_HANDLE },
	{ ENOMEM, ERROR_NOT_ENOUGH_MEMORY },
	{ ENOSPC, ERROR_DISK_FULL },
	{ ENOTTY, ERROR_NOT_SUPPORTED },
	{ ENXIO, ERROR_NOT_SUPPORTED },
	{ EOPNOTSUPP, ERROR_NOT_SUPPORTED },
	{ EOVERFLOW, ERROR_ARITHMETIC_OVERFLOW },
	{ EPERM, ERROR_ACCESS_DENIED },
	{ EROFS, ERROR_ACCESS_DENIED },
	{ ESRCH, ERROR_WMI_INSTANCE_NOT_FOUND },
	{ ETIME, ERROR_TIMEOUT },
	{ ETIMEDOUT, ERROR_TIMEOUT },
	{ ETXTBSY, ERROR_BAD_PATHNAME },
	{ EUSERS, ERROR_NO_SYSTEM_RESOURCES },
};

/* Return the Win32 code for the errno of an ioctl of the module */
ULONG evnt_win32(int err)
{
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(win32_codes); i++) {
		if (win32_codes[i].err == err)
			return win32_codes[i].code;
	}
	return ERROR_GEN_FAILURE;
}

/* Return the Win32 code for the errno of opening a file */
ULONG evnt_win32_open(int err)
{
	switch (err) {
	case ENOENT:
		return ERROR_FILE_NOT_FOUND;
	case ENOTDIR:
		return ERROR_PATH_NOT_FOUND;
	case EILSEQ:
	case ELOOP:
		return ERROR_BAD_PATHNAME;
	}
	return evnt_win32(err);
}
