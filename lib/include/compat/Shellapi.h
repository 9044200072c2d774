/* SPDX-License-Identifier: MIT */
/* In the case that programs write it. */
#include "shellapi.h"
