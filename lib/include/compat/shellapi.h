/* SPDX-License-Identifier: MIT */
/* Of the shell, how it takes a command line apart. */
#ifndef EVNT_SHELLAPI_H
#define EVNT_SHELLAPI_H

#include "windows.h"

EVNT_BEGIN_DECLS

/* To be freed with LocalFree() */
LPWSTR *CommandLineToArgvW(LPCWSTR line, int *count);

EVNT_END_DECLS

#endif /* EVNT_SHELLAPI_H */
