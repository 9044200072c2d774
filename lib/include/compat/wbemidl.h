/* SPDX-License-Identifier: MIT */
/*
 * WMI: there is none.  Programs that decode events include it, and most use nothing
 * of it.
 */
#include "objbase.h"
