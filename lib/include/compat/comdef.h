/* SPDX-License-Identifier: MIT */
/*
 * COM support for compilers: only windows.h and COM, which it includes on Windows,
 * too.  No GUID_NULL, since a sample of Microsoft's that includes this header
 * defines it.
 */
#include "windows.h"
#include <evntcom.h>
