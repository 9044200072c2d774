// SPDX-License-Identifier: MIT
/*
 * Descriptions of the library's error codes, for errors without a more specific
 * message
 */
#include <stddef.h>

#include "tools/common/win32.h"

static const struct {
	ULONG code;
	const char *text;
} texts[] = {
	{ ERROR_SUCCESS, "no error" },
	{ ERROR_FILE_NOT_FOUND, "there is no such file" },
	{ ERROR_PATH_NOT_FOUND, "the directory does not exist, or is none" },
	{ ERROR_ACCESS_DENIED, "permission denied" },
	{ ERROR_NOT_ENOUGH_MEMORY, "not enough memory" },
	{ ERROR_OUTOFMEMORY, "not enough memory" },
	{ ERROR_BAD_LENGTH, "a structure has the wrong length" },
	{ ERROR_NOT_SUPPORTED, "the module does not support it; 'evnt"
				 " doctor' shows its version" },
	{ ERROR_INVALID_PARAMETER, "an argument is not valid" },
	{ ERROR_DISK_FULL, "no space is left on the disk" },
	{ ERROR_BAD_PATHNAME, "the file cannot be used, or another session"
			      " writes to it" },
	{ ERROR_ALREADY_EXISTS, "it exists already" },
	{ ERROR_MORE_DATA, "there is more data than fits" },
	{ ERROR_RESOURCE_TYPE_NOT_FOUND, "there is none in it" },
	{ ERROR_FILE_CORRUPT, "the file is damaged" },
	{ ERROR_NO_SYSTEM_RESOURCES, "there are too many, or as many as a limit of"
	  " evntprov(4) allows: 'evnt doctor' shows which" },
	{ ERROR_TIMEOUT, "the time ran out" },
	{ ERROR_LOG_FILE_FULL, "the log file is full" },
	{ ERROR_ACTIVE_CONNECTIONS, "another process is stopping it" },
	{ ERROR_WMI_INSTANCE_NOT_FOUND, "the session has ended" },
};

const char *win32_text(ULONG code)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].code == code)
			return texts[i].text;
	}
	return "something unexpected";
}
