/* SPDX-License-Identifier: MIT */
/*
 * Of COM's support for compilers, what comes with it; not GUID_NULL, which a
 * program of Microsoft's that includes this defines.
 */
#include "windows.h"
