/* SPDX-License-Identifier: MIT */
/* What the parts of libevntcompat.a know of each other. */
#ifndef EVNT_COMPAT_H
#define EVNT_COMPAT_H

#include <stdbool.h>

/* Here the C library prints and reads */
#define EVNT_OWN_FORMATS
#include <windows.h>

/*
 * UTF-16 of UTF-8, and back: as many units as it is, of which at most @room are
 * written.  What is malformed becomes U+FFFD, and is told.
 */
size_t evnt16_from_utf8(const char *from, size_t size, WCHAR *to, size_t room,
			bool *malformed);
size_t evnt16_to_utf8(const WCHAR *from, size_t units, char *to, size_t room,
		      bool *malformed);

/* The same, allocated, with a nul; NULL without memory */
WCHAR *evnt16_from_utf8_new(const char *from);
char *evnt16_to_utf8_new(const WCHAR *from);

/* Formats as Microsoft does; allocated, in UTF-8; NULL: no memory */
char *evnt16_format(const WCHAR *format, va_list args);
char *evnt_format(const char *format, va_list args);

/*
 * Scans as Microsoft does; where it is @safe, strings are followed by the size of
 * their place
 */
int evnt16_scan(const WCHAR *text, const WCHAR *format, bool safe, va_list args);

/* FALSE, with this last error */
static inline BOOL fail_with(DWORD code)
{
	SetLastError(code);
	return FALSE;
}

#endif /* EVNT_COMPAT_H */
