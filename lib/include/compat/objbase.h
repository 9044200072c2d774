/* SPDX-License-Identifier: MIT */
/* All other declarations are in windows.h. */
#include "windows.h"
#include "cguid.h"
