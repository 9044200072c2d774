/* SPDX-License-Identifier: MIT */
/* Splitting of a command line, as done by the shell. */
#ifndef EVNT_SHELLAPI_H
#define EVNT_SHELLAPI_H

#include "windows.h"

EVNT_BEGIN_DECLS

/* The caller frees the result with LocalFree() */
LPWSTR *CommandLineToArgvW(LPCWSTR line, int *count);

EVNT_END_DECLS

#endif /* EVNT_SHELLAPI_H */
