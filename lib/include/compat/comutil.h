/* SPDX-License-Identifier: MIT */
/* COM support for compilers: only COM itself. */
#include "objbase.h"
