/* SPDX-License-Identifier: MIT */
/* Descriptions of the library's error codes */
#ifndef EVNT_WIN32_H
#define EVNT_WIN32_H

#include <evntbase.h>

/* Return a description to use within a sentence; never NULL */
const char *win32_text(ULONG code);

#endif /* EVNT_WIN32_H */
