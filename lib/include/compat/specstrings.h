/* SPDX-License-Identifier: MIT */
/* All annotations are in one header. */
#include "sal.h"
