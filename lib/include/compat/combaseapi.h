/* SPDX-License-Identifier: MIT */
/* COM: all declarations are in windows.h and evntcom.h. */
#include "windows.h"
#include <evntcom.h>
