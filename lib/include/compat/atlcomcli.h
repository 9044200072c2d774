/* SPDX-License-Identifier: MIT */
/* All declarations are in atlbase.h. */
#include "atlbase.h"
