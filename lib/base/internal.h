/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the library share.
 */
#ifndef EVNT_INTERNAL_H
#define EVNT_INTERNAL_H

#include <stdbool.h>

/* The library defines the functions that the inline functions call */
#define EVNT_NO_INLINE

#include "evntprov.h"

/* Symbols are hidden by default; data is marked hidden at its declaration */
#define EVNT_PUBLIC	__attribute__((visibility("default")))
#define EVNT_HIDDEN	__attribute__((visibility("hidden")))

#define EVNT_ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* error.c: the one table from errno to Win32 codes */
ULONG evnt_win32(int err);
ULONG evnt_win32_open(int err);

/*
 * utf.c: conversion between UTF-8 and UTF-16.  Each function returns a string
 * that the caller frees, or NULL with errno ENOMEM, or EILSEQ for malformed
 * text.
 */
char *evnt_utf8(const WCHAR *text);
bool evnt_utf8_into(char *out, const WCHAR *text);
char *evnt_utf8_shown(const WCHAR *text);
WCHAR *evnt_utf16(const char *text);
bool evnt_utf16_into(WCHAR *out, const char *text);
size_t evnt_wcslen(const WCHAR *text);
bool evnt_same_text(const WCHAR *a, const WCHAR *b);
/* Convert ASCII letters to lower case, as session names ignore no other case */
WCHAR evnt_lower(WCHAR c);

#endif /* EVNT_INTERNAL_H */
