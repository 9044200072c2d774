/* SPDX-License-Identifier: MIT */
/* Included by programs, without a function: digests are in wincrypt.h. */
#include "windows.h"
