/* SPDX-License-Identifier: MIT */
/* COM: all other declarations are in windows.h and evntcom.h. */
#include "windows.h"
#include "cguid.h"
#include <evntcom.h>
