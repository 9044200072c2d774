/* SPDX-License-Identifier: MIT */
/* Of COM's support for compilers, what comes with it. */
#include "windows.h"
#include "cguid.h"
