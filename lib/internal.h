/* SPDX-License-Identifier: MIT */
/*
 * What the files of the library share.
 */
#ifndef EVNT_INTERNAL_H
#define EVNT_INTERNAL_H

#include <stdbool.h>

/* What the inline functions call is here */
#define EVNT_NO_INLINE

#include "evntprov.h"

/* Everything else stays inside the library: data says so where it is declared */
#define EVNT_PUBLIC	__attribute__((visibility("default")))
#define EVNT_HIDDEN	__attribute__((visibility("hidden")))

#define EVNT_ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* error.c: the one table from errno to Win32 codes */
ULONG evnt_win32(int err);
ULONG evnt_win32_open(int err);

/*
 * utf.c: between UTF-8 and UTF-16.  Each returns a string to be freed, or NULL
 * with errno ENOMEM, or EILSEQ when the text is malformed.
 */
char *evnt_utf8(const WCHAR *text);
char *evnt_utf8_shown(const WCHAR *text);
WCHAR *evnt_utf16(const char *text);
size_t evnt_wcslen(const WCHAR *text);
bool evnt_same_text(const WCHAR *a, const WCHAR *b);
/* Lower case of ASCII letters: names of sessions differ in no other way */
WCHAR evnt_lower(WCHAR c);

#endif /* EVNT_INTERNAL_H */
