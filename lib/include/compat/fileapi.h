/* SPDX-License-Identifier: MIT */
/* All of it is in one header. */
#include "windows.h"
