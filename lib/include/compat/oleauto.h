/* SPDX-License-Identifier: MIT */
/* All declarations are in windows.h and evntcom.h. */
#include "objbase.h"
