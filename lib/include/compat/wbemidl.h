/* SPDX-License-Identifier: MIT */
/*
 * WMI, which does not exist here.  Programs that decode events include this
 * header, and most use nothing of it.
 */
#include "objbase.h"
