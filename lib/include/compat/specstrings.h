/* SPDX-License-Identifier: MIT */
/* All annotations are in sal.h. */
#include "sal.h"
