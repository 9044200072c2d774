// SPDX-License-Identifier: MIT
/*
 * Error codes: the last one of each thread, and what errno means in Win32.
 */
#include <errno.h>

#include "internal.h"

static __thread DWORD last_error;

/* GetLastError: the code that the calling thread set last */
EVNT_PUBLIC DWORD GetLastError(void)
{
	return last_error;
}

/* SetLastError: what GetLastError() will return in this thread */
EVNT_PUBLIC void SetLastError(DWORD Code)
{
	last_error = Code;
}

/* As the ABI header says what each errno means there */
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
	/* A wait was cut short: as if its time had run out */
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

/* The Win32 code of what an ioctl of the module failed with */
ULONG evnt_win32(int err)
{
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(win32_codes); i++) {
		if (win32_codes[i].err == err)
			return win32_codes[i].code;
	}
	return ERROR_GEN_FAILURE;
}

/* The Win32 code of what opening a file failed with */
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
