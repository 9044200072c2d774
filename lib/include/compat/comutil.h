/* SPDX-License-Identifier: MIT */
/* COM support for compilers, which does not exist here. */
#include "objbase.h"
