/* SPDX-License-Identifier: MIT */
/* What the library's error codes say. */
#ifndef EVNT_WIN32_H
#define EVNT_WIN32_H

#include <evntbase.h>

/* Half a sentence; never NULL */
const char *win32_text(ULONG code);

#endif /* EVNT_WIN32_H */
