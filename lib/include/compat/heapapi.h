/* SPDX-License-Identifier: MIT */
/* All declarations are in windows.h. */
#include "windows.h"
