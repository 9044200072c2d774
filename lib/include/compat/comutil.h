/* SPDX-License-Identifier: MIT */
/* COM's support for compilers: there is none. */
#include "objbase.h"
