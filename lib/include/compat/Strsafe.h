/* SPDX-License-Identifier: MIT */
/* The same, as Windows does not mind case. */
#include "strsafe.h"
