/* SPDX-License-Identifier: MIT */
/* Declarations that the files of libevntcompat.a share. */
#ifndef EVNT_COMPAT_H
#define EVNT_COMPAT_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

/* These files use the C library's printf() and scanf() */
#define EVNT_SELF_FORMATS
#include <windows.h>

/*
 * Convert between UTF-8 and UTF-16.  Return the full length in units, of which
 * at most @room are written.  Malformed input becomes U+FFFD and sets
 * *malformed.
 */
size_t evnt16_from_utf8(const char *from, size_t size, WCHAR *to, size_t room,
			bool *malformed);
size_t evnt16_to_utf8(const WCHAR *from, size_t units, char *to, size_t room,
		      bool *malformed);

/* Convert to allocated memory, with a nul; NULL without memory */
WCHAR *evnt16_from_utf8_new(const char *from);
char *evnt16_to_utf8_new(const WCHAR *from);

/* Format like Microsoft's library; allocated, in UTF-8; NULL without memory */
char *evnt16_format(const WCHAR *format, va_list args);
char *evnt_format(const char *format, va_list args);

/*
 * Scan like Microsoft's library.  If @safe, each string argument is followed by
 * the size of its buffer.
 */
int evnt16_scan(const WCHAR *text, const WCHAR *format, bool safe, va_list args);

/*
 * thread.c: handle of an object for which no thread can wait.  CloseHandle()
 * frees @data by @release, which also identifies the kind of object; so does
 * evnt_handle_new() itself without memory.
 */
HANDLE evnt_handle_new(void *data, void (*release)(void *data));
void *evnt_handle_data(HANDLE handle, void (*release)(void *data));

/*
 * snapshot.c: return the next file of a folder of /proc whose name is an id, or 0
 * at the end
 */
DWORD evnt_next_id(DIR *folder);

/*
 * process.c: read the path of a process' program, from the link "exe" in a folder
 * of /proc; false with errno
 */
bool evnt_image_path(int folder, const char *exe, char path[PATH_MAX]);

/* process.c: set the last error to an error of /proc; ids of no process have @none */
void evnt_set_proc_error(int err, DWORD none);

/* Set the last error and return FALSE */
static inline BOOL fail_with(DWORD code)
{
	SetLastError(code);
	return FALSE;
}

#endif /* EVNT_COMPAT_H */
